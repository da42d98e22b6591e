#!/bin/sh
# Runs every fuzz target: first its corpus, then new inputs.
#   tests/fuzz/run.sh BUILD SECONDS
#   tests/fuzz/run.sh BUILD coverage [NAME...]
# BUILD: a build folder configured with CAXTON_FUZZ=ON whose target "fuzzers" is built.
# SECONDS: the time for new inputs, shared out equally over the targets (at least 1 each), of which
# as many run at once as there are processors.
# New inputs are kept in a scratch folder and dropped; the tree is not written to. An input that
# breaks a target stays in BUILD/fuzz-faults and is printed in base64. Exits 1 when there is one.
# coverage: how many lines of its reader each corpus (of all targets, or of those named) reaches;
# README.md has the readers. BUILD has the flags -fprofile-instr-generate -fcoverage-mapping, too.
# BUILD/fuzz-coverage/NAME.lines has the lines that are not reached.
set -eu
[ $# -eq 2 ] || [ "${2-}" = coverage ] || { echo "usage: $0 BUILD SECONDS|coverage" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
faults=$build/fuzz-faults
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rm -rf "$faults"
mkdir "$faults"

# cover NAME: a line about it, and BUILD/fuzz-coverage/NAME.lines.
cover()
{
    target=$build/tests/fuzz_$1
    paths=$(sed -n "s/^| $1 | \([^|]*\) |.*/\1/p" "$here/README.md" | tr -d '`,')
    [ -n "$paths" ] || { echo "$1: no reader of it in tests/fuzz/README.md" >&2; return 1; }
    LLVM_PROFILE_FILE=$scratch/raw "$target" -runs=0 -timeout=600 -rss_limit_mb=4096 \
        "$here/corpus/$1" >"$scratch/log" 2>&1 || { tail "$scratch/log"; return 1; }
    "$($cc -print-prog-name=llvm-profdata)" merge -o "$scratch/data" "$scratch/raw"
    "$($cc -print-prog-name=llvm-cov)" show -instr-profile="$scratch/data" "$target" |
        awk -v name="$1" -v paths="$paths" -v out="$build/fuzz-coverage/$1.lines" '
            BEGIN { readers = split(paths, reader, " "); printf "" >out }
            /^\/.*:$/ {
                wanted = 0
                for (i = 1; i <= readers; i++)
                    wanted = wanted || index($0, "/" reader[i])
                file = $0
            }
            wanted && /^ *[0-9]+\| *[0-9.]+[kMGE]*\|/ {
                split($0, part, "|")
                all++
                if (part[2] + 0)
                    covered++
                else
                    print file $0 >out
            }
            END { printf "%-14s %5d of %5d lines\n", name, covered, all }'
}

if [ "$2" = coverage ]; then
    cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
    mkdir -p "$build/fuzz-coverage"
    shift 2
    # shellcheck disable=SC2046 # names of targets
    [ $# -gt 0 ] || set -- $(sed -n 's/^| \([a-z_]*\) | `.*/\1/p' "$here/README.md")
    for name; do
        cover "$name"
    done
    exit
fi

targets=$(find "$build/tests" -maxdepth 1 -type f -name 'fuzz_*' -perm -u+x | sort)
[ -n "$targets" ] || { echo "no fuzz target in $build/tests" >&2; exit 2; }
count=$(echo "$targets" | wc -l)
each=$(($2 / count))
[ "$each" -ge 1 ] || each=1
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# try TARGET: what it has to say goes to scratch/NAME.out, and scratch/NAME.ok is made when it held.
try()
{
    name=${1##*/fuzz_}
    corpus=$here/corpus/$name
    log=$scratch/$name.log
    mkdir "$scratch/$name"
    # The timeout is for an input that never ends: a busy machine may stand still for many seconds.
    if "$1" -max_total_time="$each" -timeout=100 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$faults/$name-" "$scratch/$name" "$corpus" >"$log" 2>&1 </dev/null; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        printf '%-16s %s inputs in the corpus, %s run in %s s\n' "$name" \
            "$(find "$corpus" -type f | wc -l)" "$runs" "$each"
        touch "$scratch/$name.ok"
    else
        tail -n 60 "$log"
        printf '%s: FAILED\n' "$name"
        for input in "$faults/$name"-*; do
            [ ! -f "$input" ] || { echo "$input in base64:"; base64 "$input" | head -n 60; }
        done
    fi >"$scratch/$name.out"
}

started=0
for target in $targets; do
    try "$target" &
    started=$((started + 1))
    [ $((started % jobs)) -ne 0 ] || wait
done
wait
cat "$scratch"/*.out
held=$(find "$scratch" -maxdepth 1 -name '*.ok' | wc -l)
echo "$held of $count fuzz targets without a fault"
[ "$held" -eq "$count" ]
