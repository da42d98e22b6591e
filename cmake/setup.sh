#!/bin/sh
# Sets up and builds Caxton in ./build: what ./play and ./check share.
#
#   cmake/setup.sh programs     the engine and makebook
#   cmake/setup.sh all          those and the tests (needs cmocka)
#
# What is missing of compiler, cmake, make, cmocka and the optional libraries is installed
# with apt-get where there is one.
# Prints a line for each step and how far the build is: on a terminal in one line that changes, else
# a line every 10 %. A failure shows the end of the log and exits 1.
set -u
goal=${1:-all}
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=$root/build
cc=${CC:-cc}

fail()
{
    printf '%s\n' "$@" >&2
    exit 1
}

has()
{
    command -v "$1" >/dev/null 2>&1
}

# Does a program of these lines compile and link with the options that follow?
compiles()
{
    source=$1
    shift
    printf '%b' "$source" | $cc -x c - "$@" -o /dev/null >/dev/null 2>&1
}

# The Debian packages for what does not work yet. libc6-dev is only recommended by gcc.
missing_packages()
{
    compiles '#include <stdio.h>\nint main(void) { return 0; }\n' -pthread ||
        printf ' gcc libc6-dev'
    has cmake || printf ' cmake'
    has make || has ninja || printf ' make'
    [ "$goal" != all ] ||
        compiles '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>
#include <cmocka.h>\nint main(void) { return 0; }\n' -lcmocka ||
        printf ' libcmocka-dev'
}

# The libraries that let makebook read packed games, serve pages and share searches, and caxton read
# endgame tables. Caxton builds without them.
wanted_packages()
{
    compiles '#include <stdio.h>\n#include <zlib.h>\nint main(void) { return 0; }\n' -lz ||
        printf ' zlib1g-dev'
    compiles '#include <stdio.h>\n#include <bzlib.h>\nint main(void) { return 0; }\n' -lbz2 ||
        printf ' libbz2-dev'
    compiles '#include <lzma.h>\nint main(void) { return 0; }\n' -llzma || printf ' liblzma-dev'
    compiles '#include <zstd.h>\nint main(void) { return 0; }\n' -lzstd || printf ' libzstd-dev'
    compiles '#include <microhttpd.h>\nint main(void) { return 0; }\n' -lmicrohttpd ||
        printf ' libmicrohttpd-dev'
    compiles '#include <hiredis/hiredis.h>\nint main(void) { return 0; }\n' -lhiredis ||
        printf ' libhiredis-dev'
    compiles '#include <tbprobe.h>\nint main(void) { return 0; }\n' -lfathom ||
        printf ' libfathom-dev'
}

# Runs apt-get as root, silently; its output goes to the log.
apt()
{
    if [ "$(id -u)" -eq 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
    fi >>"$build/install.log" 2>&1 </dev/null
}

# The package lists may be absent or old: they are fetched, but only when the plain way fails.
apt_install()
{
    : >"$build/install.log"
    apt install --no-install-recommends "$@" ||
        { apt update && apt install --no-install-recommends "$@"; }
}

install_missing()
{
    also=$(wanted_packages)
    # By hand: what the tests want, too, so that nobody has to come twice.
    by_hand="apt-get update && apt-get install$(goal=all && missing_packages)$also"
    has apt-get || fail "Caxton needs these (named here as Debian packages):$1" \
        "It can do without these:$also" \
        "This machine has no apt-get: install them with its package manager and try again."
    [ "$(id -u)" -eq 0 ] || has sudo ||
        fail "Caxton needs packages that only root can install. As root: $by_hand"
    echo "Installing$1$also ..."
    # shellcheck disable=SC2086
    apt_install $1 $also || apt_install $1 || {
        grep -E '^(E|W|Err)' "$build/install.log" | tail -n 5 >&2
        fail "apt-get could not install what Caxton needs; the whole log: $build/install.log" \
            "To do it by hand, as root: $by_hand"
    }
    left=$(missing_packages)
    [ -z "$left" ] || fail "Still missing after the installation:$left"
}

# Nobody is asked for a password, and nothing fails, for what can be done without.
install_wanted()
{
    # shellcheck disable=SC2086
    { has apt-get && [ "$(id -u)" -eq 0 ] && apt_install $1; } ||
        echo "Some of packed games, endgame tables, explore --serve and --queue will be missing." \
            "To mend it: apt-get install$1"
}

# Shows how far a build is. Make writes "[ 42%] Building ..", Ninja "[12/345] Building ..".
show_progress()
{
    shown=0
    while IFS= read -r line; do
        case $line in
        \[*\]*) ;;
        *) continue ;;
        esac
        if [ -t 1 ]; then
            printf '\r%.78s\033[K' "$line"
            continue
        fi
        done=${line#\[}
        done=${done%%\]*}
        case $done in
        *[!0-9/%\ ]*) continue ;;
        *%) percent=${done%\%} ;;
        [1-9]*/[1-9]*) percent=$((100 * ${done%/*} / ${done#*/})) ;;
        *) continue ;;
        esac
        [ $((percent / 10)) -gt $((shown / 10)) ] || continue
        shown=$((percent / 10 * 10))
        echo "  $shown %"
    done
    [ ! -t 1 ] || printf '\r\033[K'
}

# Runs a step of the build; shows the end of its log when it fails.
logged()
{
    log=$build/$1.log
    shift
    # A pipeline's status is that of its last command: the step's own goes into a file.
    { "$@" 2>&1 </dev/null; echo $? >"$build/status"; } | tee "$log" | show_progress
    [ "$(cat "$build/status")" != 0 ] || return 0
    tail -n 40 "$log" >&2
    fail "" "Failed: $*" "The whole log: $log"
}

mkdir -p "$build" || exit 1
missing=$(missing_packages)
[ -z "$missing" ] || install_missing "$missing"
wanted=$(wanted_packages)
[ -z "$wanted" ] || install_wanted "$wanted"

# A build that is there keeps its settings, so that ./check after ./play compiles nothing twice.
werror=
if ! [ -f "$build/CMakeCache.txt" ]; then
    werror=-DCAXTON_WERROR=ON
    [ -n "${CMAKE_GENERATOR:-}" ] || has make || export CMAKE_GENERATOR=Ninja
fi
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if [ "$goal" = all ]; then
    echo "Building Caxton and its tests in $build ..."
    logged configure cmake -S "$root" -B "$build" -DCAXTON_TESTS=ON $werror
    logged build cmake --build "$build" --parallel "$jobs"
else
    echo "Building Caxton in $build ..."
    logged configure cmake -S "$root" -B "$build"
    logged build cmake --build "$build" --parallel "$jobs" --target caxton makebook
fi
