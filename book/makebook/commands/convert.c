/* makebook convert: statistics or a book in, a book of any kind out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_file.h"
#include "base/memory_stream.h"
#include "base/progress.h"
#include "book/book.h"
#include "book/format.h"
#include "book/formats/polyglot/peers.h"
#include "book/formats/store/store_format.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/expecting.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/cli/weighing.h"
#include "book/makebook/commands/commands.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "eval/eval.h"
#include "search/score.h"

enum { COLOR_BOTH, COLOR_WHITE, COLOR_BLACK };

/* What a search makes of a move's weight. */
struct move_factor {
    uint64_t key;
    uint16_t move; /* as struct tally's */
    uint32_t factor;
};

struct convert_command {
    int64_t min_eval_cp;
    struct move_factor *factors; /* of moves that a search knows, by key and move */
    size_t factor_count, factor_capacity;
    struct weighing weighing;
    struct asked_facets facets;
    struct expecting expecting;
    bool quiet;
    bool skip_damaged;
    int color;                        /* enum below */
    struct polyglot_peer_output peer; /* the program that a book is for; peer.peer -1: any */
    struct book_writer peer_writer;
    const char *to;
    const struct book_writer *writer;
    struct command_line line;
    struct weigh_options options;
    struct source source;
};

struct weighing_all {
    struct weigher *weigher;
    struct progress progress;
    uint64_t taken;
};

/* A tally_sink. Keys are spread evenly, so that the key tells how much is done. */
static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    enum { TALLIES_A_LOOK = 1 << 12 };
    struct weighing_all *all = context;
    if (++all->taken % TALLIES_A_LOOK == 0)
        progress_share(&all->progress, "weighing", tally->key >> 1, INT64_MAX);
    return weigher_take(all->weigher, tally);
}

/* Weights by searches. ------------------------------------------------------------------------ */

