/* makebook learn: a book that has learnt from games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "book/book.h"
#include "book/count/input/input.h"
#include "book/learn/learn.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/build_report.h"
#include "book/makebook/commands/commands.h"
#include "book/review/findings.h"
#include "chess/notation.h"
#include "search/limits.h"
#include "search/score.h"

/* What makebook learn tells. */

/* " (+0.30)", " (mate in 3)", or nothing. */
static void put_score(FILE *out, int score)
{
    if (score == LEARN_NO_SCORE)
        return;
    int plies = SCORE_MATE - abs(score);
    if (score_is_mate(score))
        (void)fprintf(out, " (%s in %d)", score > 0 ? "mate" : "mated", (plies + 1) / 2);
    else
        (void)fprintf(out, " (%c%d.%02d)", score < 0 ? '-' : '+', abs(score) / 100,
                      abs(score) % 100);
}

static void put_game(FILE *out, const struct learn_line *line)
{
    text_put_safe(out, span_of(line->game->file));
    (void)fprintf(out, ":%llu: game %llu: %s lost", (unsigned long long)line->game->line,
                  (unsigned long long)line->game->number, line->side == WHITE ? "White" : "Black");
    if (line->exit_score != LEARN_NO_SCORE) {
        (void)fprintf(out, ", score out of the book");
        put_score(out, line->exit_score);
    }
    (void)fprintf(out, "\n");
}

static const char *reason(enum learn_kind kind)
{
    static const char *const reasons[LEARN_KINDS] = {
        [LEARN_BETTER] = "better by a search",
        [LEARN_DEVIATED] = "instead: no search explains the loss",
        [LEARN_SILENCED] = "and other moves of the book instead: no search explains the loss",
        [LEARN_LEFT_OUT] = "not played any more: the engine thinks",
        [LEARN_AVOIDED] = "the book does not play this line any more",
        [LEARN_NEVER] = "no move of the game is the book's",
    };
    return reasons[kind];
}

static void put_event(FILE *out, const struct learn_line *line, const struct learn_event *event)
{
    char san[SAN_MAX];
    struct position pos = line->game->start;
    if (event->from == MOVE_NONE) {
        (void)fprintf(out, "  %s\n", reason(event->kind));
        return;
    }
    for (size_t i = 0; i < event->ply; i++)
        position_play(&pos, line->game->moves[i]);
    (void)fprintf(out, "  ");
    moves_print(out, &line->game->start, line->game->moves, event->ply + 1);
    put_score(out, event->from_score);
    if (event->to != MOVE_NONE) {
        move_to_san(&pos, event->to, san);
        (void)fprintf(out, " -> %s", san);
        put_score(out, event->to_score);
    }
    (void)fprintf(out, ": %s\n", reason(event->kind));
}

/* An event, and what it is shown by. */
struct shown {
    const struct learn_event *event;
    const struct learn_line *line;
    size_t number;
};

/* By file, game and side, then as they happened. */
static int compare(const void *a, const void *b)
{
    const struct shown *x = a;
    const struct shown *y = b;
    int order = strcmp(x->line->game->file, y->line->game->file);
    if (order == 0)
        order = (x->line->game->number > y->line->game->number) -
                (x->line->game->number < y->line->game->number);
    if (order == 0)
        order = x->line->side - y->line->side;
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* What changed, game by game, in the order of the files. Errors: STATUS_NO_MEMORY. */
static enum caxton_status learn_report_events(FILE *out, const struct learnt *learnt)
{
    struct shown *shown = calloc(learnt->event_count + 1, sizeof *shown);
    if (!shown)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < learnt->event_count; i++)
        shown[i] = (struct shown){.event = &learnt->events[i],
                                  .line = &learnt->lines[learnt->events[i].line],
                                  .number = i};
    qsort(shown, learnt->event_count, sizeof *shown, compare);
    for (size_t i = 0; i < learnt->event_count; i++) {
        if (i == 0 || shown[i - 1].line != shown[i].line)
            put_game(out, shown[i].line);
        put_event(out, shown[i].line, shown[i].event);
    }
    free(shown);
    return STATUS_OK;
}

