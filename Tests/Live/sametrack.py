#!/usr/bin/env -S python3 -B
"""sametrack.py [LOG ...] [--jobs N]: one drive twice, through the real gpsd and by replay, is one track.

Each log goes through gpsfake and gpsd into a daemon, and by `tracklogd --replay` into another database. Every fix of
the one must be in the other, at the same time to the millisecond and the same place to the rounding of gpsd's JSON;
those of a log without dates must have the same places. Where gpsd and we differ the reason stands beside the log's
name. Without LOG, all NMEA logs of the corpus beside the checkout."""

import argparse
import calendar
import concurrent.futures
import contextlib
import os
import pathlib
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
PLACE = ("lat", "lon")
# What may differ (members; "missing": gpsd has no such fix; "more": only gpsd has it) and why.
KNOWN = {
    "B014": (("more",), "gpsd admits a sentence without a checksum among others that have one"),
    "B018": (("missing",), "gpsd does not cut lines at a bare CR"),
    "B019": (("missing",), "gpsd finds no sentence behind a line of 20,000 bytes"),
    "B020": (("missing",), "gpsd waits for the end of what looks like a UBX frame"),
    "B050": (PLACE, "of a leap second and the second after it, which have one time, gpsd tells the last"),
    "gpsbabel-backfilldate2": (
        ("missing", "more"), "its only date comes at the end: played again, it is the next night's for gpsd"),
    "gpsbabel-utf16": (("missing",), "gpsd does not read UTF-16"),
    "gpsd-GPSmap-76S": (("missing",), "simulated; kept here as estimated, passed over by gpsd"),
    "gpsd-beidou-gb": (("speed",), "gpsd makes a speed of its only two places before the RMC comes"),
    "gpsd-ch-4701": (PLACE, "RMC and GGA of a time are 10 cm apart; gpsd tells of either"),
    "gpsd-garmin-10x": (("missing",), "dead reckoning with a void RMC; kept here as estimated"),
    "gpsd-rst39": (("speed",), "gpsd makes a speed of two places for the GGA before each RMC"),
    "gpsd-tcp-test": (PLACE, "gpsd goes by the RMC, which has a decimal less than the GGA"),
    "kotlin-gps76": (("missing",), "gpsd does not cut lines at a bare CR"),
    "opencpn-stupan": ((*PLACE, "more", "missing"), "its RMC have no time: gpsd adds that of the ZDA before or behind"),
    "pygnss-rtcm3mix": (("more",), "gpsd reads the UBX between the sentences too"),
    "pynmea-nmea4": (PLACE, "its RMC is a hundred degrees off its GGA; gpsd tells of the RMC first"),
    "signalk-gofree": (("speed",), "a VTG, which has no time, says otherwise than the RMC before it"),
}

# Seconds from one sentence to the next.
PACE = 0.004
# gpsd moves dates that it takes for rolled over by 1024 weeks.
ERA = 1024 * 7 * 86400


