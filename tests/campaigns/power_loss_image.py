#!/usr/bin/env python3
"""What a loss of power takes from real file systems. A run is written to a file system on a disk that notes every write and every flush
(a file of FUSE behind a loop device). The power is then cut after every flush, in two ways: the disk kept what was flushed and nothing
else; or it kept some of the later writes, in no order. The file system recovers from what is left, as it does after a crash: no
checkpoint that was there is gone, all is there once the program has ended, and the run, resumed, becomes the one that was left
alone. Needs root, fusepy and the programs that
make the file systems. --count kinds of scenes, each on the next of the file systems."""
import json
import os
import pathlib
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import time

from campaign import MOREAU, Campaign

ENDED = "/ended"  # asked for when the program has ended
SYSTEMS = {"ext4": (["mkfs.ext4", "-q"], 48), "xfs": (["mkfs.xfs", "-q"], 320), "btrfs": (["mkfs.btrfs", "-q"], 160)}  # megabytes


def serve(image, notes, mountpoint):
    """A folder with one file, `disk`, whose writes and flushes are noted. Ends when the folder is unmounted."""
    import fusepy

    class Noted(fusepy.Operations):
        def __init__(self):
            self.file, self.notes = os.open(image, os.O_RDWR), open(notes, "wb")

        def getattr(self, path, handle=None):
            if path == ENDED:
                pickle.dump(ENDED, self.notes)
            if path == "/":
                return {"st_mode": stat.S_IFDIR | 0o700, "st_nlink": 2}
            if path == "/disk":
                return {"st_mode": stat.S_IFREG | 0o600, "st_nlink": 1, "st_size": os.fstat(self.file).st_size}
            raise fusepy.FuseOSError(2)

        def read(self, path, size, offset, handle):
            return os.pread(self.file, size, offset)

        def write(self, path, data, offset, handle):
            pickle.dump((offset, bytes(data)), self.notes)
            return os.pwrite(self.file, data, offset)

        def fsync(self, path, data_only, handle):
            pickle.dump(None, self.notes)

        def destroy(self, path):
            self.notes.close()

    fusepy.FUSE(Noted(), str(mountpoint), foreground=True, nothreads=True, big_writes=True)


