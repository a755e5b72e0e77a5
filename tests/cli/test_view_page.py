"""The page of `moreau view` in a real browser: what is seen, what is done with mouse and keys, what it asks for."""
import base64
import csv
import re
import shutil

import h5py

from box_mesh import CORNERS, SIDES, off
from page import WHITE, PageTest
from picture import pixels
from program import REPOSITORY, poured
from viewing import opened

# Two balls side by side, seen from the front; a third hides behind the left one; a cube on the right. The right ball rises.
#
#     z   (rising)
#     |    O          materials: left blue (category 0), right and behind vermilion (1), cube green (2)
#   O |  O   []
#   --+-------- x
SCENE = """\
title = "four bodies"
dimension = 3
[time]
step = 1e-2
duration = 0.4
[output]
frames = 0.1
[[material]]
name = "blue"
density = 1
[[material]]
name = "vermilion"
density = 1
[[material]]
name = "green"
density = 1
[law]
friction = 0.5
[[grain]]
position = [-2, 0, 0]
radius = 1
material = "blue"
[[grain]]
position = [1.5, 0, 0]
radius = 1
material = "vermilion"
velocity = [0, 0, 5]
[[grain]]
position = [-2, 4, 0]
radius = 0.5
material = "vermilion"
[[block]]
size = [1.5, 1.5, 1.5]
position = [4, 0, 0]
material = "green"
fixed = true
"""
# Seen from the front, parallel: x to the right, z upwards.
FRONT = "camera=1%2C0%2C0%2C-90%2C0%2C8%2Co"

BLUE, VERMILION, GREEN = (0, 114, 178), (213, 94, 0), (0, 158, 115)


