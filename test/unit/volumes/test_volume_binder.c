/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The volume binder against a cluster in memory (S11): a volume controller that does its part, each write
 * failing once in each way, and a scheduler that starts again in the middle.
 */
#include "volumes/volume_binder.h"

#include "base/log.h"
#include "base/random.h"
#include "simulate/cluster.h"
#include "volumes/world.h"

#include "lib/cmocka_headers.h"

#define TIMEOUT_NS (600 * YK_NS_PER_S)

struct scheduler { /* what a restart loses */
    struct world world;
    struct yk_volume_binder binder;
};

struct outcome {
    int calls;
    bool bound;
    char message[300];
};

static struct {
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_cluster *cluster;
    struct scheduler *scheduler;
    bool controller_rests; /* nothing binds or provisions */
    struct yk_random random;
} stage;

/* ---- the cluster's side ---- */

static void put_in_cluster(enum yk_kind kind, const char *namespace_, const char *name, const char *meta,
                           const char *rest)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, "{'metadata':{'name':'%s'", name);
    if (namespace_ != NULL)
        yk_buf_printf(&text, ",'namespace':'%s'", namespace_);
    yk_buf_printf(&text, "%s}%s}", meta, rest);
    yk_cluster_put(stage.cluster, object_from(kind, yk_buf_cstr(&text)));
}

static const struct yk_volume_claim *claim_in_cluster(const char *name)
{
    const struct yk_object *found = yk_cluster_find(stage.cluster, YK_KIND_VOLUME_CLAIM, "a", name);
    return (const struct yk_volume_claim *)(const void *)found;
}

static const struct yk_volume *volume_in_cluster(const char *name)
{
    const struct yk_object *found = yk_cluster_find(stage.cluster, YK_KIND_VOLUME, NULL, name);
    return (const struct yk_volume *)(const void *)found;
}

static struct yk_str node_of_claim(const char *name)
{
    return yk_pairs_get(&claim_in_cluster(name)->object.annotations, YK_ANNOTATION_SELECTED_NODE);
}

struct work {
    char claim[40], volume[40], node[40], uid[60];
    const struct yk_volume_claim *of;
};

static void find_promised(void *context, const struct yk_object *object)
{
    struct work *work = context;
    const struct yk_volume *volume = (const struct yk_volume *)(const void *)object;
    if (volume->has_claim && yk_str_eq(volume->claim.uid, work->of->object.uid))
        snprintf(work->volume, sizeof(work->volume), "%s", object->name.p);
}

static void find_work(void *context, const struct yk_object *object)
{
    struct work *work = context, try = {.of = (const struct yk_volume_claim *)(const void *)object};
    struct yk_str node = yk_pairs_get(&object->annotations, YK_ANNOTATION_SELECTED_NODE);
    if (work->claim[0] != '\0' || try.of->volume_name.len > 0)
        return;
    yk_cluster_each(stage.cluster, YK_KIND_VOLUME, find_promised, &try);
    if (try.volume[0] == '\0' && node.p == NULL)
        return;
    snprintf(try.claim, sizeof(try.claim), "%s", object->name.p);
    snprintf(try.node, sizeof(try.node), "%s", node.p != NULL ? node.p : "");
    snprintf(try.uid, sizeof(try.uid), "%s", object->uid.p);
    *work = try;
}

static void bind_claim(const struct work *work)
{
    char meta[300], rest[200];
    snprintf(meta, sizeof(meta), ",'annotations':{'pv.kubernetes.io/bind-completed':'yes'%s%s%s}",
             work->node[0] != '\0' ? ",'volume.kubernetes.io/selected-node':'" : "", work->node,
             work->node[0] != '\0' ? "'" : "");
    snprintf(rest, sizeof(rest), ",'spec':{'storageClassName':'%.*s','volumeName':'%s'}",
             YK_STR_ARG(work->of->class_name), work->volume);
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", work->claim, meta, rest);
}

static void make_volume(const struct work *work)
{
    char name[60], rest[500];
    snprintf(name, sizeof(name), "pvc-%s", work->claim);
    snprintf(rest, sizeof(rest),
             ",'spec':{'storageClassName':'%.*s','claimRef':{'namespace':'a','name':'%s','uid':'%s'},"
             "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'host','operator':"
             "'In','values':['%s']}]}]}}},'status':{'phase':'Bound'}",
             YK_STR_ARG(work->of->class_name), work->claim, work->uid, work->node);
    put_in_cluster(YK_KIND_VOLUME, NULL, name, "", rest);
}

