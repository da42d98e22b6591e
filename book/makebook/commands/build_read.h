/* The games of makebook build: its operands read one after the other. */
#pragma once

#include "base/command_line.h"
#include "base/file.h"
#include "base/progress.h"
#include "book/count/builder.h"

struct input;

/* Begins with builder and progress, which are borrowed. */
struct build_reading {
    struct builder *builder;
    struct progress *progress;
    uint64_t memory;         /* bytes that unpacking may take */
    struct input *input;     /* the present one */
    struct file_begin begin; /* of it, unpacked */
    uint64_t unpacked;       /* bytes of all inputs so far */
    uint64_t bytes_before;   /* of the files before this one, as they lie on disk */
};

/* The bytes of all inputs, 0 when one of them is no plain file. */
uint64_t build_input_bytes(const struct command_line *line);

/* False after one line on standard error. */
bool build_read_all(const struct command_line *line, struct build_reading *reading);

/* Warns that there are no games in an input that begins so, and says what it is where that is
 * known. */
void build_warn_no_games(const struct command_line *line, const char *name,
                         const struct file_begin *begin);
