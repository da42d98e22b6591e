/* What searches and games say, as a part of makebook show. */
#pragma once

#include "base/json.h"
#include "book/makebook/commands/show.h"

/* A line about the position. */
void show_facts_position(const struct show *show);
/* The heads of the columns, and those of one move. */
void show_facts_heads(const struct show *show);
void show_facts_move(const struct show *show, int i);

void show_facts_position_json(struct json *json, const struct show *show);
void show_facts_move_json(struct json *json, const struct show *show, int i);
