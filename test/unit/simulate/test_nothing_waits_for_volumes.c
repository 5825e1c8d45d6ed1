/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shim and core together with volumes, on a cluster in memory: claims, volumes, attachments, capacities,
 * nodes, pods with gates and of changing size come and go, requests fail, watches break. Whenever all is
 * quiet no pod waits that the filters and the room of some node would let run (design.md, Invariants 5;
 * predicates.md 7.4). In every second run nodes are reserved. YK_SEED, YK_SEEDS and YK_STEPS set the run.
 */
#include "cmd/core_check.h"

#include "app/apps.h"
#include "lib/chance.h"
#include "lib/could_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
    NODES = 5,
    PODS = 20,
    CLAIMS = 8,
    VOLUMES = 8,
    NAMESPACES = 2,
    DEFAULT_STEPS = 150,
    DEFAULT_SEEDS = 8
};

struct world {
    uint64_t seed;
    int step;
    const char *event;
    struct yk_random random;
    struct life life;
    uint64_t templates[PODS];
    bool gated[PODS];
    size_t waited, ran;
};

static void put_node(struct world *world, int index)
{
    struct yk_random *random = &world->random;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'n%d','labels':{'kubernetes.io/hostname':'n%d'", index, index);
    if (below(random, 6) > 0)
        yk_buf_printf(&json, ",'zone':'%s','topology.kubernetes.io/zone':'%s'", PICK(random, "z0", "z1"),
                      PICK(random, "z0", "z1"));
    if (below(random, 2) == 0)
        yk_buf_printf(&json, ",'disk':'%s'", PICK(random, "ssd", "hdd"));
    yk_buf_printf(&json, "}},'spec':{");
    if (below(random, 4) == 0)
        yk_buf_printf(&json, "'taints':[{'key':'t','value':'%d','effect':'%s'}],", below(random, 4) * 5,
                      PICK(random, "NoSchedule", "PreferNoSchedule", "NoExecute"));
    yk_buf_printf(&json, "'unschedulable':%s},'status':{'allocatable':{'cpu':'%d','pods':'%d'",
                  below(random, 6) == 0 ? "true" : "false", 2 + below(random, 6), 2 + below(random, 8));
    if (below(random, 2) == 0)
        yk_buf_printf(&json, ",'x.org/gpu':'2'");
    yk_buf_printf(&json, "}}}");
    life_put(&world->life, YK_KIND_NODE, &json);
}

static void put_csi_node(struct world *world, int index)
{
    struct yk_random *random = &world->random;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'n%d'},'spec':{'drivers':[", index);
    if (below(random, 4) > 0)
        yk_buf_printf(&json, "{'name':'csi.example','allocatable':{'count':%d}}", below(random, 4));
    yk_buf_printf(&json, "]}}");
    life_put(&world->life, YK_KIND_CSI_NODE, &json);
}

static void put_namespace(struct world *world, int index)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'ns%d','labels':{'team':'%s'}}}", index,
                  PICK(&world->random, "a", "b"));
    life_put(&world->life, YK_KIND_NAMESPACE, &json);
}

static void put_class(struct world *world, int index)
{
    struct yk_random *random = &world->random;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    if (index == 0)
        yk_buf_printf(&json, "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner',"
                             "'volumeBindingMode':'WaitForFirstConsumer'}");
    else {
        yk_buf_printf(&json, "{'metadata':{'name':'made'},'provisioner':'csi.example','volumeBindingMode':"
                             "'WaitForFirstConsumer'");
        if (below(random, 2) == 0)
            yk_buf_printf(&json,
                          ",'allowedTopologies':[{'matchLabelExpressions':[{'key':'zone','values':['%s']}]}]",
                          PICK(random, "z0", "z1"));
        yk_buf_printf(&json, "}");
    }
    life_put(&world->life, YK_KIND_STORAGE_CLASS, &json);
}

static void put_driver(struct world *world)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(&json, "{'metadata':{'name':'csi.example'},'spec':{'storageCapacity':%s}}",
                  PICK(&world->random, "true", "false"));
    life_put(&world->life, YK_KIND_CSI_DRIVER, &json);
}

