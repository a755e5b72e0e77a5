"""Levy statistics of strain increments. Combe 2001, sec. 4.3 and annex A."""

import numpy as np
from scipy import integrate

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, hill, scene

SAMPLES = {100: 20, 256: 12, 1024: 20, 1936: 5, 3025: 3}  # of the full form
WINDOW, TO, TAIL = 2e-3, 0.1, 5e-6  # windows of q, last q, strain above which the law is a power


def stable(x):
    """L_1/2: one-sided law with P(> x) ~ x^-1/2 (eq. 4.12)."""
    return 0.5 * x**-1.5 * np.exp(-np.pi / (4 * x))


def law() -> Section:
    norm, _ = integrate.quad(lambda t: 2 * t * stable(t * t), 0, np.inf)  # x = t²: integrable at infinity
    section = Section("C30: the law L_1/2 and the level of stiffness of spheres", rows=[compared("integral of L_1/2", 1.0, norm, 1e-3)])
    for u in (0.1, 1.0, 5.0):
        found, _ = integrate.quad(lambda t: 2 * t * stable(t * t) * np.exp(-u * t * t), 0, np.inf, limit=200)
        section.rows.append(compared(f"Laplace transform at u = {u:g}: exp(-sqrt(pi u))", float(np.exp(-np.sqrt(np.pi * u))), found, 1e-3))
    # Sums of M numbers with P(> x) = x^-1/2, over M²: the law itself, M to infinity.
    random = np.random.default_rng(1)
    sums = (random.random((2000, 400)) ** -2.0).sum(axis=1) / 400**2
    from scipy.special import erfc
    p = mo.ks_test(sums, lambda x: erfc(np.sqrt(np.pi / (4 * np.maximum(x, 1e-12))))).pvalue
    section.rows.append(stated("sums of 400 numbers with P(> x) = x^-1/2 over 400² (2000 sums)", "distributed by L_1/2", f"P = {p:.3f}", p > 0.01, "P > 0.01"))
    for pressure, published in ((1e5, 5662.0), (1e6, 1220.0)):
        level = (3 * np.pi / (8 * (1 - 0.3**2) ** 2 * 0.64 * 6)) ** (1 / 3) * (70e9 / pressure) ** (2 / 3)
        section.rows.append(compared(f"level of stiffness of glass beads at {pressure / 1e3:g} kPa (eq. A.12)", published, level, 1e-3 * published))
    return section


class Path:
    """Axial strain gained in windows of q of one sample; windows without an event are left out, as the thesis does."""

    def __init__(self, lab: Laboratory, count: int, seed: int, to: float):
        settings = {"phase[load].piston.stress": {"times": [0.0, 1.0], "values": [1.0, 1.0 + to]}}
        run = lab.run(f"biaxial-{count}-{seed}", scene(lab, count, seed, settings, "combe-biaxial-rigid/biaxial"))
        self.count, self.seed, self.to, events = count, seed, to, run.events
        self.reached = run.summary["run"]["unconverged_steps"] == 0
        self.q = np.asarray(events["load_upright"]) - 1.0 if events.rows else np.array([])
        self.strain = np.asarray(events["strain_upright"]) if events.rows else np.array([])
        self.single = np.diff(np.concatenate([[0.0], self.strain]))

    def windows(self, width: float) -> np.ndarray:
        which = np.floor(self.q / width).astype(int)
        return np.array([self.single[which == k].sum() for k in np.unique(which)])

    def at(self, q: float) -> float:
        before = self.q <= q
        return float(self.strain[before][-1]) if before.any() else 0.0


