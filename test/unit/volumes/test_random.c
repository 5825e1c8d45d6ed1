/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random clusters and random events: after each event every filter says of every pod and node what the oracle
 * says, and each pod that can run where it could not before was woken.
 */
#include "volumes/world.h"

#include "base/random.h"
#include "volumes/oracle.h"
#include "volumes/volumes_priv.h"

#include "lib/cmocka_headers.h"

enum {
    NODES = 5,
    PODS = 12,
    GUESTS = 12,
    CLAIMS = 8,
    VOLUMES = 10,
    PLANS = 6,
    STEPS = 900,
    RUNS = 9,
    CHECKS_MIN = 200000
};

struct pod {
    struct yk_pod *object;
    struct yk_pod_volumes *volumes;
    bool refused[NODES]; /* when it was looked at last */
    bool is_due;         /* to be looked at */
    int node;            /* guests: where it stands; -1: nowhere */
};

struct run {
    struct world world;
    struct yk_random random;
    struct oracle oracle;
    struct pod pods[PODS], guests[GUESTS];
    struct yk_object *nodes[NODES]; /* as the cache was told */
    struct {
        struct yk_volume_plan *plan;
        struct oracle_plan same;
    } plans[PLANS];
    uint64_t seed, checks;
    int step, touched_node; /* it changed: who asked has to ask about it again */
};

static int below(struct run *run, int bound)
{
    return (int)yk_random_below(&run->random, (uint64_t)bound);
}

static bool chance(struct run *run, int percent)
{
    return below(run, 100) < percent;
}

static const char *pick(struct run *run, const char *const *items, size_t count)
{
    return items[below(run, (int)count)];
}
#define PICK(run, ...)                                                                                       \
    pick((run), (const char *const[]){__VA_ARGS__}, YK_COUNT(((const char *const[]){__VA_ARGS__})))

/* ---- what objects look like ---- */

static void random_volumes(struct run *run, struct yk_buf *out)
{
    int count = 1 + below(run, 3);
    for (int i = 0; i < count; i++) {
        yk_buf_printf(out, "%s{'name':'e%d',", i > 0 ? "," : "", i);
        switch (below(run, 9)) {
        case 0:
            yk_buf_printf(out, "'gcePersistentDisk':{'pdName':'g%d','readOnly':%s}}", below(run, 2),
                          PICK(run, "true", "false"));
            break;
        case 1:
            yk_buf_printf(out, "'awsElasticBlockStore':{'volumeID':'%svol-%d'}}", PICK(run, "", "aws://z0/"),
                          below(run, 3));
            break;
        case 2:
            if (chance(run, 50))
                yk_buf_printf(out, "'iscsi':{'iqn':'i%d','readOnly':%s}}", below(run, 2),
                              PICK(run, "true", "false"));
            else
                yk_buf_printf(out, "'rbd':{'monitors':['m%d','m%d'],'pool':'p','image':'i%d','readOnly':%s}}",
                              below(run, 3), below(run, 3), below(run, 2), PICK(run, "true", "false"));
            break;
        case 3:
            yk_buf_text(out, "'ephemeral':{'volumeClaimTemplate':{}}}");
            break;
        default:
            yk_buf_printf(out, "'persistentVolumeClaim':{'claimName':'c%d'}}", below(run, CLAIMS));
            break;
        }
    }
}

static void random_claim_name(struct run *run, char name[20])
{
    if (chance(run, 70))
        snprintf(name, 20, "c%d", below(run, CLAIMS));
    else
        snprintf(name, 20, "%s%d-e%d", PICK(run, "p", "p", "q"), below(run, PODS), below(run, 3));
}

static int number_in(const char *digits)
{
    int number = 0;
    for (; *digits >= '0' && *digits <= '9'; digits++)
        number = 10 * number + *digits - '0';
    return number;
}

