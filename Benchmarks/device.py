"""Bytes that reach a flash card for each fix: an ext4 of its own on a loop device, whose write counter is read."""

import os
import pathlib
import subprocess
import tempfile

# gpxlogger of gpsd 3.22, live at 1 Hz on such a device (it never syncs): bytes a fix, median of three runs.
GPXLOGGER = 969
SIZE = 256 << 20


def written(loop):
    """Bytes written to a device since it was made (Documentation/block/stat.rst of Linux, field 7)."""
    text = pathlib.Path(f"/sys/block/{pathlib.Path(loop).name}/stat").read_text()
    return int(text.split()[6]) * 512


def bytes_per_fix(bench_store, fixes, batch):
    """Bytes a fix when `batch` of them are made durable together; None where loop devices cannot be had."""
    if os.geteuid() != 0:
        return None
    with tempfile.TemporaryDirectory() as folder:
        image, mount = f"{folder}/disk", f"{folder}/mount"
        os.mkdir(mount)
        with open(image, "wb") as file:
            file.truncate(SIZE)
        subprocess.run(
            ["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image],
            check=True)
        made = subprocess.run(
            ["losetup", "--find", "--show", image], stdout=subprocess.PIPE, text=True)
        if made.returncode:
            return None
        loop = made.stdout.strip()
        try:
            if subprocess.run(["mount", loop, mount]).returncode:
                return None
            try:
                os.sync()
                before = written(loop)
                subprocess.run(
                    [bench_store, f"{mount}/track.db", str(fixes), str(batch)], check=True,
                    stdout=subprocess.DEVNULL)
                fd = os.open(mount, os.O_RDONLY)
                os.sync()
                os.close(fd)
                return (written(loop) - before) / fixes
            finally:
                subprocess.run(["umount", mount], check=True)
        finally:
            subprocess.run(["losetup", "--detach", loop], check=True)