static int compare_factors(const void *a, const void *b)
{
    const struct move_factor *x = a;
    const struct move_factor *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* As struct weigh_options.factor. */
static uint32_t find_factor(const void *context, uint64_t key, uint16_t m)
{
    const struct convert_command *command = context;
    const struct move_factor wanted = {.key = key, .move = m};
    const struct move_factor *found =
        command->factor_count ? bsearch(&wanted, command->factors, command->factor_count,
                                        sizeof wanted, compare_factors)
                              : NULL;
    return found ? found->factor : WEIGH_WHOLE;
}

/* Half for each 50 centipawns, between them along a line; beyond ten pawns nothing is lost. */
static uint32_t factor_of_loss(int best, int score)
{
    enum { HALF_CP = 50, WON_CP = 1000 };
    const int scores[] = {best, score};
    int shown[2];
    for (int i = 0; i < 2; i++) {
        shown[i] = eval_centipawns(scores[i]);
        shown[i] = shown[i] > WON_CP ? WON_CP : shown[i] < -WON_CP ? -WON_CP : shown[i];
    }
    int loss = shown[0] - shown[1];
    uint32_t half = loss / HALF_CP < 16 ? (uint32_t)WEIGH_WHOLE >> (loss / HALF_CP) : 1;
    uint32_t factor = half - half * (uint32_t)(loss % HALF_CP) / (2 * HALF_CP);
    return factor ? factor : 1;
}

static bool add_factors(struct convert_command *command, const struct position *pos)
{
    struct book_facts facts;
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    int best = deepest_answers_best(&command->expecting.searches.answers, pos);
    book_facts_clear(&facts);
    for (int i = 0; i < count; i++)
        (void)book_facts_add(&facts, polyglot_from_move(moves[i]), moves[i]);
    store_format_scores(&command->expecting.searches.answers, pos, &facts);
    for (int i = 0; i < count; i++)
        best = facts.moves[i].searched && facts.moves[i].score > best ? facts.moves[i].score : best;
    for (int i = 0; i < count; i++) {
        int score = facts.moves[i].score;
        int shown = score_is_mate(score) ? score : eval_centipawns(score);
        if (!facts.moves[i].searched)
            continue;
        if (!ARRAY_GROW(command->factors, command->factor_capacity, command->factor_count + 1))
            return false;
        bool is_bad = options_given(&command->line, "min-eval") && shown < command->min_eval_cp;
        command->factors[command->factor_count++] =
            (struct move_factor){.key = pos->key,
                                 .move = facts.moves[i].stored,
                                 .factor = is_bad ? 0 : factor_of_loss(best, score)};
    }
    return true;
}

/* Of all positions of the store, and of the start, behind which alone games may have scores. */
static bool read_factors(struct convert_command *command)
{
    struct position pos;
    if (!command->expecting.store)
        return true;
    if (!store_reading_open(&command->line, command->expecting.store, &command->expecting.searches))
        return false;
    position_start(&pos);
    bool good = add_factors(command, &pos);
    for (size_t i = 0; i < command->expecting.searches.answers.count && good; i++)
        if (position_unpack(&command->expecting.searches.answers.list[i].pos, &pos))
            good = add_factors(command, &pos);
    if (!good)
        return command_refuse(&command->line, "out of memory");
    if (command->factor_count)
        qsort(command->factors, command->factor_count, sizeof *command->factors, compare_factors);
    command->options.factor = find_factor;
    command->options.factor_context = command;
    return true;
}

static enum caxton_status weigh_all(struct convert_command *command, FILE *out,
                                    struct weigh_report *report, struct diag *diag)
{
    command->options.unit = command->source.book->counts->unit;
    struct weighing_all all = {.weigher = weigher_create(out, &command->options)};
    if (!all.weigher)
        return STATUS_NO_MEMORY;
    progress_start(&all.progress, command->quiet, 0);
    enum caxton_status status = wld_reader_give(command->source.reader, take_tally, &all, diag);
    if (status == STATUS_OK)
        status = weigher_finish(all.weigher, report);
    weigher_destroy(all.weigher);
    progress_end(&all.progress);
    if (status == STATUS_OK && report->entries == 0) {
        diag_set(diag, 0, 0, "%s: no move is left", command->source.name);
        return STATUS_NOT_FOUND;
    }
    const char *fault = source_input_fault(&command->source);
    if (status != STATUS_OK && fault)
        diag_set(diag, 0, 0, "%s: %s", command->source.name, fault);
    return status;
}

static enum exit_status convert(struct convert_command *command, const char *output)
{
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    struct weigh_report report;
    if (!outputs_create(&command->line, output, &file))
        return EXIT_FAILED;
    diag_set(&diag, 0, 0, "%s: cannot write", output);
    enum caxton_status status = weigh_all(command, atomic_file_stream(file), &report, &diag);
    if (outputs_end(&command->line, file, status, diag.text) != EXIT_DONE)
        return EXIT_FAILED;
    weighing_warn(&command->line, &command->options, &report);
    if (!command->quiet)
        weighing_report(outputs_report(output), &report);
    return EXIT_DONE;
}

/* Writes statistics as another kind of book, by way of a Polyglot book in memory. Mirrored ones
 * always come this way: a walk finds their positions, of both colours. */
static enum exit_status convert_by_book(struct convert_command *command, const char *output)
{
    struct memory_stream made;
    struct weigh_report report;
    struct diag diag = {.text = "out of memory"};
    struct book *book = NULL;
    enum caxton_status status = memory_stream_open(&made)
                                    ? weigh_all(command, made.file, &report, &diag)
                                    : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = book_open_entries(&made, command->source.book->counts->mirrored,
                                   command->source.name, &book, &diag);
    enum exit_status answer = status == STATUS_OK
                                  ? save_book(&command->line, book, command->writer, output)
                                  : command_fail(&command->line, "%s", diag.text);
    if (answer == EXIT_DONE)
        weighing_warn(&command->line, &command->options, &report);
    if (answer == EXIT_DONE && !command->quiet)
        weighing_report(outputs_report(output), &report);
    book_close(book);
    free(made.bytes);
    return answer;
}

/* Writes the moves of one side. */
static enum exit_status save_side(const struct convert_command *command, const char *output)
{
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    int color = command->color == COLOR_WHITE ? WHITE : BLACK;
    enum caxton_status status = gather_color(&gathering, command->source.book, color, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->source.name, diag.text);
    if (status == STATUS_OK && gathering.list.count == 0) {
        diag_set(&diag, 0, 0, "no move is left");
        status = STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK) {
        diag_set(&diag, 0, 0, "out of memory");
        status = gather_finish(&gathering, command->source.name, &book);
    }
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(&command->line, "%s: %s", command->source.name, diag.text);
    book_made_of(book, command->source.book);
    enum exit_status answer = save_book(&command->line, book, command->writer, output);
    book_close(book);
    return answer;
}

static void report(const struct convert_command *command, const char *output)
{
    const struct source *source = &command->source;
    if (!command->quiet)
        (void)fprintf(outputs_report(output), "%s: %s, %zu moves; %s: %s\n",
                      text_safe(source->name).text, book_format_name(source->book),
                      book_entry_count(source->book), text_safe(output).text,
                      command->writer->about);
}

/* The entries [first, first + count) of a position: those of own moves get the weights that their
 * expected scores make, or are left out; others stay. */
static enum caxton_status weigh_expected(const struct convert_command *command,
                                         const struct entry_list *from, size_t first, size_t count,
                                         struct entry_list *out)
{
    const struct expected_graph *expected = &command->expecting.graph;
    struct book_facts facts;
    struct tally tallies[MOVES_MAX];
    struct polyglot_entry weighed[WEIGH_MOVES_MAX];
    size_t tally_count = 0;
    const struct book_entry *entries = from->entries + first;
    uint32_t at = book_graph_find(&expected->graph, entries->key);
    enum caxton_status status;
    book_facts_clear(&facts);
    for (size_t i = 0; at != BOOK_GRAPH_NONE && i < count && i < MOVES_MAX; i++)
        (void)book_facts_add(&facts, book_graph_stored_move(&expected->graph, at, entries[i].move),
                             MOVE_NONE);
    status = expected_graph_facts(expected, entries->key, NULL, &facts, NULL);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct book_move_facts *m = i < (size_t)facts.count ? &facts.moves[i] : NULL;
        if (m && book_move_games(m) > 0)
            tallies[tally_count++] = (struct tally){
                .key = entries->key, .move = m->stored, .counts = {m->wins, 0, m->losses}};
        else if (!m || book_facts_find(&facts, m->stored) ==
                           m) /* else it is another's, written otherwise */
            status = entry_list_append(out, &entries[i]);
    }
    size_t kept = weigh_position(&command->options, tallies, tally_count, weighed);
    for (size_t i = 0; i < kept && status == STATUS_OK; i++)
        status = entry_list_append(out, &(struct book_entry){.key = entries->key,
                                                             .move = weighed[i].move,
                                                             .weight = weighed[i].weight});
    return status;
}