class Seen(PageTest):
    def setUp(self):
        super().setUp()
        self.run_scene(SCENE)

    def test_bodies_are_where_they_should_be_and_have_their_colours(self):
        self.open("run", view=FRONT + "&colour=material&frame=0")
        picture = self.picture()
        # A scale of the test's own: 8 lengths are the height of the canvas, and (1, 0) is its middle.
        box = self.browser.run("(b => [b.left, b.top, b.width, b.height])(moreau.stage.canvas.getBoundingClientRect())")
        at = lambda x, z: (round(box[0] + box[2] / 2 + (x - 1) * box[3] / 8), round(box[1] + box[3] / 2 - z * box[3] / 8))
        for x, z, colour in ((-2, 0, BLUE), (-2, 0.93, BLUE), (-2, 1.07, WHITE), (-2.93, 0, BLUE), (1.5, 0, VERMILION), (0.43, 0, WHITE), (0.57, 0, VERMILION),
                             (4, 0, GREEN), (4.7, 0.7, GREEN), (4.8, 0, WHITE), (-0.25, 0, WHITE)):
            with self.subTest((x, z)):
                self.assert_hue(self.colour_at(picture, at(x, z)), colour)
        for found, expected in zip(self.place(0), at(-2, 0)):
            self.assertAlmostEqual(found, expected, delta=1)  # a pixel of rounding
        # From behind, the ball that was hidden is in front.
        self.do("moreau.camera.look('back'), moreau.moved()")
        self.assert_hue(self.colour_at(self.picture(), self.place(2)), VERMILION)
        # In perspective the middles of the bodies still have their colours.
        self.do("moreau.camera.orthographic = false, moreau.camera.look('oblique'), moreau.moved()")
        picture = self.picture()
        for body, colour in ((0, BLUE), (1, VERMILION)):
            self.assert_hue(self.colour_at(picture, self.place(body)), colour)

    def test_a_rule_hides_and_shows(self):
        self.open("run", view=FRONT + "&colour=material&frame=0")
        self.set(rule="radius > 0.9 and x < 0", ruleShows=False)
        picture = self.picture()
        self.assert_hue(self.colour_at(picture, self.place(0)), VERMILION)  # the one behind it is seen now
        self.assert_hue(self.colour_at(picture, self.place(1)), VERMILION)
        self.set(rule="radius > 0.9 and x < 0", ruleShows=True)
        picture = self.picture()
        self.assert_hue(self.colour_at(picture, self.place(0)), BLUE)
        self.assert_hue(self.colour_at(picture, self.place(1)), WHITE)
        self.set(rule="weight > 3")
        self.assertIn("there is no field 'weight'", self.browser.run("document.getElementById('panel').textContent"))
        self.set(rule="", bodies="hidden")
        self.assert_hue(self.colour_at(self.picture(), self.place(0)), WHITE)

    def test_planes_cut(self):
        self.open("run", view=FRONT + "&colour=material&frame=0")
        x, y = self.place(0)
        unit = self.browser.run("moreau.stage.canvas.clientHeight / 8")
        self.set(clip=[None, None, [-5, 0]])  # the upper half is gone
        picture = self.picture()
        self.assert_hue(self.colour_at(picture, (x, round(y - 0.3 * unit))), WHITE)
        self.assert_hue(self.colour_at(picture, (x, round(y + 0.3 * unit))), BLUE)
        self.assert_hue(self.colour_at(picture, (self.place(3)[0], round(y - 0.3 * unit))), WHITE)
        self.set(clip=[None, [0, 9], None])   # the front half: the face of the cut is flat, so as bright in the middle as near the rim
        picture = self.picture()
        middle, rim = self.colour_at(picture, (x, y)), self.colour_at(picture, (round(x + 0.8 * unit), y))
        self.assert_hue(middle, BLUE)
        self.assertLess(abs(middle - rim).max(), 4)
        self.set(clip=[None, [2, 9], None])   # all but the ball behind
        picture = self.picture()
        self.assert_hue(self.colour_at(picture, (x, y)), VERMILION)
        self.assert_hue(self.colour_at(picture, self.place(1)), WHITE)

    def test_a_body_that_is_clicked_gives_its_numbers_and_its_history(self):
        self.open("run", view=FRONT + "&colour=material&frame=0")
        self.browser.click(*self.place(1))
        self.browser.wait("document.getElementById('selection').textContent.includes('Body 1')")
        self.browser.wait("document.getElementById('selection').textContent.includes('vermilion')")
        text = self.browser.run("document.getElementById('selection').textContent")
        self.assertIn("velocity0, 0, 5", text)
        self.assert_hue(self.colour_at(self.picture(), self.place(1)), (230, 30, 40))  # picked: red
        self.browser.wait("document.querySelector('#selection select').options.length > 5")
        self.browser.click(*self.place(3))
        self.browser.wait("document.getElementById('selection').textContent.includes('Body 3')")
        self.browser.wait("document.getElementById('selection').textContent.includes('fixed')")
        box = self.browser.run("(b => [b.left, b.top])(moreau.stage.canvas.getBoundingClientRect())")
        self.browser.click(box[0] + 5, box[1] + 60)  # nothing there
        self.browser.wait("document.getElementById('selection').textContent.includes('Click a body')")

    def test_timeline_steps_plays_and_moves_the_bodies(self):
        self.open("run", view=FRONT + "&colour=material&frame=0")
        low = self.place(1)
        self.browser.run("document.activeElement.blur()")
        self.browser.key(".", "Period", ".")
        self.assertEqual(self.browser.run("moreau.view.frame"), 1)
        self.browser.key("End")
        self.assertEqual(self.browser.run("moreau.view.frame"), 4)
        high = self.place(1)
        unit = self.browser.run("moreau.stage.canvas.clientHeight / 8")
        self.assertAlmostEqual(low[1] - high[1], 2.0 * unit, delta=1.5)  # 0.4 at speed 5
        picture = self.picture()
        self.assert_hue(self.colour_at(picture, high), VERMILION)
        self.assert_hue(self.colour_at(picture, (low[0], low[1] + round(0.5 * unit))), WHITE)
        self.assertIn("frame 4 of 4", self.browser.run("document.querySelector('#timeline output').textContent"))
        self.browser.key("Home")
        self.do("document.querySelector('#timeline select').value = '60'")
        self.browser.run("[...document.querySelectorAll('#timeline button')].find(b => b.textContent === 'Play').click()")
        self.browser.wait("moreau.view.frame === 4")
        self.browser.wait("[...document.querySelectorAll('#timeline button')].some(b => b.textContent === 'Play')")
        # The plot is linked: a click at its left end leads to the beginning.
        left, top, width, height = self.browser.run("(b => [b.left, b.top, b.width, b.height])(document.querySelector('#plots canvas').getBoundingClientRect())")
        self.browser.click(left + 66, top + height / 2)
        self.browser.wait("moreau.view.frame === 0")

    def test_the_address_keeps_the_view(self):
        self.open("run", view=FRONT + "&colour=material&frame=0")
        self.set(frame=2, clip=[None, None, [-5, 0.5]], rule="x < 3")
        box = self.browser.run("(b => [b.left + b.width / 2, b.top + b.height / 2])(moreau.stage.canvas.getBoundingClientRect())")
        self.browser.drag(*box, 40, 25)
        self.browser.drag(*box, -30, 10, button="right")
        self.browser.wait("!location.href.includes('camera=1%2C0%2C0')")  # written when the camera has come to rest
        camera = self.browser.run("moreau.camera.text(moreau.runs[0].origin)")
        self.browser.wait(f"decodeURIComponent(location.hash).includes('camera={camera}')")
        before = self.browser.png()
        address = self.browser.run("location.href")
        self.assertNotIn("camera=1%2C0%2C0", address)
        self.browser.open(address)
        self.assertLess(abs(pixels(before).astype(int) - pixels(self.browser.png())).mean(), 0.05)
        self.browser.open(self.address + "#frame=nonsense&clip=[1]&camera=1,2&unknown=3&rule=%00&plots=7&picked={}")
        self.assertEqual(self.message(), "")
        self.assertEqual(self.browser.run("moreau.view.frame"), 4)

    def test_colours_arrows_and_all_else_can_be_switched_without_complaint(self):
        self.open("run")
        fields = self.browser.run("moreau.runs[0].info.fields.map(f => f.name)")
        self.assertIn("pressure", fields)
        for field in fields + ["none"]:
            self.set(colour=field)
            self.assertEqual(self.message(), "", field)
        for view in ({"arrows": "velocity"}, {"arrows": "displacement"}, {"arrows": "displacement", "since": 1}, {"forces": True, "through": True}, {"thrust": True},
                     {"walls": False}, {"bodies": "faint"}, {"dark": True}, {"map": "greys"}, {"range": [0, 3]}):
            self.set(**view)
            self.assertEqual(self.message(), "", view)
        self.assertGreater(self.picture()[300, 300].sum(), 0)
        self.assertEqual(self.browser.console, [])

    def test_pictures_and_films_are_saved(self):
        self.open("run", view=FRONT + "&colour=material&frame=4")
        width, above, below = self.browser.run("[moreau.stage.canvas.clientWidth, moreau.stage.canvas.clientHeight, document.getElementById('legend').offsetHeight]")
        left, top = self.browser.run("(b => [b.left, b.top])(moreau.stage.canvas.getBoundingClientRect())")
        last, first = self.place(1), (self.place(1)[0], self.place(0)[1])  # of the ball that rises
        saved = base64.b64decode(self.browser.run("moreau.screenshot().then(async b => btoa(Array.from(new Uint8Array(await b.arrayBuffer()), c => String.fromCharCode(c)).join('')))"))
        picture = pixels(saved)
        self.assertEqual(picture.shape[1], 2 * width)
        self.assertAlmostEqual(picture.shape[0], 2 * (above + below), delta=4)
        at = lambda image, place, scale: self.colour_at(image, (round(scale * (place[0] - left)), round(scale * (place[1] - top))))
        self.assert_hue(at(picture, last, 2), VERMILION)
        self.assertLess(picture[2 * above:].min(), 100)  # the legend is in it
        # The film, played by the browser itself: it has the size of the page, begins with the first frame and ends with the last.
        size, duration, *colours = self.browser.run(f"""(async () => {{
          const blob = await moreau.film([0, 1, 2, 3, 4], 10), video = document.createElement('video'), canvas = document.createElement('canvas');
          const signature = Array.from(new Uint8Array(await blob.slice(0, 4).arrayBuffer()));
          video.muted = true;
          const event = name => new Promise((done, failed) => {{ video['on' + name] = done; video.onerror = () => failed(new Error(video.error.message)); }});
          const begun = new Promise(done => video.requestVideoFrameCallback(done)), ended = event('ended');
          const seen = places => {{
            [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
            canvas.getContext('2d').drawImage(video, 0, 0);
            return places.map(([x, y]) => Array.from(canvas.getContext('2d').getImageData(x - {left}, y - {top}, 1, 1).data.slice(0, 3)));
          }};
          video.src = URL.createObjectURL(blob);
          const playing = video.play();
          await begun;
          const before = seen([{list(first)}, {list(last)}]);
          await playing;
          await ended;
          return [[video.videoWidth, video.videoHeight, ...signature], video.currentTime, ...before, ...seen([{list(first)}, {list(last)}])];
        }})()""")
        self.assertEqual(size[2:], [0x1a, 0x45, 0xdf, 0xa3])  # EBML, the container of WebM
        self.assertEqual(size[0], width)
        self.assertGreater(duration, 0.4)
        for found, expected in zip(colours, (VERMILION, WHITE, WHITE, VERMILION)):
            self.assert_hue(found, expected)
        self.assertEqual(self.browser.console, [])

    def test_nothing_is_asked_of_any_other_place(self):
        self.open("run")
        self.browser.key("End")
        asked = [r for r in self.browser.requests if not r.startswith(("data:", "blob:", "about:"))]
        self.assertGreater(len(asked), 5)
        self.assertEqual([r for r in asked if not r.startswith(self.address)], [])
        blocked = self.browser.run("fetch('http://127.0.0.1:9/').then(() => 'sent', e => 'blocked')")
        self.assertEqual(blocked, "blocked")
        self.assertTrue(any("Content Security Policy" in line for line in self.browser.console), self.browser.console)

    def test_every_control_has_a_name_and_the_picture_a_description(self):
        self.open("run", view=FRONT)
        tree = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        role = lambda n: n.get("role", {}).get("value")
        name = lambda n: n.get("name", {}).get("value", "")
        controls = [n for n in tree if role(n) in ("button", "combobox", "slider", "checkbox", "textbox", "spinbutton") and not n.get("ignored")]
        self.assertGreater(len(controls), 25)
        self.assertEqual({"Cracks (blocks)", "Mortar of joints", "Walls", "Periodic cell"} & {name(n) for n in controls}, {"Cracks (blocks)"})  # what there is
        self.assertEqual([role(n) for n in controls if not name(n).strip()], [])
        # All of every control can be reached with a mouse: none is cut off by the edge of the panel.
        self.assertEqual(self.browser.run("""(panel => [...panel.querySelectorAll('input, select, button')].filter((c) => c.getBoundingClientRect().width > 0
            && c.getBoundingClientRect().right > panel.getBoundingClientRect().right).map((c) => c.getAttribute('aria-label') || c.id))(document.getElementById('panel'))"""), [])
        pictures = [name(n) for n in tree if role(n) in ("image", "img")]
        self.assertTrue(any("4 bodies" in p and "coloured by speed" in p for p in pictures), pictures)
        self.assertTrue(any(role(n) == "status" for n in tree))
        # By keys alone: the picture can be focused, turned and enlarged.
        self.do("document.getElementById('canvas').focus()")
        before = self.browser.run("[moreau.camera.azimuth, moreau.camera.height]")
        self.browser.key("ArrowLeft")
        self.browser.key("+", "Equal", "+")
        after = self.browser.run("[moreau.camera.azimuth, moreau.camera.height]")
        self.assertNotEqual(before[0], after[0])
        self.assertLess(after[1], before[1])


