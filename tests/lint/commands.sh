#!/bin/sh
# Every command line of makebook in documents names a command that exists, with options that its
# --help lists.
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
sort -u "$folder/faults"
[ ! -s "$folder/faults" ] || exit 1
echo "$(wc -l <"$folder/lines") command lines hold"
