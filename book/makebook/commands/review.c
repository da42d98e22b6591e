/* makebook review: where games left a repertoire, by whom, and what it cost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_file.h"
#include "base/temp_file.h"
#include "book/book.h"
#include "book/count/game_counter.h"
#include "book/count/input/input.h"
#include "book/format.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/listed_game.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/build_report.h"
#include "book/makebook/commands/commands.h"
#include "book/review/review.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/pgn_write.h"
#include "search/limits.h"

/* Games are read so many plies further than the longest line of the book: one that comes back later
 * is over as an opening. */
enum { PLIES_MORE = 40, MOVES_SHOWN = 4, LINE_MAX = 160, DUPLICATES_BYTES = 1 << 26 };

/* A game from the side of a colour. */
struct reviewed {
    struct listed_game listed;
    struct review_outcome outcome;
    int color;
    struct position start;
    move *moves; /* to the last position of the repertoire, and the next one where there is one */
    size_t count;
};

struct review_command {
    const char *books[2]; /* by colour; one for both stands first */
    const char *gaps;
    int64_t depth;
    int64_t nodes;
    int64_t limit;
    bool games;
    bool json;
    struct filtering filtering;
    struct searching searching;
    struct command_line line;

    struct source sources[2];
    struct review review;
    struct count_options options;
    struct chunk_report read;
    const char *path;     /* of the file that is read */
    uint64_t other_color; /* sides of games whose moves the book does not play */
    struct reviewed *list;
    size_t count;
    size_t capacity;
    bool searches;   /* are asked for */
    size_t searched; /* spots */
};

static const char *const kind_texts[REVIEW_KINDS] = {
    [REVIEW_DEVIATION] = "by an own move, where the book has another",
    [REVIEW_GAP] = "by a reply that the book does not answer",
    [REVIEW_ENDED] = "where the book's line ended",
    [REVIEW_STAYED] = "in the book to the end of the game",
    [REVIEW_OUTSIDE] = "never in the book"};

/* Reading ------------------------------------------------------------------------------------- */

/* As count_options.take. */
static enum caxton_status take_game(void *context, const struct pgn_game *game,
                                    const struct verdict *verdict, struct diag *diag)
{
    struct review_command *command = context;
    enum caxton_status status = STATUS_OK;
    for (int color = WHITE; color <= BLACK && status == STATUS_OK; color++) {
        struct reviewed *now;
        if (!verdict->colors[color])
            continue;
        if (!command->review.sides[color]) {
            command->other_color++;
            continue;
        }
        if (!ARRAY_GROW(command->list, command->capacity, command->count + 1))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        now = &command->list[command->count];
        *now = (struct reviewed){
            .listed = listed_game_of(game, command->path), .color = color, .start = game->start};
        status = review_add(&command->review, game, color, &now->outcome, diag);
        if (status != STATUS_OK)
            return status;
        now->count = now->outcome.plies + (now->outcome.plies < game->ply_count);
        now->moves = malloc((now->count + 1) * sizeof *now->moves);
        if (!now->moves)
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        memcpy(now->moves, game->moves, now->count * sizeof *now->moves);
        command->count++;
    }
    return status;
}

