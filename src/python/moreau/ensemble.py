"""What several runs say together: means with standard errors, pooled histograms, tests of Kolmogorov and Smirnov."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .program import DoubtfulRun


class Mean(NamedTuple):
    """Mean over runs, and its standard error s / sqrt(n); n counts the runs. The error of a single run is NaN."""

    value: Any
    error: Any
    count: int  # type: ignore[assignment]


class Histogram(NamedTuple):
    """Pooled: ``density`` has the integral 1, ``error`` is the standard error over the runs."""

    edges: np.ndarray
    density: np.ndarray
    error: np.ndarray


class Ensemble:
    """Runs that differ by their seed alone (or whatever else is taken as chance).

        runs = mo.Ensemble(run for _, run in sweep.runs(friction=0.3))
        runs.mean(lambda run: run.measures["load"]["deviator"].max())
        strain, mean, error = runs.curve(lambda run: (x(run), y(run)), np.linspace(0, 0.1, 50))
    """

    def __init__(self, runs: Iterable[Any]) -> None:
        self.runs = _distinct(list(runs))
        if not self.runs:
            raise ValueError("an ensemble needs at least one run")

    def mean(self, value: Callable[[Any], Any]) -> Mean:
        """Of a number, or an array of the same shape for every run."""
        return _mean(np.array([value(run) for run in self.runs], dtype=float))

    def curve(self, points: Callable[[Any], tuple[Any, Any]], x: Sequence[float],
              smooth: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mean curve: ``points(run)`` gives two lists, x (increasing) and y, of each run; they are read linearly at the places ``x``, NaN
        outside what a run reached. Where several points of a run have the same x, the curve jumps there from the y of the first to that
        of the last, and is their mean at that x itself.
        ``smooth``: before, each point becomes the mean of the points of its run within this width of x about it."""
        if not callable(points) or callable(x):
            raise TypeError("curve takes first a function of a run that gives its points, (x, y), then the places x at which they are read: "
                            "runs.curve(lambda run: (run.series.time, run.series.kinetic), np.linspace(0, 1, 50))")
        places = np.asarray(x, dtype=float)
        curves = []
        for run in self.runs:
            one, two = (np.asarray(values, dtype=float) for values in points(run))
            if one.shape != two.shape or one.ndim != 1 or len(one) == 0:
                raise ValueError("a curve is two lists of numbers of the same length")
            if (back := np.flatnonzero(np.diff(one) < 0)).size:
                raise ValueError(f"the first list of a curve must increase; that of {getattr(run, 'path', run)} goes from {one[back[0]]:g} back to "
                                 f"{one[back[0] + 1]:g} after its point {back[0] + 1}")
            if smooth > 0:
                two = _smoothed(one, two, smooth)
            curves.append(_read(places, one, two))
        mean = _mean(np.array(curves))
        return places, mean.value, mean.error

    def pooled(self, values: Callable[[Any], Any]) -> np.ndarray:
        """The values of all runs in one array."""
        return np.concatenate([np.ravel(np.asarray(values(run), dtype=float)) for run in self.runs])

    def histogram(self, values: Callable[[Any], Any], bins: Any = 40) -> Histogram:
        """Of the pooled values, normed; the error from how the runs differ."""
        edges = np.histogram_bin_edges(self.pooled(values), bins)
        density, _ = np.histogram(self.pooled(values), edges, density=True)
        each = np.array([np.histogram(np.asarray(values(run), dtype=float), edges, density=True)[0] for run in self.runs])
        return Histogram(edges, density, _mean(each).error)

    def __len__(self) -> int:
        return len(self.runs)


def _distinct(runs: list[Any]) -> list[Any]:
    """Without those that are there already: the same folder, or another one whose run has come to the same state by the same steps (a
    copy, or a scene in which nothing depends on its seed). They would count as samples, and make the standard errors too small."""
    kept: list[Any] = []
    known: dict[Any, Any] = {}
    for run in runs:
        names = _identities(run)
        first = next((known[name] for name in names if name in known), None)
        if first is None:
            kept.append(run)
            known.update(dict.fromkeys(names, run))
        else:
            same = run.path.resolve() == first.path.resolve()
            warnings.warn(f"{run.path} " + (f"is named twice (as {first.path})" if same else f"has come to the same state as {first.path}")
                          + ": it is counted once", DoubtfulRun, stacklevel=4)
    return kept


def _identities(run: Any) -> list[Any]:
    path = getattr(run, "path", None)
    if path is None:
        return []  # any other object: what it is, the caller knows
    summary = run.summary
    end = tuple(summary.get(name) for name in ("state_hash", "step", "time", "dissipated"))
    return [path.resolve(), *([end] if end[0] is not None else [])]


def _read(places: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    values = np.interp(places, x, y, left=np.nan, right=np.nan)
    first, last = np.searchsorted(x, places, "left"), np.searchsorted(x, places, "right")
    for k in np.flatnonzero(last - first > 1):
        values[k] = y[first[k]:last[k]].mean()
    return np.asarray(values)


def _smoothed(x: np.ndarray, y: np.ndarray, width: float) -> np.ndarray:
    """Mean over the window x - w .. x + w; w is half the width, less near the ends, so that the window stays symmetric."""
    half = np.minimum(0.5 * width, np.minimum(x - x[0], x[-1] - x)) * (1 + 1e-12)
    first, last = np.searchsorted(x, x - half, "left"), np.searchsorted(x, x + half, "right")
    total = np.concatenate([[0.0], np.cumsum(y)])
    return (total[last] - total[first]) / (last - first)


def _mean(values: np.ndarray) -> Mean:
    count = len(values)
    error = values.std(axis=0, ddof=1) / np.sqrt(count) if count > 1 else np.full(values.shape[1:], np.nan)
    value = values.mean(axis=0)
    return Mean(float(value), float(error), count) if value.ndim == 0 else Mean(value, error, count)


def ks_test(values: Any, other: Any) -> Any:
    """Kolmogorov and Smirnov, by scipy: two samples, or one against a distribution function (a callable, or the name of one of
    scipy.stats). The result has ``statistic`` and ``pvalue``."""
    from scipy import stats

    one = _sample(values, "the first sample")
    if callable(other) or isinstance(other, str):
        return stats.kstest(one, other)
    return stats.ks_2samp(one, _sample(other, "the other sample"))


def _sample(values: Any, name: str) -> np.ndarray:
    sample = np.ravel(np.asarray(values, dtype=float))
    if len(sample) == 0 or np.isnan(sample).any():
        missing = int(np.isnan(sample).sum())
        raise ValueError(f"{name} has {len(sample)} values, {missing} of which {'is' if missing == 1 else 'are'} not a number; "
                         "accepted: one number or more, as values[np.isfinite(values)]")
    return sample
