/* makebook import: evaluations that others publish, as a store of scores. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "book/count/input/input.h"
#include "book/graph/graph.h"
#include "book/learn/games.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/commands/commands.h"
#include "book/scoring/evaluations.h"
#include "chess/fen.h"
#include "chess/pgn.h"
#include "search/score.h"

/* A line of Lichess's file has some thousand bytes. */
enum { LINE_BYTES = 1 << 20, ANSWER_BYTES = 256 };

struct import_command {
    const char *output;
    const char *book;
    const char *source;
    bool quiet;
    struct command_line line;
    struct evaluations evaluations;
    struct progress progress;
    uint64_t read;   /* lines and games, */
    uint64_t faulty; /* and those of them with a fault */
};

/* A file as it is read: buffer[at .. filled) is not used yet. */
struct import_file {
    struct import_command *command;
    const char *name;
    struct input *input;
    char *buffer; /* LINE_BYTES */
    size_t at;
    size_t filled;
    uint64_t number; /* of the line */
};

/* What became of a line or game: only the first fault is told. False: the work ends. */
static bool note(struct import_file *file, enum caxton_status status, const struct diag *diag,
                 uint64_t number)
{
    struct import_command *command = file->command;
    bool is_left_out = status == STATUS_ILLEGAL || pgn_is_game_fault(status);
    command->read++;
    if (status == STATUS_OK || (is_left_out && command->faulty++ > 0))
        return true;
    (void)command_fail(&command->line, "%s%s:%" PRIu64 ": %s%s", is_left_out ? "warning: " : "",
                       file->name, number, diag->text,
                       is_left_out ? ": left out, as all that is such"
                       : status == STATUS_END && !command->book
                           ? ": --book names the positions that are wanted"
                           : "");
    return is_left_out;
}

/* Reads more, unless all has been read. False after one line on standard error. */
static bool fill(struct import_file *file)
{
    size_t size = 1;
    memmove(file->buffer, file->buffer + file->at, file->filled - file->at);
    file->filled -= file->at;
    file->at = 0;
    while (size > 0 && file->filled < LINE_BYTES) {
        if (input_read(file->input, file->buffer + file->filled, LINE_BYTES - file->filled,
                       &size) != STATUS_OK)
            return command_refuse(&file->command->line, "%s: %s", file->name,
                                  input_fault(file->input));
        file->filled += size;
    }
    progress_share(&file->command->progress, "importing", input_bytes_read(file->input),
                   input_bytes_total(file->input));
    return true;
}

static bool read_lines(struct import_file *file)
{
    bool good = true;
    while (good && file->at < file->filled) {
        struct span rest = span_make(file->buffer + file->at, file->filled - file->at);
        bool is_whole = memchr(rest.data, '\n', rest.size) != NULL;
        struct span line;
        struct diag diag = {.text = "a line of more than a million bytes"};
        if (!is_whole && file->at > 0) {
            good = fill(file);
            continue;
        }
        enum caxton_status status = STATUS_SYNTAX;
        if (span_line(&rest, &line) && (is_whole || file->filled < LINE_BYTES))
            status = evaluations_read_line(&file->command->evaluations, line, &diag);
        if (status == STATUS_SYNTAX) /* of a game it is the fault of that game */
            status = STATUS_FORMAT;
        good = note(file, status, &diag, ++file->number);
        file->at = file->filled - rest.size;
        if (good && rest.size == 0)
            good = fill(file);
    }
    return good;
}

/* Games. -------------------------------------------------------------------------------------- */

/* A pgn_source. */
static enum caxton_status read_bytes(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct import_file *file = context;
    if (file->at == file->filled && !fill(file))
        return STATUS_IO;
    *size = file->filled - file->at < capacity ? file->filled - file->at : capacity;
    memcpy(buffer, file->buffer + file->at, *size);
    file->at += *size;
    return STATUS_OK;
}

/* "[%eval 0.17]" or, with a depth, "[%eval 0.17,20]", as an answer to the position behind the move
 * of `side`. */
static bool read_comment(const char *comment, int side, struct search_answer *out)
{
    const char *eval = strstr(comment, "[%eval ");
    int score = eval ? learn_comment_score(comment, side) : LEARN_NO_SCORE;
    int64_t depth = 0;
    if (score == LEARN_NO_SCORE)
        return false;
    eval += strcspn(eval, ",]");
    eval += *eval == ',';
    if (span_to_int(span_make(eval, strcspn(eval, "]")), 0, UINT8_MAX, &depth) != STATUS_OK)
        depth = 0;
    *out = (struct search_answer){.best = MOVE_NONE, .depth = (int)depth};
    if (score_is_mate(score)) /* counted from before the move where it is the other side's */
        out->score = score < 0 ? 1 - score : -score;
    else
        out->score = evaluation_score(-score, false);
    return true;
}

