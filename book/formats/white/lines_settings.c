#include "book/formats/white/lines_settings.h"

#include "book/formats/white/lines_word.h"
#include "chess/fen.h"

/* Nothing may follow the last word of a setting. */
static enum caxton_status expect_end(struct lines_reader *reader, struct span rest)
{
    char shown[LINES_SHOWN_MAX];
    struct span word = span_token(&rest);
    if (!word.size)
        return STATUS_OK;
    return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s`: nothing may stand here",
                      lines_shown(word, shown));
}

static enum caxton_status read_style(struct lines_reader *reader, struct span rest)
{
    char shown[LINES_SHOWN_MAX];
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
    return lines_fail(reader, STATUS_SYNTAX, word.data,
                      "`%s`: the style is san, coordinate or white", lines_shown(word, shown));
}

static enum caxton_status read_start(struct lines_reader *reader, struct span rest)
{
    struct position start;
    struct diag diag;
    rest = span_trim(rest);
    enum caxton_status status = fen_parse(rest, &start, &diag);
    if (status != STATUS_OK)
        return lines_fail(reader, status, rest.data + (diag.column ? diag.column - 1 : 0), "%.150s",
                          diag.text);
    status = lines_set_start(reader->lines, &start);
    reader->moves->positions[0] = start;
    reader->rewrites->positions[0] = start;
    return status;
}

static enum caxton_status read_prefer(struct lines_reader *reader, struct span rest)
{
    char shown[LINES_SHOWN_MAX];
    struct span word = span_token(&rest);
    bool later = span_equal_nocase(word, "later");
    if (!later && !span_equal_nocase(word, "earlier"))
        return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s`: prefer earlier or later lines",
                          lines_shown(word, shown));
    struct span percent = span_token(&rest);
    struct span number = percent;
    int64_t value = 0;
    if (number.size && number.data[number.size - 1] == '%')
        number.size--;
    if (number.size == percent.size || span_to_int(number, 51, 100, &value) != STATUS_OK)
        return lines_fail(reader, STATUS_RANGE, percent.data,
                          "`%s`: the chance is a number from 51%% to 100%%",
                          lines_shown(percent, shown));
    reader->lines->prefer_later = later;
    reader->lines->prefer_percent = (int)value;
    reader->has_prefer = true;
    return expect_end(reader, rest);
}

static enum caxton_status read_transpose(struct lines_reader *reader, struct span rest)
{
    char shown[LINES_SHOWN_MAX];
    struct span word = span_token(&rest);
    bool listed = span_equal_nocase(word, "listed");
    if (!listed && !span_equal_nocase(word, "any"))
        return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s`: transpose any or listed",
                          lines_shown(word, shown));
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
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static struct span cut_exception(struct span *rest)
{
    size_t from = 0;
    while (from < rest->size && is_separator(rest->data[from]))
        from++;
    size_t to = from;
    while (to < rest->size && !is_separator(rest->data[to]))
        to++;
    struct span word = span_make(rest->data + from, to - from);
    *rest = span_from(*rest, to);
    return word;
}

/* The first moves after `except`; commas may stand between them. */
static enum caxton_status read_exceptions(struct lines_reader *reader, struct span rest)
{
    struct lines *lines = reader->lines;
    char shown[LINES_SHOWN_MAX];
    struct span word;
    while ((word = cut_exception(&rest)).size) {
        move m;
        enum caxton_status status = lines_read_move(lines, &lines->start, word, &m);
        if (status == STATUS_OK && is_excepted(lines, m))
            return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s`: stands here twice",
                              lines_shown(word, shown));
        if (status != STATUS_OK)
            return lines_fail(reader, status, word.data, "`%s`: %s as a first move",
                              lines_shown(word, shown), lines_move_fault(lines, status, word));
        lines->except[lines->except_count++] = m;
    }
    return STATUS_OK;
}

/* The reply must be legal, and the same move, after every first move that it answers. */
static enum caxton_status read_reply(struct lines_reader *reader, struct span word)
{
    struct lines *lines = reader->lines;
    char shown[LINES_SHOWN_MAX];
    move firsts[MOVES_MAX];
    int count = movegen_legal(&lines->start, firsts);
    move reply = MOVE_NONE;
    for (int i = 0; i < count; i++) {
        if (is_excepted(lines, firsts[i]))
            continue;
        struct position pos = lines->start;
        struct undo undo;
        char first[SAN_MAX];
        move m;
        lines_move_text(lines, &pos, firsts[i], first);
        position_make(&pos, firsts[i], &undo);
        enum caxton_status status = lines_read_move(lines, &pos, word, &m);
        if (status == STATUS_OK && reply != MOVE_NONE && m != reply)
            status = STATUS_AMBIGUOUS;
        if (status != STATUS_OK)
            return lines_fail(reader, status, word.data, "`%s`: %s after %s",
                              lines_shown(word, shown), lines_move_fault(lines, status, word),
                              first);
        reply = m;
        lines->reply_keys[lines->reply_key_count++] = pos.key;
    }
    if (reply == MOVE_NONE)
        return lines_fail(reader, STATUS_SYNTAX, word.data, "`%s`: no first move is left to answer",
                          lines_shown(word, shown));
    lines->reply = reply;
    return STATUS_OK;
}

static enum caxton_status read_otherwise(struct lines_reader *reader, struct span rest)
{
    struct lines *lines = reader->lines;
    char shown[LINES_SHOWN_MAX];
    struct span word = span_token(&rest);
    struct span except = span_token(&rest);
    lines_guess_style(reader, word);
    if (except.size && !span_equal(except, "except"))
        return lines_fail(reader, STATUS_SYNTAX, except.data, "`%s`: only `except` may stand here",
                          lines_shown(except, shown));
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
    lines->reply_item = reader->number - 1;
    return STATUS_OK;
}

enum caxton_status lines_read_setting(struct lines_reader *reader, struct span content,
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