class Runs(PageTest):
    def test_a_run_that_goes_on_is_followed(self):
        self.write("s.toml", poured(duration=0.6))
        self.moreau("run", "s.toml", "--out", "run", "--threads", "1", "--until", "0.1")
        self.open("run")
        self.assertEqual(self.browser.run("moreau.runs[0].info.times.length"), 3)
        self.assertEqual(self.browser.run("moreau.view.frame"), 2)
        self.assertNotIn("run complete", self.browser.run("document.getElementById('certificate').textContent"))
        self.moreau("resume", "run", "--threads", "1")
        self.browser.wait("moreau.view.frame === 12")
        self.browser.wait("document.getElementById('certificate').textContent.includes('run complete')")
        self.browser.settle()
        self.assertIn("time 0.6", self.browser.run("document.getElementById('labels').textContent"))
        self.assertEqual((self.path("run") / "log.txt").read_text(), self.browser.run("document.querySelector('#panel pre').textContent"))

    def test_a_damaged_frame_is_shown_as_such_and_the_others_as_they_are(self):
        self.run_scene(SCENE)
        damaged = self.path("run") / "frames" / "frame_000002.h5"
        whole = damaged.read_bytes()
        damaged.write_bytes(whole[:-len(whole) // 3])
        self.open("run", view=FRONT + "&colour=material&frame=2")
        self.assertIn("frame 2 cannot be shown", self.message())
        self.assertIn("frame_000002.h5", self.message())
        box = self.browser.run("(b => [b.left, b.top, b.width, b.height])(moreau.stage.canvas.getBoundingClientRect())")
        self.set(frame=3)
        self.assertEqual(self.message(), "")
        self.assert_hue(self.colour_at(self.picture(), self.place(0)), BLUE)
        self.assertGreater(box[2], 100)
        damaged.write_bytes(whole)
        self.set(frame=2)
        self.assertEqual(self.message(), "")

    def test_two_runs_stand_side_by_side_under_one_camera(self):
        self.run_scene(SCENE, "one")
        self.run_scene(SCENE.replace("frames = 0.1", "frames = 0.05").replace('"vermilion"\nvelocity', '"blue"\nvelocity'), "two")
        self.open("one", "two", view=FRONT + "&colour=material&frame=2")
        picture = self.picture()
        left, right = self.place(1, 0), self.place(1, 1)
        width = self.browser.run("moreau.stage.canvas.clientWidth")
        self.assertAlmostEqual(right[0] - left[0], width / 2, delta=1.5)
        self.assertEqual(left[1], right[1])  # the same time, although frames are numbered differently
        self.assert_hue(self.colour_at(picture, left), VERMILION)
        self.assert_hue(self.colour_at(picture, right), BLUE)
        self.do("moreau.camera.zoom(1.5), moreau.moved()")
        left, right = self.place(1, 0), self.place(1, 1)
        self.assertAlmostEqual(right[0] - left[0], width / 2, delta=1.5)
        self.browser.click(*right)
        self.browser.wait("document.getElementById('selection').textContent.includes('blue')")
        self.assertEqual(self.browser.run("moreau.view.picked.run"), 1)

    def test_the_offline_file_shows_the_same_without_network(self):
        self.run_scene(SCENE)
        self.moreau("view", "run", "--html", "run.html")
        shutil.rmtree(self.path("run"))
        self.browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.addCleanup(self.browser.call, "Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        self.browser.open(f"file://{self.path('run.html')}#{FRONT}&colour=material&frame=4")
        self.assertEqual(self.message(), "")
        picture = self.picture()
        for body, colour in ((0, BLUE), (1, VERMILION), (3, GREEN)):
            self.assert_hue(self.colour_at(picture, self.place(body)), colour)
        self.browser.click(*self.place(1))
        self.browser.wait("document.getElementById('selection').textContent.includes('vermilion')")
        self.set(colour="speed", forces=True, thrust=True, arrows="velocity", frame=1)
        self.assertEqual(self.message(), "")
        self.assertIn("offline file, all 5 frames", self.browser.run("document.getElementById('certificate').textContent"))
        asked = [r for r in self.browser.requests if not r.startswith(("data:", "blob:", "about:"))]
        self.assertEqual([r for r in asked if not r.startswith("file://")], [])
        self.assertEqual(self.browser.console, [])

    def test_a_contact_can_be_picked_and_forces_hidden_by_rule(self):
        self.run_scene(poured())
        self.open("run", view="frame=6&bodies=hidden&width=3")
        place = self.browser.run("""(() => { const c = moreau.stage.panes[0].content, k = c.contacts.force.indexOf(Math.max(...c.contacts.force)), p = c.contacts.point;
          return [moreau.stage.project(0, [p[3 * k], p[3 * k + 1], p[3 * k + 2]]), c.contacts.a[k]]; })()""")
        x, y = place[0]
        self.assertLess(self.colour_at(self.picture(), (round(x), round(y))).min(), 240)
        self.browser.click(x, y)
        self.browser.wait("document.getElementById('selection').textContent.includes('normal_force')")
        self.assertEqual(self.browser.run("moreau.view.picked.kind"), "contact")
        self.set(picked=None, rule="force > 0.999 max", ruleShows=False)
        self.assertGreater(self.colour_at(self.picture(), (round(x), round(y))).min(), 240)


def small_scene(title, dimension, gravity, step, bodies, units=""):
    """Two tenths of a second of some bodies, with three frames."""
    return f"""\
title = "{title}"
dimension = {dimension}
gravity = {gravity}
{units}
[time]
step = {step}
duration = 0.2
[output]
frames = 0.1
[material]
density = 1
[law]
friction = 0.5
{bodies}"""


# Three stones in a row on the ground, in cm; the right one is drawn away. One touches nothing.
STONES = small_scene("stones", 2, 981, 1e-3, """\
[[wall]]
plane = { point = [0, 0], normal = [0, 1] }
[[motion]]
name = "away"
kind = "velocity"
velocity = [5, 0]
[[block]]
size = [4, 2]
position = [-4, 1]
[[block]]
size = [4, 2]
position = [0, 1]
[[block]]
size = [4, 2]
position = [4, 1]
motion = "away"
""", 'units = { length = "cm", mass = "g", time = "s" }')

# A ball in a box of twelve triangles, open at no side.
DRUM = small_scene("ball in a drum", 3, 10, 1e-2, """\
[[motion]]
name = "turn"
kind = "rotation"
axis = [0, 1, 0]
rate = 1.0
[[wall]]
mesh = "drum.off"
motion = "turn"
[[grain]]
position = [0, 0, 2]
radius = 0.6
""")

# A block slides over a plate of four triangles, along the edge between two of them.
SLIDING = small_scene("block on a plate", 3, 10, 1e-2, """\
[[wall]]
mesh = "plate.off"
wear = true
[[block]]
size = [0.5, 0.5, 0.5]
position = [-2.4, -0.9, 0.25]
velocity = [3, 2, 0]
""", 'units = { length = "m", mass = "kg", time = "s" }')

# Ten discs in a row on a floor that goes down.
GATE = "\n".join(f"[[grain]]\nposition = [{k}, 0.5]\nradius = 0.5\n" for k in range(10)) + """
[[motion]]
name = "down"
kind = "velocity"
velocity = [0, -SPEED]
[[block]]
size = [11, 1]
position = [4.5, -0.5]
motion = "down"
"""

# Most of these balls are hidden by others.
CRATE = small_scene("crate of balls", 3, 10, 1e-2, """\
[[grains]]
count = 1000
diameter = 0.2
arrangement = "lattice"
region = { box = [[-1.001, -1.001, 0], [1.001, 1.001, 2.1]] }
velocities = { speed = 0.05 }
""")


class Things(PageTest):
    def test_of_masonry_thrust_and_cracks_are_shown_and_units_are_those_of_the_scene(self):
        self.run_scene(STONES.replace("velocity = [5, 0]", "velocity = [5, 3]"))
        self.open("run")
        self.assertEqual(self.browser.run("[moreau.view.forces, moreau.view.thrust, moreau.view.cracks]"), [False, True, True])
        joints = self.browser.run("(j => [Array.from(j.crackState), Array.from(j.crackOpening), Array.from(j.crack)])(moreau.stage.panes[0].content.joints)")
        wide = [(state, width, joints[2][6 * k:6 * k + 6]) for k, (state, width) in enumerate(zip(*joints[:2])) if width > 0.9]
        parted = [segment for state, width, segment in wide if state == 3]
        self.assertEqual(len(parted), 1, joints)  # between the second and the third stone; the third slides on the ground
        self.assertAlmostEqual(wide[0][1], 1.0, delta=0.05)  # 0.2 s at 5 cm/s
        low, high = (self.browser.run(f"moreau.stage.project(0, {parted[0][k:k + 3]})") for k in (0, 3))
        middle = [round(0.5 * (a + b)) for a, b in zip(low, high)]
        self.assert_hue(self.colour_at(self.picture(), middle), (213, 94, 0))
        legend = self.browser.run("document.getElementById('legend').textContent")
        self.assertIn("pressure [g/s²]", legend)  # of the free stones none moves
        self.assertIn("parted", legend)
        self.moreau("measure", "run", "joint-summary", "--csv", "s.csv")
        with open(self.path("s.csv"), newline="") as file:
            summary = next(csv.DictReader(file))
        told = re.search(r"cracks \(widest (\S+) cm, slid by up to (\S+) cm\)", legend)
        for said, column in zip(told.groups(), ("widest", "farthest_slid")):
            self.assertAlmostEqual(float(said), float(summary[column]), delta=0.01 * float(summary[column]))
        self.assertIn("time 0.2 s", self.browser.run("document.getElementById('labels').textContent"))
        self.set(cracks=False, colour="speed")
        self.assertIn("speed [cm/s]", self.browser.run("document.getElementById('legend').textContent"))
        self.assert_hue(self.colour_at(self.picture(), middle), WHITE)
        self.set(forces=True)
        self.assertIn("g cm/s²", self.browser.run("document.getElementById('legend').textContent"))
        # The legend stands below the picture and covers nothing of it.
        self.assertTrue(self.browser.run("document.getElementById('legend').getBoundingClientRect().top >= moreau.stage.canvas.getBoundingClientRect().bottom - 0.5"))
        self.assertEqual(self.browser.console, [])

    def test_a_drum_from_a_mesh_is_in_the_picture_and_turns(self):
        self.write("drum.off", off(CORNERS, SIDES))
        self.run_scene(DRUM)
        self.open("run", view="frame=0")
        box = self.browser.run("(b => [b.left, b.top, b.right, b.bottom])(moreau.stage.canvas.getBoundingClientRect())")
        seen = lambda x, y, z: self.browser.run(f"moreau.stage.project(0, [{x}, {y}, {z}].map((v, d) => v - moreau.runs[0].origin[d]))")
        for corner in CORNERS:
            x, y = seen(*corner)
            self.assertTrue(box[0] < x < box[2] and box[1] < y < box[3], (corner, x, y, box))
        x, y = (round(v) for v in seen(2.5, -2, 3.5))
        veil = self.colour_at(self.picture(), (x, y))
        self.assertTrue(150 < veil.min() < 245, veil)  # seen through
        first = self.browser.run("moreau.stage.panes[0].content.frame.header.walls[0].turn")
        self.set(frame=2)
        second = self.browser.run("moreau.stage.panes[0].content.frame.header.walls[0].turn")
        self.assertNotEqual(first, second)
        self.assertEqual(self.browser.console, [])

    def test_wear_reddens_faces_behind_the_bodies_and_is_told_in_the_units_of_the_scene(self):
        corners = [(x, y, 0) for x in (-3, 0, 3) for y in (-2, 2)]
        self.write("plate.off", off(corners, [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]))
        self.run_scene(SLIDING)
        work = [row["work"] for row in self.measured("run", "wear")]
        self.open("run", view="camera=0%2C0%2C0%2C-90%2C90%2C8%2Co&colour=none")  # from above
        parcel = opened(self.get("run/0/frame/2/wear"))[1]["wear_0"]
        for per_area, of_face in zip(parcel, work):
            self.assertAlmostEqual(6.0 * per_area, of_face, delta=1e-5 * max(work))
        self.assertGreater(min(work[:2]), 0.1 * max(work))  # the block slides over the diagonal of the first half alone
        self.assertEqual(work[2:], [0.0, 0.0])
        seen = lambda x, y: [round(v) for v in self.browser.run(f"moreau.stage.project(0, [{x}, {y}, 0].map((v, d) => v - moreau.runs[0].origin[d]))")]
        worn, fresh = self.colour_at(self.picture(), seen(-0.6, 1.6)), self.colour_at(self.picture(), seen(2.4, 1.6))
        self.assertGreater(worn[0] - worn[1], 60, worn)
        self.assertLess(abs(fresh[0] - fresh[1]), 12, fresh)
        legend = self.browser.run("document.getElementById('legend').textContent")
        self.assertIn("wear of meshes: work of friction per area [kg/s²]", legend)
        self.set(wear=False)
        plain = self.colour_at(self.picture(), seen(-0.6, 1.6))
        self.assertLess(abs(plain[0] - plain[1]), 12, plain)
        self.assertNotIn("wear", self.browser.run("document.getElementById('legend').textContent"))
        # From below the plate lies before the block: a veil, through which the block keeps its colour.
        self.set(wear=True, camera="")
        self.do("moreau.camera.look('bottom'), moreau.moved()")
        through = self.colour_at(self.picture(), seen(-0.6, 1.6))
        self.assertLess(through[0] - through[1], 30, through)
        self.set(bodies="hidden")
        self.assertGreater(self.colour_at(self.picture(), seen(-0.6, 1.6))[0] - self.colour_at(self.picture(), seen(-0.6, 1.6))[1], 60)
        self.assertEqual(self.browser.console, [])
        self.moreau("view", "run", "--html", "run.html")
        self.assertEqual(self.path("run.html").read_text().count('data-path="run/0/frame/2/wear"'), 1)

    def test_in_the_plane_a_mesh_is_a_line_that_reddens_where_it_wears(self):
        self.write("floor.csv", "-3,0\n0,0\n3,0\n")
        self.run_scene(small_scene("block on a line", 2, 10, 1e-2, """\
[[wall]]
mesh = "floor.csv"
wear = true
[[block]]
size = [1, 1]
position = [-2.4, 0.5]
velocity = [3, 0]
"""))
        work = [row["work"] for row in self.measured("run", "wear")]
        self.assertGreater(work[0], 0)
        self.assertEqual(work[1], 0)
        self.open("run", view="colour=none&forces=false&thrust=false&cracks=false")
        seen = lambda x: [round(v) for v in self.browser.run(f"moreau.stage.project(0, [{x}, 0, 0].map((v, d) => v - moreau.runs[0].origin[d]))")]
        worn, fresh = self.colour_at(self.picture(), seen(-0.5)), self.colour_at(self.picture(), seen(2.0))
        self.assertGreater(worn[0] - worn[1], 60, worn)
        self.assertLess(fresh.max() - fresh.min(), 50, fresh)
        self.assertLess(fresh.min(), 160, fresh)
        self.set(walls=False)
        self.assert_hue(self.colour_at(self.picture(), seen(2.0)), WHITE)
        self.assertEqual(self.browser.console, [])

    def test_a_mesh_within_another_hides_what_lies_behind_it(self):
        self.write("drum.off", off(CORNERS, SIDES))
        self.write("plate.off", off([(x, -1, z) for x in (-2, 2) for z in (0.5, 3.5)], [(0, 2, 3), (0, 3, 1)]))
        self.run_scene(DRUM.replace("[[grain]]", '[[wall]]\nmesh = "plate.off"\n[[grain]]').replace('motion = "turn"\n', ""))
        self.open("run", view="frame=0&colour=material&camera=0%2C0%2C2%2C-90%2C0%2C8%2Co")  # from the front; the plate stands before the ball
        place = self.place(0)
        red, green, blue = self.colour_at(self.picture(), place)
        self.assertGreater(blue - red, 20)  # steel
        self.assertGreater(green, 120)
        self.browser.click(*place)
        self.browser.settle()
        self.assertIsNone(self.browser.run("moreau.view.picked"))
        self.do("moreau.camera.look('back'), moreau.moved()")
        self.browser.click(*self.place(0))
        self.browser.settle()
        self.assertEqual(self.browser.run("moreau.view.picked.a"), 0)
        self.assertEqual(self.browser.console, [])

    def test_mortar_is_shown_where_it_holds_and_where_it_has_broken(self):
        self.moreau("run", REPOSITORY / "examples" / "mortar-wall.toml", "--out", "run", "--threads", "1")
        self.open("run", view="frame=0")
        last = len(self.json("run/0/info")["times"]) - 1
        found = set()
        for number in (1, last // 2, last):
            self.set(frame=number)
            with h5py.File(self.path("run") / "frames" / f"frame_{number:06d}.h5") as frame:
                contacts, expected = frame["contacts"], {}
                for a, b, joint in zip(contacts["a"], contacts["b"], contacts["joint"]):
                    if joint > 0:
                        expected.setdefault((a, b), set()).add(int(joint))
                for a, b in zip(*(frame["broken_joints/" + k] for k in "ab")) if "broken_joints" in frame else ():
                    if (a, b) in expected:
                        expected[a, b].add(2)
            states = [{frozenset([1]): 1, frozenset([1, 2]): 2, frozenset([2]): 3}[frozenset(s)] for _, s in sorted(expected.items())]
            self.assertEqual(self.browser.run("Array.from(moreau.stage.panes[0].content.joints.mortarState)"), states, number)
            found.update(states)
            self.assertIn(f"intact ({states.count(1)})", self.browser.run("document.getElementById('legend').textContent"))
        self.assertIn(1, found)
        self.assertTrue(found & {2, 3}, found)
        # A joint near the middle, in the colour of intact mortar; not when it is switched off.
        self.set(frame=1, thrust=False, cracks=False, bodies="hidden")
        self.do("moreau.camera.zoom(0.4), moreau.moved()")
        middle = self.browser.run("""(m => moreau.stage.project(0, [0, 1, 2].map(d => (m[12 + d] + m[15 + d]) / 2)))(moreau.stage.panes[0].content.joints.mortar)""")
        middle = [round(x) for x in middle]
        self.assert_hue(self.colour_at(self.picture(), middle), (0, 158, 115))
        self.set(mortar=False)
        self.assert_hue(self.colour_at(self.picture(), middle), WHITE)
        self.assertEqual(self.browser.console, [])

    def test_balls_that_others_hide_may_be_left_out_and_nothing_is_seen_of_it(self):
        self.run_scene(CRATE)
        self.open("run", view="frame=2")
        left, top, right, bottom = (round(x) for x in self.browser.run("(b => [b.left, b.top, b.right, b.bottom])(moreau.stage.canvas.getBoundingClientRect())"))
        canvas = lambda: self.picture()[top + 1:bottom - 1, left + 1:right - 1]
        for look in ("moreau.camera.orthographic = false", "moreau.camera.orthographic = true", "moreau.camera.zoom(0.2)", "moreau.camera.look('top')"):
            self.do(look + ", moreau.stage.leaveOutFrom = Infinity, moreau.moved()")
            whole, all_drawn = canvas(), self.browser.run("moreau.stage.panes[0].balls.drawn.length")
            self.do("moreau.stage.leaveOutFrom = 0, moreau.moved()")
            remain = self.browser.run("moreau.stage.panes[0].balls.drawn.length")
            self.assertEqual(abs(whole.astype(int) - canvas()).max(), 0, look)
            self.assertEqual(all_drawn, 1000)
            self.assertLess(remain, 700, look)
        self.do("moreau.camera.zoom(5), moreau.moved()")
        self.browser.click(*self.place(999))  # of the uppermost, seen from above
        self.browser.wait("document.getElementById('selection').textContent.includes('Body 999')", 60)
        self.set(clip=[None, [0, 9], None])  # cut open, all are drawn
        self.assertEqual(self.browser.run("moreau.stage.panes[0].balls.drawn.length"), 1000)

    def test_the_colours_of_what_stands_tell_its_pressure_and_scales_end_with_neat_numbers(self):
        self.run_scene(STONES.replace("velocity = [5, 0]", "velocity = [0, 0]"), "still")
        self.open("still")
        told = lambda: self.browser.run("moreau.stage.canvas.getAttribute('aria-label')")
        self.assertEqual(self.browser.run("moreau.view.colour"), "pressure")
        self.assertIn("coloured by pressure", told())
        self.browser.wait("location.hash.includes('colour=pressure')")
        self.assertIn("cracks", self.browser.run("document.getElementById('legend').textContent"))  # although there is none
        self.run_scene(SCENE.replace("velocity = [0, 0, 5]", "velocity = [0, 0, 4.3]"), "moves")
        self.open("moves")
        self.assertIn("coloured by speed from 0 to 5", told())

    def test_a_narrow_window_shows_the_picture_and_all_controls_of_time(self):
        wide = self.browser.run("[innerWidth, innerHeight]")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=380, height=700, deviceScaleFactor=1, mobile=False)
        self.addCleanup(self.browser.call, "Emulation.setDeviceMetricsOverride", width=wide[0], height=wide[1], deviceScaleFactor=1, mobile=False)
        self.run_scene(SCENE)
        self.open("run")
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 380)
        self.assertGreater(self.browser.run("moreau.stage.canvas.clientHeight"), 250)
        boxes = self.browser.run("""[...document.querySelectorAll('header > *, #timeline > *')].filter(e => !e.hidden).map(e => e.getBoundingClientRect())
          .map(b => [b.left, b.top, b.right, b.bottom])""")
        for k, a in enumerate(boxes):
            self.assertTrue(0 <= a[0] and a[2] <= 380 and a[3] <= 700, a)
            for b in boxes[:k]:
                self.assertFalse(a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1, (a, b))
        self.assertTrue(self.browser.run("document.getElementById('panel').hidden"))
        self.do("document.getElementById('toggle-panel').click()")
        self.assertFalse(self.browser.run("document.getElementById('panel').hidden"))
        self.assertGreater(self.browser.run("moreau.stage.canvas.clientHeight"), 100)

    def test_a_gate_that_has_left_is_not_looked_at_and_a_support_that_settled_is(self):
        self.run_scene(small_scene("gate", 2, 10, 1e-3, GATE.replace("SPEED", "500")))
        self.open("run")
        left, right, gate = (self.browser.run(f"moreau.place({k})") for k in (0, 9, 10))
        height = self.browser.run("moreau.stage.canvas.clientHeight")
        self.assertGreater(right[0] - left[0], 0.3 * height)  # 9 of their diameters
        self.assertGreater(gate[1], 3 * height)
        self.run_scene(small_scene("settlement", 2, 10, 1e-3, GATE.replace("SPEED", "5")), "settled")
        self.open("settled")
        top, bottom = self.browser.run("(b => [b.top, b.bottom])(moreau.stage.canvas.getBoundingClientRect())")
        self.assertTrue(top < self.browser.run("moreau.place(10)")[1] < bottom)

    def test_a_run_that_all_have_left_opens_in_its_middle(self):
        self.run_scene('dimension = 3\ngravity = 10\ntime = { step = 5e-3, duration = 1 }\nmaterial = { density = 1000 }\nlaw = { friction = 0.3 }\n'
                       'output = { frames = 0.1 }\nsink = { beyond = { point = [0, 0, -2], direction = [0, 0, -1] } }\ngrain = [{ position = [0, 0, 0], radius = 0.1 }, { position = [1, 0, 0], radius = 0.1 }]\n')
        self.open("run")
        self.assertIn("frame 5 of 10", self.browser.run("document.querySelector('#timeline output').textContent"))
        self.open("run", view="frame=10")  # what the address names is shown
        self.assertIn("frame 10 of 10", self.browser.run("document.querySelector('#timeline output').textContent"))

    def test_arrows_are_not_cut_off_by_the_edge(self):
        self.run_scene(SCENE)
        self.open("run", view="frame=4&arrows=velocity")
        box = self.browser.run("(b => [b.top, b.bottom])(moreau.stage.canvas.getBoundingClientRect())")
        tip = self.browser.run("""(() => { const f = moreau.stage.panes[0].content.frame, p = f.position, r = f.bodies.row(1);
          return moreau.stage.project(0, [p[3 * r], p[3 * r + 1], p[3 * r + 2] + 3 * f.bodies.size]); })()""")
        self.assertTrue(box[0] < tip[1] < box[1], (tip, box))