static void claim_event(struct run *run)
{
    struct yk_buf meta = {0}, rest = {0};
    char name[20];
    random_claim_name(run, name);
    yk_buf_printf(&meta, ",'ownerReferences':[{'uid':'u-a-p%d','controller':%s}]",
                  name[0] == 'p' && chance(run, 90) ? number_in(name + 1) : below(run, PODS),
                  PICK(run, "true", "true", "true", "true", "false"));
    bool bound = chance(run, 40);
    yk_buf_printf(&meta, ",'annotations':{'x':'y'%s%s%s}",
                  bound && chance(run, 85) ? ",'pv.kubernetes.io/bind-completed':'yes'" : "",
                  chance(run, 15) ? ",'volume.kubernetes.io/selected-node':'n1'" : "",
                  chance(run, 5) ? ",'volume.beta.kubernetes.io/storage-class':'s1'" : "");
    if (chance(run, 4))
        yk_buf_text(&meta, ",'deletionTimestamp':'2026-01-01T00:00:00Z'");
    yk_buf_printf(&rest, ",'spec':{'accessModes':['%s'%s]",
                  PICK(run, "ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"),
                  chance(run, 10) ? ",'ReadOnlyMany'" : "");
    if (chance(run, 85))
        yk_buf_printf(&rest, ",'resources':{'requests':{'storage':'%s'}}", PICK(run, "1Gi", "5Gi", "10Gi"));
    if (chance(run, 92))
        yk_buf_printf(&rest, ",'storageClassName':'%s'", PICK(run, "s0", "s0", "s1", "s1", "s2", "s3"));
    if (bound)
        yk_buf_printf(&rest, ",'volumeName':'v%d'", below(run, VOLUMES));
    if (chance(run, 10))
        yk_buf_printf(&rest, ",'volumeMode':'%s'", PICK(run, "Block", "Filesystem"));
    if (chance(run, 5))
        yk_buf_text(&rest, ",'volumeAttributesClassName':'gold'");
    if (chance(run, 15))
        yk_buf_text(&rest, PICK(run, ",'selector':{'matchLabels':{'tier':'a'}}", ",'selector':{}",
                                ",'selector':{'matchExpressions':[{'key':'tier','operator':'NotIn','values':"
                                "['a']}]}"));
    yk_buf_printf(&rest, "},'status':{'phase':'%s'}", chance(run, 3) ? "Lost" : "Pending");
    if (chance(run, 12))
        drop(&run->world, YK_KIND_VOLUME_CLAIM, "a", name);
    else
        put(&run->world, YK_KIND_VOLUME_CLAIM, "a", name, yk_buf_cstr(&meta), yk_buf_cstr(&rest));
    yk_buf_done(&meta);
    yk_buf_done(&rest);
}

static const char *random_terms(struct run *run)
{
    return PICK(
        run, "{'matchExpressions':[{'key':'kubernetes.io/hostname','operator':'In','values':['n0']}]}",
        "{'matchExpressions':[{'key':'kubernetes.io/hostname','operator':'In','values':['n2']}]}",
        "{'matchExpressions':[{'key':'topology.kubernetes.io/zone','operator':'In','values':['z0']}]}",
        "{'matchExpressions':[{'key':'topology.kubernetes.io/zone','operator':'In','values':['z0','z1']}]}",
        "{'matchExpressions':[{'key':'failure-domain.beta.kubernetes.io/"
        "zone','operator':'In','values':['z1']}]}"
        ",{'matchExpressions':[{'key':'rack','operator':'Exists'}]}",
        "{'matchExpressions':[{'key':'rack','operator':'Gt','values':['3']}]}",
        "{'matchFields':[{'key':'metadata.name','operator':'In','values':['n3']}]}", "{}");
}

