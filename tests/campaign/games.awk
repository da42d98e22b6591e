# Makes games: awk -v games=COUNT -v seed=SEED -f games.awk. The same numbers, the same games, with
# any awk.
#
# Both sides push pawns one step at a time, White's to the fourth rank, Black's to the fifth, in any
# order. All of these moves are legal whatever the order: no pawn meets or attacks another before its
# second step, none is captured, and no line that they open leads to a king.

# Uniform in 0..bound-1. Park and Miller, "Random number generators: good ones are hard to find",
# CACM 31(10), 1988: all products are exact in double precision.
function below(bound)
{
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * bound)
}

# The next push of `side`: a file with steps left.
function push(side, file)
{
    do
        file = below(8) + 1
    while (steps[side, file] == 2)
    steps[side, file]++
    return substr("abcdefgh", file, 1) \
        (side == "white" ? 2 + steps[side, file] : 7 - steps[side, file])
}

function play(number, moves, i, result)
{
    split("", steps)
    moves = 6 + below(10)
    result = substr("1-0    0-1    1/2-1/2", 1 + 7 * below(3), 7)
    sub(/ +$/, "", result)
    printf "[Event \"Pawns\"]\n[White \"Player %d\"]\n[Black \"Player %d\"]\n", below(1000),
        below(1000)
    printf "[Round \"%d\"]\n[Result \"%s\"]\n\n", number, result
    for (i = 1; i <= moves; i++)
        printf "%d. %s %s%s", i, push("white"), push("black"), i % 8 ? " " : "\n"
    printf "%s\n\n", result
}

BEGIN {
    state = seed % 2147483646 + 1
    for (i = 0; i < 20; i++)
        below(2)
    for (i = 1; i <= games; i++)
        play(i)
}
