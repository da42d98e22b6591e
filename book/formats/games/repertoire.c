#include "book/formats/games/repertoire.h"

#include <ctype.h>
#include <string.h>

#include "book/formats/games/repertoire_add.h"
#include "book/formats/games/repertoire_read.h"
#include "book/formats/games/repertoire_write.h"
#include "chess/notation.h"

static enum caxton_status read_all(const uint8_t *bytes, size_t size, struct book_input *input)
{
    return repertoire_read(bytes, size, input, NULL, NULL);
}

static bool begins_with_tag(struct span text)
{
    if (text.size < 6 || text.data[0] != '[' || !isalpha((unsigned char)text.data[1]))
        return false;
    size_t at = 1;
    while (at < text.size && (isalnum((unsigned char)text.data[at]) || text.data[at] == '_'))
        at++;
    while (at < text.size && text.data[at] == ' ')
        at++;
    return at < text.size && text.data[at] == '"';
}

/* Is there a comment in braces, or a variation of more than one move? */
static bool has_variations(struct span text)
{
    int words = -1; /* since a bracket was opened; -1: none is open */
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '{' || (c == '(' && words >= 0) || words > 1)
            return true;
        if (c == '(') {
            words = 0;
        } else if (c == ')') {
            words = -1;
        } else if (c == ';') {
            const char *end = memchr(text.data + i, '\n', text.size - i);
            i = end ? (size_t)(end - text.data) : text.size;
        } else if (words >= 0 && isalpha((unsigned char)c) &&
                   !isalnum((unsigned char)text.data[i - 1])) {
            words++;
        }
    }
    return false;
}

/* White's lines may have move numbers, too, and brackets around a move, but no more. */
static bool is_movetext(struct span text)
{
    bool comment = text.size && text.data[0] == '{';
    while (text.size && text.data[0] == '{') {
        const char *close = memchr(text.data, '}', text.size);
        if (!close)
            return false;
        text = span_trim(span_from(text, (size_t)(close + 1 - text.data)));
    }
    size_t number = move_number_size(text);
    if (!number || text.data[number - 1] != '.')
        return false;
    text = span_trim(text);
    size_t start = text.size;
    while (start && !isspace((unsigned char)text.data[start - 1]))
        start--;
    struct span last = span_from(text, start);
    return comment || span_equal(last, "*") || repertoire_is_result(last) || has_variations(text);
}

/* By the first thing that counts. */
static bool recognises(const uint8_t *bytes, size_t size)
{
    struct span all = span_skip_bom(span_make((const char *)bytes, size));
    const char *at = all.data;
    const char *end = at + all.size;
    while (at < end && (isspace((unsigned char)*at) || *at == '%' || *at == ';')) {
        const char *next = at + 1;
        if (!isspace((unsigned char)*at))
            next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next : end;
    }
    struct span text = span_make(at, (size_t)(end - at));
    return begins_with_tag(text) || is_movetext(text);
}

static const struct book_writer writer = {.name = "pgn",
                                          .about = "PGN: a game for each line of play",
                                          .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
                                          .weight_max = UINT32_MAX,
                                          .write_graph = repertoire_write};

const struct book_format repertoire_format = {.name = "PGN repertoire",
                                              .extension = "pgn",
                                              .is_text = true,
                                              .writers = &writer,
                                              .writer_count = 1,
                                              .recognises = recognises,
                                              .read = read_all,
                                              .add = repertoire_add,
                                              POSITION_BOOK_FUNCTIONS};
