#include "book/grow/opponent.h"

#include "book/book.h"

/* The played ones of the book's moves, with their probabilities. */
static int weigh(const struct book_move *moves, int count, struct opponent_move *out)
{
    uint64_t sum = 0;
    int given = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].weight;
    for (int i = 0; i < count; i++)
        if (moves[i].weight > 0)
            out[given++] =
                (struct opponent_move){moves[i].move, (double)moves[i].weight / (double)sum};
    return given;
}

int opponent_moves(const struct book *book, const struct game *game, struct opponent_move *out,
                   bool *in_book)
{
    struct book_move found[MOVES_MAX];
    move legal[MOVES_MAX];
    int count = 0;
    if (book)
        count = weigh(found, book_probe_game(book, game, found, MOVES_MAX), out);
    if (book && count == 0)
        count = weigh(found, book_probe(book, game_position(game), found, MOVES_MAX), out);
    *in_book = count > 0;
    if (count > 0)
        return count;
    count = movegen_legal(game_position(game), legal);
    for (int i = 0; i < count; i++)
        out[i] = (struct opponent_move){legal[i], 1 / (double)count};
    return count;
}
