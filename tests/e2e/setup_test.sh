#!/bin/sh
# What cmake/setup.sh prints while it builds, with a cmake that only says that it builds: a line
# every 10 % into a pipe, progress on a terminal, the end of the log when the build fails.
#   tests/e2e/setup_test.sh SETUP
# 77: no terminal can be opened here.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/cmake" "$folder/bin"
cp "$1" "$folder/cmake/setup.sh"
cat >"$folder/bin/cmake" <<'END'
#!/bin/sh
[ "$1" = --build ] || { echo "$*" >"$0.configured"; exit 0; }
if [ -n "${NINJA:-}" ]; then
    printf '[%s/40] Building C object half.o\n' 1 3 4 5 40
    exit
fi
echo "[  7%] Building C object first.o"
echo "half.c: warning: [-Wodd%]"
printf '[ %s%%] Building C object half.o\n' 12 18 50
[ -z "${BUILD_FAILS:-}" ] || { echo "half.c: error"; exit 3; }
echo "[100%] Built target caxton"
END
# Nothing is missing, so that nothing is installed.
printf '#!/bin/sh\ncat >/dev/null\n' >"$folder/bin/cc"
chmod +x "$folder/bin/cmake" "$folder/bin/cc"
PATH=$folder/bin:$PATH
export PATH
unset CC

complain()
{
    echo "$1:"
    cat "$folder/out"
    exit 1
}

sh "$folder/cmake/setup.sh" programs >"$folder/out" 2>&1 || complain "the build failed"
[ "$(sed 1d "$folder/out")" = "$(printf '  %s %%\n' 10 50 100)" ] ||
    complain "not a line every 10 % into a pipe"
NINJA=1 sh "$folder/cmake/setup.sh" all >"$folder/out" 2>&1 || complain "the build failed"
[ "$(sed 1d "$folder/out")" = "$(printf '  %s %%\n' 10 100)" ] ||
    complain "not a line every 10 % of Ninja into a pipe"

# Warnings are errors for ./check, but it does not compile again what ./play has compiled.
grep -q CAXTON_WERROR=ON "$folder/bin/cmake.configured" || complain "warnings are no errors"
touch "$folder/build/CMakeCache.txt"
sh "$folder/cmake/setup.sh" all >"$folder/out" 2>&1 || complain "the build failed"
! grep CAXTON_WERROR "$folder/bin/cmake.configured" >>"$folder/out" ||
    complain "a build that is there gets other settings"
rm "$folder/build/CMakeCache.txt"

# What the programs can do without is installed where it is missing, or named.
cat >"$folder/bin/cc" <<'END'
#!/bin/sh
! grep -qE 'microhttpd|hiredis'
END
printf '#!/bin/sh\necho "$*" >>"%s/asked"\n' "$folder" >"$folder/bin/apt-get"
chmod +x "$folder/bin/apt-get"
sh "$folder/cmake/setup.sh" programs >"$folder/out" 2>&1 || complain "the build failed"
cat "$folder/out" "$folder/asked" 2>/dev/null |
    grep -q 'install.* libmicrohttpd-dev libhiredis-dev' || complain "nothing is installed or named"

# Without root and sudo one line names all packages, those of the tests and the optional ones, too.
cat >"$folder/bin/cc" <<'END'
#!/bin/sh
cat >/dev/null
exit 1
END
printf '#!/bin/sh\necho 1000\n' >"$folder/bin/id"
chmod +x "$folder/bin/id"
mkdir "$folder/few"
for tool in sh dirname cat cmake cc id make apt-get mkdir; do
    ln -s "$(command -v "$tool" || echo /bin/true)" "$folder/few/$tool"
done
! PATH=$folder/few sh "$folder/cmake/setup.sh" programs >"$folder/out" 2>&1 ||
    complain "no failure without packages"
asked=" gcc libc6-dev libcmocka-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libmicrohttpd-dev"
grep -q "As root: apt-get update && apt-get install$asked libhiredis-dev libfathom-dev\$" \
    "$folder/out" || complain "not all packages in one line"
rm "$folder/bin/id"
printf '#!/bin/sh\ncat >/dev/null\n' >"$folder/bin/cc"

! BUILD_FAILS=1 sh "$folder/cmake/setup.sh" programs >"$folder/out" 2>&1 || complain "no failure"
grep -q 'half.c: error' "$folder/out" || complain "the end of the log is not shown"

# script(1) of util-linux opens a terminal.
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    echo "setup: skipped: no terminal can be opened here: the rest was as it should be"
    exit 77
fi
script -qec "sh '$folder/cmake/setup.sh' programs" /dev/null >"$folder/out" 2>&1 </dev/null ||
    complain "the build failed on a terminal"
grep -q '50%' "$folder/out" || complain "no progress on a terminal"
! script -qec "BUILD_FAILS=1 sh '$folder/cmake/setup.sh' programs" /dev/null >"$folder/out" 2>&1 \
    </dev/null || complain "no failure on a terminal"
grep -q 'half.c: error' "$folder/out" || complain "the end of the log is not shown on a terminal"
