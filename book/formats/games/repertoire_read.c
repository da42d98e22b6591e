/* It is long because comments, variations, tags and moves change one state, move by move. */
#include "book/formats/games/repertoire_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "chess/annotation.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/pgn.h"

/* Where a line stands. */
struct game_place {
    struct position pos;    /* after its last move */
    struct position before; /* and before it */
    move last;              /* MOVE_NONE: no move yet */
    bool lost;              /* a move could not be read: the rest of the line is skipped, */
    bool alternative;       /* but not what could have been played instead, from `before` */
};

struct game_reader {
    struct book_input *input;
    repertoire_visit *visit; /* NULL: nobody asks */
    void *context;
    const char *end;
    const char *at;
    const char *line_end;  /* of a line that was read: of this one where it is not behind us */
    struct position start; /* of the game */
    struct game_place now;
    struct game_place *stack; /* the lines that variations have interrupted */
    size_t depth;
    size_t skipped; /* variations open beyond the deepest, or inside a lost line */
    size_t moves;   /* read */
    bool in_moves;
    bool has_event; /* an Event tag of the game was read */
    /* now.last, which is stored when the next move begins: */
    bool pending;
    struct repertoire_move found;
    struct book_entry entry;
};

static void fault(struct game_reader *reader, const char *at, const char *what)
{
    book_input_fault_at(reader->input, BOOK_FAULT_SYNTAX, at, what);
}

/* Stores the last move, now that all comments behind it are read. */
static enum caxton_status store_pending(struct game_reader *reader)
{
    if (!reader->pending)
        return STATUS_OK;
    reader->pending = false;
    if (reader->visit)
        reader->visit(reader->context, &reader->found);
    if (reader->found.non_book)
        return STATUS_OK;
    reader->moves++;
    reader->entry.place = reader->moves < UINT32_MAX ? (uint32_t)reader->moves : UINT32_MAX;
    return entry_list_add(&reader->input->list, &reader->now.before, reader->now.last,
                          reader->entry);
}

static enum caxton_status end_game(struct game_reader *reader)
{
    enum caxton_status status = store_pending(reader);
    if (reader->depth + reader->skipped > 0)
        fault(reader, reader->at, "a variation is not closed");
    position_start(&reader->start);
    reader->now = (struct game_place){.pos = reader->start};
    reader->depth = reader->skipped = 0;
    reader->in_moves = reader->has_event = false;
    return status;
}

/* Steps over characters and counts lines. */
static void skip_to(struct game_reader *reader, const char *to)
{
    for (const char *at; (at = memchr(reader->at, '\n', (size_t)(to - reader->at)));) {
        reader->input->line++;
        reader->at = at + 1;
        reader->input->line_start = reader->at;
    }
    reader->at = to;
}

static void skip_line(struct game_reader *reader)
{
    const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    skip_to(reader, end ? end : reader->end);
}

/* What "[%weight N]" in the comment says of the last move. */
static void read_weight(struct game_reader *reader, struct span comment)
{
    static const char mark[] = "[%weight";
    enum { MARK_SIZE = sizeof mark - 1 };
    for (size_t i = 0; i + MARK_SIZE < comment.size; i++) {
        if (comment.data[i] != '[' || memcmp(comment.data + i, mark, MARK_SIZE) != 0)
            continue;
        const char *from = comment.data + i + MARK_SIZE;
        size_t left = comment.size - i - MARK_SIZE;
        const char *close = memchr(from, ']', left);
        if (!close)
            return;
        struct span value = span_trim(span_make(from, (size_t)(close - from)));
        int64_t weight;
        if (!reader->pending) {
            if (!reader->now.lost && !reader->skipped)
                fault(reader, reader->at, "[%weight] stands behind a variation or no move");
            return;
        }
        reader->found.weight_text = value;
        if (span_equal(value, "-")) {
            reader->found.non_book = true;
        } else if (span_to_int(value, 0, UINT32_MAX, &weight) == STATUS_OK) {
            reader->entry.weight = (uint32_t)weight;
            reader->entry.stated = true;
        } else {
            fault(reader, reader->at, "[%weight] in the comment wants a number");
        }
        return;
    }
}

