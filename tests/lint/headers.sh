#!/bin/sh
# Every header compiles alone, so that the order of includes never matters.
#   tests/lint/headers.sh [COMPILER [ROOT]]
# Without arguments: cc, this tree. ROOT: another one. Prints what the compiler says, and how many
# headers compile. Exits 1 when one does not.
set -eu
[ "${1-}" != --help ] || { sed -n '/^set/q; s/^# //p' "$0"; exit; }
compiler=${1:-cc}
cd "${2:-$(dirname "$0")/../..}"
failed=0
count=0
for header in $(find base chess eval search book engine -name '*.h' 2>/dev/null | sort); do
    count=$((count + 1))
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
        "$compiler" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror \
            -I. -fsyntax-only -x c - || {
        echo "$header does not compile alone"
        failed=$((failed + 1))
    }
done
[ "$count" -gt 0 ] || { echo "no header below $PWD" >&2; exit 2; }
echo "$((count - failed)) of $count headers compile alone"
[ "$failed" -eq 0 ]
