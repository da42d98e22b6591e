/* makebook match: which of two books is better? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/thread.h"
#include "base/xxh64.h"
#include "book/count/input/input.h"
#include "book/makebook/cli/openings.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/verdict.h"
#include "book/makebook/commands/commands.h"
#include "book/match/book_match.h"
#include "book/open/builtin.h"
#include "book/open/open.h"
#include "search/limits.h"

struct match_command {
    const char *output;
    const char *openings_name;
    const char *statistics;
    const char *tc;
    const char *draw;
    const char *resign;
    int64_t games;
    int64_t nodes;
    int64_t hash_mb;
    int64_t seed;
    int64_t threads;
    int64_t elo0;
    int64_t elo1;
    int64_t limit;
    int color; /* 0: both */
    bool json;
    bool quiet;
    struct command_line line;

    char names[2][512];
    struct book_set *books[2];
    struct openings openings;
    struct book_match_settings settings;
    struct compared compared;
    struct diff_verdict verdict; /* plies: {0, 0} where the books were not compared */
    struct progress progress;
};

/* Books --------------------------------------------------------------------------------------- */

static bool is_builtin(const char *name)
{
    return strcmp(name, "builtin") == 0 || strcmp(name, "<builtin>") == 0;
}

static bool is_none(const char *name)
{
    return !*name || strcmp(name, "none") == 0;
}

/* Adds what the file holds to *print: it may be larger than memory. */
static bool print_file(const struct command_line *line, const char *path, uint64_t *print)
{
    char part[1 << 14];
    size_t size;
    FILE *file = file_open(path);
    while (file && (size = fread(part, 1, sizeof part, file)) > 0)
        *print = xxh64(part, size, *print);
    bool done = file && !ferror(file);
    if (file)
        (void)fclose(file);
    return done || command_refuse(line, "%s: cannot be read", path);
}

/* How the games and the report name the books: without folders, unless they are several files. */
static void name_books(struct match_command *command)
{
    enum { NAME_SHOWN = 500 };
    char *const *names = command->line.operands;
    const char *shown[2];
    for (int which = 0; which < 2; which++) {
        bool several = strpbrk(names[which], ";|") != NULL;
        shown[which] = is_none(names[which]) ? "none"
                       : several             ? names[which]
                                             : file_name_of(names[which]);
        command->settings.names[which] = command->names[which];
    }
    bool same = strncmp(shown[0], shown[1], NAME_SHOWN) == 0;
    for (int which = 0; which < 2; which++)
        (void)snprintf(command->names[which], sizeof command->names[0], "%.*s%s", NAME_SHOWN,
                       shown[which],
                       !same   ? ""
                       : which ? " B"
                               : " A");
}

static bool open_book(struct match_command *command, int which)
{
    const struct command_line *line = &command->line;
    const char *name = line->operands[which];
    uint64_t print = 0;
    if (!is_none(name)) {
        if (book_set_open(is_builtin(name) ? "<builtin>" : name, &command->books[which]) !=
            STATUS_OK)
            return command_refuse(line, "out of memory");
        const struct book_set *set = command->books[which];
        for (int i = 0; i < book_set_remark_count(set); i++) {
            if (book_set_is_failure(set, i))
                return command_refuse(line, "%s", book_set_remark(set, i));
            (void)command_fail(line, "warning: %s", book_set_remark(set, i));
        }
        for (int i = 0; i < book_set_count(set); i++) {
            const struct book *book = book_set_book(set, i);
            size_t size = (size_t)(builtin_book_end - builtin_book_start);
            if (book_is_builtin(book))
                print = xxh64(builtin_book_start, size, print);
            else if (!print_file(line, book_name(book), &print))
                return false;
        }
    }
    command->settings.books[which] = command->books[which];
    command->settings.prints[which] = print;
    return true;
}

