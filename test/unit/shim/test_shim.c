/* SPDX-License-Identifier: Apache-2.0 */
/* The shim from start-up to the bind, and what it tells the core on the way. */
#include "base/json_writer.h"
#include "base/log.h"
#include "bind/pod_status.h"
#include "shim/world.h"

#include "lib/cmocka_headers.h"

/* ---- start-up ---- */

static void start_up_order(void **state)
{
    struct world *world = *state;
    assert_null(world->api.sinks[YK_KIND_NODE]);
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    struct yk_config_map *map = make_config_map("yunikorn", "yunikorn-configs", "1");
    add_pair(&map->object, &map->data, "service.clusterId", "here");
    add_pair(&map->object, &map->data, "service.policyGroup", "mine");
    add_pair(&map->object, &map->data, "mine.yaml", "the queues");
    upsert(world, map);
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
    told(world, "register here mine");
    assert_string_equal(yk_buf_cstr(&world->core.config), "the queues");
    assert_null(world->api.sinks[YK_KIND_POD]);

    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_BEGIN);
    upsert(world, node(world, "n1"));
    struct yk_k8s_node *cordoned = node(world, "n2");
    cordoned->unschedulable = true;
    upsert(world, cordoned);
    list(world, YK_KIND_NODE, YK_WATCH_REPLACE_END);
    empty_list(world, YK_KIND_NAMESPACE);
    assert_null(world->api.sinks[YK_KIND_POD]);
    empty_list(world, YK_KIND_PRIORITY_CLASS);
    assert_non_null(world->api.sinks[YK_KIND_POD]);
    told(world, "node n1 6 capacity; node n2 6 capacity");

    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    struct yk_pod *late = pod(world, "late"), *early = pod_on(world, "early", "n1"),
                  *middle = pod(world, "middle");
    struct yk_pod *foreign = pod_on(world, "foreign", "n2"), *orphan = pod_on(world, "orphan", "n9");
    late->object.creation_wall_ns = 30 * YK_NS_PER_S;
    middle->object.creation_wall_ns = 20 * YK_NS_PER_S;
    early->object.creation_wall_ns = orphan->object.creation_wall_ns = 10 * YK_NS_PER_S;
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    upsert(world, late);
    upsert(world, foreign);
    upsert(world, middle);
    upsert(world, early);
    upsert(world, orphan);
    told(world, "");
    assert_false(yk_shim_is_ready(world->shim));
    assert_false(yk_shim_is_synced(world->shim));
    assert_int_equal(yk_shim_config(world->shim), YK_SHIM_CONFIG_VALID);
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "foreign uid-foreign@n2; app app; alloc uid-early@n1; ask uid-middle; ask uid-late; node n1 "
                "5; node n2 "
                "3");
    assert_true(yk_shim_is_ready(world->shim));
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);

    upsert(world, node(world, "n9"));
    told(world, "node n9 6 capacity; node n9 5; alloc uid-orphan@n9");
}

/* A shim that looks in the wrong namespace says so at the start. */
static void no_config_map_is_told(void **state)
{
    struct world *world = *state;
    char text[4096] = "";
    FILE *stream = tmpfile(); /* a line goes to its descriptor */
    yk_log_set_stream(stream);
    empty_list(world, YK_KIND_CONFIG_MAP);
    told(world, "register mycluster queues");
    yk_log_set_stream(NULL);
    (void)fseek(stream, 0, SEEK_SET);
    assert_int_not_equal(fread(text, 1, sizeof(text) - 1, stream), 0);
    (void)fclose(stream);
    assert_non_null(strstr(text, "no ConfigMap yunikorn-configs"));
    assert_non_null(strstr(text, "yunikorn\""));
}

/* Up to the list of pods, which is the test's. */
static void registered_with_a_node(struct world *world)
{
    listed_nodes(world, 1);
    told(world, "register mycluster queues; node n1 6 capacity");
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
}

/* A13: nodes stay closed until what runs is counted, however long its user takes to be known. */
static void start_waits_for_users_of_what_runs(void **state)
{
    struct world *world = *state;
    world->core.late_answers = true;
    registered_with_a_node(world);
    upsert(world, pod_on(world, "bound", "n1"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "app app");
    pass(world, 20 * YK_NS_PER_S);
    told(world, "");
    assert_false(yk_shim_is_ready(world->shim));
    assert_true(yk_shim_is_synced(world->shim)); /* only taking over is missing */
    fake_core_answer_app(&world->core, "app", true);
    told(world, "alloc uid-bound@n1; node n1 5");
    assert_true(yk_shim_is_ready(world->shim));
}

static void start_does_not_wait_for_other_users(void **state)
{
    struct world *world = *state;
    world->core.late_answers = true;
    registered_with_a_node(world);
    upsert(world, pod(world, "waiting"));
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "app app; node n1 5");
    assert_true(yk_shim_is_ready(world->shim));
    fake_core_answer_app(&world->core, "app", true);
    told(world, "ask uid-waiting");
}

/* The first pod seen was not bound, so the application was not forced: it is submitted again, with force. */
static void start_forces_what_runs(void **state)
{
    struct world *world = *state;
    world->core.late_answers = true;
    registered_with_a_node(world);
    upsert_waiting_and_bound(world, "early", "bound");
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "app app; remove app app; app app");
    assert_false(yk_shim_is_ready(world->shim));
    fake_core_answer_app(&world->core, "app", true);
    told(world, "ask uid-early; alloc uid-bound@n1; node n1 5");
    assert_true(yk_shim_is_ready(world->shim));
}

