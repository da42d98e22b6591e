#include "eval/network_builtin.h"

#include <pthread.h>

/* The assembler puts the file into the program. The build defines its path, BUILTIN_NETWORK_FILE.
 */

#ifdef __APPLE__
#define SECTION      ".const_data\n"
#define SYMBOL(name) "_" name
#else
#define SECTION      ".section .rodata\n"
#define SYMBOL(name) name
#endif

extern const uint8_t builtin_network_start[];
extern const uint8_t builtin_network_end[];

/* clang-format off */
__asm__(SECTION
        ".globl " SYMBOL("builtin_network_start") "\n"
        ".globl " SYMBOL("builtin_network_end") "\n"
        ".balign 64\n"
        SYMBOL("builtin_network_start") ":\n"
        ".incbin \"" BUILTIN_NETWORK_FILE "\"\n"
        SYMBOL("builtin_network_end") ":\n"
        ".byte 0\n"
        ".text\n");
/* clang-format on */

static struct network *builtin; /* written once, by unpack() */

static void unpack(void)
{
    size_t size = (size_t)(builtin_network_end - builtin_network_start);
    if (network_parse(builtin_network_start, size, &builtin, NULL) != STATUS_OK)
        builtin = NULL;
}

const struct network *network_builtin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, unpack) == 0 ? builtin : NULL;
}
