#!/usr/bin/env python3
"""layout.py: writes down which functions the programs use in daily work, for the linker to lay side by side.

A page of code costs memory and time whoever is called on it; laid by use, the daemon keeps one megabyte of itself in
memory instead of five. Needs valgrind, gpsd and release builds; writes tracklogd.order and tracklog.order beside itself.
Nothing depends on the lists being complete or new: a name that is gone is passed over, one that is missing lies further on.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BIN = ROOT / ".build/release"
sys.path.insert(0, str(HERE.parent))
import live  # noqa: E402


def used(profile, program):
    """The functions of the program itself in a profile, as they first appear."""
    names, found, ours = {}, [], False
    with open(profile) as lines:
        for line in lines:
            if m := re.match(r"c?ob=\((\d+)\)(?: (.*))?", line):
                if m[2]:
                    names["ob" + m[1]] = m[2]
                if line.startswith("ob="):
                    ours = names["ob" + m[1]] == str(program.resolve())
            elif m := re.match(r"(c?)fn=\((\d+)\)(?: ([^\s']+))?", line):
                if m[3]:
                    names.setdefault(m[2], m[3])
                if not m[1] and ours:
                    found.append(names[m[2]])
    return found


def write(name, *profiles):
    """Writes the list of a program: what steady work uses first, then the rest."""
    program = BIN / name
    defined = set(subprocess.run(
        ["nm", "--format=just-symbols", program], check=True, capture_output=True, text=True)
        .stdout.split())
    order = dict.fromkeys(
        symbol for profile in profiles for symbol in used(profile, program) if symbol in defined)
    (HERE / f"{name}.order").write_text("".join(symbol + "\n" for symbol in order))
    print(f"{name}.order: {len(order)} functions")


def profiled(folder, name, *arguments):
    """A program under callgrind."""
    return subprocess.Popen(
        ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={folder}/{name}",
         *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    with tempfile.TemporaryDirectory(prefix="tracklog-layout-") as folder:
        log = f"{folder}/drive.nmea"
        with open(log, "wb") as out:
            subprocess.run(["zcat", ROOT / "Tests/Fixtures/drive.nmea.gz"], stdout=out, check=True)
        port = live.free_port()
        gpsd = subprocess.Popen(
            ["gpsd", "-N", "-n", "-b", "-S", str(port), live.Receiver(log).path],
            stderr=subprocess.DEVNULL)
        daemon = None
        try:
            socket = f"{folder}/s"
            daemon = profiled(
                folder, "d", BIN / "tracklogd", "--database", f"{folder}/d.db", "--socket", socket,
                "--set", f"Source.Gpsd=127.0.0.1:{port}", "--set", "Store.CommitEvery=5s",
                "--set", "Source.DrainEvery=5s")
            time.sleep(20)
            control = ["callgrind_control", "-d", str(daemon.pid)]
            subprocess.run(control, stdout=subprocess.DEVNULL, check=True)  # .1: the start
            time.sleep(30)
            subprocess.run(control, stdout=subprocess.DEVNULL, check=True)  # .2: steady work
            for index, command in enumerate(["status"], 1):
                tool = profiled(folder, f"t{index}", BIN / "tracklog", "--socket", socket, command)
                if tool.wait(60):
                    sys.exit(f"layout: tracklog {command} ended with {tool.returncode}")
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(60)
        finally:
            for process in (daemon, gpsd):
                if process and process.poll() is None:
                    process.terminate()
                    process.wait()
        write("tracklogd", f"{folder}/d.2", f"{folder}/d", f"{folder}/d.1")
        write("tracklog", f"{folder}/t1")


if __name__ == "__main__":
    main()
