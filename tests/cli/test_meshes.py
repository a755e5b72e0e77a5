"""Meshes as a user meets them: read from files in every format, refused with one sentence, kept by the run, drawn, resumed."""
import math
import struct
import unittest

import h5py

from program import REPOSITORY, ProgramTest

TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def binary_stl(triangles):
    return b"solid, and yet binary".ljust(80) + struct.pack("<I", len(triangles)) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *[x for corner in t for x in corner], 0) for t in triangles)


def text_stl(triangles):
    return "solid s\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % c for c in t) + "endloop\nendfacet\n"
                                 for t in triangles) + "endsolid s\n"


def obj(vertices, faces):
    return "mtllib none.mtl\n" + "".join("v %g %g %g\n" % v for v in vertices) + "".join("f " + " ".join(str(k + 1) for k in f) + "\n" for f in faces)


def off(vertices, faces):
    return f"OFF\n{len(vertices)} {len(faces)} 0\n" + "".join("%g %g %g\n" % v for v in vertices) + "".join(
        f"{len(f)} " + " ".join(map(str, f)) + "\n" for f in faces)


def ply(vertices, faces):
    return ("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\nelement face %d\n"
            "property list uchar int vertex_indices\nend_header\n" % (len(vertices), len(faces))
            + "".join("%g %g %g\n" % v for v in vertices) + "".join(f"{len(f)} " + " ".join(map(str, f)) + "\n" for f in faces))


SOUP = [[TETRAHEDRON[v] for v in f] for f in FACES]

SCENE = """\
dimension = 3
gravity = 9.81
time = { step = 1e-3, duration = 0.1 }
material = { density = 1000 }
law = { friction = 0.4 }
output = { frames = 0.05 }
[[grain]]
radius = 0.05
position = [0.3, 0.3, 1.2]
"""
WALL = SCENE + '[[wall]]\nname = "mesh"\nmesh = "FILE"\n'
BLOCK = SCENE + '[[block]]\nname = "rock"\nmesh = "FILE"\n'


def funnel(sides=16):
    """A cone that is open above and below, with a cylinder upon it: radii 0.05 at z = 0, 0.3 at z = 0.3 and z = 0.5."""
    def ring(radius, z):
        return [(radius * math.cos(2 * math.pi * k / sides), radius * math.sin(2 * math.pi * k / sides), z) for k in range(sides)]

    rings = [ring(0.05, 0.0), ring(0.3, 0.3), ring(0.3, 0.5)]
    return [t for low, high in zip(rings, rings[1:]) for k in range(sides)
            for t in ((low[k], low[(k + 1) % sides], high[k]), (high[k], low[(k + 1) % sides], high[(k + 1) % sides]))]


class MeshPictures(ProgramTest):
    def test_the_far_side_of_a_hopper_stays_its_far_side_when_the_grains_have_left(self):
        """Seen from above, all faces of the cone lie behind what was in it, and are no veil over it, wherever on the axis the grains are."""
        (self.folder / "m.stl").write_bytes(binary_stl(funnel()))
        veils = []
        for z in (0.35, 0.1, -0.2, -1.0):
            self.write("s.toml", SCENE.replace("radius = 0.05", "radius = 0.03").replace("0.3, 0.3, 1.2", f"0, 0, {z}") + '[[wall]]\nmesh = "m.stl"\n')
            self.moreau("run", "s.toml", "--out", "run", "--force", "--until", "0.001")
            self.moreau("draw", "run", "--frame", "0", "--view", "top", "-o", "a.svg")
            veils.append((self.folder / "a.svg").read_text().count('fill-opacity="0.07"'))
        self.assertEqual(len(set(veils)), 1, veils)


class MeshSources(ProgramTest):
    def test_a_source_brings_meshes_in_the_unit_of_their_file(self):
        (self.folder / "rock.stl").write_bytes(binary_stl([[[100 * x for x in corner] for corner in t] for t in SOUP]))  # a tetrahedron of 100 mm
        for entry in ('mesh = "rock.stl"\nscale = 0.001', 'mixture = [{ share = 1, mesh = "rock.stl", scale = 0.001 }]'):
            self.write("s.toml", SCENE + f"[[source]]\nrate = 1000\ncount = 3\n{entry}\n[[wall]]\nplane = {{ normal = [0, 0, 1] }}\n")
            summary = self.json_of("run", "s.toml", "--out", "run", "--force", "--until", "0.01", "--json")
            self.assertAlmostEqual(summary["inserted_mass"] / summary["inserted_bodies"], 1000 * 0.1**3 / 6, places=9)
        self.write("s.toml", SCENE + '[[source]]\nrate = 10\ndiameter = 0.1\nscale = 2\n')
        self.assertIn("unknown key 'source[1].scale'", self.refusal("check", "s.toml"))


