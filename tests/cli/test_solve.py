"""moreau solve: problems of the FCLIB form as a user or a script hands them over."""
import json
import resource
import unittest

import h5py
import numpy

from program import SANITIZED, ProgramTest


def write_matrix(group, name, matrix, storage):
    """A dense array as one of the sparse storages of the collection."""
    g = group.create_group(name)
    rows, columns = numpy.nonzero(matrix)
    nz = {"triplets": len(rows), "columns": -1, "rows": -2}[storage]
    if storage == "columns":
        order = numpy.lexsort((rows, columns))
        rows, columns = rows[order], columns[order]
    x = matrix[rows, columns]
    if storage == "triplets":  # arrays longer than what is used
        p, i = numpy.append(columns, 0), numpy.append(rows, 0)
        x = numpy.append(x, 99.0)
    else:
        lines, i = (columns, rows) if storage == "columns" else (rows, columns)
        size = matrix.shape[1 if storage == "columns" else 0]
        p = numpy.searchsorted(lines, numpy.arange(size + 1))
    for key, value in (("m", matrix.shape[0]), ("n", matrix.shape[1]), ("nz", nz), ("nzmax", len(x))):
        g[key] = numpy.array([value], dtype="i4")
    g["p"], g["i"], g["x"] = p.astype("i4"), i.astype("i4"), x


def sliding_block(storage="rows", **change):
    """A block of mass 2 pushed along the floor: q = (-1, 3, 4), mu = 0.5, W = 1/2: r_N = 2, |r_T| = 1 against the sliding."""
    data = {"W": 0.5 * numpy.eye(3), "q": [-1.0, 3.0, 4.0], "mu": [0.5], "spacedim": 3, **change}

    def write(path):
        with h5py.File(path, "w") as f:
            g = f.create_group("fclib_local")
            g["spacedim"] = numpy.array([data["spacedim"]], dtype="i4")
            write_matrix(g, "W", numpy.array(data["W"]), storage)
            g["vectors/q"], g["vectors/mu"] = data["q"], data["mu"]
            g["info/title"] = "block"

    return write


class Solve(ProgramTest):
    def test_closed_form_of_a_sliding_block(self):
        for storage in ("triplets", "columns", "rows"):
            sliding_block(storage)(self.folder / "block.hdf5")
            for solver in ("auto", "gauss-seidel", "over-relaxed", "nncg", "admm", "newton", "smoothing", "frictionless"):
                with self.subTest(storage=storage, solver=solver):
                    said = self.json_of("solve", "block.hdf5", "--solver", solver, "--json", "--tolerance", "1e-10", "--output", "out.hdf5")
                    for key in ("solver", "iterations", "time_s", "error", "error_over_q", "converged", "contacts"):
                        self.assertIn(key, said)
                    self.assertTrue(said["converged"])
                    self.assertLessEqual(said["error"], 1e-10)
                    self.assertEqual(said["contacts"], 1)
                    with h5py.File(self.folder / "out.hdf5") as f:
                        numpy.testing.assert_allclose(f["solution/r"][:], [2.0, -0.6, -0.8], atol=1e-7)
                        numpy.testing.assert_allclose(f["solution/u"][:], [0.0, 2.7, 3.6], atol=1e-7)
                        self.assertIn("fclib_local/W/x", f)

    def test_global_form_brings_the_velocities_of_the_bodies(self):
        with h5py.File(self.folder / "g.hdf5", "w") as f:
            g = f.create_group("fclib_global")
            g["spacedim"] = numpy.array([3], dtype="i4")
            write_matrix(g, "M", 2.0 * numpy.eye(3), "triplets")
            write_matrix(g, "H", numpy.eye(3), "columns")
            g["vectors/f"], g["vectors/w"], g["vectors/mu"] = [-2.0, 6.0, 8.0], [0.0, 0.0, 0.0], [0.5]
        self.moreau("solve", "g.hdf5", "--output", "g.hdf5")
        with h5py.File(self.folder / "g.hdf5") as f:
            numpy.testing.assert_allclose(f["solution/v"][:], [0.0, 2.7, 3.6], atol=1e-7)
            self.assertIn("fclib_global/M/x", f)

    def test_words_for_people(self):
        sliding_block()(self.folder / "block.hdf5")
        said = self.moreau("solve", "block.hdf5")
        for words in ("1 contacts in 3 dimensions", "solver", "error", "0 open, 0 sticking, 1 sliding", "worst contact", "tolerance reached"):
            self.assertIn(words, said)
        self.assertEqual([f.name for f in self.folder.iterdir()], ["block.hdf5"])

    def test_tolerance_not_reached_is_said(self):
        size = 30
        W = 2.0 * numpy.eye(size) - numpy.eye(size, k=3) - numpy.eye(size, k=-3)
        sliding_block(W=W, q=-numpy.ones(size), mu=numpy.full(size // 3, 0.3))(self.folder / "chain.hdf5")
        for solver in ("gauss-seidel", "auto", "nncg", "newton", "admm", "smoothing", "over-relaxed"):
            said = json.loads(self.moreau("solve", "chain.hdf5", "--solver", solver, "--max-iterations", "2", "--json", status=3))
            self.assertFalse(said["converged"])
            self.assertGreater(said["error"], 1e-8)
            self.assertLessEqual(said["iterations"], 2, solver)
        self.assertTrue(self.json_of("solve", "chain.hdf5", "--json")["converged"])


def closing_walls(friction, weight=1.0, speed=0.7):
    """A disc of mass 1, radius 1, between a floor and a lid that comes: W has the kernel (1, 0, 1, 0), q works against it."""
    H = numpy.array([[0, 1, 0, -1], [1, 0, -1, 0], [0, 1, 0, 1]], dtype=float)
    W = H.T @ numpy.diag([1.0, 1.0, 2.0]) @ H
    return sliding_block(W=W, q=H.T @ [0.3, -weight, 0.0] - [0, 0, speed, 0], mu=[friction, friction], spacedim=2)


def little_memory():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))


