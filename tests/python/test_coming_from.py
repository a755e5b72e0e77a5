"""docs/coming-from.md: every key, command and name on the side of moreau exists."""
import pathlib
import re
import unittest

import moreau as mo
from scenes import FolderTest

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
# A scene to which one key is added; sections that have required keys come with them.
BASE = 'dimension = 3\n[time]\nstep = 1e-3\nduration = 1.0\n[[material]]\nname = "stone"\ndensity = 1.0\n[law]\nfriction = 0.3\n'
WITH = {"grain": "position = [0, 0, 5]\nradius = 0.5\n", "grains": "count = 1\ndiameter = 0.1\nregion = { box = [[0, 0, 0], [1, 1, 1]] }\n", "block": "size = [1, 1, 1]\nposition = [0, 0, 9]\n",
        "wall": "plane = { point = [0, 0, 0], normal = [0, 0, 1] }\n", "source": "rate = 1\ndiameter = 0.1\n",
        "motion": 'name = "m"\nkind = "velocity"\nvelocity = [0, 0, 1]\n', "pair": 'materials = ["stone", "stone"]\nfriction = 0.1\n',
        "measure": 'quantity = "stress"\nevery = 0.1\n', "cell": "min = [0, 0, 0]\nmax = [9, 9, 9]\n",
        "piston": 'walls = ["box.top"]\nvelocity = 0\n', "phase": "duration = 1.0\n"}
SINGLE = {"time", "law", "solver", "contact", "output", "cell"}


def cells():
    """What stands in backquotes on the right side of the tables."""
    for line in (DOCS / "coming-from.md").read_text().splitlines():
        if line.startswith("| ") and line.count(" | ") >= 1 and "---" not in line:
            yield from re.findall(r"`([^`]+)`", line.split(" | ", 1)[1])


def complaint(section, key):
    """What is said of a scene that has this key with a value of no use."""
    text = BASE
    if section in SINGLE and f"[{section}]" in text:
        text = re.sub(rf"(\[{section}\]\n)(.*\n)*?(?=\[|\Z)", lambda m: "".join(
            line for line in m.group(0).splitlines(True) if not line.startswith(f"{key} =")) + f"{key} = 1979-05-27\n", text, count=1)
    elif section == "material":
        text = text.replace('name = "stone"\n', f'name = "stone"\n{key} = 1979-05-27\n' if key not in ("name", "density") else f"{key} = 1979-05-27\n")
    else:
        given = "".join(line for line in WITH.get(section, "").splitlines(True) if not line.startswith(f"{key} ="))
        if section == "block" and key in ("vertices", "parts"):
            given = given.replace("size = [1, 1, 1]\n", "")
        if (section, key) == ("motion", "kind"):
            given = 'name = "m"\n'
        if section == "wall" and key in ("box", "cylinder", "mesh"):
            given = ""
        if section == "piston":
            text += '[[wall]]\nname = "box"\nbox = { min = [-9, -9, 0], max = [9, 9, 9] }\n'
            given = given if key in ("walls", "direction", "area", "mass") else given.replace("velocity = 0\n", "")
        head = f"[{section}]" if section in SINGLE else f"[[{section}]]"
        text += f"{head}\n{given}{key} = 1979-05-27\n"
    try:
        mo.Scene(text)
    except mo.SceneError as error:
        return str(error)
    return ""


class ComingFromTest(FolderTest):
    def test_every_key_is_one_that_the_reader_knows(self):
        pairs = set()
        for cell in cells():
            if found := re.match(r"\[\[?([a-z]+)\]\]? ([a-z_, ]+)", cell):
                pairs |= {(found[1], key.strip()) for key in found[2].split(",") if key.strip()}
            elif found := re.fullmatch(r"([a-z]+)\.([a-z_]+)(?: = .*)?", cell):
                if found[1] in SINGLE | {"material"} | set(WITH):
                    pairs.add((found[1], found[2]))
        self.assertGreater(len(pairs), 30)
        self.assertIn(("pair", "rolling_friction"), pairs)
        for section, key in sorted(pairs):
            said = complaint(section, key)
            self.assertTrue(said, f"[{section}] {key}: a date is accepted")
            self.assertNotIn("unknown key", said, f"[{section}] {key}")
            self.assertIn(key, said, f"[{section}] {key}: {said}")
        self.assertIn("unknown key", complaint("pair", "rolling"))  # the test can fail
        self.assertIn("unknown key", complaint("law", "stiff"))

    def test_every_command_and_name_of_the_module_is_there(self):
        commands = self.moreau("--help").stdout
        course = mo.Course(mo.Scene(BASE + "[[grain]]\nposition = [0, 0, 0]\nradius = 0.5\n"), threads=1)
        things = {"mo": mo, "course": course, "report": course.step(), "run": mo.Run}
        seen = 0
        for cell in cells():
            for command in re.findall(r"moreau ([a-z]+)", cell):
                self.assertIn(f"\n  {command} ", commands)
            for thing, name in re.findall(r"\b(mo|course|report|run)\.([a-z_]+)", cell):
                self.assertTrue(hasattr(things[thing], name), f"{thing}.{name}")
                seen += 1
        self.assertGreater(seen, 8)


if __name__ == "__main__":
    unittest.main()
