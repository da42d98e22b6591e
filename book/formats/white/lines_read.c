#include "book/formats/white/lines_read.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "book/format.h"
#include "book/formats/white/lines.h"
#include "book/formats/white/lines_word.h"
#include "book/position_book.h"
#include "chess/fen.h"

/* Reading lines of moves and rewrites; and the state of reading a file, which its parts share. */

/* What a line says of one of its moves. */
struct lines_mark {
    bool bracketed;
    bool weighed;
    uint32_t weight;
};

struct lines_reader {
    struct lines *lines;
    book_fault_sink sink; /* gets the faults; NULL: nobody */
    void *context;
    const char *line; /* where the line begins */
    size_t number;    /* of the line, from 1 */
    unsigned seen;    /* a bit for each kind of item that was read */
    bool has_style;
    bool has_prefer;
    bool no_start;           /* `start` was at fault: nobody knows where the lines begin */
    char shown[32];          /* a word of the file, for a message */
    struct lines_path moves; /* the last line of moves */
    struct lines_mark marks[LINES_PLIES_MAX + 1]; /* of its moves, from 1 */
    struct lines_path rewrites;                   /* the left side of the last rewrite */
    struct lines_path targets;                    /* its right side, behind the shared moves */
};

/* Reports a fault at `at`; returns `status`. */
static enum caxton_status lines_fail(struct lines_reader *reader, enum caxton_status status,
                                     const char *at, const char *format, ...)
{
    struct lines *lines = reader->lines;
    struct diag fault = {.line = reader->number,
                         .column = (size_t)(at - reader->line) + 1,
                         .offset = (size_t)(at - lines->text)};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(fault.text, sizeof fault.text, format, args);
    va_end(args);
    if (lines->faults++ == 0) {
        diag_set(&lines->fault, fault.line, fault.column, "line %zu, %s", fault.line, fault.text);
        lines->fault.offset = fault.offset;
        lines->fault_status = status;
    }
    if (reader->sink)
        reader->sink(reader->context, book_fault_of(status), &fault, NULL);
    return status;
}

/* A piece of the file for a message: cut, and without control characters. Valid until the next. */
static const char *lines_shown(struct lines_reader *reader, struct span text)
{
    enum { SIZE = sizeof reader->shown };
    char *out = reader->shown;
    text_copy(out, SIZE, text);
    for (size_t i = 0; i < SIZE - 1 && i < text.size; i++)
        if (out[i] < ' ' || out[i] > '~')
            out[i] = '?';
    if (text.size > SIZE - 1)
        memcpy(out + SIZE - 4, "...", 4);
    return out;
}

/* The same of a word: "`WORD`: WHY". */
static enum caxton_status lines_fail_word(struct lines_reader *reader, enum caxton_status status,
                                          struct span word, const char *why)
{
    return lines_fail(reader, status, word.data, "`%s`: %s", lines_shown(reader, word), why);
}

/* When the file has not said it, the style is that of this move. */
static void lines_guess_style(struct lines_reader *reader, struct span first)
{
    struct lines *lines = reader->lines;
    first = lines_after_number(first);
    if (first.size && first.data[0] == '(')
        first = lines_after_number(span_from(first, 1));
    if (!reader->has_style)
        lines->style = lines_has_coordinates(first) ? LINES_WHITE : LINES_SAN;
    reader->has_style = true;
    if (!reader->has_prefer && lines->style == LINES_WHITE) {
        lines->prefer_later = true;
        lines->prefer_percent = 75;
    }
    reader->has_prefer = true;
}

static enum caxton_status read_weight(struct lines_reader *reader, const struct lines_path *path,
                                      struct span *rest)
{
    const struct lines_node *node = &reader->lines->nodes[path->nodes[path->plies]];
    struct span text = lines_cut_weight(reader->lines, rest);
    int64_t weight;
    if (span_to_int(text, 0, UINT32_MAX, &weight) != STATUS_OK)
        return lines_fail(reader, STATUS_RANGE, text.data,
                          "move %d: weight `%s` is no number from 0 to 4294967295", path->plies,
                          lines_shown(reader, text));
    if (node->has_weight && node->weight != (uint32_t)weight)
        return lines_fail(reader, STATUS_SYNTAX, text.data,
                          "move %d: weight %s, but a line before says %lu", path->plies,
                          lines_shown(reader, text), (unsigned long)node->weight);
    reader->marks[path->plies].weight = (uint32_t)weight;
    reader->marks[path->plies].weighed = true;
    return STATUS_OK;
}

