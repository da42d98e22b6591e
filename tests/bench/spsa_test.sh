#!/usr/bin/env bash
# spsa.py with stand-ins for the engine and fastchess: the side whose A is nearer to 60 and whose B
# is nearer to -5 wins. Exits 0 when all is well, 1 with a line for each fault, 77 without python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
mkdir "$folder/programs"

cat >"$folder/engine" <<'END'
#!/bin/sh
echo "A, int, 20, 0, 100, 5, 0.002"
echo "B, int, 7, -50, 50, 5, 0.002"
echo "C, int, 1, 0, 2, 1, 0.002"
END
cat >"$folder/programs/fastchess" <<'END'
#!/bin/sh
echo "$*" >>"$CALLS"
[ "$(wc -l <"$CALLS")" -le "$LIMIT" ] || exit 1
echo "$*" | awk '
    function distance(a, b) { return (a < 60 ? 60 - a : a - 60) + (b < -5 ? -5 - b : b + 5) }
    {
        for (i = 1; i <= NF; i++) {
            if ($i == "name=plus" || $i == "name=minus") side = $i
            split($i, part, "=")
            if (part[1] == "option.A") a[side] = part[2]
            if (part[1] == "option.B") b[side] = part[2]
            if ($i == "-rounds") games = 2 * $(i + 1)
        }
        gap = distance(a["name=minus"], b["name=minus"]) - distance(a["name=plus"], b["name=plus"])
        print "Games: " games ", Wins: " (gap > 0 ? games : 0) ", Losses: " (gap < 0 ? games : 0)
    }'
END
chmod +x "$folder/engine" "$folder/programs/fastchess"

# spsa STATUS BATCHES STATE ARGUMENT...: fastchess fails after BATCHES. Leaves $output.
spsa()
{
    local wanted=$1 limit=$2 state=$3 status=0
    shift 3
    : >"$folder/calls"
    output=$(PATH=$folder/programs:$PATH CALLS=$folder/calls LIMIT=$limit \
        python3 -B "$here/spsa.py" --rate 0.05 "$@" "$folder/engine" "$state" A B 2>&1) || status=$?
    [ "$status" -eq "$wanted" ] || fault "exit status $status, not $wanted: $output"
}

fault()
{
    printf '%s\n' "$*"
    failed=1
}

# value NAME: what $output found for it, rounded.
value()
{
    awk -v name="$1" '$1 == name { printf "%.0f", $3 }' <<<"$output"
}

spsa 0 80 "$folder/whole" --games 1280
whole=$output
[ "$(value A)" -ge 52 ] && [ "$(value A)" -le 68 ] || fault "A is far from 60: $whole"
[ "$(value B)" -ge -13 ] && [ "$(value B)" -le 3 ] || fault "B is far from -5: $whole"
[ "$(grep -c 'option.C' "$folder/calls")" -eq 0 ] || fault "C was not asked for"

# Ended half-way, a run goes on and finds the same.
spsa 1 0 "$folder/parts" --games 1280
case $output in *"fastchess failed"*) ;; *) fault "no reason given: $output" ;; esac
[ ! -e "$folder/parts" ] || fault "a state without a game"
spsa 1 30 "$folder/parts" --games 1280
spsa 0 50 "$folder/parts" --games 1280
[ "$output" = "$whole" ] || fault "not the same in parts: $output, $whole"

echo '{"games": 1}' >"$folder/other"
spsa 1 1 "$folder/other" --games 32
case $output in *"other is of a run with other numbers") ;; *) fault "taken: $output" ;; esac
exit "$failed"