/* If the core knows at the second try, it is answered within the call. */
static void start_counts_what_is_answered_at_once(void **state)
{
    struct world *world = *state;
    world->core.late_answers = true;
    registered_with_a_node(world);
    upsert_waiting_and_bound(world, "early", "bound");
    world->core.takes_forced = true;
    list(world, YK_KIND_POD, YK_WATCH_REPLACE_END);
    told(world, "app app; remove app app; app app; ask uid-early; alloc uid-bound@n1; node n1 5");
    assert_true(yk_shim_is_ready(world->shim));
}

static void bad_configuration_at_start(void **state)
{
    struct world *world = *state;
    world->core.refuse_config = "queue 'x': no";
    empty_list(world, YK_KIND_CONFIG_MAP);
    assert_string_equal(world->fatal, "queues.yaml: queue 'x': no");
    assert_null(world->api.sinks[YK_KIND_NODE]);
}

static void bad_setting_at_start(void **state)
{
    struct world *world = *state;
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN);
    struct yk_config_map *map = make_config_map("yunikorn", "yunikorn-defaults", "1");
    add_pair(&map->object, &map->data, "kubernetes.qps", "many");
    upsert(world, map);
    list(world, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END);
    assert_non_null(strstr(world->fatal, "kubernetes.qps"));
    told(world, "");
}

static struct yk_op *event_with(struct world *world, const char *text)
{
    struct yk_op *event = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL);
    while (event != NULL && strstr(yk_buf_cstr(&event->body), text) == NULL)
        event = event->next;
    return event;
}

/* R21 */
static void draining_queue_is_told_on_the_config_map(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, config(world, "a", "b"));
    const struct yk_si_draining draining = {"root.old", "default", 1700000000 * YK_NS_PER_S, 3};
    world->core.callbacks->queue_draining(world->core.rm, &draining);
    work(world);
    struct yk_op *event = event_with(world, "root.old");
    assert_non_null(event);
    assert_non_null(strstr(yk_buf_cstr(&event->body), "ConfigMap"));
    assert_non_null(strstr(yk_buf_cstr(&event->body), "applications left: 3"));
    assert_non_null(strstr(yk_buf_cstr(&event->body), "\"type\":\"Warning\""));
}

static void events_that_change_something_are_counted(void **state)
{
    struct world *world = *state;
    running(world);
    uint64_t before = world->changes;
    upsert(world, pod(world, "p"));
    assert_int_equal(world->changes, before + 1);
}

/* One at a time; what changes meanwhile is read at the end, once, as it is then. */
static void reload_on_another_thread(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_mailbox *aside = &world->aside, *inbox = &world->inbox;
    upsert(world, config(world, "a", "1"));
    told(world, "");
    assert_int_equal(yk_mailbox_weight(aside), 1);
    upsert(world, config(world, "a", "2"));
    upsert(world, config(world, "a", "3"));
    told(world, "");
    assert_int_equal(yk_mailbox_weight(aside), 1);
    assert_int_equal(yk_mailbox_run(aside, 10), 1);
    told(world, "");
    assert_int_equal(yk_mailbox_run(inbox, 10), 1);
    told(world, "reload mycluster");
    assert_int_equal(yk_mailbox_weight(aside), 2); /* what is left of the first, and the last */
    assert_int_equal(yk_mailbox_run(aside, 10), 2);
    assert_int_equal(yk_mailbox_run(inbox, 10), 1);
    told(world, "reload mycluster");
    work(world);
    assert_int_equal(yk_mailbox_run(aside, 10), 1);
}

static void reload(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, config(world, "service.clusterId", "other"));
    told(world, "reload mycluster"); /* who we are needs a restart */
    assert_string_equal(yk_buf_cstr(&world->core.config), "queues");
    struct yk_op *normal = event_with(world, "ConfigMap");
    assert_non_null(normal);
    assert_non_null(strstr(yk_buf_cstr(&normal->body), "configuration is active: queues added: 1"));
    assert_non_null(strstr(yk_buf_cstr(&normal->body), "\"type\":\"Normal\""));

    world->core.refuse_config = "root.x: too much";
    upsert(world, config(world, "a", "b"));
    told(world, "");
    struct yk_op *event = event_with(world, "root.x: too much");
    assert_non_null(event);
    assert_non_null(strstr(yk_buf_cstr(&event->body), "ConfigMap"));
    assert_non_null(strstr(yk_buf_cstr(&event->body), "\"type\":\"Warning\""));
    world->core.refuse_config = NULL;

    assert_non_null(
        strstr(world->core.last_source, "ConfigMap yunikorn/yunikorn-configs, resource version "));
    upsert(world, config(world, "kubernetes.qps", "many"));
    work(world);
    assert_non_null(
        strstr(yk_buf_cstr(&world->core.log), "refused mycluster from ConfigMap yunikorn/yunikorn-"));
    assert_non_null(strstr(yk_buf_cstr(&world->core.log), "kubernetes.qps"));
    yk_buf_done(&world->core.log);
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.reloads_refused, 2);
    assert_int_equal(yk_shim_config(world->shim), YK_SHIM_CONFIG_REFUSED);

    upsert(world, config(world, "service.enableConfigHotRefresh", "false"));
    told(world, "reload mycluster");
    assert_int_equal(yk_shim_config(world->shim), YK_SHIM_CONFIG_VALID);
    upsert(world, config(world, "service.enableConfigHotRefresh", "true"));
    told(world, ""); /* once off it stays off */
}

