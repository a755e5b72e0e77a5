"""Reads blocks.pvd as ParaView does and compares the surfaces with the shapes that the test wrote.

    read_blocks.py RUN EXPECTED.json
"""
import json
import os
import sys
import xml.etree.ElementTree as xml

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

run, expected_file = sys.argv[1:]
with open(expected_file) as file:
    expected = json.load(file)
dimension, single = expected["dimension"], 1e-6

entries = list(xml.parse(os.path.join(run, "views", "blocks.pvd")).getroot().iter("DataSet"))
assert [float(e.get("timestep")) for e in entries] == [expected["time"]], "instants"
reader = vtkXMLPolyDataReader()
reader.SetFileName(os.path.join(run, "views", entries[0].get("file")))
reader.Update()
assert reader.GetErrorCode() == 0
data = reader.GetOutput()
points = vtk_to_numpy(data.GetPoints().GetData()).astype(float)
cells = {}  # (body, part): polygons
arrays = {name: vtk_to_numpy(data.GetCellData().GetArray(name))
          for name in ("id", "part", "shape", "material", "kind", "speed", "velocity", "spin", "displacement", "mass", "birth")}
assert data.GetNumberOfCells() == data.GetNumberOfPolys() > 0
for i in range(data.GetNumberOfCells()):
    ids = data.GetCell(i).GetPointIds()
    polygon = points[[ids.GetId(k) for k in range(ids.GetNumberOfIds())]]
    cells.setdefault((int(arrays["id"][i]), int(arrays["part"][i])), []).append(polygon)


def rotation(r):
    """The matrix of an angle, or of a unit quaternion w x y z, in the textbook form."""
    if dimension == 2:
        return np.array([[np.cos(r), -np.sin(r)], [np.sin(r), np.cos(r)]])
    w, x, y, z = r
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def area(polygon):
    x, y = polygon[:, 0], polygon[:, 1]
    return 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))


def volume(polygons):
    """By the divergence theorem, and the surface must be closed: every edge occurs once in each direction."""
    edges, total = {}, 0.0
    for p in polygons:
        for q in range(1, len(p) - 1):
            total += np.dot(p[0], np.cross(p[q], p[q + 1])) / 6.0
        for q in range(len(p)):
            ends = tuple(np.round(p[q], 4) + 0.0), tuple(np.round(p[(q + 1) % len(p)], 4) + 0.0)
            if ends[0] != ends[1]:
                edges[ends] = edges.get(ends, 0) + 1
                edges[ends[::-1]] = edges.get(ends[::-1], 0) - 1
    assert not any(edges.values()), "the surface has a hole"
    return total


blocks = 0
for body in expected["bodies"]:
    for number, part in enumerate(body["parts"]):
        polygons = cells.pop((body["id"], number))
        blocks += 1
        corners = np.reshape(part["vertices"], (-1, dimension)) @ rotation(body["orientation"]).T + body["position"]
        radius, seen = part["radius"], np.vstack(polygons)
        assert np.allclose(np.zeros(len(seen)), seen[:, 2]) or dimension == 3
        seen = seen[:, :dimension]
        if radius == 0.0:  # the corners themselves
            distance = np.linalg.norm(seen[:, None] - corners[None], axis=2)
            assert distance.min(axis=1).max() < single and distance.min(axis=0).max() < single, "corners"
        else:  # none nearer to the corners than the radius
            distance = np.linalg.norm(seen[:, None] - corners[None], axis=2).min(axis=1)
            assert abs(distance.min() - radius) < single, "rounding"
        content = area(polygons[0]) if dimension == 2 else volume(polygons)
        sharp, round_ = part["sharp_volume"], part["volume"]
        # Chords lie inside of what they cut: some of the rounded rim is lost, at most a twentieth of it.
        assert round_ + single > content > round_ - 0.05 * (round_ - sharp) - single, f"{content} where {round_} is expected"
    mine = arrays["id"] == body["id"]
    for name in ("shape", "material", "kind", "mass", "birth", "speed"):
        assert np.allclose(arrays[name][mine], body[name], atol=single), name
assert blocks and not cells, f"{sorted(cells)} were not expected"
