#include "engine/tuning.h"

bool tuning_find(struct span name, struct param *out)
{
    for (int i = 0; i < params_count(); i++) {
        struct param param = params_at(i);
        if (span_equal_nocase(name, param.name)) {
            *out = param;
            return true;
        }
    }
    return false;
}

void tuning_list(struct report *report)
{
    for (int i = 0; i < params_count(); i++) {
        struct param param = params_at(i);
        report_line(report, "option name %s type spin default %d min %d max %d", param.name,
                    param.value, param.min, param.max);
    }
}

void tuning_append_spsa(struct text_buffer *text, const struct param *param)
{
    text_append(text, "%s, int, %d, %d, %d, %d, 0.002", param->name, param->value, param->min,
                param->max, param->step);
}

void tuning_list_spsa(struct report *report)
{
    for (int i = 0; i < params_count(); i++) {
        struct param param = params_at(i);
        char data[128];
        struct text_buffer line = text_buffer_on(data, sizeof data);
        tuning_append_spsa(&line, &param);
        report_line(report, "%s", data);
    }
}
