#!/usr/bin/env python3
"""receiver.py LINK: an NMEA receiver on a pseudo-terminal, at walking speed, one epoch a second, dated now.

LINK becomes a symbolic link to the terminal. While the file LINK.quiet is there nothing is sent.
"""
import os
import pty
import select
import sys
import time
import tty


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n"


link = sys.argv[1]
master, slave = pty.openpty()
tty.setraw(slave)
name = os.ttyname(slave)
os.chmod(name, 0o666)
# Who holds it open counts as another reader of the line.
os.close(slave)
line = select.poll()
line.register(master, 0)
if os.path.lexists(link):
    os.unlink(link)
os.symlink(name, link)
begin = int(time.time())
while True:
    now = time.time()
    time.sleep(1 - now % 1)
    if os.path.exists(link + ".quiet") or line.poll(0):
        continue  # or nobody has it open
    second = round(time.time())
    # The receiver's time is the sky's, whatever the machine's clock is told to say.
    clock = time.gmtime(second)
    hms = time.strftime("%H%M%S.00", clock)
    # One metre north a second: 1/1852 of a minute.
    minutes = 30 + (second - begin) / 1852
    latitude = f"48{minutes:08.5f},N"
    longitude = "01118.00000,E"
    lines = [
        f"GPRMC,{hms},A,{latitude},{longitude},1.94,0.0,{time.strftime('%d%m%y', clock)},,,A",
        f"GPGGA,{hms},{latitude},{longitude},1,08,0.9,520.0,M,47.0,M,,",
        "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3",
    ]
    os.write(master, "".join(map(sentence, lines)).encode())
