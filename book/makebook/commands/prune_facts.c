#include "book/makebook/commands/prune_facts.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/formats/statistics/wld_format.h"
#include "book/makebook/cli/command.h"
#include "book/polyglot_entry.h"
#include "chess/mirror.h"

/* A tally_sink. */
static enum caxton_status take(void *context, const struct tally *tally)
{
    struct prune_tallies *tallies = context;
    if (!ARRAY_GROW(tallies->list, tallies->capacity, tallies->count + 1))
        return STATUS_NO_MEMORY;
    tallies->list[tallies->count++] = *tally;
    return STATUS_OK;
}

bool prune_tallies_read(const struct command_line *line, struct source *source,
                        enum wld_weights weights, struct prune_tallies *out)
{
    struct diag diag = {.text = ""};
    const struct wld_watcher watcher = {take, out, SIZE_MAX};
    *out = (struct prune_tallies){.mirrored = wld_reader_info(source->stats)->mirrored};
    if (!source_fits_walk(line, source, 2 * sizeof(struct tally)))
        return false;
    if (wld_format_counts(source->stats, source->name, weights, &watcher, &source->book, &diag) ==
        STATUS_OK)
        return true;
    const char *fault = source_input_fault(source);
    prune_tallies_free(out);
    return command_refuse(line, "%s%s%s", fault ? source->name : diag.text, fault ? ": " : "",
                          fault ? fault : "");
}

void prune_tallies_free(struct prune_tallies *tallies)
{
    free(tallies->list);
    *tallies = (struct prune_tallies){.count = 0};
}

static int compare(const void *a, const void *b)
{
    return tally_compare(a, b);
}

void prune_tallies_facts(void *context, uint64_t key, const struct position *pos, uint16_t stored,
                         struct prune_facts *out)
{
    const struct prune_tallies *tallies = context;
    struct tally wanted = {.key = key, .move = stored};
    if (tallies->mirrored && pos && pos->turn == BLACK) {
        wanted.key = position_mirror_key(pos);
        wanted.move = polyglot_from_move(move_mirror(polyglot_to_move(pos, stored)));
    }
    const struct tally *found = tallies->count ? bsearch(&wanted, tallies->list, tallies->count,
                                                         sizeof *tallies->list, compare)
                                               : NULL;
    if (!found)
        return;
    out->has_games = true;
    out->games = tally_games(found);
    out->points = tally_points(found);
}
