"""Conical pile of 14 000 grains. Moreau 2003, sec. 9; 2004, sec. 10."""

from dataclasses import dataclass

import numpy as np
from pile import RING, Pile, frame_at, frame_interval

import moreau as mo
from moreau.experiment import Figure, Laboratory, Report, Section, compared, main, mean_of, measured, stated

# The rate of the smaller pile stays: grains that come faster flow away before they find a place.
SMALL = {"time.step": 5e-4, "source.end": 7.5, "time.duration": 9.0, "floor.extent": 7.0, "output.frames": 0.5}
SEEDS = range(1, 7)  # of smaller piles


@dataclass
class Form:
    poured: float  # time at which pouring ends
    layer: tuple[float, float]  # births of the fossil layer shown
    slice_: float  # thickness
    settings: dict


SMALL_FORM, FULL_FORM = Form(7.5, (1.6, 2.0), 1.0, SMALL), Form(72.0, (15.5, 18.7), 2.0, {})


def speed_row(run, form: Form):
    """The paper gives the largest speed at one instant of a motion that goes on. Here: at the frames of the second half of the pouring."""
    interval = max(frame_interval(run), form.poured / 40.0)
    speeds, time = [], 0.5 * form.poured
    while time <= form.poured:
        frame = frame_at(run, time)
        speeds.append(np.linalg.norm(frame.velocity[frame.kind == 0], axis=1).max())
        time += interval
    m = mean_of(speeds)
    return stated("largest speed at an instant of the pouring [cm/s]", "23.6 (2003), may reach 24 (2004)",
                  f"{m.mean:.1f} ± {m.deviation:.1f} over {m.count} instants, up to {max(speeds):.1f}", abs(m.mean - 23.6) <= 2.0 * m.deviation,
                  "23.6 within two standard deviations of the instants")


def relaxation_rows(pouring: Pile, rest: Pile):
    """Moreau 2003, sec. 9.2: the slope shows no perceptible difference when the pile is left to relax; only the apex rounds."""
    change, error = rest.angle - pouring.angle, np.hypot(rest.angle_error, pouring.angle_error)
    return [stated("slope after relaxing, against that while pouring", "no perceptible difference", f"{change:+.2f} ± {error:.2f} degrees",
                   abs(change) < 2.0 * error, "less than two standard errors over the sectors"),
            stated("the apex rounds", "rounds",
                   f"top {rest.apex_rise:.2f} cm above the surface at 1.5 to 2.25 cm from the axis, {pouring.apex_rise:.2f} cm while pouring",
                   rest.apex_rise < pouring.apex_rise, "less than while pouring")]


def cut_rows(pouring: Pile, rest: Pile, poured):
    angles, residuals = rest.cuts(rest, poured)
    angles_early, residuals_early = pouring.cuts(rest, poured)
    rows, now, early = [], mean_of(angles), mean_of(angles_early)
    if now.count:
        rows.append(stated("force on cylindrical cuts against the fossil layer through the point", "same direction",
                           f"angle between them {now.mean:+.1f} ± {now.deviation:.1f} degrees ({now.count} cuts)", abs(now.mean) < 10.0,
                           "mean within 10 degrees"))
    if now.count and early.count:
        error, difference = np.hypot(now.error, early.error), abs(early.mean - now.mean)
        rows.append(stated("the same in the pile that is not relaxed", "no significant difference",
                           f"{early.mean:+.1f} ± {early.deviation:.1f} degrees ({early.count} cuts); the means differ by {difference:.1f} ± "
                           f"{error:.1f}", difference < 2.0 * error, "less than two standard errors"))
    if len(residuals):
        rows += [stated("reciprocity of cuts, relaxed", "holds", f"residual {residuals.mean():.3f} on average over {len(residuals)} pairs",
                        residuals.mean() < 0.15, "mean residual below 0.15"),
                 measured("reciprocity of cuts while pouring: mean residual", mean_of(residuals_early).mean)]
    return rows


def bank_rows(rest: Pile, poured):
    """Moreau 2003, sec. 9.3: in the bank layers are nearly parallel to the free surface; equivalently the force on a cone parallel to it
    is nearly vertical."""
    layer, force = (mean_of(values) for values in rest.bank(poured))
    rows = []
    if layer.count >= 3:
        rows.append(stated("slope of fossil layers in the bank, against the free surface", "nearly parallel",
                           f"{layer.mean:.1f} ± {layer.deviation:.1f} degrees ({layer.count} places), surface {rest.angle:.1f}",
                           abs(layer.mean - rest.angle) < 5.0, "means within 5 degrees"))
    if force.count >= 3:
        rows.append(stated("force on cones parallel to the free surface, in the bank", "nearly vertical",
                           f"{force.mean:+.1f} ± {force.deviation:.1f} degrees from the vertical ({force.count} cuts)", abs(force.mean) < 5.0,
                           "mean within 5 degrees"))
    return rows


