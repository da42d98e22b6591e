/* makebook show: what a book knows of one position. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/count/builder.h"
#include "book/format.h"
#include "book/formats/statistics/wld_format.h"
#include "book/formats/store/store_format.h"
#include "book/graph/stats.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/show.h"
#include "book/statistics/wld_file.h"
#include "chess/fen.h"

/* Leaves of larger books are not counted, nor of larger statistics, which are not read for them. */
enum { WALKED_MOVES_MAX = 1 << 22, WALKED_STATS_MAX = 1 << 20 };

struct show_command {
    bool json;
    struct asked_facets facets;
    struct expecting expecting;
    int color; /* of it: 1 + a colour, 0: as its moves show */
    struct option_texts where;
    int64_t samples; /* 0: not given */
    int64_t game;    /* is printed; 0: none */
    struct command_line line;
    struct source source;
    struct book *walked; /* of counts in a small file; NULL: none */
    struct show show;
};

/* All operands after the book as one text, to be freed; NULL when there is no memory. */
static char *join_operands(const struct command_line *line)
{
    size_t size = 1;
    for (int i = 1; i < line->operand_count; i++)
        size += strlen(line->operands[i]) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    struct text_buffer buffer = text_buffer_on(text, size);
    text[0] = '\0';
    for (int i = 1; i < line->operand_count; i++)
        text_append(&buffer, "%s ", line->operands[i]);
    return text;
}

/* A FEN, moves from the start, or a FEN and moves from there. */
static bool find_position(struct show_command *command)
{
    char *text = join_operands(&command->line);
    if (!text)
        return command_refuse(&command->line, "out of memory");
    struct diag diag = {.text = ""};
    enum caxton_status status = command_position(&command->line, text, &command->show.pos, &diag);
    if (status != STATUS_OK)
        (void)command_fail(&command->line, "%s", diag.text);
    free(text);
    return status == STATUS_OK;
}

/* Most games first; equal ones as they were, by move. */
static void sort_by_games(struct book_facts *facts)
{
    for (int i = 1; i < facts->count; i++) {
        const struct book_move_facts next = facts->moves[i];
        int at = i;
        for (; at > 0 && book_move_games(&facts->moves[at - 1]) < book_move_games(&next); at--)
            facts->moves[at] = facts->moves[at - 1];
        facts->moves[at] = next;
    }
}

/* Counts of a stream are read to its end. Small ones in a file become a book, too, whose leaves can
 * be counted; the answer does not depend on that: faults are ignored. */
static bool read_counts(struct show_command *command)
{
    struct source *source = &command->source;
    const struct wld_book_options stream = {
        .weights = WLD_WEIGHTS_UNITS, .most = WALKED_MOVES_MAX, .only = &command->show.pos};
    const struct wld_book_options file = {.weights = WLD_WEIGHTS_UNITS, .file = source->file};
    if (!source->file)
        return source_walk(&command->line, source, &stream, NULL);
    if (wld_file_moves(source->file) <= WALKED_STATS_MAX &&
        wld_book_read(source->reader, source->name, &file, &command->walked, NULL) != STATUS_OK)
        command->walked = NULL;
    return true;
}

