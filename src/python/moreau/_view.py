"""Arrays that look at the memory of a course."""

from __future__ import annotations

from typing import Any

import numpy as np


def _plain(value: Any) -> Any:
    """Without the watch, after a look at it."""
    if isinstance(value, View):
        value._check()
        return value.view(np.ndarray)
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(v) for v in value)
    return value


class View(np.ndarray):
    """A numpy array on the bodies of a course, not a copy: it changes as the course goes on.

    When a source brings bodies the array is no longer that of all bodies; using it then raises :class:`StaleView`. Results of
    arithmetic, and ``.copy()``, are arrays of their own. ``np.asarray(view)``, ``np.array(view)`` and ``memoryview(view)`` are
    without this watch; their memory stays whole whatever happens.
    """

    _lease: Any = None

    @classmethod
    def _of(cls, array: np.ndarray, lease: Any) -> View:
        view = array.view(cls)
        view._lease = lease
        return view

    def __array_finalize__(self, source: Any) -> None:
        self._lease = getattr(source, "_lease", None)

    def _check(self) -> None:
        if self._lease is not None:
            self._lease.check()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        if out is not None:
            options["out"] = _plain(out)
        result = getattr(ufunc, method)(*_plain(inputs), **options)
        return out[0] if out is not None and len(out) == 1 else result

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return function(*_plain(tuple(arguments)), **{key: _plain(value) for key, value in options.items()})

    def __getitem__(self, key: Any) -> Any:
        self._check()
        item = super().__getitem__(_plain(key))
        return item if not isinstance(item, View) or np.may_share_memory(item, self) else item.view(np.ndarray)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check()
        if not self.flags.writeable:
            raise ValueError("this array is read-only; course.bodies.writable(\"velocity\") may be written, and position, orientation, spin")
        super().__setitem__(_plain(key), _plain(value))

    def copy(self, order: Any = "C") -> np.ndarray:  # type: ignore[override]
        """An array of its own, with the values of this moment."""
        return _plain(self).copy(order)

    def __eq__(self, other: Any) -> Any:  # numpy swallows what its own comparison raises
        return _plain(self) == _plain(other)

    def __ne__(self, other: Any) -> Any:
        return _plain(self) != _plain(other)

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Any:
        for row in _plain(self):
            self._check()  # the course may have gone on meanwhile
            yield row

    def __reduce_ex__(self, protocol: Any) -> Any:  # another process has no course: it gets a plain array
        return _plain(self).__reduce_ex__(protocol)

    @property
    def flat(self) -> Any:  # type: ignore[override]
        """The numbers one after another."""
        return _plain(self).flat

    def item(self, *place: Any) -> Any:
        """One number, as one of Python."""
        return _plain(self).item(*place)

    def nonzero(self) -> Any:
        """The places of the numbers that are not 0."""
        return _plain(self).nonzero()

    def tobytes(self, order: Any = "C") -> bytes:
        """The memory, copied."""
        return _plain(self).tobytes(order)

    def tofile(self, file: Any, sep: str = "", format: str = "%s") -> None:
        """Writes the numbers into a file."""
        _plain(self).tofile(file, sep, format)

    def tolist(self) -> Any:
        """As nested lists of Python numbers."""
        return _plain(self).tolist()

    def __repr__(self) -> str:
        if self._lease is not None and self._lease.stale:
            return "<View that may no longer be used>"
        return repr(_plain(self)).replace("array", "View", 1)

    __str__ = __repr__
