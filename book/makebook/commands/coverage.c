/* makebook coverage: how many games a repertoire answers, by what a database says of replies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/format.h"
#include "book/graph/prune.h"
#include "book/graph/replies.h"
#include "book/makebook/cli/expecting.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { ECO_ROWS = 500, ECO_UNNAMED = ECO_ROWS, PARTS = 1000000, PERCENT = 100, GAME_TEXT_MAX = 24 };

/* How a game leaves the repertoire. */
enum end { END_GAP, END_LINE, END_UNKNOWN, ENDS };

static const char *const end_names[ENDS] = {"gap", "line_ended", "no_games"};
static const char *const end_texts[ENDS] = {
    "meet a gap: a reply without an answer, where others have one",
    "come to the end of a line: no reply is answered there",
    "come to where the database has no games"};

/* A position without an answer; by however many ways games come there, it is one. */
struct gap {
    uint64_t key;
    double reach;  /* probability that a game comes there */
    uint32_t node; /* before the reply, on the way that most games take */
    move reply;
};

/* What games meet at a ply. */
struct ply_row {
    double in_book; /* until then */
    double answered;
    double ends[ENDS];
};

struct opening {
    int code;               /* 0: A00, 499: E99, then what has no name */
    const struct eco *name; /* the shortest of the code; NULL: none */
    double games;           /* that leave the repertoire there, */
    double gaps;            /* and by a gap */
};

/* A node that the report names, and what orders it. */
struct named {
    double value;
    uint32_t node;
};

struct coverage_command {
    const char *database_name;
    int own; /* 1 + colour; 0: as the moves show */
    int64_t target_ppm;
    int64_t rare_ppm;
    int64_t limit;
    bool json;
    struct asked_facets facets;
    struct command_line line;

    struct source source;
    struct source database;
    int color;
    struct book_graph graph; /* of both */
    double *reach;           /* by node */
    const struct eco **names;
    struct named *list; /* for a part of the report */
    struct gap *gaps;
    size_t gap_count;
    size_t gap_capacity;
    struct ply_row plies[BOOK_GRAPH_PLIES_MAX + 1];
    struct opening openings[ECO_ROWS + 1];
    double ends[ENDS];
    double moves; /* ours, a game */
};

/* What games meet ------------------------------------------------------------------------------ */

static bool is_own(const struct coverage_command *command, uint32_t node)
{
    return book_graph_turn(&command->graph, node) == command->color;
}

static bool is_rare(const struct coverage_command *command, uint32_t node)
{
    return command->reach[node] * PARTS < (double)command->rare_ppm;
}

static void end_at(struct coverage_command *command, size_t ply, enum end end, double games,
                   const struct eco *name)
{
    int code = name ? (name->code[0] - 'A') * 100 + (name->code[1] - '0') * 10 + name->code[2] - '0'
                    : ECO_UNNAMED;
    struct opening *opening = &command->openings[code];
    command->ends[end] += games;
    command->plies[ply].ends[end] += games;
    command->plies[ply].in_book += games;
    opening->code = code;
    if (name && (!opening->name || name->plies < opening->name->plies))
        opening->name = name;
    opening->games += games;
    opening->gaps += end == END_GAP ? games : 0;
}

static double weight_sum(const struct book_graph *graph, const struct book_node *node)
{
    double sum = 0; /* of whole numbers: exact */
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        sum += graph->edges[e].weight;
    return sum;
}

static bool is_answered(const struct book_graph *graph, const struct book_edge *edge)
{
    return edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].count > 0;
}

