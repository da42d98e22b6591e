#!/usr/bin/env bash
# sprt.sh with programs in the place of cmake and fastchess that only write down their arguments.
# Exits 0 when all is well, 1 with a line for each fault, 77 where there is no git checkout.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
head=$(git -C "$here" rev-parse --short HEAD 2>/dev/null) || {
    echo "skipped: no git checkout"
    exit 77
}
failed=0
mkdir "$folder/programs" "$folder/bare" "$folder/tmp"

# cmake -B FOLDER makes an engine there: what bench prints says that base is half as fast.
cat >"$folder/programs/cmake" <<'END'
#!/bin/sh
echo "cmake $*" >>"$CALLS"
[ "$1" = -S ] || exit 0
mkdir -p "$4"
case $4 in *base) speed=1000 ;; *) speed=2000 ;; esac
printf '#!/bin/sh\necho "Speed: %d nodes per second"\necho "Bench: 7"\n' "$speed" >"$4/caxton"
chmod +x "$4/caxton"
END
cat >"$folder/programs/fastchess" <<'END'
#!/bin/sh
echo "fastchess $*" >>"$CALLS"
echo "Started game 1 of 2"
echo "Elo: 1.00 +/- 2.00"
END
chmod +x "$folder/programs/cmake" "$folder/programs/fastchess"
for tool in bash git dirname getconf realpath mktemp rm; do
    ln -s "$(command -v "$tool")" "$folder/bare/$tool"
done
ln -s "$folder/programs/cmake" "$folder/bare/cmake"

# sprt STATUS OPTIONS...: output and calls are left in $output and $calls.
sprt()
{
    local wanted=$1 status=0
    shift
    : >"$folder/calls"
    output=$(PATH=$programs CALLS=$folder/calls TMPDIR=$folder/tmp \
        bash "$here/sprt.sh" "$@" 2>&1) || status=$?
    calls=$(cat "$folder/calls")
    [ "$status" -eq "$wanted" ] || fault "sprt.sh $*: exit status $status, not $wanted: $output"
}

fault()
{
    printf '%s\n' "$*"
    failed=$((failed + 1))
}

# has TEXT WHAT
has()
{
    case $1 in *"$2"*) ;; *) fault "\"$2\" is missing in: $1" ;; esac
}

hasnt()
{
    case $1 in *"$2"*) fault "\"$2\" should not be in: $1" ;; esac
}

programs=$folder/programs:$PATH

sprt 0 HEAD
has "$output" "base       $head"
has "$output" "candidate  the work tree"
has "$output" "base 7 nodes, candidate 7 nodes: the same search"
has "$output" "base 1000, candidate 2000 nodes per second, ratio 2.000 (medians of 5)"
has "$output" "Elo: 1.00 +/- 2.00"
hasnt "$output" "Started game"
has "$calls" "elo0=0 elo1=5 alpha=0.05 beta=0.05"
has "$calls" "nodes=12000 option.Hash=16 option.OwnBook=false"
has "$calls" "uho_sample.epd format=epd"
has "$calls" "-rounds 4000 -repeat" # each opening once
hasnt "$calls" " tc="

sprt 0 --games 9 --tc 8+0.08 --bench-runs 0 --verbose --openings "$here/sprt.sh" HEAD HEAD
has "$output" "candidate  $head"
has "$output" "Started game"
hasnt "$output" "nodes per second"
has "$calls" "tc=8+0.08"
has "$calls" "-rounds 5 -repeat"
hasnt "$calls" "-sprt"
hasnt "$calls" "nodes="

sprt 0 --games 100 --elo0 -3 --elo1 1.5 --bench-runs 1 --cmake -DCAXTON_ARCH=native HEAD
has "$calls" "elo0=-3 elo1=1.5"
has "$calls" "-rounds 50"
has "$calls" "-DCAXTON_ARCH=native"

sprt 0 --help
has "$output" "BASE [CANDIDATE]"
sprt 2
has "$output" "which version is the base?"
sprt 2 HEAD HEAD HEAD
sprt 2 --nodes
sprt 2 --nodes many HEAD
sprt 2 --speed 5 HEAD
has "$output" "no such option: --speed"
sprt 2 --openings "$folder/none.epd" HEAD
sprt 2 "no-such-branch"
has "$output" "no such commit: no-such-branch"

programs=$folder/bare
sprt 2 HEAD
has "$output" "fastchess is not on the PATH"

[ -z "$(ls "$folder/tmp")" ] || fault "temporary files were left behind"
hasnt "$(git -C "$here" worktree list)" "$folder"

[ "$failed" -eq 0 ]