static enum caxton_status play(struct lines_reader *reader, struct lines_path *path,
                               struct span text)
{
    const struct position *pos = &path->positions[path->plies];
    const char *why = "no line may be so long";
    move m;
    enum caxton_status status = lines_read_move(reader->lines, pos, text, &m);
    if (status != STATUS_OK)
        why = lines_move_fault(reader->lines, status, text);
    else if (path->plies == LINES_PLIES_MAX)
        status = STATUS_RANGE;
    if (status != STATUS_OK)
        return lines_fail(reader, status, text.data, "move %d `%s`: %s", path->plies + 1,
                          lines_shown(reader, text), why);
    struct position *next = &path->positions[++path->plies];
    *next = *pos;
    position_play(next, m);
    return lines_grow(reader->lines, path->nodes[path->plies - 1], m, next->key,
                      &path->nodes[path->plies]);
}

/* Reads `*n`, where there is one: the number of moves taken from `before`. */
static enum caxton_status read_share(struct lines_reader *reader, struct span *rest,
                                     const struct lines_path *before, const char *whose,
                                     int *shared)
{
    *shared = 0;
    if (!rest->size || rest->data[0] != '*')
        return STATUS_OK;
    int unit = reader->lines->style == LINES_WHITE ? 2 : 1;
    struct span star = span_make(rest->data, 1);
    while (star.size < rest->size && rest->data[star.size] >= '0' && rest->data[star.size] <= '9')
        star.size++;
    int64_t n;
    enum caxton_status status = span_to_int(span_from(star, 1), 0, INT32_MAX, &n);
    if (status == STATUS_SYNTAX)
        return lines_fail_word(reader, status, star, "a number must follow the star");
    if (status == STATUS_OK && n % unit)
        return lines_fail(reader, STATUS_SYNTAX, star.data,
                          "`%s` counts bytes, two a move (`lines coordinate` as the first line "
                          "makes it count moves)",
                          lines_shown(reader, star));
    if (status != STATUS_OK || n / unit > before->plies)
        return lines_fail(reader, STATUS_RANGE, star.data, "`%s`: %s has only %d moves",
                          lines_shown(reader, star), whose, before->plies);
    *shared = (int)n / unit;
    *rest = span_from(*rest, star.size);
    return STATUS_OK;
}

/* Reads a move and its brackets off the front of `rest`. */
static enum caxton_status read_step(struct lines_reader *reader, struct span *rest, bool in_line,
                                    struct lines_path *path)
{
    const char *open = rest->data;
    bool bracketed = *open == '(';
    if (bracketed && !in_line)
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: a rewrite has no brackets",
                          path->plies + 1);
    if (bracketed)
        *rest = lines_after_number(span_from(*rest, 1));
    struct span text = lines_cut_move(reader->lines, rest, bracketed);
    if (!text.size && !bracketed)
        return lines_fail(reader, STATUS_SYNTAX, open, "`:` must follow a move, no blank");
    if (!text.size)
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: brackets hold one move, no blank",
                          path->plies + 1);
    enum caxton_status status = play(reader, path, text);
    if (status != STATUS_OK)
        return status;
    if (in_line)
        reader->marks[path->plies] = (struct lines_mark){.bracketed = bracketed};
    if (!bracketed)
        return STATUS_OK;
    if (!rest->size || rest->data[0] != ')')
        return lines_fail(reader, STATUS_SYNTAX, open, "move %d: brackets hold one move, no blank",
                          path->plies);
    *rest = span_from(*rest, 1);
    if (rest->size && rest->data[0] == ':')
        return lines_fail(reader, STATUS_SYNTAX, rest->data,
                          "move %d: a move in brackets is not played and has no weight",
                          path->plies);
    return STATUS_OK;
}

/* Leads `path` on by the moves of `rest`. in_line: not in a rewrite. */
static enum caxton_status read_moves(struct lines_reader *reader, struct span rest,
                                     struct lines_path *path, bool in_line)
{
    for (;;) {
        rest = lines_after_number(lines_after_blanks(rest));
        if (!rest.size)
            break;
        int plies = path->plies;
        enum caxton_status status = read_step(reader, &rest, in_line, path);
        if (status != STATUS_OK) {
            path->plies = plies; /* for the next line: up to the fault */
            return status;
        }
        if (!rest.size || rest.data[0] != ':')
            continue;
        if (!in_line)
            return lines_fail(reader, STATUS_SYNTAX, rest.data, "move %d: a rewrite has no weights",
                              path->plies);
        status = read_weight(reader, path, &rest);
        if (status != STATUS_OK)
            return status;
    }
    if (path->plies)
        return STATUS_OK;
    return lines_fail(reader, STATUS_SYNTAX, rest.data, "there are no moves");
}

