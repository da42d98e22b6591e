#include "book/makebook/cli/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/memory_stream.h"
#include "base/terminal.h"
#include "book/book.h"
#include "book/count/input/input.h"
#include "book/entry_table.h"
#include "book/format.h"
#include "book/formats/games/repertoire_read.h"
#include "book/formats/statistics/wld_format.h"
#include "book/graph/graph.h"
#include "book/graph/replies.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/filtering.h"
#include "book/open/builtin.h"
#include "book/open/convert.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/statistics/wld_file.h"

/* Packed books are a twentieth of their size at the least; small ones may be less. */
enum { READ_SIZE = 1 << 16, DAMAGE_SHOWN = 10, RATIO_MAX = 64, SMALL_SIZE = 1 << 24 };

static bool is_packed_too_much(const struct source *source)
{
    uint64_t bytes = input_bytes_total(source->input); /* of a pipe: unknown */
    bytes = bytes ? bytes : input_bytes_read(source->input);
    return source->unpacked > SMALL_SIZE && source->unpacked / RATIO_MAX > bytes;
}

/* A wld_source: the bytes that were read to see what this is, then the rest. */
static enum caxton_status read_on(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct source *source = context;
    if (source->head_at == source->head_size) {
        enum caxton_status status = input_read(source->input, buffer, capacity, size);
        source->unpacked += status == STATUS_OK ? *size : 0;
        return is_packed_too_much(source) ? STATUS_FORMAT : status;
    }
    size_t left = source->head_size - source->head_at;
    *size = left < capacity ? left : capacity;
    memcpy(buffer, source->head + source->head_at, *size);
    source->head_at += *size;
    return STATUS_OK;
}

static bool fail_reading(const struct command_line *line, struct source *source, const char *why)
{
    (void)command_fail(line, "%s: %s", source->name, why);
    source_close(source);
    return false;
}

/* The same for a fault that names the file; that of reading it says more. */
static bool give_up(const struct command_line *line, struct source *source, const struct diag *diag)
{
    const char *fault = source_input_fault(source);
    (void)command_fail(line, "%s%s%s", fault ? source->name : diag->text, fault ? ": " : "",
                       fault ? fault : "");
    source_close(source);
    return false;
}

static bool read_head(const struct command_line *line, struct source *source)
{
    while (source->head_size < sizeof source->head) {
        size_t got;
        if (input_read(source->input, (char *)source->head + source->head_size,
                       sizeof source->head - source->head_size, &got) != STATUS_OK)
            return fail_reading(line, source, input_fault(source->input));
        if (got == 0)
            break;
        source->head_size += got;
    }
    return true;
}

/* Games are refused when their first ones are read: collections are large. */
static bool read_all(const struct command_line *line, struct source *source)
{
    enum { LOOKED_AT = 4 * READ_SIZE };
    bool is_plain = strcmp(input_packing(source->input), "plain") == 0;
    uint64_t expected = is_plain ? input_bytes_total(source->input) : 0;
    bool is_large = false;
    size_t capacity = 0;
    while (!is_large) {
        uint8_t *more =
            array_reserve(source->owned, &capacity, source->size + READ_SIZE, sizeof *more);
        if (!more)
            return fail_reading(line, source, status_name(STATUS_NO_MEMORY));
        source->owned = more;
        size_t got;
        if (read_on(source, (char *)source->owned + source->size, capacity - source->size, &got) !=
            STATUS_OK)
            return fail_reading(line, source, source_input_fault(source));
        if (got == 0) {
            source->bytes = source->owned;
            return true;
        }
        source->size += got;
        if (source->size < LOOKED_AT)
            continue;
        if (source->size - got < LOOKED_AT &&
            repertoire_are_games(span_make((const char *)source->owned, source->size)))
            return fail_reading(line, source, REPERTOIRE_ARE_GAMES);
        is_large = source->size > BOOK_BYTES_MAX || expected > BOOK_BYTES_MAX;
    }
    return fail_reading(line, source, "too large to be read into memory");
}

/* Why `path` is refused before it is read: a pipe may keep us waiting, a device may have no end.
 * NULL: it is not refused. */
static const char *why_unreadable(const char *path)
{
    enum file_kind kind = file_kind_of(path, NULL);
    if (strcmp(path, "-") == 0)
        return NULL;
    if (kind == FILE_FOLDER)
        return "is a folder, not a file";
    return kind == FILE_OTHER ? "is a pipe or a device, not a file; - reads standard input" : NULL;
}