/* Both books by themselves, and by the statistics, where both are single books. */
static bool compare_books(struct match_command *command)
{
    char *names[DIFF_SOURCES] = {NULL, NULL, (char *)command->statistics};
    struct diag diag = {.text = "out of memory"};
    static char builtin[] = "builtin";
    for (int which = 0; which < 2; which++) {
        char *name = command->line.operands[which];
        names[which] = is_builtin(name) ? builtin : name;
        if (!is_builtin(name) && file_kind_of(name, NULL) != FILE_REGULAR)
            return !command->statistics ||
                   command_refuse(&command->line, "--statistics: \"%s\" is not one book", name);
    }
    if (!compared_open(&command->line, names, command->statistics ? 3 : 2, &command->compared))
        return !command->statistics;
    return diff_verdict_take(&command->compared, &command->verdict, &diag) == STATUS_OK ||
           command_refuse(&command->line, "%s", diag.text);
}

/* Options ------------------------------------------------------------------------------------- */

struct match_word {
    const char *name;
    int64_t *value;
};

/* Reads "movecount=4,score=600", or "none" for counts of 0. */
static bool read_words(const struct command_line *line, const char *option, const char *text,
                       const struct match_word *words, int count)
{
    struct span rest = span_of(strcmp(text, "none") == 0 ? "" : text);
    while (rest.size) {
        size_t end = strcspn(rest.data, ", ");
        struct span word = span_make(rest.data, end);
        const char *equals = memchr(word.data, '=', word.size);
        bool known = false;
        rest = span_from(rest, end + (rest.data[end] != '\0'));
        for (int i = 0; equals && i < count; i++)
            known |=
                span_equal(span_make(word.data, (size_t)(equals - word.data)), words[i].name) &&
                span_to_int(span_make(equals + 1, word.size - (size_t)(equals + 1 - word.data)), 0,
                            100000, words[i].value) == STATUS_OK;
        if (!known)
            return (void)command_misuse(line, "--%s: \"%.*s\" is none of %s=N, ..", option,
                                        (int)word.size, word.data, words[0].name),
                   false;
    }
    return true;
}

static enum exit_status read_settings(struct match_command *command)
{
    struct book_match_settings *settings = &command->settings;
    const struct command_line *line = &command->line;
    const struct match_word draw[] = {{"movenumber", &settings->draw_number},
                                      {"movecount", &settings->draw_count},
                                      {"score", &settings->draw_cp}};
    const struct match_word resign[] = {{"movecount", &settings->resign_count},
                                        {"score", &settings->resign_cp}};
    settings->seed = (uint64_t)command->seed;
    settings->nodes = command->tc ? 0 : (uint64_t)command->nodes;
    settings->hash_mb = (int)command->hash_mb;
    settings->color = command->color - 1;
    settings->games = (size_t)command->games;
    settings->threads =
        command->threads ? (int)command->threads : thread_processors(MATCH_THREADS_MAX);
    settings->sprt = options_given(line, "elo1");
    settings->nelo0 = (double)command->elo0;
    settings->nelo1 = (double)command->elo1;
    if (command->tc && !time_control_read(command->tc, &settings->control))
        return command_misuse(line, "--tc wants seconds, or seconds+increment: 8+0.08");
    if (settings->sprt && command->elo0 >= command->elo1)
        return command_misuse(line, "--elo0 must be less than --elo1");
    if (settings->sprt && command->color)
        return command_misuse(line, "an SPRT is by pairs of games: not with --color");
    if (settings->color < 0 && settings->games % 2)
        return command_misuse(line, "games are played in pairs: --games wants an even number");
    if (!read_words(line, "draw", command->draw, draw, 3) ||
        !read_words(line, "resign", command->resign, resign, 2))
        return EXIT_USAGE;
    if (command->output && outputs_is_standard(command->output))
        return command_misuse(line, "the games are a file that a match goes on with: not -");
    enum exit_status answer = outputs_protect_inputs(line, line->operand_count, command->output);
    if (answer == EXIT_DONE)
        answer = outputs_protect(line, command->openings_name, command->output);
    return answer == EXIT_DONE ? outputs_protect(line, command->statistics, command->output)
                               : answer;
}

