"""What the scene calls its bodies, where commands ask for one or tell them."""
import unittest

from program import ProgramTest, scene

ARCH = scene("""
[arch]
radius = 2
thickness = 0.5
stones = 7
""", gravity=9.81, duration=0.02)


class Names(ProgramTest):
    def test_a_load_acts_on_a_stone_by_its_name(self):
        self.write("s.toml", ARCH)
        self.moreau("run", "s.toml", "--out", "run")
        first = self.json_of("check", "s.toml", "--json")["names"]["arch.key"][0]
        named = self.json_of("statics", "run", "--load", "force:arch.key:0,-1", "--json")
        self.assertEqual(named, self.json_of("statics", "run", "--load", f"force:{first}:0,-1", "--json"))
        self.assertIn("did you mean 'arch.key'?", self.refusal("statics", "run", "--load", "force:arch.kay:0,-1"))
        self.assertIn("'arch' is 7 bodies", self.refusal("statics", "run", "--load", "force:arch:0,-1"))
        self.assertIn("'arch.left' is not free", self.refusal("statics", "run", "--load", "force:arch.left:0,-1"))

    def test_supports_that_move_are_told(self):
        self.write("s.toml", ARCH)
        self.assertNotIn("supports move", self.moreau("equilibrium", "s.toml"))
        self.write("s.toml", ARCH.replace("stones = 7", 'stones = 7\nmotion = "settle"') + '[[motion]]\nname = "settle"\nkind = "velocity"\nvelocity = [0, -0.1]\n')
        self.assertIn("supports move (motion 'settle')", self.moreau("equilibrium", "s.toml", status=3))

    def test_a_motion_that_moves_nothing_is_no_moving_support(self):
        settle = '[[motion]]\nname = "settle"\nkind = "velocity"\nvelocity = [0, -0.1]\n'
        self.write("s.toml", ARCH + settle)
        self.assertNotIn("supports move", self.moreau("equilibrium", "s.toml"))
        self.assertNotIn("moving", self.json_of("equilibrium", "s.toml", "--json"))
        self.moreau("run", "s.toml", "--out", "run")
        self.assertNotIn("supports move", self.moreau("statics", "run"))
        # A wall moves, or its surface.
        for of_wall in ("motion", "surface"):
            self.write("s.toml", ARCH + settle + f'[[wall]]\nplane = {{ point = [9, 0], normal = [-1, 0] }}\n{of_wall} = "settle"\n')
            self.assertIn("supports move (motion 'settle')", self.moreau("equilibrium", "s.toml"), of_wall)

    def test_a_name_in_several_places_of_a_survey_means_all_its_stones(self):
        """Ground, two stones of the wall, a lintel, a third stone of the wall."""
        self.write("two.csv", "stone,x,y,width,height\nGROUND,5,-0.5,10,1\nWALL,0.5,0.5,1,1\nWALL,2.5,0.5,1,1\nLINTEL,4.5,.5,1,1\nWALL,6.5,.5,1,1\n")
        self.write("s.toml", scene('[stones]\nfile = "two.csv"\nsupports = ["GROUND"]\n[[measure]]\nquantity = "bodies"\nbodies = ["stones.WALL"]\nevery = 0.01\n', gravity=9.81, duration=0.02))
        self.assertIn("stones.WALL 1 to 2 and 4", self.moreau("check", "s.toml"))
        names = self.json_of("check", "s.toml", "--json")["names"]
        self.assertEqual((names["stones.WALL"], names["stones.LINTEL"]), ([[1, 2], [4, 4]], [3, 3]))
        self.moreau("run", "s.toml", "--out", "run")
        (row,) = self.measured("run", "bodies", "--body", "stones.WALL")
        self.assertEqual(row["bodies"], 3)
        self.assertAlmostEqual(row["position_x"], (0.5 + 2.5 + 6.5) / 3, places=6)
        for row in self.table("run", "measures/bodies"):
            self.assertEqual((row["name"], int(row["bodies"])), ("stones.WALL", 3))
        forces = [row for row in self.measured("run", "body-forces") if row["body"] == "stones.WALL"]
        self.assertEqual(len(forces), 1)
        self.assertAlmostEqual(forces[0]["force_y"], 3 * 1000 * 9.81, delta=1.0)
        self.assertIn("'stones.WALL' is 3 bodies", self.refusal("statics", "run", "--load", "force:stones.WALL:1,0"))
        told = {row["name_a"] for row in self.measured("run", "joints")} | {row["name_b"] for row in self.measured("run", "joints")}
        self.assertLessEqual({"stones.WALL 1", "stones.WALL 3", "stones.LINTEL"}, told)

    def test_one_support_of_an_arch_moves(self):
        settle = '[[motion]]\nname = "settle"\nkind = "velocity"\nvelocity = [0.1, 0]\n'
        for side, moved in (("both", (0.002, 0.002)), ("left", (0.002, 0)), ("right", (0, 0.002))):
            self.write("s.toml", ARCH.replace("stones = 7", f'stones = 7\nmotion = "settle"\nmoves = "{side}"') + settle)
            self.moreau("run", "s.toml", "--out", "run", "--force")
            told = {row["name"]: row["displacement_x"] for row in self.measured("run", "bodies", "--body", "arch.left", "--body", "arch.right")}
            self.assertAlmostEqual(told["arch.left"], moved[0])
            self.assertAlmostEqual(told["arch.right"], moved[1])
        self.write("s.toml", ARCH.replace("stones = 7", 'stones = 7\nmoves = "left"'))
        self.assertIn("together with 'motion'", self.refusal("check", "s.toml"))

    def test_of_many_names_a_few_are_told(self):
        self.write("stones.csv", "stone,x,y\n" + "".join(f"s{k},{2 * k},0\ns{k},{2 * k + 1},0\ns{k},{2 * k + 1},1\ns{k},{2 * k},1\n" for k in range(40)))
        self.write("s.toml", scene('[stones]\nfile = "stones.csv"\n[[wall]]\nplane = { normal = [0, 1] }\n'))
        said = self.moreau("check", "s.toml")
        self.assertIn("more (all with --json)", said)
        self.assertLess(max(len(line) for line in said.splitlines()), 300)
        self.assertEqual(len(self.json_of("check", "s.toml", "--json")["names"]), 41)


if __name__ == "__main__":
    unittest.main()
