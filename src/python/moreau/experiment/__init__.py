"""Published experiments: a script experiments/NAME/run.py over this module becomes a page.

    '''Stone arch forced at its key stone. Moreau 2004, sec. 9.'''
    from moreau.experiment import Laboratory, Report, Section, compared, main

    def reproduce(lab: Laboratory) -> Report:
        run = lab.run("arch", lab.scene("arch", {"law.friction": 0.6}))
        ...
        return Report(protocol=[...], sections=[Section("Results", rows=[compared("slope", 26.0, slopes, 2.0)])])

    if __name__ == "__main__":
        main(reproduce)
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..program import ProgramError, version
from .laboratory import Laboratory
from .page import Circumstances, Quality, write_page, write_results
from .report import (AGREES, DIFFERS, NOT_RUN, SHOWN, Figure, Mean, Report, Row, Section, compared, mean_of, measured, not_run, number,
                     stated)

__all__ = ["Figure", "Laboratory", "Mean", "Quality", "Report", "Row", "Section", "compared", "main", "mean_of", "measured", "not_run",
           "number", "stated"]


class Terminated(KeyboardInterrupt):
    """Told to stop by a signal that the programs it started have not had."""


def _terminated(*_: Any) -> None:
    raise Terminated


def _samples(text: str) -> int | dict[int, int]:
    """The most samples of any size, or of those that are named: "5", "1936:3,3025:2"."""
    if ":" not in text:
        return int(text)
    return {int(size): int(count) for size, count in (part.split(":") for part in text.split(","))}


def _as_given(value: Any) -> str:
    return ",".join(f"{size}:{count}" for size, count in value.items()) if isinstance(value, dict) else str(value)


def main(reproduce: Callable[[Laboratory], Report]) -> None:
    """Carries out the experiment of the script that calls it, and writes its page. Ends the program."""
    script = sys.modules["__main__"]
    here = Path(script.__file__ or "").resolve().parent
    title, _, source = (script.__doc__ or here.name).strip().split("\n")[0].rstrip(".").partition(". ")
    parser = argparse.ArgumentParser(prog=f"moreau reproduce {here.name}", description=f"{title} ({source})")
    parser.add_argument("--quick", action="store_true", help="a reduced form that takes seconds")
    parser.add_argument("--out", type=Path, help="folder of the page and the runs (default: reproduce-NAME); a run there is gone on with")
    parser.add_argument("--threads", default="auto", help="of every run (default: auto)")
    parser.add_argument("--jobs", type=int, default=1, help="processes that make runs and pieces side by side (default: 1); results do not depend on it")
    parser.add_argument("--samples", type=_samples, help="of every kind at most, or of sizes: 1936:3,3025:2 (default: as many as the experiment plans)")
    parser.add_argument("--largest", type=int, help="leave out samples of more bodies than this")
    parser.add_argument("--packings", type=Path, help="folder of samples that several experiments share (default: in --out)")
    parser.add_argument("--without", default="", help="parts left out, by item: C29,C26")
    given = parser.parse_args()
    folder = given.out or Path(f"reproduce-{here.name}{'-quick' if given.quick else ''}")
    signal.signal(signal.SIGTERM, _terminated)
    try:
        lab = Laboratory(here, folder, given.quick, given.threads, given.samples, given.largest, given.packings,
                         [item for item in given.without.split(",") if item], given.jobs)
        report = reproduce(lab)
        if given.jobs > 1 and not lab.has_worked_ahead:
            print("the parts of this experiment were made one after the other: --jobs has no effect on it")
        effort = lab.effort
        options = "".join([" --quick" if given.quick else "", *(f" --{key} {_as_given(value)}" for key in ("samples", "largest", "without")
                                                                if (value := getattr(given, key)))])
        circumstances = Circumstances(here.name, title, source, f"moreau reproduce {here.name}{options}",
                                      version().removeprefix("moreau "), given.quick, *effort,
                                      lab.quality)
        write_results(report, circumstances, folder / "results.json")
        write_page(report, circumstances, folder / "index.html")
    except KeyboardInterrupt:
        print("interrupted; the same command goes on from here", flush=True)
        sys.exit(130)
    except ProgramError as error:
        if error.status == 130:
            print("interrupted; the same command goes on from here", flush=True)
            sys.exit(130)
        sys.exit(f"moreau: {error}")
    except OSError as error:
        sys.exit(f"moreau: {error}")
    words = {AGREES: "agrees ", DIFFERS: "DIFFERS", SHOWN: "       ", NOT_RUN: "not run"}
    for row in report.rows:
        print(f"{words[row.verdict]}  {row.quantity}: {row.computed} (published or exact: {row.published})")
    print(lab.quality.sentence)
    print(f"{report.count(AGREES)} agree, {report.count(DIFFERS)} differ, {report.count(SHOWN)} shown without a verdict, "
          f"{report.count(NOT_RUN)} not computed")
    print(f"wrote {folder / 'index.html'} and results.json beside it")
