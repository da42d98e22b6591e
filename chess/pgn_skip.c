/* Skipping what is not read of PGN text: comments, variations, the moves beyond the limit. */
#include <string.h>

#include "chess/pgn_internal.h"

void scan_skip_line(struct pgn_reader *reader)
{
    do {
        while (!pgn_is(*reader->at, PGN_BREAK) && reader->at < reader->end)
            reader->at++;
    } while (reader->at == reader->end && scan_refill(reader));
}

/* Looks for the next game's tag in [reader->at, stop); `at` is left on it, or on a bracket that
 * lies too near the end of the buffer to be judged (*unsure). */
static bool find_tag(struct pgn_reader *reader, const char *stop, bool *unsure)
{
    const char *p = reader->at;
    *unsure = false;
    while ((p = memchr(p, '[', (size_t)(stop - p)))) {
        if (scan_is_line_start(p)) {
            *unsure = reader->end - p < PGN_AHEAD && !reader->at_eof;
            if (*unsure || scan_is_next_game(p)) {
                reader->at = p;
                return !*unsure;
            }
        }
        p++;
    }
    return false;
}

/* Is the last word before the blanks before `at` a result, as it is between two games? */
static bool is_after_result(const char *at)
{
    const char *stop = at - PGN_BEHIND + 8; /* room for the longest result */
    enum pgn_result ignored;
    while (at > stop && pgn_is(at[-1], PGN_BLANK))
        at--;
    if (at[-1] == '*')
        return true;
    const char *end = at;
    while (at > stop - 8 && pgn_is(at[-1], PGN_WORD))
        at--;
    return scan_is_result(span_make(at, (size_t)(end - at)), &ignored);
}

/* The tag of a game stands at reader->at in a comment: is it part of the comment? A game after a
 * result is the next game, and the closing brace is missing. Otherwise the tag is part of it where
 * a closing brace follows before an opening one, which would be a comment of that game. No more
 * than PGN_COMMENT_AHEAD bytes are looked at. */
static bool is_tag_in_comment(struct pgn_reader *reader)
{
    if (is_after_result(reader->at))
        return false;
    if (reader->end - reader->at < PGN_COMMENT_AHEAD)
        (void)scan_refill_to(reader, PGN_COMMENT_AHEAD);
    ptrdiff_t left = reader->end - reader->at;
    size_t size = (size_t)(left < PGN_COMMENT_AHEAD ? left : PGN_COMMENT_AHEAD);
    const char *close = memchr(reader->at, '}', size);
    return close && !memchr(reader->at, '{', (size_t)(close - reader->at));
}

enum scan_end scan_skip_comment(struct pgn_reader *reader)
{
    reader->comment.at = reader->at++;
    bool closes = false; /* the next closing brace is known to end it */
    for (;;) {
        /* In parts, or many open comments would each look at all that the buffer holds. */
        ptrdiff_t left = reader->end - reader->at;
        const char *stop = reader->at + (left < PGN_COMMENT_AHEAD ? left : PGN_COMMENT_AHEAD);
        const char *close = memchr(reader->at, '}', (size_t)(stop - reader->at));
        bool unsure = false;
        if (!closes && find_tag(reader, close ? close : stop, &unsure)) {
            closes = is_tag_in_comment(reader);
            if (!closes)
                return SCAN_OPEN_COMMENT;
            continue;
        }
        if (unsure) {
            (void)scan_refill(reader);
            continue;
        }
        if (close) {
            reader->at = close + 1;
            reader->comment.at = NULL;
            return SCAN_CLOSED;
        }
        reader->at = stop;
        if (stop == reader->end && !scan_refill(reader))
            return SCAN_OPEN_COMMENT;
    }
}

/* A result whose hyphen, stroke or asterisk stands at `at`. */
static bool is_result_around(const char *at, enum pgn_result *result, size_t *ahead)
{
    if (*at == '*') {
        *result = PGN_UNKNOWN;
        *ahead = 1;
        return true;
    }
    const char *start = at;
    while (at - start < 8 && pgn_is(start[-1], PGN_WORD))
        start--;
    struct span word = scan_word(start);
    *ahead = word.size - (size_t)(at - start);
    return scan_is_result(word, result);
}

/* Before the depth it is a fault of its own. */
static void note_open_variation(struct pgn_reader *reader, bool variation, uint64_t depth)
{
    if (depth && !variation)
        reader->notes |= 1u << PGN_NOTE_OPEN_VARIATION;
}

/* The common part of skipping a variation (to the parenthesis that closes it) and the rest of a
 * game's moves (to its result, where no variation is open). */
static enum scan_end skip_moves(struct pgn_reader *reader, bool variation, enum pgn_result *result)
{
    uint64_t depth = 0;
    size_t ahead;
    for (;; reader->at++) {
        while (!pgn_is(*reader->at, PGN_STOP))
            reader->at++;
        scan_ensure(reader);
        switch (*reader->at) {
        case '(':
            depth++;
            break;
        case ')':
            if (!depth)
                reader->notes |= 1u << PGN_NOTE_STRAY_PARENTHESIS;
            depth -= depth > 0;
            if (variation && !depth) {
                reader->at++;
                return SCAN_CLOSED;
            }
            break;
        case '{':
            if (scan_skip_comment(reader) == SCAN_OPEN_COMMENT)
                return SCAN_OPEN_COMMENT;
            reader->at--;
            break;
        case ';':
            scan_skip_line(reader);
            reader->at--;
            break;
        case '%':
            if (scan_is_column_one(reader->at)) {
                scan_skip_line(reader);
                reader->at--;
            }
            break;
        case '[':
            if (scan_is_tag(reader->at)) {
                note_open_variation(reader, variation, depth);
                return SCAN_TAG;
            }
            break;
        case '\0':
            if (scan_at_end(reader)) {
                note_open_variation(reader, variation, depth);
                return SCAN_EOF;
            }
            reader->at -= *reader->at != '\0';
            break;
        default: /* - / * */
            if (!depth && is_result_around(reader->at, result, &ahead)) {
                reader->at += ahead;
                return SCAN_RESULT;
            }
        }
    }
}

enum scan_end scan_skip_variation(struct pgn_reader *reader)
{
    enum pgn_result ignored;
    reader->variation.at = reader->at;
    enum scan_end end = skip_moves(reader, true, &ignored);
    if (end == SCAN_CLOSED)
        reader->variation.at = NULL;
    return end;
}

enum scan_end scan_skip_moves(struct pgn_reader *reader, enum pgn_result *result)
{
    return skip_moves(reader, false, result);
}
