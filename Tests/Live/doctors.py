"""`tracklog doctor` on machines that are broken in one place each: it names the place and the remedy."""

import contextlib
import functools
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile

import lies
from lab import BIN, Daemon, PretendedGPSD, Server, check, free_port

SOCKET_UNIT = "[Socket]\nListenStream=/run/gpsd.sock\nListenStream=[::1]:2947\nListenStream=127.0.0.1:2947\n"


class Idle(Server):
    """A gpsd that lists its receivers and reports nothing."""

    def __init__(self, devices=(), answers=True):
        self.devices, self.answers = devices, answers
        super().__init__()

    def serve(self, client):
        if self.answers:
            client.sendall(json.dumps({"class": "VERSION", "release": "3.22"}).encode() + b"\r\n")
        while asked := client.recv(4096):
            if self.answers and b"DEVICES" in asked:
                devices = [{"class": "DEVICE", "path": path} for path in self.devices]
                client.sendall(
                    json.dumps({"class": "DEVICES", "devices": devices}).encode() + b"\r\n")


class Other(Server):
    """Another program on gpsd's port: it says its word, when it is spoken to or at once."""

    def __init__(self, word, isAsked=False, stays=True):
        self.word, self.isAsked, self.stays = word, isAsked, stays
        super().__init__()

    def serve(self, client):
        if self.word is None:
            return
        asked = client.recv(4096) if self.isAsked else b""
        client.sendall(self.word or asked)
        while self.stays and client.recv(4096):
            pass


