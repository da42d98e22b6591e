#include "book/makebook/serve/site.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "book/count/input/input.h"
#include "book/explorer/answer.h"
#include "book/makebook/cli/sample_games.h"
#include "book/makebook/explore/more.h"
#include "chess/fen.h"
#include "chess/movegen.h"

enum { QUESTION_PLIES = 1024, OK = 200, BAD = 400, ABSENT = 404, FAILED = 500 };

/* A way to write an answer into memory. */
typedef enum caxton_status (*answer_writer)(void *context, FILE *out, struct diag *diag);

static struct http_answer write_answer(const char *type, answer_writer write, void *context)
{
    struct diag diag = {.text = ""};
    struct memory_stream made;
    bool is_open = memory_stream_open(&made);
    enum caxton_status status = is_open ? write(context, made.file, &diag) : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        return (struct http_answer){
            .status = OK, .type = type, .bytes = made.bytes, .text = {made.bytes, made.size}};
    free(made.bytes);
    if (status == STATUS_NOT_FOUND)
        return http_tell(ABSENT, "");
    return http_tell(FAILED, status == STATUS_FORMAT
                                 ? "This part of the statistics is damaged: makebook "
                                   "verify says where."
                                 : status_name(status));
}

/* The page ----------------------------------------------------------------------------------- */

enum { ROUTE_PAGE, ROUTE_MOVES, ROUTE_MORE, ROUTE_GAME = 7, ROUTE_FACETS };

/* What a request asks about: /moves?fen=FEN, /facets?fen=FEN, or /more?fen=FEN&line=M,M,..; with
 * ratings, speeds, since and until of /lichess. */
struct question {
    struct explore_lookup lookup; /* of the games that are asked for */
    size_t route;
    struct explorer_query query; /* its position: the start of the line */
    move moves[QUESTION_PLIES];
    size_t plies;
};

/* Reads numbers of legal moves, "1,2,..". */
static bool read_moves(const char *text, struct question *question)
{
    struct position pos = question->query.pos;
    struct span rest = span_of(text);
    for (struct span item; *text && span_item(&rest, &item);) {
        int64_t number;
        if (question->plies == QUESTION_PLIES ||
            span_to_int(item, 0, UINT16_MAX, &number) != STATUS_OK ||
            !movegen_is_legal(&pos, (move)number))
            return false;
        position_play(&pos, (move)number);
        question->moves[question->plies++] = (move)number;
    }
    return true;
}

static enum caxton_status write_question(void *context, FILE *out, struct diag *diag)
{
    const struct question *question = context;
    const struct explore_lookup *lookup = &question->lookup;
    const struct explorer_query *query = &question->query;
    if (question->route == ROUTE_FACETS)
        return explore_facets_json(lookup, &query->pos, out, diag);
    return question->route == ROUTE_MORE
               ? explore_more_json(lookup, &query->pos, question->moves, question->plies, out, diag)
               : explore_lookup_json(lookup, &query->pos, out, diag);
}

/* The only text that is made for one request. */
static struct http_answer refuse(const struct diag *diag)
{
    struct http_answer answer = http_tell(BAD, "");
    answer.bytes = span_duplicate(span_of(diag->text));
    answer.text = span_of(answer.bytes ? answer.bytes : "");
    return answer;
}

/* Leaves what passes both. */
static void facet_filter_narrow(struct facet_filter *filter, const struct facet_filter *by)
{
    filter->groups &= by->groups;
    filter->speeds &= by->speeds;
    filter->since = filter->since > by->since ? filter->since : by->since;
    filter->until = filter->until < by->until ? filter->until : by->until;
}

