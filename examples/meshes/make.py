#!/usr/bin/env python3
"""Surfaces made of triangles for the scenes of this folder, as binary STL.

    make.py                            writes hopper.stl, drum.stl, screw.stl, trough.stl, tank.stl, paddle.stl, rock.stl here
    make.py drum --sides 200 --rings 50 -o drum.stl
"""
import argparse
import math
import pathlib
import struct

import numpy as np


def grid(point, us, vs, flip=False):
    """Triangles of the surface point(u, v) over a grid."""
    p = [[np.asarray(point(u, v), float) for v in vs] for u in us]
    triangles = []
    for i in range(len(us) - 1):
        for j in range(len(vs) - 1):
            a, b, c, d = p[i][j], p[i + 1][j], p[i + 1][j + 1], p[i][j + 1]
            triangles += [t for t in ((a, b, c), (a, c, d)) if all(np.any(t[k] != t[k - 1]) for k in range(3))]
    return [t[::-1] for t in triangles] if flip else triangles


def turn(n):
    """Angles of n sides; the last is the first again, with the same coordinates."""
    return [2 * math.pi * (k % n) / n for k in range(n + 1)]


def disc(radius, height, sides, rings):
    return grid(lambda r, t: (r * math.cos(t), r * math.sin(t), height), np.linspace(0, radius, rings + 1), turn(sides))


def drum(sides=48, rings=4, radius=0.1, length=0.08, lifters=6, lift=0.015):
    """A drum about the axis y, with lifters along its inside, closed at both ends."""
    triangles = grid(lambda y, t: (radius * math.cos(t), y, radius * math.sin(t)), np.linspace(0, length, rings + 1), turn(sides))
    for end in (0.0, length):
        triangles += [[(x, end, y) for x, y, _ in t] for t in disc(radius, 0.0, sides, max(1, rings // 2))]
    for k in range(lifters):
        t = 2 * math.pi * (k * sides // lifters) / sides
        triangles += grid(lambda y, r: (r * math.cos(t), y, r * math.sin(t)), np.linspace(0, length, rings + 1),
                          np.linspace(radius, radius - lift, 3))
    return triangles


def hopper(sides=32, top=0.1, outlet=0.028, cone=0.1, tube=0.06):
    """A cylinder on a cone with an outlet, open above and below."""
    profile = [(outlet, -0.015), (outlet, 0.0), (top, cone), (top, cone + tube)]
    return grid(lambda k, t: (profile[k][0] * math.cos(t), profile[k][0] * math.sin(t), profile[k][1]), range(4), turn(sides))


def screw(radius=0.045, shaft=0.015, pitch=0.06, length=0.3, steps=24):
    """A flight about a shaft along y."""
    n = int(round(length / pitch * steps))
    flight = grid(lambda k, r: (r * math.cos(2 * math.pi * k / steps), length * k / n, r * math.sin(2 * math.pi * k / steps)),
                  range(n + 1), np.linspace(shaft, radius, 4))
    core = grid(lambda y, t: (shaft * math.cos(t), y, shaft * math.sin(t)), (0.0, length), turn(steps))
    return flight + core


def trough(radius=0.05, length=0.3, height=0.12, sides=16, rings=12, closed=False):
    """A U-shaped trough along y, closed at both ends; the floor is open at the far end, over `rings` // 6 of its length."""
    def section(s):  # 0 to 1: down the left side, round, up the right side
        angle = math.pi * (s - 0.25) / 0.5
        if s < 0.25:
            return -radius, (1 - s / 0.25) * (height - radius)
        if s > 0.75:
            return radius, (s - 0.75) / 0.25 * (height - radius)
        return -radius * math.cos(angle), -radius * math.sin(angle)
    s = [k / (2 * sides) for k in range(2 * sides + 1)]
    ys = np.linspace(0, length, rings + 1)
    triangles = []
    for i in range(rings):
        far = not closed and i >= rings - max(1, rings // 6)
        for j in range(2 * sides):
            middle = 0.5 * (s[j] + s[j + 1])
            if far and 0.3 < middle < 0.7:
                continue
            triangles += grid(lambda y, k: (section(k)[0], y, section(k)[1]), ys[i:i + 2], s[j:j + 2])
    for y in (0.0, length):
        rim = [(section(k)[0], y, section(k)[1]) for k in s]
        triangles += [((0.0, y, 0.0), rim[k], rim[k + 1]) for k in range(2 * sides)] + [((0.0, y, 0.0), rim[-1], rim[0])]
    return triangles


def tank(radius=0.05, length=0.08, height=0.11):
    """The trough without its hole."""
    return trough(radius, length, height, closed=True)


def paddle(radius=0.03, length=0.072, thick=0.003):
    """A plate through the axis y, which turns with it."""
    low, high = np.array([-radius, 0.004, -thick / 2]), np.array([radius, 0.004 + length, thick / 2])
    triangles = []
    for d in range(3):  # the two faces across each axis
        u, v = (d + 1) % 3, (d + 2) % 3
        for side in (low, high):
            def corner(i, j):
                p = side.copy()
                p[u], p[v] = (low, high)[i][u], (low, high)[j][v]
                return p
            triangles += grid(corner, (0, 1), (0, 1), flip=side is low)
    return triangles


def rock(seed=3, corners=14, size=0.008):
    """The hull of random points on a flattened ball: a stone."""
    from scipy.spatial import ConvexHull
    random = np.random.default_rng(seed)
    p = random.normal(size=(corners, 3))
    p *= size / np.linalg.norm(p, axis=1)[:, None] * np.array([1.0, 0.8, 0.65])
    hull = ConvexHull(p)
    return [[p[v] for v in (s if np.dot(np.cross(p[s[1]] - p[s[0]], p[s[2]] - p[s[0]]), e[:3]) > 0 else s[::-1])]
            for s, e in zip(hull.simplices, hull.equations)]


def write(file, triangles):
    with open(file, 'wb') as out:
        out.write(b'made by make.py'.ljust(80) + struct.pack('<I', len(triangles)))
        for t in triangles:
            out.write(struct.pack('<12fH', 0, 0, 0, *np.asarray(t, float).ravel(), 0))
    print(f'{file}: {len(triangles)} triangles')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', nargs='?', choices=['drum', 'hopper', 'screw', 'trough', 'tank', 'paddle', 'rock'])
    parser.add_argument('--sides', type=int)
    parser.add_argument('--rings', type=int)
    parser.add_argument('--lifters', type=int)
    parser.add_argument('-o', '--out')
    options = parser.parse_args()
    makers = {'drum': drum, 'hopper': hopper, 'screw': screw, 'trough': trough, 'tank': tank, 'paddle': paddle, 'rock': rock}
    given = {k: v for k, v in vars(options).items() if k in ('sides', 'rings', 'lifters') and v is not None}
    here = pathlib.Path(__file__).parent
    for name, make in makers.items():
        if options.what in (None, name):
            write(options.out or here / f'{name}.stl', make(**given) if options.what else make())


if __name__ == '__main__':
    main()
