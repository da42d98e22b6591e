#include <stdlib.h>
#include <string.h>

#include "book/formats/epd/epd_internal.h"
#include "book/polyglot_entry.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/notation.h"

struct reader {
    struct book_input *input;
    const char *text; /* of the whole file */
    const char *line_start;
    size_t line; /* from 1 */
};

/* One line: its position and its moves. */
struct line_moves {
    struct position pos;
    move moves[MOVES_MAX];
    uint32_t weights[MOVES_MAX];
    bool stated[MOVES_MAX]; /* the weight was given */
    int count;
};

static void fault_at(struct reader *reader, enum book_fault kind, const char *at, const char *text)
{
    book_input_fault(reader->input, kind, reader->line, (size_t)(at - reader->line_start) + 1,
                     (size_t)(at - reader->text), "%s", text);
}

static void move_fault(struct reader *reader, const struct position *pos, struct span word,
                       enum caxton_status status)
{
    char fen[FEN_MAX];
    char text[200];
    fen_format(pos, fen);
    (void)snprintf(text, sizeof text, "%.*s %s %s", word.size < 20 ? (int)word.size : 20, word.data,
                   book_fault_text(status), fen);
    fault_at(reader, book_fault_of(status), word.data, text);
}

static int find_move(const struct line_moves *line, move m)
{
    int i = 0;
    while (i < line->count && line->moves[i] != m)
        i++;
    return i;
}

/* Adds the move that `word` names, or names its fault. */
static void add_move(struct reader *reader, struct line_moves *line, struct span word,
                     uint32_t weight)
{
    move m;
    enum caxton_status status = move_from_text(&line->pos, word, &m);
    if (status != STATUS_OK) {
        move_fault(reader, &line->pos, word, status);
        return;
    }
    if (find_move(line, m) < line->count) {
        fault_at(reader, BOOK_FAULT_DUPLICATE, word.data, "the line has this move already");
        return;
    }
    line->moves[line->count] = m;
    line->stated[line->count] = weight == 0;
    line->weights[line->count++] = weight;
}

/* Reads "e4=20", parted at `equals`, whose move must be legal. */
static bool read_weight(const struct position *pos, size_t equals, struct epd_weight *out)
{
    struct span word = span_trim(span_make(out->text.data, equals));
    struct span number = span_trim(span_from(out->text, equals + 1));
    int64_t weight;
    move m;
    if (move_from_text(pos, word, &m) != STATUS_OK || !number.size)
        return false;
    if (span_to_int(number, 0, UINT32_MAX, &weight) == STATUS_OK) {
        out->m = m;
        out->weight = (uint32_t)weight;
        return true;
    }
    out->bad = memchr("+-.0123456789", number.data[0], 13) != NULL;
    return false;
}

struct epd_weight epd_take_weight(const struct position *pos, struct span *list)
{
    const char *comma = memchr(list->data, ',', list->size);
    size_t size = comma ? (size_t)(comma - list->data) : list->size;
    struct epd_weight out = {.text = span_trim(span_make(list->data, size)), .m = MOVE_NONE};
    *list = span_from(*list, size + (comma != NULL));
    size_t last = out.text.size;
    while (last > 0 && out.text.data[last - 1] != '=')
        last--;
    const char *first = last ? memchr(out.text.data, '=', last) : NULL;
    /* The last sign is meant, e8=Q=12; at the first one it shows that a comma is missing. */
    if (first && !read_weight(pos, last - 1, &out) && !out.bad)
        (void)read_weight(pos, (size_t)(first - out.text.data), &out);
    return out;
}

/* Weights of moves that the line has. Anything else is left alone. */
static void read_weights(struct reader *reader, struct line_moves *line, struct span list)
{
    while (list.size) {
        struct epd_weight item = epd_take_weight(&line->pos, &list);
        if (item.bad)
            fault_at(reader, BOOK_FAULT_SYNTAX, item.text.data,
                     "weights are MOVE=N with commas between them, N from 0 to 4294967295");
        int i = item.m == MOVE_NONE ? line->count : find_move(line, item.m);
        if (i == line->count || line->stated[i])
            continue;
        line->weights[i] = item.weight;
        line->stated[i] = true;
    }
}

bool epd_is_comment(struct span opcode)
{
    return opcode.size == 2 && opcode.data[0] == 'c' && opcode.data[1] >= '0' &&
           opcode.data[1] <= '9';
}

struct span epd_take_operation(struct span *rest)
{
    bool quoted = false;
    size_t size = 0;
    while (size < rest->size && (quoted || rest->data[size] != ';'))
        quoted ^= rest->data[size++] == '"';
    struct span operation = span_make(rest->data, size);
    size += size < rest->size;
    *rest = span_trim(span_from(*rest, size));
    return operation;
}

struct span epd_unquoted(struct span text)
{
    text = span_trim(text);
    if (text.size >= 2 && text.data[0] == '"' && text.data[text.size - 1] == '"')
        return span_make(text.data + 1, text.size - 2);
    return text;
}

/* The moves first, then their weights, which may stand before them. */
static void read_operations(struct reader *reader, struct line_moves *line, struct span all)
{
    struct span rest = span_trim(all);
    while (rest.size) {
        struct span operation = epd_take_operation(&rest);
        struct span opcode = span_token(&operation);
        bool best = span_equal(opcode, "bm");
        if (!best && !span_equal(opcode, "am"))
            continue;
        for (struct span word; (word = span_token(&operation)).size;)
            add_move(reader, line, word, best ? 1 : 0);
    }
    rest = span_trim(all);
    while (rest.size) {
        struct span operation = epd_take_operation(&rest);
        if (epd_is_comment(span_token(&operation)))
            read_weights(reader, line, epd_unquoted(operation));
    }
}

