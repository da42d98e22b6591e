#!/bin/sh
# Shows that includes.sh and lengths.sh find what they are there for: each fault is planted in a
# small tree and must be named; a tree without faults passes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# A tree without faults: chess -> base, book -> chess, book/kinds -> book and base.
fresh()
{
    rm -rf "$tree/base" "$tree/chess" "$tree/book" "$tree/docs"
    mkdir -p "$tree/base" "$tree/chess" "$tree/book/kinds" "$tree/docs"
    put base/text.h '#include <stddef.h>'
    put base/text.c '#include "base/text.h"'
    put chess/move.h '#include "base/text.h"'
    put chess/move_internal.h '#include "chess/move.h"'
    put chess/move.c '#include "chess/move_internal.h"'
    put chess/game.h '#  include "chess/move.h"'
    put book/book.h '#include "chess/game.h"\n#include "chess/move.h"'
    put book/kinds/one.c '#include "book/book.h"\n#include "base/text.h"'
    draw 'base ->' 'chess -> base' 'book -> chess' 'book/kinds -> base book'
}

put()
{
    printf '%b\n' "$2" >"$tree/$1"
}

# Appends a line to a file.
more()
{
    printf '%b\n' "$2" >>"$tree/$1"
}

# Draws the arrows in the page.
draw()
{
    {
        printf '# Page\n\nno -> arrow\n\n<!-- arrows -->\n```text\n'
        printf '%b\n' "$@"
        printf '```\n<!-- end of arrows -->\n\nno -> arrow\n'
    } >"$tree/docs/ARCHITECTURE.md"
}

# expect SCRIPT [TEXT]: the script must fail and say TEXT, or pass when there is no TEXT.
expect()
{
    status=0
    output=$(sh "$here/$1" "$tree" 2>&1) || status=$?
    if [ $# -eq 2 ]; then
        case "$status $output" in
        "1 "*"$2"*) ;;
        *)
            printf '%s does not say "%s":\n%s\n' "$1" "$2" "$output"
            failed=$((failed + 1))
            ;;
        esac
    elif [ "$status" -ne 0 ]; then
        printf '%s should pass:\n%s\n' "$1" "$output"
        failed=$((failed + 1))
    fi
}

fresh
expect includes.sh
draw 'base ->' 'chess -> base' 'book -> chess' 'book/kinds -> base\n    book'
expect includes.sh # a long line may be continued

# Circles among files.
fresh
more chess/move.h '#include "chess/game.h"'
expect includes.sh 'circle of files: chess/game -> chess/move -> chess/game'
fresh
more chess/move.c '#include "chess/game.h"' # a source counts as its header
expect includes.sh 'circle of files: chess/game -> chess/move -> chess/game'
fresh
more chess/move_internal.h '#include "chess/game.h"' # and so does an internal header
expect includes.sh 'circle of files: chess/game -> chess/move -> chess/game'
fresh
put chess/a.h '#include "chess/b.h"'
put chess/b.h '#include "chess/c.h"'
put chess/c.h '#include "chess/a.h"'
put chess/p.h '#include "chess/q.h"'
put chess/q.h '#include "chess/p.h"'
expect includes.sh 'circle of files: chess/a -> chess/b -> chess/c -> chess/a'
expect includes.sh 'circle of files: chess/p -> chess/q -> chess/p'

# Circles of calls, which includes do not show: a header declares what several sources define.
fresh
put chess/all.h 'int one(void);\nint two(int);\nint three(void);'
put chess/one.c '#include "chess/all.h"\nint one(void)\n{\n    return two(1);\n}'
put chess/two.c '#include "chess/all.h"\nstatic int three(void)\n{\n    return 3;\n}'
more chess/two.c 'int two(int n)\n{\n    return n ? three() : 0; /* one() */\n}'
put chess/three.c '#include "chess/all.h"\nint three(void)\n{\n    return one();\n}'
expect includes.sh
more chess/two.c 'int four(void)\n{\n    return one();\n}'
expect includes.sh 'circle of calls: chess/one -> chess/two -> chess/one'

