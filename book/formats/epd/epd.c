#include "book/formats/epd/epd.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/epd/epd_line.h"
#include "book/graph/graph.h"
#include "book/polyglot_entry.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/notation.h"

/* One line: its position and its moves. */
struct line_moves {
    struct position pos;
    move moves[MOVES_MAX];
    uint32_t weights[MOVES_MAX];
    bool stated[MOVES_MAX]; /* the weight was given */
    int count;
};

static int find_move(const struct line_moves *line, move m)
{
    int i = 0;
    while (i < line->count && line->moves[i] != m)
        i++;
    return i;
}

/* Adds the move that `word` names, or names its fault. */
static void add_move(struct book_input *input, struct line_moves *line, struct span word,
                     uint32_t weight)
{
    move m;
    enum caxton_status status = move_from_text(&line->pos, word, &m);
    if (status != STATUS_OK) {
        book_input_fault_move(input, &line->pos, word, status);
        return;
    }
    if (find_move(line, m) < line->count) {
        book_input_fault_at(input, BOOK_FAULT_DUPLICATE, word.data,
                            "the line has this move already");
        return;
    }
    line->moves[line->count] = m;
    line->stated[line->count] = weight == 0;
    line->weights[line->count++] = weight;
}

/* Weights of moves that the line has; are there any? Anything else is left alone. */
static bool read_weights(struct book_input *input, struct line_moves *line, struct span list)
{
    bool any = false;
    while (list.size) {
        struct epd_weight item = epd_take_weight(&line->pos, &list);
        if (item.bad)
            book_input_fault_at(
                input, BOOK_FAULT_SYNTAX, item.text.data,
                "weights are MOVE=N with commas between them, N from 0 to 4294967295");
        int i = item.m == MOVE_NONE ? line->count : find_move(line, item.m);
        any |= i < line->count;
        if (i == line->count || line->stated[i])
            continue;
        line->weights[i] = item.weight;
        line->stated[i] = true;
    }
    return any;
}

/* The moves first, then their weights, which may stand before them. */
static void read_operations(struct book_input *input, struct line_moves *line, struct span all)
{
    struct span rest = span_trim(all);
    while (rest.size) {
        struct span operation = epd_take_operation(&rest);
        struct span opcode = span_token(&operation);
        bool best = span_equal(opcode, "bm");
        if (!best && !span_equal(opcode, "am"))
            continue;
        for (struct span word; (word = span_token(&operation)).size;)
            add_move(input, line, word, best ? 1 : 0);
    }
    rest = span_trim(all);
    while (rest.size) {
        struct span operation = epd_take_operation(&rest);
        struct span opcode = span_token(&operation);
        bool moves = span_equal(opcode, "bm") || span_equal(opcode, "am");
        bool weights = read_weights(input, line, epd_weights(opcode, operation));
        input->comments += opcode.size && !moves && !weights;
    }
}

