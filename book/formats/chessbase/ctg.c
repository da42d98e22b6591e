#include "book/formats/chessbase/ctg.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "book/formats/chessbase/ctg_move.h"
#include "book/formats/chessbase/ctg_position.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/mirror.h"

static const uint8_t magic[] = {0, 0x20, 0x10, 0, 0, 1, 0, 1};

enum {
    PAGE_HEADER = 4,
    LENGTH_BITS = 31,
    HAS_CASTLING = 64,
    GAMES = 3,           /* bytes of each number of games */
    RECOMMENDATION = 30, /* from the end of the moves, */
    COMMENT = 32,        /* and this, */
    RESULTS_SIZE = 33,   /* and the next position */
    GREEN = 128,
    RED = 64,
};

/* What a person says of a move, as bits by number. */
enum { NEVER = 1 << 2 | 1 << 4, DOUBTFUL = NEVER | 1 << 5 | 1 << 6 };

/* What is known of a position, in the order of the keys. */
struct known {
    uint64_t key;
    uint32_t games;
    uint8_t recommendation;
};

/* A position as it stands in the file. */
struct stored {
    const uint8_t *bytes;
    size_t size; /* of the position alone */
    const uint8_t *moves;
    size_t move_count;
    const uint8_t *results;
    size_t offset;
};

struct reader {
    const uint8_t *bytes;
    size_t size;
    struct book_input *input;
    struct known *known;
    size_t known_count;
    size_t known_capacity;
    enum caxton_status (*take)(struct reader *reader, const struct stored *stored, bool flipped);
};

/* Is it stored for its mirror image, too? */
static bool has_image(const struct stored *stored)
{
    return !(stored->bytes[0] & HAS_CASTLING);
}

/* The position at `at` of a page that ends at `end`; false: it goes on behind the end. */
static bool find_stored(const struct reader *reader, size_t at, size_t end, struct stored *out)
{
    const uint8_t *bytes = reader->bytes + at;
    size_t left = end - at;
    size_t size = left > 0 ? bytes[0] & LENGTH_BITS : 0;
    if (size == 0 || left < size + 1 + RESULTS_SIZE)
        return false;
    size_t moves = bytes[size];
    if (moves == 0 || left < size + moves + RESULTS_SIZE)
        return false;
    *out = (struct stored){.bytes = bytes,
                           .size = size,
                           .moves = bytes + size + 1,
                           .move_count = (moves - 1) / 2,
                           .results = bytes + size + moves,
                           .offset = at};
    return true;
}

static enum caxton_status take_stored(struct reader *reader, const struct stored *stored)
{
    enum caxton_status status = reader->take(reader, stored, false);
    if (status == STATUS_OK && has_image(stored))
        status = reader->take(reader, stored, true);
    return status;
}

/* Takes the positions of one page. report: for faults, the first time only. */
static enum caxton_status read_page(struct reader *reader, size_t page, bool report)
{
    size_t begin = page * CTG_PAGE;
    size_t count = bytes_get_u16be(reader->bytes + begin);
    size_t used = bytes_get_u16be(reader->bytes + begin + 2);
    size_t end = begin + (used > CTG_PAGE ? CTG_PAGE : used);
    size_t at = begin + PAGE_HEADER;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct stored stored;
        if (at >= end || !find_stored(reader, at, end, &stored)) {
            if (report)
                book_input_fault(reader->input, BOOK_FAULT_SIZE, 0, 0, at,
                                 "page %zu: its bytes end within position %zu of %zu", page, i + 1,
                                 count);
            return STATUS_OK;
        }
        status = take_stored(reader, &stored);
        at = (size_t)(stored.results - reader->bytes) + RESULTS_SIZE;
    }
    return status;
}

static enum caxton_status read_pages(struct reader *reader, bool report)
{
    enum caxton_status status = STATUS_OK;
    for (size_t page = 1; page < reader->size / CTG_PAGE && status == STATUS_OK; page++)
        status = read_page(reader, page, report);
    return status;
}

/* First all positions: what is known of them. ------------------------------------------------- */

