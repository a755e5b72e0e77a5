#!/usr/bin/python3
"""A small library of grain shapes as STL files, and what each becomes: volume of the mesh, of its hull, of its convex parts; then a heap of
all of them. `--short`: two shapes, few grains."""
import argparse
import pathlib
import struct

import numpy as np
from scipy.spatial import ConvexHull

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short


def sphere(rings, stones):
    """Points and triangles of a ball: rings of latitude, two poles."""
    polar, around = np.meshgrid(np.linspace(0, np.pi, rings + 1)[1:-1], 2 * np.pi * np.arange(stones) / stones, indexing="ij")
    points = [[0, 0, 1]] + np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], -1).reshape(-1, 3).tolist() + [[0, 0, -1]]
    at = lambda r, k: 1 + r * stones + k % stones
    faces = [(0, at(0, k), at(0, k + 1)) for k in range(stones)]
    for r in range(rings - 2):
        for k in range(stones):
            faces += [(at(r, k), at(r + 1, k), at(r + 1, k + 1)), (at(r, k), at(r + 1, k + 1), at(r, k + 1))]
    faces += [(len(points) - 1, at(rings - 2, k + 1), at(rings - 2, k)) for k in range(stones)]
    return np.array(points, float), faces


def write_stl(name, points, faces):
    corners = points[np.array(faces)].astype("<f4")
    with open(name, "wb") as file:
        file.write(bytes(80) + struct.pack("<I", len(faces)))
        for triangle in corners:
            file.write(bytes(12) + triangle.tobytes() + bytes(2))
    x = corners.astype(float)
    return np.einsum("ij,ij->i", x[:, 0], np.cross(x[:, 1], x[:, 2])).sum() / 6


def pebble(seed, aspect, roughness):
    """A ball stretched along its axes, with a few broad dents: radius 1 + sum of smooth bumps."""
    random = np.random.default_rng(seed)
    points, faces = sphere(6, 10)
    radius = np.ones(len(points))
    for _ in range(6):
        direction = random.normal(size=3)
        radius += roughness * random.normal() * np.exp(4 * (points @ direction / np.linalg.norm(direction) - 1))
    return 0.01 * points * radius[:, None] * aspect, faces


shapes = {"pebble": pebble(1, [1, 0.8, 0.6], 0.15), "flake": pebble(2, [1, 0.9, 0.35], 0.1), "rod": pebble(3, [1.6, 0.6, 0.6], 0.1), "rough": pebble(4, [1, 1, 1], 0.35)}
if short:
    shapes = {name: shapes[name] for name in ("pebble", "flake")}
mixture = []
for name, (points, faces) in shapes.items():
    volume = write_stl(f"{name}.stl", points, faces)
    hull = ConvexHull(points).volume
    print(f"{name}: volume {volume:.4g}, hull {hull:.4g} ({100 * (hull / volume - 1):.1f} % more)")
    mixture.append(f'{{ share = 1, mesh = "{name}.stl" }}')
pathlib.Path("heap.toml").write_text(f"""dimension = 3
seed = 1
gravity = 9.81
units = {{ length = "m", mass = "kg", time = "s" }}
time = {{ step = 5e-4, duration = {0.3 if short else 1.6} }}
material = {{ density = 2600 }}
law = {{ friction = 0.5 }}
output = {{ frames = 0.1 }}
[[wall]]
plane = {{ normal = [0, 0, 1] }}
[[source]]
rate = {60 if short else 100}  # faster, grains would be put on those still falling
end = 1.2
spread = {0.03 if short else 0.05}
mixture = [{", ".join(mixture)}]
""")
run = mo.run("heap.toml", "heap-run", force=True)
print(f"{len(run.frames[-1])} grains")
mo.draw(run, "shapes.png")