/* Where the opponent is to move. */
static enum caxton_status meet_replies(struct coverage_command *command, uint32_t at)
{
    const struct book_graph *graph = &command->graph;
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    move answered[MOVES_MAX];
    double sum = weight_sum(graph, node);
    book_graph_position(graph, at, &pos, NULL);
    bool answers = replies_answered(command->source.book, &pos, answered) > 0;
    if (sum == 0)
        end_at(command, node->ply + 1, END_UNKNOWN, command->reach[at], command->names[at]);
    for (uint32_t e = node->first; sum > 0 && e < node->first + node->count; e++) {
        const struct book_edge *edge = &graph->edges[e];
        double games = command->reach[at] * (edge->weight / sum);
        struct position after = position_after(&pos, edge->move);
        const struct eco *name = eco_find(after.key);
        if (is_answered(graph, edge) || movegen_count(&after) == 0) {
            command->plies[node->ply + 1].in_book += games;
            command->plies[node->ply + 1].answered += games;
            continue;
        }
        end_at(command, node->ply + 1, answers ? END_GAP : END_LINE, games,
               name ? name : command->names[at]);
        if (!answers)
            continue;
        if (!ARRAY_GROW(command->gaps, command->gap_capacity, command->gap_count + 1))
            return STATUS_NO_MEMORY;
        command->gaps[command->gap_count++] = (struct gap){after.key, games, at, edge->move};
    }
    return STATUS_OK;
}

/* Our moves behind which nobody knows anything. */
static void end_lines(struct coverage_command *command, uint32_t at)
{
    const struct book_graph *graph = &command->graph;
    const struct book_node *node = &graph->nodes[at];
    double sum = weight_sum(graph, node);
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        if (graph->edges[e].to == BOOK_GRAPH_NONE)
            end_at(command, node->ply + 2, END_LINE,
                   command->reach[at] * (graph->edges[e].weight / sum), command->names[at]);
}

/* The larger value first, then the smaller number. */
static int order(double x, double y, uint64_t a, uint64_t b)
{
    return x != y ? (x < y ? 1 : -1) : a != b ? (a > b ? 1 : -1) : 0;
}

static int by_key(const void *a, const void *b)
{
    const struct gap *x = a;
    const struct gap *y = b;
    return x->key != y->key ? order(0, 0, x->key, y->key)
                            : order(x->reach, y->reach, x->node, y->node);
}

static int by_reach(const void *a, const void *b)
{
    const struct gap *x = a;
    const struct gap *y = b;
    return order(x->reach, y->reach, x->key, y->key);
}

static int by_value(const void *a, const void *b)
{
    const struct named *x = a;
    const struct named *y = b;
    return order(x->value, y->value, x->node, y->node);
}

static int by_gaps(const void *a, const void *b)
{
    const struct opening *x = a;
    const struct opening *y = b;
    return order(x->gaps, y->gaps, (uint64_t)x->code, (uint64_t)y->code);
}

/* The ways to a position become one gap. */
static void join_gaps(struct coverage_command *command)
{
    size_t kept = 0;
    struct gap *gaps = command->gaps;
    if (command->gap_count == 0)
        return;
    qsort(gaps, command->gap_count, sizeof *gaps, by_key);
    for (size_t i = 0; i < command->gap_count; i++) {
        if (kept == 0 || gaps[kept - 1].key != gaps[i].key)
            gaps[kept++] = gaps[i];
        else
            gaps[kept - 1].reach += gaps[i].reach;
    }
    command->gap_count = kept;
    qsort(gaps, kept, sizeof *gaps, by_reach);
}

static enum caxton_status measure(struct coverage_command *command, struct diag *diag)
{
    struct book_graph *graph = &command->graph;
    enum caxton_status status =
        replies_graph(command->source.book, command->database.book, command->color, graph, diag);
    if (status != STATUS_OK)
        return status;
    diag_set(diag, 0, 0, "out of memory");
    command->reach = calloc(graph->node_count + 1, sizeof *command->reach);
    command->names = calloc(graph->node_count + 1, sizeof *command->names);
    command->list = calloc(graph->node_count + 1, sizeof *command->list);
    if (!command->reach || !command->names || !command->list)
        return STATUS_NO_MEMORY;
    status = book_graph_reach(graph, command->reach);
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        const struct book_node *node = &graph->nodes[i];
        command->names[i] = eco_find(node->key);
        if (!command->names[i] && node->parent != BOOK_GRAPH_NONE)
            command->names[i] = command->names[node->parent];
        if (is_own(command, i) && node->count > 0)
            command->moves += command->reach[i];
        if (command->reach[i] > 0 && is_own(command, i))
            end_lines(command, i);
        else if (command->reach[i] > 0)
            status = meet_replies(command, i);
    }
    join_gaps(command);
    qsort(command->openings, ECO_ROWS + 1, sizeof *command->openings, by_gaps);
    return status;
}

