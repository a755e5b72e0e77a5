"""The folder of a run."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core
from .course import Course
from .frame import Frame
from .scene import Scene
from .table import Table, demand_file

if TYPE_CHECKING:
    from .viewer import Viewer


class Frames(Sequence[Frame]):
    """The saved frames of a run, read when they are asked for; ``frames[-1]`` is the newest, also while the run goes on."""

    def __init__(self, core: _core.Run) -> None:
        self._core = core

    def __len__(self) -> int:
        return self._core.frame_count

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        count = len(self)
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(count))]
        if count == 0:
            raise IndexError(f"{self._core.path}: there is no frame yet")
        try:
            number = operator.index(number)
        except TypeError:
            raise TypeError(f"frames have numbers, from 0 to {count - 1}, and {number!r} is none; accepted: an integer or a slice") from None
        if not -count <= number < count:
            raise IndexError(f"frame {number} does not exist; the run holds frames 0 to {count - 1}")
        return Frame(self._core.frame(number % count))

    def __repr__(self) -> str:
        return f"<Frames: {len(self)} of {self._core.path}>"


class Measures(dict[str, Table]):
    """Tables by the names of their [[measure]] entries."""

    def __missing__(self, name: str) -> Table:
        raise KeyError(f"the run has no measure '{name}'; " + (f"it has {', '.join(self)}" if self else "its scene has none"))


class Run:
    """A run on the disk: ``moreau.open("pile-run")``."""

    def __init__(self, core: _core.Run) -> None:
        self._core = core
        self.frames = Frames(core)

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(self._core.path)

    def _file(self, name: str) -> Path:
        """A file of results, which belong to the scene that was run."""
        self._core.demand_unchanged()
        return self.path / name

    @property
    def scene(self) -> Scene:
        """The scene that was run, with all files it named."""
        self._core.demand_unchanged()
        return Scene._of(self._core.scene)

    @property
    def units(self) -> dict[str, str]:
        """What the scene calls its length, mass and time; empty if it does not."""
        import tomllib

        return dict(tomllib.loads(self.scene.text).get("units", {}))

    @property
    def series(self) -> Table:
        """series.csv: one row per sampled step."""
        return Table.read(self._file("series.csv"))

    @property
    def measures(self) -> dict[str, Table]:
        """What the [[measure]] entries have sampled, by name."""
        return Measures({file.stem: Table.read(file) for file in sorted(self._file("measures").glob("*.csv"))})

    @property
    def events(self) -> Table:
        """events.csv: one row per event of the quasi-static engine (docs/quasi-static.md); no rows if there were none."""
        file = self._file("events.csv")
        return Table.read(file) if file.exists() else Table({})

    @property
    def summary(self) -> dict[str, Any]:
        """summary.json; empty while the run goes on."""
        file = self._file("summary.json")
        demand_file(file)
        try:
            summary = json.loads(file.read_text()) if file.exists() else {}
            return dict(summary)
        except (ValueError, TypeError):
            raise _core.StoreError(f"{file}: is damaged; 'moreau resume {self.path}' writes it anew") from None

    def course(self, threads: int = 0, scene: Scene | None = None) -> Course:
        """Goes on from the newest checkpoint without touching the run; with another ``scene`` of the same bodies (a longer duration,
        another law) if one is given."""
        return Course._of(self._core.course(threads or os.cpu_count() or 1, scene._core if scene is not None else None),
                          self.scene if scene is None else scene)

    def view(self, other: Run | None = None, height: int = 640) -> Viewer:
        """The run in the browser (docs/view.md), beside another if one is given; in a notebook a frame in the cell.

            run.view()            # the last line of a cell
            run.view().open()     # in a script: a window of the browser
        """
        from .viewer import view

        return view(self, other, height)

    def export(self, file: str | os.PathLike[str], frames: int | None = None) -> Path:
        """One HTML file that shows the run without program, server or network."""
        from .viewer import export

        return export(self, file, frames)

    def to_xarray(self) -> Any:
        """All frames as an xarray.Dataset over time and body, with NaN for bodies that were not yet there. Its attributes hold the
        units that the scene names. ``run.series.to_xarray("time")`` are the series."""
        import xarray

        frames = list(self.frames)
        bodies = max((len(frame) for frame in frames), default=0)
        axes = list("xyz"[: self.scene.dimension])
        data: dict[str, Any] = {}
        for name in ("position", "velocity"):
            values = np.full((len(frames), bodies, len(axes)), np.nan)
            for k, frame in enumerate(frames):
                values[k, : len(frame)] = getattr(frame, name)
            data[name] = (("time", "body", "axis"), values)
        for name in ("spin", "orientation"):
            first = np.asarray(getattr(frames[0], name)) if frames else np.empty(0)
            values = np.full((len(frames), bodies, *first.shape[1:]), np.nan)
            for k, frame in enumerate(frames):
                values[k, : len(frame)] = getattr(frame, name)
            inner = {"spin": "axis", "orientation": "component"}[name]
            data[name] = (("time", "body") if first.ndim < 2 else ("time", "body", inner), values)
        for name in ("radius", "mass", "birth"):
            data[name] = ("body", np.asarray(getattr(frames[-1], name)) if frames else np.empty(0))
        return xarray.Dataset(data, coords={"time": [frame.time for frame in frames], "axis": axes},
                              attrs={"title": self.scene.title, "run": str(self.path),
                                     **{f"unit_of_{what}": name for what, name in self.units.items()}})

    def __repr__(self) -> str:
        return f"<Run {self.path}: {len(self.frames)} frames>"


def open(path: str | os.PathLike[str]) -> Run:
    """The run in a folder."""
    if (Path(path) / "sweep.json").exists():
        raise _core.StoreError(f"{path}: is the folder of a sweep, not of a run; open it by mo.Sweep({str(path)!r}), one of its runs by "
                               "mo.open of a folder in its runs/")
    return Run(_core.open(Path(path)))
