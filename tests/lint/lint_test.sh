#!/bin/sh
# Shows that lint.sh finds what it is there for: each fault planted in a small tree is named, and
# text that only looks like a fault passes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/base" "$tree/chess" "$tree/eval/train" "$tree/search" \
    "$tree/book/makebook" "$tree/engine" "$tree/tests/unit/search" "$tree/tests/e2e"
failed=0

# plant FILE TEXT [FAULT]: lint must name FAULT in FILE, or pass when there is none.
plant()
{
    printf '%b\n' "$2" >"$tree/$1"
    status=0
    output=$(sh "$here/lint.sh" "$tree" 2>&1) || status=$?
    if [ $# -eq 3 ]; then
        case "$status $output" in
        "1 $1:"*"$3"*) ;;
        *)
            printf '%s: not found in "%s": %s\n%s\n' "$1" "$2" "$3" "$output"
            failed=$((failed + 1))
            ;;
        esac
    elif [ "$status" -ne 0 ]; then
        printf '%s: "%s" should pass\n%s\n' "$1" "$2" "$output"
        failed=$((failed + 1))
    fi
    rm "$tree/$1"
}

plant base/a.c '#include "chess/types.h"' 'layer above: chess/types.h'
plant chess/a.c '#include "eval/eval.h"' 'layer above: eval/eval.h'
plant search/a.h '#  include "book/book.h"' 'layer above: book/book.h'
plant search/a.c '#include "tt.h"' 'not "layer/name.h": tt.h'
plant eval/a.c '#include "../chess/types.h"' 'climbs out'
plant book/a.c '#include "book/makebook/args.h"' "program's header"
plant engine/a.c '#include "book/makebook/args.h"' "program's header"
plant tests/unit/search/test_a.c '#include "engine/uci.h"' 'layer above: engine/uci.h'
plant engine/a.c '#include "chess/types.h"\n#include "book/book.h"\n#include <stdio.h>'
plant book/makebook/a.c '#include "book/makebook/args.h"\n#include "search/search.h"'
plant tests/unit/search/test_a.c '#include <cmocka.h>\n\n#include "search/search.h"'
plant tests/e2e/test_a.c '#include "engine/uci.h"\n#include "process.h"'

for name in atoi strtok sprintf vsprintf strcpy strcat gets alloca setjmp longjmp rand srand; do
    plant engine/a.c "int x; void f(void) {\n    x = $name (1);\n}" "2: banned function: $name"
done
plant engine/a.c '/* atoi(text) and\n * gets(line) are banned */\nint atoi_free; // rand()'
plant engine/a.c 'char q = \0047"\0047; const char *s = "rand() \\" gets(";\nvoid fgets_(void);'
plant engine/a.c '/* a */ int n = rand(); /* b */' 'banned function: rand'
plant engine/a.c 'const char *s = "/*"; int n = rand();' 'banned function: rand'
plant engine/a.c 'static int strand(int brand_new);\nint x = sizeof(snprintf(0, 0, "x"));'

plant search/a.c 'static volatile int stop;' 'volatile'
plant search/a.c '/* volatile is not used */\nint volatile_sources;'
plant search/a.c 'void f(void) { exit(1); }' 'nor ends the program: exit'
plant book/a.c 'void f(void) { (void)fprintf(stderr, "x"); }' 'nor ends the program: stderr'
plant base/a.c 'void f(void) { (void)fprintf(stderr, "x"); }'
plant eval/train/a.c '#include "book/book.h"'
plant book/makebook/a.c 'void f(void) { (void)fprintf(stderr, "x"); }'
plant chess/a.c 'void f(FILE *out) { (void)fprintf(out, "x"); }'

plant book/a.c '    "of searches (18)", &depth,' 'a default by hand'
plant book/a.c '    "score (%d)", "f(18)";'

plant chess/a.c '\tint x;' 'tab'
plant chess/a.c 'int x; ' 'trailing space'
plant chess/a.c 'int x;\r' 'trailing space'
plant chess/a.c "$(printf '/* %97s */' x)" 'line of 103 columns'
plant chess/a.c "$(printf '/* %94s */' x)"
plant chess/a.c "$(printf '/* %93s\303\251 */' x)"
wide=$(printf 'int x = %100s;' 1)
plant eval/a.c "/* clang-format off */\n$wide\n/* clang-format on */"
plant eval/a.c "/* clang-format off */\n/* clang-format on */\n$wide" '3: line of 109 columns'
plant eval/a.sh "$(printf '# %100s' x)" 'line of 102 columns'
plant chess/a.c "/* $(printf 'TO')DO: finish */" 'note to oneself'

[ "$failed" -eq 0 ] || { echo "$failed plants went wrong"; exit 1; }
echo "every planted fault was found"
