"""Beads in a shaken cylinder. Moreau 1994, Fig. 3."""

import numpy as np

from moreau.experiment import Figure, Laboratory, Report, Section, compared, main, mean_of, stated
from moreau.experiment.vessel import Strobe, circulation, draw_displacements

PERIOD, POINTS, STEPS_PER_POINT = 0.04, 50, 40
SKIN = 0.25  # beads that start nearer to the wall than this are at it [cm]
AMPLITUDE = 0.1
SHORT = {"grains.count": 400, "wall[tube].cylinder": {"radius": 0.8},
         "grains.region": {"cylinder": {"radius": 0.8, "bottom": -0.1, "top": 3.2}}, "time.duration": 0.24}


def wall_speed(time):
    turn = 2 * np.pi / PERIOD
    return AMPLITUDE * turn * np.cos(turn * time - 0.5 * np.pi)


def record_period(course, radius):
    """Forces of the walls on the beads over one period, each point the mean over 40 steps; forces over the weight of the pack."""
    bodies, start, begin = course.bodies, course.bodies.position.copy(), course.time
    sizes, weight = np.asarray(bodies.radius), float(bodies.mass.sum()) * 981.0
    highest, landing = start[:, 2].copy(), np.full(len(start), -1.0)
    record = {name: [] for name in ("normal", "vertical", "bottom", "pressure", "sliding")}
    for _ in range(POINTS):
        normal = vertical = bottom = virial = slid = 0.0
        for _ in range(STEPS_PER_POINT):
            course.step()
            contacts = course.contacts
            along, force = contacts.normal_force, contacts.force
            beads, tube, floor = contacts.b >= 0, contacts.b == ~1, contacts.b == ~0
            virial += float(along[beads] @ (sizes[contacts.a[beads]] + sizes[contacts.b[beads]]))
            normal += along[tube].sum()
            vertical += force[tube, 2].sum()
            slid += float(along[tube] @ (bodies.velocity[contacts.a[tube], 2] - wall_speed(course.time)))
            bottom += force[floor, 2].sum()
            touched = contacts.a[floor & (along > 0.0)]
            landing[touched[landing[touched] < 0.0]] = course.time - begin
        highest = np.maximum(highest, bodies.position[:, 2])
        each = 1.0 / (STEPS_PER_POINT * weight)
        for name, value in (("normal", normal * each), ("vertical", vertical * each), ("bottom", bottom * each),
                            ("pressure", virial * each), ("sliding", slid / normal if normal > 0.0 else 0.0)):
            record[name].append(float(value))
    at_wall = radius - np.hypot(start[:, 0], start[:, 1]) < SKIN
    rise = highest - start[:, 2]

    def mean(values, which):
        return float(values[which].mean()) if which.any() else 0.0

    record["lower"] = mean(rise, ~at_wall) - mean(rise, at_wall)
    record["earlier"] = mean(landing, ~at_wall & (landing >= 0)) - mean(landing, at_wall & (landing >= 0))
    return record


def record_periods(lab, run, settings, count, radius):
    """The run goes on, in memory, for so many periods."""
    course = run.course(scene=lab.scene("cylinder", {**settings, "time.duration": run.scene.duration + (count + 0.5) * PERIOD}))
    before = course.totals["unconverged_steps"]  # of the run
    records = [record_period(course, radius) for _ in range(count)]
    totals = {**course.totals, "unconverged_steps": course.totals["unconverged_steps"] - before}
    return {"records": records, "steps": count * POINTS * STEPS_PER_POINT, "totals": totals}


def mean_between(values, start, end):
    """Mean over an interval of the period."""
    times = (np.arange(POINTS) + 0.5) * PERIOD / POINTS
    return float(np.asarray(values)[(times >= start) & (times < end)].mean())


def flow_section(lab, s, radius, start, periods) -> Section:
    end = min(start + periods, len(s) - 1)
    c = circulation(s, start, end, lambda x: radius - np.hypot(x[:, 0], x[:, 1]), radius, SKIN, s.height_of_share(start, 0.97))
    section = Section("Circulation", rows=[stated(
        "downward current along the wall", "circulatory flow as in Fig. 2",
        f"mean vertical displacement over {end - start} periods: {c.at_wall:+.3f} cm within 0.25 cm of the wall, {c.in_middle:+.3f} cm in the "
        "inner third", c.at_wall < 0.0 and c.in_middle > c.at_wall, "down at the wall, higher in the middle")])
    slice_ = np.abs(s.position[start][:, 1]) <= 0.1
    file = lab.figure("displacements.png")
    draw_displacements(file, s.position[start][slice_][:, [0, 2]], s.position[end][slice_][:, [0, 2]], s.radius[slice_], -radius, radius, -0.1,
                       f"Displacements over {end - start} periods")
    section.figures.append(Figure(file, "Beads of a slice through the axis and where they went (Moreau 1994, Fig. 3a)."))
    return section


