/* The program caxton-datagen: scored positions to train the evaluation with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "base/text.h"
#include "chess/attacks.h"
#include "eval/train/datagen/options.h"
#include "eval/train/datagen/run.h"

int main(int argc, char **argv)
{
    struct datagen_options options;
    struct diag diag = {0};
    uint64_t positions = 0;
    chess_init();
    switch (datagen_options_read(argc, argv, &options)) {
    case PARSE_HELP_SHOWN:
        return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    case PARSE_WRONG:
        return EXIT_USAGE;
    case PARSE_RUN:
        break;
    }
    enum caxton_status status = datagen_run(&options, &positions, &diag);
    bool is_stream = strcmp(options.output, "-") == 0;
    if (status == STATUS_OK && !is_stream &&
        (printf("%s: %llu positions\n", options.output, (unsigned long long)positions) < 0 ||
         fflush(stdout) != 0))
        status = STATUS_IO;
    if (status == STATUS_OK)
        return EXIT_SUCCESS;
    (void)fputs("caxton-datagen: ", stderr);
    text_put_safe(stderr, span_of(diag.text[0] ? diag.text : status_name(status)));
    (void)fputc('\n', stderr);
    return EXIT_FAILURE;
}
