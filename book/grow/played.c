#include "book/grow/played.h"

#include "book/book.h"

static int weigh(const struct book_move *moves, int count, struct played_move *out)
{
    uint64_t sum = 0;
    int given = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].weight;
    for (int i = 0; i < count; i++)
        if (moves[i].weight > 0)
            out[given++] =
                (struct played_move){moves[i].move, (double)moves[i].weight / (double)sum};
    return given;
}

int played_by_book(const struct book *book, const struct game *game, struct played_move *out)
{
    struct book_move found[MOVES_MAX];
    int count = weigh(found, book_probe_game(book, game, found, MOVES_MAX), out);
    if (count == 0)
        count = weigh(found, book_probe(book, game_position(game), found, MOVES_MAX), out);
    return count;
}
