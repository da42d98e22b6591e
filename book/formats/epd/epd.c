#include "book/formats/epd/epd.h"

#include <string.h>

#include "base/line_end.h"
#include "base/text.h"
#include "book/graph/graph.h"
#include "book/polyglot_entry.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

/* The parts of a line of EPD or of Fishburn's lines. */

struct epd_line {
    struct span move;  /* in front of the position, in Fishburn's lines; else empty */
    struct span board; /* from the position to the end */
    struct position pos;
    struct span operations; /* what follows the position */
};

/* An item of c0: "e4=20". */
struct epd_weight {
    struct span text;
    move m; /* MOVE_NONE: the item is of another form, or not legal */
    uint32_t weight;
    bool bad; /* meant as a weight, and none */
};

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

/* Takes an item and its comma off the front of `list`. */
static struct epd_weight epd_take_weight(const struct position *pos, struct span *list)
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

/* Is the opcode one of c0 to c9, which may hold weights? */
static bool epd_is_comment(struct span opcode)
{
    return opcode.size == 2 && opcode.data[0] == 'c' && opcode.data[1] >= '0' &&
           opcode.data[1] <= '9';
}

/* What may be a list of weights: the operands of a comment, without the quotes around them. Empty
 * for another operation, and where a quote stands inside: such a list could not be written back. */
static struct span epd_weights(struct span opcode, struct span operands)
{
    struct span list = span_trim(operands);
    if (list.size >= 2 && list.data[0] == '"' && list.data[list.size - 1] == '"')
        list = span_make(list.data + 1, list.size - 2);
    if (!epd_is_comment(opcode) || memchr(list.data, '"', list.size))
        list.size = 0;
    return list;
}

/* line: neither blank nor a comment. Errors: those of fen_parse_epd(); out->board is there. */
static enum caxton_status epd_split(struct span text, struct epd_line *out, struct diag *diag)
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

/* Is the line, without blanks around it, more than a comment? */
static bool epd_is_content(struct span line)
{
    return line.size && line.data[0] != '#' && line.data[0] != ';';
}

void epd_board_text(const struct position *pos, char out[FEN_MAX])
{
    fen_format(pos, out);
    int blanks = 0;
    for (char *at = out; *at; at++)
        if (*at == ' ' && ++blanks == 4)
            *at = '\0';
}

/* What the file has of the position and the move. */
struct epd_survey {
    size_t lines;      /* that can be read */
    size_t move_lines; /* of these, with a move in front */
    size_t target;     /* the line to be changed, from 1; 0 for none */
    bool open_quote;   /* in it */
    size_t listed;     /* lines that list the move among others, */
    size_t alone;      /* and that are in front of the position what Fishburn's lines have */
};

struct epd_adding {
    const struct book_addition *addition;
    char san[SAN_MAX];
    struct span text;
    FILE *out;
};

static bool is_move(const struct epd_adding *adding, struct span word)
{
    move m;
    return move_from_text(&adding->addition->pos, word, &m) == STATUS_OK &&
           m == adding->addition->m;
}

static bool lists_moves(struct span opcode)
{
    return span_equal(opcode, "bm") || span_equal(opcode, "am");
}

static bool lists_move(const struct epd_adding *adding, struct span operations)
{
    struct span rest = span_trim(operations);
    while (rest.size) {
        struct span operation = fen_take_operation(&rest);
        if (!lists_moves(span_token(&operation)))
            continue;
        for (struct span word; (word = span_token(&operation)).size;)
            if (is_move(adding, word))
                return true;
    }
    return false;
}

static bool has_open_quote(struct span operations)
{
    bool open = false;
    for (size_t i = 0; i < operations.size; i++)
        open ^= operations.data[i] == '"';
    return open;
}