static enum caxton_status take_game(struct evaluations *evaluations, const struct pgn_game *game,
                                    struct diag *diag)
{
    struct position pos = game->start;
    struct search_answer answer;
    enum caxton_status status = STATUS_OK;
    bool any = false;
    for (size_t ply = 0; ply < game->ply_count && status == STATUS_OK; ply++) {
        bool wanted = evaluations_is_wanted(evaluations, pos.key);
        position_play(&pos, game->moves[ply]);
        if (!(wanted || evaluations_is_wanted(evaluations, pos.key)) ||
            !read_comment(game->comments[ply].text, !pos.turn, &answer))
            continue;
        any = true;
        status = evaluations_add(evaluations, &pos, &answer, diag);
    }
    evaluations->used += any;
    return status;
}

static bool read_games(struct import_file *file)
{
    struct pgn_reader *reader = pgn_create(read_bytes, file);
    bool good = true;
    bool any = false;
    if (!reader)
        return command_refuse(&file->command->line, "out of memory");
    pgn_set_comments(reader, true);
    while (good) {
        struct pgn_game game;
        struct diag diag = {.text = "out of memory"};
        enum caxton_status status = pgn_next(reader, &game, &diag);
        if (status == STATUS_END || status == STATUS_IO) { /* fill() has said why */
            good = status == STATUS_END;
            break;
        }
        any = true;
        if (status == STATUS_OK && !game.other_variant)
            status = take_game(&file->command->evaluations, &game, &diag);
        good = note(file, status, &diag, diag.line ? diag.line : game.line);
    }
    pgn_destroy(reader);
    if (good && !any)
        return command_refuse(&file->command->line,
                              "%s: no evaluation: neither JSON of Lichess, nor EPD, nor games",
                              file->name);
    return good;
}

/* Reads it as what the first line that is no comment says it is. The first file names the source,
 * if nobody else does. */
static bool read_content(struct import_file *file)
{
    struct import_command *command = file->command;
    struct span rest = span_skip_bom(span_make(file->buffer, file->filled));
    struct span line = span_of("");
    struct position pos;
    struct span behind;
    struct searcher_identity identity = {.hash_mb = 0}; /* no search has it: nothing is added */
    struct diag diag = {.text = ""};
    file->at = (size_t)(rest.data - file->buffer);
    bool any;
    while ((any = span_line(&rest, &line)) &&
           (!span_trim(line).size || *span_trim(line).data == '#'))
        ;
    if (!any && file->filled < LINE_BYTES) {
        (void)command_fail(&command->line, "warning: %s: nothing is in it", file->name);
        return true;
    }
    bool is_json = span_trim(line).size && *span_trim(line).data == '{';
    bool is_epd = !is_json && fen_parse_epd(line, &pos, &behind, NULL) == STATUS_OK;
    const char *name = is_json  ? "Lichess evaluations"
                       : is_epd ? "chessdb.cn"
                                : "evaluations in games";
    if (!command->source)
        command->source = name;
    else if (!options_given(&command->line, "source") && strcmp(command->source, name) != 0)
        return command_refuse(&command->line,
                              "%s: %s beside %s: import each by itself, or --source "
                              "names both",
                              file->name, name, command->source);
    text_copy_utf8(identity.name, sizeof identity.name, span_of(command->source));
    if (!command->evaluations.store &&
        score_store_open(NULL, &identity, &command->evaluations.store, &diag) != STATUS_OK)
        return command_refuse(&command->line, "%s", diag.text);
    return is_json || is_epd ? read_lines(file) : read_games(file);
}

static bool read_file(struct import_command *command, const char *path)
{
    struct import_file file = {.command = command,
                               .name = strcmp(path, "-") == 0 ? "standard input" : path,
                               .buffer = malloc(LINE_BYTES)};
    struct diag diag = {.text = "out of memory"};
    bool good = file.buffer && input_open(path, &file.input, &diag) == STATUS_OK;
    if (!good)
        (void)command_fail(&command->line, "%s", diag.text);
    good = good && fill(&file) && read_content(&file);
    input_close(file.input);
    free(file.buffer);
    return good;
}

/* What is wanted. ----------------------------------------------------------------------------- */

/* A tally_sink. */
static enum caxton_status want_tally(void *context, const struct tally *tally)
{
    return evaluations_want(context, tally->key);
}

/* The positions of a book, and those behind its moves. */
static enum caxton_status want_lines(struct evaluations *evaluations, const struct book *book,
                                     struct diag *diag)
{
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create(book, NULL, &graph, diag);
    for (uint32_t i = 0; i < graph.node_count && status == STATUS_OK; i++) {
        const struct book_node *node = &graph.nodes[i];
        struct position pos;
        book_graph_position(&graph, i, &pos, NULL);
        status = evaluations_want(evaluations, pos.key);
        for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++)
            status = evaluations_want(evaluations, position_after(&pos, graph.edges[e].move).key);
    }
    book_graph_destroy(&graph);
    return status;
}