def command(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout.strip()


class Mounted:
    """A file system mounted on `folder` for as long as the block lasts."""

    def __init__(self, what, folder, *options):
        self.what, self.folder, self.options = what, folder, options

    def __enter__(self):
        command("mount", *self.options, self.what, self.folder)

    def __exit__(self, *_):
        command("umount", self.folder)


def run_noted(system, arguments, place):
    """Runs the program on a new file system of that kind. The image before, and the notes: (offset, bytes) of a
    write, None for a flush, ENDED for the end of the program."""
    make, megabytes = SYSTEMS[system]
    image, notes, served, folder = (place / name for name in ("image", "notes", "served", "mounted"))
    with open(image, "wb") as file:
        file.truncate(megabytes << 20)
    command(*make, image)
    command("cp", "--sparse=always", image, place / "before")
    served.mkdir(exist_ok=True), folder.mkdir(exist_ok=True)
    server = subprocess.Popen([sys.executable, __file__, "--serve", image, notes, served])
    try:
        while not os.path.ismount(served):
            if server.poll() is not None:
                raise RuntimeError("the noting disk did not start")
            time.sleep(0.05)
        device = command("losetup", "--find", "--show", served / "disk")
        try:
            with Mounted(device, folder):
                subprocess.run([MOREAU, *arguments], cwd=folder, check=True, capture_output=True)
                (served / ENDED[1:]).exists()
        finally:
            command("losetup", "--detach", device)
    finally:
        subprocess.run(["umount", served], capture_output=True)
        if server.poll() is None:
            server.wait(timeout=60)
    with open(notes, "rb") as file:
        events = []
        while True:
            try:
                events.append(pickle.load(file))
            except EOFError:
                return place / "before", events


def allowed(place):
    """Not every root may mount things."""
    try:
        run_noted("ext4", ["--version"], place)
    except (RuntimeError, subprocess.CalledProcessError):
        return False
    return True


def write(image, events):
    with open(image, "r+b") as file:
        for offset, data in events:
            file.seek(offset)
            file.write(data)


def found_after_a_cut(image, place):
    """Mounts a copy of the image, which then recovers, and takes the run out of it."""
    folder = place / "mounted"
    with Mounted(image, folder, "-o", "loop"):
        if (folder / "run").exists():
            shutil.copytree(folder / "run", campaign.folder / "run")


def judge(words, alone, until, reached):
    """The step that the run had reached, -1 where there is none; `reached` was there at a flush before."""
    campaign.counts["cuts"] += 1
    status, output, errors = campaign.moreau("info", "run", "--json")
    step = json.loads(output)["step"] if status == 0 else -1
    if step < reached:
        campaign.defect(f"{words}: step {reached} was on the disk, now it is {step}: {errors}")
    elif any(not file.exists() or not file.stat().st_size for file in (campaign.folder / "run" / name for name in ("scene.toml", "provenance.json"))):
        campaign.counts["before the run was there"] += 1
    else:
        status, _, errors = campaign.moreau("resume", "run", "--until", until, "--threads", 1)
        if status != 0:
            campaign.defect(f"{words}: cannot be resumed: {errors}")
        elif difference := campaign.difference("run", alone):
            campaign.defect(f"{words}: the resumed run differs in {difference}")
    campaign.remove("run")
    return step


def attack(kind, system, place):
    scene, until = campaign.scene(kind, checkpoint="0.01")
    shared = ["--until", str(until), "--threads", "1"]
    campaign.remove("alone")
    campaign.moreau("run", scene, "--out", "alone", *shared)
    alone = campaign.trace("alone")
    image, events = run_noted(system, ["run", campaign.folder / scene, "--out", "run", *shared], place)
    ended = events.index(ENDED)
    del events[ended:]  # what is written when the file system is left in peace
    flushes = [k for k, event in enumerate(events) if event is None]
    campaign.counts[f"flushes of {system}"] += len(flushes)
    done, reached = 0, -1
    last = json.loads(campaign.moreau("info", "alone", "--json")[1])["step"]
    for n, (flush, after) in enumerate(zip(flushes, [*flushes[1:], len(events)])):
        write(image, [event for event in events[done:flush] if event])
        done = flush
        if campaign.told_to_end:
            return
        if n % campaign.options.every and flush != flushes[-1]:
            continue
        if flush == flushes[-1]:
            reached = last
        later = [event for event in events[flush:after] if event]
        some = [event for event in later if campaign.random.random() < 0.5]
        for form, further in (("flushed only", []), ("some later writes", campaign.random.sample(some, len(some)))):
            if form != "flushed only" and not further:
                continue
            command("cp", "--sparse=always", image, place / "cut")
            write(place / "cut", further)
            found_after_a_cut(place / "cut", place)
            step = judge(f"{kind} on {system}, flush {n + 1} of {len(flushes)}, {form}", alone, until, reached)
            if form == "flushed only":
                reached = max(reached, step)


if sys.argv[1:2] == ["--serve"]:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(*sys.argv[2:])
    sys.exit()
campaign = Campaign(__doc__, count=1)
try:
    import fusepy  # noqa: F401
except ImportError:
    fusepy = None
systems = [name for name, (make, _) in SYSTEMS.items() if shutil.which(make[0])]
place = pathlib.Path("/dev/shm" if os.path.isdir("/dev/shm") else campaign.folder) / f"moreau-image-{os.getpid()}"
place.mkdir()
try:
    if os.geteuid() != 0 or not fusepy or "ext4" not in systems or not os.path.exists("/dev/fuse") or not allowed(place):
        print("needs the right to mount file systems, FUSE, loop devices, fusepy and mkfs.ext4")
        sys.exit(77)
    for k in campaign.turns():
        kinds = list(campaign.kinds)
        attack(kinds[k % len(kinds)], systems[k % len(systems)], place)
finally:
    shutil.rmtree(place, ignore_errors=True)
campaign.finish()
