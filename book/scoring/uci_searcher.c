#include "book/scoring/uci_searcher.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "book/scoring/packed_position.h"
#include "book/scoring/uci_engine.h"
#include "chess/fen.h"

enum { SIGNATURE_DEPTH = 6 };

struct uci {
    struct uci_settings settings;
    struct uci_engine *engine; /* NULL: not running */
    atomic_bool stopped;       /* set by any thread, never taken back */
};

static void destroy(void *searcher)
{
    struct uci *uci = searcher;
    if (uci)
        uci_engine_end(uci->engine);
    free(uci);
}

static enum caxton_status create(const void *settings, void **out, struct diag *diag)
{
    const struct uci_settings *given = settings;
    struct uci *uci = calloc(1, sizeof *uci);
    if (!uci)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    uci->settings = *given;
    atomic_init(&uci->stopped, false);
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < given->option_count && status == STATUS_OK; i++)
        if (given->options[i][strcspn(given->options[i], "\r\n")])
            status = diag_fail(STATUS_RANGE, diag, "an option of an engine is one line");
    if (status == STATUS_OK)
        status = uci_engine_start(&uci->settings, &uci->stopped, &uci->engine, diag);
    if (status == STATUS_OK)
        *out = uci;
    else
        destroy(uci);
    return status;
}

static enum caxton_status run(void *searcher, const struct position *pos, struct search_limit limit,
                              struct search_answer *out, struct diag *diag)
{
    struct uci *uci = searcher;
    struct position asked = *pos;
    struct diag why = {.text = ""};
    char fen[FEN_MAX];
    position_forget_clocks(&asked);
    for (int attempt = 0; attempt < UCI_ATTEMPTS; attempt++) {
        enum caxton_status status = STATUS_OK;
        if (!uci->engine)
            status = uci_engine_start(&uci->settings, &uci->stopped, &uci->engine, &why);
        if (status == STATUS_OK)
            status = uci_engine_ask(uci->engine, &asked, limit, out, &why);
        if (atomic_load(&uci->stopped))
            return STATUS_END;
        if (status == STATUS_OK)
            return status;
        uci_engine_end(uci->engine);
        uci->engine = NULL;
    }
    fen_format(&asked, fen);
    return diag_fail(STATUS_IO, diag, "%s, %d times: %s", why.text, UCI_ATTEMPTS, fen);
}

static void stop(void *searcher)
{
    struct uci *uci = searcher;
    atomic_store(&uci->stopped, true);
}

const struct searcher_kind uci_searcher = {create, destroy, run, stop};

/* Identity. ----------------------------------------------------------------------------------- */

static uint64_t options_fingerprint(const struct uci_settings *settings)
{
    uint64_t sum = CHECKSUM_EMPTY;
    for (size_t i = 0; i < settings->option_count; i++)
        sum = checksum_add(sum, settings->options[i], strlen(settings->options[i]) + 1);
    return settings->option_count ? sum : 0;
}

/* What the engine answers to some short searches. */
static enum caxton_status find_signature(struct uci *uci, uint64_t *out, struct diag *diag)
{
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    uint64_t sum = CHECKSUM_EMPTY;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < sizeof fens / sizeof *fens && status == STATUS_OK; i++) {
        struct position pos;
        struct search_answer answer;
        char text[100];
        status = fen_parse(span_of(fens[i]), &pos, diag);
        if (status == STATUS_OK)
            status = run(uci, &pos, (struct search_limit){SEARCH_TO_DEPTH, SIGNATURE_DEPTH},
                         &answer, diag);
        if (status != STATUS_OK)
            return status;
        int size = snprintf(text, sizeof text, "%d %d %d %" PRIu64 ";", answer.best, answer.score,
                            answer.depth, answer.nodes);
        sum = checksum_add(sum, text, (size_t)size);
    }
    *out = sum >> 32;
    return status;
}

enum caxton_status uci_searcher_identity(const struct uci_settings *settings,
                                         struct searcher_identity *out, struct diag *diag)
{
    struct searcher_identity identity = {.hash_mb = (uint32_t)settings->hash_mb};
    void *searcher;
    uint64_t again = 0;
    enum caxton_status status = create(settings, &searcher, diag);
    if (status != STATUS_OK)
        return status;
    struct uci *uci = searcher;
    status = find_signature(uci, &identity.signature, diag);
    if (status == STATUS_OK)
        status = find_signature(uci, &again, diag);
    if (status == STATUS_OK && again != identity.signature)
        status = diag_fail(STATUS_AMBIGUOUS, diag,
                           "%s does not answer alike when it is asked twice; with one thread?",
                           settings->command);
    identity.network = options_fingerprint(settings);
    if (status == STATUS_OK)
        text_copy(identity.name, sizeof identity.name, span_of(uci_engine_name(uci->engine)));
    destroy(searcher);
    if (status == STATUS_OK)
        *out = identity;
    return status;
}
