/* The bytes of PGN text: the buffer, places, words and tags. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "chess/notation.h"
#include "chess/pgn_internal.h"

/* Rows of sixteen. _ nothing, B blank, L line break, D digit, A letter, S stop, O part of a word,
 * M both, T part of a tag's name but for its first byte, W and X the same as O and M with T. Bytes
 * above 127 are letters of some language: never part of a legal move, but part of the word that a
 * message quotes. */
enum {
    _ = 0,
    B = PGN_BLANK,
    L = PGN_BLANK | PGN_BREAK,
    D = PGN_WORD | PGN_NAME | PGN_DIGIT,
    A = PGN_WORD | PGN_NAME,
    O = PGN_WORD,
    S = PGN_STOP,
    M = PGN_WORD | PGN_STOP,
    T = PGN_SIGN,
    W = O | T,
    X = M | T,
};
/* clang-format off */
const uint8_t pgn_class[256] = {
    S, _, _, _, _, _, _, _, _, B, L, B, B, L, _, _,
    _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _,
    B, _, _, W, _, S, _, _, S, S, S, W, _, X, T, M, /*  !"#$%&'()*+,-./ */
    D, D, D, D, D, D, D, D, D, D, W, S, _, W, _, _, /* 0123456789:;<=>? */
    O, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, /* @A..O */
    A, A, A, A, A, A, A, A, A, A, A, S, _, _, _, A, /* P..Z[\]^_ */
    _, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, /* `a..o */
    A, A, A, A, A, A, A, A, A, A, A, S, _, _, _, _, /* p..z{|}~ */
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, M, O, O, /* 0xBD ends both forms of a half, */
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, M, O, O, O, O, O, O, O, O, O, O, O, O, O, /* 0xE2 begins an en dash */
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
};
/* clang-format on */

/* Places ----------------------------------------------------------------------------------- */

uint64_t scan_offset(const struct pgn_reader *reader, const char *at)
{
    return reader->end_offset - (uint64_t)(reader->end - at);
}

/* Does a line end with *at? CR, LF and CRLF end one each. */
static inline uint8_t is_break(const char *at)
{
    return (uint8_t)(((at[0] == '\n') & (at[-1] != '\r')) + (at[0] == '\r'));
}

/* Blocks of bytes at once. Elsewhere what they do is done byte by byte. */
#ifdef __AVX2__
enum { BLOCK = 32 };
typedef char block __attribute__((vector_size(BLOCK), aligned(1)));

/* A bit for each byte of a comparison's result. */
static inline uint32_t block_bits(block compared)
{
    return (uint32_t)__builtin_ia32_pmovmskb256(compared);
}

