/* makebook prune: a book with fewer moves. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "book/book.h"
#include "book/format.h"
#include "book/formats/store/store_format.h"
#include "book/graph/graph_visit.h"
#include "book/graph/prune.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/expecting.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/cli/weighing.h"
#include "book/makebook/commands/commands.h"
#include "book/polyglot_entry.h"
#include "book/weigh/override.h"
#include "chess/position_text.h"
#include "eval/eval.h"
#include "search/score.h"

/* What a user decides himself: --override and --remove. */

/* Begins as {0}. */
struct prune_overrides {
    struct overrides overrides; /* of the file, then with the lines of --remove */
    bool *added;                /* of each: was its move new to the book? NULL: none was */
    struct option_texts lines;  /* of --remove */
};

/* The last move of a line, and the position before it. Returns an exit status. */
static enum exit_status read_line(const struct command_line *line, const char *text,
                                  struct position *pos, move *last)
{
    move moves[BOOK_GRAPH_PLIES_MAX];
    size_t count = 0;
    struct diag diag = {.text = ""};
    char room[ECO_LINE_MAX];
    struct span words;
    if (command_words(line, text, room, &words, &diag) != STATUS_OK ||
        line_from_text(words, pos, moves, BOOK_GRAPH_PLIES_MAX, &count, &diag) != STATUS_OK)
        return command_misuse(line, "--remove \"%s\": %s", text, diag.text);
    if (count == 0)
        return command_misuse(line, "--remove \"%s\": there is no move", text);
    for (size_t i = 0; i + 1 < count; i++)
        position_play(pos, moves[i]);
    *last = moves[count - 1];
    return EXIT_DONE;
}

