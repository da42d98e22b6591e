#include "chess/pgn_write.h"

#include <string.h>

#include "chess/fen.h"
#include "chess/notation.h"

enum { LINE_WIDTH = 79 };

/* Move text in lines: tokens with blanks or line breaks between. */
struct wrapper {
    FILE *out;
    size_t column;
};

static void put_token(struct wrapper *wrapper, const char *text, size_t size)
{
    if (wrapper->column && wrapper->column + 1 + size > LINE_WIDTH) {
        (void)fputc('\n', wrapper->out);
        wrapper->column = 0;
    } else if (wrapper->column) {
        (void)fputc(' ', wrapper->out);
        wrapper->column++;
    }
    (void)fwrite(text, 1, size, wrapper->out);
    wrapper->column += size;
}

static bool is_blank(char c)
{
    return (c >= 0 && c <= ' ') || c == 127;
}

/* The end of the next piece of a comment that may stand on a line of its own. A '%' must not begin
 * a line, it would hide it, nor a '[', which may look like the next game: they stay with the word
 * before. */
static const char *piece_end(const char *p)
{
    for (;;) {
        while (*p && !is_blank(*p))
            p++;
        const char *next = p;
        while (*next && is_blank(*next))
            next++;
        if (*next != '%' && *next != '[')
            return p;
        p = next;
    }
}

/* Writes one piece with its blanks as single spaces; returns what it takes of a line. A closing
 * brace would end the comment: a round one takes its place. */
static size_t put_piece(FILE *out, const char *from, const char *to)
{
    size_t size = 0;
    for (const char *p = from; p < to; p++) {
        if (is_blank(*p) && is_blank(p[1]))
            continue;
        if (out)
            (void)fputc(is_blank(*p) ? ' ' : *p == '}' ? ')' : *p, out);
        size++;
    }
    return size;
}

static void put_comment(struct wrapper *wrapper, const char *text)
{
    bool first = true;
    size_t glyph = 1 + strspn(text + (*text != 0), "0123456789");
    if (*text == '$' && glyph > 1 && (!text[glyph] || text[glyph] == ' ')) {
        put_token(wrapper, text, glyph);
        text += glyph;
    }
    while (*text && is_blank(*text))
        text++;
    if (!*text)
        return;
    while (*text) {
        const char *end = piece_end(text);
        const char *next = end;
        while (*next && is_blank(*next))
            next++;
        size_t size = put_piece(NULL, text, end) + first + !*next;
        bool fits = wrapper->column + 1 + size <= LINE_WIDTH;
        if (wrapper->column) {
            (void)fputc(fits ? ' ' : '\n', wrapper->out);
            wrapper->column = fits ? wrapper->column + 1 : 0;
        }
        if (first)
            (void)fputc('{', wrapper->out);
        (void)put_piece(wrapper->out, text, end);
        if (!*next)
            (void)fputc('}', wrapper->out);
        wrapper->column += size;
        first = false;
        text = next;
    }
}

