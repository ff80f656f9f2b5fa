"""A few logs of the corpus by both ways; `sametrack.py` compares all."""

import functools
import os

import sametrack
from lab import check


def same(name):
    log = sametrack.CORPUS / f"nmea/{name}.nmea"
    if not log.exists():
        check(os.environ.get("CI") != "true", f"no {log}")
        return
    _, ours, gpsd, wrong, _ = sametrack.compare(log)
    check(not wrong, f"{len(wrong)} differ: {wrong[:3]}")
    check(len(gpsd) >= 0.9 * len(ours) > 0, f"{len(ours)} fixes, {len(gpsd)} by gpsd")


LOGS = ("gpsd-pharos-360", "gpsd-quectel-L70", "gpsd-ublox-neo-m9n-nmea")
CASES = {f"same track: {name}": functools.partial(same, name) for name in LOGS}
