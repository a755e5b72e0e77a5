"""Frictionless discs between two pairs of walls, as Combe's thesis (2001) has them: what several of its experiments share.

The contact operator is written here once more, in Python and by definition: what it gives is compared with what the program gives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..frame import Frame
from ..measure import measure
from ..program import call
from ..run import Run
from ..scene import Scene
from ..table import Table
from .laboratory import Laboratory
from .report import SHOWN, Row, compared, mean_of, measured

FEWEST = 3  # samples below which a mean gets no verdict
SMALLEST = 1024  # discs of a sample of the thesis; published numbers do not speak of smaller ones


def each(samples: Mapping[int, Iterable[int]], make: Callable[[int, int], Any]) -> list[Callable[[], Any]]:
    """Tasks for Laboratory.ahead: ``make(size, seed)`` of every sample, the largest first."""
    return [partial(make, n, seed) for n in sorted(samples, reverse=True) for seed in samples[n]]


def box(count: int) -> dict[str, Any]:
    """Settings for ``count`` = k² discs of diameter at most 1 on a square lattice that just fits."""
    half = 0.5 * round(count**0.5) + 0.05
    return {"grains.count": count, "wall.box": {"min": [-half, -half], "max": [half, half]}}


def compacted(lab: Laboratory, count: int, seed: int) -> Run:
    """One isotropic sample (combe-compaction/compaction.toml), exactly at rest under p = 1, mixed and pressed for less long if quick; in the folder of
    packings, which several experiments may share."""
    short = {"phase[mix].end.travelled": 1.0} if lab.quick else {}
    text = (lab.here.parent / "combe-compaction" / "compaction.toml").read_text()
    return lab.run(f"iso-{count}-{seed}", Scene(text, {"seed": seed, **box(count), **short}), shared=True)


def after(lab: Laboratory, name: str, start: Run, phases: str, settings: Mapping[str, Any] | None = None, shared: bool = False) -> Run:
    """The ``phases`` of another file of the experiments, from where ``start`` has come to: a compacted sample, or a run that began with one. The title
    names that state, so that a sample made anew is gone on with anew."""
    experiments = lab.here.parent
    text = "\n".join((experiments / f"{file}.toml").read_text() for file in ("combe-compaction/compacted", phases))
    bodies = start.summary["bodies"]
    title = f"after {start.path.name}, state {start.summary['state_hash']}"
    return lab.run(name, Scene(text, {**box(bodies), "title": title, **(settings or {})}), start=start, shared=shared)


def last_load(lab: Laboratory) -> float:
    """q at the end of the biaxial tests that experiments share."""
    return 0.2 if lab.quick else 0.05


def biaxial(lab: Laboratory, count: int, seed: int) -> Run:
    """A compacted sample loaded upright by the geometric quasi-static method, q from 0 to last_load at p = 1; shared."""
    return loaded(lab, f"biaxial-{count}-{seed}", compacted(lab, count, seed), 0.0, last_load(lab), shared=True)


def further(lab: Laboratory, count: int, seed: int, to: float) -> Run:
    """On from where the biaxial test has come to; shared."""
    return loaded(lab, f"further-{count}-{seed}", biaxial(lab, count, seed), last_load(lab), to, shared=True)


def loaded(lab: Laboratory, name: str, start: Run, q: float, to: float, shared: bool = False) -> Run:
    """The same from one q to another."""
    stress = {"times": [0.0, 1.0], "values": [1.0 + q, 1.0 + to]}
    return after(lab, name, start, "combe-biaxial-rigid/biaxial", {"phase[load].piston.stress": stress}, shared)


def statics(run: Run | Path, *options: str) -> dict[str, Any]:
    """What `moreau statics` finds."""
    return json.loads(call("statics", run.path if isinstance(run, Run) else run, *options, "--json"))


def against(quantity: str, published: float, values: Sequence[float], tolerance: float, count: int) -> Row:
    """A mean over samples of ``count`` discs against a published one: a verdict only for the sizes of the thesis, and from FEWEST samples
    on."""
    if count >= SMALLEST and len(values) >= FEWEST:
        return compared(quantity, published, values, tolerance)
    row = measured(quantity, values, f"{published:.6g}")
    row.rule = f"{len(values)} samples are too few for a verdict" if count >= SMALLEST else "smaller than those of the thesis: no verdict"
    return row


def unjudged(row: Row) -> Row:
    """The same without a verdict: samples smaller than those of the thesis, or too few values."""
    return replace(row, verdict=SHOWN, rule="smaller or fewer than in the thesis: no verdict")


@dataclass
class PackingList:
    """The contacts that carry in a frame: G (contacts x freedoms), two coordinates per disc and one per pair of walls."""

    G: Any  # scipy.sparse, contacts x freedoms: +n at a, -n at b, -1 at the pair of walls that the contact touches
    bodies: np.ndarray  # that carry, in the order of their columns
    a: np.ndarray
    b: np.ndarray  # negative: a wall
    normal: np.ndarray
    point: np.ndarray
    force: np.ndarray  # of the frame
    length: np.ndarray  # between the walls of either pair
    centre: np.ndarray
    position: np.ndarray  # of the bodies that carry

    @property
    def freedoms(self) -> int:
        return self.G.shape[1]

    @property
    def wall(self) -> np.ndarray:
        return self.b < 0

    def load(self, across: float, upright: float) -> np.ndarray:
        """F of the balance G^T f + F = 0: stress x length of the face, on both walls of a pair."""
        F = np.zeros(self.freedoms)
        F[-2:] = 2.0 * across * self.length[1], 2.0 * upright * self.length[0]
        return F

    def distance_to_walls(self) -> np.ndarray:
        """Of every contact point, from the nearest wall."""
        return (0.5 * self.length - np.abs(self.point - self.centre)).min(axis=1)


def opened(run: Run) -> Table:
    """Events of a quasi-static path at which a contact opened; not those by which a sample was first brought to an equilibrium."""
    events = run.events
    return events.only(np.asarray(events["opened_a"]) >= 0) if events.rows else events


def list_of(frame: Frame, touching: float | None = None) -> PackingList:
    """Contacts that carry; or all with a gap below ``touching``, whether they carry or not."""
    from scipy import sparse

    contacts = frame.contacts
    force = contacts.normal_force
    keep = force > 1e-6 * force[force > 0].mean() if touching is None else contacts.gap < touching
    a, b, n = contacts.a[keep], contacts.b[keep], contacts.normal[keep]
    bodies = np.unique(np.concatenate([a, b[b >= 0]]))
    column = {int(body): 2 * k for k, body in enumerate(bodies)}
    rows, columns, values = [], [], []
    for k in range(len(a)):
        entries = [(column[int(a[k])] + d, n[k, d]) for d in (0, 1)]
        if b[k] >= 0:
            entries += [(column[int(b[k])] + d, -n[k, d]) for d in (0, 1)]
        else:
            entries.append((2 * len(bodies) + int(abs(n[k, 1]) > 0.5), -1.0))
        for c, value in entries:
            rows.append(k)
            columns.append(c)
            values.append(value)
    lengths = measure(frame, "load")
    position = np.asarray(frame.position)[bodies]
    return PackingList(sparse.csr_matrix((values, (rows, columns)), (len(a), 2 * len(bodies) + 2)), bodies, a, b, n, contacts.point[keep],
                       force[keep], np.array([lengths["length_x"][0], lengths["length_y"][0]]), np.zeros(2), position)


@dataclass
class Isostatic:
    """Forces, supported range and motion at failure of a square list, by one sparse LU."""

    list: PackingList

    def __post_init__(self) -> None:
        from scipy.sparse.linalg import splu

        if self.list.G.shape[0] != self.list.G.shape[1]:
            raise ValueError(f"{self.list.G.shape[0]} contacts for {self.list.freedoms} freedoms: the list is not isostatic")
        self._lu = splu(self.list.G.T.tocsc())
        self.force = self._lu.solve(-self.list.load(1.0, 1.0))
        self.change = self._lu.solve(-self.list.load(0.0, 1.0))  # per unit of q

    def supported(self) -> tuple[float, float]:
        """q- and q+ (eq. 3.33, 3.34)."""
        with np.errstate(divide="ignore"):
            ratio = -self.force / self.change
        return float(ratio[self.change > 0].max()), float(ratio[self.change < 0].min())

    def failure(self, opened: int) -> np.ndarray:
        """Velocity with G v = 0 but for the contact that opens with speed 1 (eq. 3.36)."""
        one = np.zeros(len(self.force))
        one[opened] = 1.0
        return self._lu.solve(one, trans="T")

    def first_to_open(self) -> int:
        ratio = np.where(self.change < 0, -self.force / np.where(self.change < 0, self.change, 1.0), np.inf)
        return int(ratio.argmin())

    def fluctuation(self, opened: int) -> float:
        """Mean square of what the velocities of the discs differ from the strain rate of the walls (eq. 3.45)."""
        v = self.failure(opened)
        rate = -2.0 * v[-2:] / self.list.length  # walls move towards the sample with v
        return float(((v[:-2].reshape(-1, 2) - rate * (self.list.position - self.list.centre)) ** 2).sum(axis=1).mean())


def hill(values: Iterable[float], above: float) -> tuple[float, float, int]:
    """Exponent of a tail P(> x) ~ x^-mu above a threshold by maximum likelihood, its standard error, and how many values it rests on."""
    tail = np.array([x for x in values if x > above])
    if len(tail) < 2:
        return 0.0, 0.0, len(tail)
    mu = (len(tail) - 1) / np.log(tail / above).sum()
    return float(mu), float(mu / np.sqrt(len(tail))), len(tail)


def power(x: Sequence[float], y: Sequence[float], error: Sequence[float]) -> tuple[float, float]:
    """Exponent of y ~ x^p by weighted least squares of the logarithms, with its standard error; needs three points for one."""
    from scipy.optimize import curve_fit

    relative = np.asarray(error) / np.asarray(y)
    found, covariance = curve_fit(lambda t, p, c: p * t + c, np.log(x), np.log(y), sigma=relative, absolute_sigma=True)
    return float(found[0]), float(covariance[0, 0] ** 0.5)


def interval(groups: Mapping[int, Sequence[Any]], statistic: Callable[[Mapping[int, Sequence[Any]]], float], times: int = 400) -> tuple[float, float]:
    """The 95 % confidence interval of what ``statistic`` makes of samples of several sizes, by drawing samples of each size anew with replacement."""
    random = np.random.default_rng(1)
    drawn = [statistic({n: [group[k] for k in random.integers(len(group), size=len(group))] for n, group in groups.items()}) for _ in range(times)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def costs(lab: Laboratory, runs: Mapping[int, Iterable[Run]], what: str) -> list[Row]:
    """Rows of the CPU time that each run of a size took, as the laboratory noted it."""
    rows = []
    for count, of_size in runs.items():
        files = [run.path.parent / f"{run.path.name}.effort.json" for run in of_size]
        seconds = [json.loads(file.read_text())["cpu_seconds"] for file in files if file.exists()]
        if seconds:
            rows.append(measured(f"CPU seconds of a sample of {count} discs, {what}", seconds, "no CPU time is given"))
    return rows


def told(values: Sequence[float]) -> str:
    """Mean and standard error as text."""
    m = mean_of(values)
    return f"{m.mean:.4g} ± {m.error:.2g} ({m.count} samples)" if m.count > 1 else f"{m.mean:.4g} (1 sample)"