static struct http_answer answer_question(const struct serve_site *site,
                                          const struct http_request *request, size_t route)
{
    struct diag diag = {.text = ""};
    struct question question = {.lookup = site->lookup, .route = route};
    struct explore_lookup *lookup = &question.lookup;
    struct explorer_query *query = &question.query;
    struct book *made = NULL;
    const char *moves = route == ROUTE_MORE ? http_argument(request, "line") : NULL;
    if (!http_argument(request, "fen"))
        return http_tell(BAD, "fen is missing");
    if (explorer_query_parse(request->query, EXPLORER_PAGE, query, &diag) != STATUS_OK)
        return refuse(&diag);
    if (!query->is_chess)
        return http_tell(BAD, "variant: games of chess alone are known here");
    if (moves && !read_moves(moves, &question))
        return http_tell(BAD, "line: no legal moves");
    if (route == ROUTE_FACETS && !lookup->file)
        return http_tell(ABSENT, "no statistics are served here");
    if (lookup->file) {
        facet_filter_narrow(&query->filter, &site->files[0].source.filter);
        if (wld_book_of(lookup->file, lookup->book->counts, &query->filter, "", &made, NULL) !=
            STATUS_OK)
            return http_tell(FAILED, status_name(STATUS_NO_MEMORY));
        lookup->book = made;
        lookup->query = query;
    }
    struct http_answer answer = write_answer("application/json", write_question, &question);
    book_close(made);
    return answer;
}

/* Games -------------------------------------------------------------------------------------- */

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { DIGITS = sizeof digits - 1, ID_SIZE = EXPLORER_ID_MAX - 1 };

static void write_id(uint64_t place, char out[EXPLORER_ID_MAX])
{
    out[ID_SIZE] = '\0';
    for (int i = ID_SIZE - 1; i >= 0; i--, place /= DIGITS)
        out[i] = digits[place % DIGITS];
}

static bool read_id(struct span text, uint64_t *place)
{
    *place = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char *digit = memchr(digits, text.data[i], DIGITS);
        if (!digit)
            return false;
        *place = *place * DIGITS + (uint64_t)(digit - digits);
    }
    return text.size == ID_SIZE;
}

/* A game of a position on its way into an answer. */
struct listing_game {
    const struct explorer_query *query;
    const struct site_games *file; /* that it is in */
    struct explorer_game *out;
    bool is_read;
};

/* A sample_game_sink. */
static void take_game(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    struct listing_game *reading = context;
    struct explorer_game *out = reading->out;
    (void)listed;
    /* Clients ask for the games of /masters here, for others at lichess.org. */
    if (reading->query->kind == EXPLORER_MASTERS || !explorer_game_id(game, out->id))
        write_id(reading->file->start + out->sample.at, out->id);
    reading->is_read = explorer_game_of(reading->query, game, out);
}

/* Does a game begin behind these bytes: at the start of a line that follows no tag? */
static bool begins_game(struct span before)
{
    if (before.size == 0)
        return true;
    bool is_line = before.data[before.size - 1] == '\n';
    before = span_trim(before);
    return is_line && (before.size == 0 || before.data[before.size - 1] != ']');
}

/* A game whose text is wanted, by its id. */
struct wanted_game {
    const struct serve_site *site;
    struct span id;
};

/* Reads up to `size` bytes from `start` on; how many there are. */
static size_t read_part(const char *path, uint64_t start, char *out, size_t size)
{
    struct input *input;
    size_t used = 0;
    size_t got = 1;
    if (file_kind_of(path, NULL) != FILE_REGULAR || /* a pipe would hold all others up */
        input_open(path, &input, NULL) != STATUS_OK)
        return 0;
    if (input_skip(input, start) == STATUS_OK)
        while (used < size && got > 0 &&
               input_read(input, out + used, size - used, &got) == STATUS_OK)
            used += got;
    input_close(input);
    return used;
}

/* Writes the game that `text` begins with. */
static enum caxton_status write_game(struct span text, FILE *out)
{
    struct pgn_reader *reader = pgn_create_memory(text.data, text.size);
    struct pgn_game game;
    if (!reader)
        return STATUS_NO_MEMORY;
    enum caxton_status status = pgn_next(reader, &game, NULL);
    bool is_game = status == STATUS_OK && game.offset == 0 && game.tag_count > 0;
    status = is_game ? pgn_next(reader, &game, NULL) : STATUS_NOT_FOUND;
    if (is_game && status != STATUS_NO_MEMORY) {
        text.size = status == STATUS_END ? text.size : (size_t)game.offset;
        text = span_trim(text);
        (void)fwrite(text.data, 1, text.size, out);
        (void)fputc('\n', out);
        status = STATUS_OK;
    }
    pgn_destroy(reader);
    return status;
}

