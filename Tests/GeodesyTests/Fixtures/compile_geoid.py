#!/usr/bin/env python3
"""Writes Sources/Geodesy/GeoidTable.swift from egm96_15.gtx (NGA, public domain; proj-data).

Usage: compile_geoid.py /usr/share/proj/egm96_15.gtx

Every fourth row and column of the 15-minute grid, in steps of 5 cm from -110 m, two base-64
digits a value, rows from north to south, each from 180 W eastwards.
"""
import struct
import sys
from pathlib import Path

OUT = Path(__file__).parents[3] / "Sources/Geodesy/GeoidTable.swift"

data = Path(sys.argv[1]).read_bytes()
south, west, dlat, dlon, rows, columns = struct.unpack(">4d2i", data[:40])
assert (south, west, dlat, dlon, rows, columns) == (-90, -180, 0.25, 0.25, 721, 1440)
values = struct.unpack(f">{rows * columns}f", data[40:])


def digits(metres: float) -> str:
    steps = round((metres + 110) * 20)
    assert 0 <= steps < 4096
    codes = [48 + (steps >> 6), 48 + (steps & 63)]
    return "".join(chr(code + (code >= 92)) for code in codes)


text = "".join(
    digits(values[(lat + 90) * 4 * columns + (lon + 180) * 4])
    for lat in range(90, -91, -1)
    for lon in range(-180, 180)
)
lines = [
    "// Written by Tests/GeodesyTests/Fixtures/compile_geoid.py; do not edit.",
    "",
    "/// Heights of the geoid EGM96 above WGS 84 at every whole degree (NGA, public domain).",
    "enum GeoidTable {",
    '    static let heights: StaticString = """',
]
lines += [f"        {text[i:i + 90]}\\" for i in range(0, len(text), 90)]
OUT.write_text("\n".join(lines) + '\n\n        """\n}\n')
