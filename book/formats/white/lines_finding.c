#include "book/formats/white/lines_finding.h"

#include <stdio.h>
#include <string.h>

#include "book/position_book.h"

enum book_fault lines_finding_kind(const struct lines_finding *finding)
{
    static const enum book_fault kinds[] = {
        [LINES_DUPLICATE] = BOOK_FAULT_DUPLICATE, [LINES_CUT_OFF] = BOOK_FAULT_CUT_OFF,
        [LINES_APART] = BOOK_REMARK_APART,        [LINES_MISSING_REWRITE] = BOOK_REMARK_ORDER,
        [LINES_UNANSWERED] = BOOK_REMARK_GAP,     [LINES_PREFIX] = BOOK_REMARK_IDLE,
        [LINES_IDLE_REWRITE] = BOOK_REMARK_IDLE,  [LINES_IDLE_NON_BOOK] = BOOK_REMARK_IDLE,
        [LINES_HALF_PLAYED] = BOOK_REMARK_IDLE,   [LINES_NEVER_PLAYED] = BOOK_REMARK_IDLE,
    };
    return finding->fault == LINES_FAULTY ? book_fault_of(finding->status) : kinds[finding->fault];
}

void lines_finding_diag(const struct lines_finding *finding, struct diag *out)
{
    char place[40];
    int size = snprintf(place, sizeof place, "line %zu, ", finding->line);
    bool has_place = size > 0 && strncmp(finding->text, place, (size_t)size) == 0;
    diag_set(out, finding->line, finding->column, "%s", finding->text + (has_place ? size : 0));
    out->offset = finding->offset;
}
