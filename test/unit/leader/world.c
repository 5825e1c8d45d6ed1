/* SPDX-License-Identifier: Apache-2.0 */
#include "leader/world.h"

#include "base/log.h"

#include "lib/cmocka_headers.h"

#include <jansson.h>

static void tap_submit(struct yk_api_server *server, struct yk_op *op)
{
    struct tap *tap = (struct tap *)(void *)server;
    struct world *world = YK_CONTAINER(tap, struct world, tap);
    if (tap->count < ASKED_MAX) {
        tap->asked[tap->count].kind = op->kind;
        tap->asked[tap->count++].at_ns = world_now_ns(world);
    }
    yk_api_submit(tap->behind, op);
}

void world_init(struct world *world, uint64_t seed)
{
    static const struct yk_api_server_ops ops = {.submit = tap_submit};
    *world = (struct world){.seed = seed};
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&world->clock, INT64_C(1767225600) * YK_NS_PER_S); /* 2026-01-01 */
    yk_timers_init(&world->timers, &world->clock);
    const struct yk_cluster_options options = {
        .clock = &world->clock, .timers = &world->timers, .seed = seed, .request_ns = 10 * YK_NS_PER_MS};
    world->cluster = yk_cluster_new(&options);
    world->tap.server.ops = &ops;
    world->tap.behind = yk_cluster_api(world->cluster);
    world->start_ns = yk_clock_mono_ns(&world->clock);
}

void world_done(struct world *world)
{
    yk_cluster_free(world->cluster);
    yk_timers_done(&world->timers);
}

int64_t world_now_ns(const struct world *world)
{
    return yk_clock_mono_ns(&world->clock) - world->start_ns;
}

void world_pass(struct world *world, int64_t ns, void (*between)(void *context), void *context)
{
    int64_t end_ns = yk_clock_mono_ns(&world->clock) + ns, next_ns;
    while ((next_ns = yk_timers_next_ns(&world->timers)) <= end_ns) {
        yk_clock_advance(&world->clock, YK_MAX(next_ns - yk_clock_mono_ns(&world->clock), 0));
        yk_timers_run(&world->timers);
        if (between != NULL)
            between(context);
    }
    yk_clock_advance(&world->clock, end_ns - yk_clock_mono_ns(&world->clock));
}

static void leads(void *context)
{
    struct member *member = context;
    member->led++;
    member->led_at_ns = world_now_ns(member->world);
}

static void lost(void *context, const char *why)
{
    struct member *member = context;
    member->lost++;
    member->lost_at_ns = world_now_ns(member->world);
    (void)snprintf(member->why, sizeof(member->why), "%s", why);
}

void member_join(struct world *world, struct member *member, bool stands)
{
    *member = (struct member){.world = world};
    const struct yk_elector_options options = {.api = &world->tap.server,
                                               .timers = &world->timers,
                                               .clock = &world->clock,
                                               .fence = &member->fence,
                                               .namespace_ = "yunikorn",
                                               .name = "lead",
                                               .hostname = "host",
                                               .identity = world->identity,
                                               .times = yk_elector_times_default,
                                               .seed = ++world->seed,
                                               .context = member,
                                               .leads = leads,
                                               .lost = lost};
    member->elector = yk_elector_new(&options);
    if (stands)
        yk_elector_stand(member->elector);
    yk_elector_start(member->elector);
}

void member_end(struct member *member)
{
    yk_elector_free(member->elector);
    member->elector = NULL;
}

bool member_may_write(const struct member *member)
{
    return yk_fence_lets(&member->fence, YK_OP_BIND, yk_clock_mono_ns(&member->world->clock));
}

/* ---- another client ---- */

static void written(struct yk_op *op)
{
    *(enum yk_op_result *)op->context = op->result;
    yk_op_free(op);
}

static char *replaced(const char *lease, const char *spec)
{
    json_t *tree = json_loads(lease, 0, NULL);
    (void)json_object_set_new(tree, "spec", json_loads(spec, 0, NULL));
    char *text = json_dumps(tree, JSON_COMPACT);
    json_decref(tree);
    return text;
}

void lease_write(struct world *world, const char *spec)
{
    static const char empty[] = "{\"metadata\":{\"name\":\"lead\",\"labels\":{\"kept\":\"yes\"}}}";
    bool is_there = lease_text(world)[0] != '\0';
    struct yk_op *op =
        yk_op_new(is_there ? YK_OP_UPDATE_LEASE : YK_OP_CREATE_LEASE,
                  &(struct yk_op_target){.namespace_ = YK_STR("yunikorn"), .name = YK_STR("lead")});
    enum yk_op_result result = YK_OP_CANCELLED;
    char *body = replaced(is_there ? world->lease : empty, spec);
    yk_buf_text(&op->body, body);
    free(body);
    op->done = written;
    op->context = &result;
    yk_api_submit(world->tap.behind, op);
    world_pass(world, 20 * YK_NS_PER_MS, NULL, NULL);
    assert_int_equal(result, YK_OP_OK);
}

const char *lease_text(struct world *world)
{
    char *text = yk_cluster_lease(world->cluster, "yunikorn", "lead");
    (void)snprintf(world->lease, sizeof(world->lease), "%s", text != NULL ? text : "");
    free(text);
    return world->lease;
}

void lease_fault(struct world *world, enum yk_op_kind op, enum yk_fault_kind kind, int status, uint64_t nth)
{
    const struct yk_fault fault = {
        .op = op, .kind = kind, .nth = nth, .probability = nth == 0, .http_status = status};
    assert_int_equal(yk_cluster_add_fault(world->cluster, &fault, NULL), YK_OK);
}

void lease_faults(struct world *world, enum yk_fault_kind kind, int status, double probability)
{
    static const enum yk_op_kind kinds[] = {YK_OP_GET_LEASE, YK_OP_CREATE_LEASE, YK_OP_UPDATE_LEASE};
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        const struct yk_fault fault = {.op = kinds[i],
                                       .kind = kind,
                                       .probability = probability,
                                       .http_status = status,
                                       .delay_ns = 7 * YK_NS_PER_S};
        assert_int_equal(yk_cluster_add_fault(world->cluster, &fault, NULL), YK_OK);
    }
}
