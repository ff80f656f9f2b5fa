"""What the scenes are made of: the daemon under test, a pretended gpsd, a faulty wire, the real gpsd on pseudo-terminals.

Everything is on loopback, on ports that the kernel chose, in a folder of its own, and ends with its owner."""

import calendar
import contextlib
import json
import math
import os
import pathlib
import pty
import random
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import tempfile
import termios
import threading
import time
import tty

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("TRACKLOG_BIN", ROOT / ".build/release"))


class Failed(Exception):
    """A rule that did not hold."""


def check(good, what):
    if not good:
        raise Failed(what)


def until(condition, limit, what, every=0.05):
    """Waits for something to become true and says how long that took."""
    begin = time.monotonic()
    while True:
        value = condition()
        taken = time.monotonic() - begin
        if value:
            return taken
        if taken > limit:
            raise Failed(f"not within {limit} s: {what}")
        time.sleep(every)


given, giving = set(), threading.Lock()


def free_port():
    """A port that nothing takes before its owner does.

    Below those that the kernel gives out itself (ip_local_port_range): there any connection of any scene may sit on
    it, and whoever connects to one where nobody listens may meet itself."""
    while True:
        port = random.randrange(15000, 32000)
        with giving, socket.socket() as probe, contextlib.suppress(OSError):
            if port in given:
                continue
            probe.bind(("127.0.0.1", port))
            given.add(port)
            return port


class Daemon:
    """A tracklogd on a gpsd, with its journal and its database."""

    def __init__(self, port, *settings, host="127.0.0.1", environment=None, wrap=()):
        self.folder = tempfile.TemporaryDirectory(prefix="tracklog-live-")
        folder = pathlib.Path(self.folder.name)
        self.socket, self.database = folder / "s", folder / "d.db"
        self.errors = folder / "err"
        options = [f"Source.Gpsd={host}:{port}", *settings]
        self.command = [*wrap, BIN / "tracklogd", "--database", self.database, "--socket", self.socket]
        for option in options:
            self.command += ["--set", option]
        self.environment = {**os.environ, **(environment or {})}
        self.process = None
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise

    def start(self):
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                env=self.environment)
        until(self.answers, 30, "tracklogd opens its socket")

    def answers(self):
        check(self.process.poll() is None, f"tracklogd ended: {self.said()}")
        try:
            return self.ask("status")
        except OSError:
            return None

    def ask(self, method):
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
            client.settimeout(5)
            client.connect(str(self.socket))
            client.sendall(method.encode() + b"\n")
            reply = json.loads(client.makefile().readline())
            check("result" in reply, f"{method}: {reply}")
            return reply["result"]

    def tool(self, *words):
        """What the tool says to somebody who asks it of this daemon."""
        return subprocess.run(
            [BIN / "tracklog", "--socket", self.socket, "--database", self.database, *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout

    def state(self):
        return self.ask("status")["source"]["state"]

    def kept(self):
        return self.ask("status")["counts"]["kept"]

    def is_in(self, *states, limit, what=None):
        return until(lambda: self.state() in states, limit, what or f"state {' or '.join(states)}")

    def records(self, limit, more=1):
        """Waits until a fix more is kept than now."""
        before = self.kept()
        return until(lambda: self.kept() >= before + more, limit, "a fix is kept")

    def said(self):
        return self.errors.read_text(errors="replace")

    def lines(self, event=None):
        return [line for line in self.said().splitlines() if event is None or event in line]

    def descriptors(self):
        """How many are open when it is at rest: one that just answered may still hold our connection."""
        counts = []
        for _ in range(20):
            counts.append(len(os.listdir(f"/proc/{self.process.pid}/fd")))
            time.sleep(0.02)
        return min(counts)

    def resident(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+)", status, re.M)[1])

    def rows(self, query):
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as base:
            base.row_factory = sqlite3.Row
            return base.execute(query).fetchall()

    def fixes(self):
        """The rows of the clean track."""
        return self.rows("SELECT * FROM track ORDER BY sequence")

    def gaps(self):
        return [row["reason"] for row in self.rows("SELECT * FROM gaps")]

    def stop(self):
        """Ends it as systemd does; it must end well."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            code = self.process.wait(10)
            check(code == 0, f"tracklogd ended with {code}: {self.said()[-300:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()
        self.folder.cleanup()


class Server:
    """Accepts on loopback and serves each connection in a thread."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.clients, self.isOpen = [], True
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while self.isOpen:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.clients.append(client)
            threading.Thread(target=self.guard, args=(client,), daemon=True).start()

    def guard(self, client):
        try:
            self.serve(client)
        except OSError:
            pass
        finally:
            client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.isOpen = False
        for each in [self.listener, *self.clients]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def stamp(seconds):
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1000 + 0.5):03d}Z"


