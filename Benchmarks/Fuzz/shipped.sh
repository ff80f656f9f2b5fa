#!/bin/bash
# shipped.sh RUNS NAME...: fuzzes targets as `make release` has built what they test, without a sanitizer and without
# guidance: RUNS inputs each, made of the seeds; two at a time. None may take more than 100 ms. `make fuzz` looks deeper.
set -eu
cd "$(dirname "$0")/../.."
release=$PWD/.build/release
work=$PWD/.build/fuzz-shipped
runs=$1
shift
mkdir -p "$work"
if ! echo 'int LLVMFuzzerTestOneInput(const char *b, long n) { return 0; }' |
    clang -fsanitize=fuzzer -x c - -o "$work/probe" 2>"$work/probe.log"; then
    echo "fuzz: skipped: this toolchain has no libFuzzer: $(tail -n 1 "$work/probe.log")"
    exit 0
fi

one() {
    local name=$1 begin=$SECONDS targets objects includes
    targets=$(cd Sources && ls -d [A-Z]* | grep -v '^C[A-Z]')
    # shellcheck disable=SC2086
    # Those of the files that there are: a build folder keeps others.
    objects=$(cd Sources && find $targets -name '*.swift' -printf "%H/%f\n" | sed "s|\(.*\)/|$release/\1.build/|; s|\$|.o|")
    includes=$(find Sources -name module.modulemap -printf '-I %h ')
    # shellcheck disable=SC2086
    swiftc -O -parse-as-library -sanitize=fuzzer -module-name "Fuzz$name" -enable-experimental-feature Extern \
        -Xlinker --wrap=LLVMFuzzerTestOneInput -I "$release/Modules" $includes \
        "Benchmarks/Fuzz/$name.swift" Benchmarks/Fuzz/Limit/Limit.swift $objects \
        -lgps -ljansson -lexpat -lz -lsqlite3 -lsystemd -o "$work/$name" >"$work/$name.log" 2>&1 ||
        { cat "$work/$name.log"; return 1; }
    # It writes what it finds of interest into the first folder.
    rm -rf "$work/found-$name" && mkdir "$work/found-$name"
    if ! "$work/$name" -runs="$runs" -seed=1 -timeout=5 -rss_limit_mb=512 -max_len=4096 -reload=0 \
        -artifact_prefix="$work/$name-" "$work/found-$name" "Benchmarks/Fuzz/Seeds/$name" >"$work/$name.log" 2>&1; then
        tail -n 40 "$work/$name.log"
        echo "fuzz: $name failed; the input is in $work/$name-*" >&2
        return 1
    fi
    echo "fuzz: $name: $(sed -nE 's/^Done ([0-9]+) runs.*/\1/p' "$work/$name.log") inputs, nothing found, $((SECONDS - begin)) s"
}
export -f one
export release work runs
export SWIFT_BACKTRACE=enable=no
printf '%s\n' "$@" | xargs -P 2 -I{} bash -c 'one {}'
