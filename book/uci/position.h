/* The `position` command: setting up the game. */
#pragma once

#include "book/uci/report.h"

struct game;

/* The arguments of the last command. The next one usually repeats them and adds a move or two: only
 * those are played then. Zeroed at first. */
struct position_memory {
    char *text; /* owned */
    size_t size;
    size_t capacity;
    bool valid;     /* the game stands as `text` says */
    bool has_moves; /* the list of moves in `text` has begun */
};

void position_memory_free(struct position_memory *memory);

/* `startpos` or `fen FEN`, then perhaps `moves` and moves. A bad FEN changes nothing. Of a list
 * with an illegal move the moves before it are played. Each is one `info string`, and false. */
bool position_command(struct game *game, struct position_memory *memory, struct span arguments,
                      struct output *out);
