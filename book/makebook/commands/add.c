/* makebook add: one move of one position into a book, or another weight for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/count/input/input.h"
#include "book/format.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/open/convert.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/position_book.h"
#include "chess/notation.h"
#include "chess/position_text.h"

enum { PLIES_MAX = 512 }; /* of a position given by moves: more are taken as a position alone */

struct add_command {
    bool quiet;
    struct command_line line;
    struct book_addition addition;
    move moves[PLIES_MAX];
    const struct book_format *text;   /* of a book that a person wrote: it adds by itself */
    const struct book_writer *writer; /* of another */
};

/* Keeps the moves by which `text` names the position, where they begin at the standard start. */
static void read_line(struct add_command *command, struct span text)
{
    struct position root;
    struct position start;
    size_t plies;
    position_start(&start);
    if (line_from_text(text, &root, command->moves, PLIES_MAX, &plies, NULL) != STATUS_OK ||
        root.key != start.key)
        return;
    command->addition.line = command->moves;
    command->addition.plies = plies;
}

/* Reads the position, the move and the weight of the command line. */
static enum exit_status read_words(struct add_command *command)
{
    char *const *words = command->line.operands;
    struct diag diag = {.text = ""};
    int64_t weight;
    char room[ECO_LINE_MAX];
    struct span text;
    if (command_words(&command->line, words[1], room, &text, &diag) != STATUS_OK ||
        position_from_text(text, &command->addition.pos, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    read_line(command, text);
    struct span word = span_of(words[2]);
    enum caxton_status status = move_from_text(&command->addition.pos, word, &command->addition.m);
    if (status != STATUS_OK)
        return command_fail(&command->line, "%s %s %s", words[2], book_fault_text(status),
                            words[1]);
    if (span_to_int(span_of(words[3]), 0, UINT32_MAX, &weight) != STATUS_OK)
        return command_misuse(&command->line, "WEIGHT is a number from 0 to %lu",
                              (unsigned long)UINT32_MAX);
    command->addition.weight = (uint32_t)weight;
    return EXIT_DONE;
}

/* The book with the move in it, in memory; `book` may be NULL. */
static enum caxton_status with_move(const struct add_command *command, const struct book *book,
                                    struct book **out, struct diag *diag)
{
    struct gathering gathering = {.root_count = 0};
    enum caxton_status status = book ? gather_book(&gathering, book, GATHER_SUM, diag) : STATUS_OK;
    if (status == STATUS_OK)
        status = gather_additions(&gathering, &command->addition, 1);
    if (status == STATUS_OK)
        status = gather_finish(&gathering, "the book", out);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, 0, 0, "out of memory");
    gather_free(&gathering);
    return status;
}

/* What the written book has of the move. Some formats cannot hold every position or weight. */
enum held { HELD_NOT, HELD_OTHERWISE /* with another weight */, HELD };

static enum held look_up(const struct add_command *command, const char *bytes, size_t size)
{
    struct book *book = NULL;
    struct diag diag;
    struct book_move moves[MOVES_MAX];
    if (book_open_memory(bytes, size, "the book", &book, &diag) != STATUS_OK)
        return HELD_NOT;
    int count = book_probe(book, &command->addition.pos, moves, MOVES_MAX);
    enum held held = HELD_NOT;
    for (int i = 0; i < count; i++)
        if (moves[i].move == command->addition.m && held != HELD)
            held = moves[i].weight == command->addition.weight ? HELD : HELD_OTHERWISE;
    book_close(book);
    return held;
}

static enum exit_status save_bytes(const struct add_command *command, const char *bytes,
                                   size_t size, const char *path)
{
    struct atomic_file *file = NULL;
    if (!outputs_create(&command->line, path, &file))
        return EXIT_FAILED;
    (void)fwrite(bytes, 1, size, atomic_file_stream(file)); /* the end reports it */
    if (outputs_end(&command->line, file, STATUS_OK, "") != EXIT_DONE)
        return EXIT_FAILED;
    if (!command->quiet)
        (void)fprintf(outputs_report(path), "%s: %s %s, weight %lu\n", text_safe(path).text,
                      text_safe(command->line.operands[1]).text,
                      text_safe(command->line.operands[2]).text,
                      (unsigned long)command->addition.weight);
    return EXIT_DONE;
}

/* The book with the move in it, written anew. */
static enum caxton_status write_again(const struct add_command *command, const struct book *old,
                                      FILE *out, struct book_losses *losses, struct diag *diag)
{
    struct book *book = NULL;
    enum caxton_status status = with_move(command, old, &book, diag);
    if (status == STATUS_OK && old)
        book_made_of(book, old);
    if (status == STATUS_OK)
        status = book_convert(book, command->writer, out, losses, diag);
    book_close(book);
    return status;
}

static enum exit_status refuse_loss(const struct add_command *command, enum held held,
                                    const char *path)
{
    const char *kind = command->text ? command->text->name : command->writer->name;
    uint32_t limit = command->text ? 0 : command->writer->weight_max;
    if (limit && command->addition.weight > limit)
        return command_fail(&command->line,
                            "%s: this kind of book (%s) holds weights from 0 to %lu only", path,
                            kind, (unsigned long)limit);
    /* A move of weight 0 may be missing because books of the kind have no such moves. */
    return command_fail(&command->line, "%s: this kind of book (%s) cannot hold that %s there",
                        path, kind,
                        held == HELD_OTHERWISE          ? "weight"
                        : command->addition.weight == 0 ? "move or weight"
                                                        : "move");
}

/* Is it a fault of the text that the move was to go into, not of the move? */
static bool is_file_fault(const struct add_command *command, enum caxton_status status)
{
    if (!command->text)
        return false;
    return status == STATUS_SYNTAX || status == STATUS_ILLEGAL || status == STATUS_AMBIGUOUS;
}

/* Writes to memory first: a book that does not hold the move as asked for is not saved. */
static enum exit_status write_book(const struct add_command *command, const struct source *source,
                                   const char *path)
{
    struct diag diag = {.text = "out of memory"};
    struct book_losses losses = {0};
    char lost[BOOK_LOSSES_TEXT_MAX];
    struct memory_stream made;
    bool is_open = memory_stream_open(&made);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (is_open && command->text)
        status =
            command->text->add(source->bytes, source->size, &command->addition, made.file, &diag);
    else if (is_open)
        status = write_again(command, source->book, made.file, &losses, &diag);
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    enum exit_status answer = EXIT_FAILED;
    enum held held = status == STATUS_OK ? look_up(command, made.bytes, made.size) : HELD_NOT;
    if (status != STATUS_OK)
        (void)command_fail(&command->line, "%s: %s%s", path, diag.text,
                           is_file_fault(command, status) ? "; mend it first, nothing was added"
                                                          : "");
    else if (held != HELD)
        answer = refuse_loss(command, held, path);
    else
        answer = save_bytes(command, made.bytes, made.size, path);
    if (answer == EXIT_DONE && *book_losses_text(&losses, lost))
        (void)command_fail(&command->line, "warning: %s: %s", path, lost);
    free(made.bytes);
    return answer;
}

/* Finds out how the kind of book that is there is written; names a fault. */
static enum exit_status find_writer(struct add_command *command, const struct source *source,
                                    const char *path)
{
    if (source->book) {
        const struct book_format *format = source->book->format;
        command->text = format->add ? format : NULL;
        command->writer = formats_writer(format->extension);
        if (command->text || command->writer)
            return EXIT_DONE;
        return command_fail(&command->line,
                            "%s: this kind of book (%s) is only read: makebook convert makes one "
                            "that can be changed",
                            path, format->name);
    }
    command->writer = formats_writer_of_path(path);
    if (command->writer)
        return EXIT_DONE;
    return command_fail(&command->line, "%s: a new book is named for its kind: %s", path,
                        save_names());
}

/* The book is read and written again, so it must be a book, in a file that is not packed. */
static enum exit_status refuse_others(const struct add_command *command,
                                      const struct source *source, const char *path)
{
    if (!source->input)
        return command_fail(&command->line, "%s is part of the program: makebook convert copies it",
                            path);
    const char *packing = input_packing(source->input);
    if (strcmp(packing, "plain") != 0)
        return command_fail(&command->line, "%s is packed (%s): unpack it first", path, packing);
    return EXIT_DONE;
}

/* Reads the book, if there is one, and writes it with the move. */
static enum exit_status change_book(struct add_command *command, const char *path)
{
    struct source source = {.name = path};
    enum exit_status status = EXIT_DONE;
    bool is_new = strcmp(path, "-") != 0 && strcmp(path, "builtin") != 0 &&
                  file_kind_of(path, NULL) == FILE_ABSENT;
    if (!is_new && !source_open_weighed(&command->line, path, &source))
        return EXIT_FAILED;
    if (!is_new)
        status = refuse_others(command, &source, path);
    if (status == EXIT_DONE)
        status = find_writer(command, &source, path);
    if (status == EXIT_DONE)
        status = write_book(command, &source, path);
    source_close(&source);
    return status;
}

static enum exit_status run(void *context)
{
    struct add_command *command = context;
    const char *path = command->line.operands[0];
    enum exit_status status = read_words(command);
    if (status != EXIT_DONE)
        return status;
    /* Without the lock, two at once would lose one of the two moves. */
    int lock = outputs_lock(&command->line, path);
    status = change_book(command, path);
    atomic_file_unlock(lock);
    return command_end(&command->line, status);
}

static const char about[] =
    "Puts the move (SAN or UCI) of the position (\"startpos\", a FEN, moves: \"1. e4 e5\", an ECO\n"
    "code or an opening's name) into the book, or changes its weight when it is there already. A\n"
    "weight of 0 means that the move is known and never played. An illegal move is refused, and so "
    "is what this kind of book cannot\n"
    "hold. The book is replaced as a whole or not at all; a book that does not exist is begun, of\n"
    "the kind that its name says (mine.bin). A book of text keeps what a person wrote in it:\n"
    "comments, names, the order of lines. In games (PGN) a new move is a game at the end: behind\n"
    "the moves that lead there, when they are given and the book has them all; else from its FEN.\n"
    "When several add at once, they add one after the other.";

static enum exit_status command_main(int argc, char **argv)
{
    struct add_command command = {.quiet = false};
    const struct option_row rows[] = {
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("add", "BOOK POSITION MOVE WEIGHT", about, rows, ROW_COUNT(rows), 4, 4);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_add = {"add", "put one move into a book", command_main};
