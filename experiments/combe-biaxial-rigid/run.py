"""Biaxial test of rigid frictionless discs: plateaus and events. Combe 2001, chapter 4."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, mean_of, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, after, against, biaxial, compacted, costs, each, hill, interval, last_load, list_of, loaded, opened, power, statics, told, unjudged

SAMPLES = {1024: 20, 1936: 8, 3025: 5, 4900: 3}  # of the full form
STATES = {1024: (11.5, 4.5), 1936: (26.1, 7.0), 3025: (43.6, 6.8), 4900: (66.6, 8.0)}  # to reach q = 0.02 (p. 133)
TAIL = 5e-6  # strain, at N = 1024, above which the law of increments is a power


class Test:
    """Events of one sample: q at each, increments of q (plateaus), of axial and volumetric strain."""

    def __init__(self, lab: Laboratory, count: int, seed: int):
        self.count, self.seed, self.to = count, seed, last_load(lab)
        self.start, self.run = compacted(lab, count, seed), biaxial(lab, count, seed)
        e = opened(self.run)
        if not e.rows:
            e = mo.Table({key: [] for key in ("load_upright", "strain_upright", "strain_across", "lost", "gained", "contacts", "freedoms",
                                              "lost_weak", "gained_weak", "energy_released", "imbalance", "opened_a", "opened_b", "list_changes")})
        self.q = np.asarray(e["load_upright"]) - 1.0
        self.plateau = np.diff(np.concatenate([[0.0], self.q]))
        self.upright, across = np.asarray(e["strain_upright"]), np.asarray(e["strain_across"])
        self.axial = np.diff(np.concatenate([[0.0], self.upright]))
        self.width = 1 - np.concatenate([[0.0], across])[:-1]  # before each event, over that at the beginning
        # Dilatancy positive: both lengths enter, to the second order too.
        self.volume = np.diff(np.concatenate([[0.0], (1 - self.upright) * (1 - across) - 1]))
        self.lost, self.gained = np.asarray(e["lost"]), np.asarray(e["gained"])
        self.energy, self.events = np.asarray(e["energy_released"]), e
        # The phase ends at q = to only if every event found its way.
        self.reached = self.run.summary["run"]["unconverged_steps"] == 0

    def opened(self) -> np.ndarray:
        """Angles of the contacts between discs that opened first, from where the discs were before the path."""
        a, b = (np.asarray(self.events[key]).astype(int) for key in ("opened_a", "opened_b"))
        a, b = a[b >= 0], b[b >= 0]
        branch = self.run.frames[-2].position[a] - self.run.frames[-2].position[b]
        return np.arctan2(branch[:, 1], branch[:, 0])

    def states(self, q: float) -> int:
        return int((self.q <= q).sum()) + 1  # the plateau in which q is reached counts


def size_law(quantity, published, error, tolerance, tests, exponent) -> Row:
    """Exponent of a power of N, with its confidence interval over samples: judged over three sizes of the thesis, shown over any three."""
    sizes = sizes_of(tests)
    if len(sizes) < 3:
        return not_run(quantity, f"{published} ± {error}", "needs three sizes")
    groups = {n: tests[n] for n in sizes}
    low, high = interval(groups, exponent)
    row = compared(f"{quantity} (95 % from {low:.2f} to {high:.2f}, N = {', '.join(map(str, sizes))})", published, exponent(groups), tolerance)
    return row if min(sizes) >= SMALLEST else unjudged(row)


def sizes_of(tests) -> list[int]:
    """Those of the thesis if there are three of them, or else all: sizes with events."""
    sizes = [n for n, group in tests.items() if sum(len(t.q) for t in group) >= 3]
    large = [n for n in sizes if n >= SMALLEST]
    return large if len(large) >= 3 else sizes


def falling(tests, value_and_error) -> float:
    """p of a quantity ~ N^-p."""
    found = {n: value_and_error(group) for n, group in tests.items()}
    return -power(list(found), [v for v, _ in found.values()], [e for _, e in found.values()])[0]


def plateau_of(group) -> tuple[float, float]:
    """Mean plateau, q walked over the number of events, and its error."""
    walked, events = sum(t.to if t.reached else t.q[-1] for t in group if t.reached or len(t.q)), sum(len(t.q) for t in group)
    return walked / max(events, 1), walked / max(events, 1) ** 1.5


def median_of(group) -> tuple[float, float]:
    """Median increment of axial strain, and its error as if they were distributed by a log-normal law."""
    pooled = np.concatenate([t.axial for t in group])
    median = float(np.median(pooled))
    return median, median * 1.2533 * float(np.std(np.log(pooled[pooled > 0]))) / len(pooled) ** 0.5


def collapse(tests) -> float:
    """The exponent beta with which N^beta brings the increments of all sizes nearest to one law: the least sum of Kolmogorov's distances of all pairs."""
    pooled = {n: np.sort(np.concatenate([t.axial for t in group])) for n, group in tests.items()}
    sizes = list(pooled)

    def distance(beta):
        total = 0.0
        for k, a in enumerate(sizes):
            for b in sizes[k + 1:]:
                one, two = pooled[a], pooled[b] * (b / a) ** beta
                both = np.concatenate([one, two])
                total += np.abs(np.searchsorted(one, both, "right") / len(one) - np.searchsorted(two, both, "right") / len(two)).max()
        return total

    grid = np.arange(1.5, 2.8, 0.02)
    return float(grid[np.argmin([distance(beta) for beta in grid])])


