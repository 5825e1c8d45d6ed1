/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods with claims through the whole scheduler (S11), on a cluster in memory whose volume controllers work,
 * with requests that fail, watches that break, and schedulers that restart: in the end every pod
 * runs where its volumes are, and no volume serves two claims.
 */
#include "cmd/core_check.h"

#include "base/random.h"
#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SEEDS = 40, NODES = 4, PODS = 16 };

struct world {
    uint64_t seed;
    struct yk_random random;
    struct life life;
};

static int below(struct world *world, int bound)
{
    return (int)yk_random_below(&world->random, (uint64_t)bound);
}

static void put(struct world *world, enum yk_kind kind, const char *text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_text(&json, text);
    life_put(&world->life, kind, &json);
}

/* ---- what there is ---- */

static void put_cluster(struct world *world)
{
    char text[1000];
    put(world, YK_KIND_STORAGE_CLASS,
        "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner','volumeBindingMode':"
        "'WaitForFirstConsumer'}");
    put(world, YK_KIND_STORAGE_CLASS,
        "{'metadata':{'name':'made'},'provisioner':'csi.example','volumeBindingMode':'WaitForFirstConsumer'"
        "}");
    for (int i = 0; i < NODES; i++) {
        snprintf(
            text, sizeof(text),
            "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'}},'status':{'allocatable':"
            "{'cpu':'8','pods':'20'}}}",
            i, i);
        put(world, YK_KIND_NODE, text);
        snprintf(text, sizeof(text),
                 "{'metadata':{'name':'n%d'},'spec':{'drivers':[{'name':'csi.example','allocatable':"
                 "{'count':3}}]}}",
                 i);
        put(world, YK_KIND_CSI_NODE, text);
    }
    for (int i = 0; i < PODS / 2; i++) { /* as many as there are claims of the class */
        snprintf(
            text, sizeof(text),
            "{'metadata':{'name':'v%d'},'spec':{'capacity':{'storage':'10Gi'},'accessModes':"
            "['ReadWriteOnce'],'storageClassName':'local','nodeAffinity':{'required':{'nodeSelectorTerms':["
            "{'matchExpressions':[{'key':'kubernetes.io/hostname','operator':'In','values':['n%d']}]}]}}},"
            "'status':{'phase':'Available'}}",
            i, below(world, NODES));
        put(world, YK_KIND_VOLUME, text);
    }
}

static void put_pod(struct world *world, int number)
{
    char text[1000];
    snprintf(
        text, sizeof(text),
        "{'metadata':{'name':'c%d','namespace':'a'},'spec':{'accessModes':['ReadWriteOnce'],"
        "'storageClassName':'%s','resources':{'requests':{'storage':'5Gi'}}},'status':{'phase':'Pending'}}",
        number, number % 2 == 0 ? "local" : "made");
    put(world, YK_KIND_VOLUME_CLAIM, text);
    snprintf(text, sizeof(text),
             "{'metadata':{'name':'p%d','namespace':'a','labels':{'applicationId':'app%d'}},'spec':{"
             "'schedulerName':'yunikorn','containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}],"
             "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c%d'}}]},'status':{'phase':"
             "'Pending'}}",
             number, number % 3, number);
    put(world, YK_KIND_POD, text);
}

static void add_faults(struct world *world)
{
    static const enum yk_op_kind ops[] = {YK_OP_PATCH_VOLUME, YK_OP_PATCH_CLAIM, YK_OP_BIND};
    static const int statuses[] = {409, 429, 500};
    for (size_t i = 0; i < YK_COUNT(ops); i++) {
        const struct yk_fault refuse = {.op = ops[i],
                                        .kind = YK_FAULT_REFUSE,
                                        .probability = 0.2,
                                        .http_status = statuses[below(world, ops[i] == YK_OP_BIND ? 2 : 3)]};
        const struct yk_fault lose = {.op = ops[i], .kind = YK_FAULT_LOSE, .probability = 0.2};
        const struct yk_fault silent = {.op = ops[i], .kind = YK_FAULT_NO_ANSWER, .probability = 0.1};
        assert_int_equal(yk_cluster_add_fault(world->life.cluster, &refuse, NULL), YK_OK);
        assert_int_equal(yk_cluster_add_fault(world->life.cluster, &lose, NULL), YK_OK);
        assert_int_equal(yk_cluster_add_fault(world->life.cluster, &silent, NULL), YK_OK);
    }
}

static void something_happens(struct world *world)
{
    static const enum yk_kind kinds[] = {YK_KIND_VOLUME, YK_KIND_VOLUME_CLAIM, YK_KIND_POD};
    if (below(world, 3) == 0)
        yk_cluster_break_watch(world->life.cluster, kinds[below(world, 3)],
                               (enum yk_watch_fault)below(world, 3), YK_NS_PER_S);
    life_pass(&world->life, (1 + below(world, 3000)) * YK_NS_PER_MS);
}

/* ---- what must hold in the end ---- */

