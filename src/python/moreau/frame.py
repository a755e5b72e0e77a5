"""One instant of a course or a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core

STATUS = ("open", "stick", "slide")
KINDS = ("free", "fixed", "driven", "removed")
BODY_ARRAYS = ("position", "orientation", "velocity", "spin", "radius", "mass", "inertia", "shape", "material", "motion", "kind",
               "birth", "origin")


class Frame:
    """Bodies and contacts at one instant, complete in itself: it stays as it is when the course goes on. All arrays are
    read-only. ``position``, ``orientation`` (angle, or quaternion w, x, y, z), ``velocity``, ``spin``, ``radius``, ``mass``,
    ``inertia``, ``shape`` (-1: round), ``material``, ``motion``, ``kind`` (indices of ``moreau.frame.KINDS``), ``birth``, ``origin``.
    """

    def __init__(self, core: _core.Frame) -> None:
        self._core = core

    @property
    def time(self) -> float:
        """Simulated time of the frame."""
        return self._core.time

    @property
    def step(self) -> int:
        """Number of the step after which it was taken."""
        return self._core.step

    @property
    def phase(self) -> int:
        """Number of the phase in the scene, from 0."""
        return self._core.phase

    @property
    def cell(self) -> np.ndarray | None:
        """The vectors of the periodic cell at this instant, a row for each periodic direction; None without one."""
        return np.array(self._core.cell) if self._core.cell else None

    @property
    def contacts(self) -> Contacts:
        """The contacts of that step."""
        return Contacts(self._core)

    @property
    def wall_shift(self) -> dict[str, np.ndarray]:
        """Displacement of every wall since the start."""
        return dict(zip(self._core.wall_names, self._core.wall_shift))

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._core.body_array(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *BODY_ARRAYS]

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return repr(self._core)


class Contacts:
    """The contacts of a step, one row each.

    ``a``, ``b`` (a body, or wall w written as ~w, negative), ``point``, ``normal`` (towards a), ``gap``, ``impulse`` and ``force``
    (on a by b), ``relative_velocity``, ``status`` (indices of ``moreau.frame.STATUS``); in a periodic cell ``shift``;
    with laws beyond Coulomb's ``joint`` (0 none, 1 intact, 2 broken), with laws that resist rolling ``couple`` (on a by b, beside
    the moment of the force) and ``relative_spin``.
    Of a course also what laws remember, where they do: ``bonded``, ``spring`` and ``deepest`` (contacts that yield), ``feature``
    (which parts of blocks meet).
    """

    def __init__(self, core: _core.Frame, law_state: dict[str, np.ndarray] | None = None) -> None:
        self._arrays: dict[str, np.ndarray] = {**core.contact_arrays(), **(law_state or {})}

    @property
    def pair(self) -> np.ndarray:
        """(n, 2): a and b."""
        return np.stack([self._arrays["a"], self._arrays["b"]], axis=1)

    @property
    def normal_force(self) -> np.ndarray:
        """Component of ``force`` along ``normal``; positive: they push."""
        return np.einsum("ij,ij->i", self._arrays["force"], self._arrays["normal"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._arrays:
            raise AttributeError(f"contacts have no '{name}'; accepted: {', '.join(self._arrays)}, pair, normal_force")
        return self._arrays[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    def __len__(self) -> int:
        return len(self._arrays["a"])

    def __repr__(self) -> str:
        return f"<Contacts: {len(self)}>"
