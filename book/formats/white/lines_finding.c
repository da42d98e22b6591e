#include "book/formats/white/lines_finding.h"

#include <stdio.h>
#include <string.h>

enum book_fault lines_finding_kind(const struct lines_finding *finding)
{
    switch (finding->fault) {
    case LINES_FAULTY:
        break;
    case LINES_DUPLICATE:
        return BOOK_FAULT_DUPLICATE;
    case LINES_CUT_OFF:
        return BOOK_FAULT_CUT_OFF;
    case LINES_APART:
        return BOOK_REMARK_APART;
    case LINES_MISSING_REWRITE:
        return BOOK_REMARK_ORDER;
    case LINES_UNANSWERED:
        return BOOK_REMARK_GAP;
    case LINES_PREFIX:
    case LINES_IDLE_REWRITE:
    case LINES_IDLE_NON_BOOK:
    case LINES_HALF_PLAYED:
    case LINES_NEVER_PLAYED:
        return BOOK_REMARK_IDLE;
    }
    if (finding->status == STATUS_ILLEGAL)
        return BOOK_FAULT_ILLEGAL;
    return finding->status == STATUS_AMBIGUOUS ? BOOK_FAULT_AMBIGUOUS : BOOK_FAULT_SYNTAX;
}

void lines_finding_diag(const struct lines_finding *finding, struct diag *out)
{
    char place[40];
    int size = snprintf(place, sizeof place, "line %zu, ", finding->line);
    bool has_place = size > 0 && strncmp(finding->text, place, (size_t)size) == 0;
    diag_set(out, finding->line, finding->column, "%s", finding->text + (has_place ? size : 0));
    out->offset = finding->offset;
}
