/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct yk_cluster_options quick = {.seed = 7};
static const struct yk_cluster_options real_times = {
    .seed = 7,
    .request_ns = 2 * YK_NS_PER_MS,
    .watch_ns = 5 * YK_NS_PER_MS,
    .start_ns = YK_NS_PER_S,
    .termination_ns = 3 * YK_NS_PER_S,
    .node_lost_ns = 10 * YK_NS_PER_S,
};

static void a_watch_lists_and_then_tells_changes(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    fixture_watch(&f, YK_KIND_NODE, NULL);
    assert_int_equal(f.heard_count, 0); /* never from within the call */
    fixture_pass(&f, 5 * YK_NS_PER_MS);
    assert_int_equal(f.heard_count, 3);
    assert_int_equal(f.heard[1].at_ns, 5 * YK_NS_PER_MS);
    fixture_expect_story(&f, "[ +n1 ]");

    add_node(&f, "n2", "4", "8Gi");
    assert_true(yk_cluster_cordon(f.cluster, "n1", true));
    assert_true(yk_cluster_delete(f.cluster, YK_KIND_NODE, NULL, "n2"));
    assert_false(yk_cluster_delete(f.cluster, YK_KIND_NODE, NULL, "n2"));
    fixture_pass(&f, 4 * YK_NS_PER_MS);
    assert_int_equal(f.heard_count, 0);
    fixture_pass(&f, YK_NS_PER_MS);
    assert_int_equal(f.heard_count, 3);
    assert_true(f.heard[1].unschedulable);
    assert_true(f.heard[0].version < f.heard[1].version && f.heard[1].version < f.heard[2].version);
    fixture_expect_story(&f, "+n2 +n1 -n2");
    fixture_done(&f);
}

static void a_field_selector_turns_a_change_into_an_end(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &quick);
    add_node(&f, "n1", "4", "8Gi");
    fixture_watch(&f, YK_KIND_POD, "status.phase!=Succeeded,status.phase!=Failed");
    fixture_pass(&f, 0);
    fixture_expect_story(&f, "[ ]");
    add_pod(&f, "p", "1", YK_NS_PER_S);
    struct answered answer;
    bind_pod(&f, "p", "n1", &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.http_status, 201);
    fixture_expect_story(&f, "+p +p@n1 +p@n1"); /* pending, bound, running */
    fixture_pass(&f, YK_NS_PER_S);
    fixture_expect_story(&f, "-p@n1");
    assert_non_null(pod_named(&f, "p")); /* it is still there, only not selected */
    fixture_done(&f);
}

static void a_replaced_object_keeps_its_uid_and_a_new_one_gets_another(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f, &quick);
    fixture_watch(&f, YK_KIND_NODE, NULL);
    fixture_pass(&f, 0);
    add_node(&f, "n1", "4", "8Gi");
    add_node(&f, "n1", "8", "8Gi");
    yk_cluster_delete(f.cluster, YK_KIND_NODE, NULL, "n1");
    add_node(&f, "n1", "8", "8Gi");
    fixture_pass(&f, 0);
    assert_int_equal(f.heard_count, 6);
    assert_string_equal(f.heard[2].uid, f.heard[3].uid);
    assert_string_equal(f.heard[2].uid, f.heard[4].uid);
    assert_string_not_equal(f.heard[2].uid, f.heard[5].uid);
    fixture_done(&f);
}

/* As a kubelet does it: from the start of the pod, whatever it would run. */
static void a_pod_fails_at_its_deadline(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t run_s, deadline_s;
        const char *phase; /* 10 s after its start */
    } cases[] = {
        {"it would run longer", 60, 9, "Failed"},
        {"it would never end", 0, 9, "Failed"},
        {"it ends before", 8, 9, "Succeeded"},
        {"not yet", 60, 11, "Running"},
        {"as the API server would not take it", 60, -9, "Running"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct fixture f;
        struct answered answer;
        fixture_init(&f, &quick);
        add_node(&f, "n1", "4", "8Gi");
        const struct yk_sim_pod pod = {
            .namespace_ = "default", .name = "p", .active_deadline_s = cases[i].deadline_s};
        assert_int_equal(
            yk_cluster_create_pod(f.cluster, yk_sim_pod_new(&pod), cases[i].run_s * YK_NS_PER_S, NULL),
            YK_OK);
        bind_pod(&f, "p", "n1", &answer);
        fixture_pass(&f, 10 * YK_NS_PER_S);
        const struct yk_pod *now = pod_named(&f, "p");
        if (!yk_str_is(now->phase, cases[i].phase))
            fail_msg("%s: " YK_STR_FMT, cases[i].what, YK_STR_ARG(now->phase));
        assert_int_equal(now->start_wall_ns, TEST_WALL_NS);
        fixture_done(&f);
    }
}

