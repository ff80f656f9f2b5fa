"""What recording from gpsd at 1 Hz costs, beside gpxlogger on the same gpsd in the same minutes."""

import contextlib
import datetime
import functools
import grp
import operator
import os
import pathlib
import pty
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tty


def stamped(line, now):
    """A sentence of now: a fix of another year is one to reject."""
    fields = line[1:].split(b"*")[0].split(b",")
    if fields[0][2:] not in (b"RMC", b"GGA"):
        return line
    fields[1] = b"%06d.00" % int(now.strftime("%H%M%S"))
    if fields[0][2:] == b"RMC":
        fields[9] = now.strftime("%d%m%y").encode()
    body = b",".join(fields)
    return b"$%s*%02X\r\n" % (body, functools.reduce(operator.xor, body))


class Receiver:
    """Plays a log into a pseudo-terminal, an epoch a second in one write, as a USB receiver does."""

    def __init__(self, log):
        self.master, slave = pty.openpty()
        self.slave = slave
        tty.setraw(slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(slave)
        os.chmod(self.path, 0o666)
        threading.Thread(target=self.play, args=(log,), daemon=True).start()

    def play(self, log):
        due, epoch = time.monotonic(), []
        with open(log, "rb") as lines:
            for line in lines:
                if line[3:6] == b"RMC" and epoch:
                    due += 1
                    time.sleep(max(0, due - time.monotonic()))
                    now = datetime.datetime.now(datetime.timezone.utc)
                    with contextlib.suppress(OSError):
                        os.write(self.master, b"".join(stamped(each, now) for each in epoch))
                    with contextlib.suppress(OSError):
                        os.read(self.master, 4096)
                    epoch = []
                epoch.append(line)


class Taken:
    """CPU seconds and wake-ups of a process so far, its memory now in KiB."""

    def __init__(self, pid):
        self.cpu = self.wakes = 0
        for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
            self.cpu += int((thread / "schedstat").read_text().split()[0]) / 1e9
            switches = re.search(
                r"^voluntary_ctxt_switches:\s+(\d+)", (thread / "status").read_text(), re.M)
            self.wakes += int(switches[1])
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        value = lambda key: int(re.search(rf"^{key}:\s+(\d+)", status, re.M)[1])
        self.resident, self.own = value("VmRSS"), value("RssAnon")


def free_port():
    """A port of the loopback that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def measure(binaries, log, seconds):
    """The cost of each program over that many seconds, by name."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tracklog-bench-"))
        receiver = Receiver(log)
        port = free_port()
        # One that exists, as the package sees to: looking for one that does not loads libraries.
        group = grp.getgrgid(os.getgid()).gr_name

        def run(*command):
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)

            def end():
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

            stack.callback(end)
            return process

        def daemon(name, drain, commit="10s"):
            return run(
                binaries / "tracklogd", "--database", f"{folder}/{name}.db", "--socket",
                f"{folder}/{name}", "--set", f"Source.Gpsd=127.0.0.1:{port}", "--set",
                f"Source.DrainEvery={drain}", "--set", f"Store.CommitEvery={commit}",
                "--set", f"Status.Group={group}")

        run("gpsd", "-N", "-n", "-b", "-S", str(port), receiver.path)
        time.sleep(2)
        programs = {
            "gpxlogger": run("gpxlogger", "-r", "-e", "sockets", "-f", f"{folder}/track.gpx",
                             f"127.0.0.1:{port}"),
            "at once": daemon("once", "0s"),
            "drained": daemon("drained", "10s"),
            # A minute of fixes a transaction, as measured of the peers, whose loggers sync nothing at all.
            "at once, a minute": daemon("once-minute", "0s", "60s"),
            "drained, a minute": daemon("drained-minute", "10s", "60s"),
            "drained rarely": daemon("rarely", "60s", "60s"),
        }
        # The first commit is behind all of them: what only a start needs is given back with it.
        time.sleep(90)
        for name, program in programs.items():
            if program.poll() is not None:
                sys.exit(f"bench: {name} ended with {program.returncode}")
        begin = {name: Taken(program.pid) for name, program in programs.items()}
        time.sleep(seconds)
        costs = {}
        for name, program in programs.items():
            cost = Taken(program.pid)
            cost.cpu -= begin[name].cpu
            cost.wakes = (cost.wakes - begin[name].wakes) * 60 / seconds
            costs[name] = cost
        return costs


def rows(row, binaries, log, seconds):
    """Prints the table's rows."""
    costs = measure(binaries, log, seconds)
    theirs = costs["gpxlogger"]

    def cpu(name, must, aim, what):
        ratio = costs[name].cpu / theirs.cpu
        row(f"gpsd at 1 Hz, {what}: CPU ÷ gpxlogger", f"≤ {must}", f"≤ {aim}",
            f"{ratio:.2f} ({costs[name].cpu * 1000:.0f} ms ÷ {theirs.cpu * 1000:.0f} ms"
            f" in {seconds:.0f} s)", ratio <= must)

    def wakes(name, what):
        ratio = costs[name].wakes / theirs.wakes
        row(f"gpsd at 1 Hz, {what}: wake-ups a minute ÷ gpxlogger", "≤ 0.25", "≤ 0.05",
            f"{ratio:.3f} ({costs[name].wakes:.1f} ÷ {theirs.wakes:.1f})", ratio <= 0.25)

    cpu("at once", 0.6, 0.35, "each report at once")
    cpu("at once, a minute", 0.6, 0.35, "the same with CommitEvery=60s")
    for name, what in (
        ("drained", "nobody watching"),
        ("drained, a minute", "the same with CommitEvery=60s"),
        ("drained rarely", "the same with DrainEvery=60s too"),
    ):
        cpu(name, 0.25, 0.12, what)
        wakes(name, what)
    ours = costs["drained"]
    ratio = ours.resident / theirs.resident
    row("gpsd at 1 Hz: resident memory ÷ gpxlogger", "≤ 2.5", "≤ 1.5",
        f"{ratio:.2f} ({ours.resident / 1024:.1f} ÷ {theirs.resident / 1024:.1f} MiB)",
        ratio <= 2.5)
    row("gpsd at 1 Hz: anonymous memory, MB", "≤ 1.5", "≤ 1",
        f"{ours.own * 1.024 / 1000:.2f}", ours.own * 1024 <= 1_500_000)
