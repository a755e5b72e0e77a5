#!/usr/bin/env python3
"""What a loss of power could take. The system calls of a run (strace) are played back on a model of a disk, and the power is cut after
every sync and every rename: what then is on the disk is resumed, and must become the run that was left alone. Three disks: one that
keeps what was forced and nothing else; one that keeps all names at once, and of the contents what was forced; and the same with the
contents that were not forced torn in the middle and filled with zeros. --count kinds of scenes."""
import re
import shutil
import subprocess
import sys

from campaign import MOREAU, Campaign


class Disk:
    """Files as of now and as forced; names as of now and as forced, folder by folder."""

    def __init__(self):
        self.content, self.forced = {}, {}  # by inode
        self.names, self.forced_names = {}, {}  # path: inode; folders have the inode None
        self.next = 0

    def open(self, path, flags):
        if path not in self.names and "O_CREAT" in flags:
            self.names[path] = self.next
            self.content[self.next], self.forced[self.next] = b"", b""
            self.next += 1
        elif "O_TRUNC" in flags:
            self.content[self.names[path]] = b""

    def write(self, path, data):
        self.content[self.names[path]] += data

    def sync(self, path):
        if self.names.get(path, -1) is None or path == "":
            inside = re.compile(re.escape(path + "/" if path else "") + "[^/]+$")
            self.forced_names = {name: inode for name, inode in self.forced_names.items() if not inside.match(name)}
            self.forced_names |= {name: inode for name, inode in self.names.items() if inside.match(name)}
        elif path in self.names:
            self.forced[self.names[path]] = self.content[self.names[path]]

    def after_a_cut(self, disk):
        """What is found when the power is back: path, content; folders have None."""
        if disk == "forced only":
            names = {name: inode for name, inode in self.forced_names.items() if "/" not in name or name.rsplit("/", 1)[0] in self.forced_names}
        else:
            names = self.names
        found = {}
        for name, inode in names.items():
            if inode is None:
                found[name] = None
                continue
            now, forced = self.content[inode], self.forced[inode]
            torn = disk == "torn" and len(now) > len(forced)
            found[name] = now[: (len(now) + len(forced)) // 2].ljust(len(now), b"\0") if torn else forced
        return found


def calls_of(folder, arguments):
    """The calls that change the folder `run`: name of the call, path within it, and what else it was given."""
    subprocess.run(["strace", "-f", "-qq", "-xx", "-y", "-s", "100000000", "-e", "trace=openat,write,rename,fsync,unlink,mkdir,ftruncate", "-o", "calls",
                    MOREAU, *arguments], cwd=folder, capture_output=True, timeout=600, check=True)

    def text(quoted):
        return bytes.fromhex(quoted.replace("\\x", ""))

    def inside(path):
        path = path.removeprefix(str(folder) + "/")
        return path[4:] if path.startswith("run/") else "" if path == "run" else None

    with open(folder / "calls") as lines:
        for line in lines:
            call = re.match(r"\d+\s+(\w+)\(", line)
            if not call or not re.search(r"\) += \d", line):
                continue
            quoted = [text(q) for q in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', line)]
            described = re.match(r"\d+\s+\w+\(\d+<([^>]*)>", line)
            if call[1] in ("write", "fsync", "ftruncate"):
                path = inside(text(described[1]).decode() if described[1].startswith("\\x") else described[1])
            else:
                path = inside(quoted[0].decode())
            if path is None:
                continue
            if call[1] == "openat":
                yield "open", path, line
            elif call[1] == "write":
                yield "write", path, quoted[0]
            elif call[1] == "rename":
                yield "rename", path, inside(quoted[1].decode())
            else:
                yield call[1], path, line


def play(calls):
    """The disk after every call that forces or renames something."""
    disk = Disk()
    for call, path, more in calls:
        if call == "open" and path and disk.names.get(path, -1) is not None:
            disk.open(path, more)
        elif call == "write":
            disk.write(path, more)
        elif call == "mkdir" and path:
            disk.names[path] = None
        elif call == "unlink":
            disk.names.pop(path, None)
        elif call == "rename":
            disk.names[more] = disk.names.pop(path)
            yield disk
        elif call == "fsync":
            disk.sync(path)
            yield disk
        elif call == "ftruncate":
            disk.content[disk.names[path]] = disk.content[disk.names[path]][: int(re.search(r", (\d+)\)", more)[1])]


def judge(campaign, kind, disk, found, alone, until):
    campaign.remove("run")
    (campaign.folder / "run").mkdir()
    for name in sorted(found):
        path = campaign.folder / "run" / name
        path.mkdir() if found[name] is None else path.write_bytes(found[name])
    campaign.counts["cuts"] += 1
    if not found.get("scene.toml") or not found.get("provenance.json"):  # nothing was begun that could be lost
        campaign.counts["before the run was there"] += 1
        return
    status, _, errors = campaign.moreau("resume", "run", "--until", until, "--threads", 1)
    if status != 0:
        campaign.defect(f"{kind}, {disk}: cannot be resumed: {errors}")
    elif words := campaign.difference("run", alone):
        campaign.defect(f"{kind}, {disk}: the resumed run differs in {words}")


campaign = Campaign(__doc__, count=1)
if not shutil.which("strace"):
    print("strace is not installed")
    sys.exit(77)
for kind in list(campaign.kinds)[: campaign.options.count]:
    name, until = campaign.scene(kind, checkpoint="0.01")
    arguments = ["run", name, "--out", "run", "--until", str(until), "--threads", "1"]
    calls = list(calls_of(campaign.folder, arguments))
    alone = campaign.trace("run")
    seen = set()
    for disk_now in play(calls):
        for disk in ("forced only", "names kept", "torn"):
            found = disk_now.after_a_cut(disk)
            what = hash(tuple(sorted((name, content) for name, content in found.items() if content is not None)))
            if what not in seen and not campaign.told_to_end and (not campaign.options.every or len(seen) % campaign.options.every == 0):
                judge(campaign, kind, disk, found, alone, until)
            seen.add(what)
    campaign.counts["states of the disk"] += len(seen)
    campaign.remove("run")
campaign.finish()
