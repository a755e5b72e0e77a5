"""``moreau ensemble``: what the runs of sweeps say together. docs/sweeps.md explains it."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import re
import signal
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from . import _core
from .ensemble import Ensemble, ks_test
from .formula import FUNCTIONS, SUMMARIES, FormulaError, evaluate, keep, told
from .measure import measure, quantities
from .program import DoubtfulRun
from .run import Run
from .run import open as open_run
from .sweep import Sweep
from .table import Table

Row = dict[str, Any]
MOST_PLACES = 1_000_000  # of a curve or a histogram


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


def complain(sentence: str) -> None:
    print(f"moreau: {sentence}", file=sys.stderr)


def write_whole(name: str, content: bytes) -> None:
    """The file is whole, or as it was before; devices and pipes are written into, links are followed."""
    file = Path(name).resolve()
    try:
        if file.exists() and not file.is_file():
            file.write_bytes(content)
            return
        handle, beside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            present = os.umask(0)
            os.umask(present)
            os.chmod(beside, file.stat().st_mode & 0o777 if file.exists() else 0o666 & ~present)
            os.replace(beside, file)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        raise FormulaError(f"{name}: cannot be written: {error.strerror}") from None


def tell_unfinished(run: Run) -> None:
    """Of a run that is given by itself; those of a sweep are left out."""
    summary = run.summary
    if summary.get("complete"):
        return
    times = summary.get("time")
    if times is None:
        file = run.path / "series.csv"
        rows = Table.read(file) if file.exists() else Table({})
        times = rows["time"][-1] if rows.rows else 0.0
    duration = run.scene.duration
    complain(f"warning: {run.path} is not finished: it has come to t = {times:.6g}" + (f" of {duration:.6g}" if np.isfinite(duration) else ""))


def tell_left_out(sweep: Sweep) -> None:
    table, counted = sweep.table, sweep._counted()
    status = list(table["status"])
    if counted and status[counted[0]] == "stopped":
        complain(f"warning: {sweep.path}: its runs are not finished: they are taken up to t = {max(table['time'][row] for row in counted):.6g}, where --until has stopped them")
    left = [row for row in range(len(status)) if row not in set(counted)]
    if not left:
        return
    early = [f"{int(table['run'][row]):04d} (t = {table['time'][row]:.6g})" for row in left if status[row] == "stopped"]
    listed = ", ".join(early[:8]) + (", ..." if len(early) > 8 else "")
    complain(f"warning: {sweep.path}: {len(left)} of its {len(status)} runs {'is' if len(left) == 1 else 'are'} not finished and left out"
             + (f"; stopped by --until, and others went farther: {listed}" if early else ""))


def ensembles(folders: list[str], chance: list[str], labels: list[str]) -> list[tuple[str, Row, Ensemble]]:
    """Label, shared values and runs of each."""
    found: list[tuple[str, Row, Ensemble]] = []
    alone: list[Run] = []
    sweeps = [folder for folder in folders if (Path(folder) / "sweep.json").exists()]
    for k, folder in enumerate(sweeps):
        if Path(folder).resolve() in [Path(other).resolve() for other in sweeps[:k]]:
            raise FormulaError(f"{folder} is named twice; accepted: every sweep once")
    for folder in folders:
        if folder not in sweeps:
            alone.append(open_run(folder))
            tell_unfinished(alone[-1])
            continue
        sweep = Sweep(folder)
        tell_left_out(sweep)
        for values, runs in (groups := sweep.ensembles(chance)):
            differing = {key.split(".")[-1]: value for key, value in values.items() if len({str(g[0][key]) for g in groups}) > 1}
            name = ", ".join(f"{key} {value:g}" if isinstance(value, float) else f"{key} {value}" for key, value in differing.items())
            found.append((": ".join(part for part in (Path(folder).name if len(sweeps) > 1 or not name else "", name) if part), values, runs))
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
        columns: Row = dict(Table.read(file))
    elif data in ("contacts", "all-contacts", "bodies"):
        columns = _frame_columns(run, data, options.frame)
    elif data in quantities(run.scene.dimension):
        columns = dict(measure(run.frames[options.frame], data))
    else:
        raise FormulaError(f"--data is '{data}'; accepted: a CSV file of the runs, contacts, all-contacts, bodies, or a quantity of moreau measure --list")
    if len(next(iter(columns.values()), ())) == 0:
        raise FormulaError(f"{run.path}: {data} has no row yet")
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


def key_of_rows(columns: Row, names_only: bool) -> tuple[str, list[str]] | None:
    """The column that tells the rows of one instant apart (wall, region, species, body), and its values there; None where an instant
    has one row, or nothing tells them apart. ``names_only``: columns of text, whose rows are of different things, not of many equal ones."""
    instants = columns.get("step", columns.get("time"))
    if instants is None:
        chosen = np.full(len(next(iter(columns.values()))), True)
    else:
        several, counts = np.unique(np.asarray(instants), return_counts=True)
        chosen = np.asarray(instants) == several[counts.argmax()]
    columns = {name: np.asarray(values)[chosen] for name, values in columns.items() if name not in ("frame", "step", "time", "phase")}
    texts = {name: values for name, values in columns.items() if values.dtype.kind not in "biuf"}
    others = {} if names_only else {name: values for name, values in columns.items() if name not in texts and len(set(values)) == len(values)}
    whole = {name: values for name, values in others.items() if (values == np.floor(values)).all()}  # rather than lengths
    for name, values in {**texts, **whole, **others}.items():
        if len(found := list(dict.fromkeys(str(v) if name in texts else repr(float(v)).removesuffix(".0") for v in values))) > 1:
            return name, found
    return None


def demand_one_thing(run: Run, columns: Row, options: argparse.Namespace, asked: str, names_only: bool) -> None:
    if key := key_of_rows(columns, names_only):
        name, values = key
        listed = ", ".join(values[:8]) + (", ..." if len(values) > 8 else "")
        raise FormulaError(f"{run.path}: {options.data} has rows of several {name} ({listed}) at one instant, and {asked} would mix them; "
                           f"accepted: --only {name}={values[0]}, or another of them")


def telling_apart(columns: Row) -> list[str]:
    """The first columns that together tell all rows apart (instant, ring, layer), without those that are not needed for it."""
    rows = len(next(iter(columns.values())))

    def apart(names: list[str]) -> bool:
        return len(set(zip(*(map(str, columns[name]) for name in names)))) == rows if names else rows == 1

    keys: list[str] = []
    for name in columns:
        if apart(keys):
            break
        if name not in ("frame", "phase") and not (name == "time" and "step" in columns):
            keys.append(name)
    for name in list(reversed(keys)):
        if apart(fewer := [key for key in keys if key != name]):
            keys = fewer
    return keys if apart(keys) else []


def demand_increase(run: Run, columns: Row, x: np.ndarray, options: argparse.Namespace) -> None:
    """A curve goes along x. Rows of several things (instants, rings) that lie behind one another make it go back, or stay."""
    instants = columns.get("step", columns.get("time"))
    keys = [] if instants is None else [key for key in telling_apart(columns) if key not in re.findall(r"\w+", options.x) and len(set(map(str, columns[key]))) > 1]
    if instants is not None and len(set(map(str, instants))) == len(x):
        keys = []  # one row of each instant: x itself goes back
    steps = np.diff(x)
    at = np.flatnonzero(steps < 0) if not set(keys) - {"step", "time"} else np.flatnonzero(steps <= 0)
    if not at.size:
        return
    k = int(at[0])
    way = f"falls from {x[k]:g} to {x[k + 1]:g}" if steps[k] < 0 else f"stays at {x[k]:g}"
    remedy = (f"rows of several {' and '.join(keys)} lie behind one another; accepted: one of each, as " + " ".join(f"--only {key}={columns[key][0]}" for key in keys)
              if keys else "accepted: an --x that increases, or rows in which it does, as --only \"time>28\"")
    raise FormulaError(f"{run.path}: {options.data}: {options.x}, along which the curve goes, {way} after row {k + 1}; {remedy}")


def demand_names(names: list[str], columns: list[str]) -> None:
    """Each value has a column of its own, and one of its error."""
    taken = set(columns)
    for name in names:
        if {name, f"{name}_error"} & taken:
            raise FormulaError(f"--value names '{name}', a column that is there already; accepted: another name")
        taken |= {name, f"{name}_error"}


def means(groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> list[Row]:
    rows = []
    demand_names([told(text)[0] for text in options.value], ["ensemble", "runs", *(key for _, values, _ in groups for key in values)])
    for label, values, runs in groups:
        row: Row = {"ensemble": label, **values, "runs": len(runs)}
        for text in options.value:
            name, function, formula = told(text)

            def number(run: Run) -> float:
                value = float(SUMMARIES[function](evaluate(formula, columns_of(run, options))))
                if not np.isfinite(value):
                    raise FormulaError(f"{run.path}: --value {text} is {value:g}; accepted: a formula that is a finite number there, of all rows or of those that --only keeps")
                return value

            if function not in ("max", "min"):  # of things as different as may be
                for run in runs.runs:
                    demand_one_thing(run, columns_of(run, options), options, f"{function}({formula})", True)
            mean = runs.mean(number)
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
            demand_one_thing(run, columns, options, "a curve", options.x not in ("time", "step"))
            points[run.path] = evaluate(options.x, columns), evaluate(options.curve, columns)
            demand_increase(run, columns, points[run.path][0], options)
        places = np.linspace(max(x[0] for x, _ in points.values()), min(x[-1] for x, _ in points.values()), options.points)
        x, mean, error = runs.curve(lambda run: points[run.path], places, options.smooth)
        rows += [{"ensemble": label, "x": a, "mean": b, "error": c, "runs": len(runs)} for a, b, c in zip(x, mean, error)]
    return rows


def histograms(groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> list[Row]:
    def values(run: Run) -> np.ndarray:
        return evaluate(options.histogram, columns_of(run, options))

    together = np.concatenate([runs.pooled(values) for _, _, runs in groups])
    together = together[np.isfinite(together)]
    if not len(together):
        raise FormulaError(f"--histogram {options.histogram} is nowhere a finite number")
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
            numbers = [float(word) for word in parameters.split(",") if word]
            frozen = law(*numbers)
            if not np.isfinite([*numbers, frozen.cdf(0.0)]).all():  # of a scale below 0 too
                raise ValueError
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


def save(figure: Any, name: str) -> None:
    form = Path(name).suffix.lstrip(".").lower()
    known = figure.canvas.get_supported_filetypes()
    if form not in known:
        raise FormulaError(f"-o is '{name}'; accepted: a name that ends in .png, .pdf or .svg")
    content = io.BytesIO()
    figure.savefig(content, format=form, dpi=150)
    write_whole(name, content.getvalue())


def explain(axis: Any, rows: list[Row], what: str, mark: str, several: bool) -> None:
    """A legend that says what is drawn: over several lines as its title, beside a single one as its name."""
    counts = sorted({row["runs"] for row in rows})
    runs = f"{counts[0]} runs" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} runs"
    words = f"{what} of {runs}; {mark}: ± standard error" if counts[-1] > 1 else "one run each" if several else "one run"
    if several:
        axis.legend(title=words, fontsize="small", title_fontsize="small")
    else:
        handles, _ = axis.get_legend_handles_labels()
        axis.legend(handles[:1], [words], fontsize="small")


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
            label = label or name
            numbers = all(isinstance(row.get(key), (int, float)) for row in own)
            if numbers:
                own.sort(key=lambda row: row[key])
            axis.errorbar([row[key] if numbers else str(row.get(key, "")) for row in own], [row[name] for row in own], np.nan_to_num([row[f"{name}_error"] for row in own]),
                          fmt="o-", ms=4, lw=1, capsize=3, label=label)
        axis.set(ylabel=options.y_label or what_is_told(name, groups, options))
        explain(axis, rows, "mean", "bars", len(lines) > 1)
    axes[-1, 0].set(xlabel=options.x_label or key)
    axes[0, 0].set(title=options.title or "")
    save(figure, options.output)


def with_unit(formula: str, groups: list[tuple[str, Row, Ensemble]], words: str = "") -> str:
    """The formula, or what is said of it, with its unit: of a column whose dimension is known, in the units that the scene names."""
    run = groups[0][2].runs[0]
    letters, names = _core.unit_of_column(formula.strip(), run.scene.dimension), run.units
    unit = "".join({"L": names.get("length"), "M": names.get("mass"), "T": names.get("time")}.get(c, c) or "?" for c in letters)
    return (words or formula) + (f" [{unit}]" if unit and "?" not in unit else "")


def what_is_told(name: str, groups: list[tuple[str, Row, Ensemble]], options: argparse.Namespace) -> str:
    """The name of a value, and how it is got from a run."""
    file = groups[0][2].runs[0].path.parents[1] / "values.json"
    texts = options.value or [entry["value"] for entry in json.loads(file.read_text())]
    _, function, formula = next(value for value in map(told, texts) if value[0] == name)
    return with_unit(formula, groups, f"{name} = {function}({formula})")


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
    explain(axis, rows, "mean" if options.curve else "all values", "band" if options.curve else "bars", len({row["ensemble"] for row in rows}) > 1 or bool(options.label))
    save(figure, options.output)


def cell(row: Row, name: str) -> str:
    value = row.get(name, "")
    if name.endswith("_error") and row.get("runs") == 1:
        return "one run"  # which tells nothing of how runs differ
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def show(rows: list[Row], options: argparse.Namespace) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    if options.csv:
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: repr(value) if isinstance(value := row.get(name, ""), float) else value for name in row} for row in rows)
        write_whole(options.csv, text.getvalue().encode())
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
        if not least <= getattr(options, name) <= MOST_PLACES:
            parser().error(f"--{name} is {getattr(options, name)}; accepted: a whole number from {least} to {MOST_PLACES}")
    if not 0.0 <= options.smooth < np.inf:
        parser().error(f"--smooth is {options.smooth:g}; accepted: a width of x, 0 or more")
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


def sentence_of(error: Exception) -> str:
    if isinstance(error, KeyError):
        return str(error.args[0])
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def to_standard_output(words: list[str]) -> None:
    """Printed at the end and at once: a stream that cannot be written is told in a sentence, not by the interpreter as it ends."""
    said = io.StringIO()
    status: Any = 0
    try:
        with contextlib.redirect_stdout(said):
            main(words)
    except SystemExit as end:
        status = end.code
    try:
        os.fstat(1), sys.stdout.write(said.getvalue()), sys.stdout.flush()
    except (OSError, AttributeError):  # full, or closed: then there is no sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the stream still holds goes there
        sys.exit("moreau: the standard output cannot be written")
    sys.exit(status)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where nobody reads it ends, as the other commands do
    warnings.simplefilter("always", DoubtfulRun)
    warnings.showwarning = lambda message, *_: complain(f"warning: {message}")  # type: ignore[assignment]
    try:
        to_standard_output(sys.argv[1:])
    except (ValueError, OSError, KeyError, IndexError, _core.StoreError, _core.SceneError) as error:
        sys.exit(f"moreau: {sentence_of(error)}")
    except ImportError as error:
        sys.exit(f"moreau: {error}; tests need the package python3-scipy, figures python3-matplotlib")
    except KeyboardInterrupt:
        sys.exit(130)
