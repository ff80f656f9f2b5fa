#!/usr/bin/env python3
"""errors.py [--points 0]: lets each write and each sync fail, once and for ever, with EIO, ENOSPC and EROFS.

Run 1 fails at the first call, run 2 at the second, and so on until a run has no call left to fail; with --points only
that many, spread over all. Nothing may be acknowledged that is not stored, and what failed once must be stored in the
end without a restart."""

import argparse
import errno
import pathlib
import subprocess
import sys
import tempfile

import rig

# Enough for a chunk's end, and for some checkpoints.
FIXES, BATCH, PAGES = 1200, 40, 30


def run(folder, operation, code, after, count):
    """One run with a failing call; gives whether it was met, the acknowledged fixes and the exit status."""
    for leftover in folder.iterdir():
        leftover.unlink()
    hit = folder / "hit"
    acks = folder.parent / "acks"
    acks.write_bytes(b"")
    done = subprocess.run(
        [rig.bench_store(), folder / "track.db", str(FIXES), str(BATCH), f"ack={acks}",
         f"pages={PAGES}"],
        env=rig.environment(
            folder, FAULTS_FAIL=f"{operation}:{code}:{after}:{count}", FAULTS_HIT=str(hit)),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    met = hit.exists()
    return met, rig.acknowledged(acks.read_bytes()), done.returncode


def calls(folder, operation):
    """How many such calls an undisturbed run makes, found by halving."""
    low, high = 0, 1
    while run(folder, operation, errno.EIO, high, 1)[0]:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if run(folder, operation, errno.EIO, middle, 1)[0]:
            low = middle
        else:
            high = middle
    return high


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=0)
    options = parser.parse_args()
    done = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "disk"
        folder.mkdir()
        cases = []
        for operation in ("write", "sync"):
            for point in range(calls(folder, operation)):
                for code in (errno.EIO, errno.ENOSPC, errno.EROFS):
                    cases += [(operation, code, point, 1), (operation, code, point, 0)]
        if options.points:
            cases = cases[::max(1, len(cases) // options.points)][:options.points]
        for operation, code, point, count in cases:
            met, acks, status = run(folder, operation, code, point, count)
            often = "once" if count else "for ever"
            where = f"errors: {operation} {point} fails {often} with {errno.errorcode[code]}"
            if not met:
                sys.exit(f"{where}: the call was not made")
            wrong = rig.whats_wrong(folder / "track.db", acks)
            if wrong:
                sys.exit(f"{where}: {wrong}")
            if count and max(acks, default=0) < FIXES:
                sys.exit(f"{where}: ended with {status}, acknowledged up to {max(acks, default=0)}")
            done += 1
    print(f"errors: {done} failing calls, nothing acknowledged that is not stored")


if __name__ == "__main__":
    main()
