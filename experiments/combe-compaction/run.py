"""Isotropic compaction of frictionless discs: density, forces, directions. Combe 2001, chapter 2."""

import numpy as np
from scipy import optimize

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, after, against, compacted, costs, each, list_of, statics, told, unjudged

SAMPLES = {1024: 20, 1936: 7, 3025: 5, 4900: 3}  # of the full form
MIDDLE = 6.0  # side of the square within which rings are not looked at one by one
SKIN = 3.0  # contacts farther than this from all walls are the bulk


class Sample:
    """What is looked at of one isotropic packing, as a piece that is kept."""

    def __init__(self, lab: Laboratory, count: int, seed: int):
        self.count, self.seed = count, seed
        self.run = run = compacted(lab, count, seed)
        self.__dict__.update(lab.piece(f"iso-{count}-{seed}", lambda: self.look(run), count=count, seed=seed, quick=lab.quick))

    def look(self, run: mo.Run) -> dict:
        frame = run.frames[-1]
        packing, said = list_of(frame), statics(run)
        load, area = mo.measure(frame, "load"), float(np.prod(packing.length))
        bulk = packing.distance_to_walls() > SKIN
        # Out of balance, grain by grain, over the largest force on the grain (eq. 2.1).
        resultant = (packing.G.T @ packing.force)[:-2].reshape(-1, 2)
        largest = np.zeros(len(packing.bodies))
        for end in (packing.a, packing.b):
            there = end >= 0
            np.maximum.at(largest, np.searchsorted(packing.bodies, end[there]), packing.force[there])
        rings = mo.measure(frame, "stress", region="squares:1")
        return {"contacts": said["contacts"], "bodies": said["bodies"], "loose": said["loose"], "isostatic": said["isostatic"],
                "degrees": [said["normal_forces"][key] for key in ("hyperstatic", "hypostatic")],
                "residual": float((np.linalg.norm(resultant, axis=1) / largest).max()),
                "solid": float((np.pi * np.asarray(frame.radius) ** 2).sum() / area),
                "force": packing.force, "bulk": bulk, "angle": np.degrees(np.arctan2(packing.normal[:, 1], packing.normal[:, 0])),
                "wall": packing.wall, "length": packing.length, "love": [float(load[f"stress_{k}"][0]) for k in ("xx", "yy", "xy")],
                "rings": [[float(x) for x in rings[f"stress_{k}"]] for k in ("xx", "yy")]}

    def forces(self, bulk: bool) -> np.ndarray:
        return np.asarray(self.force)[np.asarray(self.bulk) == bulk]


def line_in_size(sizes, values, lab):
    """y = b + a N^-1/2 by least squares weighted with the standard errors of the means."""
    means = [np.mean(values[n]) for n in sizes]
    errors = [max(np.std(values[n], ddof=1) / len(values[n]) ** 0.5, 1e-6) for n in sizes]
    found, covariance = optimize.curve_fit(lambda x, b, a: b + a * x, np.array(sizes) ** -0.5, means, sigma=errors, absolute_sigma=True)
    return found, np.sqrt(np.diag(covariance))


def isostatic(samples) -> Section:
    every = [s for group in samples.values() for s in group]
    exact = [s for s in every if s.isostatic and s.degrees == [0, 0] and s.contacts == 2 * s.bodies + 2]
    worst = max(s.residual for s in every)
    return Section("C03: exactly isostatic", rows=[
        stated("contacts = 2 N_a + 2, h = k = 0, all forces push", "every sample",
               f"{len(exact)} of {len(every)} samples", len(exact) == len(every)),
        stated("largest resultant on a grain over its largest force", "1e-8", f"{worst:.1e}", worst < 1e-8, "below 1e-8")])


