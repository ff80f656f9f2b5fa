#!/usr/bin/env python3
"""keepstorm.py [--kills 250] [--seed 1]: kills what changes a database at any of its calls, again and again.

Sealing, thinning, removal by number and by age, `tracklog forget`, the migration from schema 1 and checkpoints each
run until a chosen write or sync, where SIGKILL comes instead. After each kill the database must be sound and its sums
right, nothing may be missing that was not to go, and doing it again must give what an undisturbed run gives."""

import argparse
import json
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import rig

FIXES = 13_000
CHECKPOINT_FIXES = 200


def commands(database, acks):
    """What is killed, by name."""
    store = str(rig.bench_store())
    return {
        "sealing": [store, database, "keep", "seal"],
        "thinning": [store, database, "keep", "thin"],
        "removal by number": [store, database, "keep", f"rows={FIXES // 2}"],
        "removal by age": [store, database, "keep", f"age={FIXES // 3}"],
        "forget": [rig.BIN / "tracklog", "forget", "--yes", "--database", database, "--until",
                   "2025-03-28T07:00:00Z", "--socket", f"{database}.socket"],
        "migration": [store, database, "keep", "rows=1000000000"],
        "checkpoint": [store, database, str(CHECKPOINT_FIXES), "1", f"ack={acks}", "pages=4"],
    }


def rows(database):
    """Every fix by its number, as the tool tells it, but for the segment, whose number a removal may change."""
    said = subprocess.run(
        [rig.BIN / "tracklog", "list", "--json", "--all", "--database", database],
        capture_output=True, text=True)
    if said.returncode:
        return said.stderr
    found = {}
    for line in said.stdout.splitlines():
        fix = json.loads(line)
        fix.pop("segment", None)
        found[fix["sequence"]] = fix
    return found


def calls(log):
    """How many writes and syncs were written down."""
    count = {"write": 0, "sync": 0}
    with open(log, "rb") as file:
        while header := file.read(24):
            kind, length, _, size = struct.unpack("<IIQQ", header)
            file.seek(length + (size if chr(kind) in "WR" else 0), 1)
            if chr(kind) in "WTS":
                count["sync" if chr(kind) == "S" else "write"] += 1
    return count


def whats_wrong(name, database, before, after, acks):
    """Why what the kill left is not what it may leave, None when it is."""
    check = subprocess.run(
        [rig.BIN / "tracklog", "db", "check", database], capture_output=True, text=True)
    if check.returncode:
        return f"db check: {check.stdout}{check.stderr}"
    there = rows(database)
    if isinstance(there, str):
        return there
    if name == "checkpoint":
        lost = rig.acknowledged(acks.read_bytes()) - there.keys()
        return f"{len(lost)} acknowledged fixes are lost" if lost else None
    for number, fix in there.items():
        if before.get(number) != fix:
            return f"fix {number} is not what it was"
    lost = after.keys() - there.keys()
    return f"{len(lost)} fixes are missing, the first is {min(lost)}" if lost else None


def storm(kills, seed):
    """Gives how many kills there were by name; ends the program at the first that did harm."""
    chance = random.Random(seed)
    done = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        disk, acks = folder / "disk", folder / "acks"
        disk.mkdir()
        database = disk / "track.db"
        whole, old = folder / "whole.db", folder / "old.db"
        subprocess.run(
            [rig.bench_store(), whole, str(FIXES), "1000"], check=True, stdout=subprocess.DEVNULL)
        shutil.copy(whole, old)
        rig.make_old(old)
        before = rows(whole)
        all_commands = commands(database, acks)

        def begin(what):
            for leftover in disk.iterdir():
                leftover.unlink()
            acks.write_bytes(b"")
            shutil.copy(old if what == "migration" else whole, database)

        def run(what, **faults):
            return subprocess.run(
                all_commands[what], env=rig.environment(disk, **faults), stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True)

        right, points = {}, {}
        for what in all_commands:
            log = folder / "calls"
            log.unlink(missing_ok=True)
            begin(what)
            undisturbed = run(what, FAULTS_LOG=str(log))
            if undisturbed.returncode:
                sys.exit(f"keepstorm: {what} fails: {undisturbed.stderr}")
            right[what], points[what] = rows(database), calls(log)
            if (right[what] == before) != (what in ("sealing", "migration")):
                sys.exit(f"keepstorm: {what} does not do what it is for")
        for number in range(kills):
            what = list(all_commands)[number % len(all_commands)]
            operation = chance.choice(["write", "sync"])
            point = chance.randrange(points[what][operation])
            where = f"keepstorm: {what} killed at {operation} {point} of {points[what][operation]}"
            begin(what)
            killed = run(what, FAULTS_FAIL=f"{operation}:0:{point}:1")
            if killed.returncode != -9:
                sys.exit(f"{where}: it ended with {killed.returncode}: {killed.stderr}")
            wrong = whats_wrong(what, database, before, right[what], acks)
            if wrong:
                sys.exit(f"{where}: {wrong}")
            again = run(what)
            if again.returncode:
                sys.exit(f"{where}: it fails the second time: {again.stderr}")
            wrong = whats_wrong(what, database, before, right[what], acks)
            if wrong or what != "checkpoint" and rows(database) != right[what]:
                sys.exit(f"{where}: {wrong or 'the second time it gives something else'}")
            done[what] = done.get(what, 0) + 1
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    done = storm(options.kills, options.seed)
    print("keepstorm: " + ", ".join(f"{what} {count}" for what, count in done.items())
          + " kills, no fix lost, every database sound")


if __name__ == "__main__":
    main()