class NoSolution(ProgramTest):
    def test_ball_between_closing_walls_is_never_solved(self):
        for friction in (0.0, 0.3, 1.2):
            closing_walls(friction)(self.folder / "walls.hdf5")
            for solver in ("auto", "gauss-seidel", "over-relaxed", "nncg", "admm", "newton", "smoothing", "frictionless"):
                with self.subTest(friction=friction, solver=solver):
                    flags = ("--solver", solver, "--max-cpu", "0.1")
                    said = json.loads(self.moreau("solve", "walls.hdf5", "--json", *flags, status=3))
                    self.assertFalse(said["converged"])
                    self.assertEqual(said["outcome"], "no solution: proven")
                    self.assertEqual(said["squeeze"]["contacts"], [0, 1])
                    self.assertAlmostEqual(said["squeeze"]["power"], -0.35)
                    self.assertGreater(said["certificate"]["relative_violation"], 0.1)
            words = self.moreau("solve", "walls.hdf5", "--diagnose", "--max-cpu", "0.1", status=3)
            self.assertIn("NO SOLUTION: PROVEN", words)
            self.assertIn("among: 0, 1", words)
            self.assertIn("THERE IS NO SOLUTION", words)
            self.assertNotIn("tolerance reached", words)
            self.assertNotIn("a solution exists", words)

    def test_time_is_kept(self):
        """A column of discs to a tolerance that nothing reaches: each way of spending the time ends when it is up."""
        size = 60
        H = numpy.zeros((3 * size, 2 * (size + 1)))  # from floor to lid
        for c in range(size + 1):
            for k, (x, y) in enumerate(((0.0, 1.0), (1.0, 0.0))):
                if c < size:
                    H[3 * c:3 * c + 3, 2 * c + k] += [x, y, x]
                if c > 0:
                    H[3 * c - 3:3 * c, 2 * c + k] -= [x, y, -x]
        W = H.T @ numpy.diag([1.0, 1.0, 2.0] * size) @ H
        q = H.T @ ([0.1, -1.0, 0.0] * size)
        sliding_block(W=W, q=q, mu=[0.4] * (size + 1), spacedim=2)(self.folder / "column.hdf5")
        for solver in ("auto", "gauss-seidel", "over-relaxed", "nncg", "admm", "newton", "smoothing"):
            for limit, spent in (("--max-time", "time_s"), ("--max-cpu", "processor_s")):
                with self.subTest(solver=solver, limit=limit):
                    flags = ("--solver", solver, limit, "0.2", "--tolerance", "1e-300")
                    said = json.loads(self.moreau("solve", "column.hdf5", "--json", *flags, status=3))
                    self.assertFalse(said["converged"])
                    self.assertLess(said[spent], 0.3 if limit == "--max-cpu" else 1.0)  # a busy machine may let the program wait