def filling(lab: Laboratory, samples) -> Section:
    section = Section("C04, C05, C06: rattlers, density and mean force against size")
    solid = {n: [s.solid for s in group] for n, group in samples.items()}
    mean = {n: [float(np.mean(s.force)) for s in group] for n, group in samples.items()}
    bulk = {n: [float(s.forces(True).mean()) for s in group if s.forces(True).size] for n, group in samples.items()}
    for n, group in samples.items():
        section.rows += [
            against(f"C04, N = {n}: share of rattlers", 0.057, [s.loose / n for s in group], 0.0075, n),
            against(f"C04, N = {n}: contacts per grain", 1.886, [s.contacts / n for s in group], 0.016, n),
            against(f"C05, N = {n}: solid fraction (thesis: its line in N^-1/2)", 0.8434 - 0.42 * n**-0.5, solid[n], 0.003, n),
            against(f"C06, N = {n}: mean force, all contacts", 0.740 + 1.24 * n**-0.5, mean[n], 0.02, n)]
        if bulk[n]:
            section.rows.append(against(f"C06, N = {n}: mean force farther than 3 a from the walls", 0.740, bulk[n], 0.015, n))
    sizes = [n for n, group in samples.items() if len(group) >= FEWEST and n >= SMALLEST]
    if len(sizes) >= 3:
        (limit, slope), (error, slope_error) = line_in_size(sizes, solid, lab)
        section.rows += [compared(f"C05: solid fraction, N to infinity (standard error {error:.1e}, {len(sizes)} sizes)", 0.8434, limit, 0.002),
                         Row("C05: slope in N^-1/2", "-0.42 (derived)", f"{slope:.3f} ± {slope_error:.3f}")]
        (limit, slope), (error, slope_error) = line_in_size(sizes, mean, lab)
        section.rows += [compared(f"C06: mean force, N to infinity (standard error {error:.1e})", 0.740, limit, 0.02),
                         Row("C06: slope of the mean force in N^-1/2", "1.24 ± 0.41", f"{slope:.2f} ± {slope_error:.2f}")]
    else:
        section.rows.append(not_run("C05, C06: laws in N^-1/2", "solid fraction 0.8434 ± 0.0003, mean force 0.740 ± 0.008 for N to infinity",
                                    f"needs {FEWEST} samples of each of three sizes"))
    with lab.axes(section, "density.svg", "Solid fraction against N^-1/2, one dot per sample; line: the thesis.", xlabel="N^-1/2",
                  ylabel="solid fraction") as axes:
        for n, values in solid.items():
            axes.plot([n**-0.5] * len(values), values, "o", label=f"N = {n}")
        x = np.array([0.0, max(n**-0.5 for n in solid)])
        axes.plot(x, 0.8434 - 0.42 * x, label="thesis")
    return section


def law(f, b, c, d):
    """Density f^b exp(-c f^d), normed (eq. 2.5)."""
    from scipy.special import gamma
    return d * c ** ((b + 1) / d) / gamma((b + 1) / d) * f**b * np.exp(-c * f**d)


def distribution(f, b, c, d):
    from scipy.special import gammainc
    return gammainc((b + 1) / d, c * np.asarray(f) ** d)


def fit_law(forces) -> tuple[np.ndarray, np.ndarray]:
    """b, c and d by maximum likelihood, with standard errors from its curvature."""
    def unlikely(p):
        return -np.log(law(forces, *np.exp(p))).sum() if np.all(np.abs(p) < 5) else 1e12

    best = optimize.minimize(unlikely, np.log([0.172, 0.72, 2.016]), method="Nelder-Mead", options={"xatol": 1e-4, "fatol": 1e-3, "maxiter": 2000}).x
    h, unit = 1e-3, np.eye(3)
    curvature = [[(unlikely(best + h * (u + v)) - unlikely(best + h * (u - v)) - unlikely(best - h * (u - v)) + unlikely(best - h * (u + v))) / (4 * h * h)
                  for v in unit] for u in unit]
    return np.exp(best), np.exp(best) * np.sqrt(np.abs(np.diag(np.linalg.inv(curvature))))


