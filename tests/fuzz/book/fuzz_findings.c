/* Any bytes as what makebook review --json wrote: what was read is sound. */
#include <stdlib.h>
#include <string.h>

#include "book/review/findings.h"
#include "chess/attacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct finding *finding)
{
    struct position pos = finding->start;
    for (size_t i = 0; i < finding->line.count; i++)
        position_play(&pos, finding->line.list[i].move);
    if (pos.key != finding->pos.key || finding->kind >= REVIEW_STAYED || finding->place == 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct findings findings = {.path = "fuzz", .text = malloc(size + 1), .size = size};
    struct diag diag = {.text = ""};
    chess_init();
    if (!findings.text)
        return 0;
    if (size > 0)
        memcpy(findings.text, data, size);
    enum caxton_status status = findings_parse(&findings, &diag);
    if (status != STATUS_OK && strncmp(diag.text, "fuzz:", 5) != 0)
        abort();
    for (size_t i = 0; status == STATUS_OK && i < findings.count; i++)
        check(&findings.list[i]);
    for (int color = WHITE; status == STATUS_OK && color <= BLACK; color++) {
        struct unanswered found = {.share = 0};
        while (findings_next(&findings, color, &found))
            if (found.pos.turn != color || !(found.share >= 0 && found.share <= 1))
                abort();
    }
    findings_free(&findings);
    return 0;
}
