#!/bin/sh
# demo.sh LOG: replays a log through tracklogd, asks it for its status meanwhile and shows the track.
set -eu
cd "$(dirname "$0")/.."
log=$1
bin=.build/release
database=demo.db
if [ ! -r "$log" ]; then
    echo "demo: cannot read $log" >&2
    exit 66
fi
rm -f "$database" "$database-wal" "$database-shm"
folder=$(mktemp -d)
daemon=
finish() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT INT TERM

echo "== a daemon that replays $log 60 times faster than it was recorded, asked after three seconds"
$bin/tracklogd --replay "$log" --speed 60 --database "$folder/live.db" --socket "$folder/s" \
    2>"$folder/live.log" &
daemon=$!
sleep 3
if ! $bin/tracklog --socket "$folder/s" status; then
    cat "$folder/live.log" >&2
    exit 1
fi
kill "$daemon"
wait "$daemon"
daemon=

echo
echo "== the whole log as fast as possible, into $database"
$bin/tracklogd --replay "$log" --database "$database"

echo
echo "== what it recorded"
$bin/tracklog stats --database "$database"

cat <<END

== try next
  $bin/tracklog list --database $database --last 20
  $bin/tracklog export --database $database --format gpx -o demo.gpx
  $bin/tracklog decode '$log' | head
  sqlite3 $database '.tables'
  make demo LOG=/path/to/your.nmea
END
