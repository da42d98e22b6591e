/* makebook suite: openings for matches of engines, and what matches say of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "book/count/input/input.h"
#include "book/formats/epd/epd.h"
#include "book/formats/games/repertoire.h"
#include "book/formats/games/repertoire_read.h"
#include "book/graph/expected.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/openings.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/searching.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/open/formats.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/pgn_write.h"
#include "search/limits.h"

enum suite_kind { AS_EPD, AS_FEN, AS_PGN, SUITE_KINDS };

static const char *const kind_names[SUITE_KINDS] = {"epd", "fen", "pgn"};

struct suite_command {
    const char *plies_text;
    const char *score_text;
    const char *draws_text;
    const char *men_text;
    int64_t min_games;
    int64_t count;
    int64_t seed;
    int64_t depth;
    int64_t nodes;
    int side;
    int kind;
    bool judge;
    int64_t min_pairs;
    int64_t limit;
    bool json;
    struct searching searching;
    struct asked_facets facets;
    struct command_line line;

    int plies[2]; /* the least and the most */
    struct suite_rules rules;
    struct suite_choice choice;
    struct openings openings;
};

/* Options ------------------------------------------------------------------------------------- */

/* "8", "6..12", "..12" or "6..", of a number from `least` to `most`; these where `text` is NULL. */
static bool read_range(const struct command_line *line, const char *name, const char *text,
                       int least, int most, int out[2])
{
    const char *dots = text ? strstr(text, "..") : NULL;
    struct span low = dots ? span_make(text, (size_t)(dots - text)) : span_of(text ? text : "");
    struct span high = dots ? span_of(dots + 2) : low;
    int64_t from = least;
    int64_t to = most;
    if ((text && !low.size && !high.size) ||
        (low.size && span_to_int(low, least, most, &from) != STATUS_OK) ||
        (high.size && span_to_int(high, least, most, &to) != STATUS_OK) || from > to) {
        (void)command_misuse(line, "--%s %s: a number or LOW..HIGH, from %d to %d", name, text,
                             least, most);
        return false;
    }
    out[0] = (int)from;
    out[1] = (int)to;
    return true;
}

static enum exit_status read_rules(struct suite_command *command)
{
    const struct command_line *line = &command->line;
    struct suite_rules *rules = &command->rules;
    bool searched = command->score_text || command->draws_text;
    rules->by_draws = command->draws_text != NULL;
    if (!read_range(line, "plies", command->plies_text, 1, SUITE_PLIES_MAX, command->plies) ||
        !read_range(line, "men", command->men_text, 2, 32, rules->men) ||
        !(rules->by_draws
              ? read_range(line, "draw-rate", command->draws_text, 0, 100, rules->window)
              : read_range(line, "score", command->score_text, 0, 3000, rules->window)))
        return EXIT_USAGE;
    if (rules->by_draws && command->searching.engine)
        return command_misuse(line, "--draw-rate is by the games of this program: what a score "
                                    "of another engine is worth is not known here");
    if (!searched && options_given(line, "color|depth|nodes|store|engine|queue"))
        return command_misuse(line, "nothing is searched without --score or --draw-rate");
    rules->wanted = command->count ? (size_t)command->count : SIZE_MAX;
    /* As many for both sides, where one is better. */
    rules->side = (enum suite_side)command->side;
    if (!options_given(line, "color") && (!command->score_text || rules->window[0] == 0))
        rules->side = SUITE_ANY;
    rules->limit = command->nodes
                       ? (struct search_limit){SEARCH_NODES, (uint64_t)command->nodes}
                       : (struct search_limit){SEARCH_TO_DEPTH, (uint64_t)command->depth};
    return EXIT_DONE;
}

