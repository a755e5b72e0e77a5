"""Files that the user names, pictures, tables and pages: whole or as they were before; devices, pipes and links stay what they are."""
import os
import resource
import stat
import threading

from program import ProgramTest, poured

# Every command that writes a file the user names: the words before the name, and how the name ends.
WRITERS = [(["draw", "run", "--width", "300", "-o"], ".png"), (["draw", "run", "--width", "300", "-o"], ".svg"),
           (["draw", "run", "--width", "300", "-o"], ".pdf"), (["measure", "run", "coordination", "--csv"], ".csv"),
           (["measure", "run", "coordination", "--json"], ".json"), (["measure", "run", "coordination", "--hdf5"], ".h5"),
           (["view", "run", "--html"], ".html"), (["equilibrium", "run", "--forces"], ".csv"), (["statics", "run", "--forces"], ".csv"),
           (["solve", "run/problem_000300.hdf5", "--output"], ".h5")]


class Outputs(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("s.toml", poured())
        self.moreau("run", "s.toml", "--out", "run", "--dump-problem", "300")
        self.before = sorted(f.name for f in self.folder.iterdir())

    def each(self):
        for words, ending in WRITERS:
            with self.subTest(f"{words[0]} {words[-1]} {ending}"):
                yield words, self.path(f"file{ending}")
                for file in self.folder.iterdir():
                    if file.name not in self.before:
                        file.unlink()

    def ended(self, words, name, **options):
        process = self.start(*words, name, **options)
        process.communicate(timeout=120)
        return process.returncode

    def test_full_disk_leaves_the_old_file(self):
        for words, file in self.each():
            for old in (None, b"what was there"):
                if old:
                    file.write_bytes(old)
                said = self.refusal(*words, file.name, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60, 60)))
                self.assertIn("File too large", said)
                self.assertIn(file.name, said)
                self.assertEqual(file.read_bytes() if file.exists() else None, old)
                self.assertEqual(sorted({f.name for f in self.folder.iterdir()} - {file.name}), self.before)

    def test_pipes_are_written_into(self):
        for words, file in self.each():
            os.mkfifo(file)
            found = []
            reader = threading.Thread(target=lambda: found.append(file.read_bytes()))
            reader.start()
            if self.ended(words, file.name) not in (0, 2, 3):  # equilibrium answers with its status
                with open(file, "wb"):  # the reader must not wait for ever
                    pass
            reader.join()
            self.assertGreater(len(found[0]), 60)
            self.assertTrue(stat.S_ISFIFO(file.stat().st_mode))

    def test_links_are_followed(self):
        for words, file in self.each():
            file.symlink_to("target")
            for _ in range(2):  # the second time the target is there
                self.assertIn(self.ended(words, file.name), (0, 2, 3))
                self.assertTrue(file.is_symlink())
                self.assertGreater(self.path("target").stat().st_size, 60)
        self.path("a.png").symlink_to("b.png")
        self.path("b.png").symlink_to("a.png")
        self.assertIn("symbolic links", self.refusal("draw", "run", "-o", "a.png"))

    def test_files_that_make_up_a_run_are_left_alone(self):
        self.path("link.csv").symlink_to("run/series.csv")
        kept = {name: self.path(name).read_bytes() for name in ("run/series.csv", "run/scene.toml", "run/checkpoint.h5", "run/frames/frame_000000.h5")}
        for words, _ in WRITERS:
            for name in [*kept, "run/../run/series.csv", "link.csv"]:
                said = self.refusal(*words, name)
                if words[0] not in ("draw", "solve"):  # which look at the ending first
                    self.assertIn("is a file of the run in", said)
        for name, bytes_before in kept.items():
            self.assertEqual(self.path(name).read_bytes(), bytes_before, name)
        self.moreau("measure", "run", "coordination", "--csv", "run/coordination.csv")  # beside them one may write

    def test_film_that_fails_leaves_the_old_one(self):
        tool = self.folder / "ffmpeg"
        tool.write_text('#!/bin/sh\n[ "$1" = -version ] && exit 0\nfor word; do last=$word; done\necho half > "$last"; exit 1\n')
        tool.chmod(0o755)
        self.path("film.mp4").write_text("what was there")
        said = self.refusal("draw", "run", "--movie", "film.mp4", "--frames", "0", "--width", "300",
                            env=dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", TMPDIR=str(self.folder)))
        self.assertIn("could not write the film film.mp4", said)
        self.assertEqual(self.path("film.mp4").read_text(), "what was there")
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), sorted([*self.before, "ffmpeg", "film.mp4"]))