def exponential_tail(excess) -> float:
    """P that an exponential law with the mean of the sample is as far from it (Kolmogorov's distance) by chance. The mean being taken from the same values, the
    usual table would be too lenient: the distance of samples drawn from an exponential law, each with its own mean, is the measure (Lilliefors)."""
    def distance(x):
        x = np.sort(x, axis=-1) / x.mean(axis=-1, keepdims=True)
        n = x.shape[-1]
        share = 1 - np.exp(-x)
        return np.maximum(np.arange(1, n + 1) / n - share, share - np.arange(n) / n).max(axis=-1)

    random = np.random.default_rng(1)
    found = distance(np.asarray(excess)[None, :])[0]
    return float(np.mean([distance(random.exponential(size=(100, len(excess)))) >= found for _ in range(20)]))


def plain(excess) -> str:
    """The P of the usual table, as if the mean had been known: what the thesis may have used."""
    return f"{mo.ks_test(excess / excess.mean(), 'expon').pvalue:.2g} by the table that takes the mean as known"


def forces(lab: Laboratory, samples) -> Section:
    samples = {n: group for n, group in samples.items() if n >= SMALLEST} or samples  # where there are some of the sizes of the thesis
    inner, skin = (np.concatenate([s.forces(bulk) for group in samples.values() for s in group]) for bulk in (True, False))
    section = Section("C07, C08: distribution of forces", [
        f"Pooled over all samples: {inner.size} contacts farther than 3 a from the walls, {skin.size} nearer ones; forces in p a."])
    enough = inner.size >= 20000
    note = "" if enough else f" ({inner.size} forces, the criterion asks for 20000)"

    def judged(row: Row) -> Row:
        return row if enough and min(samples) >= SMALLEST else unjudged(row)

    if inner.size < 50:
        section.rows = [not_run("C07: distribution in the bulk", "P(f <= 0.1) = 0.0628", "the samples have no bulk")]
    else:
        share = float((inner <= 0.1).mean())
        small = inner[inner <= 0.1]
        alpha = small.size / np.log(0.1 / small).sum() - 1 if small.size > 1 else 0.0
        (b, c, d), error = fit_law(inner)
        random = np.random.default_rng(1).choice(inner, min(2000, inner.size), replace=False)
        thesis = mo.ks_test(random, lambda f: distribution(f, 0.172, 0.72, 2.016)).pvalue
        tail = inner[inner >= 2] - 2
        section.rows = [
            judged(compared("C07: share of forces at most 0.1" + note, 0.0628, share, 0.0075)),
            judged(compared(f"C07: exponent of small forces (standard error {(1 + alpha) / max(small.size, 1) ** 0.5:.3f})", 0.14, alpha, 0.1)),
            judged(compared("C07: share of forces above 0.74", 0.433, float((inner > 0.74).mean()), 0.02)),
            judged(stated("C07: the thesis' law f^0.172 exp(-0.72 f^2.016) on 2000 forces", "P = 0.32", f"P = {thesis:.3f}", thesis > 0.05,
                          "P > 0.05")),
            Row("C07: own fit of f^b exp(-c f^d): b, c, d", "0.172, 0.72, 2.016",
                ", ".join(f"{value:.3f} ± {e:.3f}" for value, e in zip((b, c, d), error)))]
        if tail.size > 20:
            exponential = exponential_tail(tail)
            section.rows.append(judged(stated("C07: exponential tail above 2", "rejected", f"P = {exponential:.2g} ({plain(tail)}; {tail.size} forces, mean excess {tail.mean():.3f})",
                                              exponential < 0.05, "P < 0.05, the mean being fitted")))
    strong = skin[skin >= 2] - 2
    if strong.size >= 20:
        rate = strong.size / strong.sum()
        near = exponential_tail(strong)
        section.rows.append(judged(compared(f"C08: decay of forces above 2 near the walls (standard error {rate / strong.size**0.5:.2f}, "
                                            f"{strong.size} forces)", 2.65, float(rate), 0.3)))
        section.rows.append(judged(stated("C08: exponential tail above 2 near the walls", "accepted", f"P = {near:.2g} ({plain(strong)})", near > 0.05, "P > 0.05, the mean being fitted")))
    with lab.axes(section, "forces.svg", "Distribution of normal forces, bulk and skin, with the law of the thesis for the bulk.",
                  xlabel="force / (p a)", ylabel="density", yscale="log", ylim=(1e-3, 2)) as axes:
        edges = np.linspace(0, 4, 41)
        for values, name in ((inner, "bulk"), (skin, "within 3 a of a wall")):
            if values.size >= 50:
                density, _ = np.histogram(values, edges, density=True)
                axes.step(edges[:-1], np.maximum(density, 1e-6), where="post", label=name)
        x = np.linspace(0.01, 4, 200)
        axes.plot(x, law(x, 0.172, 0.72, 2.016), label="thesis")
    return section


