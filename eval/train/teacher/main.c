/* caxton-teacher: what a teacher's network says of positions. For each FEN of standard input a
 * line: for each stack its material and its positional output, side to move's view, in 1/16 of the
 * network's units. check.py compares them with the engine's own. */
#include <stdio.h>
#include <stdlib.h>

#include "base/program.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/train/teacher/teacher_eval.h"

static bool print_outputs(struct teacher *teacher, const struct position *pos)
{
    struct teacher_accumulator accumulator;
    teacher_refresh(teacher, pos, &accumulator);
    for (int stack = 0; stack < TEACHER_STACKS; stack++) {
        struct teacher_output output = teacher_output(teacher, &accumulator, pos->turn, stack);
        if (printf("%s%d %d", stack ? " " : "", output.material, output.positional) < 0)
            return false;
    }
    return putchar('\n') != EOF;
}

/* Stops at the first fault, which it names. */
static bool print_all(struct teacher *teacher)
{
    char *line = NULL; /* of getline() */
    size_t capacity = 0;
    ssize_t size;
    bool fine = true;
    for (size_t number = 1; fine && (size = getline(&line, &capacity, stdin)) > 0; number++) {
        struct position pos;
        struct diag diag = {0};
        struct span fen = span_trim(span_make(line, (size_t)size));
        fine = fen_parse(fen, &pos, &diag) == STATUS_OK;
        if (!fine)
            (void)fprintf(stderr, "caxton-teacher: line %zu: %s\n", number, diag.text);
        else
            fine = print_outputs(teacher, &pos);
    }
    free(line);
    return fine && !ferror(stdin) && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    struct teacher_net *net = NULL;
    struct diag diag = {0};
    if (argc != 2 || argv[1][0] == '-') {
        (void)fputs("usage: caxton-teacher NETWORK < FENS\n", stderr);
        return EXIT_USAGE;
    }
    chess_init();
    enum caxton_status status = teacher_net_load(argv[1], &net, &diag);
    struct teacher *teacher = status == STATUS_OK ? teacher_create(net, NULL) : NULL;
    if (!teacher)
        (void)fprintf(stderr, "caxton-teacher: %s\n",
                      diag.text[0] ? diag.text : status_name(STATUS_NO_MEMORY));
    bool fine = teacher && print_all(teacher);
    teacher_destroy(teacher);
    teacher_net_free(net);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
