/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/life.h"

#include "api/json_reader.h"
#include "base/log.h"
#include "base/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void life_init(struct life *life, const struct yk_cluster_options *options)
{
    struct yk_cluster_options with = *options;
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&life->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&life->timers, &life->clock);
    with.clock = &life->clock;
    with.timers = &life->timers;
    life->cluster = yk_cluster_new(&with);
}

void life_put(struct life *life, enum yk_kind kind, struct yk_buf *json)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    for (size_t i = 0; i < json->len; i++)
        json->p[i] = json->p[i] == '\'' ? '"' : json->p[i];
    if (yk_object_from_json(kind, yk_buf_view(json), &object, &err) != YK_OK)
        fail_msg("%s: %s", err.text, yk_buf_cstr(json));
    yk_cluster_put(life->cluster, object);
}

void life_put_text(struct life *life, enum yk_kind kind, const char *json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_text(&text, json);
    life_put(life, kind, &text);
}

const struct yk_pod *life_pod(const struct life *life, const char *namespace_, const char *name)
{
    return (const struct yk_pod *)(const void *)yk_cluster_find(life->cluster, YK_KIND_POD, namespace_, name);
}

void life_pod_is_on(const struct life *life, const char *namespace_, const char *name, const char *node)
{
    const struct yk_pod *pod = life_pod(life, namespace_, name);
    assert_non_null(pod);
    if (!yk_str_is(pod->node_name, node))
        fail_msg("%s is on '" YK_STR_FMT "', not on '%s'", name, YK_STR_ARG(pod->node_name), node);
}

void life_pod_says(const struct life *life, const char *namespace_, const char *name, const char *message)
{
    const struct yk_pod *pod = life_pod(life, namespace_, name);
    assert_non_null(pod);
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        const struct yk_condition *condition = &pod->conditions[i];
        if (yk_str_is(condition->type, "PodScheduled") && yk_str_is(condition->reason, "Unschedulable") &&
            yk_str_starts(condition->message, message))
            return;
    }
    fail_msg("%s does not say '%s'", name, message);
}

void life_begin(struct life *life, uint64_t seed)
{
    const struct yk_core_options core = {
        .clock = &life->clock, .timers = &life->timers, .seed = 1, .no_reservations = !life->reserves};
    life->core = yk_core_new(&core);
    const struct yk_shim_options shim = {.api = yk_cluster_api(life->cluster),
                                         .core = life->core,
                                         .timers = &life->timers,
                                         .clock = &life->clock,
                                         .namespace_ = "yunikorn",
                                         .hostname = "here",
                                         .seed = seed};
    life->shim = yk_shim_new(&shim);
    yk_shim_start(life->shim);
    life_pass(life, YK_NS_PER_S);
}

static bool step(struct life *life)
{
    bool more = yk_timers_run(&life->timers) > 0;
    more |= yk_shim_work(life->shim);
    if (yk_shim_is_ready(life->shim))
        more |= yk_core_schedule(life->core, 16, INT64_MAX) > 0;
    return more;
}

void life_pass(struct life *life, int64_t ns)
{
    int64_t until_ns = yk_clock_mono_ns(&life->clock) + ns;
    for (;;) {
        while (step(life))
            continue;
        int64_t next_ns = yk_timers_next_ns(&life->timers);
        if (next_ns > until_ns)
            break;
        yk_clock_advance(&life->clock, YK_MAX(next_ns - yk_clock_mono_ns(&life->clock), 0));
    }
    yk_clock_advance(&life->clock, YK_MAX(until_ns - yk_clock_mono_ns(&life->clock), 0));
}

void life_end(struct life *life)
{
    yk_shim_stop(life->shim);
    while (!yk_shim_is_stopped(life->shim))
        life_pass(life, YK_NS_PER_S);
    yk_shim_free(life->shim);
    yk_core_free(life->core);
    yk_cluster_free(life->cluster);
    yk_timers_done(&life->timers);
    assert_int_equal(yk_name_count(), 0);
}
