#!/usr/bin/env python3
"""Times `tracklog convert` against the Python libraries people convert with.

Usage: compare.py TRACKLOG [POINTS]

Needs `pip install eviltransform coord-convert` (versions 0.1.1 and 0.2.1 were measured). Everyone reads
the same lines "lat lon" in GCJ-02 and writes WGS 84. Prints seconds of processor time, times, and how far the answers
are from the exact inverse; exits with 1 when tracklog is not 20 times as fast as each.
"""
import random
import resource
import subprocess
import sys
import tempfile
import time

import eviltransform
from coord_convert import transform

tracklog = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
random.seed(1)
lines = [f"{random.uniform(25, 39):.6f} {random.uniform(101, 116):.6f}\n" for _ in range(count)]


def swapped(latitude, longitude):
    longitude, latitude = transform.gcj2wgs(longitude, latitude)
    return latitude, longitude


def by_library(function, share):
    """The least seconds for all lines of three runs, taken from a share of them, and the answers for those."""
    some = lines[: max(1, int(count * share))]
    least = float("inf")
    for _ in range(3):
        start = time.process_time()
        out = []
        for line in some:
            latitude, longitude = line.split()
            out.append("%.9f %.9f\n" % function(float(latitude), float(longitude)))
        "".join(out)
        least = min(least, time.process_time() - start)
    return least * count / len(some), out


def by_tracklog(source, target):
    """The least seconds of three runs, starting up, reading and writing included."""
    least = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [tracklog, "convert", "--from", "gcj02", "--to", "wgs84", source, "-o", target], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(
            least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least


with tempfile.NamedTemporaryFile("w") as file, tempfile.NamedTemporaryFile("r") as result:
    file.writelines(lines)
    file.flush()
    ours = by_tracklog(file.name, result.name)
    with open(result.name) as written:
        exact = written.readlines()
assert len(exact) == count
print(f"{ours:8.2f} s        tracklog convert, {count} points")

is_fast = True
for name, function, share in [
    # One step, metres off: not the same work, yet what people take.
    ("eviltransform gcj2wgs", eviltransform.gcj2wgs, 1),
    # Minutes for a million.
    ("eviltransform gcj2wgs_exact", eviltransform.gcj2wgs_exact, 0.01),
    ("coord-convert gcj2wgs", swapped, 0.1),
]:
    seconds, out = by_library(function, share)
    worst = 0
    for a, b in zip(out, exact):
        worst = max(worst, *(abs(float(x) - float(y)) for x, y in zip(a.split(), b.split())))
    is_fast = is_fast and seconds >= 20 * ours
    print(f"{seconds:8.2f} s  {seconds / ours:5.1f}x  {name}, off by {worst * 111_320:.4f} m at worst")
sys.exit(0 if is_fast else 1)