static void a_bound_pod_runs_for_its_time(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    add_pod(&f, "p", "1500m", 10 * YK_NS_PER_S);
    fixture_watch(&f, YK_KIND_POD, NULL);
    bind_pod(&f, "p", "n1", &answer);
    fixture_pass(&f, 60 * YK_NS_PER_S);
    assert_int_equal(answer.result, YK_OP_OK);
    assert_int_equal(answer.at_ns, 4 * YK_NS_PER_MS);

    static const struct {
        const char *phase;
        int64_t at_ns;
    } want[] = {
        /* bound after 2 ms, told after 5 more; the list came at 5 and had it already */
        {"Pending", 5 * YK_NS_PER_MS},
        {"Running", 1007 * YK_NS_PER_MS},
        {"Succeeded", 11007 * YK_NS_PER_MS},
    };
    size_t at = 0;
    for (size_t i = 0; i < f.heard_count; i++) {
        if (f.heard[i].event != YK_WATCH_UPSERT)
            continue;
        assert_true(at < YK_COUNT(want));
        assert_string_equal(f.heard[i].phase, want[at].phase);
        assert_int_equal(f.heard[i].at_ns, want[at].at_ns);
        at++;
    }
    assert_int_equal(at, YK_COUNT(want));
    YK_RESVEC(used);
    YK_RESVEC(has);
    assert_true(yk_cluster_node_usage(f.cluster, "n1", &used, &has));
    assert_true(yk_resvec_is_zero(&used));
    assert_int_equal(yk_resvec_get(&has, YK_RESTYPE_VCORE), 4000);
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    fixture_done(&f);
}

static void binding_is_answered_as_an_api_server_does(void **state)
{
    (void)state;
    static const struct {
        const char *what, *pod, *uid, *node;
        int status;
        enum yk_op_result result;
    } cases[] = {
        {"a pod that is not there", "none", NULL, "n1", 404, YK_OP_NOT_FOUND},
        {"another uid", "free", "other", "n1", 409, YK_OP_CONFLICT},
        {"its own uid", "guarded", "", "n1", 201, YK_OP_OK},
        {"a node that is not there: no check", "free", NULL, "nowhere", 201, YK_OP_OK},
        {"bound already, same node", "bound", NULL, "n1", 409, YK_OP_CONFLICT},
        {"being deleted", "going", NULL, "n2", 409, YK_OP_CONFLICT},
    };
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    add_pod(&f, "free", "1", 0);
    add_pod(&f, "guarded", "1", 0);
    add_pod(&f, "bound", "1", 0);
    add_pod(&f, "going", "1", 0);
    bind_pod(&f, "bound", "n1", &answer);
    fixture_pass(&f, YK_NS_PER_S);
    struct answered other;
    bind_pod(&f, "going", "n2", &other);
    fixture_pass(&f, YK_NS_PER_S);
    assert_true(yk_cluster_delete(f.cluster, YK_KIND_POD, "default", "going"));
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char uid[64] = "";
        if (cases[i].uid != NULL && cases[i].uid[0] == '\0')
            (void)snprintf(uid, sizeof(uid), YK_STR_FMT, YK_STR_ARG(pod_named(&f, cases[i].pod)->object.uid));
        submit(&f, YK_OP_BIND, cases[i].pod, uid[0] != '\0' ? uid : cases[i].uid, cases[i].node, NULL,
               &answer);
        fixture_pass(&f, 10 * YK_NS_PER_MS);
        if (!answer.came || answer.http_status != cases[i].status || answer.result != cases[i].result)
            fail_msg("%s: got %d (%s)", cases[i].what, answer.http_status, answer.reason);
    }
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    fixture_done(&f);
}

