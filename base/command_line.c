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

/* `word`, and the word that is nearest to it. */
struct offer {
    char text[256];
};
static struct offer offer_near(const char *word, const char *dashes,
                               const struct text_nearest *near)
{
    struct offer offer;
    (void)snprintf(offer.text, sizeof offer.text,
                   near->word.data ? "%.160s (did you mean %s%.*s?)" : "%s", word, dashes,
                   (int)near->word.size, near->word.data);
    return offer;
}

/* Of "a|b|c" the one at `index`. */
static struct span choice_at(const char *choices, int64_t index)
{
    for (; index > 0; index--)
        choices += strcspn(choices, "|") + 1;
    return span_make(choices, strcspn(choices, "|"));
}

/* Of the last decimal. */
static int64_t unit_of(const struct option_row *row)
{
    int64_t unit = 1;
    for (size_t i = 0; i < row->decimals; i++)
        unit *= 10;
    return unit;
}

/* The default as a user would give it; nothing where there is none. */
static void append_usual(struct text_buffer *out, const struct option_row *row)
{
    const long long usual = (long long)row->usual;
    const long long unit = (long long)unit_of(row);
    long long part = usual % unit;
    size_t decimals = part ? row->decimals : 0;
    for (; part && part % 10 == 0; part /= 10)
        decimals--;
    if (row->kind == OPTION_CHOICE && usual >= 0) {
        const struct span choice = choice_at(row->argument, usual);
        text_append(out, " (%.*s)", (int)choice.size, choice.data);
    }
    if (row->usual_text)
        text_append(out, " (%s)", row->usual_text);
    if (row->kind == OPTION_CHOICE || !row->has_usual)
        return;
    text_append(out, decimals ? " (%lld.%0*lld)" : " (%lld)", usual / unit, (int)decimals, part);
}

static void show_row(const struct option_row *row, enum help_form form)
{
    char name[80];
    char help[256];
    struct text_buffer names = text_buffer_on(name, sizeof name);
    struct text_buffer about = text_buffer_on(help, sizeof help);
    const char *values = row->kind == OPTION_FLAG     ? "-"
                         : row->kind == OPTION_CHOICE ? row->argument
                                                      : "?";
    if (row->short_name && form != HELP_WORDS)
        text_append(&names, "-%c, ", row->short_name);
    bool is_long = row->argument && strlen(row->argument) > 60; /* a command's text lists them */
    text_append(&names, "--%s%s%s", row->name, row->argument ? " " : "",
                is_long         ? "NAME"
                : row->argument ? row->argument
                                : "");
    text_append(&about, "%s", row->help);
    append_usual(&about, row);
    help_row(stdout, form, NAME_WIDTH, name, values, help);
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
        if (is_short
                ? line->rows[i].short_name == name[0]
                : span_equal(span_make(name, size), line->rows[i].name) ||
                      (line->rows[i].old && span_equal(span_make(name, size), line->rows[i].old)))
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

static enum caxton_status add_text(const struct option_row *row, const char *value,
                                   struct diag *diag)
{
    struct option_texts *texts = row->target;
    if (texts->count == OPTION_TEXTS_MAX)
        return diag_fail(STATUS_RANGE, diag, "%s may be given %d times, no more: %s", row->name,
                         OPTION_TEXTS_MAX, value);
    texts->items[texts->count++] = value;
    return STATUS_OK;
}

static bool read_number(const struct option_row *row, const char *value, int64_t *out)
{
    if (row->kind == OPTION_PERCENT)
        return options_read_percent(value, row->decimals, 100 * unit_of(row), out);
    if (row->kind == OPTION_DECIMAL)
        return options_read_decimal(value, row->decimals, row->max, out) && *out >= row->min;
    return span_to_int(span_of(value), row->min, row->max, out) == STATUS_OK;
}

/* Stores a number, or says what is wanted. */
static enum caxton_status set_number(const struct option_row *row, const char *value,
                                     struct diag *diag)
{
    const char *shown = *value ? value : "\"\"";
    if (read_number(row, value, row->target))
        return STATUS_OK;
    if (row->wants)
        return diag_fail(STATUS_RANGE, diag, "%s wants %s, not %s", row->name, row->wants, shown);
    if (row->kind == OPTION_PERCENT)
        return diag_fail(STATUS_RANGE, diag,
                         "%s wants a percent from 0 to 100, such as 0.5, not %s", row->name, shown);
    return diag_fail(STATUS_RANGE, diag, "%s wants a number from %lld to %lld, not %s", row->name,
                     (long long)row->min, (long long)row->max, shown);
}

enum caxton_status option_set(const struct option_row *row, const char *value, struct diag *diag)
{
    struct text_nearest near = {.wanted = span_of(value ? value : "")};
    if (row->kind != OPTION_FLAG && !value)
        return diag_fail(STATUS_SYNTAX, diag, "%s wants a value", row->name);
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)row->target = true;
        return value ? diag_fail(STATUS_SYNTAX, diag, "%s wants no value", row->name) : STATUS_OK;
    case OPTION_TEXT:
        *(const char **)row->target = value;
        return STATUS_OK;
    case OPTION_TEXTS:
        return add_text(row, value, diag);
    case OPTION_NUMBER:
    case OPTION_DECIMAL:
    case OPTION_PERCENT:
        return set_number(row, value, diag);
    case OPTION_CHOICE:
        break;
    }
    *(int *)row->target = choice_index(row->argument, value, &near);
    if (*(int *)row->target >= 0)
        return STATUS_OK;
    return diag_fail(STATUS_SYNTAX, diag, "%s must be %s, not %s", row->name, row->argument,
                     offer_near(*value ? value : "\"\"", "", &near).text);
}

