"""Stone arch forced at its key stone. Moreau 2004, sec. 9."""

import numpy as np

import moreau as mo
from moreau.experiment import Figure, Laboratory, Report, Row, Section, main, measured, stated

INNER, OUTER = 0.94, 1.06  # radii of the arch, as in the scene
THICKNESS = OUTER - INNER
RIGHT, LEFT = np.pi / 12, 11 * np.pi / 12
DOWN = 0.032  # m: where the collapses are compared


def turned(angle, v):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


class Collapse:
    """Relative motion of the two sides of every joint since the start, frame by frame: slip along the joint (mean of its two ends), and
    opening across it at the end that opens more. The joints are numbered from left to right."""

    def __init__(self, run: mo.Run):
        named = run.scene.named
        row = [named["arch.left"][0], *named["arch"], named["arch.right"][0]]
        angles = np.linspace(LEFT, RIGHT, len(row) - 1)
        key, start = row[len(row) // 2], run.frames[0]
        self.time, self.key_drop, self.slip, self.opening = [], [], [], []
        for frame in run.frames:

            def carried(i, point):
                return frame.position[i] + turned(frame.orientation[i] - start.orientation[i], point - start.position[i])

            slips, openings = [], []
            for left, right, angle in zip(row, row[1:], angles):
                mean = angle + 0.5 * sum(frame.orientation[i] - start.orientation[i] for i in (left, right))
                along = np.array([np.cos(mean), np.sin(mean)])
                across = np.array([along[1], -along[0]])  # from left to right
                point = np.array([np.cos(angle), np.sin(angle)])
                inner, outer = (carried(right, r * point) - carried(left, r * point) for r in (INNER, OUTER))
                slips.append(0.5 * (inner + outer) @ along)
                openings.append(max(inner @ across, outer @ across))
            self.time.append(frame.time)
            self.key_drop.append(start.position[key][1] - frame.position[key][1])
            self.slip.append(np.array(slips))
            self.opening.append(np.array(openings))

    def frame_at(self, drop):
        """The frame at which the key stone has come down by this much; the last one if it has not."""
        return next((k for k, d in enumerate(self.key_drop) if d >= drop), len(self.key_drop) - 1)

    def largest(self, k):
        """Of all joints at a frame: slip and opening."""
        return float(np.abs(self.slip[k]).max()), float(max(0.0, self.opening[k].max()))


def listed(which):
    return ", ".join(str(j + 1) for j in np.flatnonzero(which)) or "none"


def pictures(lab, run, c: Collapse, friction) -> Section:
    section = Section(f"Collapse with friction {friction}")
    for drop in (0.0, DOWN, 0.12, 1.0):
        k = c.frame_at(drop) if drop else 0
        title = f"friction {friction}, t = {c.time[k]:.2f} s, key stone down by {c.key_drop[k]:.3f} m"
        file = mo.draw(run, lab.figure(f"arch-{friction}-{k:03}.png"), frame=k, colour="none", thrust=k > 0, hinges=k > 0, width=900)
        section.figures.append(Figure(file, title + ("; thrust line, and dots at hinges." if k > 0 else ".")))
        if k + 1 == len(c.time):
            break
    largest = np.array([c.largest(k) for k in range(len(c.time))])
    with lab.axes(section, f"joints-in-time-{friction}.svg", "Largest slip and opening over the 16 joints in time.", shape=0.45,
                  title=f"Joints, friction {friction}", xlabel="time [s]", ylabel="[m]") as axes:
        axes.plot(c.time, largest[:, 1], label="largest opening")
        axes.plot(c.time, largest[:, 0], label="largest slip")
        axes.plot(c.time, c.key_drop, label="descent of the key stone")
    k = c.frame_at(DOWN)
    with lab.axes(section, f"joints-{friction}.svg", "Opening and slip of each joint when the key stone has come down by 0.032 m.", shape=0.45,
                  title=f"Joint by joint, friction {friction}", xlabel="joint, from left to right",
                  ylabel="[m], key stone down by 0.032 m") as axes:
        axes.plot(np.arange(len(c.opening[k])) + 1, c.opening[k], "o", label="opening")
        axes.plot(np.arange(len(c.slip[k])) + 1, c.slip[k], "s", label="slip")
    return section


def reproduce(lab: Laboratory) -> Report:
    table, sections, found = Section("Published and computed"), [], {}
    for friction in (0.6, 0.3):
        settings = {"law.friction": friction, **({"time.duration": 1.1} if lab.quick else {})}
        scene = lab.scene("arch", settings)
        rest = mo.equilibrium(scene)
        run = lab.run(f"friction-{friction}", scene)
        c = Collapse(run)
        k = c.frame_at(DOWN)
        slip, opening = c.largest(k)
        fine_slip, fine_opening = slip, opening  # the reduced form has no run with half the step
        hinges = (c.opening[k] > 0.01 * THICKNESS) & (c.opening[k] > 5.0 * np.abs(c.slip[k]))  # opened by rotation
        name = f"friction {friction}"
        table.rows += [
            stated(f"{name}: the arch can stand under its own weight", "in equilibrium",
                   f"one-step test: speed {rest['max_speed'] / rest['velocity_scale']:.1e} of g h", rest["possible"]),
            measured(f"{name}: largest slip, key stone down by 0.032 m [m]", slip),
            measured(f"{name}: largest opening, key stone down by 0.032 m [m]", opening),
            Row(f"{name}: hinges at joints (1 to 16 from the left)", "not given", listed(hinges)),
            Row(f"{name}: joints that slide", "not given", listed(np.abs(c.slip[k]) > 0.02 * THICKNESS))]
        if not lab.quick:
            half = Collapse(lab.run(f"friction-{friction}-half-step", lab.scene("arch", {**settings, "time.step": 5e-4})))
            fine_slip, fine_opening = half.largest(half.frame_at(DOWN))
            table.rows += [measured(f"{name}: largest slip with half the step [m]", fine_slip),
                           measured(f"{name}: largest opening with half the step [m]", fine_opening)]
        found[friction] = slip, opening, fine_slip, fine_opening
        sections.append(pictures(lab, run, c, friction))
    slip, opening, fine_slip, fine_opening = found[0.6]
    smooth, _, fine_smooth, _ = found[0.3]
    table.rows += [
        stated("friction 0.6: joints open by rotation, without sliding (Coulomb's remark)", "no sliding",
               f"slip / opening = {slip / opening:.3f}, with half the step {fine_slip / fine_opening:.3f}",
               slip <= 0.2 * opening and fine_slip <= 0.2 * fine_opening, "largest slip at most 0.2 of the largest opening, with both steps"),
        stated("the collapse mechanism depends on friction", "depends",
               f"largest slip {slip:.4f} with 0.6, {smooth:.4f} with 0.3; with half the step {fine_slip:.4f} and {fine_smooth:.4f}",
               smooth >= 3.0 * slip and fine_smooth >= 3.0 * fine_slip, "slip with 0.3 at least three times that with 0.6, with both steps")]
    return Report(
        protocol=[
            "A segmental arch of 15 stones stands between fixed abutments under its own weight: no mortar, Coulomb friction at all joints. A "
            "driven block then pushes the key stone down, gently at first, at 0.1 m/s after one second. Run with friction 0.6 and 0.3. A joint "
            "slips by the relative displacement of its two faces along itself, and opens by that across itself at the end where they part "
            "more, both since the start."],
        choices=["Number and shape of the stones, span, density and speed of the push are not given in the paper; they are those of the scene.",
                 "The pusher starts a tenth of a millimetre above the key stone, so that the arch first stands alone."],
        sections=[table, *sections])


if __name__ == "__main__":
    main(reproduce)