/* ---- binds ---- */

static void a_pod_is_bound(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
    work(world);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    assert_non_null(event_with(world, "Successfully assigned ns/p to node n1"));
    upsert(world, pod_on(world, "p", "n1"));
    struct yk_pod *over = pod_on(world, "p", "n1");
    set_text(&over->object, &over->phase, "Succeeded");
    upsert(world, over);
    told(world, "release uid-p 1");
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.bound, 1);
    assert_int_equal(counts.tasks, 0);
    assert_int_equal(counts.applications, 1); /* until the core says it is over */
    fake_core_app_state(&world->core, "app", YK_APP_COMPLETED, YK_SI_FAILURE_OTHER, "");
    work(world);
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.applications, 0);
    upsert(world, pod(world, "q"));
    told(world, "app app; ask uid-q");
}

static void answers_of_the_api_server(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *what;
        enum yk_op_result result;
        int http;
        const char *reason;
        int64_t later_ns;
        const char *told;
        bool bound, again;
    } cases[] = {
        {"bound", YK_OP_OK, 201, NULL, 0, "", true, false},
        {"the pod is gone", YK_OP_NOT_FOUND, 404, "pods \"p\" not found", 0, "release uid-p 1", false, false},
        {"an earlier try got through", YK_OP_CONFLICT, 409, "pod p is already assigned to node \"n1\"", 0, "",
         true, false},
        {"bound elsewhere: the watch tells", YK_OP_CONFLICT, 409, "pod p is already assigned to node \"n2\"",
         0, "", false, false},
        {"the watch does not tell", YK_OP_CONFLICT, 409, "the UID in the precondition", 31 * YK_NS_PER_S,
         "release uid-p 5", false, false},
        {"refused", YK_OP_INVALID, 403, "forbidden", 0, "release uid-p 5", false, false},
        {"too many requests", YK_OP_RETRY, 429, "slow down", 1 * YK_NS_PER_S, "", false, true},
        {"no answer", YK_OP_RETRY, 0, "time-out", 1 * YK_NS_PER_S, "", false, true},
        {"not yet", YK_OP_RETRY, 500, "oops", YK_NS_PER_S / 2, "", false, false},
    };
    running(world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_shim_counts before, after;
        decided(world, "p");
        yk_shim_count(world->shim, &before);
        assert_true(answer(world, cases[i].result, cases[i].http, cases[i].reason));
        pass(world, cases[i].later_ns);
        yk_shim_count(world->shim, &after);
        if (strcmp(yk_buf_cstr(&world->core.log), cases[i].told) != 0)
            fail_msg("%s: the core was told '%s'", cases[i].what, yk_buf_cstr(&world->core.log));
        if ((after.bound > before.bound) != cases[i].bound || (after.binds_in_flight > 0) != cases[i].again)
            fail_msg("%s: bound %d, again %d", cases[i].what, after.bound > before.bound,
                     after.binds_in_flight > 0);
        removed(world, pod(world, "p"));
        while (answer(world, YK_OP_NOT_FOUND, 404, NULL))
            continue;
        work(world);
        assert_null(fake_core_ask(&world->core, "uid-p"));
        yk_buf_done(&world->core.log);
    }
}

static void retries_end(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    int tries = 0;
    while (tries < 20 && answer(world, YK_OP_RETRY, 503, "unavailable")) {
        tries++;
        pass(world, 31 * YK_NS_PER_S);
    }
    assert_int_equal(tries, 8);
    told(world, "release uid-p 5");
    /* A second decision that comes to nothing is held back before the core hears of it. */
    assert_true(fake_core_decide(&world->core, "uid-p", "n2"));
    work(world);
    assert_true(answer(world, YK_OP_INVALID, 422, "no"));
    told(world, "");
    pass(world, YK_NS_PER_S);
    told(world, "release uid-p 5");
}

static void bound_but_the_answer_is_lost(struct world *world, const char *name, bool watch_first)
{
    decided(world, name);
    if (watch_first)
        upsert(world, pod_on(world, name, "n1"));
    assert_true(answer(world, YK_OP_RETRY, 0, "connection lost"));
    if (!watch_first)
        upsert(world, pod_on(world, name, "n1"));
    pass(world, 60 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 0);
    told(world, "");
}

static void the_watch_settles_a_lost_answer(void **state)
{
    struct world *world = *state;
    running(world);
    bound_but_the_answer_is_lost(world, "p", false);
    bound_but_the_answer_is_lost(world, "q", true); /* also while the request is on its way */
    /* And after the task was taken back. */
    decided(world, "r");
    assert_true(answer(world, YK_OP_INVALID, 403, "forbidden"));
    told(world, "release uid-r 5");
    upsert(world, pod_on(world, "r", "n1"));
    told(world, "again alloc uid-r@n1");
}

