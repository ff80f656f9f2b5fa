"""A wire that breaks: nothing false, nothing twice, and recording again soon after it is well."""

import functools
import time

import lies
from lab import Daemon, PretendedGPSD, Wire, check, until

HZ = 5.0
# Faults that lose nothing of what was sent.
LOSSLESS = {"pass", "split", "dup", "glue"}
MODES = (
    "pass", "hang", "refuse", "reset", "trickle", "split", "glue", "corrupt", "truncate", "dup",
    "drop", "junk", "long", "halfclose", "nul", "dead")


def fault(mode, *settings):
    with PretendedGPSD(lies.honest, HZ) as gpsd, Wire(gpsd.port) as wire, \
            Daemon(wire.port, *settings) as daemon:
        daemon.is_in("streaming", limit=5)
        began = gpsd.epoch + 8
        time.sleep(2)
        wire.mode = mode
        time.sleep(6)
        wire.mode = "pass"
        again = daemon.records(limit=10 if mode == "dead" else 5)
        # What was asked for after the fault is not of before it.
        back = gpsd.epoch
        daemon.records(limit=5)
        time.sleep(2)
        end = gpsd.epoch - 3
        daemon.stop()
        seen = []
        for row in daemon.fixes():
            check(gpsd.drive.is_true(row), f"a false fix: {dict(row)}")
            if row["time"]:
                seen.append(round(gpsd.drive.epoch(row)))
        check(len(seen) == len(set(seen)), f"a fix twice: {seen}")
        first = began if mode in LOSSLESS else back + 2
        missing = set(range(first, end)) - set(seen)
        check(not missing, f"honest fixes {sorted(missing)} are missing")
        check(len(daemon.lines("no fixes")) <= 1, f"lines: {daemon.lines()}")
    return again


CASES = {f"wire: {mode}": functools.partial(fault, mode) for mode in MODES}
CASES |= {f"wire, drained: {mode}": functools.partial(fault, mode, "Source.DrainEvery=5s")
          for mode in ("reset", "hang", "corrupt")}


def hang():
    """The wire hangs for half a minute, with the settings as they come."""
    with PretendedGPSD(lies.honest, 1.0) as gpsd, Wire(gpsd.port) as wire, \
            Daemon(wire.port) as daemon:
        daemon.is_in("streaming", limit=5)
        time.sleep(3)
        wire.mode = "hang"
        # Its journal is watched, not its socket: who asks, wakes it.
        noticed = until(lambda: daemon.lines("no fixes"), 15, "the loss is noticed")
        time.sleep(1)
        state = daemon.state()
        check(state in ("receiver_silent", "gpsd_silent", "no_fix"), f"it says {state}")
        time.sleep(max(0, 30 - noticed))
        wire.mode = "pass"
        daemon.records(limit=5)
        daemon.stop()
        rows = daemon.fixes()
        check(all(gpsd.drive.is_true(row) for row in rows), "a false fix")
        check(daemon.gaps() in (["receiver_silent"], ["source_lost"]), f"gaps: {daemon.gaps()}")
        check(len(daemon.lines("no fixes")) == 1, f"lines: {daemon.lines()}")
        check(len(daemon.lines("source streaming")) == 2, f"lines: {daemon.lines()}")


LONG = {"wire: hangs for half a minute, as shipped": hang}
