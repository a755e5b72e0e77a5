"""Looking at runs in the browser, from Python and in notebooks."""

from __future__ import annotations

import html
import os
import subprocess
import weakref
from pathlib import Path
from typing import Any

from .program import ProgramError, call, executable, path_argument
from .run import Run


class Viewer:
    """A server of ``moreau view`` on one run or two; it ends with ``close()``, with this object, or with Python.

    In a notebook it shows itself as a frame, as the last line of a cell or by ``display``; ``address`` may be opened anywhere on this
    machine.
    """

    def __init__(self, runs: list[Run], height: int = 640) -> None:
        self.runs, self.height = runs, height
        self._process = subprocess.Popen([executable(), "view", "--no-browser", *(path_argument(run.path) for run in runs)], text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        assert self._process.stdout is not None and self._process.stderr is not None
        self.address = self._process.stdout.readline().strip()
        if not self.address:
            raise ProgramError(self._process.stderr.read().strip().removeprefix("moreau: "), self._process.wait())
        self._end = weakref.finalize(self, _end, self._process)

    def open(self) -> Viewer:
        """Opens the address in the browser of the desktop, if there is one."""
        import webbrowser

        webbrowser.open(self.address)
        return self

    def close(self) -> None:
        """Ends the server; the page stays as it is, without further frames."""
        self._end()

    def _repr_html_(self) -> str:
        address = html.escape(self.address)
        return (f'<iframe src="{address}" width="100%" height="{self.height}" style="border:1px solid #d9dee5" '
                f'title="moreau view"></iframe><p><a href="{address}" target="_blank">open in a window of its own</a></p>')

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Viewer {self.address}>"


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)  # it answers what was asked before it ends
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def view(run: Run | str | os.PathLike[str], other: Run | str | os.PathLike[str] | None = None, height: int = 640) -> Viewer:
    """Shows a run, or two side by side under one camera; also while they go on."""
    from .run import open as open_run

    return Viewer([one if isinstance(one, Run) else open_run(one) for one in (run, other) if one is not None], height)


def export(run: Run, file: str | os.PathLike[str], frames: int | None = None) -> Path:
    """One HTML file that shows the run without this program."""
    call("view", path_argument(run.path), "--html", path_argument(file), *(["--frames", frames] if frames else []))
    return Path(file)