/* The report ---------------------------------------------------------------------------------- */

static double of_100(double share)
{
    return share * PERCENT;
}

static void put_share(struct report *to, const char *name, double share)
{
    json_decimal(&to->json, name, of_100(share), 4);
}

/* "25", as in one game in 25. */
static const char *one_in(double share, char text[GAME_TEXT_MAX])
{
    if (share * PARTS * PARTS < 1)
        (void)snprintf(text, GAME_TEXT_MAX, "never");
    else
        (void)snprintf(text, GAME_TEXT_MAX, "%.0f", 1 / share);
    return text;
}

static void put_node(const struct coverage_command *command, struct report *to, uint32_t node,
                     move next)
{
    const struct book_graph *graph = &command->graph;
    const struct position *root = &graph->roots[graph->nodes[node].root];
    struct position pos;
    move line[BOOK_GRAPH_PLIES_MAX + 1];
    size_t plies = graph->nodes[node].ply;
    book_graph_position(graph, node, &pos, line);
    if (next != MOVE_NONE)
        line[plies++] = next;
    moves_report(to, root, line, plies);
}

/* Begins the next item of a list, by how often games come there. */
static void begin_item(struct report *to, double games)
{
    char text[GAME_TEXT_MAX];
    json_line(&to->json);
    json_object(&to->json, NULL);
    put_share(to, "games", games);
    report_say(to, "%11s ", one_in(games, text));
}

/* A column of a table. */
static void put_column(struct report *to, const char *name, double share)
{
    put_share(to, name, share);
    report_say(to, " %9.2f", of_100(share));
}

static void put_plies(const struct coverage_command *command, struct report *to)
{
    report_say(to, "\nof 100 games:\n%5s %9s %9s %9s %9s %9s\n", "ply", "in book", "answered",
               "gap", "line ends", "no games");
    json_array(&to->json, "plies");
    for (size_t ply = 0; ply <= BOOK_GRAPH_PLIES_MAX; ply++) {
        const struct ply_row *row = &command->plies[ply];
        if (row->in_book <= 0)
            continue;
        json_object(&to->json, NULL);
        json_unsigned(&to->json, "ply", ply);
        report_say(to, "%5zu", ply);
        put_column(to, "in_book", row->in_book);
        put_column(to, "answered", row->answered);
        for (int i = 0; i < ENDS; i++)
            put_column(to, end_names[i], row->ends[i]);
        report_say(to, "\n");
        json_end(&to->json);
    }
    json_end(&to->json);
}

static void put_openings(const struct coverage_command *command, struct report *to)
{
    size_t shown = 0;
    size_t all = 0;
    while (all <= ECO_ROWS && command->openings[all].gaps > 0)
        all++;
    report_say(to, "\nby opening, of 100 games: %zu with gaps\n%5s %9s %9s %9s\n", all, "ECO",
               "games", "gaps", "answered");
    json_array(&to->json, "openings");
    for (int i = 0; i <= ECO_ROWS; i++) {
        const struct opening *opening = &command->openings[i];
        char code[GAME_TEXT_MAX] = "-";
        if (opening->games <= 0)
            continue;
        if (to->text && (opening->gaps <= 0 || report_is_cut(to, command->limit, shown++, all)))
            break;
        if (opening->code < ECO_ROWS)
            (void)snprintf(code, sizeof code, "%c%02d", 'A' + opening->code / 100,
                           opening->code % 100);
        const char *name = opening->name ? opening->name->name : "";
        json_object(&to->json, NULL);
        json_text(&to->json, "eco", code);
        json_text(&to->json, "name", name);
        report_say(to, "%5s", code);
        put_column(to, "games", opening->games);
        put_column(to, "gaps", opening->gaps);
        report_say(to, " %7.1f %%  %.*s\n", of_100(1 - opening->gaps / opening->games),
                   (int)strcspn(name, ":"), name);
        json_end(&to->json);
    }
    json_end(&to->json);
}

