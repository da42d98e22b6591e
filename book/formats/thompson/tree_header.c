#include "book/formats/thompson/tree_header.h"

#include <string.h>

#include "base/bytes.h"
#include "base/checksum.h"

enum { PACKED_AT = 8, BODY_SIZE_AT = 12, PACKED_SIZE_AT = 16, CHECKSUM_AT = 20 };

static const uint8_t magic[TREE_MAGIC_SIZE] = {'C', 'A', 'X', 'T', 'R', 'E', 'E', 1};

/* Of every byte of the file but the checksum itself. */
static uint64_t checksum(const uint8_t *header, const uint8_t *rest, size_t size)
{
    return checksum_add(checksum_add(CHECKSUM_EMPTY, header, CHECKSUM_AT), rest, size);
}

bool tree_has_header(const uint8_t *bytes, size_t size)
{
    return size >= TREE_MAGIC_SIZE && memcmp(bytes, magic, TREE_MAGIC_SIZE) == 0;
}

struct tree_fault tree_header_read(const uint8_t *bytes, size_t size, struct tree_header *out)
{
    if (size < TREE_HEADER_SIZE)
        return (struct tree_fault){BOOK_FAULT_SIZE, size, "the file ends within its header"};
    uint64_t body = bytes_get_u32be(bytes + BODY_SIZE_AT);
    uint64_t packed = bytes_get_u32be(bytes + PACKED_SIZE_AT);
    if (bytes[PACKED_AT] > TREE_WEIGHTS_EXACT || bytes_get_be(bytes + PACKED_AT + 1, 3) != 0)
        return (struct tree_fault){BOOK_FAULT_SYNTAX, PACKED_AT,
                                   "the header asks for what is not defined"};
    if (TREE_HEADER_SIZE + body + packed != size)
        return (struct tree_fault){BOOK_FAULT_SIZE, size,
                                   "the file has not the size that its header says"};
    if (bytes_get_u64be(bytes + CHECKSUM_AT) !=
        checksum(bytes, bytes + TREE_HEADER_SIZE, size - TREE_HEADER_SIZE))
        return (struct tree_fault){BOOK_FAULT_SYNTAX, CHECKSUM_AT, "the checksum is wrong"};
    *out = (struct tree_header){.packed = (enum tree_weights)bytes[PACKED_AT],
                                .body_size = (uint32_t)body,
                                .packed_size = (uint32_t)packed};
    return (struct tree_fault){.text = NULL};
}

void tree_header_write(const struct tree_header *header, const uint8_t *rest,
                       uint8_t out[TREE_HEADER_SIZE])
{
    size_t size = (size_t)header->body_size + header->packed_size;
    memcpy(out, magic, sizeof magic);
    memset(out + PACKED_AT, 0, TREE_HEADER_SIZE - PACKED_AT);
    out[PACKED_AT] = (uint8_t)header->packed;
    bytes_put_be(out + BODY_SIZE_AT, header->body_size, 4);
    bytes_put_be(out + PACKED_SIZE_AT, header->packed_size, 4);
    bytes_put_be(out + CHECKSUM_AT, checksum(out, rest, size), 8);
}
