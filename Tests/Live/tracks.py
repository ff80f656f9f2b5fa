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
    _, ours, gpsd, both, wrong = sametrack.compare(log)
    check(not wrong, f"{len(wrong)} differ: {wrong[:3]}")
    check(both >= 0.9 * ours > 0, f"{ours} fixes, {gpsd} by gpsd, {both} in both")


LOGS = ("gpsd-pharos-360", "gpsd-quectel-L70", "gpsd-ublox-neo-m9n-nmea")
CASES = {f"same track: {name}": functools.partial(same, name) for name in LOGS}
