/* SPDX-License-Identifier: Apache-2.0 */
/* More resource types than have columns: nodes that offer 1,000, nodes with ever new names, pods that ask for
 * names that no node has (queues.md C7, kubernetes.md P5). */
#include "simulate/life.h"

#include "app/apps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct life life;

static int set_up(void **state)
{
    (void)state;
    const struct yk_cluster_options options = {
        .seed = 1, .request_ns = 5 * YK_NS_PER_MS, .watch_ns = 2 * YK_NS_PER_MS};
    life = (struct life){.reserves = false};
    life_init(&life, &options);
    life_begin(&life, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    life_end(&life);
    return 0;
}

/* Offers `count` resources "<prefix>/<number>", of each `amount`. */
static void put_node(const char *name, const char *prefix, int count, int amount)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text,
                  "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'}},'status':{"
                  "'allocatable':{'cpu':'64','memory':'64Gi','pods':'110'",
                  name, name);
    for (int i = 0; i < count; i++)
        yk_buf_printf(&text, ",'%s/%d':'%d'", prefix, i, amount);
    yk_buf_text(&text, "}}}");
    life_put(&life, YK_KIND_NODE, &text);
    life_pass(&life, 2 * YK_NS_PER_S);
}

/* A pod of an application that has the name of the namespace. It asks for `amount` of "<prefix>/<number>". */
static void put_pod_in(const char *namespace_, const char *name, const char *prefix, int number, int amount)
{
    char text[700];
    (void)snprintf(text, sizeof(text),
                   "{'metadata':{'name':'%s','namespace':'%s','labels':{'applicationId':'%s'}},'spec':{"
                   "'schedulerName':'yunikorn','containers':[{'name':'c','resources':{'requests':{'cpu':'10m'"
                   ",'%s/%d':'%d'"
                   "}}}]},'status':{'phase':'Pending'}}",
                   name, namespace_, namespace_, prefix, number, amount);
    life_put_text(&life, YK_KIND_POD, text);
}

static void put_pod(const char *name, const char *prefix, int number, int amount)
{
    put_pod_in("a", name, prefix, number, amount);
}

static void a_node_offers_a_thousand(void **state)
{
    (void)state;
    static const int numbers[] = {7, 35, 600, 999};
    char name[32], words[80];
    put_node("small", "none.example", 0, 0);
    put_node("large", "card.example", 1000, 4);
    for (size_t i = 0; i < YK_COUNT(numbers); i++) {
        for (int pod = 0; pod < 3; pod++) { /* two of two fit beside each other */
            (void)snprintf(name, sizeof(name), "p%d-%d", numbers[i], pod);
            put_pod(name, "card.example", numbers[i], 2);
        }
    }
    life_pass(&life, 60 * YK_NS_PER_S);
    for (size_t i = 0; i < YK_COUNT(numbers); i++) {
        for (int pod = 0; pod < 3; pod++) {
            (void)snprintf(name, sizeof(name), "p%d-%d", numbers[i], pod);
            life_pod_is_on(&life, "a", name, pod < 2 ? "large" : "");
        }
        (void)snprintf(name, sizeof(name), "p%d-2", numbers[i]);
        (void)snprintf(words, sizeof(words), "0/2 nodes are available: 2 Insufficient card.example/%d.",
                       numbers[i]);
        life_pod_says(&life, "a", name, words);
    }
    put_node("other", "card.example", 1000, 2); /* one more of each */
    life_pass(&life, 60 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "p7-2", "other");
    life_pod_is_on(&life, "a", "p999-2", "other");
}

/* 8,000 names in all, 40 at a time. */
static void names_come_and_go(void **state)
{
    (void)state;
    char prefix[64], pod[32];
    put_node("gpu", "nvidia.example", 2, 250);
    for (int round = 0; round < 200; round++) {
        (void)snprintf(prefix, sizeof(prefix), "round-%d.example", round);
        put_node("changing", prefix, 40, 1);
        (void)snprintf(pod, sizeof(pod), "g%d", round);
        put_pod(pod, "nvidia.example", 1, 1);
        put_pod("here", prefix, 39, 1);
        life_pass(&life, 2 * YK_NS_PER_S);
        life_pod_is_on(&life, "a", pod, "gpu");
        life_pod_is_on(&life, "a", "here", "changing");
        assert_true(yk_cluster_delete(life.cluster, YK_KIND_POD, "a", "here"));
        assert_true(yk_cluster_delete(life.cluster, YK_KIND_POD, "a", pod));
        assert_true(yk_cluster_delete(life.cluster, YK_KIND_NODE, NULL, "changing"));
        life_pass(&life, 2 * YK_NS_PER_S);
    }
    assert_true(yk_restype_count() < YK_RESTYPE_MAX);
}