static void bound_elsewhere(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    upsert(world, pod_on(world, "p", "n2"));
    told(world, "release uid-p 1; alloc uid-p@n2");
    assert_true(answer(world, YK_OP_CONFLICT, 409, "pod p is already assigned to node \"n2\""));
    pass(world, 60 * YK_NS_PER_S);
    told(world, "");
}

static void deleted_while_binding(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    removed(world, pod(world, "p"));
    told(world, "release uid-p 1");
    assert_true(answer(world, YK_OP_NOT_FOUND, 404, NULL));
    told(world, "");
    /* Another pod took the name meanwhile. */
    decided(world, "q");
    struct yk_pod *again = pod(world, "q");
    set_text(&again->object, &again->object.uid, "uid-second");
    upsert(world, again);
    told(world, "release uid-q 1; ask uid-second");
    assert_true(answer(world, YK_OP_CONFLICT, 409, "uid"));
    told(world, "");
}

/* S13: its room is free as soon as the API server and the watch agree that it is going, in either order. */
static void going_while_binding(void **state)
{
    struct world *world = *state;
    running(world);
    for (int watch_first = 0; watch_first < 2; watch_first++) {
        const char *name = watch_first ? "q" : "p";
        decided(world, name);
        struct yk_pod *going = pod(world, name);
        going->object.deleting = true;
        if (watch_first)
            upsert(world, going);
        told(world, ""); /* the request is on its way */
        assert_true(answer(world, YK_OP_CONFLICT, 409, "pod is being deleted, cannot be assigned to a host"));
        if (!watch_first)
            upsert(world, going);
        told(world, watch_first ? "release uid-q 1" : "release uid-p 1");
        removed(world, pod(world, name));
        told(world, "");
    }
}

static void node_deleted_while_binding(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    removed(world, node(world, "n1"));
    told(world, "node n1 4; release uid-p 0"); /* the pod waits for its answer */
    assert_true(answer(world, YK_OP_INVALID, 422, "no such node"));
    told(world, "ask uid-p");
    assert_true(fake_core_decide(&world->core, "uid-p", "n2"));
    settle(world);
    removed(world, node(world, "n2"));
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    told(world, "node n2 4; release uid-p 0");
    upsert(world, pod_on(world, "p", "n2"));
    told(world, ""); /* an orphan */
    upsert(world, node(world, "n2"));
    told(world, "node n2 6 capacity; node n2 5; alloc uid-p@n2");
}

static void going_pods_are_not_started(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *going = pod(world, "p");
    going->object.deleting = true;
    upsert(world, going);
    told(world, "");
    upsert(world, pod(world, "q"));
    told(world, "app app; ask uid-q");
    going = pod(world, "q");
    going->object.deleting = true;
    upsert(world, going);
    told(world, "release uid-q 1");
    struct yk_pod *gated = pod(world, "g");
    add_gate(gated, "wait");
    upsert(world, gated);
    told(world, "");
    upsert(world, pod(world, "g"));
    told(world, "ask uid-g");
}

/* ---- applications ---- */

static void late_acceptance(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.late_answers = true;
    struct yk_pod *young = pod(world, "young"), *old = pod(world, "old");
    young->object.creation_wall_ns = 2 * YK_NS_PER_S;
    old->object.creation_wall_ns = 1 * YK_NS_PER_S;
    upsert(world, young);
    upsert(world, old);
    upsert(world, pod(world, "short"));
    told(world, "app app");
    removed(world, pod(world, "short"));
    told(world, ""); /* the core never heard of it */
    fake_core_answer_app(&world->core, "app", true);
    told(world, "ask uid-old; ask uid-young");

    struct yk_pod *lonely = pod(world, "lonely");
    lonely->object.labels.items[0].value = YK_STR("other");
    upsert(world, lonely);
    told(world, "app other");
    lonely = pod(world, "lonely");
    removed(world, lonely);
    told(world, "");
    fake_core_answer_app(&world->core, "other", true);
    told(world, "remove app other"); /* all of its pods ended before */
}

static void rejection_fails_the_pods(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_app = "queue root.x: is not there";
    upsert(world, pod(world, "p"));
    told(world, "app app");
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_string_equal(yk_buf_cstr(&op->body), "{\"metadata\":{\"uid\":\"uid-p\"},\"status\":{\"phase\":"
                                                "\"Failed\",\"reason\":\"ApplicationRejected\","
                                                "\"message\":\" queue root.x: is not there\"}}");
    struct yk_pod *over = pod(world, "p");
    set_text(&over->object, &over->phase, "Failed");
    upsert(world, over);
    world->core.refuse_app = NULL;
    upsert(world, pod(world, "q"));
    told(world, "app app; ask uid-q");
}

static void a_rejected_ask(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_ask = "no";
    upsert(world, pod(world, "p"));
    told(world, "app app; ask uid-p");
    removed(world, pod(world, "p"));
    told(world, "remove app app"); /* the core has heard of nothing that could end (D23) */
}

/* P17: what is not taken as large as it is may be taken once it is resized. */
static void a_rejected_ask_is_resized(void **state)
{
    struct world *world = *state;
    running(world);
    world->core.refuse_ask = "too much";
    upsert(world, big_pod(world, "p"));
    told(world, "app app; ask uid-p");
    world->core.refuse_ask = NULL;
    upsert(world, big_pod(world, "p"));
    told(world, ""); /* it is what it was */
    upsert(world, pod(world, "p"));
    told(world, "ask uid-p");
}

