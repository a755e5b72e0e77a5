#!/usr/bin/python3
"""Writes docs/experiments.md from the results of `moreau reproduce`.

    experiments_page.py FOLDER ...    takes over results.json and the figures of these folders (each made by `moreau reproduce NAME
                                      --out FOLDER`) into docs/experiments/NAME, then writes the page from all that is there

A part that was left out this time (--without) and is on the page already stays there, with the program that made it.

Standard library only.
"""
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "experiments"
ORDER = ["conical-pile", "stone-arch", "corner-circulation", "segregation", "shaken-cylinder", "classics", "indeterminacy", "alart",
         "combe-isostatic", "combe-compaction", "combe-biaxial-rigid", "combe-levy", "combe-biaxial-friction", "combe-shear"]

HEAD = """\
# Published experiments

Made by `scripts/experiments_page.py` from what `moreau reproduce NAME` wrote; numbers are in `docs/experiments/NAME/results.json`.
Protocols, and what the papers leave open, are in [experiments/](../experiments). A verdict compares by the rule beside it; *shown* means
that nothing was published to compare with, or that samples were too few or too small to judge; *not run* that it was not computed, and why. Numbers that disagree stand as they are.
Each section names the program that made it, and parts of it that are older name theirs. Those that do not say how many steps did not converge (OLDER) were made before errors of steps were
estimated and tolerances became relative to what a step brings. They are to be made anew: their scripts have more seeds and rows today, and other rules. Until then the page
leaves out rows of theirs that could not fail or were counted twice, and judges the others by the rules of today. Sections other than those named next were made before small gaps were left as they are under the predictive rule (theory, section 8).

Made lately: alart, classics, indeterminacy, shaken-cylinder, stone-arch and C22 of combe-biaxial-friction; just before structures beside a packing were told apart, combe-compaction, corner-circulation and segregation; before them combe-biaxial-rigid and combe-levy, since when a drag (`damping`, which the preparations of the thesis' samples have) is taken together with weight, and elastic phases
under stress refer to sizes at the end of a step. All other sections were made before blocks passed corners that do not hold
them, before what is driven started without a kick, and before packings were swept up to 4000 times.

    moreau reproduce                  # lists the experiments
    moreau reproduce NAME             # full form: page and runs in reproduce-NAME/; interrupted, the same command goes on
    moreau reproduce NAME --jobs 8    # experiments of Combe's thesis: samples side by side, in 8 processes; the same results
    moreau reproduce NAME --quick     # reduced form, seconds; the tests run it

"""

# Of sections made before steps were certified, with the rules that their scripts have today: verdict and rule, or None for rows
# that are no longer made. A section made anew needs none of this.
JUDGED_TODAY = {
    "conical-pile": {
        "largest speed while pouring [cm/s]": ("shown", None),  # one instant; the script compares with the spread of many
        "Published and computed: contacts per grain": None,  # the number of contacts again
        "reciprocity of cuts while pouring: mean residual": None,  # the paper says nothing of it
    },
}


def is_older(results):
    return "steps" not in results and results["experiment"] in JUDGED_TODAY


def rows_of(results):
    if not is_older(results):
        return results["rows"]
    rows = []
    for row in results["rows"]:
        table = JUDGED_TODAY[results["experiment"]]
        key = f"{row['section']}: {row['quantity']}"
        judged = table.get(key if key in table else row["quantity"], (row["verdict"], row.get("rule")))
        if judged is not None:
            verdict, rule = judged
            rows.append({**row, "verdict": verdict, **({"rule": rule} if rule else {})})
            if not rule:
                rows[-1].pop("rule", None)
    return rows


CALL = ("command", "version", "cpu_seconds", "steps", "unconverged_steps")  # what the page says of the calls that made its parts


def by_section(rows):
    sections = {}
    for row in rows:
        sections.setdefault(row["section"], []).append(row)
    return sections


def left_out(rows):
    return all(row["verdict"] == "not run" and "left out by --without" in row["computed"] for row in rows)


