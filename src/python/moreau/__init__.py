"""Rigid grains and blocks in contact with exact dry friction (Contact Dynamics), from Python.

    import moreau as mo

    scene = mo.load("pile.toml", {"law.friction": 0.4})
    course = mo.Course(scene, threads=2)
    for report in course.steps(until=5.0, every=0.1):
        print(report.time, course.bodies.position[:, 2].max())
    mo.measure(course, "stress", region="layers:0.05")

The same library as the program `moreau`, with the same numbers to the last bit. docs/python.md explains all of it.
"""

from ._core import (
    CellCollapsed,
    Certificate,
    CourseBusy,
    CourseError,
    EnergyLedger,
    NotConverged,
    NotFinite,
    Random,
    SceneError,
    StaleView,
    StepReport,
    StoreError,
    Timings,
    __version__,
)
from .course import Bodies, Contacts, Course
from .ensemble import Ensemble, ks_test
from .frame import Frame
from .measure import average, equilibrium, gauss_seidel, measure, quantities, solve, solvers
from .profiles import profile, surface_slope
from .program import DoubtfulRun, ProgramError, draw, run, version
from .run import Run, open
from .scene import Scene, load
from .sweep import Sweep, sweep
from .table import Table
from ._view import View
from .viewer import Viewer, view

__all__ = [
    "Bodies", "CellCollapsed", "Certificate", "Contacts", "Course", "CourseBusy", "CourseError", "DoubtfulRun", "EnergyLedger", "Ensemble", "Frame",
    "NotConverged", "NotFinite", "ProgramError", "Random", "Run", "Scene", "SceneError", "StaleView", "StepReport", "StoreError", "Sweep",
    "Table", "Timings", "View", "Viewer", "average", "draw", "equilibrium", "gauss_seidel", "ks_test", "load", "measure", "open", "profile", "quantities", "run", "solve",
    "solvers", "surface_slope", "sweep", "version", "view", "__version__",
]