/* Is there nothing in the comment but a weight, or nothing at all? */
static bool is_weight_only(struct span comment)
{
    static const char mark[] = "[%weight";
    struct span text = span_trim(comment);
    return text.size == 0 ||
           (text.size > sizeof mark && memcmp(text.data, mark, sizeof mark - 1) == 0 &&
            (const char *)memchr(text.data, ']', text.size) == text.data + text.size - 1);
}

static void read_comment(struct game_reader *reader)
{
    const char *from = reader->at + 1;
    const char *close = memchr(from, '}', (size_t)(reader->end - from));
    if (!close) {
        fault(reader, reader->at, "a comment is not closed");
        skip_to(reader, reader->end);
        return;
    }
    struct span comment = span_make(from, (size_t)(close - from));
    read_weight(reader, comment);
    reader->input->comments += !is_weight_only(comment);
    skip_to(reader, close + 1);
}

static enum caxton_status open_variation(struct game_reader *reader)
{
    if (reader->skipped || (reader->now.lost && !reader->now.alternative)) {
        reader->skipped++;
        return STATUS_OK;
    }
    if ((reader->now.last == MOVE_NONE && !reader->now.alternative) ||
        reader->depth == REPERTOIRE_DEPTH_MAX) {
        fault(reader, reader->at,
              reader->depth == REPERTOIRE_DEPTH_MAX ? "variations are nested too deep"
                                                    : "a variation without a move before it");
        reader->skipped++;
        return STATUS_OK;
    }
    enum caxton_status status = store_pending(reader);
    reader->stack[reader->depth++] = reader->now;
    reader->now = (struct game_place){.pos = reader->now.before};
    return status;
}

static enum caxton_status close_variation(struct game_reader *reader)
{
    enum caxton_status status = store_pending(reader);
    if (reader->skipped > 0)
        reader->skipped--;
    else if (reader->depth > 0)
        reader->now = reader->stack[--reader->depth];
    else
        fault(reader, reader->at, "')' without '('");
    return status;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-=+#/:_", c));
}

/* The word that begins at reader->at; empty when something else does. */
static struct span word_here(const struct game_reader *reader)
{
    struct span rest = span_make(reader->at, (size_t)(reader->end - reader->at));
    size_t size = figurine_size(rest);
    while (size < rest.size && is_word(rest.data[size]))
        size++;
    struct span word = span_make(rest.data, size);
    return size ? move_text_extend(word, reader->end) : word;
}

static bool is_number(struct span word)
{
    for (size_t i = 0; i < word.size; i++)
        if (!isdigit((unsigned char)word.data[i]))
            return false;
    return true;
}

bool repertoire_is_result(struct span word)
{
    return span_equal(word, "1-0") || span_equal(word, "0-1") || span_equal(word, "1/2-1/2") ||
           span_equal(word, "1/2");
}

static enum caxton_status read_move(struct game_reader *reader, struct span word)
{
    move m;
    enum caxton_status status = store_pending(reader);
    if (status != STATUS_OK || reader->skipped)
        return status;
    reader->now.alternative = false;
    if (reader->now.lost)
        return STATUS_OK;
    status = move_from_text(&reader->now.pos, word, &m);
    if (status != STATUS_OK) {
        reader->now.before = reader->now.pos;
        reader->now.lost = reader->now.alternative = true;
        if (move_is_null_text(word)) /* analysis: what follows is no line of a book */
            return STATUS_OK;
        book_input_fault_move(reader->input, &reader->now.pos, word, status);
        return STATUS_OK;
    }
    reader->now.before = reader->now.pos;
    reader->now.last = m;
    position_play(&reader->now.pos, m);
    reader->pending = true;
    reader->entry = (struct book_entry){.weight = 1};
    reader->found = (struct repertoire_move){
        .key = reader->now.before.key, .m = m, .end = word.data + word.size};
    return STATUS_OK;
}

