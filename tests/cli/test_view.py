"""`moreau view` seen from outside: what its server sends, and what it refuses. The page itself: test_view_page.py."""
import contextlib
import http.client
import json
import os
import random
import signal
import socket
import time
import urllib.parse
import urllib.request

import h5py
import numpy

from program import BALLS, CELL, die_with_parent, poured
from viewing import ViewTest, opened, unpacked


class Content(ViewTest):
    def check_frame(self, dimension):
        path = self.path("run") / "frames" / "frame_000002.h5"
        info = self.json("run/0/info")
        self.assertEqual(info["dimension"], dimension)
        header, arrays = opened(self.get("run/0/frame/2"))
        with h5py.File(path) as frame:
            position, radius = frame["bodies/position"][:], frame["bodies/radius"][:]
            self.assertEqual(header["time"], frame.attrs["time"])
            self.assertEqual(info["times"][2], frame.attrs["time"])
            side = arrays["place_side"][0]
            found = unpacked(arrays, "place")[:, :dimension]
            self.assertEqual(found.shape, position.shape)
            self.assertLessEqual(abs(found - position).max(), side / 131072 * (1 + 1e-9))
            self.assertLess(side / 131072, 0.001 * radius.mean())
            self.assertLessEqual(arrays["place"].nbytes, 8 * len(radius))
            bodies = opened(self.get("run/0/frame/2/bodies"))[1]
            numpy.testing.assert_array_equal(bodies["radius"], radius.astype(numpy.float32))
            speed = opened(self.get("run/0/frame/2/field/speed"))[1]["value"]
            numpy.testing.assert_allclose(speed, numpy.linalg.norm(frame["bodies/velocity"][:], axis=1), rtol=1e-6)
            contacts = opened(self.get("run/0/frame/2/contacts"))[1]
            self.assertGreater(len(contacts["a"]), 0)
            numpy.testing.assert_array_equal(contacts["a"], frame["contacts/a"][:])
            numpy.testing.assert_array_equal(contacts["b"], frame["contacts/b"][:])
            force, normal = frame["contacts/force"][:], frame["contacts/normal"][:]
            push = (force * normal).sum(axis=1)
            numpy.testing.assert_allclose(contacts["force"], push, rtol=1e-5, atol=1e-6 * abs(push).max())
            numbers = self.json("run/0/frame/2/body/5")
            self.assertEqual(numbers["position"], list(position[5]))  # the true ones, not the rounded
            a, b = int(frame["contacts/a"][0]), int(frame["contacts/b"][0])
            pair = self.json(f"run/0/frame/2/pair/{a}/{b}")
            self.assertAlmostEqual(pair["points"][0]["normal_force"], push[0], delta=1e-12 * abs(push).max())

    def test_a_frame_in_space_arrives_as_it_was_written(self):
        self.run_scene(BALLS.replace("duration = 0.1", "duration = 0.4").replace("frames = 0.05", "frames = 0.2"))
        self.view("run")
        self.check_frame(3)

    def test_a_frame_in_the_plane_arrives_as_it_was_written(self):
        self.run_scene(poured())
        self.view("run")
        self.check_frame(2)
        header, arrays = opened(self.get("run/0/frame/2"))
        with h5py.File(self.path("run") / "frames" / "frame_000002.h5") as frame:
            turns = frame["bodies/orientation"][:] / (2 * numpy.pi)
            numpy.testing.assert_allclose(arrays["place"][:, 3] / 65536, turns % 1, atol=1.1 / 65536)
            names = [w["name"] for w in header["walls"]]
            self.assertEqual(names, [n.decode() for n in frame["walls/name"][:]])

    def test_bodies_in_a_periodic_cell_arrive_inside_it(self):
        self.run_scene(CELL)
        self.view("run")
        header, arrays = opened(self.get("run/0/frame/4"))
        vectors, origin = numpy.array(header["cell"]["vectors"])[:, :2], numpy.array(header["cell"]["origin"])[:2]
        inside = (unpacked(arrays, "place")[:, :2] - origin) @ numpy.linalg.inv(vectors)
        self.assertGreater(inside.min(), -1e-3)
        self.assertLess(inside.max(), 1 + 1e-3)
        contacts = opened(self.get("run/0/frame/4/contacts"))[1]
        place, radius = unpacked(arrays, "place")[:, :2], opened(self.get("run/0/frame/4/bodies"))[1]["radius"]
        branch = place[contacts["a"]] - place[contacts["b"]] - contacts["shift"][:, :2]
        distance = numpy.linalg.norm(branch, axis=1)
        numpy.testing.assert_allclose(distance, radius[contacts["a"]] + radius[contacts["b"]], rtol=0.05)

    def test_curves_keep_the_peaks_of_the_series(self):
        self.run_scene(poured())
        self.view("run")
        rows = numpy.genfromtxt(self.path("run") / "series.csv", delimiter=",", names=True)
        curve = opened(self.get("run/0/table/series/kinetic"))[1]
        self.assertAlmostEqual(curve["high"].max(), rows["kinetic"].max(), delta=1e-6 * rows["kinetic"].max())
        self.assertEqual(curve["time"][0], rows["time"][0])
        self.assertLessEqual(len(curve["time"]), 4096)
        info = self.json("run/0/info")
        self.assertTrue(info["certificate"]["complete"])
        self.assertEqual(info["rows"], len(rows))
        self.assertEqual(info["log"], (self.path("run") / "log.txt").read_text())

    def test_bodies_that_have_left_are_not_sent(self):
        scene = poured() + '[[sink]]\nbeyond = { point = [0.5, 0], direction = [1, 0] }\n'
        self.run_scene(scene)
        self.view("run")
        with h5py.File(self.path("run") / "frames" / "frame_000003.h5") as frame:
            kind = frame["bodies/kind"][:]
        self.assertGreater((kind == 3).sum(), 0)
        self.assertEqual(len(opened(self.get("run/0/frame/3"))[1]["place"]), (kind != 3).sum())
        bodies = opened(self.get("run/0/frame/3/bodies"))[1]
        numpy.testing.assert_array_equal(bodies["body"], numpy.flatnonzero(kind != 3))
        gone = int(numpy.flatnonzero(kind == 3)[0])
        self.assertIn("not in this frame", self.json(f"run/0/frame/3/body/{gone}")["absent"])

    def test_commands_are_refused_with_a_sentence(self):
        self.assertIn("does not exist", self.refusal("view", "nowhere"))
        self.run_scene(BALLS)
        self.view("run")
        self.assertIn("cannot be had", self.refusal("view", "run", "--no-browser", "--port", str(self.port)))
        self.assertIn("--html", self.refusal("view", "run", "--frames", "3", status=2))

    def test_the_browser_is_given_the_address_as_one_word(self):
        """Whatever the folder is called: no shell reads it."""
        self.run_scene(BALLS, "$(touch one);touch two")
        tool = self.path("xdg-open")
        tool.write_text('#!/bin/sh\nprintf "%s|" "$@" > opened.part\nmv opened.part opened\n')
        tool.chmod(0o755)
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", DISPLAY=":0")
        server = self.start("view", "$(touch one);touch two", preexec_fn=die_with_parent, env=environment)
        address = server.stdout.readline().strip()
        for _ in range(600):
            if self.path("opened").exists():
                break
            time.sleep(0.1)
        self.assertEqual(self.path("opened").read_text(), address + "|")
        self.assertFalse({"one", "two"} & {file.name for file in self.folder.iterdir()})
        server.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(timeout=20), 0)

    def test_an_address_that_cannot_be_said_serves_nobody(self):
        self.run_scene(BALLS)
        with open("/dev/full", "w") as full:
            server = self.start("view", "--no-browser", "run", stdout=full)
            self.assertEqual(server.wait(timeout=60), 1)

    def test_ctrl_c_ends_the_server(self):
        self.run_scene(BALLS)
        for ending, asked in ((signal.SIGINT, True), (signal.SIGTERM, True), *[(signal.SIGTERM, False)] * 8):
            self.view("run")
            if asked:
                self.get("run/0/info")
            self.server.send_signal(ending)  # perhaps before it listens
            self.assertEqual(self.server.wait(timeout=20), 0)
            with self.assertRaises(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()


class Refusals(ViewTest):
    def setUp(self):
        super().setUp()
        self.run_scene(BALLS)
        self.view("run")

    def test_without_the_token_nothing_is_said(self):
        self.assertGreaterEqual(len(self.token), 32)
        wrong = "0" * len(self.token)
        for path in ("/", "/run/0/info", f"/{wrong}/", f"/{wrong}/run/0/info", f"/{self.token[:-1]}/run/0/info", f"/{self.token}x/run/0/info",
                     "//", f"//{self.token}/run/0/info", f"/?{self.token}"):
            with self.subTest(path):
                self.assertEqual(self.refused(path)[0], 403)
        second = self.start("view", "--no-browser", "run")
        self.assertNotIn(self.token, second.stdout.readline())

    def test_it_listens_on_the_loopback_only(self):
        with open("/proc/net/tcp") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        mine = [a for a in listening if int(a.split(":")[1], 16) == self.port]
        self.assertEqual(mine, [f"0100007F:{self.port:04X}"])

    def test_a_stranger_s_name_for_this_machine_is_refused(self):
        path = f"/{self.token}/run/0/info"
        self.assertEqual(self.refused(path, Host="example.org")[0], 403)
        self.assertEqual(self.refused(path, Host=f"example.org:{self.port}")[0], 403)
        self.assertEqual(json.loads(self.get("run/0/info"))["dimension"], 3)
        own = f"Host: 127.0.0.1:{self.port}"
        for hosts, status in (([own], b"200"), ([own, "Host: example.org"], b"403"), (["Host: example.org", own], b"403"), ([own, own], b"403")):
            with socket.create_connection(("127.0.0.1", self.port), timeout=400) as raw:
                raw.sendall("\r\n".join([f"GET {path} HTTP/1.1", *hosts, "Connection: close", "", ""]).encode())
                self.assertEqual(raw.recv(64).split()[1], status, hosts)

    def test_paths_lead_nowhere_else(self):
        secret = self.write("secret.txt", "secret")
        self.assertEqual(secret, "secret.txt")
        for rest in ("../secret.txt", "run/0/../../secret.txt", "run/0/%2e%2e/%2e%2e/secret.txt", "run/0/frame/../../../secret.txt", "%2fetc%2fpasswd",
                     "run/0//etc/passwd", "run/0/table/..%2f..%2fsecret/step", "run/0/table/%2fetc%2fpasswd/root", "run/1/info", "run/-1/info",
                     "run/0/frame/-1", "run/0/frame/99999999999999999999", "run/0/frame/0/field/..", "run/0/frame/0/field/none", "run/0/scene.toml",
                     "run/0/frame/1e0", "run/0/frame/ 1", "run/00/info", "run/0/frame/0/vectors/velocity/since/99", "run/0/frame/0/pair/0/-99",
                     "run/0/frame/0/body/-1", "a" * 5000):
            with self.subTest(rest[:60]):
                status, sentence = self.refused(f"/{self.token}/{urllib.parse.quote(rest, safe='/%')}")
                self.assertIn(status, (403, 404))
                self.assertNotIn("secret", sentence)
                self.assertNotIn("root:", sentence)

    def test_only_reading_is_understood(self):
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=400)
            connection.request(method, f"/{self.token}/run/0/info", body=b"x" * 100 if method != "OPTIONS" else None)
            self.assertGreaterEqual(connection.getresponse().status, 400, method)
            connection.close()
        with urllib.request.urlopen(self.address) as page:
            policy = page.headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("connect-src 'self'", policy)

    def said(self, request):
        """All that is answered to these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as s:
            s.sendall(request)
            answer = b""
            while part := s.recv(1 << 16):
                answer += part
        return answer

    def test_no_range_gets_more_than_the_answer(self):
        for path in ("nope", f"{self.token}/", f"{self.token}/run/0/frame/1"):
            whole = self.said(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n".encode())
            body = whole.partition(b"\r\n\r\n")[2]
            for asked in ("0-60000", "0-99999999999", "7000-900000", "-1000000", "0-0,100000000-100000010", "0-", "5-3", "x"):
                with self.subTest(path=path[-12:], asked=asked):
                    answer = self.said(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nRange: bytes={asked}\r\nConnection: close\r\n\r\n"
                                       .encode())
                    status, got = answer.split()[1], answer.partition(b"\r\n\r\n")[2]
                    self.assertIn((status, got), ((whole.split()[1], body), (b"416", b"")))

    def memory(self):
        with open(f"/proc/{self.server.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024  # MB

    def test_a_request_without_end_takes_no_memory(self):
        before = self.memory()
        for start in (b"GET / HTTP/1.1\r\nX-Long: ", b"GET /", b"GET / HTTP/1.1\r\n" + b"X-Some: header\r\n" * 20):
            sent = 0
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as s, contextlib.suppress(ConnectionError):
                s.sendall(start)
                while sent < 100 << 20:
                    s.sendall(b"X-Some: header\r\n" * 4096 if start.endswith(b"\n") else b"x" * 65536)
                    sent += 65536
            self.assertLess(sent, 100 << 20, start)
        self.assertLess(self.memory() - before, 20)
        self.assertEqual(json.loads(self.get("run/0/info"))["dimension"], 3)

    def test_500_malformed_requests_are_survived(self):
        chance = random.Random(5)
        good = f"GET /{self.token}/run/0/frame/1 HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nRange: bytes=0-10\r\nConnection: close\r\n\r\n".encode()
        for k in range(500):
            request = bytearray(good)
            what = k % 6
            if what == 0:
                request = bytearray(chance.randbytes(chance.randrange(1, 400)))
            elif what == 1:
                request = request[:chance.randrange(len(request))]
            elif what == 2:
                for _ in range(chance.randrange(1, 8)):
                    request[chance.randrange(len(request))] = chance.randrange(256)
            elif what == 3:
                request = request.replace(b"GET", chance.choice([b"", b"GETGET", b"get", b"HEAD", b"PRI", b"\x00"]))
            elif what == 4:
                ranges = b",".join(b"%d-%d" % (chance.randrange(9), chance.randrange(-9, 10**9)) for _ in range(chance.randrange(1, 60)))
                request = request.replace(b"bytes=0-10", b"bytes=" + ranges)
            else:
                request = request.replace(b"Connection: close", b"X: " + b"y" * chance.choice([10, 8000, 8200, 20000]))
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=10) as line:
                    line.sendall(bytes(request))
                    line.shutdown(socket.SHUT_WR)
                    line.settimeout(10)
                    while line.recv(65536):
                        pass
            except (ConnectionError, socket.timeout):
                pass
        self.assertIsNone(self.server.poll())
        self.assertEqual(self.json("run/0/info")["dimension"], 3)

    def test_it_answers_beside_connections_that_say_nothing(self):
        hanging = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(150)]
        for line in hanging:
            line.sendall(b"GET /")
        begun = time.monotonic()
        self.assertEqual(self.json("run/0/info")["dimension"], 3)
        self.assertLess(time.monotonic() - begun, 45)  # with eight threads that wait for five seconds each it took twice that
        for line in hanging:
            line.close()

    def test_a_damaged_or_half_written_frame_is_named(self):
        frames = self.path("run") / "frames"
        whole = (frames / "frame_000001.h5").read_bytes()
        (frames / "frame_000001.h5").write_bytes(whole[:len(whole) // 2])
        info = self.json("run/0/info")
        self.assertIsNone(info["times"][1])
        self.assertIn("frame_000001.h5", info["damaged"]["1"])
        status, sentence = self.refused(f"/{self.token}/run/0/frame/1")
        self.assertEqual(status, 422)
        self.assertIn("frame_000001.h5", sentence)
        self.assertEqual(opened(self.get("run/0/frame/0"))[0]["step"], 0)
        (frames / "frame_000003.h5.tmp").write_bytes(whole[:100])  # on its way: not a frame yet
        self.assertEqual(len(self.json("run/0/info")["times"]), 3)
        (frames / "frame_000001.h5").write_bytes(whole)
        self.assertEqual(opened(self.get("run/0/frame/1"))[0]["step"], 50)

    def test_a_senseless_summary_is_survived(self):
        summary = self.path("run") / "summary.json"
        for text in ("[" * 1000000, "[]", "7", "{", "{}", "\xff"):
            summary.write_text(text)
            self.assertIn("absent", self.json("run/0/info")["certificate"])
        deep = "[" * 100000 + "]" * 100000
        for text in ('{"run": 3, "step": 1, "warnings": [null, {"sentence": {"a": 1}}], "deep": %s}' % deep, '{"run": {}, "step": 1, "warnings": %s}' % deep):
            summary.write_text(text)
            self.assertEqual(self.json("run/0/info")["certificate"]["run"], {})

    def test_names_in_files_do_not_become_markup(self):
        measures = self.path("run") / "measures"
        measures.mkdir()
        (measures / "odd.csv").write_text('step,time,"><script>bad()</script>\n1,0.1,2\n')
        self.moreau("view", "run", "--html", "odd.html")
        text = self.path("odd.html").read_text()
        self.assertNotIn("<script>bad", text)
        self.assertIn("&lt;script&gt;bad", text)


class OfflineFile(ViewTest):
    def test_frames_are_thinned_and_it_is_said(self):
        self.run_scene(poured())
        said = self.moreau("view", "run", "--html", "all.html")
        self.assertIn("all 7 frames", said)
        said = self.moreau("view", "run", "--html", "few.html", "--frames", "3")
        self.assertRegex(said, r"[23] of 7 frames")
        text = self.path("few.html").read_text()
        self.assertIn('data-path="run/0/frame/0"', text)
        self.assertIn('data-path="run/0/frame/6"', text)
        self.assertNotIn('data-path="run/0/frame/1"', text)
        self.assertLess(len(text), self.path("all.html").stat().st_size)
        for forbidden in ('src="', "http-equiv=\"refresh", "@import"):
            self.assertNotIn(forbidden, text.split("<script")[0])
        self.assertIn("cannot be written", self.refusal("view", "run", "--html", "nowhere/x.html"))
