"""``moreau ensemble``: what the runs of sweeps say together. docs/sweeps.md explains it."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from . import _core
from .ensemble import Ensemble, ks_test
from .formula import FUNCTIONS, SUMMARIES, FormulaError, evaluate, keep, told
from .measure import measure, quantities
from .run import Run
from .run import open as open_run
from .sweep import Sweep

Row = dict[str, Any]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"moreau: {message} (see 'moreau ensemble --help')", file=sys.stderr)
        sys.exit(2)


def parser() -> argparse.ArgumentParser:
    p = _Parser(prog="moreau ensemble", description="What the runs of sweeps say together. Runs that differ by their seed alone are one "
                "ensemble; every number is a mean over its runs with the standard error s / sqrt(n).",
                epilog=f"A FORMULA has numbers, names of columns, + - * / ( ), {', '.join(FUNCTIONS)} of every row and "
                       f"{', '.join(SUMMARIES)} of a column.")
    p.add_argument("folders", metavar="DIR", nargs="+", help="folders of sweeps, or of runs, which are one ensemble then")
    p.add_argument("--value", action="append", default=[], metavar="NAME=FUNCTION(FORMULA)",
                   help="a number of each run, as --value of moreau sweep; may be repeated (default: those that the sweep has told)")
    p.add_argument("--curve", metavar="FORMULA", help="mean curve of this against --x, with its standard error as a band")
    p.add_argument("--x", metavar="FORMULA", help="the other axis: of a curve a formula that increases (default: time), of --value with -o a "
                   "key of the sweep (default: the first whose values are numbers)")
    p.add_argument("--points", type=int, default=60, metavar="N", help="places at which the curve is read (default: 60)")
    p.add_argument("--smooth", type=float, default=0.0, metavar="WIDTH", help="running mean of every run's curve over this width of x")
    p.add_argument("--histogram", metavar="FORMULA", help="of the values of all runs together")
    p.add_argument("--bins", type=int, default=40, metavar="N", help="of the histogram (default: 40)")
    p.add_argument("--ks", metavar="FORMULA", help="test of Kolmogorov and Smirnov: the values of any two ensembles, or --against")
    p.add_argument("--against", metavar="NAME[:A,B]", help="one sample against a distribution of scipy.stats, as expon or norm:0,1")
    p.add_argument("--data", default="series.csv", metavar="WHAT",
                   help="where columns come from: a CSV file of the runs (default: series.csv), contacts of a frame that carry a force, "
                        "all-contacts, bodies, or a quantity of moreau measure")
    p.add_argument("--frame", type=int, default=-1, metavar="K", help="of contacts, bodies and quantities (default: the last)")
    p.add_argument("--only", action="append", default=[], metavar="CONDITION", help="rows to keep, as phase=shear or \"time>28\"; may be repeated")
    p.add_argument("--phase", metavar="NAME", help="rows of this phase alone")
    p.add_argument("--chance", action="append", metavar="KEY", help="a key whose values count as chance (default: seed); may be repeated")
    p.add_argument("--label", action="append", default=[], metavar="TEXT", help="what an ensemble is called, in their order")
    p.add_argument("--x-label", metavar="TEXT"), p.add_argument("--y-label", metavar="TEXT"), p.add_argument("--title", metavar="TEXT")
    p.add_argument("-o", "--output", metavar="FILE", help="figure: PNG, PDF or SVG")
    p.add_argument("--csv", metavar="FILE", help="what is printed as a CSV file")
    p.add_argument("--json", action="store_true", help="print JSON")
    return p


def ensembles(folders: list[str], chance: list[str], labels: list[str]) -> list[tuple[str, Row, Ensemble]]:
    """Label, shared values and runs of each."""
    found: list[tuple[str, Row, Ensemble]] = []
    alone: list[Run] = []
    for folder in folders:
        if not (Path(folder) / "sweep.json").exists():
            alone.append(open_run(folder))
            continue
        for values, runs in (groups := Sweep(folder).ensembles(chance)):
            differing = {key.split(".")[-1]: value for key, value in values.items() if len({str(g[0][key]) for g in groups}) > 1}
            name = ", ".join(f"{key} {value:g}" if isinstance(value, float) else f"{key} {value}" for key, value in differing.items())
            sweeps = sum((Path(f) / "sweep.json").exists() for f in folders)
            found.append((": ".join(part for part in (Path(folder).name if sweeps > 1 or not name else "", name) if part), values, runs))
    if alone:
        found.append((alone[0].path.name if len(alone) == 1 else "runs", {}, Ensemble(alone)))
    if not found:
        raise FormulaError(f"{', '.join(folders)}: no run has finished")
    if labels and len(labels) != len(found):
        raise FormulaError(f"--label is given {len(labels)} times, but there are {len(found)} ensembles: {', '.join(label for label, _, _ in found)}")
    return [(labels[k] if k < len(labels) else label, values, runs) for k, (label, values, runs) in enumerate(found)]


def columns_of(run: Run, options: argparse.Namespace) -> Row:
    data = options.data
    if data.endswith(".csv"):
        file = run.path / data
        if not file.exists():
            raise FormulaError(f"{file} does not exist; accepted: a CSV file of the runs, contacts, all-contacts, bodies, or a quantity")
        from .table import Table
        columns: Row = dict(Table.read(file))
    elif data in ("contacts", "all-contacts", "bodies"):
        columns = _frame_columns(run, data, options.frame)
    elif data in quantities(run.scene.dimension):
        columns = dict(measure(run.frames[options.frame], data))
    else:
        raise FormulaError(f"--data is '{data}'; accepted: a CSV file of the runs, contacts, all-contacts, bodies, or a quantity of moreau measure --list")
    for condition in [*options.only, *([f"phase={options.phase}"] if options.phase else [])]:
        columns = keep(columns, condition)
    if len(next(iter(columns.values()), ())) == 0:
        raise FormulaError(f"{run.path}: no row of {data} is left")
    return columns


def _frame_columns(run: Run, data: str, number: int) -> Row:
    """``contacts`` are those that carry, as in the quantity ``forces``: touching without a push is no force, and would be a peak of P(f) at
    zero."""
    frame = run.frames[number]
    names = (("position", "velocity", "spin", "radius", "mass", "kind", "material", "birth") if data == "bodies" else
             ("normal_force", "gap", "status", "a", "b", "point", "normal", "force"))
    source: Any = frame if data == "bodies" else frame.contacts
    columns: Row = {}
    for name in names:
        values = np.asarray(getattr(source, name))
        columns.update({name: values} if values.ndim == 1 else {f"{name}_{'xyz'[d]}": values[:, d] for d in range(values.shape[1])})
    if data == "bodies":
        columns["speed"] = np.linalg.norm(np.asarray(frame.velocity), axis=1)
    if data == "contacts":
        force = columns["normal_force"]
        carrying = force > 1e-6 * (force[force > 0].mean() if (force > 0).any() else 0.0)
        if not carrying.any():
            raise FormulaError(f"{run.path}: no contact of the frame carries a force; those that touch alone: --data all-contacts")
        columns = {name: values[carrying] for name, values in columns.items()}
    return columns


def unmixed(columns: Row, options: argparse.Namespace) -> Row:
    """Refuses rows of which some are parts of others, or of another thing: all, weak and strong contacts; normal and tangential forces."""
    for name in ("set", "component"):
        told = list(dict.fromkeys(map(str, columns.get(name, ()))))
        if len(told) > 1:
            raise FormulaError(f"{options.data} has rows that differ in '{name}' ({', '.join(told)}), and no number is one of all; choose one by "
                               f"--only {name}={told[0]}")
    return columns


def refuse_mixture(columns: Row, x: np.ndarray, options: argparse.Namespace) -> None:
    """Rows of several walls, stones or species at one x are no curve."""
    order = np.argsort(x, kind="stable")
    same = np.flatnonzero(np.diff(x[order]) == 0)
    for name, values in columns.items():
        texts = np.asarray(values)
        if name == "phase" or texts.dtype.kind in "biuf" or not (texts[order][same] != texts[order][same + 1]).any():
            continue
        told = list(dict.fromkeys(str(text) for text in texts))
        raise FormulaError(f"{options.data} has several rows at one {options.x}, which differ in '{name}' "
                           f"({', '.join(told[:5])}{', ...' if len(told) > 5 else ''}); choose one by --only {name}={told[0]}")


def means(groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> list[Row]:
    rows = []
    for label, values, runs in groups:
        row: Row = {"ensemble": label, **values, "runs": len(runs)}
        for text in options.value:
            name, function, formula = told(text)
            mean = runs.mean(lambda run: SUMMARIES[function](evaluate(formula, unmixed(columns_of(run, options), options))))
            row[name], row[f"{name}_error"] = mean.value, mean.error
        rows.append(row)
    return rows


def told_means(folders: list[str], chance: list[str], groups: list[tuple[str, Row, Ensemble]]) -> list[Row]:
    """Of the columns that `--value` has brought into the tables of the sweeps."""
    rows = []
    for folder in folders:
        file = Path(folder) / "values.json"
        names = [told(entry["value"])[0] for entry in json.loads(file.read_text())] if file.exists() else []
        if not names:
            raise FormulaError(f"{folder}: has no values that a sweep has told; ask for one by --value NAME=FUNCTION(FORMULA), or for a "
                               "--curve, a --histogram or a test (--ks)")
        table = Sweep(folder).table
        number = {f"{int(run):04d}": k for k, run in enumerate(table["run"])}
        for label, values, runs in groups:
            if runs.runs[0].path.parents[1] != Path(folder):
                continue
            row: Row = {"ensemble": label, **values, "runs": len(runs)}
            for name in names:
                mean = runs.mean(lambda run: table[name][number[run.path.name]])
                row[name], row[f"{name}_error"] = mean.value, mean.error
            rows.append(row)
    return rows


def curves(groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> list[Row]:
    rows = []
    for label, _, runs in groups:
        points = {}
        for run in runs.runs:
            columns = columns_of(run, options)
            points[run.path] = evaluate(options.x, columns), evaluate(options.curve, columns)
            refuse_mixture(columns, points[run.path][0], options)
        places = np.linspace(max(x[0] for x, _ in points.values()), min(x[-1] for x, _ in points.values()), options.points)
        x, mean, error = runs.curve(lambda run: points[run.path], places, options.smooth)
        rows += [{"ensemble": label, "x": a, "mean": b, "error": c, "runs": len(runs)} for a, b, c in zip(x, mean, error)]
    return rows


def histograms(groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> list[Row]:
    def values(run: Run) -> np.ndarray:
        return evaluate(options.histogram, columns_of(run, options))

    together = np.concatenate([runs.pooled(values) for _, _, runs in groups])
    together = together[np.isfinite(together)]
    edges = np.histogram_bin_edges(together, options.bins)  # the same for all, so that they can be compared
    rows = []
    for label, _, runs in groups:
        h = runs.histogram(lambda run: (v := values(run))[np.isfinite(v)], edges)
        rows += [{"ensemble": label, "from": a, "to": b, "density": d, "error": e, "values": len(runs.pooled(values)), "runs": len(runs)}
                 for a, b, d, e in zip(h.edges[:-1], h.edges[1:], h.density, h.error)]
    return rows


def tests(groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> list[Row]:
    samples = [(label, runs.pooled(lambda run: evaluate(options.ks, columns_of(run, options))), len(runs)) for label, _, runs in groups]
    rows = []
    if options.against:
        from scipy import stats

        name, _, parameters = options.against.partition(":")
        law = getattr(stats, name, None)
        if not isinstance(law, stats.rv_continuous):
            raise FormulaError(f"--against is '{options.against}'; accepted: a continuous distribution of scipy.stats, as norm, expon, "
                               "uniform, lognorm:0.5, with its parameters after a colon")
        try:
            frozen = law(*(float(word) for word in parameters.split(",") if word))
            frozen.cdf(0.0)
        except (TypeError, ValueError):
            raise FormulaError(f"--against is '{options.against}'; parameters of {name}: {law.shapes or 'none'}, then its place and scale") from None
        for label, sample, count in samples:
            result = ks_test(sample, frozen.cdf)
            rows.append({"ensemble": label, "against": options.against, "D": result.statistic, "p": result.pvalue, "values": len(sample), "runs": count})
        return rows
    if len(samples) < 2:
        raise FormulaError("a test of two samples needs two ensembles; for one, give --against a distribution")
    for k, (label, sample, count) in enumerate(samples):
        for other, second, more in samples[k + 1:]:
            result = ks_test(sample, second)
            rows.append({"ensemble": label, "against": other, "D": result.statistic, "p": result.pvalue,
                         "values": len(sample) + len(second), "runs": count + more})
    return rows


def swept_key(groups: list[tuple[str, Row, Ensemble]], asked: str | None) -> str:
    """The key over which values are drawn: one of the sweep, rather one whose values are numbers than words or vectors."""
    keys = list(dict.fromkeys(key for _, values, _ in groups for key in values))
    numbers = [key for key in keys if all(isinstance(values.get(key), (int, float)) for _, values, _ in groups)]
    named = [key for key in keys if asked in (key, key.split(".")[-1])]
    if asked is not None and not named:
        raise FormulaError(f"--x is '{asked}'; accepted with --value: a key of the sweep: {', '.join(keys) or 'it has none'}")
    differing = [key for key in [*numbers, *keys] if len({str(values.get(key)) for _, values, _ in groups}) > 1]
    if asked is None and not differing:
        raise FormulaError(f"-o draws values over a key of the sweep, and none of its keys ({', '.join(keys) or 'it has none'}) has several values")
    return named[0] if named else differing[0]


def pyplot() -> Any:
    """With the look of the curves of `moreau draw`: its colours, a light grid, no frame above and to the right."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3c3c3c", "#f0e442"]
    plt.rcParams.update({"axes.prop_cycle": plt.cycler(color=colours), "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e6e6e6",
                         "axes.axisbelow": True, "axes.edgecolor": "#404040", "xtick.color": "#404040", "ytick.color": "#404040", "legend.frameon": False,
                         "axes.titlelocation": "left", "axes.titleweight": "bold"})
    return plt