def tail_of(tests) -> float:
    """mu over all sizes, increments rescaled."""
    return hill(np.concatenate([t.axial * (n / 1024) ** 2.11 for n, group in tests.items() for t in group]), TAIL)[0]


def plateaus(lab: Laboratory, tests) -> Section:
    section = Section("C12, C13, C43: plateaus", ["States passed until q = 0.02, lengths of plateaus for 0 < q <= 0.05. The mean is q walked over the number of events, which the "
                                                  "last plateau of a path, cut by its end, does not shorten."])
    for n, group in tests.items():
        if n in STATES:
            published, deviation = STATES[n]
            values = [t.states(0.02) for t in group if t.to >= 0.02 and t.reached]
            tolerance = 2 * deviation / max(len(values), 1) ** 0.5 + 0.1 * published
            section.rows.append(against(f"C12, C43, N = {n}: states to reach q = 0.02", published, values, tolerance, n))
        pooled = np.concatenate([t.plateau for t in group])
        if len(pooled) < 3:
            continue
        mean = mean_of(pooled)
        plateau, error = plateau_of(group)
        section.rows += [
            Row(f"C12, N = {n}: mean plateau, q walked over events ({len(pooled)} events, {len(group)} samples)", f"{4.37 * n**-1.13:.3g}",
                f"{plateau:.3g} ± {error:.1g}", computed_value=plateau, standard_error=error),
            Row(f"C12, N = {n}: standard deviation over mean", "1 (exponential)", f"{mean.deviation / mean.mean:.2f}")]
        if len(pooled) >= 20:
            p = mo.ks_test(pooled / mean.mean, "expon").pvalue
            q = np.concatenate([t.q for t in group])
            row = stated(f"C12, N = {n}: plateaus exponential, independent of q", "accepted; no correlation",
                         f"P = {p:.3f}; correlation {np.corrcoef(pooled, q)[0, 1]:.2f}, {len(pooled)**-0.5:.2f} by chance", p > 0.05, "P > 0.05")
            section.rows.append(row if n >= SMALLEST else unjudged(row))
    section.rows.append(size_law("C13: exponent alpha of the mean plateau", 1.13, 0.06, 0.125, tests, lambda groups: falling(groups, plateau_of)))
    return section


