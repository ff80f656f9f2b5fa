#!/usr/bin/env python3
"""powercut.py [--cuts 2000] [--seed 1]: pulls the plug at any call, again and again.

A store records while each write, sync, truncation and removal is written down. For each cut the files are made as
a disk may have them then, each file by itself: what was synced is there; of what came later all, nothing, a part of
the writes or of their sectors in any order, or a last write torn at a sector. Everything acknowledged before the cut must be in the
database, which must be sound; of what was not acknowledged at most a batch may be there; every twentieth goes on
recording.

Why files and not blocks: a file system keeps more order than this does, and a block log needs root, FUSE and a loop
device. Where both were run, below ext4 (as it comes, data=writeback, commit=30, a disk of 16 MB; batches of 1, 10 and
60) 1,557 cuts with lost, reordered and torn blocks lost no acknowledged fix and damaged no database."""

import argparse
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile

import rig

SECTOR = 512
# Fixes a commit: one at a time, the default of ten seconds, a minute.
BATCHES = (1, 10, 60)
MODES = ["all", "none", "part", "sectors", "sectors", "torn"]
COMMITS = 260


def record(folder, batch):
    """Records in three runs, of which one is killed; gives the calls."""
    log = folder / "calls"
    work = folder / "disk"
    work.mkdir()
    surroundings = rig.environment(work, FAULTS_LOG=str(log))
    command = [rig.bench_store(), work / "track.db", str(COMMITS * batch), str(batch),
               f"ack={work}/acks"]
    for run in range(3):
        writer = subprocess.Popen(
            command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if run == 1:
            size = log.stat().st_size
            while log.stat().st_size < size * 1.5 and writer.poll() is None:
                pass
            writer.send_signal(signal.SIGKILL)
        writer.wait()
        mend(log)
    return [call for call, _ in read(log)]


def read(log):
    """The calls of a log, each with where its bytes begin."""
    with open(log, "rb") as file:
        while len(header := file.read(24)) == 24:
            kind, length, offset, size = struct.unpack("<IIQQ", header)
            path = file.read(length).decode()
            kind, begin = chr(kind), file.tell()
            data = file.read(size) if kind in "WR" else b""
            yield (kind, pathlib.Path(path).name, offset, data, size), (begin, path)


def mend(log):
    """Completes the record in which a kill has cut the log: what it tells was done before it was written down."""
    for (kind, _, offset, data, size), (begin, path) in list(read(log)):
        if kind == "W" and len(data) < size:
            with open(path, "rb") as real, open(log, "r+b") as file:
                real.seek(offset)
                file.seek(begin)
                file.write(real.read(size))


class File:
    """A file as the disk has it, and what was asked of it since its last sync."""

    def __init__(self):
        self.durable, self.exists, self.pending = bytearray(), False, []

    def apply(self, call, data):
        kind, _, offset, _, _ = call
        if kind == "T":
            del data[offset:]
            data.extend(bytes(offset - len(data)))
        else:
            data.extend(bytes(max(0, offset - len(data))))
            data[offset:offset + len(call[3])] = call[3]

    def settle(self):
        for call in self.pending:
            self.apply(call, self.durable)
        self.pending, self.exists = [], True

    def after_cut(self, chance, mode):
        """Its bytes, None when there is no such file."""
        if mode == "none":
            return self.durable if self.exists else None
        left = list(self.pending)
        if mode == "sectors":
            left = list(sectors(left))
        if mode in ("part", "sectors"):
            left = [call for call in left if chance.random() < 0.5]
            chance.shuffle(left)
        if not self.exists and not left and chance.random() < 0.5:
            return None
        data = bytearray(self.durable)
        for number, call in enumerate(left):
            if mode == "torn" and number == len(left) - 1 and call[0] == "W":
                whole = len(call[3]) // SECTOR
                call = (*call[:3], call[3][:SECTOR * chance.randrange(whole + 1)], 0)
            self.apply(call, data)
        return data


def sectors(calls):
    """The same calls, each write cut where a sector ends: a disk takes sectors, in the order it likes."""
    for kind, name, offset, data, size in calls:
        if kind != "W":
            yield kind, name, offset, data, size
            continue
        start = 0
        while start < len(data):
            end = min(len(data), (offset + start) // SECTOR * SECTOR + SECTOR - offset)
            yield kind, name, offset + start, data[start:end], 0
            start = end


class Disk:
    def __init__(self):
        self.files, self.acks = {}, b""

    def take(self, call):
        kind, name, _, data, _ = call
        if name == "acks":
            if kind == "W":
                self.acks += data
            return
        if kind == "U":
            # Gone or not after a cut; that it is here still must do no harm either.
            self.files.pop(name, None)
        elif kind == "R":
            self.files[pathlib.Path(data.decode()).name] = self.files.pop(name, File())
        elif kind == "O":
            self.files.setdefault(name, File())
        elif kind == "S":
            if name in self.files:
                self.files[name].settle()
        else:
            self.files.setdefault(name, File()).pending.append(call)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    done = 0
    with tempfile.TemporaryDirectory() as name:
        for batch in BATCHES:
            folder = pathlib.Path(name) / str(batch)
            folder.mkdir()
            calls = record(folder, batch)
            count = options.cuts // len(BATCHES) + (batch == BATCHES[0]) * (options.cuts % len(BATCHES))
            cuts = sorted(chance.choices(range(1, len(calls) + 1), k=count))
            disk, taken = Disk(), 0
            for cut in cuts:
                while taken < cut:
                    disk.take(calls[taken])
                    taken += 1
                modes = {}
                trial = folder / "trial"
                trial.mkdir(exist_ok=True)
                for leftover in trial.iterdir():
                    leftover.unlink()
                for file, content in disk.files.items():
                    modes[file] = chance.choice(MODES)
                    data = content.after_cut(chance, modes[file])
                    # The shared memory file is made anew at every start of a machine.
                    if data is not None and not file.endswith(("-shm", ".lock")):
                        (trial / file).write_bytes(data)
                acks = rig.acknowledged(disk.acks)
                where = f"powercut: cut {cut} of {len(calls)} calls, batch {batch}, {modes}, " \
                        f"seed {options.seed}"
                database = trial / "track.db"
                empty = database.exists() and database.stat().st_size == 0
                wrong = rig.whats_wrong(database, acks) if not empty or acks else None
                if wrong:
                    sys.exit(f"{where}: {wrong}")
                if database.exists() and not empty:
                    with rig.connect(database) as base:
                        has = base.execute(
                            "SELECT 1 FROM sqlite_schema WHERE name = 'fix'").fetchone()
                        newest = base.execute(
                            "SELECT max(sequence) FROM fix").fetchone()[0] if has else 0
                    if (newest or 0) > max(acks, default=0) + 2 * batch:
                        sys.exit(f"{where}: {newest} is stored, {max(acks, default=0)} acknowledged")
                done += 1
                if done % 20 == 0:
                    again = subprocess.run(
                        [rig.bench_store(), database, "20", "10", f"ack={trial}/acks"],
                        capture_output=True, text=True)
                    more = rig.acknowledged((trial / "acks").read_bytes())
                    if again.returncode or not more:
                        sys.exit(f"{where}: it does not record again: {again.stdout}")
                    wrong = rig.whats_wrong(database, acks | more)
                    if wrong:
                        sys.exit(f"{where}: after recording again: {wrong}")
    print(f"powercut: {done} cuts, no acknowledged fix lost, no database damaged")


if __name__ == "__main__":
    main()
