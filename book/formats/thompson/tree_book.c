#include "book/formats/thompson/tree_book.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/checksum.h"
#include "chess/fen.h"

enum { PACKED_AT = 8, BODY_SIZE_AT = 12, PACKED_SIZE_AT = 16, CHECKSUM_AT = 20 };

static const uint8_t magic[TREE_MAGIC_SIZE] = {'C', 'A', 'X', 'T', 'R', 'E', 'E', 1};

/* Of every byte of the file but the checksum itself. */
static uint64_t checksum(const uint8_t *header, const uint8_t *rest, size_t size)
{
    return checksum_add(checksum_add(CHECKSUM_EMPTY, header, CHECKSUM_AT), rest, size);
}

bool tree_has_header(const uint8_t *bytes, size_t size)
{
    return size >= TREE_MAGIC_SIZE && memcmp(bytes, magic, TREE_MAGIC_SIZE) == 0;
}

/* Reads the header of a whole file and checks its checksum. */
static struct tree_fault parse_header(const uint8_t *bytes, size_t size, struct tree_header *out)
{
    if (size < TREE_HEADER_SIZE)
        return (struct tree_fault){BOOK_FAULT_SIZE, size, "the file ends within its header"};
    uint64_t body = bytes_get_u32be(bytes + BODY_SIZE_AT);
    uint64_t packed = bytes_get_u32be(bytes + PACKED_SIZE_AT);
    if (bytes[PACKED_AT] > TREE_WEIGHTS_EXACT || bytes_get_be(bytes + PACKED_AT + 1, 3) != 0)
        return (struct tree_fault){BOOK_FAULT_SYNTAX, PACKED_AT,
                                   "the header asks for what is not defined"};
    if (TREE_HEADER_SIZE + body + packed != size)
        return (struct tree_fault){BOOK_FAULT_SIZE, size,
                                   "the file has not the size that its header says"};
    if (bytes_get_u64be(bytes + CHECKSUM_AT) !=
        checksum(bytes, bytes + TREE_HEADER_SIZE, size - TREE_HEADER_SIZE))
        return (struct tree_fault){BOOK_FAULT_SYNTAX, CHECKSUM_AT, "the checksum is wrong"};
    *out = (struct tree_header){.packed = (enum tree_weights)bytes[PACKED_AT],
                                .body_size = (uint32_t)body,
                                .packed_size = (uint32_t)packed};
    return (struct tree_fault){.text = NULL};
}

void tree_header_write(const struct tree_header *header, const uint8_t *rest,
                       uint8_t out[TREE_HEADER_SIZE])
{
    size_t size = (size_t)header->body_size + header->packed_size;
    memcpy(out, magic, sizeof magic);
    memset(out + PACKED_AT, 0, TREE_HEADER_SIZE - PACKED_AT);
    out[PACKED_AT] = (uint8_t)header->packed;
    bytes_put_be(out + BODY_SIZE_AT, header->body_size, 4);
    bytes_put_be(out + PACKED_SIZE_AT, header->packed_size, 4);
    bytes_put_be(out + CHECKSUM_AT, checksum(out, rest, size), 8);
}

static uint32_t order_of(const struct position *pos, move m)
{
    uint32_t promotion = move_kind(m) == MOVE_PROMOTION ? (uint32_t)move_promotion(m) : 0;
    return (uint32_t)piece_type(pos->board[move_from(m)]) << 16 | (uint32_t)move_from(m) << 10 |
           (uint32_t)move_to(m) << 4 | promotion;
}

int tree_order(const struct position *pos, move out[MOVES_MAX])
{
    uint32_t orders[MOVES_MAX];
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        uint32_t order = order_of(pos, moves[i]);
        int j = i;
        for (; j > 0 && orders[j - 1] > order; j--) {
            orders[j] = orders[j - 1];
            out[j] = out[j - 1];
        }
        orders[j] = order;
        out[j] = moves[i];
    }
    return count;
}

int tree_place(const struct position *pos, move m)
{
    move moves[MOVES_MAX];
    uint32_t order = order_of(pos, m);
    int count = movegen_legal(pos, moves);
    int place = 0;
    for (int i = 0; i < count; i++)
        place += order_of(pos, moves[i]) < order;
    return place;
}

enum { BRANCH_MIN = 64 }; /* bytes of a branch that is worth an entry */

