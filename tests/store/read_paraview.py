"""Reads a run as ParaView (.pvd, .vtp) and as h5py users (trajectory.h5) do, and compares it with what the test wrote.

    read_paraview.py RUN EXPECTED.json
"""
import json
import os
import sys
import xml.etree.ElementTree as xml

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

run, expected_file = sys.argv[1:]
with open(expected_file) as file:
    expected = json.load(file)
frames, dimension = expected["frames"], expected["dimension"]


def same(what, found, wanted, tolerance=0.0):
    found, wanted = np.asarray(found, float).ravel(), np.asarray(wanted, float).ravel()
    assert found.shape == wanted.shape, f"{what}: {found.size} numbers where {wanted.size} are expected"
    assert np.all(np.abs(found - wanted) <= tolerance), f"{what}: {found} where {wanted} is expected"


def view(name):
    """The instants of one .pvd file: (time, polydata)."""
    instants = []
    for entry in xml.parse(os.path.join(run, "views", name + ".pvd")).getroot().iter("DataSet"):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(run, "views", entry.get("file")))
        reader.Update()
        assert reader.GetErrorCode() == 0, entry.get("file")
        instants.append((float(entry.get("timestep")), reader.GetOutput()))
    return instants


def array(data, name):
    values = data.GetPointData().GetArray(name)
    assert values is not None, f"array {name} is missing"
    return vtk_to_numpy(values) if values.GetNumberOfTuples() else np.zeros(0)


def points(data):
    return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))


def padded(vectors):
    """As VTK has them: three components, those out of the plane zero."""
    vectors = np.reshape(np.asarray(vectors, float), (len(vectors), dimension))
    return np.pad(vectors, ((0, 0), (0, 3 - dimension)))


single = 1e-6  # the views are in single precision, the sample's numbers of order one

bodies, contacts, forces = view("bodies"), view("contacts"), view("forces")
for instants in bodies, contacts, forces:
    same("times", [time for time, _ in instants], [frame["time"] for frame in frames])

for frame, (_, body), (_, contact), (_, force) in zip(frames, bodies, contacts, forces):
    velocity, spin = padded(frame["velocity"]), np.asarray(frame["spin"], float)
    if dimension == 2:
        spin = np.pad(spin.reshape(-1, 1), ((0, 0), (2, 0)))
    same("number of vertices", body.GetNumberOfVerts(), len(frame["radius"]))
    same("position", points(body), padded(frame["position"]), single)
    same("radius", array(body, "radius"), frame["radius"], single)
    same("velocity", array(body, "velocity"), velocity, single)
    same("speed", array(body, "speed"), np.linalg.norm(velocity, axis=1), single)
    same("spin", array(body, "spin"), spin, single)
    same("id", array(body, "id"), range(len(frame["radius"])))

    normal_force = np.sum(padded(frame["force"]) * padded(frame["normal"]), axis=1)
    same("number of contacts", contact.GetNumberOfVerts(), len(frame["a"]))
    same("point", points(contact), padded(frame["point"]), single)
    same("force", array(contact, "force"), padded(frame["force"]), single)
    same("normal", array(contact, "normal"), padded(frame["normal"]), single)
    same("normal_force", array(contact, "normal_force"), normal_force, single)
    same("gap", array(contact, "gap"), frame["gap"], single)
    same("a", array(contact, "a"), frame["a"])
    same("b", array(contact, "b"), frame["b"])

    position, ends = padded(frame["position"]), []
    for a, b, point, shift in zip(frame["a"], frame["b"], padded(frame["point"]), padded(frame["shift"])):
        ends += [position[a], point if b < 0 else position[b] + shift]
    same("number of segments", force.GetNumberOfLines(), len(frame["a"]))
    same("ends of segments", points(force), ends, single)
    same("force of segments", array(force, "normal_force"), np.repeat(normal_force, 2), single)

with h5py.File(os.path.join(run, "trajectory.h5"), "r") as trajectory:
    same("times in trajectory.h5", trajectory["time"], [frame["time"] for frame in frames])
    for number, frame in enumerate(frames):
        group = trajectory[f"frame_{number:06}"]
        assert group.attrs["dimension"] == dimension and group.attrs["step"] == frame["step"]
        assert group.attrs["time"] == frame["time"]
        for name in "position", "velocity", "spin", "radius":
            same("bodies/" + name, group["bodies/" + name], frame[name])
        for name in "a", "b", "point", "normal", "force", "gap":
            same("contacts/" + name, group["contacts/" + name], frame[name])
        assert len(group["walls/name"]) == frame["walls"]
        if frame["walls"]:
            assert group["walls/name"][0] == b"floor"
