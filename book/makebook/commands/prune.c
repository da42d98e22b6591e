/* makebook prune: a book with fewer moves. */
#include "book/prune/prune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "book/book.h"
#include "book/format.h"
#include "book/graph/graph_visit.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/cli/weighing.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/prune_by_hand.h"
#include "book/makebook/commands/prune_facts.h"
#include "book/makebook/commands/prune_store.h"
#include "book/polyglot_entry.h"
#include "search/score.h"

enum { REACH_DECIMALS = 9 };
#define REACH_ALL INT64_C(100000000000) /* 100 % in units of 10^-9 % */

struct prune_command {
    const char *output;
    const char *to;
    const char *min_share;
    const char *min_score;
    const char *min_reach;
    const char *min_eval;
    const char *store_name;
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
    struct prune_tallies tallies;
    struct prune_store store;
    struct prune_by_hand by_hand;
    struct position root; /* of --start */
    struct prune_options options;
    struct pruning pruning;
};

/* Returns EXIT_DONE or EXIT_USAGE. */
static int find_output(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    const char *output = command->output;
    if (!output)
        return command_misuse(line, "where to? -o says it");
    bool named = command->to && !outputs_is_stats_name(output);
    command->writer = named ? formats_writer(command->to) : NULL;
    if (named && !command->writer)
        return command_misuse(line, "what kind of book? --to says: %s", save_names());
    if (!named && save_find_writer(line, output, &command->writer) != EXIT_DONE)
        return EXIT_USAGE;
    if (outputs_spare(line, command->store_name, output) != EXIT_DONE ||
        outputs_spare(line, command->override_path, output) != EXIT_DONE)
        return EXIT_USAGE;
    return outputs_spare_inputs(line, 1, output);
}

static bool read_eval(struct prune_command *command)
{
    int64_t value = 0;
    struct prune_options *options = &command->options;
    options->has_min_eval = command->min_eval != NULL;
    if (options->has_min_eval &&
        span_to_int(span_of(command->min_eval), -SCORE_MATE, SCORE_MATE, &value) != STATUS_OK)
        return false;
    options->min_eval_cp = (int)value;
    return true;
}

