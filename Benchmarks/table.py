"""The table of speed and memory: what, what must be, what is aimed at, what this machine gets."""

import contextlib
import os
import pathlib
import platform
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import duty
import live
import device
import measure
import queries

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / ".build/release"
WORK = ROOT / ".build/bench"
EPOCHS = int(os.environ.get("BENCH_EPOCHS", 1_000_000))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 1))
IDLE = float(os.environ.get("BENCH_IDLE", 60))
LIVE = float(os.environ.get("BENCH_LIVE", 180))
failed = False


def row(what, must, aim, got, good):
    """Prints one line of the table; `good` is whether the must is met, None when it was not measured."""
    global failed
    verdict = {True: "met", False: "MISSED", None: "not measured"}[good]
    failed = failed or good is False
    print(f"| {what} | {must} | {aim} | {got} | {verdict} |", flush=True)


def log(epochs):
    """A log of that many epochs, made once."""
    path = WORK / f"drive-{epochs}.nmea"
    if not path.exists():
        part = path.with_suffix(".part")
        maker = ROOT.parent / "shared/tools/make_nmea.py"
        with open(part, "wb") as out:
            command = [str(BIN / "make-drive")]
            if maker.exists():
                command = [sys.executable, str(maker)]
            subprocess.run([*command, "--epochs", str(epochs)], stdout=out, check=True)
        part.rename(path)
    return path


def replay(path, database):
    """Imports a log into a new database and says what it cost."""
    for leftover in WORK.glob(database.name + "*"):
        leftover.unlink()
    return measure.Cost(
        [str(BIN / "tracklogd"), "--replay", str(path), "--database", str(database)])


def importing():
    large, small = log(EPOCHS), log(max(EPOCHS // 10, 1000))
    database = WORK / "bench.db"
    ratios, peaks = [], []
    for _ in range(ROUNDS):
        theirs = measure.Cost(
            ["gpsbabel", "-i", "nmea", "-f", str(large), "-o", "gpx", "-F", str(WORK / "bench.gpx")])
        ours = replay(large, database)
        ratios.append(theirs.cpu / ours.cpu)
        peaks.append(ours.peak)
    ratio, peak = sorted(ratios)[ROUNDS // 2], max(peaks)
    row(f"NMEA to database, CPU, {EPOCHS} epochs: gpsbabel to GPX ÷ tracklogd", "≥ 20", "≥ 30",
        f"{ratio:.1f} ({theirs.cpu:.2f} s ÷ {ours.cpu:.2f} s)", ratio >= 20)

    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        fixes = connection.execute("SELECT count(*) FROM fix").fetchone()[0]
    size = sum(file.stat().st_size for file in WORK.glob(database.name + "*"))
    if fixes < EPOCHS * 0.9:
        sys.exit(f"bench: only {fixes} fixes of {EPOCHS} epochs are in the database")

    short = replay(small, database).peak
    growth = (peak - short) / 1024
    row("peak memory of that import, MiB", "≤ 20, flat", "≤ 8",
        f"{peak / 1024:.1f} (a tenth of the log: {short / 1024:.1f})",
        peak <= 20 * 1024 and growth <= 1)
    row("bytes in the database per fix", "≤ 60", "≤ 48", f"{size / fixes:.1f}", size / fixes <= 60)


def parsing():
    """Our decoder against the C parser, where there is one: `parse.sh` tells the ratio in its last line."""
    what = "parsing, instructions (callgrind): ours ÷ the C parser"
    done = subprocess.run([ROOT / "Benchmarks/parse.sh"], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench: parse.sh failed with {done.returncode}")
    last = done.stdout.splitlines()[-1].split()
    if last[0] != "ratio":
        return row(what, "≤ 1.3", "≤ 1.1", "no C parser here", None)
    ratio = float(last[1])
    row(what, "≤ 1.3", "≤ 1.1", f"{ratio:.2f}", ratio <= 1.3)


def wearing():
    """What recording costs a card; rows as a car's receiver gives them, in time-lapse."""
    for seconds, most, aim in [(60, 0.5, 0.25), (300, 0.25, 0.10)]:
        what = f"bytes a fix on the device, loss window {seconds} s ÷ gpxlogger's {device.GPXLOGGER}"
        got = device.bytes_per_fix(BIN / "bench-store", 36_000, seconds)
        if got is None:
            row(what, f"≤ {most}", f"≤ {aim}", "no loop device here; needs root", None)
            continue
        ratio = got / device.GPXLOGGER
        row(what, f"≤ {most}", f"≤ {aim}", f"{ratio:.2f} ({got:.0f} bytes)", ratio <= most)


def querying():
    """Latest, a day, a box and `db info` in databases of one and ten million fixes; starting up is taken off."""
    for what, limit, got, ratio in queries.rows(BIN, WORK):
        row(f"{what}, 10 million fixes", f"≤ {limit} ms, ≤ 1.5 × 1 million", "",
            f"{got:.2f} ms, {ratio:.2f} ×", got <= limit and ratio <= 1.5)


def converting():
    """A million positions through `tracklog convert` and through Python's libraries, where those are installed."""
    done = subprocess.run(
        [sys.executable, ROOT / "Benchmarks/Correction/compare.py", BIN / "tracklog"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    found = re.findall(r"([0-9.]+)x  (.*), (off by .*) at worst", done.stdout)
    for times, library, error in found:
        row(f"`tracklog convert`, exact, against {library}, {error}", "≥ 20 ×", "",
            f"{times} ×", float(times) >= 20)
    if not found:
        row("`tracklog convert`, a million positions", "≥ 20 ×", "",
            "needs `pip install eviltransform coord-convert`", None)


def living():
    """A daemon whose next fix is hours away: what it costs to wait, and to be asked."""
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/s"
        daemon = subprocess.Popen(
            [BIN / "tracklogd", "--replay", log(max(EPOCHS // 10, 1000)), "--speed", "0.0001",
             "--database", f"{folder}/idle.db", "--socket", socket,
             "--set", "Store.CommitCount=1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 10
            while not os.path.exists(socket):
                if daemon.poll() is not None or time.monotonic() > deadline:
                    sys.exit("bench: tracklogd does not open its socket")
                time.sleep(0.01)
            ask = [str(BIN / "tracklog"), "--socket", socket, "status"]
            ours, theirs = measure.start_to_exit(ask, ["gpspipe", "-V"])
            row("tracklog status, start to exit ÷ gpspipe -V", "≤ 1", "≤ 0.3",
                f"{ours / theirs:.2f} ({ours * 1000:.2f} ms ÷ {theirs * 1000:.2f} ms)",
                ours <= theirs)
            threads, woken, resident = measure.idling(daemon.pid, IDLE)
            row("tracklogd idle: threads, wake-ups a minute, resident MB", "1, 0, ≤ 10", "1, 0, ≤ 7",
                f"{threads}, {woken:.0f}, {resident * 1.024 / 1000:.1f}",
                threads == 1 and woken == 0 and resident * 1024 <= 10_000_000)
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(10)


WORK.mkdir(parents=True, exist_ok=True)
print(f"{platform.machine()}, {os.cpu_count()} processors, {platform.release()}\n")
print("| what, in one run on this machine | must | aim | got | verdict |")
print("|---|---|---|---|---|")
failed = not duty.rows() or failed
importing()
parsing()
wearing()
querying()
converting()
living()
live.rows(row, BIN, log(max(EPOCHS // 10, 1000)), LIVE)
sys.exit(1 if failed else 0)