/* Games (.pgn), or else a list of positions. */
static bool read_openings(struct match_command *command)
{
    const char *name = command->openings_name;
    const struct command_line *line = &command->line;
    struct openings *openings = &command->openings;
    struct input *input = NULL;
    struct diag diag = {.text = ""};
    bool done = true;
    if (!name)
        return true;
    if (strstr(file_name_of(name), ".pgn")) {
        if (input_open(name, &input, &diag) != STATUS_OK)
            return command_refuse(line, "%s", diag.text);
        done = openings_add_games(line, name, input_read, input, openings);
        input_close(input);
    } else {
        done = openings_add_positions(line, name, openings);
    }
    if (done && openings->suite.count == 0)
        return command_refuse(line, "%s: no opening", name);
    suite_mix(&openings->suite, (uint64_t)command->seed);
    command->settings.openings = &openings->suite;
    return done;
}

/* The report ---------------------------------------------------------------------------------- */

static void put_books(struct match_command *command, struct report *to)
{
    for (int which = 0; which < 2; which++)
        report_say(to, "%c  %s\n", "AB"[which], text_safe(command->names[which]).text);
    if (!command->compared.graphs[1].nodes)
        return;
    if (to->text)
        diff_verdict_print(to->text, &command->verdict);
    else
        diff_verdict_json(&to->json, &command->verdict);
}

static void put_sprt(const struct match_command *command, const struct match_tally *tally,
                     struct report *to)
{
    if (!command->settings.sprt)
        return;
    json_decimal(&to->json, "llr", tally->llr, 3);
    report_say(to, "LLR %+.2f (-%.2f, %.2f) of nElo %lld against %lld: %s\n", tally->llr,
               MATCH_LLR_END, MATCH_LLR_END, (long long)command->elo1, (long long)command->elo0,
               !tally->decided  ? "not decided"
               : tally->llr > 0 ? "accepted"
                                : "rejected");
}

static void put_result(const struct match_command *command, const struct match_tally *tally,
                       struct report *to)
{
    const struct match_score score = match_score_of(tally->pairs);
    bool pairs = command->settings.color < 0;
    json_unsigned(&to->json, "games", tally->games);
    json_unsigned(&to->json, "wins", tally->results[2]);
    json_unsigned(&to->json, "draws", tally->results[1]);
    json_unsigned(&to->json, "losses", tally->results[0]);
    report_say(to, "%" PRIu64 " games: +%" PRIu64 " =%" PRIu64 " -%" PRIu64 " for A, %.1f %%",
               tally->games, tally->results[2], tally->results[1], tally->results[0],
               100 * score.mean);
    openings_put_score(to, &score, pairs);
    if (score.deviation > 0)
        report_say(to, ", LOS %.1f %%", 100 * match_los(&score));
    if (pairs) {
        report_say(to, "\npairs [LL, LD, WL, DD, WD, WW] ");
        openings_put_pairs(to, tally->pairs);
    }
    report_say(to, "\n");
    put_sprt(command, tally, to);
    report_nonzero(to, "repeated", "", tally->repeated, "games repeat another one move for move");
}

static void put_sides(const struct match_tally *tally, struct report *to)
{
    json_array(&to->json, "sides");
    report_say(to, "%14s %12s %12s %14s\n", "", "book moves", "left first", "score at exit");
    for (int which = 0; which < 2; which++) {
        const struct match_side *side = &tally->sides[which];
        double moves = (double)side->book_moves / (double)tally->games;
        double first = (double)side->left_first / (double)tally->games;
        double cp = side->exits ? side->exit_cp / (double)side->exits : 0;
        json_object(&to->json, NULL);
        json_decimal(&to->json, "book_moves", moves, 3);
        json_decimal(&to->json, "left_first", first, 4);
        json_decimal(&to->json, "exit_cp", cp, 1);
        json_end(&to->json);
        report_say(to, "%14c %12.1f %10.0f %% %+14.2f\n", "AB"[which], moves, 100 * first,
                   cp / 100);
    }
    json_end(&to->json);
}

