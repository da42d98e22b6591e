#include "book/open/formats.h"

#include <string.h>

#include "book/formats/arena/abk.h"
#include "book/formats/chessbase/ctg.h"
#include "book/formats/epd/epd.h"
#include "book/formats/experience/experience.h"
#include "book/formats/games/repertoire.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/formats/statistics/wld_format.h"
#include "book/formats/store/store_format.h"
#include "book/formats/thompson/tree_format.h"
#include "book/formats/white/lines_format.h"

/* The first that recognises the bytes has them. Trees may be without any mark of their kind: they
 * come after all that have one. */
static const struct book_format *const formats[] = {
    &polyglot_format,   /* has no mark either: it takes what no other recognises */
    &experience_format, /* may begin with a key that looks like a mark of the others */
    &wld_mirrored_format, &wld_format,        &store_format, &abk_format,  &ctg_format,
    &epd_format,          &repertoire_format, &lines_format, &tree_format,
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

/* The first bytes of a Polyglot book, a key, may look like the first word of a text. */
static bool is_rather_entries(const struct book_format *format, const uint8_t *bytes, size_t size,
                              const char *name)
{
    const struct book_format *named = formats_of_path(name);
    if (!format->is_text || named == format)
        return false;
    return named == &polyglot_format ? polyglot_refuse_others(bytes, size, name, NULL) == STATUS_OK
                                     : polyglot_format.recognises(bytes, size);
}

/* A short text with odd bytes may look like records of experience; its ending tells. */
static bool is_rather_text(const struct book_format *format, const uint8_t *bytes, size_t size,
                           const char *name)
{
    const struct book_format *named = formats_of_path(name);
    return format == &experience_format && named && named->is_text &&
           named->recognises(bytes, size);
}

const struct book_format *formats_find(const uint8_t *bytes, size_t size, const char *name)
{
    for (size_t i = 1; i < FORMAT_COUNT; i++)
        if (formats[i]->recognises(bytes, size) &&
            !is_rather_entries(formats[i], bytes, size, name) &&
            !is_rather_text(formats[i], bytes, size, name))
            return formats[i];
    return formats[0];
}

const struct book_format *formats_of_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < FORMAT_COUNT; i++)
        if (span_equal_nocase(span_of(dot + 1), formats[i]->extension))
            return formats[i];
    return NULL;
}

const struct book_writer *formats_writer_at(size_t index)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        if (index < formats[i]->writer_count)
            return &formats[i]->writers[index];
        index -= formats[i]->writer_count;
    }
    return NULL;
}

const struct book_writer *formats_writer(const char *name)
{
    const struct book_writer *writer;
    size_t i = 0;
    while ((writer = formats_writer_at(i)) && strcmp(writer->name, name) != 0)
        i++;
    return writer;
}

const struct book_writer *formats_writer_of_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    const struct book_writer *writer = NULL;
    for (size_t i = 0; dot && (writer = formats_writer_at(i)); i++)
        if (span_equal_nocase(span_of(dot + 1), writer->name))
            break;
    return writer;
}