def force_section(lab, records) -> Section:
    count = len(records)
    mean = {name: np.mean([r[name] for r in records], axis=0) for name in ("normal", "vertical", "bottom", "pressure")}
    vertical, bottom = mean_of([np.mean(r["vertical"]) for r in records]), mean_of([np.mean(r["bottom"]) for r in records])
    episode = mean_of([mean_between(r["vertical"], 0.015, 0.030) for r in records])
    upwards = mean_of([mean_between(r["sliding"], 0.015, 0.030) for r in records])
    lower, earlier = mean_of([r["lower"] for r in records]), mean_of([r["earlier"] for r in records])
    correlation = mean_of([np.corrcoef(r["normal"], r["pressure"])[0, 1] for r in records]).mean
    z = mean["vertical"]
    landing, before, after = (mean_between(z, *interval) for interval in ((0.0, 0.0125), (0.0125, 0.015), (0.030, 0.040)))
    flight = [mean_between(mean["pressure"], *interval) / mean["pressure"].max() for interval in ((0.0125, 0.020), (0.020, 0.030), (0.030, 0.040))]
    first = z[:POINTS // 4]
    share = 0.015 * episode.mean / (PERIOD * vertical.mean)
    peak = mean["normal"].max()
    section = Section("Forces of the lateral wall", rows=[
        stated("mean vertical force of the wall on the beads", "negative",
               f"{vertical.mean:+.4f} ± {vertical.deviation:.4f} of the weight over {count} periods", vertical.mean < 0.0),
        stated("significant negative episode between 0.015 and 0.030 s", "negative there",
               f"{episode.mean:+.4f} ± {episode.error:.4f} of the weight there; {before:+.4f} just before, {after:+.4f} after, {landing:+.4f} "
               "during the landing (to 0.0125 s)",
               episode.mean < -2.0 * episode.error and episode.mean < after and episode.mean < before,
               "negative by two standard errors, below what comes between landing and it and after it"),
        stated("contrasted values from 0 to 0.01 s, when beads hit the bottom", "strongly varying",
               f"between {first.min():+.3f} and {first.max():+.3f} of the weight up to 0.01 s", np.ptp(first) > 3.0 * abs(episode.mean),
               "varies by over three times the later episode"),
        stated("share of the vertical impulse of a period that falls between 0.015 and 0.030 s", "main episode", f"{share:.2f}", share > 0.5,
               "over a half"),
        stated("normal force at t = 0", "about zero: beads in free fall", f"{mean['normal'][0]:.3f} of the weight, {peak:.3f} at its peak",
               mean["normal"][0] < 0.1 * peak, "under a tenth of the peak"),
        stated("normal force follows the mean internal pressure", "nearly reproduces it", f"correlation {correlation:.3f}", correlation > 0.9,
               "correlation over 0.9"),
        stated("mean internal pressure during the flight", "decreases",
               f"{flight[0]:.3f}, {flight[1]:.3f}, {flight[2]:.3f} of that at its peak from 0.0125 to 0.02, 0.03 and 0.04 s",
               flight[0] > flight[1] > flight[2], "from each to the next"),
        stated("beads slide upwards along the wall between 0.015 and 0.030 s", "overall upward sliding",
               f"{upwards.mean:+.2f} ± {upwards.error:.2f} cm/s, weighted by normal force", upwards.mean > 2.0 * upwards.error,
               "upwards by two standard errors"),
        stated("highest place of the beads at the wall, below that of the others", "notably lower",
               f"they rise by {lower.mean:.4f} ± {lower.error:.4f} cm less in a period", lower.mean > 2.0 * lower.error,
               "less by two standard errors"),
        stated("beads at the wall hit the bottom first", "first", f"{earlier.mean:.5f} ± {earlier.error:.5f} s earlier than the others",
               earlier.mean > 2.0 * earlier.error, "earlier by two standard errors"),
        compared("mean vertical force of bottom and wall / weight", 1.0, bottom.mean + vertical.mean, 0.1)])
    time = (np.arange(POINTS) + 1) * PERIOD / POINTS
    for name, title, caption, curves in (
            ("forces.svg", f"Lateral wall, mean over {count} periods",
             "Normal and vertical force of the lateral wall on the beads (Moreau 1994, Fig. 3b), mean at equal phase.", mean),
            ("forces-one-period.svg", "Lateral wall, one period", "The same over the first recorded period alone.", records[0])):
        with lab.axes(section, name, caption, shape=0.5, title=title, xlabel="time from the lowest point of the vessel [s]",
                      ylabel="force / weight") as axes:
            axes.plot(time, curves["normal"], label="normal")
            axes.plot(time, curves["vertical"], label="vertical")
    return section


def reproduce(lab: Laboratory) -> Report:
    settings, beads, radius, start, periods, recorded = (SHORT, 400, 0.8, 4, 2, 1) if lab.quick else ({}, 3630, 1.75, 20, 10, 10)
    run = lab.run("cylinder", lab.scene("cylinder", settings))
    lab.tell(f"recording the forces over {recorded} periods")
    forces = lab.piece("forces", lambda: record_periods(lab, run, settings, recorded, radius), scene=run.scene.text, periods=recorded)
    lab.quality.add("forces", forces["steps"], forces["totals"], [])
    return Report(
        protocol=[
            f"{beads} beads of 0.2 cm in a vertical cylinder of diameter {2 * radius:g} cm, shaken up and down at 25 Hz, 0.2 cm from peak to peak, "
            "lowest at t = 0. Friction 0.8, restitution 0.95, tangential restitution 0.4, step 2e-5 s. After "
            f"{start} periods from a random rain, displacements over {periods} periods of the beads in a slice of 0.2 cm through the axis; then "
            f"over {recorded} periods the forces of the lateral wall on the beads, 50 points per period, each the mean of 40 steps."],
        choices=["Density (2.5, which scales out of forces over the weight) and preparation are not given; beads and walls share one law.",
                 "The forces are averaged over the recorded periods at equal phase; the first of them is drawn too, as the paper shows one "
                 "period."],
        sections=[flow_section(lab, Strobe(run), radius, start, periods), force_section(lab, forces["records"])])


if __name__ == "__main__":
    main(reproduce)