static void look_at(const struct epd_adding *adding, const struct epd_line *parts, size_t number,
                    struct epd_survey *survey)
{
    survey->lines++;
    survey->move_lines += parts->move.size > 0;
    if (parts->pos.key != adding->addition->pos.key)
        return;
    bool listed = lists_move(adding, parts->operations);
    survey->alone += parts->move.size && is_move(adding, parts->move);
    if (listed ? !survey->listed : !survey->target && !parts->move.size) {
        survey->target = number;
        survey->open_quote = has_open_quote(parts->operations);
    }
    survey->listed += listed;
}

static struct epd_survey look(const struct epd_adding *adding)
{
    struct epd_survey survey = {.lines = 0};
    struct span rest = span_skip_bom(adding->text);
    size_t number = 0;
    for (struct span line; span_line(&rest, &line);) {
        struct epd_line parts;
        number++;
        line = span_trim(line);
        if (epd_is_content(line) && epd_split(line, &parts, NULL) == STATUS_OK)
            look_at(adding, &parts, number, &survey);
    }
    return survey;
}

static void put(const struct epd_adding *adding, struct span text)
{
    (void)fwrite(text.data, 1, text.size, adding->out);
}

/* A list of moves without the move; or, when `take` says so, with it, where it stood or last. */
static void write_list(const struct epd_adding *adding, struct span opcode, struct span words,
                       bool take)
{
    bool any = false;
    for (struct span word; (word = span_token(&words)).size || take;) {
        bool it = !word.size || is_move(adding, word);
        if (it && !take)
            continue;
        take &= !it;
        if (!any) {
            (void)fputc(' ', adding->out);
            put(adding, opcode);
        }
        (void)fputc(' ', adding->out);
        put(adding, it ? span_of(adding->san) : word);
        any = true;
    }
    if (any)
        (void)fputc(';', adding->out);
}

static bool holds_weights(const struct epd_adding *adding, struct span list)
{
    while (list.size)
        if (epd_take_weight(&adding->addition->pos, &list).m != MOVE_NONE)
            return true;
    return false;
}

/* digit: of the operation, c0 to c9. */
static void write_weights(const struct epd_adding *adding, char digit, struct span list, bool take)
{
    bool any = false;
    while (list.size || take) {
        struct epd_weight item = {.m = adding->addition->m};
        if (list.size)
            item = epd_take_weight(&adding->addition->pos, &list);
        bool it = item.m == adding->addition->m;
        if (it ? !take : !item.text.size)
            continue;
        take &= !it;
        if (any)
            (void)fputs(", ", adding->out);
        else
            (void)fprintf(adding->out, " c%c \"", digit);
        any = true;
        if (it)
            (void)fprintf(adding->out, "%s=%lu", adding->san,
                          (unsigned long)adding->addition->weight);
        else
            put(adding, item.text);
    }
    if (any)
        (void)fputs("\";", adding->out);
}

/* The operations with the move; others stay as they are. */
static void write_operations(const struct epd_adding *adding, struct span rest)
{
    uint32_t weight = adding->addition->weight;
    const char *wanted = weight ? "bm" : "am";
    bool listed = false;
    bool weighed = weight == 0;
    unsigned comments = 0; /* a bit for each of c0 to c9 */
    rest = span_trim(rest);
    while (rest.size) {
        struct span whole = fen_take_operation(&rest);
        struct span operation = whole;
        struct span opcode = span_token(&operation);
        struct span weights = epd_weights(opcode, operation);
        if (epd_is_comment(opcode))
            comments |= 1u << (opcode.data[1] - '0');
        if (lists_moves(opcode)) {
            bool take = !listed && span_equal(opcode, wanted);
            write_list(adding, opcode, operation, take);
            listed |= take;
        } else if (holds_weights(adding, weights)) {
            write_weights(adding, opcode.data[1], weights, !weighed);
            weighed = true;
        } else if (opcode.size) {
            (void)fputc(' ', adding->out);
            put(adding, span_trim(whole));
            (void)fputc(';', adding->out);
        }
    }
    if (!listed)
        (void)fprintf(adding->out, " %s %s;", wanted, adding->san);
    char digit = '0';
    while (digit < '9' && (comments & 1u << (digit - '0')))
        digit++;
    if (!weighed && weight != 1)
        write_weights(adding, digit, span_make("", 0), true);
}

