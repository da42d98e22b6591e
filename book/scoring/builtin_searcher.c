#include "book/scoring/builtin_searcher.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "book/scoring/packed_position.h"
#include "chess/fen.h"
#include "eval/network.h"
#include "search/search.h"

enum { SIGNATURE_DEPTH = 9 };

struct builtin {
    struct search *search;
    atomic_bool stopped; /* set by any thread, never taken back */
};

static void destroy(void *searcher)
{
    struct builtin *builtin = searcher;
    if (builtin)
        search_destroy(builtin->search);
    free(builtin);
}

static enum caxton_status create(const void *settings, void **out, struct diag *diag)
{
    const struct builtin_settings *given = settings;
    struct builtin *builtin = calloc(1, sizeof *builtin);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (builtin) {
        atomic_init(&builtin->stopped, false);
        builtin->search = search_create();
    }
    if (builtin && builtin->search)
        status = search_set_hash(builtin->search, given->hash_mb);
    if (status == STATUS_OK) {
        *out = builtin;
        return STATUS_OK;
    }
    destroy(builtin);
    diag_set(diag, 0, 0, "no memory for a search with %d MB", given->hash_mb);
    return status;
}

static enum caxton_status run(void *searcher, const struct position *pos, struct search_limit limit,
                              struct search_answer *out, struct diag *diag)
{
    struct builtin *builtin = searcher;
    struct search_request request;
    struct search_result result;
    const struct search_reporter silent = {0};
    (void)diag;
    search_request_init(&request);
    request.root = *pos;
    position_forget_clocks(&request.root);
    if (limit.kind == SEARCH_TO_DEPTH)
        request.depth = (int)limit.value;
    else
        request.nodes = limit.value;
    search_clear(builtin->search);
    search_arm(builtin->search, false, clock_ms());
    /* After arming: a stop before it is seen here, a later one by the search. */
    if (atomic_load(&builtin->stopped))
        return STATUS_END;
    search_run(builtin->search, &request, &silent, &result);
    if (atomic_load(&builtin->stopped))
        return STATUS_END;
    *out = (struct search_answer){
        .best = result.best, .score = result.score, .depth = result.depth, .nodes = result.nodes};
    return STATUS_OK;
}

static void stop(void *searcher)
{
    struct builtin *builtin = searcher;
    atomic_store(&builtin->stopped, true);
    search_stop(builtin->search);
}

const struct searcher_kind builtin_searcher = {create, destroy, run, stop};

/* Adds 16-bit numbers as little-endian bytes. */
static uint64_t add_numbers(uint64_t sum, const int16_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[2];
        bytes_put_le(bytes, (uint16_t)numbers[i], sizeof bytes);
        sum = checksum_add(sum, bytes, sizeof bytes);
    }
    return sum;
}

static uint64_t add_biases(uint64_t sum, const int32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4];
        bytes_put_le(bytes, (uint32_t)numbers[i], sizeof bytes);
        sum = checksum_add(sum, bytes, sizeof bytes);
    }
    return sum;
}

static uint64_t add_layers(uint64_t sum, const struct layers *layers)
{
    sum = checksum_add(sum, layers->first_weights, sizeof layers->first_weights);
    sum = add_biases(sum, layers->first_bias, NETWORK_FIRST);
    sum = add_numbers(sum, layers->second_weights[0][0], (size_t)NETWORK_SECOND * NETWORK_SECOND);
    sum = add_biases(sum, layers->second_bias, NETWORK_SECOND);
    sum = add_numbers(sum, layers->third_weights, NETWORK_SECOND);
    return add_biases(sum, &layers->third_bias, 1);
}

static uint64_t network_fingerprint(const struct network *network)
{
    uint64_t sum =
        checksum_add(CHECKSUM_EMPTY, network->king_buckets, sizeof network->king_buckets);
    for (int i = 0; i < NETWORK_OUTPUTS; i++)
        sum = add_layers(sum, &network->layers[i]);
    sum = add_numbers(sum, network->feature_bias, NETWORK_HIDDEN);
    for (int row = 0; row < network->buckets * NETWORK_INPUTS; row++)
        sum = checksum_add(sum, network->feature_weights[row], NETWORK_HIDDEN);
    if (network->relation_weights)
        sum = checksum_add(sum, network->relation_weights, (size_t)RELATIONS * NETWORK_RELATED);
    return sum;
}

/* The nodes of a short search. */
static enum caxton_status find_signature(uint64_t *out)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    const struct builtin_settings settings = {.hash_mb = 1};
    void *searcher;
    enum caxton_status status = create(&settings, &searcher, NULL);
    if (status != STATUS_OK)
        return status;
    *out = 0;
    for (size_t i = 0; i < sizeof fens / sizeof *fens && status == STATUS_OK; i++) {
        struct position pos;
        struct search_answer answer = {.nodes = 0};
        status = fen_parse(span_of(fens[i]), &pos, NULL);
        if (status == STATUS_OK)
            status = run(searcher, &pos, (struct search_limit){SEARCH_TO_DEPTH, SIGNATURE_DEPTH},
                         &answer, NULL);
        *out += answer.nodes;
    }
    destroy(searcher);
    return status;
}

enum caxton_status builtin_searcher_identity(const struct builtin_settings *settings,
                                             struct searcher_identity *out)
{
    const struct network *network = network_builtin();
    struct searcher_identity identity = {.hash_mb = (uint32_t)settings->hash_mb};
    if (!network)
        return STATUS_NO_MEMORY;
    enum caxton_status status = find_signature(&identity.signature);
    if (status != STATUS_OK)
        return status;
    identity.network = network_fingerprint(network);
    (void)snprintf(identity.name, sizeof identity.name, "Caxton %s", CAXTON_VERSION);
    *out = identity;
    return STATUS_OK;
}
