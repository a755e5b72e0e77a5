"""Isostatic lists: ranks, toys, supported ranges, motion at failure. Combe 2001, chapter 3."""

import numpy as np

import moreau as mo
from moreau.experiment import Laboratory, Report, Row, Section, compared, main, measured, not_run, stated
from moreau.experiment.packing import FEWEST, SMALLEST, Isostatic, after, against, compacted, each, list_of, opened, statics, told, unjudged

# Sizes and numbers of samples of the full form.
SAMPLES = {1024: 20, 1936: 3, 3025: 3, 4900: 3}
# Places, forces of passage and loop areas of the rows of fixed discs, by hand (circles that touch, lines through centres).
TOYS = {"row": ("three fixed discs", [0.75, -0.082299], [(1.282022, 0.996631), (0.6, 0.8)], 0.567646),
        "long-row": ("four fixed discs", [0.75, -0.033262, -0.691650], [(2.253244, 0.929447), (0.6, 0.8)], 2.064476)}


def toys(lab: Laboratory) -> Section:
    section = Section("C02: one disc in a row of fixed ones", [
        "The disc is pushed sideways by a force that grows and falls again, its weight is 1. It passes from pocket to pocket at other forces "
        "on the way out than on the way back; what is dissipated is the area of the loop."])
    for name, (title, passages, places, area) in TOYS.items():
        run = lab.run(name, lab.scene(name))
        events = opened(run)
        forces = [load - 3.0 for load in events["load_push"]]
        ends = [frame.position[0] for frame in run.frames][-2:]
        section.rows += [compared(f"{title}: force of passage {k + 1}", exact, found, 1e-6) for k, (exact, found) in enumerate(zip(passages, forces))]
        section.rows += [
            stated(f"{title}: number of passages", str(len(passages)), str(len(forces)), len(forces) == len(passages)),
            stated(f"{title}: place after loading and after unloading", ", ".join(f"({x:.6f}, {y:.6f})" for x, y in places),
                   ", ".join(f"({x:.6f}, {y:.6f})" for x, y in ends), np.abs(np.array(ends) - np.array(places)).max() < 1e-6, "to 1e-6"),
            compared(f"{title}: dissipated energy", area, float(sum(events["energy_released"])), 1e-6)]
    for engine, step, law in (("rigid", 0.01, {}), ("soft", 1e-4, {"law.stiffness": 1e4})):
        for name, (title, passages, _, area) in TOYS.items():
            if lab.quick and (engine, name) != ("rigid", "row"):
                continue
            found = lab.piece(f"{engine}-{name}", lambda: slow_loop(lab, name, engine, step, law), engine=engine, toy=name, step=step, quick=lab.quick)
            lab.quality.add(f"{engine}-{name}", found["steps"], found["totals"], found["warnings"])
            section.rows.append(compared(f"{title}, {engine} dynamics with a drag, pushed slowly: dissipated energy", area, found["work"],
                                         (0.04 if lab.quick else 0.01) * area))
    return section


def slow_loop(lab: Laboratory, name: str, engine: str, step: float, law: dict) -> dict:
    """Work of the sideways force over a loop, by a dynamic engine: the force goes on by a little whenever the disc rests."""
    settings = {"engine": engine, "time.step": step, "damping": 10.0, "phase[load].duration": 1e6, "phase[load].piston.force": 3.0, **law}
    course = mo.Course(lab.scene(name, settings), threads=1)
    little, top, bottom = (0.01 if lab.quick else 0.002), {"row": 2.3, "long-row": 2.2}[name], -0.7
    place, work = float(course.bodies.position[0, 0]), 0.0
    for force in (*np.arange(0, top, little), *np.arange(top, bottom, -little)):
        course.set_piston("push", 3.0 + float(force))
        for _ in range(400):
            report = course.run(until=course.time + 0.5)
            if report.max_speed < 1e-4:
                break
        now = float(course.bodies.position[0, 0])
        work, place = work + float(force) * (now - place), now
    return {"work": work, "steps": report.step, "totals": course.totals, "warnings": course.warnings}


