#include "book/formats/white/lines_probe.h"

/* The node where the game goes on from `node` by `m`, rewritten; LINES_NONE for none. */
static uint32_t step(const struct lines *lines, uint32_t node, move m)
{
    uint32_t child = node == LINES_NONE ? LINES_NONE : lines_child(lines, node, m);
    return child == LINES_NONE ? LINES_NONE : lines_settle(lines, child);
}

/* The moves that lines have from `node`, by rank: those that are played, or the non-book moves. */
static int from_node(const struct lines *lines, uint32_t node, const struct position *pos,
                     bool played, struct lines_choice *out)
{
    int count = 0;
    for (uint32_t n = lines->nodes[node].child; n != LINES_NONE; n = lines->nodes[n].next) {
        const struct lines_node *child = &lines->nodes[n];
        if (child->first != LINES_NONE && child->played == played &&
            movegen_is_legal(pos, child->m))
            out[count++] = lines_choice_at(lines, n);
    }
    return count;
}

static int from_position(const struct lines *lines, const struct position *pos, bool played,
                         struct lines_choice *out)
{
    size_t first;
    size_t known = lines_find_choices(lines, pos->key, &first);
    int count = 0;
    for (size_t i = first; i < first + known; i++) {
        const struct lines_choice *choice = &lines->choices[i];
        if (choice->played == played && movegen_is_legal(pos, choice->m))
            out[count++] = *choice;
    }
    return count;
}

static int universal(const struct lines *lines, const struct position *pos,
                     struct lines_choice *out)
{
    for (int i = 0; i < lines->reply_key_count; i++)
        if (lines->reply_keys[i] == pos->key && movegen_is_legal(pos, lines->reply)) {
            *out = (struct lines_choice){.m = lines->reply};
            return 1;
        }
    return 0;
}

/* What lines have: moves that are played, or non-book moves. node: of the game, LINES_NONE when it
 * is on none; has_game: is there one that might be? */
static int on_lines(const struct lines *lines, const struct position *pos, uint32_t node,
                    bool has_game, bool played, struct lines_choice *out)
{
    int count = node != LINES_NONE ? from_node(lines, node, pos, played, out) : 0;
    if (!count && !(has_game && lines->listed))
        count = from_position(lines, pos, played, out);
    return count;
}

/* The chances of White's walk, out of LINES_MERIT_SUM: of those still there, the preferred one is
 * taken with chance P, else the walk goes on; the last takes what is left. */
static void share_by_merit(const struct lines *lines, const struct lines_choice *from, int count,
                           struct book_move *out)
{
    int unstated = 0;
    for (int i = 0; i < count; i++)
        unstated += !from[i].has_weight;
    uint32_t left = LINES_MERIT_SUM;
    uint32_t percent = (uint32_t)lines->prefer_percent;
    for (int i = 0; i < count; i++) {
        int at = lines->prefer_later ? count - 1 - i : i;
        if (from[at].has_weight)
            continue;
        uint32_t weight = --unstated ? (left * percent + 50) / 100 : left;
        left -= weight;
        out[at].weight = weight || percent == 100 ? weight : 1;
    }
}

/* The moves that the book plays, with their weights. */
static int answers(const struct lines *lines, const struct position *pos, uint32_t node,
                   bool has_game, struct book_move *out)
{
    struct lines_choice found[MOVES_MAX];
    bool stated = false;
    int count = on_lines(lines, pos, node, has_game, true, found);
    if (!count)
        count = universal(lines, pos, found);
    for (int i = 0; i < count; i++) {
        out[i] = (struct book_move){.move = found[i].m,
                                    .weight = found[i].has_weight ? found[i].weight : 1,
                                    .place = (uint32_t)(lines->prefer_later ? count - i : i)};
        stated |= found[i].has_weight && found[i].weight > 0;
    }
    if (!stated)
        share_by_merit(lines, found, count, out);
    return count;
}

/* The node of the game that led to `pos`, LINES_NONE when it left the book, and whether there is
 * such a game. */
static uint32_t locate(const struct lines *lines, const struct position *pos,
                       const struct game *game, bool *has_game)
{
    *has_game = game && game_position(game)->key == pos->key;
    if (!*has_game || game_start(game)->key != lines->start.key)
        return LINES_NONE;
    uint32_t node = 0;
    for (size_t ply = 0; ply < game_plies(game) && node != LINES_NONE; ply++)
        node = step(lines, node, game_move(game, ply));
    return node;
}

int lines_probe(const void *lines, const struct position *pos, const struct game *game,
                struct book_move *out)
{
    bool has_game;
    uint32_t node = locate(lines, pos, game, &has_game);
    return answers(lines, pos, node, has_game, out);
}

int lines_non_book_moves(const void *lines, const struct position *pos, const struct game *game,
                         move *out)
{
    struct lines_choice found[MOVES_MAX];
    bool has_game;
    uint32_t node = locate(lines, pos, game, &has_game);
    int count = on_lines(lines, pos, node, has_game, false, found);
    for (int i = 0; i < count; i++)
        out[i] = found[i].m;
    return count;
}

move lines_hint(const void *lines, const struct position *pos, const struct game *game, move m)
{
    struct lines_choice found[MOVES_MAX];
    struct book_move moves[MOVES_MAX];
    struct position next = *pos;
    bool has_game;
    uint32_t node = step(lines, locate(lines, pos, game, &has_game), m);
    position_play(&next, m);
    int count = answers(lines, &next, node, has_game, moves);
    if (!count)
        return on_lines(lines, &next, node, has_game, false, found) ? found[0].m : MOVE_NONE;
    int best = 0;
    for (int i = 1; i < count; i++)
        if (moves[i].weight > moves[best].weight)
            best = i;
    return moves[best].move;
}
