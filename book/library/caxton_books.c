#include "book/library/caxton_books.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/thread.h"
#include "book/count/builder.h"
#include "book/count/input/input.h"
#include "book/format.h"
#include "book/graph/graph.h"
#include "book/open/convert.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "book/statistics/facets.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"

_Static_assert((int)CAXTON_MOVES_MAX == (int)MOVES_MAX &&
                   (int)CAXTON_LOST_MAX == (int)BOOK_LOSSES_TEXT_MAX,
               "arrays of the caller");

int caxton_books_abi(void)
{
    return CAXTON_BOOKS_ABI;
}

/* What a program does first. */
static enum caxton_status start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, chess_init) == 0 ? STATUS_OK : STATUS_THREAD;
}

/* Hands on what went wrong, if anything did. */
static int answer(enum caxton_status status, const struct diag *diag, struct caxton_fault *fault)
{
    if (status == STATUS_OK)
        return 0;
    fault->status = (int32_t)status;
    text_copy(fault->text, sizeof fault->text,
              span_of(*diag->text ? diag->text : status_name(status)));
    text_make_safe(fault->text); /* names of files may have line ends */
    return 1;
}

int caxton_open(const char *path, struct book **out, struct caxton_fault *fault)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = start();
    if (status == STATUS_OK)
        status = path ? book_open(path, out, &diag) : book_open_builtin(out);
    return answer(status, &diag, fault);
}

void caxton_close(struct book *book)
{
    book_close(book);
}

void caxton_describe(const struct book *book, struct caxton_info *out)
{
    *out = (struct caxton_info){book_name(book), book_format_name(book), book_warning(book),
                                book_entry_count(book), book->counts ? book->counts->unit : 0};
}

static void describe(const struct position *pos, const struct book_move_facts *facts, bool chess960,
                     struct caxton_move *out)
{
    *out = (struct caxton_move){
        .weight = facts->weight,
        .learn = facts->learn,
        .results = {facts->wins, facts->draws, facts->losses},
        .ratings = {book_move_rating(facts, 0), book_move_rating(facts, 1)},
        .record = {facts->games, facts->won, facts->lost},
        .nodes = facts->searched ? facts->nodes : 0,
        .score = facts->searched ? facts->score : 0,
        .depth = facts->searched ? facts->depth : 0,
    };
    move_to_uci(facts->move, chess960, out->uci);
    move_to_san(pos, facts->move, out->san);
}

int caxton_look_up(const struct book *book, const char *fen, int chess960, struct caxton_move *out,
                   int32_t *count, struct caxton_fault *fault)
{
    struct diag diag = {.text = ""};
    struct position pos;
    struct book_facts facts;
    struct diag why;
    enum caxton_status status = fen_parse(span_of(fen), &pos, &why);
    if (status != STATUS_OK)
        diag_set(&diag, 0, 0, "FEN, column %zu: %s", why.column, why.text);
    else
        status = book_look_up(book, &pos, &facts, &diag);
    *count = 0;
    for (int i = 0; status == STATUS_OK && i < facts.count; i++)
        if (facts.moves[i].move != MOVE_NONE)
            describe(&pos, &facts.moves[i], chess960 || fen_is_chess960(&pos), &out[(*count)++]);
    return answer(status, &diag, fault);
}

int caxton_entry_at(const struct book *book, uint64_t index, struct caxton_entry *out)
{
    const struct entry_table *table = book_table(book);
    if (!table || index >= table->count)
        return 0;
    struct book_entry entry = entry_table_at(table, (size_t)index);
    *out = (struct caxton_entry){
        .key = entry.key, .weight = entry.weight, .learn = entry.learn, .move = entry.move};
    polyglot_move_text(entry.move, out->uci);
    return 1;
}

