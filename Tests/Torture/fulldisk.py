#!/usr/bin/env python3
"""fulldisk.py [--seconds 60]: fills the disk under a daemon that records, and frees it again.

On a file system of its own, in a mount namespace that goes away with this script: full while it runs, full at the
start, without inodes at the start, while old fixes are removed, during `tracklog export` and `tracklog db vacuum`. The
daemon must go on and answer, hold 8 MB more at most, store again within 5 s of there being room, and have lost
nothing."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Live"))
import lab
import rig


def fill(folder):
    """Takes all the room there is."""
    ballast = folder / "ballast"
    with open(ballast, "ab", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    return ballast


def durable(daemon):
    return daemon.ask("status")["store"]["durable_sequence"]


def is_failing(daemon):
    return daemon.ask("status")["store"]["state"] != "ok"


def expect_whole(daemon, where):
    """Every fix since the first stored one is there, in order, and the file is sound."""
    daemon.ask("flush")
    numbers = [row["sequence"] for row in daemon.fixes()]
    lab.check(numbers == list(range(numbers[0], numbers[0] + len(numbers))), f"{where}: fixes are lost")
    wrong = rig.whats_wrong(daemon.database, set())
    lab.check(wrong is None, f"{where}: {wrong}")


def outlives(daemon, folder, seconds, where):
    """Full for a while, then freed; says how soon it stores again and how much memory it took."""
    before = daemon.resident()
    ballast = fill(folder)
    lab.until(lambda: is_failing(daemon), 30, f"{where}: it says that the disk is full")
    end, most = time.monotonic() + seconds, before
    while time.monotonic() < end or not is_failing(daemon):
        most = max(most, daemon.resident())
        # What it gives back of its journal is taken too.
        fill(folder)
        time.sleep(0.1)
    stored = durable(daemon)
    ballast.unlink()
    taken = lab.until(lambda: durable(daemon) > stored, 6, f"{where}: it stores again")
    grown = (most - before) / 1024
    lab.check(taken <= 5, f"{where}: stored again after {taken:.1f} s")
    lab.check(grown <= 8, f"{where}: {grown:.1f} MiB more")
    expect_whole(daemon, where)
    return taken, grown


def begins(daemon, folder, full, free, where):
    """Starts it on a disk without room; it records into memory until there is some."""
    daemon.stop()
    for leftover in folder.glob("track.db*"):
        leftover.unlink()
    full()
    daemon.start()
    lab.check(is_failing(daemon), f"{where}: it says what is wrong")
    daemon.records(10, more=5)
    free()
    taken = lab.until(lambda: durable(daemon) > 5, 6, f"{where}: it stores")
    expect_whole(daemon, where)
    return taken


def removes(daemon, folder):
    """Fills the disk while old fixes go; when there is room again they go to the last, and only they."""
    daemon.stop()
    for leftover in folder.glob("track.db*"):
        leftover.unlink()
    subprocess.run([rig.bench_store(), daemon.database, "20000", "1000"], check=True,
                   stdout=subprocess.DEVNULL)
    daemon.command += ["--set", "Store.KeepRows=5000"]
    daemon.start()

    def count():
        with rig.connect(daemon.database) as base:
            return base.execute("SELECT count(*) FROM fix").fetchone()[0]

    lab.until(lambda: count() < 19_000, 10, "while old fixes are removed: they go", every=0.01)
    ballast = fill(folder)
    left = count()
    lab.check(left > 6100, f"while old fixes are removed: {left} were left when the disk was full")
    lab.until(lambda: is_failing(daemon) or count() < 6100, 30,
              "while old fixes are removed: it is full, or they go all the same")
    ballast.unlink()
    lab.until(lambda: not is_failing(daemon) and count() < 6100, 90,
              "while old fixes are removed: they go to the last")
    expect_whole(daemon, "while old fixes are removed")
    del daemon.command[-2:]


def tool(daemon, *arguments):
    return subprocess.run(
        [rig.BIN / "tracklog", *arguments, "--database", daemon.database], capture_output=True, text=True)


def inside(folder, seconds):
    """In a namespace of its own, as root."""
    disk = pathlib.Path(folder) / "disk"
    disk.mkdir()
    mount = lambda options: subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "none", disk], check=True)
    mount("size=4m,nr_inodes=64,mode=0750")
    script = lambda drive, epoch: [drive.report(epoch)]
    with lab.PretendedGPSD(script, hz=10) as gpsd:
        daemon = lab.Daemon(gpsd.port, "Store.CommitEvery=1s")
        with daemon:
            daemon.stop()
            daemon.database = disk / "track.db"
            daemon.command[daemon.command.index("--database") + 1] = daemon.database
            daemon.start()
            daemon.records(10, more=20)
            taken, grown = outlives(daemon, disk, seconds, "while it runs")
            again = begins(daemon, disk, lambda: fill(disk), lambda: (disk / "ballast").unlink(),
                           "at the start")

            def take_inodes():
                for number in range(100):
                    try:
                        (disk / f"inode-{number}").touch()
                    except OSError:
                        return

            def free_inodes():
                for file in disk.glob("inode-*"):
                    file.unlink()

            begins(daemon, disk, take_inodes, free_inodes, "without an inode")
            lab.check("no inode" in daemon.said(), "it names the inodes")

            removes(daemon, disk)
            ballast = fill(disk)
            export = tool(daemon, "export", "--format", "gpx", "--output", disk / "track.gpx")
            lab.check(export.returncode == 74, f"export on a full disk: {export.returncode}")
            lab.check("No space left" in export.stderr, export.stderr)
            lab.check(not list(disk.glob("*.part")), "a half export is left")
            ballast.unlink()
            daemon.stop()
            ballast = fill(disk)
            vacuum = tool(daemon, "db", "vacuum")
            lab.check(vacuum.returncode == 74, f"vacuum on a full disk: {vacuum.returncode}")
            lab.check("disk full" in vacuum.stderr, vacuum.stderr)
            ballast.unlink()
            wrong = rig.whats_wrong(daemon.database, set())
            lab.check(wrong is None, f"after a vacuum on a full disk: {wrong}")
            daemon.start()
    print(f"fulldisk: {seconds:.0f} s full, stored again after {taken:.1f} s, {grown:.1f} MiB more; "
          f"full at the start, stored after {again:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        try:
            return inside(options.inside, options.seconds)
        except lab.Failed as failure:
            sys.exit(f"fulldisk: {failure}")
    if os.geteuid() != 0:
        print("fulldisk: skipped, mounting needs root")
        return
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["unshare", "-m", sys.executable, "-B", __file__, "--seconds", str(options.seconds),
             "--inside", folder])
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