static void volume_event(struct run *run)
{
    struct yk_buf meta = {0}, rest = {0};
    char name[20];
    snprintf(name, sizeof(name), "v%d", below(run, VOLUMES));
    yk_buf_printf(&meta, ",'labels':{'tier':'%s'", PICK(run, "a", "b"));
    if (chance(run, 25))
        yk_buf_printf(&meta, ",'%s':'%s'",
                      PICK(run, "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone",
                           "topology.kubernetes.io/region"),
                      PICK(run, "z0", "z0__z1", "z2", "z1____z0"));
    yk_buf_text(&meta, "}");
    if (chance(run, 4))
        yk_buf_text(&meta, ",'deletionTimestamp':'2026-01-01T00:00:00Z'");
    yk_buf_printf(&rest, ",'spec':{'capacity':{'storage':'%s'},'accessModes':['ReadWriteOnce'%s]",
                  PICK(run, "1Gi", "5Gi", "5Gi", "10Gi", "20Gi"),
                  chance(run, 70) ? ",'ReadWriteMany','ReadWriteOncePod'" : "");
    yk_buf_printf(&rest, ",'storageClassName':'%s'", PICK(run, "s0", "s0", "s0", "s1", "s2", "s3"));
    switch (below(run, 3)) {
    case 0:
        yk_buf_printf(&rest, ",'csi':{'driver':'d%d','volumeHandle':'h%d'}", below(run, 2), below(run, 4));
        break;
    case 1:
        yk_buf_printf(&rest, ",'awsElasticBlockStore':{'volumeID':'vol-%d'}", below(run, 4));
        break;
    default:
        break;
    }
    if (chance(run, 40))
        yk_buf_printf(&rest, ",'claimRef':{'namespace':'a','name':'c%d'%s}", below(run, CLAIMS),
                      chance(run, 30) ? ",'uid':'other'" : "");
    if (chance(run, 60))
        yk_buf_printf(&rest, ",'nodeAffinity':{'required':{'nodeSelectorTerms':[%s]}}", random_terms(run));
    if (chance(run, 5))
        yk_buf_text(&rest, ",'volumeMode':'Block'");
    if (chance(run, 3))
        yk_buf_text(&rest, ",'volumeAttributesClassName':'gold'");
    yk_buf_printf(&rest, "},'status':{'phase':'%s'}", chance(run, 85) ? "Available" : "Bound");
    if (chance(run, 15))
        drop(&run->world, YK_KIND_VOLUME, NULL, name);
    else
        put(&run->world, YK_KIND_VOLUME, NULL, name, yk_buf_cstr(&meta), yk_buf_cstr(&rest));
    yk_buf_done(&meta);
    yk_buf_done(&rest);
}

static void class_event(struct run *run, int which)
{
    static const char *const provisioners[] = {"kubernetes.io/no-provisioner", "d0", "kubernetes.io/aws-ebs",
                                               "d1"};
    struct yk_buf rest = {0};
    char name[4] = {'s', (char)('0' + which), '\0'};
    bool immediate = which == 3 ? chance(run, 70) : chance(run, 8);
    yk_buf_printf(&rest, ",'provisioner':'%s','volumeBindingMode':'%s'", provisioners[which],
                  immediate ? "Immediate" : "WaitForFirstConsumer");
    if (chance(run, 40))
        yk_buf_printf(
            &rest, ",'allowedTopologies':[%s]",
            PICK(run, "{'matchLabelExpressions':[{'key':'topology.kubernetes.io/zone','values':['z0']}]}",
                 "{}", "{'matchLabelExpressions':[{'key':'rack','values':['1','5']}]}"));
    if (chance(run, 10))
        drop(&run->world, YK_KIND_STORAGE_CLASS, NULL, name);
    else
        put(&run->world, YK_KIND_STORAGE_CLASS, NULL, name, "", yk_buf_cstr(&rest));
    yk_buf_done(&rest);
}

static void csi_node_event(struct run *run)
{
    struct yk_buf rest = {0};
    char name[4] = {'n', (char)('0' + below(run, NODES)), '\0'};
    yk_buf_text(&rest, ",'spec':{'drivers':[{'name':'other'}");
    for (int i = 0; i < 3; i++) {
        if (chance(run, 75))
            yk_buf_printf(&rest, ",{'name':'%s'", i == 2 ? "ebs.csi.aws.com" : i == 1 ? "d1" : "d0");
        else
            continue;
        if (chance(run, 85))
            yk_buf_printf(&rest, ",'allocatable':{'count':%d}", below(run, 4));
        yk_buf_text(&rest, "}");
    }
    yk_buf_text(&rest, "]}");
    if (chance(run, 15))
        drop(&run->world, YK_KIND_CSI_NODE, NULL, name);
    else
        put(&run->world, YK_KIND_CSI_NODE, NULL, name,
            chance(run, 50) ? ",'annotations':{'storage.alpha.kubernetes.io/migrated-plugins':"
                              "'kubernetes.io/gce-pd,kubernetes.io/aws-ebs'}"
                            : "",
            yk_buf_cstr(&rest));
    yk_buf_done(&rest);
}

