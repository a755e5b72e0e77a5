"""What an experiment hands over when it has run: published and computed numbers side by side, figures, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

AGREES, DIFFERS, SHOWN = "agrees", "differs", "shown"  # shown: nothing was published to compare with, or too little to judge by
NOT_RUN = "not run"  # published, and not computed yet


@dataclass
class Row:
    """One line of the table. The texts are what a person reads; the numbers, where there are any, go to results.json."""

    quantity: str
    published: str
    computed: str
    verdict: str = SHOWN
    rule: str = ""  # when it counts as agreement: "within 0.1 %"
    published_value: float | None = None
    computed_value: float | None = None
    spread: float | None = None  # standard deviation of one run
    standard_error: float | None = None  # of the mean over runs


class Figure(NamedTuple):
    file: Path  # PNG or SVG
    caption: str


@dataclass
class Section:
    title: str
    paragraphs: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)


@dataclass
class Report:
    protocol: list[str] = field(default_factory=list)  # paragraphs
    sections: list[Section] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)  # what the papers leave open, one sentence each

    @property
    def rows(self) -> list[Row]:
        """Of all sections."""
        return [row for section in self.sections for row in section.rows]

    def count(self, verdict: str) -> int:
        """How many rows have this verdict."""
        return sum(row.verdict == verdict for row in self.rows)


class Mean(NamedTuple):
    """Of several values: mean, standard deviation of one, standard error of the mean. Both are 0 for fewer than two."""

    mean: float
    deviation: float
    error: float
    count: int  # type: ignore[assignment]


def mean_of(values: Any) -> Mean:
    """Mean, standard deviation and standard error of values that are independent."""
    array = np.asarray(values, dtype=float)
    if array.size == 0:
        return Mean(0.0, 0.0, 0.0, 0)
    deviation = float(array.std(ddof=1)) if array.size > 1 else 0.0
    return Mean(float(array.mean()), deviation, deviation / array.size**0.5, array.size)


def number(value: float) -> str:
    """Six significant digits, no trailing zeros."""
    return f"{value + 0.0:.6g}"


def _computed(row: Row, values: float | Sequence[float]) -> Row:
    many = mean_of([values] if np.isscalar(values) else values)
    row.computed_value = many.mean
    row.computed = number(many.mean)
    if many.count > 1:
        row.spread, row.standard_error = many.deviation, many.error
        row.computed += f" ± {many.error:.2g} (standard error, {many.count} runs)"
    return row


def compared(quantity: str, published: float, computed: float | Sequence[float], tolerance: float) -> Row:
    """A number, or the mean over several runs, against a number: agrees if they differ by at most ``tolerance`` (absolute)."""
    row = _computed(Row(quantity, number(published), "", rule=f"within {tolerance:.2g}", published_value=float(published)), computed)
    close = row.computed_value is not None and abs(row.computed_value - published) <= tolerance
    row.verdict = AGREES if close and np.size(computed) > 0 else DIFFERS
    return row


def stated(quantity: str, published: str, computed: str, holds: Any, rule: str = "") -> Row:
    """A statement that holds or does not; ``computed`` says with which numbers."""
    return Row(quantity, published, computed, AGREES if holds else DIFFERS, rule)


def not_run(quantity: str, published: str, why: str) -> Row:
    """Something published that was not computed, and why."""
    return Row(quantity, published, f"not computed: {why}", NOT_RUN)


def measured(quantity: str, computed: float | Sequence[float], published: str = "not given") -> Row:
    """A number nobody published."""
    return _computed(Row(quantity, published, ""), computed)