static void a_name_waits_until_a_node_offers_it(void **state)
{
    (void)state;
    put_node("n1", "none.example", 0, 0);
    put_pod("p", "late.example", 3, 1);
    put_pod("q", "late.example", 3, 1);
    life_pass(&life, 30 * YK_NS_PER_S);
    life_pod_says(&life, "a", "p", "0/1 nodes are available: 1 Insufficient late.example/3.");
    put_node("n2", "late.example", 40, 1);
    life_pass(&life, 30 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "p", "n2");
    assert_true(yk_cluster_delete(life.cluster, YK_KIND_NODE, NULL, "n2"));
    life_pass(&life, 90 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "q", "");
    life_pod_says(&life, "a", "q", "0/2 nodes are available: 2 Insufficient late.example/3.");
}

static void names_of_pods_fill_nothing(void **state)
{
    (void)state;
    enum { PODS = 200, NAMES = 50 };
    put_node("n1", "none.example", 0, 0);
    for (int pod = 0; pod < PODS; pod++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(
            &text,
            "{'metadata':{'name':'p%d','namespace':'a','labels':{'applicationId':'app'},'annotations':{"
            "'yunikorn.apache.org/namespace.quota':'{\\\"quota-%d.example/x\\\":\\\"1\\\"}'}},'spec':{"
            "'schedulerName':'yunikorn','containers':[{'name':'c','resources':{'requests':{'cpu':'1m'",
            pod, pod);
        for (int i = 0; i < NAMES; i++)
            yk_buf_printf(&text, ",'hostile-%d.example/%d':'1'", pod, i);
        yk_buf_text(&text, "}}}]},'status':{'phase':'Pending'}}");
        life_put(&life, YK_KIND_POD, &text);
    }
    life_pass(&life, 30 * YK_NS_PER_S);
    assert_true(yk_restype_count() <= YK_RESTYPE_ASKED + YK_RESTYPE_ASKED_MAX);
    put_pod("good", "none.example", 0, 0);
    put_pod_in("b", "typo", "typo.example", 1, 1);
    life_pass(&life, 30 * YK_NS_PER_S);
    life_pod_is_on(&life, "a", "good", "n1");
    /* Pods of other namespaces still read the names that they ask for. */
    life_pod_says(
        &life, "b", "typo",
        "0/1 nodes are available: 1 Insufficient typo.example/1. InsufficientNodeResources: needs 1 "
        "typo.example/1");
}

/* What the pods of the gang read of `kubectl yunikorn why`. */
static void gang_says(const char *words)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf sentence = {0};
    const struct yk_si_gang_wait wait = {.members = 2};
    (void)yk_core_why_gang(life.core, yk_shim_apps(life.shim)->rm_id, "gang", &wait, &sentence);
    if (strstr(yk_buf_cstr(&sentence), words) == NULL)
        fail_msg("'%s' does not say '%s'", yk_buf_cstr(&sentence), words);
}

/* A gang names what no node offers, and what nodes offer later, and starts then. */
static void a_gang_waits_until_a_node_offers_it(void **state)
{
    (void)state;
    put_node("n1", "none.example", 0, 0);
    for (int i = 0; i < 2; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(
            &text,
            "{'metadata':{'name':'member-%d','namespace':'a','labels':{'applicationId':'gang'},'annotations':"
            "{"
            "'yunikorn.apache.org/task-group-name':'g','yunikorn.apache.org/task-groups':'[{\\\"name\\\":"
            "\\\"g\\\",\\\"minMember\\\":2,\\\"minResource\\\":{\\\"cpu\\\":\\\"1\\\",\\\"late.example/7\\\":"
            "\\\"3\\\"}}]'}},'spec':{'schedulerName':'yunikorn','containers':[{'name':'c','resources':{"
            "'requests':{'cpu':'1','late.example/7':'3'}}}]},'status':{'phase':'Pending'}}",
            i);
        life_put(&life, YK_KIND_POD, &text);
    }
    life_pass(&life, 30 * YK_NS_PER_S);
    gang_says("the gang can never start: it is larger than what the nodes offer; it needs 6 late.example/7, "
              "the nodes "
              "offer none");
    put_node("n2", "late.example", 8, 4);
    life_pass(&life, 60 * YK_NS_PER_S);
    gang_says("it needs 6 late.example/7, the nodes offer 4 late.example/7");
    put_node("n3", "late.example", 8, 4);
    life_pass(&life, 60 * YK_NS_PER_S);
    for (int i = 0; i < 2; i++)
        assert_true(life_pod(&life, "a", i == 0 ? "member-0" : "member-1")->node_name.len > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_of_pods_fill_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_node_offers_a_thousand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_gang_waits_until_a_node_offers_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_waits_until_a_node_offers_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_come_and_go, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("simulate/many_types", tests, NULL, NULL);
}