static void driver_event(struct run *run)
{
    struct yk_buf rest = {0};
    const char *name = PICK(run, "d0", "d1", "ebs.csi.aws.com");
    yk_buf_printf(&rest, ",'spec':{'storageCapacity':%s,'preventPodSchedulingIfMissing':%s}",
                  PICK(run, "true", "false"), PICK(run, "true", "false", "false"));
    if (chance(run, 20))
        drop(&run->world, YK_KIND_CSI_DRIVER, NULL, name);
    else
        put(&run->world, YK_KIND_CSI_DRIVER, NULL, name, "", yk_buf_cstr(&rest));
    yk_buf_done(&rest);
}

static void capacity_event(struct run *run)
{
    struct yk_buf rest = {0};
    char name[4] = {'k', (char)('0' + below(run, 6)), '\0'};
    yk_buf_printf(&rest, ",'storageClassName':'%s'", PICK(run, "s1", "s1", "s2"));
    if (chance(run, 90))
        yk_buf_printf(&rest, ",'capacity':'%s'", PICK(run, "1Gi", "5Gi", "20Gi"));
    if (chance(run, 20))
        yk_buf_printf(&rest, ",'maximumVolumeSize':'%s'", PICK(run, "1Gi", "5Gi"));
    yk_buf_text(&rest, PICK(run, "", ",'nodeTopology':{}",
                            ",'nodeTopology':{'matchLabels':{'topology.kubernetes.io/zone':'z1'}}",
                            ",'nodeTopology':{'matchLabels':{'kubernetes.io/hostname':'n0'}}",
                            ",'nodeTopology':{'matchLabels':{'kubernetes.io/hostname':'n3'}}",
                            ",'nodeTopology':{'matchExpressions':[{'key':'rack','operator':'Exists'}]}"));
    if (chance(run, 15))
        drop(&run->world, YK_KIND_CSI_CAPACITY, "a", name);
    else
        put(&run->world, YK_KIND_CSI_CAPACITY, "a", name, "", yk_buf_cstr(&rest));
    yk_buf_done(&rest);
}

static void attachment_event(struct run *run)
{
    struct yk_buf rest = {0};
    char name[4] = {'t', (char)('0' + below(run, 6)), '\0'};
    yk_buf_printf(&rest, ",'spec':{'attacher':'%s','nodeName':'n%d','source':{", PICK(run, "d0", "d1"),
                  below(run, NODES));
    if (chance(run, 90))
        yk_buf_printf(&rest, "'persistentVolumeName':'v%d'", below(run, VOLUMES));
    yk_buf_text(&rest, "}}");
    if (chance(run, 40))
        drop(&run->world, YK_KIND_VOLUME_ATTACHMENT, NULL, name);
    else
        put(&run->world, YK_KIND_VOLUME_ATTACHMENT, NULL, name, "", yk_buf_cstr(&rest));
    yk_buf_done(&rest);
}

