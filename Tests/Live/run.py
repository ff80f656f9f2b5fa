#!/usr/bin/env -S python3 -B
"""run.py [--gate | --all] [--only REGEX] [--jobs N]: the daemon on a live gpsd that lies, breaks, hangs and comes back.

All scenes run side by side, since they mostly wait. Each has its own daemon, gpsd and folder."""

import argparse
import concurrent.futures
import re
import shutil
import sys
import time
import traceback

import clocks
import doctors
import lab
import libraries
import lies
import reals
import tracks
import wires

CASES = {
    name: scene for group in (lies, wires, reals, doctors, clocks, libraries, tracks)
    for name, scene in group.CASES.items()}
LONG = {**wires.LONG, **reals.LONG}
# For every change: each thing that happens to a real gpsd, each way a wire breaks that has a path of its own in the
# program, and one lie of each kind.
GATE = [
    *(name for name in reals.CASES),
    *(f"wire: {mode}" for mode in ("reset", "hang", "corrupt", "truncate", "halfclose", "dead")),
    "wire, drained: reset", "wire, drained: hang",
    *(f"lies: {name}" for name in (
        "teleport", "frozen", "frozen time", "one fix from the future", "fixes of all ages",
        "rolled over", "1970",
        "null island", "NaN", "longer than gpsd's limit, cut", "two receivers", "errors")),
    "clock: 1970 until it is set", "clock: a default date after a cold start", "clock: a year ahead after a cold start",
    "doctor: fixes arrive", "doctor: the receiver is silent", *libraries.CASES,
    *(name for name in doctors.CASES if any(word in name for word in ("not gpsd", "disk is full", "gpsd.socket"))),
]


def play(name, scene):
    begin = time.monotonic()
    try:
        scene()
        return name, None, time.monotonic() - begin
    except lab.Failed as failure:
        return name, str(failure), time.monotonic() - begin
    except Exception:
        return name, traceback.format_exc(limit=-3), time.monotonic() - begin


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--gate", action="store_true", help="what every change must pass")
    options.add_argument("--all", action="store_true", help="also what takes a minute")
    options.add_argument("--only", default=".")
    options.add_argument("--jobs", type=int, default=64)
    chosen = options.parse_args()
    cases = {**CASES, **LONG} if chosen.all else CASES
    if chosen.gate:
        cases = {name: CASES[name] for name in GATE}
    scenes = {n: s for n, s in cases.items() if re.search(chosen.only, n)}
    if not shutil.which("gpsd"):
        sys.exit("live: gpsd is not installed")
    failed, begin = 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for done in concurrent.futures.as_completed(
                [pool.submit(play, *each) for each in scenes.items()]):
            name, failure, taken = done.result()
            if failure:
                failed += 1
                print(f"FAIL {name} ({taken:.0f} s): {failure}", flush=True)
    print(f"live: {len(scenes) - failed} of {len(scenes)} scenes hold,"
          f" {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed or not scenes else 0)


if __name__ == "__main__":
    main()