class SolveMistakes(ProgramTest):
    def test_sizes_that_the_file_does_not_hold(self):
        for storage in ("triplets", "rows", "columns"):
            with self.subTest(storage):
                sliding_block(storage)(self.folder / "wrong.hdf5")
                with h5py.File(self.folder / "wrong.hdf5", "r+") as f:
                    f["fclib_local/W/m"][0] = f["fclib_local/W/n"][0] = 600000000
                said = self.refusal("solve", "wrong.hdf5", preexec_fn=little_memory)
                self.assertIn("matrix 'W' is 600000000 x 600000000 where 3 x 3 is expected", said)
        sliding_block()(self.folder / "wrong.hdf5")
        with h5py.File(self.folder / "wrong.hdf5", "r+") as f:
            del f["fclib_local/vectors/q"]
            f.create_dataset("fclib_local/vectors/q", shape=(600000000,), chunks=(1000,), dtype="f8")
        self.assertIn("claims 4800000000 bytes and holds 0", self.refusal("solve", "wrong.hdf5", preexec_fn=little_memory))

    def test_numbers_that_overflow(self):
        with h5py.File(self.folder / "wrong.hdf5", "w") as f:
            g = f.create_group("fclib_global")
            g["spacedim"] = numpy.array([3], dtype="i4")
            write_matrix(g, "M", 2.0 * numpy.eye(3), "triplets")
            write_matrix(g, "H", numpy.diag([1.0, -1e308, 1.0]), "columns")
            g["vectors/f"], g["vectors/w"], g["vectors/mu"] = [-2.0, 6.0, 8.0], [0.0, 0.0, 0.0], [0.5]
        self.assertIn("infinite", self.refusal("solve", "wrong.hdf5", "--diagnose"))

    def test_array_with_a_damaged_size_is_copied_all_the_same(self):
        """The stored size of a contiguous array, its highest byte set: HDF5's own copy dies of it."""
        sliding_block()(self.folder / "damaged.hdf5")
        with h5py.File(self.folder / "damaged.hdf5") as f:
            array = f["fclib_local/W/i"]
            place, size = array.id.get_offset(), int(array.size) * array.dtype.itemsize
        content = bytearray((self.folder / "damaged.hdf5").read_bytes())
        message = place.to_bytes(8, "little") + size.to_bytes(8, "little")
        self.assertEqual(content.count(message), 1)
        content[content.index(message) + 15] = 1
        (self.folder / "damaged.hdf5").write_bytes(content)
        self.moreau("solve", "damaged.hdf5", "--solver", "over-relaxed", "--output", "out.hdf5")
        with h5py.File(self.folder / "out.hdf5") as f:
            numpy.testing.assert_array_equal(f["fclib_local/W/i"][:], [0, 1, 2])

    def test_files_that_are_wrong(self):
        cases = {
            "friction coefficient of contact 0 is -0.5": sliding_block(mu=[-0.5]),
            "matrix 'W' is 3 x 3 where 2 x 2 is expected (the length of q)": sliding_block(q=[1.0, 2.0]),
            "not a finite number": sliding_block(q=[1.0, float("nan"), 2.0]),
            "'spacedim' is 5": sliding_block(spacedim=5),
        }
        for sentence, write in cases.items():
            with self.subTest(sentence):
                write(self.folder / "wrong.hdf5")
                self.assertIn(sentence, self.refusal("solve", "wrong.hdf5"))

    def test_index_outside_the_matrix(self):
        sliding_block()(self.folder / "wrong.hdf5")
        with h5py.File(self.folder / "wrong.hdf5", "r+") as f:
            f["fclib_local/W/i"][1] = 7
        self.assertIn("'W/i' has 7 at place 1, outside 0 .. 2", self.refusal("solve", "wrong.hdf5"))

    def test_what_is_no_problem(self):
        self.write("text.hdf5", "hello")
        self.assertIn("text.hdf5", self.refusal("solve", "text.hdf5"))
        self.assertIn("does not exist", self.refusal("solve", "absent.hdf5"))
        with h5py.File(self.folder / "other.hdf5", "w") as f:
            f["x"] = [1]
        self.assertIn("fclib_local", self.refusal("solve", "other.hdf5"))
        sliding_block()(self.folder / "block.hdf5")
        with h5py.File(self.folder / "block.hdf5", "r+") as f:
            del f["fclib_local/vectors"]
        self.assertIn("'vectors' is missing", self.refusal("solve", "block.hdf5"))


if __name__ == "__main__":
    unittest.main()
