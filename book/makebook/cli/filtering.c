#include "book/makebook/cli/filtering.h"

#include <stdio.h>

#include "book/count/filter/filter_table.h"
#include "book/makebook/cli/command.h"

static void *target_of(struct filter_setting *setting, enum option_kind kind)
{
    switch (kind) {
    case OPTION_FLAG:
        return &setting->flag;
    case OPTION_CHOICE:
        return &setting->choice;
    case OPTION_NUMBER:
    case OPTION_DECIMAL:
    case OPTION_PERCENT:
        return &setting->number;
    case OPTION_TEXT:
    case OPTION_TEXTS: /* no filter has several */
        break;
    }
    return &setting->text;
}

size_t filtering_rows(struct filtering *filtering, struct option_row *rows)
{
    int places[FILTER_ROWS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < filter_row_count; i++) {
        const struct filter_row *filter = &filter_rows[i];
        if (!filter->name)
            continue;
        size_t at = count++;
        for (; at > 0 && places[at - 1] > filter->help_place; at--) {
            rows[at] = rows[at - 1];
            places[at] = places[at - 1];
        }
        places[at] = filter->help_place;
        rows[at] = (struct option_row){.name = filter->name,
                                       .kind = filter->kind,
                                       .argument = filter->argument,
                                       .help = filter->help,
                                       .target = target_of(&filtering->settings[i], filter->kind),
                                       .min = filter->min,
                                       .max = filter->max};
    }
    return count;
}

enum exit_status filtering_read(const struct command_line *line, const struct filtering *filtering,
                                struct filter *out)
{
    struct filter filter = filter_default();
    for (size_t i = 0; i < filter_row_count; i++) {
        struct diag diag = {.text = ""};
        if (filter_rows[i].name &&
            filter_set(&filter, filter_rows[i].name, &filtering->settings[i], &diag) != STATUS_OK)
            return command_misuse(line, "--%s: %s", filter_rows[i].name, diag.text);
        if (diag.text[0])
            (void)command_fail(line, "--%s: %s", filter_rows[i].name, diag.text);
    }
    struct diag diag = {.text = ""};
    if (filter_check(&filter, &diag) != STATUS_OK)
        return command_misuse(line, "%s", diag.text);
    *out = filter;
    return EXIT_DONE;
}
