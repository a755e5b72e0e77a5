#!/usr/bin/python3
"""What it costs to look at a run of many balls: bytes, time to the first picture, memory of the page, time of a picture.

usage: bench/view.py [--balls 100000] [--pictures 10] [--moreau build/moreau] [--csv FILE]

A headless Chromium draws by the processor (SwiftShader), in a window of 1200 x 800. Times are told by the clock and in time of the
processor, of the browser with all its helpers and of the server; on a machine that is busy only the latter mean something.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "tests" / "cli"))
from browser import Browser

parser = argparse.ArgumentParser()
parser.add_argument("--balls", type=int, default=100000)
parser.add_argument("--pictures", type=int, default=10)
parser.add_argument("--moreau", default=str(here.parent / "build" / "moreau"))
parser.add_argument("--csv")
options = parser.parse_args()

SIDE = round(options.balls ** (1 / 3) + 0.5)
SCENE = f"""
dimension = 3
time = {{ step = 1e-3, duration = 2e-3 }}
material = {{ density = 1000 }}
law = {{ friction = 0.3 }}
[grains]
count = {options.balls}
arrangement = "lattice"
diameter = {{ uniform = [0.8, 1.0] }}
spacing = 1.05
region = {{ box = [[0, 0, 0], [{1.05 * SIDE}, {1.05 * SIDE}, {1.05 * (SIDE + 1)}]] }}
velocities = {{ speed = 0.1 }}
"""


def descendants(root):
    """Processes that a process has started, and itself."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(open(f"/proc/{entry}/stat").read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry))
    found, queue = [], [root]
    while queue:
        found.append(queue.pop())
        queue += children.get(found[-1], [])
    return found


def seconds(root):
    total = 0
    for process in descendants(root):
        try:
            of = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += int(of[11]) + int(of[12])
    return total / os.sysconf("SC_CLK_TCK")


def megabytes(root):
    """Memory of a process and what it has started, what several share counted once."""
    total = 0
    for process in descendants(root):
        try:
            total += next(int(line.split()[1]) for line in open(f"/proc/{process}/smaps_rollup") if line.startswith("Pss:"))
        except (OSError, StopIteration):
            continue
    return total / 1000


with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "s.toml").write_text(SCENE)
    subprocess.run([options.moreau, "run", "s.toml", "--out", "run", "--threads", "2"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    size = os.path.getsize(pathlib.Path(folder, "run", "frames", "frame_000001.h5"))
    server = subprocess.Popen([options.moreau, "view", "--no-browser", "run"], cwd=folder, stdout=subprocess.PIPE, text=True)
    browser = None
    try:
        address = server.stdout.readline().strip()
        browser = Browser((1200, 800))
        time.sleep(2)
        before = seconds(browser.process.pid), seconds(server.pid), megabytes(browser.process.pid)
        start = time.monotonic()
        browser.call("Page.navigate", url=address)
        browser.wait("!!window.moreau")  # set when the first picture has been drawn; a pixel is read, so that it has really been made
        pictures = browser.run("""(() => { const g = moreau.stage.renderer.getContext(); g.readPixels(0, 0, 1, 1, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(4));
          return moreau.stage.renderer.info.render.frame; })()""")
        clock = time.monotonic() - start
        first = seconds(browser.process.pid) - before[0], seconds(server.pid) - before[1]
        memory = megabytes(browser.process.pid) - before[2]
        fetched = {part: len(urllib.request.urlopen(address + "run/0/frame/1" + path).read())
                   for part, path in (("places", ""), ("bodies", "/bodies"), ("colours", "/field/speed"))}
        assert browser.run("moreau.stage.panes[0].content.frame.bodies.count") == options.balls
        used, start = seconds(browser.process.pid), time.monotonic()
        for _ in range(options.pictures):  # turned a little each time; a pixel is read, so that the picture is really made
            browser.run("""(() => { moreau.camera.azimuth += 3; moreau.stage.draw();
              const g = moreau.stage.renderer.getContext(); g.readPixels(0, 0, 1, 1, g.RGBA, g.UNSIGNED_BYTE, new Uint8Array(4)); })()""")
        each = (seconds(browser.process.pid) - used) / options.pictures, (time.monotonic() - start) / options.pictures
    finally:
        if browser:
            browser.close()
        server.terminate()
        server.wait()

machine = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
row = {
    "balls": options.balls, "frame_file_bytes_per_ball": round(size / options.balls, 1),
    **{f"{part}_bytes_per_ball": round(n / options.balls, 3) for part, n in fetched.items()},
    "first_picture_clock_s": round(clock, 2), "pictures_drawn_for_it": pictures, "first_picture_browser_s": round(first[0], 2), "first_picture_server_s": round(first[1], 2),
    "page_memory_mb": round(memory), "picture_browser_s": round(each[0], 3), "picture_clock_s": round(each[1], 3),
    "load": os.getloadavg()[0], "commit": subprocess.run(["git", "-C", str(here), "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip(),
    "machine": f"{machine}, {os.cpu_count()} cores, software renderer",
}
for name, value in row.items():
    print(f"{name:28} {value}")
if options.csv:
    new = not os.path.exists(options.csv)
    with open(options.csv, "a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if new:
            writer.writeheader()
        writer.writerow(row)
