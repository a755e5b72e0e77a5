"""Profiles across a flow, and the slope of its free surface: averages over bodies and instants."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from .course import Course
from .frame import Frame
from .measure import Instant, measure
from .run import Run
from .run import open as open_run
from .table import Table


_FULLEST = 1e30  # solid fraction of a cell: a body counts in the one that holds its centre


def profile(what: Instant | Iterable[Frame], along: str = "y", width: float | None = None) -> Table:
    """Bodies, solid fraction (of cells that are not empty), velocity and granular temperature within cells, over slabs across the axis
    ``along``, from the quantity ``fields``.

    ``width`` is that of the slabs (default: two mean diameters). Of several frames the means over them, with the standard error
    between them in columns ``..._error`` (frames are taken as independent: choose them apart). Places are folded into a periodic cell.

        mo.profile(run.frames[20:], along="z", width=0.01)
    """
    instants: list[Instant] = [what] if isinstance(what, (Course, Frame, Run, str, os.PathLike)) else list(what)
    if not instants:
        raise ValueError("there is no frame to take a profile of")
    options: dict[str, Any] = {} if width is None else {"width": float(width)}
    fields = [measure(one, "fields", **options) for one in instants]
    for cells in fields:
        if not (cells["solid_fraction"] < _FULLEST).all():
            raise ValueError(f"width is {width}, and of cells so narrow the volume is lost to rounding; accepted: about the size of a body, or more")
    tables = [_slabs(cells, along) for cells in fields]
    places = np.unique(np.round(np.concatenate([table["place"] for table in tables]), 9))
    names = [name for name in tables[0] if name != "place"]
    columns: dict[str, np.ndarray] = {along: places}
    for name in names:
        values = np.full((len(tables), len(places)), np.nan)
        for k, table in enumerate(tables):
            values[k, np.searchsorted(places, np.round(table["place"], 9))] = table[name]
        count = np.isfinite(values).sum(axis=0)
        columns[name] = np.nanmean(values, axis=0)
        if len(tables) > 1:
            with np.errstate(all="ignore"):
                deviation = np.sqrt(np.nansum((values - columns[name]) ** 2, axis=0) / (count - 1))
                columns[f"{name}_error"] = np.where(count > 1, deviation / np.sqrt(count), np.nan)
    return Table(columns)


def _slabs(fields: Table, along: str) -> dict[str, np.ndarray]:
    if f"centre_{along}" not in fields:
        raise ValueError(f"along is '{along}'; accepted: {', '.join(axis for axis in 'xyz' if f'centre_{axis}' in fields)}")
    centre = np.round(fields[f"centre_{along}"], 9)
    places = np.unique(centre)
    at = np.searchsorted(places, centre)
    solid = np.bincount(at, fields["solid_fraction"], len(places))  # cells are of one size: their share of the matter
    result: dict[str, np.ndarray] = {"place": places, "bodies": np.bincount(at, fields["bodies"], len(places)),
                                     "solid_fraction": solid / np.bincount(at, minlength=len(places))}
    for name in fields:
        if name.startswith("velocity_") or name == "temperature":
            result[name] = np.bincount(at, fields[name] * fields["solid_fraction"], len(places)) / solid
    return result


def surface_slope(what: Instant, across: str = "x", width: float | None = None, share: float = 0.6) -> tuple[float, float]:
    """Angle of the free surface above the horizontal along the axis ``across`` [degrees], and the standard error of the fit.

    The surface is the top of the bodies that carry a force in columns of ``width`` (default: two mean diameters), so that grains in
    flight do not count; the line is fitted to the middle ``share`` of the columns, away from walls. For drums and channels; heaps have
    the quantity ``slope``.
    """
    if isinstance(what, (str, os.PathLike)):
        what = open_run(what)
    if not isinstance(what, (Course, Frame, Run)):
        raise TypeError(f"the slope is that of a Course, a Frame, a Run or its folder, not of {type(what).__name__}")
    frame = what if isinstance(what, Frame) else what.frames[-1] if isinstance(what, Run) else what.frame()
    contacts, free = frame.contacts, np.asarray(frame.kind) == 0
    carrying = np.zeros(len(frame), dtype=bool)
    pushed = contacts.normal_force > 0
    for side in (contacts.a, contacts.b):
        carrying[side[pushed & (side >= 0)]] = True
    chosen = free & carrying
    position, radius = np.asarray(frame.position)[chosen], np.asarray(frame.radius)[chosen]
    if not chosen.any():
        raise ValueError("no body carries a force: there is no surface")
    if across not in "xyz"[: position.shape[1] - 1]:
        raise ValueError(f"across is '{across}'; accepted: {', '.join('xyz'[: position.shape[1] - 1])}")
    return fitted_slope(position[:, "xyz".index(across)], position[:, -1] + radius, 4 * radius.mean() if width is None else width, share)


def fitted_slope(x: Any, top: Any, width: float, share: float = 0.6) -> tuple[float, float]:
    """Of the highest ``top`` in each column of x."""
    x, top = np.asarray(x, dtype=float), np.asarray(top, dtype=float)
    column = np.floor((x - x.min()) / width).astype(int)
    highest = np.array([(x[k], top[k]) for c in np.unique(column) for k in [np.flatnonzero(column == c)[np.argmax(top[column == c])]]])
    cut = int(round(0.5 * (1 - share) * len(highest)))
    highest = highest[cut: len(highest) - cut]
    if len(highest) < 3:
        raise ValueError(f"the surface has {len(highest)} columns of width {width:g} in its middle; a slope needs three")
    line, covariance = np.polyfit(highest[:, 0], highest[:, 1], 1, cov="unscaled")
    scatter = np.sqrt(np.sum((highest[:, 1] - np.polyval(line, highest[:, 0])) ** 2) / max(1, len(highest) - 2))
    return float(np.degrees(np.arctan(line[0]))), float(np.degrees(np.sqrt(covariance[0, 0]) * scatter / (1 + line[0] ** 2)))
