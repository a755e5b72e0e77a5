"""Discs on a lattice between two pairs of walls that press with the stress 1: the finisher jams them."""


def pressed(count=64, friction=0, plates=False, top="", seed=4, step=0.01, duration=None):
    """`plates`: walls are of a material of their own; `top`: lines before the tables."""
    half = 0.5 * count ** 0.5 + 0.05
    materials = ('[[material]]\nname = "grain"\ndensity = 1.0\n[[material]]\nname = "plate"\ndensity = 1.0\n' if plates
                 else "[material]\ndensity = 1.0\n")
    of_wall, of_grain = ('material = "plate"\n', 'material = "grain"\n') if plates else ("", "")
    end = f"duration = {duration}\n" if duration else ""
    return f"""\
dimension = 2
seed = {seed}
{top}[time]
step = {step}
{end}{materials}[law]
friction = {friction}
[[wall]]
name = "box"
{of_wall}box = {{ min = [-{half}, -{half}], max = [{half}, {half}] }}
[[grains]]
{of_grain}arrangement = "lattice"
count = {count}
diameter = {{ uniform = [0.5, 1.0] }}
[[piston]]
name = "across"
walls = ["box.left", "box.right"]
stress = 1.0
mass = 10.0
[[piston]]
name = "upright"
walls = ["box.bottom", "box.top"]
stress = 1.0
mass = 10.0
"""