def rank_of(G) -> int:
    values = np.linalg.svd(G.toarray(), compute_uv=False)
    return int((values > 1e-9 * values[0]).sum())


def operators(lab: Laboratory) -> Section:
    section = Section("C01: forces + hypostatic = freedoms + hyperstatic", [
        "G is written by its definition from the contacts of a frame and its rank taken by a dense singular value decomposition; the program "
        "has its own G and a sparse QR."])
    good, worst, samples = True, 0.0, 0
    for seed in range(1, 3 if lab.quick else 6):
        run = compacted(lab, 36 if lab.quick else 100, seed)
        packing, said = list_of(run.frames[-1]), statics(run)
        contacts, freedoms = packing.G.shape
        rank = rank_of(packing.G)
        good &= contacts - rank == freedoms - rank == 0 and said["contacts"] == contacts and said["normal_forces"]["rank"] == rank
        good &= said["isostatic"] and contacts == 2 * len(packing.bodies) + 2
        random = mo.Random(seed)
        v = np.array([random.uniform(-1, 1) for _ in range(freedoms)])
        f = np.array([random.uniform(0, 1) for _ in range(contacts)])
        # Power of arbitrary forces on arbitrary velocities: at the contacts, and of the resultants on bodies and walls.
        at_contacts, on_bodies = f @ (packing.G @ v), 0.0
        place = {int(body): k for k, body in enumerate(packing.bodies)}
        for k in range(contacts):
            on_bodies += f[k] * packing.normal[k] @ v[2 * place[int(packing.a[k])]:][:2]
            if packing.b[k] >= 0:
                on_bodies -= f[k] * packing.normal[k] @ v[2 * place[int(packing.b[k])]:][:2]
            else:
                on_bodies -= f[k] * v[-2 + int(abs(packing.normal[k, 1]) > 0.5)]
        worst, samples = max(worst, abs(at_contacts - on_bodies) / np.abs(f).sum()), samples + 1
    section.rows += [
        stated("packings at rest: contacts = freedoms, h = k = 0, N_c = 2 N_a + 2, and the ranks of the program", "exactly",
               f"in {samples} of {samples} packings" if good else "not in all packings", good),
        compared("virtual power: largest difference over the sum of forces", 0.0, worst, 1e-12)]
    for n in (2, 4) if lab.quick else (2, 4, 6):
        run = lab.run(f"lattice-{n}", lab.scene("lattice", {"grains.count": n * n, "wall.box": {"min": [-n / 2] * 2, "max": [n / 2] * 2}}))
        G = list_of(run.frames[-1], touching=1e-6).G  # the solver need not load them all
        rank = rank_of(G)
        found = *G.shape, G.shape[0] - rank, G.shape[1] - rank
        wanted = 2 * n * n + 2 * n, 2 * n * n + 2, 2 * n - 2, 0
        section.rows.append(stated(f"square lattice of {n} x {n} discs: contacts, freedoms, h, k", str(wanted), str(found), found == wanted))
    return section