void tree_book_free(struct tree_book *book)
{
    free(book->weights);
    free(book->branches);
    free(book->starts);
    free(book->start_places);
}

/* Reading ---------------------------------------------------------------------------------- */

/* A choice that waits for the end of its branch. */
struct tree_waiting {
    size_t branch;
    uint32_t plies;   /* before it */
    uint32_t choices; /* of its position so far */
};

struct tree_reading {
    struct tree_book *book;
    uint8_t *starts_choices; /* a bit for each place of the body */
    struct tree_waiting *stack;
    size_t depth;
    size_t capacity;
    size_t branch_capacity;
    size_t start_capacity;
    size_t place_capacity;
    uint32_t plies;   /* of the line */
    uint32_t choices; /* of the position at hand, before the next move */
    bool ended;       /* the tree; a new one may begin */
    struct diag *diag;
};

static enum caxton_status refuse(struct tree_reading *reading, enum book_fault fault, size_t at,
                                 const char *text)
{
    reading->book->fault = fault;
    diag_set(reading->diag, 0, 0, "%s", text);
    if (reading->diag)
        reading->diag->offset = reading->book->base + at;
    return STATUS_FORMAT;
}

static enum caxton_status read_header(struct tree_reading *reading, const uint8_t *bytes,
                                      size_t size)
{
    struct tree_book *book = reading->book;
    struct tree_header header;
    struct tree_fault fault = parse_header(bytes, size, &header);
    if (fault.text)
        return refuse(reading, fault.kind, fault.at, fault.text);
    book->packed = header.packed;
    book->body = bytes + TREE_HEADER_SIZE;
    book->size = header.body_size;
    book->stats.packed = header.packed_size;
    book->base = TREE_HEADER_SIZE;
    return STATUS_OK;
}

static void mark_choices(struct tree_reading *reading, size_t at, bool are_here)
{
    uint8_t bit = (uint8_t)(1 << at % 8);
    uint8_t *byte = &reading->starts_choices[at / 8];
    *byte = (uint8_t)(are_here ? *byte | bit : *byte & ~bit);
}

static enum caxton_status begin_tree(struct tree_reading *reading, size_t at,
                                     const struct position *start)
{
    struct tree_book *book = reading->book;
    size_t count = book->start_count + 1;
    if (!ARRAY_GROW(book->starts, reading->start_capacity, count) ||
        !ARRAY_GROW(book->start_places, reading->place_capacity, count))
        return STATUS_NO_MEMORY;
    book->starts[book->start_count] = *start;
    book->start_places[book->start_count++] = (uint32_t)at;
    mark_choices(reading, at, true);
    reading->plies = 0;
    reading->choices = 0;
    reading->ended = false;
    return STATUS_OK;
}

static void end_line(struct tree_reading *reading, size_t at)
{
    struct tree_book *book = reading->book;
    reading->ended = reading->depth == 0;
    if (reading->ended)
        return;
    const struct tree_waiting *top = &reading->stack[--reading->depth];
    reading->plies = top->plies;
    reading->choices = top->choices;
    book->branches[top->branch].end = (uint32_t)at;
}

/* A '(': the position goes on behind the branch of this move. */
static enum caxton_status begin_branch(struct tree_reading *reading, const struct tree_unit *unit)
{
    struct tree_book *book = reading->book;
    if (!ARRAY_GROW(reading->stack, reading->capacity, reading->depth + 1) ||
        !ARRAY_GROW(book->branches, reading->branch_capacity, book->branch_count + 1))
        return STATUS_NO_MEMORY;
    reading->stack[reading->depth++] =
        (struct tree_waiting){book->branch_count, reading->plies, reading->choices};
    book->branches[book->branch_count++] = (struct tree_branch){.at = (uint32_t)unit->at};
    return STATUS_OK;
}