/* One step of the volume controller and the provisioner. */
static void controller_works(void)
{
    struct work work = {.claim = ""};
    if (stage.controller_rests)
        return;
    yk_cluster_each(stage.cluster, YK_KIND_VOLUME_CLAIM, find_work, &work);
    if (work.claim[0] == '\0')
        return;
    if (work.volume[0] != '\0')
        bind_claim(&work);
    else
        make_volume(&work);
}

/* Until `ns` have passed, or `outcome` (may be NULL) is there. */
static void run(int64_t ns, const struct outcome *outcome)
{
    int64_t end_ns = stage.clock.mono_ns + ns;
    while (outcome == NULL || outcome->calls == 0) {
        int64_t next_ns = yk_timers_next_ns(&stage.timers);
        if (next_ns > end_ns)
            break;
        yk_clock_advance(&stage.clock, YK_MAX(next_ns - stage.clock.mono_ns, 0));
        yk_timers_run(&stage.timers);
        controller_works();
    }
    if (outcome == NULL || outcome->calls == 0)
        yk_clock_advance(&stage.clock, YK_MAX(end_ns - stage.clock.mono_ns, 0));
}

/* ---- the scheduler's side ---- */

static void sink(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    struct scheduler *scheduler = context;
    if (scheduler == stage.scheduler)
        yk_cache_apply(&scheduler->world.cache, kind, event, object);
    else
        yk_object_free(object); /* of one that was killed */
}

static void scheduler_begins(void)
{
    struct scheduler *made = yk_new0(struct scheduler);
    world_init(&made->world);
    stage.scheduler = made;
    yk_volume_binder_init(&made->binder, yk_cluster_api(stage.cluster), &stage.timers, &made->world.cache,
                          &made->world.volumes, TIMEOUT_NS);
    yk_api_watch(yk_cluster_api(stage.cluster), &(struct yk_watch_spec){.kind = YK_KIND_NODE}, sink, made);
    for (int kind = YK_KIND_VOLUME_FIRST; kind <= YK_KIND_VOLUME_LAST; kind++)
        yk_api_watch(yk_cluster_api(stage.cluster), &(struct yk_watch_spec){.kind = (enum yk_kind)kind}, sink,
                     made);
    run(YK_NS_PER_S / 10, NULL);
}

static void scheduler_ends(struct scheduler *scheduler)
{
    world_done(&scheduler->world);
    free(scheduler);
}

static void stage_begins(uint64_t seed)
{
    memset(&stage, 0, sizeof(stage));
    yk_log_set_stream(NULL);
    yk_random_init(&stage.random, seed);
    yk_clock_virtual_init(&stage.clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&stage.timers, &stage.clock);
    const struct yk_cluster_options options = {.no_volume_controller = true,
                                               .clock = &stage.clock,
                                               .timers = &stage.timers,
                                               .seed = seed,
                                               .request_ns = 5 * YK_NS_PER_MS,
                                               .watch_ns = 2 * YK_NS_PER_MS,
                                               .watch_jitter_ns = 10 * YK_NS_PER_MS};
    stage.cluster = yk_cluster_new(&options);
    put_in_cluster(YK_KIND_NODE, NULL, "n1", ",'labels':{'host':'n1'}", "");
    put_in_cluster(YK_KIND_NODE, NULL, "n2", ",'labels':{'host':'n2'}", "");
    put_in_cluster(
        YK_KIND_STORAGE_CLASS, NULL, "local", "",
        ",'provisioner':'kubernetes.io/no-provisioner','volumeBindingMode':'WaitForFirstConsumer'");
    put_in_cluster(YK_KIND_STORAGE_CLASS, NULL, "made", "",
                   ",'provisioner':'d','volumeBindingMode':'WaitForFirstConsumer'");
    put_in_cluster(YK_KIND_VOLUME, NULL, "v", "",
                   ",'spec':{'storageClassName':'local'},'status':{'phase':'Available'}");
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "c", "", ",'spec':{'storageClassName':'local'}");
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "m", "", ",'spec':{'storageClassName':'made'}");
    scheduler_begins();
}

