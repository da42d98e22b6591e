/* What makebook plan prints. */
#pragma once

#include <stdio.h>

#include "book/plan/simulation.h"

struct plan_heading {
    const char *side; /* "White" */
    const char *against;
    int depth;
    int min_depth;
    const char *store; /* that times are measured by; NULL: none */
    int64_t speed;     /* nodes a second */
};

/* tsv: a table of tabs with a line of names, else text for people. */
void plan_report_heading(FILE *out, bool tsv, const struct plan_heading *heading,
                         const struct question_trace *trace, const struct search_time *time);
/* total_us: of all searches that are asked for. */
void plan_report_row(FILE *out, bool tsv, const struct simulation_options *options,
                     const struct simulation_result *result, int64_t total_us);
void plan_report_end(FILE *out, bool tsv);
