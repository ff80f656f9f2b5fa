#!/bin/sh
# run.sh: prints the table of speed and memory for this machine. Ratios are taken in one run, side by side.
# BENCH_EPOCHS (1000000) is the length of the log, BENCH_ROUNDS (1) how often the long import is paired,
# BENCH_IDLE (60) the seconds of idling, BENCH_LIVE (180) those on gpsd. Exits with 1 when a "must" is missed.
set -eu
cd "$(dirname "$0")/.."
exec python3 -B Benchmarks/table.py "$@"
