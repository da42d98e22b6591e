#!/bin/sh
# Tries the files that cmake/package/release.sh made, against the programs of a build: the same
# number of nodes in bench, the same bytes of a book, and games under wine.
#   release.sh RELEASE BUILD [GAMES]
# RELEASE is the folder of the files: those that are there are tried. The .zip is unpacked into a
# folder whose name has a blank and a letter that is not ASCII; caxton.exe plays GAMES (20) against
# itself in a fresh wine prefix. $CAMPAIGN_PGN names the games of the book.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: $0 RELEASE BUILD [GAMES]" >&2; exit 2; }
release=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
games=${3:-20}
start_work
export LC_ALL=C.UTF-8 WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
clean_up()
{
    [ ! -d "$WINEPREFIX" ] || /usr/lib/wine/wineserver -k || :
}
campaign_games 5000 >"$work/games.pgn"

# bench CAXTON: the number of nodes.
bench()
{
    "$@" bench | sed -n 's/^Bench: *\([0-9]*\).*/\1/p'
}

# make MAKEBOOK BOOK
make()
{
    "$1" build "$work/games.pgn" --min-games 1 --quiet -o "$2"
}

wanted=$(bench "$build/caxton")
make "$build/makebook" "$work/wanted.bin"

# compare WHAT CAXTON MAKEBOOK: both do what those of the build do.
compare()
{
    number=$(bench "$2")
    [ "$number" = "$wanted" ] || fail "$1: bench $number, not $wanted"
    make "$3" "$work/Bücher, $1.bin" || fail "$1: makebook made no book"
    same "$work/Bücher, $1.bin" "$work/wanted.bin" || fail "$1: another book"
    printf 'setoption name BookFile value %s\nbook\nquit\n' "$work/Bücher, $1.bin" | "$2" |
        grep -q 'Bücher' || fail "$1: caxton does not read the book"
    echo "$1: bench $number, the same book"
}

try_linux()
{
    mkdir "$work/linux"
    tar -xzf "$1" -C "$work/linux" --strip-components=1
    compare linux "$work/linux/bin/caxton" "$work/linux/bin/makebook"
}

# As OpenBench builds it.
try_source()
{
    mkdir "$work/source"
    tar -xzf "$1" -C "$work/source" --strip-components=1
    make -C "$work/source" EXE=caxton-source >"$work/log" 2>&1 || fail "$(tail "$work/log")"
    number=$(bench "$work/source/caxton-source")
    [ "$number" = "$wanted" ] || fail "source: bench $number, not $wanted"
    echo "source: bench $number"
}

try_debian()
{
    dpkg-deb -x "$1" "$work/debian"
    compare debian "$work/debian/usr/games/caxton" "$work/debian/usr/bin/makebook"
    need lintian
    lintian --fail-on error,warning "$1" || fail "lintian"
}

try_windows()
{
    wine=$(PATH=$PATH:/usr/lib/wine && command -v wine || command -v wine64) ||
        skip "there is no wine here"
    folder="$work/Schach Übung"
    unzip -q "$1" -d "$folder"
    for program in caxton makebook; do
        printf '#!/bin/sh\nLC_ALL=C.UTF-8 exec "%s" "%s"/*/%s.exe "$@"\n' "$wine" "$folder" \
            $program >"$work/$program"
        chmod +x "$work/$program"
    done
    compare windows "$work/caxton" "$work/makebook"
    play "$work/caxton"
}

# play CAXTON: against itself by nodes, so that no clock decides.
play()
{
    need fastchess
    rounds=$(((games + 1) / 2))
    (cd "$work" && fastchess -engine cmd="$1" name=A -engine cmd="$1" name=B -each proto=uci \
        tc=inf nodes=200 option.OwnBook=false option.Hash=16 -rounds "$rounds" -games 2 -repeat \
        -openings file="$here/../data/openings/uho_sample.epd" format=epd order=random -recover \
        -concurrency 1 -pgnout file=played.pgn >log 2>&1) || fail "$(tail -n 3 "$work/log")"
    normal=$(grep -c '^\[Termination "normal"' "$work/played.pgn") || :
    [ "$normal" -eq $((2 * rounds)) ] || fail "$normal of $((2 * rounds)) games ended well"
    echo "windows: $normal games without a fault"
}

try_wasm()
{
    need node
    number=$(node "$here/../clients/wasm_bench.js" "$1" | sed -n 's/^Bench: *\([0-9]*\).*/\1/p')
    [ "$number" = "$wanted" ] || fail "wasm: bench $number, not $wanted"
    echo "wasm: bench $number"
}

(cd "$release" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS"
for file in "$release"/caxton[-_]*; do
    case $file in
    *-linux-*.tar.gz) try_linux "$file" ;;
    *.tar.gz) try_source "$file" ;;
    *.deb) try_debian "$file" ;;
    *.zip) try_windows "$file" ;;
    *.wasm) try_wasm "$file" ;;
    *) fail "what is $file?" ;;
    esac
done
echo "$campaign: all held"
