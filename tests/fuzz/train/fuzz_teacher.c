/* Any bytes as the beginning of the file of a teacher's network, the first two choose which and cut
 * its end off. What is taken must have values for positions; what is refused, a line that says why.
 */
#include <string.h>

#include "chess/attacks.h"
#include "eval/train/teacher/teacher_eval.h"
#include "tests/support/teacher_sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { CUT = 2, CHANGED_MAX = 4096 };
    static uint8_t *samples[TEACHER_SAMPLES];
    static size_t sizes[TEACHER_SAMPLES];
    uint8_t kept[CHANGED_MAX];
    if (size < CUT)
        return 0;
    const enum teacher_sample which = (enum teacher_sample)(data[0] % TEACHER_SAMPLES);
    if (!samples[which]) {
        chess_init();
        samples[which] = teacher_sample_bytes(which, &sizes[which]);
    }
    uint8_t *sample = samples[which];
    const size_t whole = sizes[which];
    if (!sample)
        return 0;
    size_t changed = size - CUT < CHANGED_MAX ? size - CUT : CHANGED_MAX;
    memcpy(kept, sample, changed);
    memcpy(sample, data + CUT, changed);
    struct teacher_net *net = NULL;
    struct diag diag = {0};
    enum caxton_status status =
        teacher_net_parse(sample, whole - bytes_get_u16le(data), &net, &diag);
    struct teacher *teacher = status == STATUS_OK ? teacher_create(net, NULL) : NULL;
    if (teacher) {
        struct position pos;
        struct teacher_accumulator accumulator;
        position_start(&pos);
        teacher_refresh(teacher, &pos, &accumulator);
        (void)teacher_value(teacher, &pos, &accumulator);
    }
    if (status == STATUS_FORMAT && (!diag.text[0] || strchr(diag.text, '\n')))
        abort();
    teacher_destroy(teacher);
    teacher_net_free(net);
    memcpy(sample, kept, changed);
    return 0;
}
