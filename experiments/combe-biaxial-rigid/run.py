"""Biaxial test of rigid frictionless discs: plateaus and events. Combe 2001, chapter 4."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, mean_of, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, after, against, biaxial, compacted, costs, hill, last_load, list_of, power, statics, told, unjudged

SAMPLES = {100: 20, 256: 12, 1024: 20, 1936: 6, 3025: 4, 4900: 3}  # of the full form
STATES = {1024: (11.5, 4.5), 1936: (26.1, 7.0), 3025: (43.6, 6.8), 4900: (66.6, 8.0)}  # to reach q = 0.02 (p. 133)
TAIL = 5e-6  # strain, at N = 1024, above which the law of increments is a power


class Test:
    """Events of one sample: q at each, increments of q (plateaus), of axial and volumetric strain."""

    def __init__(self, lab: Laboratory, count: int, seed: int):
        self.count, self.seed, self.to = count, seed, last_load(lab)
        self.start, self.run = compacted(lab, count, seed), biaxial(lab, count, seed)
        e = self.run.events
        if not e.rows:
            e = mo.Table({key: [] for key in ("load_upright", "strain_upright", "strain_across", "lost", "gained", "contacts", "freedoms",
                                              "energy_released", "imbalance", "opened_a", "opened_b", "list_changes")})
        self.q = np.asarray(e["load_upright"]) - 1.0
        self.plateau = np.diff(np.concatenate([[0.0], self.q]))
        self.upright, across = np.asarray(e["strain_upright"]), np.asarray(e["strain_across"])
        self.axial = np.diff(np.concatenate([[0.0], self.upright]))
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


def size_law(quantity, published, error, tolerance, values, errors) -> Row:
    """Exponent of a power of N: judged over three sizes of the thesis, shown over any three."""
    large = [n for n in values if n >= SMALLEST]
    sizes = large if len(large) >= 3 else list(values)
    if len(sizes) < 3:
        return not_run(quantity, f"{published} ± {error}", "needs three sizes")
    p, of_fit = power(sizes, [values[n] for n in sizes], [errors[n] for n in sizes])
    row = compared(f"{quantity} (standard error {of_fit:.2f}, N = {', '.join(map(str, sizes))})", published, -p, tolerance)
    return row if sizes == large else unjudged(row)


def plateaus(lab: Laboratory, tests) -> Section:
    section = Section("C12, C13, C43: plateaus", ["States passed until q = 0.02, lengths of plateaus for 0 < q <= 0.05. The mean is q walked over the number of events, which the "
                                                  "last plateau of a path, cut by its end, does not shorten."])
    means, errors = {}, {}
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
        walked = sum(t.to if t.reached else t.q[-1] for t in group if t.reached or len(t.q))
        means[n] = walked / len(pooled)
        errors[n] = means[n] / len(pooled) ** 0.5
        section.rows += [
            Row(f"C12, N = {n}: mean plateau, q walked over events ({len(pooled)} events, {len(group)} samples)", f"{4.37 * n**-1.13:.3g}",
                f"{means[n]:.3g} ± {errors[n]:.1g}", computed_value=means[n], standard_error=errors[n]),
            Row(f"C12, N = {n}: standard deviation over mean", "1 (exponential)", f"{mean.deviation / mean.mean:.2f}")]
        if len(pooled) >= 20:
            p = mo.ks_test(pooled / mean.mean, "expon").pvalue
            q = np.concatenate([t.q for t in group])
            row = stated(f"C12, N = {n}: plateaus exponential, independent of q", "accepted; no correlation",
                         f"P = {p:.3f}; correlation {np.corrcoef(pooled, q)[0, 1]:.2f}, {len(pooled)**-0.5:.2f} by chance", p > 0.05, "P > 0.05")
            section.rows.append(row if n >= SMALLEST else unjudged(row))
    section.rows.append(size_law("C13: exponent alpha of the mean plateau", 1.13, 0.06, 0.125, means, errors))
    return section


def increments(lab: Laboratory, tests) -> Section:
    section = Section("C13, C14, C36: increments of axial strain")
    medians, spread = {}, {}
    for n, group in tests.items():
        pooled = np.concatenate([t.axial for t in group])
        if len(pooled) < 3:
            continue
        scaled = pooled * (n / 1024) ** 2.11
        medians[n] = float(np.median(pooled))
        spread[n] = medians[n] * 1.2533 * np.std(np.log(pooled[pooled > 0])) / len(pooled) ** 0.5
        mu, error, count = hill(scaled, TAIL)
        section.rows += [
            measured(f"N = {n}: median increment, rescaled by (N/1024)^2.11", float(np.median(scaled))),
            Row(f"C36, N = {n}: share of rescaled increments above 5e-6", "0.32", f"{(scaled > TAIL).mean():.2f} ({len(scaled)} increments)")]
        if count >= 20:
            row = compared(f"C14, N = {n}: tail exponent mu (standard error {error:.2f}, {count} increments)", 0.52, mu, 0.13)
            section.rows.append(row if n >= SMALLEST else unjudged(row))
        else:
            section.rows.append(not_run(f"C14, N = {n}: tail exponent mu", "0.52 ± 0.05", f"{count} increments above 5e-6 are too few"))
    section.rows.append(size_law("C13: exponent beta of the median increment", 2.11, 0.02, 0.2, medians, spread))
    with lab.axes(section, "increments.svg", "Share of increments of axial strain above, rescaled by (N/1024)^2.11; dashed: slope -0.52.",
                  xlabel="rescaled increment of axial strain", ylabel="share above", xscale="log", yscale="log") as axes:
        for n, group in tests.items():
            values = np.sort(np.concatenate([t.axial for t in group]) * (n / 1024) ** 2.11)
            if len(values):
                axes.plot(values, 1 - np.arange(len(values)) / len(values), label=f"N = {n}")
        axes.plot([TAIL, 1e-3], [0.32, 0.32 * (1e-3 / TAIL) ** -0.52], "k--")
    return section


def changes(lab: Laboratory, tests) -> Section:
    section = Section("C16, C17, C41: contacts, volume, energy")
    every = [t for group in tests.values() for t in group]
    events = sum(len(t.q) for t in every)
    violation = max((float((t.volume - t.q * t.axial).max()) for t in every if len(t.q)), default=0.0)
    isostatic = all(np.all(t.events["contacts"] == t.events["freedoms"]) for t in every)
    section.rows += [
        stated(f"C12: potential energy falls at each of {events} events", "always", f"least release {min((t.energy.min() for t in every if len(t.q)), default=0):.1e}",
               all((t.energy > -5e-13).all() for t in every), "above -5e-13, the rounding of the potential energy"),
        stated("contacts = freedoms after every event", "always", "yes" if isostatic else "no", isostatic),
        stated("C41: volume gained at most q times the axial strain, every event", "no violation", f"largest excess {violation:.1e}",
               violation < 1e-9, "within 1e-9: second order of the strain"),
    ]
    for n, group in tests.items():
        axial, volume = (np.concatenate([getattr(t, key) for t in group]) for key in ("axial", "volume"))
        if not len(axial):
            continue
        lost, gained = (np.concatenate([getattr(t, key) for t in group]) for key in ("lost", "gained"))
        row = against(f"C17, N = {n}: share of dilatant increments", 0.975, [float((t.volume > 0).mean()) for t in group if len(t.q)], 0.025, n)
        section.rows += [row, measured(f"C16, N = {n}: contacts lost per event", float(lost.mean()), "7.0 (1024)"),
                         measured(f"C16, N = {n}: contacts gained per event", float(gained.mean()), "7.0 (1024)")]
        large = axial * (n / 1024) ** 2.11 > TAIL
        if large.sum() >= 20:
            slope, _ = np.polyfit(np.log(axial[large]), np.log(np.maximum(lost[large], 1)), 1)
            row = compared(f"C16, N = {n}: exponent of the number lost against the increment", 0.58, float(slope), 0.125)
            section.rows.append(row if n >= SMALLEST else unjudged(row))
        angles = np.concatenate([t.opened() for t in group])
        if len(angles) >= 20:
            wave = np.exp(2j * angles).mean()
            row = stated(f"C16, N = {n}: directions of the contacts that open first (as in the isotropic state)", "d = 0.21, -3 degrees",
                         f"d = {2 * abs(wave):.2f} ± {(2 / len(angles)) ** 0.5:.2f}, {np.degrees(np.angle(wave)) / 2:.0f} degrees ({len(angles)} contacts)",
                         0.1 < 2 * abs(wave) < 0.3 and abs(np.angle(wave)) / 2 < np.radians(15), "d from 0.1 to 0.3, within 15 degrees")
            section.rows.append(row if n >= SMALLEST and len(angles) >= 200 else unjudged(row))
        whole = [mo.measure(t.run.frames[-1], "contact-changes", since=t.run.frames[-2]) for t in group]
        for kind, published in (("lost", "97 %"), ("gained", "96 %")):
            total, weak = (sum(float(table[key][0]) for table in whole) for key in (kind, f"{kind}_weak"))
            if total >= 20:
                section.rows.append(Row(f"C16, N = {n}: weak ones among contacts {kind} over the whole path", f"{published} (event by event)", f"{weak / total:.1%} of {total:.0f}"))
    return section


def staircase(lab: Laboratory, tests) -> Section:
    section = Section("C15: small perturbations", ["From the isotropic state, normals kept: every step opens one contact and closes one, a pivot of a linear "
                                                   "program. That each vertex is the optimum is tested to 1e-10 with the library. Ten steps of every sample; a stretched "
                                                   "exponential P(> x) = exp(-(x / x0)^c) is fitted by maximum likelihood."])
    means, errors = {}, {}
    for n, group in tests.items():
        found = [lab.piece(f"pivots-{n}-{t.seed}", lambda t=t: pivots(t.start), state=t.start.summary["state_hash"]) for t in group]
        steps, worked = (sum(f[key] for f in found) for key in ("steps", "worked"))
        increments = np.concatenate([f["increments"] for f in found])
        increments = increments[increments > 0]
        section.rows.append(stated(f"N = {n}: one opening and one closing give a list that bears the load", "always",
                                   f"{worked} of {steps} steps of {len(group)} samples", worked == steps))
        if len(increments) < 3:
            continue
        mean = mean_of(increments)
        means[n], errors[n] = mean.mean, mean.error
        section.rows.append(Row(f"N = {n}: mean increment of axial strain", "mean exists", f"{mean.mean:.2g} ± {mean.error:.1g} ({mean.count} steps)",
                                computed_value=mean.mean, standard_error=mean.error))
        if len(increments) >= 50:
            exponent, error = stretched(increments)
            row = compared(f"N = {n}: exponent of the stretched exponential (standard error {error:.2f}, {len(increments)} steps)", 0.78, exponent, 0.15)
            section.rows.append(row if n >= SMALLEST and len(group) >= FEWEST else unjudged(row))
    section.rows.append(size_law("exponent beta of the mean increment", 1.99, 0.16, 0.3, means, errors))
    return section


def pivots(run: mo.Run) -> dict:
    """The first ten steps with fixed normals: how many there were, how many led to a list that bears the load, increments of axial strain."""
    found = statics(run, "--load", "piston:upright", "--pivots", "10")["pivots"]
    place = [0.0, *(pivot["displacement upright"] for pivot in found)]
    return {"steps": len(found), "worked": sum("endless" not in pivot for pivot in found), "increments": 2 * np.diff(place) / list_of(run.frames[-1]).length[1]}


def stretched(values) -> tuple[float, float]:
    """c of P(> x) = exp(-(x / x0)^c) by maximum likelihood, and its standard error c sqrt(6 / n) / pi (Fisher's information of a Weibull law)."""
    from scipy.stats import weibull_min
    c, _, _ = weibull_min.fit(values, floc=0)
    return float(c), float(c * (6 / len(values)) ** 0.5 / np.pi)


def unloading(lab: Laboratory) -> Section:
    section = Section("C40: unloading")
    count = 64 if lab.quick else 1024
    seeds = range(1, 3) if lab.quick else lab.samples({1024: 5}).get(1024, ())
    same, left = [], []
    for seed in seeds:
        top = 1.2 if lab.quick else 1.05
        settings = {"phase[load].piston.stress": {"times": [0.0, 1.0], "values": [1.0, top]},
                    "phase[unload].piston.stress": {"times": [0.0, 1.0], "values": [top, 1.0]}}
        run = after(lab, f"unload-{count}-{seed}", compacted(lab, count, seed), "combe-biaxial-rigid/unloading", settings)
        frames = list(run.frames)[-4:]
        phases = run.events["phase"] if run.events.rows else np.array([])
        if not (phases == "little").any():  # q stayed within the first plateau
            same.append(bool(np.array_equal(frames[0].position, frames[1].position)))
        left.append(float(1 - list_of(frames[3]).length[1] / list_of(frames[0]).length[1]))
    if left:
        section.rows = [stated("within a plateau: positions after loading and unloading", "identical", f"identical in {sum(same)} of {len(same)} samples", all(same)),
                        stated("after list changes: axial strain left at q = 0", "not zero, every sample", told(left), all(abs(x) > 1e-9 for x in left))]
        if count < SMALLEST:  # a small sample may find its way back
            section.rows[1] = unjudged(section.rows[1])
    else:
        section.rows = [not_run("C40: unloading", "reversible within a plateau, not after", "no sample was made")]
    return section


def reproduce(lab: Laboratory) -> Report:
    planned = {64: range(1, 3), 100: range(1, 2)} if lab.quick else lab.samples(SAMPLES)
    tests = {n: [Test(lab, n, seed) for seed in seeds] for n, seeds in planned.items()}
    made = ", ".join(f"{len(group)} of {n} discs" for n, group in tests.items())
    ended = [f"{n}/{t.seed}" for n, group in tests.items() for t in group if not t.reached]
    sections = [plateaus(lab, tests), increments(lab, tests), changes(lab, tests), staircase(lab, tests),
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