static bool find_wanted(struct import_command *command)
{
    struct source source;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status;
    if (!command->book)
        return true;
    if (!source_open(&command->line, command->book, &source))
        return false;
    const struct wld_info *counts = source.book->counts;
    progress_stage(&command->progress, "reading the book");
    if (counts && counts->mirrored)
        status = diag_fail(STATUS_FORMAT, &diag,
                           "mirrored statistics: makebook convert makes a "
                           "book of both colours");
    else if (counts)
        status = wld_reader_give(source.reader, want_tally, &command->evaluations, &diag);
    else
        status = want_lines(&command->evaluations, source.book, &diag);
    progress_end(&command->progress);
    if (status == STATUS_OK && command->evaluations.wanted_count == 0)
        status = diag_fail(STATUS_NOT_FOUND, &diag, "there is no position in it");
    if (status != STATUS_OK)
        (void)command_fail(&command->line, "%s: %s", source.name, diag.text);
    source_close(&source);
    return status == STATUS_OK;
}

/* The command --------------------------------------------------------------------------------- */

static enum exit_status save(struct import_command *command)
{
    struct atomic_file *file = NULL;
    struct diag diag = {.text = ""};
    char numbers[3][THOUSANDS_MAX];
    const struct evaluations *evaluations = &command->evaluations;
    if (!evaluations->store || score_store_count(evaluations->store) == 0)
        return command_fail(&command->line, "%s: no evaluation%s", command->line.operands[0],
                            command->book ? " of a position that is wanted" : "");
    if (!outputs_create(&command->line, command->output, &file))
        return EXIT_FAILED;
    enum caxton_status status =
        score_store_write(evaluations->store, atomic_file_stream(file), &diag);
    if (outputs_end(&command->line, file, status, diag.text) != EXIT_DONE)
        return EXIT_FAILED;
    if (!command->quiet)
        (void)fprintf(outputs_report(command->output),
                      "%s lines or games read, %s with evaluations that are wanted, %" PRIu64
                      " faulty; %s: %s scores of %s\n",
                      terminal_thousands(command->read, numbers[0]),
                      terminal_thousands(evaluations->used, numbers[1]), command->faulty,
                      text_safe(command->output).text,
                      terminal_thousands(score_store_count(evaluations->store), numbers[2]),
                      text_safe(command->source).text);
    return EXIT_DONE;
}

static enum exit_status run(void *context)
{
    struct import_command *command = context;
    const struct command_line *line = &command->line;
    if (!stores_is_name(command->output) && !outputs_is_standard(command->output))
        return command_misuse(line, "a store of scores is written: its name ends in .store");
    if (command->source && !*command->source)
        return command_misuse(line, "--source wants a name");
    if (source_is_read_once(line) != EXIT_DONE ||
        outputs_protect_inputs(line, line->operand_count, command->output) != EXIT_DONE ||
        outputs_protect(line, command->book, command->output) != EXIT_DONE)
        return EXIT_USAGE;
    uint64_t limit = memory_limit_bytes();
    command->evaluations.most = limit ? (size_t)(limit / ANSWER_BYTES) : SIZE_MAX;
    progress_start(&command->progress, command->quiet, 0);
    bool good = outputs_try(line, command->output) && find_wanted(command);
    for (int i = 0; i < line->operand_count && good; i++)
        good = read_file(command, line->operands[i]);
    progress_end(&command->progress);
    return command_end(line, good ? save(command) : EXIT_FAILED);
}

static const char about[] =
    "Puts evaluations that others publish into a store of scores: for show, explore, prune and\n"
    "convert with --store. FILES are, recognised by content and unpacked on the way:\n"
    "  the evaluations that Lichess publishes (lichess_db_eval.jsonl.zst): JSON, a line each\n"
    "  EPD with \"cdb eval: N\", as programs of cdblib write what chessdb.cn says\n"
    "  games (PGN) with [%eval N] in comments\n"
    "With --book only what is about positions of this book or these statistics is kept, and about\n"
    "the moves there: that takes little memory, however large the files are.\n\n"
    "The store bears the name of its source. Commands that search neither take scores from it nor\n"
    "add any. Of several evaluations of a position the deepest counts. A position, move or number\n"
    "that cannot be is left out with a warning; text of another kind, or a cut file, ends the "
    "work,\n"
    "and nothing is written.";

static enum exit_status command_main(int argc, char **argv)
{
    struct import_command command = {.output = NULL};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "OUT.store", "the store to be written", &command.output,
                 .required = "where to? -o OUT.store says it"),
        TEXT_ROW("book", 0, "BOOK", "only positions of this book or statistics, and their moves",
                 &command.book),
        TEXT_ROW("source", 0, "NAME", "who evaluated (as the first file shows)", &command.source),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("import", "FILES... -o OUT.store", about, rows, ROW_COUNT(rows), 1, argc);
    enum exit_status status = command_run(&command.line, argc, argv, run, &command);
    free(command.evaluations.wanted);
    free(command.evaluations.table.slots);
    return score_store_close(command.evaluations.store, NULL) == STATUS_OK ? status : EXIT_FAILED;
}

const struct command command_import = {"import", "evaluations of others into a store of scores",
                                       command_main};