static void put_capacity(struct world *world)
{
    struct yk_random *random = &world->random;
    const char *zone = PICK(random, "z0", "z1");
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(
        &json,
        "{'metadata':{'name':'c%s','namespace':'kube-system'},'storageClassName':'made','capacity':'%dGi',"
        "'nodeTopology':{'matchLabels':{'zone':'%s'}}}",
        zone, 1 + below(random, 10), zone);
    life_put(&world->life, YK_KIND_CSI_CAPACITY, &json);
}

static void put_volume(struct world *world, int index)
{
    struct yk_random *random = &world->random;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(
        &json,
        "{'metadata':{'name':'v%d'},'spec':{'capacity':{'storage':'%dGi'},'accessModes':"
        "['ReadWriteOnce','ReadWriteOncePod'],'storageClassName':'local','nodeAffinity':{'required':{"
        "'nodeSelectorTerms':[{'matchExpressions':[{'key':'%s','operator':'In','values':['%s%d']}]}]}}},"
        "'status':{'phase':'Available'}}",
        index, 1 + below(random, 10), index % 2 == 0 ? "kubernetes.io/hostname" : "zone",
        index % 2 == 0 ? "n" : "z", below(random, index % 2 == 0 ? NODES : 2));
    life_put(&world->life, YK_KIND_VOLUME, &json);
}

static void put_claim(struct world *world, int index)
{
    struct yk_random *random = &world->random;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(
        &json,
        "{'metadata':{'name':'c%d','namespace':'ns%d'},'spec':{'accessModes':['%s'],"
        "'storageClassName':'%s','resources':{'requests':{'storage':'%dGi'}}},'status':{'phase':'Pending'}}",
        index, index % NAMESPACES, PICK(random, "ReadWriteOnce", "ReadWriteOncePod"),
        PICK(random, "local", "made"), 1 + below(random, 6));
    life_put(&world->life, YK_KIND_VOLUME_CLAIM, &json);
}

static void write_volumes(struct yk_random *random, struct yk_buf *json, int index)
{
    if (below(random, 3) == 0)
        return;
    yk_buf_printf(json, ",'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c%d'}}",
                  (index % NAMESPACES) + NAMESPACES * below(random, CLAIMS / NAMESPACES));
    if (below(random, 3) == 0)
        yk_buf_printf(json, ",{'name':'w','persistentVolumeClaim':{'claimName':'c%d'}}",
                      (index % NAMESPACES) + NAMESPACES * below(random, CLAIMS / NAMESPACES));
    if (below(random, 3) == 0)
        yk_buf_printf(json, ",{'name':'d','gcePersistentDisk':{'pdName':'disk%d'}}", below(random, 2));
    yk_buf_printf(json, "]");
}

static void write_selector(struct yk_random *random, struct yk_buf *json)
{
    switch (below(random, 4)) {
    case 0:
        yk_buf_printf(json, "'labelSelector':{}");
        break;
    case 1:
        yk_buf_printf(json,
                      "'labelSelector':{'matchExpressions':[{'key':'tier','operator':'DoesNotExist'}]}");
        break;
    default:
        yk_buf_printf(json, "'labelSelector':{'matchLabels':{'app':'%s'}}", PICK(random, "a", "b"));
        break;
    }
}

static void write_spec(struct yk_random *random, struct yk_buf *json)
{
    if (below(random, 3) == 0) {
        yk_buf_printf(
            json, "'affinity':{'%s':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'%s',",
            PICK(random, "podAffinity", "podAntiAffinity"), PICK(random, "zone", "kubernetes.io/hostname"));
        write_selector(random, json);
        if (below(random, 2) == 0)
            yk_buf_printf(
                json,
                ",'namespaceSelector':{'matchExpressions':[{'key':'team','operator':'%s','values':['a']}]}",
                PICK(random, "In", "NotIn"));
        yk_buf_printf(json, "}]}},");
    }
    if (below(random, 3) == 0) {
        yk_buf_printf(json,
                      "'topologySpreadConstraints':[{'maxSkew':1,'whenUnsatisfiable':'DoNotSchedule',"
                      "'matchLabelKeys':['tier'],'nodeTaintsPolicy':'%s','minDomains':%d,'topologyKey':'%s',",
                      PICK(random, "Honor", "Ignore"), 1 + below(random, 3),
                      PICK(random, "zone", "kubernetes.io/hostname"));
        write_selector(random, json);
        yk_buf_printf(json, "}],");
    }
    if (below(random, 8) == 0)
        yk_buf_printf(json, "'nodeSelector':{'disk':'%s'},", PICK(random, "ssd", "hdd"));
    if (below(random, 4) == 0)
        yk_buf_printf(
            json,
            "'initContainers':[{'name':'s','restartPolicy':'Always','resources':{'requests':{'cpu':'1'}},"
            "'ports':[{'hostPort':81,'hostIP':'10.0.0.%d'}]}],",
            below(random, 2));
}