/* Reads `*n`, the front part of `before`, and the moves that go on from it, into `path`, which may
 * be `before`. whose: what `before` is, for a message. */
static enum caxton_status read_order(struct lines_reader *reader, struct span text,
                                     const struct lines_path *before, const char *whose,
                                     struct lines_path *path, uint16_t *shared)
{
    int n;
    enum caxton_status status = read_share(reader, &text, before, whose, &n);
    if (status != STATUS_OK)
        return status;
    path->plies = n;
    path->nodes[n] = before->nodes[n];
    path->positions[n] = before->positions[n];
    *shared = (uint16_t)n;
    return read_moves(reader, text, path, path == &reader->moves);
}

static enum caxton_status read_rewrite(struct lines_reader *reader, struct span left,
                                       struct span right, struct lines_item *item)
{
    struct lines_path *from = &reader->rewrites;
    struct lines_path *to = &reader->targets;
    enum caxton_status status =
        read_order(reader, left, from, "the rewrite before", from, &item->shared);
    if (status == STATUS_OK)
        status = read_order(reader, right, from, "the left side", to, &item->target_shared);
    if (status != STATUS_OK)
        return status;
    item->node = from->nodes[from->plies];
    item->target = to->nodes[to->plies];
    if (item->node == item->target)
        return lines_fail(reader, STATUS_SYNTAX, right.data, "both sides are the same order");
    if (from->positions[from->plies].key != to->positions[to->plies].key)
        return lines_fail(reader, STATUS_ILLEGAL, right.data,
                          "the two orders lead to different positions");
    uint32_t *jump = &reader->lines->nodes[item->node].jump;
    if (*jump != LINES_NONE)
        return lines_fail(reader, STATUS_SYNTAX, left.data,
                          "a line before rewrites the same moves");
    *jump = item->target;
    return STATUS_OK;
}

/* The sign between two orders; SAN needs blanks around it, for it has its own in e8=Q. */
static const char *find_sign(const struct lines *lines, struct span content)
{
    for (size_t i = 0; i < content.size; i++) {
        bool before = i == 0 || lines_is_blank(content.data[i - 1]);
        bool after = i + 1 == content.size || lines_is_blank(content.data[i + 1]);
        if (content.data[i] == '=' && (lines->style != LINES_SAN || (before && after)))
            return content.data + i;
    }
    return NULL;
}

/* The moves of a line without a fault, those shared with the line before included. */
static void keep_marks(struct lines_reader *reader)
{
    for (int ply = 1; ply <= reader->moves.plies; ply++) {
        const struct lines_mark *mark = &reader->marks[ply];
        struct lines_node *node = &reader->lines->nodes[reader->moves.nodes[ply]];
        node->played |= !mark->bracketed;
        node->bracketed |= mark->bracketed;
        if (mark->weighed && !node->has_weight)
            node->weight = mark->weight;
        node->has_weight |= mark->weighed;
    }
}

/* Reads a line of moves or a rewrite; fills `item`, of a fault only its kind. */
static enum caxton_status lines_read_orders(struct lines_reader *reader, struct span content,
                                            struct lines_item *item)
{
    struct lines_path *path = &reader->moves;
    lines_guess_style(reader, content);
    if (reader->no_start)
        return lines_fail(reader, STATUS_ILLEGAL, content.data, "its start position is at fault");
    const char *sign = find_sign(reader->lines, content);
    item->kind = sign ? LINES_ITEM_REWRITE : LINES_ITEM_MOVES;
    if (sign) {
        struct span left = span_make(content.data, (size_t)(sign - content.data));
        struct span right = span_from(content, left.size + 1);
        return read_rewrite(reader, span_trim(left), span_trim(right), item);
    }
    enum caxton_status status =
        read_order(reader, content, path, "the line before", path, &item->shared);
    if (status == STATUS_OK)
        keep_marks(reader);
    item->node = path->nodes[path->plies];
    return status;
}

/* Offsets of comments are 32 bits. A line takes some memory also when it is empty. */
enum { TEXT_MAX = 1 << 30, LINES_ALWAYS = 1 << 16, LINE_MEAN_MIN = 3 };

