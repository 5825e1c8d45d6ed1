/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each write to the API server fails once in turn, in each way a write can fail: the same scenario runs once
 * for the first, the second, ... request of each kind. In the end every pod that is there runs, no
 * placeholder is left, no pod was bound twice, no node has more than its capacity, core and shim agree, and
 * nothing leaks.
 */
#include "cmd/core_check.h"

#include "simulate/life.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { REQUESTS_MAX = 400 }; /* of one kind; a scenario with more would take too long */

static const char config[] =
    "{'metadata':{'name':'yunikorn-configs','namespace':'yunikorn'},'data':{'queues.yaml':'partitions:\\n"
    "- name: default\\n  queues:\\n  - name: root\\n    submitacl: \\\"*\\\"\\n    queues:\\n"
    "    - {name: low}\\n    - {name: high, resources: {guaranteed: {vcore: 4}}, properties: "
    "{preemption.delay: 1s}}\\n"
    "    - {name: gangs}\\n'}}";

static void put_cluster(struct life *life)
{
    char text[400];
    life_put_text(life, YK_KIND_CONFIG_MAP, config);
    life_put_text(life, YK_KIND_STORAGE_CLASS,
                  "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner',"
                  "'volumeBindingMode':'WaitForFirstConsumer'}");
    life_put_text(life, YK_KIND_STORAGE_CLASS,
                  "{'metadata':{'name':'made'},'provisioner':'csi.example','volumeBindingMode':"
                  "'WaitForFirstConsumer'}");
    life_put_text(life, YK_KIND_VOLUME,
                  "{'metadata':{'name':'v0'},'spec':{'capacity':{'storage':'10Gi'},'accessModes':["
                  "'ReadWriteOnce'],'storageClassName':'local'},'status':{'phase':'Available'}}");
    for (int i = 0; i < 2; i++) {
        snprintf(
            text, sizeof(text),
            "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'}},'status':{'allocatable'"
            ":{'cpu':'4','pods':'20'}}}",
            i, i);
        life_put_text(life, YK_KIND_NODE, text);
    }
}

/* `more`: further fields of the pod's metadata and spec. */
static void put_pod(struct life *life, const char *name, const char *queue, const char *notes,
                    const char *spec)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(
        &json,
        "{'metadata':{'name':'%s','namespace':'x','labels':{'applicationId':'%s','queue':'root.%s'}%s},"
        "'spec':{'schedulerName':'yunikorn'%s,'containers':[{'name':'c','resources':{'requests':{"
        "'cpu':'1'}}}]},'status':{'phase':'Pending'}}",
        name, queue, queue, notes, spec);
    life_put(life, YK_KIND_POD, &json);
}

static void put_pod_with_claim(struct life *life, const char *class_)
{
    char text[400], name[16], spec[120];
    snprintf(
        text, sizeof(text),
        "{'metadata':{'name':'%s','namespace':'x'},'spec':{'accessModes':['ReadWriteOnce'],"
        "'storageClassName':'%s','resources':{'requests':{'storage':'5Gi'}}},'status':{'phase':'Pending'}}",
        class_, class_);
    life_put_text(life, YK_KIND_VOLUME_CLAIM, text);
    snprintf(name, sizeof(name), "with-%s", class_);
    snprintf(spec, sizeof(spec), ",'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]",
             class_);
    put_pod(life, name, "low", "", spec);
}

static void delete_pods(struct life *life, int first, int last)
{
    char name[16];
    for (int i = first; i <= last; i++) {
        snprintf(name, sizeof(name), "low-%d", i);
        (void)yk_cluster_delete(life->cluster, YK_KIND_POD, "x", name); /* may have been preempted */
    }
}

/* A full cluster, preemption, pods that wait and say so, volumes, a gang. */
static void play(struct life *life)
{
    static const char groups[] =
        ",'annotations':{'yunikorn.apache.org/task-groups':'[{\\\"name\\\":\\\"g\\\",\\\"minMember\\\":2,"
        "\\\"minResource\\\":{\\\"cpu\\\":1}}]','yunikorn.apache.org/task-group-name':'g'}";
    char name[16];
    for (int i = 0; i < 9; i++) { /* one does not fit */
        snprintf(name, sizeof(name), "low-%d", i);
        put_pod(life, name, "low", "", "");
    }
    life_pass(life, 5 * YK_NS_PER_S);
    put_pod(life, "high-0", "high", "", "");
    put_pod(life, "high-1", "high", "", "");
    life_pass(life, 60 * YK_NS_PER_S);
    delete_pods(life, 0, 8);
    put_pod_with_claim(life, "local");
    put_pod_with_claim(life, "made");
    put_pod(life, "gang-0", "gangs", groups, "");
    put_pod(life, "gang-1", "gangs", groups, "");
    life_pass(life, 60 * YK_NS_PER_S);
}