def keep_earlier(results, before):
    """The rows of `results`; parts that were left out are those of `before`, a full form, where it has them."""
    earlier = {} if before["quick"] else by_section(before["rows"])
    rows = []
    for title, new in by_section(results["rows"]).items():
        kept = earlier.get(title, new) if left_out(new) else new
        rows += new if left_out(kept) or kept is new else [{"made_by": before["version"]} | row for row in kept]
    return rows


def take_over(folder):
    results = json.loads((folder / "results.json").read_text())
    target = TARGET / results["experiment"]
    before = json.loads((target / "results.json").read_text()) if (target / "results.json").exists() else None
    if before:
        results["rows"] = keep_earlier(results, before)
        kept = {row["made_by"] for row in results["rows"] if "made_by" in row}
        results["earlier"] = [call for call in [*before.get("earlier", []), {key: before.get(key, 0) for key in CALL}] if call["version"] in kept]
    if not any("made_by" in row for row in results["rows"]):
        shutil.rmtree(target, ignore_errors=True)  # figures of parts that are kept stay
    target.mkdir(parents=True, exist_ok=True)
    for verdict in ("agrees", "differs", "shown", "not run"):
        results[verdict.replace(" ", "_")] = sum(row["verdict"] == verdict for row in results["rows"])
    (target / "results.json").write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    for figure in sorted((folder / "figures").glob("*")):
        shutil.copy(figure, target)


def cell(text):
    return text.replace("|", "\\|")


def section(name):
    results = json.loads((TARGET / name / "results.json").read_text())
    rows = rows_of(results)

    def count(verdict):
        return sum(row["verdict"] == verdict for row in rows)

    lines = [f"## {name}", "", f"{results['source']}. `{results['command']}`, moreau {results['version']}, {results['seconds']:.0f} s"
             + (f", {results['cpu_seconds']:.0f} s of CPU" if "cpu_seconds" in results else "") + "; "
             f"{count('agrees')} agree, {count('differs')} differ, {count('shown')} shown" + (f", {count('not run')} not computed" if count("not run") else "") + "."
             + (" **To be made anew** (see above)." if is_older(results) else "") + (" **Reduced form.**" if results["quick"] else ""), ""]
    if results.get("steps"):  # of runs; what is computed otherwise is judged row by row
        lines += [f"{results['unconverged_steps']} of {results['steps']} steps did not converge; "
                  + (f"worst certified error {results['worst_error']:.1e}, " if "worst_error" in results else "") + f"worst relative residual "
                  f"{results['worst_residual']:.1e}, worst momentum still owed {results['worst_unbalanced']:.1e}, deepest overlap "
                  f"{results['worst_penetration']:.1e} of a diameter.", ""]
        lines += [f"- {cell(warning)}" for warning in results["warnings"]]
    lines += [f"\nParts of {call['version']}: `{call['command']}`, {call['cpu_seconds']:.0f} s of CPU; {call['unconverged_steps']} of {call['steps']} steps did not converge."
              for call in results.get("earlier", [])]
    title = None
    for row in rows:
        if row["section"] != title:
            title = row["section"]
            lines += ["", f"**{title}**" + (f" (made by {row['made_by']})" if "made_by" in row else ""), "", "| quantity | published or exact | computed | verdict |", "|---|---|---|---|"]
        rule = f" ({row['rule']})" if "rule" in row else ""
        lines.append(f"| {cell(row['quantity'])} | {cell(row['published'])} | {cell(row['computed'])} | {row['verdict']}{cell(rule)} |")
    lines.append("")
    for figure in sorted((TARGET / name).glob("*.*")):
        if figure.suffix in (".png", ".svg"):
            lines.append(f"![{figure.stem}](experiments/{name}/{figure.name})")
    return "\n".join(lines) + "\n"


def main(folders):
    for folder in folders:
        take_over(pathlib.Path(folder))
    present = [name for name in ORDER if (TARGET / name / "results.json").exists()]
    older = [name for name in present if is_older(json.loads((TARGET / name / "results.json").read_text()))]
    head = HEAD.replace("(OLDER)", f"({', '.join(older)})")
    (ROOT / "docs" / "experiments.md").write_text(head + "\n".join(section(name) for name in present))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