static void stage_ends(void)
{
    yk_api_stop(yk_cluster_api(stage.cluster));
    run(100 * YK_NS_PER_S, NULL); /* answers that are on their way */
    scheduler_ends(stage.scheduler);
    stage.scheduler = NULL;
    yk_cluster_free(stage.cluster);
    yk_timers_done(&stage.timers);
}

static struct yk_pod_volumes *uses(const char *claims)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf volumes = {0};
    for (const char *c = claims; *c != '\0'; c++)
        yk_buf_printf(&volumes, "%s{'name':'%c','persistentVolumeClaim':{'claimName':'%c'}}",
                      c == claims ? "" : ",", *c, *c);
    return volumes_of(&stage.scheduler->world, "a", "p", yk_buf_cstr(&volumes));
}

static void done(void *context, bool bound, const char *message)
{
    struct outcome *outcome = context;
    outcome->calls++;
    outcome->bound = bound;
    snprintf(outcome->message, sizeof(outcome->message), "%s", message);
}

/* Decides for a pod with these claims and begins to bind them; the node must do. */
static struct yk_volume_binding *begin(const char *claims, const char *node, struct outcome *outcome)
{
    struct world *world = &stage.scheduler->world;
    struct yk_pod_volumes *volumes = uses(claims);
    struct yk_volume_plan *plan;
    *outcome = (struct outcome){.calls = 0};
    assert_int_equal(yk_volumes_possible(&world->volumes, volumes, NULL), YK_VOLUMES_POSSIBLE);
    assert_int_equal(yk_volumes_assume(&world->volumes, volumes, node_of(world, node), &plan), 0);
    yk_pod_volumes_put(&world->volumes, volumes); /* the plan has it */
    assert_non_null(plan);
    return yk_volume_bind(&stage.scheduler->binder, plan, done, outcome);
}

static uint32_t check(const char *claims, const char *node)
{
    struct world *world = &stage.scheduler->world;
    struct yk_pod_volumes *volumes = uses(claims);
    uint32_t result = yk_volumes_check(&world->volumes, volumes, node_of(world, node));
    yk_pod_volumes_put(&world->volumes, volumes);
    return result;
}

/* ---- what goes well ---- */

static void volumes_are_bound_and_provisioned(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    begin("cm", "n1", &outcome);
    run(TIMEOUT_NS, &outcome);
    assert_string_equal(outcome.message, "");
    assert_true(outcome.bound);
    assert_true(yk_str_is(claim_in_cluster("c")->volume_name, "v"));
    assert_true(yk_str_is(claim_in_cluster("m")->volume_name, "pvc-m"));
    assert_true(yk_str_is(node_of_claim("m"), "n1"));
    assert_null(node_of_claim("c").p); /* it had a volume: nothing is provisioned */
    const struct yk_volume *volume = volume_in_cluster("v");
    assert_true(
        yk_str_is(yk_pairs_get(&volume->object.annotations, YK_ANNOTATION_BOUND_BY_CONTROLLER), "yes"));
    assert_true(yk_str_eq(volume->claim.uid, claim_in_cluster("c")->object.uid));
    assert_int_equal(check("cm", "n2"), YK_VOLUMES_NODE_CONFLICT); /* it was made at n1 */
    stage_ends();
}

/* ---- each write failing once ---- */

static void each_write_may_fail_once_in_each_way(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_fault fault; /* `op` is filled in */
    } cases[] = {
        {"409", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 409}},
        {"429", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 429, .retry_after_ns = 5 * YK_NS_PER_S}},
        {"500", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 500}},
        {"503", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 503}},
        {"401", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 401}},
        {"410", {.kind = YK_FAULT_REFUSE, .nth = 1, .http_status = 410}},
        {"lost answer", {.kind = YK_FAULT_LOSE, .nth = 1}},
        {"no answer", {.kind = YK_FAULT_NO_ANSWER, .nth = 1}},
        {"slow answer", {.kind = YK_FAULT_SLOW, .nth = 1, .delay_ns = 20 * YK_NS_PER_S}},
    };
    static const enum yk_op_kind ops[] = {YK_OP_PATCH_VOLUME, YK_OP_PATCH_CLAIM};
    for (size_t i = 0; i < YK_COUNT(cases) * YK_COUNT(ops); i++) {
        struct yk_fault fault = cases[i / 2].fault;
        struct outcome outcome;
        fault.op = ops[i % 2];
        fault.count = 1;
        stage_begins(i);
        assert_int_equal(yk_cluster_add_fault(stage.cluster, &fault, NULL), YK_OK);
        begin("cm", "n1", &outcome);
        run(TIMEOUT_NS, &outcome);
        struct yk_cluster_stats stats;
        yk_cluster_stats(stage.cluster, &stats);
        if (!outcome.bound || stats.faults != 1)
            fail_msg("%s of op %d: %d calls, '%s'", cases[i / 2].what, fault.op, outcome.calls,
                     outcome.message);
        stage_ends();
    }
}