/* Settings ---------------------------------------------------------------------------------- */

/* Nothing may follow the last word of a setting. */
static enum caxton_status expect_end(struct lines_reader *reader, struct span rest)
{
    struct span word = span_token(&rest);
    return word.size ? lines_fail_word(reader, STATUS_SYNTAX, word, "nothing may stand here")
                     : STATUS_OK;
}

static enum caxton_status read_style(struct lines_reader *reader, struct span rest)
{
    if (reader->seen)
        return lines_fail(reader, STATUS_SYNTAX, reader->line,
                          "`lines` must stand before everything else");
    struct span word = span_token(&rest);
    for (int i = 0; i < LINES_STYLES; i++) {
        if (!span_equal_nocase(word, lines_style_names[i]))
            continue;
        reader->lines->style = (enum lines_style)i;
        reader->has_style = true;
        return expect_end(reader, rest);
    }
    return lines_fail_word(reader, STATUS_SYNTAX, word, "the style is san, coordinate or white");
}

static enum caxton_status read_start(struct lines_reader *reader, struct span rest)
{
    struct position start;
    struct diag diag;
    rest = span_trim(rest);
    enum caxton_status status = fen_parse(rest, &start, &diag);
    reader->no_start = status != STATUS_OK;
    if (status != STATUS_OK)
        return lines_fail(reader, status, rest.data + (diag.column ? diag.column - 1 : 0), "%.150s",
                          diag.text);
    reader->moves.positions[0] = start;
    reader->rewrites.positions[0] = start;
    return lines_set_start(reader->lines, &start);
}

static enum caxton_status read_prefer(struct lines_reader *reader, struct span rest)
{
    struct span word = span_token(&rest);
    bool later = span_equal_nocase(word, "later");
    if (!later && !span_equal_nocase(word, "earlier"))
        return lines_fail_word(reader, STATUS_SYNTAX, word, "prefer earlier or later lines");
    struct span percent = span_token(&rest);
    struct span number = percent;
    int64_t value = 0;
    if (number.size && number.data[number.size - 1] == '%')
        number.size--;
    if (number.size == percent.size || span_to_int(number, 51, 100, &value) != STATUS_OK)
        return lines_fail_word(reader, STATUS_RANGE, percent,
                               "the chance is a number from 51% to 100%");
    reader->lines->prefer_later = later;
    reader->lines->prefer_percent = (int)value;
    reader->has_prefer = true;
    return expect_end(reader, rest);
}

static enum caxton_status read_transpose(struct lines_reader *reader, struct span rest)
{
    struct span word = span_token(&rest);
    bool listed = span_equal_nocase(word, "listed");
    if (!listed && !span_equal_nocase(word, "any"))
        return lines_fail_word(reader, STATUS_SYNTAX, word, "transpose any or listed");
    reader->lines->listed = listed;
    return expect_end(reader, rest);
}

static bool is_excepted(const struct lines *lines, move m)
{
    for (int i = 0; i < lines->except_count; i++)
        if (lines->except[i] == m)
            return true;
    return false;
}

static bool is_separator(char c)
{
    return c == ',' || lines_is_blank(c);
}

static struct span cut_exception(struct span *rest)
{
    while (rest->size && is_separator(rest->data[0]))
        *rest = span_from(*rest, 1);
    struct span word = span_make(rest->data, 0);
    while (word.size < rest->size && !is_separator(rest->data[word.size]))
        word.size++;
    *rest = span_from(*rest, word.size);
    return word;
}

/* The first moves after `except`; commas may stand between them. */
static enum caxton_status read_exceptions(struct lines_reader *reader, struct span rest)
{
    struct lines *lines = reader->lines;
    struct span word;
    while ((word = cut_exception(&rest)).size) {
        move m;
        enum caxton_status status = lines_read_move(lines, &lines->start, word, &m);
        if (status == STATUS_OK && is_excepted(lines, m))
            return lines_fail_word(reader, STATUS_SYNTAX, word, "stands here twice");
        if (status != STATUS_OK)
            return lines_fail(reader, status, word.data, "`%s`: %s as a first move",
                              lines_shown(reader, word), lines_move_fault(lines, status, word));
        lines->except_text[lines->except_count] = (uint32_t)(word.data - lines->text);
        lines->except[lines->except_count++] = m;
    }
    return STATUS_OK;
}

