#!/usr/bin/env python3
"""killstorm.py [--kills 1000] [--seed 1]: SIGKILLs tracklogd during a replay, again and again.

After each kill: every fix that the daemon had called durable is in the database, the database is sound,
and what is there is a beginning of the right answer; the next one records within a second. Some begin with a
database of schema 1, some commit each fix. After every tenth, the log is replayed again into what was left and the
database must hold exactly the rows of a replay that nobody disturbed. Every fourth kill is one of keepstorm.py: of
sealing, thinning, removal, migration and checkpoints."""

import argparse
import contextlib
import json
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

import keepstorm
import rig

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / ".build/release"
LOG = ROOT / "Tests/Fixtures/drive.nmea.gz"
# The track: its fixes, segments and gaps, the receiver's cycles.
TABLES = ["fix", "detail", "segment", "gap", "cycle"]
# When and where the daemon ran differs between any two runs, and what an older version did not write is not in its
# rows; all else must be alike.
RUN_COLUMNS = {"run", "run_id", "boot_id", "boot_ms", "recorded_boot", "recorded_ms", "lever", "start", "heard"}


def rows(database, table="fix"):
    """Every row of a table, without the columns that say when and where it was recorded."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        names = [c[1] for c in connection.execute(f"PRAGMA table_info({table})")]
        # A kill may come before the tables are made.
        if not names:
            return []
        kept = ",".join(n for n in names if n not in RUN_COLUMNS)
        return connection.execute(f"SELECT {kept} FROM {table} ORDER BY rowid").fetchall()


def is_sound(database):
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def durable(path):
    """The last fix the daemon calls durable, None when it does not answer (any more)."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
            client.sendall(b"status\n")
            line = client.makefile().readline()
        except OSError:
            return None
        return json.loads(line)["result"]["store"]["durable_sequence"] if line else None


def start(database, *options):
    return subprocess.Popen(
        [BIN / "tracklogd", "--replay", LOG, "--database", database, *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def complete(database):
    daemon = start(database)
    said = daemon.communicate()[1]
    if daemon.returncode:
        sys.exit(f"killstorm: a replay failed with {daemon.returncode}: {said.decode()}")


def kill_once(folder, database, chance, times):
    """Kills one replay at a random moment; returns the last fix known to be durable."""
    path = folder / "s"
    path.unlink(missing_ok=True)
    begin = time.monotonic()
    count = chance.choice([1, 5, 50])
    daemon = start(
        database, "--speed", "3600", "--socket", path, "--set", f"Store.CommitCount={count}")
    end = begin + chance.choice([chance.uniform(0.003, 0.1), chance.uniform(0.005, 1.2)])
    acknowledged = 0
    while time.monotonic() < end and daemon.poll() is None:
        known = durable(path)
        if known is not None and not acknowledged:
            times.append(time.monotonic() - begin)
        acknowledged = known or acknowledged
        time.sleep(0.002)
    daemon.send_signal(signal.SIGKILL)
    daemon.communicate()
    return acknowledged


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    acknowledged_in_all = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        complete(folder / "right.db")
        all_right = {table: rows(folder / "right.db", table) for table in TABLES}
        right = all_right["fix"]
        database = folder / "track.db"
        shutil.copy(folder / "right.db", folder / "old.db")
        rig.make_old(folder / "old.db")
        times = []
        keeping = keepstorm.storm(options.kills // 4, options.seed)
        replays = options.kills - options.kills // 4
        for number in range(1, replays + 1):
            if number % 10 == 5:
                for leftover in folder.glob("track.db*"):
                    leftover.unlink()
                shutil.copy(folder / "old.db", database)
            acknowledged = kill_once(folder, database, chance, times)
            acknowledged_in_all += acknowledged
            where = f"killstorm: kill {number} (seed {options.seed})"
            if not database.exists():
                continue
            if not is_sound(database):
                sys.exit(f"{where}: the database is damaged")
            there = rows(database)
            if len(there) < acknowledged:
                sys.exit(f"{where}: {acknowledged} fixes were durable, {len(there)} are there")
            if there != right[:len(there)]:
                sys.exit(f"{where}: the rows differ from an undisturbed replay")
            if number % 10 == 0 or number == replays:
                complete(database)
                for table, wanted in all_right.items():
                    if rows(database, table) != wanted:
                        sys.exit(f"{where}: the replay after it gives other rows of {table}")
                for leftover in folder.glob("track.db*"):
                    leftover.unlink()
    if acknowledged_in_all == 0:
        sys.exit("killstorm: no fix was ever called durable before a kill; nothing was tested")
    times.sort()
    print(f"killstorm: {options.kills} kills, no acknowledged fix lost, no database damaged, recording "
          f"again after {times[len(times) // 2] * 1000:.0f} ms, {times[-1] * 1000:.0f} ms at most; of them during "
          + ", ".join(f"{what} {count}" for what, count in keeping.items()))
    if times[-1] > 1:
        sys.exit("killstorm: recording again took longer than a second")


if __name__ == "__main__":
    main()