struct result {
    size_t bound, waiting, placeholders;
};

static void count_pod(void *context, const struct yk_object *object)
{
    struct result *result = context;
    const struct yk_pod *pod = (const struct yk_pod *)(const void *)object;
    if (yk_pairs_get(&object->annotations, "internal.yunikorn.apache.org/placeholder").p != NULL)
        result->placeholders++;
    else if (yk_str_empty(pod->node_name))
        result->waiting++;
    else
        result->bound++;
}

static void check(const struct life *life, const char *what)
{
    struct yk_err err = {0};
    struct result result = {0};
    yk_cluster_each(life->cluster, YK_KIND_POD, count_pod, &result);
    if (result.bound != 6 || result.waiting != 0 || result.placeholders != 0)
        fail_msg("%s: %zu pods run of 6, %zu wait, %zu placeholders are left", what, result.bound,
                 result.waiting, result.placeholders);
    if (yk_cluster_check(life->cluster, &err) != YK_OK || !yk_core_check(life->core, &err) ||
        !yk_shim_check(life->shim, &err))
        fail_msg("%s: %s", what, err.text);
}

/* False: there was no such request, so the fault met none. */
static bool survives(const struct yk_fault *fault, const char *what)
{
    static const struct yk_cluster_options options = {.seed = 3,
                                                      .request_ns = 5 * YK_NS_PER_MS,
                                                      .watch_ns = 2 * YK_NS_PER_MS,
                                                      .timeout_ns = 10 * YK_NS_PER_S,
                                                      .provision_ns = 2 * YK_NS_PER_S};
    struct life life = {.reserves = true};
    struct yk_cluster_stats stats;
    life_init(&life, &options);
    put_cluster(&life);
    if (fault != NULL)
        assert_int_equal(yk_cluster_add_fault(life.cluster, fault, NULL), YK_OK);
    life_begin(&life, 1);
    play(&life);
    life_pass(&life, 1800 * YK_NS_PER_S); /* longer than a gang or a volume is waited for */
    check(&life, what);
    yk_cluster_stats(life.cluster, &stats);
    life_end(&life);
    return stats.faults > 0;
}

static const struct {
    const char *name;
    enum yk_op_kind kind;
    bool may_be_unused; /* not in this scenario */
} writes[] = {
    {"binding", YK_OP_BIND, false},        {"pod status", YK_OP_PATCH_POD_STATUS, false},
    {"deletion", YK_OP_DELETE_POD, false}, {"placeholder", YK_OP_CREATE_POD, false},
    {"event", YK_OP_CREATE_EVENT, false},  {"event again", YK_OP_PATCH_EVENT, true},
    {"volume", YK_OP_PATCH_VOLUME, false}, {"claim", YK_OP_PATCH_CLAIM, false},
};

static const struct {
    const char *name;
    struct yk_fault fault;
} faults[] = {
    {"403", {.kind = YK_FAULT_REFUSE, .http_status = 403}},
    {"409", {.kind = YK_FAULT_REFUSE, .http_status = 409}},
    {"429", {.kind = YK_FAULT_REFUSE, .http_status = 429, .retry_after_ns = 3 * YK_NS_PER_S}},
    {"500", {.kind = YK_FAULT_REFUSE, .http_status = 500}},
    {"the answer is lost", {.kind = YK_FAULT_LOSE}},
    {"no answer", {.kind = YK_FAULT_NO_ANSWER}},
    {"late", {.kind = YK_FAULT_SLOW, .delay_ns = 9 * YK_NS_PER_S}},
};

static uint64_t fail_each(size_t write, size_t fault)
{
    uint64_t n = 0;
    for (;;) {
        char what[80];
        struct yk_fault now = faults[fault].fault;
        now.op = writes[write].kind;
        now.nth = ++n;
        snprintf(what, sizeof(what), "%s %llu, %s", writes[write].name, (unsigned long long)n,
                 faults[fault].name);
        assert_true(n < REQUESTS_MAX);
        if (!survives(&now, what))
            return n - 1;
    }
}

static void the_scenario_works_without_faults(void **state)
{
    (void)state;
    assert_false(survives(NULL, "no fault"));
}

static void each_write_fails_once(void **state)
{
    uint64_t runs = 0;
    (void)state;
    for (size_t write = 0; write < YK_COUNT(writes); write++) {
        for (size_t fault = 0; fault < YK_COUNT(faults); fault++) {
            uint64_t requests = fail_each(write, fault);
            if (requests == 0 && !writes[write].may_be_unused)
                fail_msg("%s: the scenario has none", writes[write].name);
            runs += requests;
        }
    }
    print_message("%llu runs\n", (unsigned long long)runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenario_works_without_faults),
        cmocka_unit_test(each_write_fails_once),
    };
    return cmocka_run_group_tests_name("simulate/each_write_fails", tests, NULL, NULL);
}
