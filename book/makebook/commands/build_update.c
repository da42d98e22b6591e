#include "book/makebook/commands/build_update.h"

#include <string.h>

#include "base/atomic_file.h"
#include "base/file.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/statistics/wld_file.h"
#include "book/statistics/wld_options.h"

/* Are both lines about the same option? */
static bool name_is_same(struct span a, struct span b)
{
    const char *blank = a.size ? memchr(a.data, ' ', a.size) : NULL;
    size_t size = blank ? (size_t)(blank - a.data) + 1 : a.size;
    return b.size >= size && memcmp(a.data, b.data, size) == 0;
}

static bool options_agree(const struct command_line *line, const char *path, const char *theirs,
                          const char *ours)
{
    struct span a;
    struct span b;
    if (!wld_options_differ(theirs, ours, &a, &b))
        return true;
    if (a.size && b.size && name_is_same(a, b))
        return command_refuse(line, "%s was counted with \"%.*s\", not with \"%.*s\"", path,
                              (int)a.size, a.data, (int)b.size, b.data);
    if (a.size)
        return command_refuse(line, "%s was counted with \"%.*s\", which is not asked for here",
                              path, (int)a.size, a.data);
    return command_refuse(line, "%s was not counted with \"%.*s\"", path, (int)b.size, b.data);
}

/* Can games be added to it? */
static bool check(const struct command_line *line, const char *path,
                  const struct build_options *options, const struct wld_file *file)
{
    char text[WLD_OPTIONS_MAX + 1];
    const struct wld_info *info = &wld_file_header(file)->info;
    if (!info->has_prints)
        return command_refuse(line,
                              "%s does not say which games it counts, as statistics made with "
                              "--updatable do: makebook merge adds up without looking at games",
                              path);
    if (build_options_text(options, text) != STATUS_OK)
        return command_refuse(line, "the options are too long");
    return options_agree(line, path, info->options, text);
}

void build_update_lock(const struct command_line *line, const char *path,
                       struct build_update *update)
{
    update->lock = outputs_lock(line, path);
    update->is_locked = true;
}

bool build_update_start(const struct command_line *line, const char *path,
                        const struct build_options *options, struct builder *builder,
                        struct build_update *update)
{
    struct diag diag = {.text = ""};
    bool is_first = file_kind_of(path, NULL) == FILE_ABSENT;
    enum caxton_status status = wld_file_open(path, &update->file, &diag);
    if (status == STATUS_OK && !check(line, path, options, update->file))
        return false;
    if (status == STATUS_OK)
        status = wld_reader_create_range(update->file, 0, UINT64_MAX, &update->reader, &diag);
    if (status == STATUS_OK)
        status = builder_add_to(builder, update->reader, &diag);
    return status == STATUS_OK ||
           command_refuse(line, "%s%s", diag.text,
                          is_first ? ": the first build makes it, by -o FILE --updatable" : "");
}

void build_update_close(struct build_update *update)
{
    wld_reader_destroy(update->reader);
    wld_file_close(update->file);
    update->reader = NULL;
    update->file = NULL;
}

void build_update_unlock(struct build_update *update)
{
    build_update_close(update);
    if (update->is_locked)
        atomic_file_unlock(update->lock);
    update->is_locked = false;
}
