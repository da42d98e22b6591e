#!/usr/bin/env bash
# Is a change of the engine worth having? Builds two versions and lets them play until a sequential
# probability ratio test (SPRT) decides, or for a fixed number of games. See --help.
# The versions are built in a temporary folder, from git worktrees; nothing is left behind.
set -euo pipefail
export LC_ALL=C

usage()
{
    cat <<'END'
tests/bench/sprt.sh [OPTIONS] BASE [CANDIDATE]

Builds two versions of Caxton, compares their speed, and lets fastchess play them against each
other.
BASE, CANDIDATE: commits, branches or tags; CANDIDATE is the work tree when left out.

  --nodes N          nodes a move (12000): the result does not depend on the machine's speed
  --tc TC            a clock instead: seconds+increment, e.g. 8+0.08
  --elo0 E, --elo1 E the two hypotheses of the SPRT, in normalised Elo (0, 5)
  --games N          play N games without SPRT; with --elo0 or --elo1: the most games (40000)
  --concurrency N    games at a time (number of processors)
  --openings FILE    EPD or PGN, each opening played with both colours
                     (tests/data/openings/uho_sample.epd)
  --hash MB          hash table of each engine (16)
  --seed N           chooses the order of the openings (1)
  --bench-runs N     speed: runs of `bench` for each version, alternately (5; 0: none)
  --pgn FILE         keep the games
  --cmake OPTION     an option for both builds, e.g. -DCAXTON_ARCH=native; may be repeated
  --verbose          show a line for each game, too

Needs git, cmake, a C compiler, and fastchess on the PATH (https://github.com/Disservin/fastchess).
END
}

fail()
{
    printf 'sprt.sh: %s\n' "$*" >&2
    exit 2
}

is_number()
{
    [[ $1 =~ ^[0-9]+$ ]] && [ "${#1}" -le 12 ]
}

read_options()
{
    nodes=12000 tc='' elo0=0 elo1=5 games='' sprt=auto concurrency=$(getconf _NPROCESSORS_ONLN)
    openings=$root/tests/data/openings/uho_sample.epd hash=16 seed=1 bench_runs=5 pgn='' verbose=''
    cmake_options=() versions=()
    while [ $# -gt 0 ]; do
        case $1 in
        --help | -h)
            usage
            exit 0
            ;;
        --verbose)
            verbose=1
            shift
            continue
            ;;
        --*)
            [ $# -gt 1 ] || fail "$1 wants a value"
            ;;
        -*) fail "no such option: $1 (see --help)" ;;
        *)
            versions+=("$1")
            shift
            continue
            ;;
        esac
        case $1 in
        --nodes | --games | --concurrency | --hash | --seed | --bench-runs)
            is_number "$2" || fail "$1 wants a whole number, not \"$2\""
            ;;
        --elo0 | --elo1)
            [[ $2 =~ ^-?[0-9]+(\.[0-9]+)?$ ]] || fail "$1 wants a number, not \"$2\""
            sprt=yes
            ;;
        esac
        case $1 in
        --nodes) nodes=$2 ;;
        --tc) tc=$2 ;;
        --elo0) elo0=$2 ;;
        --elo1) elo1=$2 ;;
        --games) games=$2 ;;
        --concurrency) concurrency=$2 ;;
        --openings) openings=$(realpath -m -- "$2") ;;
        --hash) hash=$2 ;;
        --seed) seed=$2 ;;
        --bench-runs) bench_runs=$2 ;;
        --pgn) pgn=$(realpath -m -- "$2") ;;
        --cmake) cmake_options+=("$2") ;;
        *) fail "no such option: $1 (see --help)" ;;
        esac
        shift 2
    done
    [ "${#versions[@]}" -ge 1 ] || fail "which version is the base? (see --help)"
    [ "${#versions[@]}" -le 2 ] || fail "two versions at most, not ${#versions[@]}"
    if [ "$sprt" = auto ]; then
        sprt=yes
        [ -z "$games" ] || sprt=no
    fi
    games=${games:-40000}
    [ "$games" -ge 2 ] || fail "--games must be 2 at least: each opening is played twice"
    [ "$concurrency" -ge 1 ] || fail "--concurrency must be 1 at least"
    [ -r "$openings" ] || fail "cannot read $openings"
    # At fixed nodes an opening that comes again gives the same games again.
    local most=$((2 * $(grep -c "$(opening_mark)" "$openings" || true)))
    [ -n "$tc" ] || [ "$games" -le "$most" ] || games=$most
}

# What each opening of the file has once, as a regular expression.
opening_mark()
{
    case ${openings##*.} in
    pgn) echo '^\[Event ' ;;
    *) echo . ;;
    esac
}

