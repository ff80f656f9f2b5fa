"""Debian's gpsd on pseudo-terminals: what happens to it, and that recording goes on after it."""

import collections
import functools
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import lies
from lab import Daemon, Drive, PretendedGPSD, RealGPSD, Receiver, check, free_port, stamp, until

HZ = 5.0
# The shortest silence that is told from a hang; the bounds below follow from it.
QUICK = ("Source.SilenceTimeout=2s",)


def judge(daemon, drive, *reasons):
    """No fix is false or there twice, and each hole has its reason."""
    daemon.stop()
    times = []
    for row in daemon.fixes():
        check(row["time"], "a fix without a time")
        check(drive.is_true(row), f"a false fix: {dict(row)}")
        times.append(row["time"])
    check(len(times) == len(set(times)), "a fix twice")
    check(times == sorted(times), "fixes out of order")
    gaps = daemon.gaps()
    check(tuple(gaps) == reasons, f"gaps {gaps}, expected {list(reasons)}")


def lines(daemon, losses, begun=1):
    """Two lines a loss, and one when the first fixes come."""
    found = len(daemon.lines("no fixes")), len(daemon.lines("source streaming"))
    check(found == (losses, losses + begun), f"{losses} losses, lines: {daemon.lines()}")


def restart(times):
    """Killed and started again, again and again."""
    drive = Drive(HZ)
    with Receiver(drive) as receiver, RealGPSD(receiver.path) as gpsd, \
            Daemon(gpsd.port, *QUICK, "Tracking.GapAfter=1s") as daemon:
        daemon.is_in("streaming", limit=10)
        daemon.records(limit=5)
        descriptors, resident = daemon.descriptors(), daemon.resident()
        for _ in range(times):
            gpsd.kill()
            daemon.is_in("unreachable", limit=1)
            time.sleep(1.5)
            gpsd.start()
            daemon.records(limit=5)
            daemon.is_in("streaming", limit=1)
            daemon.records(limit=5, more=3)
        check(daemon.descriptors() <= descriptors, f"{daemon.descriptors()} descriptors, {descriptors} before")
        check(daemon.resident() <= resident + 512, "memory grows")
        judge(daemon, drive, *["source_lost"] * times)
        lines(daemon, times)


def stopped():
    """Stopped for a while: it still takes connections and says nothing."""
    drive = Drive(HZ)
    with Receiver(drive) as receiver, RealGPSD(receiver.path) as gpsd, \
            Daemon(gpsd.port, *QUICK) as daemon:
        daemon.is_in("streaming", limit=10)
        daemon.records(limit=5)
        gpsd.signal(signal.SIGSTOP)
        try:
            daemon.is_in("gpsd_silent", limit=15)
            check(daemon.ask("status")["track"]["gap"] == "source_lost", "status has no gap")
            # It stays that while attempts go on.
            for _ in range(60):
                time.sleep(0.2)
                state = daemon.state()
                check(state in ("gpsd_silent",), f"it says {state} of a gpsd that hangs")
        finally:
            gpsd.signal(signal.SIGCONT)
        daemon.records(limit=5)
        judge(daemon, drive, "source_lost")
        lines(daemon, 1)


def first():
    """The daemon starts first, gpsd later, its receiver later still."""
    drive, port = Drive(HZ), free_port()
    with Daemon(port, *QUICK) as daemon:
        daemon.is_in("unreachable", limit=2)
        time.sleep(2)
        with Receiver(drive) as receiver, RealGPSD(port=port, options=("-n", "-b")) as gpsd:
            daemon.is_in("no_receiver", limit=5)
            time.sleep(1)
            until(lambda: os.path.exists(gpsd.control), 5, "gpsd opens its control socket")
            gpsd.tell("+" + receiver.path)
            daemon.records(limit=5)
            judge(daemon, drive)
            lines(daemon, 1, begun=0)


def unplugged():
    """The receiver is pulled out and comes back under another name."""
    drive = Drive(HZ)
    with Receiver(drive) as old, RealGPSD(old.path) as gpsd, Daemon(gpsd.port, *QUICK) as daemon:
        daemon.is_in("streaming", limit=10)
        daemon.records(limit=5)
        old.unplug()
        daemon.is_in("no_receiver", "receiver_silent", limit=5)
        states, end = collections.Counter(), time.monotonic() + 11
        while time.monotonic() < end:
            states[daemon.state()] += 1
            time.sleep(0.2)
        check(states.keys() <= {"no_receiver", "receiver_silent"}, f"it says {states}")
        with Receiver(drive) as new:
            gpsd.tell("-" + old.path)
            gpsd.tell("+" + new.path)
            daemon.records(limit=5)
            # A hole is named for what kept the fixes away the longest.
            judge(daemon, drive, states.most_common(1)[0][0])
            lines(daemon, 1)