class MeshFiles(ProgramTest):
    def test_every_format_is_the_same_mesh(self):
        files = {"b.stl": binary_stl(SOUP), "t.STL": text_stl(SOUP), "m.obj": obj(TETRAHEDRON, FACES), "m.off": off(TETRAHEDRON, FACES),
                 "m.ply": ply(TETRAHEDRON, FACES)}
        positions = set()
        for name, content in files.items():
            with self.subTest(name):
                (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
                self.write("s.toml", BLOCK.replace("FILE", name))
                described = self.json_of("check", "s.toml", "--json")
                self.assertAlmostEqual(described["mass"], 1000 / 6 + 1000 * 4 / 3 * 3.14159265 * 0.05 ** 3, places=4)
                self.assertEqual([w["kind"] for w in described["warnings"]], ["nothing_below"])
                self.write("w.toml", WALL.replace("FILE", name))
                self.json_of("run", "w.toml", "--out", "run", "--force", "--json")
                with h5py.File(self.folder / "run" / "frames" / "frame_000002.h5") as frame:
                    positions.add(tuple(frame["bodies/position"][0]))
        self.assertEqual(len(positions), 1)

    def test_what_is_wrong_is_said_with_the_triangle_and_the_reason(self):
        hole, inverted = SOUP[:3], [SOUP[0][::-1]] + SOUP[1:]
        third = SOUP + [[(0, 0, 0), (1, 0, 0), (0, -1, 0)]]
        nan = SOUP[:2] + [[(0, 0, 0), (float("nan"), 0, 0), (0, 1, 0)]]
        flat = [[(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 0, 0), (0, 0, 0), (2, 1, 0)]]
        cases = {
            "missing": (None, WALL, "FILE.*does not exist"),
            "empty": (b"", WALL, "is empty"),
            "text": (b"this is no mesh", WALL, "cannot be read as stl"),
            "cut short": (binary_stl(SOUP)[:-20], WALL, "cannot be read as stl|has no triangles|triangle"),
            "no number": (binary_stl(nan), WALL, r"triangle \(3\) with the coordinate nan"),
            "no area": (binary_stl(flat), WALL, "2 triangles, none of which has an area"),
            "hole": (binary_stl(hole), BLOCK, r"a hole: no triangle joins triangle \d at the edge around \["),
            "three at an edge": (binary_stl(third), BLOCK, "hole|an edge of 3 triangles"),
        }
        for name, (content, scene, sentence) in cases.items():
            with self.subTest(name):
                if content is not None:
                    (self.folder / "m.stl").write_bytes(content)
                self.write("s.toml", scene.replace("FILE", "nowhere.stl" if content is None else "m.stl"))
                self.assertRegex(self.refusal("check", "s.toml"), "^s.toml:1[0-3]:.*'(wall|block)\\[1\\].mesh'.*" + sentence.replace("FILE", "nowhere.stl"))
        (self.folder / "m.ply").write_text(ply([(2e30, 0, 0) if v == (1, 0, 0) else v for v in TETRAHEDRON], FACES))
        self.write("s.toml", BLOCK.replace("FILE", "m.ply"))
        self.assertRegex(self.refusal("check", "s.toml"), r"coordinate 2e\+30; accepted: numbers up to 1e\+30$")
        (self.folder / "m.off").write_text(off(TETRAHEDRON, FACES).replace("3 0 2 1", "3 -1 2 1"))
        self.write("s.toml", BLOCK.replace("FILE", "m.off"))
        self.assertRegex(self.refusal("check", "s.toml"), r'has "-1" in line 7; accepted: an integer >= 0$')
        (self.folder / "m.stl").write_bytes(binary_stl(inverted))
        self.write("s.toml", BLOCK.replace("FILE", "m.stl"))
        self.assertTrue(self.json_of("check", "s.toml", "--json")["valid"], "triangles are turned so that they face outwards")
        self.write("s.toml", WALL.replace("FILE", "m.step"))
        self.assertRegex(self.refusal("check", "s.toml"), r'ends with "\.step"; accepted: .*\.stl')
        self.write("s.toml", SCENE.replace("gravity", 'engine = "soft"\ngravity') + '[[wall]]\nmesh = "m.stl"\n')
        self.assertRegex(self.refusal("check", "s.toml"), "mesh|soft")

    def test_check_tells_how_large_a_mesh_is(self):
        self.path("b.stl").write_bytes(binary_stl(SOUP))
        self.write("s.toml", WALL.replace("FILE", "b.stl") + "scale = 0.001\nposition = [1, 0, 0]\n")
        told = self.json_of("check", "s.toml", "--json")["meshes"]["mesh"]
        self.assertEqual((told["triangles"], told["open_edges"], told["z"]), (4, 0, [0, 0.001]))
        self.assertAlmostEqual(told["x"][1], 1.001, delta=1e-9)
        self.assertIn("z 0 to 0.001", self.moreau("check", "s.toml"))

    def test_triangles_left_out_are_counted(self):
        (self.folder / "m.stl").write_bytes(binary_stl(SOUP + [SOUP[0]] + [[(0, 0, 0), (1, 0, 0), (2, 0, 0)]] * 2))
        self.write("s.toml", WALL.replace("FILE", "m.stl"))
        said = self.json_of("check", "s.toml", "--json")["warnings"]
        self.assertEqual([w["kind"] for w in said], ["mesh"])
        self.assertIn("2 triangles without an area are left out, 1 triangle listed twice", said[0]["sentence"])


class TurningMesh(ProgramTest):
    SCENE = (REPOSITORY / "examples" / "meshes" / "mesh-drum.toml").read_text().replace("count = 900", "count = 150")

    def prepare(self):
        (self.folder / "drum.stl").write_bytes((REPOSITORY / "examples" / "meshes" / "drum.stl").read_bytes())
        self.write("drum.toml", self.SCENE)

    def test_run_is_the_same_on_any_number_of_threads_and_resumed_without_the_file(self):
        self.prepare()
        self.json_of("run", "drum.toml", "--until", 0.1, "--out", "one", "--threads", 1, "--json")
        self.json_of("run", "drum.toml", "--until", 0.1, "--out", "two", "--threads", 2, "--json")
        self.json_of("run", "drum.toml", "--until", 0.05, "--out", "part", "--json")
        (self.folder / "drum.stl").unlink()
        self.json_of("resume", "part", "--until", 0.1, "--json")
        hashes = {self.json_of("info", run, "--json")["state_hash"] for run in ("one", "two", "part")}
        self.assertEqual(len(hashes), 1)
        with h5py.File(self.folder / "one" / "frames" / "frame_000002.h5") as frame:
            self.assertEqual(list(frame["walls/shape"]), [2])
            self.assertAlmostEqual(frame["walls/turn"][0][0], 0.955336, places=5)  # cos of 3 rad/s times 0.1 s
        self.moreau("draw", "one", "--width", "400")

    def test_copy_that_was_changed_is_refused(self):
        self.prepare()
        self.json_of("run", "drum.toml", "--until", 0.01, "--out", "run", "--json")
        scene = self.folder / "run" / "scene.toml"
        text = scene.read_text()
        at = text.index('data = "') + 200
        scene.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1:])
        self.assertRegex(self.refusal("resume", "run"), "mesh.*digest")