def increments(lab: Laboratory, tests) -> Section:
    section = Section("C13, C14, C36: increments of axial strain", ["Confidence intervals by drawing samples anew with replacement. alpha = beta mu is not imposed anywhere."])
    for n, group in tests.items():
        pooled = np.concatenate([t.axial for t in group])
        if len(pooled) < 3:
            continue
        scaled = pooled * (n / 1024) ** 2.11
        mu, error, count = hill(scaled, TAIL)
        section.rows += [
            measured(f"N = {n}: median increment, rescaled by (N/1024)^2.11", float(np.median(scaled))),
            Row(f"C36, N = {n}: share of rescaled increments above 5e-6", "0.32",
                f"{(scaled > TAIL).mean():.3f} ± {(scaled > TAIL).std() / len(scaled) ** 0.5:.3f} ({len(scaled)} increments)")]
        if count >= 20:
            low, high = interval({n: group}, tail_of)
            row = compared(f"C14, N = {n}: tail exponent mu (standard error {error:.2f}, 95 % from {low:.2f} to {high:.2f} over samples, {count} increments)", 0.52, mu, 0.13)
            section.rows.append(row if n >= SMALLEST else unjudged(row))
        else:
            section.rows.append(not_run(f"C14, N = {n}: tail exponent mu", "0.52 ± 0.05", f"{count} increments above 5e-6 are too few"))
    section.rows += [size_law("C13: exponent beta of the median increment", 2.11, 0.02, 0.2, tests, lambda groups: falling(groups, median_of)),
                     size_law("C13: exponent beta by the best collapse of the laws of all sizes", 2.11, 0.02, 0.2, tests, collapse),
                     size_law("C14: tail exponent mu, all sizes together", 0.52, 0.05, 0.13, tests, tail_of),
                     size_law("alpha - beta mu, the three found separately (beta of the medians)", 0.0, 0.1, 0.15, tests,
                              lambda groups: falling(groups, plateau_of) - falling(groups, median_of) * tail_of(groups))]
    sizes = [n for n in tests if n >= SMALLEST]
    for k, a in enumerate(sizes):
        for b in sizes[k + 1:]:
            one, two = (np.concatenate([t.axial for t in tests[n]]) * (n / 1024) ** 2.11 for n in (a, b))
            one, two = one[one > TAIL], two[two > TAIL]
            if min(len(one), len(two)) >= 20:
                p = mo.ks_test(one, two).pvalue
                section.rows.append(stated(f"C14, rescaled increments above 5e-6, N = {a} and {b}: the same law", "yes", f"P = {p:.3f}", p > 0.05, "P > 0.05"))
    with lab.axes(section, "increments.svg", "Share of increments of axial strain above, rescaled by (N/1024)^2.11; dashed: slope -0.52.",
                  xlabel="rescaled increment of axial strain", ylabel="share above", xscale="log", yscale="log") as axes:
        for n, group in tests.items():
            values = np.sort(np.concatenate([t.axial for t in group]) * (n / 1024) ** 2.11)
            if len(values):
                axes.plot(values, 1 - np.arange(len(values)) / len(values), label=f"N = {n}")
        axes.plot([TAIL, 1e-3], [0.32, 0.32 * (1e-3 / TAIL) ** -0.52], "k--", label="slope -0.52")
    return section


