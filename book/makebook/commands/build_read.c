#include "book/makebook/commands/build_read.h"

#include <stdio.h>
#include <string.h>

#include "book/count/input/input.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/commands/build_report.h"

static enum caxton_status read_some(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct build_reading *reading = context;
    enum caxton_status status = input_read(reading->input, buffer, capacity, size);
    if (status == STATUS_OK) {
        reading->unpacked += *size;
        file_begin_add(&reading->begin, buffer, *size);
    }
    progress_update(reading->progress, reading->bytes_before + input_bytes_read(reading->input),
                    builder_report(reading->builder)->count.games);
    return status;
}

uint64_t build_input_bytes(const struct command_line *line)
{
    uint64_t sum = 0;
    for (int i = 0; i < line->operand_count; i++) {
        uint64_t size;
        if (file_kind_of(line->operands[i], &size) != FILE_REGULAR)
            return 0;
        sum += size;
    }
    return sum;
}

void build_warn_no_games(const struct command_line *line, const char *name,
                         const struct file_begin *begin)
{
    const char *type = file_type_name(begin->bytes, begin->size);
    (void)command_fail(line, "warning: %s: no games found%s%s", name, type ? ": it is " : "",
                       type ? type : "");
}

static bool read_file(const struct command_line *line, struct build_reading *reading,
                      const char *name)
{
    struct diag diag = {.text = ""};
    if (input_open_within(name, reading->memory, &reading->input, &diag) != STATUS_OK)
        return command_refuse(line, "%s", diag.text);
    const struct count_report *report = &builder_report(reading->builder)->count;
    uint64_t before = report->games;
    reading->begin.size = 0;
    const char *shown = strcmp(name, "-") == 0 ? "standard input" : name;
    enum caxton_status status = builder_read(reading->builder, read_some, reading, shown, &diag);
    progress_end(reading->progress);
    if (status != STATUS_OK && *input_fault(reading->input))
        (void)command_fail(line, "%s: %s", shown, input_fault(reading->input));
    else if (pgn_is_game_fault(status)) { /* with --strict */
        (void)fprintf(stderr, "makebook build: ");
        build_report_bad_game(stderr, &report->bad[0]);
        (void)fprintf(stderr, "\n");
    } else if (status != STATUS_OK)
        (void)command_fail(line, "%s", diag.text);
    else if (report->games == before)
        build_warn_no_games(line, shown, &reading->begin);
    reading->bytes_before += input_bytes_read(reading->input);
    input_close(reading->input);
    return status == STATUS_OK;
}

bool build_read_all(const struct command_line *line, struct build_reading *reading)
{
    bool good = true;
    for (int i = 0; i < line->operand_count && good; i++)
        good = read_file(line, reading, line->operands[i]);
    return good;
}