def amplitude(angles) -> tuple[float, float, float]:
    """d and its standard deviation without preference, and the angle, of N0 (1 + d cos 2 (t - t0))."""
    wave = np.exp(2j * np.radians(angles)).mean()
    return 2 * abs(wave), (2 / len(angles)) ** 0.5, float(np.degrees(np.angle(wave)) / 2)


def ring_stresses(group) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, standard error and deviation over samples of the stress (xx + yy) / 2 of rings from the walls inwards; what is left in the middle, where rings
    hold few discs and their number differs from sample to sample, is one square."""
    rings = int(min(0.5 * (min(s.length) - MIDDLE) for s in group)) if min(min(s.length) for s in group) > MIDDLE + 2 else 1
    values = []
    for s in group:
        stress = np.mean(s.rings, axis=0)
        sides = np.maximum(np.array(s.length)[:, None] - 2.0 * np.arange(len(stress) + 1), 0.0)
        area = -np.diff(sides.prod(axis=0))
        values.append([*stress[:rings], np.average(stress[rings:], weights=area[rings:])])
    deviation = np.std(values, axis=0, ddof=1) if len(values) > 1 else np.zeros(rings + 1)
    return np.mean(values, axis=0), deviation / len(values) ** 0.5, deviation


def directions(lab: Laboratory, samples) -> Section:
    every = [s for group in samples.values() for s in group]
    section = Section("C09: stress from ring to ring, directions of contacts")
    love = max(abs(x - 1.0) for s in every for x in s.love[:2])
    section.rows += [compared("Love's stress of the whole along x and y against the imposed one: largest difference", 0.0, love, 1e-6),
                     measured("shear stress of the whole, absolute (couples of the walls, not imposed)", [abs(s.love[2]) for s in every])]
    largest = max(samples)
    profiles = {n: ring_stresses(group) for n, group in samples.items()}
    for n, (mean, error, deviation) in profiles.items():
        least = int(mean[:-1].argmin())
        row = stated(f"C09, N = {n}: least mean stress of a ring (ring {least + 1} of {len(mean) - 1} from the walls)", "not below 0.90",
                     f"{mean[least]:.3f} ± {error[least]:.3f} (standard error)", mean[least] > 0.88, "above 0.88")
        section.rows += [row if n >= SMALLEST and len(samples[n]) >= FEWEST else unjudged(row),
                         Row(f"C09, N = {n}: middle square of side {MIDDLE:g}", "not below 0.90",
                             f"{mean[-1]:.3f} ± {error[-1]:.3f} (standard error); {deviation[-1]:.2f} from sample to sample")]
    angles = np.concatenate([np.asarray(s.angle)[np.asarray(s.bulk)] for s in every])
    if angles.size > 100:
        d, noise, _ = amplitude(angles)
        row = stated("bulk: amplitude d of the directions", "no significant anisotropy", f"{d:.3f}; {noise:.3f} by chance", d < 0.05, "below 0.05")
        section.rows.append(row if largest >= SMALLEST else unjudged(row))
    with lab.axes(section, "rings.svg", f"Stress (mean of xx and yy over the samples) of nested square rings of width a, from the walls inwards; the last point is the middle square "
                  f"of side {MIDDLE:g}.", xlabel="distance from the walls / a", ylabel="stress / p") as axes:
        for n, (mean, error, _) in profiles.items():
            axes.errorbar(np.arange(len(mean)) + 0.5, mean, error, fmt="o-", markersize=4, linewidth=1, elinewidth=0.8, label=f"N = {n}")
    return section


def planned_levels(lab: Laboratory) -> dict[int, range]:
    return {36: range(1, 2)} if lab.quick else lab.samples({4900: 3})


def pressed(lab: Laboratory, count: int, seed: int) -> mo.Run:
    """Pressed once more with contacts that yield, kappa = 1e4, then 500."""
    return after(lab, f"levels-{count}-{seed}", compacted(lab, count, seed), "combe-compaction/levels")


def levels(lab: Laboratory) -> Section:
    section = Section("C26: levels of stiffness 1e4 and 500")
    hard, soft = {"void": [], "contacts": []}, {"void": [], "contacts": []}
    for count, seeds in planned_levels(lab).items():
        for seed in seeds:
            for frame, into in zip(list(pressed(lab, count, seed).frames)[-2:], (hard, soft)):
                packing = list_of(frame)
                into["void"].append(float(np.prod(packing.length) / (np.pi * np.asarray(frame.radius) ** 2).sum() - 1))
                into["contacts"].append(packing.G.shape[0] / count)
    if not hard["void"]:
        section.rows = [not_run("C26: void ratio and contacts at kappa 1e4 and 500, N = 4900", "0.1940, 9348 and 0.1862, 10038",
                                "samples of 4900 discs were left out")]
        return section
    for name, into, void, contacts in (("1e4", hard, 0.1940, 9348), ("500", soft, 0.1862, 10038)):
        section.rows += [against(f"kappa = {name}: void ratio", void, into["void"], 0.003, count),
                         against(f"kappa = {name}: contacts per grain", contacts / 4900, into["contacts"], 0.015 * contacts / 4900, count)]
    section.rows.append(stated("softer contacts: denser, and more contacts", "yes", f"void ratio {told(hard['void'])} to {told(soft['void'])}",
                               np.all(np.array(soft["void"]) < hard["void"]) and np.all(np.array(soft["contacts"]) >= hard["contacts"])))
    return section


def planned_heaps(lab: Laboratory, name: str) -> dict[int, range]:
    if lab.quick:
        return {100: range(1, 2)}
    return lab.samples({722: 3} if name == "deposition" else {2500: 2, 9801: 1})


def width_of(lab: Laboratory, name: str, n: int) -> float:
    return round(n**0.5) * (0.6 if name == "deposition" and not lab.quick else 1.0)


def heap(lab: Laboratory, name: str, n: int, seed: int) -> mo.Run:
    """Discs that fell together ("sedimentation") or were laid one by one ("deposition") into a box."""
    width = width_of(lab, name, n)
    height = 3 * width
    settings = {"seed": seed, "wall.box": {"min": [0.0, 0.0], "max": [width, height]}}
    if name == "deposition":
        settings |= {"source.count": n, "source.centre": [0.5 * width, 0.9 * height], "source.spread": 0.5 * width - 0.51, "phase[pour].duration": n / 5.0 + 5.0}
    else:
        settings |= {"grains.count": n}
    return lab.run(f"{name}-{n}-{seed}", lab.scene(name, settings))


def deposition(lab: Laboratory) -> Section:
    section = Section("C29: sedimentation against deposition one by one", [
        "Directions of contacts farther than 3 a from the walls, fits of order 2 and 4. Sedimentation: all discs fall together from a loose state. Deposition: every disc "
        "is laid where it first touches, with friction 0.5; the thesis has 722 wooden rollers of unknown friction."])
    for name, published in (("sedimentation", "nearly isotropic"), ("deposition", "peaks at ± 60 degrees")):
        of_kind = planned_heaps(lab, name)
        if not of_kind:
            section.rows.append(not_run(f"C29: directions after {name}", published, "the samples were left out"))
        for n, seeds in of_kind.items():
            width, angles = width_of(lab, name, n), []
            for seed in seeds:
                frame = heap(lab, name, n, seed).frames[-1]
                contacts = frame.contacts
                force = contacts.normal_force
                inside = (np.abs(contacts.point[:, 0] - 0.5 * width) < 0.5 * width - SKIN) & (contacts.point[:, 1] > SKIN) & (contacts.b >= 0)
                normal = contacts.normal[inside & (force > 1e-6 * force[force > 0].mean())]
                angles.append((np.degrees(np.arctan2(normal[:, 1], normal[:, 0])) + 90) % 180 - 90)
            angles = np.concatenate(angles)
            if angles.size < 20:
                section.rows.append(not_run(f"C29, N = {n}: directions after {name}", published, f"{angles.size} contacts far from the walls"))
                continue
            d, noise, _ = amplitude(angles)
            density, _ = np.histogram(np.abs(angles), np.arange(0, 91, 15))
            text = f"d = {d:.2f} ± {noise:.2f}; contacts by |angle| in classes of 15 degrees: {', '.join(map(str, density))}"
            row = stated(f"C29, N = {n}: directions after {name}", published, text, d < 0.1 if name == "sedimentation" else 50 <= 15 * np.argmax(density) + 7.5 <= 70,
                         "d below 0.1" if name == "sedimentation" else "largest class within 10 degrees of 60")
            section.rows.append(row if not lab.quick else unjudged(row))
    return section


def reproduce(lab: Laboratory) -> Report:
    seeds = {64: range(1, 3), 100: range(1, 2)} if lab.quick else lab.samples(SAMPLES)
    heaps = {name: planned_heaps(lab, name) if lab.takes("C29") else {} for name in ("sedimentation", "deposition")}
    lab.ahead([*each(planned_levels(lab) if lab.takes("C26") else {}, lambda n, seed: pressed(lab, n, seed)),
               *(task for name, of_kind in heaps.items() for task in each(of_kind, lambda n, seed, name=name: heap(lab, name, n, seed))),
               *each(seeds, lambda n, seed: Sample(lab, n, seed))])
    samples = {n: [Sample(lab, n, seed) for seed in of_size] for n, of_size in seeds.items()}
    made = ", ".join(f"{len(group)} of {n} discs" for n, group in samples.items())
    cost = Section("Cost", rows=costs(lab, {n: [s.run for s in group] for n, group in samples.items()}, "compacted"))
    return Report(
        protocol=[f"Samples: {made}. Discs with diameters uniform in [a/2, a] are mixed with restitution 1 (mean path 4 a), pressed without friction "
                  "by two pairs of walls under p = 1, and brought to an exact isostatic equilibrium by linear programs. Units: a, p."],
        choices=["The thesis ends its preparation with lubricated dynamics; linear programs lead to the same kind of state and leave residuals "
                 "of 1e-13.", "Step, mixing velocities and density are not given there; they are those of compaction.toml.",
                 f"Forces near the walls are those within {SKIN:g} a of one. A mean gets a verdict from {FEWEST} samples on."],
        sections=[cost, isostatic(samples), filling(lab, samples), forces(lab, samples), directions(lab, samples),
                  lab.section("C26", "C26: levels of stiffness 1e4 and 500", lambda: levels(lab)),
                  lab.section("C29", "C29: sedimentation against deposition one by one", lambda: deposition(lab))])


if __name__ == "__main__":
    main(reproduce)