def silent():
    """The receiver says nothing for a while, then reports without a fix, then has one."""
    drive = Drive(HZ)
    with Receiver(drive) as receiver, RealGPSD(receiver.path) as gpsd, \
            Daemon(gpsd.port, *QUICK) as daemon:
        daemon.is_in("streaming", limit=10)
        daemon.records(limit=5)
        receiver.isSilent = True
        daemon.is_in("receiver_silent", limit=5)
        time.sleep(10)
        receiver.isSilent = False
        daemon.records(limit=5)
        time.sleep(1)
        receiver.hasFix = False
        daemon.is_in("no_fix", limit=12)
        check(daemon.ask("status")["track"]["gap"] == "no_sky", "status has no gap")
        time.sleep(4)
        receiver.hasFix = True
        daemon.records(limit=5)
        judge(daemon, drive, "receiver_silent", "no_sky")
        lines(daemon, 2)


def two():
    """Two receivers, one of them 50 km north: one track, and the other one's when the first dies."""
    drive, north = Drive(HZ), 0.45
    with Receiver(drive) as near, Receiver(drive, north) as far, \
            RealGPSD(near.path, far.path) as gpsd, Daemon(gpsd.port, *QUICK) as daemon:
        daemon.is_in("streaming", limit=10)
        daemon.records(limit=5)
        time.sleep(2)
        used = daemon.ask("status")["fix"]
        (near if used["lat"] < 51.2 else far).unplug()
        until(lambda: abs(daemon.ask("status")["fix"]["lat"] - used["lat"]) > 0.3, 15,
              "the other receiver makes the track")
        time.sleep(2)
        daemon.stop()
        rows = daemon.fixes()
        is_far = [row["lat"] > 51.2 for row in rows]
        # Never back and forth.
        changes = sum(a != b for a, b in zip(is_far, is_far[1:]))
        check(changes == 1, f"{changes} changes of receiver")
        check(all(drive.is_true({**dict(row), "lat": row["lat"] - north * (row["lat"] > 51.2)})
                  for row in rows), "a false fix")


def pinned():
    """A receiver that settings name makes the track alone; while it is lost nobody stands in for it."""
    drive, north = Drive(HZ), 0.45
    with Receiver(drive) as near, Receiver(drive, north) as far, \
            RealGPSD(near.path, far.path) as gpsd, \
            Daemon(gpsd.port, *QUICK, f"Source.Device={far.path}") as daemon:
        daemon.records(limit=10, more=5)
        far.isSilent = True
        daemon.is_in("receiver_silent", limit=10)
        kept = daemon.kept()
        time.sleep(11)
        check(daemon.kept() == kept, "another receiver stands in for the one that is named")
        far.isSilent = False
        daemon.records(limit=5, more=3)
        daemon.stop()
        rows = daemon.fixes()
        check(all(row["lat"] > 51.2 for row in rows), "a fix of the other receiver")
        check(daemon.gaps() == ["receiver_silent"], f"gaps: {daemon.gaps()}")


def pinned_later():
    """The receiver that settings name is one gpsd does not have yet, then has, loses, and has again."""
    drive, north = Drive(HZ), 0.45
    with Receiver(drive, north) as other, Receiver(drive) as named, RealGPSD(other.path) as gpsd, \
            Daemon(gpsd.port, *QUICK, f"Source.Device={named.path}") as daemon:
        daemon.is_in("no_receiver", limit=5)
        for _ in range(20):
            time.sleep(0.2)
            check(daemon.state() == "no_receiver", f"it says {daemon.state()}")
        detail = daemon.ask("status")["source"]["detail"]
        check(named.path in detail, f"it does not say which: {detail}")
        gpsd.tell("+" + named.path)
        daemon.records(limit=5, more=3)
        gpsd.tell("-" + named.path)
        daemon.is_in("no_receiver", limit=5)
        time.sleep(11)
        gpsd.tell("+" + named.path)
        daemon.records(limit=5, more=3)
        judge(daemon, drive, "no_receiver")