static void put_pod(struct world *world, int index, const struct yk_pod *now)
{
    struct yk_random *random = &world->random, template_;
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_random_init(&template_, world->templates[index]);
    yk_buf_printf(&json, "{'metadata':{'name':'p%d','namespace':'ns%d',", index, index % NAMESPACES);
    yk_buf_printf(&json, "'labels':{'applicationId':'app%d','app':'%s'", index % 4,
                  PICK(random, "a", "b", "c"));
    if (below(random, 3) == 0)
        yk_buf_printf(&json, ",'tier':'%s'", PICK(random, "x", "y"));
    yk_buf_printf(&json, "}},'spec':{'schedulerName':'yunikorn',");
    bool bound = now != NULL && !yk_str_empty(now->node_name);
    if (bound)
        yk_buf_printf(&json, "'nodeName':'" YK_STR_FMT "',", YK_STR_ARG(now->node_name));
    if (now == NULL)
        world->gated[index] = below(random, 4) == 0;
    else if (below(random, 2) == 0)
        world->gated[index] = false;
    if (world->gated[index])
        yk_buf_printf(&json, "'schedulingGates':[{'name':'a.b/c'}],");
    if (below(random, 3) == 0)
        yk_buf_printf(&json, "'tolerations':[{'key':'t','operator':'%s','value':'7'}],",
                      PICK(random, "Gt", "Lt"));
    else if (below(random, 6) == 0)
        yk_buf_printf(&json, "'tolerations':[{'operator':'Exists'}],");
    write_spec(&template_, &json);
    yk_buf_printf(&json, "'containers':[{'name':'c','resources':{'requests':{'cpu':'%d'",
                  bound ? 1 : below(random, 4));
    if (below(&template_, 6) == 0)
        yk_buf_printf(&json, ",'x.org/gpu':'1'");
    yk_buf_printf(&json, "}}");
    if (below(&template_, 4) == 0)
        yk_buf_printf(&json, ",'ports':[{'hostPort':%d}]", 80 + below(&template_, 2));
    yk_buf_printf(&json, "}]");
    write_volumes(&template_, &json, index);
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

static void check_pod(struct world *world, const struct yk_cache_pod *pod)
{
    const struct yk_cache_node *node = node_it_could_run_on(&world->life, pod);
    world->waited++;
    if (node != NULL)
        fail_msg("seed %llu, step %d, after '%s': %s waits and could run on %s",
                 (unsigned long long)world->seed, world->step, world->event, pod->text,
                 yk_name_text(node->name));
}

/* A pod without a task waits for its gates. */
static void check_gates(const struct world *world, const struct yk_cache_pod *pod)
{
    int64_t index = 0;
    assert_int_equal(yk_str_to_i64(yk_str_from(strchr(pod->text, '/') + 2), &index), YK_OK);
    if (!world->gated[index])
        fail_msg("seed %llu, step %d: %s has no task", (unsigned long long)world->seed, world->step,
                 pod->text);
}

static void check(struct world *world)
{
    const struct yk_cache_pod *pod;
    struct yk_err err = {0};
    yk_text_set_foreach (pod, &yk_shim_apps(world->life.shim)->cache->pods) {
        if (pod->task != NULL && pod->node == NULL && pod->task->state == YK_TASK_SCHEDULING)
            check_pod(world, pod);
        else if (pod->node == NULL && pod->task == NULL && (pod->flags & YK_POD_DELETING) == 0)
            check_gates(world, pod);
        else
            world->ran += pod->node != NULL;
    }
    if (!yk_core_check(world->life.core, &err))
        fail_msg("seed %llu, step %d: %s", (unsigned long long)world->seed, world->step, err.text);
}

static void change_node(struct world *world)
{
    char name[16];
    int index = below(&world->random, NODES);
    snprintf(name, sizeof(name), "n%d", index);
    bool is_there = yk_cluster_find(world->life.cluster, YK_KIND_NODE, NULL, name) != NULL;
    if (is_there && below(&world->random, 5) == 0) {
        world->event = "node removed";
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_NODE, NULL, name);
        if (below(&world->random, 2) == 0)
            put_node(world, index); /* at once again */
    } else if (is_there && below(&world->random, 3) == 0) {
        world->event = "node cordoned or not";
        (void)yk_cluster_cordon(world->life.cluster, name, below(&world->random, 2) == 0);
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
                                now->object.name.p);
    } else if (!now->object.deleting) {
        world->event = "pod changed";
        put_pod(world, index, now);
    }
}

