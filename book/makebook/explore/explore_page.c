/* The assembler includes the files of the page as they are. EXPLORE_FOLDER comes from
 * CMakeLists.txt. */
#include "book/makebook/explore/explore_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/json.h"
#include "book/format.h"
#include "book/makebook/explore/page_review.h"
#include "book/statistics/wld.h"
#include "chess/eco.h"
#include "chess/fen.h"

#define FILE_OF_PAGE(name, file) EMBED(explore_##name, "1", EXPLORE_FOLDER "/" file)

FILE_OF_PAGE(template, "page.html");
FILE_OF_PAGE(style, "page.css");
FILE_OF_PAGE(pieces, "pieces.svg");
FILE_OF_PAGE(rules, "rules.js");
FILE_OF_PAGE(notation, "notation.js");
FILE_OF_PAGE(graph, "graph.js");
FILE_OF_PAGE(board, "board.js");
FILE_OF_PAGE(line, "line.js");
FILE_OF_PAGE(moves, "moves.js");
FILE_OF_PAGE(game_links, "games.js");
FILE_OF_PAGE(search, "search.js");
FILE_OF_PAGE(main, "page.js");
FILE_OF_PAGE(facets, "facets.js");
FILE_OF_PAGE(remote, "remote.js");
FILE_OF_PAGE(compare, "compare.js");
FILE_OF_PAGE(review_script, "review.js");
FILE_OF_PAGE(rival_part, "rival.html");
FILE_OF_PAGE(served_part, "served.html");
FILE_OF_PAGE(engine_part, "engine.html");
FILE_OF_PAGE(engine_style, "engine.css");
FILE_OF_PAGE(engine_worker, "engine_worker.js");
FILE_OF_PAGE(engine_script, "engine.js");

struct filling {
    const struct explore_page *page;
    FILE *out;
    const struct explore_part *part; /* the book that is being written */
    uint32_t *roots;                 /* of it */
    struct explore_sizes sizes[2];
    enum caxton_status status;
    uint8_t group[3]; /* bytes that wait for their base64 */
    size_t waiting;
};

static void write_group(struct filling *filling)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *g = filling->group;
    const int bits[4] = {g[0] >> 2, (g[0] << 4 | g[1] >> 4) & 63, (g[1] << 2 | g[2] >> 6) & 63,
                         g[2] & 63};
    for (size_t i = 0; i < 4; i++)
        (void)putc(i <= filling->waiting ? digits[bits[i]] : '=', filling->out);
    filling->waiting = 0;
    memset(filling->group, 0, sizeof filling->group);
}

/* An explore_sink: as base64 (RFC 4648). */
static void take_bytes(void *context, const void *bytes, size_t size)
{
    struct filling *filling = context;
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        filling->group[filling->waiting++] = at[i];
        if (filling->waiting == sizeof filling->group)
            write_group(filling);
    }
}

static void end_bytes(struct filling *filling)
{
    if (filling->waiting)
        write_group(filling);
}

/* As text that is neither markup nor the end of the element it stands in. */
static void fill_title(struct filling *filling)
{
    FILE *out = filling->out;
    for (const char *text = filling->page->title; *text;) {
        int length = text_utf8_length(text);
        if (!length)
            (void)fputs("&#65533;", out);
        else if (strchr("<>&\"'", *text))
            (void)fprintf(out, "&#%d;", *text);
        else if ((unsigned char)*text < 0x20)
            (void)putc(' ', out);
        else
            (void)fprintf(out, "%.*s", length, text);
        text += length ? length : 1;
    }
}

static void fill_keys(struct filling *filling)
{
    explore_keys_write(take_bytes, filling);
    end_bytes(filling);
}

static void fill_names(struct filling *filling)
{
    filling->status = explore_names_write(take_bytes, filling);
    end_bytes(filling);
}

/* Writes a book and remembers it for put_about(). */
static void fill_part(struct filling *filling, const struct explore_part *part,
                      struct explore_sizes *sizes)
{
    uint32_t *roots = calloc(part->graph->root_count, sizeof *roots);
    filling->status = STATUS_NO_MEMORY;
    if (!roots)
        return;
    free(filling->roots);
    filling->roots = roots;
    filling->part = part;
    filling->status = explore_data_write(part->graph, part->expected,
                                         part->searches ? &part->searches->answers : NULL,
                                         filling->page->max_ply, take_bytes, filling, roots, sizes);
    end_bytes(filling);
}

static void fill_book(struct filling *filling)
{
    if (!filling->page->served)
        fill_part(filling, &filling->page->book, &filling->sizes[0]);
}

static void fill_rival_book(struct filling *filling)
{
    fill_part(filling, filling->page->rival, &filling->sizes[1]);
}