def failback():
    """The better one of two falls silent and comes back: the other one fills in, and gives back after a while."""
    drive, north = Drive(HZ), 0.45
    with Receiver(drive) as best, Receiver(drive, north) as other, \
            RealGPSD(other.path, best.path) as gpsd, \
            Daemon(gpsd.port, *QUICK, f"Source.Prefer={best.path}", "Source.FallBackAfter=2s",
                   "Source.FailBackAfter=3s", "Source.DrainEvery=0s") as daemon:
        def is_best():
            fix = daemon.ask("status").get("fix")
            return fix and fix["lat"] < 51.2

        until(is_best, 15, "the better receiver makes the track")
        time.sleep(2)
        best.isSilent = True
        until(lambda: not is_best(), 2 + 5, "the other one fills in")
        time.sleep(1)
        best.isSilent = False
        begin = time.monotonic()
        until(is_best, 3 + 5, "the better one is back")
        check(time.monotonic() - begin >= 3 - 0.5, "back before it has proven itself")
        time.sleep(1)
        daemon.stop()
        rows = daemon.fixes()
        check(all(drive.is_true({**dict(row), "lat": row["lat"] - north * (row["lat"] > 51.2)})
                  for row in rows), "a false fix")
        first = next(index for index, row in enumerate(rows) if row["lat"] < 51.2)
        is_other = [row["lat"] > 51.2 for row in rows[first:]]
        changes = sum(a != b for a, b in zip(is_other, is_other[1:]))
        check(changes == 2, f"{changes} changes of receiver")
        names = {row["device"] for row in daemon.rows("SELECT device FROM fixes WHERE kept")}
        check(len(names) == 2, f"receivers are not told apart: {names}")


def fallback(*settings):
    """The chosen one of two falls silent and the other one is waited for: what is said of that time is why."""

    def script(drive, epoch):
        if epoch < 10 * HZ:
            yield drive.report(epoch)
        yield drive.report(epoch, device="/dev/gnss1")

    with PretendedGPSD(script, HZ) as gpsd, \
            Daemon(gpsd.port, "Source.FallBackAfter=16s", *settings) as daemon:
        # Its journal is watched, not its socket: who asks, wakes it.
        until(lambda: daemon.lines("no fixes"), 10 + 15, "the loss is noticed")
        check("state=receiver_silent" in daemon.said(), daemon.said())
        time.sleep(1)
        check(daemon.state() == "receiver_silent", f"it says {daemon.state()}")
        gap = daemon.ask("status")["track"].get("gap")
        check(gap == "receiver_silent", f"status tells of {gap}")
        lost = stamp(gpsd.drive.begin + 12)
        words = daemon.tool("why", lost)
        check("receiver" in words and "silent" in words, words)
        daemon.records(limit=10)
        check(daemon.state() == "streaming", f"it says {daemon.state()}")
        daemon.stop()
        check(daemon.gaps() == ["receiver_silent"], f"gaps: {daemon.gaps()}")
        lines = [line for line in daemon.lines() if "no fixes" in line or "streaming" in line]
        check(len(lines) == 3 and "receiver=/dev/gnss1" in lines[2], f"lines: {lines}")
        check(all(gpsd.drive.is_true(row) for row in daemon.fixes()), "a false fix")


def changes():
    """Speed, driver and rate of the receiver change while it reports: nothing is lost and nothing is said."""
    rates = [(20, 1), (60, 5), (80, 1)]

    def script(drive, epoch):
        if epoch in (20, 60):
            yield {"class": "DEVICE", "path": "/dev/gnss0", "activated": stamp(drive.time(epoch)),
                   "driver": "u-blox" if epoch == 20 else "SiRF", "flags": 1, "native": epoch // 60,
                   "bps": 115200 if epoch == 20 else 4800, "parity": "N", "stopbits": 1,
                   "cycle": 1.0 if epoch == 20 else 0.2}
        every = next((n for end, n in rates if epoch < end), 1)
        if epoch % every == 0:
            yield drive.report(epoch)

    with PretendedGPSD(script, HZ) as gpsd, Daemon(gpsd.port, *QUICK) as daemon:
        while gpsd.epoch < 80:
            time.sleep(0.1)
        status = daemon.ask("status")
        check(status["source"]["state"] == "streaming", status["source"]["state"])
        check([r["driver"] for r in status["source"]["receivers"]] == ["SiRF"],
              f"receivers: {status['source']['receivers']}")
        judge(daemon, gpsd.drive)
        seen = {round(gpsd.drive.epoch(row)) for row in daemon.fixes()}
        sent = {n for n in range(1, 79) if not 20 <= n < 60 or n % 5 == 0}
        check(sent <= seen, f"missing: {sorted(sent - seen)}")
        lines(daemon, 0)