def ranges(lab: Laboratory, runs: dict[int, list[mo.Run]]) -> Section:
    section = Section("C11: loads that an isotropic packing supports where it stands", [
        "q+ is what may be added to the upright stress before a contact opens, q- what may be taken away. The thesis gives the mean of all "
        "plateaus for 0 < q <= 0.05, 4.37 N^-1.13, and says nothing of the first ones, which are here: the force of a contact that an event has closed begins at "
        "zero, so that later plateaus (combe-biaxial-rigid) may be shorter. The verdict is that of the list of items all the same: within 30 %, from 30 states on."])
    for count, of_size in runs.items():
        up, down, worst = [], [], 0.0
        for run in of_size:
            least, most = Isostatic(list_of(run.frames[-1])).supported()
            said = statics(run, "--load", "piston:upright")["supported"]
            worst = max(worst, abs(most / said[1] - 1), abs(least / said[0] - 1))
            up.append(most), down.append(-least)
        stationary = 4.37 * count**-1.13
        both = up + down

        def enough(row: Row) -> Row:
            return row if len(both) >= 30 and count >= SMALLEST else unjudged(row)

        section.rows += [
            against(f"C11, N = {count}: first q+ over the mean of all plateaus, {stationary:.3g}", 1.0, [x / stationary for x in up], 0.3, count),
            measured(f"N = {count}: first |q-| over that mean", [x / stationary for x in down]),
            enough(against(f"C11, N = {count}: q+ and |q-| together over that mean", 1.0, [x / stationary for x in both], 0.3, count)),
            enough(compared(f"C11, N = {count}: standard deviation over mean, q+ and |q-| together ({len(both)} states)", 1.0,
                            float(np.std(both, ddof=1) / np.mean(both)), 0.3)),
            compared(f"N = {count}: range of the program against one computed from the frame, relative", 0.0, worst, 1e-6)]
        if len(both) >= 30:
            p = mo.ks_test(np.array(both) / np.mean(both), "expon").pvalue
            section.rows.append(stated(f"C11, N = {count}: exponential by Kolmogorov and Smirnov", "P > 0.05", f"P = {p:.3f}", p > 0.05))
    return section


