# What the campaigns share; sourced by them. A campaign ends with 0 when all held, 1 when
# something did not, 77 when it cannot run here, and says which. It works in a folder of
# its own below $TMPDIR. $CAMPAIGN_PGN names the games to use instead of made ones.

campaign=${0##*/}
campaign=${campaign%.sh}

skip()
{
    echo "$campaign: skipped: $*"
    exit 77
}

fail()
{
    echo "$campaign: FAILED: $*" >&2
    exit 1
}

# With CAXTON_REQUIRE_TOOLS in the environment a program that is not there is a failure.
need()
{
    for tool in "$@"; do
        command -v "$tool" >/dev/null 2>&1 && continue
        [ -z "${CAXTON_REQUIRE_TOOLS:-}" ] || fail "there is no $tool here"
        skip "there is no $tool here"
    done
}

# Called on the way out; a campaign may define it.
clean_up()
{
    :
}

start_work()
{
    export LC_ALL=C
    work=$(mktemp -d "${TMPDIR:-/tmp}/caxton-$campaign.XXXXXX")
    # Also after a signal, when the shell runs no EXIT trap of its own accord.
    trap 'status=$?; clean_up; rm -rf "$work"; exit $status' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

# make_games COUNT SEED: PGN on standard output.
make_games()
{
    awk -v games="$1" -v seed="$2" -f "$here/games.awk"
}

# The games of the campaign as a file: those given, or COUNT made ones.
campaign_games()
{
    if [ -n "${CAMPAIGN_PGN:-}" ]; then
        cat "$CAMPAIGN_PGN"
    else
        make_games "$1" 1
    fi
}

same()
{
    cmp -s "$1" "$2"
}
