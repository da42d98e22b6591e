#include "book/formats/polyglot/peers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "book/entry_table.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/graph/graph.h"
#include "chess/fen.h"

/* What a program does that the format does not want. */
enum quirk {
    FINDS_JOURNEY = 1,  /* castling only as the king's journey, e1g1 */
    ROOK_CASTLES = 2,   /* e1h1 and the like of any piece are castling */
    NO_PROMOTION = 4,   /* a promotion's code is not found; without one it makes a queen */
    ZERO_PLAYED = 8,    /* a weight of 0 is a move like others */
    ZERO_ALONE = 16,    /* the same, where a position has no other */
    ZERO_ENDS = 32,     /* a weight of 0 in front ends the book */
    MISSES_ENDS = 64,   /* the first and the last entry, if they stand alone */
    HALF_PERCENT = 128, /* a move of at most 0.5 percent is never played */
    WHOLE_PERCENT = 256 /* draws by sums of rounded percents, in the order of the file: the last one
                           of 1 percent is never played */
};

static const char en_passant[] =
    "misses a position given as FEN with an en passant square that no pawn can use";

/* In the order of POLYGLOT_PEERS. */
static const struct {
    const char *title;
    unsigned quirks;
    const char *beyond[2]; /* what no book can cure: "NAME .." */
} peers[] = {
    {"PolyGlot",
     HALF_PERCENT,
     {"plays no move of at most 0.5 percent but with its option BookTreshold=0", en_passant}},
    {"Scid", WHOLE_PERCENT, {en_passant}},
    {"Scid vs. PC", ZERO_PLAYED, {NULL}},
    {"ChessX", ZERO_PLAYED, {NULL}},
    {"PyChess", ZERO_ENDS, {"answers for engines, too, to ply 13 (a preference)"}},
    {"xboard", ROOK_CASTLES, {NULL}},
    {"GNU Chess", ROOK_CASTLES | NO_PROMOTION, {NULL}},
    {"Glaurung",
     NO_PROMOTION | ZERO_ALONE | ZERO_ENDS,
     {"reads book.bin of its folder", en_passant}},
    {"Toga II", FINDS_JOURNEY | NO_PROMOTION, {NULL}},
    {"Toga II", FINDS_JOURNEY | NO_PROMOTION, {NULL}},
    {"cm-polyglot", ROOK_CASTLES | ZERO_PLAYED | MISSES_ENDS, {"gives no shares of the weights"}},
    {"chess-polyglot", ROOK_CASTLES | ZERO_ALONE, {NULL}},
    {"Cute Chess", 0, {NULL}},
    {"python-chess", 0, {NULL}},
};

static const char *const wrong[BOOK_FAULTS] = {
    [BOOK_MISREAD_CASTLING] = "castling, is not found",
    [BOOK_MISREAD_ROOK] = "of no king, is taken for castling",
    [BOOK_MISREAD_PROMOTION] = "a promotion, is not found",
    [BOOK_MISREAD_ZERO] = "of weight 0, is misread",
    [BOOK_MISREAD_END] = "alone at an end of the file, is not found",
    [BOOK_MISREAD_RARE] = "of a small weight, is never played",
};

/* Looking ---------------------------------------------------------------------------------- */

/* All entries by key and place, with what is wrong with each. */
struct peer_look {
    int peer;
    struct entry_list list;
    struct entry_table table; /* the list */
    struct book_graph graph;
    uint8_t *faults; /* by entry: enum book_fault, or one of these */
};

enum { SOUND = BOOK_FAULTS, DOUBTFUL /* castling or not */, OWN /* see polyglot_peer_check() */ };

static const struct position *position_of(const struct peer_look *look, uint64_t key,
                                          struct position *pos)
{
    uint32_t node = book_graph_find(&look->graph, key);
    if (node == BOOK_GRAPH_NONE || !look->graph.nodes[node].known)
        return NULL;
    book_graph_position(&look->graph, node, pos, NULL);
    return pos;
}

