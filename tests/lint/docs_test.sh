#!/bin/sh
# Shows that docs.sh finds references that lead nowhere, and passes those that do not.
# shellcheck disable=SC2016 # backticks are meant as they stand
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/docs" "$tree/search"
echo 'int node_search(void);' >"$tree/search/node.h"
echo 'static int prune(void) { return 0; }' >"$tree/search/node.c"
echo '# Search' >"$tree/search/README.md"
failed=0

# plant FILE TEXT [FAULT]: the document must have FAULT, or none.
plant()
{
    printf '%b\n' "$2" >"$tree/$1"
    wanted=${3-}
    status=0
    output=$(sh "$here/docs.sh" "$tree" 2>&1) || status=$?
    case "$# $status $output" in
    "3 1 "*"$1:"*"$wanted"* | "2 0 "*) ;;
    *)
        printf '%s: %s\n%s\n' "$1" "$2" "$output"
        failed=$((failed + 1))
        ;;
    esac
    rm "$tree/$1"
}

plant docs/A.md 'See [it](../search/README.md), [this](../search/README.md#x), [us](https://a.b).'
plant docs/A.md 'See [the search](search/README.md).' '1: no such file: search/README.md'
plant search/A.md 'See [the search](README.md), `search/none.c`.'
plant search/A.md 'See [the page](../docs/NONE.md).' 'no such file: ../docs/NONE.md'
plant README.md 'Look at `search/node.c`, `search/node`, `search/` and `search/*.h`.'
plant README.md 'one\nLook at `search/nodes.c`.' '2: no such path: search/nodes.c'
plant docs/A.md 'Look at `search/nod`.' 'no such path: search/nod'
plant search/a.c '/* See search/node.h. */'
plant search/a.c 'int x;\n/* As search/nodes.h says. */' '2: no such file: search/nodes.h'
plant docs/A.md '| pruning | `search/node.c`: `prune()`, `node_search()` of `search/node.h` |'
plant docs/A.md '| pruning | `search/node`: `prune()`, `node_search()` |'
plant docs/A.md '| pruning | `search/node.c`: `prun()` |' '1: prun() is not in search/node.c'
plant docs/A.md '| pruning | `search/node.h`: `prune()` |' 'prune() is not in search/node.h'
plant docs/A.md '```\n`search/none.c` [a](b.md)\n```\n\n    `search/none.c`'
plant docs/A.md 'A test is `tests/unit/LAYER/test_NAME.c`.'
echo 'P(NULL_MARGIN, 4, 2, 8, 1) \' >"$tree/search/params.h"
plant docs/A.md 'Change `NULL_MARGIN`, not `LC_ALL`, `CAXTON_TUNE` or NULL_BASE.'
plant docs/A.md 'one\nChange `NULL_BASE`.' '2: the search has no NULL_BASE'
plant search/A.md 'Change `NULL_BASE`.' '1: the search has no NULL_BASE'
plant docs/A.md "x y$(printf '%95s' x)xyz" '1: line of 101 columns'
plant docs/A.md "$(printf 'x%97s' x)\303\251y"
plant docs/A.md "| $(printf '%120s' x) |"
plant docs/A.md "- $(printf '%0120d' 1)"

[ "$failed" -eq 0 ] || { echo "$failed plants went wrong"; exit 1; }
echo "every planted fault was found"
