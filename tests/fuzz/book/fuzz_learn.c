/* Any bytes as games to learn from: comments with scores, players, sides. */
#include <stdlib.h>

#include "book/learn/games.h"
#include "chess/attacks.h"
#include "search/score.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct learn_games games = {.count = 0};
    const struct learn_choice choice = {
        .player = size % 2 ? "Caxton" : NULL, .sides = {true, true}, .openings = size % 3 == 0};
    struct span text = span_make((const char *)data, size);
    chess_init();
    if (learn_games_read(&games, &choice, span_read, &text, "fuzz") != STATUS_OK)
        abort();
    size_t counted = games.count + (size_t)(games.bad + games.unfinished + games.other);
    if (counted != games.read)
        abort();
    learn_games_sort(&games);
    for (size_t i = 0; i < games.count; i++)
        for (size_t ply = 0; ply < games.list[i].ply_count; ply++) {
            int score = games.list[i].scores[ply];
            if (score != LEARN_NO_SCORE && score != LEARN_GIVEN && abs(score) >= SCORE_MATE)
                abort();
        }
    learn_games_free(&games);
    return 0;
}