def stands(state, script):
    """Reports come and say nothing new: a state and a reason of their own, and the end of it when they do."""

    def lie(drive, epoch):
        return script(drive, epoch) if 20 <= epoch < 95 else lies.honest(drive, epoch)

    with PretendedGPSD(lie, HZ) as gpsd, Daemon(gpsd.port, "Tracking.GapAfter=5s") as daemon:
        daemon.is_in(state, limit=25)
        check(daemon.ask("status")["track"]["gap"] == state, "status has no gap")
        while gpsd.epoch < 95:
            time.sleep(0.1)
        daemon.records(limit=5)
        judge(daemon, gpsd.drive, state)
        lines(daemon, 1)


RESOLVER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    if (name && strcmp(name, "gps.example") == 0) {
        while (access(getenv("RESOLVER_HANGS"), F_OK) == 0) usleep(20000);
        name = "127.0.0.1";
    }
    return real(name, port, hints, found);
}
"""


def resolver():
    """The name server does not answer: status and the end do not wait for it."""
    with tempfile.TemporaryDirectory() as folder, PretendedGPSD(lies.honest, HZ) as gpsd:
        folder = pathlib.Path(folder)
        (folder / "r.c").write_text(RESOLVER)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "r.so", folder / "r.c", "-ldl"],
                       check=True)
        hangs = folder / "hangs"
        hangs.touch()
        environment = {"LD_PRELOAD": str(folder / "r.so"), "RESOLVER_HANGS": str(hangs)}
        with Daemon(gpsd.port, host="gps.example", environment=environment) as daemon:
            daemon.is_in("resolving", limit=2)
            begin = time.monotonic()
            for _ in range(10):
                daemon.ask("status")
            check(time.monotonic() - begin < 1, "status waits for the name server")
            daemon.is_in("resolve_failed", limit=15)
            hangs.unlink()
            daemon.records(limit=5)
            hangs.touch()
            judge(daemon, gpsd.drive)
        with Daemon(gpsd.port, host="gps.example", environment=environment) as daemon:
            daemon.is_in("resolving", limit=2)
            begin = time.monotonic()
            daemon.stop()
            check(time.monotonic() - begin < 2, "the end waits for the name server")


def addresses():
    """localhost is found where gpsd listens on IPv4 alone, and an IPv6 literal where it does on IPv6."""
    drive = Drive(HZ)
    with Receiver(drive) as receiver, RealGPSD(receiver.path) as gpsd:
        for host in ("localhost", "[::1]"):
            if host == "[::1]" and not os.path.exists("/proc/net/if_inet6"):
                continue
            with Daemon(gpsd.port, *QUICK, host=host) as daemon:
                daemon.records(limit=8)
                judge(daemon, drive)


CASES = {
    "gpsd is killed and started again 5 times": functools.partial(restart, 5),
    "gpsd is stopped": stopped,
    "the daemon is first": first,
    "the receiver is pulled out and comes back under another name": unplugged,
    "the receiver is silent, then blind": silent,
    "two receivers, the first dies": two,
    "an old fix is repeated": functools.partial(
        stands, "old_fix_repeated", lies.SCENES["frozen"]),
    "time stands still": functools.partial(
        stands, "time_stands_still", lambda drive, epoch: [
            drive.report(epoch, time=stamp(drive.time(lies.LIES)))]),
    "a pinned receiver": pinned,
    "a pinned receiver that gpsd does not have": pinned_later,
    "the better receiver comes back": failback,
    "two receivers, the first is silent": functools.partial(fallback, "Source.DrainEvery=0s"),
    "two receivers, the first is silent, drained": fallback,
    "speed, driver and rate change": changes,
    "the name server hangs": resolver,
    "localhost and IPv6": addresses,
}
# What takes longer.
LONG = {"gpsd is killed and started again 20 times": functools.partial(restart, 20)}
