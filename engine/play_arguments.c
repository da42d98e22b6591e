#include "engine/play_arguments.h"

#include <string.h>

const char play_help[] =
    "caxton play: the engine plays a game against itself, opened from its book\n"
    "\n"
    "  --tc BASE+INC    seconds for the game and per move, for each side (20+0.2)\n"
    "  --pgn FILE       where the game is saved (a new file in games/)\n"
    "  --book FILE      the book, several separated by ';' (the built-in one)\n"
    "  --no-book        think from the first move\n"
    "  --seed N         choose the same book moves every time\n"
    "  --threads N      search threads of each side (1)\n"
    "  --hash MB        transposition table of each side (16)\n"
    "  --ascii          letters for the pieces\n"
    "  --no-color       plain text, as into a file or pipe\n"
    "  --help           this text\n";

/* Seconds with up to three decimals; false for anything else or more than a day. */
static bool read_seconds(struct span text, int64_t *ms)
{
    size_t whole_size = 0;
    while (whole_size < text.size && text.data[whole_size] != '.')
        whole_size++;
    int64_t whole = 0;
    int64_t parts = 0;
    if (whole_size && span_to_int(span_make(text.data, whole_size), 0, 86400, &whole) != STATUS_OK)
        return false;
    if (whole_size < text.size) {
        struct span digits = span_make(text.data + whole_size + 1, text.size - whole_size - 1);
        if (digits.size > 3 || span_to_int(digits, 0, 999, &parts) != STATUS_OK)
            return false;
        for (size_t i = digits.size; i < 3; i++)
            parts *= 10;
    }
    *ms = whole * 1000 + parts;
    return text.size > 0;
}

static bool read_time_control(const char *value, struct play_arguments *out)
{
    const char *plus = strchr(value, '+');
    struct span base = plus ? span_make(value, (size_t)(plus - value)) : span_of(value);
    out->increment_ms = 0;
    return read_seconds(base, &out->base_ms) && out->base_ms > 0 &&
           (!plus || read_seconds(span_of(plus + 1), &out->increment_ms));
}

static bool read_number(const char *value, int64_t min, int64_t max, int *out)
{
    int64_t number;
    if (span_to_int(span_of(value), min, max, &number) != STATUS_OK)
        return false;
    *out = (int)number;
    return true;
}

static bool read_book(const char *value, struct options *options)
{
    if (strlen(value) >= sizeof options->book_file)
        return false;
    text_copy(options->book_file, sizeof options->book_file, span_of(value));
    return true;
}

static bool read_seed(const char *value, uint64_t *seed)
{
    int64_t number;
    if (span_to_int(span_of(value), 0, INT64_MAX, &number) != STATUS_OK)
        return false;
    *seed = (uint64_t)number;
    return true;
}

/* False when there is no such flag. */
static bool read_flag(const char *name, struct play_arguments *out)
{
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        out->help = true;
    else if (strcmp(name, "--no-book") == 0)
        out->options->own_book = false;
    else if (strcmp(name, "--ascii") == 0)
        out->ascii = true;
    else if (strcmp(name, "--no-color") == 0)
        out->plain = true;
    else
        return false;
    return true;
}

static const char *const valued[] = {"--tc", "--pgn", "--book", "--seed", "--threads", "--hash"};

static bool takes_value(const char *name)
{
    for (size_t i = 0; i < sizeof valued / sizeof *valued; i++)
        if (strcmp(name, valued[i]) == 0)
            return true;
    return false;
}

/* `name` is one of `valued`. */
static bool read_valued(const char *name, const char *value, struct play_arguments *out)
{
    if (strcmp(name, "--tc") == 0)
        return read_time_control(value, out);
    if (strcmp(name, "--book") == 0)
        return read_book(value, out->options);
    if (strcmp(name, "--seed") == 0)
        return read_seed(value, &out->seed);
    if (strcmp(name, "--threads") == 0)
        return read_number(value, 1, SEARCH_THREADS_MAX, &out->options->threads);
    if (strcmp(name, "--hash") == 0)
        return read_number(value, 1, SEARCH_HASH_MB_MAX, &out->options->hash_mb);
    out->pgn = value;
    return *value != '\0';
}

enum caxton_status play_arguments_read(int argc, char **argv, struct play_arguments *out,
                                       struct diag *diag)
{
    out->base_ms = 20000;
    out->increment_ms = 200;
    out->pgn = NULL;
    out->plain = out->ascii = out->help = false;
    options_init(out->options);
    for (int i = 2; i < argc; i++) {
        const char *name = argv[i];
        if (read_flag(name, out))
            continue;
        if (!takes_value(name)) {
            diag_set(diag, 0, 0, "unknown option %s", name);
            return STATUS_SYNTAX;
        }
        if (i + 1 == argc) {
            diag_set(diag, 0, 0, "%s needs a value", name);
            return STATUS_SYNTAX;
        }
        i++;
        if (!read_valued(name, argv[i], out)) {
            diag_set(diag, 0, 0, "%s cannot be %s", name, argv[i]);
            return STATUS_SYNTAX;
        }
    }
    return STATUS_OK;
}
