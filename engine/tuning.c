#include "engine/tuning.h"

const struct param *tuning_find(struct span name)
{
    for (const struct param *param = param_table; param->name; param++)
        if (span_equal_nocase(name, param->name))
            return param;
    return NULL;
}

void tuning_list(FILE *out)
{
    for (const struct param *param = param_table; param->name; param++)
        report_line(out, "option name %s type spin default %d min %d max %d", param->name,
                    *param->value, param->min, param->max);
}

void tuning_report_spsa(FILE *out, const struct param *param)
{
    report_line(out, "%s, int, %d, %d, %d, %d, 0.002", param->name, *param->value, param->min,
                param->max, param->step);
}

void tuning_list_spsa(FILE *out)
{
    for (const struct param *param = param_table; param->name; param++)
        tuning_report_spsa(out, param);
}