def changes(lab: Laboratory, tests) -> Section:
    section = Section("C16, C41: contacts, volume, energy")
    every = [t for group in tests.values() for t in group]
    events = sum(len(t.q) for t in every)
    # The load's force is its stress on the wall as wide as it is by then; volume and strain refer to the sizes at the beginning.
    violation = max((float((t.volume - t.q * t.width * t.axial).max()) for t in every if len(t.q)), default=0.0)
    isostatic = all(np.all(t.events["contacts"] == t.events["freedoms"]) for t in every)
    section.rows += [
        stated(f"C12: potential energy falls at each of {events} events", "always", f"least release {min((t.energy.min() for t in every if len(t.q)), default=0):.1e}",
               all((t.energy > -5e-13).all() for t in every), "above -5e-13, the rounding of the potential energy"),
        stated("contacts = freedoms after every event", "always", "yes" if isostatic else "no", isostatic),
        stated("C41: volume gained at most q times the axial strain, every event", "no violation", f"largest excess {violation:.1e}",
               violation < 1e-9, "within 1e-9: second order of the strain of an event"),
    ]
    for n, group in tests.items():
        axial, volume = (np.concatenate([getattr(t, key) for t in group]) for key in ("axial", "volume"))
        if not len(axial):
            continue
        lost, gained = (np.concatenate([getattr(t, key) for t in group]) for key in ("lost", "gained"))
        section.rows += [measured(f"C16, N = {n}: contacts lost per event", float(lost.mean()), "7.0 (1024)"),
                         measured(f"C16, N = {n}: contacts gained per event", float(gained.mean()), "7.0 (1024)")]
        large = axial * (n / 1024) ** 2.11 > TAIL
        if large.sum() >= 20:
            (slope, _), covariance = np.polyfit(np.log(axial[large]), np.log(np.maximum(lost[large], 1)), 1, cov=True)
            row = compared(f"C16, N = {n}: exponent of the number lost against the increment (standard error {covariance[0, 0] ** 0.5:.2f}, {large.sum()} events)",
                           0.58, float(slope), 0.125)
            section.rows.append(row if n >= SMALLEST else unjudged(row))
        angles = np.concatenate([t.opened() for t in group])
        if len(angles) >= 20:
            wave = np.exp(2j * angles).mean()
            row = stated(f"C16, N = {n}: directions of the contacts that open first (as in the isotropic state)", "d = 0.21, -3 degrees",
                         f"d = {2 * abs(wave):.2f} ± {(2 / len(angles)) ** 0.5:.2f}, {np.degrees(np.angle(wave)) / 2:.0f} degrees ({len(angles)} contacts)",
                         0.1 < 2 * abs(wave) < 0.3 and abs(np.angle(wave)) / 2 < np.radians(15), "d from 0.1 to 0.3, within 15 degrees")
            section.rows.append(row if n >= SMALLEST and len(angles) >= 400 else unjudged(row))
        for kind, published in (("lost", 0.97), ("gained", 0.96)):
            weak, total = (np.array([float(np.sum(t.events[key])) for t in group]) for key in (f"{kind}_weak", kind))
            if total.sum() >= 20:
                share = weak.sum() / total.sum()
                error = np.sqrt(((weak - share * total) ** 2).sum()) / total.sum()  # of a ratio, samples being independent
                row = compared(f"C16, N = {n}: share of weak ones among contacts {kind}, event by event (standard error {error:.3f}, {total.sum():.0f} contacts)",
                               published, float(share), 0.04)
                section.rows.append(row if n >= SMALLEST and len(group) >= FEWEST else unjudged(row))
    return section


def dilatancy(lab: Laboratory, tests) -> Section:
    section = Section("C17: dilatancy", [
        "Per area the load does the work W = q e - v in an event, e and v being the increments of axial strain and of volume, and W > 0 is dissipated: v > 0 exactly where "
        "q > q* = W / e. The share of dilatant increments therefore grows with q. The thesis counts 5233 increments of 51 tests, 102.6 in each, which is the number for q up to 0.18; "
        "its 97.5 % speak of that range. If q* does not depend on q (see the classes), the share over any range follows from the distribution of q*."])
    for n, group in tests.items():
        q, axial, volume = (np.concatenate([getattr(t, key) for t in group]) for key in ("q", "axial", "volume"))
        if len(q) < 20:
            continue
        section.rows.append(measured(f"C17, N = {n}: share of dilatant increments, 0 < q <= {last_load(lab):g}", [float((t.volume > 0).mean()) for t in group if len(t.q)],
                                     "0.975 (0 < q <= 0.18)"))
        edges = last_load(lab) * np.array([0.0, 0.1, 0.2, 0.4, 0.6, 1.0])
        said = [f"{100 * (volume[inside] > 0).mean():.0f} % of {inside.sum()}" for inside in ((q > low) & (q <= high) for low, high in zip(edges, edges[1:])) if inside.any()]
        section.rows.append(Row(f"C17, N = {n}: the same for q up to {', '.join(f'{e:g}' for e in edges[1:])}", "grows with q", ", ".join(said)))

        def expected(tests_of, to=0.18):
            chosen = tests_of[n]
            lost = np.concatenate([t.q - t.volume / t.axial for t in chosen])
            return float(np.clip(1 - np.maximum(lost, 0.0) / to, 0.0, 1.0).mean())

        low, high = interval({n: group}, expected)
        row = compared(f"C17, N = {n}: share expected over 0 < q <= 0.18 from the distribution of q* (95 % from {low:.3f} to {high:.3f})", 0.975, expected({n: group}), 0.025)
        section.rows.append(row if n >= SMALLEST and len(group) >= FEWEST else unjudged(row))
        half = [axial <= np.median(axial), axial > np.median(axial)]
        section.rows.append(Row(f"C17, N = {n}: dilatant among the smaller and the larger half of increments", "contraction goes with large ones",
                                ", ".join(f"{100 * (volume[h] > 0).mean():.0f} %" for h in half)))
    return section