check_tools()
{
    local tool
    for tool in git cmake; do
        command -v "$tool" >/dev/null || fail "$tool is not on the PATH"
    done
    command -v fastchess >/dev/null ||
        fail "fastchess is not on the PATH; get it from https://github.com/Disservin/fastchess"
}

# Removes the worktrees, which git would otherwise remember.
clean_up()
{
    local name
    for name in base candidate; do
        [ ! -d "$folder/$name-source" ] ||
            git -C "$root" worktree remove --force "$folder/$name-source" || true
    done
    rm -rf "$folder"
}

# build NAME [COMMIT]: leaves the engine as $folder/NAME/caxton.
build()
{
    local name=$1 source=$root commit
    if [ $# -gt 1 ]; then
        commit=$(git -C "$root" rev-parse --verify --quiet "$2^{commit}") ||
            fail "no such commit: $2"
        source=$folder/$name-source
        git -C "$root" worktree add --quiet --detach "$source" "$commit"
        printf '%-10s %s\n' "$name" "$(git -C "$root" log -1 --format='%h %s' "$commit")"
    else
        printf '%-10s the work tree, on %s\n' "$name" \
            "$(git -C "$root" log -1 --format='%h %s')"
    fi
    if ! cmake -S "$source" -B "$folder/$name" -DCMAKE_BUILD_TYPE=Release -DCAXTON_TESTS=OFF \
        "${cmake_options[@]}" >"$folder/$name.log" 2>&1 ||
        ! cmake --build "$folder/$name" --target caxton --parallel >>"$folder/$name.log" 2>&1; then
        tail -n 30 "$folder/$name.log" >&2
        fail "$name does not build"
    fi
}

# The middle of the numbers on standard input.
median()
{
    sort -n | awk '{ a[NR] = $1 }
        END { printf "%.4f\n", (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'
}

# bench NAME: sets `speed` in nodes per second and `signature`, the number of nodes.
bench()
{
    "$folder/$1/caxton" bench >"$folder/bench" 2>&1 || fail "$1: bench failed"
    speed=$(sed -n -E 's/^Speed: *([0-9]+).*/\1/p' "$folder/bench")
    signature=$(sed -n -E 's/^Bench: *([0-9]+).*/\1/p' "$folder/bench")
    [ -n "$speed" ] || fail "$1: bench prints no line with Speed:"
    [ -n "$signature" ] || fail "$1: bench prints no line with Bench:"
}

# Both run alternately, so that a slow minute of the machine meets both alike.
compare_speed()
{
    local run speed signature base_speed base_signature
    [ "$bench_runs" -gt 0 ] || return 0
    for ((run = 0; run < bench_runs; run++)); do
        bench base
        base_speed=$speed base_signature=$signature
        bench candidate
        awk -v a="$speed" -v b="$base_speed" 'BEGIN { printf "%.6f\n", a / b }' >>"$folder/ratios"
        echo "$base_speed" >>"$folder/speeds-base"
        echo "$speed" >>"$folder/speeds-candidate"
    done
    printf 'bench      base %s nodes, candidate %s nodes%s\n' "$base_signature" "$signature" \
        "$([ "$base_signature" != "$signature" ] || echo ': the same search')"
    printf 'speed      base %.0f, candidate %.0f nodes per second, ratio %.3f (medians of %s)\n' \
        "$(median <"$folder/speeds-base")" "$(median <"$folder/speeds-candidate")" \
        "$(median <"$folder/ratios")" "$bench_runs"
}

play()
{
    local limit=(nodes="$nodes") options=() format=epd
    [ -z "$tc" ] || limit=(tc="$tc")
    [ "${openings##*.}" != pgn ] || format=pgn
    [ "$sprt" = no ] ||
        options+=(-sprt elo0="$elo0" elo1="$elo1" alpha=0.05 beta=0.05 model=normalized)
    [ -z "$pgn" ] || options+=(-pgnout file="$pgn")
    cd "$folder" # fastchess writes its state into the current folder
    fastchess -engine cmd="$folder/candidate/caxton" name=candidate \
        -engine cmd="$folder/base/caxton" name=base \
        -each proto=uci "${limit[@]}" option.Hash="$hash" option.OwnBook=false \
        -openings file="$openings" format="$format" order=random -srand "$seed" \
        -rounds $(((games + 1) / 2)) -repeat -concurrency "$concurrency" \
        -draw movenumber=40 movecount=8 score=10 -resign movecount=4 score=600 \
        -report penta=true -ratinginterval 50 -scoreinterval 0 "${options[@]}" 2>&1 |
        awk -v verbose="$verbose" 'verbose || !/^(Started|Finished) game / { print; fflush() }'
}

root=$(cd "$(dirname "$0")/../.." && pwd)
read_options "$@"
check_tools
folder=$(mktemp -d)
trap clean_up EXIT
build base "${versions[0]}"
build candidate "${versions[@]:1:1}"
compare_speed
play