static int visit(const struct book_graph *graph, uint32_t index, caxton_visitor visitor)
{
    char fen[FEN_MAX];
    char start[FEN_MAX];
    char line[BOOK_GRAPH_PLIES_MAX * 6 + 1] = "";
    move moves[BOOK_GRAPH_PLIES_MAX];
    struct position pos;
    struct text_buffer text = text_buffer_on(line, sizeof line);
    const struct book_node *node = &graph->nodes[index];
    const struct position *root = &graph->roots[node->root];
    book_graph_position(graph, index, &pos, moves);
    for (uint32_t ply = 0; ply < node->ply; ply++) {
        char uci[UCI_MAX];
        move_to_uci(moves[ply], fen_is_chess960(root), uci);
        text_append(&text, "%s%s", ply ? " " : "", uci);
    }
    fen_format(&pos, fen);
    fen_format(root, start);
    return visitor(pos.key, fen, start, line);
}

int caxton_walk(const struct book *book, caxton_visitor visitor, struct caxton_fault *fault)
{
    struct diag diag = {.text = ""};
    struct book_graph graph = {0};
    struct book *whole = NULL;
    enum caxton_status status =
        book->counts ? book_open_whole(book_name(book), &whole, &diag) : STATUS_OK;
    if (status == STATUS_OK)
        status = book_graph_create(whole ? whole : book, NULL, &graph, &diag);
    bool goes_on = status == STATUS_OK;
    for (uint32_t i = 0; i < graph.node_count && goes_on; i++)
        goes_on = !graph.nodes[i].known || visit(&graph, i, visitor) == 0;
    book_graph_destroy(&graph);
    book_close(whole);
    return answer(status, &diag, fault);
}

/* Making books ----------------------------------------------------------------------------- */

/* What options can set. */
struct chosen_options {
    struct build_options build;
    struct filter_setting settings[FILTER_ROWS_MAX];
    const char *weight;
    const char *min_score;
    const char *facets;
    int64_t min_games;
    int64_t min_share_ppm;
    int64_t max_plies;
    int64_t memory_mb;
    int64_t jobs;
};

enum { JOBS_MAX = 256, WEIGHING_ROWS = 5, OTHER_ROWS = 14 };

static enum caxton_status take_option(const char *option, const struct option_row *rows,
                                      size_t count, struct diag *diag)
{
    size_t size = strcspn(option, "=");
    for (size_t i = 0; i < count; i++)
        if (span_equal(span_make(option, size), rows[i].name))
            return option_set(&rows[i], option[size] ? option + size + 1 : NULL, diag);
    return diag_fail(STATUS_NOT_FOUND, diag, "there is no option %.*s here", (int)size, option);
}

/* is_all: not those of weighing alone. */
static enum caxton_status take_options(struct chosen_options *chosen, bool is_all,
                                       const char *const *options, struct diag *diag)
{
    struct count_options *count = &chosen->build.count;
    struct option_row rows[OTHER_ROWS + FILTER_ROWS_MAX] = {
        NUMBER_ROW("min-games", 0, NULL, NULL, &chosen->min_games, 0, INT64_MAX),
        TEXT_ROW("weight", 0, NULL, NULL, &chosen->weight),
        FLAG_ROW("uniform", 0, NULL, &chosen->build.weigh.uniform),
        PERCENT_ROW("min-share", NULL, &chosen->min_share_ppm, 4),
        TEXT_ROW("min-score", 0, NULL, NULL, &chosen->min_score),
        NUMBER_ROW("max-ply", 0, NULL, NULL, &chosen->max_plies, 1, 100000),
        TEXT_ROW("facets", 0, NULL, NULL, &chosen->facets),
        FLAG_ROW("mirror", 0, NULL, &count->mirror),
        FLAG_ROW("updatable", 0, NULL, &count->keep_fingerprints),
        FLAG_ROW("keep-duplicates", 0, NULL, &count->keep_duplicates),
        FLAG_ROW("strict", 0, NULL, &count->strict),
        NUMBER_ROW("memory", 0, NULL, NULL, &chosen->memory_mb, 1, 1 << 20),
        NUMBER_ROW("jobs", 0, NULL, NULL, &chosen->jobs, 1, JOBS_MAX),
        TEXT_ROW("temp", 0, NULL, NULL, &count->folder),
    };
    size_t used = OTHER_ROWS;
    for (size_t i = 0; i < filter_row_count; i++)
        if (filter_rows[i].name)
            rows[used++] = filter_option(&filter_rows[i], &chosen->settings[i]);
    enum caxton_status status = STATUS_OK;
    for (; options && *options && status == STATUS_OK; options++)
        status = take_option(*options, rows, is_all ? used : WEIGHING_ROWS, diag);
    return status;
}

