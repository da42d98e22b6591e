#include "book/makebook/explore/page_games.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/memory_stream.h"
#include "chess/fen.h"

/* Slots for the games of a page, of which no more than a third is used. */
enum { SLOTS = 1 << 14 };

_Static_assert(3 * (int)EXPLORE_GAMES_MAX < (int)SLOTS, "slots stay free");

struct chosen_game {
    struct sample sample;
    unsigned number;
};

/* The games of a position, by their numbers. */
struct game_list {
    uint64_t key;
    size_t count;
    uint16_t numbers[EXPLORE_GAMES_SHOWN];
};

struct games_choice {
    size_t game_count;
    size_t list_count;
    bool is_cut;
    uint16_t slots[SLOTS]; /* numbers of games + 1, by their places; 0: free */
    struct chosen_game games[EXPLORE_GAMES_MAX];
    struct game_list lists[EXPLORE_GAME_LISTS_MAX];
};

/* Choosing --------------------------------------------------------------------------------- */

/* The slot that has the game, or where it belongs. */
static uint16_t *slot_of(struct games_choice *choice, const struct sample *sample)
{
    uint32_t slot = sample->mark % SLOTS; /* a hash */
    for (; choice->slots[slot]; slot = (slot + 1) % SLOTS) {
        const struct sample *there = &choice->games[choice->slots[slot] - 1].sample;
        if (there->at == sample->at && there->file == sample->file)
            break;
    }
    return &choice->slots[slot];
}

static void add_list(struct games_choice *choice, const struct sample_set *set)
{
    struct game_list *list = &choice->lists[choice->list_count];
    *list = (struct game_list){.key = set->key};
    for (size_t i = 0; i < set->count && i < EXPLORE_GAMES_SHOWN; i++) {
        uint16_t *slot = slot_of(choice, &set->games[i]);
        if (!*slot && choice->game_count == EXPLORE_GAMES_MAX) {
            choice->is_cut = true;
            continue;
        }
        if (!*slot) {
            unsigned number = (unsigned)choice->game_count++;
            choice->games[number] = (struct chosen_game){set->games[i], number};
            *slot = (uint16_t)(number + 1);
        }
        list->numbers[list->count++] = (uint16_t)(*slot - 1);
    }
    choice->list_count += list->count > 0;
}

static enum caxton_status choose(struct games_choice *choice, const struct samples_file *samples,
                                 const struct book_graph *graph, uint32_t max_ply,
                                 struct diag *diag)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct book_node *node = &graph->nodes[i];
        struct sample_set set;
        if (!node->known || (max_ply && node->ply > max_ply))
            continue;
        enum caxton_status status = samples_file_find(samples, node->key, &set, diag);
        if (status == STATUS_NOT_FOUND)
            continue;
        if (status != STATUS_OK)
            return status;
        choice->is_cut = choice->is_cut || choice->list_count == EXPLORE_GAME_LISTS_MAX;
        if (choice->list_count == EXPLORE_GAME_LISTS_MAX)
            break;
        add_list(choice, &set);
    }
    return STATUS_OK;
}

/* Reading ---------------------------------------------------------------------------------- */

void explore_game_put_json(struct json *json, const struct pgn_game *game,
                           const struct listed_game *listed, size_t plies)
{
    struct position usual;
    char fen[FEN_MAX];
    json_object(json, "about");
    listed_game_put_json(json, listed);
    json_end(json);
    position_start(&usual);
    fen_format(&game->start, fen);
    json_text(json, "fen", game->start.key == usual.key ? NULL : fen);
    json_array(json, "moves");
    for (size_t ply = 0; ply < game->ply_count && ply < plies; ply++)
        json_unsigned(json, NULL, game->moves[ply]);
    json_end(json);
}

/* A game on its way onto the page. */
struct putting {
    struct json *json;
    unsigned number;
};

/* A sample_game_sink. */
static void put_game(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    const struct putting *putting = context;
    struct listed_game told = *listed;
    char number[12];
    told.path = file_name_of(listed->path);
    (void)snprintf(number, sizeof number, "%u", putting->number);
    json_object(putting->json, number);
    explore_game_put_json(putting->json, game, &told, BOOK_GRAPH_PLIES_MAX);
    json_end(putting->json);
}

/* By their places, so that packed files are unpacked once. */
static int compare_places(const void *a, const void *b)
{
    const struct sample *one = &((const struct chosen_game *)a)->sample;
    const struct sample *other = &((const struct chosen_game *)b)->sample;
    if (one->file != other->file)
        return one->file < other->file ? -1 : 1;
    return one->at < other->at ? -1 : one->at > other->at;
}

static void put_games(struct json *json, struct games_choice *choice, struct sample_reader *reader,
                      struct explore_games *out)
{
    json_object(json, "games");
    qsort(choice->games, choice->game_count, sizeof *choice->games, compare_places);
    for (size_t i = 0; i < choice->game_count; i++) {
        struct diag diag = {.text = ""};
        struct putting putting = {json, choice->games[i].number};
        if (sample_reader_read(reader, &choice->games[i].sample, put_game, &putting, &diag) ==
            STATUS_OK)
            out->games++;
        else if (out->unread++ == 0)
            out->diag = diag;
    }
    json_end(json);
}

static void put_lists(struct json *json, const struct games_choice *choice)
{
    json_object(json, "lists");
    for (size_t i = 0; i < choice->list_count; i++) {
        const struct game_list *list = &choice->lists[i];
        char key[17];
        (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)list->key);
        json_array(json, key);
        for (size_t j = 0; j < list->count; j++)
            json_unsigned(json, NULL, list->numbers[j]);
        json_end(json);
    }
    json_end(json);
}

static enum caxton_status put_all(struct games_choice *choice, const struct samples_file *samples,
                                  struct explore_games *out)
{
    struct memory_stream made;
    bool is_open = memory_stream_open(&made);
    struct sample_reader *reader = sample_reader_create(samples);
    if (is_open && reader) {
        struct json json = json_start(made.file);
        json_object(&json, NULL);
        put_games(&json, choice, reader, out);
        put_lists(&json, choice);
        json_end(&json);
    }
    bool is_made = memory_stream_close(&made) && reader;
    sample_reader_destroy(reader);
    if (is_made && out->games > 0) {
        out->json = made.bytes;
        out->size = made.size;
        return STATUS_OK;
    }
    free(made.bytes);
    return is_made ? STATUS_OK : STATUS_NO_MEMORY;
}

enum caxton_status explore_games_read(const struct samples_file *samples,
                                      const struct book_graph *graph, uint32_t max_ply,
                                      struct explore_games *out, struct diag *diag)
{
    struct explore_games made = {.json = NULL};
    struct games_choice *choice = calloc(1, sizeof *choice);
    if (!choice)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = choose(choice, samples, graph, max_ply, diag);
    if (status == STATUS_OK) {
        status = put_all(choice, samples, &made);
        if (status != STATUS_OK)
            diag_set(diag, 0, 0, "out of memory");
    }
    made.is_cut = choice->is_cut;
    free(choice);
    if (status == STATUS_OK)
        *out = made;
    return status;
}

void explore_games_free(struct explore_games *games)
{
    free(games->json);
    *games = (struct explore_games){.json = NULL};
}
