/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constraints through the whole scheduler, on a cluster in memory: pods with affinity, anti-affinity, spread,
 * host ports, selectors and tolerations come and go, nodes come, go and change, namespaces are relabelled,
 * watches break. Whenever it is quiet the slow oracle is asked: no pod waits
 * that could run (docs/design.md, Invariants 5), and none stands where nothing that happened since could have
 * brought it. YK_SEED and YK_STEPS repeat and prolong it.
 */
#include "cmd/core_check.h"

#include "app/apps.h"
#include "base/random.h"
#include "lib/predicates_oracle.h"
#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEEDS = 12, STEPS = 400, NODES = 7, PODS = 40, CPU = 6 };

struct world {
    uint64_t seed;
    struct yk_random random;
    struct life life;
    bool steady; /* nothing but pods of ours come and go: what was right stays right */
    size_t waited, ran;
};

static int below(struct world *world, int bound)
{
    return (int)yk_random_below(&world->random, (uint64_t)bound);
}

/* ---- what happens ---- */

static void put_node(struct world *world, int number)
{
    static const char *const taints[] = {"NoSchedule", "PreferNoSchedule"};
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'", number,
                  number);
    if (below(world, 8) > 0)
        yk_buf_printf(&json, ",'zone':'z%d'", below(world, 3));
    if (below(world, 2) == 0)
        yk_buf_text(&json, ",'disk':'ssd'");
    yk_buf_text(&json, "}},'spec':{");
    if (below(world, 6) == 0)
        yk_buf_text(&json, "'unschedulable':true,");
    yk_buf_text(&json, "'taints':[");
    if (below(world, 5) == 0)
        yk_buf_printf(&json, "{'key':'t','effect':'%s'}", taints[below(world, 2)]);
    yk_buf_printf(&json, "]},'status':{'allocatable':{'cpu':'%d','pods':'20'}}}", 1 + below(world, CPU));
    life_put(&world->life, YK_KIND_NODE, &json);
}

static void put_namespace(struct world *world, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'%s','labels':{'team':'%d'}}}", name, below(world, 2));
    life_put(&world->life, YK_KIND_NAMESPACE, &json);
}

static const char *topology_key(struct world *world)
{
    return below(world, 2) == 0 ? "zone" : "kubernetes.io/hostname";
}

static void add_selector(struct world *world, struct yk_buf *json)
{
    switch (below(world, 8)) {
    case 0:
        yk_buf_printf(json, "'labelSelector':{'matchExpressions':[{'key':'role','operator':'Exists'}]}");
        break;
    case 1: /* a label of which each pod has another value */
        yk_buf_printf(json,
                      "'labelSelector':{'matchExpressions':[{'key':'id','operator':'%s','values':['i%d']}]}",
                      below(world, 4) == 0 ? "NotIn" : "In", below(world, PODS));
        break;
    case 2:
    case 3:
        yk_buf_printf(json, "'labelSelector':{'matchLabels':{'role':'r%d'}}", below(world, 2));
        break;
    default:
        yk_buf_printf(json, "'labelSelector':{'matchLabels':{'app':'%c'}}", 'a' + below(world, 3));
        break;
    }
}

static void add_terms(struct world *world, struct yk_buf *json, const char *name)
{
    yk_buf_printf(json, "'%s':{'requiredDuringSchedulingIgnoredDuringExecution':[", name);
    for (int i = 0, count = 1 + (below(world, 5) == 0); i < count; i++) {
        yk_buf_text(json, i > 0 ? ",{" : "{");
        add_selector(world, json);
        if (below(world, 4) == 0)
            yk_buf_printf(json, ",'namespaceSelector':{'matchLabels':{'team':'%d'}}", below(world, 2));
        yk_buf_printf(json, ",'topologyKey':'%s'}", topology_key(world));
    }
    yk_buf_text(json, "]}");
}

