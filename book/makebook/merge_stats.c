/* makebook merge, of statistics: all inputs are read side by side, a block of each in memory. */
#include <stdlib.h>
#include <string.h>

#include "book/atomic_file.h"
#include "book/makebook/command.h"
#include "book/makebook/merge.h"

/* Options on one line. */
static void print_options(char *out, size_t capacity, const char *options)
{
    (void)snprintf(out, capacity, "%s", options);
    size_t size = strlen(out);
    if (size && out[size - 1] == '\n')
        out[--size] = '\0';
    for (size_t i = 0; i < size; i++)
        if (out[i] == '\n')
            out[i] = ',';
}

static bool unite_options(const struct command_line *line, const struct source *sources,
                          size_t count, bool force, char *united)
{
    united[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *options = wld_reader_options(sources[i].stats);
        if (wld_reader_unit(sources[i].stats) != wld_reader_unit(sources[0].stats)) {
            (void)command_fail(line,
                               "%s and %s do not add: one counts whole games, the other parts of "
                               "them (--half-life, --elo-weight)",
                               sources[0].name, sources[i].name);
            return false;
        }
        if (!force && strcmp(options, wld_reader_options(sources[0].stats)) != 0) {
            char a[160];
            char b[160];
            print_options(a, sizeof a, wld_reader_options(sources[0].stats));
            print_options(b, sizeof b, options);
            (void)command_fail(line,
                               "%s and %s were counted with different options (%s; %s); --force "
                               "adds them up all the same",
                               sources[0].name, sources[i].name, a, b);
            return false;
        }
        if (wld_unite_options(united, options) != STATUS_OK) {
            (void)command_fail(line, "the options of all inputs together are too long");
            return false;
        }
    }
    return true;
}

/* The reader's diag, or what its input says. */
static int fail_merging(const struct command_line *line, const struct source *sources, size_t count,
                        const struct diag *diag)
{
    for (size_t i = 0; i < count; i++)
        if (source_input_fault(&sources[i]))
            return command_fail(line, "%s: %s", sources[i].name, source_input_fault(&sources[i]));
    return command_fail(line, "%s", diag->text);
}

static enum caxton_status write_sums(const struct source *sources, size_t count,
                                     const char *options, FILE *out, uint64_t *records,
                                     struct diag *diag)
{
    struct wld_writer *writer = NULL;
    struct wld_reader **readers = calloc(count, sizeof *readers);
    if (!readers)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        readers[i] = sources[i].stats;
    enum caxton_status status = wld_writer_create(out, options, &writer);
    if (status == STATUS_OK)
        status = wld_merge(readers, count, wld_writer_take, writer, diag);
    if (status == STATUS_OK)
        status = wld_writer_finish(writer, records);
    wld_writer_destroy(writer);
    free(readers);
    return status;
}

int merge_stats(const struct command_line *line, const struct source *sources, size_t count,
                const char *output, bool force, bool quiet)
{
    char options[WLD_OPTIONS_MAX + 1];
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    uint64_t records = 0;
    if (!unite_options(line, sources, count, force, options))
        return EXIT_FAILED;
    if (atomic_file_create(output, &file, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    diag_set(&diag, 0, 0, "%s: cannot write", output);
    if (write_sums(sources, count, options, atomic_file_stream(file), &records, &diag) !=
        STATUS_OK) {
        atomic_file_abort(file);
        return fail_merging(line, sources, count, &diag);
    }
    if (atomic_file_commit(file, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    if (!quiet)
        (void)fprintf(strcmp(output, "-") == 0 ? stderr : stdout,
                      "%zu files of statistics merged, %llu moves written\n", count,
                      (unsigned long long)records);
    return EXIT_DONE;
}
