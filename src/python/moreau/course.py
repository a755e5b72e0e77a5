"""A scene on its way."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._core import StepReport
from .frame import BODY_ARRAYS, Contacts, Frame
from .scene import Scene
from ._view import View

if TYPE_CHECKING:
    from .run import Run

__all__ = ["Bodies", "Contacts", "Course"]


def _check_until(until: float | None) -> None:
    if until is not None and math.isnan(until):
        raise ValueError("until is nan; accepted: a time, or None for the end of the scene")


class Bodies:
    """The bodies of a course as arrays that look at its memory: no copies, read-only, up to date after every step.

    ``position``, ``orientation``, ``velocity``, ``spin``, ``radius``, ``mass``, ``inertia``, ``shape``, ``material``, ``motion``,
    ``kind``, ``birth``, ``origin`` (see :class:`Frame`). Arrays to write come from :meth:`writable`.
    """

    def __init__(self, core: _core.Course) -> None:
        self._core = core

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        return View._of(*self._core.array(name))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *BODY_ARRAYS]

    def writable(self, name: str) -> np.ndarray:
        """``position``, ``orientation``, ``velocity`` or ``spin``, to be written between steps.

        As long as the array lives, the course takes every step as one before which bodies may have been moved: it looks for
        neighbours anew and counts the change as energy that was there from the start. Drop it when it is not needed.
        """
        return View._of(*self._core.array(name, True))

    def push(self, body: Any, impulse: Any) -> None:
        """Adds impulse / mass to the velocity of a body, or of each of several. A force F during a step h is the impulse F h."""
        numbers, impulses = np.asarray(body), np.asarray(impulse, dtype=float)
        if numbers.dtype == bool:
            numbers = np.flatnonzero(numbers)
        if numbers.dtype.kind not in "iu" or ((numbers < 0) | (numbers >= len(self))).any():
            raise IndexError(f"body {body!r} cannot be pushed; accepted: numbers from 0 to {len(self) - 1}, one or several")
        if not np.isfinite(impulses).all():
            raise ValueError(f"impulse is {impulse!r}; accepted: finite numbers")
        velocity = self.writable("velocity")
        np.add.at(velocity, numbers, impulses / np.asarray(self.mass)[numbers][..., None])  # a body named twice is pushed twice

    def __len__(self) -> int:
        return self._core.bodies_count()

    def __repr__(self) -> str:
        return f"<Bodies: {len(self)}>"


class Course:
    """A scene that is stepped, without files.

    The result does not depend on ``threads`` (0: all cores). What the scene says about phases, sources, sinks and ends holds as
    in a run of the program, and so does the state to the last bit: see :attr:`hash`.
    """

    def __init__(self, scene: Scene, threads: int = 0) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"a course begins with a Scene, not with {type(scene).__name__}; see moreau.load")
        self.scene = scene
        self._core = _core.Course(scene._core, threads)

    @classmethod
    def _of(cls, core: _core.Course, scene: Scene) -> Course:
        course = cls.__new__(cls)
        course.scene, course._core = scene, core
        return course

    def step(self) -> StepReport:
        """One step. Raises :class:`CourseError` if it failed, StopIteration is never raised: a course that is over stays so."""
        self._core.advance(None, 1)
        return self._core.report

    def run(self, until: float | None = None, steps: int | None = None,
            before_step: Callable[[Course], object] | None = None) -> StepReport:
        """Steps until the simulated time ``until``, or so many, or to the end of the scene; returns the last report.

        ``before_step(course)`` is called before every step and may change velocities, push bodies, set laws, gravity and pistons.
        Other Python threads go on meanwhile. Ctrl-C raises KeyboardInterrupt between two steps, and the course can go on.
        """
        _check_until(until)
        if steps is not None and operator.index(steps) < 0:
            raise ValueError(f"steps is {steps}; accepted: an integer >= 0")
        if before_step is None:
            self._core.advance(until, *([] if steps is None else [steps]))
            return self._core.report
        made = 0
        while not self.over and (steps is None or made < steps):
            if until is not None and self.time >= until - 0.5 * self._core.time_step:
                break
            before_step(self)
            self._core.advance(until, 1)
            made += 1
        return self._core.report

    def steps(self, until: float | None = None, every: float | None = None) -> Iterator[StepReport]:
        """The reports of all steps until the time given or the end; with ``every``, of one step in each such time (of all steps,
        where it is shorter).

            for report in course.steps(until=5.0, every=0.1):
                course.set_law("glass", "glass", friction=0.3)      # anything may be changed here
        """
        _check_until(until)
        if every is not None and not every > 0:
            raise ValueError(f"every is {every}; accepted: a number > 0")
        start = self.time
        while not self.over and (until is None or self.time < until - 0.5 * self._core.time_step):
            if every is None or every <= self._core.time_step:
                self._core.advance(until, 1)
            else:
                before, step = self._core.report.step, self._core.time_step
                goal = start + (math.floor((self.time - start + 0.5 * step) / every) + 1) * every
                self._core.advance(goal if until is None else min(goal, until))
                if self._core.report.step == before:  # the goal is half a step ahead
                    self._core.advance(until, 1)
            yield self._core.report

    @property
    def bodies(self) -> Bodies:
        """The bodies as arrays on the memory of the course."""
        return Bodies(self._core)

    @property
    def contacts(self) -> Contacts:
        """Those of the last step, complete in themselves, with what their laws remember."""
        return Contacts(self._core.frame(), self._core.law_state())

    def set_impulses(self, impulses: Any) -> None:
        """Gives every contact of :attr:`contacts`, in that order, the impulse that the next step begins with."""
        self._core.set_impulses(impulses)

    def set_contacts(self, pairs: Sequence[tuple[int, int]], normals: Any, impulses: Any) -> None:
        """The contacts of round bodies that the next step remembers, as if a step before had left them with these impulses on the
        first body of each pair; a wall w is ~w, and normals point to the first body. Pairs are in increasing order."""
        self._core.set_contacts(list(pairs), normals, impulses)

    def frame(self) -> Frame:
        """This instant, kept."""
        return Frame(self._core.frame())

    @property
    def cell(self) -> np.ndarray | None:
        """The vectors of the periodic cell as it is now, a row for each periodic direction; None without one."""
        return np.array(self._core.cell) if self._core.cell else None

    @property
    def time(self) -> float:
        """Simulated time reached."""
        return self._core.time

    @property
    def step_number(self) -> int:
        """Number of steps made since the start of the run."""
        return self._core.step_number

    @property
    def over(self) -> bool:
        """The last phase is over."""
        return self._core.over

    @property
    def phase(self) -> str:
        """Name of the present phase."""
        return self._core.phase

    @property
    def phase_number(self) -> int:
        """Number of the present phase in the scene, from 0."""
        return self._core.phase_number

    @property
    def hash(self) -> str:
        """128 bits over the whole state: the same as ``moreau info`` tells of a run that came as far."""
        return self._core.hash

    @property
    def report(self) -> StepReport:
        """Of the last step."""
        return self._core.report

    @property
    def totals(self) -> dict[str, Any]:
        """Over all steps: unconverged ones, worst residual, error and overlap, computing time."""
        return self._core.totals()

    @property
    def warnings(self) -> list[str]:
        """What was to be said so far, one sentence each; the last tells of steps that did not converge, if there were any."""
        said = list(self._core.warnings)
        if self.unconverged:
            said.append(f"{self.unconverged} of {self.step_number} steps did not converge; see report.certificate, and "
                        "raise solver.max_sweeps")
        return said

    @property
    def unconverged(self) -> int:
        """Steps so far that did not converge."""
        return self._core.unconverged

    @property
    def worst_penetration(self) -> float:
        """The deepest overlap of any step so far, over the diameter of the smaller grain."""
        return self._core.worst_penetration

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> Run:
        """Writes this instant as the folder of a run and returns it: to be drawn, viewed, measured, and resumed by the program.

        What was changed by hand (laws, gravity, targets of pistons) is no part of the scene: a resumed run does not know it.
        """
        from .run import open as open_run

        self._core.check_numbers()
        try:
            _core.save(self._core, Path(folder), force)
        except _core.StoreError as error:
            raise _core.StoreError(str(error).replace("--force", "force=True")) from None
        return open_run(folder)

    @property
    def gravity(self) -> tuple[float, ...]:
        """The acceleration at this time; may be set to a vector, or to a number for downwards."""
        return self._core.gravity

    @gravity.setter
    def gravity(self, value: float | Sequence[float]) -> None:
        """A vector, or, as in scenes, a number: downwards along the last axis."""
        if np.ndim(value) == 0:
            if not float(value) >= 0.0:  # type: ignore[arg-type]
                raise ValueError(f"gravity is {value}; accepted: a number >= 0, which points downwards, or a vector")
            value = [*[0.0] * (self._core.dimension - 1), -float(value)]  # type: ignore[arg-type]
        self._core.gravity = [float(x) for x in value]  # type: ignore[union-attr]

    @property
    def materials(self) -> list[str]:
        """Names of the materials, in the order of ``bodies.material``."""
        return self._core.materials()

    def law(self, a: str, b: str | None = None) -> dict[str, float]:
        """The coefficients between two materials."""
        return self._core.law(a, b or a)

    def set_law(self, a: str, b: str | None = None, **coefficients: float) -> None:
        """Changes coefficients between two materials from the next step on, until a phase sets others."""
        self._core.set_law(a, b or a, coefficients)

    @property
    def pistons(self) -> dict[str, dict[str, Any]]:
        """Control, target, mass, displacement and speed of every piston."""
        return self._core.pistons()

    def set_piston(self, name: str, target: float | None = None, *, velocity: float | None = None, force: float | None = None,
                   stress: float | None = None) -> None:
        """What is asked of a piston from the next step on, until a phase sets something else: another ``target`` of the kind it has, or
        a ``velocity``, a ``force`` or a ``stress``, whatever was asked before."""
        asked = [(kind, value) for kind, value in (("", target), ("velocity", velocity), ("force", force), ("stress", stress)) if value is not None]
        if len(asked) != 1:
            raise TypeError(f"{len(asked)} things are asked of piston {name!r}; accepted: one, as set_piston({name!r}, velocity=0.1)")
        kind, value = asked[0]
        self._core.set_piston(name, float(value), kind)

    def __repr__(self) -> str:
        return f"<Course at step {self.step_number}, time {self.time:.6g}: {len(self.bodies)} bodies>"
