"""How long a query takes to its first row, in small and large databases.

BENCH_MILLIONS="1 100" takes others, BENCH_SEALED=1 seals their days first."""

import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import time

MILLIONS = tuple(int(n) for n in os.environ.get("BENCH_MILLIONS", "1 10").split())
SEALED = bool(os.environ.get("BENCH_SEALED"))
ROUNDS = 15
# What, the most it may take in ms, the command.
QUERIES = [
    ("latest fix", 1, lambda at: ["list", "--json", "--last", "1"]),
    ("one day to its first row", 20,
     lambda at: ["list", "--json", "--since", at["day"], "--until", at["next"]]),
    ("a box to its first row", 50, lambda at: ["find", "--json", "--box", at["box"]]),
    ("a box crossed every 10,000 fixes to its first row", 50,
     lambda at: ["find", "--json", "--box", at["home"]]),
    ("a box without a fix", 50, lambda at: ["find", "--json", "--box", at["nowhere"]]),
    ("db info", 200, lambda at: ["db", "info", "--json"]),
]


def database(folder, bench_store, millions):
    path = folder / f"laps-{millions}.db"
    if not path.exists():
        part = folder / f"laps-{millions}.part"
        subprocess.run(
            [bench_store, part, str(millions * 1_000_000), "3600", "laps=10000"], check=True,
            stdout=subprocess.DEVNULL)
        part.rename(path)
    return path


def sealed(path, bench_store):
    """A copy of a database, its days sealed."""
    copy = path.with_name(f"sealed-{path.name}")
    if not copy.exists():
        part = copy.with_suffix(".part")
        shutil.copy(path, part)
        subprocess.run([bench_store, part, "keep", "seal"], check=True, stdout=subprocess.DEVNULL)
        part.rename(copy)
    return copy


def middle(path):
    """Day and place of the fix in the middle, the place where the drive begins, and one where it never was."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
        newest = base.execute("SELECT max(sequence) FROM fix").fetchone()[0]
        seconds, lat, lon = base.execute(
            "SELECT time, lat / 1e7, lon / 1e7 FROM fix WHERE sequence = ?",
            (newest // 2,)).fetchone()
        north = base.execute("SELECT max(north) / 1e7 FROM chunk").fetchone()[0]
    day = lambda when: time.strftime("%Y-%m-%d", time.gmtime(when))
    return {"day": day(seconds), "next": day(seconds + 86400),
            "box": f"{lat - .002},{lon - .002},{lat + .002},{lon + .002}",
            "home": "47.2852,8.5651,47.2854,8.5653",
            "nowhere": f"{north + .001},8,{north + .002},9"}


def spent(command):
    """Milliseconds of processor time until the first byte."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    os.read(child.stdout.fileno(), 1)
    # What comes behind the first row is not asked for, and that a reader has gone is noticed late.
    child.kill()
    child.stdout.close()
    child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def first_row(command, start):
    """The least milliseconds of many runs, and of as many of a program that only starts.

    In turns: the machine of one minute is not that of the next."""
    runs = [(spent(command), spent(start)) for _ in range(ROUNDS)]
    return tuple(map(min, zip(*runs)))


def rows(folder, work):
    """Each query: what, its limit, its time in the largest database without starting up, its ratio to the smallest."""
    tool = str(folder / "tracklog")
    taken = {}
    for millions in MILLIONS:
        path = database(work, folder / "bench-store", millions)
        at = middle(path)
        if SEALED:
            path = sealed(path, folder / "bench-store")
        for what, _, command in QUERIES:
            taken[what, millions] = first_row(
                [tool, *command(at), "--database", str(path)], [tool, "--version"])
    for what, limit, _ in QUERIES:
        (small, _), (large, start) = (taken[what, millions] for millions in MILLIONS)
        yield what, limit, large - start, large / small