static enum caxton_status read_word(struct game_reader *reader, struct span word)
{
    enum caxton_status status = STATUS_OK;
    reader->in_moves = true;
    if (repertoire_is_result(word) && reader->depth + reader->skipped == 0)
        status = end_game(reader);
    else if (annotation_size(word, reader->end))
        reader->input->comments++;
    else if (!is_number(word) && !repertoire_is_result(word) &&
             !(move_is_en_passant_sign(word) && reader->now.last != MOVE_NONE))
        status = read_move(reader, word);
    skip_to(reader, word.data + word.size);
    return status;
}

/* The value of a FEN tag is where the game begins. It has no escapes. */
static enum caxton_status read_fen(struct game_reader *reader, struct span value)
{
    struct diag diag = {.column = 0};
    struct position pos;
    enum caxton_status status = fen_parse_lenient(value, &pos, &diag);
    /* Rights that the board forbids are left out, as in games that are counted. */
    if (status != STATUS_OK || *diag.text)
        fault(reader, value.data + (diag.column ? diag.column - 1 : 0), diag.text);
    if (status != STATUS_OK) {
        reader->now.lost = true;
        return STATUS_OK;
    }
    reader->start = pos;
    reader->now = (struct game_place){.pos = pos, .lost = reader->now.lost};
    return book_input_root(reader->input, &pos);
}

/* Other games may have the same moves, and mean others by them. */
static void read_variant(struct game_reader *reader, struct span value)
{
    bool chess960;
    if (pgn_variant_is_chess(value, &chess960))
        return;
    fault(reader, value.data, "the variant is neither chess nor Chess960");
    reader->now.lost = true;
}

