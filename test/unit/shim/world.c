/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/world.h"

#include "base/log.h"
#include "base/name.h"

#include "lib/cmocka_headers.h"

static void fatal(void *context, const char *message)
{
    struct world *world = context;
    snprintf(world->fatal, sizeof(world->fatal), "%s", message);
}

static int begin(void **state, bool with_aside, bool standby)
{
    struct world *world = yk_new0(struct world);
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&world->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&world->timers, &world->clock);
    fake_api_init(&world->api);
    yk_mailbox_init(&world->aside, 10);
    yk_mailbox_init(&world->inbox, 10);
    const struct yk_shim_options options = {.api = &world->api.server,
                                            .core = &world->core,
                                            .timers = &world->timers,
                                            .clock = &world->clock,
                                            .namespace_ = "yunikorn",
                                            .hostname = "here",
                                            .seed = 1,
                                            .standby = standby,
                                            .aside = with_aside ? &world->aside : NULL,
                                            .inbox = &world->inbox,
                                            .changes = &world->changes,
                                            .context = world,
                                            .fatal = fatal};
    world->shim = yk_shim_new(&options);
    yk_shim_start(world->shim);
    *state = world;
    return 0;
}

int set_up(void **state)
{
    return begin(state, false, false);
}

int set_up_with_aside(void **state)
{
    return begin(state, true, false);
}

int set_up_standby(void **state)
{
    return begin(state, false, true);
}

void take_down(struct world *world)
{
    yk_shim_stop(world->shim);
    fake_api_done(&world->api);
    assert_true(yk_shim_is_stopped(world->shim));
    yk_shim_free(world->shim);
    yk_mailbox_done(&world->aside);
    yk_mailbox_done(&world->inbox);
    yk_timers_done(&world->timers);
    yk_buf_done(&world->core.log);
    yk_buf_done(&world->core.config);
    free(world);
}

int tear_down(void **state)
{
    take_down(*state);
    assert_int_equal(yk_name_count(), 0);
    return 0;
}

void work(struct world *world)
{
    while (yk_shim_work(world->shim))
        continue;
}

void pass(struct world *world, int64_t ns)
{
    yk_clock_advance(&world->clock, ns);
    yk_timers_run(&world->timers);
    work(world);
}

void told(struct world *world, const char *want)
{
    work(world);
    if (strcmp(yk_buf_cstr(&world->core.log), want) != 0)
        fail_msg("the core was told '%s', not '%s'", yk_buf_cstr(&world->core.log), want);
    yk_buf_done(&world->core.log);
}

void settle(struct world *world)
{
    work(world);
    yk_buf_done(&world->core.log);
}

const char *next_version(struct world *world)
{
    static char text[16];
    snprintf(text, sizeof(text), "%d", ++world->version);
    return text;
}

void list(struct world *world, enum yk_kind kind, enum yk_watch_event event)
{
    fake_api_list(&world->api, kind, event);
}

struct yk_pod *pod(struct world *world, const char *name)
{
    struct yk_pod *object = make_pod("ns", name, next_version(world));
    add_container(object, "c", "cpu=1");
    add_pair(&object->object, &object->object.labels, "applicationId", "app");
    return object;
}

struct yk_pod *big_pod(struct world *world, const char *name)
{
    struct yk_pod *object = pod(world, name);
    add_container(object, "d", "cpu=4");
    return object;
}

struct yk_pod *pod_on(struct world *world, const char *name, const char *node)
{
    struct yk_pod *object = pod(world, name);
    set_text(&object->object, &object->node_name, node);
    return object;
}

struct yk_k8s_node *node(struct world *world, const char *name)
{
    return make_node(name, next_version(world), "cpu=4 memory=100 pods=10");
}

void upsert(struct world *world, void *object)
{
    fake_api_send(&world->api, YK_WATCH_UPSERT, object);
}
void removed(struct world *world, void *object)
{
    fake_api_send(&world->api, YK_WATCH_DELETED, object);
}

void upsert_waiting_and_bound(struct world *world, const char *waiting, const char *bound)
{
    struct yk_pod *first = pod(world, waiting), *second = pod_on(world, bound, "n1");
    first->object.creation_wall_ns = 10 * YK_NS_PER_S;
    second->object.creation_wall_ns = 20 * YK_NS_PER_S;
    upsert(world, first);
    upsert(world, second);
}

void empty_list(struct world *world, enum yk_kind kind)
{
    list(world, kind, YK_WATCH_REPLACE_BEGIN);
    list(world, kind, YK_WATCH_REPLACE_END);
}

void listed_nodes(struct world *world, int count)
{
    empty_list(world, YK_KIND_CONFIG_MAP);
    empty_list(world, YK_KIND_NAMESPACE);
    empty_list(world, YK_KIND_PRIORITY_CLASS);
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_BEGIN);
    for (int i = 1; i <= count; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "n%d", i);
        upsert(world, node(world, name));
    }
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_END);
}

void running(struct world *world)
{
    listed_nodes(world, 2);
    empty_list(world, YK_KIND_POD);
    work(world);
    assert_true(yk_shim_is_ready(world->shim));
    yk_buf_done(&world->core.log);
}

void running_with(struct world *world, const char *key, const char *value)
{
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    upsert(world, config(world, key, value));
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
    empty_list(world, YK_KIND_NAMESPACE);
    empty_list(world, YK_KIND_PRIORITY_CLASS);
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_BEGIN);
    upsert(world, node(world, "n1"));
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_END);
    empty_list(world, YK_KIND_POD);
    settle(world);
}

void decided(struct world *world, const char *name)
{
    char uid[64];
    snprintf(uid, sizeof(uid), "uid-%s", name);
    upsert(world, pod(world, name));
    work(world);
    assert_true(fake_core_decide(&world->core, uid, "n1"));
    work(world);
    struct yk_op *op = fake_api_find(&world->api, YK_OP_BIND, name);
    assert_non_null(op);
    assert_string_equal(op->uid, uid);
    assert_string_equal(op->node, "n1");
    yk_buf_done(&world->core.log);
}

bool answer(struct world *world, enum yk_op_result result, int http, const char *reason)
{
    bool there = fake_api_answer(&world->api, YK_OP_BIND, NULL, result, http, reason);
    work(world);
    return there;
}

struct yk_config_map *config(struct world *world, const char *key, const char *value)
{
    struct yk_config_map *map = make_config_map("yunikorn", "yunikorn-configs", next_version(world));
    add_pair(&map->object, &map->data, "queues.yaml", "queues");
    add_pair(&map->object, &map->data, key, value);
    return map;
}

void waits(struct world *world, const char *key)
{
    fake_core_waits(&world->core, key, YK_SI_STATE_FAILED, YK_SI_NO_CAPACITY, "waiting");
    work(world);
}

void released(struct world *world, const char *key, enum yk_si_termination why, const char *message)
{
    fake_core_wants_gone(&world->core, key, why, message);
    work(world);
}

size_t events_with(struct world *world, const char *text, char ret[4096])
{
    size_t count = 0;
    for (struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL;) {
        if (strstr(yk_buf_cstr(&op->body), text) != NULL) {
            count++;
            snprintf(ret, 4096, "%s", yk_buf_cstr(&op->body));
        }
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    return count;
}

void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, text);
}