/* What to answer: a move that leads back to the repertoire, or else what is played most. */
static move answer_to(const struct coverage_command *command, const struct position *pos,
                      bool *leads_back)
{
    move legal[MOVES_MAX];
    struct book_move most;
    int count = movegen_legal(pos, legal);
    double best = 0;
    move answer = MOVE_NONE;
    for (int i = 0; i < count; i++) {
        uint32_t node = book_graph_find(&command->graph, position_after(pos, legal[i]).key);
        if (node == BOOK_GRAPH_NONE || command->reach[node] <= best)
            continue;
        best = command->reach[node];
        answer = legal[i];
    }
    *leads_back = answer != MOVE_NONE;
    if (!*leads_back && book_probe(command->database.book, pos, &most, 1) == 1)
        answer = most.move;
    return answer;
}

static void put_gaps(const struct coverage_command *command, struct report *to)
{
    double covered = 1 - command->ends[END_GAP];
    double target = (double)command->target_ppm / PARTS;
    size_t wanted = 0;
    for (double now = covered; now < target && wanted < command->gap_count; wanted++)
        now += command->gaps[wanted].reach;
    report_number(to, "answers_wanted", NULL, wanted, "");
    report_say(to, "\ngaps, the most frequent first: %zu; %zu answer%s make it %.4g of 100\n",
               command->gap_count, wanted, text_plural(wanted), of_100(target));
    if (command->gap_count > 0)
        report_say(to, "%11s %9s  %-9s line (* leads back to the repertoire)\n", "one game in",
                   "then", "answer");
    json_array(&to->json, "gaps");
    size_t all = command->gap_count;
    for (size_t i = 0; i < all && !report_is_cut(to, command->limit, i, all); i++) {
        const struct gap *gap = &command->gaps[i];
        char text[FEN_MAX];
        char san[SAN_MAX] = "?";
        struct position pos;
        bool leads_back;
        book_graph_position(&command->graph, gap->node, &pos, NULL);
        position_play(&pos, gap->reply);
        move answer = answer_to(command, &pos, &leads_back);
        if (answer != MOVE_NONE)
            move_to_san(&pos, answer, san);
        covered += gap->reach;
        begin_item(to, gap->reach);
        put_share(to, "covered_then", covered);
        json_text(&to->json, "answer", answer != MOVE_NONE ? san : NULL);
        json_literal(&to->json, "leads_back", leads_back ? "true" : "false");
        report_say(to, "%9.2f  %-7s%s ", of_100(covered), san, leads_back ? " *" : "  ");
        fen_format(&pos, text);
        json_text(&to->json, "fen", text);
        put_node(command, to, gap->node, gap->reply);
        json_end(&to->json);
    }
    json_end(&to->json);
}

/* The moves of a position, with what the database says of them. */
static enum caxton_status put_choices(const struct coverage_command *command, struct report *to,
                                      uint32_t at, struct diag *diag)
{
    const struct book_graph *graph = &command->graph;
    const struct book_node *node = &graph->nodes[at];
    struct book_facts facts;
    struct position pos;
    book_graph_position(graph, at, &pos, NULL);
    enum caxton_status status = book_look_up(command->database.book, &pos, &facts, diag);
    double sum = weight_sum(graph, node);
    json_array(&to->json, "moves");
    for (uint32_t e = node->first; e < node->first + node->count && status == STATUS_OK; e++) {
        const struct book_edge *edge = &graph->edges[e];
        char san[SAN_MAX];
        move_to_san(&pos, edge->move, san);
        json_object(&to->json, NULL);
        json_text(&to->json, "move", san);
        put_share(to, "share", edge->weight / sum);
        report_say(to, "%s%s %.0f %%", e == node->first ? "" : ", ", san,
                   of_100(edge->weight / sum));
        for (int i = 0; i < facts.count; i++) {
            const struct book_move_facts *m = &facts.moves[i];
            if (m->move != edge->move || book_move_games(m) == 0)
                continue;
            double score = (double)book_move_points(m) / (double)book_move_games(m) / 2;
            put_share(to, "score", score);
            report_say(to, " (scores %.1f %%)", of_100(score));
        }
        json_end(&to->json);
    }
    json_end(&to->json);
    return status;
}

