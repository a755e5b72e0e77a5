"""The program `moreau`, for what belongs to it: runs with their folders, pictures, sweeps."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import toml_text
from .course import Course
from .run import Run
from .run import open as open_run
from .scene import Scene


class DoubtfulRun(UserWarning):
    """A run has warnings, or steps that did not converge, or would be counted twice in an ensemble."""


class ProgramError(RuntimeError):
    """The program refused or failed; the message is its sentence, ``status`` its exit status (130: interrupted)."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def executable() -> str:
    """The program beside this module: $MOREAU, in the build folder, in the same prefix, or in the PATH."""
    if given := os.environ.get("MOREAU"):
        return given
    package = Path(__file__).parent.absolute()
    for place in (package.parents[1] / "moreau", *(parent / "bin" / "moreau" for parent in package.parents[2:6])):
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    if found := shutil.which("moreau"):
        return found
    raise ProgramError("the program moreau was not found; put it into the PATH, or its path into the variable MOREAU", 127)


def call(*arguments: object, quiet: bool = True) -> str:
    """Runs a command of the program and returns what it printed."""
    process = subprocess.Popen([executable(), *map(str, arguments)], text=True, stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE if quiet else None)
    try:
        output, errors = process.communicate()
    except KeyboardInterrupt as stop:
        # Ctrl-C reaches it too, a signal to this program alone does not; that it is told twice at once does no harm.
        process.send_signal(signal.SIGINT if type(stop) is KeyboardInterrupt else signal.SIGTERM)
        process.communicate()  # it writes what it has
        raise
    if process.returncode != 0:
        sentence = errors.strip().removeprefix("moreau: ") or f"moreau ended with status {process.returncode}"
        raise ProgramError(sentence, process.returncode)
    if errors:
        sys.stderr.write(errors)
    return output or ""


def version() -> str:
    """Version and commit of the program."""
    return call("--version").strip()


def path_argument(path: object) -> str:
    """A path as an argument of the program: one that begins with a dash is no option."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else str(path)
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def settings_arguments(settings: Mapping[str, Any] | None) -> list[str]:
    return [word for key, value in toml_text.settings(settings) for word in ("--set", f"{key}={value}")]


def run(scene: Scene | str | os.PathLike[str], folder: str | os.PathLike[str], settings: Mapping[str, Any] | None = None, *,
        until: float | None = None, threads: int | None = None, force: bool = False, quiet: bool = True,
        start: Run | str | os.PathLike[str] | None = None) -> Run:
    """Runs a scene into a folder, as ``moreau run`` does, and returns the run.

    ``start`` is another run, where it begins. Its ``summary`` is the table that the program prints at the end; warnings and steps that did not converge are also given as
    Python warnings (``DoubtfulRun``). With ``quiet=False`` the program prints all it has to say itself.
    """
    options: list[object] = ["--out", path_argument(folder), *settings_arguments(settings)]
    options += ["--until", repr(float(until))] if until is not None else []
    options += ["--threads", threads] if threads else []
    options += ["--force"] if force else []
    options += ["--from", path_argument(start.path if isinstance(start, Run) else start)] if start is not None else []
    if isinstance(scene, Scene):
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as temporary:
            file = Path(temporary) / "scene.toml"
            file.write_text(scene.text)
            call("run", file, *options, quiet=quiet)
    else:
        call("run", path_argument(scene), *options, quiet=quiet)
    done = open_run(folder)
    if quiet:
        tell_doubts(done)
    return done


def tell_doubts(done: Run) -> None:
    """What the table at the end of ``moreau run`` says of a run that is not to be trusted blindly, as Python warnings."""
    summary = done.summary
    for entry in summary.get("warnings", []):
        warnings.warn(f"{done.path}: {entry['sentence']}", DoubtfulRun, stacklevel=3)
    if count := summary.get("run", {}).get("unconverged_steps", 0):
        warnings.warn(f"{done.path}: {count} of {summary['step']} steps did not converge", DoubtfulRun, stacklevel=3)


def draw(what: Run | Course | str | os.PathLike[str] | list[Any], output: str | os.PathLike[str], **options: Any) -> Path:
    """A picture of a run or of a course as it stands, or curves of several runs, as ``moreau draw`` makes it; options are those of the
    program, with underscores:

        mo.draw(run, "picture.png", colour="speed", frame=3)
        mo.draw([a, b], "curves.svg", y="stress_yy", data="measures/stress.csv")
    """
    if isinstance(what, Course):
        with tempfile.TemporaryDirectory() as folder:
            return draw(what.save(Path(folder) / "course"), output, **options)
    runs = what if isinstance(what, (list, tuple)) else [what]
    arguments: list[object] = [path_argument(one.path if isinstance(one, Run) else one) for one in runs]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                arguments.append(option)
            elif one is not False and one is not None:
                arguments.append(f"{option}={one}")
    call("draw", *arguments, "--movie" if str(output).endswith(".mp4") else "--output", path_argument(output))
    return Path(output)
