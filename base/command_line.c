#include "base/command_line.h"

#include <stdio.h>
#include <string.h>

#include "base/help.h"
#include "base/text.h"

/* Columns of an option in the help. */
enum { NAME_WIDTH = 32 };

/* Always false. */
static bool complain(const struct command_line *line, const char *what, const char *which)
{
    const char *gap = line->command[0] ? " " : "";
    (void)fprintf(stderr, "%s%s%s: %s%s; see %s%s%s --help\n", line->program, gap, line->command,
                  what, text_safe(which).text, line->program, gap, line->command);
    return false;
}

/* As complain(), and offers the word that is nearest. */
static bool complain_near(const struct command_line *line, const char *what, const char *which,
                          const char *dashes, const struct text_nearest *near)
{
    char text[256];
    if (!near->word.data)
        return complain(line, what, which);
    (void)snprintf(text, sizeof text, "%.160s (did you mean %s%.*s?)", which, dashes,
                   (int)near->word.size, near->word.data);
    return complain(line, what, text);
}

static void show_row(const struct option_row *row, enum help_form form)
{
    char name[64];
    (void)snprintf(name, sizeof name, "--%s%s%s", row->name, row->argument ? " " : "",
                   row->argument ? row->argument : "");
    const char *values = row->kind == OPTION_FLAG     ? "-"
                         : row->kind == OPTION_CHOICE ? row->argument
                                                      : "?";
    if (!row->short_name || form == HELP_WORDS) {
        help_row(stdout, form, NAME_WIDTH, name, values, row->help);
        return;
    }
    char names[sizeof name + sizeof "-o, "];
    (void)snprintf(names, sizeof names, "-%c, %s", row->short_name, name);
    help_row(stdout, form, NAME_WIDTH, names, values, row->help);
}

static void show_help(const struct command_line *line, enum help_form form)
{
    char title[256];
    (void)snprintf(title, sizeof title, "%s%s%s %s", line->program, line->command[0] ? " " : "",
                   line->command, line->synopsis);
    if (form == HELP_TEXT)
        (void)printf("%s\n\n%s\n\n", title, line->about);
    if (form == HELP_MAN) {
        help_man_heading(stdout, ".SS", title);
        help_man_text(stdout, line->about);
    }
    for (size_t i = 0; i < line->row_count; i++)
        show_row(&line->rows[i], form);
    help_row(stdout, form, NAME_WIDTH, "--help", "-", "this text");
}

/* The row of "--name", "--name=value", "-n" or "-nvalue"; *value is the value, or NULL. */
static const struct option_row *find_row(const struct command_line *line, const char *word,
                                         const char **value)
{
    bool is_short = word[1] != '-';
    const char *name = word + (is_short ? 1 : 2);
    size_t size = is_short ? 1 : strcspn(name, "=");
    *value = !name[size] ? NULL : is_short ? name + size : name + size + 1;
    for (size_t i = 0; i < line->row_count; i++)
        if (is_short ? line->rows[i].short_name == name[0]
                     : span_equal(span_make(name, size), line->rows[i].name))
            return &line->rows[i];
    return NULL;
}

/* The place of `value` among "a|b|c", or -1. */
static int choice_index(const char *choices, const char *value, struct text_nearest *near)
{
    int index = 0;
    for (const char *at = choices;; index++) {
        size_t size = strcspn(at, "|");
        if (span_equal(span_make(at, size), value))
            return index;
        text_nearest_try(near, span_make(at, size));
        if (!at[size])
            return -1;
        at += size + 1;
    }
}

bool options_read_decimal(const char *text, size_t decimals, int64_t max, int64_t *out)
{
    enum { WHOLE_MAX = 9, DECIMALS_MAX = 9 };
    char digits[WHOLE_MAX + DECIMALS_MAX + 1] = "";
    size_t whole = strcspn(text, ".");
    size_t given = text[whole] ? strlen(text + whole + 1) : 0;
    if (whole == 0 || whole > WHOLE_MAX || given > decimals || (text[whole] && given == 0))
        return false;
    memcpy(digits, text, whole);
    memset(digits + whole, '0', decimals);
    if (given)
        memcpy(digits + whole, text + whole + 1, given);
    return strspn(digits, "0123456789") == whole + decimals &&
           span_to_int(span_of(digits), 0, max, out) == STATUS_OK;
}