/* ---- nodes, sizes, conditions ---- */

static void nodes_change(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_k8s_node *changed = node(world, "n1");
    changed->unschedulable = true;
    upsert(world, changed);
    told(world, "node n1 2 constraints; node n1 3");
    changed = make_node("n1", next_version(world), "cpu=8 memory=100 pods=10");
    upsert(world, changed);
    told(world, "node n1 2 capacity constraints; node n1 5");
    changed = make_node("n1", next_version(world), "cpu=8 memory=100 pods=10");
    add_taint(changed, "k", "", "NoSchedule");
    upsert(world, changed);
    told(world, "node n1 2 constraints");
    upsert(world, pod(world, "p"));
    work(world);
    assert_false(fake_core_decide(&world->core, "uid-p", "n1"));
    struct yk_pod *tolerant = pod(world, "p");
    add_toleration(tolerant, "k", "Exists", "", "");
    yk_buf_done(&world->core.log);
    upsert(world, tolerant);
    told(world, "release uid-p 1; ask uid-p");
    assert_true(fake_core_decide(&world->core, "uid-p", "n1"));
}

static void sizes_change(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *wants = pod(world, "p");
    add_container(wants, "gpu", "vendor.x/accelerator=2");
    upsert(world, wants);
    told(world, "app app; ask uid-p");
    int asked = yk_restype_asked(YK_STR("vendor.x/accelerator"), YK_STR("default"));
    assert_int_equal(yk_resvec_get(&fake_core_ask(&world->core, "uid-p")->size, asked), 2);
    upsert(world, make_node("n3", next_version(world), "cpu=4 pods=10 vendor.x/accelerator=4"));
    told(world, "node n3 6 capacity; node n3 5; again ask uid-p");
    int type = yk_restype_find(YK_STR("vendor.x/accelerator"));
    assert_int_equal(yk_resvec_get(&fake_core_ask(&world->core, "uid-p")->size, type), 2);
    assert_false(yk_resvec_has(&fake_core_ask(&world->core, "uid-p")->size, asked));
    struct yk_pod *foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    add_owner(&foreign->object, "Node");
    upsert(world, foreign);
    told(world, "foreign uid-f@n1");
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    upsert(world, foreign);
    told(world, ""); /* nothing that matters */
    foreign = pod_on(world, "f", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "other");
    add_container(foreign, "more", "cpu=1");
    upsert(world, foreign);
    told(world, "again foreign uid-f@n1");
    removed(world, pod_on(world, "f", "n1"));
    told(world, "release uid-f 1");
}

static void the_condition(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    waits(world, "uid-p");
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_string_equal(yk_buf_cstr(&op->body),
                        "{\"metadata\":{\"uid\":\"uid-p\",\"resourceVersion\":\"3\"},"
                        "\"status\":{\"conditions\":[{\"type\":"
                        "\"PodScheduled\",\"status\":\"False\",\"lastTransitionTime\":"
                        "\"2023-11-14T22:13:20Z\",\"reason\":\"Unschedulable\",\"message\":"
                        "\"0/2 nodes are available: 2 Insufficient cpu.\"}]}}");
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_OK, 200, NULL));
    pass(world, 2 * YK_NS_PER_S);
    waits(world, "uid-p");
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p")); /* nothing new */
    struct yk_k8s_node *cordoned = node(world, "n2");
    cordoned->unschedulable = true;
    upsert(world, cordoned);
    pass(world, 10 * YK_NS_PER_S);
    waits(world, "uid-p");
    op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_null(strstr(yk_buf_cstr(&op->body), "lastTransitionTime")); /* the status is as it was */
    assert_non_null(strstr(yk_buf_cstr(&op->body), "1 Insufficient cpu, 1 node(s) were unschedulable."));
}

/* A quota holds it: autoscalers leave such a pod alone; they hear of it again when a node would help. */
static void a_condition_for_a_quota(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, big_pod(world, "p"));
    work(world);
    static const struct {
        enum yk_si_scheduling_state state;
        const char *reason;
        int64_t stays_ns; /* before it is written */
    } steps[] = {{YK_SI_STATE_FAILED, "\"Unschedulable\"", 0},
                 {YK_SI_STATE_SKIPPED, "\"SchedulingSkipped\"", 0},
                 {YK_SI_STATE_FAILED, "\"Unschedulable\"", 50 * YK_NS_PER_S}};
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        fake_core_waits(&world->core, "uid-p", steps[i].state, YK_SI_NO_CAPACITY, "");
        work(world);
        if (steps[i].stays_ns > 0)
            assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
        pass(world, steps[i].stays_ns);
        struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
        assert_non_null(op);
        assert_non_null(strstr(yk_buf_cstr(&op->body), steps[i].reason));
        assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_OK, 200, NULL));
        pass(world, 10 * YK_NS_PER_S);
    }
}

