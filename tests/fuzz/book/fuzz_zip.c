/* Any bytes as a ZIP archive: whole and in small pieces it gives the same text and the same fault.
 * The first byte chooses the size of the pieces. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "book/count/input/unpack.h"

#define REQUIRE(condition) ((condition) ? (void)0 : abort())

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MAX = 1 << 16 };

struct unpacked {
    uint8_t text[TEXT_MAX];
    size_t size;
    enum caxton_status status;
    bool has_ended; /* with an archive, not within one */
    bool is_refused;
};

static void unpack(const struct unpacker *unpacker, const uint8_t *data, size_t size, size_t piece,
                   struct unpacked *out)
{
    void *state = unpacker->create();
    REQUIRE(state != NULL);
    out->size = 0;
    out->status = STATUS_OK;
    out->has_ended = true;
    for (size_t at = 0; out->status == STATUS_OK && at < size && out->size < TEXT_MAX;) {
        size_t in_size = size - at < piece ? size - at : piece;
        size_t out_size = TEXT_MAX - out->size < piece ? TEXT_MAX - out->size : piece;
        struct unpack_buffers b = {.in = data + at,
                                   .in_left = in_size,
                                   .out = out->text + out->size,
                                   .out_left = out_size};
        out->status = unpacker->step(state, &b, &out->has_ended);
        REQUIRE(out->status != STATUS_OK || out->has_ended || !b.in_left || !b.out_left);
        at += in_size - b.in_left;
        out->size += out_size - b.out_left;
    }
    REQUIRE(strlen(unpacker->member(state)) < 100);
    out->is_refused = *unpacker->refusal(state);
    REQUIRE(!out->is_refused || out->status == STATUS_FORMAT);
    unpacker->destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t magic[] = {'P', 'K', 3, 4};
    static struct unpacked whole;
    static struct unpacked parts;
    const struct unpacker *zip = unpacker_find(magic, sizeof magic);
    if (size < 2 || !zip->create)
        return 0;
    unpack(zip, data + 1, size - 1, TEXT_MAX, &whole);
    unpack(zip, data + 1, size - 1, 1 + (size_t)data[0], &parts);
    /* A fault may come before text that large pieces give out with it. */
    size_t both = whole.size < parts.size ? whole.size : parts.size;
    REQUIRE(memcmp(whole.text, parts.text, both) == 0);
    if (whole.size == TEXT_MAX || parts.size == TEXT_MAX)
        return 0;
    bool is_whole = whole.status == STATUS_OK && whole.has_ended;
    REQUIRE(is_whole == (parts.status == STATUS_OK && parts.has_ended));
    REQUIRE(whole.is_refused == parts.is_refused && (!is_whole || whole.size == parts.size));
    return 0;
}