class Drive:
    """The truth of every pretended feed: a circle driven at 11 m/s, from now on."""

    def __init__(self, hz=5.0):
        self.hz = hz
        self.start()

    def start(self):
        # Whole seconds: each epoch then has a time that milliseconds can say.
        self.begin = float(int(time.time()))
        self.began = time.monotonic()

    def time(self, epoch):
        return self.begin + epoch / self.hz

    def place(self, epoch):
        angle = epoch / self.hz * 0.01
        return 51 + 0.01 * math.sin(angle), 0.5 + 0.01 * math.cos(angle)

    def report(self, epoch, **changes):
        latitude, longitude = self.place(epoch)
        angle = epoch / self.hz * 0.01
        report = {
            "class": "TPV", "device": "/dev/gnss0", "mode": 3, "time": stamp(self.time(epoch)),
            "ept": 0.005, "lat": round(latitude, 9), "lon": round(longitude, 9), "altHAE": 95.2,
            "altMSL": 50.1, "epx": 3.1, "epy": 3.4, "epv": 7.9,
            "track": round((90 - math.degrees(angle)) % 360, 4), "speed": 11.1, "climb": 0.0,
            "eps": 0.3,
        }
        report.update(changes)
        return {key: value for key, value in report.items() if value is not None}

    def sky(self, epoch, signal=None):
        satellites = [
            {"PRN": n, "el": 10 + 7 * n % 80, "az": 37 * n % 360,
             "ss": 22 + (7 * n + epoch) % 23 if signal is None else signal, "used": n < 9,
             "gnssid": 0, "svid": n} for n in range(1, 13)]
        return {
            "class": "SKY", "device": "/dev/gnss0", "time": stamp(self.time(epoch)), "hdop": 0.9,
            "pdop": 1.6, "vdop": 1.3, "nSat": 12, "uSat": 8, "satellites": satellites}

    def epoch(self, row):
        """The epoch a recorded fix is of, by its time."""
        moment = calendar.timegm(time.strptime(row["time"][:19], "%Y-%m-%dT%H:%M:%S"))
        return (moment + float("0" + row["time"][19:].rstrip("Z")) - self.begin) * self.hz

    def is_true(self, row):
        """Whether a recorded fix is where the drive was at its time, within 10 m.

        One without a time has to be somewhere on the circle."""
        if row["time"] is None:
            radius = math.hypot(row["lat"] - 51, row["lon"] - 0.5)
            return abs(radius - 0.01) < 0.0001
        epoch = self.epoch(row)
        latitude, longitude = self.place(epoch)
        north = (row["lat"] - latitude) * 111_200
        east = (row["lon"] - longitude) * 70_000
        return -1 <= epoch <= 36_000 * self.hz and math.hypot(north, east) <= 10


class PretendedGPSD(Server):
    """Says what a scene asks: `script(drive, epoch)` gives the objects or texts of one epoch.

    The drive begins when the first client watches, however long that took it."""

    def __init__(self, script, hz=5.0, newline="\r\n"):
        self.drive, self.script, self.newline = Drive(hz), script, newline
        self.epoch, self.isWatched, self.watching = 0, False, threading.Lock()
        super().__init__()

    def serve(self, client):
        def say(what):
            text = what if isinstance(what, str) else json.dumps(what)
            client.sendall((text + self.newline).encode("utf-8", "surrogatepass"))

        devices = {"class": "DEVICES", "devices": [
            {"class": "DEVICE", "path": "/dev/gnss0", "driver": "NMEA0183",
             "activated": stamp(self.drive.begin), "flags": 1, "native": 0, "bps": 9600,
             "cycle": 1.0}]}
        say({"class": "VERSION", "release": "3.22", "rev": "3.22", "proto_major": 3,
             "proto_minor": 14})
        asked = b""
        while b"WATCH" not in asked:
            more = client.recv(4096)
            if not more:
                return
            asked += more
            if b"DEVICES" in more:
                say(devices)
        say(devices)
        say({"class": "WATCH", "enable": True, "json": True, "nmea": False, "raw": 0,
             "scaled": False, "timing": False, "split24": False, "pps": False})
        with self.watching:
            if not self.isWatched:
                self.drive.start()
            self.isWatched = True
        # A receiver does not wait for its readers: who comes late has missed something.
        epoch = int((time.monotonic() - self.drive.began) * self.drive.hz) + 1
        while self.isOpen:
            wait = self.drive.began + epoch / self.drive.hz - time.monotonic()
            time.sleep(max(0, wait))
            self.epoch = epoch
            for what in self.script(self.drive, epoch):
                say(what)
            epoch += 1