/* Own positions where the repertoire plays several moves. */
static enum caxton_status put_doubts(const struct coverage_command *command, struct report *to,
                                     struct diag *diag)
{
    const struct book_graph *graph = &command->graph;
    enum caxton_status status = STATUS_OK;
    size_t count = 0;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (is_own(command, i) && graph->nodes[i].count > 1 && !is_rare(command, i))
            command->list[count++] = (struct named){command->reach[i], i};
    if (count > 0)
        qsort(command->list, count, sizeof *command->list, by_value);
    report_say(to, "\nown moves in doubt: %zu position%s with several\n", count,
               text_plural(count));
    json_array(&to->json, "in_doubt");
    for (size_t i = 0;
         i < count && status == STATUS_OK && !report_is_cut(to, command->limit, i, count); i++) {
        begin_item(to, command->list[i].value);
        status = put_choices(command, to, command->list[i].node, diag);
        report_say(to, ": ");
        put_node(command, to, command->list[i].node, MOVE_NONE);
        json_end(&to->json);
    }
    json_end(&to->json);
    return status;
}

/* Where lines become rare, with the own positions from there on. */
static void put_rare(const struct coverage_command *command, struct report *to)
{
    const struct book_graph *graph = &command->graph;
    struct named *list = command->list;
    size_t count = 0;
    double positions = 0;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        uint32_t head = graph->nodes[i].parent; /* comes before its children */
        head = head != BOOK_GRAPH_NONE && is_rare(command, head) ? list[head].node : i;
        list[i] = (struct named){0, head};
        if (!is_rare(command, i) || !is_own(command, i) || graph->nodes[i].count == 0)
            continue;
        list[head].value++;
        positions++;
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (list[i].value > 0)
            list[count++] = (struct named){list[i].value, i};
    if (count > 0)
        qsort(list, count, sizeof *list, by_value);
    report_say(to,
               "\nkept, though fewer than %.4g of 100 games come there: %.0f own positions on %zu "
               "line%s\n",
               of_100((double)command->rare_ppm / PARTS), positions, count, text_plural(count));
    if (count > 0)
        report_say(to, "%11s %9s  line\n", "one game in", "positions");
    json_array(&to->json, "rare");
    for (size_t i = 0; i < count && !report_is_cut(to, command->limit, i, count); i++) {
        begin_item(to, command->reach[list[i].node]);
        json_decimal(&to->json, "positions", list[i].value, 0);
        report_say(to, "%9.0f  ", list[i].value);
        put_node(command, to, list[i].node, MOVE_NONE);
        json_end(&to->json);
    }
    json_end(&to->json);
}

static enum caxton_status put_report(const struct coverage_command *command, struct diag *diag)
{
    struct report to = report_begin(stdout, command->json);
    double covered = 1 - command->ends[END_GAP];
    json_object(&to.json, NULL);
    json_text(&to.json, "repertoire", command->source.name);
    json_text(&to.json, "database", command->database.name);
    json_text(&to.json, "color", command->color == WHITE ? "white" : "black");
    put_share(&to, "coverage", covered);
    json_decimal(&to.json, "moves", command->moves, 4);
    report_say(&to, "%s (%s) against %s\n", text_safe(command->source.name).text,
               command->color == WHITE ? "White" : "Black", text_safe(command->database.name).text);
    report_say(&to,
               "coverage: %.2f of 100 games find an answer till their line ends; %.1f own moves "
               "a game\n",
               of_100(covered), command->moves);
    for (int i = 0; i < ENDS; i++) {
        put_share(&to, end_names[i], command->ends[i]);
        report_say(&to, "%9.2f  %s\n", of_100(command->ends[i]), end_texts[i]);
    }
    put_plies(command, &to);
    put_openings(command, &to);
    put_gaps(command, &to);
    enum caxton_status status = put_doubts(command, &to, diag);
    put_rare(command, &to);
    json_end(&to.json);
    if (command->json)
        (void)putchar('\n');
    return status;
}