static void the_books_find_a_second_binding_and_a_full_node(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    struct yk_err err;
    fixture_init(&f, &quick);
    add_node(&f, "n1", "2", "8Gi");
    add_node(&f, "n2", "2", "8Gi");
    add_pod(&f, "a", "1500m", 0);
    add_pod(&f, "b", "600m", 0);
    bind_pod(&f, "a", "n1", &answer);
    fixture_pass(&f, 0);
    assert_int_equal(yk_cluster_check(f.cluster, &err), YK_OK);
    bind_pod(&f, "b", "n1", &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.result, YK_OP_OK); /* an API server does not count */
    assert_int_equal(yk_cluster_check(f.cluster, &err), YK_ERR_STATE);
    assert_non_null(strstr(err.text, "node 'n1'"));
    bind_pod(&f, "a", "n2", &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.http_status, 409);
    struct yk_cluster_stats stats;
    yk_cluster_stats(f.cluster, &stats);
    assert_int_equal(stats.double_binds, 1);
    assert_int_equal(stats.overcommits, 1);
    assert_int_equal(stats.binds, 2);
    fixture_done(&f);
}

/* Put there with its end already in the status: it uses nothing and does not run again. */
static void a_pod_that_is_put_after_its_end_uses_nothing(void **state)
{
    (void)state;
    struct fixture f;
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    const struct yk_sim_pod pod = {.namespace_ = "default", .name = "p", .node_name = "n"};
    fixture_init(&f, &(struct yk_cluster_options){.seed = 1});
    add_node(&f, "n", "4", "8Gi");
    struct yk_object *ended = yk_sim_pod_new(&pod);
    yk_sim_pod_set_phase(yk_pod_of(ended), "Succeeded");
    yk_cluster_put(f.cluster, ended);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    assert_true(yk_cluster_node_usage(f.cluster, "n", &used, &allocatable));
    assert_int_equal(yk_resvec_get(&used, YK_RESTYPE_PODS), 0);
    assert_true(yk_str_is(pod_named(&f, "p")->phase, "Succeeded"));
    fixture_done(&f);
}

/* Put there by another scheduler, which asks for nothing that exists. */
static void put_on(struct fixture *f, const char *name, const char *cpu)
{
    struct yk_amount amount;
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), yk_str_from(cpu), &amount, NULL), YK_OK);
    const struct yk_sim_pod pod = {
        .namespace_ = "default", .name = name, .node_name = "n", .requests = {&amount, 1}};
    yk_cluster_put(f->cluster, yk_sim_pod_new(&pod));
    fixture_pass(f, YK_NS_PER_S);
}

static void the_usage_is_exact_beside_absurd_amounts(void **state)
{
    (void)state;
    struct fixture f;
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    fixture_init(&f, &(struct yk_cluster_options){.seed = 1});
    add_node(&f, "n", "4", "8Gi");
    put_on(&f, "absurd", "1e30");
    put_on(&f, "p", "1");
    assert_true(yk_cluster_delete(f.cluster, YK_KIND_POD, "default", "absurd"));
    fixture_pass(&f, YK_NS_PER_S);
    assert_true(yk_cluster_node_usage(f.cluster, "n", &used, &allocatable));
    assert_int_equal(yk_resvec_get(&used, YK_RESTYPE_VCORE), 1000);
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    fixture_done(&f);
}

static int64_t cores_used(struct fixture *f, const char *node)
{
    YK_RESVEC(used);
    YK_RESVEC(allocatable);
    assert_true(yk_cluster_node_usage(f->cluster, node, &used, &allocatable));
    return yk_resvec_get(&used, YK_RESTYPE_VCORE) / 1000;
}

