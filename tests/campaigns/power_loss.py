#!/usr/bin/env python3
"""What a loss of power could take. The system calls of a run (strace) are played back on a model of a disk, and the power is cut after
every sync and every rename: what then is on the disk is resumed, and must become the run that was left alone. Three disks: one that
keeps what was forced and nothing else; one that keeps all names at once, and of the contents what was forced; and the same with the
contents that were not forced torn in the middle and filled with zeros. Then the same for a run that replaces another by force: the old
one is found, or the new one. --count kinds of scenes."""
import re
import subprocess

from campaign import MOREAU, Campaign, skip_without_strace


class Disk:
    """Files and folders as of now and as forced. A folder is a dictionary of its names; a file is bytes."""

    def __init__(self):
        self.now, self.forced = {0: {}}, {0: {}}  # by inode; 0 is the folder in which the run lies

    def at(self, path):
        """The inode of a path; nothing where there is none."""
        inode = 0
        for name in path.split("/") if path else ():
            inode = self.now[inode].get(name) if inode is not None else None
        return inode

    def parent(self, path):
        above, _, name = path.rpartition("/")
        return self.now[self.at(above)], name

    def make(self, path, what):
        folder, name = self.parent(path)
        folder[name] = len(self.now)
        self.now[folder[name]], self.forced[folder[name]] = what, type(what)()

    def open(self, path, flags):
        if self.at(path) is None and "O_CREAT" in flags:
            self.make(path, b"")
        elif "O_TRUNC" in flags:
            self.now[self.at(path)] = b""

    def write(self, path, data):
        self.now[self.at(path)] += data

    def cut(self, path, size):
        self.now[self.at(path)] = self.now[self.at(path)][:size]

    def remove(self, path):
        folder, name = self.parent(path)
        folder.pop(name, None)

    def rename(self, path, to):
        inode = self.at(path)
        self.remove(path)
        folder, name = self.parent(to)
        folder[name] = inode

    def sync(self, path):
        if (inode := self.at(path)) is not None:
            what = self.now[inode]
            self.forced[inode] = dict(what) if isinstance(what, dict) else what

    def sync_all(self):
        for inode, what in self.now.items():
            self.forced[inode] = dict(what) if isinstance(what, dict) else what

    def after_a_cut(self, disk, inode=0, path=""):
        """What is found when the power is back: path, content; folders have None."""
        found = {}
        for name, of in (self.forced if disk == "forced only" else self.now)[inode].items():
            here = f"{path}/{name}" if path else name
            now, forced = self.now[of], self.forced[of]
            if isinstance(now, dict):
                found |= {here: None, **self.after_a_cut(disk, of, here)}
                continue
            torn = disk == "torn" and len(now) > len(forced)
            found[here] = now[: (len(now) + len(forced)) // 2].ljust(len(now), b"\0") if torn else forced
        return found


def calls_of(folder, arguments):
    """The calls that change the folder `run` or the one it lies in: name of the call, path, and what else it was given."""
    subprocess.run(["strace", "-f", "-qq", "-xx", "-y", "-s", "100000000", "-e", "trace=openat,write,rename,fsync,unlink,unlinkat,rmdir,mkdir,ftruncate", "-o", "calls",
                    MOREAU, *arguments], cwd=folder, capture_output=True, timeout=600, check=True)

    def text(quoted):
        return bytes.fromhex(quoted.replace("\\x", "")) if quoted.startswith("\\x") else quoted.encode()

    def inside(path):
        path = "" if path == str(folder) else path.removeprefix(str(folder) + "/")
        return path if path in ("", "run") or path.startswith("run/") else None

    with open(folder / "calls") as lines:
        for line in lines:
            call = re.match(r"\d+\s+(\w+)\(", line)
            if not call or not re.search(r"\) += \d", line):
                continue
            quoted = [text(q) for q in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', line)]
            described = re.match(r"\d+\s+\w+\((?:\d+|AT_FDCWD)<([^>]*)>", line)
            beside = text(described[1]).decode() if described else ""
            if call[1] in ("write", "fsync", "ftruncate"):
                path = beside
            else:  # seen from a folder that is open, or from the one the program runs in
                path = quoted[0].decode()
                if call[1] in ("openat", "unlinkat") and not path.startswith("/"):
                    path = f"{beside}/{path}"
            path = inside(path)
            if path is None:
                continue
            if call[1] == "write":
                yield "write", path, quoted[0]
            elif call[1] == "rename":
                yield "rename", path, inside(quoted[1].decode())
            else:
                yield call[1], path, line


def play(disk, calls):
    """The disk after every call that forces or renames something."""
    for call, path, more in calls:
        if call == "openat" and not isinstance(disk.now.get(disk.at(path)), dict):
            disk.open(path, more)
        elif call == "write":
            disk.write(path, more)
        elif call == "mkdir":
            disk.make(path, {})
        elif call in ("unlink", "unlinkat", "rmdir"):
            disk.remove(path)
        elif call == "rename":
            disk.rename(path, more)
            yield disk
        elif call == "fsync":
            disk.sync(path)
            yield disk
        elif call == "ftruncate":
            disk.cut(path, int(re.search(r", (\d+)\)", more)[1]))


def judge(campaign, words, begun, found, alone, until, old):
    """What is found becomes the run that was left alone, once it was begun; or is the old run, if there was one."""
    campaign.remove("run")
    for name in sorted(found):
        path = campaign.folder / name
        path.mkdir() if found[name] is None else path.write_bytes(found[name])
    campaign.counts["cuts"] += 1
    if old:
        campaign.moreau("info", "run")  # settles what was being replaced
        scene = campaign.folder / "run" / "scene.toml"
        if scene.exists() and scene.read_bytes() == old[0]:
            campaign.counts["the old run"] += 1
            if difference := campaign.difference("run", old[1]):
                campaign.defect(f"{words}: the old run differs in {difference}")
            return
    elif not found.get("run/scene.toml") or not found.get("run/provenance.json"):
        campaign.counts["before the run was there"] += 1
        if begun:
            campaign.defect(f"{words}: a run with a checkpoint is gone")
        return
    status, _, errors = campaign.moreau("resume", "run", "--until", until, "--threads", 1)
    if status != 0:
        campaign.defect(f"{words}: cannot be resumed: {errors}")
    elif difference := campaign.difference("run", alone):
        campaign.defect(f"{words}: the resumed run differs in {difference}")


def attack(campaign, kind, disk, arguments, until, old=None):
    calls = list(calls_of(campaign.folder, arguments))
    alone = campaign.trace("run")
    seen = set()
    for now in play(disk, calls):
        begun = now.at("run") is not None and now.forced[now.at("run")].get("checkpoint.h5") is not None
        for form in ("forced only", "names kept", "torn"):
            found = now.after_a_cut(form)
            what = hash((begun, *sorted((name, content) for name, content in found.items() if content is not None)))
            if what not in seen and not campaign.told_to_end and (not campaign.options.every or len(seen) % campaign.options.every == 0):
                judge(campaign, f"{kind}, {form}", begun, found, alone, until, old)
            seen.add(what)
    campaign.counts["states of the disk"] += len(seen)
    campaign.remove("run")


campaign = Campaign(__doc__, count=1)
skip_without_strace()
for kind in list(campaign.kinds)[: campaign.options.count]:
    name, until = campaign.scene(kind, checkpoint="0.01")
    arguments = ["run", name, "--out", "run", "--until", str(until), "--threads", "1"]
    attack(campaign, kind, Disk(), arguments, until)
    if campaign.told_to_end:
        break
    disk = Disk()
    for _ in play(disk, list(calls_of(campaign.folder, [*arguments, "--set", 'title="old"']))):
        pass
    disk.sync_all()
    old = (campaign.folder / "run" / "scene.toml").read_bytes(), campaign.trace("run")
    attack(campaign, f"{kind}, replaced", disk, [*arguments, "--force"], until, old)
campaign.finish()