/* By key, then move, as overrides_parse() leaves them. */
static int override_compare(const void *a, const void *b)
{
    const struct override *x = a;
    const struct override *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* A line of --remove takes the place of what the file says about the move. */
static bool put(struct overrides *overrides, const struct override *removed)
{
    size_t capacity = overrides->count;
    for (size_t i = 0; i < overrides->count; i++)
        if (override_compare(&overrides->list[i], removed) == 0) {
            overrides->list[i] = *removed;
            return true;
        }
    if (!ARRAY_GROW(overrides->list, capacity, overrides->count + 1))
        return false;
    overrides->list[overrides->count++] = *removed;
    return true;
}

/* Reads the file (NULL: none) and the lines. Returns the exit status after naming a fault. */
static enum exit_status prune_overrides_read(const struct command_line *line, const char *path,
                                             struct prune_overrides *overridden)
{
    struct overrides *overrides = &overridden->overrides;
    enum exit_status answer =
        path ? weighing_read_overrides(line, path, false, overrides) : EXIT_DONE;
    for (size_t i = 0; i < overridden->lines.count && answer == EXIT_DONE; i++) {
        struct position pos;
        move m;
        answer = read_line(line, overridden->lines.items[i], &pos, &m);
        if (answer == EXIT_DONE &&
            !put(overrides, &(struct override){.key = pos.key,
                                               .move = polyglot_from_move(m),
                                               .journey = polyglot_journey(m),
                                               .kind = OVERRIDE_NEVER}))
            answer = command_fail(line, "out of memory");
    }
    if (overrides->count > 1)
        qsort(overrides->list, overrides->count, sizeof *overrides->list, override_compare);
    return answer;
}

/* Sets the weight of a move in the list. False: it is not there. */
static bool set_weight(struct entry_list *list, const struct override *override)
{
    const struct entry_table table = {.entries = list->entries, .count = list->count};
    uint32_t weight = override->weight;
    bool found = false;
    for (size_t at = entry_table_find(&table, override->key);
         at < list->count && list->entries[at].key == override->key; at++) {
        struct book_entry *entry = &list->entries[at];
        if (entry->move != override->move && entry->move != override->journey)
            continue;
        entry->weight = found ? 0 : weight; /* entries of a move add up */
        found = true;
    }
    return found;
}

static enum caxton_status weigh(struct prune_overrides *overridden, struct entry_list *list)
{
    const struct overrides *overrides = &overridden->overrides;
    struct entry_list more = {.separate = true};
    enum caxton_status status = STATUS_OK;
    overridden->added = calloc(overrides->count, sizeof *overridden->added);
    if (!overridden->added)
        return STATUS_NO_MEMORY;
    entry_list_join(list);
    for (size_t i = 0; i < overrides->count && status == STATUS_OK; i++) {
        const struct override *override = &overrides->list[i];
        if (override->kind == OVERRIDE_NEVER)
            continue;
        overridden->added[i] = !set_weight(list, override);
        if (overridden->added[i])
            status = entry_list_append(&more, &(struct book_entry){.key = override->key,
                                                                   .move = override->move,
                                                                   .weight = override->weight});
    }
    for (size_t i = 0; i < more.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &more.entries[i]);
    entry_list_free(&more);
    return status;
}

/* Does the file set a weight? */
static bool prune_overrides_sets_weights(const struct prune_overrides *overridden)
{
    for (size_t i = 0; i < overridden->overrides.count; i++)
        if (overridden->overrides.list[i].kind != OVERRIDE_NEVER)
            return true;
    return false;
}

/* Puts a book with the weights of the file, also of moves that it does not know yet, in the place
 * of source->book. Returns the exit status after naming a fault. */
static enum exit_status prune_overrides_weigh(const struct command_line *line,
                                              struct prune_overrides *overridden,
                                              struct source *source)
{
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    if (!prune_overrides_sets_weights(overridden))
        return EXIT_DONE;
    enum caxton_status status = gather_book(&gathering, source->book, GATHER_SUM, &diag);
    if (status == STATUS_OK) {
        diag_set(&diag, 0, 0, "out of memory");
        status = weigh(overridden, &gathering.list);
    }
    if (status == STATUS_OK)
        status = gather_finish(&gathering, source->name, &book);
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(line, "%s: %s", source->name, diag.text);
    book_made_of(book, source->book);
    source->origin = source->book;
    source->book = book;
    return EXIT_DONE;
}

/* Is it a move of the book, also where no line comes to, or one to a position of the book? */
static bool knows(const struct book *book, const struct book_graph *graph,
                  const struct position *pos, move m)
{
    struct book_move moves[MOVES_MAX];
    int count = book_probe(book, pos, moves, MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return true;
    return book_graph_find(graph, position_after(pos, m).key) != BOOK_GRAPH_NONE;
}

/* Refuses a line of --remove of which the book knows neither the move nor what follows. Returns the
 * exit status after naming it. */
static enum exit_status prune_overrides_check(const struct command_line *line,
                                              const struct prune_overrides *overridden,
                                              const struct book *book,
                                              const struct book_graph *graph)
{
    for (size_t i = 0; i < overridden->lines.count; i++) {
        struct position pos;
        move m;
        enum exit_status answer = read_line(line, overridden->lines.items[i], &pos, &m);
        if (answer != EXIT_DONE)
            return answer;
        if (!knows(book, graph, &pos, m))
            return command_fail(line, "--remove \"%s\": the book does not know this move",
                                overridden->lines.items[i]);
    }
    return EXIT_DONE;
}

/* Takes the move out of those that fell because no line reaches them. */
static void forget(struct pruning *pruning, const struct override *override)
{
    struct entry_list *list = &pruning->unreached;
    size_t at = 0;
    while (at < list->count &&
           (list->entries[at].key != override->key || list->entries[at].move != override->move))
        at++;
    if (at == list->count)
        return;
    pruning->counts[list->entries[at].place]--;
    list->count--;
    memmove(list->entries + at, list->entries + at + 1, (list->count - at) * sizeof *list->entries);
}

/* Warns of lines of the file about positions that no line of the book reaches. Moves that
 * prune_overrides_weigh() added there are no longer among those that fell. */
static void prune_overrides_warn(const struct command_line *line, const char *path,
                                 const struct prune_overrides *overridden, struct pruning *pruning)
{
    for (size_t i = 0; i < overridden->overrides.count; i++) {
        const struct override *override = &overridden->overrides.list[i];
        if (!override->line || book_graph_find(&pruning->graph, override->key) != BOOK_GRAPH_NONE)
            continue;
        (void)command_fail(line, "warning: %s:%zu: no effect: no line of the book comes here", path,
                           override->line);
        if (overridden->added && overridden->added[i])
            forget(pruning, override);
    }
}

static void prune_overrides_free(struct prune_overrides *overridden)
{
    free(overridden->added);
    overrides_free(&overridden->overrides);
}

enum { REACH_DECIMALS = 9 };

#define REACH_ALL INT64_C(100000000000) /* 100 % in units of 10^-9 % */

struct prune_command {
    const char *output;
    const char *to;
    int64_t min_share_ppm;
    const char *min_score;
    int64_t min_reach; /* of REACH_ALL */
    int64_t min_eval_cp;
    struct expecting expecting; /* its store is there without --replies, too */
    const struct book *counted; /* statistics, whose searches are those of the store */
    struct asked_facets facets;
    const char *override_path;
    const char *start;
    int64_t min_games;
    int64_t max_plies;
    int64_t best;
    int own; /* 0: nobody's, else 1 + colour */
    bool reachable;
    bool keep_unreached;
    bool quiet;
    struct command_line line;

    const struct book_writer *writer;
    struct source source;
    struct prune_overrides overridden;
    struct position root; /* of --start */
    struct prune_options options;
    struct pruning pruning;
};

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status find_output(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    const char *output = command->output;
    bool named = command->to && !outputs_is_stats_name(output);
    command->writer = named ? formats_writer(command->to) : NULL;
    if (named && !command->writer)
        return command_misuse(line, "what kind of book? --to says: %s", save_names());
    if (!named && save_find_writer(line, output, &command->writer) != EXIT_DONE)
        return EXIT_USAGE;
    if (outputs_protect(line, command->expecting.store, output) != EXIT_DONE ||
        outputs_protect(line, command->expecting.replies, output) != EXIT_DONE ||
        outputs_protect(line, command->override_path, output) != EXIT_DONE)
        return EXIT_USAGE;
    return outputs_protect_inputs(line, 1, output);
}

static int centipawns(int score)
{
    return score_is_mate(score) ? score : eval_centipawns(score);
}

/* The least score that is worth as many centipawns. */
static int score_from(int64_t value)
{
    int score = -SCORE_MATE;
    while (score < SCORE_MATE && centipawns(score) < value)
        score++;
    return score;
}

/* Reads --start, --override and --remove. Returns an exit status. */
static enum exit_status read_lines(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    struct prune_options *options = &command->options;
    struct diag diag = {.text = ""};
    if (command->start) {
        if (command_position(line, command->start, &command->root, &diag) != STATUS_OK)
            return command_misuse(line, "--start: %s", diag.text);
        options->root = &command->root;
    }
    enum exit_status answer =
        prune_overrides_read(line, command->override_path, &command->overridden);
    options->overrides = command->overridden.overrides.list;
    options->override_count = command->overridden.overrides.count;
    return answer;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    struct prune_options *options = &command->options;
    if (!weigh_read_score(command->min_score, &options->min_score))
        return command_misuse(line, WEIGHING_SCORE_WANTED);
    options->min_share_ppm = (uint32_t)command->min_share_ppm;
    options->has_min_eval = options_given(line, "min-eval");
    options->min_eval = score_from(command->min_eval_cp);
    options->min_reach = (double)command->min_reach / (double)REACH_ALL;
    options->min_games = (uint64_t)command->min_games;
    options->max_plies = (uint32_t)command->max_plies;
    options->best = (uint32_t)command->best;
    options->own[WHITE] = command->own == 1 + WHITE;
    options->own[BLACK] = command->own == 1 + BLACK;
    options->reachable = command->reachable;
    options->keep_unreached = command->keep_unreached;
    return EXIT_DONE;
}

/* As struct prune_options.facts: games of statistics, scores of the store. */
static enum caxton_status counted_facts(const void *state, uint64_t key, const struct position *pos,
                                        struct book_facts *out, struct diag *diag)
{
    const struct prune_command *command = state;
    const struct book *counted = command->counted;
    enum caxton_status status = counted->format->facts(counted->state, key, pos, out, diag);
    if (status == STATUS_OK && pos)
        store_format_scores(&command->expecting.searches.answers, pos, out);
    return status;
}

/* Statistics become a book whose weights are numbers of games, where others are set by hand. Else
 * the store knows games, and only it knows what searches say. */
static bool open_source(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    struct source *source = &command->source;
    const char *name = line->operands[0];
    if (command->expecting.replies) {
        command->options.facts = expecting_facts;
        command->options.known = &command->expecting;
        return expecting_open_book(line, name, source);
    }
    if (!source_open(line, name, source))
        return false;
    if (!store_reading_open(line, command->expecting.store, &command->expecting.searches))
        return false;
    if (source->book->counts) {
        const struct wld_book_options options = {
            .weights = prune_overrides_sets_weights(&command->overridden) ? WLD_WEIGHTS_GAMES
                                                                          : WLD_WEIGHTS_UNITS,
            .facts = true};
        if (!source_fits_walk(line, source, 2 * sizeof(struct tally)) ||
            !source_walk(line, source, &options, NULL))
            return false;
        command->counted = source->book;
        command->options.facts = counted_facts;
        command->options.known = command;
        return true;
    }
    if (command->expecting.store) {
        command->options.facts = store_reading_facts;
        command->options.known = &command->expecting.searches;
        return true;
    }
    if (command->min_games > 0 || command->min_score)
        return command_refuse(line,
                              "%s: --min-%s is for statistics (.wld), or with --store or --replies",
                              name, command->min_games > 0 ? "games" : "score");
    return true;
}

/* A book_graph_visitor: the moves of the position that fall. */
static void list_position(void *context, const struct book_node *node, const struct position *pos,
                          const move *line)
{
    const struct prune_command *command = context;
    const struct book_graph *graph = &command->pruning.graph;
    FILE *out = outputs_report(command->output);
    move moves[BOOK_GRAPH_PLIES_MAX + 1];
    (void)pos;
    memcpy(moves, line, node->ply * sizeof *moves);
    for (uint32_t e = node->first; e < node->first + node->count; e++) {
        if (command->pruning.reasons[e] == PRUNE_KEPT)
            continue;
        moves[node->ply] = graph->edges[e].move;
        moves_print(out, &graph->roots[node->root], moves, node->ply + 1);
        (void)fprintf(out, ": %s\n", prune_reason_text(command->pruning.reasons[e]));
    }
}

/* The moves of positions that are known by their keys alone. No line ever reached these: those that
 * fall for that alone are only counted. */
static void list_unreached(const struct prune_command *command)
{
    const struct entry_list *list = &command->pruning.unreached;
    size_t before = 0;
    for (size_t i = 0; i < list->count; i++) {
        char text[8];
        if (list->entries[i].place == PRUNE_UNREACHED) {
            before++;
            continue;
        }
        polyglot_move_text(list->entries[i].move, text);
        (void)fprintf(outputs_report(command->output), "key %016" PRIx64 ", %s: %s\n",
                      list->entries[i].key, text, prune_reason_text(list->entries[i].place));
    }
    if (before)
        (void)fprintf(outputs_report(command->output),
                      "%zu move%s of positions that no line reached before either "
                      "(--keep-unreached keeps them)\n",
                      before, text_plural(before));
}

static void report(const struct prune_command *command)
{
    FILE *out = outputs_report(command->output);
    const struct pruning *pruning = &command->pruning;
    size_t all = 0;
    for (int i = 0; i < PRUNE_REASONS; i++)
        all += pruning->counts[i];
    struct report text = report_begin(out, false);
    report_number(&text, NULL, "moves read", all, "");
    report_number(&text, NULL, "moves kept", pruning->counts[PRUNE_KEPT], "");
    report_number(&text, NULL, "  positions", pruning->positions, "");
    for (int i = PRUNE_KEPT + 1; i < PRUNE_REASONS; i++)
        report_nonzero(&text, NULL, "  left out", pruning->counts[i],
                       prune_reason_text((enum prune_reason)i));
    (void)fprintf(out, "%s: %s\n", text_safe(command->output).text, command->writer->about);
}

static enum exit_status save(struct prune_command *command)
{
    struct gathering gathering = {.list = command->pruning.list};
    const struct book *source = command->source.book;
    struct diag diag = {.text = ""};
    command->pruning.list = (struct entry_list){0};
    enum caxton_status status = gather_roots(&gathering, source, &diag);
    if (status == STATUS_OK && command->start)
        status = gather_root(&gathering, &command->root);
    return save_gathered(&command->line, &gathering, status, &diag, source, command->writer,
                         command->output);
}

/* Stores and experience files have keys only, and no table: nothing else counts what they lose. */
static void warn_of_unreached(const struct prune_command *command)
{
    const struct book_graph *graph = &command->pruning.graph;
    const struct book_losses losses = {.positions = graph->positions,
                                       .unreached = graph->positions - graph->known};
    char text[BOOK_LOSSES_TEXT_MAX];
    if (command->source.book->position_count > 0 && losses.unreached > 0)
        (void)command_fail(&command->line, "warning: %s: %s", command->source.name,
                           book_losses_text(&losses, text));
}

static enum exit_status prune(struct prune_command *command)
{
    struct diag diag = {.text = ""};
    if (!open_source(command))
        return EXIT_FAILED;
    enum exit_status answer = EXIT_DONE;
    if (command->expecting.replies)
        answer =
            expecting_open(&command->line, &command->source, command->own, &command->expecting);
    if (answer != EXIT_DONE)
        return answer;
    if (prune_overrides_weigh(&command->line, &command->overridden, &command->source) != EXIT_DONE)
        return EXIT_FAILED;
    if (prune_book(command->source.book, &command->options, &command->pruning, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    warn_of_unreached(command);
    if (prune_overrides_check(&command->line, &command->overridden, command->source.book,
                              &command->pruning.graph) != EXIT_DONE)
        return EXIT_FAILED;
    if (!command->keep_unreached)
        prune_overrides_warn(&command->line, command->override_path, &command->overridden,
                             &command->pruning);
    if (command->pruning.counts[PRUNE_KEPT] == 0)
        return command_fail(&command->line, "%s: no move is left", command->source.name);
    answer = save(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!command->quiet) {
        if (book_graph_visit(&command->pruning.graph, list_position, command) != STATUS_OK)
            return command_fail(&command->line, "out of memory");
        list_unreached(command);
    }
    report(command);
    return answer;
}

static enum exit_status run(void *context)
{
    struct prune_command *command = context;
    enum exit_status answer = find_output(command);
    if (answer == EXIT_DONE)
        answer = read_options(command);
    if (answer == EXIT_DONE)
        answer = read_lines(command);
    if (answer == EXIT_DONE) {
        answer = prune(command);
        pruning_free(&command->pruning);
        expecting_close(&command->expecting);
        source_close(&command->source);
    }
    prune_overrides_free(&command->overridden);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Leaves moves out of a book of any kind. The kind of OUT is seen from its name, or --to\n"
    "says it, as for convert. Weights stay as they are. A move falls by the first of these\n"
    "rules, in this order: --remove and --override; --min-games and --min-score, of\n"
    "statistics (.wld), whose weights are numbers of games here, or of the games that\n"
    "makebook learn put into a --store; --min-eval, by the searches of a store; --min-share,\n"
    "of the weight that is left in the position; --best, the heaviest first; --max-ply,\n"
    "counted along the shortest line that is left; --min-reach. A move does not fall by what\n"
    "is not known of it.\n\n"
    "The reach of a position is the probability that a game gets there when both sides play by\n"
    "the weights that are left, and any legal move alike where the book knows none. With --color\n"
    "one side plays each of its moves with probability 1: then reach depends on the opponent "
    "alone.\n\n"
    "Then the moves of positions fall that no line reaches any more, or ever did. Lines follow\n"
    "the moves of the book, and where it knows none any legal move: so a book of one side's moves\n"
    "keeps its lines. --keep-unreached keeps such positions; with --remove only those that never\n"
    "had a line. --reachable is stricter: lines begin at the start of the game alone, not at "
    "other\n"
    "positions that the book names, and leave a position that it knows by the moves it plays.\n\n"
    "--remove \"1. e4 c5\" takes the last move of the line out, and what only it leads to. It may\n"
    "be a reply that the book does not know itself. A file for --override has lines such as \"f3 "
    ":\n"
    "never\" (the same), \"1. e4 e5 2. f4 : always\" (nothing else is played there), \"d4 d5 c4 : "
    "500\"\n"
    "(this weight, in or not). No rule about one position is asked of such moves.\n\n"
    "Every move that falls is listed with its line and the reason, then their numbers; those of\n"
    "positions that no line ever reached are only counted.\n\n" EXPECTING_ABOUT "\n"
    "--min-score and --min-games go by these then: -2 leaves out own moves that are expected to\n"
    "score 2 less than all own moves of the position together.";

static enum exit_status command_main(int argc, char **argv)
{
    struct prune_command command = {.own = 0};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.output,
                 .required = "where to? -o says it"),
        TEXT_ROW("to", 0, "KIND", "the kind of book to write, as convert's", &command.to),
        TEXTS_ROW("remove", 0, "LINE", "a move that is left out, the last of the line; repeatable",
                  &command.overridden.lines),
        TEXT_ROW("override", 0, "FILE", "decisions by hand: lines \"MOVES : N|never|always\"",
                 &command.override_path),
        NUMBER_ROW("min-games", 0, "N", "leave out moves in fewer games (see above)",
                   &command.min_games, 0, INT64_MAX),
        TEXT_ROW("min-score", 0, "PERCENT", WEIGHING_SCORE_HELP, &command.min_score),
        NUMBER_ROW("min-eval", 0, "CP", "leave out moves that a search of --store finds worse",
                   &command.min_eval_cp, -SCORE_MATE, SCORE_MATE,
                   .wants = "centipawns, such as -50", .needs = "store",
                   .why = "--min-eval needs searches: --store names them"),
        TEXT_ROW("store", 0, "FILE", "searches and games of makebook grow, learn and import",
                 &command.expecting.store),
        EXPECTING_ROWS(command.expecting),
        FACET_ROWS(command.facets),
        PERCENT_ROW("min-share", "leave out moves with less of their position's weight",
                    &command.min_share_ppm, 4),
        NUMBER_ROW("best", 0, "N", "keep the N heaviest moves of each position", &command.best, 1,
                   MOVES_MAX),
        NUMBER_ROW("max-ply", 0, "N", "keep the first N plies of lines", &command.max_plies, 1,
                   BOOK_GRAPH_PLIES_MAX),
        PERCENT_ROW("min-reach", "leave out positions that fewer games reach", &command.min_reach,
                    REACH_DECIMALS),
        CHOICE_ROW("color", "none|white|black",
                   "whose moves all have probability 1, whose book it is", &command.own,
                   .needs = "min-reach|replies", .old = "own"),
        FLAG_ROW("reachable", 0, "keep only what the book's own moves reach", &command.reachable,
                 .without = "keep-unreached"),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "where lines begin (startpos)", &command.start),
        FLAG_ROW("keep-unreached", 0, "keep positions that no line reaches",
                 &command.keep_unreached),
        FLAG_ROW("quiet", 'q', "no list of what falls", &command.quiet),
    };
    command.line =
        COMMAND_LINE("prune", "BOOK -o OUT [options]", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_prune = {"prune", "leave moves out of a book", command_main};