/* Another user of the cluster can replace a pod by one on another node. */
static void a_pod_that_is_put_elsewhere_counts_there(void **state)
{
    (void)state;
    static const struct {
        const char *what, *node, *phase;
        int64_t on_n1, on_n2;
    } steps[] = {
        {"it moves", "n2", "Running", 0, 2},   {"it stays", "n2", "Running", 0, 2},
        {"it comes back", "n1", "", 2, 0},     {"to a node that does not exist", "n3", "Running", 0, 0},
        {"it runs again", "n2", "", 0, 2},     {"it leaves its node", "", "", 0, 0},
        {"to its first node", "n1", "", 2, 0}, {"it ends there", "n1", "Failed", 0, 0},
    };
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &quick);
    add_node(&f, "n1", "4", "8Gi");
    add_node(&f, "n2", "4", "8Gi");
    add_pod(&f, "p", "2", 0);
    bind_pod(&f, "p", "n1", &answer);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(cores_used(&f, "n1"), 2);
    for (size_t i = 0; i < YK_COUNT(steps); i++) {
        struct yk_object *object = yk_sim_object_copy(&pod_named(&f, "p")->object);
        yk_pod_of(object)->node_name = yk_arena_str(&object->arena, yk_str_from(steps[i].node));
        yk_sim_pod_set_phase(yk_pod_of(object), steps[i].phase);
        yk_cluster_put(f.cluster, object);
        struct yk_err err = {0};
        if (yk_cluster_check(f.cluster, &err) != YK_OK || cores_used(&f, "n1") != steps[i].on_n1 ||
            cores_used(&f, "n2") != steps[i].on_n2)
            fail_msg("%s: %lld and %lld; %s", steps[i].what, (long long)cores_used(&f, "n1"),
                     (long long)cores_used(&f, "n2"), err.text);
    }
    fixture_done(&f);
}

static void a_node_that_shrinks_is_nobodys_fault(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &quick);
    add_node(&f, "n1", "2", "8Gi");
    add_pod(&f, "a", "1500m", 0);
    bind_pod(&f, "a", "n1", &answer);
    fixture_pass(&f, 0);
    add_node(&f, "n1", "1", "8Gi");
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    /* Later everybody knows. */
    add_pod(&f, "b", "100m", 0);
    fixture_pass(&f, 10 * YK_NS_PER_S);
    bind_pod(&f, "b", "n1", &answer);
    fixture_pass(&f, 0);
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_ERR_STATE);
    fixture_done(&f);
}

static void deletion_gives_running_pods_time(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    add_pod(&f, "waits", "1", 0);
    add_pod(&f, "runs", "1", 0);
    bind_pod(&f, "runs", "n1", &answer);
    fixture_watch(&f, YK_KIND_POD, NULL);
    fixture_pass(&f, 2 * YK_NS_PER_S);
    fixture_expect_story(&f, "[ +waits +runs@n1 ] +runs@n1");

    submit(&f, YK_OP_DELETE_POD, "waits", "wrong", NULL, NULL, &answer);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(answer.http_status, 409);
    submit(&f, YK_OP_DELETE_POD, "waits", NULL, NULL, NULL, &answer);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(answer.http_status, 200);
    fixture_expect_story(&f, "-waits");
    submit(&f, YK_OP_DELETE_POD, "runs", NULL, NULL, NULL, &answer);
    fixture_pass(&f, 2 * YK_NS_PER_S);
    fixture_expect_story(&f, "+runs@n1!");
    fixture_pass(&f, 2 * YK_NS_PER_S);
    fixture_expect_story(&f, "-runs@n1!");
    submit(&f, YK_OP_DELETE_POD, "runs", NULL, NULL, NULL, &answer);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(answer.result, YK_OP_NOT_FOUND);
    fixture_done(&f);
}

/* Its end by a status patch does not keep a pod that is being deleted. */
static void a_deleted_pod_that_ends_is_removed(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    add_pod(&f, "p", "1", 0);
    bind_pod(&f, "p", "n1", &answer);
    fixture_pass(&f, 2 * YK_NS_PER_S);
    submit(&f, YK_OP_DELETE_POD, "p", NULL, NULL, NULL, &answer);
    fixture_pass(&f, YK_NS_PER_S);
    submit(&f, YK_OP_PATCH_POD_STATUS, "p", NULL, NULL, "{\"status\":{\"phase\":\"Failed\"}}", &answer);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(answer.http_status, 200);
    assert_true(yk_str_is(pod_named(&f, "p")->phase, "Failed"));
    fixture_pass(&f, 2 * YK_NS_PER_S);
    assert_null(pod_named(&f, "p"));
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    fixture_done(&f);
}

static void a_removed_node_takes_its_pods_along_later(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    add_pod(&f, "p", "1", 0);
    bind_pod(&f, "p", "n1", &answer);
    fixture_pass(&f, 2 * YK_NS_PER_S);
    assert_true(yk_cluster_delete(f.cluster, YK_KIND_NODE, NULL, "n1"));
    fixture_pass(&f, 9 * YK_NS_PER_S);
    assert_non_null(pod_named(&f, "p"));
    fixture_pass(&f, YK_NS_PER_S);
    assert_null(pod_named(&f, "p"));
    assert_int_equal(yk_cluster_check(f.cluster, NULL), YK_OK);
    fixture_done(&f);
}