static void what_will_never_work_is_given_up(void **state)
{
    (void)state;
    static const int statuses[] = {403, 404, 422};
    for (size_t i = 0; i < YK_COUNT(statuses); i++) {
        struct outcome outcome;
        stage_begins(i);
        const struct yk_fault fault = {.op = YK_OP_PATCH_CLAIM,
                                       .kind = YK_FAULT_REFUSE,
                                       .nth = 1,
                                       .count = 1,
                                       .http_status = statuses[i]};
        assert_int_equal(yk_cluster_add_fault(stage.cluster, &fault, NULL), YK_OK);
        begin("cm", "n1", &outcome);
        run(TIMEOUT_NS, &outcome);
        assert_int_equal(outcome.calls, 1);
        assert_false(outcome.bound);
        assert_true(volume_in_cluster("v")->has_claim); /* what was written stays */
        begin("cm", "n1", &outcome);
        run(TIMEOUT_NS, &outcome);
        assert_true(outcome.bound);
        stage_ends();
    }
}

static void a_write_that_never_works_ends_after_some_attempts(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    const struct yk_fault fault = {
        .op = YK_OP_PATCH_CLAIM, .kind = YK_FAULT_REFUSE, .probability = 1.0, .http_status = 500};
    assert_int_equal(yk_cluster_add_fault(stage.cluster, &fault, NULL), YK_OK);
    begin("m", "n1", &outcome);
    run(TIMEOUT_NS, &outcome);
    struct yk_cluster_stats stats;
    yk_cluster_stats(stage.cluster, &stats);
    assert_int_equal(outcome.calls, 1);
    assert_false(outcome.bound);
    assert_int_equal(stats.faults, YK_VOLUME_WRITE_ATTEMPTS_MAX);
    assert_int_equal(check("m", "n2"), 0); /* undone: every node will do again */
    stage_ends();
}

/* ---- what others do ---- */

static void somebody_else_writes_first(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    begin("cm", "n1", &outcome);
    /* The scheduler does not know these versions yet when it writes. */
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "m", ",'labels':{'x':'y'}",
                   ",'spec':{'storageClassName':'made'}");
    put_in_cluster(YK_KIND_VOLUME, NULL, "v", ",'labels':{'x':'y'}",
                   ",'spec':{'storageClassName':'local'},'status':{'phase':'Available'}");
    run(TIMEOUT_NS, &outcome);
    assert_true(outcome.bound);
    stage_ends();
}

static void fails_with(const char *claims, const char *message)
{
    struct outcome outcome;
    begin(claims, "n1", &outcome);
    run(TIMEOUT_NS, &outcome);
    assert_int_equal(outcome.calls, 1);
    assert_false(outcome.bound);
    assert_string_equal(outcome.message, message);
}

static void the_volume_is_given_to_another(void **state)
{
    (void)state;
    stage_begins(1);
    struct outcome outcome;
    begin("c", "n1", &outcome);
    put_in_cluster(YK_KIND_VOLUME, NULL, "v", "",
                   ",'spec':{'storageClassName':'local','claimRef':{'namespace':'b','name':'x','uid':'u'}},"
                   "'status':{'phase':'Bound'}");
    run(TIMEOUT_NS, &outcome);
    assert_false(outcome.bound);
    assert_string_equal(outcome.message, "volume 'v' was given to another claim");
    assert_int_equal(check("c", "n1"), YK_VOLUMES_BIND_CONFLICT);
    stage_ends();
}

