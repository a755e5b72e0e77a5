"""Quantities, equilibrium, contact problems."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from .course import Course
from .frame import Frame
from .run import Run
from .run import open as open_run
from .scene import Scene
from .table import Table

Instant = Course | Frame | Run | str | os.PathLike[str]  # an instant of a course; of a run, or of that in a folder, the newest frame


def _instant(what: Any) -> Any:
    if isinstance(what, Course):
        what._core.check_numbers()
        return what._core.frame()
    if isinstance(what, Run):
        return what.frames[-1]._core
    if isinstance(what, Frame):
        return what._core
    if isinstance(what, (str, os.PathLike)):
        return _instant(open_run(what))
    raise TypeError(f"measured are a Course, a Frame, a Run or its folder, not {type(what).__name__}")


def measure(what: Instant, quantity: str, since: Instant | None = None, **options: Any) -> Table:
    """A quantity of ``moreau measure`` by its name, as a table.

    ``since`` is the earlier instant of quantities that compare two; of a run, or its folder, the first frame if none is given. Options are those of the program: ``region`` (a text or
    several), ``kinetic``, ``axis``, ``width``, ``classes``, ``sectors``, ``threshold``, ``strips``, ``born``, ``slice``,
    ``contacts``.
    """
    if isinstance(what, (str, os.PathLike)):
        what = open_run(what)
    if since is None and isinstance(what, Run) and _core.compares_two(quantity, what.scene.dimension):
        since = what.frames[0]
    return Table(_core.measure(_instant(what), quantity, None if since is None else _instant(since), **options))


def average(course: Course, quantity: str, over: float, **options: Any) -> tuple[Table, Table]:
    """Steps the course on for the simulated time ``over`` and measures after every step: mean and standard deviation.

    One reading of a stress between rigid bodies is noise; its mean over an interval is what an apparatus shows. Columns of text are
    as in the first step. All steps must give as many rows.
    """
    if not over > 0:
        raise ValueError(f"over is {over}; accepted: a number > 0")
    tables = [measure(course, quantity, **options) for _ in course.steps(until=course.time + over)]
    if not tables:
        raise ValueError("the course is over: there is no step to average")
    if len({table.rows for table in tables}) > 1:
        raise ValueError(f"{quantity} has not as many rows in every step; choose a region that does not depend on the sample")
    means, deviations = {}, {}
    for name, first in tables[0].items():
        if first.dtype.kind not in "if":
            means[name] = deviations[name] = first
            continue
        values = np.array([table[name] for table in tables], dtype=float)
        means[name], deviations[name] = values.mean(axis=0), values.std(axis=0)
    return Table(means), Table(deviations)


def quantities(dimension: int = 3) -> dict[str, str]:
    """Names of all quantities, and what each is."""
    return _core.quantities(dimension)


def equilibrium(what: Scene | Course | Run, tolerance: float = 1e-3) -> dict[str, Any]:
    """Is this position a possible equilibrium? One step from rest tells, and gives the contact forces.

    ``possible`` is None if that step did not converge. ``passes``: forces that balance are there, but only at corners of blocks that the
    motion passes which begins without them; such a position is not ``possible``.
    """
    if isinstance(what, Run):
        what = what.course(threads=1)
    if not isinstance(what, (Scene, Course)):
        raise TypeError(f"asked about are a Scene, a Course or a Run, not {type(what).__name__}")
    if isinstance(what, Course):
        what._core.check_numbers()
    return _core.equilibrium(what._core, tolerance)


def solve(problem: str | os.PathLike[str], solver: str = "auto", tolerance: float = 1e-8, max_time: float = 60.0,
          max_iterations: int = 0) -> dict[str, Any]:
    """Solves a frictional contact problem given as an FCLIB file; ``converged`` tells whether the tolerance was reached."""
    return _core.solve(Path(problem), solver, tolerance, max_time, max_iterations)


def gauss_seidel(delassus: Any, free: Any, friction: Any, dimension: int = 2, tolerance: float = 1e-12, max_sweeps: int = 10000,
                 start: Any = (), order: Any = ()) -> dict[str, Any]:
    """Nonlinear Gauss-Seidel on a small problem written out: w = free + delassus P with Coulomb's law at every contact, components
    contact by contact, normal first. Begins at ``start``, relaxes contacts in the ``order`` given, ends when no contact changes its
    velocity by more than ``tolerance`` in a sweep."""
    return _core.gauss_seidel(delassus, free, friction, dimension, tolerance, max_sweeps, np.asarray(start, dtype=float), list(order))


def solvers() -> dict[str, str]:
    """Names of the solvers, and what each is for."""
    return _core.solvers()
