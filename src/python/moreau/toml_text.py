"""Python values as TOML: what a scene made of dictionaries, or a setting, is written as."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def _key(name: object) -> str:
    text = str(name)
    return text if _BARE.fullmatch(text) else json.dumps(text)


_DEEPEST = 100  # lists and dictionaries in one another: one that holds itself has no end


def literal(value: Any, depth: int = 0) -> str:
    """One value on one line."""
    if depth > _DEEPEST:
        raise ValueError(f"lists and dictionaries are nested more than {_DEEPEST} deep, or hold themselves; accepted: values that can be written down")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        return repr(value) if math.isfinite(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {literal(v, depth + 1)}" for k, v in value.items()) + " }"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Sequence):
        return "[" + ", ".join(literal(v, depth + 1) for v in value) + "]"
    raise TypeError(f"{value!r} cannot stand in a scene; accepted: numbers, texts, booleans, lists and dictionaries")


def document(scene: Mapping[str, Any]) -> str:
    """A whole scene: plain keys first, then a [table] or [[list of tables]] each."""
    plain, tables = [], []
    for key, value in scene.items():
        name = _key(key)
        if isinstance(value, Mapping):
            tables.append([f"[{name}]", *(f"{_key(k)} = {literal(v)}" for k, v in value.items()), ""])
        elif isinstance(value, Sequence) and value and all(isinstance(v, Mapping) for v in value):
            for entry in value:
                tables.append([f"[[{name}]]", *(f"{_key(k)} = {literal(v)}" for k, v in entry.items()), ""])
        else:
            plain.append(f"{name} = {literal(value)}")
    return "\n".join([*plain, "", *(line for table in tables for line in table)])


def mapping(given: Mapping[str, Any] | None, name: str, example: str) -> Mapping[str, Any]:
    """An argument that is a dictionary, or nothing."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"{name} is {given!r}; accepted: a dictionary, as {example}")
    return given or {}


def settings(changes: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Keys of a scene and their new values."""
    return [(str(key), literal(value)) for key, value in mapping(changes, "settings", '{"law.friction": 0.3}').items()]
