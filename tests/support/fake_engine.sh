#!/bin/sh
# A UCI engine for tests that plays e2e4 and goes wrong as it is told:
#
#     sh fake_engine.sh [LOG [MODE]]
#
# LOG gets the lines that it reads, or is -. What MODE is: see below.
log=${1:--}
mode=${2:-good}
depth=0
searches=0
move=e2e4

# Nothing is read any more, and nothing is said.
hang()
{
    while :; do read -r line || exit 0; done
}

introduce()
{
    case $mode in
    no_uciok) echo "Who are you?"; hang ;;
    dies_in_introduction) echo "id name Fake"; exit 3 ;;
    floods_in_introduction) exec yes "id author nobody" ;;
    nameless) ;;
    *) echo "id name Fake engine 1.0" ;;
    esac
    if [ "$mode" = xboard ]; then
        echo "Error (unknown command): uci"
        hang
    fi
    if [ "$mode" = options ]; then
        echo "option name BookFile type string default its own, and more.bin"
        echo "option name Weights File type string default /a b, c/d, e.nn"
        printf 'option name Empty type string default \n'
    fi
    [ "$mode" != old ] && echo "option name UCI_Chess960 type check default false"
    echo "option name Threads type spin default 1 min 1 max 8"
    echo "option name Hash type spin default 16 min 1 max 64"
    echo "option name OwnBook type check default true"
    echo "option name Clear Hash type button"
    echo "option name Playing Style type combo default Calm var Calm var Wild"
    echo "uciok"
}

search()
{
    searches=$((searches + 1))
    best="bestmove $move ponder e7e5"
    nodes=4242
    [ "$mode" = fickle ] && nodes=$$$searches
    echo "info depth 1 seldepth 1 score cp 7 nodes 20 pv a2a3"
    case $mode in
    dies) exit 1 ;;
    dies_later) [ $searches -gt 1 ] && exit 1 ;;
    dies_once) # in the first run of all
        [ -e "$log.died" ] || { : >"$log.died"; exit 1; } ;;
    hangs_once) # the same
        [ -e "$log.hung" ] || { : >"$log.hung"; hang; } ;;
    illegal_once) [ -e "$log.lied" ] || { : >"$log.lied"; best="bestmove e2e5"; } ;;
    hangs) [ "$depth" -gt 6 ] && hang ;; # not in the short searches by which it is known
    hangs_later) # LOG.pids tells of it
        [ "$depth" -gt 6 ] && { echo hang >>"$log.pids"; hang; } ;;
    floods) exec yes "info string on and on" ;;
    endless_line) exec tr '\0' x </dev/zero ;;
    illegal) best="bestmove e2e5" ;;
    nonsense) best="bestmove $(printf '\033[31m%0300d' 0)" ;;
    no_move) best="bestmove" ;;
    none) best="bestmove (none)" ;;
    no_score) echo "bestmove e2e4"; return ;;
    garbage)
        printf '\000\001\377\376 info\nbestmov\n\n   \ninfo\ninfo score\ninfo score cp\n'
        printf 'info score cp x nodes -5 depth 9999999999999999999\ninfo score mate\n'
        printf 'info string score cp 9999 depth 99 nodes 999999\n'
        printf 'info multipv 2 depth 9 score cp -900 nodes 77\r\n' ;;
    mate) echo "info depth 5 score mate 3 nodes 900 pv e2e4"; echo "$best"; return ;;
    mated) echo "info depth 5 score mate -2 nodes 900 pv e2e4"; echo "$best"; return ;;
    bounds)
        echo "info depth 6 score cp 40 nodes 900 pv e2e4"
        echo "info depth 7 score cp 90 lowerbound nodes 950 pv e2e4"
        echo "info depth 7 score cp -90 upperbound nodes 990 pv e2e4"
        echo "$best"
        return ;;
    obeys_later) # reads nothing else before stop
        while read -r command rest; do
            [ "$log" = - ] || echo "$command${rest:+ $rest}" >>"$log"
            [ "$command" = stop ] && break
        done ;;
    long_line) printf 'info string %05000d\n' 0 ;;
    esac
    [ "$mode" = again ] && best="$best
bestmove a2a3"
    echo "info depth $depth seldepth 20 multipv 1 score cp 30 nodes $nodes nps 100 pv e2e4 e7e5"
    echo "$best"
}

[ "$mode" = dies_at_start ] && exit 1
[ "$mode" = hangs_later ] && echo $$ >>"$log.pids"
while read -r command rest; do
    [ "$log" = - ] || echo "$command${rest:+ $rest}" >>"$log"
    case $command in
    uci) introduce ;;
    isready) echo "readyok" ;;
    position)
        case $rest in # the positions by which a searcher finds out who it is
        *r3k2r/p1ppqpb1*) move=e2a6 ;;
        *8/2p5/3p4/KP5r*) move=b4b1 ;;
        *" moves a2a4") move=e7e5 ;;
        *) move=e2e4 ;;
        esac ;;
    go)
        depth=${rest#* }
        [ "${rest%% *}" = nodes ] && depth=9
        search ;;
    quit) exit 0 ;;
    esac
done
