#!/usr/bin/env python3
"""soak.py [--days 30]: simulated days through tracklogd, at 1 Hz and duty-cycled, in fast time.

Resident memory must not drift by 1 MB, descriptors must stay the same, and the database must be as large as
the bytes a fix predict, within a tenth."""

import argparse
import contextlib
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("TRACKLOG_BIN", ROOT / ".build/release"))
# What the page layout promises of an ordinary fix, tables and pages that are not full included.
BYTES_PER_FIX = 47.5
# Cell 6, header 11, clocks 8, words 11 (SQLite file format, section 2.1), as for the fix in StorageTests.
BYTES_PER_CYCLE = 36
EMPTY = 120_000


def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    return None


def soak(name, days, settings):
    with tempfile.TemporaryDirectory() as folder:
        database = pathlib.Path(folder) / "t.db"
        drive = subprocess.Popen(
            [BIN / "make-drive", "--epochs", str(days * 86_400)], stdout=subprocess.PIPE)
        daemon = subprocess.Popen(
            [BIN / "tracklogd", "--replay", "-", "--database", database]
            + [f"--set={s}" for s in settings],
            stdin=drive.stdout, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        drive.stdout.close()
        samples = []
        while daemon.poll() is None:
            with contextlib.suppress(OSError):
                memory = resident(daemon.pid)
                descriptors = len(os.listdir(f"/proc/{daemon.pid}/fd"))
                if memory:
                    samples.append((memory, descriptors))
            time.sleep(0.05)
        errors = daemon.stderr.read().decode()
        drive.wait()
        assert daemon.returncode == 0, errors
        with contextlib.closing(sqlite3.connect(database)) as connection:
            fixes, = connection.execute("SELECT count(*) FROM fix").fetchone()
            detail, = connection.execute("SELECT count(*) FROM detail").fetchone()
            cycles, = connection.execute("SELECT count(*) FROM cycle").fetchone()
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        # What starting takes comes first; a replay's last sample may be of its end.
        samples = samples[len(samples) // 10:-1]
        quarter = max(1, len(samples) // 4)
        drift = max(m for m, _ in samples[-quarter:]) - max(m for m, _ in samples[:quarter])
        size = database.stat().st_size
        predicted = EMPTY + BYTES_PER_FIX * fixes + 25 * detail + BYTES_PER_CYCLE * cycles
        print(f"{name}: {days} days, {fixes} fixes, {size} bytes ({size / predicted:.3f} of what is predicted), "
              f"memory {samples[-1][0]} kB, drift {drift} kB, "
              f"descriptors {sorted({d for _, d in samples})}")
        assert drift < 1024, f"memory drifts by {drift} kB"
        # The end of the log's pipe is closed while the last of it is written.
        first, last = (max(d for _, d in part) for part in (samples[:quarter], samples[-quarter:]))
        assert first == last, f"descriptors change from {first} to {last}"
        assert 0.9 < size / predicted < 1.1, "the size is not as predicted"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=30)
    days = parser.parse_args().days
    soak("1 Hz", days, [])
    soak("every minute", days, ["DutyCycle.Policy=interval", "DutyCycle.Interval=60s"])
    soak("thinned as it is recorded", days, ["Recording.MinimumTime=60s"])


if __name__ == "__main__":
    try:
        main()
    except AssertionError as failure:
        sys.exit(f"soak: {failure}")
