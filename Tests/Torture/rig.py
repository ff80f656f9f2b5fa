"""What the storms share: the library that makes calls fail, and what must hold of a database afterwards."""

import contextlib
import os
import pathlib
import re
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("TRACKLOG_BIN", ROOT / ".build/release"))


def bench_store():
    """The program that records into a store and acknowledges what is durable."""
    for folder in (BIN, ROOT / ".build/release", ROOT / ".build/debug"):
        if (folder / "bench-store").exists():
            return folder / "bench-store"
    sys.exit("no bench-store is built; run 'swift build --product bench-store'")


def faults():
    """faults.c, compiled."""
    source = pathlib.Path(__file__).with_name("faults.c")
    library = ROOT / ".build/torture/faults.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        library.parent.mkdir(parents=True, exist_ok=True)
        part = library.with_suffix(f".{os.getpid()}")
        subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-Wall", "-fPIC", "-shared", "-o", part, source,
             "-ldl"], check=True)
        part.rename(library)
    return library


def environment(folder, **variables):
    return {**os.environ, "LD_PRELOAD": str(faults()), "FAULTS_DIR": f"{folder}/", **variables}


def connect(database):
    return contextlib.closing(sqlite3.connect(database))


def whats_wrong(database, acknowledged):
    """Why the promise is broken, None when it holds: sound, and everything acknowledged is there, once."""
    if not os.path.exists(database):
        return f"{len(acknowledged)} fixes were acknowledged, there is no database" if acknowledged \
            else None
    try:
        with connect(database) as base:
            found = base.execute("PRAGMA integrity_check").fetchall()
            if found != [("ok",)]:
                return f"damaged: {found[0][0]}"
            has = base.execute("SELECT 1 FROM sqlite_schema WHERE name = 'fix'").fetchone()
            stored = {row[0] for row in base.execute("SELECT sequence FROM fix")} if has else set()
    except sqlite3.DatabaseError as error:
        return f"damaged: {error}"
    lost = sorted(acknowledged - stored)
    return f"{len(lost)} acknowledged fixes are lost, the first is {lost[0]}" if lost else None


def acknowledged(text):
    """The sequences of whole ACK lines."""
    lines = text.decode().split("\n")[:-1]
    return {int(line[4:]) for line in lines if line.startswith("ACK ")}


def make_old(database):
    """Makes of a database what schema 1 was."""
    with contextlib.closing(sqlite3.connect(database)) as base:
        views = base.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall()
        tables = base.execute("""SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('fix',
            'detail', 'corrected', 'correction', 'run', 'clock', 'source', 'segment', 'gap', 'cycle',
            'chunk', 'tally') AND name NOT LIKE 'sqlite%'""").fetchall()
        for (name,) in views:
            base.execute(f"DROP VIEW {name}")
        for (name,) in tables:
            base.execute(f"DROP TABLE {name}")
        steps = (ROOT / "Sources/Storage").glob("Schema+Version*.swift")
        step = "".join(path.read_text() for path in steps)
        for table, column in re.findall(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", step):
            if (table,) in tables:
                continue
            base.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        base.execute("PRAGMA user_version = 1")
        base.commit()