def centre_rows(run, form: Form):
    """Moreau 2003, sec. 9.2: many of the grains deposited do not run down but pile up on the spot, and the packet sinks."""
    reach = 0.8 + 2.0 * RING  # cm: the disc of deposition and four mean diameters
    share, height = Pile(frame_at(run, form.layer[1])).centre(*form.layer, reach)
    late_share, late_height = Pile(frame_at(run, form.poured)).centre(*form.layer, reach)
    return [measured(f"share of the layer of t = {form.layer[0]:g} to {form.layer[1]:g} s that is within {reach:.2g} cm of the axis when laid",
                     share, "an important proportion"),
            stated("and the packet that they form sinks", "sinks",
                   f"mean height {height:.2f} cm when laid, {late_height:.2f} cm at the end of the pouring", late_share > 0.0 and
                   late_height < height, "lower at the end")]


def published_and_computed(lab: Laboratory, run, form: Form) -> Section:
    table = Section("Published and computed")
    pouring, rest, full = Pile(frame_at(run, form.poured)), Pile(run.frames[-1]), not lab.quick
    density = rest.bulk_density
    # The smaller pile is compared where size does not enter.
    table.rows.append(compared("angle of the free surface [degrees]", 26.0, rest.angle, 2.0))
    table.rows[-1].computed += f" ± {rest.angle_error:.2g} over 12 sectors"
    table.rows.append(compared("bulk density", 0.615, density, 0.02))
    if full:
        table.rows += [compared("height [cm]", 5.5, rest.height, 0.3), compared("contacts near the end", 33000, pouring.carrying, 5000)]
    else:
        table.rows += [measured("height [cm]", rest.height, "5.5 with 14 000 grains"),
                       compared("contacts per grain", 33.0 / 14.0, pouring.carrying / pouring.grains, 0.35)]
    table.rows.append(speed_row(run, form))
    table.rows += relaxation_rows(pouring, rest)
    table.rows.append(compared("ground force / weight, relaxed", 1.0, mo.measure(rest.frame, "weight")["carried"][0], 0.01))
    radius, rings, centre = rest.pressure
    early_radius, early_rings, _ = pouring.pressure
    column = density * 981.0 * rest.height
    table.rows += [
        stated("pressure at the centre, against that of a column of the same height", "clearly below 3320 dPa" if full else "clearly below",
               f"{centre:.0f} dPa; column {column:.0f} dPa", centre < 0.95 * column, "below 0.95 of the column"),
        stated("local minimum of pressure at the centre", "dip", f"centre {centre:.0f} dPa, largest ring {rings.max():.0f} dPa",
               centre < 0.95 * rings.max(), "below 0.95 of the largest ring")]
    with lab.axes(table, "ground-pressure.svg", "Vertical force on the ground by rings of 0.75 cm (Moreau 2003, Fig. 6).",
                  title="Pressure on the ground", xlabel="distance to the axis [cm]", ylabel="pressure [dPa]") as axes:
        axes.plot(radius, rings, label="relaxed")
        axes.plot(early_radius, early_rings, label="while pouring")
    table.rows += cut_rows(pouring, rest, form.poured) + bank_rows(rest, form.poured) + centre_rows(run, form)
    return table


def small_pile(lab, name, settings):
    """What a pile of 1500 grains gives."""
    run = lab.run(name, lab.scene("pile", {**SMALL, **settings}))
    pouring, rest = Pile(frame_at(run, SMALL_FORM.poured)), Pile(run.frames[-1])
    angles, residuals = rest.cuts(rest, SMALL_FORM.poured)
    return {"angle": rest.angle, "density": rest.bulk_density, "contacts": pouring.carrying / pouring.grains, "pressure": rest.pressure,
            "cut": mean_of(angles).mean, "reciprocity": mean_of(residuals).mean}


def smaller_piles(lab: Laboratory) -> Section:
    section = Section("Smaller piles: seeds and choices", [
        f"Piles of 1 500 grains (the reduced form), seeds 1 to {len(SEEDS)}; means and their standard errors. Below, seed 1 with half the time "
        "step, and with a third of the solver's tolerances."])
    piles = [small_pile(lab, f"small-{seed}", {"seed": seed}) for seed in SEEDS]
    each = {name: [pile[name] for pile in piles] for name in piles[0]}
    common = min(len(rings) for _, rings, _ in each["pressure"])
    mean = np.mean([rings[:common] for _, rings, _ in each["pressure"]], axis=0)
    centre = mean_of([c for _, _, c in each["pressure"]])
    section.rows = [
        compared("angle of the free surface [degrees]", 26.0, each["angle"], 2.0),
        compared("bulk density", 0.615, each["density"], 0.02),
        compared("contacts per grain", 33.0 / 14.0, each["contacts"], 0.35),
        stated("local minimum of the mean pressure at the centre", "dip, in larger piles",
               f"centre {centre.mean:.0f} ± {centre.deviation:.0f} dPa, largest ring of the mean {mean.max():.0f} dPa",
               centre.mean < 0.95 * mean.max(), "below 0.95 of the largest ring"),
        compared("force on cylindrical cuts against the fossil layer [degrees]", 0.0, each["cut"], 10.0),
        measured("reciprocity of cuts, relaxed: mean residual", each["reciprocity"], "holds")]
    with lab.axes(section, "ground-pressure-small.svg", f"Pressure under {len(SEEDS)} piles of 1 500 grains (points), and their mean (line).",
                  title="Pressure on the ground, piles of 1 500 grains", xlabel="distance to the axis [cm]", ylabel="pressure [dPa]") as axes:
        axes.plot(each["pressure"][0][0][:common], mean, label=f"mean of {len(SEEDS)} piles")
        for radius, rings, _ in each["pressure"]:
            axes.plot(radius, rings, ".", color="0.6")
    for name, label, settings in (("small-half-step", "half the step", {"time.step": 2.5e-4}),
                                  ("small-tolerance", "a third of the tolerances",
                                   {"solver.tolerance": 3e-4, "solver.unbalanced_tolerance": 1.5e-2, "solver.max_sweeps": 5000})):
        one = small_pile(lab, name, settings)
        section.rows += [compared(f"{label}: angle of the free surface [degrees]", 26.0, one["angle"], 2.0),
                         compared(f"{label}: bulk density", 0.615, one["density"], 0.02),
                         measured(f"{label}: pressure at the centre [dPa]", one["pressure"][2])]
    return section