static enum caxton_status take_position(struct reader *reader, const struct stored *stored,
                                        bool flipped)
{
    struct position pos;
    enum caxton_status status = ctg_position_read(stored->bytes, stored->size, flipped, &pos);
    if (status != STATUS_OK) {
        if (!flipped)
            book_input_fault(reader->input, book_fault_of(status), 0, 0, stored->offset, "%s",
                             status == STATUS_SYNTAX ? "these bits are no position"
                                                     : "a position against the rules");
        return STATUS_OK;
    }
    if (!ARRAY_GROW(reader->known, reader->known_capacity, reader->known_count + 1))
        return STATUS_NO_MEMORY;
    reader->known[reader->known_count++] =
        (struct known){.key = pos.key,
                       .games = (uint32_t)bytes_get_be(stored->results, GAMES),
                       .recommendation = stored->results[RECOMMENDATION]};
    reader->input->comments += !flipped && stored->results[COMMENT] != 0;
    return STATUS_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const struct known *left = a;
    const struct known *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

/* Then their moves. --------------------------------------------------------------------------- */

static const struct known *known_behind(const struct reader *reader, const struct position *pos,
                                        move m)
{
    const struct position behind = position_behind(pos, m);
    const struct known wanted = {.key = position_mirror_key(&behind)};
    return bsearch(&wanted, reader->known, reader->known_count, sizeof wanted, compare_keys);
}

/* A move of a position with what is known of it. */
struct choice {
    move m;
    uint32_t weight;
    bool recommended;
};

static struct choice make_choice(const struct reader *reader, const struct position *pos, move m,
                                 unsigned remark)
{
    const struct known *known = known_behind(reader, pos, m);
    uint32_t games = known ? known->games : 0;
    unsigned said = remark < 32 ? 1U << remark : 0;
    struct choice choice = {.m = m, .weight = games ? games : 1};
    if (said & NEVER || (known && known->recommendation == RED))
        choice.weight = 0;
    choice.recommended = known && known->recommendation == GREEN && !(said & DOUBTFUL);
    return choice;
}

static void name_move(struct reader *reader, const struct stored *stored, size_t number,
                      const struct position *pos)
{
    char fen[FEN_MAX];
    fen_format(pos, fen);
    book_input_fault(reader->input, BOOK_FAULT_ILLEGAL, 0, 0,
                     (size_t)(stored->moves - reader->bytes) + 2 * number,
                     "byte 0x%02x is no legal move in %s", stored->moves[2 * number], fen);
}

/* The legal moves, each once: returns how many. */
static int read_choices(struct reader *reader, const struct stored *stored, bool flipped,
                        const struct position *pos, struct choice *out)
{
    struct position plain = *pos; /* codes count the men of the position as it is stored */
    int count = 0;
    if (flipped && ctg_position_read(stored->bytes, stored->size, false, &plain) != STATUS_OK)
        return 0;
    for (size_t i = 0; i < stored->move_count && count < MOVES_MAX; i++) {
        int from;
        int to;
        int side = flipped ? 7 : 0;
        move m = MOVE_NONE;
        if (ctg_move_squares(&plain, stored->moves[2 * i], &from, &to))
            m = ctg_move_make(pos, from ^ side, to ^ side);
        if (m != MOVE_NONE)
            out[count++] = make_choice(reader, pos, m, stored->moves[2 * i + 1]);
        else if (!flipped)
            name_move(reader, stored, i, pos);
    }
    return count;
}

static enum caxton_status take_moves(struct reader *reader, const struct stored *stored,
                                     bool flipped)
{
    struct position pos;
    struct choice choices[MOVES_MAX];
    if (ctg_position_read(stored->bytes, stored->size, flipped, &pos) != STATUS_OK)
        return STATUS_OK;
    int count = read_choices(reader, stored, flipped, &pos, choices);
    bool recommended = false;
    for (int i = 0; i < count; i++)
        recommended |= choices[i].recommended && choices[i].weight > 0;
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        bool played = !recommended || choices[i].recommended;
        status = entry_list_add(
            &reader->input->list, &pos, choices[i].m,
            (struct book_entry){.weight = played ? choices[i].weight : 0, .stated = true});
        reader->input->comments += !flipped && stored->moves[2 * i + 1] != 0;
    }
    return status;
}

static enum caxton_status ctg_read(const uint8_t *bytes, size_t size, struct book_input *input)
{
    struct reader reader = {.bytes = bytes, .size = size, .input = input, .take = take_position};
    if (size % CTG_PAGE != 0)
        book_input_fault(input, BOOK_FAULT_SIZE, 0, 0, size - size % CTG_PAGE,
                         "the file ends within page %zu", size / CTG_PAGE);
    enum caxton_status status = read_pages(&reader, true);
    if (status == STATUS_OK && reader.known_count > 0) {
        qsort(reader.known, reader.known_count, sizeof *reader.known, compare_keys);
        reader.take = take_moves;
        status = read_pages(&reader, false);
    }
    free(reader.known);
    return status;
}

static bool ctg_recognises(const uint8_t *bytes, size_t size)
{
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

const struct book_format ctg_format = {.name = "ChessBase",
                                       .extension = "ctg",
                                       .mirrored = true,
                                       .recognises = ctg_recognises,
                                       .read = ctg_read,
                                       POSITION_BOOK_FUNCTIONS};
