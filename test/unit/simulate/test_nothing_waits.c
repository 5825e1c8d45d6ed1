/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shim and core together, on a cluster in memory where anything may happen: whenever all is quiet, no pod
 * waits that the filters and the room of some node would let run (design.md, Invariants 5; predicates.md 1.5,
 * 7.5); with reservations, in every second run, unless the node is kept for another that could run there.
 * YK_SEED and YK_STEPS set the run.
 */
#include "cmd/core_check.h"

#include "app/apps.h"
#include "lib/chance.h"
#include "lib/could_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NODES = 6, PODS = 24, NAMESPACES = 2, DEFAULT_STEPS = 700, DEFAULT_SEEDS = 2 };

struct world {
    uint64_t seed;
    int step;
    const char *event;
    struct yk_random random;
    struct life life;
    uint64_t templates[PODS];
    size_t waited, ran, quiet;
};

/* ---- nodes and namespaces ---- */

static void put_node(struct world *world, int index)
{
    struct yk_random *random = &world->random;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'", index, index);
    if (below(random, 6) > 0)
        yk_buf_printf(&json, ",'zone':'%s'", PICK(random, "z0", "z1"));
    if (below(random, 2) == 0)
        yk_buf_printf(&json, ",'disk':'%s'", PICK(random, "ssd", "hdd"));
    yk_buf_printf(&json, "}},'spec':{");
    if (below(random, 4) == 0)
        yk_buf_printf(&json, "'taints':[{'key':'t','value':'%s','effect':'%s'}],", PICK(random, "1", "2"),
                      PICK(random, "NoSchedule", "PreferNoSchedule"));
    yk_buf_printf(&json, "'unschedulable':%s},'status':{'allocatable':{'cpu':'%d','pods':'%d'}",
                  below(random, 6) == 0 ? "true" : "false", 2 + below(random, 5), 2 + below(random, 6));
    if (below(random, 2) == 0)
        yk_buf_printf(&json, ",'declaredFeatures':['UserNamespacesHostNetworkSupport']");
    yk_buf_printf(&json, "}}");
    life_put(&world->life, YK_KIND_NODE, &json);
}

static void put_namespace(struct world *world, int index)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'ns%d','labels':{'team':'%s'}}}", index,
                  PICK(&world->random, "a", "b"));
    life_put(&world->life, YK_KIND_NAMESPACE, &json);
}

/* ---- pods ---- */

static void write_selector(struct yk_random *random, struct yk_buf *json)
{
    switch (below(random, 4)) {
    case 0:
        yk_buf_printf(json, "'labelSelector':{}");
        break;
    case 1:
        yk_buf_printf(json, "'labelSelector':{'matchExpressions':[{'key':'tier','operator':'Exists'}]}");
        break;
    default:
        yk_buf_printf(json, "'labelSelector':{'matchLabels':{'app':'%s'}}", PICK(random, "a", "b"));
        break;
    }
}

static void write_terms(struct yk_random *random, struct yk_buf *json)
{
    yk_buf_printf(json, "{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'%s',",
                  PICK(random, "zone", "kubernetes.io/hostname"));
    write_selector(random, json);
    if (below(random, 4) == 0)
        yk_buf_printf(json, ",'namespaceSelector':{'matchLabels':{'team':'a'}}");
    yk_buf_printf(json, "}]}");
}

static void write_affinity(struct yk_random *random, struct yk_buf *json, bool is_daemon)
{
    int kind = below(random, 6);
    yk_buf_printf(json, "'affinity':{");
    if (is_daemon)
        yk_buf_printf(json,
                      "'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':"
                      "[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n%d']}]}]}}%s",
                      below(random, NODES), kind < 4 ? "," : "");
    else if (kind >= 3)
        yk_buf_printf(
            json,
            "'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':%d,"
            "'preference':{'matchExpressions':[{'key':'disk','operator':'In','values':['ssd']}]}}]}%s",
            1 + below(random, 100), kind < 4 ? "," : "");
    if (kind < 2)
        yk_buf_printf(json, "'podAffinity':");
    else if (kind < 4)
        yk_buf_printf(json, "'podAntiAffinity':");
    if (kind < 4)
        write_terms(random, json);
    yk_buf_printf(json, "},");
}

