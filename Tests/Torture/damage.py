#!/usr/bin/env python3
"""damage.py [--damages 1000] [--seed 1]: overwrites header, pages and write-ahead log of a database at random.

Each damage twice: `tracklog db salvage` must read 95 of 100 rows of the pages it did not meet, and give no fix a
place it never had (every other database has sealed blocks, of which a damaged one costs its own fixes alone); and a daemon on a gpsd must record again within 5 s, the damaged file kept beside the new one."""

import argparse
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Live"))
import lab
import rig

PAGE = 4096
FIXES = 20_000


def rows(database):
    """Every fix, sealed or not, by its sequence: where it is in 1e-7 degrees."""
    listed = subprocess.run(
        [rig.BIN / "tracklog", "list", "--json", "--all", "--database", database],
        capture_output=True, text=True, check=True)
    fixes = map(json.loads, listed.stdout.splitlines())
    return {fix["sequence"]: (round(fix["lat"] * 1e7), round(fix["lon"] * 1e7)) for fix in fixes}


def units(database):
    """What is lost together: how many fixes, on which pages; a sealed block, or a page of plain rows.

    By dbstat, SQLite's own map of a file."""
    with rig.connect(database) as base:
        fixes = base.execute("SELECT fixes FROM block ORDER BY id").fetchall()
        pages = {}
        for path, page, kind in base.execute(
                "SELECT path, pageno, pagetype FROM dbstat WHERE name = 'block' ORDER BY path"):
            if kind == "overflow":
                leaf, cell = path.split("+")[0].rsplit("/", 1)
                pages.setdefault((leaf, cell), set()).add(page - 1)
        leaves = {path.rstrip("/"): page - 1 for path, page in base.execute(
            "SELECT path, pageno FROM dbstat WHERE name = 'block' AND pagetype = 'leaf'")}
        plain = [(cells, {page - 1}) for cells, page in base.execute(
            "SELECT ncell, pageno FROM dbstat WHERE name = 'fix' AND pagetype = 'leaf'")]
    return plain + [(count, pages[cell] | {leaves[cell[0]]})
                    for (count,), cell in zip(fixes, sorted(pages), strict=True)]


def make(folder):
    """A database whose latest fixes are in its log alone, as after a kill."""
    database = folder / "whole.db"
    writer = subprocess.Popen(
        [rig.bench_store(), database, "0", "10", f"ack={folder}/acks"], stdout=subprocess.DEVNULL)
    while not (folder / "acks").exists() or len(rig.acknowledged(
            (folder / "acks").read_bytes())) < FIXES:
        time.sleep(0.02)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    return database


