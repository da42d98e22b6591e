#!/usr/bin/env bash
# Runs the README's commands, `./check` and `./play --you none`, on a fresh Debian: a minimal system
# in a temporary folder, made by debootstrap, with nothing but a clean clone of this tree.
#   fresh_root.sh [--mirror URL] [--cc COMPILER] [--as root|user] SUITE [CTEST OPTION...]
# SUITE: bookworm, trixie, sid. Once as root, and once as a user without sudo: `./check` must then
# fail and name all packages in one line, which root runs word for word before the user tries again.
# COMPILER is the name of a package of Debian and of its program (clang-19, gcc-14): installed
# beforehand, and CC. URL: ${MIRROR:-http://deb.debian.org/debian}. Needs root. Prints what each
# step took, the tests that were skipped, the `bench`, and rows for docs/CONTRIBUTING.md. Ends
# with 0 when all held. ctest does not run it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mirror=${MIRROR:-http://deb.debian.org/debian}
compiler=
users="root user"
while [ $# -gt 1 ]; do
    case $1 in
    --mirror) mirror=$2 ;;
    --cc) compiler=$2 ;;
    --as) users=$2 ;;
    *) break ;;
    esac
    shift 2
done
[ $# -ge 1 ] || {
    echo "usage: $0 [--mirror URL] [--cc COMPILER] [--as root|user] SUITE [CTEST OPTION...]" >&2
    exit 2
}
suite=$1
shift
tests=$*
[ "$(id -u)" -eq 0 ] || skip "only root can make a system"
need debootstrap git unshare chroot
start_work

# inside USER COMMAND: in the system at $root. Mounts and processes end with the command.
inside()
{
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" &&
            mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts" &&
            exec chroot --userspec="$2" "$1" /usr/bin/env -i HOME="/home/$2" ${4:+CC="$4"} \
                PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
                sh -c "cd /home/$2 && $3"' inside "$root" "$1" "$2" "$compiler" </dev/null
}

# timed WHAT LOG USER COMMAND: its time is left in $took.
timed()
{
    local start=$SECONDS status=0
    inside "$3" "$4" >"$work/$2" 2>&1 || status=$?
    took=$((SECONDS - start))
    echo "$suite, $3: $1: $took s, exit status $status"
    [ "$status" -eq 0 ] || { tail -n 100 "$work/$2"; faults=$((faults + 1)); }
}

# The user without sudo: what ./check asks for is installed by root, and nothing else.
install_what_is_asked_for()
{
    local asked
    ! inside user "./caxton/check" >"$work/asked" 2>&1 || fail "a fresh Debian has all packages"
    asked=$(sed -n 's/.*As root: \(apt-get .*\)/\1/p' "$work/asked")
    [ -n "$asked" ] || fail "./check names no packages: $(cat "$work/asked")"
    echo "$suite, user: ./check asks for: $asked"
    timed "the packages" packages root "$asked"
}

try() # USER
{
    local numbers skipped bench version
    root=$work/$1
    cp -a "$work/base" "$root"
    git clone -q "$here/../.." "$root/home/$1/caxton"
    inside root "chown -R $1 /home/$1"
    [ "$1" != user ] || install_what_is_asked_for
    timed "./check $tests" "check-$1" "$1" "./caxton/check $tests"
    check=$took
    [ "$1" != user ] || ! grep apt-get "$work/check-$1" || fail "root has to come twice"
    skipped=$(sed -n 's/^.*[0-9] - \(.*\) (Skipped)$/\1/p' "$work/check-$1" | sort -u)
    numbers=$(sed -n -E 's/.*passed, ([0-9]+) tests? failed out of ([0-9]+)/\2 tests, \1 failed/p' \
        "$work/check-$1")
    echo "$suite, $1: ${numbers:-no tests}; skipped:" $skipped
    timed "./play --you none" "play-$1" "$1" "./caxton/play --you none"
    tail -n 3 "$work/play-$1"
    bench=$(inside "$1" "./caxton/build/caxton bench" 2>&1 | sed -n 's/^Bench: *//p')
    version=$(inside "$1" '${CC:-cc} --version' | head -n 1)
    numbers="${numbers:-none}, $(wc -w <<<"$skipped") skipped"
    rows+=("| $suite | $1 | $version | $check s | $numbers | $bench |")
    rm -rf --one-file-system "$root"
}

faults=0
rows=()
start=$SECONDS
debootstrap --variant=minbase "$suite" "$work/base" "$mirror" >"$work/debootstrap" 2>&1 ||
    fail "debootstrap: $(tail -n 5 "$work/debootstrap")"
echo "$suite: debootstrap: $((SECONDS - start)) s"
root=$work/base
# For apt-get word for word; and a mirror may be late.
printf '%s\n' 'APT::Get::Assume-Yes "true";' 'Acquire::Check-Valid-Until "false";' \
    >"$root/etc/apt/apt.conf.d/90fresh"
mkdir -p "$root/home/root"
inside root "useradd --create-home user"
[ -z "$compiler" ] || inside root "DEBIAN_FRONTEND=noninteractive apt-get -q install $compiler" \
    >"$work/compiler" 2>&1 || fail "no $compiler: $(tail -n 5 "$work/compiler")"
for user in $users; do
    try "$user"
done
echo "| suite | as | compiler | ./check | tests | bench |"
printf '%s\n' "${rows[@]}"
[ "$faults" -eq 0 ] || fail "$faults steps failed"
echo "$campaign: all held"