static void a_status_patch_merges_conditions_by_type(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &quick);
    add_pod(&f, "p", "1", 0);
    static const struct {
        const char *what, *body;
        int status;
    } cases[] = {
        {"a first condition",
         "{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":"
         "\"Unschedulable\","
         "\"message\":\"no room\"}]}}",
         200},
        {"another type beside it",
         "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}", 200},
        {"what is not mentioned stays",
         "{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"message\":\"later\"}]}}", 200},
        {"another uid", "{\"metadata\":{\"uid\":\"other\"},\"status\":{\"phase\":\"Failed\"}}", 409},
        {"a version that is not the pod's",
         "{\"metadata\":{\"resourceVersion\":\"1\"},\"status\":{\"phase\":\"Failed\"}}", 409},
        {"not JSON", "{\"status\":", 422},
        {"a condition without a type", "{\"status\":{\"conditions\":[{\"status\":\"False\"}]}}", 422},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        submit(&f, YK_OP_PATCH_POD_STATUS, "p", NULL, NULL, cases[i].body, &answer);
        fixture_pass(&f, 0);
        if (answer.http_status != cases[i].status)
            fail_msg("%s: got %d (%s)", cases[i].what, answer.http_status, answer.reason);
    }
    const struct yk_pod *pod = pod_named(&f, "p");
    assert_int_equal(pod->condition_count, 2);
    assert_true(yk_str_is(pod->conditions[0].message, "later"));
    assert_true(yk_str_is(pod->conditions[0].reason, "Unschedulable"));
    assert_true(yk_str_is(pod->phase, "Pending"));

    char body[200];
    snprintf(body, sizeof(body), "{\"metadata\":{\"resourceVersion\":\"" YK_STR_FMT "\"},\"status\":{}}",
             YK_STR_ARG(pod->object.resource_version));
    submit(&f, YK_OP_PATCH_POD_STATUS, "p", NULL, NULL, body, &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.http_status, 200);

    submit(&f, YK_OP_PATCH_POD_STATUS, "p", NULL, NULL,
           "{\"status\":{\"phase\":\"Failed\",\"reason\":\"Why\"}}", &answer);
    fixture_pass(&f, 0);
    assert_true(yk_str_is(pod_named(&f, "p")->phase, "Failed"));
    fixture_done(&f);
}

static void count_ends(void *context, enum yk_pod_moment moment, const struct yk_pod *pod, int64_t age_ns)
{
    int *ends = context;
    (void)pod, (void)age_ns;
    *ends += moment == YK_POD_ENDED;
}

/* A condition that is written late does not end the pod again. */
static void a_pod_ends_once(void **state)
{
    struct fixture f;
    struct answered answer;
    int ends = 0;
    const struct yk_cluster_observer observer = {.context = &ends, .pod_moment = count_ends};
    (void)state;
    struct yk_cluster_options options = quick;
    options.observer = &observer;
    fixture_init(&f, &options);
    add_pod(&f, "p", "1", 0);
    submit(&f, YK_OP_PATCH_POD_STATUS, "p", NULL, NULL, "{\"status\":{\"phase\":\"Failed\"}}", &answer);
    fixture_pass(&f, 0);
    submit(&f, YK_OP_PATCH_POD_STATUS, "p", NULL, NULL, "{\"status\":{\"reason\":\"Why\"}}", &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.http_status, 200);
    assert_int_equal(ends, 1);
    fixture_done(&f);
}

