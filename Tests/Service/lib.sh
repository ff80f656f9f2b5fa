# For the cases: they run as root in a booted container, with the package in /packages.
# shellcheck shell=bash

export LC_ALL=C DEBIAN_FRONTEND=noninteractive
db=/var/lib/tracklog/track.db
failures=0

ok() { echo "ok: $*"; }
bad() {
    echo "NOT OK: $*"
    failures=$((failures + 1))
}
# check WORDS COMMAND...: the command succeeds.
check() {
    local words=$1
    shift
    if "$@" >/tmp/said 2>&1; then ok "$words"; else bad "$words: $(tail -n 5 /tmp/said)"; fi
}
# within SECONDS WORDS COMMAND...: the command succeeds some time in that many seconds.
within() {
    local limit=$1 words=$2 begin=$SECONDS
    shift 2
    until "$@" >/tmp/said 2>&1; do
        if [ $((SECONDS - begin)) -ge "$limit" ]; then
            bad "$words, not in $limit s: $(tail -n 5 /tmp/said)"
            return
        fi
        sleep 0.1
    done
    ok "$words"
}
# same WORDS WANTED GOT
same() { if [ "$2" = "$3" ]; then ok "$1"; else bad "$1: wanted '$2', got '$3'"; fi; }
# Prints what the daemon said since the case (or the last `mark`) began.
journal() { journalctl --no-pager -o cat -u tracklogd.service ${cursor:+--after-cursor="$cursor"}; }
mark() { cursor=$(journalctl --no-pager -n 0 --show-cursor | sed -n 's/^-- cursor: //p'); }
said() { journal | grep -q -- "$1"; }
# property NAME of the service
property() { systemctl show --value -p "$1" tracklogd.service; }
active() { [ "$(property ActiveState)/$(property SubState)" = active/running ]; }
fixes() { sqlite3 -readonly "$db" 'SELECT count(*) FROM fix' 2>/dev/null || echo 0; }
# The number of a member of the status, as durable_sequence.
number() { tracklog status --json | grep -o "\"$1\":[0-9]*" | head -n 1 | tr -dc 0-9; }
durable_beyond() { [ "$(number durable_sequence)" -gt "$1" ]; }
stored_beyond() { [ "$(fixes)" -gt "$1" ]; }
# More fixes reach the disk.
records() {
    local before
    before=$(fixes)
    tracklog flush >/dev/null 2>&1
    within "${2:-20}" "$1" flushed_beyond "$before"
}
flushed_beyond() { tracklog flush >/dev/null && stored_beyond "$1"; }
sound() { [ "$(sqlite3 -readonly "$db" 'PRAGMA integrity_check')" = ok ]; }
install_package() { apt-get -qq install -y --no-install-recommends "$@"; }
old_package=$(ls /packages/tracklog_0.0.9-1_*)
new_package=$(ls /packages/tracklog_[!0]* /packages/tracklog_0.[!0]* 2>/dev/null)
# Commits each second, so that nothing here waits for a commit.
quick() {
    mkdir -p /etc/tracklog/tracklogd.conf.d
    printf '[Store]\nCommitEvery=1\n[Source]\nDrainEvery=0\n' >/etc/tracklog/tracklogd.conf.d/10-quick.conf
}
# A call that the unit's filter refuses kills the daemon here, so that it is found. (Asking whether the
# clock is right is refused all the same, by ProtectClock=.)
strict() {
    mkdir -p /etc/systemd/system/tracklogd.service.d
    cat >/etc/systemd/system/tracklogd.service.d/strict.conf <<'S'
[Service]
SystemCallFilter=adjtimex clock_adjtime
SystemCallErrorNumber=kill
S
    systemctl daemon-reload
}
receiver() {
    systemd-run -q --unit=receiver python3 /service/receiver.py /run/receiver
    until [ -e /run/receiver ]; do sleep 0.05; done
    cat >/etc/default/gpsd <<'G'
DEVICES="/run/receiver"
GPSD_OPTIONS=""
USBAUTO="false"
G
    systemctl restart gpsd.socket
}