static void nobody_provisions_in_time(void **state)
{
    (void)state;
    stage_begins(1);
    stage.controller_rests = true;
    int64_t begin_ns = stage.clock.mono_ns;
    fails_with("cm", "binding volumes: timed out waiting for the claims to be bound");
    assert_int_equal((stage.clock.mono_ns - begin_ns) / YK_NS_PER_S, TIMEOUT_NS / YK_NS_PER_S);
    /* What was written is not taken back: it ties the next attempt to the node. */
    assert_true(yk_str_is(node_of_claim("m"), "n1"));
    assert_int_equal(check("m", "n2"), YK_VOLUMES_BIND_CONFLICT);
    assert_int_equal(check("cm", "n1"), 0);
    stage_ends();
}

static void run_until_written(const char *claim)
{
    while (node_of_claim(claim).p == NULL)
        run(YK_NS_PER_MS, NULL);
}

static void the_provisioner_gives_up(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) { /* before and after the scheduler has seen its own write */
        struct outcome outcome;
        stage_begins(1);
        stage.controller_rests = true;
        begin("m", "n1", &outcome);
        run_until_written("m");
        run(late * YK_NS_PER_S, NULL);
        put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "m", "", ",'spec':{'storageClassName':'made'}");
        run(YK_NS_PER_S, NULL);
        assert_int_equal(outcome.calls, 1);
        assert_string_equal(outcome.message, "provisioning failed for claim 'a/m'");
        assert_int_equal(check("m", "n2"), 0);
        stage_ends();
    }
}

static void what_is_waited_for_disappears(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_kind kind;
        const char *namespace_, *name, *message;
    } cases[] = {
        {"the claim", YK_KIND_VOLUME_CLAIM, "a", "m", "claim 'a/m' is gone"},
        {"the volume", YK_KIND_VOLUME, NULL, "v", "volume 'v' is gone"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct outcome outcome;
        stage_begins(1);
        stage.controller_rests = true;
        begin("cm", "n1", &outcome);
        run(YK_NS_PER_S, NULL);
        yk_cluster_delete(stage.cluster, cases[i].kind, cases[i].namespace_, cases[i].name);
        run(YK_NS_PER_S, NULL);
        if (outcome.calls != 1 || outcome.bound || strcmp(outcome.message, cases[i].message) != 0)
            fail_msg("%s: %d calls, '%s'", cases[i].what, outcome.calls, outcome.message);
        stage_ends();
    }
}

static void the_volume_is_made_elsewhere(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    stage.controller_rests = true;
    begin("m", "n1", &outcome);
    run_until_written("m");
    struct work work = {.claim = "m", .node = "n2", .of = claim_in_cluster("m")};
    snprintf(work.uid, sizeof(work.uid), "%s", work.of->object.uid.p);
    make_volume(&work);
    snprintf(work.volume, sizeof(work.volume), "pvc-m");
    snprintf(work.node, sizeof(work.node), "n1");
    bind_claim(&work);
    run(YK_NS_PER_S, NULL);
    assert_string_equal(outcome.message, "the node affinity of volume 'pvc-m' does not match the node");
    stage_ends();
}

/* The node begins to use the CSI driver of an in-tree volume, whose zone it calls by another label. */
static void the_node_migrates_to_csi(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    stage.controller_rests = true;
    put_in_cluster(YK_KIND_NODE, NULL, "n1", ",'labels':{'topology.kubernetes.io/zone':'z1'}", "");
    put_in_cluster(
        YK_KIND_VOLUME, NULL, "v", "",
        ",'spec':{'storageClassName':'local','awsElasticBlockStore':{'volumeID':'v'},'nodeAffinity':"
        "{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'topology.kubernetes.io/"
        "zone','operator':'In','values':['z1']}]}]}}},'status':{'phase':'Available'}");
    run(YK_NS_PER_S, NULL);
    begin("c", "n1", &outcome);
    run(YK_NS_PER_S, &outcome);
    assert_int_equal(outcome.calls, 0);
    put_in_cluster(YK_KIND_CSI_NODE, NULL, "n1",
                   ",'annotations':{'storage.alpha.kubernetes.io/migrated-plugins':'kubernetes.io/aws-ebs'}",
                   "");
    run(YK_NS_PER_S, &outcome);
    assert_int_equal(outcome.calls, 1);
    assert_string_equal(outcome.message, "the node affinity of volume 'v' does not match the node");
    stage_ends();
}

