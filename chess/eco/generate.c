/* Turns the tables of opening names into C, at build time: generate OUT.c IN.tsv...
 * Each row of a table is "code TAB name TAB moves"; each file begins with a row of titles. Where
 * several rows reach one position, the shortest line names it, and of equals the first. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "chess/attacks.h"
#include "chess/position_text.h"

enum { FILE_MAX_SIZE = 1 << 24 };

struct opening_row {
    uint64_t key;
    int plies;
    size_t order;
    char code[4];
    char *name;
    char *moves;
};

struct opening_table {
    struct opening_row *rows;
    size_t count;
    size_t capacity;
};

static bool complain(const char *path, size_t line, const char *text)
{
    (void)fprintf(stderr, "%s:%zu: %s\n", path, line, text);
    return false;
}

/* Takes the text before the next tab off the front of `line`. */
static struct span next_column(struct span *line)
{
    const char *tab = memchr(line->data, '\t', line->size);
    struct span column = span_make(line->data, tab ? (size_t)(tab - line->data) : line->size);
    *line = span_from(*line, column.size + (tab != NULL));
    return column;
}

static bool add_row(struct opening_table *table, struct span line, const char *path, size_t number)
{
    struct span code = next_column(&line);
    struct span name = next_column(&line);
    if (code.size != 3 || !line.size)
        return complain(path, number, "not a row of code, name and moves");
    struct position pos;
    struct diag diag;
    if (position_from_text(line, &pos, &diag) != STATUS_OK)
        return complain(path, number, diag.text);
    struct span moves = span_trim(line);
    char *copy = strndup(name.data, name.size);
    char *line_copy = strndup(moves.data, moves.size);
    if (!copy || !line_copy || !ARRAY_GROW(table->rows, table->capacity, table->count + 1)) {
        free(copy);
        free(line_copy);
        return complain(path, number, "out of memory");
    }
    struct opening_row *row = &table->rows[table->count];
    *row = (struct opening_row){
        .key = pos.key, .name = copy, .moves = line_copy, .order = table->count++};
    row->plies = 2 * pos.fullmove + pos.turn;
    text_copy(row->code, sizeof row->code, code);
    return true;
}

static bool read_table(struct opening_table *table, const char *path)
{
    uint8_t *bytes;
    size_t size;
    struct span line;
    struct diag diag;
    if (file_read(path, FILE_MAX_SIZE, &bytes, &size, &diag) != STATUS_OK)
        return complain(path, 0, diag.text);
    struct span rest = span_make((const char *)bytes, size);
    bool ok = span_line(&rest, &line); /* the titles */
    for (size_t number = 2; ok && span_line(&rest, &line); number++)
        ok = add_row(table, line, path, number);
    free(bytes);
    return ok;
}

static int compare_rows(const void *a, const void *b)
{
    const struct opening_row *x = a;
    const struct opening_row *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->plies != y->plies)
        return x->plies < y->plies ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* A string literal; whatever is not plain goes in octal, which cannot run into what follows. */
static void write_string(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\' || *text == '?' || *text < ' ' || *text > '~')
            (void)fprintf(out, "\\%03o", (unsigned)(unsigned char)*text);
        else
            (void)fputc(*text, out);
    (void)fputc('"', out);
}

static int count_lines(const struct opening_table *table, const char *name)
{
    int count = 0;
    for (size_t i = 0; i < table->count; i++)
        count += strncmp(table->rows[i].name, name, strlen(name)) == 0;
    return count;
}

static bool write_table(const struct opening_table *table, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return complain(path, 0, "cannot be written");
    (void)fputs("/* Made by chess/eco/generate.c. */\n"
                "#include \"chess/eco.h\"\n\nconst struct eco eco_rows[] = {\n",
                out);
    for (size_t i = 0; i < table->count; i++) {
        const struct opening_row *row = &table->rows[i];
        if (i && row[-1].key == row->key)
            continue;
        (void)fprintf(out, "    {UINT64_C(0x%016" PRIx64 "), \"%s\", ", row->key, row->code);
        write_string(out, row->name);
        (void)fputs(", ", out);
        write_string(out, row->moves);
        (void)fprintf(out, ", %d, %d},\n", row->plies - 2, count_lines(table, row->name));
    }
    (void)fputs("};\n\nconst size_t eco_row_count = sizeof eco_rows / sizeof eco_rows[0];\n", out);
    bool ok = !ferror(out);
    ok = fclose(out) == 0 && ok;
    if (!ok)
        (void)remove(path);
    return ok || complain(path, 0, "cannot be written");
}

int main(int argc, char **argv)
{
    struct opening_table table = {NULL, 0, 0};
    bool ok = argc > 2;
    if (!ok)
        (void)fputs("usage: generate OUT.c IN.tsv...\n", stderr);
    chess_init();
    for (int i = 2; ok && i < argc; i++)
        ok = read_table(&table, argv[i]);
    if (ok && table.count) {
        qsort(table.rows, table.count, sizeof *table.rows, compare_rows);
        ok = write_table(&table, argv[1]);
    }
    for (size_t i = 0; i < table.count; i++) {
        free(table.rows[i].name);
        free(table.rows[i].moves);
    }
    free(table.rows);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
