/* Any bytes as changes to a network file: five bytes each, a place and what to put there; the first
 * byte chooses the version (bit 0 packed, bit 2 with relations), the next two cut the end off. The
 * checksum is put right, so that what lies behind it is read, too. A network that is taken must
 * score positions without overflow. */
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval_internal.h"
#include "tests/support/network_packing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHOICE = 3, CHANGE = 5 };

static void score(const struct network *network)
{
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"};
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        struct position pos;
        struct accumulator accumulator;
        if (fen_parse(span_of(fens[i]), &pos, NULL) != STATUS_OK)
            abort();
        accumulator_make(network, infer_kind(0), &pos, &accumulator);
        for (int output = 0; output < NETWORK_OUTPUTS; output++)
            (void)accumulator_output(network, infer_kind(0), &accumulator, pos.turn, output);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t *samples[4];
    static size_t sizes[4];
    if (!samples[0]) {
        chess_init();
        for (int i = 0; i < 4; i += 2) {
            samples[i] = i ? network_sample_related_bytes(1, 7, &sizes[i])
                           : network_sample_bytes(1, 7, &sizes[i]);
            samples[i + 1] =
                samples[i] ? network_packing(samples[i], sizes[i], 1, &sizes[i + 1]) : NULL;
        }
    }
    int choice = size >= CHOICE ? (data[0] & 1) + (data[0] & 4 ? 2 : 0) : 0;
    const uint8_t *sample = size >= CHOICE ? samples[choice] : NULL;
    size_t whole = size >= CHOICE ? sizes[choice] : 0;
    uint8_t *bytes = sample ? malloc(whole) : NULL;
    if (!bytes)
        return 0;
    memcpy(bytes, sample, whole);
    size_t cut = (size_t)(data[1] | data[2] << 8) * (data[0] & 2 ? 64 : 1);
    size_t left = cut < whole ? whole - cut : 0;
    for (size_t at = CHOICE; at + CHANGE <= size && left > 0; at += CHANGE) {
        size_t place = data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16;
        bytes[place % left] = data[at + 3];
        bytes[(place + 1) % left] = data[at + 4];
    }
    if (left >= 32)
        network_sample_seal(bytes, left);
    struct network *network = NULL;
    struct diag diag = {0};
    if (network_parse(bytes, left, &network, &diag) == STATUS_OK)
        score(network);
    else if (!diag.text[0] || strchr(diag.text, '\n'))
        abort(); /* refused without a reason, or with more than a line */
    network_free(network);
    free(bytes);
    return 0;
}
