/* SPDX-License-Identifier: Apache-2.0 */
/* Volumes as part of a scheduling class: who shares one, what it answers, how it is explained, and who is
 * woken (docs/reference/predicates.md 7.1; the filters themselves: test/unit/volumes). */
#include "predicates/world.h"

#include "api/json_reader.h"
#include "cache/pod_size.h"
#include "lib/kube_objects.h"
#include "predicates/explain.h"

#include "lib/cmocka_headers.h"

static int versions;

static void put(struct world *world, enum yk_kind kind, const char *namespace_, const char *name,
                const char *rest)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    yk_buf_printf(&text, "{'metadata':{'name':'%s','namespace':'%s','uid':'u-%s','resourceVersion':'%d'%s",
                  name, namespace_, name, ++versions, rest);
    for (size_t i = 0; i < text.len; i++)
        text.p[i] = text.p[i] == '\'' ? '"' : text.p[i];
    if (yk_object_from_json(kind, yk_buf_view(&text), &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    yk_cache_apply(&world->cache, kind, YK_WATCH_UPSERT, object);
}

/* Nodes a and b, and a class whose volumes exist already. */
static void prepare(struct world *world)
{
    world_put_node(world, make_node("a", "1", "cpu=4 pods=10"));
    world_put_node(world, make_node("b", "2", "cpu=4 pods=10"));
    put(world, YK_KIND_STORAGE_CLASS, "", "s",
        "},'provisioner':'kubernetes.io/no-provisioner','volumeBindingMode':'WaitForFirstConsumer'}");
    put(world, YK_KIND_VOLUME_CLAIM, "ns", "c", "},'spec':{'storageClassName':'s'}}");
    put(world, YK_KIND_VOLUME_CLAIM, "ns", "d", "},'spec':{'storageClassName':'s'}}");
    yk_volumes_set_listed(&world->classes.volumes, YK_VOLUMES_ALL_KINDS);
}

/* The volume "v", which only node a reaches. */
static void put_volume(struct world *world)
{
    put(world, YK_KIND_VOLUME, "", "v",
        "},'spec':{'storageClassName':'s','nodeAffinity':{'required':{'nodeSelectorTerms':[{'"
        "matchExpressions':"
        "[{'key':'kubernetes.io/"
        "hostname','operator':'In','values':['a']}]}]}}},'status':{'phase':'Available'}}");
}

static struct yk_pod *pod_with(const char *name, const char *claim, const char *disk)
{
    struct yk_pod *pod = make_pod("ns", name, "1");
    pod->volumes = yk_arena_alloc0(&pod->object.arena, 2 * sizeof(*pod->volumes));
    if (claim != NULL) {
        struct yk_pod_volume *volume = &pod->volumes[pod->volume_count++];
        volume->has_claim = true;
        set_text(&pod->object, &volume->claim_name, claim);
    }
    if (disk != NULL)
        set_text(&pod->object, &pod->volumes[pod->volume_count++].source.iscsi_iqn, disk);
    return pod;
}

static bool fits(struct world *world, yk_si_class class_, const char *node, enum yk_class_question question)
{
    return yk_class_fits_now(&world->classes, class_, node != NULL ? world_node(world, node) : NULL,
                             question);
}

/* Returns whether the volumes come free when other pods end. */
static bool explains(struct world *world, yk_si_class class_, enum yk_si_reason reason, const char *want)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf got = {0};
    struct yk_pod *pod = make_pod("ns", "size", "1");
    add_container(pod, "c", "cpu=1");
    struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
    struct yk_explained explained = yk_explain_nodes(&world->classes, class_, size, NULL, NULL, &got);
    if (strcmp(yk_buf_cstr(&got), want) != 0)
        fail_msg("got '%s'", yk_buf_cstr(&got));
    assert_int_equal(explained.reason, reason);
    assert_int_equal(explained.filter, YK_REASON_VOLUMES);
    yk_size_put(&world->cache.sizes, size);
    yk_object_free(&pod->object);
    assert_int_equal(explained.volumes_are_missing, !explained.are_nodes_counted);
    return explained.volumes_come_free;
}

