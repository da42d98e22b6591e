/* The tag section of a game, and what it says about the start position. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "chess/fen.h"
#include "chess/pgn_internal.h"

/* Names are compared with the first ones of their game: with all of them it would take too long. */
enum { TAGS_MAX = 4096, TAGS_COMPARED = 64 };

static enum caxton_status fault_here(const struct pgn_reader *reader, struct diag *diag,
                                     const char *text)
{
    pgn_fault(diag, scan_place(reader, reader->at), "%s", text);
    return STATUS_SYNTAX;
}

static bool text_add(struct pgn_reader *reader, const char *data, size_t size)
{
    if (size > PGN_TAG_TEXT_MAX - reader->tag_text_size)
        return false;
    memcpy(reader->tag_text + reader->tag_text_size, data, size);
    reader->tag_text_size += size;
    return true;
}

/* Past `"]` with blanks between; NULL when something else follows the quote. */
static const char *value_end(const char *quote)
{
    const char *p = scan_over_blanks(quote + 1, quote + PGN_TAG_NAME_MAX);
    return *p == ']' ? p + 1 : NULL;
}

/* A backslash before the last quote of the line, as in [Site "C:\"]: no escape, or else the value
 * would have no end. */
static bool is_last_backslash(const char *at)
{
    const char *end = value_end(at + 1);
    if (!end)
        return false;
    end = scan_over_blanks(end, end + PGN_TAG_NAME_MAX);
    return *end == '\0' || pgn_is(*end, PGN_BREAK);
}

/* Does a value that is broken over two lines end on the second one, which begins at `at`? */
static bool is_value_rest(const char *at)
{
    const char *p = at;
    const char *stop = at + PGN_AHEAD / 2;
    while (p < stop && *p != '"' && *p != '\0' && !pgn_is(*p, PGN_BREAK))
        p++;
    return *at != '[' && *p == '"' && value_end(p);
}

/* Copies one special byte of a value, or ends the value (*closed). `at` stands on the byte.
 * STATUS_NOT_FOUND: the value has no end. */
static enum caxton_status value_special(struct pgn_reader *reader, bool *closed, struct diag *diag)
{
    const char *end;
    const char *copied = reader->at;
    switch (*reader->at) {
    case '"':
        /* A quote that nothing but another one could close is a forgotten backslash. */
        end = value_end(reader->at);
        if (end) {
            reader->at = end;
            *closed = true;
            return STATUS_OK;
        }
        break;
    case '\\':
        copied += copied[1] == '\\' || (copied[1] == '"' && !is_last_backslash(copied));
        break;
    case '\0':
        if (scan_at_end(reader)) /* as if the line ended here */
            return STATUS_NOT_FOUND;
        if (*reader->at != '\0')
            return STATUS_OK;
        copied = reader->at;
        break;
    case '\r':
    case '\n':
        copied += copied[0] == '\r' && copied[1] == '\n';
        if (!is_value_rest(copied + 1))
            return STATUS_NOT_FOUND;
        break;
    default: /* the buffer has just been refilled: nothing special after all */
        return STATUS_OK;
    }
    if (!text_add(reader, pgn_is(*copied, PGN_BREAK) ? " " : copied, 1))
        return fault_here(reader, diag, "more than 1 MiB of tags");
    reader->at = copied + 1;
    return STATUS_OK;
}

static enum caxton_status read_value(struct pgn_reader *reader, struct span *value,
                                     struct diag *diag)
{
    size_t start = reader->tag_text_size;
    bool closed = false;
    while (!closed) {
        const char *p = scan_find_special(reader->at);
        if (!text_add(reader, reader->at, (size_t)(p - reader->at)))
            return fault_here(reader, diag, "more than 1 MiB of tags");
        reader->at = p;
        scan_ensure(reader);
        enum caxton_status status = value_special(reader, &closed, diag);
        if (status != STATUS_OK)
            return status;
    }
    *value = span_make(reader->tag_text + start, reader->tag_text_size - start);
    return STATUS_OK;
}

/* Where to remember the value of a tag that the reader itself looks at; NULL for all others. */
static struct span *value_slot(struct pgn_reader *reader, struct span name)
{
    switch (name.data[0]) {
    case 'F':
        return span_equal(name, "FEN") ? &reader->fen : NULL;
    case 'S':
        return span_equal(name, "SetUp") ? &reader->set_up : NULL;
    case 'V':
        return span_equal(name, "Variant") ? &reader->variant : NULL;
    case 'R':
        return span_equal(name, "Result") ? &reader->result : NULL;
    default:
        return NULL;
    }
}

