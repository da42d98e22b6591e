/* The statistics that makebook build --add-to adds games to. */
#pragma once

#include "base/command_line.h"
#include "book/build/builder.h"

struct wld_file;

/* Begins as {0}. */
struct build_update {
    bool is_locked;
    int lock;
    struct wld_file *file;
    struct wld_reader *reader;
};

/* Waits until no other program adds to `path`: two at once would lose the games of one. Before
 * anything is read that belongs to it. To be ended by build_update_unlock(). */
void build_update_lock(const struct command_line *line, const char *path,
                       struct build_update *update);

/* Lets the builder add to `path`, which is locked; its games are known then. False after one line
 * on standard error: it is not there or damaged, was counted with other options, or does not say
 * which games it counts. */
bool build_update_start(const struct command_line *line, const char *path,
                        const struct build_options *options, struct builder *builder,
                        struct build_update *update);

/* The file is not read any more. May come twice. */
void build_update_close(struct build_update *update);

/* Closes it and lets others add to it. May come without a lock, and twice. */
void build_update_unlock(struct build_update *update);
