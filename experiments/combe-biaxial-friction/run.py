"""Biaxial test with friction: elasto-plastic statics, the largest load of a list. Combe 2001, chapter 5."""

import json

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, after, against, compacted, costs, list_of, told, unjudged
from moreau.program import call

SAMPLES = {100: 8, 1024: 8, 3025: 5, 4900: 3}  # of the full form
TABLE = {0.1: {0.1: 0.404, 0.5: 0.402, 1.0: 0.391}, 0.25: {0.1: 0.751, 0.5: 0.750, 1.0: 0.746}, 0.5: {0.1: 1.085, 0.5: 1.147, 1.0: 1.054}}
TOLERANCE = {0.1: 0.04, 0.25: 0.06, 0.5: 0.12}
SIZES = {1024: 0.750, 3025: 0.774, 4900: 0.786}  # q1 for friction 0.25, k_t / k_n = 0.5
KAPPA = 1e5
BEYOND = (0.85, 0.95)  # q of the equilibria in the second regime


def elastic(lab: Laboratory, name: str, run: mo.Run, friction: float, ratio: float) -> dict:
    """`moreau elastic` on a compacted sample, kept: the path as columns, and what the forces at its end say."""
    def compute():
        path, forces = (lab.folder / "pieces" / f"{name}-{what}.csv" for what in ("path", "forces"))
        found = json.loads(call("elastic", run.path, "--load", "piston:upright", "--to", "2", "--step", "0.05", "--finest", "2e-3", "--stiffness", KAPPA,
                                "--ratio", ratio, "--friction", friction, "--path", path, "--forces", forces, "--json"))
        found["path"] = {key: list(values) for key, values in mo.Table.read(path).items()}
        return found | at_the_end(mo.Table.read(forces), friction)
    return lab.piece(name, compute, friction=friction, ratio=ratio, scene=run.scene.text)


def at_the_end(forces: mo.Table, friction: float) -> dict:
    """h = forces that are free - freedoms of the discs that still carry (eq. 5.5), and the largest mobilisation of friction."""
    carries = forces["normal"] > 1e-6 * forces["normal"].mean()
    a, b, n, t = (forces[key][carries] for key in ("a", "b", "normal", "tangential"))
    inside = b >= 0
    used = np.abs(t[inside]) / (friction * n[inside])
    free = int((~inside).sum() + 2 * inside.sum() - (used > 1 - 1e-6).sum())
    bodies = len(np.unique(np.concatenate([a, b[inside]])))
    return {"h_end": free - 3 * bodies - 2, "mobilised": float(used.max())}