static void config_maps_are_patched(void **state)
{
    (void)state;
    static const struct {
        const char *what, *body;
        int want;
        const char *text; /* of queues.yaml afterwards; NULL: none */
        uint32_t packed;
    } cases[] = {
        {"another version", "{\"metadata\":{\"resourceVersion\":\"99\"},\"data\":{\"queues.yaml\":\"new\"}}",
         409, "old", 1},
        {"a new text, and what hid it goes",
         "{\"data\":{\"queues.yaml\":\"new\"},\"binaryData\":{\"queues.yaml.gz\":null}}", 200, "new", 0},
        {"packed", "{\"data\":{\"queues.yaml\":null},\"binaryData\":{\"queues.yaml.gz\":\"bmV3\"}}", 200,
         NULL, 1},
        {"no patch", "[", 422, "old", 1},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct fixture f;
        struct answered answer;
        fixture_init(&f, &quick);
        struct yk_pair entry = {YK_STR("queues.yaml"), YK_STR("old")};
        struct yk_pair packed = {YK_STR("queues.yaml.gz"), YK_STR("bytes")};
        struct yk_object *map =
            yk_sim_config_map_new("default", "yunikorn-configs", &(struct yk_pairs){&entry, 1});
        yk_config_map_of(map)->binary_data = (struct yk_pairs){&packed, 1};
        yk_cluster_put(f.cluster, yk_sim_object_copy(map));
        yk_config_map_of(map)->binary_data.count = 0;
        yk_object_free(map);
        submit(&f, YK_OP_PATCH_CONFIG_MAP, "yunikorn-configs", NULL, NULL, cases[i].body, &answer);
        fixture_pass(&f, 0);
        const struct yk_object *after =
            yk_cluster_find(f.cluster, YK_KIND_CONFIG_MAP, "default", "yunikorn-configs");
        const struct yk_config_map *seen = (const struct yk_config_map *)(const void *)after;
        struct yk_str text = yk_pairs_get(&seen->data, "queues.yaml");
        bool same = cases[i].text == NULL ? text.p == NULL : yk_str_is(text, cases[i].text);
        if (answer.http_status != cases[i].want || !same || seen->binary_data.count != cases[i].packed)
            fail_msg("%s: %d", cases[i].what, answer.http_status);
        fixture_done(&f);
    }
}

static void pods_events_and_config_maps_through_the_api(void **state)
{
    (void)state;
    struct fixture f;
    struct answered answer;
    fixture_init(&f, &quick);
    struct yk_pair entry = {YK_STR("queues.yaml"), YK_STR("partitions: []")};
    yk_cluster_put(f.cluster,
                   yk_sim_config_map_new("default", "yunikorn-configs", &(struct yk_pairs){&entry, 1}));
    submit(&f, YK_OP_GET_CONFIG_MAP, "yunikorn-configs", NULL, NULL, NULL, &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.result, YK_OP_OK);
    assert_true(
        yk_str_is(yk_pairs_get(&yk_config_map_of(answer.object)->data, "queues.yaml"), "partitions: []"));
    yk_object_free(answer.object);
    submit(&f, YK_OP_GET_CONFIG_MAP, "other", NULL, NULL, NULL, &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.result, YK_OP_NOT_FOUND);

    static const char pod[] =
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"tg\"},\"spec\":{"
        "\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"2\"}}}]}}";
    submit(&f, YK_OP_CREATE_POD, "tg", NULL, NULL, pod, &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.http_status, 201);
    submit(&f, YK_OP_CREATE_POD, "tg", NULL, NULL, pod, &answer);
    fixture_pass(&f, 0);
    assert_int_equal(answer.http_status, 409);
    YK_RESVEC(size);
    yk_sim_pod_size(pod_named(&f, "tg"), &size);
    assert_int_equal(yk_resvec_get(&size, YK_RESTYPE_VCORE), 2000);

    for (int i = 0; i < YK_SIM_EVENTS_KEPT + 2; i++) {
        char body[32];
        (void)snprintf(body, sizeof(body), "{\"n\":%d}", i);
        submit(&f, YK_OP_CREATE_EVENT, "e", NULL, NULL, body, &answer);
        fixture_pass(&f, 0);
    }
    assert_string_equal(yk_cluster_event(f.cluster, 0), "{\"n\":2}");
    assert_string_equal(yk_cluster_event(f.cluster, YK_SIM_EVENTS_KEPT - 1), "{\"n\":1001}");
    assert_null(yk_cluster_event(f.cluster, YK_SIM_EVENTS_KEPT));
    fixture_done(&f);
}

