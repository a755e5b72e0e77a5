#!/usr/bin/python3
"""A first pile: pour discs on a rough floor, draw it, measure its slope. `--short` pours a few only."""
import argparse

import moreau as mo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--short", action="store_true", help="small and quick")
short = parser.parse_args().short
scene = mo.Scene({
    "title": "a first pile",
    "dimension": 2,
    "seed": 1,
    "gravity": 9.81,
    "time": {"step": 5e-4, "duration": 0.6 if short else 8.0},
    "material": {"density": 2500},
    "law": {"friction": 0.5},
    "floor": {"extent": 0.5, "diameter": {"uniform": [0.008, 0.012]}},
    "source": {"rate": 80, "count": 500, "diameter": {"uniform": [0.008, 0.012]}, "spread": 0.04},
    "output": {"frames": 0.5},
})
print(scene)

run = mo.run(scene, "pile-run", force=True)
mo.draw(run, "pile.png", colour="speed")

frame = run.frames[-1]
height = frame.position[frame.kind == 0, 1].max()
coordination = mo.measure(run, "coordination")
print(f"{len(frame)} bodies, the highest at {100 * height:.1f} cm")
print(coordination)
if not short:
    slope = mo.measure(run, "slope")
    print(f"slope {slope.angle_degrees[0]:.1f} degrees, to {slope.uncertainty_degrees[0]:.1f}")
print(f"energy balance closed to {abs(run.series.energy_error[-1]):.1e} of {run.series.dissipated[-1]:.3g} J dissipated")
