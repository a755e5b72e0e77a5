#!/usr/bin/env python3
"""The estimate of the error of a step against the true one, on the population of tests/certificate: table and scatter plot.

    bench/certificate.py [--test build/tests/test_certificate] [--csv bench/results/certificate.csv] [--picture docs/pictures/certificate.png]

With --test the population is computed anew (a minute or two); without, the CSV is drawn as it is.
"""
import argparse, collections, csv, os, pathlib, subprocess
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--test")
parser.add_argument("--csv", default=ROOT / "bench/results/certificate.csv")
parser.add_argument("--picture", default=ROOT / "docs/pictures/certificate.png")
options = parser.parse_args()

if options.test:
    subprocess.run([options.test, "--gtest_filter=ErrorEstimate.*"], env=os.environ | {"MOREAU_POPULATION": str(options.csv)}, check=True)

with open(options.csv) as file:
    rows = list(csv.DictReader(file))
kinds = collections.defaultdict(list)
for row in rows:
    kinds[row["kind"]].append([float(row[name]) for name in ("error", "estimate", "body_error", "body_estimate")])
kinds = {name: np.array(values) for name, values in sorted(kinds.items())}


def line(name, values):
    ratio, body = values[:, 1] / values[:, 0], values[:, 3] / values[:, 2]
    print(f"| {name} | {len(values)} | {ratio.min():.2g} | {np.median(ratio):.2f} | {np.quantile(ratio, 0.99):.2g} | {(ratio < 1 / 3).sum()} "
          f"| {body.min():.2g} | {np.median(body):.2f} | {np.quantile(body, 0.99):.2g} | {(body < 1 / 3).sum()} |")


print("| | iterates | least | median | 99 % | below a third | body: least | median | 99 % | below a third |\n|" + "---|" * 10)
for name, values in kinds.items():
    line(name, values)
line("all", np.concatenate(list(kinds.values())))

figure, axes = plt.subplots(1, 2, figsize=(11, 5.2), sharey=True)
for axis, first, title in ((axes[0], 0, "whole step: error"), (axes[1], 2, "worst body: body_error")):
    for k, (name, values) in enumerate(kinds.items()):
        axis.loglog(values[:, first], values[:, first + 1], "osD^v<>"[k % 7], ms=3, alpha=0.6, color=plt.cm.tab20(k % 20), label=name)
    ends = np.array([5e-5, 2e2])
    axis.loglog(ends, ends, "k-", lw=0.8), axis.loglog(ends, ends / 3, "k--", lw=0.8)
    axis.set(xlim=ends, ylim=(5e-6, 1e4), title=title, xlabel="true error, in units of what a step brings")
axes[0].set_ylabel("estimate (solid: equal, dashed: a third)")
axes[1].legend(fontsize=7, loc="upper left", ncol=2)
figure.tight_layout()
figure.savefig(options.picture, dpi=110)