/* --replies: own moves are weighed by what they are expected to score. Returns an exit status. */
static enum exit_status convert_expected(struct convert_command *command, const char *output)
{
    struct gathering gathering = {.root_count = 0};
    struct entry_list list = {.separate = true};
    struct diag diag = {.text = ""};
    enum exit_status answer =
        expecting_open(&command->line, &command->source, command->color, &command->expecting);
    if (answer != EXIT_DONE)
        return answer;
    command->options.unit = EXPECTED_UNIT;
    enum caxton_status status = gather_book(&gathering, command->source.book, GATHER_SUM, &diag);
    entry_list_join(&gathering.list);
    const struct entry_table table = entries_table(&gathering.list);
    for (size_t first = 0, count; first < table.count && status == STATUS_OK; first += count) {
        count = entries_of_position(&table, first);
        status = weigh_expected(command, &gathering.list, first, count, &list);
    }
    const size_t left_out = gathering.list.count - list.count;
    list.unchecked = gathering.list.unchecked;
    entry_list_free(&gathering.list);
    gathering.list = list;
    if (status == STATUS_OK && list.count == 0)
        status = diag_fail(STATUS_NOT_FOUND, &diag, "no move is left");
    answer = save_gathered(&command->line, &gathering, status, &diag, command->source.book,
                           command->writer, output);
    if (answer == EXIT_DONE)
        report(command, output);
    if (answer == EXIT_DONE && left_out > 0 && !command->quiet)
        (void)fprintf(outputs_report(output),
                      "%zu of the moves left out: worth too few games (--min-games), or by score "
                      "or share\n",
                      left_out);
    return answer;
}

/* Writes a book as another kind of book. */
static enum exit_status convert_book(const struct convert_command *command, const char *output)
{
    const struct source *source = &command->source;
    enum exit_status status = command->color == COLOR_BOTH
                                  ? save_book(&command->line, source->book, command->writer, output)
                                  : save_side(command, output);
    if (status == EXIT_DONE)
        report(command, output);
    return status;
}

static enum exit_status run_source(struct convert_command *command, const char *output)
{
    if (command->expecting.replies)
        return convert_expected(command, output);
    if (!command->source.book->counts)
        return convert_book(command, output);
    bool direct = command->peer.peer < 0 && command->writer->writes_entries &&
                  !command->source.book->counts->mirrored;
    return direct ? convert(command, output) : convert_by_book(command, output);
}

