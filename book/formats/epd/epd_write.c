#include "book/formats/epd/epd_write.h"

#include "book/formats/epd/epd_line.h"
#include "book/graph/graph.h"
#include "chess/fen.h"
#include "chess/notation.h"

static void write_moves(const struct position *pos, const struct book_edge *edges, uint32_t count,
                        bool played, FILE *out)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        char san[SAN_MAX];
        if ((edges[i].weight > 0) != played)
            continue;
        move_to_san(pos, edges[i].move, san);
        if (!any)
            (void)fprintf(out, " %s", played ? "bm" : "am");
        (void)fprintf(out, " %s", san);
        any = true;
    }
    if (any)
        (void)fputc(';', out);
}

static void write_weights(const struct position *pos, const struct book_edge *edges, uint32_t count,
                          FILE *out)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        char san[SAN_MAX];
        if (edges[i].weight == 0)
            continue;
        move_to_san(pos, edges[i].move, san);
        (void)fprintf(out, "%s%s=%lu", any ? ", " : " c0 \"", san, (unsigned long)edges[i].weight);
        any = true;
    }
    if (any)
        (void)fputs("\";", out);
}

/* Returns how many moves it wrote, as write_lines() does. */
static uint32_t write_operations(const struct position *pos, const struct book_edge *edges,
                                 uint32_t count, FILE *out)
{
    char board[FEN_MAX];
    epd_board_text(pos, board);
    (void)fputs(board, out);
    write_moves(pos, edges, count, true, out);
    write_moves(pos, edges, count, false, out);
    write_weights(pos, edges, count, out);
    (void)fputc('\n', out);
    return count;
}

static uint32_t write_lines(const struct position *pos, const struct book_edge *edges,
                            uint32_t count, FILE *out)
{
    char board[FEN_MAX];
    uint32_t written = 0;
    epd_board_text(pos, board);
    for (uint32_t i = 0; i < count; i++) {
        char san[SAN_MAX];
        if (edges[i].weight == 0)
            continue;
        move_to_san(pos, edges[i].move, san);
        (void)fprintf(out, "%s %s\n", san, board);
        written++;
    }
    return written;
}

static enum caxton_status write_all(const struct book_graph *graph, FILE *out, struct diag *diag,
                                    uint32_t (*write)(const struct position *,
                                                      const struct book_edge *, uint32_t, FILE *))
{
    size_t written = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct book_node *node = &graph->nodes[i];
        struct position pos;
        if (node->count == 0)
            continue;
        book_graph_position(graph, i, &pos, NULL);
        written += write(&pos, graph->edges + node->first, node->count, out);
    }
    if (written > 0)
        return STATUS_OK;
    diag_set(diag, 0, 0, "no line reaches a move of the book");
    return STATUS_NOT_FOUND;
}

enum caxton_status epd_write(struct book_graph *graph, const struct book_writer *writer, FILE *out,
                             struct book_losses *losses, struct diag *diag)
{
    (void)writer;
    (void)losses;
    return write_all(graph, out, diag, write_operations);
}

enum caxton_status epd_write_lines(struct book_graph *graph, const struct book_writer *writer,
                                   FILE *out, struct book_losses *losses, struct diag *diag)
{
    (void)writer;
    (void)losses;
    return write_all(graph, out, diag, write_lines);
}