static bool is_name_character(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static void put_tag(FILE *out, struct span name, struct span value)
{
    (void)fputc('[', out);
    for (size_t i = 0; i < name.size; i++)
        (void)fputc(is_name_character(name.data[i]) ? name.data[i] : '_', out);
    (void)fputs(" \"", out);
    for (size_t i = 0; i < value.size; i++) {
        char c = value.data[i];
        if (c == '"' || c == '\\')
            (void)fputc('\\', out);
        (void)fputc(c == '\0' || c == '\r' || c == '\n' ? ' ' : c, out);
    }
    (void)fputs("\"]\n", out);
}

static struct span tag_of(const struct pgn_tag *tags, size_t count, const char *name,
                          const char *otherwise)
{
    for (size_t i = 0; i < count; i++)
        if (span_equal(tags[i].name, name))
            return tags[i].value;
    return span_of(otherwise);
}

static const char *const roster[] = {"Event", "Site", "Date", "Round", "White", "Black"};

/* Tags that are written elsewhere, or not at all. */
static bool is_special(struct span name, bool chess960)
{
    for (size_t i = 0; i < sizeof roster / sizeof roster[0]; i++)
        if (span_equal(name, roster[i]))
            return true;
    return !name.size || span_equal(name, "Result") || span_equal(name, "FEN") ||
           span_equal(name, "SetUp") || (chess960 && span_equal(name, "Variant"));
}

static int compare_names(struct span a, struct span b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = memcmp(a.data, b.data, size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* The extra tags in the order of their names, as the export format wants them. */
static void put_extra_tags(FILE *out, const struct pgn_tag *tags, size_t count, bool chess960)
{
    const struct pgn_tag *last = NULL;
    for (;;) {
        const struct pgn_tag *next = NULL;
        for (size_t i = 0; i < count; i++) {
            const struct pgn_tag *tag = &tags[i];
            if (is_special(tag->name, chess960))
                continue;
            int order = last ? compare_names(tag->name, last->name) : 1;
            if (order < 0 || (order == 0 && tag <= last))
                continue;
            if (!next || compare_names(tag->name, next->name) < 0)
                next = tag;
        }
        if (!next)
            return;
        put_tag(out, next->name, next->value);
        last = next;
    }
}

static void put_tags(FILE *out, const struct game *game, const struct pgn_tag *tags, size_t count,
                     enum pgn_result result)
{
    for (size_t i = 0; i < sizeof roster / sizeof roster[0]; i++) {
        const char *unknown = strcmp(roster[i], "Date") == 0 ? "????.??.??" : "?";
        put_tag(out, span_of(roster[i]), tag_of(tags, count, roster[i], unknown));
    }
    put_tag(out, span_of("Result"), span_of(pgn_result_text(result)));

    const struct position *start = game_start(game);
    bool chess960 = fen_is_chess960(start);
    put_extra_tags(out, tags, count, chess960);
    char fen[FEN_MAX];
    fen_format(start, fen);
    if (strcmp(fen, fen_start) != 0) {
        put_tag(out, span_of("SetUp"), span_of("1"));
        put_tag(out, span_of("FEN"), span_of(fen));
    }
    if (chess960)
        put_tag(out, span_of("Variant"), span_of("Chess960"));
    (void)fputc('\n', out);
}

static void put_moves(struct wrapper *wrapper, const struct game *game,
                      const char *(*comment)(void *context, size_t ply), void *context)
{
    struct position pos = *game_start(game);
    bool number_due = true;
    for (size_t ply = 0; ply < game_plies(game); ply++) {
        move m = game_move(game, ply);
        char text[SAN_MAX + 8];
        struct text_buffer buffer = text_buffer_on(text, sizeof text);
        if (pos.turn == WHITE || number_due) {
            text_append(&buffer, "%u%s", (unsigned)pos.fullmove, pos.turn == WHITE ? "." : "...");
            put_token(wrapper, text, buffer.size);
        }
        move_to_san(&pos, m, text);
        put_token(wrapper, text, strlen(text));
        position_play(&pos, m);

        const char *said = comment ? comment(context, ply) : NULL;
        if (said)
            put_comment(wrapper, said);
        number_due = said != NULL;
    }
}

enum caxton_status pgn_write(FILE *out, const struct game *game, const struct pgn_tag *tags,
                             size_t tag_count, enum pgn_result result,
                             const char *(*comment)(void *context, size_t ply), void *context)
{
    struct wrapper wrapper = {out, 0};
    put_tags(out, game, tags, tag_count, result);
    put_moves(&wrapper, game, comment, context);
    const char *end = pgn_result_text(result);
    put_token(&wrapper, end, strlen(end));
    (void)fputs("\n\n", out);
    return ferror(out) ? STATUS_IO : STATUS_OK;
}

enum pgn_result pgn_result_on_board(const struct game *game)
{
    if (game_state(game) != GAME_CHECKMATE)
        return PGN_UNKNOWN;
    return game_position(game)->turn == WHITE ? PGN_BLACK_WINS : PGN_WHITE_WINS;
}

const char *pgn_result_text(enum pgn_result result)
{
    switch (result) {
    case PGN_WHITE_WINS:
        return "1-0";
    case PGN_BLACK_WINS:
        return "0-1";
    case PGN_DRAW:
        return "1/2-1/2";
    case PGN_UNKNOWN:
        break;
    }
    return "*";
}