def failures(lab: Laboratory, runs: dict[int, list[mo.Run]]) -> Section:
    section = Section("C18 and C42: velocities when a contact opens", [
        "A contact of the list opens with speed 1, all others touch. Of every packing: each of 40 contacts spread over the list, and the "
        "one that opens first as q grows. C42: where the contact belongs to a disc with three contacts all other discs move alike, whichever of "
        "the three is opened."])
    medians, pooled = {}, {}
    worst, clusters = 0.0, 0
    for count, of_size in runs.items():
        values = []
        for run in of_size:
            packing = Isostatic(list_of(run.frames[-1]))
            size = len(packing.force)
            values += [packing.fluctuation(k) for k in range(0, size, max(1, size // 40))] + [packing.fluctuation(packing.first_to_open())]
            degree = np.bincount(np.concatenate([packing.list.a, packing.list.b[packing.list.b >= 0]]))
            for body in np.flatnonzero(degree == 3)[:10]:
                own = np.flatnonzero((packing.list.a == body) | (packing.list.b == body))
                # Only discs whose neighbours have more contacts: the others of a cluster would move apart too.
                others = np.unique(np.concatenate([packing.list.a[own], packing.list.b[own]]))
                if any(degree[o] == 3 for o in others if o >= 0 and o != body):
                    continue
                column = 2 * int(np.searchsorted(packing.list.bodies, body))
                motions = [np.delete(packing.failure(int(k)), [column, column + 1]) for k in own]
                motions = [m / np.linalg.norm(m) for m in motions]
                worst = max(worst, *(float(np.abs(m - motions[0]).max()) for m in motions[1:]))
                clusters += 1
        medians[count], pooled[count] = float(np.median(values)), values
        section.rows.append(measured(f"N = {count}: median of the mean square fluctuation ({len(values)} openings)", medians[count],
                                     "the same for all N"))
    large = [n for n in medians if n >= SMALLEST]
    if len(large) > 1:
        medians = {n: medians[n] for n in large}
    smallest, largest = min(medians.values()), max(medians.values())
    if len(medians) > 1:
        holds = largest <= 1.5 * smallest
        row = stated("C18: medians of all sizes within a factor 1.5", "no size effect",
                     "; ".join(f"{count}: {median:.3g}" for count, median in medians.items()), holds)
        section.rows.append(row if min(medians) >= SMALLEST else unjudged(row))
    else:
        section.rows.append(not_run("C18: medians of all sizes within a factor 1.5", "no size effect", "samples of one size only"))
    section.rows.append(compared(f"C42: motion of all others, three choices at {clusters} discs with three contacts: largest difference", 0.0,
                                 worst, 1e-10))
    with lab.axes(section, "fluctuations.svg", "Mean square of what the velocities differ from the affine motion, when one contact opens with "
                  "speed 1: share of openings above.", xlabel="mean square fluctuation", ylabel="share above", xscale="log", yscale="log") as axes:
        for count, values in pooled.items():
            axes.plot(np.sort(values), 1 - np.arange(len(values)) / len(values), label=f"N = {count}")
    return section


def planned_recompressions(lab: Laboratory) -> dict[int, range]:
    return {36: range(1, 2)} if lab.quick else lab.samples({1024: 3})


def recompression(lab: Laboratory, count: int, seed: int) -> mo.Run:
    return after(lab, f"soft-{count}-{seed}", compacted(lab, count, seed), "combe-isostatic/recompressed")


def recompressed(lab: Laboratory) -> Section:
    section = Section("C10: recompression with contacts that yield", [
        "kappa = 1e5. The rigid packing is the reference; on the same list the area shrinks by sum f² / k_n / p, whatever the path (virtual power)."])
    kappa = 1e5
    found = {key: [] for key in ("mean", "max", "ratio", "denser", "predicted")}
    for run in (recompression(lab, count, seed) for count, seeds in planned_recompressions(lab).items() for seed in seeds):
        rigid, soft = run.frames[-2], run.frames[-1]
        before, behind = list_of(rigid), list_of(soft)
        overlap = behind.force / kappa
        area = [float(np.prod(packing.length)) for packing in (before, behind)]
        found["mean"].append(overlap.mean()), found["max"].append(overlap.max())
        found["ratio"].append(behind.freedoms / behind.G.shape[0])
        found["denser"].append(area[0] / area[1] - 1)
        found["predicted"].append((before.force**2).sum() / kappa / area[0])
    if not found["mean"]:
        section.rows = [not_run("C10: overlaps, contacts and density at kappa = 1e5", "see the thesis, sec. 4.3.2", "no sample was made")]
        return section
    (count,) = planned_recompressions(lab)
    section.rows = [
        against("mean overlap", 7.69e-6, found["mean"], 0.04 * 7.69e-6, count),
        against("largest overlap", 3.66e-5, found["max"], 1e-5, count),
        against("freedoms over contacts", 0.9978, found["ratio"], 0.002, count),
        against("relative change of the solid fraction", 2.8e-5, found["denser"], 1.5e-5, count),
        stated("change of the solid fraction against sum f² / (k_n p A) of the rigid list", "equal to order 1/kappa",
               f"{told(found['denser'])} and {told(found['predicted'])}",
               np.allclose(found["denser"], found["predicted"], rtol=0.05), "within 5 %")]
    return section


def reproduce(lab: Laboratory) -> Report:
    samples = {36: range(1, 3), 64: range(1, 3)} if lab.quick else lab.samples(SAMPLES)
    lab.ahead([*each(planned_recompressions(lab) if lab.takes("C10") else {}, lambda n, seed: recompression(lab, n, seed)),
               *each(samples, lambda n, seed: compacted(lab, n, seed))])
    sections = [lab.section("C02", "C02: one disc in a row of fixed ones", lambda: toys(lab)), operators(lab)]
    runs = {count: [compacted(lab, count, seed) for seed in seeds] for count, seeds in samples.items()}
    sections += [lab.section("C11", "C11: loads that an isotropic packing supports where it stands", lambda: ranges(lab, runs)),
                 lab.section("C18", "C18 and C42: velocities when a contact opens", lambda: failures(lab, runs)), lab.section("C10", "C10: recompression with contacts that yield", lambda: recompressed(lab))]
    made = ", ".join(f"{len(of_size)} of {count} discs" for count, of_size in runs.items())
    return Report(
        protocol=[f"Samples: {made}, compacted as in combe-compaction. A mean gets a verdict from {FEWEST} samples on."],
        choices=["The coordinates of the toys are not in the thesis; they were chosen so that all places and forces follow by hand.",
                 "C11: the thesis gives ranges along the path; those of the isotropic states are the first of each."],
        sections=sections)


if __name__ == "__main__":
    main(reproduce)