def staircase(lab: Laboratory, tests) -> Section:
    section = Section("C15: small perturbations", ["From the isotropic state, normals kept: every step opens one contact and closes one, a pivot of a linear "
                                                   "program. That each vertex is the optimum is tested to 1e-10 with the library. Ten steps of every sample; a stretched "
                                                   "exponential P(> x) = exp(-(x / x0)^c) is fitted by maximum likelihood."])
    steps_of = {}
    for n, group in tests.items():
        found = [pivots(lab, n, t.seed) for t in group]
        steps, worked = (sum(f[key] for f in found) for key in ("steps", "worked"))
        increments = np.concatenate([f["increments"] for f in found])
        increments = increments[increments > 0]
        section.rows.append(stated(f"N = {n}: one opening and one closing give a list that bears the load", "always",
                                   f"{worked} of {steps} steps of {len(group)} samples", worked == steps))
        if len(increments) < 3:
            continue
        mean = mean_of(increments)
        steps_of[n] = [np.asarray(f["increments"]) for f in found]
        section.rows.append(Row(f"N = {n}: mean increment of axial strain", "mean exists", f"{mean.mean:.2g} ± {mean.error:.1g} ({mean.count} steps)",
                                computed_value=mean.mean, standard_error=mean.error))
        if len(increments) >= 50:
            exponent, error = stretched(increments)
            row = compared(f"N = {n}: exponent of the stretched exponential (standard error {error:.2f}, {len(increments)} steps)", 0.78, exponent, 0.15)
            section.rows.append(row if n >= SMALLEST and len(group) >= FEWEST else unjudged(row))
    sizes = [n for n in steps_of if n >= SMALLEST] if len([n for n in steps_of if n >= SMALLEST]) >= 3 else list(steps_of)
    if len(sizes) < 3:
        section.rows.append(not_run("exponent beta of the mean increment", "1.99 ± 0.16", "needs three sizes"))
        return section

    def beta(groups):
        return falling(groups, lambda group: mean_of(np.concatenate(group))[::2])

    groups = {n: steps_of[n] for n in sizes}
    low, high = interval(groups, beta)
    row = compared(f"exponent beta of the mean increment (95 % from {low:.2f} to {high:.2f}, N = {', '.join(map(str, sizes))})", 1.99, beta(groups), 0.3)
    section.rows.append(row if min(sizes) >= SMALLEST else unjudged(row))
    return section


def pivots(lab: Laboratory, count: int, seed: int) -> dict:
    start = compacted(lab, count, seed)
    return lab.piece(f"pivots-{count}-{seed}", lambda: first_pivots(start), state=start.summary["state_hash"])


def first_pivots(run: mo.Run) -> dict:
    """The first ten steps with fixed normals: how many there were, how many led to a list that bears the load, increments of axial strain."""
    found = statics(run, "--load", "piston:upright", "--pivots", "10")["pivots"]
    place = [0.0, *(pivot["displacement upright"] for pivot in found)]
    return {"steps": len(found), "worked": sum("endless" not in pivot for pivot in found), "increments": 2 * np.diff(place) / list_of(run.frames[-1]).length[1]}