static enum caxton_status store(struct reader *reader, const struct line_moves *line)
{
    enum caxton_status status = book_input_root(reader->input, &line->pos);
    for (int i = 0; i < line->count && status == STATUS_OK; i++) {
        uint32_t place = reader->line < UINT32_MAX ? (uint32_t)reader->line : UINT32_MAX;
        const struct book_entry entry = {.weight = line->weights[i], .place = place};
        reader->input->moves++;
        status = entry_list_add(&reader->input->list, &line->pos, line->moves[i], entry);
    }
    return status;
}

/* Does the word look like the pieces of a FEN? */
static bool is_board(struct span word)
{
    int slashes = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (!memchr("pnbrqkPNBRQK12345678/", word.data[i], 21))
            return false;
        slashes += word.data[i] == '/';
    }
    return slashes == 7;
}

enum caxton_status epd_split(struct span text, struct epd_line *out, struct diag *diag)
{
    struct span rest = text;
    out->move = span_token(&rest);
    if (memchr(out->move.data, '/', out->move.size)) {
        out->move.size = 0;
        rest = text;
    }
    out->board = span_trim(rest);
    return fen_parse_epd(out->board, &out->pos, &out->operations, diag);
}

/* text: one line, neither blank nor a comment. */
static enum caxton_status read_line(struct reader *reader, struct span text)
{
    struct line_moves line = {.count = 0};
    struct epd_line parts;
    struct diag diag = {.column = 0};
    if (epd_split(text, &parts, &diag) != STATUS_OK) {
        size_t column = diag.column ? diag.column - 1 : 0;
        const struct span board = parts.board;
        fault_at(reader, BOOK_FAULT_SYNTAX,
                 board.data + (column < board.size ? column : board.size), diag.text);
        return STATUS_OK;
    }
    line.pos = parts.pos;
    if (parts.move.size)
        add_move(reader, &line, parts.move, 1);
    size_t faults = reader->input->faults;
    read_operations(reader, &line, parts.operations);
    if (line.count == 0 && !parts.move.size && faults == reader->input->faults)
        fault_at(reader, BOOK_FAULT_SYNTAX, text.data, "no move: bm is missing");
    return line.count ? store(reader, &line) : STATUS_OK;
}

bool epd_next_line(struct span text, size_t *at, struct span *line)
{
    if (*at >= text.size)
        return false;
    const char *start = text.data + *at;
    const char *end = memchr(start, '\n', text.size - *at);
    size_t size = end ? (size_t)(end - start) : text.size - *at;
    *line = span_make(start, size);
    *at += size + (end != NULL);
    return true;
}

size_t epd_mark_size(struct span text)
{
    return text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

bool epd_is_content(struct span line)
{
    return line.size && line.data[0] != '#' && line.data[0] != ';';
}

/* Names the moves that stand in several lines; the entries have been read in check only. */
static void name_duplicates(struct book_input *input)
{
    entry_list_sort(&input->list);
    for (size_t i = 1; i < input->list.count; i++) {
        const struct book_entry *entry = &input->list.entries[i];
        if (entry->key != entry[-1].key || entry->move != entry[-1].move)
            continue;
        char text[8];
        polyglot_move_text(entry->move, text);
        book_input_fault(input, BOOK_FAULT_DUPLICATE, entry->place, 0, 0,
                         "%s of the same position stands already in line %u", text,
                         (unsigned)entry[-1].place);
    }
}

static enum caxton_status epd_read(const uint8_t *bytes, size_t size, struct book_input *input)
{
    struct span text = span_make((const char *)bytes, size);
    struct reader reader = {.input = input, .text = text.data};
    enum caxton_status status = STATUS_OK;
    struct span line;
    for (size_t at = epd_mark_size(text); status == STATUS_OK && epd_next_line(text, &at, &line);) {
        reader.line++;
        reader.line_start = line.data;
        line = span_trim(line);
        if (epd_is_content(line))
            status = read_line(&reader, line);
    }
    if (status == STATUS_OK && input->list.separate)
        name_duplicates(input);
    return status;
}

/* A board, or a move and a board. White's lines may begin with `start` and a board. */
static bool epd_recognises(const uint8_t *bytes, size_t size)
{
    struct span text = span_make((const char *)bytes, size);
    struct span line;
    for (size_t at = epd_mark_size(text); epd_next_line(text, &at, &line);) {
        struct span first = span_token(&line);
        if (epd_is_content(first))
            return is_board(first) || (first.size < SAN_MAX && !span_equal(first, "start") &&
                                       is_board(span_token(&line)));
    }
    return false;
}

static enum caxton_status epd_open(const uint8_t *bytes, size_t size, const char *name,
                                   void **state, struct diag *diag)
{
    return position_book_open(epd_read, bytes, size, name, state, diag);
}

static enum caxton_status epd_check(const uint8_t *bytes, size_t size, book_fault_sink sink,
                                    void *context)
{
    return position_book_check(epd_read, bytes, size, sink, context);
}

static const struct book_writer writers[] = {
    {.name = "epd",
     .about = "EPD: positions with their moves",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     .write = epd_write},
    {.name = "fen",
     .about = "Fishburn's lines: a move, then its position",
     .write = epd_write_lines},
};

const struct book_format epd_format = {.name = "EPD",
                                       .extension = "epd",
                                       .is_text = true,
                                       .writers = writers,
                                       .writer_count = sizeof writers / sizeof *writers,
                                       .recognises = epd_recognises,
                                       .open = epd_open,
                                       .check = epd_check,
                                       .add = epd_add,
                                       POSITION_BOOK_FUNCTIONS};
