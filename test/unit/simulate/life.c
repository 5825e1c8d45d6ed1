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