# Circles among folders whose files have none.
fresh
put book/list.h '#include "book/kinds/two.h"'
put book/kinds/two.h '#include <stddef.h>'
draw 'base ->' 'chess -> base' 'book -> chess book/kinds' 'book/kinds -> base book'
expect includes.sh 'circle of folders: book -> book/kinds -> book'
expect includes.sh 'book/list.h:1: book -> book/kinds'
fresh
put base/list.h '#include "book/kinds/two.h"' # over two layers
put book/kinds/two.h '#include <stddef.h>'
expect includes.sh 'circle of folders: '

# Arrows that are missing, too many, or not drawn at all.
fresh
draw 'base ->' 'chess -> base' 'book -> chess' 'book/kinds -> book'
expect includes.sh 'not drawn: book/kinds -> base book'
expect includes.sh 'drawn, but not so: book/kinds -> book'
draw 'base ->' 'chess -> base' 'book -> chess' 'book/kinds -> base book' 'book/more -> base'
expect includes.sh 'drawn, but not so: book/more -> base'
draw 'chess -> base' 'book -> chess' 'book/kinds -> base book'
expect includes.sh 'not drawn: base ->'
draw 'base ->' 'chess -> base' 'book -> base chess' 'book/kinds -> base book'
expect includes.sh 'drawn, but not so: book -> base chess'
fresh
rm "$tree/docs/ARCHITECTURE.md"
expect includes.sh 'this block should stand there'
fresh
put book/three.h '#include "base/text.h"' # a new arrow of an old folder
expect includes.sh 'not drawn: book -> base chess'

# Tags that mean two things.
fresh
put book/a.c 'struct walk {\n    int n;\n};\nstruct walk *walk_make(void);'
put chess/a.c 'struct walk;\nstruct walker {\n    struct walk *walk;\n};'
more chess/a.c 'struct {\n    int n;\n} a;'
put chess/b.c 'struct {\n    int n;\n} b; /* struct walk { */'
expect includes.sh
put base/a.c 'static const struct walk {\n    int n;\n} walks[1];'
expect includes.sh 'tag walk means something else in base/a.c:1'
put base/a.c 'enum walk { ALL, SOME };'
expect includes.sh 'book/a.c:1: tag walk means something else in base/a.c:1'
fresh
mkdir -p "$tree/base/posix" "$tree/base/windows" # two systems, one thing
put base/posix/a.c 'struct clock {\n    int n;\n};'
put base/windows/a.c 'struct clock {\n    long n;\n};'
draw 'base ->' 'base/posix ->' 'base/windows ->' 'chess -> base' 'book -> chess' \
    'book/kinds -> base book'
expect includes.sh

# lines COUNT: so many empty lines, for printf %b.
lines()
{
    awk -v n="$1" 'BEGIN { while (n-- > 0) printf "\\n" }'
}

fresh
expect lengths.sh
put chess/long.c "int f(void)\n{$(lines 59)}"
expect lengths.sh
put chess/long.c "int f(void)\n{$(lines 60)}"
expect lengths.sh 'chess/long.c:2: function of 61 lines'
put chess/long.c "struct s {$(lines 70)};\nint table[] = {$(lines 70)};"
expect lengths.sh
put chess/long.c "static int f(int a,\n             int b)\n{$(lines 60)}\n\nint g(void)\n{\n}"
expect lengths.sh 'chess/long.c:3: function of 61 lines'
put chess/long.c "int a;$(lines 800)"
expect lengths.sh 'chess/long.c:801: file of 801 lines'
put chess/long.c "int a;$(lines 799)"
expect lengths.sh
put chess/long.c "/* Moves. It is long\n * because of its tables. */\nint a;$(lines 800)"
expect lengths.sh
put chess/long.c "/* Moves. */\n/* long because of its tables */\nint a;$(lines 800)"
expect lengths.sh 'must say'
put chess/long.c "/* Moves. Why this file is long: tables. */\nint a;$(lines 800)"
expect lengths.sh
put chess/long.c "/* Moves. Over 800 lines: it has tables. */\nint a;$(lines 800)"
expect lengths.sh
put chess/long.c "/* Long moves. */\nint a;$(lines 800)"
expect lengths.sh 'must say'
put chess/long.c 'int a;'
put chess/next.c "/* Moves. It is long because of its tables. */\nint a;$(lines 800)"
expect lengths.sh # each file has a first comment of its own

[ "$failed" -eq 0 ] || { echo "$failed expectations failed"; exit 1; }
echo "every planted fault was found"