def stretched(values) -> tuple[float, float]:
    """c of P(> x) = exp(-(x / x0)^c) by maximum likelihood, and its standard error c sqrt(6 / n) / pi (Fisher's information of a Weibull law)."""
    from scipy.stats import weibull_min
    c, _, _ = weibull_min.fit(values, floc=0)
    return float(c), float(c * (6 / len(values)) ** 0.5 / np.pi)


def planned_ways_back(lab: Laboratory) -> dict[int, range]:
    return {64: range(1, 3)} if lab.quick else lab.samples({1024: 5})


def ways_back(lab: Laboratory, count: int, seed: int) -> tuple[mo.Run, mo.Run]:
    """A little load and back, and back from the last load of the biaxial test."""
    return (after(lab, f"unload-little-{count}-{seed}", compacted(lab, count, seed), "combe-biaxial-rigid/unloading"),
            loaded(lab, f"unload-{count}-{seed}", biaxial(lab, count, seed), last_load(lab), 0.0))


def unloading(lab: Laboratory) -> Section:
    section = Section("C40: unloading")
    same, left = [], []
    for count, seed in ((n, seed) for n, seeds in planned_ways_back(lab).items() for seed in seeds):
        run, back = ways_back(lab, count, seed)
        if not run.events.rows:  # q stayed within the first plateau
            frames = list(run.frames)
            same.append(bool(np.array_equal(frames[0].position, frames[-1].position)))
        lengths = [list_of(one.frames[-1]).length[1] for one in (compacted(lab, count, seed), back)]
        left.append(float(1 - lengths[1] / lengths[0]))
    if left:
        section.rows = [stated("within a plateau: positions after loading and unloading", "identical", f"identical in {sum(same)} of {len(same)} samples", all(same)),
                        stated("after list changes: axial strain left at q = 0", "not zero, every sample", told(left), all(abs(x) > 1e-9 for x in left))]
        if lab.quick:  # a small sample may find its way back
            section.rows[1] = unjudged(section.rows[1])
    else:
        section.rows = [not_run("C40: unloading", "reversible within a plateau, not after", "no sample was made")]
    return section


def reproduce(lab: Laboratory) -> Report:
    planned = {64: range(1, 3), 100: range(1, 2)} if lab.quick else lab.samples(SAMPLES)
    lab.ahead([*each(planned, lambda n, seed: biaxial(lab, n, seed)), *each(planned_ways_back(lab) if lab.takes("C40") else {}, lambda n, seed: ways_back(lab, n, seed)),
               *each(planned, lambda n, seed: pivots(lab, n, seed))])
    tests = {n: [Test(lab, n, seed) for seed in seeds] for n, seeds in planned.items()}
    made = ", ".join(f"{len(group)} of {n} discs" for n, group in tests.items())
    ended = [f"{n}/{t.seed}" for n, group in tests.items() for t in group if not t.reached]
    sections = [plateaus(lab, tests), increments(lab, tests), changes(lab, tests), dilatancy(lab, tests), staircase(lab, tests),
                lab.section("C40", "C40: unloading", lambda: unloading(lab))]
    sections.append(Section("Cost", rows=costs(lab, {n: [t.start for t in group] for n, group in tests.items()}, "compacted")
                            + costs(lab, {n: [t.run for t in group] for n, group in tests.items()}, f"followed to q = {last_load(lab)}")))
    sections.append(Section("Not computed", rows=[
        not_run("C14: soft dynamics beside it; C36: median axial strain at q = 0.1", "same tail above 5e-6; about 0.0036 (derived)", "see combe-levy, whose paths go to 0.1")]))
    return Report(
        protocol=[f"Samples: {made}, compacted as in combe-compaction, then q raised to {last_load(lab)} at p = 1 by the geometric quasi-static "
                  "method. Paths that did not reach it: " + (", ".join(ended) or "none") + "."],
        choices=[f"A mean gets a verdict from {FEWEST} samples on. alpha and beta are fitted separately; alpha = beta mu is not imposed.",
                 "States to reach q are events before it and the plateau in which it lies; the thesis may not count that one."],
        sections=sections)


if __name__ == "__main__":
    main(reproduce)