static void a_condition_that_is_there(void **state)
{
    struct world *world = *state;
    running(world);
    struct yk_pod *big = big_pod(world, "p");
    add_condition(big, "PodScheduled", "Unschedulable");
    set_text(&big->object, &big->conditions[0].status, "False");
    set_text(&big->object, &big->conditions[0].message, "0/2 nodes are available: 2 Insufficient cpu.");
    upsert(world, big);
    work(world);
    waits(world, "uid-p");
    assert_null(fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p"));
    assert_null(event_with(world, "FailedScheduling")); /* nor its Event */
}

static void the_core_wants_a_pod_gone(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    released(world, "uid-p", YK_SI_PREEMPTED_BY_SCHEDULER, "preempted");
    struct yk_op *op = fake_api_find(&world->api, YK_OP_PATCH_POD_STATUS, "p");
    assert_non_null(op);
    assert_non_null(strstr(yk_buf_cstr(&op->body), "DisruptionTarget"));
    assert_true(fake_api_answer(&world->api, YK_OP_PATCH_POD_STATUS, "p", YK_OP_OK, 200, NULL));
    op = fake_api_find(&world->api, YK_OP_DELETE_POD, "p");
    assert_non_null(op);
    assert_string_equal(op->uid, "uid-p");
    assert_true(fake_api_answer(&world->api, YK_OP_DELETE_POD, "p", YK_OP_OK, 200, NULL));
    yk_buf_done(&world->core.log);
    removed(world, pod_on(world, "p", "n1"));
    told(world, "release uid-p 3"); /* the confirmation carries the core's own reason */
}

static void binds_are_bounded(void **state)
{
    struct world *world = *state;
    running(world);
    for (int i = 0; i < 50; i++) {
        char name[16], uid[24];
        snprintf(name, sizeof(name), "p%d", i);
        snprintf(uid, sizeof(uid), "uid-p%d", i);
        upsert(world, pod(world, name));
        work(world);
        assert_true(fake_core_decide(&world->core, uid, "n1"));
    }
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 50);
    for (int i = 0; i < 50; i++)
        assert_true(answer(world, YK_OP_RETRY, 429, "slow down"));
    pass(world, 2 * YK_NS_PER_S);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 8); /* fewer at a time now */
    for (int i = 0; i < 50; i++)
        assert_true(answer(world, YK_OP_OK, 201, NULL));
    struct yk_shim_counts counts;
    yk_shim_count(world->shim, &counts);
    assert_int_equal(counts.bound, 50);
    assert_int_equal(counts.binds_waiting, 0);
}

/* Answers the events that are under way, and those that follow at once; how many said Scheduled. */
static size_t take_events(struct world *world)
{
    size_t announced = 0;
    for (struct yk_op *event; (event = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL;) {
        announced += strstr(yk_buf_cstr(&event->body), "Successfully assigned") != NULL;
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    return announced;
}

/* The watch confirms a bind that was answered, at once or while its event waits for its turn: it is
 * reported. */
static void a_confirmation_takes_no_event_away(void **state)
{
    struct world *world = *state;
    enum { PODS = 2 * YK_ANNOUNCED_BURST };
    running(world);
    (void)take_events(world); /* of the start */
    for (int i = 0; i < PODS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "p%d", i);
        decided(world, name);
        assert_true(fake_api_answer(&world->api, YK_OP_BIND, NULL, YK_OP_OK, 201, NULL));
        upsert(world, pod_on(world, name, "n1"));
        work(world);
    }
    size_t announced = take_events(world);
    pass(world, 2 * YK_NS_PER_S);
    announced += take_events(world);
    assert_int_equal(announced, PODS);
}

/* 3.8: what the core has to say about a pod or node becomes an Event of it, unless another one has its
 * name. */
static void events_of_the_core_reach_the_pods(void **state)
{
    struct world *world = *state;
    running(world);
    upsert(world, pod(world, "p"));
    work(world);
    (void)take_events(world);
    YK_CLEANUP(yk_buf_done) struct yk_buf handle = {0};
    const struct yk_si_callbacks *callbacks = world->core.callbacks;
    callbacks->ask_handle(world->core.rm, fake_core_ask(&world->core, "uid-p")->cookie, &handle);
    static const char sentence[] = "Request 'uid-p' of uid-p does not fit (requested 1)";
    const struct yk_si_event news[] = {
        {1, 0, 0, 1, "uid-p", "app", sentence, yk_buf_cstr(&handle), {9, 37}},
        {1, 0, 0, 1, "uid-of-before", "app", "of a pod that is gone", yk_buf_cstr(&handle), {0, 0}},
        {1, 0, 0, 1, "uid-q", "app", "never there", "default/q", {0, 0}},
        {1, 0, 0, 1, "uid-p", "app", "without a handle", NULL, {0, 0}},
        {2, 0, 0, 1, "app", "", "of an application", NULL, {0, 0}},
        {3, 2, 0, 1, "n1", "", "Node added", NULL, {0, 0}},
        {3, 3, 300, 1, "gone", "", "Node removed", NULL, {0, 0}},
    };
    callbacks->events(world->core.rm, news, YK_COUNT(news));
    work(world);
    static const struct {
        const char *kind, *note;
    } want[] = {{"\"Pod\"", "\"Request 'p' of uid-p does not fit\""}, {"\"Node\"", "Node added"}};
    for (size_t i = 0; i < YK_COUNT(want); i++) {
        struct yk_op *event = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL);
        assert_non_null(event);
        const char *body = yk_buf_cstr(&event->body);
        if (strstr(body, want[i].note) == NULL || strstr(body, want[i].kind) == NULL ||
            strstr(body, "\"reason\":\"Informational\"") == NULL || strstr(body, "\"Normal\"") == NULL)
            fail_msg("%s: %s", want[i].note, body);
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    assert_null(fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL));
}

