"""A page of `moreau view` in a browser, and the colours that are seen in it."""
import json

import numpy

from browser import Browser
from picture import pixels
from viewing import ViewTest

WHITE = (255, 255, 255)


class PageTest(ViewTest):
    """One browser for all tests of a class."""
    browser = None

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        super().setUp()
        self.browser.requests.clear()
        self.browser.console.clear()

    def tearDown(self):
        # The next server has another port; a page that goes on asking the old one would only complain.
        self.browser.call("Page.navigate", url="about:blank")

    def open(self, *runs, view=""):
        self.view(*runs)
        self.browser.open(self.address + ("#" + view if view else ""))

    def do(self, script):
        value = self.browser.run(script)
        self.browser.settle()
        return value

    def set(self, **view):
        self.do(f"Object.assign(moreau.view, {json.dumps(view)}), moreau.changed()")

    def picture(self):
        return pixels(self.browser.png())

    def place(self, body, run=0):
        return [round(x) for x in self.browser.run(f"moreau.place({body}, {run})")]

    def colour_at(self, picture, place):
        """Mean of three by three pixels."""
        x, y = place
        return picture[y - 1:y + 2, x - 1:x + 2].reshape(-1, 3).mean(axis=0)

    def assert_hue(self, found, expected):
        """The same colour, brighter or darker."""
        if tuple(expected) == WHITE:
            self.assertGreater(min(found), 250, found)
            return
        a, b = numpy.array(found, float), numpy.array(expected, float)
        self.assertGreater(a.max(), 40, found)
        self.assertLess(abs(a / numpy.linalg.norm(a) - b / numpy.linalg.norm(b)).max(), 0.08, f"{found} is not {expected}")

    def message(self):
        return self.browser.run("document.getElementById('message').hidden ? '' : document.getElementById('message').textContent")