/* The format of the output: statistics become a Polyglot book unless told otherwise. Returns
 * EXIT_DONE or EXIT_USAGE. */
static enum exit_status find_writer(struct convert_command *command, const char *output)
{
    command->writer = command->to ? formats_writer(command->to) : formats_writer_of_path(output);
    if (!command->writer && !command->to && command->source.book->counts) {
        command->writer = formats_writer("bin");
        return outputs_are_named(&command->line, output, "bin");
    }
    if (command->writer)
        return EXIT_DONE;
    const struct book_format *format = command->to ? NULL : formats_of_path(output);
    if (format && !format->writer_count)
        return command_misuse(&command->line, "%s: this kind of book (%s) is only read", output,
                              format->name);
    return command_misuse(&command->line, "what kind of book? --to says: %s", save_names());
}

/* Reads the options, which depend on the input: it is open. Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct convert_command *command, const char *output)
{
    const bool expects = command->expecting.replies != NULL;
    const struct wld_info *counts = expects ? NULL : command->source.book->counts;
    command->weighing.mirrored = counts && counts->mirrored;
    enum exit_status status = weighing_read(&command->line, &command->weighing, &command->options);
    if (status == EXIT_DONE)
        status = find_writer(command, output);
    if (status != EXIT_DONE)
        return status;
    if (command->peer.peer >= 0) {
        if (!command->writer->writes_entries)
            return command_misuse(&command->line, "--for writes a Polyglot book (.bin)");
        command->peer_writer = polyglot_peer_writer(&command->peer);
        command->writer = &command->peer_writer;
    }
    if (!counts && !expects && options_given(&command->line, WEIGHING_NAMES))
        return command_misuse(
            &command->line, "only statistics are weighed, or expected scores (--replies): no such "
                            "option here (makebook prune leaves moves of a book out)");
    if (!counts && command->skip_damaged)
        return command_misuse(&command->line, "--skip-damaged is for statistics (.wld)");
    if (command->expecting.store && !expects && (!counts || counts->mirrored))
        return command_misuse(&command->line, "--store is for statistics (.wld) of both colours, "
                                              "or beside --replies");
    if (counts && command->color != COLOR_BOTH)
        return command_misuse(&command->line,
                              "statistics are counted for one side: makebook build --color");
    if (counts && options_given(&command->line, "min-games") &&
        (uint64_t)command->weighing.min_games < counts->min_games)
        (void)command_fail(&command->line,
                           "warning: %s has no moves of fewer than %llu games: they were left out "
                           "when it was counted",
                           command->source.name, (unsigned long long)counts->min_games);
    return EXIT_DONE;
}

/* A store of a store: all of it. Returns an exit status. */
static enum exit_status convert_store(const struct convert_command *command, const char *output)
{
    if (command->skip_damaged)
        return command_misuse(&command->line, "--skip-damaged is for statistics (.wld)");
    if (command->color != COLOR_BOTH || options_given(&command->line, WEIGHING_NAMES))
        return command_misuse(&command->line,
                              "a store is written whole: no --color and no option about weights");
    return stores_write(&command->line, 1, output, command->quiet);
}