static enum caxton_status read_move(struct tree_reading *reading, const struct tree_unit *unit)
{
    struct tree_book *book = reading->book;
    if (reading->ended)
        return refuse(reading, BOOK_FAULT_SYNTAX, unit->at, "moves behind the tree's end");
    if (++reading->choices > TREE_CHOICES_MAX)
        return refuse(reading, BOOK_FAULT_DUPLICATE, unit->at, "more choices than there are moves");
    if (reading->plies >= TREE_PLIES_MAX)
        return refuse(reading, BOOK_FAULT_SIZE, unit->at, "a line of more than 65,535 moves");
    book->stats.non_book_moves += unit->non_book;
    book->stats.moves += !unit->non_book;
    if (unit->more && begin_branch(reading, unit) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (unit->last) {
        end_line(reading, unit->end);
    } else if (unit->end < book->size) {
        reading->plies++;
        reading->choices = 0;
        mark_choices(reading, unit->end, true);
    }
    return STATUS_OK;
}

static enum caxton_status read_jump(struct tree_reading *reading, const struct tree_unit *unit)
{
    struct tree_book *book = reading->book;
    if (reading->ended || book->start_places[book->start_count - 1] == unit->at)
        return refuse(reading, BOOK_FAULT_LINK, unit->at, "a jump without a move before it");
    book->stats.jumps++;
    book->stats.jump_bytes += unit->end - unit->at;
    mark_choices(reading, unit->at, false); /* no other jump may lead here */
    end_line(reading, unit->end);
    return STATUS_OK;
}

static enum caxton_status read_start(struct tree_reading *reading, const struct tree_unit *unit)
{
    struct position pos;
    struct diag diag;
    if (!reading->ended)
        return refuse(reading, BOOK_FAULT_SYNTAX, unit->at, "a start position within a line");
    if (fen_parse(unit->fen, &pos, &diag) != STATUS_OK)
        return refuse(reading, BOOK_FAULT_ILLEGAL, unit->at, diag.text);
    if (unit->end >= reading->book->size)
        return refuse(reading, BOOK_FAULT_SIZE, unit->end, "a start position without moves");
    return begin_tree(reading, unit->end, &pos);
}

static enum caxton_status read_units(struct tree_reading *reading)
{
    struct tree_book *book = reading->book;
    struct tree_unit unit;
    struct position standard;
    enum caxton_status status = STATUS_OK;
    position_start(&standard);
    reading->ended = true;
    for (size_t at = 0; at < book->size && status == STATUS_OK; at = unit.end) {
        const char *fault = tree_unit_read(book->body, book->size, at, &unit);
        if (fault)
            return refuse(reading, BOOK_FAULT_SYNTAX, at, fault);
        if (at == 0 && unit.kind != TREE_NEW)
            status = begin_tree(reading, 0, &standard);
        if (status == STATUS_OK)
            status = unit.kind == TREE_MOVE   ? read_move(reading, &unit)
                     : unit.kind == TREE_JUMP ? read_jump(reading, &unit)
                                              : read_start(reading, &unit);
    }
    if (status == STATUS_OK && !reading->ended)
        return refuse(reading, BOOK_FAULT_SIZE, book->size, "the file ends within a line");
    return status;
}

/* A jump must lead to choices, not to another jump and not to itself. */
static enum caxton_status check_jumps(struct tree_reading *reading)
{
    const struct tree_book *book = reading->book;
    struct tree_unit unit = {.end = 0};
    while (tree_unit_next(book->body, book->size, &unit)) {
        if (unit.kind != TREE_JUMP)
            continue;
        if (unit.target >= book->size)
            return refuse(reading, BOOK_FAULT_LINK, unit.at, "a jump leads out of the tree");
        if (unit.target == unit.at)
            return refuse(reading, BOOK_FAULT_LOOP, unit.at, "a jump leads to itself");
        if (!(reading->starts_choices[unit.target / 8] >> unit.target % 8 & 1))
            return refuse(reading, BOOK_FAULT_LINK, unit.at, "a jump leads to no position");
    }
    return STATUS_OK;
}

static enum caxton_status read_weights(struct tree_book *book)
{
    if (book->packed == TREE_WEIGHTS_NONE)
        return STATUS_OK;
    struct tree_coder *coder = tree_coder_create(book->body + book->size, book->stats.packed);
    book->weights = calloc(book->size, sizeof *book->weights);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (coder && book->weights)
        status = tree_code_weights(coder, book->body, book->size, book->packed, book->weights);
    tree_coder_destroy(coder);
    return status;
}

static void keep_long_branches(struct tree_book *book)
{
    size_t kept = 0;
    book->branched = book->branch_count > 0;
    for (size_t i = 0; i < book->branch_count; i++)
        if (book->branches[i].end - book->branches[i].at >= BRANCH_MIN)
            book->branches[kept++] = book->branches[i];
    book->branch_count = kept;
    struct tree_branch *fitted = realloc(book->branches, (kept ? kept : 1) * sizeof *fitted);
    if (fitted)
        book->branches = fitted;
}

enum caxton_status tree_book_read(struct tree_book *book, const uint8_t *bytes, size_t size,
                                  struct diag *diag)
{
    *book = (struct tree_book){.body = bytes, .size = size, .stats.bytes = size};
    struct tree_reading reading = {.book = book, .diag = diag};
    enum caxton_status status = STATUS_OK;
    if (tree_has_header(bytes, size))
        status = read_header(&reading, bytes, size);
    if (status == STATUS_OK && (book->size == 0 || book->size >= UINT32_MAX))
        status = refuse(&reading, BOOK_FAULT_SIZE, 0, "no move in it");
    reading.starts_choices = status == STATUS_OK ? calloc(book->size / 8 + 1, 1) : NULL;
    if (status == STATUS_OK && !reading.starts_choices)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = read_units(&reading);
    if (status == STATUS_OK)
        status = check_jumps(&reading);
    if (status == STATUS_OK)
        status = read_weights(book);
    if (status == STATUS_OK)
        keep_long_branches(book);
    free(reading.starts_choices);
    free(reading.stack);
    return status;
}

/* Asking ----------------------------------------------------------------------------------- */

size_t tree_skip(const struct tree_book *book, const struct tree_unit *first)
{
    if (first->last)
        return first->end;
    if (first->more && book->branch_count) {
        size_t low;
        ARRAY_SEARCH(low, 0, book->branch_count, book->branches[low].at < first->at);
        if (low < book->branch_count && book->branches[low].at == first->at)
            return book->branches[low].end;
    }
    struct tree_unit unit = *first;
    for (size_t lines = 1; lines > 0;) {
        if (!tree_unit_next(book->body, book->size, &unit))
            return book->size; /* not in a tree that was read */
        lines += unit.kind == TREE_MOVE && unit.more;
        lines -= unit.kind == TREE_JUMP || unit.last;
    }
    return unit.end;
}

/* The place `at`, or where the jump there leads. */
static size_t resolve(const struct tree_book *book, size_t at)
{
    struct tree_unit unit;
    if (tree_unit_read(book->body, book->size, at, &unit) == NULL && unit.kind == TREE_JUMP)
        return unit.target;
    return at;
}

bool tree_first_choice(const struct tree_book *book, size_t at, struct tree_unit *unit)
{
    return tree_unit_read(book->body, book->size, resolve(book, at), unit) == NULL &&
           unit->kind == TREE_MOVE;
}

bool tree_next_choice(const struct tree_book *book, struct tree_unit *unit)
{
    return unit->more &&
           tree_unit_read(book->body, book->size, tree_skip(book, unit), unit) == NULL &&
           unit->kind == TREE_MOVE;
}

/* Moves to play without a stated weight get one by their rank: the first is best. */
static void rank_moves(struct book_move *moves, const bool *stated, int count)
{
    uint32_t rank = 0;
    for (int i = count - 1; i >= 0; i--) {
        if (moves[i].weight == 0)
            continue;
        rank++;
        if (!stated[i])
            moves[i].weight = rank;
    }
}

int tree_moves(const struct tree_book *book, size_t at, const struct position *pos,
               struct book_move *out)
{
    move moves[MOVES_MAX];
    bool stated[MOVES_MAX];
    bool had[MOVES_MAX] = {false};
    int legal = tree_order(pos, moves);
    int count = 0;
    struct tree_unit unit;
    for (bool is_choice = tree_first_choice(book, at, &unit); is_choice;
         is_choice = tree_next_choice(book, &unit)) {
        if (unit.place >= legal || had[unit.place])
            continue;
        had[unit.place] = true;
        if (unit.non_book)
            continue;
        bool is_packed = book->weights && !unit.weighted;
        uint32_t weight = unit.weighted ? unit.weight : is_packed ? book->weights[unit.at] : 1;
        stated[count] = unit.weighted || is_packed;
        out[count++] = (struct book_move){
            .move = moves[unit.place], .weight = unit.unplayed ? 0 : weight, .styles = unit.styles};
    }
    rank_moves(out, stated, count);
    return count;
}
