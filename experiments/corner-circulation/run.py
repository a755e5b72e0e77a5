"""Shaken box: circulation in the corners. Moreau 1994, Fig. 1."""

import numpy as np

from moreau.experiment import Figure, Laboratory, Report, Section, main, mean_of, measured, stated
from moreau.experiment.vessel import Strobe, draw_displacements, patch, upper_corners

FLOOR = -0.15  # the bottom of the box at its lowest point [cm]
SHORT = {"grains.count": 300, "wall[box].box": {"min": [0, 0], "max": [3, 30], "open": ["top"]},
         "grains.region": {"box": [[0, 0], [3, 5.5]]}, "time.duration": 1.3333333333333333}


def reproduce(lab: Laboratory) -> Report:
    settings, beads, width, start, periods = (SHORT, 300, 3.0, 8, 12) if lab.quick else ({}, 1650, 7.5, 20, 60)
    section = Section("Published and computed")
    left, right, corner, bulk = [], [], [], []
    for seed in range(1, 2 if lab.quick else 6):
        s = Strobe(lab.run("box" if seed == 1 else f"box-seed-{seed}", lab.scene("box", {**settings, "seed": seed})))
        end = min(start + periods, len(s) - 1)
        depth = s.height_of_share(start, 0.99) - FLOOR
        one, two = upper_corners(s, start, end, width, FLOOR)
        left.append(one.rotation)
        right.append(two.rotation)
        corner.append(np.sqrt(0.5 * (one.rms**2 + two.rms**2)))
        bulk.append(patch(s, start, end, (0.25 * width, FLOOR), (0.75 * width, FLOOR + 0.5 * depth)).rms)
        if seed == 1:
            file = lab.figure("displacements.png")
            draw_displacements(file, s.position[start], s.position[end], s.radius, 0.0, width, FLOOR,
                               f"Displacements over {end - start} periods")
            section.figures.append(Figure(file, "Beads where they were at the reference instant, and lines to where they were after the "
                                                "periods (Moreau 1994, Fig. 1)."))
    turning = sum(a > 0.0 > b for a, b in zip(left, right))
    ratio = mean_of(corner).mean / mean_of(bulk).mean
    section.rows = [
        stated("vortices in the two upper corners, down along the walls", "sporadically, in both corners",
               f"rotation {mean_of(left).mean:+.3f} rad (left), {mean_of(right).mean:+.3f} rad (right); so in {turning} of {len(left)} runs",
               turning == len(left), "counter-clockwise on the left, clockwise on the right, in every run"),
        measured("rotation of the upper left corner [rad]", left),
        measured("rotation of the upper right corner [rad]", right),
        measured("rms displacement in the upper corners [cm]", corner),
        measured("rms displacement in the lower middle [cm]", bulk),
        stated("the motion is localised in the corners", "bulk moves far less", f"corner / bulk = {ratio:.2f}", ratio > 2.0,
               "corner over twice the bulk")]
    return Report(
        protocol=[
            f"{beads} beads of 0.15 cm in a flat box {width:g} cm wide (front and back walls are ignored), shaken up and down at 15 Hz, 0.3 cm "
            "from peak to peak. Friction 0.8 everywhere; restitution 0.7 between beads, 0.4 with the box. The beads rain into the box and are "
            f"shaken for {start} periods; from then on the displacement of each bead over {periods} periods is taken, at the lowest point of "
            "the box."],
        choices=["Time step (a 400th of a period), tangential restitution (0), density (2.7), preparation (random rain) and reference instant "
                 "are not given.", "g = 1000 cm/s², which the published 1.332 g implies."],
        sections=[section])


if __name__ == "__main__":
    main(reproduce)