static void put_openings(const struct match_command *command, const struct match_tally *tally,
                         struct report *to)
{
    json_array(&to->json, "openings");
    report_say(to, "where A lost most, in points below one half:\n");
    for (size_t i = 0; i < tally->opening_count; i++) {
        const struct match_opening *opening = &tally->openings[i];
        double games = (double)opening->games;
        double points = (double)opening->points / 2;
        if (report_is_cut(to, command->limit, i, tally->opening_count))
            break;
        json_line(&to->json);
        json_object(&to->json, NULL);
        json_text(&to->json, "eco", opening->code);
        json_text(&to->json, "name", opening->name);
        json_text(&to->json, "color", opening->color == WHITE ? "white" : "black");
        json_unsigned(&to->json, "games", opening->games);
        json_decimal(&to->json, "points", points, 1);
        json_end(&to->json);
        report_say(to, "%+8.1f %6.0f game%s %5.1f %%  as %s  %s %s\n", points - games / 2, games,
                   opening->games == 1 ? " " : "s", 100 * points / games,
                   opening->color == WHITE ? "White" : "Black", opening->code,
                   text_safe(opening->name).text);
    }
    json_end(&to->json);
}

static void report_match(struct match_command *command, const struct match_tally *tally)
{
    struct report to = report_begin(stdout, command->json);
    to.label_width = 0;
    to.number_width = 8;
    json_object(&to.json, NULL);
    if (command->json)
        put_books(command, &to);
    if (tally->games > 0) {
        put_result(command, tally, &to);
        put_sides(tally, &to);
        put_openings(command, tally, &to);
    }
    json_end(&to.json);
    if (command->json)
        (void)putchar('\n');
}

/* The match ----------------------------------------------------------------------------------- */

static void show(void *context, const struct match_tally *tally)
{
    struct match_command *command = context;
    char data[160];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    const struct match_score score = match_score_of(tally->pairs);
    if (!progress_is_due(&command->progress))
        return;
    text_append(&text, "%" PRIu64 " of %zu games, %.1f +- %.1f %%", tally->games,
                command->settings.games, 100 * score.mean, 100 * score.error);
    if (command->settings.sprt)
        text_append(&text, ", LLR %+.2f", tally->llr);
    progress_text(&command->progress, data);
}

static void stop(void *context)
{
    book_match_stop(context);
}