static void set_usual(const struct option_row *row)
{
    if (row->kind == OPTION_CHOICE)
        *(int *)row->target = (int)row->usual;
    else if (row->usual_text)
        *(const char **)row->target = row->usual_text;
    else if (row->has_usual)
        *(int64_t *)row->target = row->usual;
}

static bool complain_unknown(const struct command_line *line, const char *word)
{
    const char *name = word + strspn(word, "-");
    struct text_nearest near = {.wanted = span_make(name, strcspn(name, "="))};
    for (size_t i = 0; i < line->row_count; i++)
        text_nearest_try(&near, span_of(line->rows[i].name));
    text_nearest_try(&near, span_of("help"));
    return complain(line, "unknown option ", offer_near(word, "--", &near).text);
}

static bool complain_two_names(const struct command_line *line, const struct option_row *row)
{
    char text[120];
    (void)snprintf(text, sizeof text, "--%s is --%s now: give one of them", row->old, row->name);
    return complain(line, text, "");
}

/* Reads the option at argv[*at] and steps over what it uses up. */
static bool read_option(struct command_line *line, int argc, char **argv, int *at)
{
    const char *value;
    const char *word = argv[*at];
    struct diag diag;
    const struct option_row *row = find_row(line, word, &value);
    if (!row)
        return complain_unknown(line, word);
    if (row->kind == OPTION_FLAG && value)
        return complain(line, "no value is wanted in ", word);
    if (row->kind != OPTION_FLAG && !value) {
        if (*at + 1 == argc)
            return complain(line, "a value is missing after ", word);
        value = argv[++*at];
    }
    /* The old name may have been that of another option, which is gone. */
    bool *old = &line->given_as_old[row - line->rows];
    bool *given = &line->given[row - line->rows];
    bool is_old = row->old && span_equal(span_make(word + 2, strcspn(word + 2, "=")), row->old);
    if (*given && *old != is_old)
        return complain_two_names(line, row);
    *given = true;
    *old = is_old;
    return option_set(row, value, &diag) == STATUS_OK || complain(line, "--", diag.text);
}

/* The first of the options "a|b" that was given, or NULL. */
static const struct option_row *find_given(const struct command_line *line, const char *names)
{
    struct text_nearest near = {.wanted = span_of("")};
    for (size_t i = 0; i < line->row_count; i++)
        if (line->given[i] && choice_index(names, line->rows[i].name, &near) >= 0)
            return &line->rows[i];
    return NULL;
}

bool options_given(const struct command_line *line, const char *names)
{
    return find_given(line, names) != NULL;
}

const char *options_text(const struct command_line *line, const char *name)
{
    const struct option_row *row = find_given(line, name);
    return row && row->kind == OPTION_TEXT ? *(const char *const *)row->target : NULL;
}

/* Does what was given go together? */
static bool check_row(const struct command_line *line, const struct option_row *row, bool is_given)
{
    char text[160];
    if (!is_given)
        return !row->required || complain(line, row->required, "");
    const struct option_row *other = row->without ? find_given(line, row->without) : NULL;
    const struct span needed = choice_at(row->needs ? row->needs : "", 0);
    if (other)
        (void)snprintf(text, sizeof text, "--%s: not with --%s", row->name, other->name);
    else if (row->needs && !find_given(line, row->needs))
        (void)snprintf(text, sizeof text, "--%s needs --%.*s", row->name, (int)needed.size,
                       needed.data);
    else
        return true;
    return complain(line, row->why && (other || !row->without) ? row->why : text, "");
}

/* Reads the words that are options; the others become operands. */
static enum parse_result read_words(struct command_line *line, int argc, char **argv)
{
    bool only_operands = false;
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
    return PARSE_RUN;
}

enum parse_result options_parse(struct command_line *line, int argc, char **argv)
{
    line->operands = argv; /* none is stored before it has been read */
    line->operand_count = 0;
    for (size_t i = 0; i < line->row_count; i++)
        set_usual(&line->rows[i]);
    enum parse_result result = read_words(line, argc, argv);
    if (result == PARSE_RUN && line->operand_count > line->operands_max) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "%.160s is too much; wanted: ", line->operands[line->operands_max]);
        (void)complain(line, text, line->synopsis);
        return PARSE_WRONG;
    }
    if (result == PARSE_RUN && line->operand_count < line->operands_min) {
        (void)complain(line, "wanted: ", line->synopsis);
        return PARSE_WRONG;
    }
    for (size_t i = 0; i < line->row_count && result == PARSE_RUN; i++)
        if (!check_row(line, &line->rows[i], line->given[i]))
            return PARSE_WRONG;
    return result;
}