static void node_event(struct run *run, int which)
{
    struct yk_buf labels = {0}, text = {0};
    char name[4] = {'n', (char)('0' + which), '\0'};
    yk_buf_printf(&labels, "'kubernetes.io/hostname':'%s'", name);
    if (chance(run, 70))
        yk_buf_printf(&labels, ",'topology.kubernetes.io/zone':'z%d','topology.kubernetes.io/region':'z0'",
                      below(run, 3));
    if (chance(run, 20))
        yk_buf_printf(&labels, ",'failure-domain.beta.kubernetes.io/zone':'z%d'", below(run, 3));
    if (chance(run, 50))
        yk_buf_printf(&labels, ",'topology.ebs.csi.aws.com/zone':'z%d'", below(run, 3));
    if (chance(run, 50))
        yk_buf_printf(&labels, ",'rack':'%d'", below(run, 6));
    put_node(&run->world, name, yk_buf_cstr(&labels));
    yk_buf_printf(&text, "{'metadata':{'name':'%s','labels':{%s}}}", name, yk_buf_cstr(&labels));
    yk_object_free(run->nodes[which]);
    run->nodes[which] = object_from(YK_KIND_NODE, yk_buf_cstr(&text));
    yk_buf_done(&labels);
    yk_buf_done(&text);
    run->touched_node = which;
}

static void stand(struct run *run, struct pod *guest, int node)
{
    char name[4] = {'n', (char)('0' + (node >= 0 ? node : guest->node)), '\0'};
    yk_name id = yk_name_get(yk_str_from(name));
    yk_volumes_pod_on_node(&run->world.volumes, guest->volumes, id, node >= 0);
    yk_name_put(id);
    guest->node = node;
}

static void guest_event(struct run *run)
{
    struct pod *guest = &run->guests[below(run, GUESTS)];
    stand(run, guest, guest->node >= 0 ? -1 : below(run, NODES));
}

/* ---- the oracle's view ---- */

#define GATHER(list, n, kind, T)                                                                             \
    do {                                                                                                     \
        const struct yk_cache_entry *entry;                                                                  \
        (n) = 0;                                                                                             \
        yk_strmap_foreach (entry, &run->world.cache.kept[kind])                                              \
            (list)[(n)++] = (const struct T *)(const void *)entry->object;                                   \
    } while (0)

static void look(struct run *run)
{
    struct oracle *o = &run->oracle;
    GATHER(o->claims, o->claim_count, YK_KIND_VOLUME_CLAIM, yk_volume_claim);
    GATHER(o->volumes, o->volume_count, YK_KIND_VOLUME, yk_volume);
    GATHER(o->classes, o->class_count, YK_KIND_STORAGE_CLASS, yk_storage_class);
    GATHER(o->csi_nodes, o->csi_node_count, YK_KIND_CSI_NODE, yk_csi_node);
    GATHER(o->drivers, o->driver_count, YK_KIND_CSI_DRIVER, yk_csi_driver);
    GATHER(o->capacities, o->capacity_count, YK_KIND_CSI_CAPACITY, yk_csi_capacity);
    GATHER(o->attachments, o->attachment_count, YK_KIND_VOLUME_ATTACHMENT, yk_volume_attachment);
    o->standing_count = 0;
    for (int i = 0; i < GUESTS; i++) {
        if (run->guests[i].node >= 0)
            o->standing[o->standing_count++] =
                (struct oracle_standing){run->guests[i].object, run->nodes[run->guests[i].node]->name};
    }
}

static struct oracle_node oracle_node(const struct run *run, int which)
{
    return (struct oracle_node){run->nodes[which]->name, run->nodes[which]->labels};
}

static struct yk_cache_node *cache_node(struct run *run, int which)
{
    return yk_cache_find_node(&run->world.cache, run->nodes[which]->name);
}

/* ---- plans ---- */

static void forget(struct run *run, int which)
{
    struct oracle *o = &run->oracle;
    yk_volumes_forget(&run->world.volumes, run->plans[which].plan);
    run->plans[which].plan = NULL;
    for (uint32_t i = 0; i < o->plan_count; i++) {
        if (o->plans[i] == &run->plans[which].same) {
            memmove(&o->plans[i], &o->plans[i + 1], (o->plan_count - i - 1) * sizeof(*o->plans));
            o->plan_count--;
            return;
        }
    }
}