static void stopping_ends_watches_and_finishes_requests(void **state)
{
    (void)state;
    struct fixture f;
    struct answered before, after;
    fixture_init(&f, &real_times);
    add_node(&f, "n1", "4", "8Gi");
    add_pod(&f, "p", "1", 0);
    fixture_watch(&f, YK_KIND_POD, NULL);
    bind_pod(&f, "p", "n1", &before);
    assert_int_equal(yk_api_in_flight(f.api), 1);
    yk_api_stop(f.api);
    bind_pod(&f, "p", "n1", &after);
    assert_false(after.came);
    fixture_pass(&f, YK_NS_PER_S);
    assert_int_equal(before.result, YK_OP_OK);
    assert_int_equal(after.result, YK_OP_CANCELLED);
    assert_int_equal(yk_api_in_flight(f.api), 0);
    assert_int_equal(f.heard_count, 0);
    fixture_done(&f);
}

static void what_a_pod_asks_for(void **state)
{
    (void)state;
    struct yk_amount one = {YK_STR("cpu"), 0}, three = one;
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), YK_STR("1"), &one, NULL), YK_OK);
    assert_int_equal(yk_sim_amount(YK_STR("cpu"), YK_STR("3"), &three, NULL), YK_OK);
    struct yk_container with_one = {.requests = {&one, 1}}, with_three = {.requests = {&three, 1}};
    struct yk_container sidecar = {.requests = {&one, 1}, .restart_policy = YK_STR("Always")};
    struct yk_container init[2] = {sidecar, with_three};
    struct {
        const char *what;
        struct yk_pod pod;
        int64_t vcore;
    } cases[] = {
        {"the sum of its containers", {.containers = &with_one, .container_count = 1}, 1000},
        {"an init container that is larger",
         {.containers = &with_one,
          .container_count = 1,
          .init_containers = &with_three,
          .init_container_count = 1},
         3000},
        {"a sidecar stays beside the others",
         {.containers = &with_one, .container_count = 1, .init_containers = init, .init_container_count = 2},
         4000},
        {"overhead on top", {.containers = &with_one, .container_count = 1, .overhead = {&one, 1}}, 2000},
        {"its own request replaces the sum",
         {.containers = &with_one, .container_count = 1, .pod_requests = {&three, 1}},
         3000},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_RESVEC(size);
        yk_sim_pod_size(&cases[i].pod, &size);
        if (yk_resvec_get(&size, YK_RESTYPE_VCORE) != cases[i].vcore ||
            yk_resvec_get(&size, YK_RESTYPE_PODS) != 1)
            fail_msg("%s: got %lld", cases[i].what, (long long)yk_resvec_get(&size, YK_RESTYPE_VCORE));
    }
}

static void a_copy_borrows_nothing(void **state)
{
    (void)state;
    struct yk_object *map = yk_sim_config_map_new("ns", "m", &(struct yk_pairs){0});
    map->fault = yk_arena_str(&map->arena, YK_STR("too long"));
    struct yk_object *copy = yk_sim_object_copy(map);
    assert_ptr_not_equal(copy->fault.p, map->fault.p);
    yk_object_free(map);
    assert_true(yk_str_is(copy->fault, "too long"));
    yk_object_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watch_lists_and_then_tells_changes),
        cmocka_unit_test(a_copy_borrows_nothing),
        cmocka_unit_test(a_field_selector_turns_a_change_into_an_end),
        cmocka_unit_test(a_replaced_object_keeps_its_uid_and_a_new_one_gets_another),
        cmocka_unit_test(a_bound_pod_runs_for_its_time),
        cmocka_unit_test(a_pod_fails_at_its_deadline),
        cmocka_unit_test(binding_is_answered_as_an_api_server_does),
        cmocka_unit_test(the_books_find_a_second_binding_and_a_full_node),
        cmocka_unit_test(a_pod_that_is_put_after_its_end_uses_nothing),
        cmocka_unit_test(the_usage_is_exact_beside_absurd_amounts),
        cmocka_unit_test(a_pod_that_is_put_elsewhere_counts_there),
        cmocka_unit_test(a_node_that_shrinks_is_nobodys_fault),
        cmocka_unit_test(deletion_gives_running_pods_time),
        cmocka_unit_test(a_deleted_pod_that_ends_is_removed),
        cmocka_unit_test(a_removed_node_takes_its_pods_along_later),
        cmocka_unit_test(a_status_patch_merges_conditions_by_type),
        cmocka_unit_test(a_pod_ends_once),
        cmocka_unit_test(config_maps_are_patched),
        cmocka_unit_test(pods_events_and_config_maps_through_the_api),
        cmocka_unit_test(stopping_ends_watches_and_finishes_requests),
        cmocka_unit_test(what_a_pod_asks_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
