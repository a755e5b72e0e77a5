"""Scenes: from a file, a text or dictionaries."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core, toml_text


class Scene:
    """A scene, checked and ready to run.

    ``Scene({...})`` makes one of dictionaries that mirror the file (lists of dictionaries are the ``[[entries]]``),
    ``Scene("dimension = 2 ...")`` of a text. ``settings`` change single keys, as ``--set`` of the program does. Names of files in
    the scene are relative to ``folder``. What is wrong raises :class:`SceneError` with the sentence of the program.
    """

    def __init__(self, scene: Mapping[str, Any] | str, settings: Mapping[str, Any] | None = None, *, name: str = "scene",
                 folder: str | os.PathLike[str] = ".") -> None:
        if not isinstance(scene, (str, Mapping)):
            raise TypeError(f"a scene is made of a dictionary or of a text, not of {type(scene).__name__}; moreau.load reads a file")
        text = scene if isinstance(scene, str) else toml_text.document(scene)
        self._core = _core.parse(text, name, Path(folder), toml_text.settings(settings))

    @classmethod
    def _of(cls, core: _core.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._core = core
        return scene

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled, as for other processes, as its text, which is all of it."""
        return Scene, (self.text,)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._core.dimension

    @property
    def title(self) -> str:
        """What the scene calls itself; empty if it does not."""
        return self._core.title

    @property
    def text(self) -> str:
        """The scene as TOML, with the content of the files it names: all that is needed to run it again."""
        return self._core.text

    @property
    def seed(self) -> int:
        """Of the random numbers."""
        return self._core.seed

    @property
    def duration(self) -> float:
        """Of all phases together; infinite if one ends by a condition alone."""
        return self._core.duration

    @property
    def time_step(self) -> float:
        """Length of a step at the start."""
        return self._core.time_step

    @property
    def phases(self) -> list[str]:
        """Their names; one without a name if the scene has no phases."""
        return self._core.phases

    @property
    def measures(self) -> list[str]:
        """Names of the [[measure]] entries."""
        return self._core.measures

    @property
    def named(self) -> dict[str, Sequence[int]]:
        """Bodies with a name (blocks, arches, walls of bricks): their numbers, a range where they follow one another, else a list (a layer
        of a drawing whose stones are listed between others)."""
        numbers: dict[str, Sequence[int]] = {}
        for name, first, count in self._core.named:
            more = range(first, first + count)
            numbers[name] = [*numbers[name], *more] if name in numbers else more
        return numbers

    @property
    def warnings(self) -> list[str]:
        """What can be foreseen, one sentence each."""
        return self._core.warnings

    def __len__(self) -> int:
        """Number of bodies at the start."""
        return len(self._core)

    def __repr__(self) -> str:
        return repr(self._core)


def load(file: str | os.PathLike[str], settings: Mapping[str, Any] | None = None) -> Scene:
    """The scene of a file, with some keys set: ``load("pile.toml", {"law.friction": 0.4, "grains[2].count": 100})``."""
    return Scene._of(_core.load(Path(file), toml_text.settings(settings)))