class PlanarMesh(ProgramTest):
    def test_polyline_from_a_table_and_from_points(self):
        self.write("line.csv", "x,y\n0,1\n0,0\n2,0\n2,1\n")
        scene = """\
dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 1.0 }
material = { density = 1000 }
law = { friction = 0.4 }
contact = { rule = "predictive" }
[[grain]]
radius = 0.1
position = [0.5, 0.5]
[[wall]]
mesh = MESH
"""
        hashes = set()
        for mesh in ('"line.csv"', "{ points = [[0, 1], [0, 0], [2, 0], [2, 1]] }"):
            self.write("s.toml", scene.replace("MESH", mesh))
            self.json_of("run", "s.toml", "--out", "run", "--force", "--json")
            hashes.add(self.json_of("info", "run", "--json")["state_hash"])
            with h5py.File(self.folder / "run" / "trajectory.h5") as run:
                last = sorted(k for k in run if k.startswith("frame_"))[-1]
                self.assertAlmostEqual(run[last]["bodies/position"][0][1], 0.1, places=4)
        self.assertEqual(len(hashes), 1)
        self.write("s.toml", scene.replace("MESH", "{ points = [[0, 1]] }"))
        self.assertIn("at least two different ones", self.refusal("check", "s.toml"))


if __name__ == "__main__":
    unittest.main()
