"""Size segregation and convection in a shaken vessel. Moreau 1994, Fig. 2."""

import numpy as np

from moreau.experiment import Figure, Laboratory, Report, Section, main, mean_of, stated
from moreau.experiment.vessel import Strobe, draw_displacements, layer_thickness, mean_circulation, upper_corners

PREPARATION = 20  # periods, within which the rain of grains comes to a pack
WINDOW = 16  # periods
RISE = 0.2  # share of the others that the large object must pass
LARGE = 5.0  # diameter of the large object [mm]
FLOOR = -1.25
SHORT = {"grains.count": 179, "wall.box": {"min": [0, 0], "max": [15, 300], "open": ["top"]}, "grains.region": {"box": [[0, 0], [15, 40]]},
         "grain.position": [7.5, 3]}
SIGNS = "signs of the mean vertical displacement"
DOWN_AND_UP = "circulation: down along the walls, up in the middle"


def lasting(periods):
    return {"time.duration": round(0.05 * (PREPARATION + periods), 2)}


def rank_of_large(s: Strobe):
    """Share of the other grains that lie lower than the large one (body 0), frame by frame: 1 when it is on top."""
    return (s.height[:, 1:] < s.height[:, :1]).mean(axis=1)


class Shaken:
    """What is seen of a run in the plane."""

    def __init__(self, run, width):
        self.width, self.strobe = width, Strobe(run)
        s, top = self.strobe, self.strobe.height_of_share(PREPARATION, 0.95)
        self.rank = rank_of_large(s)

        def depth(x):
            return np.minimum(x[:, 0], width - x[:, 0])

        self.flow = mean_circulation(s, PREPARATION, WINDOW, depth, 0.5 * width, 2.2, top)
        self.thickness = layer_thickness(s, PREPARATION, WINDOW, depth, 0.5 * width, 0.5, top)  # of the layers that go down at the walls [mm]
        corners = [upper_corners(s, k, k + WINDOW, width, FLOOR) for k in s.windows(PREPARATION, WINDOW)]
        self.left_corner, self.right_corner = (float(np.mean([pair[side].rotation for pair in corners])) for side in (0, 1))
        self.more_than_others, self.scatter = self.against_surroundings()

    def against_surroundings(self):
        """Rise of the large object in a window less that of the grains around it (within a diameter of its rim), and the standard
        deviation of theirs; as long as it is neither on top nor at a wall."""
        s, more, scatter = self.strobe, [], []
        for k in s.windows(PREPARATION, WINDOW):
            centre = s.position[k, 0]
            if max(self.rank[k], self.rank[k + WINDOW]) > 0.9 or min(centre[0], self.width - centre[0]) < LARGE:
                continue
            around = np.flatnonzero(np.linalg.norm(s.position[k, 1:] - centre, axis=1) < 1.5 * LARGE) + 1
            if len(around) >= 5:
                rise = s.height[k + WINDOW] - s.height[k]
                more.append(rise[0] - rise[around].mean())
                scatter.append(rise[around].std(ddof=1))
        return more, scatter

    @property
    def down_and_up(self):
        return self.flow.at_wall < 0.0 < self.flow.in_middle

    @property
    def last_quarter(self):
        count = len(self.rank)
        return slice(count - (count - PREPARATION) // 4, count)

    @property
    def late_rank(self):
        return float(self.rank[self.last_quarter].mean())

    @property
    def from_wall(self):
        """Mean distance of the large object from the nearer wall over the last quarter [mm]."""
        x = self.strobe.position[self.last_quarter, 0, 0]
        return float(np.minimum(x, self.width - x).mean())

    @property
    def first_rank(self):
        return float(self.rank[PREPARATION:PREPARATION + 5].mean())

    @property
    def last_rank(self):
        return float(self.rank[-5:].mean())

    @property
    def neighbour(self):
        """The small one nearest to the large one at the reference instant."""
        place = self.strobe.position[PREPARATION]
        return 1 + int(np.argmin(np.linalg.norm(place[1:] - place[0], axis=1)))

    @property
    def recyclings(self):
        """Turns of this neighbour between the lower and the upper third of the pack."""
        low, high = (self.strobe.height_of_share(PREPARATION, share) for share in (1 / 3, 2 / 3))
        turns = side = 0
        for z in self.strobe.height[PREPARATION:, self.neighbour]:
            now = 1 if z > high else -1 if z < low else side
            turns += side != 0 and now != side
            side = now
        return turns

    def arrival(self, level):
        """First period from which the large one is above ``level`` of the others; None if it never is."""
        above = np.flatnonzero(self.rank[PREPARATION:] >= level)
        return int(above[0]) if len(above) else None


def in_runs(quantity, published, holds, numbers, rule):
    """A statement looked at run by run: agrees if it holds in four of five at least."""
    holds = list(holds)
    return stated(quantity, published, f"{sum(holds)} of {len(holds)} runs: {numbers}", 5 * sum(holds) >= 4 * len(holds),
                  rule + (", in four of five runs at least" if len(holds) > 1 else ""))


def spread(values, unit):
    m = mean_of(list(values))
    return f"{m.mean:+.2f} ± {m.deviation:.2f} {unit}" if m.count > 1 else f"{m.mean:+.2f} {unit}"


def flow_text(f):
    return (f"{f.at_wall:+.2f} ± {f.wall_error:.2f} mm at the walls, {f.in_middle:+.2f} ± {f.middle_error:.2f} mm in the middle ({f.windows} "
            f"windows of {WINDOW} periods)")


def displacement_figure(lab, s, width, name):
    end = min(PREPARATION + WINDOW, len(s) - 1)
    file = lab.figure(f"{name}.png")
    draw_displacements(file, s.position[PREPARATION], s.position[end], s.radius, 0.0, width, FLOOR, "Displacements over 16 periods", large=0)
    return Figure(file, "Grains where they were at the reference instant, and lines to where they were after exactly 16 periods (Moreau 1994, "
                        "Fig. 2a).")


def late_rows(runs):
    """What takes hundreds of periods to be seen."""
    arrivals = [o.arrival(0.9) for o in runs]
    times = ", ".join("not" if a is None else str(a) for a in arrivals)
    return [
        in_runs("the large object rises to the top", "reaches the top region", [a is not None for a in arrivals],
                f"above 90 % of the others after {times} periods", "within 600 periods"),
        in_runs("and stays there", "remains indefinitely in one corner", [o.late_rank > 0.75 for o in runs],
                f"above {spread([100 * o.late_rank for o in runs], '%')} of the others over the last quarter", "above 75 % of the others"),
        in_runs("it drifts to one corner", "to one corner", [o.from_wall < 0.25 * o.width for o in runs],
                f"{spread([o.from_wall for o in runs], 'mm')} from the nearer wall over the last quarter (radius 2.5)",
                "in the outer quarter of the width"),
        in_runs("a small neighbour is recycled", "goes round", [o.recyclings >= 2 for o in runs],
                f"{spread([o.recyclings for o in runs], 'passages')} between the lower and the upper third", "two passages")]


def main_section(lab: Laboratory, runs, fine) -> Section:
    """``fine``: with half the time step, where there is such a run."""
    section = Section("One large object among small ones")
    currents = "strong downward currents in thin side layers"
    section.rows.append(in_runs(DOWN_AND_UP, currents, [o.down_and_up for o in runs],
                                f"{spread([o.flow.at_wall for o in runs], 'mm')} at the walls, {spread([o.flow.in_middle for o in runs], 'mm')} "
                                "in the middle over 16 periods", SIGNS))
    if fine:
        section.rows.append(stated("the same with half the time step", currents, flow_text(fine.flow), fine.down_and_up, SIGNS))
    section.rows += [
        in_runs("side layers are too thin to take the large object down", "too thin", [0.0 < o.thickness < LARGE for o in runs],
                f"thickness {spread([o.thickness for o in runs], 'mm')}, large object {LARGE:g} mm", "thinner than the large object"),
        in_runs("vortices in the two upper corners", "may be identified", [o.left_corner > 0.0 > o.right_corner for o in runs],
                f"rotation {spread([o.left_corner for o in runs], 'rad')} (left), {spread([o.right_corner for o in runs], 'rad')} (right)",
                "counter-clockwise on the left, clockwise on the right")]
    more, scatter = sum((o.more_than_others for o in runs), []), sum((o.scatter for o in runs), [])
    if more:
        section.rows.append(stated("the large object moves as its surroundings", "in the same way",
                                   f"rises by {spread(more, 'mm')} more than the grains around it over 16 periods ({len(more)} windows); theirs "
                                   f"scatter by {np.mean(scatter):.2f} mm", abs(np.mean(more)) < np.mean(scatter), "by less than their scatter"))
    section.rows.append(in_runs("the large object rises", "to the top region", [o.last_rank > o.first_rank + RISE for o in runs],
                                f"above {100 * np.mean([o.first_rank for o in runs]):.0f} % of the others at first, "
                                f"{100 * np.mean([o.last_rank for o in runs]):.0f} % after {len(runs[0].rank) - 1 - PREPARATION} periods",
                                "gains over 20 % of the others"))
    if not lab.quick:
        section.rows += late_rows(runs)
    o = runs[0]
    section.figures.append(displacement_figure(lab, o.strobe, o.width, "displacements"))
    periods, places = np.arange(len(o.rank) - PREPARATION), o.strobe.position[PREPARATION:]
    with lab.axes(section, "heights.svg", "Height of the large object and of a small one that was beside it.", shape=0.45,
                  title="Heights once per period", xlabel="periods", ylabel="height [mm]") as axes:
        axes.plot(periods, places[:, o.neighbour, 1], label="a small one beside it")
        axes.plot(periods, places[:, 0, 1], label="large")
    with lab.axes(section, "paths.svg", "The same as paths in the vessel (Moreau 1994, Fig. 2b).", shape=0.8, title="Paths once per period",
                  xlabel=f"x [mm], vessel from 0 to {o.width:g}", ylabel="height [mm]") as axes:
        axes.plot(*places[:, o.neighbour].T, label="a small one beside it")
        axes.plot(*places[:, 0].T, label="large")
    return section


def smooth_walls(lab, rough: Shaken, smooth: Shaken) -> Section:
    return Section("Variant: walls without friction", rows=[
        stated("no circulation", "no circulatory flow", f"{flow_text(smooth.flow)}; with friction {flow_text(rough.flow)}",
               abs(smooth.flow.strength) < 0.25 * abs(rough.flow.strength), "difference middle - wall under a quarter of that with friction"),
        stated("the large object does not rise", "does not move upwards",
               f"above {100 * smooth.first_rank:.0f} % of the others at first, {100 * smooth.late_rank:.0f} % over the last quarter",
               smooth.late_rank < smooth.first_rank + RISE, "gains less than 20 % of the others")],
        figures=[displacement_figure(lab, smooth.strobe, smooth.width, "displacements-smooth")])


def wide_vessel(lab, runs) -> Section:
    scene = lab.scene("vessel", {**lasting(160), "grains.count": 999, "wall.box": {"min": [0, 0], "max": [50, 500], "open": ["top"]},
                                 "grains.region": {"box": [[0, 0], [50, 60]]}, "grain.position": [25, 3]})
    broad = Shaken(lab.run("wide", scene), 50.0)
    thickness, middle = mean_of([o.thickness for o in runs]), mean_of([o.flow.in_middle for o in runs])
    return Section("Variant: a vessel twice as wide, twice as many objects", rows=[
        stated("same boundary layers", "the same",
               f"{broad.thickness:.2f} mm thick, in the narrow vessel {thickness.mean:.2f} ± {thickness.deviation:.2f} mm; "
               f"{broad.flow.at_wall:+.2f} mm at the walls",
               broad.flow.at_wall < 0.0 and abs(broad.thickness - thickness.mean) < 2.0 * max(thickness.deviation, 0.25),
               "downwards, and as thick within two standard deviations of the narrow runs or a class of 0.5 mm"),
        stated("slower general circulation", "slower",
               f"{broad.flow.in_middle:+.2f} ± {broad.flow.middle_error:.2f} mm in the middle, {middle.mean:+.2f} ± {middle.deviation:.2f} mm in "
               "the narrow vessel", broad.flow.in_middle + 2.0 * broad.flow.middle_error < middle.mean, "lower by two standard errors")],
        figures=[displacement_figure(lab, broad.strobe, 50.0, "displacements-wide")])


def dispersed_sizes(lab) -> Section:
    scene = lab.scene("vessel", {**lasting(300), "grains.diameter": {"uniform": [0.75, 2.5]}, "grain.diameter": 2.4, "grains.count": 229})
    s = Strobe(lab.run("dispersed", scene))
    correlation = [np.corrcoef(s.height[k], s.radius)[0, 1] for k in range(PREPARATION, len(s))]
    early, late = np.mean(correlation[:20]), np.mean(correlation[20:][(len(correlation) - 20) // 2:])
    chance = 2.0 / np.sqrt(len(s.radius))  # two standard errors without correlation
    return Section("Variant: dispersed sizes", rows=[
        stated("larger ones accumulate in the upper part", "statistically",
               f"correlation of size and height {early:+.3f} at first, {late:+.3f} over the second half", late > chance and late > early,
               f"over {chance:.2f}, twice what chance gives, and grown")])


def square_vessel(lab) -> Section:
    s, base = Strobe(lab.run("square", lab.scene("square"))), 12.0
    around = mean_circulation(s, PREPARATION, WINDOW, lambda x: np.minimum(x[:, :2], base - x[:, :2]).min(axis=1), 0.5 * base, 1.2,
                              s.height_of_share(PREPARATION, 0.95))
    rank = rank_of_large(s)
    start, end = rank[PREPARATION:PREPARATION + 5].mean(), rank[-10:].mean()
    return Section("Variant: balls in a vessel with a square base", rows=[
        stated(DOWN_AND_UP, "completely similar results", flow_text(around), around.at_wall < 0.0 < around.in_middle, f"{SIGNS} over 16 periods"),
        stated("the large object rises", "completely similar results",
               f"above {100 * start:.0f} % of the others at first, {100 * end:.0f} % after {len(rank) - 1 - PREPARATION} periods",
               end > start + RISE, "gains over 20 % of the others")])


def reproduce(lab: Laboratory) -> Report:
    periods, width, grains = (60, 15.0, 180) if lab.quick else (600, 25.0, 500)
    form = {**SHORT, **lasting(periods)} if lab.quick else {}
    runs = [Shaken(lab.run("vessel" if seed == 1 else f"vessel-seed-{seed}", lab.scene("vessel", {**form, "seed": seed})), width)
            for seed in range(1, 2 if lab.quick else 6)]
    fine = None if lab.quick else Shaken(lab.run("half-step", lab.scene("vessel", {**lasting(80), "time.step": 5e-5})), width)
    slippery = lab.scene("vessel", {**(form or lasting(300)), "pair[2].friction": 0})
    sections = [main_section(lab, runs, fine), smooth_walls(lab, runs[0], Shaken(lab.run("smooth-walls", slippery), width))]
    if not lab.quick:
        sections += [wide_vessel(lab, runs), dispersed_sizes(lab), square_vessel(lab)]
    return Report(
        protocol=[
            f"{grains} discs, one of diameter 5 mm, the others uniform between 0.75 and 1.5 mm, in a vessel {width:g} mm wide, shaken up and down "
            "at 20 Hz, 2.5 mm from peak to peak (2 g). Friction 0.8 everywhere, restitution 0.9 between objects and 0.6 with the vessel, no "
            f"tangential restitution. The discs rain into the vessel, the large one near its bottom; after {PREPARATION} periods displacements "
            f"over 16 periods are taken, then the motion goes on for {periods} periods in all, looked at once per period at the lowest point of "
            "the vessel."],
        choices=["Width of the vessel, time step (a 500th of a period), density and preparation are not given.",
                 "Near the wall means within 2.2 mm (two mean diameters) of it, in the middle the inner third of the width; the highest 5 % of "
                 "the grains, which fly, are left out."],
        sections=sections)


if __name__ == "__main__":
    main(reproduce)
