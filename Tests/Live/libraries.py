"""Every libgps there is: the one of the build is found under its name, another is refused with a line that says so."""

import functools
import os
import pathlib
import re
import subprocess
import tempfile

from lab import BIN, check, free_port

# Says what this machine's libgps says, as one of another gps.h would.
OTHER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
// Its line is const from gpsd 3.25 on.
#define gps_unpack gps_unpack_of_the_header
#include <gps.h>
#undef gps_unpack
#include <stdlib.h>
#include <string.h>
static void *real(const char *name) {
    static void *library;
    if (!library) library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
    return dlsym(library, name);
}
void gps_clear_fix(struct gps_fix_t *fix) { ((void (*)(struct gps_fix_t *))real("gps_clear_fix"))(fix); }
void gps_clear_dop(struct dop_t *dop) { ((void (*)(struct dop_t *))real("gps_clear_dop"))(dop); }
static void unpack(const char *line, struct gps_data_t *data) {
    ((int (*)(const char *, struct gps_data_t *))real("gps_unpack"))(line, data);
}
"""
KINDS = {
    # A member more at the front of a fix: every one behind it is elsewhere.
    "members elsewhere": """
int gps_unpack(const char *line, struct gps_data_t *data) {
    struct gps_data_t *mine = calloc(1, sizeof *mine);
    unpack(line, mine);
    memmove((char *)data + 8, mine, sizeof *mine - 8);
    free(mine);
    return 0;
}""",
    # The same members and more behind them.
    "a longer structure": """
int gps_unpack(const char *line, struct gps_data_t *data) {
    unpack(line, data);
    memset((char *)data + sizeof *data, 0, 4096);
    return 0;
}""",
    # It knows no class of today.
    "other reports": "int gps_unpack(const char *line, struct gps_data_t *data) { return -1; }",
}
SAME = "int gps_unpack(const char *line, struct gps_data_t *data) { unpack(line, data); return 0; }"
# The number in the soname, by release of gpsd: 28 of Debian 12, 29 of OpenWrt 21.02, 30 of Debian 13, 32 of Debian
# testing. API 11.0 to 16.1 of gps.h go with them.
SONAMES = {"3.22": 28, "3.23": 29, "3.25": 30, "3.27": 32}


def linked():
    """The file of the libgps that the daemon would load."""
    libraries = subprocess.run(
        ["ldd", BIN / "tracklogd"], capture_output=True, text=True, check=True).stdout
    name, path = re.search(r"(libgps\.so\.\d+) => (\S+)", libraries).groups()
    return name, os.path.realpath(path)


def refused(folder, name, *options):
    """The program ends by itself with one line that names the trouble and the remedy, and leaves nothing behind."""
    done = subprocess.run(
        [BIN / "tracklogd", "--database", folder / "d.db", *options],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10,
        env={**os.environ, "LD_LIBRARY_PATH": str(folder)})
    # sysexits.h, EX_SOFTWARE: to be built again.
    check(done.returncode == 70, f"{name}: ended with {done.returncode}: {done.stderr}")
    lines = done.stderr.splitlines()
    check(len(lines) == 1 and "libgps" in lines[0] and "rebuild it here" in lines[0],
          f"{name}: {done.stderr}")
    check(not (folder / "d.db").exists(), f"{name}: a database is left")


def build(folder, name, real, kind):
    (folder / "l.c").write_text(OTHER + kind)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-w", f"-Wl,-soname,{name}", f'-DREAL="{real}"',
         "-o", folder / name, folder / "l.c", "-ldl"], check=True)


def other(kind):
    with tempfile.TemporaryDirectory(prefix="tracklog-libgps-") as folder:
        folder = pathlib.Path(folder)
        name, real = linked()
        build(folder, name, real, KINDS[kind])
        port = free_port()
        refused(folder, "live", "--socket", folder / "s", "--set", f"Source.Gpsd=127.0.0.1:{port}")
        (folder / "log.json").write_text('{"class":"TPV","mode":3,"lat":51,"lon":0}\n')
        refused(folder, "replay", "--replay", folder / "log.json")


def beside(release):
    """The tool, which is not linked with one, passes over a libgps that does not fit and takes that of a release."""
    with tempfile.TemporaryDirectory(prefix="tracklog-libgps-") as folder:
        folder = pathlib.Path(folder)
        name, real = linked()
        (folder / "log.json").write_text(
            '{"class":"TPV","mode":2,"time":"2026-05-01T10:00:00.000Z","lat":51,"lon":0}\n')

        def decode():
            return subprocess.run(
                [BIN / "tracklog", "decode", folder / "log.json"], capture_output=True, text=True, timeout=10,
                env={**os.environ, "LD_LIBRARY_PATH": str(folder)})

        build(folder, name, real, KINDS["members elsewhere"])
        done = decode()
        check(done.returncode == 70 and "libgps" in done.stderr, f"no other: {done.returncode} {done.stderr}")
        build(folder, f"libgps.so.{SONAMES[release]}", real, SAME)
        done = decode()
        check(done.returncode == 0 and '"lat":51' in done.stdout, f"{release}: {done.returncode} {done.stderr}")


CASES = {
    **{f"libgps: {kind}": functools.partial(other, kind) for kind in KINDS},
    **{f"libgps: that of {release}": functools.partial(beside, release) for release in SONAMES},
}