/* Numbers of games and changes. */
static void learn_report_counts(FILE *out, const struct learn_games *games,
                                const struct learnt *learnt)
{
    struct report text = report_begin(out, false);
    report_number(&text, NULL, "games read", games->read, "");
    report_nonzero(&text, NULL, "  left out", games->bad, "bad");
    report_nonzero(&text, NULL, "  left out", games->unfinished, "without a result");
    report_nonzero(&text, NULL, "  left out", games->forfeited, "lost on time or by a forfeit");
    report_nonzero(&text, NULL, "  left out", games->other, "of others, or not standard chess");
    report_nonzero(&text, NULL, "  left out", games->twice, "equal to another one");
    report_nonzero(&text, NULL, "known", learnt->known, "sides of games that were learnt before");
    report_number(&text, NULL, "won", learnt->won, "");
    report_number(&text, NULL, "drawn", learnt->drawn, "");
    report_number(&text, NULL, "lost", learnt->lost, "");
    report_nonzero(&text, NULL, "  surprising", learnt->lost_good,
                   "with a good score out of the book");
    report_nonzero(&text, NULL, "answered", learnt->answered, "positions of the review");
    report_nonzero(&text, NULL, "better moves", learnt->kinds[LEARN_BETTER], "found by searches");
    report_nonzero(&text, NULL, "other moves", learnt->kinds[LEARN_DEVIATED],
                   "to leave lost lines");
    report_nonzero(&text, NULL, "silenced", learnt->kinds[LEARN_SILENCED],
                   "where the book has other moves");
    report_nonzero(&text, NULL, "left to think", learnt->kinds[LEARN_LEFT_OUT],
                   "no other move was as good");
    report_nonzero(&text, NULL, "avoided", learnt->kinds[LEARN_AVOIDED],
                   "lost lines that were left already");
    report_nonzero(&text, NULL, "no book", learnt->kinds[LEARN_NEVER],
                   "lost games without a move of the book");
    report_nonzero(&text, NULL, "raised", learnt->raised, "weights of moves that scored");
}

/* The first bad games, one line each. */
static void learn_report_bad(FILE *out, const struct learn_games *games)
{
    for (uint64_t i = 0; i < games->bad && i < BAD_GAMES_SHOWN; i++) {
        build_report_bad_game(out, &games->bad_shown[i]);
        (void)fprintf(out, "\n");
    }
}

enum { MARGIN_MAX = 10000 };

struct learn_command {
    const char *book;
    const char *first;
    const char *player;
    int side; /* 0: both, else 1 + colour */
    int64_t depth;
    int64_t nodes;
    int64_t margin_cp;
    int64_t good_cp;
    int64_t back;
    bool openings;
    struct searching searching;
    struct command_line line;

    struct findings findings;
    struct source source;
    struct learn_games games;
    struct learn_options options;
    struct learnt learnt;
};

static void read_options(struct learn_command *command)
{
    struct learn_options *options = &command->options;
    options->limit =
        (struct search_limit){command->nodes ? SEARCH_NODES : SEARCH_TO_DEPTH,
                              (uint64_t)(command->nodes ? command->nodes : command->depth)};
    options->margin_cp = (int)command->margin_cp;
    options->good_cp = (int)command->good_cp;
    options->back = (size_t)command->back;
    options->first = command->first ? &command->findings : NULL;
    options->sides[WHITE] = command->side != 1 + BLACK;
    options->sides[BLACK] = command->side != 1 + WHITE;
}

