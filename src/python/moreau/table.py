"""Tables: columns of equal length, by name."""

from __future__ import annotations

import csv
import difflib
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from . import _core


def demand_file(path: str | os.PathLike[str]) -> None:
    """Refuses a pipe or a device in the place of a file, which would keep a reader waiting."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise _core.StoreError(f"{os.fspath(path)}: is not a file")


class Table(Mapping[str, np.ndarray]):
    """Columns as numpy arrays: ``table["stress_zz"]``, ``table.stress_zz``. A mapping of names to columns, whose ``len`` is
    therefore the number of columns; the number of rows is ``table.rows``."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = {name: np.asarray(values) for name, values in columns.items()}

    @classmethod
    def read(cls, file: str | os.PathLike[str]) -> Table:
        """A CSV file with names in its first line. A column is of numbers if all its cells are, empty ones counting as NaN."""
        demand_file(file)
        with open(file, newline="") as stream:
            rows = list(csv.reader(stream))
        if not rows:
            return cls({})
        whole = [row for row in rows[1:] if len(row) == len(rows[0])]  # the last may be being written
        return cls({name: _column([row[k] for row in whole]) for k, name in enumerate(rows[0])})

    @property
    def columns(self) -> list[str]:
        """Names, in the order of the file."""
        return list(self._columns)

    @property
    def rows(self) -> int:
        """How many there are; ``len(table)`` is the number of columns."""
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            near = difflib.get_close_matches(name, self._columns, 1)
            meant = f"; did you mean '{near[0]}'?" if near else f"; its columns are {', '.join(self._columns)}"
            raise KeyError(f"there is no column '{name}'{meant}") from None

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._columns if name.isidentifier())]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def only(self, keep: Any) -> Table:
        """The rows where ``keep`` (an array of booleans, or numbers of rows) says so."""
        return Table({name: values[keep] for name, values in self._columns.items()})

    def to_pandas(self) -> Any:
        """As a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(dict(self._columns))

    def to_xarray(self, along: str = "row") -> Any:
        """As an xarray.Dataset; ``along`` names the dimension, and a column of that name becomes its coordinate."""
        import xarray

        data = {name: (along, values) for name, values in self._columns.items() if name != along}
        coordinates = {along: self._columns[along]} if along in self._columns else None
        return xarray.Dataset(data, coords=coordinates)

    def __repr__(self) -> str:
        if self.rows == 1:
            return "\n".join(f"{name:<24}{values[0]}" for name, values in self._columns.items())
        return f"<Table of {self.rows} rows and {len(self)} columns: {', '.join(self._columns)}>"


def _column(cells: list[str]) -> np.ndarray:
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells)
