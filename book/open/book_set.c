#include "book/open/book_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "book/book_move.h"
#include "book/format.h"
#include "book/open/open.h"

/* Options of one book in a list of books: "mine.bin?color=white&depth=12". */

/* Each field that is below 0 was not said. */
struct entry_options {
    int color;              /* the book answers for this side only */
    int depth_plies;        /* it is left after this many plies of the game */
    int selection;          /* enum book_selection */
    int threshold_permille; /* moves with a smaller share are not played */
};

enum { DEPTH_MAX = 255, PERMILLE_MAX = 1000, VALUES_MAX = 4 };

/* An option: words for its values, in order, or a number from 0 to max. */
struct entry_option {
    const char *name;
    const char *values[VALUES_MAX];
    int64_t max;
    size_t offset; /* of its field */
};

#define FIELD(name) offsetof(struct entry_options, name)

static const struct entry_option rows[] = {
    {"color", {[WHITE] = "white", [BLACK] = "black"}, 0, FIELD(color)},
    {"depth", {NULL}, DEPTH_MAX, FIELD(depth_plies)},
    {"selection",
     {[BOOK_BEST] = "best", [BOOK_WEIGHTED] = "weighted", [BOOK_UNIFORM] = "uniform"},
     0,
     FIELD(selection)},
    {"threshold", {NULL}, PERMILLE_MAX, FIELD(threshold_permille)},
};

/* None of them said. */
static struct entry_options entry_options_none(void)
{
    return (struct entry_options){
        .color = -1, .depth_plies = -1, .selection = -1, .threshold_permille = -1};
}

/* Where `wanted` stands in the text; its size: nowhere. */
static size_t find(struct span text, char wanted)
{
    const char *at = text.size ? memchr(text.data, wanted, text.size) : NULL;
    return at ? (size_t)(at - text.data) : text.size;
}

/* Splits "NAME?NAME=VALUE&..." at the last '?' that has an option behind it. Returns the name;
 * *text: the options, empty when there are none. */
static struct span entry_options_split(struct span entry, struct span *text)
{
    size_t at = entry.size;
    while (at > 0 && entry.data[at - 1] != '?')
        at--;
    *text = span_from(entry, at);
    if (at > 0 && find(*text, '=') < text->size)
        return span_trim(span_make(entry.data, at - 1));
    *text = span_make(entry.data + entry.size, 0);
    return entry;
}

/* False: there is no such value. */
static bool read_value(const struct entry_option *row, struct span value, int *out)
{
    int64_t number = 0;
    if (!row->values[0]) {
        bool good = span_to_int(value, 0, row->max, &number) == STATUS_OK;
        *out = good ? (int)number : *out;
        return good;
    }
    for (int i = 0; i < VALUES_MAX && row->values[i]; i++)
        if (span_equal_nocase(value, row->values[i])) {
            *out = i;
            return true;
        }
    return false;
}

/* Takes the next option off the front of `text`, which is not empty. Errors: STATUS_SYNTAX (`diag`
 * names the option and what is known; *options keeps what it had). */
static enum caxton_status entry_options_next(struct span *text, struct entry_options *options,
                                             struct diag *diag)
{
    enum { SHOWN_MAX = 40 };
    size_t end = find(*text, '&');
    struct span option = span_trim(span_make(text->data, end));
    *text = span_from(*text, end + (end < text->size));
    size_t equals = find(option, '=');
    struct span name = span_trim(span_make(option.data, equals));
    struct span value =
        span_trim(span_from(option, equals < option.size ? equals + 1 : option.size));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *field = (char *)options + rows[i].offset;
        if (span_equal_nocase(name, rows[i].name) && read_value(&rows[i], value, field))
            return STATUS_OK;
    }
    return diag_fail(STATUS_SYNTAX, diag,
                     "\"%.*s\" is none of color=white|black, depth=0..255, "
                     "selection=best|weighted|uniform, threshold=0..1000",
                     (int)(option.size < SHOWN_MAX ? option.size : SHOWN_MAX), option.data);
}

enum { BOOKS_MAX = 16, REMARK_MAX = 1024, FOLDER_MAX = 768 };

struct remark {
    char text[REMARK_MAX];
    bool is_failure;
};

struct book_set {
    struct book *books[BOOKS_MAX];
    struct entry_options options[BOOKS_MAX]; /* of each book */
    int count;
    struct remark remarks[BOOKS_MAX + 1];
    int remark_count;
};

