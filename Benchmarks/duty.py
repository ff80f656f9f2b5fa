"""Runs bench-duty on made-up days and on the recorded tracks of the corpus, and says whether each row meets its must.

duty.py [SEEDS]: with seeds, a short run on those; without, the whole, as `make bench` has it."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TRACKS = pathlib.Path(os.environ.get("TRACKLOG_CORPUS", ROOT.parent / "shared/corpus")) / "tracks"


def rows(seeds=""):
    """Prints a line of the table for each row; returns whether all of them are met."""
    tracks = ""
    if (TRACKS / "tracks.json").exists():
        for track in json.loads((TRACKS / "tracks.json").read_text()):
            name = f"{track['id']}.csv"
            tracks += f"# {track['kind']} {track['id']}\n{(TRACKS / name).read_text()}\n"
    else:
        print("recorded tracks: skipped: no corpus", flush=True)
    command = [ROOT / ".build/release/bench-duty", *([seeds] if seeds else [])]
    done = subprocess.run(
        [*command, *(["--real"] if tracks else [])], input=tracks, stdout=subprocess.PIPE, text=True,
        check=True)
    print(done.stdout, end="", flush=True)
    missing = not tracks and os.environ.get("CI") == "true"
    return "MISSED" not in done.stdout and not missing


if __name__ == "__main__":
    sys.exit(0 if rows(*sys.argv[1:]) else 1)
