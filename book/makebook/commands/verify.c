/* makebook verify: every fault of a book by name and place, and a copy without them. */
#include "book/makebook/commands/verify.h"
#include "book/makebook/commands/commands.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/polyglot/polyglot.h"
#include "book/makebook/cli/outputs.h"
#include "book/open/formats.h"

int verify_check_output(const struct verify *verify, const char *kind)
{
    const char *input = verify->line.operands[0];
    return outputs_end_alike(input, verify->output)
               ? EXIT_DONE
               : outputs_are_named(&verify->line, verify->output, kind);
}

static int verify_source(struct verify *verify)
{
    struct position root;
    struct diag diag = {.text = ""};
    const struct source *source = &verify->source;
    if (verify->fen && command_position(&verify->line, verify->fen, &root, &diag) != STATUS_OK)
        return command_misuse(&verify->line, "--start: %s", diag.text);
    verify->root = verify->fen ? &root : NULL;
    if (source->stats)
        return verify_stats(verify);
    if (source->size == 0)
        return command_fail(&verify->line, "%s: the file is empty", source->name);
    verify->format = formats_find(source->bytes, source->size, source->name);
    if (!verify->format->holds_entries)
        return verify_format(verify);
    if (polyglot_refuse_others(source->bytes, source->size, source->name, &diag) != STATUS_OK)
        return command_fail(&verify->line, "%s", diag.text);
    return verify_polyglot(verify);
}

static int run(void *context)
{
    struct verify *verify = context;
    if (verify->giveaways_cp)
        return command_misuse(&verify->line,
                              "moves that lose are found by makebook vet --giveaways now");
    int status = EXIT_DONE;
    if (verify_samples_alone(verify, &status))
        return command_end(&verify->line, status);
    if (!source_read(&verify->line, verify->line.operands[0], &verify->source))
        return EXIT_FAILED;
    verify->report = outputs_report(verify->output);
    status = verify_source(verify);
    source_close(&verify->source);
    return command_end(&verify->line, status);
}

static const char about[] =
    "Names each fault of a book of any kind, with its place. In a Polyglot book: a cut entry, "
    "keys\n"
    "out of order, a move twice in one position, moves that no piece can make, moves that are\n"
    "illegal in the positions that lines of the book reach, and castling written e1g1. In the\n"
    "others: what is cut, no move, illegal, ambiguous, or there twice, and links that lead "
    "nowhere\n"
    "or round. Remarks are lines that come back to an earlier position, positions that no line\n"
    "reaches, and moves of weight 0, which are known and never played. BOOK is a file, \"-\" or\n"
    "\"builtin\". Statistics are checked together with the sample games beside them; these may be\n"
    "BOOK themselves. The exit status is 1 when there is a fault; remarks are none.\n\n"
    "--repair -o OUT writes a copy of the same kind without the faults: a Polyglot book sorted,\n"
    "each move once (their weights added), castling as the format wants it, without the entries\n"
    "that are cut or illegal. A file is a Polyglot book when half of its entries hold a possible\n"
    "move; of others none is made. In White's lines, lines at fault become comments and similar\n"
    "lines come together; missing rewrites are offered, not written. EPD and PGN are written\n"
    "anew: comments, names and marks are not kept, so OUT is another file. Then the exit status\n"
    "is 0.";

static int command_main(int argc, char **argv)
{
    struct verify command = {.repair = false};
    const struct option_row rows[] = {
        FLAG_ROW("repair", 0, "write a sound copy", &command.repair, .needs = "output"),
        TEXT_ROW("output", 'o', "OUT", "where it goes; \"-\" is standard output", &command.output,
                 .needs = "repair"),
        FLAG_ROW("all", 0, "name every fault, not 20 of a kind", &command.all),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "lines begin here, not at the usual start",
                 &command.fen, .old = "fen"),
        NUMBER_ROW("giveaways", 0, "CP",
                   "moves that lose so many centipawns at once: makebook vet finds them",
                   &command.giveaways_cp, 1, 20000),
    };
    command.line =
        COMMAND_LINE("verify", "BOOK [--repair -o OUT]", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_verify = {"verify", "name every fault of a book, repair it",
                                       command_main};
