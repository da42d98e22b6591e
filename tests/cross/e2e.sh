#!/bin/sh
# Runs end-to-end tests of this machine's build against programs that were built for another system,
# and compares the node count of the bench and books byte by byte.
#   tests/cross/e2e.sh BUILD OTHER-BUILD EMULATOR ENDING TEST...
# BUILD: the build of this machine. OTHER-BUILD/caxtonENDING and its makebook are started by
# EMULATOR. Ends with a line as ctest writes it; exits 1 when anything failed.
set -u
build=$(cd "$1" && pwd) && other=$(cd "$2" && pwd) || exit 2
emulator=$3
ending=$4
shift 4
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/Schach Übung"
count=0
failed=0

for program in caxton makebook; do
    cp "$other/$program$ending" "$folder/Schach Übung/" || exit 2
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$emulator" \
        "$folder/Schach Übung/$program$ending" >"$folder/$program"
    chmod +x "$folder/$program"
done

# try NAME COMMAND...: the output of a command that fails is shown.
try()
{
    name=$1
    shift
    count=$((count + 1))
    if "$@" >"$folder/log" 2>&1; then
        echo "passed: $name"
    else
        failed=$((failed + 1))
        tail -n 60 "$folder/log"
        echo "FAILED: $name"
    fi
}

bench()
{
    wanted=$("$build/caxton" bench 6 | sed -n 's/^Bench: *//p')
    found=$("$folder/caxton" bench 6 | sed -n 's/^Bench: *//p')
    echo "bench $found, wanted $wanted"
    [ -n "$wanted" ] && [ "$found" = "$wanted" ]
}

# make PROGRAM NAME: games, statistics and kinds of books, in the current folder.
make()
{
    "$1" build "$root/tests/data/packed/games.pgn" --min-games 1 --quiet \
        -o "$2.bin" --stats "$2.wld" &&
        "$1" convert "$2.bin" "$2.abk" &&
        "$1" convert "$2.bin" "$2.epd" &&
        "$1" convert "$2.bin" "$2.pgn" &&
        "$1" merge "$2.bin" "$2.abk" -o "$2 merged.bin"
}

books()
{
    cd "$folder/Schach Übung" || return 1
    make "$folder/makebook" "Bücher" && make "$build/makebook" plain || return 1
    for kind in .bin .wld .abk .epd .pgn " merged.bin"; do
        cmp "Bücher$kind" "plain$kind" || return 1
    done
    printf 'setoption name BookFile value Bücher.bin\nbook\nquit\n' | "$folder/caxton" >shown
    grep -q 'Bücher.bin' shown
}

# Windows takes a library beside a program before its own, but for the best known ones.
known_libraries()
{
    ! grep -aiqE '(winmm|version|dbghelp|cryptbase|userenv|wtsapi32)\.dll' "$other/caxton$ending" \
        "$other/makebook$ending"
}

# Of such a name a file or a line comes, never silence.
device_names()
{
    cd "$folder" || return 1
    for device in nul.bin "$PWD/aux.bin" nul.x.bin; do
        if "$folder/makebook" convert builtin "$device"; then
            [ -s "$device" ] || return 1
        fi
    done
    [ -z "$ending" ] || "$folder/makebook" convert builtin ../NUL --to bin
}

try "names of devices" device_names
try "no library that a file beside the program could replace" known_libraries
try "the node count of the bench" bench
try "books, byte by byte, with names that are not ASCII" books
export CAXTON_BINARY="$folder/caxton" MAKEBOOK_BINARY="$folder/makebook"
for test in "$@"; do
    try "$test" "$build/tests/$test"
done
echo "$((100 * (count - failed) / count))% tests passed, $failed tests failed out of $count"
[ "$failed" -eq 0 ]