/* Takes what the options ask for of the games. */
static bool filter_stats(const struct command_line *line, struct source *source)
{
    unsigned needs;
    const struct wld_info *info = wld_reader_info(source->reader);
    if (!facets_asked_read(line, &source->filter, &needs)) {
        source_close(source);
        return false;
    }
    unsigned missing = needs & ~info->facets;
    for (int i = 0; i < FACET_KINDS; i++)
        if (missing >> i & 1) {
            (void)command_fail(line,
                               "%s: its games are not told apart by %s (makebook build "
                               "--facets)",
                               source->name, facet_names[i]);
            source_close(source);
            return false;
        }
    if (needs)
        wld_reader_filter(source->reader, &source->filter);
    return true;
}

/* Statistics that can be looked up where they lie, or else a stream of them. */
static bool open_stats(const struct command_line *line, const char *path, struct source *source)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = wld_file_open(path, &source->file, NULL);
    if (status == STATUS_OK) {
        input_close(source->input);
        source->input = NULL;
        status = wld_reader_create_range(source->file, 0, UINT64_MAX, &source->reader, &diag);
    } else {
        status = wld_reader_create(read_on, source, source->name, &source->reader, &diag);
    }
    return status == STATUS_OK ? filter_stats(line, source) : give_up(line, source, &diag);
}

enum exit_status source_is_read_once(const struct command_line *line)
{
    int count = 0;
    for (int i = 0; i < line->operand_count; i++)
        count += strcmp(line->operands[i], "-") == 0;
    return count < 2 ? EXIT_DONE : command_misuse(line, "- (standard input) is named twice");
}

bool source_read(const struct command_line *line, const char *path, struct source *out)
{
    *out = (struct source){.name = strcmp(path, "-") == 0 ? "standard input" : path};
    if (strcmp(path, "builtin") == 0) {
        out->bytes = builtin_book_start;
        out->size = (size_t)(builtin_book_end - builtin_book_start);
        return true;
    }
    const char *why = why_unreadable(path);
    if (why)
        return fail_reading(line, out, why);
    struct diag diag = {.text = ""};
    if (input_open(path, &out->input, &diag) != STATUS_OK)
        return command_refuse(line, "%s", diag.text);
    if (!read_head(line, out))
        return false;
    if (!wld_is_magic(out->head, out->head_size))
        return read_all(line, out);
    return open_stats(line, path, out);
}

bool source_read_bytes(const struct command_line *line, const char *path, const char *why,
                       struct source *out)
{
    if (!source_read(line, path, out))
        return false;
    return !out->reader || fail_reading(line, out, why);
}

bool source_open(const struct command_line *line, const char *path, struct source *out)
{
    struct diag diag = {.text = ""};
    if (!source_read(line, path, out))
        return false;
    enum caxton_status status =
        out->reader ? wld_book_of(out->file, wld_reader_info(out->reader),
                                  wld_reader_filtered(out->reader), out->name, &out->book, &diag)
                    : book_open_memory(out->bytes, out->size, out->name, &out->book, &diag);
    if (status != STATUS_OK)
        return give_up(line, out, &diag);
    if (*book_warning(out->book))
        (void)command_fail(line, "warning: %s", book_warning(out->book));
    return true;
}

/* Are so many moves at most `most`, and can so many bytes for each be had? */
static bool fits(uint64_t moves, uint64_t move_bytes, uint64_t most)
{
    uint64_t limit = memory_limit_bytes();
    return moves <= most && (limit == 0 || moves <= limit / move_bytes);
}

bool source_fits(const struct command_line *line, struct source *source, uint64_t move_bytes,
                 uint64_t most)
{
    enum { MB = 1000000 };
    char moves[THOUSANDS_MAX];
    char wanted[THOUSANDS_MAX];
    char there[THOUSANDS_MAX];
    uint64_t count = source->file ? wld_file_moves(source->file) : 0;
    bool too_many = count > most;
    if (fits(count, move_bytes, most))
        return true;
    (void)command_fail(
        line,
        "%s: %s moves take %s MB of memory here, and no more than %s%s; leave rare "
        "ones out by makebook merge %s --min-games N -o small.wld",
        source->name, terminal_thousands(count, moves),
        terminal_thousands(count / MB * move_bytes + count % MB * move_bytes / MB, wanted),
        terminal_thousands(too_many ? most : memory_limit_bytes() / MB, there),
        too_many ? " moves can be walked through" : " MB are there", source->name);
    source_close(source);
    return false;
}

/* For each move of a book that is walked through. */
static uint64_t walk_bytes(void)
{
    enum { SOME = 1 << 20, GROWING = 2 }; /* a list that grows is up to twice as large */
    return book_graph_memory(SOME) / SOME + GROWING * sizeof(struct book_entry);
}

