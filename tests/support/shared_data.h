/* Larger data beside the project, in ../shared/data. Include after cmocka.h. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

/* Skips the test where there is no such file, and says so. With CAXTON_REQUIRE_DATA=1 in the
 * environment the test fails instead.
 * path: SHARED_DATA_DIR "/..". */
static inline void shared_data_want(const char *path)
{
    const char *required = getenv("CAXTON_REQUIRE_DATA");
    FILE *file = fopen(path, "rb");
    if (file) {
        (void)fclose(file);
        return;
    }
    if (required && *required && *required != '0')
        fail_msg("%s is not there", path);
    print_message("skipped: %s is not there\n", path);
    skip();
}
