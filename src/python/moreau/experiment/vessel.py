"""Shaken vessels seen once per period, at the same phase of the drive: where the grains are, how they circulate, pictures of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..run import Run
from .report import mean_of

Depth = Callable[[np.ndarray], np.ndarray]  # distances of points to the side wall


class Strobe:
    """Positions of the bodies at the frames of a run, (frame, body, axis); the frames are one period apart."""

    def __init__(self, run: Run) -> None:
        frames = list(run.frames)
        self.time = np.array([frame.time for frame in frames])
        self.radius = np.asarray(frames[0].radius)
        self.position = np.array([frame.position for frame in frames])

    def __len__(self) -> int:
        return len(self.time)

    @property
    def height(self) -> np.ndarray:
        return self.position[..., -1]

    def height_of_share(self, frame: int, share: float) -> float:
        """Height below which a share of the grains lies."""
        heights = np.sort(self.height[frame])
        return float(heights[int(share * (len(heights) - 1))])

    def windows(self, first: int, length: int) -> range:
        """Where successive windows of so many frames begin."""
        return range(first, len(self) - length, length)


class Circulation(NamedTuple):
    """Mean vertical displacement of the grains that were nearer to the side wall than a skin, and of those farther than two thirds of
    the largest distance; with standard errors over windows of time."""

    at_wall: float
    in_middle: float
    wall_error: float = 0.0
    middle_error: float = 0.0
    windows: int = 1

    @property
    def strength(self) -> float:
        return self.in_middle - self.at_wall


def circulation(s: Strobe, start: int, end: int, depth: Depth, most: float, skin: float, top: float) -> Circulation:
    """From one frame to another. ``most`` is the largest depth in the vessel. Grains that were above ``top`` are left out: they fly."""
    kept = s.height[start] <= top
    away, rise = depth(s.position[start]), s.height[end] - s.height[start]

    def mean(which: np.ndarray) -> float:
        return float(rise[kept & which].mean()) if (kept & which).any() else 0.0

    return Circulation(mean(away < skin), mean(away > 2.0 / 3.0 * most))


def mean_circulation(s: Strobe, first: int, length: int, depth: Depth, most: float, skin: float, top: float) -> Circulation:
    """Mean and standard error over successive windows of ``length`` frames."""
    each = [circulation(s, k, k + length, depth, most, skin, top) for k in s.windows(first, length)]
    wall, middle = mean_of([c.at_wall for c in each]), mean_of([c.in_middle for c in each])
    return Circulation(wall.mean, middle.mean, wall.error, middle.error, len(each))


def layer_thickness(s: Strobe, first: int, length: int, depth: Depth, most: float, width: float, top: float) -> float:
    """Distance from the side wall at which the mean vertical displacement, negative at the wall, becomes positive; as far as the middle
    of the vessel if it does not, 0 if it is not negative at the wall. In classes of ``width``."""
    classes = int(np.ceil(most / width))
    rise, count = np.zeros(classes), np.zeros(classes)
    for k in s.windows(first, length):
        away = depth(s.position[k])
        kept = (s.height[k] <= top) & (away >= 0.0)
        which = np.minimum((away[kept] / width).astype(int), classes - 1)
        np.add.at(rise, which, (s.height[k + length] - s.height[k])[kept])
        np.add.at(count, which, 1.0)
    last = place = 0.0
    for c in range(classes):
        if count[c] == 0:
            continue
        mean, middle = rise[c] / count[c], (c + 0.5) * width
        if mean >= 0.0:
            return place + (middle - place) * last / (last - mean) if last < 0.0 else 0.0
        last, place = mean, middle
    return most


class Patch(NamedTuple):
    """Rotation of the mean displacement [rad], and rms displacement, of the grains that were in a rectangle."""

    rotation: float
    rms: float


def patch(s: Strobe, start: int, end: int, low: tuple[float, float], high: tuple[float, float]) -> Patch:
    place = s.position[start]
    inside = ((place >= low) & (place <= high)).all(axis=1)
    motion, place = (s.position[end] - place)[inside], place[inside]
    if len(place) < 3:
        return Patch(0.0, float(np.sqrt((motion**2).sum() / max(1, len(motion)))))
    # Least squares: motion = mean + L (place - centre); the rotation is the antisymmetric part of L.
    arm = place - place.mean(axis=0)
    gradient = np.linalg.lstsq(arm, motion - motion.mean(axis=0), rcond=None)[0].T
    return Patch(float(0.5 * (gradient[1, 0] - gradient[0, 1])), float(np.sqrt((motion**2).sum(axis=1).mean())))


def upper_corners(s: Strobe, start: int, end: int, width: float, floor: float) -> tuple[Patch, Patch]:
    """The two upper corners of a vessel from x = 0 to ``width``: a fifth of it wide, 0.35 of the height of the pack high."""
    top = s.height_of_share(start, 0.99)
    low, side = top - 0.35 * (top - floor), 0.2 * width
    return patch(s, start, end, (0.0, low), (side, top)), patch(s, start, end, (width - side, low), (width, top))


def draw_displacements(file: Path, start: Any, end: Any, radius: Any, left: float, right: float, bottom: float, title: str,
                       large: int | None = None) -> None:
    """Beads where they were, and a line from there to where they went; the sides of the vessel, and its bottom, as lines."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection, LineCollection

    start, end, radius = (np.asarray(values) for values in (start, end, radius))
    top = float(max((start[:, 1] + radius).max(), (end[:, 1] + radius).max()))
    top = min(top, bottom + 2.0 * (right - left))
    figure, axes = plt.subplots(figsize=(7.0, 7.0 * (top - bottom) / (right - left) + 0.6), layout="constrained")
    shade = ["0.55" if i == large else "0.87" for i in range(len(radius))]
    axes.add_collection(EllipseCollection(2 * radius, 2 * radius, np.zeros(len(radius)), units="xy", offsets=start,
                                          transOffset=axes.transData, facecolors=shade, edgecolors="0.6", linewidths=0.4))
    axes.add_collection(LineCollection(np.stack([start, end], axis=1), colors="0.1", linewidths=0.9))
    axes.plot([left, left, right, right], [top, bottom, bottom, top], color="0.3", linewidth=2)
    margin = 0.02 * (right - left)
    axes.set(aspect="equal", xlim=(left - margin, right + margin), ylim=(bottom - margin, top), title=title)
    axes.axis("off")
    figure.savefig(file, dpi=120)
    plt.close(figure)
