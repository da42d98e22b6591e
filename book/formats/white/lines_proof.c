#include "book/formats/white/lines_proof.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "book/formats/white/lines_word.h"

/* Steps over what may stand before a move. */
static struct span to_move(struct span rest)
{
    rest = lines_after_number(lines_after_blanks(rest));
    while (rest.size && (rest.data[0] == '(' || rest.data[0] == ')'))
        rest = lines_after_number(lines_after_blanks(span_from(rest, 1)));
    return rest;
}

static struct span after_share(struct span rest)
{
    if (rest.size && rest.data[0] == '*')
        do
            rest = span_from(rest, 1);
        while (rest.size && rest.data[0] >= '0' && rest.data[0] <= '9');
    return to_move(rest);
}

/* The place in the file of move `ply`, counted from 1, of the line with the moves or the left side
 * of the rewrite that begins at `line`; of `*n` when the move is among those. */
static const char *find_move(const struct lines *lines, const struct lines_item *item, int ply,
                             struct lines_place *place)
{
    if (place->item != item) {
        struct span rest = span_from(span_make(lines->text, lines->text_size), item->line);
        place->item = item;
        (void)span_line(&rest, &place->content);
        place->content = span_trim(place->content);
        place->ply = INT_MAX;
    }
    if (ply <= item->shared)
        return place->content.data;
    if (ply < place->ply) {
        place->rest = after_share(place->content);
        place->ply = item->shared + 1;
    }
    for (; place->ply < ply && place->rest.size; place->ply++) {
        (void)lines_cut_move(lines, &place->rest, true);
        if (place->rest.size && place->rest.data[0] == ':')
            (void)lines_cut_weight(lines, &place->rest);
        place->rest = to_move(place->rest);
    }
    return place->rest.data;
}

struct lines_finding proof_finding(enum lines_fault fault, size_t item, uint32_t other)
{
    return (struct lines_finding){
        .fault = fault, .line = item + 1, .other = other == LINES_NONE ? 0 : (size_t)other + 1};
}

/* The move `ply` of the item, as it would be written. */
static void name_move(struct proof *proof, const struct lines_item *item, int ply,
                      char out[SAN_MAX + 2])
{
    const struct lines *lines = proof->lines;
    struct lines_path *path = proof->named;
    char text[SAN_MAX];
    (void)lines_path_seek(path, lines, item->node);
    const struct lines_node *node = &lines->nodes[path->nodes[ply]];
    lines_move_text(lines, &path->positions[ply - 1], node->m, text);
    bool non_book = item->kind == LINES_ITEM_MOVES && !node->played;
    (void)snprintf(out, SAN_MAX + 2, non_book ? "(%s)" : "%s", text);
}

void proof_tell(struct proof *proof, struct lines_finding finding, int ply, const char *format, ...)
{
    const struct lines *lines = proof->lines;
    const struct lines_item *item = &lines->items[finding.line - 1];
    const char *line = lines->text + item->line;
    char move_text[SAN_MAX + 2];
    char what[160];
    char text[256];
    va_list args;
    if (proof->ended)
        return;
    va_start(args, format);
    int size = vsnprintf(what, sizeof what, format, args);
    va_end(args);
    name_move(proof, item, ply, move_text);
    (void)snprintf(text, sizeof text, "line %zu, move %d `%s`: %s", finding.line, ply, move_text,
                   size < 0 ? "fault" : what);
    const char *place = find_move(lines, item, ply, &proof->place);
    finding.column = (size_t)(place - line) + 1;
    finding.offset = (size_t)(place - lines->text);
    finding.text = text;
    proof->ended = !proof->visit(proof->context, &finding);
}
