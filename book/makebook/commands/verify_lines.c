/* makebook verify: what the lines of a book show that its entries do not. */
#include <stdlib.h>

#include "book/book.h"
#include "book/entry_table.h"
#include "book/format.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/commands/verify.h"
#include "chess/fen.h"
#include "chess/notation.h"

struct look {
    const struct book_graph *graph;
    FILE *report;
    bool all;
    struct verify_lines *found;
};

static void name_move(const struct look *look, uint32_t node, const struct book_edge *edge,
                      const char *what)
{
    struct position pos;
    char san[SAN_MAX];
    char fen[FEN_MAX];
    book_graph_position(look->graph, node, &pos, NULL);
    move_to_san(&pos, edge->move, san);
    fen_format(&pos, fen);
    (void)fprintf(look->report, "%s in %s %s\n", san, fen, what);
}

/* Depth first, without recursion: a move that leads to a node of the line at hand closes a loop. */
static enum caxton_status find_loops(const struct look *look)
{
    enum { NEW, ON_LINE, DONE };
    const struct book_graph *graph = look->graph;
    uint8_t *states = calloc(graph->node_count, 1);
    uint32_t *line = calloc(graph->node_count, sizeof *line);
    uint32_t *next = calloc(graph->node_count, sizeof *next); /* by node: its moves looked at */
    bool enough = states && line && next;
    for (uint32_t root = 0; enough && root < graph->node_count; root++) {
        size_t depth = 0;
        if (states[root] == NEW) {
            line[depth++] = root;
            states[root] = ON_LINE;
        }
        while (depth > 0) {
            uint32_t at = line[depth - 1];
            const struct book_node *node = &graph->nodes[at];
            if (next[at] == node->count) {
                states[at] = DONE;
                depth--;
                continue;
            }
            const struct book_edge *edge = &graph->edges[node->first + next[at]++];
            if (edge->to == BOOK_GRAPH_NONE || edge->weight == 0)
                continue;
            if (states[edge->to] == NEW) {
                states[edge->to] = ON_LINE;
                line[depth++] = edge->to;
            } else if (states[edge->to] == ON_LINE) {
                look->found->loops++;
                if (look->all)
                    name_move(look, at, edge, "comes back to an earlier position of its line");
            }
        }
    }
    free(states);
    free(line);
    free(next);
    return enough ? STATUS_OK : STATUS_NO_MEMORY;
}

static void find_zeros(const struct look *look)
{
    const struct book_graph *graph = look->graph;
    for (uint32_t at = 0; at < graph->node_count; at++)
        for (uint32_t i = 0; i < graph->nodes[at].count; i++) {
            const struct book_edge *edge = &graph->edges[graph->nodes[at].first + i];
            if (edge->weight > 0)
                continue;
            look->found->zeros++;
            if (look->all)
                name_move(look, at, edge, "is never played");
        }
}

void verify_unreached(const struct verify *verify, const struct entry_table *table,
                      const struct book_graph *graph, struct verify_lines *out)
{
    for (size_t first = 0, end; first < table->count; first = end) {
        end = first + entries_of_position(table, first);
        if (graph->reached[first / 8] & 1 << first % 8)
            continue;
        out->unreached++;
        if (verify->all)
            (void)fprintf(verify->report, "no line comes to the position %016llx: %zu move%s\n",
                          (unsigned long long)entry_table_at(table, first).key, end - first,
                          text_plural(end - first));
    }
}

enum caxton_status verify_lines(const struct verify *verify, const struct book_graph *graph,
                                struct verify_lines *out)
{
    struct verify_lines found = {0};
    const struct look look = {graph, verify->report, verify->all, &found};
    enum caxton_status status = find_loops(&look);
    find_zeros(&look);
    *out = found;
    return status;
}

static void summary_line(FILE *report, uint64_t count, const char *what)
{
    if (count)
        (void)fprintf(report, "%12llu  %s (a remark, --all names each)\n",
                      (unsigned long long)count, what);
}

void verify_lines_summary(const struct verify_lines *found, FILE *report)
{
    summary_line(report, found->loops, "moves that come back to an earlier position of their line");
    summary_line(report, found->zeros, "moves that are known and never played");
    summary_line(report, found->unreached, "positions that no line comes to");
}
