"""What the tests of `moreau view` share: a server on some runs, and what it sends."""
import http.client
import json
import struct
import urllib.parse
import urllib.request

import numpy

from program import ProgramTest, die_with_parent

KINDS = {"u8": numpy.uint8, "u16": numpy.uint16, "i32": numpy.int32, "f32": numpy.float32, "f64": numpy.float64}


def opened(parcel):
    """Header and arrays of what the server sends (src/moreau/web/parcel.hpp)."""
    assert parcel[:4] == b"MRV1", parcel[:100]
    length = struct.unpack("<I", parcel[4:8])[0]
    header = json.loads(parcel[8:8 + length])
    arrays = {}
    for a in header["arrays"]:
        data = numpy.frombuffer(parcel, KINDS[a["type"]], a["rows"] * a["components"], 8 + length + a["offset"])
        arrays[a["name"]] = data.reshape(-1, a["components"]) if a["components"] > 1 else data
    return header, arrays


def unpacked(arrays, name):
    places, corners, side = arrays[name], arrays[name + "_cells"], arrays[name + "_side"][0]
    return corners[places[:, 0]] + (places[:, 1:] + 0.5) * side / 65536


class ViewTest(ProgramTest):
    def view(self, *runs, **options):
        """A server on these runs; it is gone when the test ends."""
        self.server = self.start("view", "--no-browser", *runs, preexec_fn=die_with_parent, **options)
        self.address = self.server.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.token = parts.port, parts.path.strip("/")
        return self.address

    def get(self, path):
        with urllib.request.urlopen(self.address + path, timeout=400) as answer:
            return answer.read()

    def json(self, path):
        return json.loads(self.get(path))

    def refused(self, path, **headers):
        """Status and sentence of a request that is not answered."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=400)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        status, body = answer.status, answer.read()
        connection.close()
        return status, json.loads(body)["error"]

    def run_scene(self, text, run="run"):
        self.write(run + ".toml", text)
        self.moreau("run", run + ".toml", "--out", run, "--threads", "1")