/* An answer_writer. */
static enum caxton_status find_game(void *context, FILE *out, struct diag *diag)
{
    enum { BEFORE = 3, TEXT = 1 << 18 };
    const struct wanted_game *wanted = context;
    const struct serve_site *site = wanted->site;
    uint64_t place;
    size_t i = 0;
    if (!read_id(wanted->id, &place) || place >= site->games_bytes)
        return STATUS_NOT_FOUND;
    while (place - site->games[i].start >= site->games[i].size)
        i++;
    uint64_t at = place - site->games[i].start;
    size_t before = at < BEFORE ? (size_t)at : BEFORE;
    char *text = malloc(TEXT);
    if (!text)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    size_t size = read_part(site->games[i].path, at - before, text, TEXT);
    enum caxton_status status = STATUS_NOT_FOUND;
    if (size > before && begins_game(span_make(text, before)))
        status = write_game(span_make(text + before, size - before), out);
    free(text);
    return status;
}

static struct http_answer answer_game(const struct serve_site *site, const char *id)
{
    struct wanted_game wanted = {site, span_of(id)};
    return write_answer("application/x-chess-pgn", find_game, &wanted);
}

/* Positions ---------------------------------------------------------------------------------- */

/* Is the file asked for this query? */
static bool answers(const struct site_file *file, const struct explorer_query *query)
{
    if (!(file->kinds & query->kind))
        return false;
    if (query->kind != EXPLORER_PLAYER)
        return true;
    return strcmp(file->player, query->player) == 0 &&
           (file->colors ? file->colors >> query->color & 1 : query->pos.turn == query->color);
}

/* An answer on its way; large. */
struct exploring {
    const struct serve_site *site;
    struct explorer_query query;
    struct explorer_sums sums;
    struct explorer_game *games; /* of all files; then those that are listed */
    size_t games_count;
    size_t games_capacity;
};

/* Adds the samples of a file, but for those in packed files, which would have to be unpacked up to
 * the game. Of samples that are not told apart by facets the first ones are read in any case. */
static enum caxton_status take_samples(struct exploring *exploring, size_t source, uint64_t key)
{
    enum { READ = 32 };
    const struct site_file *file = &exploring->site->files[source];
    struct sample_set set;
    if (!file->samples || samples_file_find(file->samples, key, &set, NULL) != STATUS_OK)
        return STATUS_OK;
    if (!ARRAY_GROW(exploring->games, exploring->games_capacity,
                    exploring->games_count + set.count))
        return STATUS_NO_MEMORY;
    bool by_facets = samples_file_info(file->samples)->rule.by_facets;
    for (size_t i = 0; i < set.count; i++) {
        if (!exploring->site->games[file->games + set.games[i].file].path)
            continue;
        set.games[i].chosen = !by_facets && i < READ;
        exploring->games[exploring->games_count++] =
            (struct explorer_game){.sample = set.games[i],
                                   .source = source,
                                   .facet = set.games[i].facet,
                                   .ratings = {set.games[i].elos}};
    }
    return STATUS_OK;
}

/* Games that cannot be read are left out: their file has changed. */
static enum caxton_status read_games(struct exploring *exploring)
{
    const struct serve_site *site = exploring->site;
    const struct explorer_query *query = &exploring->query;
    enum caxton_status status = STATUS_OK;
    uint64_t keys[2];
    int key_count = movegen_keys(&query->pos, keys);
    for (size_t i = 0; i < site->count; i++)
        for (int k = 0; k < key_count && status == STATUS_OK; k++)
            if (answers(&site->files[i], query))
                status = take_samples(exploring, i, keys[k]);
    struct explorer_game *games = exploring->games;
    size_t count = explorer_choose_games(&exploring->sums, games, exploring->games_count);
    exploring->games_count = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct site_file *file = &site->files[games[i].source];
        struct listing_game reading = {query, &site->games[file->games + games[i].sample.file],
                                       &games[i], false};
        if (sample_game_read(file->samples, &games[i].sample, take_game, &reading, NULL) ==
                STATUS_OK &&
            reading.is_read)
            games[exploring->games_count++] = games[i];
    }
    return status;
}