static bool probe(struct show_command *command)
{
    struct show *show = &command->show;
    const struct source *source = &command->source;
    struct diag diag = {.text = ""};
    if (source->book->counts && !read_counts(command))
        return false;
    const struct book *book = source->book;
    show->name = source->name;
    show->counts = book->counts;
    if (book_look_up(book, &show->pos, &show->facts, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    const char *store = command->expecting.store;
    struct store_reading *searches = &command->expecting.searches;
    show->has_facts = (book->format->facts || store) && !book->counts;
    if (!store_reading_open(&command->line, store, searches))
        return false;
    store_format_scores(&searches->answers, &show->pos, &show->facts);
    show->scores_of = store ? searches->name : NULL;
    if (!show->has_where)
        show_samples_find(&command->line, source, book_key(book, &show->pos), &show->samples);
    if (show->counts)
        sort_by_games(&show->facts);
    return true;
}

/* Counts the leaves behind the position. In a book of one side's moves they cannot be seen from one
 * position, so there is no count. The rest of the answer does not depend on it: faults are ignored.
 */
static void count_leaves(struct show_command *command)
{
    const struct book *book = command->walked ? command->walked : command->source.book;
    const struct entry_table *table = book_table(book);
    struct book_graph graph = {0};
    if ((book->counts && !(table && table->count)) || book_entry_count(book) > WALKED_MOVES_MAX ||
        book_graph_create_own(book, &command->show.pos, &graph, NULL) != STATUS_OK)
        return;
    struct book_stats stats;
    if (book_stats_take(&graph, &stats) == STATUS_OK && !stats.one_side) {
        command->show.has_leaves = true;
        command->show.leaves = stats.leaves;
    }
    book_graph_destroy(&graph);
}

/* Returns EXIT_DONE, or EXIT_USAGE where games are asked for and there are none to choose from. */
static enum exit_status check_games(const struct show_command *command)
{
    const struct show *show = &command->show;
    if (show->has_where || show->samples.file || !options_given(&command->line, "game|samples"))
        return EXIT_DONE;
    return command_misuse(&command->line,
                          "%s is about games that --where finds, or that build --samples kept; %s "
                          "has none",
                          command->game ? "--game" : "--samples", show->name);
}

/* Returns an exit status. */
static enum exit_status print_game(const struct show_command *command)
{
    const struct show *show = &command->show;
    bool good = show->has_where
                    ? where_print_game(&command->line, &show->where, command->game)
                    : show_samples_print_game(&command->line, &show->samples, command->game);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* What was found. Returns an exit status. */
static enum exit_status print(struct show_command *command)
{
    struct show *show = &command->show;
    if (check_games(command) != EXIT_DONE)
        return EXIT_USAGE;
    if (command->game)
        return print_game(command);
    if (show->facts.count)
        count_leaves(command);
    if (command->json)
        show_print_json(show);
    else if (show->facts.count)
        show_print(show);
    else if (show->has_where)
        where_print(&show->where);
    if (show->facts.count)
        return EXIT_DONE;
    char fen[FEN_MAX];
    fen_format(&show->pos, fen);
    return command_fail(&command->line, "%s knows no move here: %s", show->name, fen);
}

/* --where tells equal games apart as the sample games beside the book do, if there are any. */
static uint64_t mark_plies(const struct show_command *command)
{
    struct samples_file *file = sample_games_open(&command->line, &command->source);
    uint64_t plies =
        file ? samples_file_info(file)->plies : build_options_default().count.max_plies;
    samples_file_close(file);
    return plies;
}

/* --replies. Returns an exit status. */
static enum exit_status expect(struct show_command *command)
{
    const struct command_line *line = &command->line;
    char fen[FEN_MAX];
    if (!expecting_open_book(line, line->operands[0], &command->source))
        return EXIT_FAILED;
    command->show.name = command->source.name;
    enum exit_status status = EXIT_FAILED;
    if (find_position(command))
        status = expecting_open(line, &command->source, command->color, &command->expecting);
    fen_format(&command->show.pos, fen);
    if (status == EXIT_DONE &&
        !show_print_expected(&command->show, &command->expecting, command->json))
        status = command_fail(line, "no line of %s against %s comes here: %s", command->source.name,
                              command->expecting.database.name, fen);
    expecting_close(&command->expecting);
    source_close(&command->source);
    return command_end(line, status);
}

static enum exit_status run(void *context)
{
    struct show_command *command = context;
    struct show *show = &command->show;
    if (command->expecting.replies)
        return expect(command);
    for (size_t i = 0; i < command->where.count; i++)
        if (command->game && strcmp(command->where.items[i], "-") == 0)
            return command_misuse(&command->line, "--game wants files, not standard input");
    if (!source_open(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    if (!find_position(command)) {
        source_close(&command->source);
        return EXIT_FAILED;
    }
    show->has_where = command->where.count > 0;
    show->where.wanted = show->wanted = (size_t)command->samples;
    if (show->has_where)
        show->where.plies = mark_plies(command);
    if (!probe(command) || !where_find(&command->line, &command->where, &show->pos, &show->where)) {
        book_close(command->walked);
        expecting_close(&command->expecting);
        source_close(&command->source);
        return EXIT_FAILED;
    }
    enum exit_status status = print(command);
    show_samples_close(&show->samples);
    book_close(command->walked);
    expecting_close(&command->expecting);
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "The moves that a book knows in a position: weight, share of all the weight, and the opening\n"
    "that each leads to. BOOK is a file, \"-\" for standard input or \"builtin\" for the book "
    "that\n"
    "is part of Caxton. The position is a FEN, or moves (\"1. e4 e5\", as SAN or UCI) from the\n"
    "start position, or a FEN and moves from there, or an opening (najdorf, \"caro kann\", KID,\n"
    "B90), and moves behind it: \"najdorf Be3\".\n"
    "Where the book knows nothing the exit status "
    "is 1.\n\n"
    "Of statistics (.wld): games, their share, how many of them the side to move won, drew and "
    "lost,\n"
    "and its score, the share of the points, in percent. Where games were aged or weighted by Elo\n"
    "they count as much as they did there. Mirrored statistics answer for both colours.\n\n"
    "Of a store of searches: score, depth and nodes of the search that found the move, or of the\n"
    "deepest one behind it; how likely the move is chosen; games, and moves chosen by learning.\n\n"
    "--store puts the scores of a store beside what a book or statistics know, in pawns of who "
    "makes\n"
    "the move. \"??\" stands behind the score of a move that made half of the points or more in "
    "games\n"
    "and loses by search: 1.2 pawns against the best that is known, and below 0.\n\n"
    "Games that build --samples kept beside statistics are listed with their places, and read "
    "there.\n"
    "With --where the games of PGN files that come to the position, in any order of moves, are "
    "counted:\n"
    "how many, from when to when, the best players by their Elo there, and a few games with the\n"
    "place of each (file:line).\n\n"
    "Leaves are the moves that end lines of the book from here on. On a terminal bars show the "
    "shares,\n"
    "of statistics how the games ended: won, drawn, lost.\n\n" EXPECTING_ABOUT;

static enum exit_status command_main(int argc, char **argv)
{
    struct show_command command = {.json = false};
    const struct option_row rows[] = {
        TEXTS_ROW("where", 0, "GAMES", "which games of this PGN file come here; again for more",
                  &command.where, .without = "replies"),
        NUMBER_ROW("samples", 0, "N", "games to list, the strongest players first",
                   &command.samples, 1, WHERE_SAMPLES_MAX, USUAL(4), .without = "replies"),
        NUMBER_ROW("game", 0, "K", "print number K of these games instead", &command.game, 1,
                   WHERE_SAMPLES_MAX, .without = "json|replies",
                   .why = "--game prints PGN of a position: without --json and --replies"),
        EXPECTING_ROWS(command.expecting),
        EXPECTING_STORE_ROW(command.expecting),
        CHOICE_ROW("color", "auto|white|black", "of --replies: whose book it is", &command.color,
                   .needs = "replies"),
        FACET_ROWS(command.facets),
        FLAG_ROW("json", 0, "as JSON", &command.json),
    };
    command.line =
        COMMAND_LINE("show", "BOOK [POSITION...]", about, rows, ROW_COUNT(rows), 1, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_show = {"show", "the moves known in a position", command_main};
