#include "book/makebook/commands/convert_suite.h"

#include <stdio.h>

#include "base/atomic_file.h"
#include "book/graph/suite.h"
#include "book/makebook/cli/outputs.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/pgn_write.h"

/* Smaller suites repeat openings in most matches. */
enum { SMALL_SUITE = 100 };

struct suite_output {
    const struct book_graph *graph;
    struct book_suite suite;
    bool as_games;
    struct game *game; /* the line at hand */
    FILE *out;
};

/* The four fields of EPD and, in operations, the numbers that a FEN has, too. */
static void write_position(const struct suite_output *output, const struct eco *eco)
{
    const struct position *pos = game_position(output->game);
    char fen[FEN_MAX];
    fen_format(pos, fen);
    size_t fields = 0;
    size_t size = 0;
    while (fen[size] && (fen[size] != ' ' || ++fields < 4))
        size++;
    (void)fprintf(output->out, "%.*s hmvc %u; fmvn %u;", (int)size, fen, (unsigned)pos->rule50,
                  (unsigned)pos->fullmove);
    if (eco)
        (void)fprintf(output->out, " id \"%s %s\";", eco->code, eco->name);
    (void)fputc('\n', output->out);
}

static enum caxton_status write_game(const struct suite_output *output, const struct eco *eco)
{
    const struct pgn_tag tags[] = {
        {span_of("Event"), span_of("Opening suite")},
        {span_of("ECO"), span_of(eco ? eco->code : "")},
        {span_of("Opening"), span_of(eco ? eco->name : "")},
    };
    return pgn_write(output->out, output->game, tags, eco ? 3 : 1,
                     pgn_result_on_board(output->game), NULL, NULL);
}

static enum caxton_status write_step(struct suite_output *output, size_t step)
{
    move line[BOOK_GRAPH_PLIES_MAX];
    enum caxton_status status = STATUS_OK;
    game_reset(output->game, book_suite_line(&output->suite, output->graph, step, line));
    for (uint32_t i = 0; i < output->suite.plies && status == STATUS_OK; i++)
        status = game_play(output->game, line[i]);
    if (status != STATUS_OK)
        return status;
    const struct eco *eco = eco_find_last(game_keys(output->game), game_plies(output->game) + 1);
    if (output->as_games)
        return write_game(output, eco);
    write_position(output, eco);
    return STATUS_OK;
}

static enum caxton_status write_all(struct suite_output *output)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = output->suite.first; i < output->suite.step_count && status == STATUS_OK; i++)
        status = write_step(output, i);
    return status;
}

static int save(const struct command_line *line, struct suite_output *suite, const char *output)
{
    struct atomic_file *file = NULL;
    if (!outputs_create(line, output, &file))
        return EXIT_FAILED;
    suite->out = atomic_file_stream(file);
    enum caxton_status status = write_all(suite);
    return outputs_end(line, file, status, status_name(status));
}

static size_t positions_of(const struct book_suite *suite)
{
    return suite->step_count - suite->first;
}

/* Of a small suite: which fewer plies give the most positions, if any give more. */
static void hint_plies(FILE *report, const struct book_graph *graph, const struct book_suite *suite)
{
    size_t most = positions_of(suite);
    uint32_t best = suite->plies;
    if (most >= SMALL_SUITE)
        return;
    for (uint32_t plies = suite->plies - 1; plies > 0; plies--) {
        struct book_suite other;
        if (book_suite_create(graph, plies, &other) != STATUS_OK)
            return; /* out of memory: a report without a hint is better than none */
        if (positions_of(&other) > most) {
            most = positions_of(&other);
            best = plies;
        }
        book_suite_free(&other);
    }
    if (best < suite->plies)
        (void)fprintf(report,
                      "  few lines are so long: --suite %u gives %zu; a book with a smaller "
                      "--min-games, --min-score or --min-share has more\n",
                      (unsigned)best, most);
}

int convert_suite(const struct command_line *line, const struct book *book, uint32_t plies,
                  bool as_games, const char *output, bool quiet)
{
    struct diag diag = {.text = ""};
    struct book_graph graph = {0};
    struct suite_output suite = {.graph = &graph, .as_games = as_games};
    if (book_graph_create(book, NULL, &graph, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    suite.game = game_create();
    enum caxton_status status =
        suite.game ? book_suite_create(&graph, plies, &suite.suite) : STATUS_NO_MEMORY;
    int answer;
    if (status == STATUS_OK)
        answer = save(line, &suite, output);
    else if (status == STATUS_NOT_FOUND)
        answer = command_fail(line, "%s: no line of the book has %u plies from the start",
                              book_name(book), (unsigned)plies);
    else
        answer = command_fail(line, "%s: %s", book_name(book), status_name(status));
    if (answer == EXIT_DONE && !quiet) {
        size_t count = positions_of(&suite.suite);
        (void)fprintf(outputs_report(output), "%s: %zu position%s after %u plies\n",
                      text_safe(output).text, count, count == 1 ? "" : "s", (unsigned)plies);
        hint_plies(outputs_report(output), &graph, &suite.suite);
    }
    game_destroy(suite.game);
    book_suite_free(&suite.suite);
    book_graph_destroy(&graph);
    return answer;
}