bool options_read_percent(const char *text, size_t decimals, int64_t max, int64_t *out)
{
    char number[32];
    size_t size = strlen(text);
    size -= size > 0 && text[size - 1] == '%';
    if (size >= sizeof number)
        return false;
    text_copy(number, sizeof number, span_make(text, size));
    return options_read_decimal(number, decimals, max, out);
}

static bool add_text(const struct command_line *line, const struct option_row *row,
                     const char *value)
{
    struct option_texts *texts = row->target;
    char text[160];
    if (texts->count < OPTION_TEXTS_MAX) {
        texts->items[texts->count++] = value;
        return true;
    }
    (void)snprintf(text, sizeof text, "--%s may be given %d times, no more: ", row->name,
                   OPTION_TEXTS_MAX);
    return complain(line, text, value);
}

static bool set_value(const struct command_line *line, const struct option_row *row,
                      const char *value)
{
    struct text_nearest near = {.wanted = span_of(value ? value : "")};
    char text[160];
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->target = true;
        return true;
    case OPTION_TEXT:
        *(const char **)row->target = value;
        return true;
    case OPTION_TEXTS:
        return add_text(line, row, value);
    case OPTION_NUMBER:
        if (span_to_int(span_of(value), row->min, row->max, row->target) == STATUS_OK)
            return true;
        (void)snprintf(text, sizeof text, "--%s wants a number from %lld to %lld, not ", row->name,
                       (long long)row->min, (long long)row->max);
        return complain(line, text, *value ? value : "\"\"");
    case OPTION_CHOICE:
        *(int *)row->target = choice_index(row->argument, value, &near);
        if (*(int *)row->target >= 0)
            return true;
        (void)snprintf(text, sizeof text, "--%s must be %s, not ", row->name, row->argument);
        return complain_near(line, text, value, "", &near);
    }
    return false;
}

static bool complain_unknown(const struct command_line *line, const char *word)
{
    const char *name = word + strspn(word, "-");
    struct text_nearest near = {.wanted = span_make(name, strcspn(name, "="))};
    for (size_t i = 0; i < line->row_count; i++)
        text_nearest_try(&near, span_of(line->rows[i].name));
    text_nearest_try(&near, span_of("help"));
    return complain_near(line, "unknown option ", word, "--", &near);
}

/* Reads the option at argv[*at] and steps over what it uses up. */
static bool read_option(const struct command_line *line, int argc, char **argv, int *at)
{
    const char *value;
    const struct option_row *row = find_row(line, argv[*at], &value);
    if (!row)
        return complain_unknown(line, argv[*at]);
    if (row->kind == OPTION_FLAG && value)
        return complain(line, "no value is wanted in ", argv[*at]);
    if (row->kind != OPTION_FLAG && !value) {
        if (*at + 1 == argc)
            return complain(line, "a value is missing after ", argv[*at]);
        value = argv[++*at];
    }
    return set_value(line, row, value);
}

enum parse_result options_parse(struct command_line *line, int argc, char **argv)
{
    bool only_operands = false;
    line->operands = argv; /* none is stored before it has been read */
    line->operand_count = 0;
    for (int i = 0; i < argc; i++) {
        char *word = argv[i];
        if (only_operands || word[0] != '-' || word[1] == '\0') {
            line->operands[line->operand_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (help_form_of(word) != HELP_NONE) {
            show_help(line, help_form_of(word));
            return PARSE_HELP_SHOWN;
        } else if (!read_option(line, argc, argv, &i)) {
            return PARSE_WRONG;
        }
    }
    if (line->operand_count > line->operands_max) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "%.160s is too much; wanted: ", line->operands[line->operands_max]);
        (void)complain(line, text, line->synopsis);
        return PARSE_WRONG;
    }
    if (line->operand_count < line->operands_min) {
        (void)complain(line, "wanted: ", line->synopsis);
        return PARSE_WRONG;
    }
    return PARSE_RUN;
}