/* The reply must be legal, and the same move, after every first move that it answers. */
static enum caxton_status read_reply(struct lines_reader *reader, struct span word)
{
    struct lines *lines = reader->lines;
    move firsts[MOVES_MAX];
    int count = movegen_legal(&lines->start, firsts);
    move reply = MOVE_NONE;
    for (int i = 0; i < count; i++) {
        if (is_excepted(lines, firsts[i]))
            continue;
        struct position pos = lines->start;
        char first[SAN_MAX];
        move m;
        lines_move_text(lines, &pos, firsts[i], first);
        position_play(&pos, firsts[i]);
        enum caxton_status status = lines_read_move(lines, &pos, word, &m);
        if (status == STATUS_OK && reply != MOVE_NONE && m != reply)
            status = STATUS_AMBIGUOUS;
        if (status != STATUS_OK)
            return lines_fail(reader, status, word.data, "`%s`: %s after %s",
                              lines_shown(reader, word), lines_move_fault(lines, status, word),
                              first);
        reply = m;
        lines->reply_keys[lines->reply_key_count++] = pos.key;
    }
    if (reply == MOVE_NONE)
        return lines_fail_word(reader, STATUS_SYNTAX, word, "no first move is left to answer");
    lines->reply = reply;
    return STATUS_OK;
}

static enum caxton_status read_otherwise(struct lines_reader *reader, struct span rest)
{
    struct lines *lines = reader->lines;
    struct span word = span_token(&rest);
    struct span except = span_token(&rest);
    lines_guess_style(reader, word);
    if (reader->no_start)
        return lines_fail(reader, STATUS_ILLEGAL, word.data, "its start position is at fault");
    if (except.size && !span_equal(except, "except"))
        return lines_fail_word(reader, STATUS_SYNTAX, except, "only `except` may stand here");
    enum caxton_status status = read_exceptions(reader, rest);
    if (status == STATUS_OK && except.size && !lines->except_count)
        status = lines_fail(reader, STATUS_SYNTAX, except.data, "`except` what?");
    if (status == STATUS_OK)
        status = read_reply(reader, word);
    if (status != STATUS_OK) {
        lines->reply = MOVE_NONE; /* a proof-reader goes on */
        lines->except_count = lines->reply_key_count = 0;
        return status;
    }
    lines->reply_text = (uint32_t)(word.data - lines->text);
    lines->reply_size = (uint32_t)word.size;
    return STATUS_OK;
}

/* Reads `content` when its first word is that of a setting or `otherwise`, whose kind *kind then
 * is; else *kind is LINES_ITEM_NOTE and nothing is read. */
static enum caxton_status read_setting(struct lines_reader *reader, struct span content,
                                       enum lines_kind *kind)
{
    static const struct {
        const char *word;
        enum lines_kind kind;
        enum caxton_status (*read)(struct lines_reader *, struct span);
    } settings[] = {
        {"lines", LINES_ITEM_STYLE, read_style},
        {"start", LINES_ITEM_START, read_start},
        {"prefer", LINES_ITEM_PREFER, read_prefer},
        {"transpose", LINES_ITEM_TRANSPOSE, read_transpose},
        {"otherwise", LINES_ITEM_OTHERWISE, read_otherwise},
    };
    const unsigned lines_seen =
        1u << LINES_ITEM_OTHERWISE | 1u << LINES_ITEM_MOVES | 1u << LINES_ITEM_REWRITE;
    struct span rest = content;
    struct span word = span_token(&rest);
    *kind = LINES_ITEM_NOTE;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!span_equal_nocase(word, settings[i].word))
            continue;
        *kind = settings[i].kind;
        if (reader->seen & 1u << *kind)
            return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s` stands here a second time",
                              settings[i].word);
        if (*kind != LINES_ITEM_OTHERWISE && (reader->seen & lines_seen))
            return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s` must stand before the lines",
                              settings[i].word);
        return settings[i].read(reader, rest);
    }
    return STATUS_OK;
}

/* Lines ------------------------------------------------------------------------------------- */

static enum caxton_status read_content(struct lines_reader *reader, struct span content,
                                       struct lines_item *item)
{
    enum caxton_status status = read_setting(reader, content, &item->kind);
    if (item->kind != LINES_ITEM_NOTE || !content.size)
        return status;
    return lines_read_orders(reader, content, item);
}

