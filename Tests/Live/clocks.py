"""A host whose clock is wrong: fixes keep the receiver's time, and neither order nor gaps change when it is set."""

import calendar
import pathlib
import subprocess
import tempfile
import time

import lies
from lab import Daemon, PretendedGPSD, check, stamp

HZ = 5.0
# Shifts the wall clock by the seconds a file holds.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, now);
    if (code == 0 && clock == CLOCK_REALTIME) {
        FILE *file = fopen(getenv("CLOCK_SHIFT"), "r");
        long shift = 0;
        if (file) { if (fscanf(file, "%ld", &shift) != 1) shift = 0; fclose(file); }
        now->tv_sec += shift;
    }
    return code;
}
"""


def shifted(first, then, begins=0):
    """The clock is off by `first` seconds, and after a while by `then`; fixes begin after `begins` epochs."""

    def script(drive, epoch):
        if epoch < begins:
            return [drive.report(epoch, mode=1, lat=None, lon=None, time=None)]
        return lies.honest(drive, epoch)

    with tempfile.TemporaryDirectory() as folder, PretendedGPSD(script, HZ) as gpsd:
        folder = pathlib.Path(folder)
        (folder / "c.c").write_text(CLOCK)
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-o", folder / "c.so", folder / "c.c", "-ldl"], check=True)
        shift = folder / "shift"
        shift.write_text(str(first))
        environment = {"LD_PRELOAD": str(folder / "c.so"), "CLOCK_SHIFT": str(shift)}
        with Daemon(gpsd.port, "Source.DrainEvery=0s", environment=environment) as daemon:
            if begins:
                status = daemon.ask("status")
                check(not status["clock_trusted"], "a clock is trusted that nothing has proven")
                check("time" not in status, "a time is told that nothing has proven")
            daemon.records(limit=15, more=10)
            check(daemon.ask("status")["clock_trusted"], "ten fixes have not proven the time")
            time.sleep(1)
            shift.write_text(str(then))
            time.sleep(3)
            daemon.records(limit=5)
            daemon.stop()
            rows = daemon.fixes()
            check(all(gpsd.drive.is_true(row) for row in rows), "a false fix")
            times = [row["time"] for row in rows]
            check(times == sorted(set(times)), "fixes twice or out of order")
            epochs = [round(gpsd.drive.epoch(row)) for row in rows]
            check(epochs == list(range(epochs[0], epochs[-1] + 1)), f"fixes are missing: {epochs}")
            check(daemon.gaps() == [], f"gaps: {daemon.gaps()}")
            check({row["segment"] for row in rows} == {1}, "a segment ends where the clock is set")


def cold(wrong):
    """The first times after a cold start are wrong: none of them becomes the latest, a gap or part of the track.

    `wrong` gives the times of epochs from the first fix on; after them comes the truth."""

    def script(drive, epoch):
        if epoch < 10:
            return [drive.report(epoch, mode=1, lat=None, lon=None)]
        number = epoch - 10
        time = wrong(drive, number) if number < 4 else None
        return [drive.report(epoch, time=time or stamp(drive.time(epoch)))]

    with PretendedGPSD(script, HZ) as gpsd, Daemon(gpsd.port, "Source.DrainEvery=0s") as daemon:
        while gpsd.epoch < 30:
            time.sleep(0.05)
            fix = daemon.ask("status").get("fix")
            if fix:
                check(abs(calendar.timegm(time.strptime(fix["time"][:19], "%Y-%m-%dT%H:%M:%S"))
                          - time.time()) < 10, f"the latest fix is of {fix['time']}")
        daemon.stop()
        drive, rows = gpsd.drive, daemon.fixes()
        check(all(drive.is_true(row) for row in rows), f"false: {[row['time'] for row in rows]}")
        seen = [round(drive.epoch(row)) for row in rows]
        right = [n for n in range(10, 28) if n - 10 >= 4 or not wrong(drive, n - 10)]
        check([n for n in seen if n < 28] == right, f"{seen} of {right}")
        check(daemon.gaps() == [], f"gaps: {daemon.gaps()}")
        # Nothing is lost: what is not believed stands beside the track, with the time it came with.
        others = [row["time"] for row in daemon.rows("SELECT * FROM fixes WHERE NOT kept")]
        told = [wrong(drive, n) for n in range(4) if wrong(drive, n)]
        check(others == told, f"{others} beside the track, not {told}")


def default(drive, number):
    """The first day of the third GPS era, as long as the receiver does not know its week."""
    return f"2019-04-07T00:00:{number * 0.2:06.3f}Z"


def future(drive, number):
    """Two fixes of 2080 and one of a year ahead."""
    return ("2080-01-06T00:00:00.000Z", "2080-01-06T00:00:00.200Z",
            stamp(drive.time(12) + 365 * 86400), None)[number]


def ahead(drive, number):
    """Two of a year ahead, which only those after them show."""
    return stamp(drive.time(10 + number) + 365 * 86400) if number < 2 else None


CASES = {
    "clock: 1970 until it is set": lambda: shifted(-int(time.time()) + 60, 0, begins=20),
    "clock: 1970 for good": lambda: shifted(-int(time.time()) + 60, -int(time.time()) + 60),
    "clock: set back by an hour": lambda: shifted(0, -3600),
    "clock: set ahead by a day": lambda: shifted(0, 86400),
    "clock: a default date after a cold start": lambda: cold(default),
    "clock: dates of 2080 after a cold start": lambda: cold(future),
    "clock: a year ahead after a cold start": lambda: cold(ahead),
}