/* Notes a tag whose name the section has already. Most names are seen to be new by their bit. */
static void note_name(struct pgn_reader *reader, struct span name)
{
    unsigned hash = (unsigned)(uint8_t)name.data[0] * 5 + (unsigned)name.size * 11 +
                    (unsigned)(uint8_t)name.data[name.size - 1];
    uint64_t bit = UINT64_C(1) << (hash & 63);
    bool maybe = reader->names_seen & bit;
    reader->names_seen |= bit;
    maybe &= !(reader->notes & 1u << PGN_NOTE_TAG_TWICE);
    for (size_t i = 0; maybe && i < reader->tag_count && i < TAGS_COMPARED; i++) {
        struct span known = reader->tags[i].name;
        if (known.size != name.size || memcmp(known.data, name.data, name.size) != 0)
            continue;
        reader->notes |= 1u << PGN_NOTE_TAG_TWICE;
        return;
    }
}

/* A line that is no tag costs no game, unless the start position would be missed. */
static enum caxton_status leave_out_tag(struct pgn_reader *reader, const struct span *slot,
                                        struct diag *diag, const char *text)
{
    if (slot && slot != &reader->result)
        return fault_here(reader, diag, text);
    reader->notes |= 1u << PGN_NOTE_BAD_TAG;
    scan_skip_line(reader);
    return STATUS_OK;
}

/* Reads a tag where it lies, if it is written as nearly all are, no more text will move the buffer,
 * and there is room: what read_tag() would make of it. */
static bool read_plain_tag(struct pgn_reader *reader)
{
    enum { NAME_PLAIN_MAX = 32 };
    const char *name = reader->at + 1;
    const char *end = name;
    if (!reader->at_eof || reader->tag_count == reader->tag_capacity || !pgn_is(*end, PGN_NAME))
        return false;
    do {
        end++;
    } while (pgn_is(*end, PGN_NAME | PGN_SIGN));
    if (end - name > NAME_PLAIN_MAX || end[0] != ' ' || end[1] != '"')
        return false;
    const char *value = end + 2;
    const char *quote = scan_find_special(value);
    size_t size = (size_t)(end - name) + (size_t)(quote - value);
    if (quote[0] != '"' || quote[1] != ']' || size > PGN_TAG_TEXT_MAX - reader->tag_text_size)
        return false;
    struct pgn_tag tag = {span_make(name, (size_t)(end - name)),
                          span_make(value, (size_t)(quote - value))};
    struct span *slot = value_slot(reader, tag.name);
    if (slot && slot != &reader->result)
        return false; /* its place may have to be named */
    reader->tag_text_size += size;
    note_name(reader, tag.name);
    reader->tags[reader->tag_count++] = tag;
    if (slot && !slot->data)
        *slot = tag.value;
    reader->at = quote + 2;
    return true;
}

static enum caxton_status read_tag(struct pgn_reader *reader, struct diag *diag)
{
    if (read_plain_tag(reader))
        return STATUS_OK;
    const char *name = scan_over_blanks(reader->at + 1, reader->at + PGN_TAG_NAME_MAX);
    size_t size = 0;
    while (pgn_is(name[size], PGN_NAME | PGN_SIGN))
        size++;
    struct span *slot = value_slot(reader, span_make(name, size));
    if (!scan_is_tag(reader->at))
        return leave_out_tag(reader, slot, diag, "not a tag: [Name \"value\"] is expected");
    if (reader->tag_count == TAGS_MAX)
        return fault_here(reader, diag, "more than 4096 tags");
    if (reader->tag_count == reader->tag_capacity) {
        struct pgn_tag *tags =
            array_reserve(reader->tags, &reader->tag_capacity, reader->tag_count + 1, sizeof *tags);
        if (!tags)
            return STATUS_NO_MEMORY;
        reader->tags = tags;
    }
    bool is_noted = slot && !slot->data; /* the first of a name counts */
    if (is_noted && (slot == &reader->fen || (slot == &reader->set_up && !reader->fen.data)))
        reader->fen_tag.at = reader->at;

    struct pgn_tag *tag = &reader->tags[reader->tag_count];
    tag->name = span_make(reader->tag_text + reader->tag_text_size, size);
    if (!text_add(reader, name, size))
        return fault_here(reader, diag, "more than 1 MiB of tags");
    reader->at = name + size;
    while (*reader->at++ != '"')
        ; /* over blanks alone, as scan_is_tag() knows */
    enum caxton_status status = read_value(reader, &tag->value, diag);
    if (status == STATUS_NOT_FOUND)
        return leave_out_tag(reader, slot, diag, "tag not closed by \"] on its line");
    if (status != STATUS_OK)
        return status;
    note_name(reader, tag->name);
    reader->tag_count++;
    if (is_noted)
        *slot = tag->value;
    return STATUS_OK;
}

/* Has the section a tag of the name that stands at `at`, which scan_is_tag() knows? */
static bool is_tag_known(const struct pgn_reader *reader, const char *at)
{
    const char *name = scan_over_blanks(at + 1, at + PGN_TAG_NAME_MAX);
    for (size_t i = 0; i < reader->tag_count && i < TAGS_COMPARED; i++) {
        struct span known = reader->tags[i].name;
        if (strncmp(name, known.data, known.size) == 0 &&
            !pgn_is(name[known.size], PGN_NAME | PGN_SIGN))
            return true;
    }
    return false;
}