static bool read_file(struct review_command *command, struct game_counter *games, const char *path)
{
    struct input *input = NULL;
    struct diag diag = {.text = ""};
    struct count_report *counts = &command->read.counts;
    uint64_t bad = counts->bad_games;
    uint64_t before = counts->games;
    command->path = strcmp(path, "-") == 0 ? "standard input" : path;
    if (input_open(path, &input, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    enum caxton_status status = game_counter_run(games, input_read, input, &command->read, &diag);
    if (status != STATUS_OK)
        (void)command_fail(&command->line, "%s: %s", command->path,
                           *input_fault(input) ? input_fault(input) : diag.text);
    else if (counts->games == before)
        (void)command_fail(&command->line, "warning: %s: no games found", command->path);
    for (; bad < counts->bad_games && bad < BAD_GAMES_SHOWN; bad++)
        text_copy(counts->bad[bad].file, sizeof counts->bad[bad].file, span_of(command->path));
    input_close(input);
    return status == STATUS_OK;
}

/* Why there is nothing to tell. */
static bool refuse_nothing(const struct review_command *command)
{
    const struct build_report report = {.count = command->read.counts};
    char reason[200];
    struct text_buffer out = text_buffer_on(reason, sizeof reason);
    if (command->other_color > 0)
        return command_refuse(&command->line, "%s plays no move of %s: no game is left to review",
                              command->sources[WHITE].name,
                              command->review.sides[WHITE] ? "Black" : "White");
    build_report_nothing(&report, 0, &out);
    return command_refuse(&command->line, "no game is left to review: %s", reason);
}

static bool read_games(struct review_command *command)
{
    const struct count_options *options = &command->options;
    struct duplicates *duplicates =
        duplicates_create(DUPLICATES_BYTES, options->folder, options->open_files / 2);
    struct game_counter *games =
        duplicates ? game_counter_create(options, duplicates, NULL, NULL) : NULL;
    bool good = games != NULL || command_refuse(&command->line, "out of memory");
    for (int i = 0; i < command->line.operand_count && good; i++)
        good = read_file(command, games, command->line.operands[i]);
    game_counter_destroy(games);
    duplicates_destroy(duplicates);
    return good && (command->count > 0 || refuse_nothing(command));
}

/* The report ---------------------------------------------------------------------------------- */

static double percent(double points, uint64_t games)
{
    return games ? 50 * points / (double)games : 0;
}

static void put_counts(const struct review_command *command, struct report *to)
{
    static const char *const colors[] = {"white", "black"};
    for (int color = WHITE; color <= BLACK; color++) {
        const struct review_counts *counts = &command->review.counts[color];
        if (counts->all == 0)
            continue;
        double plies = (double)counts->plies / (double)counts->all;
        report_say(to, "\nas %s: %llu games, %.1f %% of the points, %.1f plies in the book\n",
                   color == WHITE ? "White" : "Black", (unsigned long long)counts->all,
                   percent((double)counts->points, counts->all), plies);
        json_object(&to->json, colors[color]);
        json_unsigned(&to->json, "games", counts->all);
        json_decimal(&to->json, "points", (double)counts->points / 2, 1);
        json_decimal(&to->json, "plies", plies, 2);
        for (int kind = 0; kind < REVIEW_KINDS; kind++) {
            json_unsigned(&to->json, review_kind_names[kind], counts->games[kind]);
            if (counts->games[kind] == 0)
                continue;
            report_say(to, "%8llu  %5.1f %%  %s", (unsigned long long)counts->games[kind],
                       100 * (double)counts->games[kind] / (double)counts->all, kind_texts[kind]);
            if (kind < REVIEW_STAYED)
                report_say(to, ": %+.1f points", 0 - counts->lost[kind] / 2); /* never -0.0 */
            report_say(to, "\n");
        }
        report_number(to, "came_back", NULL, counts->returned, "");
        if (counts->returned)
            report_say(to, "%8llu  %7s  came back to the book in another order of moves\n",
                       (unsigned long long)counts->returned, "");
        json_end(&to->json);
    }
}

/* A move, and what a search says of it. */
static void put_move(struct report *to, const char *name, const struct position *pos, move m,
                     const int *score_cp)
{
    char san[SAN_MAX];
    move_to_san(pos, m, san);
    json_text(&to->json, name, san);
    report_say(to, " %s", san);
    if (score_cp)
        report_say(to, " (%+.2f)", *score_cp / 100.0);
}

/* The book's moves, and what was played instead. */
static void put_moves(const struct review_command *command, struct report *to,
                      const struct review_spot *spot)
{
    struct book_move moves[MOVES_MAX];
    int count =
        spot->kind == REVIEW_DEVIATION ? review_moves(&command->review, &spot->pos, moves) : 0;
    json_array(&to->json, "book");
    for (int i = 0; i < count; i++) {
        report_say(to, i ? "," : "      book");
        put_move(to, NULL, &spot->pos, moves[i].move,
                 spot->searched && i == 0 ? &spot->best_cp : NULL);
    }
    json_end(&to->json);
    if (spot->searched && count == 0) {
        report_say(to, "      best");
        put_move(to, "best", &spot->pos, spot->best, &spot->best_cp);
    }
    if (spot->searched)
        json_number(&to->json, "best_cp", spot->best_cp);
    report_say(to, count || spot->searched ? "; played" : "      played");
    json_array(&to->json, "played");
    for (size_t i = 0; i < spot->played_count; i++) {
        const struct review_played *played = &spot->played[i];
        if (to->text && i == MOVES_SHOWN)
            break;
        json_object(&to->json, NULL);
        report_say(to, i ? "," : "");
        put_move(to, "move", &spot->pos, played->move, spot->searched ? &played->score_cp : NULL);
        json_unsigned(&to->json, "games", played->games);
        json_decimal(&to->json, "points", (double)played->points / 2, 1);
        if (spot->searched)
            json_number(&to->json, "score_cp", played->score_cp);
        report_say(to, " %llu (%.0f %%)", (unsigned long long)played->games,
                   percent((double)played->points, played->games));
        json_end(&to->json);
    }
    json_end(&to->json);
    report_say(to, spot->played_count ? "\n" : " nothing more\n");
}

static void put_spot(const struct review_command *command, struct report *to,
                     const struct review_spot *spot)
{
    double cost = (spot->expected - (double)spot->points) / 2;
    char fen[FEN_MAX];
    struct position usual;
    position_start(&usual);
    fen_format(&spot->pos, fen);
    json_line(&to->json);
    json_object(&to->json, NULL);
    json_text(&to->json, "kind", review_kind_names[spot->kind]);
    json_text(&to->json, "color", spot->color == WHITE ? "white" : "black");
    json_text(&to->json, "fen", fen);
    if (spot->start.key != usual.key) {
        fen_format(&spot->start, fen);
        json_text(&to->json, "start", fen);
    }
    report_number(to, "games", NULL, spot->games, "");
    json_decimal(&to->json, "points", (double)spot->points / 2, 1);
    json_decimal(&to->json, "expected", spot->expected / 2, 3);
    json_decimal(&to->json, "cost", cost, 3);
    report_say(to, "%+7.2f", 0 - cost);
    if (spot->searched)
        json_number(&to->json, "lost_cp", spot->lost_cp);
    if (spot->searched)
        report_say(to, " %8lld", (long long)spot->lost_cp);
    else if (command->searches)
        report_say(to, " %8s", "");
    report_say(to, " %6llu %6.1f %% %6.1f %%  %-10s ", (unsigned long long)spot->games,
               percent((double)spot->points, spot->games), percent(spot->expected, spot->games),
               spot->kind == REVIEW_ENDED ? "book ended" : review_kind_names[spot->kind]);
    moves_report(to, &spot->start, spot->line, spot->plies);
    put_moves(command, to, spot);
    json_array(&to->json, "samples");
    for (size_t i = 0; i < spot->games && i < REVIEW_SAMPLES; i++) {
        const struct listed_game *listed = &command->list[spot->samples[i]].listed;
        listed_game_print_json(&to->json, listed);
        report_say(to, "      game %llu: ", (unsigned long long)listed->number);
        if (to->text)
            listed_game_print(listed);
    }
    json_end(&to->json);
    json_end(&to->json);
}

static void put_game(struct report *to, const struct reviewed *game)
{
    json_line(&to->json);
    json_object(&to->json, NULL);
    listed_game_put_json(&to->json, &game->listed);
    json_text(&to->json, "color", game->color == WHITE ? "white" : "black");
    json_text(&to->json, "left", review_kind_names[game->outcome.kind]);
    json_unsigned(&to->json, "plies", game->outcome.plies);
    json_literal(&to->json, "came_back", game->outcome.returned ? "true" : "false");
    report_say(to, "game %llu: ", (unsigned long long)game->listed.number);
    if (to->text)
        listed_game_print(&game->listed);
    report_say(to, "    %s, ", game->color == WHITE ? "White" : "Black");
    report_say(to, "%s: ", kind_texts[game->outcome.kind]);
    moves_report(to, &game->start, game->moves, game->count);
    json_end(&to->json);
}

static void put_spots(const struct review_command *command, struct report *to)
{
    const struct review *review = &command->review;
    json_array(&to->json, "positions");
    report_say(to, "\nwhat it cost in %s, most first: %zu position%s\n",
               command->searches ? "centipawns" : "points", review->spot_count,
               text_plural(review->spot_count));
    if (review->spot_count > 0)
        report_say(to, "%7s%s %6s %8s %8s  where\n", "points", command->searches ? "  lost cp" : "",
                   "games", "score", "expected");
    size_t all = review->spot_count;
    for (size_t i = 0; i < all && !report_is_cut(to, command->limit, i, all); i++)
        put_spot(command, to, &review->spots[i]);
    json_line(&to->json);
    json_end(&to->json);
}

static void put_report(const struct review_command *command)
{
    struct report to = report_begin(stdout, command->json);
    json_object(&to.json, NULL);
    for (int i = WHITE; i <= BLACK && command->books[i]; i++) {
        const struct source *source = &command->sources[i];
        json_text(&to.json, i ? "black_book" : "book", source->name);
        json_text(&to.json, i ? "black_format" : "format", book_format_name(source->book));
        report_say(&to, "%s: %s\n", text_safe(source->name).text, book_format_name(source->book));
    }
    report_number(&to, "games_read", "games read", command->read.counts.games, "");
    build_report_left_out(&to, &command->read.counts);
    report_nonzero(&to, "other_color", "  not reviewed", command->other_color,
                   "of a color whose moves the book does not have");
    put_counts(command, &to);
    json_array(&to.json, "reviewed");
    for (size_t i = 0; i < command->count && (command->json || command->games); i++) {
        report_say(&to, i ? "%s" : "\n%s", "");
        put_game(&to, &command->list[i]);
    }
    json_line(&to.json);
    json_end(&to.json);
    put_spots(command, &to);
    json_end(&to.json);
    if (command->json)
        (void)putchar('\n');
    else if (command->searches)
        searching_report(stdout, &command->searching);
}

/* The gaps as games, to be studied ------------------------------------------------------------- */

/* As pgn_write() wants it: the text goes behind the last move to the gap. */
struct gap_comment {
    size_t ply;
    char text[LINE_MAX];
};

static const char *comment_at(void *context, size_t ply)
{
    const struct gap_comment *comment = context;
    return ply == comment->ply ? comment->text : NULL;
}

static enum caxton_status write_gap(FILE *out, const struct review_spot *spot, struct game *game)
{
    struct gap_comment comment = {.ply = spot->plies - 1};
    char event[LINE_MAX];
    double cost = (spot->expected - (double)spot->points) / 2;
    struct text_buffer text = text_buffer_on(comment.text, sizeof comment.text);
    text_append(&text, "%llu games, played", (unsigned long long)spot->games);
    for (size_t i = 0; i < spot->played_count && i < MOVES_SHOWN; i++) {
        char san[SAN_MAX];
        move_to_san(&spot->pos, spot->played[i].move, san);
        text_append(&text, "%s %s %llu", i ? "," : "", san,
                    (unsigned long long)spot->played[i].games);
    }
    (void)snprintf(event, sizeof event, "gap: %llu games, %+.2f points",
                   (unsigned long long)spot->games, -cost);
    const struct pgn_tag tags[] = {{span_of("Event"), span_of(event)}};
    enum caxton_status status = STATUS_OK;
    game_reset(game, &spot->start);
    for (size_t i = 0; i < spot->plies && status == STATUS_OK; i++)
        status = game_play(game, spot->line[i]);
    if (status == STATUS_OK && spot->best != MOVE_NONE)
        status = game_play(game, spot->best);
    if (status != STATUS_OK)
        return status;
    return pgn_write(out, game, tags, 1, PGN_UNKNOWN, comment_at, &comment);
}

static enum exit_status write_gaps(const struct review_command *command)
{
    struct atomic_file *file = NULL;
    struct game *game = game_create();
    enum caxton_status status = game ? STATUS_OK : STATUS_NO_MEMORY;
    if (!outputs_create(&command->line, command->gaps, &file)) {
        game_destroy(game);
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < command->review.spot_count && status == STATUS_OK; i++)
        if (command->review.spots[i].kind == REVIEW_GAP)
            status = write_gap(atomic_file_stream(file), &command->review.spots[i], game);
    game_destroy(game);
    return outputs_end(&command->line, file, status, status_name(status));
}

/* The command --------------------------------------------------------------------------------- */

static void show_progress(void *context)
{
    struct review_command *command = context;
    char text[LINE_MAX];
    if (!progress_is_due(&command->searching.progress))
        return;
    (void)snprintf(text, sizeof text, "positions searched: %zu of %zu", command->searched,
                   command->review.spot_count);
    progress_text(&command->searching.progress, text);
}

static enum caxton_status search(void *context, struct diag *diag)
{
    struct review_command *command = context;
    const struct search_limit limit = {
        command->nodes ? SEARCH_NODES : SEARCH_TO_DEPTH,
        (uint64_t)(command->nodes ? command->nodes : command->depth)};
    return review_search(&command->review, command->searching.scorer, limit, &command->searched,
                         diag);
}

static enum exit_status finish(void *context)
{
    struct review_command *command = context;
    review_rank(&command->review);
    enum exit_status answer = command->gaps ? write_gaps(command) : EXIT_DONE;
    if (answer == EXIT_DONE)
        put_report(command);
    return answer;
}

/* Opens the book, and reads the games. The options are those of games: the book's are all taken. */
static bool open_all(struct review_command *command)
{
    struct command_line plain = command->line;
    struct diag diag = {.text = ""};
    plain.row_count = 0;
    for (int i = WHITE; i <= BLACK && command->books[i]; i++)
        if (!source_open_walk(&plain, command->books[i], WLD_WEIGHTS_UNITS, &command->sources[i]))
            return false;
    const struct book *const books[] = {command->sources[WHITE].book,
                                        command->sources[command->books[BLACK] != NULL].book};
    if (review_create(books, &command->review, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    if (!command->review.sides[WHITE] && !command->review.sides[BLACK])
        return command_refuse(&command->line, "%s: no line from the start leads to a move of it",
                              command->sources[WHITE].name);
    command->options.max_plies = command->review.deepest + PLIES_MORE;
    return read_games(command);
}

static enum exit_status run(void *context)
{
    static const struct searching_work work = {
        .run = search, .show = show_progress, .finish = finish};
    struct review_command *command = context;
    const struct command_line *line = &command->line;
    const char *const inputs[] = {command->books[WHITE], command->books[BLACK], command->gaps};
    command->options = build_options_default().count;
    command->options.take = take_game;
    command->options.take_context = command;
    command->searches = options_given(line, "depth|nodes");
    enum exit_status answer = filtering_read(line, &command->filtering, &command->options.filter);
    if (answer == EXIT_DONE)
        answer = source_is_read_once(line);
    if (answer == EXIT_DONE && outputs_is_standard(command->gaps))
        answer = command_misuse(line, "--gaps wants a file: the report goes to standard output");
    if (answer == EXIT_DONE)
        answer = outputs_protect_inputs(line, line->operand_count, command->gaps);
    if (answer == EXIT_DONE)
        answer = outputs_protect(line, command->books[WHITE], command->gaps);
    if (answer == EXIT_DONE)
        answer = outputs_protect(line, command->books[BLACK], command->gaps);
    if (answer == EXIT_DONE)
        answer = searching_find_files(line, &command->searching, inputs, 3);
    if (answer != EXIT_DONE)
        return answer;
    answer = EXIT_FAILED;
    if (outputs_try(line, command->gaps) && open_all(command))
        answer = command->searches ? searching_run(line, &command->searching, &work, command)
                                   : finish(command);
    review_free(&command->review);
    for (size_t i = 0; i < command->count; i++)
        free(command->list[i].moves);
    free(command->list);
    source_close(&command->sources[WHITE]);
    source_close(&command->sources[BLACK]);
    return command_end(line, answer);
}

static const char about[] =
    "Says of each game where it left the repertoire BOOK, and by whom: by an own move where the "
    "book\n"
    "has another (deviation); by a reply that the book does not answer, but others (gap); or "
    "because\n"
    "the book's line ended. It goes by positions: a game that comes back in another order of "
    "moves\n"
    "has not left. Our side is --player, with either color or the one of --color; without both,\n"
    "each side of every game. Sides whose moves the book does not have are counted and left out;\n"
    "a book with moves of both colors that is White's alone wants --black or --color.\n\n"
    "Then the positions where games left, those first that cost most: points lost against what "
    "the\n"
    "book's games scored there, where it counts games (statistics, .wld), with ten more that "
    "score\n"
    "as all these games with that color did, for few games say little; else against that score.\n"
    "With --depth or --nodes the book's move, in gaps the best one, and what was played are "
    "searched:\n"
    "cost is then the centipawns that all games lost together; below 0 what was played is better\n"
    "than the book. Searches are kept in --store: a run that was stopped goes on when it is "
    "started\n"
    "again.\n\n"
    "--gaps writes a game for each gap, with the best answer where it was searched: to be "
    "studied,\n"
    "and a book for makebook merge and for grow --keep.\n\n" FILTERING_ABOUT;

static enum exit_status command_main(int argc, char **argv)
{
    struct review_command command = {.gaps = NULL};
    const struct option_row own[] = {
        TEXT_ROW("book", 0, "BOOK", "the repertoire, a book of any kind or statistics",
                 &command.books[WHITE], .required = "which repertoire? --book says it"),
        TEXT_ROW("black", 0, "BOOK", "Black's repertoire, where --book is White's only",
                 &command.books[BLACK]),
        FLAG_ROW("games", 0, "list each game", &command.games),
        TEXT_ROW("gaps", 0, "FILE.pgn", "write the gaps there, to study them", &command.gaps),
        NUMBER_ROW("limit", 0, "N", "name so many positions; 0: all", &command.limit, 0, INT32_MAX,
                   USUAL(20)),
        NUMBER_ROW("depth", 0, "PLIES", "search what was played so deep", &command.depth, 1,
                   SEARCH_DEPTH_MAX),
        NUMBER_ROW("nodes", 0, "N", "the same in nodes", &command.nodes, 1, INT64_MAX,
                   .without = "depth"),
        SEARCHING_ROWS(command.searching, "none"),
        FLAG_ROW("json", 0, "as JSON, all positions and games", &command.json),
        FLAG_ROW("quiet", 'q', "no progress", &command.searching.quiet),
    };
    struct option_row rows[ROW_COUNT(own) + FILTER_ROWS_MAX];
    memcpy(rows, own, sizeof own);
    size_t count = ROW_COUNT(own) + filtering_rows(&command.filtering, rows + ROW_COUNT(own));
    command.line =
        COMMAND_LINE("review", "GAMES... --book BOOK [options]", about, rows, count, 1, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_review = {"review", "where games left a repertoire, and what it cost",
                                       command_main};
