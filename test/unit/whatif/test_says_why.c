/* SPDX-License-Identifier: Apache-2.0 */
/* A whole scheduler beside 5,000 nodes: how soon a pod says why it waits. */
#include "base/clock.h"
#include "shim/shim.h"
#include "state/core.h"
#include "whatif/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NODES = 5000 };

static const char queues[] =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]";

#define POD(name, cpu, queue)                                                                                \
    "{'metadata':{'namespace':'default','name':'" name "','labels':{'applicationId':'app-" name              \
    "','queue':'root." queue "'}},'spec':{'schedulerName':'yunikorn','containers':[{'name':'c','resources':" \
    "{'requests':{'cpu':'" cpu "','memory':'1Gi'}}}]}}"

static uint64_t written(const struct stage *stage)
{
    struct yk_shim_counts counts;
    yk_shim_count(stage->shim, &counts);
    return counts.conditions_written;
}

/* No node is large enough, and no node has enough free: both are written within a second of the pod's creation.
 * YK_VERBOSE prints the processor time. */
static void within_a_second(void **state)
{
    (void)state;
    struct stage *stage = yk_new0(struct stage);
    stage_init(stage, queues, 1);
    for (int i = 0; i < NODES; i++) {
        char node[256];
        (void)snprintf(node, sizeof(node),
                       "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'}},"
                       "'status':{'allocatable':{'cpu':'8','memory':'32Gi','pods':'110'}}}",
                       i, i);
        stage_put(stage, YK_KIND_NODE, node);
    }
    stage_pass(stage, 2 * YK_NS_PER_S);
    assert_int_equal(written(stage), 0);
    int64_t begin_ns = yk_clock_mono_ns(&yk_clock_real);
    stage_put(stage, YK_KIND_POD, POD("huge", "90", "a"));
    stage_put(stage, YK_KIND_POD, POD("wide", "9", "a"));
    stage_pass(stage, YK_NS_PER_S);
    assert_int_equal(written(stage), 2);
    if (getenv("YK_VERBOSE") != NULL)
        print_message("two pods beside %d nodes: %lld us of processor time\n", NODES,
                      (long long)((yk_clock_mono_ns(&yk_clock_real) - begin_ns) / 1000));
    stage_done(stage);
    free(stage);
}

static const char *condition_of(const struct stage *stage, const char *name)
{
    const struct yk_object *object = yk_cluster_find(stage->cluster, YK_KIND_POD, "default", name);
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    for (uint32_t i = 0; i < pod->condition_count; i++) {
        if (yk_str_is(pod->conditions[i].type, "PodScheduled"))
            return pod->conditions[i].message.p;
    }
    return "";
}

/* No configuration stops a partition. If it is stopped, each pod that waits says so: one that was refused by a
 * limit, and one that found no node. */
static void a_stopped_partition(void **state)
{
    static const char *const names[] = {"wide", "more"};
    (void)state;
    struct stage *stage = yk_new0(struct stage);
    stage_init(stage,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}, "
               "{name: b, resources: {max: {vcore: 2}}}]}]}]",
               1);
    stage_put(stage, YK_KIND_NODE,
              "{'metadata':{'name':'n','labels':{'kubernetes.io/hostname':'n'}},"
              "'status':{'allocatable':{'cpu':'8','memory':'32Gi','pods':'110'}}}");
    stage_put(stage, YK_KIND_POD, POD("wide", "9", "a"));
    stage_put(stage, YK_KIND_POD, POD("more", "3", "b"));
    stage_pass(stage, 2 * YK_NS_PER_S);
    assert_non_null(strstr(condition_of(stage, "wide"), " InsufficientNodeResources: "));
    assert_non_null(strstr(condition_of(stage, "more"), " ExceedsMaxCapacity: "));
    ((struct yk_partition *)stage->core->partitions.items[0])->state = YK_STATE_STOPPED;
    for (int s = 0; s < 60; s++)
        stage_pass(stage, YK_NS_PER_S);
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        if (strstr(condition_of(stage, names[i]), ". QueueStopped: partition default is stopped") == NULL)
            fail_msg("%s: '%s'", names[i], condition_of(stage, names[i]));
    }
    assert_null(strstr(condition_of(stage, "more"), "quota"));
    stage_done(stage);
    free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_a_second),
                                       cmocka_unit_test(a_stopped_partition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
