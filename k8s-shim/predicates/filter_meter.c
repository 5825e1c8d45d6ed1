/* SPDX-License-Identifier: Apache-2.0 */
#include "predicates/filter_meter.h"

_Static_assert(YK_VERDICT_COUNT <= 32, "a bit of `ran` for each verdict");

enum { FIRST_NS = 100 };

void yk_filter_meter_init(struct yk_filter_meter *meter)
{
    *meter = (struct yk_filter_meter){.to_skip = {0}};
    for (int i = 0; i < YK_VERDICT_COUNT; i++)
        meter->times[i].first_ns = FIRST_NS;
}

void yk__filter_sample_start(struct yk_filter_sample *sample, struct yk_filter_meter *meter,
                             enum yk_metered kind)
{
    bool always = meter->measured[kind] < YK_METERED_ALWAYS;
    *sample = (struct yk_filter_sample){.meter = meter, .weight = always ? 1 : YK_METER_PERIOD};
    meter->measured[kind] += always;
    meter->to_skip[kind] = meter->measured[kind] < YK_METERED_ALWAYS ? 0 : YK_METER_PERIOD - 1;
    sample->since_mono_ns = yk_clock_mono_ns(&yk_clock_real);
}

void yk_filter_sample_step(struct yk_filter_sample *sample, enum yk_verdict verdict)
{
    if (sample == NULL)
        return;
    int64_t now_ns = yk_clock_mono_ns(&yk_clock_real);
    sample->ran |= UINT32_C(1) << verdict;
    sample->spent_ns[verdict] += now_ns - sample->since_mono_ns;
    sample->since_mono_ns = now_ns;
}

static bool is_same_plugin(int filter, enum yk_verdict answer)
{
    const char *plugin = yk_filters[answer].plugin;
    return plugin != NULL && strcmp(plugin, yk_filters[filter].plugin) == 0;
}

void yk_filter_sample_end(struct yk_filter_sample *sample, enum yk_verdict answer)
{
    if (sample == NULL)
        return;
    struct yk_filter_meter *meter = sample->meter;
    for (int i = YK_VERDICT_FITS + 1; i < YK_VERDICT_INVALID; i++) {
        if ((sample->ran >> i & 1) == 0)
            continue;
        yk_durations_observe_times(&meter->times[i], sample->spent_ns[i], sample->weight);
        uint64_t refused = atomic_load_explicit(&meter->refused[i], memory_order_relaxed);
        atomic_store_explicit(&meter->refused[i], refused + (is_same_plugin(i, answer) ? sample->weight : 0),
                              memory_order_relaxed);
    }
}

void yk_filter_meter_put(const struct yk_filter_meter *meter, struct yk_buf *out)
{
    struct yk_metric_lines times = yk_metric_begin(&yk_metric_predicate_duration, out);
    for (int i = YK_VERDICT_FITS + 1; i < YK_VERDICT_INVALID; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf label = {0};
        yk_metric_label(&label, "predicate", yk_str_from(yk_filters[i].plugin));
        yk_durations_put(&meter->times[i], &times, yk_buf_cstr(&label));
    }
    struct yk_metric_lines evaluations = yk_metric_begin(&yk_metric_predicate_evaluations, out);
    for (int i = YK_VERDICT_FITS + 1; i < YK_VERDICT_INVALID; i++) {
        /* `refused` is read before the count of `times`, so that it is usually not larger than the count. */
        uint64_t refused = atomic_load_explicit(&meter->refused[i], memory_order_relaxed);
        uint64_t all = yk_durations_count(&meter->times[i]);
        if (all == 0)
            continue;
        const char *plugin = yk_filters[i].plugin;
        yk_metric_putf(&evaluations, (int64_t)(all - YK_MIN(refused, all)),
                       "predicate=\"%s\",result=\"passed\"", plugin);
        yk_metric_putf(&evaluations, (int64_t)refused, "predicate=\"%s\",result=\"refused\"", plugin);
    }
}