/* Does a tag with a value that begins so say what a written book does not? */
static bool is_lost_tag(struct span name, char first)
{
    static const char *const tags[] = {"Event",   "FEN", "SetUp", "Variant",
                                       "Opening", "ECO", "Result"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (span_equal(name, tags[i]))
            return false;
    return first != '?' && first != '-' && first != '"';
}

/* The value of the tag, whose first quote is `open`. *end, the end of its line, becomes that of the
 * tag. A quote that no ']' follows is a part of the value, unless none ends the tag. Without data:
 * the value is not closed. */
static struct span tag_value(const char *open, const char **end)
{
    const char *close = open;
    while ((close = memchr(close + 1, '"', (size_t)(*end - close - 1)))) {
        const char *next = close + 1;
        while (next < *end && (*next == ' ' || *next == '\t'))
            next++;
        if (next == *end || *next != ']')
            continue;
        *end = next + 1;
        return span_make(open + 1, (size_t)(close - open) - 1);
    }
    close = memchr(open + 1, '"', (size_t)(*end - open - 1));
    return span_make(close ? open + 1 : NULL, close ? (size_t)(close - open) - 1 : 0);
}

/* [Name "value"]: others, or moves, may follow on the line. A second Event begins another game. */
static enum caxton_status read_tag(struct game_reader *reader)
{
    enum caxton_status status = STATUS_OK;
    if (reader->line_end <= reader->at)
        reader->line_end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    if (!reader->line_end)
        reader->line_end = reader->end;
    const char *end = reader->line_end;
    struct span rest = span_make(reader->at + 1, (size_t)(end - reader->at) - 1);
    struct span name = span_token(&rest);
    const char *open = memchr(name.data, '"', name.size + rest.size);
    if (open && open < rest.data)
        name.size = (size_t)(open - name.data);
    bool is_fen = span_equal(name, "FEN");
    bool is_event = span_equal(name, "Event");
    if (reader->in_moves || (is_event && reader->has_event))
        status = end_game(reader);
    reader->has_event |= is_event;
    reader->input->comments += open && open + 1 < end && is_lost_tag(name, open[1]);
    struct span value = open ? tag_value(open, &end) : span_make(NULL, 0);
    if (status == STATUS_OK && open && (is_fen || span_equal(name, "Variant"))) {
        if (!value.data)
            fault(reader, open, "the tag's value is not closed");
        else if (is_fen)
            status = read_fen(reader, value);
        else
            read_variant(reader, value);
    }
    skip_to(reader, end);
    return status;
}

/* The rest of "$14" or "!?". */
static void skip_mark(struct game_reader *reader, char first)
{
    reader->input->comments++;
    while (reader->at < reader->end && (first == '$' ? isdigit((unsigned char)*reader->at) != 0
                                                     : *reader->at == '!' || *reader->at == '?'))
        reader->at++;
}

static enum caxton_status read_next(struct game_reader *reader)
{
    char c = *reader->at;
    struct span word = word_here(reader);
    enum caxton_status status = STATUS_OK;
    if (c == '{') {
        read_comment(reader);
    } else if (c == ';' || (c == '%' && reader->at == reader->input->line_start)) {
        reader->input->comments += c == ';';
        skip_line(reader);
    } else if (c == '[') {
        status = read_tag(reader);
    } else if (word.size) {
        status = read_word(reader, word);
    } else {
        if (c == '(')
            status = open_variation(reader);
        else if (c == ')')
            status = close_variation(reader);
        else if (c == '*' && reader->depth + reader->skipped == 0)
            status = end_game(reader);
        skip_to(reader, reader->at + 1);
        if (c == '$' || c == '!' || c == '?')
            skip_mark(reader, c);
    }
    return status;
}

static bool has_weight(struct span comment)
{
    for (size_t i = 0; i + 2 < comment.size; i++)
        if (memcmp(comment.data + i, "[%w", 3) == 0)
            return true;
    return false;
}

bool repertoire_are_games(struct span text)
{
    enum { MANY = 100 };
    size_t white = 0;
    size_t black = 0;
    bool begins = true; /* a line */
    while (text.size && *text.data != '(') {
        char c = *text.data;
        struct span line;
        if (c == '{') {
            const char *close = memchr(text.data, '}', text.size);
            size_t size = close ? (size_t)(close - text.data) : 0;
            if (!close || has_weight(span_make(text.data, size)))
                return false;
            text = span_from(text, size);
        } else if (c == '[' && begins && span_line(&text, &line)) {
            line = span_trim(line);
            white += span_equal(line, "[Result \"1-0\"]");
            black += span_equal(line, "[Result \"0-1\"]");
            if (white > 0 && black > 0 && white + black >= MANY)
                return true;
            continue;
        }
        begins = c == '\n';
        text = span_from(text, 1);
    }
    return false;
}

size_t repertoire_tags(struct span text)
{
    enum { LOOKED_AT = 1 << 16 };
    size_t size = text.size < LOOKED_AT ? text.size : LOOKED_AT;
    struct pgn_reader *pgn = pgn_create_memory(text.data, size);
    struct pgn_game game = {.tag_count = 0};
    if (pgn) {
        pgn_set_ply_limit(pgn, 0);
        enum caxton_status status = pgn_next(pgn, &game, NULL);
        if (status != STATUS_OK && !pgn_is_game_fault(status))
            game.tag_count = 0;
    }
    pgn_destroy(pgn);
    return game.tag_count ? (size_t)game.offset : text.size;
}

enum caxton_status repertoire_read(const uint8_t *bytes, size_t size, struct book_input *input,
                                   repertoire_visit *visit, void *context)
{
    const char *text = (const char *)bytes;
    struct game_reader reader = {
        .input = input, .visit = visit, .context = context, .end = text + size, .at = text};
    input->text = input->line_start = reader.line_end = text;
    input->line = 1;
    reader.stack = calloc(REPERTOIRE_DEPTH_MAX, sizeof *reader.stack);
    if (!reader.stack)
        return STATUS_NO_MEMORY;
    input->list.ordered = true;
    position_start(&reader.start);
    reader.now = (struct game_place){.pos = reader.start};
    enum caxton_status status = STATUS_OK;
    size_t tags = repertoire_tags(span_make(text, size));
    if (tags < size && span_trim(span_skip_bom(span_make(text, tags))).size) {
        input->comments++; /* prose before the first game */
        skip_to(&reader, text + tags);
    }
    while (reader.at < reader.end && status == STATUS_OK)
        status = read_next(&reader);
    if (status == STATUS_OK)
        status = end_game(&reader);
    free(reader.stack);
    return status;
}