/* The command --------------------------------------------------------------------------------- */

static enum exit_status cover(struct coverage_command *command)
{
    const struct command_line *line = &command->line;
    struct diag diag = {.text = ""};
    if (measure(command, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    if (command->moves <= 0)
        return command_fail(line, "%s: no game by %s comes to a move of %s", command->source.name,
                            command->database.name, command->color == WHITE ? "White" : "Black");
    if (put_report(command, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    return EXIT_DONE;
}

static enum exit_status run(void *context)
{
    struct coverage_command *command = context;
    const struct command_line *line = &command->line;
    if (!expecting_open_book(line, line->operands[0], &command->source))
        return EXIT_FAILED;
    enum exit_status answer = EXIT_FAILED;
    if (source_open_walk(line, command->database_name, WLD_WEIGHTS_UNITS, &command->database))
        answer = source_find_own(line, &command->source, command->own, &command->color);
    if (answer == EXIT_DONE)
        answer = cover(command);
    book_graph_destroy(&command->graph);
    free(command->reach);
    free(command->names);
    free(command->list);
    free(command->gaps);
    source_close(&command->source);
    source_close(&command->database);
    return command_end(line, answer);
}

static const char about[] =
    "Says how many games a repertoire answers, when its side plays by its weights and the other "
    "side\n"
    "as DATABASE says: statistics (.wld) or a book. A game leaves the repertoire by a gap, a "
    "reply\n"
    "without an answer in a position where others have one; at the end of a line, where no reply "
    "is\n"
    "answered; or where the database has no games. Coverage is what is left without the gaps.\n"
    "A position is one, by however many ways games come there. A move that comes back to an "
    "earlier\n"
    "position counts nothing.\n\n"
    "It is shown by ply and by opening, the last that has a name. Gaps stand with how often a "
    "game\n"
    "meets them, the coverage when they and those above have an answer, and a move to begin with:\n"
    "one that leads back to the repertoire, or else the database's most played. Each wants one\n"
    "answer, so the most frequent come first. Then own positions with several moves, and lines "
    "that\n"
    "are kept though games hardly come there: makebook prune --min-reach leaves such out.";

static enum exit_status command_main(int argc, char **argv)
{
    struct coverage_command command = {.own = 0};
    const struct option_row rows[] = {
        TEXT_ROW("replies", 0, "DATABASE", "what the other side plays: statistics or a book",
                 &command.database_name,
                 .required = "what does the other side play? --replies "
                             "DATABASE says it"),
        CHOICE_ROW("color", "auto|white|black", "whose repertoire it is", &command.own),
        PERCENT_ROW("target", "the coverage that answers are wanted for", &command.target_ppm, 4,
                    USUAL(950000)),
        PERCENT_ROW("min-reach", "games that come to a line hardly, if fewer do", &command.rare_ppm,
                    4, USUAL(1000)),
        FACET_ROWS(command.facets),
        NUMBER_ROW("limit", 0, "N", "name so many of each kind; 0: all", &command.limit, 0,
                   INT32_MAX, USUAL(20)),
        FLAG_ROW("json", 0, "as JSON, all of them", &command.json),
    };
    command.line = COMMAND_LINE("coverage", "REPERTOIRE --replies DATABASE [options]", about, rows,
                                ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_coverage = {"coverage", "how many games a repertoire answers",
                                         command_main};