def strains(found: dict, run: mo.Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Load, axial strain and volumetric strain (dilatancy positive) along a path; pistons are pairs of walls."""
    length = list_of(run.frames[-1]).length
    path = found["path"]
    axial, across = 2 * np.array(path["upright"]) / length[1], 2 * np.array(path["across"]) / length[0]
    return np.array(path["load"]), axial, -axial - across


def hyperstatic(run: mo.Run) -> tuple[int, int]:
    """h with friction switched on by dense rank: normal and tangential forces of discs, normal ones of walls; and N_a + 2 - W."""
    packing = list_of(run.frames[-1])
    n, bodies = packing.G.shape[0], len(packing.bodies)
    inside = np.flatnonzero(~packing.wall)
    G = np.zeros((n + len(inside), 3 * bodies + 2))
    plain = packing.G.toarray()
    G[:n, :2 * bodies], G[:n, 3 * bodies:] = plain[:, :-2], plain[:, -2:]
    for row, k in enumerate(inside, n):
        t = np.array([-packing.normal[k, 1], packing.normal[k, 0]])
        for end, sign in ((packing.a[k], 1.0), (packing.b[k], -1.0)):
            i = int(np.searchsorted(packing.bodies, end))
            G[row, 2 * i:2 * i + 2] = sign * t
            G[row, 2 * bodies + i] = -1.0  # velocity of the surface by spin times radius, both discs alike
    values = np.linalg.svd(G, compute_uv=False)
    rank = int((values > 1e-9 * values[0]).sum())
    return G.shape[0] - rank, bodies + 2 - int(packing.wall.sum())


def limits(lab: Laboratory, runs) -> Section:
    section = Section("C20, C21, C31: the largest load q1 of the list of contacts", [
        "The last load for which an equilibrium was found with increments down to 0.002: a lower bound of what can be borne. Beyond the static bound (a linear program) "
        "there is certainly none."])
    base = SMALLEST if SMALLEST in runs else max(runs)
    below = True
    for friction in (0.25,) if lab.quick else TABLE:
        for ratio in (0.5,) if lab.quick else TABLE[friction]:
            found = [elastic(lab, f"q1-{base}-{seed}-{friction}-{ratio}", run, friction, ratio) for seed, run in enumerate(runs[base], 1)]
            last, bound = [f["last_equilibrium"] for f in found], [f["static_bound"] for f in found if "static_bound" in f]
            below &= all(f["last_equilibrium"] <= f["static_bound"] * (1 + 1e-6) for f in found if "static_bound" in f)
            section.rows += [against(f"C20, N = {base}, friction {friction}, k_t/k_n = {ratio}: q1", TABLE[friction][ratio], last, TOLERANCE[friction], base),
                             measured(f"C31, N = {base}, friction {friction}, k_t/k_n = {ratio}: static bound", bound)]
    section.rows.append(stated("C31: q1 at most the static bound, every sample", "exactly", "yes" if below else "no", below))
    for n, of_size in runs.items():
        if n == base or n not in SIZES:
            continue
        found = [elastic(lab, f"q1-{n}-{seed}-0.25-0.5", run, 0.25, 0.5) for seed, run in enumerate(of_size, 1)]
        section.rows.append(against(f"C21, N = {n}, friction 0.25: q1", SIZES[n], [f["last_equilibrium"] for f in found], 0.04, n))
    if len(runs) < 3:
        section.rows.append(not_run("C21: q1 against N^-1/2", "0.815 ± 0.061 for N to infinity", "needs three sizes"))
    return section


def first_regime(lab: Laboratory, runs) -> Section:
    section = Section("C24, C37, C38: elastic range, load and unload, along the path")
    base = SMALLEST if SMALLEST in runs else max(runs)
    for n, of_size in runs.items():
        found = [elastic(lab, f"q1-{n}-{seed}-0.25-0.5", run, 0.25, 0.5) for seed, run in enumerate(of_size, 1)]
        section.rows.append(against(f"C24, N = {n}: first slip at q (thesis: 5.05 N^-1.13 if that is its abscissa)", 5.05 * n**-1.13,
                                    [f["elastic_up_to"] for f in found], 0.5 * 5.05 * n**-1.13, n))
    # Inside the elastic range the way back is the way out; beyond it is not.
    closed, left = [], []
    for seed, run in enumerate(runs[base][:3], 1):
        limit = elastic(lab, f"q1-{base}-{seed}-0.25-0.5", run, 0.25, 0.5)["elastic_up_to"]
        for top, into in ((0.5 * limit, closed), (0.2, left)):
            settings = {"phase[probe].piston.stress": {"times": [0.0, 0.5, 0.9, 1.0], "values": [1.0, 1.0 + top, 1.0, 1.0]}}
            probe = after(lab, f"probe-{base}-{seed}-{'in' if into is closed else 'out'}", run, "combe-biaxial-friction/probe", settings)
            first, last = (list_of(frame).length[1] for frame in list(probe.frames)[-2:])
            into.append(float(abs(1 - last / first)))
    section.rows += [
        stated("C37: load and unload by half the first slip: strain left", "closes", f"at most {max(closed):.1e}", max(closed) < 1e-12, "below 1e-12"),
        stated("C37: load to q = 0.2 and unload: strain left", "does not close", told(left), min(left) > 1e-9, "above 1e-9")]
    curves, degrees = [], []
    for seed, run in enumerate(runs[base], 1):
        found = elastic(lab, f"q1-{base}-{seed}-0.25-0.5", run, 0.25, 0.5)
        load, axial, volume = strains(found, run)
        packing = list_of(run.frames[-1])
        degrees.append((len(packing.bodies) + 2 - int(packing.wall.sum()), found["h_end"]))
        curves.append((load, axial, volume, np.array(found["path"]["sliding"]) / found["contacts"], np.array(found["path"]["open"])))
    falls = stated("C38: h of eq. 5.5, isotropic and at the end of the path", "falls, stays positive", "; ".join(f"{start} to {end}" for start, end in degrees),
                   all(0 < end < start for start, end in degrees))
    turn = [float(load[1 + np.argmax(np.diff(volume) > 0)]) if (np.diff(volume) > 0).any() else None for load, _, volume, _, _ in curves]
    ends = [float(load[-1]) for load, *_ in curves]
    section.rows += [
        stated("C38: volume first falls", "contractant", f"dv/de = {told([float(v[1] / a[1]) for _, a, v, _, _ in curves])}", all(v[1] < 0 for _, _, v, _, _ in curves)),
        stated("C38: the sign of dv turns before q1 (characteristic state)", "q_car < q1", f"turns at {', '.join('never' if t is None else f'{t:.2f}' for t in turn)}; q1 "
               + ", ".join(f"{e:.2f}" for e in ends), all(t is not None and t < e for t, e in zip(turn, ends))),
        falls if base >= SMALLEST else unjudged(falls),
        measured("C38: share of contacts that slide at the end", [float(s[-1]) for *_, s, _ in curves]),
        measured("initial modulus dq/de over k_n", [float(load[1] / axial[1] / KAPPA) for load, axial, *_ in curves])]
    with lab.axes(section, "paths.svg", f"N = {base}, friction 0.25, k_t/k_n = 0.5: deviator against axial strain times kappa.", xlabel="axial strain x kappa", ylabel="q") as axes:
        for load, axial, *_ in curves:
            axes.plot(axial * KAPPA, load)
    with lab.axes(section, "volume.svg", "The same paths: volumetric strain (dilatancy positive) times kappa.", xlabel="axial strain x kappa", ylabel="volumetric strain x kappa") as axes:
        for _, axial, volume, *_ in curves:
            axes.plot(axial * KAPPA, volume * KAPPA)
    return section


def small(lab: Laboratory) -> Section:
    section = Section("C19: small samples", ["49 discs, elasto-plastic statics. The thesis compares with soft dynamics with fixed normals, which the soft engine does not have."])
    counts, slide, below = [], [], []
    for seed in range(1, 2 if lab.quick else 6):
        run = compacted(lab, 49, seed)
        counts.append(hyperstatic(run))
        found = elastic(lab, f"small-{seed}", run, 0.25, 0.5)
        slide.append(found["mobilised"]), below.append(found["last_equilibrium"])
    section.rows = [stated("C19: h = N_a + 2 - W with friction switched on, by rank", "equal", ", ".join(f"{h} and {w}" for h, w in counts), all(h == w for h, w in counts)),
                    stated("C19: largest mobilisation of friction near q1", "1 in statics", f"{max(slide):.6f}", abs(max(slide) - 1) < 1e-6),
                    measured("C19: q1 of samples of 49 discs", below, "0.815 (one sample)"),
                    not_run("C19: forces and strain against soft dynamics with fixed normals", "strain to 1.6e-3, forces to 7.5e-3", "the soft engine has no fixed normals")]
    return section


def dynamics(lab: Laboratory) -> Section:
    section = Section("C22, C23: soft and rigid dynamics on the same lists")
    rest, flow, volume = [], [], []
    for seed in range(1, 2 if lab.quick else 4):
        count = 64 if lab.quick else 400
        run = after(lab, f"rigid-{count}-{seed}", compacted(lab, count, seed), "combe-biaxial-friction/rigid")
        iso, half, end = list(run.frames)[-3:]
        lengths = [list_of(frame).length for frame in (iso, half, end)]
        rest.append(float(1 - lengths[1][1] / lengths[0][1])), flow.append(float(1 - lengths[2][1] / lengths[0][1]))
        volume.append(float(np.prod(lengths[1]) / np.prod(lengths[0]) - 1))
    section.rows += [
        stated("C23: rigid, axial strain at q = 0.5", "none", f"{told(rest)}", max(map(abs, rest)) < 1e-5, "below 1e-5"),
        stated("C23: rigid, volume at q = 0.5: no initial contraction", "not below 0", f"{min(volume):.1e} at least", min(volume) > -1e-5, "above -1e-5"),
        stated("C23: rigid, flows by q = 1.1", "flows", f"axial strain {told(flow)}", min(flow) > 5e-3, "above 0.005")]
    if lab.quick:
        section.rows[-1] = unjudged(section.rows[-1])  # of 64 discs some bear more
        section.rows.append(not_run("C22: soft dynamics and statics below q1", "the same curves", "full form only"))
        return section
    ratio = []
    for seed in lab.samples({100: 3}).get(100, ()):
        iso = compacted(lab, 100, seed)
        run = after(lab, f"soft-100-{seed}", iso, "combe-biaxial-friction/soft")
        found = elastic(lab, f"q1-100-{seed}-0.25-0.5", iso, 0.25, 0.5)
        load, axial, _ = strains(found, iso)
        start, end = (list_of(frame).length[1] for frame in list(run.frames)[-2:])
        ratio.append(float((1 - end / start) / (np.interp(0.4, load, axial) * KAPPA / 1e4)))
    row = compared("C22: strain at q = 0.4, soft dynamics (kappa = 1e4) over statics, 100 discs", 1.0, ratio, 0.03) if len(ratio) >= FEWEST else not_run(
        "C22: soft dynamics and statics below q1", "the same curves", f"{len(ratio)} samples are too few")
    section.rows.append(row)
    return section


def second_regime(lab: Laboratory) -> Section:
    section = Section("C25: beyond q1, how samples differ", [
        "Strain controlled, kappa = 1e4, strain rate 1e-3. The standard deviation over samples of q at a given strain, averaged over strains from 0.005 to 0.02."])
    places = np.linspace(0.005, 0.02, 16)
    deviation, mean, runs = {}, {}, {}
    for n, seeds in ({} if lab.quick else lab.samples({100: 6, 1024: 6, 4900: 4})).items():
        velocity = 0.5e-3 * (n * 0.458 / 0.83) ** 0.5  # each wall of the pair; 0.458: mean area of a disc
        curves, runs[n] = [], []
        for seed in seeds:
            run = after(lab, f"strain-{n}-{seed}", compacted(lab, n, seed), "combe-biaxial-friction/strain", {"phase[shorten].piston.velocity": velocity})
            load = run.measures["load"].only(run.measures["load"]["phase"] == "shorten")
            strain = -np.log(load["length_y"] / list_of(run.frames[-2]).length[1])
            curves.append(np.interp(places, strain, load["deviator"])), runs[n].append(run)
        if len(curves) >= FEWEST:
            deviation[n], mean[n] = float(np.std(curves, axis=0, ddof=1).mean()), np.mean(curves, axis=0)
            error = deviation[n] / (2 * (len(curves) - 1)) ** 0.5
            section.rows.append(Row(f"C25, N = {n}: standard deviation of q over {len(curves)} samples", "falls as N^-1/2", f"{deviation[n]:.3g} ± {error:.1g}", computed_value=deviation[n]))
    if {1024, 4900} <= set(deviation):
        section.rows.append(stated("C25: deviation at 1024 over that at 4900", "2.19", f"{deviation[1024] / deviation[4900]:.2f}", 1.5 < deviation[1024] / deviation[4900] < 3, "from 1.5 to 3"))
    else:
        section.rows.append(not_run("C25: deviation at 1024 over that at 4900", "2.19", f"needs {FEWEST} samples of either"))
    section.rows += costs(lab, runs, "shortened by 0.02 by soft dynamics")
    if mean:
        with lab.axes(section, "second-regime.svg", "Mean deviator against axial strain.", xlabel="axial strain", ylabel="q") as axes:
            for n, curve in mean.items():
                axes.errorbar(places, curve, deviation[n], label=f"N = {n}")
    return section


def supported(lab: Laboratory) -> Section:
    section = Section("C39: what the lists of the second regime support", [
        f"Soft dynamics (kappa = 1e4) brings samples to rest under q = {', '.join(map(str, BEYOND))}, beyond q1; friction 0.25, k_t/k_n = 0.5. From each of these "
        "equilibria elasto-plastic statics goes on: dq is the load that its list of contacts bears in addition."])
    planned = {64: range(1, 2)} if lab.quick else lab.samples({256: 5, 1024: 3, 3025: 3})
    gained, runs = {}, {}
    for n, seeds in planned.items():
        gained[n], runs[n] = [], []
        for seed in seeds:
            run, q = compacted(lab, n, seed), 0.0
            for to in BEYOND[:1] if lab.quick else BEYOND:
                settings = {"piston[upright].stress": 1.0 + q, "phase[load].piston.stress": {"times": [0.0, 20.0], "values": [1.0 + q, 1.0 + to]},
                            "phase[rest].piston.stress": 1.0 + to}
                if lab.quick:
                    settings |= {"phase[yield].soft.level": 1e3, "phase[yield].step": 3e-4}
                run, q = after(lab, f"beyond-{n}-{seed}-{to}", run, "combe-biaxial-friction/beyond", settings), to
                if not at_rest(run):
                    break  # it flows: no equilibrium under this q, nor under a larger one
                runs[n].append(run)
                gained[n].append(lab.piece(f"beyond-{n}-{seed}-{to}", lambda run=run: further(run), state=run.summary["state_hash"]))
        if gained[n]:
            section.rows.append(measured(f"C39, N = {n}: dq from {len(gained[n])} equilibria of {len(seeds)} samples", gained[n], "smaller for larger N"))
    enough = [n for n in (1024, 3025) if len(gained.get(n, ())) >= 5]
    if len(enough) == 2:
        small, large = (np.mean(gained[n]) for n in enough)
        section.rows.append(stated("C39: dq at 3025 below that at 1024", "smaller", f"{large:.2g} and {small:.2g}", large < small))
    else:
        section.rows.append(not_run("C39: dq at 3025 below that at 1024", "smaller", "needs five equilibria of either size"))
    section.rows += costs(lab, runs, "taken to an equilibrium beyond q1 by soft dynamics")
    return section


def at_rest(run: mo.Run) -> bool:
    return run.summary["unbalanced_force"] < 1e-3


def further(run: mo.Run) -> float:
    """The load that the list of contacts of a soft equilibrium bears in addition."""
    return json.loads(call("elastic", run.path, "--load", "piston:upright", "--to", "1", "--step", "0.01", "--finest", "2e-4", "--stiffness", 1e4, "--ratio", 0.5,
                           "--friction", 0.25, "--json"))["last_equilibrium"]


def reproduce(lab: Laboratory) -> Report:
    planned = {64: range(1, 3)} if lab.quick else lab.samples(SAMPLES)
    runs = {n: [compacted(lab, n, seed) for seed in seeds] for n, seeds in planned.items()}
    made = ", ".join(f"{len(of_size)} of {n} discs" for n, of_size in runs.items())
    return Report(
        protocol=[f"Samples: {made}, compacted without friction as in combe-compaction; then friction between grains, none at the walls. kappa = {KAPPA:g}."],
        choices=["The thesis does not give the tolerance of its search; here an increment must balance to 1e-9 of the largest force.",
                 f"A mean gets a verdict from {FEWEST} samples on."],
        sections=[limits(lab, runs), first_regime(lab, runs), small(lab),
                  lab.section("C22", "C22, C23: soft and rigid dynamics on the same lists", lambda: dynamics(lab)),
                  lab.section("C25", "C25: beyond q1, how samples differ", lambda: second_regime(lab)),
                  lab.section("C39", "C39: what the lists of the second regime support", lambda: supported(lab))])


if __name__ == "__main__":
    main(reproduce)