static enum exit_status play(struct match_command *command)
{
    struct diag diag = {.text = "out of memory"};
    struct book_match *match = NULL;
    const struct command_line *line = &command->line;
    enum caxton_status status =
        book_match_create(&command->settings, command->output, &match, &diag);
    if (status != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    struct report first = report_begin(stdout, false);
    if (!command->json && !command->quiet)
        put_books(command, &first);
    (void)fflush(stdout); /* command_end() tells of faults */
    struct interrupt *interrupt = interrupt_catch(stop, match);
    progress_start(&command->progress, command->quiet, 0);
    status = book_match_play(match, show, command, &diag);
    progress_end(&command->progress);
    interrupt_release(interrupt);
    const struct match_tally *tally = book_match_tally(match);
    if ((status == STATUS_OK || status == STATUS_END) && (command->json || !command->quiet))
        report_match(command, tally);
    enum exit_status answer = EXIT_DONE;
    if (status == STATUS_END && command->output)
        answer =
            command_fail(line, "stopped; %" PRIu64 " games are in %s: the same command goes on",
                         tally->games, command->output);
    else if (status == STATUS_END)
        answer = command_fail(line, "stopped; without -o no game is kept");
    else if (status != STATUS_OK)
        answer = command_fail(line, "%s", diag.text);
    book_match_destroy(match);
    return answer;
}

static enum exit_status run(void *context)
{
    struct match_command *command = context;
    enum exit_status answer = read_settings(command);
    name_books(command);
    if (answer == EXIT_DONE && (!open_book(command, 0) || !open_book(command, 1) ||
                                !read_openings(command) || !compare_books(command)))
        answer = EXIT_FAILED;
    if (answer == EXIT_DONE)
        answer = play(command);
    compared_close(&command->compared);
    suite_free(&command->openings.suite);
    for (int which = 0; which < 2; which++)
        book_set_close(command->books[which]);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Is book A better than book B? The search of this program plays both sides, and only the book\n"
    "differs. A book is what the engine's BookFile takes (one or several files, each with "
    "options),\n"
    "\"builtin\", or \"none\". First both books are compared as by diff, with --statistics also "
    "by\n"
    "results; then games are played, in pairs with exchanged colours, from the usual start or "
    "from\n"
    "--openings (EPD, FEN, or PGN), which are mixed by --seed.\n\n"
    "The report has Elo with 95 % error bars, normalised Elo and pairs as suite --judge has them,\n"
    "the likelihood that A is superior (LOS), the moves that each side makes from its book, who\n"
    "leaves it first, the score of its first search then, and where A lost points: by ECO code.\n"
    "--elo0 and --elo1 are an SPRT in normalised Elo with errors of 5 %, which may end the match\n"
    "before --games. A clock that has run out is no loss: it has the increment left.\n\n"
    "With --nodes the same books, options and seed give the same games, on any number of threads;\n"
    "each pair has 95 to 105 % of N, else many games would be the same. OUT.pgn gets each game "
    "when\n"
    "it is over: a match that was stopped or killed goes on there, and more --games are added to\n"
    "one that was over. Moves out of a book have the comment {/0, book=SHARE}, given ones {book}.";

static enum exit_status command_main(int argc, char **argv)
{
    struct match_command command = {.color = 0};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "OUT.pgn", "keep the games, and go on with those that it has",
                 &command.output),
        NUMBER_ROW("games", 0, "N", "in all", &command.games, 1, MATCH_GAMES_MAX, USUAL(1000)),
        NUMBER_ROW("nodes", 0, "N", "about so many a move", &command.nodes, 1, INT32_MAX,
                   USUAL(10000)),
        TEXT_ROW("tc", 0, "SECONDS+INCREMENT", "a clock instead, \"8+0.08\"", &command.tc,
                 .without = "nodes"),
        CHOICE_ROW("color", "both|white|black", "A has this colour in all games", &command.color),
        TEXT_ROW("openings", 0, "FILE", "openings that the games begin with",
                 &command.openings_name),
        TEXT_ROW("statistics", 0, "FILE.wld", "compare the books by these results, too",
                 &command.statistics),
        NUMBER_ROW("elo0", 0, "N", "SPRT: A is no better than this", &command.elo0, -1000, 1000,
                   USUAL(0), .needs = "elo1"),
        NUMBER_ROW("elo1", 0, "N", "SPRT: .. or at least this", &command.elo1, -1000, 1000),
        TEXT_ROW("draw", 0, "WORDS", "adjudication as by fastchess, or \"none\"", &command.draw,
                 .usual_text = "movenumber=40,movecount=8,score=10"),
        TEXT_ROW("resign", 0, "WORDS", "the same of lost games", &command.resign,
                 .usual_text = "movecount=4,score=600"),
        NUMBER_ROW("seed", 0, "N", "of openings and of choices in the books", &command.seed, 0,
                   INT64_MAX, USUAL(1)),
        NUMBER_ROW("threads", 0, "N", "games at a time (as many as processors)", &command.threads,
                   1, MATCH_THREADS_MAX),
        NUMBER_ROW("hash", 0, "MB", "of each side", &command.hash_mb, 1, SEARCH_HASH_MB_MAX,
                   USUAL(16)),
        NUMBER_ROW("limit", 0, "N", "show so many openings; 0 shows all", &command.limit, 0,
                   INT32_MAX, USUAL(10)),
        FLAG_ROW("json", 0, "the report as JSON", &command.json),
        FLAG_ROW("quiet", 'q', "no progress, no report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("match", "A B [-o OUT.pgn] [options]", about, rows, ROW_COUNT(rows), 2, 2);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_match = {"match", "which of two books is better, by games",
                                      command_main};
