"""Biaxial test with friction: elasto-plastic statics, the largest load of a list. Combe 2001, chapter 5."""

import json

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, mean_of, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, PackingList, after, against, compacted, costs, each, interval, list_of, power, told, unjudged
from moreau.program import call

SAMPLES = {1024: 8, 3025: 5, 4900: 3}  # of the full form
RANGES = {361: 20, 1024: 20, 3025: 3, 4900: 3}  # whose elastic range is computed: one linear problem each
TABLE = {0.1: {0.1: 0.404, 0.5: 0.402, 1.0: 0.391}, 0.25: {0.1: 0.751, 0.5: 0.750, 1.0: 0.746}, 0.5: {0.1: 1.085, 0.5: 1.147, 1.0: 1.054}}
TOLERANCE = {0.1: 0.04, 0.25: 0.06, 0.5: 0.12}
SIZES = {1024: 0.750, 3025: 0.774, 4900: 0.786}  # q1 for friction 0.25, k_t / k_n = 0.5
KAPPA = 1e5
BEYOND = (0.85, 0.95)  # q of the equilibria in the second regime


def elastic(lab: Laboratory, name: str, run: mo.Run, friction: float, ratio: float, stiffness: float = KAPPA, *more: object) -> dict:
    """`moreau elastic` on a sample at rest, kept: the path as columns, and what the forces at its end say."""
    def compute():
        path, forces = (lab.folder / "pieces" / f"{name}-{what}.csv" for what in ("path", "forces"))
        found = json.loads(call("elastic", run.path, "--load", "piston:upright", "--to", "2", "--step", "0.05", "--finest", "2e-3", "--stiffness", stiffness,
                                "--ratio", ratio, "--friction", friction, *more, "--path", path, "--forces", forces, "--json"))
        found["path"] = {key: list(values) for key, values in mo.Table.read(path).items()}
        return found | {"mobilised": mobilised(mo.Table.read(forces), friction)}
    return lab.piece(name, compute, friction=friction, ratio=ratio, stiffness=stiffness, more=more, scene=run.scene.text)


def largest_load(lab: Laboratory, count: int, seed: int, friction: float = 0.25, ratio: float = 0.5) -> dict:
    """q1 of a compacted sample, and the path to it."""
    return elastic(lab, f"q1-{count}-{seed}-{friction}-{ratio}", compacted(lab, count, seed), friction, ratio)


def mobilised(forces: mo.Table, friction: float) -> float:
    """The largest mobilisation of friction of contacts between discs that carry."""
    inside = (forces["normal"] > 1e-6 * forces["normal"].mean()) & (forces["b"] >= 0)
    return float((np.abs(forces["tangential"][inside]) / (friction * forces["normal"][inside])).max())