static bool is_drawn(unsigned quirks, const struct book_entry *entries, size_t count, size_t index)
{
    uint64_t sum = 0;
    uint64_t before = 0;
    bool is_first = true;
    if (entries[index].weight == 0 || !(quirks & (HALF_PERCENT | WHOLE_PERCENT)))
        return true;
    for (size_t i = 0; i < count; i++)
        sum += entries[i].weight;
    if (quirks & HALF_PERCENT)
        return 10000 * (uint64_t)entries[index].weight / sum > 50;
    for (size_t i = 0; i <= index; i++) {
        uint64_t percent = 100 * (uint64_t)entries[i].weight / sum;
        uint64_t twice = 2 * (100 * (uint64_t)entries[i].weight % sum);
        percent += twice > sum || (twice == sum && percent % 2); /* as printf() rounds halves */
        /* A number from 0 to 99 takes the first whose sum is not smaller, else the last. */
        if (i == index)
            return is_first || (before < 99 && (percent > 0 || index + 1 == count));
        before += percent;
        is_first = is_first && entries[i].weight == 0;
    }
    return false;
}

static int judge_move(const struct peer_look *look, const struct book_entry *entry)
{
    unsigned quirks = peers[look->peer].quirks;
    uint16_t stored = entry->move;
    int from = stored >> 6 & 63;
    int to = stored & 63;
    int rank = square_rank(to);
    bool castles = (from == square_make(4, 0) || from == square_make(4, 7)) &&
                   square_rank(from) == rank && quirks & (FINDS_JOURNEY | ROOK_CASTLES);
    bool promotes = (rank == 0 || rank == 7) && rank != square_rank(from) && quirks & NO_PROMOTION;
    struct position place;
    if (promotes && stored >> 12)
        return BOOK_MISREAD_PROMOTION;
    if (!castles && !promotes)
        return SOUND;
    const struct position *pos = position_of(look, entry->key, &place);
    move m = pos ? polyglot_to_move(pos, stored) : MOVE_NONE;
    if (promotes)
        return pos && m == MOVE_NONE &&
                       polyglot_to_move(pos, (uint16_t)(stored | QUEEN << 12)) != MOVE_NONE
                   ? OWN
                   : SOUND;
    if (square_file(to) % 7)
        return quirks & FINDS_JOURNEY && m != MOVE_NONE && move_kind(m) == MOVE_CASTLING ? OWN
                                                                                         : SOUND;
    if (pos && piece_type(pos->board[from]) != KING)
        return quirks & ROOK_CASTLES ? BOOK_MISREAD_ROOK : SOUND;
    if (!pos && !polyglot_is_castling(&look->table, entry->key, from, to))
        return DOUBTFUL;
    return quirks & FINDS_JOURNEY ? BOOK_MISREAD_CASTLING : SOUND;
}