static void add_remark(struct book_set *set, const char *text, bool is_failure)
{
    if (set->remark_count > BOOKS_MAX)
        return;
    struct remark *remark = &set->remarks[set->remark_count++];
    text_copy(remark->text, REMARK_MAX, span_of(text));
    remark->is_failure = is_failure;
}

/* A file that could not be opened. A relative path is looked up in the folder in which the
 * interface started the engine, which is often not the one that the user thinks of: name it. */
static void add_failure(struct book_set *set, struct span name, const char *why)
{
    char data[REMARK_MAX];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    text_append(&text, "%s", why);
    if (!file_is_absolute(name.data)) {
        char folder[FOLDER_MAX];
        file_current_folder(folder, sizeof folder);
        text_append(&text, " (looked for in %s)", folder);
    }
    add_remark(set, data, true);
}

static bool is_builtin(struct span name)
{
    return span_equal_nocase(name, "<empty>") || span_equal_nocase(name, "<builtin>");
}

static enum caxton_status open_book(struct span name, struct book **out, struct diag *diag)
{
    if (is_builtin(name))
        return book_open_builtin(out);
    char *path = span_duplicate(name);
    if (!path)
        return STATUS_NO_MEMORY;
    enum caxton_status status = book_open(path, out, diag);
    free(path);
    return status;
}

/* Is there a file of that name, whatever it looks like? */
static bool is_file(struct span name)
{
    char *path = span_duplicate(name);
    bool found = path && file_kind_of(path, NULL) != FILE_ABSENT;
    free(path);
    return found;
}

static void read_entry_options(struct book_set *set, struct span name, struct span text)
{
    struct entry_options *options = &set->options[set->count];
    *options = entry_options_none();
    while (text.size) {
        char remark[REMARK_MAX];
        struct diag diag;
        struct text_buffer out = text_buffer_on(remark, sizeof remark);
        if (entry_options_next(&text, options, &diag) == STATUS_OK)
            continue;
        text_append(&out, "%.*s: %s", (int)name.size, name.data, diag.text);
        add_remark(set, remark, false);
    }
}

/* entry: a name, perhaps with options behind it. */
static enum caxton_status add_file(struct book_set *set, struct span entry)
{
    struct diag diag;
    struct book *book;
    struct span options = span_make(entry.data + entry.size, 0);
    struct span name = is_file(entry) ? entry : entry_options_split(entry, &options);
    enum caxton_status status = open_book(name, &book, &diag);
    if (status == STATUS_NO_MEMORY)
        return status;
    if (status != STATUS_OK) {
        add_failure(set, name, diag.text);
        return STATUS_OK;
    }
    if (*book_warning(book))
        add_remark(set, book_warning(book), false);
    read_entry_options(set, name, options);
    set->books[set->count++] = book;
    return STATUS_OK;
}

static enum caxton_status add_files(struct book_set *set, struct span files)
{
    while (files.size && set->remark_count <= BOOKS_MAX) {
        size_t size = 0;
        while (size < files.size && files.data[size] != ';' && files.data[size] != '|')
            size++;
        struct span name = span_trim(span_make(files.data, size));
        if (name.size && set->count == BOOKS_MAX) {
            add_remark(set, "only the first 16 books are used", false);
            break;
        }
        if (name.size) {
            enum caxton_status status = add_file(set, name);
            if (status != STATUS_OK)
                return status;
        }
        files = span_from(files, size + (size < files.size));
    }
    return STATUS_OK;
}

enum caxton_status book_set_open(const char *files, struct book_set **out)
{
    struct book_set *set = calloc(1, sizeof *set);
    if (!set)
        return STATUS_NO_MEMORY;
    struct span names = span_trim(span_of(files));
    enum caxton_status status = add_files(set, names.size ? names : span_of("<empty>"));
    if (status != STATUS_OK) {
        book_set_close(set);
        return status;
    }
    *out = set;
    return STATUS_OK;
}

void book_set_close(struct book_set *set)
{
    if (!set)
        return;
    for (int i = 0; i < set->count; i++)
        book_close(set->books[i]);
    free(set);
}

int book_set_count(const struct book_set *set)
{
    return set->count;
}

const struct book *book_set_book(const struct book_set *set, int index)
{
    return set->books[index];
}

int book_set_remark_count(const struct book_set *set)
{
    return set->remark_count;
}

const char *book_set_remark(const struct book_set *set, int index)
{
    return set->remarks[index].text;
}

bool book_set_is_failure(const struct book_set *set, int index)
{
    return set->remarks[index].is_failure;
}