static void the_claim_is_sent_to_another_node(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    stage.controller_rests = true;
    begin("m", "n1", &outcome);
    run_until_written("m");
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "m",
                   ",'annotations':{'volume.kubernetes.io/selected-node':'n2'}",
                   ",'spec':{'storageClassName':'made'}");
    run(YK_NS_PER_S, NULL);
    assert_int_equal(outcome.calls, 1);
    assert_string_equal(outcome.message, "claim 'a/m' is provisioned on another node");
    stage_ends();
}

static void a_volume_that_is_named_is_not_bound_yet(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    stage.controller_rests = true;
    begin("c", "n1", &outcome);
    run(YK_NS_PER_S, NULL);
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "c", "",
                   ",'spec':{'storageClassName':'local','volumeName':'v'}");
    run(YK_NS_PER_S, NULL);
    assert_int_equal(outcome.calls, 0);
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "c", ",'annotations':{'pv.kubernetes.io/bind-completed':'yes'}",
                   ",'spec':{'storageClassName':'local','volumeName':'v'}");
    run(YK_NS_PER_S, NULL);
    assert_int_equal(outcome.calls, 1);
    assert_true(outcome.bound);
    stage_ends();
}

static void two_pods_and_one_volume(void **state)
{
    (void)state;
    struct outcome outcome;
    stage_begins(1);
    put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", "e", "", ",'spec':{'storageClassName':'local'}");
    run(YK_NS_PER_S, NULL);
    begin("c", "n1", &outcome);
    assert_int_equal(check("e", "n1"), YK_VOLUMES_BIND_CONFLICT);
    assert_int_equal(check("e", "n2"), YK_VOLUMES_BIND_CONFLICT);
    run(TIMEOUT_NS, &outcome);
    assert_true(outcome.bound);
    assert_int_equal(check("e", "n1"), YK_VOLUMES_BIND_CONFLICT);
    stage_ends();
}

static void one_that_is_cancelled_says_nothing(void **state)
{
    (void)state;
    for (int64_t after_ms = 0; after_ms < 30; after_ms++) {
        struct outcome outcome;
        stage_begins(1);
        stage.controller_rests = true;
        struct yk_volume_binding *binding = begin("cm", "n1", &outcome);
        run(after_ms * YK_NS_PER_MS, NULL);
        yk_volume_bind_cancel(binding);
        run(TIMEOUT_NS, NULL);
        assert_int_equal(outcome.calls, 0);
        stage_ends();
    }
}

/* ---- a new process ---- */

static void a_new_scheduler_goes_on_where_the_old_one_was(void **state)
{
    (void)state;
    for (int64_t after_ms = 0; after_ms < 60; after_ms += 2) {
        struct outcome lost, outcome;
        stage_begins(1);
        stage.controller_rests = after_ms < 40;
        struct yk_volume_binding *binding = begin("cm", "n1", &lost);
        run(after_ms * YK_NS_PER_MS, NULL);
        struct scheduler *old = stage.scheduler;
        if (lost.calls == 0)
            yk_volume_bind_cancel(binding); /* killed: whatever is on its way arrives or does not */
        yk_volume_binder_stop(&old->binder);
        stage.scheduler = NULL;
        world_done(&old->world);
        scheduler_begins();
        stage.controller_rests = false;
        if (claim_in_cluster("m")->volume_name.len > 0 && claim_in_cluster("c")->volume_name.len > 0) {
            run(YK_NS_PER_S, NULL);
            assert_int_equal(check("cm", "n1"), 0);
        } else {
            if (node_of_claim("m").p != NULL)
                assert_int_equal(check("m", "n2"), YK_VOLUMES_BIND_CONFLICT);
            begin("cm", "n1", &outcome);
            run(TIMEOUT_NS, &outcome);
            if (!outcome.bound)
                fail_msg("killed after %d ms: '%s'", (int)after_ms, outcome.message);
        }
        stage_ends();
        free(old);
    }
}

/* ---- all at once ---- */

enum { MANY = 8 };

static void unreliable(enum yk_op_kind op)
{
    static const int statuses[] = {409, 429, 500};
    for (size_t i = 0; i < YK_COUNT(statuses); i++) {
        const struct yk_fault refuse = {
            .op = op, .kind = YK_FAULT_REFUSE, .probability = 0.1, .http_status = statuses[i]};
        assert_int_equal(yk_cluster_add_fault(stage.cluster, &refuse, NULL), YK_OK);
    }
    const struct yk_fault lose = {.op = op, .kind = YK_FAULT_LOSE, .probability = 0.1};
    const struct yk_fault silent = {.op = op, .kind = YK_FAULT_NO_ANSWER, .probability = 0.1};
    assert_int_equal(yk_cluster_add_fault(stage.cluster, &lose, NULL), YK_OK);
    assert_int_equal(yk_cluster_add_fault(stage.cluster, &silent, NULL), YK_OK);
}

