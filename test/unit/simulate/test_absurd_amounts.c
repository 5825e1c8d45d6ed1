/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts that no real node offers: pods that ask for them wait until they are resized, nodes that offer them
 * count as the largest that counts, and sums are exact all the time (kubernetes.md P16, P17).
 */
#include "app/apps.h"
#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct life life;

static void put(enum yk_kind kind, const char *text)
{
    life_put_text(&life, kind, text);
    life_pass(&life, 30 * YK_NS_PER_S);
}

static void put_pod(const char *name, const char *requests)
{
    char text[600];
    snprintf(
        text, sizeof(text),
        "{'metadata':{'name':'%s','namespace':'a','labels':{'applicationId':'app'}},'spec':{"
        "'schedulerName':'yunikorn','containers':[{'name':'c','resources':{'requests':{%s}}}]},'status':{"
        "'phase':'Pending'}}",
        name, requests);
    put(YK_KIND_POD, text);
}

static void put_foreign_pod(const char *name)
{
    char text[600];
    snprintf(text, sizeof(text),
             "{'metadata':{'name':'%s','namespace':'a'},'spec':{'schedulerName':'other','nodeName':'n1',"
             "'containers':[{'name':'c','resources':{'requests':{'memory':'9000000000000000000'}}}]},"
             "'status':{'phase':'Running'}}",
             name);
    put(YK_KIND_POD, text);
}

static void put_node(const char *name, const char *memory)
{
    char text[600];
    snprintf(text, sizeof(text),
             "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'}},'status':{'allocatable':{"
             "'cpu':'4','memory':'%s','pods':'20'}}}",
             name, name, memory);
    put(YK_KIND_NODE, text);
}

static int set_up(void **state)
{
    (void)state;
    const struct yk_cluster_options options = {
        .seed = 1, .request_ns = 5 * YK_NS_PER_MS, .watch_ns = 2 * YK_NS_PER_MS};
    life = (struct life){.reserves = true};
    life_init(&life, &options);
    life_begin(&life, 1);
    put_node("n1", "1Gi");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    life_end(&life);
    return 0;
}

static void runs_on(const char *name, const char *node)
{
    life_pod_is_on(&life, "a", name, node);
}

static void waits_for(const char *name, const char *message)
{
    runs_on(name, "");
    life_pod_says(&life, "a", name, message);
}

static int64_t memory_in_use(const char *node)
{
    const struct yk_cache_node *found = yk_cache_find_node(yk_shim_apps(life.shim)->cache, yk_str_from(node));
    assert_non_null(found);
    return yk_resvec_get(&found->used, YK_RESTYPE_MEMORY);
}

static void a_pod_waits_until_it_is_resized(void **state)
{
    (void)state;
    put_pod("p", "'cpu':'9000000000000000','memory':'9000000000000000000'");
    waits_for("p", "0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.");
    put_pod("other", "'cpu':'1'");
    runs_on("other", "n1");
    put_pod("p", "'cpu':'1'");
    runs_on("p", "n1");
}

static void what_is_in_use_is_exact_afterwards(void **state)
{
    (void)state;
    put_foreign_pod("f0");
    put_foreign_pod("f1");
    put_pod("p", "'memory':'1Mi'");
    waits_for("p", "0/1 nodes are available: 1 Insufficient memory.");
    assert_true(yk_cluster_delete(life.cluster, YK_KIND_POD, "a", "f0"));
    assert_true(yk_cluster_delete(life.cluster, YK_KIND_POD, "a", "f1"));
    life_pass(&life, 60 * YK_NS_PER_S);
    runs_on("p", "n1");
    assert_int_equal(memory_in_use("n1"), 1 << 20);
}

static void a_node_offers_more_than_counts(void **state)
{
    (void)state;
    put_pod("p", "'memory':'2Gi'");
    put_node("n2", "9000000000000000000");
    runs_on("p", "n2");
    put_node("n2", "4Gi");
    runs_on("p", "n2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pod_waits_until_it_is_resized, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_in_use_is_exact_afterwards, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_node_offers_more_than_counts, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("simulate/absurd_amounts", tests, NULL, NULL);
}