def slice_picture(lab, run, form: Form, time, stage) -> Figure:
    """A slice through the axis, seen from the side: grains shaded in turn by when they were born, those of one layer black."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection

    frame, (start, end) = frame_at(run, time), form.layer
    free = frame.kind == 0
    inside = np.abs(frame.position[:, 1]) <= 0.5 * form.slice_
    reach = max(1.0, np.abs(frame.position[inside & free, 0]).max() + 0.5)
    inside &= np.abs(frame.position[:, 0]) <= reach
    band = np.floor((frame.birth - start) / (end - start))
    shade = np.where(~free, 0.55, np.where(band == 0, 0.0, np.where(np.abs(band) % 2 == 0, 0.93, 0.74)))
    order = [i for i in np.lexsort((-frame.position[:, 1], free & (band == 0))) if inside[i]]
    top = (frame.position[:, 2] + frame.radius)[inside & free].max()
    figure, axes = plt.subplots(figsize=(7.5, 7.5 * (top + 0.6) / (2 * reach) + 0.4), layout="constrained")
    size = 2 * frame.radius[order]
    axes.add_collection(EllipseCollection(size, size, np.zeros(len(order)), units="xy", offsets=frame.position[order][:, [0, 2]],
                                          transOffset=axes.transData, facecolors=[str(shade[i]) for i in order], edgecolors="0.5",
                                          linewidths=0.4))
    axes.set(aspect="equal", xlim=(-reach, reach), ylim=(-0.4, top + 0.1), title=f"t = {frame.time:.4g} s")
    axes.axis("off")
    file = lab.figure(f"fossil-{stage}.png")
    figure.savefig(file, dpi=120)
    plt.close(figure)
    return Figure(file, f"Slice of {form.slice_:g} cm through the axis at t = {frame.time:.4g} s; black: grains born between {start:g} and {end:g} s, "
                        "the others shaded in turn by layers of the same age.")


def reproduce(lab: Laboratory) -> Report:
    form = SMALL_FORM if lab.quick else FULL_FORM
    run = lab.run("pile", lab.scene("pile", form.settings))
    sections = [published_and_computed(lab, run, form)]
    if not lab.quick:
        sections.append(smaller_piles(lab))
    number = int(np.argmin([abs(frame.time - form.poured) for frame in run.frames]))
    whole = mo.draw(run, lab.figure("pile.png"), frame=number, width=900)
    pictures = Section("Pictures", figures=[Figure(whole, "While grains arrive; colour is speed (Moreau 2003, Fig. 2).")])
    for stage, share in enumerate((0.26, 0.5, 0.75, 1.0), 1):
        pictures.figures.append(slice_picture(lab, run, form, share * form.poured, stage))
    grains = int((run.frames[-1].kind == 0).sum())
    return Report(
        protocol=[
            "Spheres of diameter uniform between 0.25 and 0.5 cm, density 1, friction 0.4, no restitution, are put one by one at rest on the "
            "grains already there, on vertical lines within 0.8 cm of the axis, above a floor of fixed grains of the same sizes: "
            f"{grains} grains by t = {form.poured:g} s, 200 per second. Step {'5e-4' if lab.quick else '2e-4'} s. The pile is analysed while "
            "grains still arrive, and again after pouring has stopped."],
        choices=["Floor: as dense as random addition makes it, holes closed; its extent is larger than the pile.",
                 "Lines of deposition are uniform over the disc of 0.8 cm; rings of ground pressure are two mean diameters wide; solver "
                 "tolerances are those of the scene.",
                 "Bulk density is the share of matter in a cylinder about the axis of 0.35 of the base radius, from 0.5 cm above the floor's "
                 "centres to half the height."],
        sections=[*sections, pictures])


if __name__ == "__main__":
    main(reproduce)
