#!/usr/bin/env python3
"""Writes Sources/Geodesy/OffsetBoundary.swift from china_boundary.geojson beside this file.

Each vertex is eight characters: longitude and latitude, ten-thousandths of a degree from
-180 and -90, four base-64 digits each. A ring ends with a space.
"""
import json
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parents[2] / "Sources/Geodesy/OffsetBoundary.swift"


def digits(value: int) -> str:
    """Four digits, most significant first; the backslash is left out of the alphabet."""
    codes = [48 + (value >> shift & 63) for shift in (18, 12, 6, 0)]
    return "".join(chr(code + (code >= 92)) for code in codes)


def encode(feature: dict) -> str:
    rings = [ring for polygon in feature["geometry"]["coordinates"] for ring in polygon]
    text = []
    for ring in rings:
        points = [(round((lon + 180) * 1e4), round((lat + 90) * 1e4)) for lon, lat in ring]
        assert points[0] == points[-1]
        text += [digits(x) + digits(y) for x, y in points] + [" "]
    return "".join(text)


features = json.loads((HERE / "china_boundary.geojson").read_text())["features"]
lines = [
    "// Written by Tests/GeodesyTests/Fixtures/compile_boundary.py; do not edit.",
    "",
    "/// The borders of the regions where map providers apply an offset, four decimals of a degree.",
    "///",
    "/// Made from Natural Earth 1:10m (public domain); the fixture's README tells how. It is no",
    "/// statement about sovereignty.",
    "enum OffsetBoundary {",
]
for feature in features:
    name = {"hongkong": "hongKong"}.get(feature["id"], feature["id"])
    text = encode(feature)
    rows = [text[i : i + 88] for i in range(0, len(text), 88)]
    lines.append(f'    static let {name}: StaticString = """')
    lines += [f"        {row}\\" for row in rows[:-1]]
    lines += [f"        {rows[-1]}\\", "", '        """']
    if feature is not features[-1]:
        lines.append("")
OUT.write_text("\n".join(lines) + "\n}\n")