bool source_fits_walk(const struct command_line *line, struct source *source, uint64_t more)
{
    return source_fits(line, source, walk_bytes() + more, BOOK_GRAPH_EDGES_MAX);
}

bool source_can_walk(const struct source *source, uint64_t more)
{
    return source->file &&
           fits(wld_file_moves(source->file), walk_bytes() + more, BOOK_GRAPH_EDGES_MAX);
}

/* For those that do not say how many moves they have. */
static size_t walk_moves_max(void)
{
    uint64_t limit = memory_limit_bytes();
    uint64_t most = limit / walk_bytes();
    return limit > 0 && most < BOOK_GRAPH_EDGES_MAX ? (size_t)most : BOOK_GRAPH_EDGES_MAX;
}

bool source_walk(const struct command_line *line, struct source *source,
                 const struct wld_book_options *options, const char *too_many)
{
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    struct wld_book_options own = *options;
    own.file = options->facts || options->only ? NULL : source->file;
    enum caxton_status status = wld_book_read(source->reader, source->name, &own, &book, &diag);
    if (status == STATUS_RANGE && too_many)
        return fail_reading(line, source, too_many);
    if (status != STATUS_OK)
        return give_up(line, source, &diag);
    book_close(source->book);
    source->book = book;
    return true;
}

bool source_open_walk(const struct command_line *line, const char *path, enum wld_weights weights,
                      struct source *out)
{
    if (!source_open(line, path, out))
        return false;
    if (!out->book->counts)
        return true;
    const struct wld_book_options options = {
        .weights = weights, .most = walk_moves_max(), .facts = !out->file};
    return source_fits_walk(line, out, 0) &&
           source_walk(line, out, &options, "more moves than can be walked through here");
}

enum exit_status source_find_own(const struct command_line *line, const struct source *source,
                                 int said, int *own)
{
    bool sides[2];
    struct diag diag = {.text = ""};
    *own = said - 1;
    if (said)
        return EXIT_DONE;
    if (replies_sides(source->book, sides, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    if (sides[WHITE] && sides[BLACK])
        return command_misuse(line, "%s plays moves of both sides: --color says whose it is",
                              source->name);
    *own = sides[BLACK] ? BLACK : WHITE;
    return EXIT_DONE;
}

/* Puts a Polyglot book in the place of one of another kind. */
static bool make_polyglot(const struct command_line *line, struct source *source)
{
    struct diag diag = {.text = "out of memory"};
    struct memory_stream made;
    enum caxton_status status =
        memory_stream_open(&made)
            ? book_convert(source->book, formats_writer("bin"), made.file, NULL, &diag)
            : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    book_close(source->book);
    free(source->owned);
    source->book = NULL;
    source->owned = (uint8_t *)made.bytes;
    source->bytes = source->owned;
    source->size = made.size;
    if (status == STATUS_OK)
        status = book_open_memory(source->bytes, made.size, source->name, &source->book, &diag);
    return status == STATUS_OK || give_up(line, source, &diag);
}

bool source_open_weighed(const struct command_line *line, const char *path, struct source *out)
{
    if (!source_open(line, path, out))
        return false;
    return !out->book->counts ||
           fail_reading(line, out,
                        "these are statistics (.wld); makebook convert makes a book of them");
}

bool source_make_entries(const struct command_line *line, struct source *source)
{
    return source->book->format->holds_entries || make_polyglot(line, source);
}

const char *source_input_fault(const struct source *source)
{
    const char *fault = source->input ? input_fault(source->input) : "";
    if (source->input && is_packed_too_much(source))
        fault = "unpacked, it is more than 64 times as large, as no book is: unpack it first";
    return *fault ? fault : NULL;
}

/* A wld_damage_sink. */
static void note_damage(void *context, const struct diag *diag)
{
    struct source *source = context;
    source->damaged++;
    if (source->damaged <= DAMAGE_SHOWN)
        (void)command_fail(source->damage_line, "%s; its moves are left out%s", diag->text,
                           source->damaged == DAMAGE_SHOWN ? "; further blocks are not named" : "");
}

void source_skip_damaged(const struct command_line *line, struct source *source)
{
    source->damage_line = line;
    if (source->file)
        wld_reader_forgive(source->reader, note_damage, source);
}

void source_close(struct source *source)
{
    book_close(source->book);
    book_close(source->origin);
    wld_reader_destroy(source->reader);
    wld_file_close(source->file);
    input_close(source->input);
    free(source->owned);
    *source = (struct source){.name = source->name};
}