static void write_spec(struct yk_random *random, struct yk_buf *json, bool is_daemon)
{
    write_affinity(random, json, is_daemon);
    if (below(random, 4) == 0) {
        yk_buf_printf(json,
                      "'topologySpreadConstraints':[{'maxSkew':1,'whenUnsatisfiable':'DoNotSchedule',"
                      "'topologyKey':'%s',",
                      PICK(random, "zone", "kubernetes.io/hostname"));
        write_selector(random, json);
        yk_buf_printf(json, "}],");
    }
    if (below(random, 5) == 0)
        yk_buf_printf(json, "'nodeSelector':{'disk':'%s'},", PICK(random, "ssd", "hdd"));
    if (below(random, 8) == 0)
        yk_buf_printf(json, "'hostNetwork':true,'hostUsers':false,");
    yk_buf_printf(json, "'containers':[{'name':'c','resources':{'requests':{'cpu':'%d'}}",
                  1 + below(random, 2));
    if (below(random, 3) == 0)
        yk_buf_printf(json, ",'ports':[{'hostPort':%d}]", 80 + below(random, 2));
    yk_buf_printf(json, "}]");
}

/* What a pod says for life follows from its template; labels and tolerations are those of the day. */
static void put_pod(struct world *world, int index, const struct yk_pod *now)
{
    struct yk_random *random = &world->random, template_;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_random_init(&template_, world->templates[index]);
    bool is_daemon = below(&template_, 6) == 0;
    yk_buf_printf(&json, "{'metadata':{'name':'p%d','namespace':'ns%d',", index, index % NAMESPACES);
    if (is_daemon)
        yk_buf_printf(&json,
                      "'ownerReferences':[{'kind':'DaemonSet','name':'d','uid':'d','apiVersion':'v'}],");
    yk_buf_printf(&json, "'labels':{'applicationId':'app%d','app':'%s'", index % 4,
                  PICK(random, "a", "b", "c"));
    if (below(random, 3) == 0)
        yk_buf_printf(&json, ",'tier':'x'");
    yk_buf_printf(&json, "}},'spec':{'schedulerName':'yunikorn',");
    if (now != NULL && !yk_str_empty(now->node_name))
        yk_buf_printf(&json, "'nodeName':'" YK_STR_FMT "',", YK_STR_ARG(now->node_name));
    if (below(random, 3) == 0)
        yk_buf_printf(&json, "'tolerations':[{'key':'t','operator':'Exists'}],");
    else if (below(random, 6) == 0)
        yk_buf_printf(&json, "'tolerations':[{'operator':'Exists'}],");
    write_spec(&template_, &json, is_daemon);
    yk_buf_printf(&json, "},'status':{'phase':'%s'}}",
                  now != NULL && yk_str_is(now->phase, "Running") ? "Running" : "Pending");
    life_put(&world->life, YK_KIND_POD, &json);
}

static const struct yk_pod *pod_at(const struct world *world, int index)
{
    char name[16], namespace_[16];
    snprintf(name, sizeof(name), "p%d", index);
    snprintf(namespace_, sizeof(namespace_), "ns%d", index % NAMESPACES);
    return life_pod(&world->life, namespace_, name);
}

/* ---- what must hold ---- */

static void check_pod(struct world *world, const struct yk_cache_pod *pod)
{
    const struct yk_cache_node *node = node_it_could_run_on(&world->life, pod);
    world->waited++;
    if (node != NULL)
        fail_msg("seed %llu, step %d, after '%s': %s waits and could run on %s",
                 (unsigned long long)world->seed, world->step, world->event, pod->text,
                 yk_name_text(node->name));
}

