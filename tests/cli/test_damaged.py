"""Files of geometry and records that are cut off, or that hold more or less than they say: refused with place and counts."""
from program import ProgramTest
from test_meshes import FACES, SOUP, TETRAHEDRON, WALL, off, ply, text_stl

PLANE = """\
dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.1 }
material = { density = 1000 }
law = { friction = 0.5 }
"""
CORNERS = ((0, 0), (2, 0), (2, 1), (0, 1))


def dxf(stones=3, announced=4):
    entities = ""
    for k in range(stones):
        entities += f"0\nLWPOLYLINE\n8\nstone {k}\n90\n{announced}\n70\n1\n" + "".join(f"10\n{x}\n20\n{y + 2 * k}\n" for x, y in CORNERS)
    return "0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n"


def at2(points, values):
    return f"PEER\nnowhere\nACCELERATION IN G\nNPTS= {points}, DT= .01 SEC\n" + " ".join(f"{0.1 * k:.7E}" for k in range(values)) + "\n"


class Damaged(ProgramTest):
    def refused(self, scene, name, content):
        (self.folder / name).write_text(content)
        self.write("s.toml", scene.replace("FILE", name))
        return self.refusal("check", "s.toml")

    def accepted(self, scene, name, content):
        (self.folder / name).write_text(content)
        self.write("s.toml", scene.replace("FILE", name))
        return self.json_of("check", "s.toml", "--json")

    def test_meshes(self):
        stl = text_stl(SOUP)
        self.accepted(WALL, "m.stl", stl)
        self.accepted(WALL, "m.stl", stl.replace("solid s", "solid a facet of endfacet"))  # a name is a name
        self.assertRegex(self.refused(WALL, "m.stl", stl[:len(stl) * 2 // 3]), r"ends in line \d+.*3 facets begin and 2 end")
        self.assertIn("endsolid", self.refused(WALL, "m.stl", stl.rsplit("facet normal", 1)[0]))
        self.assertIn("up to line 7", self.refused(WALL, "m.stl", stl.replace("vertex 0 1 0\n", "", 1)))
        whole = off(TETRAHEDRON, FACES)
        self.accepted(WALL, "m.off", whole.replace("OFF\n4", "# a comment\nOFF\n\n4"))
        for count in ("4 3 0", "4 5 0"):
            self.assertIn(f"has 4 corners and 4 polygons, where its head says 4 and {count[2]}", self.refused(WALL, "m.off", whole.replace("4 4 0", count)))
        self.assertIn("names 2 corners of the 3 of polygon 4 in line 10", self.refused(WALL, "m.off", whole[:-3]))
        self.assertIn("corner 7 of 4", self.refused(WALL, "m.off", whole.replace("3 0 2 1", "3 0 2 7")))
        whole = ply(TETRAHEDRON, FACES)
        self.accepted(WALL, "m.ply", whole + "\n\n")
        self.assertRegex(self.refused(WALL, "m.ply", whole.replace("element face 4", "element face 3")),
                         r"has \d+ bytes more than its header says, after 4 corners and 3 triangles")

    def test_drawings(self):
        scene = PLANE + '[stones]\nfile = "FILE"\n'
        self.assertEqual(self.accepted(scene, "a.dxf", dxf())["blocks"], 3)
        self.assertRegex(self.refused(scene, "a.dxf", dxf().replace("0\nENDSEC\n0\nEOF\n", "")), r"ends after line \d+ without EOF")
        self.assertIn("corner 2 of a polyline without its y", self.refused(scene, "a.dxf", dxf().replace("10\n2\n20\n0\n", "10\n2\n", 1)))
        self.assertIn("polyline of 4 corners; accepted: 9, as its code 90 says", self.refused(scene, "a.dxf", dxf(announced=9)))

    def test_records(self):
        scene = PLANE + ('[[motion]]\nname = "q"\nkind = "accelerogram"\nrecord = "FILE"\ndirection = [1, 0]\nscale = 9.81\n'
                         '[[block]]\nsize = [1, 1]\nposition = [0, 0]\nmotion = "q"\n')
        self.accepted(scene, "q.at2", at2(20, 20))
        self.assertIn("line 5 has acceleration 11; accepted: 10, as line 4 says", self.refused(scene, "q.at2", at2(10, 20)))
        self.assertEqual(self.refused(scene, "q.at2", at2(10, 20)).count("accepted"), 1)