class Wire(Server):
    """A wire to a gpsd that does what `mode` says to what comes from there, from one piece to the next."""

    def __init__(self, upstream, mode="pass", seed=1):
        self.upstream, self.mode, self.random = upstream, mode, random.Random(seed)
        super().__init__()

    def serve(self, client):
        if self.mode == "refuse":
            return self.reset(client)
        server = socket.create_connection(("127.0.0.1", self.upstream))
        threading.Thread(target=self.forward, args=(client, server), daemon=True).start()
        with server:
            held, count = b"", 0
            while self.isOpen:
                if self.mode == "hang":
                    time.sleep(0.02)
                    continue
                piece = server.recv(65536)
                if not piece:
                    return
                mode = self.mode
                if mode == "dead":
                    # For this connection only: a new one works.
                    self.mode = "pass"
                    while self.isOpen:
                        time.sleep(0.1)
                    return
                if mode == "reset":
                    client.sendall(piece[:max(1, len(piece) // 2)])
                    return self.reset(client)
                if mode == "halfclose":
                    client.sendall(piece)
                    client.shutdown(socket.SHUT_WR)
                    while self.isOpen and self.mode == "halfclose":
                        time.sleep(0.05)
                    return
                if mode in ("trickle", "split"):
                    self.crumble(client, piece, mode)
                    continue
                *lines, held = (held + piece).split(b"\n")
                if mode == "glue":
                    time.sleep(2)
                out = b""
                for line in lines:
                    count += 1
                    out += self.spoil(line + b"\n", mode, count)
                client.sendall(out)

    def crumble(self, client, piece, mode):
        while piece:
            size = 1 if mode == "trickle" else self.random.randint(1, 7)
            client.sendall(piece[:size])
            piece = piece[size:]
            if self.mode == mode:
                time.sleep(0.002 if mode == "trickle" else 0.001)

    def spoil(self, line, mode, count):
        chance = self.random
        match mode:
            case "corrupt":
                return bytes(
                    chance.randrange(256) if chance.random() < 1 / 200 else byte for byte in line)
            case "truncate":
                return line[:chance.randrange(len(line))] + b"\r\n"
            case "dup":
                return line + line
            case "drop":
                return b"" if count % 3 == 0 else line
            case "junk":
                return chance.randbytes(chance.randrange(64)) + line
            case "long":
                return line if count % 20 else line.rstrip() + b" " * (1 << 20) + b"\r\n"
            case "nul":
                return line.replace(b",", b",\0", 1)
        return line

    def forward(self, client, server):
        with contextlib.suppress(OSError):
            while piece := client.recv(65536):
                server.sendall(piece)
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_WR)

    @staticmethod
    def reset(client):
        # Whoever still reads it would keep it open.
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RD)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()


class Receiver:
    """A serial receiver on a pseudo-terminal that follows a drive in NMEA 0183."""

    def __init__(self, drive, north=0.0):
        self.drive, self.north = drive, north
        self.isSilent, self.hasFix = False, True
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(self.slave)
        os.chmod(self.path, 0o666)
        self.isPlugged = True
        # A descriptor that was closed may be another scene's the moment after.
        self.plug = threading.Lock()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        epoch = int((time.monotonic() - self.drive.began) * self.drive.hz) + 1
        while self.isPlugged:
            time.sleep(max(0, self.drive.began + epoch / self.drive.hz - time.monotonic()))
            with self.plug:
                if self.isPlugged and not self.isSilent:
                    with contextlib.suppress(OSError):
                        os.write(self.master, self.epoch(epoch))
                    # What gpsd asks the receiver goes nowhere.
                    with contextlib.suppress(OSError):
                        os.read(self.master, 4096)
            epoch += 1

    def epoch(self, number):
        moment = self.drive.time(number)
        latitude, longitude = self.drive.place(number)
        latitude += self.north
        clock = time.strftime("%H%M%S", time.gmtime(moment)) + f".{int(moment % 1 * 100 + 0.5):02d}"
        day = time.strftime("%d%m%y", time.gmtime(moment))
        angle = math.degrees(number / self.drive.hz * 0.01)
        if not self.hasFix:
            return b"".join(map(sentence, (
                f"GPGGA,{clock},,,,,0,00,99.9,,,,,,", "GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9",
                f"GPRMC,{clock},V,,,,,,,{day},,,N")))
        place = f"{angled(latitude, 2)},N,{angled(longitude, 3)},E"
        return b"".join(map(sentence, (
            f"GPGGA,{clock},{place},1,08,0.9,50.1,M,45.1,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3",
            f"GPRMC,{clock},A,{place},21.58,{(90 - angle) % 360:.2f},{day},,,A")))

    def unplug(self):
        with self.plug:
            if self.isPlugged:
                self.isPlugged = False
                os.close(self.master)
                os.close(self.slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.unplug()


def angled(degrees, digits):
    return f"{int(degrees):0{digits}d}{degrees % 1 * 60:09.6f}"


def sentence(body):
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}\r\n".encode()


class RealGPSD:
    """Debian's gpsd on its receivers; `-b` keeps it from probing them, which would take seconds."""

    def __init__(self, *paths, port=None, options=("-n", "-b")):
        self.port, self.paths, self.options = port or free_port(), paths, options
        self.folder = tempfile.TemporaryDirectory(prefix="tracklog-gpsd-")
        self.control = f"{self.folder.name}/control"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["gpsd", "-N", *self.options, "-S", str(self.port), "-F", self.control, *self.paths],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(self.greets, 10, "gpsd greets")
        return self

    def greets(self):
        check(self.process.poll() is None, f"gpsd ended with {self.process.returncode}")
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as client:
                return client.recv(1)
        except OSError:
            return None

    def tell(self, command):
        """`+path` adds a receiver, `-path` takes it away."""
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
            client.connect(self.control)
            client.sendall(command.encode() + b"\r\n")
            return client.recv(100)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()
        self.folder.cleanup()