static void change_claim(struct world *world)
{
    char name[16], namespace_[16];
    int index = below(&world->random, CLAIMS);
    snprintf(name, sizeof(name), "c%d", index);
    snprintf(namespace_, sizeof(namespace_), "ns%d", index % NAMESPACES);
    bool is_there = yk_cluster_find(world->life.cluster, YK_KIND_VOLUME_CLAIM, namespace_, name) != NULL;
    world->event = "claim deleted";
    if (is_there) {
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_VOLUME_CLAIM, namespace_, name);
        if (below(&world->random, 2) == 0)
            return;
    }
    world->event = "claim put";
    put_claim(world, index);
}

static void change_volume(struct world *world)
{
    char name[16];
    int index = below(&world->random, VOLUMES);
    snprintf(name, sizeof(name), "v%d", index);
    bool is_there = yk_cluster_find(world->life.cluster, YK_KIND_VOLUME, NULL, name) != NULL;
    world->event = "volume changed";
    if (is_there)
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_VOLUME, NULL, name);
    if (!is_there || below(&world->random, 2) == 0)
        put_volume(world, index);
}

static void change_attachment(struct world *world)
{
    char name[16];
    int index = below(&world->random, 4);
    snprintf(name, sizeof(name), "a%d", index);
    bool is_there = yk_cluster_find(world->life.cluster, YK_KIND_VOLUME_ATTACHMENT, NULL, name) != NULL;
    world->event = "attachment changed";
    if (is_there) {
        (void)yk_cluster_delete(world->life.cluster, YK_KIND_VOLUME_ATTACHMENT, NULL, name);
        return;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf json = {0};
    yk_buf_printf(
        &json,
        "{'metadata':{'name':'att%d'},'spec':{'capacity':{'storage':'1Gi'},'csi':{'driver':'csi.example',"
        "'volumeHandle':'h%d'}}}",
        index, index);
    life_put(&world->life, YK_KIND_VOLUME, &json);
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text,
                  "{'metadata':{'name':'a%d'},'spec':{'attacher':'csi.example','nodeName':'n%d','source':{"
                  "'persistentVolumeName':'att%d'}}}",
                  index, below(&world->random, NODES), index);
    life_put(&world->life, YK_KIND_VOLUME_ATTACHMENT, &text);
}

static void something_happens(struct world *world)
{
    int what = below(&world->random, 21);
    char name[16];
    switch (what) {
    case 0:
    case 1:
    case 2:
        change_node(world);
        break;
    case 3:
        snprintf(name, sizeof(name), "ns%d", below(&world->random, NAMESPACES));
        if (below(&world->random, 4) == 0)
            (void)yk_cluster_delete(world->life.cluster, YK_KIND_NAMESPACE, NULL, name);
        else
            put_namespace(world, name[2] - '0');
        world->event = "namespace";
        break;
    case 4:
    case 5:
    case 6:
        change_claim(world);
        break;
    case 7:
        change_volume(world);
        break;
    case 8:
        world->event = "csi node";
        put_csi_node(world, below(&world->random, NODES));
        break;
    case 9:
        world->event = "class";
        put_class(world, below(&world->random, 2));
        break;
    case 10:
        world->event = "driver";
        put_driver(world);
        break;
    case 11:
        world->event = "capacity";
        put_capacity(world);
        break;
    case 12:
    case 13:
        change_attachment(world);
        break;
    case 14: {
        static const enum yk_kind kinds[] = {YK_KIND_VOLUME, YK_KIND_VOLUME_CLAIM, YK_KIND_POD, YK_KIND_NODE};
        world->event = "watch broken";
        yk_cluster_break_watch(world->life.cluster, kinds[below(&world->random, 4)],
                               (enum yk_watch_fault)below(&world->random, 3), YK_NS_PER_S);
        break;
    }
    default:
        change_pod(world);
    }
}

