#!/bin/sh
# Every command line of makebook in documents names a command that exists, with options that its
# --help lists.
#   tests/lint/commands.sh MAKEBOOK DOCUMENT...
# Prints DOCUMENT: FAULT for each fault. Exits 1 when there is one, 2 when there is no command line.
set -eu
makebook=$1
shift
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