static enum caxton_status store(struct book_input *input, const struct line_moves *line)
{
    enum caxton_status status = book_input_root(input, &line->pos);
    for (int i = 0; i < line->count && status == STATUS_OK; i++) {
        uint32_t place = input->line < UINT32_MAX ? (uint32_t)input->line : UINT32_MAX;
        const struct book_entry entry = {.weight = line->weights[i], .place = place};
        status = entry_list_add(&input->list, &line->pos, line->moves[i], entry);
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

/* text: one line, neither blank nor a comment. */
static enum caxton_status read_line(struct book_input *input, struct span text)
{
    struct line_moves line = {.count = 0};
    struct epd_line parts;
    struct diag diag = {.column = 0};
    if (epd_split(text, &parts, &diag) != STATUS_OK) {
        size_t column = diag.column ? diag.column - 1 : 0;
        const struct span board = parts.board;
        book_input_fault_at(input, BOOK_FAULT_SYNTAX,
                            board.data + (column < board.size ? column : board.size), diag.text);
        return STATUS_OK;
    }
    line.pos = parts.pos;
    if (parts.move.size)
        add_move(input, &line, parts.move, 1);
    size_t faults = input->faults;
    read_operations(input, &line, parts.operations);
    if (line.count == 0 && !parts.move.size && faults == input->faults)
        book_input_fault_at(input, BOOK_FAULT_SYNTAX, text.data,
                            "no move (bm): a list of positions, such as convert --suite writes, is "
                            "for matches of engines; a book has moves");
    return line.count ? store(input, &line) : STATUS_OK;
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
    input->text = text.data;
    enum caxton_status status = STATUS_OK;
    struct span rest = span_skip_bom(text);
    for (struct span line; status == STATUS_OK && span_line(&rest, &line);) {
        input->line++;
        input->line_start = line.data;
        line = span_trim(line);
        if (epd_is_content(line))
            status = read_line(input, line);
        else
            input->comments += line.size > 0;
    }
    if (status == STATUS_OK && input->list.separate)
        name_duplicates(input);
    return status;
}

/* A board, or a move and a board. White's lines may begin with `start` and a board. */
static bool epd_recognises(const uint8_t *bytes, size_t size)
{
    struct span rest = span_skip_bom(span_make((const char *)bytes, size));
    for (struct span line; span_line(&rest, &line);) {
        struct span first = span_token(&line);
        if (epd_is_content(first))
            return is_board(first) || (first.size < SAN_MAX && !span_equal(first, "start") &&
                                       is_board(span_token(&line)));
    }
    return false;
}

/* Writing: positions in the order in which lines reach them --------------------------------- */

/* The operation of moves that are played (bm), of those that are not (am), or of weights (c0). */
static void write_operation(const struct position *pos, const struct book_edge *edges,
                            uint32_t count, const char *opcode, FILE *out)
{
    bool played = strcmp(opcode, "am") != 0;
    bool weights = strcmp(opcode, "c0") == 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        char san[SAN_MAX];
        if ((edges[i].weight > 0) != played)
            continue;
        move_to_san(pos, edges[i].move, san);
        if (!any)
            (void)fprintf(out, weights ? " %s \"" : " %s ", opcode);
        else
            (void)fputs(weights ? ", " : " ", out);
        (void)fputs(san, out);
        if (weights)
            (void)fprintf(out, "=%lu", (unsigned long)edges[i].weight);
        any = true;
    }
    if (any)
        (void)fputs(weights ? "\";" : ";", out);
}

/* The marks of moves, as a comment. */
static void write_marks(const struct position *pos, const struct book_edge *edges, uint32_t count,
                        FILE *out)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        char san[SAN_MAX];
        if (edges[i].mark == BOOK_UNMARKED)
            continue;
        move_to_san(pos, edges[i].move, san);
        (void)fprintf(out, "%s%s%s", any ? ", " : " c1 \"", san,
                      edges[i].mark == BOOK_BLUNDER ? "??" : "?");
        any = true;
    }
    if (any)
        (void)fputs("\";", out);
}

/* Returns how many lines it wrote: none for moves that are never played. */
static uint32_t write_lines(const struct position *pos, const char *board,
                            const struct book_edge *edges, uint32_t count, FILE *out)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        char san[SAN_MAX];
        if (edges[i].weight == 0)
            continue;
        move_to_san(pos, edges[i].move, san);
        (void)fprintf(out, "%s %s\n", san, board);
        written++;
    }
    return written;
}

static enum caxton_status epd_write(struct book_graph *graph, const struct book_writer *writer,
                                    FILE *out, struct book_losses *losses, struct diag *diag)
{
    bool is_epd = writer->keeps & BOOK_WEIGHTS; /* else Fishburn's lines */
    size_t written = 0;
    (void)losses;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct book_edge *edges = graph->edges + graph->nodes[i].first;
        uint32_t count = graph->nodes[i].count;
        struct position pos;
        char board[FEN_MAX];
        if (count == 0)
            continue;
        book_graph_position(graph, i, &pos, NULL);
        epd_board_text(&pos, board);
        if (!is_epd) {
            written += write_lines(&pos, board, edges, count, out);
            continue;
        }
        (void)fputs(board, out);
        write_operation(&pos, edges, count, "bm", out);
        write_operation(&pos, edges, count, "am", out);
        write_operation(&pos, edges, count, "c0", out);
        write_marks(&pos, edges, count, out);
        (void)fputc('\n', out);
        written += count;
    }
    if (written > 0)
        return STATUS_OK;
    diag_set(diag, 0, 0, "no line reaches a move of the book");
    return STATUS_NOT_FOUND;
}

static const struct book_writer writers[] = {
    {.name = "epd",
     .about = "EPD: positions with their moves",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED | BOOK_MARKS,
     .weight_max = UINT32_MAX,
     .write_graph = epd_write},
    {.name = "fen",
     .about = "Fishburn's lines: a move, then its position",
     .write_graph = epd_write},
};

const struct book_format epd_format = {.name = "EPD",
                                       .extension = "epd",
                                       .is_text = true,
                                       .writers = writers,
                                       .writer_count = sizeof writers / sizeof *writers,
                                       .recognises = epd_recognises,
                                       .read = epd_read,
                                       .add = epd_add,
                                       POSITION_BOOK_FUNCTIONS};