static void put_root(struct json *json, uint32_t number, const char *fen)
{
    json_array(json, NULL);
    json_unsigned(json, NULL, number);
    json_text(json, NULL, fen);
    json_end(json);
}

static void put_roots(struct json *json, const struct filling *filling)
{
    const struct book_graph *graph = filling->part->graph;
    for (size_t i = 0; i < graph->root_count; i++) {
        char fen[FEN_MAX];
        if (filling->roots[i] == BOOK_GRAPH_NONE)
            continue;
        fen_format(&graph->roots[i], fen);
        put_root(json, filling->roots[i], fen);
    }
}

/* By what games can be asked for, and the first and last year of those that the page begins with;
 * 0: not known. */
static void put_facets(struct json *json, const struct book *book, const char *fen)
{
    struct position pos;
    struct book_facts facts;
    uint32_t first = 0;
    uint32_t last = 0;
    if (fen_parse(span_of(fen), &pos, NULL) != STATUS_OK ||
        book_look_up_moves(book, &pos, &facts, NULL) != STATUS_OK)
        return;
    for (int i = 0; i < facts.count; i++) {
        const struct book_move_facts *known = &facts.moves[i];
        if (known->first_month && (!first || known->first_month < first))
            first = known->first_month;
        last = known->last_month > last ? known->last_month : last;
    }
    json_array(json, "facets");
    for (int i = 0; i < FACET_KINDS; i++)
        if (book->counts->facets >> i & 1)
            json_text(json, NULL, facet_names[i]);
    json_end(json);
    json_array(json, "years");
    json_unsigned(json, NULL, first / MONTHS_A_YEAR);
    json_unsigned(json, NULL, last / MONTHS_A_YEAR);
    json_end(json);
}

static void put_about(struct filling *filling, const struct explore_part *part,
                      const struct explore_sizes *sizes)
{
    const char *served = filling->page->served;
    const struct wld_info *counts = part->book->counts;
    struct json json = json_start(filling->out);
    uint64_t parts = counts && counts->unit > 1 && !served ? EXPLORE_PARTS : 1;
    json_object(&json, NULL);
    json_text(&json, "title", part->title);
    json_text(&json, "format", book_format_name(part->book));
    json_unsigned(&json, "positions", sizes->positions);
    json_unsigned(&json, "moves", served ? book_entry_count(part->book) : sizes->moves);
    json_unsigned(&json, "maxPly", filling->page->max_ply);
    json_unsigned(&json, "parts", counts ? parts : 0);
    if (part->searches)
        json_text(&json, "scores", part->searches->name);
    if (served && counts && counts->facets && !counts->mirrored)
        put_facets(&json, part->book, served);
    if (part->expected)
        json_text(&json, "expected", part->expected->own == WHITE ? "white" : "black");
    json_array(&json, "roots");
    if (served)
        put_root(&json, 0, served);
    else
        put_roots(&json, filling);
    json_end(&json);
    json_end(&json);
}

/* After fill_book(). */
static void fill_about(struct filling *filling)
{
    put_about(filling, &filling->page->book, &filling->sizes[0]);
}

/* After fill_rival_book(). */
static void fill_rival_about(struct filling *filling)
{
    put_about(filling, filling->page->rival, &filling->sizes[1]);
}

static void put_games(struct filling *filling, const struct explore_part *part, const char *id)
{
    if (part->games.size == 0)
        return;
    (void)fprintf(filling->out, "<script type=\"application/json\" id=\"%s\">", id);
    (void)fwrite(part->games.data, 1, part->games.size, filling->out);
    (void)fputs("</script>\n", filling->out);
}

static void fill_games(struct filling *filling)
{
    put_games(filling, &filling->page->book, "games");
}

static void fill_rival_games(struct filling *filling)
{
    put_games(filling, filling->page->rival, "rival-games");
}

static void fill_review(struct filling *filling)
{
    if (!filling->page->review)
        return;
    (void)fputs("<script type=\"application/json\" id=\"review-data\">", filling->out);
    explore_review_write(filling->page->review, filling->out);
    (void)fputs("</script>\n", filling->out);
}

/* What the content policy adds for an engine: a worker, and code that is not JavaScript; for a
 * served book: requests to the server of the page. */
static void fill_policy(struct filling *filling)
{
    if (filling->page->engine.size)
        (void)fputs(" 'wasm-unsafe-eval' blob:; worker-src blob:", filling->out);
    if (filling->page->served)
        (void)fputs("; connect-src 'self'", filling->out);
}

/* The lines of all named openings, by key. */
static void fill_lines(struct filling *filling)
{
    struct json json = json_start(filling->out);
    json_object(&json, NULL);
    for (size_t i = 0; i < eco_row_count; i++) {
        char key[17];
        (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)eco_rows[i].key);
        json_text(&json, key, eco_rows[i].moves);
    }
    json_end(&json);
}