static void check(struct world *world)
{
    const struct yk_cache_pod *pod;
    struct yk_err err = {0};
    yk_text_set_foreach (pod, &yk_shim_apps(world->life.shim)->cache->pods) {
        world->quiet += pod->task != NULL && pod->task->work == NULL;
        if (pod->task != NULL && pod->node == NULL && pod->task->state == YK_TASK_SCHEDULING)
            check_pod(world, pod);
        else
            world->ran += pod->node != NULL;
    }
    if (!yk_core_check(world->life.core, &err) || !yk_shim_check(world->life.shim, &err))
        fail_msg("seed %llu, step %d: %s", (unsigned long long)world->seed, world->step, err.text);
}

/* ---- events ---- */

static void change_node(struct world *world)
{
    char name[16];
    int index = below(&world->random, NODES);
    snprintf(name, sizeof(name), "n%d", index);
    bool is_there = yk_cluster_find(world->life.cluster, YK_KIND_NODE, NULL, name) != NULL;
    if (is_there && below(&world->random, 5) == 0) {
        world->event = "node removed";
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_NODE, NULL, name); /* it is there */
    } else if (is_there && below(&world->random, 3) == 0) {
        world->event = "node cordoned or not";
        (void)yk_cluster_cordon(world->life.cluster, name, below(&world->random, 2) == 0); /* the same */
    } else {
        world->event = "node put";
        put_node(world, index);
    }
}

static void change_pod(struct world *world)
{
    int index = below(&world->random, PODS);
    const struct yk_pod *now = pod_at(world, index);
    if (now == NULL) {
        world->event = "pod added";
        world->templates[index] = (uint64_t)below(&world->random, 40) + world->seed * 1000;
        put_pod(world, index, NULL);
    } else if (below(&world->random, 2) == 0) {
        world->event = "pod deleted";
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_POD, now->object.namespace_.p,
                                now->object.name.p); /* it is there */
    } else if (!now->object.deleting) {
        world->event = "pod changed";
        put_pod(world, index, now);
    }
}

static void something_happens(struct world *world)
{
    int what = below(&world->random, 12);
    if (what < 3)
        change_node(world);
    else if (what == 3)
        put_namespace(world, below(&world->random, NAMESPACES));
    else
        change_pod(world);
}

static void begin(struct world *world, uint64_t seed)
{
    *world = (struct world){.seed = seed, .life.reserves = seed % 2 == 0};
    yk_random_init(&world->random, seed);
    const struct yk_cluster_options options = {
        .seed = seed, .request_ns = 5 * YK_NS_PER_MS, .watch_ns = 2 * YK_NS_PER_MS};
    life_init(&world->life, &options);
    for (int i = 0; i < NAMESPACES; i++)
        put_namespace(world, i);
    for (int i = 0; i < NODES; i++)
        put_node(world, i);
    life_begin(&world->life, seed);
}

static void nothing_waits_that_could_run(void **state)
{
    (void)state;
    int64_t first = number_from("YK_SEED", 1), steps = number_from("YK_STEPS", DEFAULT_STEPS);
    for (int64_t seed = first; seed < first + DEFAULT_SEEDS; seed++) {
        struct world world;
        begin(&world, (uint64_t)seed);
        for (world.step = 0; world.step < steps; world.step++) {
            for (int i = 1 + below(&world.random, 3); i > 0; i--)
                something_happens(&world);
            /* A reservation without use is found within ten seconds. Its capacity may then be reserved for
             * another pod, also without use. */
            life_pass(&world.life, (world.life.reserves ? 60 : 1) * YK_NS_PER_S);
            check(&world);
        }
        assert_true(world.waited > (size_t)steps && world.ran > (size_t)steps && world.quiet > (size_t)steps);
        life_end(&world.life);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_waits_that_could_run),
    };
    return cmocka_run_group_tests_name("simulate/nothing_waits", tests, NULL, NULL);
}
