#!/bin/sh
# Runs every fuzz target: first its corpus, then new inputs.
#   tests/fuzz/run.sh BUILD SECONDS
# BUILD: a build folder configured with CAXTON_FUZZ=ON whose target "fuzzers" is built.
# SECONDS: the time for new inputs, shared out equally over the targets (at least 1 each), of which
# as many run at once as there are processors.
# New inputs are kept in a scratch folder and dropped; the tree is not written to. An input that
# breaks a target stays in BUILD/fuzz-faults and is printed in base64. Exits 1 when there is one.
set -eu
[ $# -eq 2 ] || { echo "usage: $0 BUILD SECONDS" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
faults=$build/fuzz-faults
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rm -rf "$faults"
mkdir "$faults"

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
    if "$1" -max_total_time="$each" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
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