static void plan_event(struct run *run)
{
    int which = below(run, PLANS), node = below(run, NODES);
    struct pod *pod = &run->pods[below(run, PODS)];
    char message[400];
    if (run->plans[which].plan != NULL) {
        forget(run, which);
        return;
    }
    oracle_possible(&run->oracle, pod->object, message);
    if (message[0] != '\0')
        return;
    struct oracle_node on = oracle_node(run, node);
    uint32_t want = oracle_binding(&run->oracle, pod->object, &on, &run->plans[which].same);
    uint32_t got =
        yk_volumes_assume(&run->world.volumes, pod->volumes, cache_node(run, node), &run->plans[which].plan);
    if (got != want || (got == 0 && (run->plans[which].plan != NULL) != (run->plans[which].same.count > 0)))
        fail_msg("seed %llu step %d: assume says %x, the oracle %x", (unsigned long long)run->seed, run->step,
                 got, want);
    if (run->plans[which].plan != NULL)
        run->oracle.plans[run->oracle.plan_count++] = &run->plans[which].same;
}

/* ---- comparing ---- */

static void differs(const struct run *run, const struct pod *pod, int node, const char *what, uint32_t got,
                    uint32_t want)
{
    fail_msg("seed %llu step %d: %s of pod %s on node %d: got %x, the oracle says %x",
             (unsigned long long)run->seed, run->step, what, pod->object->object.name.p, node, got, want);
}

static uint32_t compare(struct run *run, const struct pod *pod, int which)
{
    struct yk_volumes *volumes = &run->world.volumes;
    struct oracle_node node = oracle_node(run, which);
    const struct yk_cache_node *known = cache_node(run, which);
    const struct yk__node_volumes *on_node = yk__node_volumes(volumes, known->name);
    const struct {
        const char *what;
        uint32_t got, want;
    } filters[] = {
        {"VolumeRestrictions", yk__restrictions(pod->volumes, on_node),
         oracle_restrictions(&run->oracle, pod->object, &node)},
        {"NodeVolumeLimits", yk__attach_limits(volumes, pod->volumes, on_node, NULL),
         oracle_limits(&run->oracle, pod->object, &node)},
        {"VolumeBinding", yk__volume_binding(volumes, pod->volumes, known),
         oracle_binding(&run->oracle, pod->object, &node, NULL)},
        {"VolumeZone", yk__volume_zone(volumes, pod->volumes, known),
         oracle_zone(&run->oracle, pod->object, &node)},
    };
    uint32_t result = 0;
    for (size_t i = 0; i < YK_COUNT(filters); i++) {
        if (filters[i].got != filters[i].want)
            differs(run, pod, which, filters[i].what, filters[i].got, filters[i].want);
        result = result != 0 ? result : filters[i].want;
    }
    run->checks++;
    return result;
}

static void ask_about(struct run *run, struct pod *pod, int node)
{
    pod->refused[node] = yk_volumes_possible(&run->world.volumes, pod->volumes, NULL) == YK_VOLUMES_NEVER ||
                         yk_volumes_check(&run->world.volumes, pod->volumes, cache_node(run, node)) != 0;
}

static void ask(struct run *run, struct pod *pod)
{
    for (int i = 0; i < NODES; i++)
        ask_about(run, pod, i);
    pod->is_due = false;
}

static void check_pod(struct run *run, struct pod *pod)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf got = {0};
    char want[400];
    uint32_t refusals = pod->volumes->refusals;
    yk_volumes_try_begin(&run->world.volumes); /* looking must not count as having been refused */
    (void)yk_volumes_possible(&run->world.volumes, pod->volumes, &got); /* what it says is in `got` */
    yk_volumes_try_end(&run->world.volumes);
    assert_int_equal(pod->volumes->refusals, refusals);
    oracle_possible(&run->oracle, pod->object, want);
    if (strcmp(yk_buf_cstr(&got), want) != 0)
        fail_msg("seed %llu step %d: pod %s: got '%s', the oracle says '%s'", (unsigned long long)run->seed,
                 run->step, pod->object->object.name.p, yk_buf_cstr(&got), want);
    for (int i = 0; i < NODES; i++) {
        bool refused = want[0] != '\0';
        if (!refused)
            refused = compare(run, pod, i) != 0;
        if (!pod->is_due && pod->refused[i] && !refused && i != run->touched_node)
            fail_msg("seed %llu step %d: pod %s could run on node %d and was not woken",
                     (unsigned long long)run->seed, run->step, pod->object->object.name.p, i);
    }
    if (pod->is_due)
        ask(run, pod);
    else if (run->touched_node >= 0)
        ask_about(run, pod, run->touched_node);
}

