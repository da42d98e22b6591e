#!/bin/sh
# What cmake/setup.sh prints while it builds, with a cmake that only says that it builds: one line
# into a pipe, progress on a terminal, the end of the log when the build fails.
#   tests/e2e/setup_test.sh SETUP
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/cmake" "$folder/bin"
cp "$1" "$folder/cmake/setup.sh"
cat >"$folder/bin/cmake" <<'END'
#!/bin/sh
echo "[ 50%] Building C object half.o"
[ -z "${BUILD_FAILS:-}" ] || { echo "half.c: error"; exit 3; }
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
[ "$(wc -l <"$folder/out")" -eq 1 ] || complain "not one line into a pipe"

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
printf '#!/bin/sh\ncat >/dev/null\n' >"$folder/bin/cc"

! BUILD_FAILS=1 sh "$folder/cmake/setup.sh" programs >"$folder/out" 2>&1 || complain "no failure"
grep -q 'half.c: error' "$folder/out" || complain "the end of the log is not shown"

# script(1) of util-linux opens a terminal.
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    echo "no terminal can be opened here: the rest is skipped"
    exit 0
fi
script -qec "sh '$folder/cmake/setup.sh' programs" /dev/null >"$folder/out" 2>&1 </dev/null ||
    complain "the build failed on a terminal"
grep -q '50%' "$folder/out" || complain "no progress on a terminal"
! script -qec "BUILD_FAILS=1 sh '$folder/cmake/setup.sh' programs" /dev/null >"$folder/out" 2>&1 \
    </dev/null || complain "no failure on a terminal"
grep -q 'half.c: error' "$folder/out" || complain "the end of the log is not shown on a terminal"