/* Does another game begin within the section: an Event tag that has one before it? */
static bool is_event_again(const struct pgn_reader *reader)
{
    return reader->at[1] == 'E' && reader->tag_count > 0 && scan_is_next_event(reader->at) &&
           is_tag_known(reader, reader->at);
}

enum caxton_status pgn_read_tags(struct pgn_reader *reader, struct diag *diag)
{
    for (;;) {
        scan_ensure(reader);
        char c = *reader->at;
        if (pgn_is(c, PGN_BLANK)) {
            reader->at++;
        } else if (c == '[') {
            /* The same tag again in a new paragraph begins another game: this one is empty. So does
             * an Event there, which is the first tag of a game, unless nothing came before. */
            if (scan_is_after_empty_line(reader->at) && scan_is_tag(reader->at) &&
                (is_tag_known(reader, reader->at) ||
                 ((reader->tag_count > 0 || (reader->notes & 1u << PGN_NOTE_BAD_TAG)) &&
                  scan_is_next_event(reader->at))))
                return STATUS_OK;
            if (is_event_again(reader))
                return fault_here(reader, diag, "the game ends inside its tags: an Event follows");
            enum caxton_status status = read_tag(reader, diag);
            if (status != STATUS_OK)
                return status;
        } else if (c == ';' || (c == '%' && scan_is_column_one(reader->at))) {
            scan_skip_line(reader);
        } else if (c == '{') {
            if (scan_skip_comment(reader) == SCAN_OPEN_COMMENT)
                return pgn_fail_open_comment(reader, diag);
        } else {
            return STATUS_OK;
        }
    }
}

void pgn_recover_tags(struct pgn_reader *reader)
{
    enum pgn_result ignored;
    if (scan_is_next_game(reader->at)) /* the fault was that another game begins */
        return;
    for (;;) {
        scan_skip_line(reader);
        while (!scan_at_end(reader) && pgn_is(*reader->at, PGN_BLANK))
            reader->at++;
        scan_ensure(reader);
        if (scan_at_end(reader) || scan_is_next_game(reader->at))
            return;
        /* What is left of the section goes; a value broken over two lines may be part of it. */
        bool moves = *reader->at == '{' || *reader->at == '*' || pgn_is(*reader->at, PGN_DIGIT) ||
                     scan_is_move(scan_word(reader->at));
        if (*reader->at != '[' && (moves || scan_is_after_empty_line(reader->at))) {
            (void)scan_skip_moves(reader, &ignored);
            return;
        }
    }
}

/* Start position --------------------------------------------------------------------------- */

/* The name of a variant in lower case without blanks and hyphens. */
static struct span variant_key(struct span name, char *out, size_t capacity)
{
    size_t size = 0;
    for (size_t i = 0; i < name.size && size < capacity; i++) {
        char c = name.data[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            out[size++] = c;
    }
    return span_make(out, size);
}

static bool is_among(struct span text, const char *const *names)
{
    for (; *names; names++)
        if (span_equal(text, *names))
            return true;
    return false;
}

static const char *const standard_names[] = {"",          "standard", "standardchess",
                                             "chess",     "normal",   "fromposition",
                                             "classical", "regular",  NULL};
static const char *const chess960_names[] = {"chess960",
                                             "fischerandom",
                                             "fischerrandom",
                                             "fischerandomchess",
                                             "fischerrandomchess",
                                             "doublefischerandom",
                                             "doublefischerrandom",
                                             "freestyle",
                                             "freestylechess",
                                             "frc",
                                             "dfrc",
                                             "wildfr",
                                             NULL};

bool pgn_variant_is_chess(struct span name, bool *chess960)
{
    char key_text[32];
    struct span key = variant_key(name, key_text, sizeof key_text);
    *chess960 = key.size && is_among(key, chess960_names);
    return *chess960 || !key.size || is_among(key, standard_names);
}

enum caxton_status pgn_set_up(struct pgn_reader *reader, struct pgn_game *game, struct diag *diag)
{
    game->other_variant = !pgn_variant_is_chess(reader->variant, &game->chess960);
    if (game->other_variant)
        return STATUS_OK;
    struct span fen = span_trim(reader->fen);
    if (fen.size && !span_equal(fen, "?")) {
        struct diag inner;
        struct pgn_place place = scan_mark_place(reader, &reader->fen_tag);
        enum caxton_status status = fen_parse_lenient(fen, &game->start, &inner);
        if (status != STATUS_OK) {
            pgn_fault(diag, place, "FEN: %s", inner.text);
            return status;
        }
        bool odd = !game->chess960 && fen_is_chess960(&game->start);
        bool dropped = odd && fen_drop_odd_rights(fen, &game->start);
        if (*inner.text || dropped)
            reader->notes |= 1u << PGN_NOTE_FEN;
        game->chess960 |= odd && !dropped;
    } else if (span_equal(reader->set_up, "1")) {
        pgn_fault(diag, scan_mark_place(reader, &reader->fen_tag),
                  "SetUp says that the game begins elsewhere, but there is no FEN");
        return STATUS_SYNTAX;
    }
    return STATUS_OK;
}