static void add_preferences(struct world *world, struct yk_buf *json)
{
    int wish = below(world, 8);
    yk_buf_text(json, "'affinity':{");
    if (wish == 0 || wish == 1)
        add_terms(world, json, "podAffinity");
    if (wish == 0)
        yk_buf_char(json, ',');
    if (wish == 0 || wish == 2 || wish == 3)
        add_terms(world, json, "podAntiAffinity");
    yk_buf_text(json, "},'topologySpreadConstraints':[");
    if (wish == 4 || wish == 5) {
        yk_buf_printf(json, "{'maxSkew':%d,'topologyKey':'%s','whenUnsatisfiable':'DoNotSchedule',",
                      1 + below(world, 2), topology_key(world));
        if (below(world, 4) == 0)
            yk_buf_text(json, "'minDomains':3,");
        if (below(world, 3) == 0)
            yk_buf_text(json, "'nodeTaintsPolicy':'Honor',");
        add_selector(world, json);
        yk_buf_char(json, '}');
    }
    yk_buf_text(json, "]");
}

static void put_pod(struct world *world, int number)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    bool foreign = !world->steady && below(world, 6) == 0;
    yk_buf_printf(
        &json, "{'metadata':{'name':'p%d','namespace':'%s','labels':{'applicationId':'app%d','app':'%c'",
        number, number % 2 == 0 ? "x" : "y", number % 10 /* each of one namespace */, 'a' + below(world, 3));
    if (below(world, 2) == 0)
        yk_buf_printf(&json, ",'role':'r%d'", below(world, 2));
    yk_buf_printf(&json, ",'id':'i%d'}},'spec':{", number);
    add_preferences(world, &json);
    if (foreign)
        yk_buf_printf(&json, ",'schedulerName':'other','nodeName':'n%d'", below(world, NODES));
    else
        yk_buf_text(&json, ",'schedulerName':'yunikorn'");
    if (below(world, 5) == 0)
        yk_buf_text(&json, ",'nodeSelector':{'disk':'ssd'}");
    if (below(world, 3) == 0)
        yk_buf_printf(&json, ",'tolerations':[{%s'operator':'Exists'}]",
                      below(world, 2) == 0 ? "'key':'t'," : "");
    yk_buf_text(&json, ",'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}");
    if (below(world, 6) == 0)
        yk_buf_printf(&json, ",'ports':[{'hostPort':%d}]", 80 + below(world, 2));
    yk_buf_printf(&json, "}]},'status':{'phase':'%s'}}", foreign ? "Running" : "Pending");
    life_put(&world->life, YK_KIND_POD, &json);
}

static void change_pod(struct world *world)
{
    char name[16];
    int number = below(world, PODS);
    (void)snprintf(name, sizeof(name), "p%d", number);
    const char *namespace_ = number % 2 == 0 ? "x" : "y";
    if (yk_cluster_find(world->life.cluster, YK_KIND_POD, namespace_, name) == NULL)
        put_pod(world, number);
    else
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_POD, namespace_, name); /* is there */
}

static void change_node(struct world *world)
{
    char name[16];
    int number = below(world, NODES);
    (void)snprintf(name, sizeof(name), "n%d", number);
    if (yk_cluster_find(world->life.cluster, YK_KIND_NODE, NULL, name) != NULL && below(world, 3) == 0)
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_NODE, NULL, name); /* is there */
    else
        put_node(world, number);
}

static void something_happens(struct world *world)
{
    static const enum yk_kind kinds[] = {YK_KIND_NODE, YK_KIND_POD, YK_KIND_NAMESPACE};
    switch (world->steady ? 3 + below(world, 14) : below(world, 14)) {
    case 0:
    case 1:
        change_node(world);
        break;
    case 2:
        put_namespace(world, below(world, 2) == 0 ? "x" : "y");
        break;
    case 3:
        yk_cluster_break_watch(world->life.cluster, kinds[below(world, 3)],
                               (enum yk_watch_fault)below(world, 3), YK_NS_PER_S);
        break;
    default:
        change_pod(world);
        break;
    }
}

/* ---- what must hold when it is quiet ---- */

struct view {
    const struct yk_k8s_node *nodes[NODES];
    struct oracle_pod pods[PODS];
    const struct yk_namespace *namespaces[3];
    struct oracle oracle;
};

