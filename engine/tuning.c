#include "engine/tuning.h"

const struct param *tuning_find(struct span name)
{
    for (const struct param *param = param_table; param->name; param++)
        if (span_equal_nocase(name, param->name))
            return param;
    return NULL;
}

void tuning_list(struct report *report)
{
    for (const struct param *param = param_table; param->name; param++)
        report_line(report, "option name %s type spin default %d min %d max %d", param->name,
                    *param->value, param->min, param->max);
}

void tuning_report_spsa(struct report *report, const struct param *param)
{
    report_line(report, "%s, int, %d, %d, %d, %d, 0.002", param->name, *param->value, param->min,
                param->max, param->step);
}

void tuning_list_spsa(struct report *report)
{
    for (const struct param *param = param_table; param->name; param++)
        tuning_report_spsa(report, param);
}
