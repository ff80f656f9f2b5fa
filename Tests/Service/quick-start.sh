# The quick starts of the README, run as they are written: `start SECTION`.
# shellcheck shell=bash
sudo() { "$@"; }
adduser() { usermod -aG "$2" "$1"; } # not in a minimal Debian
export USER=driver
useradd driver
rm "$old_package"
systemd-run -q --unit=receiver python3 /service/receiver.py /run/receiver
until [ -e /run/receiver ]; do sleep 0.05; done
start() {
    # The commands of a section: what is indented by four, comments and all.
    sed -n "/^### $1/,/^##/s/^    //p" /service/README.md >/tmp/start
    check "at most ten lines" test "$(wc -l </tmp/start)" -le 10
    check "and some" test "$(wc -l </tmp/start)" -ge 3
    cd /packages || return
    while IFS= read -r line <&3; do
        case $line in
        *doctor*) within 30 "$line" eval "$line" ;; # once fixes come
        *) check "$line" eval "$line" ;;
        esac
    done 3</tmp/start
}