static enum caxton_status add_up(struct exploring *exploring, struct diag *diag)
{
    const struct serve_site *site = exploring->site;
    facet_filter_narrow(&exploring->query.filter, &site->files[0].source.filter);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < site->count; i++)
        if (status == STATUS_OK && answers(&site->files[i], &exploring->query))
            status = wld_file_find(site->files[i].source.file, &exploring->query.pos,
                                   explorer_sums_take, &exploring->sums, diag);
    if (status != STATUS_OK)
        return status;
    explorer_sums_sort(&exploring->sums);
    return explorer_wants_games(&exploring->sums) ? read_games(exploring) : STATUS_OK;
}

/* An answer_writer. */
static enum caxton_status explore(void *context, FILE *out, struct diag *diag)
{
    struct exploring *exploring = context;
    const struct serve_site *site = exploring->site;
    uint64_t unit = wld_file_header(site->files[0].source.file)->info.unit;
    struct explorer_game none;
    enum caxton_status status = explorer_sums_begin(&exploring->query, unit, &exploring->sums);
    if (status == STATUS_OK)
        status = add_up(exploring, diag);
    if (status == STATUS_OK)
        explorer_answer_json(&exploring->sums, exploring->games ? exploring->games : &none,
                             exploring->games_count, out);
    explorer_sums_free(&exploring->sums);
    free(exploring->games);
    return status;
}

static struct http_answer answer_explorer(const struct serve_site *site, enum explorer_kind kind,
                                          const struct http_request *request)
{
    struct diag diag = {.text = ""};
    unsigned kinds = 0;
    for (size_t i = 0; i < site->count; i++)
        kinds |= site->files[i].kinds;
    if (!(kinds & kind))
        return http_tell(ABSENT, "no statistics are served here");
    struct exploring *exploring = calloc(1, sizeof *exploring);
    if (!exploring)
        return http_tell(FAILED, status_name(STATUS_NO_MEMORY));
    exploring->site = site;
    struct http_answer answer;
    if (explorer_query_parse(request->query, kind, &exploring->query, &diag) == STATUS_OK) {
        answer = write_answer(kind == EXPLORER_PLAYER ? "application/x-ndjson" : "application/json",
                              explore, exploring);
    } else {
        answer = refuse(&diag);
    }
    free(exploring);
    return answer;
}

/* Paths -------------------------------------------------------------------------------------- */

/* By the first path of a route; the last is all else. */
const char *const site_routes[] = {"/",        "/moves",  "/more", "/lichess", "/lichess/history",
                                   "/masters", "/player", "/game", "/facets",  "other"};
const size_t site_route_count = sizeof site_routes / sizeof *site_routes;

static const struct {
    const char *path; /* one that ends in '/' has an id behind it, but for the page's */
    size_t route;
    enum explorer_kind kind;
} paths[] = {{"/", ROUTE_PAGE, 0},
             {"/moves", ROUTE_MOVES, 0},
             {"/more", ROUTE_MORE, 0},
             {"/facets", ROUTE_FACETS, 0},
             {"/lichess", 3, EXPLORER_LICHESS},
             {"/lichess/history", 4, EXPLORER_HISTORY},
             {"/masters", 5, EXPLORER_MASTERS},
             {"/master", 5, EXPLORER_MASTERS},
             {"/player", 6, EXPLORER_PLAYER},
             {"/personal", 6, EXPLORER_PLAYER},
             {"/masters/pgn/", ROUTE_GAME, 0},
             {"/master/pgn/", ROUTE_GAME, 0},
             {"/game/", ROUTE_GAME, 0}};

static struct http_answer answer_path(const struct serve_site *site, size_t i,
                                      const struct http_request *request)
{
    if (paths[i].kind)
        return answer_explorer(site, paths[i].kind, request);
    if (paths[i].route == ROUTE_GAME)
        return answer_game(site, request->path + strlen(paths[i].path));
    if (paths[i].route != ROUTE_PAGE)
        return answer_question(site, request, paths[i].route);
    return (struct http_answer){
        .status = OK, .type = "text/html; charset=utf-8", .text = site->page};
}

struct http_answer site_answer(void *context, const struct http_request *request)
{
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        size_t size = strlen(paths[i].path);
        if (strcmp(request->path, paths[i].path) != 0 &&
            (paths[i].route != ROUTE_GAME || strncmp(request->path, paths[i].path, size) != 0))
            continue;
        struct http_answer answer = answer_path(context, i, request);
        answer.route = paths[i].route;
        return answer;
    }
    struct http_answer answer = http_tell(ABSENT, "not found");
    answer.route = site_route_count - 1;
    return answer;
}

