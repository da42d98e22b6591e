#include "book/build/builder.h"

#include <stdlib.h>

#include "book/build/crew.h"

struct builder {
    struct build_options options;
    struct build_report report;
    struct crew *crew;
};

struct build_options build_options_default(void)
{
    const char *folder = getenv("TMPDIR");
    return (struct build_options){.max_plies = 40,
                                  .min_games = 3,
                                  .colors = {true, true},
                                  .memory_bytes = (size_t)256 << 20,
                                  .jobs = 1,
                                  .folder = folder && *folder ? folder : "/tmp"};
}

const char *left_out_text(enum left_out reason)
{
    static const char *const texts[LEFT_REASONS] = {"bad", "without a result", "Chess960",
                                                    "by other players", "without moves"};
    return texts[reason];
}

struct builder *builder_create(const struct build_options *options, enum caxton_status *status)
{
    struct builder *builder = calloc(1, sizeof *builder);
    *status = STATUS_NO_MEMORY;
    if (!builder)
        return NULL;
    builder->options = *options;
    builder->crew = crew_create(&builder->options, status);
    if (!builder->crew) {
        builder_destroy(builder);
        return NULL;
    }
    return builder;
}

void builder_destroy(struct builder *builder)
{
    if (builder)
        crew_destroy(builder->crew);
    free(builder);
}

const struct build_report *builder_report(const struct builder *builder)
{
    return &builder->report;
}

enum caxton_status builder_read(struct builder *builder, pgn_source source, void *context,
                                const char *name, struct diag *diag)
{
    struct diag reason = {.text = ""};
    enum caxton_status status =
        crew_read(builder->crew, source, context, name, &builder->report, &reason);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", name, reason.text);
    return status;
}

enum caxton_status builder_write(struct builder *builder, FILE *out, struct diag *diag)
{
    struct weigher *weigher = weigher_create(out);
    if (!weigher) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    diag_set(diag, 0, 0, "cannot write the book");
    enum caxton_status status =
        counter_merge(crew_counters(builder->crew), (size_t)builder->options.jobs,
                      builder->options.min_games, weigher_take, weigher, diag);
    if (status == STATUS_OK)
        status = weigher_finish(weigher, &builder->report.weights);
    weigher_destroy(weigher);
    return status;
}
