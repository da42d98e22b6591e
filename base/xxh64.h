/* XXH64, a fast 64-bit checksum. It finds damage; it does not resist an attacker. Written from its
 * specification and not taken from its library, so that files are the same where that is not
 * installed: on Windows, in cross builds, without root.
 * Source: Yann Collet, "xxHash fast digest algorithm", doc/xxhash_spec.md of the xxHash project. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The checksum of bytes[0..size) by this seed; NULL is allowed for none. Chained by the seed,
 * several parts have one. */
uint64_t xxh64(const void *bytes, size_t size, uint64_t seed);
