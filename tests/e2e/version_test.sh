#!/bin/sh
# What cmake/version.cmake calls a build: of a commit, of a release's tag, of a tree without git.
#   version_test.sh CMAKE VERSION_CMAKE
set -eu
cmake=$1
script=$2
command -v git >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
date=2026-11-28T23:30:00+0100
export HOME="$scratch" GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date
git=$(command -v git)

# expect PATTERN: of the line that is written for the tree
expect()
{
    "$cmake" -DOUT="$scratch/version.c" -DVERSION=1.2.3 -DSOURCE="$scratch/a/tree" -DGIT="$git" \
        -P "$script"
    grep -Eqx "const char program_version\[\] = \"$1\";" "$scratch/version.c" || {
        echo "not $1:" >&2
        cat "$scratch/version.c" >&2
        exit 1
    }
}

mkdir -p "$scratch/a/tree"
"$git" init -q "$scratch/a"
commit()
{
    "$git" -C "$1" -c user.name=a -c user.email=a@b commit -q --allow-empty -m "$2"
}
commit "$scratch/a" outer
expect 1.2.3 # a tarball that was unpacked in another repository
"$git" init -q "$scratch/a/tree"
expect 1.2.3 # no commit yet
commit "$scratch/a/tree" one
expect "dev-20261128-[0-9a-f]{7,}"
touch -d 2020-01-01 "$scratch/version.c"
expect "dev-20261128-[0-9a-f]{7,}"
[ -z "$(find "$scratch/version.c" -newermt 2020-01-02)" ] || { echo "written again" >&2; exit 1; }
"$git" -C "$scratch/a/tree" tag v1.2
expect "dev-20261128-[0-9a-f]{7,}"
"$git" -C "$scratch/a/tree" tag v1.2.3
expect 1.2.3
git=
expect 1.2.3 # as release.sh builds
