"""A headless Chromium, driven by the DevTools protocol: what the tests of `moreau view` look at pages with.

WebGL runs in software (SwiftShader), so that no graphics card is needed; the page around it is put together without it
(--disable-gpu-compositing), which on a busy machine is ten times faster. The browser and its profile are gone when the test ends.
"""
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import websocket  # python3-websocket

from program import die_with_parent

SIZE = (780, 560)
# Tests wait for what should happen, however long it takes; this only ends one that hangs, before the limit of the test does.
PATIENCE = 400


class PageError(AssertionError):
    """An exception that a script of the page threw."""


class Browser:
    def __init__(self, size=SIZE, arguments=()):
        self.profile = tempfile.mkdtemp(prefix="moreau-browser-")
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        assert program, "chromium is not installed (packages-tests.txt)"
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--disable-gpu-compositing", "--disable-gpu-vsync", "--no-first-run", "--disable-extensions", "--disable-sync",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--mute-audio",
             "--force-device-scale-factor=1", f"--window-size={size[0]},{size[1]}", f"--user-data-dir={self.profile}",
             "--remote-debugging-port=0", "--remote-allow-origins=*", *arguments, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_parent)
        try:
            self.socket = websocket.create_connection(self._page_address(), timeout=PATIENCE, suppress_origin=True)
        except BaseException:
            self.close()
            raise
        self.number = 0
        self.requests = []   # addresses asked for
        self.console = []    # what the page complained about
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)

    def _page_address(self):
        """The socket of the one page, once the browser is up."""
        import urllib.request
        limit = time.monotonic() + PATIENCE
        file = pathlib.Path(self.profile) / "DevToolsActivePort"
        while time.monotonic() < limit:
            if self.process.poll() is not None:
                raise AssertionError("chromium ended before it began")
            try:
                port = int(file.read_text().split()[0])
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as answer:
                    pages = [p for p in json.load(answer) if p["type"] == "page"]
                if pages:
                    return pages[0]["webSocketDebuggerUrl"]
            except (OSError, ValueError, IndexError):
                pass
            time.sleep(0.05)
        raise AssertionError("chromium did not come up")

    def close(self):
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)  # the group that was started above, with all its helpers
            except ProcessLookupError:
                pass
        self.process.wait()
        if hasattr(self, "socket"):
            self.socket.close()
        for _ in range(50):  # helpers may still be writing their last words
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def _take(self, message):
        method, of = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(of["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.console.append(of["exceptionDetails"].get("exception", {}).get("description", of["exceptionDetails"]["text"]))
        elif method == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning"):
            self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in of["args"]))
        elif method == "Log.entryAdded" and of["entry"]["level"] == "error":
            self.console.append(of["entry"]["text"])

    def call(self, method, **parameters):
        self.number += 1
        mine = self.number
        self.socket.send(json.dumps({"id": mine, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == mine:
                assert "error" not in message, f"{method}: {message.get('error')}"
                return message["result"]
            self._take(message)

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise PageError(result["exceptionDetails"].get("exception", {}).get("description", str(result["exceptionDetails"])))
        return result["result"].get("value")

    def wait(self, condition, seconds=PATIENCE):
        """Until the expression is true in the page."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if self.run(condition):
                return
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s: {condition}\n{self.console}")

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.wait("!!window.moreau || (document.getElementById('message') && !document.getElementById('message').hidden)")
        self.settle()

    def settle(self):
        self.run("window.moreau ? moreau.settled() : null")

    def png(self):
        self.settle()
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1, buttons=1)
        self.settle()

    def drag(self, x, y, dx, dy, button="left"):
        buttons = {"left": 1, "right": 2}[button]
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button=button, clickCount=1, buttons=buttons)
        for k in range(1, 5):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + dx * k / 4, y=y + dy * k / 4, button=button, buttons=buttons)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=x + dx, y=y + dy, button=button, clickCount=1, buttons=0)
        self.settle()

    def key(self, key, code=None, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, **({"text": text} if text and kind == "keyDown" else {}))
        self.settle()
