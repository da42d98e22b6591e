#include "base/program_id.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/system.h"

void program_id(char out[PROGRAM_ID_MAX])
{
    char host[PROGRAM_ID_MAX / 2] = "";
    if (!system_host_name(host, sizeof host))
        *host = '\0';
    for (char *c = host; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("-._", *c)))
            *c = '_';
    (void)snprintf(out, PROGRAM_ID_MAX, "%s-%ld-%08" PRIx32, *host ? host : "host", (long)getpid(),
                   (uint32_t)rng_mix(clock_seed()));
}