/* Reads --start, --override and --remove. Returns an exit status. */
static int read_lines(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    struct prune_options *options = &command->options;
    struct diag diag = {.text = ""};
    if (command->start) {
        if (command_position(line, command->start, &command->root, &diag) != STATUS_OK)
            return command_misuse(line, "--start: %s", diag.text);
        options->root = &command->root;
    }
    int answer = prune_by_hand_read(line, command->override_path, &command->by_hand);
    options->overrides = command->by_hand.overrides.list;
    options->override_count = command->by_hand.overrides.count;
    return answer;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int read_options(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    struct prune_options *options = &command->options;
    int64_t reach = 0;
    if (!weighing_read_percent(command->min_share, &options->min_share_ppm))
        return command_misuse(line, "--min-share wants a percent from 0 to 100, such as 0.5");
    if (!weighing_read_score(command->min_score, &options->min_score))
        return command_misuse(line, WEIGHING_SCORE_WANTED);
    if (command->min_reach &&
        !options_read_percent(command->min_reach, REACH_DECIMALS, REACH_ALL, &reach))
        return command_misuse(line, "--min-reach wants a percent from 0 to 100, such as 0.01");
    if (!read_eval(command))
        return command_misuse(line, "--min-eval wants centipawns, such as -50");
    if (command->min_eval && !command->store_name)
        return command_misuse(line, "--min-eval needs searches: --store names them");
    if (command->own && !command->min_reach)
        return command_misuse(line, "--own goes with --min-reach");
    options->min_reach = (double)reach / (double)REACH_ALL;
    options->min_games = (uint64_t)command->min_games;
    options->max_plies = (uint32_t)command->max_plies;
    options->best = (uint32_t)command->best;
    options->own[WHITE] = command->own == 1 + WHITE;
    options->own[BLACK] = command->own == 1 + BLACK;
    options->reachable = command->reachable;
    options->keep_unreached = command->keep_unreached;
    if (command->reachable && command->keep_unreached)
        return command_misuse(line, "--reachable and --keep-unreached contradict each other");
    return EXIT_DONE;
}

/* Statistics become a book whose weights are numbers of games, where others are set by hand. Else
 * the store knows games, and only it knows what searches say. */
static bool open_source(struct prune_command *command)
{
    const struct command_line *line = &command->line;
    struct source *source = &command->source;
    const char *name = line->operands[0];
    if (!source_open(line, name, source))
        return false;
    if (source->stats && command->store_name)
        return command_refuse(line, "%s: statistics know games by themselves: no --store", name);
    if (source->stats) {
        command->options.unit = wld_reader_info(source->stats)->unit;
        command->options.facts = prune_tallies_facts;
        command->options.context = &command->tallies;
        return prune_tallies_read(line, source,
                                  prune_by_hand_sets_weights(&command->by_hand) ? WLD_WEIGHTS_GAMES
                                                                                : WLD_WEIGHTS_UNITS,
                                  &command->tallies);
    }
    if (command->store_name) {
        command->options.facts = prune_store_facts;
        command->options.context = &command->store;
        return prune_store_read(line, command->store_name, &command->store);
    }
    if (command->min_games > 0)
        return command_refuse(line, "%s: --min-games is for statistics (.wld), or with --store",
                              name);
    if (command->min_score)
        return command_refuse(line, "%s: --min-score is for statistics (.wld), or with --store",
                              name);
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
    report_count(out, "moves read", all, "");
    report_count(out, "moves kept", pruning->counts[PRUNE_KEPT], "");
    report_count(out, "  positions", pruning->positions, "");
    for (int i = PRUNE_KEPT + 1; i < PRUNE_REASONS; i++)
        report_part(out, "  left out", pruning->counts[i], prune_reason_text((enum prune_reason)i));
    (void)fprintf(out, "%s: %s\n", text_safe(command->output).text, command->writer->about);
}

static int save(struct prune_command *command)
{
    struct gathering gathering = {.list = command->pruning.list};
    const struct book *source = command->source.book;
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    command->pruning.list = (struct entry_list){0};
    enum caxton_status status = gather_roots(&gathering, source, &diag);
    if (status == STATUS_OK && command->start)
        status = gather_root(&gathering, &command->root);
    if (status == STATUS_OK)
        status = gather_finish(&gathering, command->source.name, &book);
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    book_made_of(book, source);
    int answer = save_book(&command->line, book, command->writer, command->output);
    book_close(book);
    return answer;
}

static int prune(struct prune_command *command)
{
    struct diag diag = {.text = ""};
    if (!open_source(command) ||
        prune_by_hand_weigh(&command->line, &command->by_hand, &command->source) != EXIT_DONE)
        return EXIT_FAILED;
    if (prune_book(command->source.book, &command->options, &command->pruning, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (prune_by_hand_check(&command->line, &command->by_hand, command->source.book,
                            &command->pruning.graph) != EXIT_DONE)
        return EXIT_FAILED;
    if (!command->keep_unreached)
        prune_by_hand_warn(&command->line, command->override_path, &command->by_hand,
                           &command->pruning);
    if (command->pruning.counts[PRUNE_KEPT] == 0)
        return command_fail(&command->line, "%s: no move is left", command->source.name);
    int answer = save(command);
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

static int run(void *context)
{
    struct prune_command *command = context;
    int answer = find_output(command);
    if (answer == EXIT_DONE)
        answer = read_options(command);
    if (answer == EXIT_DONE)
        answer = read_lines(command);
    if (answer == EXIT_DONE) {
        answer = prune(command);
        pruning_free(&command->pruning);
        prune_tallies_free(&command->tallies);
        prune_store_free(&command->store);
        source_close(&command->source);
    }
    prune_by_hand_free(&command->by_hand);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Leaves moves out of a book of any kind. The kind of OUT is seen from its name, or --to says\n"
    "it, as for convert. Weights stay as they are. A move falls by the first of these rules, in\n"
    "this order: --remove and --override; --min-games and --min-score, of statistics (.wld), whose "
    "weights are numbers of\n"
    "games here, or of the games that makebook learn put into a --store; --min-eval, by the\n"
    "searches of a store; --min-share, of the weight that is left in the position; --best, the\n"
    "heaviest first; --max-ply, counted along the shortest line that is left; --min-reach. A\n"
    "move does not fall by what is not known of it.\n\n"
    "The reach of a position is the probability that a game gets there when both sides play by\n"
    "the weights that are left, and any legal move alike where the book knows none. With --own\n"
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
    "500\"\n(this weight, in or not). No rule about one position is asked of such moves.\n\n"
    "Every move that falls is listed with its line and the reason, then their numbers; those of\n"
    "positions that no line ever reached are only counted.";

static int command_main(int argc, char **argv)
{
    struct prune_command command = {.own = 0};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "OUT", "the book to be written", &command.output),
        TEXT_ROW("to", 0, "KIND", "the kind of book to write, as convert's", &command.to),
        TEXTS_ROW("remove", 0, "LINE", "a move that is left out, the last of the line; repeatable",
                  &command.by_hand.lines),
        TEXT_ROW("override", 0, "FILE", "decisions by hand: lines \"MOVES : N|never|always\"",
                 &command.override_path),
        NUMBER_ROW("min-games", 0, "N", "leave out moves in fewer games (statistics, --store)",
                   &command.min_games, 0, INT64_MAX),
        TEXT_ROW("min-score", 0, "PERCENT", WEIGHING_SCORE_HELP, &command.min_score),
        TEXT_ROW("min-eval", 0, "CP", "leave out moves that a search of --store finds worse",
                 &command.min_eval),
        TEXT_ROW("store", 0, "FILE", "searches and games of makebook grow and learn",
                 &command.store_name),
        TEXT_ROW("min-share", 0, "PERCENT", "leave out moves with less of their position's weight",
                 &command.min_share),
        NUMBER_ROW("best", 0, "N", "keep the N heaviest moves of each position", &command.best, 1,
                   MOVES_MAX),
        NUMBER_ROW("max-ply", 0, "N", "keep the first N plies of lines", &command.max_plies, 1,
                   BOOK_GRAPH_PLIES_MAX),
        TEXT_ROW("min-reach", 0, "PERCENT", "leave out positions that fewer games reach",
                 &command.min_reach),
        CHOICE_ROW("own", "none|white|black", "whose moves all have probability 1 (none)",
                   &command.own),
        FLAG_ROW("reachable", 0, "keep only what the book's own moves reach", &command.reachable),
        TEXT_ROW("start", 0, "POSITION", "where lines begin (startpos): a FEN, or moves",
                 &command.start),
        FLAG_ROW("keep-unreached", 0, "keep positions that no line reaches",
                 &command.keep_unreached),
        FLAG_ROW("quiet", 'q', "no list of what falls", &command.quiet),
    };
    command.line =
        COMMAND_LINE("prune", "BOOK -o OUT [options]", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_prune = {"prune", "leave moves out of a book", command_main};