static void break_watches(void)
{
    static const enum yk_kind kinds[] = {YK_KIND_VOLUME, YK_KIND_VOLUME_CLAIM};
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        if (yk_random_below(&stage.random, 4) == 0)
            yk_cluster_break_watch(stage.cluster, kinds[i],
                                   (enum yk_watch_fault)yk_random_below(&stage.random, 3), YK_NS_PER_S);
    }
}

/* Pods that want one claim each, again and again until they have it. */
static void random_faults_end_with_every_claim_in_a_volume_of_its_own(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 25; seed++) {
        struct outcome outcomes[MANY] = {{.calls = 1}};
        bool satisfied[MANY] = {false};
        int left = MANY;
        stage_begins(seed);
        for (int i = 0; i < MANY; i++) {
            char volume[] = {'v', (char)('0' + i), '\0'}, claim[] = {(char)('0' + i), '\0'};
            outcomes[i].calls = 1;
            put_in_cluster(YK_KIND_VOLUME, NULL, volume, "",
                           ",'spec':{'storageClassName':'local'},'status':{'phase':'Available'}");
            put_in_cluster(YK_KIND_VOLUME_CLAIM, "a", claim, "",
                           i % 2 == 0 ? ",'spec':{'storageClassName':'local'}"
                                      : ",'spec':{'storageClassName':'made'}");
        }
        run(YK_NS_PER_S, NULL);
        unreliable(YK_OP_PATCH_VOLUME);
        unreliable(YK_OP_PATCH_CLAIM);
        for (int round = 0; round < 5000 && left > 0; round++) {
            for (int i = 0; i < MANY; i++) {
                char claim[] = {(char)('0' + i), '\0'};
                if (satisfied[i] || outcomes[i].calls == 0)
                    continue;
                satisfied[i] = outcomes[i].bound || claim_in_cluster(claim)->volume_name.len > 0;
                left -= satisfied[i];
                const char *node = yk_str_is(node_of_claim(claim), "n2") ? "n2" : "n1";
                if (!satisfied[i] && check(claim, node) == 0)
                    begin(claim, node, &outcomes[i]);
            }
            break_watches();
            run(YK_NS_PER_S, NULL);
        }
        if (left > 0)
            fail_msg("seed %d: %d claims are not bound", (int)seed, left);
        for (int i = 0; i < MANY; i++) {
            for (int j = 0; j < i; j++) {
                char one[] = {(char)('0' + i), '\0'}, other[] = {(char)('0' + j), '\0'};
                assert_false(
                    yk_str_eq(claim_in_cluster(one)->volume_name, claim_in_cluster(other)->volume_name));
            }
        }
        run(2 * TIMEOUT_NS, NULL);
        stage_ends();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_bound_and_provisioned),
        cmocka_unit_test(each_write_may_fail_once_in_each_way),
        cmocka_unit_test(what_will_never_work_is_given_up),
        cmocka_unit_test(a_write_that_never_works_ends_after_some_attempts),
        cmocka_unit_test(somebody_else_writes_first),
        cmocka_unit_test(the_volume_is_given_to_another),
        cmocka_unit_test(nobody_provisions_in_time),
        cmocka_unit_test(the_provisioner_gives_up),
        cmocka_unit_test(what_is_waited_for_disappears),
        cmocka_unit_test(the_volume_is_made_elsewhere),
        cmocka_unit_test(the_node_migrates_to_csi),
        cmocka_unit_test(the_claim_is_sent_to_another_node),
        cmocka_unit_test(a_volume_that_is_named_is_not_bound_yet),
        cmocka_unit_test(two_pods_and_one_volume),
        cmocka_unit_test(one_that_is_cancelled_says_nothing),
        cmocka_unit_test(a_new_scheduler_goes_on_where_the_old_one_was),
        cmocka_unit_test(random_faults_end_with_every_claim_in_a_volume_of_its_own),
    };
    return cmocka_run_group_tests_name("volumes/binder", tests, NULL, NULL);
}