static void put_pod_resources(struct world *world, int metric, struct yk_buf *out)
{
    struct yk_si_dump at = {.part = metric};
    while (world->core.callbacks->pod_resources(world->core.rm, &at, out))
        ;
}

/* rest.md 10.5: requests and limits of pods of all schedulers. */
static void requests_and_limits_of_pods(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    struct yk_pod *waiting = pod(world, "waits");
    struct yk_container *container =
        add_container(waiting, "c", "cpu=500m memory=1Gi example.com/x=2 attachable-volumes-csi-x=3");
    add_amounts(&waiting->object, &container->limits, "cpu=2");
    upsert(world, waiting);
    struct yk_pod *foreign = pod(world, "foreign");
    set_text(&foreign->object, &foreign->scheduler_name, "default-\"scheduler");
    set_text(&foreign->object, &foreign->node_name, "n1");
    foreign->priority = -7;
    add_container(foreign, "c", "hugepages-2Mi=4Mi");
    upsert(world, foreign);
    work(world);
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    put_pod_resources(world, YK_SI_POD_REQUESTS, &out);
    put_pod_resources(world, YK_SI_POD_LIMITS, &out);
    const char *text = yk_buf_cstr(&out), *limits = strstr(text, "# HELP kube_pod_resource_limit ");
    static const char *const want[] = {
        "# TYPE kube_pod_resource_request gauge\n",
        "kube_pod_resource_request{namespace=\"ns\",node=\"n1\",pod=\"p\",priority=\"0\",resource=\"cpu\","
        "scheduler=\"yunikorn\",unit=\"cores\"} 1\n",
        "node=\"\",pod=\"waits\",priority=\"0\",resource=\"cpu\",scheduler=\"yunikorn\",unit=\"cores\"} "
        "1.5\n",
        "node=\"\",pod=\"waits\",priority=\"0\",resource=\"memory\",scheduler=\"yunikorn\",unit=\"bytes\"} "
        "1073741824\n",
        "resource=\"example.com/x\",scheduler=\"yunikorn\",unit=\"\"} 2\n",
        "resource=\"attachable-volumes-csi-x\",scheduler=\"yunikorn\",unit=\"integer\"} 3\n",
        "node=\"n1\",pod=\"foreign\",priority=\"-7\",resource=\"hugepages-2Mi\",scheduler=\"default-"
        "\\\"scheduler\","
        "unit=\"bytes\"} 4194304\n",
        "kube_pod_resource_limit{namespace=\"ns\",node=\"\",pod=\"waits\",priority=\"0\",resource=\"cpu\","
        "scheduler=\"yunikorn\",unit=\"cores\"} 2\n",
    };
    for (size_t i = 0; i < YK_COUNT(want); i++) {
        if (strstr(text, want[i]) == NULL)
            fail_msg("no '%s' in\n%s", want[i], text);
    }
    assert_null(strstr(text, "resource=\"pods\""));
    assert_non_null(limits);
    assert_null(strstr(limits, "kube_pod_resource_request"));
}

/* Pods that are there all the time are written once, however many come meanwhile. */
static void requests_go_on_when_the_table_grows(void **state)
{
    enum { PODS = 200 };
    struct world *world = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_si_dump at = {0};
    char name[64];
    running(world);
    for (int i = 0; i < 20 * PODS; i++) {
        if (i >= PODS && i % PODS == 0)
            assert_true(world->core.callbacks->pod_resources(world->core.rm, &at, &out) || i > PODS);
        (void)snprintf(name, sizeof(name), "p%d", i);
        upsert(world, pod(world, name));
    }
    while (at.at < at.seen)
        (void)world->core.callbacks->pod_resources(world->core.rm, &at, &out);
    assert_false(out.failed);
    for (int i = 0; i < PODS; i++) {
        (void)snprintf(name, sizeof(name), ",pod=\"p%d\",priority=\"0\",resource=\"cpu\"", i);
        const char *line = strstr(yk_buf_cstr(&out), name);
        if (line == NULL || strstr(line + 1, name) != NULL)
            fail_msg("%s", name);
    }
}