static enum caxton_status read_weighing(struct chosen_options *chosen, struct diag *diag)
{
    size_t count;
    struct weigh_options *weigh = &chosen->build.weigh;
    const struct weight_kind *kinds = weight_kinds(&count);
    for (size_t i = 0; chosen->weight && i < count; i++)
        if (strcmp(chosen->weight, kinds[i].name) == 0)
            weigh->kind = &kinds[i];
    if (chosen->weight && !weigh->kind)
        return diag_fail(STATUS_SYNTAX, diag, "weight: there is no kind %s", chosen->weight);
    if (!weigh_read_score(chosen->min_score, &weigh->min_score))
        return diag_fail(STATUS_SYNTAX, diag, "min-score wants a percent, such as 45.5 or -5");
    weigh->min_share_ppm = (uint32_t)chosen->min_share_ppm;
    weigh->min_games = (uint64_t)chosen->min_games;
    return STATUS_OK;
}

/* is_book: not statistics. */
static enum caxton_status read_counting(struct chosen_options *chosen, bool is_book,
                                        struct diag *diag)
{
    struct diag why = {.text = ""};
    struct count_options *count = &chosen->build.count;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < filter_row_count && status == STATUS_OK; i++) {
        const char *name = filter_rows[i].name;
        if (name)
            status = filter_set(&count->filter, name, &chosen->settings[i], &why);
        if (status != STATUS_OK)
            diag_set(diag, 0, 0, "%s: %s", name, why.text);
    }
    if (status != STATUS_OK)
        return status;
    if (is_book && (count->mirror || count->keep_fingerprints))
        return diag_fail(STATUS_RANGE, diag, "mirror and updatable are for statistics (.wld)");
    if (!is_book && (chosen->weight || chosen->build.weigh.uniform || chosen->min_share_ppm ||
                     chosen->min_score))
        return diag_fail(STATUS_RANGE, diag,
                         "statistics are not weighed before they are converted");
    if (count->keep_fingerprints && (count->keep_duplicates || chosen->min_games > 1))
        return diag_fail(STATUS_RANGE, diag, "updatable: not with keep-duplicates or min-games");
    if (!is_book && strcmp(chosen->facets, "none") != 0 &&
        !facets_read(span_of(chosen->facets), &count->facets))
        return diag_fail(STATUS_SYNTAX, diag, "facets: a list of rating, speed, month; or none");
    count->max_plies = (size_t)chosen->max_plies;
    count->memory_bytes = (size_t)chosen->memory_mb << 20;
    count->jobs = (int)chosen->jobs;
    chosen->build.min_games = chosen->build.weigh.min_games;
    chosen->build.stats_min_games = chosen->build.weigh.min_games;
    return filter_check(&count->filter, diag);
}

/* counts: games, into a book or else statistics; other options than those of weighing are wanted.
 */