static void begin(struct world *world, uint64_t seed)
{
    *world = (struct world){.seed = seed, .life.reserves = seed % 4 >= 2};
    yk_random_init(&world->random, seed);
    const struct yk_cluster_options options = {.seed = seed,
                                               .request_ns = 5 * YK_NS_PER_MS,
                                               .watch_ns = 2 * YK_NS_PER_MS,
                                               .watch_jitter_ns = 20 * YK_NS_PER_MS,
                                               .provision_ns = 2 * YK_NS_PER_S};
    life_init(&world->life, &options);
    for (int i = 0; i < NAMESPACES; i++)
        put_namespace(world, i);
    for (int i = 0; i < 2; i++)
        put_class(world, i);
    for (int i = 0; i < NODES; i++)
        put_node(world, i);
    for (int i = 0; i < VOLUMES; i++)
        put_volume(world, i);
    for (int i = 0; i < CLAIMS; i++)
        put_claim(world, i);
    life_begin(&world->life, seed);
}

static void add_faults(struct world *world)
{
    static const enum yk_op_kind ops[] = {YK_OP_PATCH_VOLUME, YK_OP_PATCH_CLAIM, YK_OP_BIND,
                                          YK_OP_PATCH_POD_STATUS};
    static const int statuses[] = {409, 429, 500};
    for (size_t i = 0; i < YK_COUNT(ops); i++) {
        const struct yk_fault refuse = {.op = ops[i],
                                        .kind = YK_FAULT_REFUSE,
                                        .probability = 0.2,
                                        .http_status = statuses[below(&world->random, 3)]};
        const struct yk_fault lose = {.op = ops[i], .kind = YK_FAULT_LOSE, .probability = 0.2};
        const struct yk_fault silent = {.op = ops[i], .kind = YK_FAULT_NO_ANSWER, .probability = 0.1};
        assert_int_equal(yk_cluster_add_fault(world->life.cluster, &refuse, NULL), YK_OK);
        assert_int_equal(yk_cluster_add_fault(world->life.cluster, &lose, NULL), YK_OK);
        assert_int_equal(yk_cluster_add_fault(world->life.cluster, &silent, NULL), YK_OK);
    }
}

static void check_end(struct world *world)
{
    const struct yk_cache_pod *pod;
    life_pass(&world->life, 1500 * YK_NS_PER_S);
    check(world);
    yk_text_set_foreach (pod, &yk_shim_apps(world->life.shim)->cache->pods) {
        if (pod->task == NULL)
            continue;
        if (pod->task->state == YK_TASK_ALLOCATED)
            fail_msg("seed %llu: %s is still on its way to %s", (unsigned long long)world->seed, pod->text,
                     yk_name_text(pod->node->name));
        if (pod->task->state == YK_TASK_NEW && pod->node == NULL)
            fail_msg("seed %llu: %s is still new", (unsigned long long)world->seed, pod->text);
    }
}

static void nobody_waits_who_could_run(void **state)
{
    (void)state;
    int64_t first = number_from("YK_SEED", 1), steps = number_from("YK_STEPS", DEFAULT_STEPS),
            seeds = number_from("YK_SEEDS", DEFAULT_SEEDS);
    size_t waited = 0, ran = 0;
    for (int64_t seed = first; seed < first + seeds; seed++) {
        struct world world;
        begin(&world, (uint64_t)seed);
        bool faults = seed % 2 == 0;
        if (faults)
            add_faults(&world);
        for (world.step = 0; world.step < steps; world.step++) {
            for (int i = 1 + below(&world.random, 3); i > 0; i--)
                something_happens(&world);
            life_pass(&world.life, YK_NS_PER_S);
            if (world.step % 4 == 3) {
                life_pass(&world.life, 60 * YK_NS_PER_S); /* give-ups back off, what is kept is looked at */
                check(&world);
            }
        }
        yk_cluster_clear_faults(world.life.cluster);
        check_end(&world);
        waited += world.waited;
        ran += world.ran;
        life_end(&world.life);
    }
    assert_true(waited > 1000 && ran > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_who_could_run),
    };
    return cmocka_run_group_tests_name("simulate/nothing_waits_for_volumes", tests, NULL, NULL);
}
