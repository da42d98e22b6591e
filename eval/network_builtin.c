/* eval/default.nnue as it is: BUILTIN_NETWORK_FILE comes from the build. */
#include "eval/network_builtin.h"

#include <pthread.h>

#include "base/embed.h"

EMBED(builtin_network, "64", BUILTIN_NETWORK_FILE);

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