/* Files -------------------------------------------------------------------------------------- */

/* Finds the files that the sample games are in. */
static bool add_games(const struct command_line *line, struct serve_site *site,
                      struct site_file *file)
{
    size_t names = file->samples ? samples_file_info(file->samples)->names.count : 0;
    file->games = site->games_count;
    if (!ARRAY_GROW(site->games, site->games_capacity, site->games_count + names + 1))
        return command_refuse(line, "out of memory");
    for (size_t i = 0; i < names; i++) {
        struct site_games *games = &site->games[site->games_count++];
        struct input *input = NULL;
        *games = (struct site_games){.path = sample_games_file(file->samples, i),
                                     .start = site->games_bytes};
        bool is_plain = games->path && input_open(games->path, &input, NULL) == STATUS_OK &&
                        strcmp(input_packing(input), "plain") == 0;
        if (is_plain)
            games->size = input_bytes_total(input);
        input_close(input);
        if (!games->size) {
            free(games->path);
            games->path = NULL;
        }
        site->games_bytes += games->size;
    }
    return true;
}

/* Why the counts of a source cannot be asked for; NULL: they can. */
static const char *why_not(const struct serve_site *site, const struct source *source)
{
    if (!source->book->counts)
        return "no statistics (.wld)";
    if (!source->file)
        return "only statistics with an index can be served from their file: makebook merge OLD -o "
               "NEW writes them anew";
    if (source->book->counts->mirrored)
        return "mirrored statistics count both colours as one, and cannot be served";
    if (site->count &&
        wld_file_header(site->files[0].source.file)->info.unit != source->book->counts->unit)
        return "counts games in parts, the first file does not, or the other way round";
    return NULL;
}

bool site_add(const struct command_line *line, const char *path, unsigned kinds,
              struct serve_site *site)
{
    if (site->count == SITE_FILES_MAX)
        return command_refuse(line, "more than %d files", (int)SITE_FILES_MAX);
    struct site_file *file = &site->files[site->count];
    *file = (struct site_file){.kinds = kinds};
    if (!source_open(line, path, &file->source))
        return false;
    const char *why = why_not(site, &file->source);
    if (why) {
        (void)command_fail(line, "%s: %s", path, why);
        source_close(&file->source);
        return false;
    }
    site->count++;
    file->samples = sample_games_open(line, &file->source);
    return add_games(line, site, file);
}

bool site_add_player(const struct command_line *line, const char *text, struct serve_site *site)
{
    char asked[80];
    struct explorer_query query;
    const char *equals = strchr(text, '=');
    struct span name = span_make(text, equals ? (size_t)(equals - text) : 0);
    const char *mark = name.size ? memchr(text, ':', name.size) : NULL;
    struct span color = mark ? span_from(name, (size_t)(mark - text)) : span_of("");
    int colors = span_equal(color, ":white") ? 1 : span_equal(color, ":black") ? 2 : 0;
    (void)snprintf(asked, sizeof asked, "color=white&player=%.*s", (int)(name.size - color.size),
                   text);
    if (!equals || (color.size && !colors) ||
        explorer_query_parse(span_of(asked), EXPLORER_PLAYER, &query, NULL) != STATUS_OK ||
        strlen(query.player) != name.size - color.size)
        return command_refuse(line,
                              "--player %s: wanted is NAME=FILE, NAME:white=FILE or "
                              "NAME:black=FILE, the name of 1 to 30 letters, digits, - and _",
                              text);
    if (!site_add(line, equals + 1, EXPLORER_PLAYER, site))
        return false;
    struct site_file *file = &site->files[site->count - 1];
    file->colors = colors;
    memcpy(file->player, query.player, sizeof file->player);
    return true;
}

void site_close(struct serve_site *site)
{
    for (size_t i = 0; i < site->count; i++) {
        samples_file_close(site->files[i].samples);
        source_close(&site->files[i].source);
    }
    for (size_t i = 0; i < site->games_count; i++)
        free(site->games[i].path);
    free(site->games);
}