def places(chance, file, log):
    """What is overwritten: (file, from, bytes), by one of the ways things break."""
    kind = chance.choice(["header", "pages", "pages", "log", "both", "cut", "zeros"])
    sizes = {"file": file, "log": log}
    if kind == "header":
        return [("file", chance.randrange(100), chance.randbytes(chance.randrange(1, 100)))]
    if kind == "zeros":
        return [("file", chance.randrange(file // PAGE) * PAGE, bytes(PAGE))]
    if kind == "cut":
        return [("file", chance.randrange(file // 2, file), None)]
    if not log:
        kind = "pages"
    count = chance.randrange(1, 6)
    targets = {"pages": ["file"], "log": ["log"], "both": ["file", "log"]}[kind]
    found = []
    for _ in range(count):
        target = chance.choice(targets)
        length = chance.randrange(1, 700)
        found.append((target, chance.randrange(max(1, sizes[target] - length)),
                      chance.randbytes(length)))
    return found


def damage(database, where):
    """Overwrites; gives the pages of the file that were met, and whether the log was."""
    met = set()
    size = database.stat().st_size
    for target, start, data in where:
        path = database if target == "file" else pathlib.Path(f"{database}-wal")
        if not path.exists():
            continue
        with open(path, "r+b") as file:
            if data is None:
                file.truncate(start)
                met |= set(range(start // PAGE, size // PAGE + 1))
                continue
            file.seek(start)
            file.write(data)
            if target == "file":
                met |= set(range(start // PAGE, (start + len(data) - 1) // PAGE + 1))
    return met, any(target == "log" for target, _, _ in where)


def copy(source, target):
    for ending in ("", "-wal"):
        if pathlib.Path(f"{source}{ending}").exists():
            shutil.copy(f"{source}{ending}", f"{target}{ending}")


def salvages(folder, whole, right, together, in_log, where):
    """Why salvage is not good enough, None when it is."""
    hurt, rescued = folder / "hurt.db", folder / "rescued.db"
    copy(whole, hurt)
    met, log_is_met = damage(hurt, where)
    wanted = len(right) - sum(count for count, pages in together if pages & met)
    wanted -= in_log if log_is_met else 0
    done = subprocess.run(
        [rig.BIN / "tracklog", "db", "salvage", hurt, "--output", rescued, "--replace"],
        capture_output=True, text=True)
    if done.returncode:
        return f"salvage failed: {done.stderr}"
    found = rows(rescued)
    if len(found) < 0.95 * wanted:
        return f"{len(found)} of {len(right)} rows, {wanted:.0f} were not met"
    # A number overwritten within its chunk's box cannot be told; beyond it, it can.
    wrong = [number for number, place in found.items() if number not in right
             or max(abs(a - b) for a, b in zip(place, right[number])) > 5_000_000]
    if wrong:
        return f"{len(wrong)} rows that never were, the first is {wrong[0]}"
    wrong = rig.whats_wrong(rescued, set())
    for leftover in folder.glob("hurt.db*"):
        leftover.unlink()
    return wrong


def records_again(daemon, where, is_running):
    """Seconds until a new fix is durable after a damage, while it runs or while it is stopped."""
    if not is_running:
        daemon.process.kill()
        daemon.process.wait()
    damage(daemon.database, where)
    begin = time.monotonic()
    if is_running:
        before = daemon.ask("status")["store"]["durable_sequence"]
    else:
        daemon.start()
        before = daemon.ask("status")["store"]["durable_sequence"]
    lab.until(
        lambda: daemon.ask("status")["store"]["durable_sequence"] != before, 5,
        "a fix is durable again", every=0.01)
    taken = time.monotonic() - begin
    store = daemon.ask("status")["store"]
    copies = sorted(daemon.database.parent.glob("d.db.damaged-*"))
    lab.check(bool(copies) == ("damaged" in store["state"]), f"state {store['state']}, {copies}")
    for leftover in daemon.database.parent.glob("d.db.d*"):
        leftover.unlink()
    return taken


def tell(number, count, what, failed):
    """Says now and then how far it is: a thousand take a quarter of an hour."""
    if number % 100 == 0 and number < count:
        print(f"damage: {number} of {count} {what}, {len(failed)} not well", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damages", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    times, failed = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = make(folder)
        # Without its log it has what was moved into the file; reading it with the log moves the rest.
        shutil.copy(whole, folder / "file.db")
        copy(whole, folder / "read.db")
        right = rows(folder / "read.db")
        with rig.connect(folder / "read.db") as base:
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        in_log = len(right) - len(rows(folder / "file.db"))
        of_pages = units(folder / "read.db")
        sizes = whole.stat().st_size, pathlib.Path(f"{whole}-wal").stat().st_size
        sealed = folder / "sealed.db"
        copy(whole, sealed)
        subprocess.run(
            [rig.bench_store(), sealed, "keep", "seal"], check=True, stdout=subprocess.DEVNULL)
        right_of_sealed, of_sealed = rows(sealed), units(sealed)
        for number in range(options.damages):
            if number % 2 == 0:
                wrong = salvages(folder, whole, right, of_pages, in_log, places(chance, *sizes))
            else:
                wrong = salvages(folder, sealed, right_of_sealed, of_sealed, 0,
                                 places(chance, sealed.stat().st_size, 0))
            if wrong:
                failed.append(f"damage: {number} (seed {options.seed}): {wrong}")
            tell(number + 1, options.damages, "salvaged", failed)
        script = lambda drive, epoch: [drive.report(epoch)]
        with lab.PretendedGPSD(script, hz=10) as gpsd:
            with lab.Daemon(gpsd.port, "Store.CommitCount=1") as daemon:
                for number in range(options.damages):
                    daemon.process.kill()
                    daemon.process.wait()
                    for leftover in daemon.database.parent.glob("d.db*"):
                        leftover.unlink()
                    copy(whole, daemon.database)
                    is_running = number % 2 == 1
                    if is_running:
                        daemon.start()
                    try:
                        times.append(records_again(daemon, places(chance, *sizes), is_running))
                    except lab.Failed as failure:
                        failed.append(f"damage: {number} (seed {options.seed}), recording: {failure}\n"
                                      + daemon.said()[-500:])
                    tell(number + 1, options.damages, "recorded over", failed)
    if failed:
        sys.exit("\n".join(failed))
    times.sort()
    print(f"damage: {options.damages} damages salvaged, recording again after "
          f"{times[len(times) // 2] * 1000:.0f} ms, {times[-1] * 1000:.0f} ms at most")


if __name__ == "__main__":
    main()
