#include "book/open/formats.h"
#include "book/book.h"

#include <string.h>

#include "book/formats/arena/abk.h"
#include "book/formats/epd/epd.h"
#include "book/formats/games/repertoire.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/formats/statistics/wld_format.h"
#include "book/formats/thompson/tree_format.h"
#include "book/formats/thompson/tree_writers.h"
#include "book/formats/white/lines_copy.h"
#include "book/formats/white/lines_format.h"
#include "book/formats/white/lines_from_book.h"

/* The first that recognises the bytes has them. Trees may be without any mark of their kind: they
 * come after all that have one. Polyglot is last: it takes what is left. */
static const struct book_format *const formats[] = {
    &wld_mirrored_format, &wld_format,   &abk_format,  &epd_format,
    &repertoire_format,   &lines_format, &tree_format, &polyglot_format,
};

static enum caxton_status write_lines(const struct book *book, FILE *out, struct diag *diag)
{
    if (book_format(book) == &lines_format)
        return lines_copy(book, out, diag);
    return lines_write_book(book, out, diag);
}

static const struct book_writer writers[] = {
    {"bin", "Polyglot", polyglot_format_write},
    {"abk", "Arena", abk_write},
    {"epd", "EPD: positions with their moves", epd_write},
    {"fen", "Fishburn's lines: a move, then its position", epd_write_lines},
    {"lines", "White's lines: text that a person edits", write_lines},
    {"pgn", "PGN: a game for each line of play", repertoire_write},
    {"tree", "Thompson's tree: a byte a move, packed weights", tree_write},
    {"tree-style", "Thompson's tree with the character of openings", tree_write_styles},
    {"tree-small", "Thompson's tree, weights where there is a choice", tree_write_small},
    {"tree-pure", "Thompson's tree without header and weights", tree_write_pure},
};

enum {
    FORMAT_COUNT = sizeof formats / sizeof *formats,
    WRITER_COUNT = sizeof writers / sizeof *writers
};

const struct book_format *formats_find(const uint8_t *bytes, size_t size)
{
    size_t i = 0;
    while (i + 1 < FORMAT_COUNT && !formats[i]->recognises(bytes, size))
        i++;
    return formats[i];
}

const struct book_writer *formats_writer(const char *name)
{
    for (size_t i = 0; i < WRITER_COUNT; i++)
        if (strcmp(writers[i].name, name) == 0)
            return &writers[i];
    return NULL;
}

const struct book_writer *formats_writer_of_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < WRITER_COUNT; i++)
        if (span_equal_nocase(span_of(dot + 1), writers[i].name))
            return &writers[i];
    return NULL;
}

const struct book_writer *formats_writer_at(size_t index)
{
    return index < WRITER_COUNT ? &writers[index] : NULL;
}
