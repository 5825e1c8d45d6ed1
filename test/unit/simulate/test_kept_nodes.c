/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node that is reserved for a pod is open to others again once that pod cannot run there whatever ends on
 * the node (scheduling.md 4.4, predicates.md 7.5), though nothing about the node has changed.
 */
#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct life life;

static void put(enum yk_kind kind, const char *text)
{
    life_put_text(&life, kind, text);
}

static void put_pod(const char *name, const char *metadata, const char *cpu, const char *rest)
{
    char text[2000];
    snprintf(text, sizeof(text),
             "{'metadata':{'name':'%s','namespace':'a',%s,'applicationId':'app-%s'}},'spec':{'schedulerName':"
             "'yunikorn','containers':[{'name':'c','resources':{'requests':{'cpu':'%s'}}}]%s},'status':{"
             "'phase':'Pending'}}",
             name, metadata, name, cpu, rest);
    put(YK_KIND_POD, text);
}

#define LABELS(app) "'labels':{'app':'" app "'"
#define ON_SSD      ",'nodeSelector':{'disk':'ssd'}"
#define ON_N2       ",'nodeSelector':{'kubernetes.io/hostname':'n2'}"
#define WITH_CLAIM  ",'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]"
#define BOUND_TO_N1                                                                                          \
    ",'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["   \
    "{'matchFields':[{'key':'metadata.name','operator':'In','values':['n1']}]}]}}}"
#define IN_A_ZONE(kind, app)                                                                                 \
    ",'affinity':{'" kind "':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone',"      \
    "'labelSelector':{'matchLabels':{'app':'" app "'}}}]}}"

static void runs_on(const char *name, const char *node)
{
    life_pod_is_on(&life, "a", name, node);
}

/* Pods take 30 s to end. With what follows it is less than a minute since the node was reserved, so that no
 * reservation ends because nothing ended on the node. */
static void remove_object(enum yk_kind kind, const char *name)
{
    assert_true(yk_cluster_delete(life.cluster, kind, "a", name));
    life_pass(&life, (kind == YK_KIND_POD ? 32 : 1) * YK_NS_PER_S);
}

/* n1 (4 CPUs, 2 of them taken by a foreign pod) and n2 (2, of which 1 is free) in one zone, a claim
 * with a volume, a partner on n2. */
static int set_up(void **state)
{
    (void)state;
    const struct yk_cluster_options options = {
        .seed = 1, .request_ns = 5 * YK_NS_PER_MS, .watch_ns = 2 * YK_NS_PER_MS};
    life = (struct life){.reserves = true};
    life_init(&life, &options);
    put(YK_KIND_NODE, "{'metadata':{'name':'n1','labels':{'kubernetes.io/hostname':'n1','zone':'z','disk':"
                      "'ssd'}},'status':{'allocatable':{'cpu':'4','pods':'20'}}}");
    put(YK_KIND_NODE, "{'metadata':{'name':'n2','labels':{'kubernetes.io/hostname':'n2','zone':'z'}},"
                      "'status':{'allocatable':{'cpu':'2','pods':'20'}}}");
    put(YK_KIND_VOLUME, "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':["
                        "'ReadWriteOnce']},'status':{'phase':'Bound'}}");
    put(YK_KIND_VOLUME_CLAIM,
        "{'metadata':{'name':'c','namespace':'a','annotations':{'pv.kubernetes.io/bind-completed':'yes'}},"
        "'spec':{'volumeName':'v','accessModes':['ReadWriteOnce']},'status':{'phase':'Bound'}}");
    life_begin(&life, 1);
    put(YK_KIND_POD,
        "{'metadata':{'name':'x','namespace':'a'},'spec':{'schedulerName':'other','nodeName':'n1',"
        "'containers':[{'name':'c','resources':{'requests':{'cpu':'2'}}}]},'status':{'phase':'Running'}}");
    put_pod("partner", LABELS("p"), "1", ON_N2);
    life_pass(&life, 5 * YK_NS_PER_S);
    runs_on("partner", "n2");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    life_end(&life);
    return 0;
}

/* Waits for 3 CPUs on n1. A pod that comes later overtakes it there, and the node is reserved: small pods
 * wait. */
static void big_waits(const char *metadata, const char *rest)
{
    put_pod("big", metadata, "3", rest);
    life_pass(&life, 2 * YK_NS_PER_S);
    put_pod("overtakes", LABELS("o"), "100m", ON_SSD);
    life_pass(&life, 5 * YK_NS_PER_S);
    runs_on("overtakes", "n1");
    runs_on("big", "");
}

static void small_waits(void)
{
    put_pod("small", LABELS("s"), "900m", ON_SSD);
    life_pass(&life, 5 * YK_NS_PER_S);
    runs_on("small", "");
}

static void small_runs(void)
{
    life_pass(&life, 12 * YK_NS_PER_S); /* reservations are looked at every 10 s */
    runs_on("small", "n1");
    runs_on("big", "");
}

static void says(const char *name, const char *message)
{
    life_pod_says(&life, "a", name, message);
}

static void reserved_while_capacity_is_all_that_is_missing(void **state)
{
    (void)state;
    big_waits(LABELS("b"), WITH_CLAIM);
    small_waits();
    life_pass(&life, 40 * YK_NS_PER_S); /* nothing ends there: for a minute */
    runs_on("small", "");
    says("small", "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) "
                  "were reserved for other pods.");
    remove_object(YK_KIND_POD, "x");
    runs_on("big", "n1");
    runs_on("small", "n1");
}

static void its_claim_is_deleted(void **state)
{
    (void)state;
    big_waits(LABELS("b"), WITH_CLAIM);
    small_waits();
    remove_object(YK_KIND_VOLUME_CLAIM, "c");
    small_runs();
}

static void its_company_has_gone(void **state)
{
    (void)state;
    big_waits(LABELS("b"), IN_A_ZONE("podAffinity", "p"));
    remove_object(YK_KIND_POD, "partner");
    put_pod("small", LABELS("s"), "900m", ON_SSD); /* it comes afterwards */
    small_runs();
}

/* In its zone, on the other node. */
static void somebody_came_whom_it_avoids(void **state)
{
    (void)state;
    big_waits(LABELS("b"), IN_A_ZONE("podAntiAffinity", "bad"));
    small_waits();
    put_pod("bad", LABELS("bad"), "1", ON_N2);
    life_pass(&life, 5 * YK_NS_PER_S);
    runs_on("bad", "n2");
    small_runs();
}

/* They wait already, and no ask comes that would be tried. */
static void the_others_wait_already(void **state)
{
    (void)state;
    big_waits(LABELS("b"), IN_A_ZONE("podAffinity", "p"));
    small_waits();
    remove_object(YK_KIND_POD, "partner");
    life_pass(&life, 10 * YK_NS_PER_S);
    runs_on("small", "n1");
}

static void a_daemon_s_claim_is_deleted(void **state)
{
    (void)state;
    put_pod("big",
            "'ownerReferences':[{'kind':'DaemonSet','name':'d','uid':'d','apiVersion':'v'}]," LABELS("d"),
            "3", BOUND_TO_N1 WITH_CLAIM);
    life_pass(&life, 30 * YK_NS_PER_S);
    small_waits();
    remove_object(YK_KIND_VOLUME_CLAIM, "c");
    small_runs();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reserved_while_capacity_is_all_that_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(its_claim_is_deleted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(its_company_has_gone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(somebody_came_whom_it_avoids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_others_wait_already, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_daemon_s_claim_is_deleted, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("simulate/kept_nodes", tests, NULL, NULL);
}
