#!/bin/sh
# Every command line of makebook in documents names a command that exists, with options that its
# --help lists. Where text behind it says "`--depth` (16 plies)", that is what --help says, too.
#   tests/lint/commands.sh [MAKEBOOK DOCUMENT...]
# Without arguments: build/makebook, README.md and docs/MAKEBOOK.md.
# Prints DOCUMENT: FAULT for each fault. Exits 1 when there is one, 2 when there is no command line.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 0 ] || set -- "$root/build/makebook" "$root/README.md" "$root/docs/MAKEBOOK.md"
makebook=$1
shift
command -v "$makebook" >/dev/null || { echo "there is no $makebook: see $0 --help" >&2; exit 2; }
[ $# -gt 0 ] || { echo "no document is named: see $0 --help" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Indented command lines, continued ones joined, without what follows a pipe: document, command,
# options.
awk '
    /^    / { line = line $0 }
    /^    .*\\$/ { sub(/\\$/, " ", line); next }
    line != "" {
        rest = line
        if (sub(/^ *([a-z]+\/)*makebook /, "", rest)) {
            sub(/ (&&|[|]) .*/, "", rest)
            gsub(/"[^"]*"/, "X", rest)
            count = split(rest, words, " ")
            text = FILENAME " " words[1]
            for (i = 2; i <= count; i++)
                if (words[i] ~ /^-[^0-9]/)
                    text = text " " words[i]
            print text
        }
        line = ""
    }' "$@" >"$folder/lines"
[ -s "$folder/lines" ] || { echo "no command lines in $*" >&2; exit 2; }

while read -r document command options; do
    help=$folder/$command.help
    if [ ! -e "$help" ] && ! "$makebook" "$command" --help >"$help" 2>/dev/null; then
        echo "$document: no such command: makebook $command"
        continue
    fi
    for option in $options; do
        grep -q -E -e "(^|[ ,])$option([ ,]|\$)" "$help" ||
            echo "$document: makebook $command has no option $option"
    done
done <"$folder/lines" >"$folder/faults"

# Document, command, option, number: in a paragraph about the last command line above.
awk '
    function flush(found) {
        while (match(text, /`--[a-z-]+` \([0-9][0-9.]*/)) {
            found = substr(text, RSTART + 1, RLENGTH - 1)
            text = substr(text, RSTART + RLENGTH)
            sub(/` \(/, " ", found)
            print document " " command " " found
        }
        text = ""
    }
    FNR == 1 || /^$/ || /^    / { flush(); document = FILENAME }
    FNR == 1 { command = "" }
    /^    ([a-z]+\/)*makebook / { command = $2 }
    !/^    / { text = text " " $0 }
    END { flush() }' "$@" | sed 's/[.] / /; s/[.]$//' >"$folder/defaults"
while read -r document command option number; do
    help=$folder/$command.help
    [ -e "$help" ] || "$makebook" "$command" --help >"$help"
    grep -q -e "$option " "$help" || help="$folder/*.help" # it is told of other commands
    grep -q -E -e "$option .*\\($number\\)\$" $help ||
        echo "$document: the default of $option of makebook $command is not $number"
done <"$folder/defaults" >>"$folder/faults"
sort -u "$folder/faults"
[ ! -s "$folder/faults" ] || exit 1
echo "$(wc -l <"$folder/lines") command lines hold, and $(wc -l <"$folder/defaults") defaults"
