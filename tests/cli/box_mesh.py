"""A box of twelve triangles, open at no side, and files of triangles."""
CORNERS = [(x, y, z) for x in (-3, 3) for y in (-2, 2) for z in (0, 4)]
SIDES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def off(corners, faces):
    """A file in OFF of these corners and triangles."""
    return f"OFF\n{len(corners)} {len(faces)} 0\n" + "".join("%g %g %g\n" % c for c in corners) + "".join("3 %d %d %d\n" % f for f in faces)
