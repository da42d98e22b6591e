/* What makebook vet says of a book. */
#pragma once

#include <stdio.h>

#include "base/progress.h"
#include "book/vet/vet.h"
#include "book/vet/vet_cut.h"

struct vet_report {
    const char *name; /* of the book */
    const char *kind;
    const struct vet *vet;
    const struct vet_options *options;
    const struct vet_cut *cut; /* what falls; NULL: nothing is taken out */
    size_t limit;              /* so many of each kind are named; 0: all */
};

/* As tables; as JSON, which names all whatever the limit. */
void vet_report_text(FILE *out, const struct vet_report *report);
void vet_report_json(FILE *out, const struct vet_report *report);

/* Redraws the progress when it is time. searched: searches since its start. */
void vet_report_progress(struct progress *progress, const struct vet *vet, size_t searched);
