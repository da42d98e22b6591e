/* Opening a tree: header, structure, weights. */
#include <stdlib.h>
#include <string.h>

#include "book/formats/thompson/tree.h"
#include "book/formats/thompson/tree_body.h"
#include "book/formats/thompson/tree_pack.h"
#include "chess/fen.h"

enum { BRANCH_MIN = 64, CHECKSUM_AT = 20 };

const uint8_t tree_magic[TREE_MAGIC_SIZE] = {'C', 'A', 'X', 'T', 'R', 'E', 'E', 1};

/* A choice that waits for its branch to end. */
struct waiting {
    size_t branch;
    uint32_t plies;   /* before it */
    uint32_t choices; /* of its position so far */
};

struct reading {
    struct tree_book *book;
    uint8_t *starts_choices; /* a bit for each place of the body */
    struct waiting *stack;
    size_t depth;
    size_t capacity;
    size_t branch_capacity;
    size_t start_capacity;
    uint32_t plies;   /* of the line */
    uint32_t choices; /* of the position at hand, before the next move */
    size_t base;      /* of the places in messages: bytes before the body */
    enum book_fault *fault;
    struct diag *diag;
};

static enum caxton_status refuse(struct reading *reading, enum book_fault fault, size_t at,
                                 const char *text)
{
    *reading->fault = fault;
    diag_set(reading->diag, 0, 0, "%s", text);
    if (reading->diag)
        reading->diag->offset = reading->base + at;
    return STATUS_FORMAT;
}

/* Makes room for one element more. */
static bool grow(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*array, more * size);
    if (!grown)
        return false;
    *array = grown;
    *capacity = more;
    return true;
}

bool tree_has_header(const uint8_t *bytes, size_t size)
{
    return size >= TREE_MAGIC_SIZE && memcmp(bytes, tree_magic, TREE_MAGIC_SIZE) == 0;
}

