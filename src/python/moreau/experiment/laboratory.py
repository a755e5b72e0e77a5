"""Where an experiment works: its folder, its runs and pieces (kept, resumable), its figures, how much it may take on.

    DIR/index.html       the page
    DIR/results.json     the table as numbers
    DIR/figures/         the figures of the page
    DIR/runs/NAME/       run folders as `moreau run` makes them; one that is finished is used again, one that is not is resumed
                         (those that several experiments share are in the folder of --packings, if one is given)
    DIR/pieces/NAME.json what was computed otherwise, kept with what it was computed from

Several processes may work in the same folders: one that wants a run or a piece that another is making waits for it.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from ..course import Course
from ..program import call, version
from ..run import Run
from ..run import open as open_run
from ..scene import Scene, load
from .page import Quality
from .report import Figure, Section, not_run


class Effort(NamedTuple):
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class Stopwatch:
    """Time and CPU time of this program and of those it started, since it was made."""

    def __init__(self) -> None:
        self._start = self._now()

    def read(self) -> Effort:
        return Effort(*(now - then for now, then in zip(self._now(), self._start)))

    @staticmethod
    def _now() -> tuple[float, float]:
        own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic(), own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _write_whole(file: Path, text: str) -> None:
    """Who reads the file finds the text of before or this one, also if the writer is interrupted."""
    whole = file.with_suffix(".new")
    whole.write_text(text)
    whole.rename(file)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Only one process at a time makes what is at the path; the others wait. The lock of one that was killed is gone with it."""
    file = path.parent / f"{path.name}.lock"

    def is_file(lock: TextIO) -> bool:  # or else the one that had it before has removed the file, and another process may have made it anew
        try:
            return os.path.samestat(os.fstat(lock.fileno()), file.stat())
        except FileNotFoundError:
            return False

    while True:
        try:
            with open(file, "a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if is_file(lock):
                    yield
                    return
        finally:  # also after an interruption, which may come as the file has just been made
            with suppress(FileNotFoundError, BlockingIOError), open(file) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # or else another process has it, and removes it
                if is_file(lock):
                    file.unlink()


def _holds(path: Path, scene: Scene) -> bool:
    """Whether the folder has a run of the very same scene."""
    file = path / "scene.toml"
    return file.exists() and file.read_text() == scene.text


def _finished(path: Path, scene: Scene) -> bool:
    return _holds(path, scene) and bool(open_run(path).summary.get("complete"))


class Laboratory:
    """``quick``: the reduced form. ``here``: the folder of the script and its scenes."""

    def __init__(self, here: Path, folder: Path, quick: bool, threads: int | str, most_samples: int | Mapping[int, int] | None = None,
                 largest: int | None = None, packings: Path | None = None,
                 left_out: Sequence[str] = (), jobs: int = 1) -> None:
        self.jobs = jobs
        self.has_worked_ahead = False
        self._beside_others = False
        self._left_out = set(left_out)
        self._packings = packings or folder / "runs"
        self.here, self.folder, self.quick, self.threads = here, folder, quick, threads
        self._most_samples, self._largest = most_samples, largest
        self.quality = Quality()
        self._spent: dict[Path, Effort] = {}  # on runs and pieces, each by its file, earlier calls included; used twice, it counts once
        self._judged: set[tuple[Path, str]] = set()  # runs, by folder and scene, whose steps are in the quality
        self._watch = Stopwatch()  # of this call
        self._inside = Effort()  # what of this call went into runs and pieces
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def effort(self) -> Effort:
        """Of all that enters the page: runs and pieces, whenever they were made, and the rest of this call."""
        now = self._watch.read()
        return Effort(*(sum(spent) + all_ - inside for spent, all_, inside in zip(zip(Effort(), *self._spent.values()), now, self._inside)))

    @contextmanager
    def _counting(self, file: Path) -> Iterator[None]:
        """Adds what the body takes to what the file says, also if it is interrupted."""
        before = Effort(**json.loads(file.read_text())) if file.exists() else Effort()
        watch = Stopwatch()
        try:
            yield
        finally:
            took = watch.read()
            total = Effort(*(a + b for a, b in zip(before, took)))
            _write_whole(file, json.dumps(total._asdict()) + "\n")
            self._spent[file] = total
            self._inside = Effort(*(a + b for a, b in zip(self._inside, took)))

    def _count_kept(self, file: Path) -> None:
        """What was spent on it when it was made."""
        if file.exists():
            self._spent[file] = Effort(**json.loads(file.read_text()))

    def tell(self, line: str) -> None:
        """A line for who watches."""
        print(line, flush=True)

    def scene(self, name: str, settings: Mapping[str, Any] | None = None) -> Scene:
        """NAME.toml beside the script, with some keys set."""
        return load(self.here / f"{name}.toml", settings)

    def run(self, name: str, scene: Scene, *, start: Run | None = None, shared: bool = False) -> Run:
        """Carries the scene to its end in runs/NAME, or in the folder of packings if it is ``shared``, beginning where ``start`` has come to if one is
        given. A run there of the very same scene is resumed, or only opened if it is finished; one of another scene is replaced."""
        path = (self._packings if shared else self.folder / "runs") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        effort = path.parent / f"{name}.effort.json"
        if not _finished(path, scene):
            with _alone(path):
                if not _finished(path, scene):  # another process may just have made it
                    with self._counting(effort):
                        self._carry(name, path, scene, start)
                else:
                    self._count_kept(effort)
        else:
            self._count_kept(effort)
        run = open_run(path)
        if (path, scene.text) not in self._judged:  # experiments come to the same packing more than once
            self._judged.add((path, scene.text))
            summary = run.summary
            self.quality.add(name, summary["step"], summary["run"], [warning["sentence"] for warning in summary["warnings"]])
        return run

    def _carry(self, name: str, path: Path, scene: Scene, start: Run | None) -> None:
        quiet = self._beside_others or not sys.stdout.isatty()
        if not _holds(path, scene):
            self.tell(f"run {name}")
            file = path.parent / f"{name}.toml"
            file.write_text(scene.text)
            begin = ("--from", start.path) if start else ()
            call("run", file, "--out", path, "--threads", self.threads, "--force", *begin, quiet=quiet)
            file.unlink()
        else:
            self.tell(f"run {name}, from where it was left")
            call("resume", path, "--threads", self.threads, quiet=quiet)

    def samples(self, planned: Mapping[int, int], cheap: bool = False) -> dict[int, range]:
        """Seeds of the samples of each size (number of bodies), as many as planned or as --samples and --largest leave; --samples does not limit what is ``cheap``."""
        most = None if cheap else self._most_samples
        kept = {size: min(count, (most.get(size) if isinstance(most, Mapping) else most) or count) for size, count in planned.items()
                if self._largest is None or size <= self._largest}
        return {size: range(1, count + 1) for size, count in kept.items() if count > 0}

    def takes(self, item: str) -> bool:
        """Whether it was not left out by --without."""
        return item not in self._left_out

    def section(self, item: str, title: str, compute: Callable[[], Section]) -> Section:
        """A section of the report, unless its item was left out by --without: then it says so."""
        return compute() if self.takes(item) else Section(title, rows=[not_run(title, "see the source", f"left out by --without {item}")])

    def count(self, name: str, course: Course, steps: int) -> None:
        """Steps of a course that enter the results."""
        self.quality.add(name, steps, course.totals, course.warnings)

    def piece(self, name: str, compute: Callable[[], Any], **what: Any) -> Any:
        """The value of ``compute()``, made of numbers, texts, lists and dictionaries; kept in pieces/NAME.json, and taken from
        there if it was computed from the same ``what`` by the same program."""
        file = self.folder / "pieces" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        made_from = json.loads(json.dumps({**what, "program": version()}, default=_plain))
        effort = file.with_suffix(".effort.json")

        def kept() -> dict[str, Any] | None:
            found = json.loads(file.read_text()) if file.exists() else None
            return found if found and found["made_from"] == made_from else None

        if not (found := kept()):
            with _alone(file):
                if not (found := kept()):  # another process may just have made it
                    with self._counting(effort):
                        value = json.loads(json.dumps(compute(), default=_plain))
                        _write_whole(file, json.dumps({"made_from": made_from, "value": value}) + "\n")
                        return value
        self._count_kept(effort)
        return found["value"]

    def ahead(self, tasks: Sequence[Callable[[], Any]]) -> None:
        """Has the tasks, the longest first, carried out by --jobs processes before the experiment comes to them. Of a task only the runs and pieces are kept that it
        makes; the experiment then finds them, in its own order, so that nothing depends on the number of processes. One that fails is met there again, and told."""
        self.has_worked_ahead = True
        if self.jobs < 2:
            return
        context, watch, parent = multiprocessing.get_context("fork"), Stopwatch(), os.getpid()
        following: Any = context.Value("l", 0)

        def work() -> None:
            self._beside_others = True
            if self.threads == "auto":
                self.threads = max(1, (os.cpu_count() or 1) // self.jobs)
            try:
                while os.getppid() == parent:
                    with following.get_lock():
                        k, following.value = following.value, following.value + 1
                    if k >= len(tasks):
                        return
                    with suppress(Exception):
                        tasks[k]()
            except KeyboardInterrupt:
                return

        workers = [context.Process(target=work) for _ in range(min(self.jobs, len(tasks)))]
        try:
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        except KeyboardInterrupt as stop:
            for worker in workers:
                if type(stop) is not KeyboardInterrupt and worker.is_alive():  # Ctrl-C reaches them too
                    worker.terminate()
            for worker in workers:
                if worker.pid:
                    worker.join()  # each keeps what it has
            raise
        finally:
            self._inside = Effort(*(a + b for a, b in zip(self._inside, watch.read())))

    def figure(self, name: str) -> Path:
        """Path of a new figure."""
        (self.folder / "figures").mkdir(exist_ok=True)
        return self.folder / "figures" / name

    @contextmanager
    def axes(self, section: Section, name: str, caption: str, *, shape: float = 0.55, width: float = 7.5, **labels: Any) -> Iterator[Any]:
        """Axes of matplotlib; the figure becomes one of the section. Labels as of ``Axes.set``: title, xlabel, ylabel, xscale ..."""
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        with plt.rc_context({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "moreau",
                             "legend.frameon": False}):
            figure, axes = plt.subplots(figsize=(width, shape * width), layout="constrained")
            axes.set(**labels)
            yield axes
            if axes.get_legend_handles_labels()[0]:
                axes.legend()
            file = self.figure(name)
            figure.savefig(file, dpi=120, metadata={"Date": None} if file.suffix == ".svg" else None)
            plt.close(figure)
        section.figures.append(Figure(file, caption))


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a piece is made of numbers, texts, lists and dictionaries, not of {type(value).__name__}")
