#include "book/makebook/commands/prune_by_hand.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/format.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/weighing.h"
#include "book/polyglot_entry.h"
#include "chess/position_text.h"

/* The last move of a line, and the position before it. Returns an exit status. */
static int read_line(const struct command_line *line, const char *text, struct position *pos,
                     move *last)
{
    move moves[BOOK_GRAPH_PLIES_MAX];
    size_t count = 0;
    struct diag diag = {.text = ""};
    struct span words;
    if (command_words(line, text, &words, &diag) != STATUS_OK ||
        line_from_text(words, pos, moves, BOOK_GRAPH_PLIES_MAX, &count, &diag) != STATUS_OK)
        return command_misuse(line, "--remove \"%s\": %s", text, diag.text);
    if (count == 0)
        return command_misuse(line, "--remove \"%s\": there is no move", text);
    for (size_t i = 0; i + 1 < count; i++)
        position_play(pos, moves[i]);
    *last = moves[count - 1];
    return EXIT_DONE;
}

/* By key, then move, as overrides_parse() leaves them. */
static int compare(const void *a, const void *b)
{
    const struct override *x = a;
    const struct override *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* A line of --remove takes the place of what the file says about the move. */
static bool put(struct overrides *overrides, const struct override *removed)
{
    size_t capacity = overrides->count;
    for (size_t i = 0; i < overrides->count; i++)
        if (compare(&overrides->list[i], removed) == 0) {
            overrides->list[i] = *removed;
            return true;
        }
    if (!ARRAY_GROW(overrides->list, capacity, overrides->count + 1))
        return false;
    overrides->list[overrides->count++] = *removed;
    return true;
}

int prune_by_hand_read(const struct command_line *line, const char *path,
                       struct prune_by_hand *by_hand)
{
    struct overrides *overrides = &by_hand->overrides;
    int answer = path ? weighing_read_overrides(line, path, false, overrides) : EXIT_DONE;
    for (size_t i = 0; i < by_hand->lines.count && answer == EXIT_DONE; i++) {
        struct position pos;
        move m;
        answer = read_line(line, by_hand->lines.items[i], &pos, &m);
        if (answer == EXIT_DONE &&
            !put(overrides, &(struct override){.key = pos.key,
                                               .move = polyglot_from_move(m),
                                               .journey = polyglot_journey(m),
                                               .kind = OVERRIDE_NEVER}))
            answer = command_fail(line, "out of memory");
    }
    if (overrides->count > 1)
        qsort(overrides->list, overrides->count, sizeof *overrides->list, compare);
    return answer;
}

/* Sets the weight of a move in the list. False: it is not there. */
static bool set_weight(struct entry_list *list, const struct override *override)
{
    const struct entry_table table = {.entries = list->entries, .count = list->count};
    uint32_t weight = override->weight;
    bool found = false;
    for (size_t at = entry_table_find(&table, override->key);
         at < list->count && list->entries[at].key == override->key; at++) {
        struct book_entry *entry = &list->entries[at];
        if (entry->move != override->move && entry->move != override->journey)
            continue;
        entry->weight = found ? 0 : weight; /* entries of a move add up */
        found = true;
    }
    return found;
}

static enum caxton_status weigh(struct prune_by_hand *by_hand, struct entry_list *list)
{
    const struct overrides *overrides = &by_hand->overrides;
    struct entry_list more = {.separate = true};
    enum caxton_status status = STATUS_OK;
    by_hand->added = calloc(overrides->count, sizeof *by_hand->added);
    if (!by_hand->added)
        return STATUS_NO_MEMORY;
    entry_list_join(list);
    for (size_t i = 0; i < overrides->count && status == STATUS_OK; i++) {
        const struct override *override = &overrides->list[i];
        if (override->kind == OVERRIDE_NEVER)
            continue;
        by_hand->added[i] = !set_weight(list, override);
        if (by_hand->added[i])
            status = entry_list_append(&more, &(struct book_entry){.key = override->key,
                                                                   .move = override->move,
                                                                   .weight = override->weight});
    }
    for (size_t i = 0; i < more.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &more.entries[i]);
    entry_list_free(&more);
    return status;
}

bool prune_by_hand_sets_weights(const struct prune_by_hand *by_hand)
{
    for (size_t i = 0; i < by_hand->overrides.count; i++)
        if (by_hand->overrides.list[i].kind != OVERRIDE_NEVER)
            return true;
    return false;
}

int prune_by_hand_weigh(const struct command_line *line, struct prune_by_hand *by_hand,
                        struct source *source)
{
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    if (!prune_by_hand_sets_weights(by_hand))
        return EXIT_DONE;
    enum caxton_status status = gather_book(&gathering, source->book, GATHER_SUM, &diag);
    if (status == STATUS_OK) {
        diag_set(&diag, 0, 0, "out of memory");
        status = weigh(by_hand, &gathering.list);
    }
    if (status == STATUS_OK)
        status = gather_finish(&gathering, source->name, &book);
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(line, "%s: %s", source->name, diag.text);
    book_made_of(book, source->book);
    source->origin = source->book;
    source->book = book;
    return EXIT_DONE;
}

/* Is it a move of the book, also where no line comes to, or one to a position of the book? */
static bool knows(const struct book *book, const struct book_graph *graph,
                  const struct position *pos, move m)
{
    struct book_move moves[MOVES_MAX];
    int count = book_probe(book, pos, moves, MOVES_MAX);
    for (int i = 0; i < count; i++)
        if (moves[i].move == m)
            return true;
    return book_graph_find(graph, position_behind(pos, m).key) != BOOK_GRAPH_NONE;
}

int prune_by_hand_check(const struct command_line *line, const struct prune_by_hand *by_hand,
                        const struct book *book, const struct book_graph *graph)
{
    for (size_t i = 0; i < by_hand->lines.count; i++) {
        struct position pos;
        move m;
        int answer = read_line(line, by_hand->lines.items[i], &pos, &m);
        if (answer != EXIT_DONE)
            return answer;
        if (!knows(book, graph, &pos, m))
            return command_fail(line, "--remove \"%s\": the book does not know this move",
                                by_hand->lines.items[i]);
    }
    return EXIT_DONE;
}

/* Takes the move out of those that fell because no line reaches them. */
static void forget(struct pruning *pruning, const struct override *override)
{
    struct entry_list *list = &pruning->unreached;
    size_t at = 0;
    while (at < list->count &&
           (list->entries[at].key != override->key || list->entries[at].move != override->move))
        at++;
    if (at == list->count)
        return;
    pruning->counts[list->entries[at].place]--;
    list->count--;
    memmove(list->entries + at, list->entries + at + 1, (list->count - at) * sizeof *list->entries);
}

void prune_by_hand_warn(const struct command_line *line, const char *path,
                        const struct prune_by_hand *by_hand, struct pruning *pruning)
{
    for (size_t i = 0; i < by_hand->overrides.count; i++) {
        const struct override *override = &by_hand->overrides.list[i];
        if (!override->line || book_graph_find(&pruning->graph, override->key) != BOOK_GRAPH_NONE)
            continue;
        (void)command_fail(line, "warning: %s:%zu: no effect: no line of the book comes here", path,
                           override->line);
        if (by_hand->added && by_hand->added[i])
            forget(pruning, override);
    }
}

void prune_by_hand_free(struct prune_by_hand *by_hand)
{
    free(by_hand->added);
    overrides_free(&by_hand->overrides);
}