def draw_values(rows: list[Row], groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> None:
    """Means with their standard errors over a key of the sweep; what else differs makes a line each."""
    plt = pyplot()
    key = swept_key(groups, options.x)
    names = [name for name in rows[0] if f"{name}_error" in rows[0]]
    others = {other for _, values, _ in groups for other in values} - {key}
    figure, axes = plt.subplots(len(names), 1, figsize=(6.4, 4.4 if len(names) == 1 else 2.8 * len(names)), layout="constrained", sharex=True, squeeze=False)
    for name, axis in zip(names, axes[:, 0]):
        lines: dict[str, list[Row]] = {}
        for row in rows:
            lines.setdefault(", ".join(f"{other.split('.')[-1]} {row[other]}" for other in sorted(others) if other in row), []).append(row)
        for label, own in lines.items():
            numbers = all(isinstance(row.get(key), (int, float)) for row in own)
            if numbers:
                own.sort(key=lambda row: row[key])
            axis.errorbar([row[key] if numbers else str(row.get(key, "")) for row in own], [row[name] for row in own], np.nan_to_num([row[f"{name}_error"] for row in own]),
                          fmt="o-", ms=4, lw=1, capsize=3, label=label)
        axis.set(ylabel=options.y_label or name)
        if len(lines) > 1:
            axis.legend()
    axes[-1, 0].set(xlabel=options.x_label or key)
    axes[0, 0].set(title=options.title or "")
    figure.savefig(options.output, dpi=150)


def with_unit(formula: str, groups: list[tuple[str, Row, Ensemble]]) -> str:
    """Of a column whose dimension is known, in the units that the scene names."""
    run = groups[0][2].runs[0]
    letters, names = _core.unit_of_column(formula.strip(), run.scene.dimension), run.units
    unit = "".join({"L": names.get("length"), "M": names.get("mass"), "T": names.get("time")}.get(c, c) or "?" for c in letters)
    return f"{formula} [{unit}]" if unit and "?" not in unit else formula


def draw(rows: list[Row], groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> None:
    plt = pyplot()
    figure, axis = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
    for label in dict.fromkeys(row["ensemble"] for row in rows):
        own = [row for row in rows if row["ensemble"] == label]
        column = {name: np.array([row[name] for row in own], dtype=float) for name in own[0] if name != "ensemble"}
        if options.curve:
            line, = axis.plot(column["x"], column["mean"], label=label)
            axis.fill_between(column["x"], column["mean"] - column["error"], column["mean"] + column["error"], color=line.get_color(), alpha=0.3, lw=0)
        else:
            line, = axis.step(np.append(column["from"], column["to"][-1]), np.append(column["density"], column["density"][-1]), where="post", label=label)
            middle = 0.5 * (column["from"] + column["to"])
            axis.errorbar(middle, column["density"], np.nan_to_num(column["error"]), fmt="none", ecolor=line.get_color(), lw=1)
    axis.set(xlabel=options.x_label or with_unit(options.x if options.curve else options.histogram, groups),
             ylabel=options.y_label or (with_unit(options.curve, groups) if options.curve else "density"), title=options.title or "")
    if options.histogram:
        axis.set_ylim(bottom=0)
    if len({row["ensemble"] for row in rows}) > 1 or options.label:
        axis.legend()
    figure.savefig(options.output, dpi=150)


def cell(row: Row, name: str) -> str:
    value = row.get(name, "")
    if name.endswith("_error") and row.get("runs") == 1:
        return "one run"  # which tells nothing of how runs differ
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def show(rows: list[Row], options: argparse.Namespace) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: repr(value) if isinstance(value := row.get(name, ""), float) else value for name in row} for row in rows)
    if options.json:
        clean = [{k: (None if isinstance(v, float) and not np.isfinite(v) else v.item() if isinstance(v, np.generic) else v) for k, v in row.items()} for row in rows]
        print(json.dumps(clean, indent=1))
    elif not options.csv and not options.output or options.ks or not (options.curve or options.histogram):
        cells = [names] + [[cell(row, name) for name in names] for row in rows]
        widths = [max(len(line[k]) for line in cells) for k in range(len(names))]
        for line in cells:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    if not options.json:
        for file in (options.output, options.csv):
            if file:
                print(f"wrote {file}")
    if options.ks and not options.json:
        print("p is that of independent values; values of one run are seldom independent of each other")