static void see_node(void *context, const struct yk_object *object)
{
    struct view *view = context;
    view->nodes[view->oracle.node_count++] = (const struct yk_k8s_node *)(const void *)object;
}

static void see_pod(void *context, const struct yk_object *object)
{
    struct view *view = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    if (!yk_pod_has_ended(pod))
        view->pods[view->oracle.pod_count++] =
            (struct oracle_pod){pod, yk_str_empty(pod->node_name) ? NULL : pod->node_name.p};
}

static void see_namespace(void *context, const struct yk_object *object)
{
    struct view *view = context;
    view->namespaces[view->oracle.namespace_count++] = (const struct yk_namespace *)(const void *)object;
}

static bool has_capacity(const struct world *world, const char *node)
{
    YK_RESVEC(used);
    YK_RESVEC(has);
    assert_true(yk_cluster_node_usage(world->life.cluster, node, &used, &has));
    return yk_resvec_get(&has, YK_RESTYPE_VCORE) - yk_resvec_get(&used, YK_RESTYPE_VCORE) >= 1000 &&
           yk_resvec_get(&has, YK_RESTYPE_PODS) > yk_resvec_get(&used, YK_RESTYPE_PODS);
}

/* More may be in use than there is, after nodes shrank or went: then the root queue is full. */
static bool cluster_has_room(const struct world *world, const struct view *view)
{
    int64_t left = 0;
    for (size_t i = 0; i < view->oracle.node_count; i++) {
        YK_RESVEC(used);
        YK_RESVEC(has);
        assert_true(yk_cluster_node_usage(world->life.cluster, view->nodes[i]->object.name.p, &used, &has));
        left += yk_resvec_get(&has, YK_RESTYPE_VCORE) - yk_resvec_get(&used, YK_RESTYPE_VCORE);
    }
    return left >= 1000;
}

static bool may_run(const struct view *view, const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    return oracle_fixed(pod, node) == YK_VERDICT_FITS &&
           oracle_ports(&view->oracle, pod, node) == YK_VERDICT_FITS &&
           oracle_others(&view->oracle, pod, node) == YK_VERDICT_FITS;
}

/* With reservations the node may be kept for another that could run there if others left it. */
static bool may_be_kept_for(struct view *view, const struct yk_pod *pod, const struct yk_k8s_node *node)
{
    struct oracle_pod all[PODS];
    size_t count = view->oracle.pod_count;
    if (may_run(view, pod, node))
        return true;
    memcpy(all, view->pods, sizeof(all));
    view->oracle.pod_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (all[i].node == NULL || strcmp(all[i].node, node->object.name.p) != 0)
            view->pods[view->oracle.pod_count++] = all[i];
    }
    bool may = may_run(view, pod, node);
    memcpy(view->pods, all, sizeof(all));
    view->oracle.pod_count = count;
    return may;
}

static bool is_kept_from(const struct world *world, struct view *view, const struct yk_pod *pod,
                         const struct yk_k8s_node *node)
{
    if (!world->life.reserves)
        return false;
    for (size_t i = 0; i < view->oracle.pod_count; i++) {
        const struct oracle_pod *other = &view->pods[i];
        if (other->node == NULL && other->object != pod && !other->object->object.deleting &&
            may_be_kept_for(view, other->object, node))
            return true;
    }
    return false;
}

static void check_waiting(struct world *world, struct view *view, const struct yk_pod *pod, int at)
{
    world->waited++;
    if (pod->object.deleting)
        return;
    for (size_t i = 0; i < view->oracle.node_count; i++) {
        const char *node = view->nodes[i]->object.name.p;
        if (has_capacity(world, node) && may_run(view, pod, view->nodes[i]) &&
            !is_kept_from(world, view, pod, view->nodes[i]))
            fail_msg("seed %llu, step %d: " YK_STR_FMT " waits, and could run on %s",
                     (unsigned long long)world->seed, at, YK_STR_ARG(pod->object.name), node);
    }
}

static const struct yk_k8s_node *node_named(const struct view *view, const char *name)
{
    for (size_t i = 0; i < view->oracle.node_count; i++) {
        if (yk_str_is(view->nodes[i]->object.name, name))
            return view->nodes[i];
    }
    return NULL;
}

