#!/bin/sh
# parse.sh [FILE]: instructions to decode an NMEA log, ours and those of the C parser in ../shared/tools/c, and the
# ratio. Without FILE it is the first 4 MB of the log that ../shared/tools/make_nmea.py makes. Counted by callgrind:
# three passes less one, halved. Ours reads every sentence into fixes; the C parser reads RMC and GGA.
set -eu
cd "$(dirname "$0")/.."
shared=${TRACKLOG_SHARED:-../shared}
bin=${BIN:-.build/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

log=${1:-}
if [ -z "$log" ]; then
    if [ ! -e "$shared/tools/make_nmea.py" ]; then
        echo 'skipped: no tools'
        exit 0
    fi
    python3 "$shared/tools/make_nmea.py" --epochs 10000 --out "$work/drive.nmea"
    log=$work/log.nmea
    head -c 4000000 "$work/drive.nmea" >"$log"
fi
[ -x "$bin/bench-parse" ] || swift build -c release --product bench-parse >/dev/null

# instructions PROGRAM ARGUMENT...: of one pass; the number of passes is appended.
instructions() {
    for passes in 1 3; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" "$passes" 2>&1 >/dev/null |
            sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
    done | awk 'NR == 1 { one = $1 } NR == 2 { printf "%.0f\n", ($1 - one) / 2 }'
}

bytes=$(wc -c <"$log")
ours=$(instructions "$bin/bench-parse" "$log")
echo "ours $ours instructions, $(awk "BEGIN { printf \"%.2f\", $ours / $bytes }") a byte"
if [ -e "$shared/tools/c/scan.c" ]; then
    cc -O2 -o "$work/scan" "$shared/tools/c/scan.c"
    theirs=$(instructions "$work/scan" wide "$log")
    echo "c    $theirs instructions, $(awk "BEGIN { printf \"%.2f\", $theirs / $bytes }") a byte"
    echo "ratio $(awk "BEGIN { printf \"%.3f\", $ours / $theirs }")"
fi
