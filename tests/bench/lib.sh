# What the scripts of matches share; sourced by them. A script defines usage(), which prints its
# help, and ends with 2 when it cannot do what is asked.

fail()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 2
}

# read_options KINDS ARGUMENT...: `--some-name VALUE` sets the variable some_name, every other
# argument is added to the array `names`. KINDS has a word NAME:KIND for each option that there is;
# KIND is count (a whole number from 1), number, file (its path is made absolute) or text.
read_options()
{
    local kinds=" ${1//$'\n'/ } " variable value
    shift
    names=()
    while [ $# -gt 0 ]; do
        case $1 in
        --help | -h)
            usage
            exit 0
            ;;
        --*) ;;
        *)
            names+=("$1")
            shift
            continue
            ;;
        esac
        [[ $kinds =~ " ${1#--}:"([a-z]+)" " ]] || fail "no such option: $1 (see --help)"
        [ $# -gt 1 ] || fail "$1 wants a value"
        value=$2
        case ${BASH_REMATCH[1]} in
        count) is_count "$2" || fail "$1 wants a whole number, not \"$2\"" ;;
        number) [[ $2 =~ ^-?[0-9]+(\.[0-9]+)?$ ]] || fail "$1 wants a number, not \"$2\"" ;;
        file) value=$(realpath -m -- "$2") ;;
        esac
        variable=${1#--}
        printf -v "${variable//-/_}" %s "$value"
        shift 2
    done
}

is_count()
{
    [[ $1 =~ ^[1-9][0-9]{0,8}$ ]]
}

# program_path PROGRAM and file_path FILE print the absolute path, or fail.
program_path()
{
    local path
    path=$(realpath -m -- "$1")
    [ -x "$path" ] || fail "cannot run $path"
    echo "$path"
}

file_path()
{
    [ -r "$1" ] || fail "cannot read $1"
    realpath -- "$1"
}

want_fastchess()
{
    command -v fastchess >/dev/null ||
        fail "fastchess is not on the PATH; get it from https://github.com/Disservin/fastchess"
}

# run_fastchess GAMES OPTION...: plays, silently, into the file GAMES of the current folder, where
# fastchess also leaves its state.
run_fastchess()
{
    local games=$1
    shift
    rm -f -- "$games"
    fastchess "$@" -ratinginterval 0 -scoreinterval 0 -pgnout file="$games" nodes=true \
        >log 2>&1 || {
        tail -n 5 log >&2
        fail "fastchess failed"
    }
    rm -f ./*config.json
    [ -s "$games" ] || fail "fastchess wrote no games: $(tail -n 3 log)"
}

# For awk: how much stronger a side is that scores so.
elo_function='
    function elo(s) { return s <= 0 ? -9999 : s >= 1 ? 9999 : 0 - 400 * log(1 / s - 1) / log(10) }'
