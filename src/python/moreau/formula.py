"""Formulas over columns, as ``moreau draw --y`` and ``moreau sweep --value`` read them: numbers, names of columns, + - * / ( ), and
functions of numpy that are named here. A formula is walked through, never executed."""

from __future__ import annotations

import ast
import difflib
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": np.abs, "sqrt": np.sqrt, "log": np.log, "exp": np.exp}
SUMMARIES: dict[str, Callable[[Any], Any]] = {
    "mean": np.mean, "last": lambda values: values[-1], "max": np.max, "min": np.min, "sd": np.std, "median": np.median}
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.USub: operator.neg,
    ast.UAdd: operator.pos}


class FormulaError(ValueError):
    """What a formula cannot mean, in one sentence."""


def _no_column(name: str, columns: Mapping[str, Any]) -> FormulaError:
    near = difflib.get_close_matches(name, columns, 1)
    return FormulaError(f"there is no column '{name}'; " + (f"did you mean '{near[0]}'?" if near else f"accepted: {', '.join(columns)}"))


def evaluate(formula: str, columns: Mapping[str, Any]) -> np.ndarray:
    """The formula for every row. ``mean(x)``, ``max(x)`` ... of a column are numbers: ``normal_force / mean(normal_force)``."""
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise FormulaError(f"the formula '{formula}' cannot be read; accepted: numbers, names of columns, + - * / ( ), "
                           f"{', '.join(FUNCTIONS)}, {', '.join(SUMMARIES)}") from None

    def value(node: ast.AST) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return float(node.value)
        if isinstance(node, ast.Name):
            if node.id not in columns:
                raise _no_column(node.id, columns)
            column = np.asarray(columns[node.id])
            if column.dtype.kind not in "biuf":
                raise FormulaError(f"column '{node.id}' is text, not numbers")
            return column.astype(float)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
            if function := {**FUNCTIONS, **SUMMARIES}.get(node.func.id):
                return function(value(node.args[0]))
            raise FormulaError(f"there is no function '{node.func.id}'; accepted: {', '.join([*FUNCTIONS, *SUMMARIES])}")
        raise FormulaError(f"the formula '{formula}' has a part that is not understood: {ast.unparse(node)}")

    with np.errstate(all="ignore"):
        result = value(tree)
    rows = len(next(iter(columns.values()), ()))
    return np.asarray(np.broadcast_to(result, (rows,)), dtype=float)


def told(text: str) -> tuple[str, str, str]:
    """NAME=FUNCTION(FORMULA), as ``--value`` of a sweep: its three parts."""
    name, equals, rest = text.partition("=")
    function, bracket, formula = rest.strip().partition("(")
    if not (name.strip() and equals and bracket and formula.endswith(")")):
        raise FormulaError(f"--value is '{text}'; accepted: NAME=FUNCTION(FORMULA), as peak=max(stress_xy)")
    if _ends_early(formula) or not function.strip().isidentifier():
        raise FormulaError(f"--value is '{text}'; accepted: one function around all, as {name.strip()}=mean({rest.strip()})")
    if function.strip() not in SUMMARIES:
        raise FormulaError(f"there is no function '{function.strip()}'; accepted: {', '.join(SUMMARIES)}")
    return name.strip(), function.strip(), formula[:-1]


def _ends_early(formula: str) -> bool:
    """Whether the bracket before the formula is closed before its end."""
    depth = 1
    for place, letter in enumerate(formula):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and place + 1 < len(formula):
            return True
    return False


def keep(columns: Mapping[str, Any], condition: str) -> dict[str, np.ndarray]:
    """The rows that fulfil ``phase=shear``, ``time>28``, ``time<=30``."""
    for sign in ("<=", ">=", "<", ">", "="):
        name, found, wanted = condition.partition(sign)
        if found:
            break
    else:
        raise FormulaError(f"--only is '{condition}'; accepted: COLUMN=VALUE, or one of <, <=, >, >= and a number")
    if name.strip() not in columns:
        raise _no_column(name.strip(), columns)
    column = np.asarray(columns[name.strip()])
    compare: dict[str, Callable[..., Any]] = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}

    def same(wanted: float) -> Any:  # times are sums of steps, and miss the number that is meant by roundings
        return np.abs(column - wanted) <= 1e-9 * np.maximum(np.abs(column), abs(wanted))

    try:
        number: float | None = float(wanted)
    except ValueError:
        number = None
    if sign == "=" and number is None and column.dtype.kind in "biuf":
        raise FormulaError(f"--only is '{condition}', and '{name.strip()}' is a column of numbers; accepted: a number")
    if sign == "=":
        chosen = same(number) if number is not None and column.dtype.kind in "biuf" else column == wanted.strip()
    elif number is None or column.dtype.kind not in "biuf":
        raise FormulaError(f"--only is '{condition}'; with {sign} accepted: a column of numbers and a number")
    else:
        chosen = (compare[sign](column, number) & ~same(number)) | (same(number) if "=" in sign else False)
    return {key: np.asarray(values)[np.broadcast_to(chosen, column.shape)] for key, values in columns.items()}