static enum exit_status run(void *context)
{
    struct convert_command *command = context;
    const char *output = command->line.operands[1];
    if (outputs_is_stats_name(output))
        return command_misuse(&command->line, "a book is written here, not statistics (.wld)");
    if (outputs_protect_inputs(&command->line, 1, output) != EXIT_DONE ||
        outputs_protect(&command->line, command->weighing.override_path, output) != EXIT_DONE ||
        outputs_protect(&command->line, command->expecting.replies, output) != EXIT_DONE ||
        outputs_protect(&command->line, command->expecting.store, output) != EXIT_DONE)
        return EXIT_USAGE;
    if (stores_is_name(output) && !command->to && command->peer.peer < 0)
        return command_end(&command->line, convert_store(command, output));
    if (!(command->expecting.replies ? expecting_open_book : source_open)(
            &command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    enum exit_status status = read_options(command, output);
    if (command->skip_damaged)
        source_skip_damaged(&command->line, &command->source);
    if (status == EXIT_DONE && !command->expecting.replies && !read_factors(command))
        status = EXIT_FAILED;
    if (status == EXIT_DONE)
        status = run_source(command, output);
    free(command->factors);
    if (status == EXIT_DONE && command->peer.peer >= 0 && !command->quiet) {
        char text[POLYGLOT_PEER_TEXT_MAX];
        struct text_buffer told = text_buffer_on(text, sizeof text);
        polyglot_peer_tell(&command->peer, &told);
        (void)fputs(text, outputs_report(output));
    }
    expecting_close(&command->expecting);
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Makes a book of another kind. IN is a book of any kind, recognised by content, or statistics\n"
    "that makebook build --stats wrote; the kind of OUT is seen from its name, or --to says it:\n"
    "  bin   Polyglot\n"
    "  abk   Arena\n"
    "  epd   EPD: positions with their moves and weights, as text\n"
    "  fen   Fishburn's lines: a move, then its position\n"
    "  lines White's lines: text that a person edits\n"
    "  exp   experience file of Stockfish's forks, made of another one or of a store\n"
    "    exp-brainlearn, exp-sugar  for BrainLearn and ShashChess, for SugaR, HypnoS and Eman\n"
    "  pgn   a game for each line of play, weights in comments\n"
    "  tree  Thompson's tree: a byte a move, packed weights beside them\n"
    "    tree-style  and the character of the openings they lead to, for the engine's BookStyle\n"
    "    tree-small  weights only where there is a choice; what its own moves reach\n"
    "    tree-pure   nothing but the moves, best first: the tree as Spracklen described it\n"
    "What OUT does not hold of IN (positions, weights, learn values, comments ..) is counted in a\n"
    "warning; book/formats/README.md tells what each kind holds. \"-\" is standard input or "
    "output.\n\n"
    "A PGN file is a repertoire: every move of it counts. Plain games, 100 with wins of both sides "
    "in\n"
    "their Result tags before the first variation or weight, are no book: build counts "
    "those.\n\n"
    "--for NAME writes a Polyglot book that this program plays right, where it would misread "
    "the\n"
    "format, and says what is rewritten or left out and what cannot be helped "
    "(docs/PEERS.md).\n" POLYGLOT_PEERS_ABOUT "\n\n"
    "A store of searches (.store) becomes any other kind of book; as OUT.store, a store without "
    "what\n"
    "is out of use. An experience file (.exp) becomes a store of that engine's searches.\n\n"
    "Statistics are weighed, into a Polyglot book unless told otherwise. Mirrored ones (makebook\n"
    "build --mirror) become a book of both colours, of what lines from the start reach. What was\n"
    "aged or weighted by Elo stays so; --min-games is about the sum of what games "
    "count.\n\nWith --store a value is halved for each 50 centipawns that the move is worse than "
    "the "
    "best by the\nsearches of that store: what plays well and scores well. A move of which no "
    "search "
    "knows keeps\nits value.\n\n" EXPECTING_ABOUT
    "\nThe book's moves of that side are weighed by it then, as statistics are.\n\n";

static enum exit_status command_main(int argc, char **argv)
{
    struct convert_command command = {.to = NULL};
    const struct option_row rows[] = {
        WEIGHING_ROWS(command.weighing),
        CHOICE_ROW("color", "both|white|black", "whose moves of a book are kept", &command.color),
        CHOICE_ROW("for", POLYGLOT_PEERS, "write a Polyglot book that this program plays right",
                   &command.peer.peer, USUAL(-1)),
        TEXT_ROW("to", 0, "KIND", "the kind of book to write, as above", &command.to),
        EXPECTING_ROWS(command.expecting),
        EXPECTING_STORE_ROW(command.expecting),
        NUMBER_ROW("min-eval", 0, "CP", "leave out moves that a search of --store finds worse",
                   &command.min_eval_cp, -SCORE_MATE, SCORE_MATE,
                   .wants = "centipawns, such as -50", .needs = "store", .without = "replies"),
        FACET_ROWS(command.facets),
        FLAG_ROW("skip-damaged", 0, "leave blocks of statistics out that are damaged",
                 &command.skip_damaged),
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("convert", "IN OUT [options]", weighing_about(&command.weighing, about), rows,
                     ROW_COUNT(rows), 2, 2);
    enum exit_status status = command_run(&command.line, argc, argv, run, &command);
    weighing_free(&command.weighing);
    return status;
}

const struct command command_convert = {
    "convert", "make another kind of book, or a book of statistics", command_main};
