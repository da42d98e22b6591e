#include "eval/train/datagen/starts.h"

#include <stdlib.h>

#include "book/book_move.h"
#include "book/open/open.h"
#include "chess/fen.h"
#include "chess/movegen.h"

enum { BOOK_PLIES_MAX = 12 };

enum caxton_status starts_open(struct datagen_starts *starts, const char *openings,
                               const char *const *books, size_t book_count, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    if (openings)
        status = fen_read_file(openings, &starts->openings, &starts->opening_count, diag);
    for (size_t i = 0; i < book_count && i < STARTS_BOOKS_MAX && status == STATUS_OK; i++) {
        status = book_open(books[i], &starts->books[i], diag);
        starts->book_count += status == STATUS_OK;
    }
    if (book_count == 0 && status == STATUS_OK) {
        status = book_open_builtin(&starts->books[0]);
        starts->book_count = status == STATUS_OK;
    }
    return status;
}

void starts_close(struct datagen_starts *starts)
{
    for (int i = 0; i < starts->book_count; i++)
        book_close(starts->books[i]);
    free(starts->openings);
}

static int chance(struct rng *rng, int bound)
{
    return (int)rng_below(rng, (uint64_t)bound);
}

/* Puts a piece on a random empty square where it may stand. */
static void place(struct rng *rng, struct position *pos, int piece)
{
    bool is_pawn = piece_type(piece) == PAWN;
    int square;
    do
        square = square_flip((int)rng_below(rng, 64));
    while (pos->board[square] != NO_PIECE ||
           (is_pawn && (bb_square(square) & (BB_RANK_1 | BB_RANK_8))));
    position_put(pos, piece, square);
}

/* Half of the pieces are pawns. */
static int random_piece(struct rng *rng)
{
    int number = (int)rng_below(rng, 16);
    return number < 8 ? piece_make(number / 4, PAWN)
                      : piece_make(number % 2, KNIGHT + (number - 8) / 2);
}

/* A legal position of few pieces, kings included. Games between good players seldom reach most
 * endings, and a network that has not seen them plays them badly. */
static void random_ending(struct rng *rng, struct position *pos)
{
    char fen[FEN_MAX];
    do {
        struct position board;
        position_clear(&board);
        place(rng, &board, piece_make(WHITE, KING));
        place(rng, &board, piece_make(BLACK, KING));
        int others = (int)rng_below(rng, ENDING_PIECES_MAX - ENDING_PIECES_MIN + 1);
        for (int i = 0; i < ENDING_PIECES_MIN - 2 + others; i++)
            place(rng, &board, random_piece(rng));
        board.turn = rng_below(rng, 2) == 0 ? WHITE : BLACK;
        fen_format(&board, fen);
    } while (fen_parse(span_of(fen), pos, NULL) != STATUS_OK); /* e.g. the king can be taken */
}

/* Plays some moves of the book, all of them equally likely. */
static enum caxton_status play_book(const struct book *book, struct rng *rng, struct game *game)
{
    enum caxton_status status = STATUS_OK;
    int plies = 1 + chance(rng, BOOK_PLIES_MAX);
    for (int i = 0; i < plies && status == STATUS_OK; i++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe(book, game_position(game), moves, MOVES_MAX);
        int index = book_choose(moves, count, BOOK_UNIFORM, 0, rng);
        if (index < 0)
            break;
        status = game_play(game, moves[index].move);
    }
    return status;
}

/* Draws by the shares; the rest, START_KINDS, starts from the start position. */
static int choose_kind(const struct datagen_starts *starts, struct rng *rng)
{
    int dice = chance(rng, 100);
    int kind = 0;
    while (kind < START_KINDS && dice >= starts->percent[kind])
        dice -= starts->percent[kind++];
    return kind;
}

/* *random_moves: how many random moves follow. They bring the positions into the data that good
 * players avoid; without them the network does not learn that these are bad. */
static enum caxton_status choose_start(const struct datagen_starts *starts, struct rng *rng,
                                       struct game *game, bool *is_ending, int *random_moves)
{
    struct position pos;
    int kind = choose_kind(starts, rng);
    unsigned first;
    *is_ending = kind == START_ENDING;
    position_start(&pos);
    switch (kind) {
    case START_ENDING:
        random_ending(rng, &pos);
        *random_moves = 0;
        break;
    case START_CHESS960:
        fen_chess960((unsigned)chance(rng, 960), &pos);
        *random_moves = 4 + chance(rng, 6);
        break;
    case START_DOUBLE_CHESS960:
        first = (unsigned)chance(rng, 960); /* arguments are evaluated in any order */
        fen_double_chess960(first, (unsigned)chance(rng, 960), &pos);
        *random_moves = 4 + chance(rng, 6);
        break;
    case START_BOOK:
        *random_moves = 1 + chance(rng, 4);
        break;
    case START_OPENING:
        pos = starts->openings[rng_below(rng, starts->opening_count)];
        *random_moves = chance(rng, 7);
        break;
    default:
        *random_moves = 6 + chance(rng, 4);
    }
    game_reset(game, &pos);
    if (kind != START_BOOK)
        return STATUS_OK;
    return play_book(starts->books[chance(rng, starts->book_count)], rng, game);
}

static enum caxton_status play_random(struct rng *rng, struct game *game, int count)
{
    move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        int legal = movegen_legal(game_position(game), moves);
        if (legal == 0)
            break;
        status = game_play(game, moves[chance(rng, legal)]);
    }
    return status;
}

enum caxton_status starts_set_up(const struct datagen_starts *starts, struct rng *rng,
                                 struct game *game, bool *is_ending)
{
    enum caxton_status status;
    do {
        int random_moves;
        status = choose_start(starts, rng, game, is_ending, &random_moves);
        if (status == STATUS_OK)
            status = play_random(rng, game, random_moves);
    } while (status == STATUS_OK && game_state(game) != GAME_OPEN);
    return status;
}
