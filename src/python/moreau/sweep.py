"""Many runs of one scene."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from . import toml_text
from ._core import StoreError
from .ensemble import Ensemble
from .program import DoubtfulRun, call, path_argument
from .run import Run
from .run import open as open_run
from .table import Table


class Sweep:
    """A folder of runs, with a table of what each is and what became of it. ``moreau.Sweep("pile-sweep")`` opens one."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        file = self.path / "sweep.json"
        if not file.exists():
            raise StoreError(f"{self.path}: is not the folder of a sweep (sweep.json is expected in it)"
                             + ("; it is a run: mo.open" if (self.path / "scene.toml").exists() else ""))
        try:
            plan = json.loads(file.read_text())
            self.keys: dict[str, list[str]] = {entry["key"]: entry["values"] for entry in plan["keys"]}
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"{file}: is damaged ({error}); it is written by moreau sweep and needed as it was") from None

    @property
    def table(self) -> Table:
        """One row per run: its values, its status (finished, stopped by ``until``, failed, interrupted, waiting), the values asked for, and why."""
        file = self.path / "table.csv"
        if not file.exists():
            raise StoreError(f"{self.path}: has no table.csv, which moreau sweep writes before its first run; it has not begun, or was cut off")
        return Table.read(file)

    @property
    def failures(self) -> dict[str, str]:
        """Runs that failed, and why."""
        table = self.table
        return {f"{int(run):04d}": str(why) for run, status, why in zip(table["run"], table["status"], table["reason"])
                if status == "failed"}

    def tell_doubts(self) -> None:
        """Says, as a Python warning, how many finished runs have warnings or steps that did not converge."""
        table = self.table
        whole = [row for row in range(table.rows) if table["status"][row] in ("finished", "stopped")]
        unconverged = sum(table["unconverged_steps"][row] > 0 for row in whole)
        warned = sum(table["warnings"][row] > 0 for row in whole)
        if unconverged or warned:
            warnings.warn(f"{self.path}: of {len(whole)} runs that have ended {unconverged} have steps that did not converge and {warned} "
                          "have warnings; see the columns unconverged_steps, worst_penetration and warnings of the table",
                          DoubtfulRun, stacklevel=3)

    def _counted(self) -> list[int]:
        """Rows of the runs that end alike: the finished ones, or, where none is, those that ``until`` has stopped last of all."""
        table = self.table
        finished = [row for row in range(table.rows) if table["status"][row] == "finished"]
        stopped = [row for row in range(table.rows) if table["status"][row] == "stopped"]
        if finished or not stopped:
            return finished
        last = max(table["time"][row] for row in stopped)
        return [row for row in stopped if table["time"][row] * (1 + 1 / max(table["step"][row], 1)) > last]  # to a step

    def runs(self, **values: Any) -> Iterator[tuple[dict[str, Any], Run]]:
        """The finished runs and the values of each; ``runs(friction=0.3)`` only those. A key is named by its last word. If no run is
        finished, those that ``until`` has stopped, as far as they were stopped at one time."""
        table = self.table
        for row in self._counted():
            given = {key: table[key][row] for key in self.keys}
            short = {**given, **{key.split(".")[-1]: value for key, value in given.items()}}
            unknown = [name for name in values if name not in short]
            if unknown:
                raise KeyError(f"the sweep has no key '{unknown[0]}'; accepted: {', '.join(short)}")
            if all(short[name] == value for name, value in values.items()):
                yield given, open_run(self.path / "runs" / f"{int(table['run'][row]):04d}")

    def ensembles(self, chance: Iterable[str] = ("seed",)) -> list[tuple[dict[str, Any], Ensemble]]:
        """The runs (as of ``runs``) that differ by the keys of ``chance`` alone, together, with the values that they share, in the order of
        these where they are numbers (runs that were added later come last in the folder):

            for values, runs in sweep.ensembles():
                print(values, runs.mean(lambda run: run.series["contacts"][-1]))
        """
        groups: dict[tuple[Any, ...], tuple[dict[str, Any], list[Run]]] = {}
        for values, run in self.runs():
            shared = {key: value for key, value in values.items() if key not in chance and key.split(".")[-1] not in chance}
            groups.setdefault(tuple(shared.values()), (shared, []))[1].append(run)
        found = [(shared, Ensemble(runs)) for shared, runs in groups.values()]
        for key in reversed(list(found[0][0]) if found else []):
            if all(isinstance(shared[key], (int, float)) for shared, _ in found):
                found.sort(key=lambda entry: entry[0][key])
        return found

    def __len__(self) -> int:
        return self.table.rows

    def __repr__(self) -> str:
        return f"<Sweep {self.path}: {len(self)} runs over {', '.join(self.keys)}>"


def sweep(scene: str | os.PathLike[str], settings: Mapping[str, Iterable[Any]] | None = None, *,
          seeds: Iterable[int] | None = None, jobs: int = 1, threads: int = 1, until: float | None = None,
          folder: str | os.PathLike[str] | None = None, values: Mapping[str, str] | None = None, data: str | None = None,
          only: str | None = None, force: bool = False, quiet: bool = True) -> Sweep:
    """Runs every combination of values for every seed, as ``moreau sweep`` does; calling it again goes on where it was left, and
    with further values or seeds adds their runs. ``force`` replaces a sweep of another scene or of other keys in the folder.

    ``values`` are columns of the table, of the rows of ``data`` (default series.csv) that ``only`` keeps; ``quiet=False`` lets the
    program print what becomes of each run.

        mo.sweep("biaxial.toml", {"law.friction": [0.1, 0.3]}, seeds=range(1, 5), jobs=2, values={"peak": "max(deviator)"},
                 data="measures/load.csv")
    """
    out = Path(folder) if folder is not None else Path(Path(scene).stem + "-sweep")
    arguments: list[object] = [path_argument(scene), "--out", path_argument(out), "--jobs", jobs, "--threads", threads]
    for key, several in toml_text.mapping(settings, "settings", '{"law.friction": [0.1, 0.3]}').items():
        listed = [several] if isinstance(several, (str, int, float, bool)) else list(several)
        arguments += ["--set", f"{key}={','.join(toml_text.literal(value) for value in listed)}"]
    if seeds is not None:
        arguments += ["--seeds", ",".join(str(int(seed)) for seed in seeds)]
    if until is not None:
        arguments += ["--until", repr(float(until))]
    for name, formula in toml_text.mapping(values, "values", '{"peak": "max(deviator)"}').items():
        arguments += ["--value", f"{name}={formula}"]
    if data is not None:
        arguments += ["--data", data]
    if only is not None:
        arguments += ["--only", only]
    if force:
        arguments += ["--force"]
    call("sweep", *arguments, quiet=quiet)
    done = Sweep(out)
    if quiet:
        done.tell_doubts()
    return done
