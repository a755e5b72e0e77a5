"""Levy statistics of strain increments. Combe 2001, sec. 4.3 and annex A."""

import numpy as np
from scipy import integrate

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, after, biaxial, compacted, costs, each, further, hill, opened, unjudged

SAMPLES = {1024: 20, 1936: 5, 3025: 3}  # of the full form
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


def walked(run: mo.Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q and axial strain after every event of a run, and the volume gained in each."""
    events = opened(run)
    if not events.rows:
        return np.array([]), np.array([]), np.array([])
    upright, across = (np.asarray(events[f"strain_{name}"]) for name in ("upright", "across"))
    return np.asarray(events["load_upright"]) - 1.0, upright, np.diff(np.concatenate([[0.0], (1 - upright) * (1 - across) - 1]))


class Path:
    """Axial strain gained in windows of q of one sample; windows without an event are left out, as the thesis does."""

    def __init__(self, lab: Laboratory, count: int, seed: int, to: float):
        self.count, self.seed, self.to = count, seed, to
        run = biaxial(lab, count, seed)
        self.q, self.strain, self.volume = walked(run)
        self.reached = run.summary["run"]["unconverged_steps"] == 0
        if self.reached:  # and on from there; strains of the second run are those of the sample as it was then
            run = further(lab, count, seed, to)
            q, strain, volume = walked(run)
            so_far = self.strain[-1] if len(self.strain) else 0.0
            self.q, self.strain = np.concatenate([self.q, q]), np.concatenate([self.strain, 1 - (1 - so_far) * (1 - strain)])
            self.volume = np.concatenate([self.volume, volume])
            self.reached = run.summary["run"]["unconverged_steps"] == 0
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
    with lab.axes(section, "windows.svg", "Share of windows with more axial strain; dashed: slope -0.53.", xlabel="axial strain of a window", ylabel="share above",
                  xscale="log", yscale="log") as axes:
        for n, values in pooled.items():
            if len(values):
                axes.plot(np.sort(values), 1 - np.arange(len(values)) / len(values), label=f"N = {n}")
        axes.plot([TAIL, 1e-3], [0.5, 0.5 * (1e-3 / TAIL) ** -0.53], "k--", label="slope -0.53")
    return section


class Climb:
    """Axial strain gained per window of q while q grows steadily by soft dynamics; the length is sampled once per unit of time."""

    def __init__(self, run: mo.Run, axis: str, per_window: int):
        load = run.measures["load"]
        length = load[f"length_{axis}"][load["phase"] == "climb"]
        self.windows = -np.diff(np.log(length[::per_window]))
        self.run = run


def planned_discs(lab: Laboratory) -> dict[int, range]:
    return {36: range(1, 2)} if lab.quick else lab.samples({1024: 5})


def planned_balls(lab: Laboratory) -> dict[int, range]:
    return {} if lab.quick else lab.samples({1372: 5})


def climb_of_discs(lab: Laboratory, n: int, seed: int) -> mo.Run:
    short = {"phase[yield].duration": 2.0, "phase[yield].step": 1e-4, "phase[yield].soft.level": 1e4, "phase[climb].duration": 6.0} if lab.quick else {}
    return after(lab, f"soft-{n}-{seed}", compacted(lab, n, seed), "combe-levy/soft", short)


def climb_of_balls(lab: Laboratory, n: int, seed: int) -> mo.Run:
    return lab.run(f"balls-{n}-{seed}", lab.scene("balls", {"seed": seed, "grains.count": n}))


def soft(lab: Laboratory, paths) -> Section:
    section = Section("C14, C28: soft dynamics, balls", [
        "q grows by 1e-3 per unit of time (sqrt(m/p) of a disc of diameter 1 is 0.9) under a drag, where the thesis takes steps of 1e-3 and waits for rest. Below 5e-6 windows are "
        "elastic and not compared."])
    discs = planned_discs(lab)
    for n, seeds in discs.items():
        climbs = [Climb(climb_of_discs(lab, n, seed), "y", 2) for seed in seeds]
        section.rows.append(tail_row(f"C14, N = {n}, soft discs, kappa = {1e4 if lab.quick else 1e5:g}", climbs, n))
        section.rows += costs(lab, {n: [c.run for c in climbs]}, "soft, to the last q")
        one = np.concatenate([c.windows for c in climbs])
        two = np.concatenate([p.windows(WINDOW) for p in paths[n]]) if n in paths else np.array([])
        one, two = one[one > TAIL], two[two > TAIL]
        if min(len(one), len(two)) >= 20:
            p = mo.ks_test(one, two).pvalue
            section.rows.append(stated(f"C14, N = {n}: soft and geometric windows above 5e-6 have the same law", "P > 0.05", f"P = {p:.3f}", p > 0.05, "P > 0.05"))
    if not discs:
        section.rows.append(not_run("C14: tail exponent by soft dynamics, kappa = 1e5", "0.53 ± 0.05, same law as the geometric method", "samples of 1024 discs were left out"))
    balls = planned_balls(lab)
    for n, seeds in balls.items():
        climbs = [Climb(climb_of_balls(lab, n, seed), "z", 2) for seed in seeds]
        section.rows.append(tail_row(f"C28, {n} balls, kappa = 1e4", climbs, n))
    if not balls:
        section.rows.append(not_run("C28: tail exponent of 10 x 1372 balls, kappa = 1e4", "0.53", "full form with --largest above 1371 only"))
    return section


def tail_row(name: str, climbs, n: int) -> Row:
    windows = np.concatenate([c.windows for c in climbs])
    mu, error, count = hill(windows, TAIL)
    if count < 2:
        return not_run(f"{name}: tail exponent mu", "0.53 ± 0.05", f"{count} of {len(windows)} windows above 5e-6")
    row = compared(f"{name}: mu (standard error {error:.2f}, {count} of {len(windows)} windows, {len(climbs)} samples)", 0.53, mu, 0.13)
    return row if n >= SMALLEST and count >= 20 and len(climbs) >= FEWEST else unjudged(row)


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
    volume = np.concatenate([p.volume for p in group])
    if len(volume) >= 20:
        section.rows.append(measured(f"C17, N = {n}: share of dilatant increments, 0 < q <= {to:g} ({len(volume)} increments)",
                                     [float((p.volume > 0).mean()) for p in group if len(p.volume)], "0.975 (0 < q <= 0.18; see combe-biaxial-rigid)"))
    with lab.axes(section, "staircases.svg", f"N = {n}: deviator against axial strain, every sample.", xlabel="axial strain", ylabel="q") as axes:
        for p in paths[n]:
            axes.step(np.concatenate([[0], p.strain]), np.concatenate([[0], p.q]), where="post")
    return section


def reproduce(lab: Laboratory) -> Report:
    planned = {64: range(1, 4)} if lab.quick else lab.samples(SAMPLES)
    yielding = lab.takes("C28")
    lab.ahead([*each(planned_balls(lab) if yielding else {}, lambda n, seed: climb_of_balls(lab, n, seed)),
               *each(planned_discs(lab) if yielding else {}, lambda n, seed: climb_of_discs(lab, n, seed)),
               *each(planned, lambda n, seed: Path(lab, n, seed, 0.3 if lab.quick else TO))])
    paths = {n: [Path(lab, n, seed, 0.3 if lab.quick else TO) for seed in seeds] for n, seeds in planned.items()}
    made = ", ".join(f"{len(group)} of {n} discs" for n, group in paths.items())
    short = [f"{n}/{p.seed}" for n, group in paths.items() for p in group if not p.reached]
    return Report(
        protocol=[f"Samples: {made}, compacted as in combe-compaction, loaded to q = {0.3 if lab.quick else TO:g} by the geometric method. Paths that did not "
                  "reach it: " + (", ".join(short) or "none") + "."],
        choices=[f"A verdict on a tail needs 20 values in it; on a mean {FEWEST} samples."],
        sections=[law(), tails(lab, paths), lab.section("C28", "C14, C28: soft dynamics, balls", lambda: soft(lab, paths)), response(lab, paths)])


if __name__ == "__main__":
    main(reproduce)