/* S25: what the cache holds, as JSON. */
static void state_dump_of_the_cache(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    struct yk_pod *waiting = pod(world, "waits");
    set_text(&waiting->object, &waiting->phase, "Pending");
    set_text(&waiting->object, &waiting->priority_class, "low");
    set_text(&waiting->object, &waiting->preemption_policy, "Never");
    add_toleration(waiting, "k", "Exists", "", "NoExecute");
    add_toleration(waiting, "l", "Exists", "", "Unheard");
    add_pair(&waiting->object, &waiting->node_selector, "disk", "ssd");
    upsert(world, waiting);
    struct yk_priority_class *low = make_priority_class("low", next_version(world));
    add_pair(&low->object, &low->object.annotations, "yunikorn.apache.org/allow-preemption", "false");
    set_text(&low->object, &low->preemption_policy, "Never");
    upsert(world, low);
    struct yk_k8s_node *tainted = node(world, "n2");
    add_taint(tainted, "t", "v", "Unheard");
    upsert(world, tainted);
    work(world);
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    struct yk_si_dump dump = {0};
    struct yk_json json;
    yk_json_init(&json, &out);
    while (world->core.callbacks->state_dump(world->core.rm, &dump, &json))
        ;
    const char *text = yk_buf_cstr(&out);
    static const char *const want[] = {
        "{\"cache\":{\"statistics\":{\"nodes\":2,\"pods\":2,\"priorityClasses\":1,",
        ",\"assumed\":1,\"podsAssigned\":1,\"phases\":{\"Pending\":2}}",
        "\"creationTimestamp\":\"1970-01-01T00:00:00Z\"",
        "\"labels\":{\"applicationId\":\"app\"},\"priorityClassName\":\"low\",\"preemptionPolicy\":\"Never\","
        "\"nodeSelector\":{\"disk\":\"ssd\"},\"tolerations\":[{\"key\":\"k\",\"operator\":\"Exists\","
        "\"effect\":"
        "\"NoExecute\"},{\"key\":\"l\",\"operator\":\"Exists\",\"effect\":\"other\"}],",
        "\"status\":{\"phase\":\"Pending\"}}",
        "\"taints\":[{\"key\":\"t\",\"value\":\"v\",\"effect\":\"other\"}]",
        "\"low\":{\"name\":\"low\",\"value\":0,\"annotations\":{\"yunikorn.apache.org/"
        "allow-preemption\":\"false\"},"
        "\"preemptionPolicy\":\"Never\"}",
        "\"n1\":{\"name\":\"n1\",\"uid\":",
        "\"uid\":\"uid-p\",\"assignedNode\":\"n1\",\"assumed\":true}",
        "{\"uid\":\"uid-waits\"}",
        "\"schedulerName\":\"yunikorn\",\"labels\":{\"applicationId\":\"app\"},\"resources\":{\"cpu\":1000",
    };
    for (size_t i = 0; i < YK_COUNT(want); i++) {
        if (strstr(text, want[i]) == NULL)
            fail_msg("%s is not in %s", want[i], text);
    }
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    work(world);
}

static void binds_come_before_events(void **state)
{
    struct world *world = *state;
    running(world);
    (void)take_events(world); /* of the start */
    for (int i = 0; i < 60; i++) {
        char name[16];
        snprintf(name, sizeof(name), "p%d", i);
        decided(world, name);
        assert_true(answer(world, YK_OP_OK, 201, NULL));
        work(world);
    }
    size_t announced = take_events(world);
    assert_int_equal(announced, YK_ANNOUNCED_BURST + 1);
    for (int i = 0; i < 10; i++) { /* pods are still being bound */
        pass(world, YK_NS_PER_S / 50);
        announced += take_events(world);
    }
    assert_in_range(announced, YK_ANNOUNCED_BURST + 9, YK_ANNOUNCED_BURST + 11);
    pass(world, 2 * YK_NS_PER_S); /* quiet */
    announced += take_events(world);
    assert_int_equal(announced, 60);
}

static void stopping(void **state)
{
    struct world *world = *state;
    running(world);
    decided(world, "p");
    upsert(world, pod(world, "q"));
    work(world);
    yk_shim_stop(world->shim);
    assert_false(yk_shim_is_stopped(world->shim));
    assert_true(fake_core_decide(&world->core, "uid-q", "n1"));
    work(world);
    assert_int_equal(fake_api_count(&world->api, YK_OP_BIND), 1);
    assert_true(answer(world, YK_OP_OK, 201, NULL));
    assert_true(yk_shim_is_stopped(world->shim));
    assert_false(yk_shim_is_ready(world->shim));
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(start_up_order),
        CASE(no_config_map_is_told),
        CASE(start_waits_for_users_of_what_runs),
        CASE(start_does_not_wait_for_other_users),
        CASE(start_forces_what_runs),
        CASE(start_counts_what_is_answered_at_once),
        CASE(bad_configuration_at_start),
        CASE(bad_setting_at_start),
        CASE(reload),
        cmocka_unit_test_setup_teardown(events_that_change_something_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reload_on_another_thread, set_up_with_aside, tear_down),
        CASE(draining_queue_is_told_on_the_config_map),
        CASE(a_pod_is_bound),
        CASE(answers_of_the_api_server),
        CASE(retries_end),
        CASE(the_watch_settles_a_lost_answer),
        CASE(bound_elsewhere),
        CASE(deleted_while_binding),
        CASE(going_while_binding),
        CASE(node_deleted_while_binding),
        CASE(going_pods_are_not_started),
        CASE(late_acceptance),
        CASE(rejection_fails_the_pods),
        CASE(a_rejected_ask),
        CASE(a_rejected_ask_is_resized),
        CASE(nodes_change),
        CASE(sizes_change),
        CASE(the_condition),
        CASE(a_condition_for_a_quota),
        CASE(a_condition_that_is_there),
        CASE(the_core_wants_a_pod_gone),
        CASE(binds_are_bounded),
        CASE(a_confirmation_takes_no_event_away),
        CASE(events_of_the_core_reach_the_pods),
        CASE(state_dump_of_the_cache),
        CASE(requests_and_limits_of_pods),
        CASE(requests_go_on_when_the_table_grows),
        CASE(binds_come_before_events),
        CASE(stopping)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
