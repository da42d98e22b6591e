#include "book/makebook/cli/queueing.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/program.h"
#include "base/text.h"
#include "book/scoring/queue/redis_link.h"

enum { PASSWORD_FILE_MAX = 4096 };

static int read_password(const struct command_line *line, const char *path, struct queue_url *url)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct diag diag;
    enum caxton_status status = file_read(path, PASSWORD_FILE_MAX, &bytes, &size, &diag);
    if (status != STATUS_OK)
        return command_misuse(line, "%s", diag.text);
    status = queue_url_set_password(url, span_make((const char *)bytes, size), &diag);
    free(bytes);
    return status == STATUS_OK ? EXIT_DONE : command_misuse(line, "%s: %s", path, diag.text);
}

int queueing_read(const struct command_line *line, const struct queueing *queueing,
                  struct queue_url *out)
{
    struct diag diag;
    const char *given = getenv("CAXTON_QUEUE_PASSWORD");
    if (!redis_link_is_built())
        return command_misuse(line, "this build has no queue: the library hiredis was not found "
                                    "when it was made");
    if (queue_url_parse(span_of(queueing->url), out, &diag) != STATUS_OK)
        return command_misuse(line, "--queue: %s", diag.text);
    enum caxton_status status = STATUS_OK;
    if (!queueing->password_file && !*out->password && given && *given)
        status = queue_url_set_password(out, span_of(given), &diag);
    program_forget_variable("CAXTON_QUEUE_PASSWORD"); /* engines that we start would see it */
    if (status != STATUS_OK)
        return command_misuse(line, "CAXTON_QUEUE_PASSWORD: %s", diag.text);
    return queueing->password_file ? read_password(line, queueing->password_file, out) : EXIT_DONE;
}
