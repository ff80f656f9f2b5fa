"""A gpsd that lies: what is no truth stays out of the track, and honest fixes are taken again at once."""

import functools
import json
import time

from lab import Daemon, PretendedGPSD, check, stamp

HZ = 5.0
# From epoch LIES on the feed does what its scene says, from TRUTH on it is honest again, to the END.
LIES, TRUTH, END = 20, 55, 80


def honest(drive, epoch):
    if epoch % 5 == 0:
        yield drive.sky(epoch)
    yield drive.report(epoch)


def now_and_then(every, phase):
    return lambda epoch: epoch % every == phase


def report(when=lambda epoch: True, **changes):
    """A scene that changes members of the report; a function is given drive and epoch."""

    def script(drive, epoch):
        if not when(epoch):
            return honest(drive, epoch)
        values = {k: v(drive, epoch) if callable(v) else v for k, v in changes.items()}
        return [drive.report(epoch, **values)]

    script.lies = when
    return script


def text(make, when=lambda epoch: True):
    """A scene that says any text."""

    def script(drive, epoch):
        return make(drive, epoch) if when(epoch) else honest(drive, epoch)

    script.lies = when
    return script


def beside(make, when=lambda epoch: True):
    """A scene that says something beside what is true."""

    def script(drive, epoch):
        if when(epoch):
            yield from make(drive, epoch)
        yield from honest(drive, epoch)

    script.lies = lambda epoch: False
    return script


def at(seconds):
    """A time that is off by so many seconds."""
    return lambda drive, epoch: stamp(drive.time(epoch) + seconds)


def jam(drive, epoch):
    yield drive.sky(epoch, 8.0)
    lost = epoch > LIES + 5
    yield drive.report(
        epoch, jam=230, mode=1 if lost else 3, **({"lat": None, "lon": None} if lost else {}))


def literal(member, value):
    """A report with a literal where JSON has none, or none that fits a double."""
    return lambda drive, epoch: [
        json.dumps(drive.report(epoch)).replace(f'"{member}": ', f'"{member}": {value}, "x": ')]


WEEKS = 1024 * 7 * 86400
SCENES = {
    "honest": beside(lambda drive, epoch: []),
    "teleport": report(lambda epoch: epoch % 10 < 3, lat=-33.9, lon=18.4),
    "frozen": text(lambda drive, epoch: [drive.report(LIES)]),
    "frozen time": report(time=lambda drive, epoch: stamp(drive.time(LIES))),
    "one fix from the future": report(lambda e: e == LIES, time="2080-01-06T00:00:00.000Z"),
    "fixes of all ages": report(
        lambda e: e % 5 == 0,
        time=lambda drive, epoch: f"{(1600, 9999, 1677, 2600)[epoch // 5 % 4]}-01-01T00:00:00.000Z"),
    "rolled over": report(time=at(-WEEKS)),
    "1970": report(time=lambda drive, epoch: f"1970-01-01T00:00:{epoch:02d}.000Z"),
    "null island": report(now_and_then(7, 3), lat=0.0, lon=0.0),
    "NaN": text(literal("lat", "NaN")),
    "infinity": text(literal("lon", "-Infinity")),
    "null": text(literal("lat", "null")),
    "a latitude of 1e308": text(literal("lat", "1e308")),
    "numbers of 400 digits": text(literal("speed", "1" + "0" * 400), now_and_then(5, 4)),
    "mode without a position": report(lat=None, lon=None),
    "no time": report(time=None),
    "text for a number": report(lat="51"),
    "ten thousand brackets": text(
        lambda drive, epoch: ['{"class":"TPV","x":' + "[" * 10000 + "]" * 10000 + "}"]),
    "longer than gpsd's limit, cut": text(
        lambda drive, epoch: [json.dumps(drive.report(epoch, pad="x" * 20000))[:10240]]),
    "names that are no text": text(
        lambda drive, epoch: ['{"class":"TPV","device":"\\ud800/dev/\\u0000g\xff","mode":1}']),
    "members twice": text(
        lambda drive, epoch: [
            json.dumps(drive.report(epoch)).replace('"lon"', '"lat": -51.0, "lon"')]),
    "two receivers": beside(
        lambda drive, epoch: [drive.report(
            epoch, device="/dev/gnss1", lat=51.5, time=at(-3)(drive, epoch))]),
    "satellites all alike": beside(lambda drive, epoch: [drive.sky(epoch, 44.0)]),
    "jammed": text(jam),
    "a jump in height": report(now_and_then(4, 0), altMSL=18000.0, altHAE=18045.0),
    "unknown classes": beside(lambda drive, epoch: [{"class": "WIBBLE", "n": epoch}]),
    "errors": beside(
        lambda drive, epoch: [{"class": "ERROR", "message": "Unrecognized request 'X'"}]),
    "reports twice": beside(lambda drive, epoch: [drive.report(epoch)]),
    "UTF-16": text(
        lambda drive, epoch: [
            json.dumps(drive.report(epoch)).encode("utf-16-le").decode("latin-1")]),
    "speed that says 0": report(speed=0.0),
    "no newlines": beside(lambda drive, epoch: []),
}
# The positions are true all the same: they may be kept.
HARMLESS = {"a jump in height", "speed that says 0", "no time"}


def lie(name):
    scene = SCENES[name]

    def script(drive, epoch):
        lies = LIES <= epoch < TRUTH
        return scene(drive, epoch) if lies else honest(drive, epoch)

    newline = "" if name == "no newlines" else "\r\n"
    with PretendedGPSD(script, HZ, newline=newline) as gpsd, Daemon(gpsd.port) as daemon:
        while gpsd.epoch < END:
            time.sleep(0.1)
        status = daemon.ask("status")
        daemon.stop()
        drive, seen = gpsd.drive, []
        for row in daemon.fixes():
            check(drive.is_true(row), f"a false fix: {dict(row)}")
            if row["time"] is None:
                check(name == "no time", "a fix without a time")
                continue
            seen.append(round(drive.epoch(row)))
        check(len(seen) == len(set(seen)), f"a fix twice: {seen}")
        # Two fixes of grace after each lie.
        grace = 0
        check(min(seen) <= 2, f"late: {seen}")
        for epoch in range(min(seen), END - 2):
            lies = LIES <= epoch < TRUTH and scene.lies(epoch)
            grace = 2 if lies else grace - 1
            if not lies and grace < 0:
                check(epoch in seen, f"honest fix {epoch} is missing in {seen}")
        check(status["source"]["state"] == "streaming", status["source"]["state"])
        check(abs(status["fix"]["lat"] - drive.place(END)[0]) < 0.001, "the latest fix is not")


CASES = {f"lies: {name}": functools.partial(lie, name) for name in SCENES}
