#!/usr/bin/env -S python3 -B
"""run.py [--all] [--only REGEX] [--jobs N]: the daemon on a live gpsd that lies, breaks, hangs and comes back.

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
import lies
import reals
import tracks
import wires

CASES = {
    name: scene for group in (lies, wires, reals, doctors, clocks, tracks)
    for name, scene in group.CASES.items()}
LONG = {**wires.LONG, **reals.LONG}

# What a machine's own group and load decide as well.
for name in ["doctor: fixes arrive", "the receiver is silent, then blind"]:
    LONG[name] = CASES.pop(name)


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
    options.add_argument("--all", action="store_true", help="also what takes a minute")
    options.add_argument("--only", default=".")
    options.add_argument("--jobs", type=int, default=64)
    chosen = options.parse_args()
    cases = {**CASES, **LONG} if chosen.all else CASES
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
