/* Any bytes as packed positions: each is refused, or comes out the same when it is packed again,
 * but for scores that packing bounds. */
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "eval/train/sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    for (; size >= SAMPLE_SIZE; data += SAMPLE_SIZE, size -= SAMPLE_SIZE) {
        struct position pos, again;
        struct sample_label label, label_again;
        uint8_t packed[SAMPLE_SIZE];
        if (sample_unpack(data, &pos, &label) != STATUS_OK)
            continue;
        sample_pack(&pos, &label, packed);
        if (sample_unpack(packed, &again, &label_again) != STATUS_OK || again.key != pos.key ||
            (abs(label.score) <= 32000 && label_again.score != label.score) ||
            label_again.result != label.result || label_again.best != label.best ||
            label_again.first != label.first)
            abort();
    }
    return 0;
}
