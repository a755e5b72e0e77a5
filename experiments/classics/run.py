"""Small classics with exact answers. Moreau 1994, 2003, 2004."""

from balls import bead_impacts, bounce_accumulation, newtons_chain, superball
from bars import painleve_rod, wedged_bar
from blocks import rocking_block
from sweeping import sweeping_process

from moreau.experiment import Laboratory, Report, main


def reproduce(lab: Laboratory) -> Report:
    report = Report(protocol=[
        "Eight small problems of the papers, each run through the same step as a packing of grains: scene file, contact detection, "
        "Gauss-Seidel solver, midpoint update. The papers describe them in words; the exact answers follow from their equations and are "
        "derived in the README of this experiment."])
    for classic in (wedged_bar, rocking_block, superball, bead_impacts, painleve_rod, sweeping_process, bounce_accumulation, newtons_chain):
        report.sections.append(classic(lab))
        lab.tell(report.sections[-1].title)
    return report


if __name__ == "__main__":
    main(reproduce)
