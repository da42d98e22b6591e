#include "book/makebook/cli/entries.h"

#include "base/atomic_file.h"
#include "book/format.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/makebook/cli/outputs.h"

bool entries_save(const struct command_line *line, struct entry_list *list,
                  const struct position *root, bool keep, const char *path,
                  struct polyglot_report *report)
{
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    char lost[BOOK_LOSSES_TEXT_MAX];
    if (!outputs_create(line, path, &file))
        return false;
    enum caxton_status status =
        polyglot_write(list, root, keep, atomic_file_stream(file), report, &diag);
    if (outputs_end(line, file, status, diag.text) != EXIT_DONE)
        return false;
    if (*book_losses_text(&report->losses, lost))
        (void)command_fail(line, "warning: %s: %s", path, lost);
    return true;
}