static void fill_other_names(struct filling *filling)
{
    struct json json = json_start(filling->out);
    json_object(&json, NULL);
    for (size_t i = 0; i < eco_other_name_count; i++)
        json_text(&json, eco_other_names[i].other, eco_other_names[i].name);
    json_end(&json);
}

static void fill_served(struct filling *filling);
static void fill_rival(struct filling *filling);

static void fill_remote(struct filling *filling)
{
    if (!filling->page->served)
        return;
    (void)fwrite(explore_facets_start, 1, (size_t)(explore_facets_end - explore_facets_start),
                 filling->out);
    (void)fwrite(explore_remote_start, 1, (size_t)(explore_remote_end - explore_remote_start),
                 filling->out);
}

static void fill_engine_code(struct filling *filling)
{
    take_bytes(filling, filling->page->engine.data, filling->page->engine.size);
    end_bytes(filling);
}

static void fill_engine(struct filling *filling);

/* What stands for "{{name}}": what the function writes, or a file. */
/* clang-format off */
#define FILE_PLACE(name) {#name, NULL, explore_##name##_start, explore_##name##_end}
static const struct {
    const char *name;
    void (*fill)(struct filling *filling);
    const uint8_t *start;
    const uint8_t *end;
} places[] = {
    {"title", fill_title, NULL, NULL}, {"keys", fill_keys, NULL, NULL},
    {"names", fill_names, NULL, NULL}, {"other_names", fill_other_names, NULL, NULL}, {"book", fill_book, NULL, NULL},
    {"about", fill_about, NULL, NULL}, FILE_PLACE(style), FILE_PLACE(pieces), FILE_PLACE(rules),
    FILE_PLACE(notation), FILE_PLACE(graph), FILE_PLACE(board), FILE_PLACE(line),
    FILE_PLACE(moves), FILE_PLACE(search), FILE_PLACE(main),
    {"policy", fill_policy, NULL, NULL}, {"engine", fill_engine, NULL, NULL},
    {"served", fill_served, NULL, NULL}, {"lines", fill_lines, NULL, NULL},
    {"rival", fill_rival, NULL, NULL}, {"rival_book", fill_rival_book, NULL, NULL},
    {"rival_about", fill_rival_about, NULL, NULL}, FILE_PLACE(compare),
    {"games", fill_games, NULL, NULL}, {"rival_games", fill_rival_games, NULL, NULL},
    FILE_PLACE(game_links), {"review", fill_review, NULL, NULL}, FILE_PLACE(review_script),
    {"remote", fill_remote, NULL, NULL}, {"engine_code", fill_engine_code, NULL, NULL}, FILE_PLACE(engine_style),
    FILE_PLACE(engine_worker), FILE_PLACE(engine_script),
};
/* clang-format on */

/* Writes the template up to `end`, with "{{name}}" filled. */
static void fill_template(struct filling *filling, const char *at, const char *end)
{
    while (at < end && filling->status == STATUS_OK) {
        const char *place = at;
        while (place < end && (place[0] != '{' || end - place < 2 || place[1] != '{'))
            place++;
        (void)fwrite(at, 1, (size_t)(place - at), filling->out);
        if (place == end)
            return;
        place += 2;
        at = place;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            size_t size = strlen(places[i].name);
            if ((size_t)(end - place) < size + 2 || memcmp(place, places[i].name, size) != 0 ||
                place[size] != '}')
                continue;
            if (places[i].fill)
                places[i].fill(filling);
            else
                (void)fwrite(places[i].start, 1, (size_t)(places[i].end - places[i].start),
                             filling->out);
            at = place + size + 2;
        }
    }
}

static void fill_engine(struct filling *filling)
{
    if (filling->page->engine.size)
        fill_template(filling, (const char *)explore_engine_part_start,
                      (const char *)explore_engine_part_end);
}

static void fill_rival(struct filling *filling)
{
    if (filling->page->rival)
        fill_template(filling, (const char *)explore_rival_part_start,
                      (const char *)explore_rival_part_end);
}

static void fill_served(struct filling *filling)
{
    if (filling->page->served)
        fill_template(filling, (const char *)explore_served_part_start,
                      (const char *)explore_served_part_end);
}

enum caxton_status explore_page_write(const struct explore_page *page, FILE *out,
                                      struct explore_sizes sizes[2])
{
    struct filling filling = {.page = page, .out = out};
    fill_template(&filling, (const char *)explore_template_start,
                  (const char *)explore_template_end);
    free(filling.roots);
    for (int i = 0; i < 2; i++)
        sizes[i] = filling.sizes[i];
    return filling.status == STATUS_OK && ferror(out) ? STATUS_IO : filling.status;
}