class Held:
    """What systemd holds for a gpsd that does not start: connections are made, and nobody takes them.

    At gpsd's own port, on an address of loopback that nobody else has."""

    port = 2947

    def __init__(self):
        self.host = "127." + ".".join(str(random.randrange(1, 255)) for _ in range(3))
        self.listener = socket.create_server((self.host, self.port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


class Box:
    """The files of a machine where everything is as it should be, but what a test changes."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        self.write("usr/sbin/gpsd", "")
        self.write("proc/net/if_inet6", "00000000000000000000000000000001 01 80 10 80 lo\n")
        self.write("lib/systemd/system/gpsd.socket", SOCKET_UNIT)
        self.write("etc/default/gpsd", 'DEVICES=""\nGPSD_OPTIONS=""\n')
        self.write("etc/group", "dialout:x:20:\n")
        self.device("ttyACM0")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def device(self, name):
        self.write(f"dev/{name}", "")
        (self.root / f"dev/{name}").chmod(0o666)

    def enable(self):
        self.write("etc/systemd/system/sockets.target.wants/gpsd.socket", SOCKET_UNIT)

    def process(self, pid, name, *arguments, opens=None):
        self.write(f"proc/{pid}/comm", name + "\n")
        self.write(f"proc/{pid}/cmdline", "\0".join((name, *arguments)) + "\0")
        descriptors = self.root / f"proc/{pid}/fd"
        descriptors.mkdir()
        if opens:
            (descriptors / "5").symlink_to(opens)

    def examine(self, port, *settings, host="127.0.0.1", daemon=None, database=None):
        """The lines of a look, by the name of their link, and the exit code."""
        self.write("tracklogd.conf", f"[Source]\nGpsd={host}:{port}\n" + "\n".join(settings))
        command = [
            BIN / "tracklog", "--config", self.root / "tracklogd.conf", "--color", "never",
            "--database", database or daemon and daemon.database or self.root / "d.db",
            "--socket", daemon.socket if daemon else self.root / "s", "doctor", "--root", self.root]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        lines = {}
        for line in done.stdout.splitlines():
            verdict, name, words = line.split(None, 2)
            check(verdict == "ok" or ";" in words, f"no remedy: {line}")
            lines.setdefault(name, f"{verdict} {words}")
        return lines, done.returncode


def broken(link, words, change=None, *settings, gpsd=None, verdict="FAIL"):
    """Without a daemon: a machine with one change shows it at its link, and the code is not 0."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        box = Box(folder)
        if change:
            change(box)
        server = stack.enter_context(gpsd()) if gpsd else None
        host = getattr(server, "host", "127.0.0.1")
        lines, code = box.examine(server.port if server else free_port(), *settings, host=host)
        check(lines.get(link, "").startswith(verdict), f"{link} is not {verdict}: {lines}")
        check(words in lines[link], f"'{words}' is not in {lines[link]}")
        check(code != 0, "exit code 0 without a fix")


def full(kind):
    """A disk without room: for a new database, for one that was begun, for one that is there."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "full"
        place.mkdir()
        if os.geteuid() or subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", place], capture_output=True).returncode:
            return
        try:
            base = place / "d.db"
            if kind == "one that is there":
                with Daemon(free_port()) as daemon:
                    daemon.stop()
                    shutil.copy(daemon.database, base)
            with open(place / "fill", "wb", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(bytes(4096)):
                    pass
            if kind == "one that was begun":
                base.touch()
            lines, code = Box(folder).examine(free_port(), database=base)
            check(lines["database"].startswith("FAIL") and "is full" in lines["database"], lines["database"])
            check(code != 0, "exit code 0")
        finally:
            subprocess.run(["umount", place], check=True)


def listing(*paths):
    return lambda: Idle(paths)


def nothing_written():
    """A database where nothing can be written."""
    with tempfile.TemporaryDirectory() as folder:
        lines, code = Box(folder).examine(free_port(), database="/proc/none/d.db")
        check(lines["database"].startswith("FAIL"), lines["database"])
        check(code != 0, "exit code 0")


def with_daemon(script, code, fix, source, *settings):
    """With a daemon on a pretended gpsd, on a machine where all else is well."""
    with tempfile.TemporaryDirectory() as folder, PretendedGPSD(script) as gpsd, \
            Daemon(gpsd.port, "Source.SilenceTimeout=2s", "Source.DrainEvery=0s") as daemon:
        daemon.is_in(source, limit=40)
        if source == "streaming":
            daemon.records(limit=5)
        box = Box(folder)
        box.device("gnss0")
        lines, got = box.examine(gpsd.port, *settings, daemon=daemon)
        check(got == code, f"exit code {got}: {lines}")
        for link, line in lines.items():
            check(not line.startswith("FAIL") or code, f"{link} {line}, and exit code 0")
        check(lines["fix"].startswith(fix), lines["fix"])
        check(source in lines["source"], lines["source"])
        if settings:
            check(lines["group"].startswith("doubt"), lines["group"])


def until(epoch, script):
    return lambda drive, number: script(drive, number) if number < epoch else []


def no_sky(drive, epoch):
    return [drive.report(epoch, mode=1, lat=None, lon=None)]


ACM = "/dev/ttyACM0"
CASES = {
    "gpsd is not installed": functools.partial(
        broken, "gpsd", "not installed", lambda box: (box.root / "usr/sbin/gpsd").unlink()),
    "gpsd is not running": functools.partial(broken, "gpsd", "not running"),
    "gpsd.socket is enabled and down": functools.partial(
        broken, "gpsd", "systemctl start gpsd.socket", Box.enable),
    "gpsd.socket is held and gpsd does not start": functools.partial(
        broken, "gpsd", "journalctl -u gpsd", Box.enable, gpsd=Held),
    "gpsd.socket started a gpsd that has no receiver": functools.partial(
        broken, "receiver", "name it in DEVICES=",
        lambda box: (box.enable(), box.process(72, "gpsd", "-N")), gpsd=listing()),
    "IPv6 is off": functools.partial(
        broken, "gpsd", "IPv6 is off",
        lambda box: (box.enable(), (box.root / "proc/net/if_inet6").unlink())),
    "gpsd hangs": functools.partial(
        broken, "gpsd", "it hangs; sudo systemctl restart gpsd",
        lambda box: box.process(72, "gpsd", "-N"), gpsd=lambda: Idle(answers=False)),
    "something says nothing, and no gpsd runs": functools.partial(
        broken, "gpsd", "no gpsd runs here", gpsd=lambda: Idle(answers=False)),
    "gpsd greets and hangs": functools.partial(
        broken, "gpsd", "answers nothing: it hangs", verdict="doubt",
        gpsd=lambda: Other(b'{"class":"VERSION","release":"3.22","proto_major":3}\r\n')),
    "gpsd speaks another protocol": functools.partial(
        broken, "gpsd", "protocol 4", verdict="doubt",
        gpsd=lambda: Other(b'{"class":"VERSION","release":"4.0","proto_major":4}\r\n'
                           b'{"class":"DEVICES","devices":[]}\r\n')),
    "something closes every connection": functools.partial(
        broken, "gpsd", "closes them without a word",
        gpsd=lambda: Other(None, stays=False)),
    "the host is unknown": functools.partial(
        broken, "gpsd", "name the host right", None, "Gpsd=no-such-host.invalid"),
    "gpsd has no receiver": functools.partial(
        broken, "receiver", "gpsd has none", gpsd=listing()),
    "gpsd does not have the receiver of its settings": functools.partial(
        broken, "receiver", "names",
        lambda box: box.write("etc/default/gpsd", f'DEVICES="{ACM}"\n'), gpsd=listing()),
    "gpsd does not have the receiver of our settings": functools.partial(
        broken, "receiver", "Device= names", lambda box: box.device("ttyUSB0"),
        "Device=/dev/ttyUSB0", gpsd=listing(ACM)),
    "the receiver is not plugged in": functools.partial(
        broken, "receiver", "is not there", gpsd=listing("/dev/ttyACM7")),
    "ModemManager has the receiver": functools.partial(
        broken, "receiver", "ModemManager (70)",
        lambda box: box.process(70, "ModemManager", opens=ACM), gpsd=listing(ACM)),
    "another program reads the receiver": functools.partial(
        broken, "receiver", "minicom (71) reads",
        lambda box: box.process(71, "minicom", opens=ACM), gpsd=listing(ACM)),
    "gpsd may not read the receiver": functools.partial(
        broken, "receiver", "may not read",
        lambda box: (box.root / "dev/ttyACM0").chmod(0o600), gpsd=listing(ACM)),
    "gpsd runs with -n": functools.partial(
        broken, "options", "-n, which keeps the receiver on",
        lambda box: box.process(72, "gpsd", "-nN", ACM, opens=ACM),
        "[DutyCycle]", "Policy=interval", gpsd=listing(ACM), verdict="doubt"),
    "options that systemd makes vain": functools.partial(
        broken, "options", "-G",
        lambda box: (box.enable(), box.write("etc/default/gpsd", 'GPSD_OPTIONS="-G -S 2948"\n')),
        gpsd=listing(ACM), verdict="doubt"),
    "there is no group": functools.partial(
        broken, "group", "no group", None, "[Status]", "Group=no-such-group"),
    "the daemon does not run": functools.partial(broken, "daemon", "no tracklogd answers"),
    "nothing can be written": nothing_written,
    "fixes arrive": functools.partial(with_daemon, lies.honest, 0, "ok", "streaming"),
    "fixes arrive and there is no group": functools.partial(
        with_daemon, lies.honest, 0, "ok", "streaming", "[Status]", "Group=no-such-group"),
    "the receiver is silent": functools.partial(
        with_daemon, until(15, lies.honest), 1, "", "receiver_silent"),
    "there is no sky": functools.partial(with_daemon, no_sky, 1, "FAIL", "no_fix"),
}
OTHERS = {
    "it is an SSH server": (b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n", False),
    "it is a web server": (b"HTTP/1.1 400 Bad Request\r\n\r\n", True, False),
    "it is a TLS server": (bytes([21, 3, 1, 0, 2, 2, 70]), True, False),
    "it repeats what it is told": (b"", True),
    "it speaks NMEA 0183": (b"$GPGSV,1,1,00*79\r\n", False),
    "it speaks otherwise": (b"+OK ready\r\n", False),
}
CASES |= {
    f"what answers is not gpsd, {words}": functools.partial(
        broken, "gpsd", words, gpsd=functools.partial(Other, *said))
    for words, said in OTHERS.items()}
CASES |= {f"a disk is full, {kind}": functools.partial(full, kind)
          for kind in ("nothing there", "one that was begun", "one that is there")}
CASES = {f"doctor: {name}": scene for name, scene in CASES.items()}
