"""Types of the extension; see the classes of the module itself for what they mean."""

from pathlib import Path
from typing import Any

import numpy as np

__version__: str

class CourseError(RuntimeError): ...
class NotConverged(CourseError): ...
class NotFinite(CourseError): ...
class CellCollapsed(CourseError): ...
class CourseBusy(CourseError): ...
class SceneError(ValueError): ...
class StoreError(OSError): ...
class StaleView(ReferenceError): ...

class Certificate:
    velocity_scale: float
    residual_rms: float
    residual_max: float
    relative_residual: float
    unbalanced: float
    error: float
    body_error: float
    worst_body: int
    sweeps: int
    factorisations: int
    converged: bool
    unbounded: bool

class EnergyLedger:
    kinetic: float
    potential: float
    elastic: float
    initial: float
    inserted: float
    wall_work: float
    gravity_work: float
    removed: float
    dissipated: float
    error: float

class Timings:
    insert: float
    predict: float
    search: float
    detect: float
    assemble: float
    solve: float
    update: float
    certify: float
    total: float

class StepReport:
    step: int
    time: float
    bodies: int
    contacts: int
    open: int
    stick: int
    slide: int
    joints: int
    recalled: int
    inserted: int
    removed: int
    max_penetration: float
    mean_penetration: float
    unbalanced_force: float
    max_speed: float
    shocks: int
    certificate: Certificate
    energy: EnergyLedger
    timings: Timings

class Scene:
    dimension: int
    title: str
    text: str
    seed: int
    duration: float
    time_step: float
    phases: list[str]
    measures: list[str]
    named: list[tuple[str, int, int]]
    warnings: list[str]
    def __len__(self) -> int: ...

class Frame:
    dimension: int
    time: float
    step: int
    phase: int
    cell: list[tuple[float, ...]]
    wall_names: list[str]
    wall_shift: np.ndarray
    def __len__(self) -> int: ...
    def body_array(self, name: str) -> np.ndarray: ...
    def contact_arrays(self) -> dict[str, np.ndarray]: ...

class Lease:
    stale: bool
    def check(self) -> None: ...

class Course:
    dimension: int
    time: float
    time_step: float
    step_number: int
    over: bool
    phase: str
    phase_number: int
    hash: str
    report: StepReport
    unconverged: int
    worst_penetration: float
    warnings: list[str]
    gravity: Any
    cell: list[tuple[float, ...]]
    def check_numbers(self) -> None: ...
    def __init__(self, scene: Scene, threads: int = ...) -> None: ...
    def advance(self, until: float | None = ..., most: int = ...) -> int: ...
    def array(self, name: str, writable: bool = ...) -> tuple[np.ndarray, Lease]: ...
    def frame(self) -> Frame: ...
    def bodies_count(self) -> int: ...
    def materials(self) -> list[str]: ...
    def law(self, a: str, b: str) -> dict[str, float]: ...
    def set_law(self, a: str, b: str, values: dict[str, float]) -> None: ...
    def pistons(self) -> dict[str, dict[str, Any]]: ...
    def set_piston(self, name: str, target: float, control: str = ...) -> None: ...
    def touch(self) -> None: ...
    def set_impulses(self, impulses: Any) -> None: ...
    def set_contacts(self, pairs: list[tuple[int, int]], normals: Any, impulses: Any) -> None: ...
    def law_state(self) -> dict[str, np.ndarray]: ...
    def totals(self) -> dict[str, Any]: ...

class Run:
    path: Path
    scene: Scene
    frame_count: int
    def demand_unchanged(self) -> None: ...
    def frame(self, number: int) -> Frame: ...
    def course(self, threads: int, scene: Scene | None = ...) -> Course: ...

def load(file: Path, settings: list[tuple[str, str]]) -> Scene: ...
def parse(text: str, name: str, folder: Path, settings: list[tuple[str, str]]) -> Scene: ...
def open(path: Path) -> Run: ...
def save(course: Course, folder: Path, force: bool = ...) -> None: ...
def measure(frame: Frame, quantity: str, before: Frame | None, **options: Any) -> dict[str, Any]: ...
def unit_of_column(column: str, dimension: int) -> str: ...
def compares_two(name: str, dimension: int) -> bool: ...
def quantities(dimension: int) -> dict[str, str]: ...
def solve(problem: Path, solver: str = ..., tolerance: float = ..., max_time: float = ..., max_iterations: int = ...) -> dict[str, Any]: ...
def solvers() -> dict[str, str]: ...
def equilibrium(what: Scene | Course, tolerance: float) -> dict[str, Any]: ...

class Random:
    def __init__(self, seed: int = ...) -> None: ...
    def uniform(self, low: float = ..., high: float = ...) -> float: ...

def gauss_seidel(delassus: Any, free: Any, friction: Any, dimension: int = ..., tolerance: float = ..., max_sweeps: int = ...,
                 start: Any = ..., order: Any = ...) -> dict[str, Any]: ...
