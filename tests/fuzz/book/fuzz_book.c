/* Any bytes as a book: refused, or every move it gives along its own line is legal. The first byte
 * seeds the choice. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "chess/movegen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    if (size < 1)
        return 0;
    struct book *book;
    struct diag diag;
    if (book_open_memory(data + 1, size - 1, "fuzz", &book, &diag) != STATUS_OK)
        return 0;
    struct rng rng;
    struct position pos;
    rng_seed(&rng, data[0]);
    position_start(&pos);
    for (int ply = 0; ply < 64; ply++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe(book, &pos, moves, MOVES_MAX);
        for (int i = 0; i < count; i++)
            if (!movegen_is_legal(&pos, moves[i].move) ||
                (i > 0 && moves[i].weight > moves[i - 1].weight))
                abort();
        int chosen = book_choose(moves, count, (enum book_selection)(data[0] % 3), data[0], &rng);
        if (chosen < 0)
            break;
        struct undo undo;
        position_make(&pos, moves[chosen].move, &undo);
    }
    book_close(book);
    return 0;
}
