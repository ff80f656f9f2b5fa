#!/bin/sh
# run.sh [NAME...]: fuzzes every target Fuzz/NAME.swift (all of them when none is named), SECONDS_EACH (60) seconds each,
# or RUNS inputs if that comes first, as it ships (-O), with AddressSanitizer. A target is one file that defines LLVMFuzzerTestOneInput and imports
# what it tests; seeds are in Seeds/NAME, what was found is kept in .build/fuzz/corpus/NAME.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/.build/fuzz
export SWIFT_BACKTRACE=enable=no
# Leaks are looked for at the end only: the run time of Swift keeps what it needs once.
export ASAN_OPTIONS=detect_leaks=0
names=${*:-$(cd Benchmarks/Fuzz && ls ./*.swift | sed 's|./||; s|.swift||')}
build="swift build -c release --scratch-path $work --sanitize=address -Xswiftc -sanitize=fuzzer"

for name in $names; do
    source=Benchmarks/Fuzz/$name.swift
    modules=$(sed -nE 's/^(public |private )?import +(\w+)$/\2/p' "$source" | grep -v Glibc)
    for module in $modules; do
        $build --target "$module" >"$work.log" 2>&1 || { cat "$work.log"; exit 1; }
    done
    objects=$(find -L "$work/release" -path '*.build/*' -name '*.o')
    includes=$(find Sources -name module.modulemap -printf '-I %h ')
    # shellcheck disable=SC2086
    swiftc -O -parse-as-library -sanitize=fuzzer,address -module-name "Fuzz$name" \
        -I "$work/release/Modules" $includes "$source" $objects \
        -lgps -ljansson -lexpat -lz -lsqlite3 -lsystemd -lm -o "$work/$name" \
        >"$work.log" 2>&1 || { cat "$work.log"; exit 1; }
    mkdir -p "$work/corpus/$name"
    echo "== $name"
    if ! timeout -k 10 $((${SECONDS_EACH:-60} + 60)) "$work/$name" \
        -max_total_time="${SECONDS_EACH:-60}" -runs="${RUNS:--1}" -timeout=1 -rss_limit_mb=512 -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$work/$name-" "$work/corpus/$name" "Benchmarks/Fuzz/Seeds/$name" \
        >"$work/$name.log" 2>&1; then
        tail -n 40 "$work/$name.log"
        echo "fuzz: $name failed; the input is in $work/$name-*" >&2
        exit 1
    fi
    edges=$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$work/$name.log" | tail -n 1)
    runs=$(sed -nE 's/stat::number_of_executed_units: *([0-9]+)/\1/p' "$work/$name.log")
    echo "$runs inputs, $edges edges, nothing found"
    # A target whose work the optimiser took away looks like this.
    [ "${edges:-0}" -gt 50 ] || { echo "fuzz: $name tests nothing" >&2; exit 1; }
done