static inline block block_at(const char *at)
{
    block bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

static uint64_t count_blocks(const char **from, const char *to)
{
    uint64_t count = 0;
    for (; to - *from >= BLOCK; *from += BLOCK) {
        block bytes = block_at(*from);
        block before = block_at(*from - 1);
        count += (uint64_t)bb_count(
            block_bits((block)(((bytes == '\n') & (before != '\r')) | (bytes == '\r'))));
    }
    return count;
}

const char *scan_find_stop(const char *at)
{
    for (;; at += BLOCK) {
        block bytes = block_at(at);
        block even = bytes & (char)0xFD; /* without the bit in which ( and *, - and / differ */
        uint32_t found =
            block_bits((block)((bytes == '\0') | (bytes == '%') | (even == '(') | (bytes == ')') |
                               (even == '-') | (bytes == ';') | ((bytes | (char)0x20) == '{') |
                               (bytes == (char)0xBD) | (bytes == (char)0xE2)));
        if (found)
            return at + bb_first(found);
    }
}

const char *scan_find_special(const char *at)
{
    for (;; at += BLOCK) {
        block bytes = block_at(at);
        uint32_t found = block_bits((block)((bytes == '"') | (bytes == '\\') | (bytes == '\n') |
                                            (bytes == '\r') | (bytes == '\0')));
        if (found)
            return at + bb_first(found);
    }
}
#else
/* In blocks of a fixed size, which compilers turn into vector code. */
static uint64_t count_blocks(const char **from, const char *to)
{
    enum { BLOCK = 64 };
    uint64_t count = 0;
    for (; to - *from >= BLOCK; *from += BLOCK) {
        uint8_t sum = 0;
        for (int i = 0; i < BLOCK; i++)
            sum = (uint8_t)(sum + is_break(*from + i));
        count += sum;
    }
    return count;
}

const char *scan_find_stop(const char *at)
{
    while (!pgn_is(*at, PGN_STOP))
        at++;
    return at;
}

const char *scan_find_special(const char *at)
{
    while (*at != '"' && *at != '\\' && *at != '\n' && *at != '\r' && *at != '\0')
        at++;
    return at;
}
#endif

/* Line ends in [from, to). */
static uint64_t count_breaks(const char *from, const char *to, bool after_cr)
{
    if (from >= to)
        return 0;
    uint64_t count = *from == '\r' || (*from == '\n' && !after_cr);
    from++;
    count += count_blocks(&from, to);
    for (; from < to; from++)
        count += is_break(from);
    return count;
}

/* The line that `at` lies in, and the offset of that line's start. */
static uint64_t line_at(const struct pgn_reader *reader, const char *at, uint64_t *line_start)
{
    const char *from = reader->counted;
    uint64_t breaks = count_breaks(from, at, reader->after_cr);
    *line_start = reader->line_start;
    if (breaks) {
        while (!pgn_is(at[-1], PGN_BREAK))
            at--;
        *line_start = scan_offset(reader, at);
    } else if (reader->after_cr && at > from && *from == '\n') {
        *line_start = scan_offset(reader, from + 1);
    }
    return reader->line + breaks;
}

struct pgn_place scan_place(const struct pgn_reader *reader, const char *at)
{
    struct pgn_place place = {.offset = scan_offset(reader, at)};
    uint64_t line_start;
    place.line = line_at(reader, at, &line_start);
    place.column = place.offset - line_start + 1;
    return place;
}

struct pgn_place scan_mark_place(const struct pgn_reader *reader, const struct pgn_mark *mark)
{
    return mark->at ? scan_place(reader, mark->at) : mark->place;
}

static void resolve_mark(const struct pgn_reader *reader, struct pgn_mark *mark)
{
    if (mark->at) {
        mark->place = scan_place(reader, mark->at);
        mark->at = NULL;
    }
}

void scan_count_lines(struct pgn_reader *reader)
{
    resolve_mark(reader, &reader->comment);
    resolve_mark(reader, &reader->variation);
    resolve_mark(reader, &reader->fen_tag);
    uint64_t line_start;
    reader->line = line_at(reader, reader->at, &line_start);
    reader->line_start = line_start;
    if (reader->at > reader->counted)
        reader->after_cr = reader->at[-1] == '\r';
    reader->counted = reader->at;
}

void scan_forget_marks(struct pgn_reader *reader)
{
    reader->comment.at = NULL;
    reader->variation.at = NULL;
    reader->fen_tag.at = NULL;
}

/* The buffer ------------------------------------------------------------------------------- */

/* Moves what is still needed to the front. */
static void slide(struct pgn_reader *reader)
{
    scan_count_lines(reader);
    const char *keep = reader->at - PGN_BEHIND;
    size_t size = (size_t)(reader->end - keep);
    memmove(reader->buffer, keep, size);
    reader->at = reader->buffer + PGN_BEHIND;
    reader->end = reader->buffer + size;
    reader->counted = reader->at;
}

bool scan_refill_to(struct pgn_reader *reader, ptrdiff_t ahead)
{
    if (reader->at_eof)
        return false;
    if (reader->limit - reader->end < 2 * PGN_AHEAD || reader->limit - reader->at < ahead)
        slide(reader);
    const char *before = reader->end;
    while (!reader->at_eof && reader->end - reader->at < ahead) {
        size_t size = 0;
        size_t room = (size_t)(reader->limit - reader->end);
        enum caxton_status status = reader->source(reader->context, reader->end, room, &size);
        if (status != STATUS_OK) {
            reader->failure = status;
            size = 0;
        }
        if (!size)
            reader->at_eof = true;
        reader->end += size;
        reader->end_offset += size;
        *reader->end = '\0';
    }
    return reader->end != before;
}

bool scan_refill(struct pgn_reader *reader)
{
    return scan_refill_to(reader, PGN_AHEAD);
}

/* Words and tags --------------------------------------------------------------------------- */

/* Back over blanks within a line, and over a byte order mark; at most `*budget` bytes. */
static const char *back_over_blanks(const char *at, int *budget)
{
    while (*budget > 0 && (at[-1] == ' ' || at[-1] == '\t' || (uint8_t)at[-1] == 0xEF ||
                           (uint8_t)at[-1] == 0xBB || (uint8_t)at[-1] == 0xBF)) {
        at--;
        --*budget;
    }
    return at;
}

bool scan_is_line_start(const char *at)
{
    int budget = PGN_BEHIND / 2;
    return pgn_is(*(back_over_blanks(at, &budget) - 1), PGN_BREAK);
}

bool scan_is_after_empty_line(const char *at)
{
    if (at[-1] == '\n' && at[-2] == ']')
        return false; /* one tag after the other */
    int budget = PGN_BEHIND - 4;
    at = back_over_blanks(at, &budget);
    at -= at[-1] == '\n' && at[-2] == '\r' ? 2 : 1;
    return pgn_is(*(back_over_blanks(at, &budget) - 1), PGN_BREAK);
}

const char *scan_over_blanks(const char *at, const char *stop)
{
    while (at < stop && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

bool scan_is_tag(const char *at)
{
    const char *stop = at + PGN_TAG_NAME_MAX;
    if (*at != '[')
        return false;
    const char *name = scan_over_blanks(at + 1, stop);
    const char *p = name;
    while (p < stop - 1 && pgn_is(*p, PGN_NAME | (p > name ? PGN_SIGN : 0)))
        p++; /* one less: with the blank that we write after it, it must still be a tag */
    return p > name && *scan_over_blanks(p, stop) == '"';
}

bool scan_is_next_event(const char *at)
{
    return strncmp(scan_over_blanks(at + 1, at + PGN_TAG_NAME_MAX), "Event ", 6) == 0 &&
           scan_is_line_start(at) && scan_is_tag(at);
}

bool scan_is_next_game(const char *at)
{
    if (!scan_is_line_start(at) || !scan_is_tag(at))
        return false;
    return scan_is_after_empty_line(at) || scan_is_next_event(at);
}

struct span scan_word(const char *at)
{
    size_t size = 0;
    while (size < PGN_WORD_MAX && pgn_is(at[size], PGN_WORD))
        size++;
    return span_make(at, size);
}

bool scan_is_result(struct span word, enum pgn_result *result)
{
    static const struct {
        const char *text;
        enum pgn_result result;
    } rows[] = {
        {"1-0", PGN_WHITE_WINS},    {"0-1", PGN_BLACK_WINS},      {"1/2-1/2", PGN_DRAW},
        {"1/2", PGN_DRAW},          {"1\u20130", PGN_WHITE_WINS}, {"0\u20131", PGN_BLACK_WINS},
        {"1/2\u20131/2", PGN_DRAW}, {"\u00bd-\u00bd", PGN_DRAW},  {"\u00bd\u2013\u00bd", PGN_DRAW},
        {"\u00bd", PGN_DRAW},       {"\xBD-\xBD", PGN_DRAW}, /* Latin-1 */
    };
    if (word.size && pgn_is(*word.data, PGN_NAME) && !pgn_is(*word.data, PGN_DIGIT))
        return false; /* a letter */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (word.size && *word.data == *rows[i].text && span_equal(word, rows[i].text)) {
            *result = rows[i].result;
            return true;
        }
    }
    return false;
}

bool scan_is_move(struct span word)
{
    const char *p = word.data;
    const char *end = p + word.size;
    if (word.size >= 3 && (*p == 'O' || *p == '0') && p[1] == '-' && p[2] == *p)
        return true;
    if (p < end && memchr("KQRBN", *p, 5))
        p++;
    p += figurine_size(span_make(p, (size_t)(end - p)));
    /* Some square, and nothing but origin, capture, promotion and check around it. */
    bool square = false;
    for (; p < end; p++) {
        if (!memchr("abcdefgh12345678x:-=QRBN+#", *p, 26))
            return false;
        square |= p + 1 < end && *p >= 'a' && *p <= 'h' && p[1] >= '1' && p[1] <= '8';
    }
    return square;
}

/* Messages ---------------------------------------------------------------------------------- */

void pgn_fault(struct diag *diag, struct pgn_place place, const char *format, ...)
{
    char text[sizeof diag->text];
    va_list args;
    va_start(args, format);
    if (vsnprintf(text, sizeof text, format, args) < 0)
        text[0] = '\0';
    va_end(args);
    diag_set(diag, place.line, place.column, "%s", text);
    if (diag)
        diag->offset = place.offset;
}

enum caxton_status pgn_fail_open_comment(struct pgn_reader *reader, struct diag *diag)
{
    pgn_fault(diag, scan_mark_place(reader, &reader->comment), "this comment has no closing brace");
    return STATUS_SYNTAX;
}

/* Skipping ---------------------------------------------------------------------------------- */

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
        reader->at = scan_find_stop(reader->at);
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