/* The kind of file, by --to or by the name of the output. */
static enum exit_status find_kind(struct suite_command *command)
{
    const char *output = command->searching.output;
    const char *dot = strrchr(output, '.');
    for (int i = 0; i < SUITE_KINDS && command->kind < 0; i++)
        if (dot && span_equal_nocase(span_of(dot + 1), kind_names[i]))
            command->kind = i;
    if (command->kind < 0)
        return command_misuse(&command->line,
                              "%s: a suite is .epd, .fen (plain FEN) or .pgn; --to says which",
                              output);
    return EXIT_DONE;
}

/* Sources ------------------------------------------------------------------------------------- */

static bool fail_memory(const struct suite_command *command, enum caxton_status status)
{
    return status == STATUS_OK || command_refuse(&command->line, "%s", status_name(status));
}

static bool add_book(struct suite_command *command, const char *path)
{
    struct source source;
    struct book_graph graph = {0};
    struct diag diag = {.text = "out of memory"};
    if (!source_open_walk(&command->line, path, WLD_WEIGHTS_UNITS, &source))
        return false;
    uint64_t least = source.book->counts ? source.book->counts->unit : 0;
    least *= (uint64_t)command->min_games;
    if (least == 0 && command->min_games > 1)
        (void)command_fail(&command->line, "warning: %s has no games: --min-games is without use",
                           source.name);
    least = least == 0 ? 1 : least < UINT32_MAX ? least : UINT32_MAX;
    enum caxton_status status = book_graph_create(source.book, NULL, &graph, &diag);
    if (status == STATUS_OK)
        status = suite_add_book(&command->openings.suite, &graph, command->plies, (uint32_t)least);
    book_graph_destroy(&graph);
    source_close(&source);
    return status == STATUS_OK || command_refuse(&command->line, "%s", diag.text);
}

/* Reads what begins with these bytes. */
static bool add_kind(struct suite_command *command, const char *path, struct span head)
{
    static const char wanted[] = "--plies says where openings end";
    const struct command_line *line = &command->line;
    command->openings.plies = command->plies_text ? command->plies : NULL;
    const struct book_format *format =
        formats_find((const uint8_t *)head.data, head.size, file_name_of(path));
    bool played = format == &repertoire_format && repertoire_are_games(head);
    struct input *input = NULL;
    struct diag diag;
    if (played || (format == &repertoire_format && !command->plies_text)) {
        if (!command->plies_text && played)
            return command_refuse(line, "%s: games that were played: %s", path, wanted);
        if (input_open(path, &input, &diag) != STATUS_OK)
            return command_refuse(line, "%s", diag.text);
        command->rules.games_min = played ? (size_t)command->min_games : 0;
        bool done = openings_add_games(line, path, input_read, input, &command->openings);
        input_close(input);
        return done;
    }
    if (command->plies_text)
        return add_book(command, path);
    return format == &epd_format ? openings_add_positions(line, path, &command->openings)
                                 : command_refuse(line, "%s: a book: %s", path, wanted);
}