/* Is the book there for the side to move? */
static bool serves(const struct book_set *set, int index, const struct game *game)
{
    int color = set->options[index].color;
    return color < 0 || color == game_position(game)->turn;
}

int book_set_probe(const struct book_set *set, const struct game *game, struct book_move *out,
                   int capacity, const struct book **from)
{
    for (int i = 0; i < set->count; i++) {
        int count = serves(set, i, game) ? book_probe_game(set->books[i], game, out, capacity) : 0;
        if (count > 0) {
            *from = set->books[i];
            return count;
        }
    }
    return 0;
}

/* The game with one move more, to be destroyed; NULL when there is no memory. */
static struct game *game_after(const struct game *game, move m)
{
    struct game *after = game_create();
    if (!after)
        return NULL;
    enum caxton_status status = STATUS_OK;
    game_reset(after, game_start(game));
    for (size_t ply = 0; ply < game_plies(game) && status == STATUS_OK; ply++)
        status = game_play(after, game_move(game, ply));
    if (status == STATUS_OK)
        status = game_play(after, m);
    if (status == STATUS_OK)
        return after;
    game_destroy(after);
    return NULL;
}

/* The reply to `m` in `game` of the first book that knows one. `after`: the game after `m`. */
static move reply_to(const struct book_set *set, const struct game *game, move m,
                     const struct game *after)
{
    move reply = MOVE_NONE;
    for (int i = 0; i < set->count && reply == MOVE_NONE; i++) {
        const struct book *book = set->books[i];
        struct book_move best;
        if (book->format->hint)
            reply = book->format->hint(book->state, game_position(game), game, m);
        else if (book_probe_game(book, after, &best, 1) == 1 && best.weight > 0)
            reply = best.move;
    }
    return reply;
}

int book_set_line(const struct book_set *set, const struct game *game, move first, move *out,
                  int capacity)
{
    int length = 0;
    struct game *before = NULL;
    const struct game *at = game;
    for (move m = first; m != MOVE_NONE && length < capacity; length++) {
        out[length] = m;
        struct game *after = game_would_repeat(at, m) ? NULL : game_after(at, m);
        m = after ? reply_to(set, at, m, after) : MOVE_NONE;
        game_destroy(before);
        at = before = after;
    }
    game_destroy(before);
    return length;
}

/* Leaves out the moves that the settings do not allow: their weight is 0. */
static void allow(const struct book_settings *settings, struct book_move *moves, int count)
{
    for (int i = 0; i < count && settings->move_count; i++) {
        bool is_allowed = false;
        for (int j = 0; j < settings->move_count; j++)
            is_allowed = is_allowed || settings->moves[j] == moves[i].move;
        moves[i].weight = is_allowed ? moves[i].weight : 0;
    }
}

/* The index of the move that the book plays, -1: none. known: room for MOVES_MAX, filled with what
 * it knows. */
static int choose(const struct book_set *set, int index, const struct game *game,
                  const struct book_settings *settings, struct rng *rng, struct book_move *known,
                  int *count)
{
    const struct entry_options *own = &set->options[index];
    struct book_move preferred[MOVES_MAX];
    bool is_over = own->depth_plies < 0 ? settings->is_over : settings->plies >= own->depth_plies;
    if (is_over || !serves(set, index, game))
        return -1;
    *count = book_probe_game(set->books[index], game, known, MOVES_MAX);
    memcpy(preferred, known, (size_t)*count * sizeof *known);
    allow(settings, preferred, *count);
    book_prefer(preferred, *count, settings->styles);
    return book_choose(
        preferred, *count,
        own->selection < 0 ? settings->selection : (enum book_selection)own->selection,
        own->threshold_permille < 0 ? settings->threshold_permille : own->threshold_permille, rng);
}

enum caxton_status book_set_choose(const struct book_set *set, const struct game *game,
                                   const struct book_settings *settings, struct rng *rng,
                                   struct book_answer *out)
{
    for (int i = 0; i < set->count; i++) {
        struct book_move known[MOVES_MAX];
        int count = 0;
        int chosen = choose(set, i, game, settings, rng, known, &count);
        if (chosen < 0)
            continue;
        move line[2];
        int length = book_set_line(set, game, known[chosen].move, line, 2);
        *out = (struct book_answer){.move = known[chosen].move,
                                    .ponder = length > 1 ? line[1] : MOVE_NONE,
                                    .share_permille = book_share_permille(known, count, chosen),
                                    .name = book_name(set->books[i])};
        return STATUS_OK;
    }
    return STATUS_NOT_FOUND;
}
