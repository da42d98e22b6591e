/* makebook convert: statistics in, book out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/atomic_file.h"
#include "book/makebook/command.h"
#include "book/makebook/source.h"
#include "book/makebook/weighing.h"

struct convert_command {
    struct weighing weighing;
    bool quiet;
    struct command_line line;
    struct weigh_options options;
    struct source source;
};

static enum caxton_status weigh_all(struct convert_command *command, FILE *out,
                                    struct weigh_report *report, struct diag *diag)
{
    command->options.unit = wld_reader_unit(command->source.stats);
    struct weigher *weigher = weigher_create(out, &command->options);
    if (!weigher)
        return STATUS_NO_MEMORY;
    enum caxton_status status = wld_merge(&command->source.stats, 1, weigher_take, weigher, diag);
    if (status == STATUS_OK)
        status = weigher_finish(weigher, report);
    weigher_destroy(weigher);
    const char *fault = source_input_fault(&command->source);
    if (status != STATUS_OK && fault)
        diag_set(diag, 0, 0, "%s: %s", command->source.name, fault);
    return status;
}

static int convert(struct convert_command *command, const char *output)
{
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    struct weigh_report report;
    if (atomic_file_create(output, &file, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    diag_set(&diag, 0, 0, "%s: cannot write", output);
    if (weigh_all(command, atomic_file_stream(file), &report, &diag) != STATUS_OK) {
        (void)atomic_file_has_failed(file, &diag);
        atomic_file_abort(file);
        return command_fail(&command->line, "%s", diag.text);
    }
    if (atomic_file_commit(file, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (!command->quiet)
        weighing_report(strcmp(output, "-") == 0 ? stderr : stdout, &report);
    return EXIT_DONE;
}

static int run(struct convert_command *command)
{
    const char *output = command->line.operands[1];
    size_t size = strlen(output);
    if (size > 4 && strcmp(output + size - 4, ".wld") == 0)
        return command_misuse(&command->line, "the output is a Polyglot book, not a .wld file");
    int status = weighing_read(&command->line, &command->weighing, &command->options);
    if (status != EXIT_DONE)
        return status;
    if (!source_read(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    if (command->source.stats)
        status = convert(command, output);
    else
        status = command_fail(&command->line,
                              "%s: this is no statistics file (.wld); makebook build --stats "
                              "makes one",
                              command->source.name);
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Makes a Polyglot book of the statistics that makebook build --stats wrote. \"-\" is standard\n"
    "input or output. What was aged or weighted by Elo stays so; --min-games is about the sum of "
    "what\ngames count.\n\n" WEIGHING_ABOUT;

int command_convert(int argc, char **argv)
{
    struct convert_command command = {.weighing = WEIGHING_DEFAULT};
    const struct option_row rows[] = {
        WEIGHING_ROWS(command.weighing),
        {"quiet", 'q', OPTION_FLAG, NULL, "no closing report", &command.quiet, 0, 0},
    };
    command.line = (struct command_line){.command = "convert",
                                         .synopsis = "STATISTICS BOOK [options]",
                                         .about = about,
                                         .rows = rows,
                                         .row_count = sizeof rows / sizeof *rows,
                                         .operands_min = 2,
                                         .operands_max = 2};
    int status;
    if (!command_start(&command.line, argc, argv, &status))
        return status;
    status = run(&command);
    weighing_free(&command.weighing);
    free(command.line.operands);
    return status;
}
