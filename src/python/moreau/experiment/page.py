"""A report as files: one HTML page that holds its figures and opens from disk, and the numbers as JSON."""

from __future__ import annotations

import base64
import json
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from .report import AGREES, DIFFERS, NOT_RUN, SHOWN, Figure, Report, Row

STYLE = """
body { font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc }
.source { color: #555; margin-top: .2rem } code { background: #f3f3f3; padding: .1em .3em }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd } th { background: #f3f3f3 }
td.agrees { color: #00684a; font-weight: bold } td.differs { color: #b00020; font-weight: bold } td.shown, td.not-run { color: #777 }
td small { display: block; color: #777; font-weight: normal }
figure { margin: 1.5rem 0 } img { max-width: 100% } figcaption { font-size: .85rem; color: #444 }
"""


@dataclass
class Quality:
    """How well the steps of an experiment were solved, over all its runs: what a page of results must say of itself."""

    runs: int = 0
    steps: int = 0
    unconverged_steps: int = 0
    worst_residual: float = 0.0  # relative, of any step
    worst_unbalanced: float = 0.0  # momentum still owed, relative
    worst_error: float = 0.0  # certified error of the velocities of a step that was looked at, over what a step brings
    worst_penetration: float = 0.0  # of a diameter
    warnings: list[str] = field(default_factory=list)  # "run NAME: sentence"

    def add(self, name: str, steps: int, totals: dict[str, Any], warnings: list[str]) -> None:
        """Counts a run: its steps, the worst of its certificates, its warnings."""
        self.runs += 1
        self.steps += steps
        self.unconverged_steps += totals["unconverged_steps"]
        for key in ("worst_residual", "worst_unbalanced", "worst_error", "worst_penetration"):
            setattr(self, key, max(getattr(self, key), totals.get(key) or 0.0))
        self.warnings += [f"run {name}: {sentence}" for sentence in warnings]

    @property
    def sentence(self) -> str:
        """What the page says of the quality of all runs."""
        if self.steps == 0:
            return "No run of a scene enters."
        return (f"{self.unconverged_steps} of {self.steps} steps did not converge (runs: {self.runs}); worst certified error "
                f"{self.worst_error:.1e}, worst relative residual {self.worst_residual:.1e}, worst momentum still owed "
                f"{self.worst_unbalanced:.1e}, deepest overlap {self.worst_penetration:.1e} of a diameter; warnings: "
                f"{len(self.warnings)}.")


@dataclass
class Circumstances:
    name: str  # of the experiment
    title: str
    source: str  # where it was published
    command: str  # that made the page
    version: str  # and commit
    quick: bool
    seconds: float  # in all, earlier calls included
    cpu_seconds: float
    quality: Quality


def _paragraphs(texts: list[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>\n" for text in texts)


def _table(rows: list[Row]) -> str:
    if not rows:
        return ""
    lines = ["<table><tr><th>quantity</th><th>published or exact</th><th>computed</th><th>verdict</th></tr>"]
    for row in rows:
        rule = f"<small>{escape(row.rule)}</small>" if row.rule else ""
        lines.append(f'<tr><td>{escape(row.quantity)}</td><td>{escape(row.published)}</td><td>{escape(row.computed)}</td>'
                     f'<td class="{row.verdict.replace(" ", "-")}">{row.verdict}{rule}</td></tr>')
    return "\n".join(lines) + "</table>\n"


def _figure(figure: Figure) -> str:
    kind = "svg+xml" if figure.file.suffix == ".svg" else "png"
    data = base64.b64encode(figure.file.read_bytes()).decode()
    caption = escape(figure.caption)
    return f'<figure><img alt="{caption}" src="data:image/{kind};base64,{data}"><figcaption>{caption}</figcaption></figure>\n'


def write_page(report: Report, c: Circumstances, file: Path) -> None:
    """The report as one HTML file with its figures in it."""
    reduced = ". <strong>Reduced form: fewer grains or shorter runs than published.</strong>" if c.quick else ""
    html = (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(c.title)}</title><style>{STYLE}</style>'
            f'</head><body>\n<h1>{escape(c.title)}</h1>\n<p class="source">{escape(c.source)}</p>\n<p><code>{escape(c.command)}'
            f"</code>: moreau {escape(c.version)}, {c.seconds:.0f} s, {c.cpu_seconds:.0f} s of CPU{reduced}</p>\n"
            f"<p>{report.count(AGREES)} numbers and statements agree, {report.count(DIFFERS)} differ, {report.count(SHOWN)} are shown "
            f"without a verdict (nothing published, or too few samples), {report.count(NOT_RUN)} were not computed. {escape(c.quality.sentence)}</p>\n<h2>Protocol</h2>\n{_paragraphs(report.protocol)}")
    for section in report.sections:
        html += f"<h2>{escape(section.title)}</h2>\n{_paragraphs(section.paragraphs)}{_table(section.rows)}"
        html += "".join(map(_figure, section.figures))
    if report.choices:
        html += "<h2>What the papers leave open, and what was chosen</h2>\n" + _paragraphs(report.choices)
    if c.quality.warnings:
        html += "<h2>Warnings of the runs</h2>\n" + _paragraphs(c.quality.warnings)
    file.write_text(html + "</body></html>\n")


def write_results(report: Report, c: Circumstances, file: Path) -> None:
    """The numbers of the report as JSON."""
    quality = {key: value for key, value in asdict(c.quality).items() if key != "runs"}
    results: dict[str, Any] = {"experiment": c.name, "source": c.source, "command": c.command, "version": c.version, "quick": c.quick,
               "seconds": c.seconds, "cpu_seconds": c.cpu_seconds, **quality,
               **{verdict: report.count(verdict) for verdict in (AGREES, DIFFERS, SHOWN)}, "not_run": report.count(NOT_RUN), "rows": []}
    for section in report.sections:
        for row in section.rows:
            values = {key: value for key, value in asdict(row).items() if value is not None and value != ""}
            results["rows"].append({"section": section.title, **values})
    file.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")