static void judge_position(struct peer_look *look, size_t first, size_t end)
{
    unsigned quirks = peers[look->peer].quirks;
    const struct book_entry *entries = look->list.entries + first;
    bool is_alone = end - first == 1 && (first == 0 || end == look->list.count);
    bool is_guard = is_alone && entries->weight == 0 && entries->key + 1 < 2; /* of write_guard() */
    bool all_zero = true;
    for (size_t i = 0; i < end - first; i++)
        all_zero = all_zero && entries[i].weight == 0;
    for (size_t i = 0; i < end - first; i++) {
        unsigned zero = ZERO_PLAYED | (all_zero ? ZERO_ALONE : i == 0 ? ZERO_ENDS : 0);
        int fault = is_guard ? SOUND : judge_move(look, &entries[i]);
        if (fault == SOUND && !is_guard && entries[i].weight == 0 && quirks & zero)
            fault = BOOK_MISREAD_ZERO;
        else if (fault == SOUND && !is_guard && is_alone && quirks & MISSES_ENDS)
            fault = BOOK_MISREAD_END;
        else if (fault == SOUND && !is_drawn(quirks, entries, end - first, i))
            fault = BOOK_MISREAD_RARE;
        look->faults[first + i] = (uint8_t)fault;
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct book_entry *x = a;
    const struct book_entry *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void look_end(struct peer_look *look)
{
    book_graph_destroy(&look->graph);
    entry_list_free(&look->list);
    free(look->faults);
}

/* look_end() follows, also after an error. */
static enum caxton_status look_at(struct peer_look *look, const uint8_t *bytes, size_t size,
                                  const struct position *root)
{
    const struct entry_table file = {
        .bytes = bytes, .count = size / POLYGLOT_ENTRY_SIZE, .unchecked = true};
    enum caxton_status status = entries_list(&file, &look->list);
    look->faults = malloc(look->list.count + 1);
    if (status != STATUS_OK || !look->faults)
        return STATUS_NO_MEMORY;
    if (look->list.count > 0)
        qsort(look->list.entries, look->list.count, sizeof *look->list.entries, compare_places);
    look->table = entries_table(&look->list);
    status = book_graph_create_shortest(&look->table, root, &look->graph);
    for (size_t first = 0, end; status == STATUS_OK && first < look->list.count; first = end) {
        end = first + entries_of_position(&look->table, first);
        judge_position(look, first, end);
    }
    return status;
}

enum caxton_status polyglot_peer_check(int peer, const uint8_t *bytes, size_t size,
                                       const struct position *root, book_fault_sink sink,
                                       void *context, bool *own)
{
    struct peer_look look = {.peer = peer};
    enum caxton_status status = look_at(&look, bytes, size, root);
    for (size_t i = 0; status == STATUS_OK && i < look.list.count; i++) {
        const struct book_entry *entry = &look.list.entries[i];
        struct diag diag = {.offset = (size_t)entry->place * POLYGLOT_ENTRY_SIZE};
        struct position pos;
        char move_text[8];
        char where[FEN_MAX];
        own[entry->place] = look.faults[i] == OWN;
        if (look.faults[i] >= SOUND)
            continue;
        (void)snprintf(where, sizeof where, "key %016llx", (unsigned long long)entry->key);
        if (position_of(&look, entry->key, &pos))
            fen_format(&pos, where);
        polyglot_move_text(entry->move, move_text);
        (void)snprintf(diag.text, sizeof diag.text, "%s, %s by %s: %s", move_text,
                       wrong[look.faults[i]], peers[peer].title, where);
        sink(context, (enum book_fault)look.faults[i], &diag, NULL);
    }
    look_end(&look);
    return status;
}

/* Writing ---------------------------------------------------------------------------------- */

/* Counts of misread entries, by what is wrong with them, and: */
enum { EMPTY = BOOK_MISREAD_RARE + 1 - BOOK_MISREAD_CASTLING, UNTOLD, COUNTS };

static const char *const count_names[COUNTS] = {
    "castlings written as the king's journey, such as e1g1",
    "moves of rook or queen left out, which would be taken for castling",
    "promotions: to a queen written without a piece, to others left out",
    "moves of weight 0 left out",
    "positions are no longer at an end of the file: entries of no position and weight 0 are",
    "moves of a small weight are still never played",
    [EMPTY] = "positions left without a move",
    [UNTOLD] = "moves as they were: castling or a rook's move, no line tells",
};

/* The entry as the program wants it. False: it is left out. */
static bool cure(int fault, struct book_entry *entry)
{
    bool is_queen = entry->move >> 12 == QUEEN;
    if (fault == BOOK_MISREAD_CASTLING)
        entry->move = (uint16_t)(entry->move + (square_file(entry->move & 63) ? -1 : 2));
    else if (fault == BOOK_MISREAD_PROMOTION && is_queen)
        entry->move &= 07777;
    else
        return fault != BOOK_MISREAD_PROMOTION && fault != BOOK_MISREAD_ROOK &&
               fault != BOOK_MISREAD_ZERO;
    return true;
}

/* Rewrites the entries of a position; returns how many are left, in front. */
static size_t cure_position(const struct peer_look *look, size_t first, size_t end, size_t *counts)
{
    struct book_entry *entries = look->list.entries + first;
    unsigned quirks = peers[look->peer].quirks;
    size_t kept = 0;
    for (size_t i = first; i < end; i++) {
        int fault = look->faults[i];
        if (fault < BOOK_MISREAD_RARE)
            counts[fault - BOOK_MISREAD_CASTLING]++;
        counts[UNTOLD] += fault == DOUBTFUL;
        entries[kept] = look->list.entries[i];
        kept += cure(fault, &entries[kept]);
    }
    for (size_t i = 0; quirks & WHOLE_PERCENT && i < kept / 2; i++) { /* the lightest first */
        struct book_entry entry = entries[i];
        entries[i] = entries[kept - 1 - i];
        entries[kept - 1 - i] = entry;
    }
    for (size_t i = 0; i < kept; i++)
        counts[BOOK_MISREAD_RARE - BOOK_MISREAD_CASTLING] += !is_drawn(quirks, entries, kept, i);
    counts[EMPTY] += kept == 0;
    return kept;
}

/* Cures what polyglot_write() has written. Errors: STATUS_IO, STATUS_NOT_FOUND (nothing is left).
 */
static enum caxton_status write_cured(struct peer_look *look, FILE *out, size_t *counts)
{
    struct book_entry *entries = look->list.entries;
    /* Of no position: a program that misses both ends finds what stands between. */
    struct book_entry guard = {.key = 0, .move = 014 << 6 | 034}; /* e2e4 */
    bool misses = peers[look->peer].quirks & MISSES_ENDS;
    size_t kept = 0;
    for (size_t first = 0, end; first < look->list.count; first = end) {
        end = first + entries_of_position(&look->table, first);
        size_t count = cure_position(look, first, end, counts);
        memmove(entries + kept, entries + first, count * sizeof *entries);
        kept += count;
    }
    if (kept == 0)
        return STATUS_NOT_FOUND;
    enum caxton_status status = polyglot_write_entries(&guard, misses && entries[0].key > 0, out);
    if (status == STATUS_OK)
        status = polyglot_write_entries(entries, kept, out);
    guard.key = UINT64_MAX;
    if (status == STATUS_OK)
        status = polyglot_write_entries(&guard, misses && entries[kept - 1].key < guard.key, out);
    return status;
}

/* As struct book_writer.write. */
static enum caxton_status write_book(const struct book *book, const struct book_writer *writer,
                                     FILE *out, struct book_losses *losses, struct diag *diag)
{
    const struct book_writer *usual = &polyglot_format.writers[0];
    struct polyglot_peer_output *output = writer->context;
    struct peer_look look = {.peer = output->peer};
    struct memory_stream made;
    diag_set(diag, 0, 0, "out of memory");
    enum caxton_status status = memory_stream_open(&made)
                                    ? usual->write(book, usual, made.file, losses, diag)
                                    : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = look_at(&look, (const uint8_t *)made.bytes, made.size, NULL);
    if (status == STATUS_OK) {
        status = write_cured(&look, out, output->counts);
        diag_set(diag, 0, 0,
                 status == STATUS_NOT_FOUND ? "the program can use none of its moves"
                                            : "cannot write the book");
    }
    look_end(&look);
    free(made.bytes);
    return status;
}

struct book_writer polyglot_peer_writer(struct polyglot_peer_output *output)
{
    struct book_writer writer = polyglot_format.writers[0];
    writer.write = write_book;
    writer.context = output;
    return writer;
}

void polyglot_peer_tell(const struct polyglot_peer_output *output, struct text_buffer *out)
{
    for (size_t i = 0; i < COUNTS; i++)
        if (output->counts[i])
            text_append(out, "%12zu  %s\n", output->counts[i], count_names[i]);
    for (size_t i = 0; i < 2 && peers[output->peer].beyond[i]; i++)
        text_append(out, "No book cures that %s %s\n", peers[output->peer].title,
                    peers[output->peer].beyond[i]);
}
