#!/usr/bin/env -S python3 -B
"""sametrack.py [LOG ...] [--jobs N]: one drive twice, through the real gpsd and by replay, is one track.

Each log goes through gpsfake and gpsd into a daemon, and by `tracklogd --replay` into another database. Every fix of
the one must be in the other, at the same time to the millisecond and the same place to the rounding of gpsd's JSON.
Without LOG, all NMEA logs of the corpus beside the checkout; those that gpsd makes nothing of are named and passed
over."""

import argparse
import calendar
import concurrent.futures
import contextlib
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import lab

CORPUS = pathlib.Path(os.environ.get("TRACKLOG_CORPUS", lab.ROOT.parent / "shared/corpus"))
# gpsd's JSON has nine decimals of a degree; we store seven, mm and cm/s.
TOLERANCES = {"lat": 2e-7, "lon": 2e-7, "alt_msl": 0.06, "speed": 0.006, "course": 0.06}


# Seconds from one sentence to the next.
PACE = 0.004
# gpsd moves dates that it takes for rolled over by 1024 weeks.
ERA = 1024 * 7 * 86400


def fixes(database):
    """The first fix of each time, by that time within an era."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as base:
        base.row_factory = sqlite3.Row
        found = {}
        for row in base.execute("SELECT * FROM fixes WHERE time IS NOT NULL ORDER BY sequence"):
            moment = calendar.timegm(time.strptime(row["time"][:19], "%Y-%m-%dT%H:%M:%S"))
            found.setdefault((moment % ERA, row["time"][19:-1].rstrip("0.")), row)
        return found


def replayed(log, folder):
    """The fixes of the log itself."""
    database = folder / "replay.db"
    subprocess.run(
        [lab.BIN / "tracklogd", "--replay", log, "--format", "nmea", "--database", database],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return fixes(database)


def through_gpsd(log, folder, wanted):
    """Plays the log by gpsfake, faster than it was, to a daemon; the fixes that came.

    A log that is played again and again is played until as many fixes as are wanted have come, or for a minute."""
    port = lab.free_port()
    copy = folder / "log.nmea"
    shutil.copy(log, copy)
    # gpsd takes no notice of what comes while it finds out what it has: a short log is played again and again.
    played = log.read_bytes().count(b"\n") * PACE
    once = ["-1"] if played > 20 else []
    # gpsfake does not always end its gpsd: a group of its own leaves nothing over.
    fake = subprocess.Popen(
        ["gpsfake", *once, "-q", "-c", str(PACE), "-o=-b", "-P", str(port), copy],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, cwd=folder)
    try:
        # Dates as the receiver gave them: the log is of no receiver of today.
        settings = ["Source.DateFloor=1995-01-01", "Store.CommitEvery=1s"]
        with lab.Daemon(port, *settings) as daemon:
            end = time.monotonic() + (10 + played * 1.5 if once else max(60, played * 4))
            while fake.poll() is None and time.monotonic() < end:
                time.sleep(1)
                if not once and len(fixes(daemon.database)) >= wanted:
                    break
            daemon.stop()
            return fixes(daemon.database)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(fake.pid, signal.SIGKILL)
        fake.wait()


def differences(ours, gpsd):
    """What gpsd's fixes say otherwise than the log's."""
    begin = next(iter(ours), None)
    for moment, theirs in gpsd.items():
        if moment not in ours:
            yield f"{theirs['time']} is not in the log"
            continue
        row = ours[moment]
        for member, tolerance in TOLERANCES.items():
            if moment == begin and member in ("speed", "course"):
                # Played again, the log's first epoch follows its last one.
                continue
            a, b = row[member], theirs[member]
            if a is not None and b is not None and abs(a - b) > tolerance:
                yield f"{theirs['time']} {member} {a} in the log, {b} by gpsd"


def compare(log):
    with tempfile.TemporaryDirectory(prefix="tracklog-same-") as folder:
        folder = pathlib.Path(folder)
        ours = replayed(log, folder)
        gpsd = through_gpsd(log, folder, len(ours))
        return log, len(ours), len(gpsd), len(gpsd.keys() & ours.keys()), list(differences(ours, gpsd))


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("logs", nargs="*", type=pathlib.Path)
    options.add_argument("--jobs", type=int, default=8)
    chosen = options.parse_args()
    logs = chosen.logs or sorted((CORPUS / "nmea").glob("*.nmea"))
    if not logs:
        print("same track: skipped: no corpus")
        return
    failed = fixes = found = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for log, ours, gpsd, both, wrong in pool.map(compare, logs):
            if not ours or not gpsd:
                who = "the log has no date" if gpsd else "gpsd makes nothing of it"
                print(f"pass {log.stem}: {who}", flush=True)
                continue
            fixes, found, failed = fixes + ours, found + both, failed + bool(wrong)
            verdict = f"FAIL {len(wrong)} differ: {'; '.join(wrong[:3])}" if wrong else "ok"
            print(f"{log.stem}: {ours} fixes, {gpsd} by gpsd, {verdict}", flush=True)
    share = found / max(fixes, 1)
    print(f"same track: {failed} of {len(logs)} logs differ; gpsd reported {share:.1%} of the fixes")
    # What gpsd leaves out while it finds out what it has is the rest.
    sys.exit(1 if failed or share < 0.9 else 0)


if __name__ == "__main__":
    main()