def main(words: list[str]) -> None:
    options = parser().parse_args(words)
    asked = [name for name in ("curve", "histogram", "ks") if getattr(options, name)] + (["value"] if options.value else [])
    if len(asked) > 1:
        parser().error(f"asked for are {' and '.join('--' + name for name in asked)}; one at a time")
    for name, least in (("points", 2), ("bins", 1)):
        if getattr(options, name) < least:
            parser().error(f"--{name} is {getattr(options, name)}; accepted: a whole number from {least} on")
    if options.against and not options.ks:
        parser().error("--against belongs to --ks")
    if options.output and options.ks:
        parser().error("-o draws a --curve, a --histogram or values; a test is printed")
    if options.x and (options.histogram or options.ks or not (options.curve or options.output)):
        parser().error("--x belongs to --curve, or to the figure (-o) of values")
    if options.curve:
        options.x = options.x or "time"
    chance = options.chance or ["seed"]
    groups = ensembles(options.folders, chance, options.label)
    rows = (curves(groups, options) if options.curve else histograms(groups, options) if options.histogram else tests(groups, options) if options.ks
            else means(groups, options) if options.value else told_means(options.folders, chance, groups))
    if options.output:
        draw(rows, groups, options) if options.curve or options.histogram else draw_values(rows, groups, options)
    show(rows, options)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (ValueError, OSError, KeyError, IndexError, _core.StoreError, _core.SceneError) as error:
        sys.exit(f"moreau: {error.args[0] if isinstance(error, KeyError) else error}")
    except ImportError as error:
        sys.exit(f"moreau: {error}; tests need the package python3-scipy, figures python3-matplotlib")
    except KeyboardInterrupt:
        sys.exit(130)