def strains(found: dict, run: mo.Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Load, axial strain and volumetric strain (dilatancy positive) along a path; pistons are pairs of walls."""
    length = list_of(run.frames[-1]).length
    path = found["path"]
    axial, across = 2 * np.array(path["upright"]) / length[1], 2 * np.array(path["across"]) / length[0]
    return np.array(path["load"]), axial, -axial - across


def with_friction(packing: PackingList):
    """G of normal forces, then of tangential ones between discs; freedoms are two coordinates and the spin times radius of every disc, and the pairs of walls."""
    from scipy import sparse

    n, bodies = packing.G.shape[0], len(packing.bodies)
    inside = np.flatnonzero(~packing.wall)
    place = np.concatenate([np.add.outer(3 * np.arange(bodies), (0, 1)).ravel(), 3 * bodies + np.arange(2)])  # of the columns of the plain G
    plain = packing.G.tocoo()
    rows, columns, values = [plain.row], [place[plain.col]], [plain.data]
    tangent = np.stack([-packing.normal[inside, 1], packing.normal[inside, 0]], axis=1)
    for end, sign in ((packing.a[inside], 1.0), (packing.b[inside], -1.0)):
        at = 3 * np.searchsorted(packing.bodies, end)
        for column, value in ((at, sign * tangent[:, 0]), (at + 1, sign * tangent[:, 1]), (at + 2, np.full(len(at), -1.0))):  # both surfaces move alike by spin
            rows.append(n + np.arange(len(inside))), columns.append(column), values.append(value)
    G = sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (n + len(inside), 3 * bodies + 2))
    return G, inside


def hyperstatic(run: mo.Run) -> tuple[int, int]:
    """h with friction switched on by dense rank: normal and tangential forces of discs, normal ones of walls; and N_a + 2 - W."""
    packing = list_of(run.frames[-1])
    G, _ = with_friction(packing)
    values = np.linalg.svd(G.toarray(), compute_uv=False)
    rank = int((values > 1e-9 * values[0]).sum())
    return G.shape[0] - rank, len(packing.bodies) + 2 - int(packing.wall.sum())


def elastic_range(run: mo.Run, friction: float, ratio: float) -> float:
    """q at which the first contact slips or opens: springs k_n = 1 and k_t = ratio at every contact, one linear problem."""
    from scipy import sparse
    from scipy.sparse.linalg import spsolve

    packing = list_of(run.frames[-1])
    G, inside = with_friction(packing)
    n = packing.G.shape[0]
    stiffness = sparse.diags(np.concatenate([np.ones(n), np.full(len(inside), ratio)]))
    F = np.zeros(G.shape[1])
    F[-2:] = packing.load(0.0, 1.0)[-2:]
    change = -(stiffness @ (G @ spsolve((G.T @ stiffness @ G).tocsc(), F)))
    normal, tangential = change[:n], np.zeros(n)
    tangential[inside] = np.abs(change[n:])
    limit = np.where(packing.wall, 0.0, friction)
    towards = tangential - limit * normal  # discs: how fast the force comes to the cone; walls: their force must not vanish
    towards[packing.wall] = -normal[packing.wall]
    room = np.where(packing.wall, packing.force, friction * packing.force)
    return float((room[towards > 0] / towards[towards > 0]).min())


def cells(lab: Laboratory) -> list[tuple[float, float]]:
    """Frictions and ratios of stiffness of Table 5.2."""
    return [(0.25, 0.5)] if lab.quick else [(friction, ratio) for friction in TABLE for ratio in TABLE[friction]]


def table(lab: Laboratory, runs) -> Section:
    section = Section("C20: q1 for three frictions and three ratios of stiffness")
    for friction, ratio in cells(lab):
        section.rows += limit_rows(lab, "C20", runs, base_of(runs), friction, ratio, TABLE[friction][ratio], TOLERANCE[friction])
    return section


def base_of(runs) -> int:
    return SMALLEST if SMALLEST in runs else max(runs)


def limit_rows(lab: Laboratory, item, runs, n, friction, ratio, published, tolerance) -> list[Row]:
    """q1 over samples, and the static bound beside it."""
    found = [largest_load(lab, n, seed, friction, ratio) for seed in range(1, len(runs[n]) + 1)]
    bounded = [f for f in found if "static_bound" in f]
    below = all(f["last_equilibrium"] <= f["static_bound"] * (1 + 1e-6) for f in bounded)
    name = f"N = {n}, friction {friction}, k_t/k_n = {ratio}"
    return [against(f"{item}, {name}: q1", published, [f["last_equilibrium"] for f in found], tolerance, n),
            measured(f"C31, {name}: static bound", [f["static_bound"] for f in bounded]),
            stated(f"C31, {name}: q1 at most the static bound", "every sample", f"{'yes' if below else 'no'}; {np.mean([f['last_equilibrium'] / f['static_bound'] for f in bounded]):.3f} of it "
                   f"on average ({len(bounded)} samples)", below)]


def limits(lab: Laboratory, runs) -> Section:
    section = Section("C21, C31: the largest load q1 of the list of contacts", [
        "The last load for which an equilibrium was found with increments down to 0.002: a lower bound of what can be borne. Beyond the static bound (a linear program) "
        "there is certainly none."])
    last_of = {}
    for n, of_size in runs.items():
        last_of[n] = [largest_load(lab, n, seed)["last_equilibrium"] for seed in range(1, len(of_size) + 1)]
        section.rows += limit_rows(lab, "C21", runs, n, 0.25, 0.5, SIZES.get(n, SIZES[SMALLEST]), 0.06 if n == SMALLEST else 0.04)
    sizes = [n for n in last_of if n >= SMALLEST and len(last_of[n]) >= FEWEST]
    if len(sizes) < 2:
        section.rows.append(not_run("C21: q1 against N^-1/2", "0.815 ± 0.061 for N to infinity", f"needs {FEWEST} samples of two sizes"))
    else:
        def at_infinity(groups):
            return float(np.polyfit(np.concatenate([[n**-0.5] * len(group) for n, group in groups.items()]), np.concatenate(list(groups.values())), 1)[1])

        groups = {n: last_of[n] for n in sizes}
        low, high = interval(groups, at_infinity)
        section.rows.append(compared(f"C21: q1 for N to infinity, line in N^-1/2 (95 % from {low:.2f} to {high:.2f}, N = {', '.join(map(str, sizes))})", 0.815,
                                     at_infinity(groups), 0.061))
    return section


def reversible(lab: Laboratory, runs) -> Section:
    section = Section("C24: the elastic range", ["Where the first contact slips, by one linear problem for every sample. On some of them the program has followed the load, and says the same."])
    ranges, worst = {}, 0.0
    for n, seeds in ({n: range(1, len(of_size) + 1) for n, of_size in runs.items()} if lab.quick else lab.samples(RANGES, cheap=True)).items():
        start = {seed: compacted(lab, n, seed) for seed in seeds}
        ranges[n] = [lab.piece(f"range-{n}-{seed}", lambda run=run: elastic_range(run, 0.25, 0.5), state=run.summary["state_hash"]) for seed, run in start.items()]
        section.rows.append(against(f"C24, N = {n}: first slip at q (thesis: 5.05 N^-1.13 if that is its abscissa)", 5.05 * n**-1.13, ranges[n], 0.5 * 5.05 * n**-1.13, n))
        for seed in range(1, min(len(runs.get(n, ())), len(ranges[n])) + 1):
            said = largest_load(lab, n, seed)["elastic_up_to"]
            worst = max(worst, abs(said / ranges[n][seed - 1] - 1))
    section.rows.append(compared("C24: elastic range of the program against one computed from the frame, relative", 0.0, worst, 1e-6))
    if len(ranges) >= 3:
        def exponent(groups):
            means = [mean_of(group) for group in groups.values()]
            return -power(list(groups), [m.mean for m in means], [max(m.error, 0.05 * m.mean) for m in means])[0]

        low, high = interval(ranges, exponent)
        section.rows.append(stated(f"C24: exponent of the mean elastic range in 1 / N (N = {', '.join(map(str, ranges))})", "vanishes with N; 1.13 if its abscissa is N^-1.13",
                                   f"{exponent(ranges):.2f}, 95 % from {low:.2f} to {high:.2f}", low > 0, "above 0"))
    return section


def first_regime(lab: Laboratory, runs) -> Section:
    section = Section("C37, C38: load and unload, along the path")
    base = base_of(runs)
    # Inside the elastic range the way back is the way out; beyond it is not.
    closed, left = [], []
    for seed, run in enumerate(runs[base][:3], 1):
        limit = largest_load(lab, base, seed)["elastic_up_to"]
        for top, into in ((0.5 * limit, closed), (0.2, left)):
            settings = {"phase[probe].piston.stress": {"times": [0.0, 0.5, 0.9, 1.0], "values": [1.0, 1.0 + top, 1.0, 1.0]}}
            probe = after(lab, f"probe-{base}-{seed}-{'in' if into is closed else 'out'}", run, "combe-biaxial-friction/probe", settings)
            first, last = (list_of(frame).length[1] for frame in list(probe.frames)[-2:])
            into.append(float(abs(1 - last / first)))
    section.rows += [
        stated("C37: load and unload by half the first slip: strain left", "closes", f"at most {max(closed):.1e}", max(closed) < 1e-12, "below 1e-12"),
        stated("C37: load to q = 0.2 and unload: strain left", "does not close", told(left), min(left) > 1e-9, "above 1e-9")]
    curves, degrees, contacts = [], [], []
    for seed, run in enumerate(runs[base], 1):
        found = largest_load(lab, base, seed)
        load, axial, volume = strains(found, run)
        degrees.append(np.array(found["path"]["hyperstatic"]))
        contacts.append(found["contacts"])
        curves.append((load, axial, volume, np.array(found["path"]["sliding"]) / found["contacts"], np.array(found["path"]["open"])))
    falls = stated("C38: h of eq. 5.5, isotropic and at the end of the path", "falls, stays positive", "; ".join(f"{h[0]:.0f} to {h[-1]:.0f}" for h in degrees),
                   all(0 < h[-1] < h[0] for h in degrees))
    shares = (0.0, 0.25, 0.5, 0.75, 1.0)
    along = [[float(np.interp(share * load[-1], load, h)) / n_contacts for share in shares] for (load, *_), h, n_contacts in zip(curves, degrees, contacts)]
    turn = [float(load[1 + np.argmax(np.diff(volume) > 0)]) if (np.diff(volume) > 0).any() else None for load, _, volume, _, _ in curves]
    ends = [float(load[-1]) for load, *_ in curves]
    section.rows += [
        stated("C38: volume first falls", "contractant", f"dv/de = {told([float(v[1] / a[1]) for _, a, v, _, _ in curves])}", all(v[1] < 0 for _, _, v, _, _ in curves)),
        stated("C38: the sign of dv turns before q1 (characteristic state)", "q_car < q1", f"turns at {', '.join('never' if t is None else f'{t:.2f}' for t in turn)}; q1 "
               + ", ".join(f"{e:.2f}" for e in ends), all(t is not None and t < e for t, e in zip(turn, ends))),
        falls if base >= SMALLEST else unjudged(falls),
        Row(f"C38: h over the number of contacts at {', '.join(f'{share:g}' for share in shares)} of q1", "falls", ", ".join(f"{h:.3f}" for h in np.mean(along, axis=0))),
        measured("C38: share of contacts that slide at the end", [float(s[-1]) for *_, s, _ in curves]),
        measured("initial modulus dq/de over k_n", [float(load[1] / axial[1] / KAPPA) for load, axial, *_ in curves])]
    with lab.axes(section, "paths.svg", f"N = {base}, friction 0.25, k_t/k_n = 0.5: deviator against axial strain times kappa.", xlabel="axial strain x kappa", ylabel="q") as axes:
        for seed, (load, axial, *_) in enumerate(curves, 1):
            axes.plot(axial * KAPPA, load, label=f"sample {seed}")
    with lab.axes(section, "hyperstatic.svg", "The same paths: degree of hyperstaticity (eq. 5.5) over the number of contacts, and share of contacts that slide (dashed).", xlabel="q",
                  ylabel="h / contacts; sliding / contacts (dashed)") as axes:
        for seed, ((load, _, _, sliding, _), h, n_contacts) in enumerate(zip(curves, degrees, contacts), 1):
            (line,) = axes.plot(load, h / n_contacts, label=f"sample {seed}")
            axes.plot(load, sliding, "--", color=line.get_color())
    with lab.axes(section, "volume.svg", "The same paths: volumetric strain (dilatancy positive) times kappa.", xlabel="axial strain x kappa", ylabel="volumetric strain x kappa") as axes:
        for seed, (_, axial, volume, *_) in enumerate(curves, 1):
            axes.plot(axial * KAPPA, volume * KAPPA, label=f"sample {seed}")
    return section


class Small:
    """A sample of 49 discs under shares of its q1: statics, and soft dynamics with the same list and the same normals."""

    def __init__(self, lab: Laboratory, seed: int):
        self.rigid = compacted(lab, 49, seed)
        run = after(lab, f"yielding-{seed}", self.rigid, "combe-biaxial-friction/yielding")  # its list is the one both go on with
        self.found = elastic(lab, f"small-{seed}", run, 0.25, 0.5)
        self.soft, self.static = {}, {}
        for share in self.shares(lab):
            to = share * self.found["last_equilibrium"]
            ramp = 20.0 if lab.quick else 400.0  # what differs falls with the rate of loading
            settings = {"phase[load].duration": ramp, "phase[load].piston.stress": {"times": [0.0, ramp], "values": [1.0, 1.0 + to]}, "phase[rest].piston.stress": 1.0 + to}
            self.soft[share] = after(lab, f"fixed-{seed}-{share}", run, "combe-biaxial-friction/fixed", settings)
            self.static[share] = lab.piece(f"at-{seed}-{share}", lambda to=to, share=share: at_load(lab, f"at-{seed}-{share}", run, to), state=run.summary["state_hash"], to=to)

    @staticmethod
    def shares(lab: Laboratory) -> tuple[float, ...]:
        return (0.5,) if lab.quick else (0.5, 0.9)


def planned_small(lab: Laboratory) -> range:
    return range(1, 2 if lab.quick else 6)


def small(lab: Laboratory) -> Section:
    section = Section("C19: small samples", ["49 discs: elasto-plastic statics, and soft dynamics with the list and the normals of the beginning, under shares of q1. Strains are inversely "
                                             "proportional to the stiffness in both."])
    counts, slide, below, used = [], [], [], []
    shares = Small.shares(lab)
    strain, force = {share: [] for share in shares}, {share: [] for share in shares}
    for sample in (Small(lab, seed) for seed in planned_small(lab)):
        counts.append(hyperstatic(sample.rigid))
        slide.append(sample.found["mobilised"]), below.append(sample.found["last_equilibrium"])
        for share in shares:
            soft, at = sample.soft[share], sample.static[share]
            lengths = [list_of(frame).length[1] for frame in (soft.frames[-3], soft.frames[-1])]
            strain[share].append(float((1 - lengths[1] / lengths[0]) * 1e4 / (at["strain"] * KAPPA)))
            contacts = soft.frames[-1].contacts
            normal = {(int(a), int(b)): float(f) for a, b, f in zip(contacts.a, contacts.b, contacts.normal_force)}
            pairs = [(normal.get((a, b), normal.get((b, a), 0.0)), f) for a, b, f in zip(at["a"], at["b"], at["normal"])]
            force[share].append(float(np.mean([abs(x - y) / y for x, y in pairs if y > 1e-3])))
            used.append(soft_mobilisation(contacts, 0.25))
    section.rows = [stated("C19: h = N_a + 2 - W with friction switched on, by rank", "equal", ", ".join(f"{h} and {w}" for h, w in counts), all(h == w for h, w in counts)),
                    stated("C19: largest mobilisation of friction near q1", "1 in statics", f"{max(slide):.6f}", abs(max(slide) - 1) < 1e-6),
                    stated("C19: largest mobilisation of friction in soft dynamics at rest", "0.99, never 1", f"{max(used):.4f}", max(used) < 1),
                    measured("C19: q1 of samples of 49 discs", below, "0.815 (one sample)")]
    for share in shares:
        section.rows += [
            stated(f"C19: strain by soft dynamics with fixed normals over that of statics, less 1, at {share} q1", "1.6e-3 (one sample at 0.99 q1)",
                   ", ".join(f"{x - 1:.1e}" for x in strain[share]), max(abs(x - 1) for x in strain[share]) < 0.01, "below 0.01 in every sample"),
            stated(f"C19: mean relative difference of normal forces at {share} q1", "7.5e-3 (one sample at 0.99 q1)", ", ".join(f"{x:.1e}" for x in force[share]),
                   max(force[share]) < 0.02, "below 0.02 in every sample")]
    return section


def at_load(lab: Laboratory, name: str, run: mo.Run, to: float) -> dict:
    """Axial strain and forces of statics under one load."""
    forces = lab.folder / "pieces" / f"{name}-forces.csv"
    found = json.loads(call("elastic", run.path, "--load", "piston:upright", "--to", to, "--step", 0.01, "--finest", "2e-3", "--stiffness", KAPPA, "--ratio", 0.5,
                            "--friction", 0.25, "--forces", forces, "--json"))
    table = mo.Table.read(forces)
    return {"strain": 2 * found["displacement"]["upright"] / list_of(run.frames[-1]).length[1]} | {
        key: [kind(x) for x in table[key]] for key, kind in (("a", int), ("b", int), ("normal", float))}


def soft_mobilisation(contacts, friction: float) -> float:
    """The largest tangential force over its limit between discs that carry."""
    normal = contacts.normal_force
    inside = (normal > 1e-3 * normal[normal > 0].mean()) & (contacts.b >= 0)
    tangential = contacts.force[inside] - normal[inside, None] * contacts.normal[inside]
    return float((np.linalg.norm(tangential, axis=1) / (friction * normal[inside])).max())


def planned_rigid(lab: Laboratory) -> dict[int, range]:
    return {64: range(2, 3)} if lab.quick else {400: range(1, 4)}  # seed 1 of the small ones flows below q = 0.5


def rigid_test(lab: Laboratory, count: int, seed: int) -> mo.Run:
    return after(lab, f"rigid-{count}-{seed}", compacted(lab, count, seed), "combe-biaxial-friction/rigid")


def rigid(lab: Laboratory) -> Section:
    section = Section("C23: rigid dynamics on the same lists")
    rest, flow, volume, runs = [], [], [], []
    ((count, seeds),) = planned_rigid(lab).items()
    for run in (rigid_test(lab, count, seed) for seed in seeds):
        iso, half, end = list(run.frames)[-3:]
        lengths = [list_of(frame).length for frame in (iso, half, end)]
        rest.append(float(1 - lengths[1][1] / lengths[0][1])), flow.append(float(1 - lengths[2][1] / lengths[0][1]))
        volume.append(float(np.prod(lengths[1]) / np.prod(lengths[0]) - 1)), runs.append(run)
    section.rows = [
        stated(f"C23: rigid, axial strain at q = 0.5 ({count} discs)", "none", f"{told(rest)}", max(map(abs, rest)) < 1e-5, "below 1e-5"),
        stated("C23: rigid, volume at q = 0.5: no initial contraction", "not below 0", f"{min(volume):.1e} at least", min(volume) > -1e-5, "above -1e-5"),
        stated("C23: rigid, flows by q = 1.1", "flows", f"axial strain {told(flow)}", min(flow) > 5e-3, "above 0.005")]
    if lab.quick:
        section.rows[-1] = unjudged(section.rows[-1])  # of 64 discs some bear more
    section.rows += costs(lab, {count: runs}, "rigid, until it flows")
    return section


SOFTLY = {"soft": "stress controlled", "slow": "strain controlled"}


def planned_soft(lab: Laboratory) -> dict[int, range]:
    return {} if lab.quick else lab.samples({1024: 3})


def yielded(lab: Laboratory, count: int, seed: int) -> mo.Run:
    """A compacted sample whose contacts have yielded under p = 1, kappa = 1e4, at rest again: where soft dynamics and statics begin."""
    return after(lab, f"yield-{count}-{seed}", compacted(lab, count, seed), "combe-biaxial-friction/yield")


def soft_test(lab: Laboratory, name: str, count: int, seed: int) -> mo.Run:
    """Loaded below q1 by soft dynamics, in one of the two ways of SOFTLY."""
    speed = {"phase[load].piston.velocity": 1e-5 * (count * 0.458 / 0.83) ** 0.5} if name == "slow" else None  # 0.458: mean area of a disc
    return after(lab, f"{name}-{count}-{seed}", yielded(lab, count, seed), f"combe-biaxial-friction/{name}", speed)


def soft(lab: Laboratory) -> Section:
    section = Section("C22: soft dynamics and statics below q1", [
        "Soft dynamics with kappa = 1e4, under a stress that grows to q = 0.84 in 28 units of time, or shortened at a strain rate of 2e-5; statics of the same stiffness. Both begin "
        "from the sample that has yielded until it rested. Strains at shares of the q1 that statics finds for its list of contacts. Statics keeps the list, as in the thesis, or may gain "
        "contacts of discs that come to touch (`--near`)."])
    if lab.quick:
        section.rows = [not_run("C22: soft dynamics and statics below q1", "the same curves", "full form only")]
        return section
    count, kappa = 1024, 1e4
    shares = np.array([0.2, 0.4, 0.6, 0.8, 0.9])
    statics = {"its list of contacts": (), "contacts gained on the way": ("--near", 0.01)}
    for name, words in SOFTLY.items():
        ratio, runs = {kind: [] for kind in statics}, []
        for seed in planned_soft(lab).get(count, ()):
            start, run = yielded(lab, count, seed), soft_test(lab, name, count, seed)
            length = list_of(start.frames[-1]).length[1]
            table = run.measures["load"]
            strain = -np.log(table["length_y"] / length)
            runs.append(run)
            for kind, more in statics.items():
                found = elastic(lab, f"yielded-{count}-{seed}{'-near' if more else ''}", start, 0.25, 0.5, kappa, *more)
                load, axial = np.array(found["path"]["load"]), 2 * np.array(found["path"]["upright"]) / length
                if not more:
                    places = shares * found["last_equilibrium"]
                reached = places <= table["deviator"].max()
                first = [np.argmax(table["deviator"] >= q) for q in places[reached]]  # q may fall again where a sample fails
                ratio[kind].append(np.full(len(shares), np.nan))
                ratio[kind][-1][reached] = strain[first] / np.interp(table["deviator"][first], load, axial)
        for kind, of_kind in ratio.items():
            label = f"C22: strain by soft dynamics ({words}) over that of statics with {kind} at {', '.join(f'{x:g}' for x in shares)} of q1, {count} discs"
            if len(of_kind) >= FEWEST:
                means, errors = np.mean(of_kind, axis=0), np.std(of_kind, axis=0, ddof=1) / len(of_kind) ** 0.5
                section.rows.append(stated(f"{label}, {len(of_kind)} samples", "the same curve", ", ".join(f"{m:.3f} ± {e:.3f}" for m, e in zip(means, errors)),
                                           np.abs(means - 1).max() < 0.03, "within 3 %"))
            else:
                section.rows.append(not_run(label, "the same curve", f"{len(of_kind)} samples are too few"))
        section.rows += costs(lab, {count: runs}, f"soft dynamics below q1, {words}")
    section.rows += costs(lab, {count: [yielded(lab, count, seed) for seed in planned_soft(lab).get(count, ())]}, "yielding until it rests")
    return section


def planned_shortened(lab: Laboratory) -> dict[int, range]:
    return {} if lab.quick else lab.samples({1024: 6, 4900: 4})


def shortened(lab: Laboratory, n: int, seed: int) -> mo.Run:
    velocity = 0.5e-3 * (n * 0.458 / 0.83) ** 0.5  # each wall of the pair; 0.458: mean area of a disc
    return after(lab, f"strain-{n}-{seed}", compacted(lab, n, seed), "combe-biaxial-friction/strain", {"phase[shorten].piston.velocity": velocity})


def second_regime(lab: Laboratory) -> Section:
    section = Section("C25: beyond q1, how samples differ", [
        "Strain controlled, kappa = 1e4, strain rate 1e-3. The standard deviation over samples of q at a given strain, averaged over strains from 0.005 to 0.02."])
    places = np.linspace(0.005, 0.02, 16)
    deviation, mean, runs = {}, {}, {}
    for n, seeds in planned_shortened(lab).items():
        curves, runs[n] = [], []
        for seed in seeds:
            run = shortened(lab, n, seed)
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


def planned_beyond(lab: Laboratory) -> dict[int, range]:
    return {64: range(1, 2)} if lab.quick else lab.samples({1024: 4, 3025: 3})


def beyond(lab: Laboratory, n: int, seed: int) -> list[tuple[mo.Run, float]]:
    """The equilibria of a sample under the loads of BEYOND, as far as there are any, and what the list of each bears in addition."""
    found, run, q = [], compacted(lab, n, seed), 0.0
    for to in BEYOND[:1] if lab.quick else BEYOND:
        settings = {"piston[upright].stress": 1.0 + q, "phase[load].piston.stress": {"times": [0.0, 20.0], "values": [1.0 + q, 1.0 + to]},
                    "phase[rest].piston.stress": 1.0 + to}
        if lab.quick:
            settings |= {"phase[yield].soft.level": 1e3, "phase[yield].step": 3e-4}
        run, q = after(lab, f"beyond-{n}-{seed}-{to}", run, "combe-biaxial-friction/beyond", settings), to
        if not at_rest(run):
            break  # it flows: no equilibrium under this q, nor under a larger one
        found.append((run, lab.piece(f"beyond-{n}-{seed}-{to}", lambda run=run: further(run), state=run.summary["state_hash"])))
    return found


def supported(lab: Laboratory) -> Section:
    section = Section("C39: what the lists of the second regime support", [
        f"Soft dynamics (kappa = 1e4) brings samples to rest under q = {', '.join(map(str, BEYOND))}, beyond q1; friction 0.25, k_t/k_n = 0.5. From each of these "
        "equilibria elasto-plastic statics goes on: dq is the load that its list of contacts bears in addition."])
    gained, runs = {}, {}
    for n, seeds in planned_beyond(lab).items():
        equilibria = [one for seed in seeds for one in beyond(lab, n, seed)]
        runs[n], gained[n] = [run for run, _ in equilibria], [more for _, more in equilibria]
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


def tasks(lab: Laboratory, planned) -> list:
    """What the sections need, sample by sample, the longest first."""
    of = {"C25": each(planned_shortened(lab), lambda n, seed: shortened(lab, n, seed)),
          "C22": [task for name in SOFTLY for task in each(planned_soft(lab), lambda n, seed, name=name: soft_test(lab, name, n, seed))],
          "C39": each(planned_beyond(lab), lambda n, seed: beyond(lab, n, seed)),
          "C31": each(planned, lambda n, seed: largest_load(lab, n, seed)),
          "C20": [lambda seed=seed, cell=cell: largest_load(lab, base_of(planned), seed, *cell) for cell in reversed(cells(lab)) for seed in planned[base_of(planned)]],
          "C19": [lambda seed=seed: Small(lab, seed) for seed in planned_small(lab)],
          "C23": each(planned_rigid(lab), lambda n, seed: rigid_test(lab, n, seed))}
    return [task for item, of_item in of.items() if lab.takes(item) for task in of_item]


def reproduce(lab: Laboratory) -> Report:
    planned = {64: range(1, 3)} if lab.quick else {n: seeds for n, seeds in lab.samples(SAMPLES).items() if n == SMALLEST or lab.takes("C21")}
    lab.ahead(tasks(lab, planned))
    runs = {n: [compacted(lab, n, seed) for seed in seeds] for n, seeds in planned.items()}
    made = ", ".join(f"{len(of_size)} of {n} discs" for n, of_size in runs.items())
    return Report(
        protocol=[f"Samples: {made}, compacted without friction as in combe-compaction; then friction between grains, none at the walls. kappa = {KAPPA:g}."],
        choices=["The thesis does not give the tolerance of its search; here an increment must balance to 1e-9 of the largest force.",
                 f"A mean gets a verdict from {FEWEST} samples on."],
        sections=[lab.section("C31", "C21, C31: the largest load q1 of the list of contacts", lambda: limits(lab, runs)),
                  lab.section("C20", "C20: q1 for three frictions and three ratios of stiffness", lambda: table(lab, runs)),
                  lab.section("C24", "C24: the elastic range", lambda: reversible(lab, runs)),
                  lab.section("C38", "C37, C38: load and unload, along the path", lambda: first_regime(lab, runs)), lab.section("C19", "C19: small samples", lambda: small(lab)),
                  lab.section("C22", "C22: soft dynamics and statics below q1", lambda: soft(lab)), lab.section("C23", "C23: rigid dynamics on the same lists", lambda: rigid(lab)),
                  lab.section("C25", "C25: beyond q1, how samples differ", lambda: second_regime(lab)),
                  lab.section("C39", "C39: what the lists of the second regime support", lambda: supported(lab))])


if __name__ == "__main__":
    main(reproduce)