/* Errors: STATUS_NO_MEMORY; faults were reported. */
static enum caxton_status read_line(struct lines_reader *reader, struct span line)
{
    const char *sign = lines_comment(line);
    size_t size = sign ? (size_t)(sign - line.data) : line.size;
    struct span content = span_trim(span_make(line.data, size));
    const char *text = reader->lines->text;
    struct lines_item item = {.node = 0};
    enum caxton_status status = read_content(reader, content, &item);
    if (status == STATUS_NO_MEMORY)
        return status;
    if (item.kind != LINES_ITEM_NOTE)
        reader->seen |= 1u << item.kind;
    /* A faulty line keeps its place, so that the numbers of the others stay. */
    if (status != STATUS_OK)
        item = (struct lines_item){.kind = LINES_ITEM_NOTE, .faulty = true};
    item.line = (uint32_t)(line.data - text);
    if (sign) {
        const char *note = content.size ? content.data + content.size : line.data;
        item.note = (uint32_t)(note - text);
        item.note_size = (uint32_t)(line.data + line.size - note);
    }
    reader->lines->shares |= item.shared || item.target_shared;
    return lines_add_item(reader->lines, &item);
}

/* Makes every jump lead to the end of its chain. True for one that leads round to itself. */
static bool settle_chain(struct lines *lines, uint32_t node, uint8_t *settled)
{
    enum { UNKNOWN, WAITING, SETTLED };
    uint32_t end = node;
    while (lines->nodes[end].jump != LINES_NONE && settled[end] == UNKNOWN) {
        settled[end] = WAITING;
        end = lines->nodes[end].jump;
    }
    bool circle = settled[end] == WAITING;
    if (settled[end] == SETTLED)
        end = lines->nodes[end].jump;
    while (settled[node] == WAITING) {
        uint32_t next = lines->nodes[node].jump;
        settled[node] = SETTLED;
        lines->nodes[node].jump = circle ? LINES_NONE : end;
        node = next;
    }
    return circle;
}

static enum caxton_status settle_jumps(struct lines_reader *reader)
{
    struct lines *lines = reader->lines;
    uint8_t *settled = calloc(lines->node_count, 1);
    if (!settled)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < lines->item_count; i++) {
        struct lines_item *item = &lines->items[i];
        if (item->kind != LINES_ITEM_REWRITE || !settle_chain(lines, item->node, settled))
            continue;
        reader->number = i + 1;
        reader->line = lines->text + item->line;
        item->faulty = true;
        (void)lines_fail(reader, STATUS_SYNTAX, reader->line,
                         "rewrites lead in a circle, this one among them");
    }
    free(settled);
    return STATUS_OK;
}

static enum caxton_status read_all(struct lines_reader *reader)
{
    struct lines *lines = reader->lines;
    struct span rest = span_skip_bom(span_make(lines->text, lines->text_size));
    enum caxton_status status = STATUS_OK;
    lines_path_begin(&reader->moves, lines);
    lines_path_begin(&reader->rewrites, lines);
    for (struct span line; status == STATUS_OK && span_line(&rest, &line);) {
        reader->line = line.data;
        reader->number++;
        status = read_line(reader, line);
    }
    if (status == STATUS_OK)
        status = settle_jumps(reader);
    return status == STATUS_OK ? lines_index(lines) : status;
}

/* Why the text is not read, whatever it says; NULL: it is. */
static const char *why_refused(const char *text, size_t size)
{
    size_t count = 0;
    const char *end = text + size;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        count++;
    if (count > LINES_ALWAYS && size / count < LINE_MEAN_MIN)
        return "nearly all of its lines are empty";
    return size > TEXT_MAX ? "a file of lines has no more than 1073741824 bytes" : NULL;
}

enum caxton_status lines_parse(const char *text, size_t size, book_fault_sink sink, void *context,
                               struct lines **out)
{
    struct lines *lines = lines_create();
    struct lines_reader *reader = calloc(1, sizeof *reader);
    enum caxton_status status = STATUS_NO_MEMORY;
    const char *why = why_refused(text, size);
    if (lines && why) {
        diag_set(&lines->fault, 0, 0, "%s", why);
        lines->fault_status = STATUS_RANGE;
        lines->faults = 1;
        size = 0;
    }
    if (lines && reader)
        lines->text = malloc(size + 1);
    if (lines && reader && lines->text) {
        memcpy(lines->text, text, size);
        lines->text[size] = '\0'; /* behind the last line, as behind any other, is a character */
        lines->text_size = size;
        reader->lines = lines;
        reader->sink = sink;
        reader->context = context;
        status = read_all(reader);
    }
    free(reader);
    if (status == STATUS_OK)
        *out = lines;
    else
        lines_destroy(lines);
    return status;
}
