/* The first and the last bytes of a statistics file (wld.h): version, how its moves were counted,
 * and how many they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define WLD_MAGIC "CAXWLD\r\n"
enum {
    WLD_MAGIC_SIZE = sizeof WLD_MAGIC - 1,
    WLD_START_SIZE = WLD_MAGIC_SIZE + 8, /* before the options */
    WLD_CHECKSUM_SIZE = 8,
    WLD_VERSION = 2, /* that is written; version 1 is read, too */
    WLD_OPTIONS_MAX = 16384,
    WLD_HEADER_MAX = WLD_START_SIZE + WLD_OPTIONS_MAX + WLD_CHECKSUM_SIZE
};

/* What the header says of the counts. */
struct wld_info {
    char options[WLD_OPTIONS_MAX + 1];
    uint64_t unit;      /* so many units of what is counted make one game: 1 or TALLY_UNIT */
    uint64_t min_games; /* moves of fewer games were left out; 0: none were. Of several such options
                           the largest */
    bool mirrored;
    bool has_prints; /* fingerprints of the games stand before the blocks */
};

/* The option of files with fingerprints. Its number changes when base/fingerprint.h or what is told
 * apart by them (filter_fingerprint()) does. */
#define WLD_PRINTS_OPTION "fingerprints 2"

struct wld_header {
    int version;
    size_t size; /* all of it */
    uint64_t checksum;
    struct wld_info info;
};

/* Do these first bytes of a file announce statistics? */
bool wld_is_magic(const uint8_t *bytes, size_t size);

/* Do the first bytes of a file announce statistics that are mirrored? At least the header. */
bool wld_is_mirrored(const uint8_t *bytes, size_t size);

/* Reads version and size of a header off the first WLD_START_SIZE bytes of the file `name`, whose
 * magic is right. Errors: STATUS_FORMAT; `diag` says what at which byte. */
MUST_CHECK enum caxton_status wld_header_start(const uint8_t *bytes, const char *name,
                                               struct wld_header *out, struct diag *diag);

/* Reads the rest of it, of all header->size bytes. Errors: as above. */
MUST_CHECK enum caxton_status wld_header_finish(const uint8_t *bytes, const char *name,
                                                struct wld_header *header, struct diag *diag);

/* The end of version 2. */
enum { WLD_FOOT_SIZE = 32 };
struct wld_foot {
    uint64_t records;
    uint64_t blocks;
    uint64_t digest; /* of the checksums of all blocks */
};

/* header: the checksum of the header. */
void wld_foot_encode(const struct wld_foot *foot, uint64_t header, uint8_t bytes[WLD_FOOT_SIZE]);
bool wld_foot_decode(const uint8_t bytes[WLD_FOOT_SIZE], uint64_t header, struct wld_foot *out);

/* The digest with the checksum of one block more; that of no blocks is 0. */
uint64_t wld_digest_add(uint64_t digest, uint64_t block_checksum);

/* Says "NAME: byte OFFSET: WHAT", which is STATUS_FORMAT. */
MUST_CHECK enum caxton_status wld_damaged(const char *name, uint64_t offset, const char *what,
                                          struct diag *diag);
