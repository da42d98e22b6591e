#!/bin/sh
# Makes the files of a release, the same bytes from the same commit wherever it stands:
#
#   cmake/package/release.sh OUT [source|linux|debian|windows|wasm]...     all of them
#   cmake/package/release.sh --check OUT [source|...]...                    twice, and compares
#
# OUT gets a .tar.gz with static programs for any Linux on x86-64, a package for Debian, a .zip for
# Windows, caxton.wasm, the source, and SHA256SUMS; with the project's page in CAXTON_URL also
# OUT/recipes, by recipes.sh: for winget, Homebrew and Arch. OUT/build is for the builds. Programs
# are fast on old and on new processors (CAXTON_LEVELS). Debian 12: apt-get install emscripten
# gcc-mingw-w64-x86-64-posix, wine64 too for CAXTON_PGO=ON in the environment, which compiles by a
# profile.
# Dates are those of SOURCE_DATE_EPOCH, or of the last commit. --check makes the files of the last
# commit in two clones, OUT/clone and OUT/another/clone, without ccache.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
out=${1:?the folder for the files}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$root"
if [ -n "$check" ]; then
    export CCACHE_DISABLE=1
    rm -rf "${out:?}/clone" "$out/another/clone"
    git clone -q . "$out/clone"
    git clone -q "$out/clone" "$out/another/clone" # of the same commit, whatever comes meanwhile
    for clone in clone another/clone; do
        "$out/$clone/cmake/package/release.sh" "$out/$clone/files" "$@"
    done
    diff "$out/clone/files/SHA256SUMS" "$out/another/clone/files/SHA256SUMS"
    echo "two builds, the same bytes"
    exit
fi
version=$(sed -n 's/^project(caxton VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
export CFLAGS="-ffile-prefix-map=$out/build=build -ffile-prefix-map=$root=."
umask 022

# build NAME TARGETS SETTING...: in OUT/build/NAME
build()
{
    name=$1
    targets=$2
    shift 2
    cmake -G Ninja -S . -B "$out/build/$name" -DCAXTON_TESTS=OFF -DCAXTON_RELEASE=ON "$@"
    # shellcheck disable=SC2086
    cmake --build "$out/build/$name" --target $targets
}

# x86_64 NAME TARGETS SETTING...: the same, for all processors of this kind
x86_64()
{
    name=$1
    targets=$2
    shift 2
    build "$name" "$targets" -DCAXTON_LEVELS=ON -DCAXTON_PGO="${CAXTON_PGO:-OFF}" "$@"
}

# tree NAME: what the build NAME installs, as a folder of the name of its package, in OUT/build
tree()
{
    tree=caxton-$version-$1-x86_64
    rm -rf "$out/build/$tree"
    cmake --install "$out/build/$1" --strip --prefix "$out/build/$tree"
    find "$out/build/$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    cd "$out/build"
}

source()
(
    git archive --format=tar --prefix="caxton-$version/" HEAD | gzip -9n \
        >"$out/caxton-$version.tar.gz"
)

linux()
(
    x86_64 linux all -DCAXTON_STATIC=ON
    tree linux
    tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner -cf "$tree.tar" "$tree"
    gzip -9n <"$tree.tar" >"$out/$tree.tar.gz"
)

debian()
(
    x86_64 debian all -DCAXTON_DEBIAN=ON
    cd "$out/build/debian"
    rm -f caxton_*.deb
    cpack -G DEB
    cp caxton_*.deb "$out"
)

windows()
(
    x86_64 windows all --toolchain cmake/windows.cmake
    tree windows
    rm -f "$out/$tree.zip"
    find "$tree" | sort | zip -q -X -9 "$out/$tree.zip" -@
)

wasm()
(
    build wasm caxton-wasm --toolchain cmake/wasm.cmake
    cp "$out/build/wasm/caxton.wasm" "$out/caxton-$version.wasm"
)

[ $# -gt 0 ] || set -- source linux debian windows wasm
for kind; do
    "$kind"
done
cd "$out"
sha256sum caxton[-_]* >SHA256SUMS
cat SHA256SUMS
[ -z "${CAXTON_URL:-}" ] || "$root/cmake/package/recipes.sh" "$out" "$version" "$CAXTON_URL"