def tails(lab: Laboratory, paths) -> Section:
    section = Section("C14: tails of strain increments, geometric method", [
        f"Axial strain gained in windows of {WINDOW:g} of q, 0 < q <= {TO:g}; windows without an event are left out. Exponents by maximum likelihood above "
        "5e-6."])
    pooled = {}
    for n, group in paths.items():
        pooled[n] = np.concatenate([p.windows(WINDOW * (25 if lab.quick else 1)) for p in group])
        mu, error, count = hill(pooled[n], TAIL)
        if count >= 20 and n >= SMALLEST:
            section.rows.append(compared(f"N = {n}: mu (standard error {error:.2f}, {count} of {len(pooled[n])} windows, {len(group)} samples)", 0.53, mu, 0.13))
        else:
            section.rows.append(Row(f"N = {n}: mu ({count} of {len(pooled[n])} windows, {len(group)} samples)", "0.53 ± 0.05", f"{mu:.2f} ± {error:.2f}",
                                    rule="too few for a verdict", computed_value=mu))
    sizes = list(pooled)
    tested = False
    for k, a in enumerate(sizes):
        for b in sizes[k + 1:]:
            one, two = (v[v > TAIL] for v in (pooled[a], pooled[b]))
            if min(len(one), len(two)) >= 20 and a >= SMALLEST:
                p, tested = mo.ks_test(one, two).pvalue, True
                section.rows.append(stated(f"windows above 5e-6, N = {a} and {b}: the same law", "P from 0.07 to 0.98", f"P = {p:.3f}", p > 0.05, "P > 0.05"))
    if not tested:
        section.rows.append(not_run("windows above 5e-6: the same law for all sizes", "P from 0.07 to 0.98", "needs two sizes with 20 such windows each"))
    section.rows.append(not_run("C14: the same by soft dynamics, kappa = 1e5", "0.53 ± 0.05, same law as the geometric method", "not run yet"))
    with lab.axes(section, "windows.svg", "Share of windows with more axial strain; dashed: slope -0.53.", xlabel="axial strain of a window", ylabel="share above",
                  xscale="log", yscale="log") as axes:
        for n, values in pooled.items():
            if len(values):
                axes.plot(np.sort(values), 1 - np.arange(len(values)) / len(values), label=f"N = {n}")
        axes.plot([TAIL, 1e-3], [0.5, 0.5 * (1e-3 / TAIL) ** -0.53], "k--")
    return section


def response(lab: Laboratory, paths) -> Section:
    section = Section("C36: no response curve")
    n = SMALLEST if SMALLEST in paths else max(paths)
    group = [p for p in paths[n] if p.reached]
    if not group:
        section.rows = [not_run("C36: median axial strain", "0.0036 at q = 0.1 (derived)", "no path reached the last q")]
        return section
    to = group[0].to
    strains = [p.at(to) for p in group]
    row = Row(f"C36, N = {n}: median axial strain at q = {to:g} ({len(group)} samples)", "0.0036 (derived)" if not lab.quick else "not given",
              f"{np.median(strains):.2e}; from {min(strains):.1e} to {max(strains):.1e}", computed_value=float(np.median(strains)))
    if len(group) >= 8 and n >= SMALLEST:
        row = stated(row.quantity, row.published, row.computed, 0.5 < np.median(strains) / 0.0036 < 2, "within a factor 2")
    section.rows.append(row)
    with lab.axes(section, "staircases.svg", f"N = {n}: deviator against axial strain, every sample.", xlabel="axial strain", ylabel="q") as axes:
        for p in paths[n]:
            axes.step(np.concatenate([[0], p.strain]), np.concatenate([[0], p.q]), where="post")
    return section


def carry_out(lab: Laboratory) -> Report:
    planned = {64: range(1, 4)} if lab.quick else lab.samples(SAMPLES)
    paths = {n: [Path(lab, n, seed, 0.3 if lab.quick else TO) for seed in seeds] for n, seeds in planned.items()}
    made = ", ".join(f"{len(group)} of {n} discs" for n, group in paths.items())
    short = [f"{n}/{p.seed}" for n, group in paths.items() for p in group if not p.reached]
    spheres = Section("C28: balls in a periodic cell", rows=[not_run("C28: tail exponent of 10 x 1372 balls, kappa = 1e4", "0.53", "not run yet")])
    return Report(
        protocol=[f"Samples: {made}, compacted as in combe-compaction, loaded to q = {0.3 if lab.quick else TO:g} by the geometric method. Paths that did not "
                  "reach it: " + (", ".join(short) or "none") + "."],
        choices=[f"A verdict on a tail needs 20 values in it; on a mean {FEWEST} samples."],
        sections=[law(), tails(lab, paths), response(lab, paths), spheres])


if __name__ == "__main__":
    main(carry_out)