static const struct yk_volume_claim *claim_of(const struct world *world, int number)
{
    char name[16];
    snprintf(name, sizeof(name), "c%d", number);
    return (const struct yk_volume_claim *)(const void *)yk_cluster_find(world->life.cluster,
                                                                         YK_KIND_VOLUME_CLAIM, "a", name);
}

static bool runs_where_its_volume_is(const struct world *world, int number)
{
    char name[16];
    snprintf(name, sizeof(name), "p%d", number);
    const struct yk_pod *pod = life_pod(&world->life, "a", name);
    const struct yk_volume_claim *claim = claim_of(world, number);
    if (yk_str_empty(pod->node_name) || yk_str_empty(claim->volume_name))
        return false;
    const struct yk_volume *volume = (const struct yk_volume *)(const void *)yk_cluster_find(
        world->life.cluster, YK_KIND_VOLUME, NULL, claim->volume_name.p);
    assert_non_null(volume);
    assert_true(yk_str_eq(volume->claim.uid, claim->object.uid));
    if (!volume->has_required_affinity)
        return true;
    assert_true(yk_str_eq(volume->required_terms[0].expressions[0].values[0], pod->node_name));
    return true;
}

/* No node has more volumes of the driver than it can attach. */
static void check_limits(const struct world *world)
{
    int on_node[NODES] = {0};
    for (int i = 1; i < PODS; i += 2) {
        char name[16];
        snprintf(name, sizeof(name), "p%d", i);
        const struct yk_pod *pod = life_pod(&world->life, "a", name);
        if (pod != NULL && !yk_str_empty(pod->node_name) && ++on_node[pod->node_name.p[1] - '0'] > 3)
            fail_msg("seed %d: more than 3 volumes on node " YK_STR_FMT, (int)world->seed,
                     YK_STR_ARG(pod->node_name));
    }
}

static void begin(struct world *world, uint64_t seed)
{
    *world = (struct world){.seed = seed, .life.reserves = seed % 2 == 0};
    yk_random_init(&world->random, seed);
    const struct yk_cluster_options options = {.seed = seed,
                                               .request_ns = 5 * YK_NS_PER_MS,
                                               .watch_ns = 2 * YK_NS_PER_MS,
                                               .watch_jitter_ns = 20 * YK_NS_PER_MS,
                                               .provision_ns = 2 * YK_NS_PER_S};
    life_init(&world->life, &options);
    put_cluster(world);
    life_begin(&world->life, seed);
}

static void all_run_in_the_end(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct world world;
        struct yk_err err = {0};
        begin(&world, seed);
        if (seed > 0)
            add_faults(&world);
        for (int i = 0; i < PODS; i++) {
            put_pod(&world, i);
            something_happens(&world);
            check_limits(&world);
        }
        yk_cluster_clear_faults(world.life.cluster);
        life_pass(&world.life, 700 * YK_NS_PER_S); /* longer than a volume is waited for */
        check_limits(&world);
        for (int i = 0; i < PODS; i++) {
            if (!runs_where_its_volume_is(&world, i))
                fail_msg("seed %d: pod p%d does not run", (int)seed, i);
            for (int j = 0; j < i; j++)
                assert_false(yk_str_eq(claim_of(&world, i)->volume_name, claim_of(&world, j)->volume_name));
        }
        if (yk_cluster_check(world.life.cluster, &err) != YK_OK || !yk_core_check(world.life.core, &err) ||
            !yk_shim_check(world.life.shim, &err))
            fail_msg("seed %d: %s", (int)seed, err.text);
        life_end(&world.life);
    }
}

/* No API server does that. The pod must not be decided again and again by what it has no more. */
static void a_pod_that_loses_its_claim_while_it_waits(void **state)
{
    (void)state;
    struct life life = {0};
    life_init(&life, &(struct yk_cluster_options){.seed = 1});
    life_put_text(
        &life, YK_KIND_NODE,
        "{'metadata':{'name':'n0','labels':{'kubernetes.io/hostname':'n0'}},'status':{'allocatable':"
        "{'cpu':'8','pods':'20'}}}");
    life_put_text(&life, YK_KIND_POD,
                  "{'metadata':{'name':'p','namespace':'ns','labels':{'applicationId':'a'}},'spec':{"
                  "'schedulerName':'yunikorn','volumes':[{'name':'v','persistentVolumeClaim':{'claimName':"
                  "'none'}}]},'status':{'phase':'Pending'}}");
    life_begin(&life, 1);
    life_pod_is_on(&life, "ns", "p", "");
    life_put_text(&life, YK_KIND_POD,
                  "{'metadata':{'name':'p','namespace':'ns','labels':{'applicationId':'a'}},'spec':{"
                  "'schedulerName':'yunikorn'},'status':{'phase':'Pending'}}");
    life_pass(&life, YK_NS_PER_S);
    life_pod_is_on(&life, "ns", "p", "n0");
    life_end(&life);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_run_in_the_end),
        cmocka_unit_test(a_pod_that_loses_its_claim_while_it_waits),
    };
    return cmocka_run_group_tests_name("simulate/pods_with_claims", tests, NULL, NULL);
}
