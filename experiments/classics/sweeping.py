"""Moreau's sweeping process (2003, sec. 3; 2004, sec. 3.2): a point pushed along by a moving closed set Phi(t),

    -dq/dt in N_Phi(t)(q)                                            (Moreau 2003, eq. 6; 2004, eq. 5)

the first-order model of unilateral dynamics. The point rests while inside, and moves with the least speed that keeps it inside once it is
caught. Here Phi is the disc of radius 1 about (t, 0). Two time discretisations, both of order 1.
"""

import numpy as np

from moreau.experiment import Laboratory, Section, compared, stated


def tractrix(t):
    return np.array([t - np.tanh(t), 1.0 / np.cosh(t)])


def catching_up(q, t_final):
    """Implicit: q_f = nearest point of Phi(t_f) to q_i (Moreau 2003, eq. 7). Always ends inside."""
    centre = np.array([t_final, 0.0])
    reach = np.linalg.norm(q - centre)
    return q if reach <= 1.0 else centre + (q - centre) / reach


def lazy_selector(q, t, h):
    """Explicit: q_f = q_i + h gamma(t_i, q_i), gamma the velocity of least norm that keeps f = |q - centre| - 1 <= 0 (Moreau 2003,
    sec. 3). Ends outside by an error of order h where the boundary is curved."""
    arm = q - np.array([t, 0.0])
    reach = np.linalg.norm(arm)
    rate = -arm[0] / reach  # df/dt: > 0 when the boundary comes in
    return q if reach < 1.0 or rate <= 0.0 else q - h * rate * arm / reach


def follow(h, implicit):
    """The path to t = 2."""
    path = [np.array([0.0, 1.0])]
    for k in range(round(2.0 / h)):
        path.append(catching_up(path[-1], (k + 1) * h) if implicit else lazy_selector(path[-1], k * h, h))
    return np.array(path)


def beyond(path):
    return float(np.linalg.norm(path[-1] - [2.0, 0.0]) - 1.0)


def sweeping_process(lab: Laboratory) -> Section:
    section = Section("Sweeping process", [
        "A disc of radius 1 moves to the right at unit speed and drags the point (0, 1) that it catches: -dq/dt lies in the normal cone of "
        "the disc. The exact path is a tractrix, x = t - tanh t, y = 1/cosh t. The catching-up algorithm projects on the disc at the end of "
        "each step: order 1, always inside. The explicit scheme ends outside."])
    h = 0.1
    for error in (0.01691, 0.00863, 0.00436, 0.00219, 0.00110):
        path = follow(h, True)
        section.rows.append(compared(f"catching-up, h = {h:g}: error at t = 2", error, np.linalg.norm(path[-1] - tractrix(2.0)), 6e-6))
        if h == 0.1:
            section.rows.append(stated("catching-up ends inside the disc", "inside", f"distance {beyond(path):.1e} beyond the rim",
                                       beyond(path) <= 1e-14))
        h /= 2
    for step, known, digit in ((0.1, 0.049, 5e-4), (0.05, 0.0244, 5e-5), (0.025, 0.0121, 5e-5)):  # half a unit of the last digit known
        section.rows.append(compared(f"explicit scheme, h = {step:g}: distance beyond the rim at t = 2", known, beyond(follow(step, False)),
                                     digit))
    with lab.axes(section, "sweeping-process.svg", "The tractrix, and both schemes with a coarse step.", shape=0.5, title="Path of the point",
                  xlabel="x", ylabel="y") as axes:
        axes.plot(*np.array([tractrix(t) for t in np.linspace(0, 2, 201)]).T, label="tractrix")
        axes.plot(*follow(0.4, True).T, "o-", label="catching-up, h = 0.4")
        axes.plot(*follow(0.4, False).T, "s-", label="explicit, h = 0.4")
    return section