static enum caxton_status read_options(struct chosen_options *chosen, const char *const *options,
                                       bool counts, bool is_book, struct diag *diag)
{
    *chosen = (struct chosen_options){.build = build_options_default(),
                                      .facets = "rating,speed,month",
                                      .jobs = thread_processors(JOBS_MAX)};
    chosen->min_games = is_book ? (int64_t)chosen->build.min_games : 0; /* every move */
    chosen->max_plies = (int64_t)chosen->build.count.max_plies;
    chosen->memory_mb = (int64_t)(chosen->build.count.memory_bytes >> 20);
    enum caxton_status status = take_options(chosen, counts, options, diag);
    if (status == STATUS_OK)
        status = read_weighing(chosen, diag);
    return status == STATUS_OK && counts ? read_counting(chosen, is_book, diag) : status;
}

/* Is `output` a file that may be written? */
static enum caxton_status check_output(const char *output, const char *input, struct diag *diag)
{
    if (strcmp(output, "-") == 0)
        return diag_fail(STATUS_NOT_FOUND, diag, "-: this is no file");
    if (input && file_is_same(input, output))
        return diag_fail(STATUS_ILLEGAL, diag, "%s is read: it would be lost", output);
    return STATUS_OK;
}

static enum caxton_status write_book(const struct book *book, const struct book_writer *writer,
                                     const char *path, struct book_losses *losses,
                                     struct diag *diag)
{
    struct diag why = {.text = ""};
    struct atomic_file *file = NULL;
    enum caxton_status status = atomic_file_create(path, &file, diag);
    if (status != STATUS_OK)
        return status;
    status = book_convert(book, writer, atomic_file_stream(file), losses, &why);
    if (status == STATUS_OK)
        return atomic_file_commit(file, diag);
    if (!atomic_file_has_failed(file, diag))
        diag_set(diag, 0, 0, "%s: %s", path, *why.text ? why.text : status_name(status));
    atomic_file_abort(file);
    return status;
}

int caxton_convert(const struct book *book, const char *path, const char *kind,
                   const char *const *options, char *lost, struct caxton_fault *fault)
{
    struct diag diag = {.text = ""};
    struct book_losses losses = {0};
    struct chosen_options chosen;
    struct book *weighed = NULL;
    const struct book_writer *writer = kind ? formats_writer(kind) : formats_writer_of_path(path);
    enum caxton_status status = read_options(&chosen, options, false, true, &diag);
    if (status == STATUS_OK)
        status = check_output(path, book_name(book), &diag);
    if (status == STATUS_OK && !writer)
        status = diag_fail(STATUS_NOT_FOUND, &diag, "%s: no kind of book that can be written",
                           kind ? kind : path);
    if (status == STATUS_OK && options && *options && !book->counts)
        status = diag_fail(STATUS_RANGE, &diag, "%s: only statistics are weighed", book_name(book));
    if (status == STATUS_OK && book->counts)
        status = book_open_weighed(book_name(book), chosen.build.weigh, &weighed, &diag);
    if (status == STATUS_OK)
        status = write_book(weighed ? weighed : book, writer, path, &losses, &diag);
    book_close(weighed);
    if (status == STATUS_OK)
        (void)book_losses_text(&losses, lost);
    return answer(status, &diag, fault);
}

/* Counting --------------------------------------------------------------------------------- */

struct count_reading {
    struct builder *builder;
    struct input *input;
    caxton_asked asked;
    uint64_t bytes_before; /* of the files before this one */
    bool is_stopped;
};

/* Has the caller had enough? bytes: read so far. */
static bool ask(struct count_reading *reading, uint64_t bytes)
{
    reading->is_stopped =
        reading->asked && reading->asked(bytes, builder_report(reading->builder)->count.games) != 0;
    return reading->is_stopped;
}

/* A pgn_source. */
static enum caxton_status read_some(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct count_reading *reading = context;
    if (ask(reading, reading->bytes_before + input_bytes_read(reading->input)))
        return STATUS_IO;
    return input_read(reading->input, buffer, capacity, size);
}

static void bad_game_text(const struct bad_game *bad, char *out, size_t capacity)
{
    struct text_buffer text = text_buffer_on(out, capacity);
    text_append(&text, "%s:%zu:%zu: game %llu: %s", bad->file, bad->diag.line, bad->diag.column,
                (unsigned long long)bad->number, bad->diag.text);
    text_make_safe(out);
}