static void check(struct run *run)
{
    const struct yk_pod_volumes *woken;
    while ((woken = yk_volumes_next_woken(&run->world.volumes)) != NULL) {
        for (int i = 0; i < PODS; i++)
            run->pods[i].is_due = run->pods[i].is_due || run->pods[i].volumes == woken;
    }
    look(run);
    for (int i = 0; i < PODS; i++)
        check_pod(run, &run->pods[i]);
}

static void random_event(struct run *run)
{
    int dice = below(run, 100);
    if (dice < 24)
        claim_event(run);
    else if (dice < 46)
        volume_event(run);
    else if (dice < 51)
        class_event(run, below(run, 4));
    else if (dice < 58)
        csi_node_event(run);
    else if (dice < 61)
        driver_event(run);
    else if (dice < 67)
        capacity_event(run);
    else if (dice < 72)
        attachment_event(run);
    else if (dice < 77)
        node_event(run, below(run, NODES));
    else if (dice < 86)
        guest_event(run);
    else
        plan_event(run);
}

/* ---- a run ---- */

static void pod_begins(struct run *run, struct pod *pod, char letter, int number)
{
    struct yk_buf volumes = {0};
    char name[8];
    snprintf(name, sizeof(name), "%c%d", letter, number);
    random_volumes(run, &volumes);
    *pod = (struct pod){.is_due = true, .node = -1};
    pod->object = pod_with("a", name, yk_buf_cstr(&volumes));
    pod->volumes = yk_pod_volumes_get(&run->world.volumes, pod->object);
    assert_non_null(pod->volumes);
    yk_buf_done(&volumes);
}

static void pod_ends(struct run *run, struct pod *pod)
{
    yk_pod_volumes_put(&run->world.volumes, pod->volumes);
    yk_object_free(&pod->object->object);
}

static void run_begins(struct run *run, uint64_t seed)
{
    memset(run, 0, sizeof(*run));
    run->seed = seed;
    yk_random_init(&run->random, seed);
    world_init(&run->world);
    for (int i = 0; i < NODES; i++)
        node_event(run, i);
    for (int i = 0; i < 4; i++)
        class_event(run, i);
    for (int i = 0; i < PODS; i++)
        pod_begins(run, &run->pods[i], 'p', i);
    for (int i = 0; i < GUESTS; i++)
        pod_begins(run, &run->guests[i], 'q', i);
}

static void run_ends(struct run *run)
{
    for (int i = 0; i < PLANS; i++)
        yk_volumes_forget(&run->world.volumes, run->plans[i].plan);
    for (int i = 0; i < GUESTS; i++) {
        if (run->guests[i].node >= 0)
            stand(run, &run->guests[i], -1);
        pod_ends(run, &run->guests[i]);
    }
    for (int i = 0; i < PODS; i++)
        pod_ends(run, &run->pods[i]);
    for (int i = 0; i < NODES; i++)
        yk_object_free(run->nodes[i]);
    world_done(&run->world);
}

static void filters_agree_with_the_oracle_and_nobody_is_left_asleep(void **state)
{
    (void)state;
    static struct run run;
    uint64_t checks = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        run_begins(&run, seed);
        for (run.step = 0; run.step < STEPS; run.step++) {
            run.touched_node = -1;
            random_event(&run);
            check(&run);
        }
        checks += run.checks;
        run_ends(&run);
    }
    print_message("%llu pod-node checks per filter\n", (unsigned long long)checks);
    assert_true(checks >= CHECKS_MIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_agree_with_the_oracle_and_nobody_is_left_asleep),
    };
    return cmocka_run_group_tests_name("volumes/random", tests, NULL, NULL);
}