def fixes(database):
    """The first fix of each time, by that time within an era, and the places of those without one."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as base:
        base.row_factory = sqlite3.Row
        found, places = {}, set()
        for row in base.execute("SELECT * FROM fixes ORDER BY sequence"):
            if row["time"] is None:
                places.add((round(row["lat"] * 1e6), round(row["lon"] * 1e6)))
                continue
            moment = calendar.timegm(time.strptime(row["time"][:19], "%Y-%m-%dT%H:%M:%S"))
            found.setdefault((moment % ERA, row["time"][19:-1].rstrip("0.")), row)
        return found, places


def replayed(log, folder):
    """The fixes of the log itself."""
    database = folder / "replay.db"
    subprocess.run(
        [lab.BIN / "tracklogd", "--replay", log, "--format", "nmea", "--database", database],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return fixes(database)


def is_long(log):
    """Whether it is played once: gpsd takes no notice of what comes while it finds out what it has."""
    return log.read_bytes().count(b"\n") * PACE > 20


def through_gpsd(log, folder, wanted):
    """Plays the log by gpsfake, faster than it was, to a daemon; the fixes that came.

    A short log is played again and again until all fixes that are wanted have come, or for half a minute."""
    port = lab.free_port()
    played = log.read_bytes().count(b"\n") * PACE
    once = ["-1"] if is_long(log) else []
    # gpsfake does not always end its gpsd: a group of its own leaves nothing over.
    fake = subprocess.Popen(
        ["gpsfake", *once, "-q", "-c", str(PACE), "-o=-b", "-P", str(port), log],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, cwd=folder)
    try:
        # Dates as the receiver gave them: the log is of no receiver of today.
        settings = ["Source.DateFloor=1995-01-01", "Store.CommitEvery=1s"]
        with lab.Daemon(port, *settings) as daemon:
            end = time.monotonic() + (10 + played * 1.5 if once else max(30, played * 4))
            while fake.poll() is None and time.monotonic() < end:
                time.sleep(1)
                if not once:
                    found, places = fixes(daemon.database)
                    if wanted[0].keys() <= found.keys() and wanted[1] <= places:
                        break
            daemon.stop()
            return fixes(daemon.database)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(fake.pid, signal.SIGKILL)
        fake.wait()


def differences(ours, gpsd, isLong):
    """What gpsd's fixes say otherwise than the log's: of when, which member and how."""
    (ours, places), (gpsd, others) = ours, gpsd
    for moment, theirs in gpsd.items():
        if moment not in ours:
            yield moment, "more", f"{theirs['time']} is not in the log"
            continue
        row = ours[moment]
        for member, tolerance in TOLERANCES.items():
            a, b = row[member], theirs[member]
            if a is not None and b is not None and abs(a - b) > tolerance:
                yield moment, member, f"{theirs['time']} {member} {a} in the log, {b} by gpsd"
    moments = list(ours)
    if isLong:
        # Not until gpsd knows what it has, nor what it leaves unsaid at the end.
        begin = next((i for i, moment in enumerate(moments) if moment in gpsd), len(moments))
        moments = moments[begin if begin < 0.1 * len(moments) else 0:-1]
    for moment in moments:
        if moment not in gpsd:
            yield moment, "missing", f"{ours[moment]['time']} is not by gpsd"
    known = places | {(round(row["lat"] * 1e6), round(row["lon"] * 1e6)) for row in ours.values()}
    for place in others - known:
        yield place, "more", f"{place} without a time is not in the log"
    unseen = places - others
    if len(unseen) > (0.1 * len(places) if isLong else 0):
        yield "places", "missing", f"{len(unseen)} of {len(places)} places without a time are not by gpsd"


def compare(log):
    with tempfile.TemporaryDirectory(prefix="tracklog-same-") as folder:
        folder = pathlib.Path(folder)
        isLong = is_long(log)
        # The stream that gpsd gets: the sentences at the log's begin follow those at its end.
        copy, stream = folder / "log.nmea", folder / "stream.nmea"
        shutil.copy(log, copy)
        stream.write_bytes(log.read_bytes() * (1 if isLong else 2))
        ours = replayed(stream, folder)
        admitted, wrong = KNOWN.get(log.stem, ((), ""))[0], {}
        # What differs twice: whose sentence came too late once, on a busy machine, is in time the next time.
        for again in range(2):
            gpsd = through_gpsd(copy, folder, ours)
            found = {each[:2]: each[2] for each in differences(ours, gpsd, isLong)}
            wrong = {each: text for each, text in found.items() if not again or each in wrong}
            if all(what in admitted for _, what in wrong):
                break
        return log, ours, gpsd, [text for (_, what), text in wrong.items() if what not in admitted], len(wrong)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("logs", nargs="*", type=pathlib.Path)
    options.add_argument("--jobs", type=int, default=8)
    chosen = options.parse_args()
    logs = chosen.logs or sorted((*(CORPUS / "nmea").glob("*.nmea"), *(CORPUS / "bugs").glob("*.nmea")))
    if not logs:
        print("same track: skipped: no corpus")
        return
    failed = fixes = found = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for log, ours, gpsd, wrong, differing in pool.map(compare, logs):
            counts = [len(moments) + len(places) for moments, places in (ours, gpsd)]
            fixes, found = fixes + counts[0], found + len(ours[0].keys() & gpsd[0].keys()) + len(ours[1] & gpsd[1])
            failed += bool(wrong)
            verdict = f"FAIL {len(wrong)} differ: {'; '.join(wrong[:3])}" if wrong else \
                f"{differing} differ: {KNOWN[log.stem][1]}" if differing else "ok"
            print(f"{log.stem}: {counts[0]} fixes, {counts[1]} by gpsd, {verdict}", flush=True)
    print(f"same track: {failed} of {len(logs)} logs differ without a known reason;"
          f" gpsd reported {found / max(fixes, 1):.1%} of the fixes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