/* line: of the file, without its end. */
static void write_target(const struct epd_adding *adding, struct span line)
{
    struct epd_line parts;
    if (epd_split(span_trim(line), &parts, NULL) != STATUS_OK)
        return; /* it was read before */
    struct span before = span_make(line.data, (size_t)(parts.operations.data - line.data));
    while (before.size && memchr(" \t\r", before.data[before.size - 1], 3))
        before.size--;
    put(adding, before);
    write_operations(adding, parts.operations);
}

static void write_all(const struct epd_adding *adding, const struct epd_survey *survey)
{
    struct span rest = span_skip_bom(adding->text);
    const char *line_end = line_end_of(adding->text);
    size_t number = 0;
    put(adding, span_make(adding->text.data, adding->text.size - rest.size));
    for (struct span line; span_line(&rest, &line);) {
        const char *end = line.data + line.size; /* the line end: "\r\n", "\n", none */
        if (++number == survey->target)
            write_target(adding, line);
        else
            put(adding, line);
        put(adding, span_make(end, (size_t)(rest.data - end)));
        if (rest.data[-1] != '\n' && !survey->target)
            (void)fputs(line_end, adding->out);
    }
    if (survey->target)
        return;
    char board[FEN_MAX];
    epd_board_text(&adding->addition->pos, board);
    if (survey->move_lines && survey->move_lines == survey->lines) {
        (void)fprintf(adding->out, "%s %s%s", adding->san, board, line_end);
        return;
    }
    (void)fputs(board, adding->out);
    write_operations(adding, span_make("", 0));
    (void)fputs(line_end, adding->out);
}

static enum caxton_status add(const uint8_t *bytes, size_t size,
                              const struct book_addition *addition, FILE *out, struct diag *diag)
{
    struct epd_adding adding = {
        .addition = addition, .text = span_make((const char *)bytes, size), .out = out};
    move_to_san(&addition->pos, addition->m, adding.san);
    struct epd_survey survey = look(&adding);
    bool unchanged = !survey.listed && survey.alone && survey.alone == addition->weight;
    if (!unchanged && survey.listed + survey.alone > 1) {
        diag_set(diag, 0, 0, "%s stands in %zu lines (makebook verify --repair makes one of them)",
                 adding.san, survey.listed + survey.alone);
        return STATUS_RANGE;
    }
    if (!unchanged && survey.open_quote) {
        diag_set(diag, survey.target, 0, "line %zu: a quote is not closed", survey.target);
        return STATUS_SYNTAX;
    }
    bool plain = survey.alone || (survey.lines && survey.move_lines == survey.lines);
    if (!unchanged && plain && (survey.alone || addition->weight != 1)) {
        diag_set(diag, 0, 0, "lines of a move and its position have no weights (in EPD they have)");
        return STATUS_RANGE;
    }
    if (unchanged)
        put(&adding, adding.text);
    else
        write_all(&adding, &survey);
    return STATUS_OK;
}

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
        struct span operation = fen_take_operation(&rest);
        struct span opcode = span_token(&operation);
        bool best = span_equal(opcode, "bm");
        if (!best && !span_equal(opcode, "am"))
            continue;
        for (struct span word; (word = span_token(&operation)).size;)
            add_move(input, line, word, best ? 1 : 0);
    }
    rest = span_trim(all);
    while (rest.size) {
        struct span operation = fen_take_operation(&rest);
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
                            "no move (bm): a list of positions, such as makebook suite writes, is "
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
                                       .add = add,
                                       POSITION_BOOK_FUNCTIONS};
