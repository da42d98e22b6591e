#!/bin/sh
# What documents refer to exists: links between them; paths in backticks; and in tables, functions
# `name()` in one of the files that the row names; `NAMES_IN_CAPITALS` that begin as a row of
# search/params.h does. Paths and functions are looked for in README.md and docs/ only. Prose is
# wrapped at 100 columns. See docs.awk. Sources name only files that exist.
#   tests/lint/docs.sh [ROOT]
# Prints DOCUMENT:LINE: FAULT for each fault. Exits 1 when there is one, 2 without documents.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}"
export LC_ALL=C

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in base chess eval search book engine tests docs books cmake python; do
    [ ! -d "$folder" ] || find "$folder" -type f -name '*.md'
done | sort >"$work/documents"
[ ! -f README.md ] || echo README.md >>"$work/documents"
[ -s "$work/documents" ] || { echo "no documents below $PWD" >&2; exit 2; }
# shellcheck disable=SC2046 # no file of the tree has a space in its name
awk -f "$here/docs.awk" $(cat "$work/documents") >"$work/references"

# Is there a file, or a module or a pattern that names at least one?
exists()
{
    # shellcheck disable=SC2231 # $1 may be a pattern
    for found in $1 $1.h $1.c $1_*; do
        [ ! -e "$found" ] || return 0
    done
    return 1
}

# The first words of the numbers of the search.
params=$(sed -n 's/^ *P(\([A-Z0-9]*\)_.*/\1/p' search/params.h 2>/dev/null | sort -u)
while read -r place kind item files; do
    document=${place%:*}
    case $kind in
    link)
        [ -e "$(dirname "$document")/$item" ] || echo "$place: no such file: $item"
        ;;
    wide) echo "$place: line of $item columns" ;;
    param)
        if echo "$params" | grep -qx "${item%%_*}" &&
            ! grep -qw "$item" search/*.[ch] eval/*.[ch] 2>/dev/null; then
            echo "$place: the search has no $item"
        fi
        ;;
    path)
        case $document in
        README.md | docs/*)
            exists "$item" || echo "$place: no such path: $item"
            ;;
        esac
        ;;
    names)
        case $document in README.md | docs/*) ;; *) continue ;; esac
        held=
        for file in $files; do
            for found in $file $file.h $file.c; do
                if [ -f "$found" ] && grep -qw "$item" "$found"; then
                    held=1
                fi
            done
        done
        [ -n "$held" ] || echo "$place: $item() is not in $files"
        ;;
    esac
done <"$work/references" >"$work/faults"

# Paths in sources: those of includes, which the compiler checks, and those of comments.
for folder in base chess eval search book engine; do
    [ ! -d "$folder" ] || grep -rnoE --include='*.[ch]' \
        "(^|[^A-Za-z0-9_/.-])(base|chess|eval|search|book|engine)/[a-z0-9_/]+\.[ch]" "$folder" || :
done | while IFS=: read -r source line item; do
    path=${item#[!a-z]}
    [ -e "$path" ] || echo "$source:$line: no such file: $path"
done >>"$work/faults"
cat "$work/faults"
[ ! -s "$work/faults" ] || exit 1
echo "$(wc -l <"$work/references") references of $(wc -l <"$work/documents") documents hold"
