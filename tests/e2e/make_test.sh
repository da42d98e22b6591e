#!/bin/sh
# The Makefile as OpenBench calls it: configured in earnest, with the compiler and the network that
# were asked for; the build itself is played, for it takes minutes.
#   make_test.sh SOURCE CC
set -eu
source=$1
cc=$2
command -v make >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake=$(command -v cmake)
mkdir "$scratch/bin"
cat >"$scratch/bin/cmake" <<END
#!/bin/sh
[ "\$1" = --build ] || exec "$cmake" "\$@"
[ "\$3 \$4" = "--target caxton" ] && echo a program >"\$2/caxton"
END
chmod +x "$scratch/bin/cmake"

# try SETTING...: make as OpenBench calls it
try()
{
    PATH="$scratch/bin:$PATH" make -j -C "$source" BUILD="$scratch/build" \
        EXE="$scratch/Caxton-0123ABCD" "$@" >"$scratch/log" 2>&1
}

cp "$source/eval/default.nnue" "$scratch/a net.nnue"
try CC="$cc" EVALFILE="$scratch/a net.nnue" || {
    cat "$scratch/log"
    exit 1
}
grep -q 'a program' "$scratch/Caxton-0123ABCD"
cache=$scratch/build/CMakeCache.txt
grep -qx "CAXTON_EVALFILE:[A-Z]*=$scratch/a net.nnue" "$cache"
grep -qx "CMAKE_C_COMPILER:[A-Z]*=.*$(basename "$cc")" "$cache"

echo 'no network' >"$scratch/junk"
if try CC="$cc" EVALFILE="$scratch/junk"; then
    echo "a file that is no network was taken"
    exit 1
fi
grep -q "junk is no network" "$scratch/log"