static enum caxton_status read_games(struct count_reading *reading, const char *path,
                                     struct diag *diag)
{
    enum caxton_status status = check_output(path, NULL, diag);
    if (status == STATUS_OK)
        status = input_open(path, &reading->input, diag);
    if (status != STATUS_OK)
        return status;
    status = builder_read(reading->builder, read_some, reading, path, diag);
    if (reading->is_stopped)
        diag_set(diag, 0, 0, "%s: stopped", path);
    else if (status != STATUS_OK && *input_fault(reading->input))
        diag_set(diag, 0, 0, "%s: %s", path, input_fault(reading->input));
    else if (pgn_is_game_fault(status))
        bad_game_text(&builder_report(reading->builder)->count.bad[0], diag->text,
                      sizeof diag->text);
    reading->bytes_before += input_bytes_read(reading->input);
    input_close(reading->input);
    return status;
}

static enum caxton_status write_counts(struct builder *builder, bool is_book,
                                       struct atomic_file *file, struct diag *diag)
{
    FILE *stream = atomic_file_stream(file);
    const struct build_report *report = builder_report(builder);
    enum caxton_status status =
        builder_write(builder, is_book ? stream : NULL, is_book ? NULL : stream, diag);
    if (status != STATUS_OK)
        (void)atomic_file_has_failed(file, diag);
    else if (report->weights.entries + report->records == 0)
        status = diag_fail(STATUS_NOT_FOUND, diag,
                           "no move is left: of %llu games %llu were counted; nothing is written",
                           (unsigned long long)report->count.games,
                           (unsigned long long)report->count.used);
    return status;
}

static void report_count(const struct build_report *report, struct caxton_counted *out)
{
    const struct count_report *count = &report->count;
    *out = (struct caxton_counted){count->games,     count->used,
                                   count->plies,     report->weights.entries + report->records,
                                   count->bad_games, {""}};
    for (size_t i = 0; i < BAD_GAMES_SHOWN && i < count->bad_games; i++)
        bad_game_text(&count->bad[i], out->bad[i], sizeof out->bad[i]);
}

int caxton_count(const char *const *games, const char *path, const char *const *options,
                 caxton_asked asked, struct caxton_counted *out, struct caxton_fault *fault)
{
    struct diag diag = {.text = ""};
    struct chosen_options chosen;
    struct count_reading reading = {.asked = asked};
    struct atomic_file *file = NULL;
    const struct book_format *format = formats_of_path(path);
    bool is_book = format && format->holds_entries;
    enum caxton_status status = start();
    if (status == STATUS_OK)
        status = read_options(&chosen, options, true, is_book, &diag);
    if (status == STATUS_OK && !is_book && !(format && strcmp(format->extension, "wld") == 0))
        status = diag_fail(STATUS_RANGE, &diag, "%s: games are counted into .bin or .wld", path);
    for (size_t i = 0; status == STATUS_OK && games[i]; i++)
        status = check_output(path, games[i], &diag);
    if (status == STATUS_OK)
        status = atomic_file_create(path, &file, &diag);
    if (status == STATUS_OK)
        reading.builder = builder_create(&chosen.build, &status);
    for (; status == STATUS_OK && *games; games++)
        status = read_games(&reading, *games, &diag);
    if (status == STATUS_OK)
        status = write_counts(reading.builder, is_book, file, &diag);
    if (status == STATUS_OK && ask(&reading, reading.bytes_before))
        status = diag_fail(STATUS_IO, &diag, "%s: stopped", path);
    if (reading.builder)
        report_count(builder_report(reading.builder), out);
    builder_destroy(reading.builder);
    if (status == STATUS_OK)
        status = atomic_file_commit(file, &diag);
    else
        atomic_file_abort(file);
    return answer(status, &diag, fault);
}