static void pods_with_the_same_claims_share_a_class(void **state)
{
    struct world *world = *state;
    prepare(world);
    yk_si_class plain = world_class(world, make_pod("ns", "p", "1"));
    yk_si_class one = world_class(world, pod_with("p", "c", NULL));
    yk_si_class same = world_class(world, pod_with("q", "c", NULL));
    yk_si_class other = world_class(world, pod_with("r", "d", NULL));
    assert_int_equal(one, same);
    assert_int_not_equal(one, other);
    assert_int_not_equal(one, plain);
    assert_int_equal(yk_class_at(&world->classes, plain)->spec->pod_volumes == NULL, true);
    for (size_t i = 0; i < 4; i++)
        yk_class_put(&world->classes, (yk_si_class[]){plain, one, same, other}[i]);
}

static void volumes_out_of_reach_count_for_reservations_too(void **state)
{
    struct world *world = *state;
    prepare(world);
    put_volume(world);
    yk_si_class class_ = world_class(world, pod_with("p", "c", NULL));
    assert_true(fits(world, class_, NULL, YK_CLASS_ALLOCATE));
    assert_true(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    assert_false(fits(world, class_, "b", YK_CLASS_ALLOCATE));
    assert_true(fits(world, class_, "a", YK_CLASS_RESERVE));
    assert_false(fits(world, class_, "b", YK_CLASS_RESERVE));
    assert_true(fits(world, class_, "b", YK_CLASS_SIGNATURE));
    assert_int_equal(yk_class_verdict_now(&world->classes, class_, world_node(world, "b"), YK_CLASS_ALLOCATE),
                     YK_VERDICT_VOLUMES);
    yk_class_put(&world->classes, class_);
}

static void it_is_said_why(void **state)
{
    struct world *world = *state;
    prepare(world);
    yk_si_class class_ = world_class(world, pod_with("p", "c", NULL));
    assert_false(
        explains(world, class_, YK_REASON_VOLUMES,
                 "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."));
    put_volume(world);
    assert_false(
        explains(world, class_, YK_REASON_VOLUMES,
                 "0/2 nodes are available: 1 node(s) didn't find available persistent volumes to bind."));
    struct yk_pod *hog = make_pod("ns", "hog", "1");
    add_container(hog, "c", "cpu=4");
    set_text(&hog->object, &hog->node_name, "a");
    world_put_pod(world, hog);
    explains(
        world, class_, YK_REASON_NODE_RESOURCES,
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't find available persistent volumes "
        "to bind.");
    yk_si_class gone = world_class(world, pod_with("p", "x", NULL));
    assert_false(fits(world, gone, NULL, YK_CLASS_ALLOCATE));
    assert_false(explains(world, gone, YK_REASON_VOLUMES,
                          "0/2 nodes are available: persistentvolumeclaim \"x\" not found."));
    yk_class_put(&world->classes, class_);
    yk_class_put(&world->classes, gone);
}

static yk_si_class only_woken(struct world *world)
{
    yk_si_class first = yk_classes_next_woken(&world->classes);
    assert_int_equal(yk_classes_next_woken(&world->classes), YK_SI_CLASS_ANY);
    return first;
}

static void a_class_is_woken_by_what_it_waits_for(void **state)
{
    struct world *world = *state;
    prepare(world);
    yk_si_class class_ = world_class(world, pod_with("p", "c", NULL));
    yk_si_class missing = world_class(world, pod_with("p", "x", NULL));
    put_volume(world);
    assert_int_equal(only_woken(world), YK_SI_CLASS_ANY); /* no pod was refused yet */
    assert_false(fits(world, class_, "b", YK_CLASS_ALLOCATE));
    assert_false(fits(world, missing, NULL, YK_CLASS_ALLOCATE));
    put(world, YK_KIND_VOLUME, "", "w", "},'spec':{'storageClassName':'s'},'status':{'phase':'Available'}}");
    assert_int_equal(only_woken(world), class_);
    assert_true(fits(world, class_, "b", YK_CLASS_ALLOCATE));
    put(world, YK_KIND_VOLUME_CLAIM, "ns", "x", "},'spec':{'storageClassName':'s'}}");
    assert_int_equal(only_woken(world), missing);
    assert_true(fits(world, missing, NULL, YK_CLASS_ALLOCATE));
    yk_class_put(&world->classes, class_);
    yk_class_put(&world->classes, missing);
}

static void what_stands_there_counts_and_is_given_back_in_a_what_if(void **state)
{
    struct world *world = *state;
    prepare(world);
    struct yk_pod *guest = pod_with("guest", NULL, "disk");
    set_text(&guest->object, &guest->node_name, "a");
    world_put_pod(world, guest);
    yk_si_class class_ = world_class(world, pod_with("p", NULL, "disk"));
    assert_false(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    assert_true(fits(world, class_, "a", YK_CLASS_RESERVE)); /* who uses it may go */
    assert_true(fits(world, class_, "b", YK_CLASS_ALLOCATE));
    assert_int_equal(yk_class_verdict_now(&world->classes, class_, world_node(world, "a"), YK_CLASS_ALLOCATE),
                     YK_VERDICT_VOLUMES_USED);
    struct yk_cache_pod *gone[] = {world_pod(world, "ns", "guest")};
    assert_int_equal(yk_class_fits_without(&world->classes, class_, world_node(world, "a"), gone, 1, 0), 0);
    assert_false(fits(world, class_, "a", YK_CLASS_ALLOCATE)); /* it is back */
    assert_int_equal(only_woken(world), YK_SI_CLASS_ANY);
    assert_true(explains(world, class_, YK_REASON_VOLUMES,
                         "0/2 nodes are available: 1 node(s) had no available disk."));
    struct yk_pod *last = pod_with("guest", NULL, "disk");
    world_delete_pod(world, last);
    assert_int_equal(only_woken(world), class_);
    assert_true(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    yk_class_put(&world->classes, class_);
}

static struct yk_pod *pod_with_cloud_disks(const char *name, const char *first, const char *second)
{
    struct yk_pod *pod = make_pod("ns", name, "1");
    pod->volumes = yk_arena_alloc0(&pod->object.arena, 2 * sizeof(*pod->volumes));
    set_text(&pod->object, &pod->volumes[pod->volume_count++].source.gce_disk, first);
    if (second != NULL)
        set_text(&pod->object, &pod->volumes[pod->volume_count++].source.gce_disk, second);
    return pod;
}

/* Node a may attach one disk, and has one. Another one can be attached when that pod ends, but never two. */
static void more_volumes_than_a_node_may_have(void **state)
{
    static const char want[] = "0/2 nodes are available: 1 node(s) exceed max volume count.";
    struct world *world = *state;
    prepare(world);
    put(world, YK_KIND_CSI_NODE, "", "a",
        "},'spec':{'drivers':[{'name':'pd.csi.storage.gke.io','allocatable':{'count':1}}]}}");
    struct yk_pod *guest = pod_with_cloud_disks("guest", "x", NULL);
    set_text(&guest->object, &guest->node_name, "a");
    world_put_pod(world, guest);
    yk_si_class one = world_class(world, pod_with_cloud_disks("p", "y", NULL));
    yk_si_class two = world_class(world, pod_with_cloud_disks("q", "y", "z"));
    assert_true(explains(world, one, YK_REASON_VOLUMES, want));
    assert_false(explains(world, two, YK_REASON_VOLUMES, want));
    yk_class_put(&world->classes, one);
    yk_class_put(&world->classes, two);
}

static void add_plugin(void *context, const struct yk_si_node_obstacle *obstacle)
{
    yk_buf_printf(context, "%s:%u ", obstacle->plugin, obstacle->nodes);
}

static void the_plugin_of_each_reason(void **state)
{
    struct world *world = *state;
    YK_CLEANUP(yk_buf_done) struct yk_buf got = {0}, words = {0};
    prepare(world);
    struct yk_pod *guest = pod_with("guest", NULL, "disk");
    set_text(&guest->object, &guest->node_name, "a");
    world_put_pod(world, guest);
    yk_si_class uses = world_class(world, pod_with("p", NULL, "disk"));
    yk_si_class claims = world_class(world, pod_with("p", "c", NULL));
    struct yk_pod *pod = make_pod("ns", "size", "1");
    struct yk_size *size = yk_pod_size(&world->cache.sizes, pod);
    (void)yk_explain_nodes(&world->classes, uses, size, add_plugin, &got, &words);
    (void)yk_explain_nodes(&world->classes, claims, size, add_plugin, &got, &words);
    assert_string_equal(yk_buf_cstr(&got), "VolumeRestrictions:1 VolumeBinding:2 ");
    yk_size_put(&world->cache.sizes, size);
    yk_object_free(&pod->object);
    yk_class_put(&world->classes, uses);
    yk_class_put(&world->classes, claims);
}

static void remove_node(struct world *world, const char *name)
{
    struct yk_k8s_node *node = make_node(name, "9", "cpu=4 pods=10");
    yk_cache_apply(&world->cache, YK_KIND_NODE, YK_WATCH_DELETED, &node->object);
}

/* 4.8: as in kube-scheduler, a pod on a node that is not there keeps no claim to itself. */
static void a_claim_is_not_in_use_on_a_node_that_is_gone(void **state)
{
    struct world *world = *state;
    prepare(world);
    put(world, YK_KIND_VOLUME_CLAIM, "ns", "once",
        "},'spec':{'storageClassName':'s','accessModes':['ReadWriteOncePod']}}");
    put(world, YK_KIND_VOLUME, "", "w",
        "},'spec':{'storageClassName':'s','accessModes':['ReadWriteOncePod']},'status':{'phase':'Available'}"
        "}");
    struct yk_pod *guest = pod_with("guest", "once", NULL);
    set_text(&guest->object, &guest->node_name, "late");
    world_put_pod(world, guest);
    yk_si_class class_ = world_class(world, pod_with("p", "once", NULL));
    assert_true(fits(world, class_, "a", YK_CLASS_ALLOCATE)); /* its node has not come yet */
    world_put_node(world, make_node("late", "3", "cpu=4 pods=10"));
    assert_false(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    remove_node(world, "late");
    assert_int_equal(only_woken(world), class_);
    assert_true(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    world_put_node(world, make_node("late", "4", "cpu=4 pods=10"));
    assert_false(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    world_delete_pod(world, pod_with("guest", "once", NULL));
    assert_int_equal(only_woken(world), class_);
    assert_true(fits(world, class_, "a", YK_CLASS_ALLOCATE));
    yk_class_put(&world->classes, class_);
}

/* The API server changes no volumes of a pod; an object that has other ones is no reason to count
 * wrongly. */
static void volumes_that_change_under_one_uid(void **state)
{
    struct world *world = *state;
    prepare(world);
    for (int i = 0; i < 4; i++) {
        struct yk_pod *before = pod_with("p", (i & 1) != 0 ? "c" : NULL, (i & 2) != 0 ? "disk" : NULL);
        set_text(&before->object, &before->node_name, i < 2 ? "a" : "unknown");
        yk_cache_apply(&world->cache, YK_KIND_POD, YK_WATCH_UPSERT, &before->object);
        for (int j = 0; j < 4; j++) {
            char version[8];
            struct yk_pod *after = pod_with("p", (j & 1) != 0 ? "d" : NULL, (j & 2) != 0 ? "other" : NULL);
            (void)snprintf(version, sizeof(version), "%d", 2 + j);
            set_text(&after->object, &after->object.resource_version, version);
            set_text(&after->object, &after->node_name, j < 2 ? "a" : "b");
            yk_cache_apply(&world->cache, YK_KIND_POD, YK_WATCH_UPSERT, &after->object);
        }
        yk_cache_apply(&world->cache, YK_KIND_POD, YK_WATCH_DELETED, &make_pod("ns", "p", "9")->object);
    }
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, world_set_up, world_tear_down)
    const struct CMUnitTest tests[] = {
        CASE(pods_with_the_same_claims_share_a_class),
        CASE(volumes_out_of_reach_count_for_reservations_too),
        CASE(it_is_said_why),
        CASE(more_volumes_than_a_node_may_have),
        CASE(the_plugin_of_each_reason),
        CASE(a_class_is_woken_by_what_it_waits_for),
        CASE(a_claim_is_not_in_use_on_a_node_that_is_gone),
        CASE(volumes_that_change_under_one_uid),
        CASE(what_stands_there_counts_and_is_given_back_in_a_what_if),
    };
    return cmocka_run_group_tests_name("predicates/pod_volumes", tests, NULL, NULL);
}