static bool read_file(struct learn_command *command, const char *path)
{
    const struct learn_choice choice = {
        .player = command->player,
        .sides = {command->side != 1 + BLACK, command->side != 1 + WHITE},
        .openings = command->openings};
    struct input *input = NULL;
    struct diag diag = {.text = ""};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (input_open(path, &input, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    enum caxton_status status = learn_games_read(&command->games, &choice, input_read, input, name);
    const char *fault = status == STATUS_NO_MEMORY ? "out of memory" : input_fault(input);
    if (status != STATUS_OK)
        (void)command_fail(&command->line, "%s: %s", name, fault);
    input_close(input);
    return status == STATUS_OK;
}

static bool read_games(struct learn_command *command)
{
    const struct command_line *line = &command->line;
    const struct learn_games *games = &command->games;
    for (int i = 0; i < line->operand_count; i++)
        if (!read_file(command, line->operands[i]))
            return false;
    learn_games_sort(&command->games);
    if (games->count > 0)
        return true;
    if (command->player && games->read > games->bad && games->unfinished + games->forfeited == 0)
        return command_refuse(line, "%s: none of %llu games is one of \"%s\"", line->operands[0],
                              (unsigned long long)games->read, command->player);
    return command_refuse(line,
                          "%s: no game to learn from: %llu read, %llu bad, %llu unfinished, %llu "
                          "lost on time or by a forfeit",
                          line->operands[0], (unsigned long long)games->read,
                          (unsigned long long)games->bad, (unsigned long long)games->unfinished,
                          (unsigned long long)games->forfeited);
}

static bool read_book(struct learn_command *command)
{
    struct source *source = &command->source;
    if (!source_open_weighed(&command->line, command->book, source))
        return false;
    command->options.token = checksum_add(CHECKSUM_EMPTY, source->bytes, source->size);
    struct diag diag = {.text = ""};
    if (command->first && (findings_read(command->first, &command->findings, &diag) != STATUS_OK ||
                           findings_fit(&command->findings, source->book, &diag) != STATUS_OK))
        return command_refuse(&command->line, "%s", diag.text);
    return true;
}

static void show_progress(void *context)
{
    struct learn_command *command = context;
    char text[80];
    if (!progress_is_due(&command->searching.progress))
        return;
    (void)snprintf(text, sizeof text, "lost lines: %zu of %zu", command->learnt.done,
                   command->learnt.lost);
    progress_text(&command->searching.progress, text);
}

static enum caxton_status learn(void *context, struct diag *diag)
{
    struct learn_command *command = context;
    struct learn_options *options = &command->options;
    options->progress = show_progress;
    options->context = command;
    enum caxton_status status = learn_begin(options, command->source.book, &command->games,
                                            command->searching.store, &command->learnt);
    return status == STATUS_OK
               ? learn_run(options, command->searching.scorer, &command->learnt, diag)
               : status;
}

static enum exit_status save(const struct learn_command *command)
{
    struct gathering gathering = {.root_count = 0};
    const struct draft *draft = &command->learnt.draft;
    struct diag diag = {.text = ""};
    enum caxton_status status = gather_book(&gathering, command->source.book, GATHER_SUM, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->source.name, diag.text);
    if (status == STATUS_OK)
        status = gather_additions(&gathering, draft->changes, draft->count);
    return save_gathered(&command->line, &gathering, status, &diag, command->source.book,
                         command->searching.writer, command->searching.output);
}

static enum exit_status report(const struct learn_command *command)
{
    const struct searching *searching = &command->searching;
    FILE *out = outputs_report(searching->output);
    if (learn_report_events(out, &command->learnt) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    learn_report_bad(out, &command->games);
    learn_report_counts(out, &command->games, &command->learnt);
    (void)fprintf(out, "%s: %s\n", text_safe(searching->output).text, searching->writer->about);
    searching_report(out, searching);
    return EXIT_DONE;
}

/* The book first, then what the store is to remember of it: a run that is killed between the two
 * can be repeated. */
static enum exit_status finish(void *context)
{
    struct learn_command *command = context;
    struct diag diag = {.text = ""};
    enum exit_status answer = save(command);
    if (answer == EXIT_DONE && learn_remember(&command->options, &command->learnt,
                                              command->searching.store, &diag) != STATUS_OK)
        answer = command_fail(&command->line, "%s", diag.text);
    return answer == EXIT_DONE && !command->searching.quiet ? report(command) : answer;
}

static enum exit_status run(void *context)
{
    static const struct searching_work work = {
        .run = learn, .show = show_progress, .finish = finish};
    struct learn_command *command = context;
    const char *const inputs[] = {command->book, command->first};
    enum exit_status answer = searching_find_files(&command->line, &command->searching, inputs, 2);
    read_options(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->searching.output))
        return EXIT_FAILED;
    answer = read_book(command) && read_games(command)
                 ? searching_run(&command->line, &command->searching, &work, command)
                 : EXIT_FAILED;
    learnt_free(&command->learnt);
    learn_games_free(&command->games);
    findings_free(&command->findings);
    source_close(&command->source);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Learns from games that were played with a book. Of each lost game the moves that our side\n"
    "played by the book are searched, the last one first. Where another move is better by "
    "--margin\n"
    "the book plays that one from now on. When no search explains the loss the book leaves the\n"
    "line all the same: by another of its moves, or any move, that is not worse than --margin; "
    "else\n"
    "the last move of the book is not played any more, and the engine thinks there itself. A move\n"
    "that gives way stays with the weight 0. Moves of won and drawn games get more weight where\n"
    "there is a choice. With --first the positions that a review found without an answer get the "
    "best\nmove of a search before that, those that cost most first.\n\n"
    "Our side is --player, with the color that --color says; without both, each side of every "
    "game. A\n"
    "game counts once: the store remembers games and moves, so give the same --store each time. "
    "It\n"
    "also keeps every search. A run that was stopped or killed is simply started again: it goes\n"
    "on, and ends in the same bytes. The book does not depend on --threads. Bad games are left "
    "out\n"
    "and counted. The kind of book is seen from the name of OUT, as for convert.";

static enum exit_status command_main(int argc, char **argv)
{
    struct learn_command command = {.player = NULL};
    const struct option_row rows[] = {
        TEXT_ROW("book", 0, "BOOK", "the book that was played with, of any kind", &command.book,
                 .required = "which book was played with? --book says it"),
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.searching.output,
                 .required = "where to? -o says it"),
        TEXT_ROW("first", 0, "FILE", "answer what review --json found in games before all else",
                 &command.first),
        TEXT_ROW("player", 0, "NAME", "who has the book, as in build (everybody)", &command.player),
        CHOICE_ROW("color", "both|white|black", "the side of the board that has it", &command.side,
                   .old = "side"),
        NUMBER_ROW("depth", 0, "PLIES",
                   "of searches after a loss; at least 2 more than grow searched there",
                   &command.depth, 1, SEARCH_DEPTH_MAX, USUAL(18)),
        NUMBER_ROW("nodes", 0, "N", "of searches after a loss, instead of a depth", &command.nodes,
                   1, INT64_MAX, .without = "depth"),
        NUMBER_ROW("margin", 0, "CP", "so much better, or worse at most, is another move",
                   &command.margin_cp, 0, MARGIN_MAX, USUAL(20)),
        NUMBER_ROW("good", 0, "CP", "a score that explains a loss when a move leads to it",
                   &command.good_cp, -MARGIN_MAX, MARGIN_MAX, USUAL(0)),
        NUMBER_ROW("back", 0, "N", "search the last N moves of a line (all)", &command.back, 1,
                   INT32_MAX),
        FLAG_ROW("openings", 0, "moves with the comment \"book\" were given by a tournament",
                 &command.openings),
        SEARCHING_ROWS(command.searching, "OUT.store"),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.searching.quiet),
    };
    command.line = COMMAND_LINE("learn", "GAMES... --book BOOK -o OUT [options]", about, rows,
                                ROW_COUNT(rows), 1, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_learn = {"learn", "change a book by what its games taught",
                                      command_main};
