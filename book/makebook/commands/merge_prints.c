#include "book/makebook/commands/merge_prints.h"

#include "base/text.h"
#include "book/makebook/cli/command.h"

void merge_prints_note(struct merge_prints *prints, const struct wld_reader *reader,
                       const char *name)
{
    if (wld_reader_info(reader)->has_fingerprints)
        prints->updatable++;
    else if (!prints->plain)
        prints->plain = name;
}

void merge_prints_warn(const struct merge_prints *prints, const struct command_line *line,
                       bool force)
{
    static const char loss[] = "build --add-to cannot add games to the sum";
    if (prints->twice > 0)
        (void)command_fail(line, "warning: %llu game%s twice: %s",
                           (unsigned long long)prints->twice,
                           prints->twice == 1 ? " counts" : "s count", loss);
    else if (prints->updatable > 0 && prints->plain)
        (void)command_fail(line, "warning: %s does not say which games it counts (--updatable): %s",
                           prints->plain, loss);
    else if (prints->updatable > 1 && force)
        (void)command_fail(line, "warning: added up with --force: %s", loss);
}
