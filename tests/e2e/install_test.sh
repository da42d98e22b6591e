#!/usr/bin/env bash
# What `cmake --install` puts into a folder: programs that run, books, manual pages and completion
# that name every command and every option of --help.
#   tests/e2e/install_test.sh BUILD
set -euo pipefail
export LC_ALL=C.UTF-8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$1" --prefix "$folder/usr" >"$folder/log"
bin=$folder/usr/bin
share=$folder/usr/share
faults=0

complain()
{
    echo "$*"
    faults=$((faults + 1))
}

# The commands of a program, and the options of a command, as the help shows them.
commands()
{
    "$bin/makebook" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p'
}

options()
{
    "$bin/$1" "$2" --help | grep -oE '^  (-., )?--[a-z0-9-]+' | sed 's/.*--/--/'
}

# completed PROGRAM WORD..: what bash offers for the last word.
completed()
{
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _caxton "$bin/$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

# compare WHAT EXPECTED OFFERED
compare()
{
    [ "$2" = "$3" ] || complain "$1 completes to:" "$3" "instead of:" "$2"
}

[ "$("$bin/caxton" --version | cut -d' ' -f1)" = Caxton ] || complain "caxton does not run"
"$bin/makebook" show "$share/caxton/books/fischer.bin" e4 >"$folder/shown" ||
    complain "makebook does not find the installed book"

# What other languages load, where it was built.
if [ -e "$1/libcaxton_books.so" ]; then
    ls "$folder"/usr/lib*/libcaxton_books.so "$folder/usr/include/caxton_books.h" >"$folder/log" ||
        complain "there is no library caxton_books"
fi

for page in man1/makebook.1 man6/caxton.6; do
    gzip -dc "$share/man/$page.gz" | sed 's/\\-/-/g' >"$folder/${page#*/}"
done
# shellcheck disable=SC1091
. "$share/bash-completion/completions/makebook"
cmp "$share/bash-completion/completions/caxton" "$share/bash-completion/completions/makebook"

for command in $(commands); do
    grep -q -x -e ".SS makebook $command .*" "$folder/makebook.1" ||
        complain "makebook(1) has no section on $command"
    sed -n "/^\.SS makebook $command /,/^\.S/{/^\.B/p}" "$folder/makebook.1" >"$folder/section"
    for option in $(options makebook "$command"); do
        grep -q -E -e "(^\.B |, )$option( |\$)" "$folder/section" ||
            complain "makebook(1) does not name $option of $command"
    done
    compare "makebook $command --" "$(options makebook "$command" | sort)" \
        "$(completed makebook "$command" --)"
done
compare makebook "$({ commands; echo help; } | sort)" "$(completed makebook '')"
compare "makebook build --color" "$(printf 'all\nblack\nboth\nwhite')" \
    "$(completed makebook build --color '')"
compare "makebook build -o" "" "$(completed makebook build -o '')"
compare "caxton play --" "$(options caxton play | sort)" "$(completed caxton play --)"

for option in $(options caxton play); do
    grep -q -E -e "^\.B $option( |\$)" "$folder/caxton.6" || complain "caxton(6) has no $option"
done
# Those of a tuning build (CAXTON_TUNE) are for a tuner, not for the manual.
"$bin/caxton" options --spsa 2>"$folder/no_tuning" | cut -d, -f1 >"$folder/tuned" || :
echo uci | "$bin/caxton" | sed -n 's/^option name \(.*\) type .*/\1/p' |
    grep -vxFf "$folder/tuned" | while read -r option; do
    grep -q -F -e ".B $option (" "$folder/caxton.6" || echo "caxton(6) has no $option"
done >"$folder/missing"
[ ! -s "$folder/missing" ] || complain "$(cat "$folder/missing")"
[ "$faults" -eq 0 ]