uint64_t tree_checksum(const uint8_t *header, const uint8_t *rest, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < CHECKSUM_AT; i++)
        sum = (sum ^ header[i]) * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ rest[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t number(const uint8_t *bytes, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | bytes[i];
    return value;
}

static enum caxton_status read_header(struct reading *reading, const uint8_t *bytes, size_t size)
{
    struct tree_book *book = reading->book;
    if (size < TREE_HEADER_SIZE)
        return refuse(reading, BOOK_FAULT_SIZE, size, "the file ends within its header");
    uint64_t body = number(bytes + 12, 4);
    uint64_t packed = number(bytes + 16, 4);
    if (bytes[8] > TREE_WEIGHTS_EXACT || bytes[9] || bytes[10] || bytes[11])
        return refuse(reading, BOOK_FAULT_SYNTAX, 8, "the header asks for what is not defined");
    if (TREE_HEADER_SIZE + body + packed != size)
        return refuse(reading, BOOK_FAULT_SIZE, size,
                      "the file has not the size that its header says");
    if (number(bytes + CHECKSUM_AT, 8) !=
        tree_checksum(bytes, bytes + TREE_HEADER_SIZE, size - TREE_HEADER_SIZE))
        return refuse(reading, BOOK_FAULT_SYNTAX, CHECKSUM_AT, "the checksum is wrong");
    book->packed = bytes[8];
    book->body = bytes + TREE_HEADER_SIZE;
    book->size = (size_t)body;
    book->packed_size = (size_t)packed;
    reading->base = TREE_HEADER_SIZE;
    return STATUS_OK;
}

static enum caxton_status begin_tree(struct reading *reading, size_t at, uint32_t fen)
{
    struct tree_book *book = reading->book;
    if (!grow((void **)&book->starts, &reading->start_capacity, book->start_count,
              sizeof *book->starts))
        return STATUS_NO_MEMORY;
    book->starts[book->start_count++] = (struct tree_start){.at = (uint32_t)at, .fen = fen};
    reading->starts_choices[at / 8] |= (uint8_t)(1 << at % 8);
    reading->plies = 0;
    reading->choices = 0;
    return STATUS_OK;
}

static void end_line(struct reading *reading, size_t at, bool *ended)
{
    struct tree_book *book = reading->book;
    *ended = reading->depth == 0;
    if (*ended)
        return;
    const struct waiting *top = &reading->stack[--reading->depth];
    reading->plies = top->plies;
    reading->choices = top->choices;
    book->branches[top->branch].end = (uint32_t)at;
}

static enum caxton_status read_move(struct reading *reading, const struct tree_unit *unit,
                                    bool *ended)
{
    struct tree_book *book = reading->book;
    if (++reading->choices > TREE_CHOICES_MAX)
        return refuse(reading, BOOK_FAULT_DUPLICATE, unit->at, "more choices than there are moves");
    if (reading->plies >= TREE_PLIES_MAX)
        return refuse(reading, BOOK_FAULT_SIZE, unit->at, "a line of more than 65,535 moves");
    if (unit->passage)
        book->passages++;
    else
        book->moves++;
    if (reading->plies + 1 > book->deepest)
        book->deepest = reading->plies + 1;
    if (unit->more) {
        if (!grow((void **)&reading->stack, &reading->capacity, reading->depth,
                  sizeof *reading->stack) ||
            !grow((void **)&book->branches, &reading->branch_capacity, book->branch_count,
                  sizeof *book->branches))
            return STATUS_NO_MEMORY;
        reading->stack[reading->depth++] =
            (struct waiting){book->branch_count, reading->plies, reading->choices};
        book->branches[book->branch_count++] = (struct tree_branch){.at = (uint32_t)unit->at};
    }
    if (unit->last) {
        end_line(reading, unit->end, ended);
    } else if (unit->end < book->size) {
        reading->plies++;
        reading->choices = 0;
        reading->starts_choices[unit->end / 8] |= (uint8_t)(1 << unit->end % 8);
    }
    return STATUS_OK;
}

static enum caxton_status read_unit(struct reading *reading, const struct tree_unit *unit,
                                    bool *ended)
{
    struct tree_book *book = reading->book;
    struct position pos;
    struct diag diag;
    if (unit->kind == TREE_MOVE)
        return *ended ? refuse(reading, BOOK_FAULT_SYNTAX, unit->at, "moves behind the tree's end")
                      : read_move(reading, unit, ended);
    if (unit->kind == TREE_JUMP) {
        if (*ended || book->starts[book->start_count - 1].at == unit->at)
            return refuse(reading, BOOK_FAULT_LINK, unit->at, "a jump without a move before it");
        book->jumps++;
        book->jump_bytes += unit->end - unit->at;
        /* Not choices: nobody may jump here. */
        reading->starts_choices[unit->at / 8] &= (uint8_t) ~(1 << unit->at % 8);
        end_line(reading, unit->end, ended);
        return STATUS_OK;
    }
    if (!*ended)
        return refuse(reading, BOOK_FAULT_SYNTAX, unit->at, "a start position within a line");
    if (fen_parse(unit->fen, &pos, &diag) != STATUS_OK)
        return refuse(reading, BOOK_FAULT_ILLEGAL, unit->at, diag.text);
    if (unit->end >= book->size)
        return refuse(reading, BOOK_FAULT_SIZE, unit->end, "a start position without moves");
    *ended = false;
    return begin_tree(reading, unit->end, (uint32_t)unit->at);
}

static enum caxton_status read_units(struct reading *reading)
{
    struct tree_book *book = reading->book;
    struct tree_unit unit;
    bool ended = true;
    enum caxton_status status = STATUS_OK;
    for (size_t at = 0; at < book->size && status == STATUS_OK; at = unit.end) {
        const char *fault = tree_unit_read(book->body, book->size, at, &unit);
        if (fault)
            return refuse(reading, BOOK_FAULT_SYNTAX, at, fault);
        if (at == 0 && unit.kind != TREE_NEW) {
            status = begin_tree(reading, 0, UINT32_MAX);
            ended = false;
        }
        if (status == STATUS_OK)
            status = read_unit(reading, &unit, &ended);
    }
    if (status == STATUS_OK && !ended)
        return refuse(reading, BOOK_FAULT_SIZE, book->size, "the file ends within a line");
    return status;
}

/* Jumps go to choices; to a jump, not even to themselves. */
static enum caxton_status check_jumps(struct reading *reading)
{
    const struct tree_book *book = reading->book;
    struct tree_unit unit;
    for (size_t at = 0; at < book->size; at = unit.end) {
        if (tree_unit_read(book->body, book->size, at, &unit) != NULL)
            return STATUS_FORMAT; /* read_units() was here */
        if (unit.kind != TREE_JUMP)
            continue;
        if (unit.target >= book->size)
            return refuse(reading, BOOK_FAULT_LINK, at, "a jump leads out of the tree");
        if (unit.target == at)
            return refuse(reading, BOOK_FAULT_LOOP, at, "a jump leads to itself");
        if (!(reading->starts_choices[unit.target / 8] >> unit.target % 8 & 1))
            return refuse(reading, BOOK_FAULT_LINK, at, "a jump leads to no position");
    }
    return STATUS_OK;
}

static enum caxton_status read_weights(struct tree_book *book)
{
    if (book->packed == TREE_WEIGHTS_NONE)
        return STATUS_OK;
    struct tree_coder *coder = tree_coder_create(book->body + book->size, book->packed_size);
    book->weights = calloc(book->size, sizeof *book->weights);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (coder && book->weights)
        status = tree_code_weights(coder, book->body, book->size, (enum tree_weights)book->packed,
                                   book->weights);
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
                                  enum book_fault *fault, struct diag *diag)
{
    *book = (struct tree_book){.body = bytes, .size = size, .file_size = size};
    struct reading reading = {.book = book, .fault = fault, .diag = diag};
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
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    free(reading.starts_choices);
    free(reading.stack);
    return status;
}

void tree_book_free(struct tree_book *book)
{
    free(book->weights);
    free(book->branches);
    free(book->starts);
    entry_table_free(&book->table);
}