static bool add_source(struct suite_command *command, const char *path)
{
    enum { LOOKED_AT = 1 << 18 };
    bool is_double = strcmp(path, "double-chess960") == 0;
    bool is_file = strcmp(path, "-") != 0 && strcmp(path, "builtin") != 0;
    struct input *input = NULL;
    struct diag diag;
    size_t size = 0;
    size_t got = 1;
    if (is_double || strcmp(path, "chess960") == 0)
        return fail_memory(command, suite_add_chess960(&command->openings.suite, is_double));
    if (is_file && input_open(path, &input, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    char *head = malloc(LOOKED_AT);
    while (input && head && size < LOOKED_AT && got > 0 &&
           input_read(input, head + size, LOOKED_AT - size, &got) == STATUS_OK)
        size += got;
    input_close(input);
    bool done = fail_memory(command, head ? STATUS_OK : STATUS_NO_MEMORY) &&
                add_kind(command, path, span_make(head, size));
    free(head);
    return done;
}

/* Writing ------------------------------------------------------------------------------------- */

static enum caxton_status write_opening(FILE *out, enum suite_kind kind, const struct suite *suite,
                                        const struct suite_opening *opening, struct game *game)
{
    struct position pos;
    char fen[FEN_MAX];
    char name[200] = "";
    enum caxton_status status = suite_position(suite, opening, game, &pos);
    const struct eco *eco = eco_find_last(game_keys(game), game_plies(game) + 1);
    if (status != STATUS_OK)
        return status;
    if (eco)
        eco_ascii(eco->name, name, sizeof name);
    const struct pgn_tag tags[] = {{span_of("Event"), span_of("Opening suite")},
                                   {span_of("ECO"), span_of(eco ? eco->code : "")},
                                   {span_of("Opening"), span_of(name)}};
    if (kind == AS_PGN)
        return pgn_write(out, game, tags, eco ? 3 : 1, PGN_UNKNOWN, NULL, NULL);
    if (kind == AS_FEN)
        fen_format(&pos, fen);
    else
        epd_board_text(&pos, fen);
    (void)fputs(fen, out);
    if (kind == AS_EPD)
        (void)fprintf(out, " hmvc %u; fmvn %u;", (unsigned)pos.rule50, (unsigned)pos.fullmove);
    if (kind == AS_EPD && eco)
        (void)fprintf(out, " id \"%s %s\";", eco->code, name);
    (void)fputc('\n', out);
    return STATUS_OK;
}

/* OpenBench and fishtest play Chess960 when the name of the file says so. */
static void warn_of_name(const struct command_line *line, const struct suite *suite,
                         const char *output)
{
    const char *why = "only when the name of the file has FRC in it";
    bool named = false;
    bool chess960 = false;
    for (const char *at = file_name_of(output); *at; at++)
        named |= strncmp(at, "960", 3) == 0 ||
                 span_equal_nocase(span_make(at, strnlen(at, 3)), "frc") ||
                 span_equal_nocase(span_make(at, strnlen(at, 7)), "fischer");
    for (size_t i = 0; i < suite->count && !chess960; i++)
        chess960 = fen_is_chess960(&suite->roots[suite->openings[i].root]);
    if (!chess960)
        why = "when the name of the file has FRC, 960 or FISCHER in it";
    if (named != chess960 && !outputs_is_standard(output))
        (void)command_fail(line, "warning: %s: OpenBench and fishtest play Chess960 %s", output,
                           why);
}

static enum exit_status save(const struct command_line *line, const struct suite *suite,
                             enum suite_kind kind, const char *output)
{
    struct atomic_file *file = NULL;
    struct game *game = game_create();
    enum caxton_status status = game ? STATUS_OK : STATUS_NO_MEMORY;
    if (suite->count == 0 || !outputs_create(line, output, &file)) {
        game_destroy(game);
        return suite->count ? EXIT_FAILED
                            : command_fail(line, "no position is left: no suite is written");
    }
    for (size_t i = 0; i < suite->count && status == STATUS_OK; i++)
        status = write_opening(atomic_file_stream(file), kind, suite, &suite->openings[i], game);
    game_destroy(game);
    warn_of_name(line, suite, output);
    return outputs_end(line, file, status, status_name(status));
}

/* The suite ----------------------------------------------------------------------------------- */

static void report_suite(const struct suite_command *command)
{
    static const char *const falls[SUITE_FALLS][2] = {
        [SUITE_RARE] = {"rare", "reached by fewer games than --min-games"},
        [SUITE_ENDED] = {"ended", "finished: mate, stalemate, nothing to mate with"},
        [SUITE_CHECK] = {"check", "in check"},
        [SUITE_MEN] = {"men", "other numbers of men"},
        [SUITE_QUEENS] = {"queens", "without a queen of both sides"},
        [SUITE_CASTLING] = {"castling", "where a side cannot castle any more"},
        [SUITE_SCAN] = {"far_outside", "far outside the window by a short search"},
        [SUITE_SCORE] = {"outside", "outside the window"},
        [SUITE_SIDE] = {"side", "too many that are better for this side"},
        [SUITE_ENOUGH] = {"enough", "not wanted any more: --count"},
    };
    FILE *out = outputs_report(command->searching.output);
    const struct suite_choice *choice = &command->choice;
    struct report to = command->json ? report_begin(out, true) : report_of_counts(out);
    json_object(&to.json, NULL);
    report_say(&to, "%s: %zu position%s", text_safe(command->searching.output).text, choice->kept,
               text_plural(choice->kept));
    if (choice->looked_at)
        report_say(&to, ", White is better in %zu and Black in %zu", choice->ahead[WHITE],
                   choice->ahead[BLACK]);
    report_say(&to, "\n");
    report_number(&to, "positions", NULL, choice->kept, "");
    report_number(&to, "lines", "", command->openings.suite.lines, "lines and positions read");
    report_nonzero(&to, "transpositions", "",
                   command->openings.suite.lines - command->openings.suite.found,
                   "to a position that was there already");
    report_nonzero(&to, "bad_games", "", command->openings.bad_games,
                   "games with a fault, left out");
    report_nonzero(&to, "short_games", "", command->openings.short_games, "games that end before");
    for (int i = 0; i < SUITE_FALLS; i++)
        report_nonzero(&to, falls[i][0], "", choice->falls[i], falls[i][1]);
    json_end(&to.json);
    if (command->json)
        (void)fputc('\n', out);
    else if (choice->looked_at)
        searching_report(out, &command->searching);
}

static void show_progress(void *context)
{
    struct suite_command *command = context;
    const struct suite_choice *choice = &command->choice;
    progress_share(&command->searching.progress, "searching", choice->looked_at,
                   command->openings.suite.found);
}

static enum caxton_status choose(void *context, struct diag *diag)
{
    struct suite_command *command = context;
    return suite_choose(&command->openings.suite, &command->rules, command->searching.scorer,
                        &command->choice, diag);
}

static enum exit_status finish(void *context)
{
    struct suite_command *command = context;
    enum exit_status answer = save(&command->line, &command->openings.suite,
                                   (enum suite_kind)command->kind, command->searching.output);
    if (answer != EXIT_USAGE && (command->json || !command->searching.quiet))
        report_suite(command);
    return answer;
}

static enum exit_status make_suite(struct suite_command *command)
{
    static const struct searching_work work = {
        .run = choose, .show = show_progress, .finish = finish};
    struct command_line *line = &command->line;
    struct diag diag = {.text = "out of memory"};
    for (int i = 0; i < line->operand_count; i++)
        if (!add_source(command, line->operands[i]))
            return EXIT_FAILED;
    if (command->openings.suite.count == 0)
        return command_fail(line, "%s: no line has %d plies", line->operands[0], command->plies[0]);
    suite_mix(&command->openings.suite, (uint64_t)command->seed);
    if (command->score_text || command->draws_text)
        return searching_run(line, &command->searching, &work, command);
    return choose(command, &diag) == STATUS_OK ? finish(command)
                                               : command_fail(line, "%s", diag.text);
}

/* What matches say ---------------------------------------------------------------------------- */

static bool read_matches(const struct command_line *line, struct matches *matches)
{
    for (int i = 0; i < line->operand_count; i++) {
        const char *name = line->operands[i];
        struct diag diag = {.text = ""};
        struct input *input = NULL;
        uint64_t bad = matches->bad;
        if (input_open(name, &input, &diag) != STATUS_OK)
            return command_refuse(line, "%s", diag.text);
        enum caxton_status status = matches_read(matches, input_read, input);
        if (status != STATUS_OK)
            (void)command_fail(line, "%s: %s", name,
                               status == STATUS_NO_MEMORY ? status_name(status)
                                                          : input_fault(input));
        input_close(input);
        if (status != STATUS_OK)
            return false;
        if (bad == 0 && matches->bad > 0)
            (void)command_fail(line, "warning: %s:%zu:%zu: %s", name,
                               (size_t)matches->first_bad.line, (size_t)matches->first_bad.column,
                               matches->first_bad.text);
    }
    return true;
}

static void put_share(struct report *to, const char *name, const char *text, double part,
                      double whole)
{
    double low;
    double high;
    wilson_interval(part, whole, &low, &high);
    json_object(&to->json, name);
    json_decimal(&to->json, "share", whole > 0 ? part / whole : 0, 4);
    json_decimal(&to->json, "low", low, 4);
    json_decimal(&to->json, "high", high, 4);
    json_end(&to->json);
    report_say(to, ", %s %.1f %% (%.1f to %.1f)", text, whole > 0 ? 100 * part / whole : 0,
               100 * low, 100 * high);
}

static void put_results(struct report *to, const struct match_exit *counts)
{
    double draws = (double)counts->results[PGN_DRAW];
    double white = (double)counts->results[PGN_WHITE_WINS];
    double games = draws + white + (double)counts->results[PGN_BLACK_WINS];
    json_decimal(&to->json, "games", games, 0);
    json_unsigned(&to->json, "apart", counts->apart);
    report_say(to, "%6.0f games", games);
    put_share(to, "draws", "draws", draws, games);
    put_share(to, "white", "White", white + draws / 2, games);
}

static void put_couples(struct report *to, const struct matches *matches)
{
    json_array(&to->json, "players");
    for (size_t i = 0; i < matches->couple_count; i++) {
        const struct match_couple *couple = &matches->couples[i];
        const struct match_score score = match_score_of(couple->pairs);
        json_line(&to->json);
        json_object(&to->json, NULL);
        json_text(&to->json, "first", matches->names[couple->names[0]].text);
        json_text(&to->json, "second", matches->names[couple->names[1]].text);
        report_say(to, "  %s - ", text_safe(matches->names[couple->names[0]].text).text);
        report_say(to, "%s: %" PRIu64 " pairs ",
                   text_safe(matches->names[couple->names[1]].text).text, score.pairs);
        openings_put_pairs(to, couple->pairs);
        openings_put_score(to, &score, true);
        json_end(&to->json);
        report_say(to, "\n");
    }
    json_end(&to->json);
}

static void put_exit(struct report *to, const struct suite *exits, const struct match_exit *exit)
{
    struct position pos;
    char fen[FEN_MAX];
    const struct match_score score = match_score_of(exit->pairs);
    if (suite_position(exits, &exits->openings[exit->opening], NULL, &pos) != STATUS_OK)
        return;
    fen_format(&pos, fen);
    json_line(&to->json);
    json_object(&to->json, NULL);
    json_text(&to->json, "fen", fen);
    put_results(to, exit);
    report_say(to, ", ");
    openings_put_pairs(to, exit->pairs);
    openings_put_score(to, &score, true);
    json_literal(&to->json, "useless", exit->useless ? "true" : "false");
    json_end(&to->json);
    report_say(to, "  %s\n", fen);
}

static void report_matches(const struct suite_command *command, const struct matches *matches)
{
    static const char *const ends[PGN_ENDS][2] = {
        [PGN_END_UNFINISHED] = {"unfinished", "games without a result, apart"},
        [PGN_END_TIME] = {"time", "lost on time, apart"},
        [PGN_END_CRASH] = {"crashes", "ended by a crash or a stall, apart"},
        [PGN_END_ILLEGAL] = {"illegal", "ended by an illegal move, apart"},
    };
    FILE *out = outputs_report(command->searching.output);
    struct report to = command->json ? report_begin(out, true) : report_of_counts(out);
    const struct match_score score = match_score_of(matches->all.pairs);
    json_object(&to.json, NULL);
    report_number(&to, "read", "", matches->read, "games read");
    report_nonzero(&to, "bad", "", matches->bad, "with a fault, left out");
    for (int i = PGN_END_UNFINISHED; i < PGN_ENDS; i++)
        report_nonzero(&to, ends[i][0], "", matches->ends[i], ends[i][1]);
    report_nonzero(&to, "alone", "", matches->alone, "without a partner: in no pair");
    report_nonzero(&to, "without_exit", "", matches->without_exit,
                   "from the usual start, no move of them given");
    put_results(&to, &matches->all);
    report_say(&to, "\n");
    put_couples(&to, matches);
    report_say(&to, "%zu exits", matches->exits.count);
    put_share(&to, "decided", "decided pairs", (double)score.decided, (double)score.pairs);
    report_number(&to, "useless", NULL, matches->useless, "");
    if (matches->wanted)
        report_say(&to,
                   "\n%" PRIu64 " of them never helped: none of %" PRIu64
                   " pairs or more was decided",
                   matches->useless, matches->wanted);
    report_say(&to, "\n");
    json_array(&to.json, "exits");
    for (size_t i = 0; i < matches->exits.count && (command->json || (int64_t)i < command->limit);
         i++)
        put_exit(&to, &matches->exits, &matches->counts[i]);
    json_end(&to.json);
    json_end(&to.json);
    if (command->json)
        (void)fputc('\n', out);
}

static enum exit_status judge_matches(struct suite_command *command, struct matches *matches)
{
    const struct suite *exits = &matches->exits;
    const char *output = command->searching.output;
    enum exit_status answer = EXIT_DONE;
    if (!read_matches(&command->line, matches) ||
        !fail_memory(command, matches_pair(matches, (uint64_t)command->min_pairs)))
        return EXIT_FAILED;
    if (exits->count == 0)
        return command_fail(&command->line, "%s: no game", command->line.operands[0]);
    for (size_t i = 0; i < exits->count; i++) {
        const struct suite_opening *at = &exits->openings[matches->counts[i].opening];
        if (!matches->counts[i].useless &&
            !fail_memory(command, suite_add(&command->openings.suite, &exits->roots[at->root],
                                            exits->moves + at->first, at->plies, NULL)))
            return EXIT_FAILED;
    }
    suite_mix(&command->openings.suite, (uint64_t)command->seed);
    if (output)
        answer =
            save(&command->line, &command->openings.suite, (enum suite_kind)command->kind, output);
    if (answer == EXIT_DONE && (command->json || !command->searching.quiet))
        report_matches(command, matches);
    return answer;
}

static enum exit_status run(void *context)
{
    struct suite_command *command = context;
    const struct command_line *line = &command->line;
    static const char made[] = "plies|min-games|count|queens|castling|men|score|draw-rate|color|"
                               "depth|nodes|threads|hash|store|engine|queue|rating|speed|since|"
                               "until";
    struct matches matches = {.read = 0};
    enum exit_status answer = EXIT_DONE;
    if (command->judge && options_given(line, made))
        return command_misuse(line, "--judge goes with --min-pairs, --limit, --json, -o, --to and "
                                    "--seed alone");
    if (!command->judge && !command->searching.output)
        return command_misuse(line, "where to? -o OUT.epd");
    if (command->searching.output)
        answer = find_kind(command);
    if (answer == EXIT_DONE)
        answer = read_rules(command);
    if (answer == EXIT_DONE)
        answer = searching_find_files(&command->line, &command->searching, NULL, 0);
    if (answer == EXIT_DONE)
        answer = source_is_read_once(&command->line);
    if (answer != EXIT_DONE)
        return answer;
    if (!outputs_try(&command->line, command->searching.output))
        return EXIT_FAILED;
    answer = command->judge ? judge_matches(command, &matches) : make_suite(command);
    matches_free(&matches);
    suite_free(&command->openings.suite);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Makes openings for matches of engines: positions, each once whatever lines lead there, in an\n"
    "order that --seed mixes. SOURCE is\n"
    "  a book, statistics or games   the positions that --plies plies from the start lead to\n"
    "  a list of positions (EPD, FEN), or openings as games: as they stand, without --plies\n"
    "  chess960, double-chess960     the start positions\n"
    "Positions in check and finished games are left out; the report says what else was, and "
    "why.\n\n"
    "--score keeps positions that a search of --depth or --nodes finds so good for one side, in\n"
    "centipawns: of White's and Black's advantages as many, unless --color says otherwise.\n"
    "--draw-rate keeps those that are drawn so often, in percent, by the games of this program\n"
    "with itself. A short search comes first; what is far outside by it is not searched again.\n"
    "Searches are kept in the store: a run that was stopped goes on where it was. The bytes of "
    "OUT\n"
    "depend on sources, options and seed, not on --threads.\n\n"
    "OUT.epd has counters and names, for fastchess, cutechess-cli and OpenBench; OUT.fen is plain\n"
    "FEN, as the books of Stockfish's collection are; OUT.pgn has a game for each position. Give\n"
    "cutechess-cli \"format=epd\", and \"-repeat\" for pairs.\n\n"
    "--judge reads games of fastchess, cutechess-cli, OpenBench or Banksia instead, and says what\n"
    "they tell of the positions that they began from: draws, White's points, pairs [LL, LD, WL, "
    "DD,\n"
    "WD, WW] of two players, normalised Elo, and which positions never told who is better.";

static enum exit_status command_main(int argc, char **argv)
{
    struct suite_command command = {.side = 0};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "OUT", "the suite to be written", &command.searching.output),
        CHOICE_ROW("to", "epd|fen|pgn", "its kind, when the name does not say it", &command.kind,
                   USUAL(-1)),
        TEXT_ROW("plies", 0, "LOW..HIGH", "openings of so many plies, \"8\", \"6..12\"",
                 &command.plies_text),
        NUMBER_ROW("min-games", 0, "N", "statistics, games: so many played it", &command.min_games,
                   1, INT32_MAX, USUAL(1)),
        FACET_ROWS(command.facets),
        NUMBER_ROW("count", 0, "N", "so many positions (all)", &command.count, 1, INT32_MAX),
        NUMBER_ROW("seed", 0, "N", "of the order, and of the choice by --count", &command.seed, 0,
                   INT64_MAX, USUAL(1)),
        FLAG_ROW("queens", 0, "both sides have a queen", &command.rules.queens),
        FLAG_ROW("castling", 0, "both sides may still castle", &command.rules.castling),
        TEXT_ROW("men", 0, "LOW..HIGH", "men on the board", &command.men_text),
        TEXT_ROW("score", 0, "LOW..HIGH", "centipawns for the side that is better, \"90..110\"",
                 &command.score_text, .without = "draw-rate"),
        TEXT_ROW("draw-rate", 0, "LOW..HIGH", "percent of draws, \"45..55\"", &command.draws_text),
        CHOICE_ROW("color", "equal|any|white|black",
                   "who is better: White in half of them (equal), ..", &command.side),
        NUMBER_ROW("depth", 0, "PLIES", "of the searches", &command.depth, 1, SEARCH_DEPTH_MAX,
                   USUAL(14)),
        NUMBER_ROW("nodes", 0, "N", "the same in nodes", &command.nodes, 1, INT32_MAX,
                   .without = "depth"),
        SEARCHING_ROWS(command.searching, "OUT.store"),
        FLAG_ROW("judge", 0, "the sources are games of matches: what do they say of a suite?",
                 &command.judge),
        NUMBER_ROW("min-pairs", 0, "N",
                   "a position never helps when none of N pairs was decided (by chance: 5 %)",
                   &command.min_pairs, 1, INT32_MAX, .needs = "judge"),
        NUMBER_ROW("limit", 0, "N", "so many positions in the report", &command.limit, 0, INT32_MAX,
                   USUAL(20), .needs = "judge"),
        FLAG_ROW("json", 0, "the report as JSON", &command.json),
        FLAG_ROW("quiet", 'q', "no progress, no report", &command.searching.quiet),
    };
    command.line = COMMAND_LINE("suite", "SOURCE... -o OUT [options] | --judge PGN... [-o OUT]",
                                about, rows, ROW_COUNT(rows), 1, INT32_MAX);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_suite = {"suite", "make openings for matches of engines",
                                      command_main};