/* The pod as if it still waited: ports and anti-affinity must allow it where it stands, whatever came
 * later. */
static void check_standing(struct world *world, struct view *view, size_t index, int at)
{
    struct oracle_pod *pod = &view->pods[index];
    const struct yk_k8s_node *node = node_named(view, pod->node);
    if (node == NULL || !yk_str_is(pod->object->scheduler_name, "yunikorn"))
        return;
    world->ran++;
    const char *where = pod->node;
    pod->node = NULL;
    enum yk_verdict ports = oracle_ports(&view->oracle, pod->object, node),
                    others = oracle_others(&view->oracle, pod->object, node);
    pod->node = where;
    bool wrong = ports != YK_VERDICT_FITS || others == YK_VERDICT_ANTI_AFFINITY ||
                 others == YK_VERDICT_OTHERS_ANTI_AFFINITY ||
                 oracle_fixed(pod->object, node) != YK_VERDICT_FITS;
    if (wrong)
        fail_msg("seed %llu, step %d: " YK_STR_FMT " runs on %s, where it must not",
                 (unsigned long long)world->seed, at, YK_STR_ARG(pod->object->object.name), where);
}

static void check(struct world *world, int at)
{
    struct view view = {0};
    yk_cluster_each(world->life.cluster, YK_KIND_NODE, see_node, &view);
    yk_cluster_each(world->life.cluster, YK_KIND_POD, see_pod, &view);
    yk_cluster_each(world->life.cluster, YK_KIND_NAMESPACE, see_namespace, &view);
    view.oracle.nodes = view.nodes;
    view.oracle.pods = view.pods;
    view.oracle.namespaces = view.namespaces;
    bool room = cluster_has_room(world, &view);
    for (size_t i = 0; i < view.oracle.pod_count; i++) {
        if (view.pods[i].node == NULL && room)
            check_waiting(world, &view, view.pods[i].object, at);
        else if (view.pods[i].node != NULL && world->steady)
            check_standing(world, &view, i, at);
    }
}

static void begin(struct world *world, uint64_t seed)
{
    *world = (struct world){.seed = seed, .steady = seed % 3 == 0, .life.reserves = seed % 2 == 0};
    yk_random_init(&world->random, seed);
    const struct yk_cluster_options options = {.seed = seed,
                                               .request_ns = 5 * YK_NS_PER_MS,
                                               .watch_ns = 2 * YK_NS_PER_MS,
                                               .watch_jitter_ns = 20 * YK_NS_PER_MS};
    life_init(&world->life, &options);
    put_namespace(world, "x");
    put_namespace(world, "y");
    for (int i = 0; i < NODES; i++)
        put_node(world, i);
    life_begin(&world->life, seed);
    yk_shim_apps(world->life.shim)->classes.pod_index.own_from = 3;
}

static void run_seed(uint64_t seed, int steps, size_t *waited, size_t *ran)
{
    struct world world;
    begin(&world, seed);
    for (int i = 0; i < steps; i++) {
        for (int events = 1 + below(&world, 3); events > 0; events--)
            something_happens(&world);
        /* Until everything is reported and answered, and reservations without use are seen as such. */
        life_pass(&world.life, (world.life.reserves ? 60 : 5) * YK_NS_PER_S);
        check(&world, i);
    }
    *waited += world.waited;
    *ran += world.ran;
    life_end(&world.life);
}

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static void nobody_waits_who_could_run(void **state)
{
    (void)state;
    uint64_t given = number_from("YK_SEED", 0), first = given != 0 ? given : yk_random_system_seed();
    int steps = (int)number_from("YK_STEPS", STEPS);
    size_t waited = 0, ran = 0;
    print_message("seed %llu\n", (unsigned long long)first);
    for (uint64_t i = 0; i < (given != 0 ? 1 : SEEDS); i++)
        run_seed(first + i, steps, &waited, &ran);
    print_message("%zu times a pod waited, %zu times one stood\n", waited, ran);
    assert_true(waited > 0 && (given != 0 || ran > 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_waits_who_could_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
