/* SPDX-License-Identifier: Apache-2.0 */
/* The objects of docs/reference/rest.md, sections 3, 4 and 6: which keys are there, which are left out, what
 * they say. */
#include "base/json_writer.h"
#include "base/version.h"
#include "web/browser.h"

#define P "/ws/v1/partition/default"

static const char config[] =
    "partitions:\n"
    "  - name: default\n"
    "    nodesortpolicy:\n"
    "      type: binpacking\n"
    "      resourceweights: {memory: 1.5}\n"
    "    placementrules:\n"
    "      - name: provided\n"
    "        create: true\n"
    "        filter: {type: deny, users: [zoe, bob, zoe], groups: ['^x.*']}\n"
    "        parent: {name: fixed, value: root.dyn, create: true}\n"
    "      - name: fixed\n"
    "        value: root.a.b\n"
    "    queues:\n"
    "      - name: root\n"
    "        submitacl: '*'\n"
    "        queues:\n"
    "          - name: a\n"
    "            properties: {z: '1', application.sort.policy: fair}\n"
    "            childtemplate: {maxapplications: 3, resources: {max: {vcore: 2}}}\n"
    "            queues:\n"
    "              - name: b\n"
    "                maxapplications: 5\n"
    "                properties: {preemption.policy: fence, priority.offset: '7', preemption.delay: 90s}\n"
    "                resources: {guaranteed: {vcore: 1}, max: {vcore: 10, memory: 10Gi}}\n"
    "          - name: dyn\n"
    "            parent: true\n";

static void assert_keys(const json_t *object, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (json_object_get(object, keys[i]) == NULL)
            fail_msg("%s is missing", keys[i]);
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < count; i++)
            known = known || strcmp(keys[i], key) == 0;
        if (!known)
            fail_msg("%s should not be there", key);
    }
}
#define KEYS(object, ...)                                                                                    \
    do {                                                                                                     \
        static const char *const keys_[] = {__VA_ARGS__};                                                    \
        assert_keys(object, keys_, YK_COUNT(keys_));                                                         \
    } while (0)

static void init(struct world *world)
{
    world_init(world, config);
    world_node(world, "n2", 4000, 8192);
    world_node(world, "n1", 4000, 8192);
    struct yk_resvec size = world_size(100, 64);
    const char *const groups[] = {"staff", "dev"};
    struct yk_si_new_app app = {.application_id = "app-1", .queue = "root.a.b", .ugi = {"bob", groups, 2}};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    const struct yk_si_tag tags[] = {{"kubernetes.io/meta/podName", "p\xff"}, {"creationTime", "17"}};
    struct yk_si_allocation ask = {.key = "k1",
                                   .application_id = "app-1",
                                   .resource = &size,
                                   .tags = tags,
                                   .tag_count = 2,
                                   .create_wall_ns = 1690000000 * YK_NS_PER_S,
                                   .originator = true,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    assert_int_equal(world_schedule(world), 1);
    world_ask_full(world, "app-1", "k2", 1000000, 64, -3, YK_SI_CLASS_ANY, NULL);
    assert_int_equal(world_schedule(world), 0);
}

static void clusters(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, "/ws/v1/clusters");
    assert_int_equal(json_array_size(json), 1);
    KEYS(look(json, "0"), "startTime", "rmBuildInformation", "partition", "clusterName");
    KEYS(look(json, "0.rmBuildInformation.0"), "arch", "buildDate", "buildVersion", "coreSHA", "goVersion",
         "rmId", "shimSHA", "siSHA");
    assert_string_equal(look_text(json, "0.rmBuildInformation.0.rmId"), "rm");
    assert_string_equal(look_text(json, "0.rmBuildInformation.0.buildDate"), yk_build_date);
    assert_true(strlen(yk_build_date) > 0);
    assert_string_equal(look_text(json, "0.partition"), "default");
    assert_string_equal(look_text(json, "0.clusterName"), "kubernetes");
    json_decref(json);
    world_done(&world);
}

static void partitions(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, "/ws/v1/partitions");
    KEYS(look(json, "0"), "clusterId", "name", "capacity", "nodeSortingPolicy", "preemptionEnabled",
         "quotaPreemptionEnabled", "totalNodes", "applications", "totalContainers", "state",
         "lastStateTransitionTime");
    assert_int_equal(look_int(json, "0.totalNodes"), 2);
    assert_int_equal(look_int(json, "0.totalContainers"), 1);
    assert_int_equal(look_int(json, "0.capacity.capacity.vcore"), 8000);
    assert_int_equal(look_int(json, "0.capacity.usedCapacity.vcore"), 100);
    assert_int_equal(look_int(json, "0.capacity.utilization.vcore"), 1);
    assert_int_equal(look_int(json, "0.applications.Running"), 1);
    assert_int_equal(look_int(json, "0.applications.total"), 1);
    assert_int_equal(json_object_size(look(json, "0.applications")), 2);
    assert_string_equal(look_text(json, "0.nodeSortingPolicy.type"), "binpacking");
    assert_true(json_number_value(look(json, "0.nodeSortingPolicy.resourceWeights.memory")) == 1.5);
    assert_string_equal(look_text(json, "0.state"), "Active");
    json_decref(json);
    world_done(&world);
}

/* The web UI reads applications.total even of a cluster that has nothing. */
static void empty_cluster(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions: [{name: default, queues: [{name: root}]}]");
    json_t *json = browse_json(&world, "/ws/v1/partitions");
    assert_int_equal(look_int(json, "0.applications.total"), 0);
    assert_int_equal(look_int(json, "0.totalNodes"), 0);
    assert_int_equal(json_object_size(look(json, "0.capacity")), 0);
    json_decref(json);
    static const char *const lists[] = {P "/nodes", P "/applications/active", P "/applications/completed",
                                        P "/applications/rejected"};
    for (size_t i = 0; i < YK_COUNT(lists); i++) {
        struct yk_answer answer = browse(&world, lists[i], 200);
        assert_string_equal(yk_buf_cstr(&answer.body), "[]\n");
        yk_answer_done(&answer);
    }
    json = browse_json(&world, P "/placementrules");
    assert_int_equal(json_array_size(json), 2);
    assert_string_equal(look_text(json, "0.name"), "provided");
    assert_string_equal(look_text(json, "0.parameters.create"), "false");
    json_decref(json);
    world_done(&world);
}

/* P3: what each kind of rule shows of itself. */
static void rule_parameters(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *name, *keys[3];
    } cases[] = {
        {"{name: Provided}", "provided", {"create"}},
        {"{name: username, value: x}", "user", {"create"}},
        {"{name: tag, value: NameSpace}", "tag", {"create", "tagName"}},
        {"{name: fixed, value: x, create: true}", "fixed", {"create", "qualified", "queue"}},
        {"{name: primarygroupname}", "primarygroup", {"create"}},
        {"{name: secondarygroup, create: true}", "secondarygroup", {"create"}},
        {"{name: applicationType}", "applicationtype", {"create"}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text, "partitions: [{name: default, placementrules: [%s], queues: [{name: root}]}]\n",
                      cases[i].rule);
        world_init(&world, yk_buf_cstr(&text));
        json_t *json = browse_json(&world, P "/placementrules");
        size_t wanted = 0;
        for (; wanted < YK_COUNT(cases[i].keys) && cases[i].keys[wanted] != NULL; wanted++)
            ;
        assert_int_equal(json_array_size(json), 2);
        assert_string_equal(look_text(json, "0.name"), cases[i].name);
        assert_keys(look(json, "0.parameters"), cases[i].keys, wanted);
        KEYS(look(json, "0"), "name", "parameters");
        json_decref(json);
        world_done(&world);
    }
}

static void rules(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, P "/placementrules");
    assert_int_equal(json_array_size(json), 3);
    KEYS(look(json, "0"), "name", "parameters", "filter", "parentRule");
    KEYS(look(json, "0.parameters"), "create");
    assert_string_equal(look_text(json, "0.parameters.create"), "true");
    KEYS(look(json, "0.filter"), "type", "userList", "groupExp");
    assert_string_equal(look_text(json, "0.filter.type"), "deny");
    assert_int_equal(json_array_size(look(json, "0.filter.userList")), 2);
    assert_string_equal(look_text(json, "0.filter.userList.0"), "bob");
    assert_string_equal(look_text(json, "0.filter.groupExp"), "^x.*");
    KEYS(look(json, "0.parentRule"), "name", "parameters");
    KEYS(look(json, "0.parentRule.parameters"), "create", "qualified", "queue");
    KEYS(look(json, "1"), "name", "parameters");
    assert_string_equal(look_text(json, "1.parameters.queue"), "root.a.b");
    assert_string_equal(look_text(json, "1.parameters.qualified"), "true");
    assert_string_equal(look_text(json, "2.name"), "recovery");
    KEYS(look(json, "2.parameters"), "queue");
    assert_string_equal(look_text(json, "2.parameters.queue"), "root.@recovery@");
    json_decref(json);
    world_done(&world);
}

#define QUEUE_ALWAYS                                                                                         \
    "queuename", "status", "partition", "isLeaf", "isManaged", "currentPriority", "sortingPolicy",           \
        "prioritySorting", "preemptionEnabled", "isPreemptionFence", "preemptionDelay",                      \
        "quotaPreemptionDelay", "isPriorityFence", "isQuotaPreemptionRunning", "askBackoffDelay"

static void queues(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, P "/queues");
    KEYS(json, QUEUE_ALWAYS, "children", "childNames", "maxResource", "allocatedResource", "pendingResource",
         "headroom", "absUsedCapacity", "runningApps");
    assert_string_equal(look_text(json, "queuename"), "root");
    assert_string_equal(look_text(json, "partition"), "default");
    assert_string_equal(look_text(json, "sortingPolicy"), "fair");
    assert_string_equal(look_text(json, "childNames.0"), "root.a");
    assert_string_equal(look_text(json, "childNames.1"), "root.dyn");
    assert_string_equal(look_text(json, "children.1.queuename"), "root.dyn");
    assert_false(look_bool(json, "children.1.isLeaf"));
    assert_int_equal(look_int(json, "children.1.currentPriority"), INT64_C(-2147483648));
    assert_int_equal(look_int(json, "children.0.template.maxApplications"), 3);
    assert_int_equal(look_int(json, "children.0.template.maxResource.vcore"), 2000);
    assert_string_equal(look_text(json, "children.0.properties.application.sort.policy"), "fair");
    const json_t *leaf = look(json, "children.0.children.0");
    KEYS(leaf, QUEUE_ALWAYS, "parent", "maxResource", "guaranteedResource", "allocatedResource",
         "pendingResource", "headroom", "absUsedCapacity", "maxRunningApps", "runningApps", "properties",
         "priorityOffset");
    assert_string_equal(look_text(leaf, "parent"), "root.a");
    assert_string_equal(look_text(leaf, "sortingPolicy"), "fair");
    assert_int_equal(look_int(leaf, "maxRunningApps"), 5);
    assert_int_equal(look_int(leaf, "runningApps"), 1);
    /* An ask that is larger than each node does not count. */
    assert_int_equal(look_int(leaf, "currentPriority"), INT64_C(-2147483648));
    assert_true(look_bool(leaf, "isPreemptionFence"));
    assert_string_equal(look_text(leaf, "preemptionDelay"), "1m30s");
    assert_string_equal(look_text(leaf, "quotaPreemptionDelay"), "0s");
    assert_string_equal(look_text(leaf, "askBackoffDelay"), "30s");
    assert_int_equal(look_int(leaf, "absUsedCapacity.vcore"), 1);
    assert_int_equal(look_int(leaf, "headroom.vcore"), 7900); /* the cluster is smaller than the quota */
    json_decref(json);
    world_done(&world);
}

static void one_queue(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, P "/queue/root.a");
    assert_null(look(json, "children"));
    assert_string_equal(look_text(json, "childNames.0"), "root.a.b");
    json_decref(json);
    static const char *const subtrees[] = {P "/queue/root.a?subtree", P "/queue/root.a?subtree=false",
                                           P "/queue/root.a?x&subtree="};
    for (size_t i = 0; i < YK_COUNT(subtrees); i++) {
        json = browse_json(&world, subtrees[i]);
        assert_string_equal(look_text(json, "children.0.queuename"), "root.a.b");
        assert_string_equal(look_text(json, "children.0.partition"), "default");
        json_decref(json);
    }
    world_done(&world);
}

static void nodes(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_resvec size = world_size(500, 64), capacity = world_size(1000, 1000);
    const struct yk_si_tag attributes[] = {
        {"si/rackname", "r"}, {"si/hostname", "h"}, {"b", "2"}, {"a", "1"}};
    struct yk_si_node node = {.node_id = "n3",
                              .action = YK_SI_NODE_CREATE_DRAIN,
                              .capacity = &capacity,
                              .attributes = attributes,
                              .attribute_count = 4};
    assert_int_equal(yk_core_update_node(world.core, "rm", &node), YK_OK);
    struct yk_si_allocation foreign = {
        .key = "f1", .node_id = "n3", .resource = &size, .foreign = true, .priority = 5, .create_wall_ns = 5};
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &foreign), YK_OK);
    const struct yk_si_tag tags[] = {{"a", "b"}, {"x", "y"}};
    foreign.key = "f0", foreign.foreign_static = true, foreign.tags = tags, foreign.tag_count = 2;
    assert_int_equal(yk_core_update_allocation(world.core, "rm", &foreign), YK_OK);
    json_t *json = browse_json(&world, P "/nodes");
    assert_int_equal(json_array_size(json), 3);
    assert_string_equal(look_text(json, "0.nodeID"), "n1");
    KEYS(look(json, "0"), "nodeID", "attributes", "capacity", "allocated", "available", "utilized",
         "allocations", "schedulable", "isReserved");
    KEYS(look(json, "1"), "nodeID", "attributes", "capacity", "available", "schedulable", "isReserved");
    assert_int_equal(json_object_size(look(json, "1.attributes")), 0);
    assert_int_equal(look_int(json, "0.capacity.pods"), 110);
    assert_int_equal(look_int(json, "0.allocated.vcore"), 100);
    assert_int_equal(look_int(json, "0.available.vcore"), 3900);
    assert_int_equal(look_int(json, "0.utilized.vcore"), 2);
    json_decref(json);
    json = browse_json(&world, P "/node/n3");
    KEYS(json, "nodeID", "hostName", "rackName", "attributes", "capacity", "occupied", "available",
         "foreignAllocations", "schedulable", "isReserved");
    assert_string_equal(look_text(json, "hostName"), "h");
    assert_false(look_bool(json, "schedulable"));
    assert_int_equal(look_int(json, "occupied.vcore"), 1000);
    assert_string_equal(look_text(json, "foreignAllocations.0.allocationKey"), "f0");
    KEYS(look(json, "foreignAllocations.0"), "allocationKey", "allocationTags", "allocationTime", "resource",
         "priority", "nodeId");
    KEYS(look(json, "foreignAllocations.0.allocationTags"), "a", "foreign", "x");
    assert_string_equal(look_text(json, "foreignAllocations.0.allocationTags.foreign"), "static");
    assert_true(look_bool(json, "foreignAllocations.1.preemptable"));
    assert_string_equal(look_text(json, "foreignAllocations.1.allocationTags.foreign"), "default");
    assert_string_equal(look_text(json, "foreignAllocations.1.priority"), "5");
    assert_string_equal(look_text(json, "foreignAllocations.1.nodeId"), "n3");
    json_decref(json);
    world_done(&world);
}

/* rest.md 4: the log says what the pod's condition says, once that has words. */
static void the_log_has_the_words_of_the_condition(void **state)
{
    (void)state;
    static const char words[] = "0/1 nodes are available: 1 node(s) had untolerated taint(s).";
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    world_node(&world, "n1", 4000, 4000);
    world_submit(&world, "app", "root.a", "ann");
    world_ask(&world, "app", "big", 5000, 1);
    assert_int_equal(world_schedule(&world), 0);
    for (int i = 0; i < 2; i++) {
        world.add_wait_reason = i == 0 ? NULL : words;
        json_t *json = browse_json(&world, P "/application/app");
        assert_string_equal(look_text(json, "requests.0.allocationLog.0.message"),
                            i == 0 ? "No node fits" : words);
        json_decref(json);
    }
    world_done(&world);
}

/* rest.md 4: asks that equal one without success are not tried, and wait for the same. */
static void the_log_of_asks_like_one_that_was_tried(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    world_node(&world, "n1", 4000, 4000);
    world_submit(&world, "first", "root.a", "ann");
    world_submit(&world, "later", "root.a", "ann");
    world_ask(&world, "first", "big", 5000, 1);
    assert_int_equal(world_schedule(&world), 0);
    world_ask(&world, "later", "same", 5000, 1);
    assert_int_equal(world_schedule(&world), 0);
    json_t *json = browse_json(&world, P "/application/later");
    assert_string_equal(look_text(json, "requests.0.allocationLog.0.message"), "No node fits");
    assert_int_equal(look_int(json, "requests.0.allocationLog.0.count"), 1);
    json_decref(json);
    world_done(&world);
}

static void add_gang_of_five(struct world *world, const char *id)
{
    struct yk_resvec size = world_size(1000, 10), total = world_size(5000, 50);
    const struct yk_si_new_app app = {
        .application_id = id, .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &total};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    for (int i = 0; i < 5; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "%s-%d", id, i);
        const struct yk_si_allocation ask = {.key = key,
                                             .application_id = id,
                                             .resource = &size,
                                             .task_group = "tg",
                                             .placeholder = true,
                                             .scheduling_class = YK_SI_CLASS_ANY};
        assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    }
}

/* scheduling.md 5.8: so does the latest entry of the log of what its placeholders wait for. */
static void a_gang_that_never_fits_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *queue; /* settings of root.a */
        int nodes;         /* of three cores */
        const char *message;
    } cases[] = {
        {"limits: [{limit: x, users: [joe], maxresources: {vcore: 4}}]", 2,
         "the gang can never start: it is larger than the limit of its user; it needs 5 cores, user joe may "
         "have 4 cores in all in queue root.a; after its timeout of 15 min its pods are scheduled without "
         "it"},
        {"properties: {gang.placement: whole}", 1,
         "the gang can never start: it is larger than what the nodes offer; it needs 5 cores, the nodes "
         "offer "
         "3 cores"},
        {"properties: {gang.placement: gradual}", 1,
         "the gang can never start: it is larger than what the nodes offer; it needs 5 cores, the nodes "
         "offer "
         "3 cores; after its timeout of 15 min its pods are scheduled without it"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char text[512];
        struct world world;
        (void)snprintf(
            text, sizeof(text),
            "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a, "
            "%s}]}]}]",
            cases[i].queue);
        world_init(&world, text);
        for (int n = 0; n < cases[i].nodes; n++)
            world_node(&world, n == 0 ? "n0" : "n1", 3000, 4000);
        add_gang_of_five(&world, "gang");
        (void)world_schedule(&world); /* a part of it in the last case */
        json_t *json = browse_json(&world, P "/application/gang");
        const json_t *log = look(json, "requests.0.allocationLog");
        assert_true(json_array_size(log) > 0);
        const json_t *last = json_array_get(log, json_array_size(log) - 1);
        assert_string_equal(json_string_value(json_object_get(last, "message")), cases[i].message);
        json_decref(json);
        world_done(&world);
    }
}

/* rest.md 4: what ended allocations used, by kind and instance type, until the application ends. */
static void resource_history(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    world_node(&world, "n1", 4000, 4000);
    world_submit(&world, "app", "root.a", "ann");
    static const struct {
        const char *key;
        int64_t vcore, seconds;
        enum yk_si_termination why;
    } ends[] = {
        {"k1", 100, 3, YK_SI_STOPPED_BY_RM},
        {"k2", 200, 0, YK_SI_STOPPED_BY_RM},
        {"k3", 50, 10, YK_SI_STOPPED_BY_RM},
        {"k4", 1000, 2, YK_SI_PREEMPTED_BY_SCHEDULER},
    };
    world_ask(&world, "app", "stays", 1, 1);
    for (size_t i = 0; i < YK_COUNT(ends); i++) {
        world_ask(&world, "app", ends[i].key, ends[i].vcore, 1);
        assert_true(world_schedule(&world) >= 1);
        world_advance(&world, ends[i].seconds);
        world_release(&world, "app", ends[i].key, ends[i].why);
    }
    json_t *json = browse_json(&world, P "/application/app");
    const json_t *history = look(json, "resourceHistory");
    KEYS(history, "resourceUsage", "preemptedResource");
    assert_int_equal(look_int(history, "resourceUsage.UNKNOWN.vcore"), 100 * 3 + 50 * 10);
    assert_int_equal(look_int(history, "resourceUsage.UNKNOWN.pods"), 3 + 10);
    assert_int_equal(look_int(history, "preemptedResource.UNKNOWN.vcore"), 2000);
    json_decref(json);
    world_release(&world, "app", "stays", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 60);
    json = browse_json(&world, P "/applications/completed");
    assert_string_equal(look_text(json, "0.applicationID"), "app");
    assert_int_equal(json_object_size(look(json, "0.resourceHistory")), 0);
    json_decref(json);
    world_done(&world);
}

static void gang_ask(struct world *world, const char *key, const char *task_group, bool placeholder)
{
    struct yk_resvec size = world_size(100, 1);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = "gang",
                                   .resource = &size,
                                   .task_group = task_group,
                                   .placeholder = placeholder,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

/* placeholderData, and a real pod between its decision and the end of its placeholder. */
static void gang(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                       "    queues: [{name: q}]\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "gang", "root.q", "joe");
    gang_ask(&world, "p1", "driver", true);
    gang_ask(&world, "p2", "driver", true);
    gang_ask(&world, "other", "without", false);
    assert_int_equal(world_schedule(&world), 3);
    gang_ask(&world, "r1", "driver", false);
    assert_int_equal(world_schedule(&world), 1);
    json_t *json = browse_json(&world, P "/application/gang");
    KEYS(look(json, "placeholderData.0"), "taskGroupName", "count", "minResource");
    assert_int_equal(json_array_size(look(json, "placeholderData")), 1);
    assert_string_equal(look_text(json, "placeholderData.0.taskGroupName"), "driver");
    assert_int_equal(look_int(json, "placeholderData.0.count"), 2);
    assert_int_equal(look_int(json, "placeholderData.0.minResource.vcore"), 100);
    assert_string_equal(look_text(json, "requests.0.allocationKey"), "r1");
    assert_int_equal(json_array_size(look(json, "allocations")), 3);
    assert_int_equal(look_int(json, "usedResource.vcore"), 100); /* without placeholders */
    assert_int_equal(look_int(json, "placeholderResource.vcore"), 200);
    json_decref(json);
    world_release(&world, "gang", "p1", YK_SI_PLACEHOLDER_REPLACED);
    world_release(&world, "gang", "p2", YK_SI_STOPPED_BY_RM);
    json = browse_json(&world, P "/application/gang");
    assert_int_equal(look_int(json, "placeholderData.0.replaced"), 1);
    assert_int_equal(look_int(json, "placeholderData.0.timedout"), 1);
    assert_null(json_object_get(json, "requests"));
    assert_null(json_object_get(json, "placeholderResource"));
    json_decref(json);
    world_done(&world);
}

/* The same of an application with so many asks that its lists are written in steps. */
static void large_gang(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
                       "    queues: [{name: q}]\n");
    world_node(&world, "n1", 8000, 8192);
    world_submit(&world, "gang", "root.q", "joe");
    gang_ask(&world, "p1", "driver", true);
    assert_int_equal(world_schedule(&world), 1);
    gang_ask(&world, "r1", "driver", false);
    assert_int_equal(world_schedule(&world), 1);
    for (int i = 0; i < 600; i++) {
        char key[16];
        (void)snprintf(key, sizeof(key), "w%d", i);
        world_ask(&world, "gang", key, 9000, 1); /* no node has so much */
    }
    json_t *json = browse_json(&world, P "/application/gang");
    assert_int_equal(json_array_size(look(json, "requests")), 601);
    assert_string_equal(look_text(json, "requests.0.allocationKey"), "r1");
    assert_int_equal(json_array_size(look(json, "allocations")), 1);
    assert_string_equal(look_text(json, "allocations.0.allocationKey"), "p1");
    json_decref(json);
    world_done(&world);
}

static void application(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, P "/application/app-1");
    KEYS(json, "applicationID", "usedResource", "maxUsedResource", "pendingResource", "partition",
         "queueName", "submissionTime", "requests", "allocations", "applicationState", "user", "groups",
         "stateLog", "maxRequestPriority", "startTime", "resourceHistory");
    assert_string_equal(look_text(json, "queueName"), "root.a.b");
    assert_int_equal(look_int(json, "submissionTime"),
                     INT64_C(1690000000) * YK_NS_PER_S);                          /* of the oldest ask */
    assert_int_equal(look_int(json, "startTime"), INT64_C(1700000000000));        /* milliseconds */
    assert_int_equal(look_int(json, "maxRequestPriority"), INT64_C(-2147483648)); /* as above */
    assert_string_equal(look_text(json, "groups.1"), "dev");
    assert_string_equal(look_text(json, "stateLog.0.applicationState"), "Accepted");
    assert_string_equal(look_text(json, "stateLog.1.applicationState"), "Running");
    assert_int_equal(json_object_size(look(json, "resourceHistory")), 0);
    const json_t *request = look(json, "requests.0"), *allocation = look(json, "allocations.0");
    KEYS(request, "allocationKey", "requestTime", "resource", "priority", "applicationId", "allocationLog",
         "schedulingAttempted");
    assert_string_equal(look_text(request, "priority"), "-3");
    assert_string_equal(look_text(request, "allocationLog.0.message"), "Not enough queue quota");
    assert_true(look_int(request, "allocationLog.0.count") >= 1);
    assert_true(look_int(request, "allocationLog.0.lastOccurrence") > 0);
    KEYS(allocation, "allocationKey", "allocationTags", "requestTime", "allocationTime", "bindTime",
         "resource", "priority", "nodeId", "applicationId", "originator");
    assert_string_equal(look_text(allocation, "priority"), "0");
    assert_string_equal(look_text(allocation, "nodeId"), "n1");
    assert_string_equal(look_text(allocation, "allocationTags.kubernetes.io/meta/podName"),
                        "p\xef\xbf\xbd"); /* repaired */
    assert_int_equal(look_int(allocation, "allocationTime"), INT64_C(1690000000) * YK_NS_PER_S);
    assert_int_equal(look_int(allocation, "bindTime"), INT64_C(1700000000) * YK_NS_PER_S);
    json_decref(json);
    world_done(&world);
}

/* rest.md 4: the core keeps no copy of tags that the resource manager can tell. */
static void tags_are_asked_for(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_resvec size = world_size(10, 1), large = world_size(1000000, 1);
    char placed[] = "placed-pod", waiting[] = "waiting-pod";
    const struct yk_si_allocation asks[] = {{.key = "placed", .resource = &size, .cookie = placed},
                                            {.key = "waiting", .resource = &large, .cookie = waiting}};
    world_submit(&world, "told", "root.a.b", "ann");
    for (size_t i = 0; i < YK_COUNT(asks); i++) {
        struct yk_si_allocation ask = asks[i];
        ask.application_id = "told";
        ask.scheduling_class = YK_SI_CLASS_ANY;
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &ask), YK_OK);
    }
    (void)world_schedule(&world); /* others may wait, too */
    json_t *json = browse_json(&world, P "/application/told");
    assert_string_equal(look_text(json, "allocations.0.allocationTags.kubernetes.io/meta/podName"), placed);
    assert_string_equal(look_text(json, "requests.0.allocationTags.kubernetes.io/meta/podName"), waiting);
    json_decref(json);
    world_done(&world);
}

static void ended_applications(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    world_submit(&world, "no-queue", "root.a.b.c",
                 ""); /* below a leaf, and the next rule leads on: accepted or not */
    world_release(&world, "app-1", "k1", YK_SI_STOPPED_BY_RM);
    world_release(&world, "app-1", "k2", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 31);
    json_t *json = browse_json(&world, P "/applications/completed");
    assert_int_equal(json_array_size(json), 1);
    assert_string_equal(look_text(json, "0.applicationState"), "Completed");
    assert_int_equal(look_int(json, "0.finishedTime"), INT64_C(1700000031) * YK_NS_PER_S);
    assert_string_equal(look_text(json, "0.queueName"), "root.a.b");
    assert_null(look(json, "0.allocations"));
    assert_int_equal(look_int(json, "0.maxRequestPriority"), INT64_C(-2147483648));
    json_decref(json);
    browse_error(&world, P "/application/app-1", 404, "Application not found");
    world_done(&world);
}

static void rejected_applications(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "partitions: [{name: default, queues: [{name: root, queues: [{name: leaf}]}]}]");
    world_submit(&world, "bad", "root.leaf.below", "ann");
    assert_int_equal(world.app_rejected, 1);
    json_t *json = browse_json(&world, P "/applications/rejected");
    assert_int_equal(json_array_size(json), 1);
    assert_string_equal(look_text(json, "0.applicationState"), "Rejected");
    assert_string_equal(look_text(json, "0.rejectedMessage"), world.last_reason);
    assert_string_equal(look_text(json, "0.queueName"), "");
    assert_null(look(json, "0.startTime")); /* never ran: left out */
    json_decref(json);
    json = browse_json(&world, "/ws/v1/partitions");
    assert_int_equal(look_int(json, "0.applications.Rejected"), 1);
    json_decref(json);
    world_done(&world);
}

/* R40: a namespace's limit is shown also for types that no node has yet, which take no slot for that. */
static void limits_of_a_namespace_for_unknown_types(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: "
               "[{name: root, submitacl: '*'}]}]");
    int types = yk_restype_count();
    const struct yk_si_tag tags[] = {
        {"namespace.resourcequota",
         "{\"resources\":{\"vcore\":{\"value\":2000},\"example.com/fpga\":{\"value\":4},"
         "\"zz.com/x\":{\"value\":1}}}"},
        {"namespace.resourceguaranteed", "{\"resources\":{\"example.com/fpga\":{\"value\":2}}}"}};
    const struct yk_si_new_app app = {.application_id = "a",
                                      .queue = "root.ns",
                                      .ugi = {.user = "joe"},
                                      .tags = tags,
                                      .tag_count = YK_COUNT(tags)};
    assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
    struct yk_answer answer = browse(&world, P "/queue/root.ns", 200);
    assert_non_null(strstr(yk_buf_cstr(&answer.body),
                           "\"maxResource\":{\"example.com/fpga\":4,\"vcore\":2000,\"zz.com/x\":1},"
                           "\"guaranteedResource\":{\"example.com/fpga\":2}"));
    yk_answer_done(&answer);
    assert_int_equal(yk_restype_count(), types);
    world_done(&world);
}

/* What a queue refused is shown with that queue, and with the amounts that do not fit. */
static void rejected_gangs(void **state)
{
    (void)state;
    struct world world;
    world_init(&world,
               "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: leaf, "
               "resources: {max: {memory: 5, vcore: 1}}}, {name: fair, properties: "
               "{application.sort.policy: fair}}]}]}]");
    YK_RESVEC(total);
    yk_resvec_put(&total, YK_RESTYPE_MEMORY, 10);
    const char *const queues[] = {"root.leaf", "root.fair"};
    const char *const messages[] = {
        "queue root.leaf cannot fit application gang: its gang needs 10 bytes, the queue may have 5 bytes",
        "queue root.fair cannot run application gang: a queue with application.sort.policy fair takes no "
        "gangs"};
    const char *const remedies[] = {
        "make the gang smaller, or raise the maximum of the queue, and create the pods again",
        "name a queue that takes gangs, or change its application.sort.policy, and create the pods again"};
    for (size_t i = 0; i < YK_COUNT(queues); i++) {
        const struct yk_si_new_app app = {
            .application_id = "gang", .queue = queues[i], .ugi = {.user = "joe"}, .placeholder_ask = &total};
        assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
        assert_string_equal(world.last_reason, messages[i]);
        json_t *json = browse_json(&world, P "/applications/rejected");
        assert_string_equal(look_text(json, "0.queueName"), queues[i]);
        assert_string_equal(look_text(json, "0.rejectedMessage"), messages[i]);
        assert_string_equal(look_text(json, "0.remedy"), remedies[i]);
        json_decref(json);
        json = browse_json(&world, P "/application/gang/pending");
        assert_string_equal(look_text(json, "reason"), "Rejected");
        assert_string_equal(look_text(json, "remedy"), remedies[i]);
        json_decref(json);
    }
    world_done(&world);
}

/* Two resource managers with partitions of one name: the bare name is the one of who came first. */
static void two_managers(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    static const struct yk_si_callbacks deaf;
    static const char theirs[] = "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: "
                                 "[{name: west}]}]}, {name: gpu, queues: [{name: root}]}]";
    const struct yk_si_register request = {.rm_id = "west", .config = YK_STR(theirs)};
    init(&world);
    assert_int_equal(yk_core_register(world.core, &request, &deaf, NULL, &err), YK_OK);

    json_t *json = browse_json(&world, "/ws/v1/partitions");
    assert_int_equal(json_array_size(json), 3);
    assert_string_equal(look_text(json, "0.clusterId"), "rm");
    assert_string_equal(look_text(json, "0.name"), "default");
    assert_string_equal(look_text(json, "1.clusterId"), "west");
    assert_string_equal(look_text(json, "1.name"), "default");
    json_decref(json);

    static const struct {
        const char *name, *first_queue;
    } cases[] = {{"default", "root.a"}, {"%5Brm%5Ddefault", "root.a"}, {"%5Bwest%5Ddefault", "root.west"}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        char target[64];
        (void)snprintf(target, sizeof(target), "/ws/v1/partition/%s/queues", cases[i].name);
        json = browse_json(&world, target);
        assert_string_equal(look_text(json, "childNames.0"), cases[i].first_queue);
        json_decref(json);
    }
    json = browse_json(&world, "/ws/v1/partition/gpu/queues"); /* only one has it */
    json_decref(json);
    json = browse_json(&world, "/ws/v1/clusters");
    assert_int_equal(json_array_size(look(json, "0.rmBuildInformation")), 2);
    json_decref(json);
    world_done(&world);
}

/* ---- the state dump (8) ---- */

/* In three pieces. */
static bool dump_state(void *rm, struct yk_si_dump *dump, struct yk_json *json)
{
    (void)rm;
    if (dump->part == 0) {
        yk_json_object_begin(json);
        yk_json_key(json, "cache");
    } else if (dump->part == 1) {
        yk_json_raw(json, YK_STR("{\"pods\":{\"a/b\":{\"note\":\"{[,:\\\"]}\"}}}"));
    } else {
        yk_json_object_end(json);
    }
    return dump->part++ < 2;
}

static void assert_dump(const json_t *json)
{
    KEYS(json, "timestamp", "logLevel", "partitions", "applications", "nodes", "clusterInfo", "queues",
         "config", "configHistory", "placementRules", "rmDiagnostics");
    assert_string_equal(look_text(json, "logLevel"), "info");
    assert_string_equal(look_text(json, "partitions.0.name"), "default");
    assert_int_equal(json_array_size(look(json, "applications")), 3);
    assert_string_equal(look_text(json, "applications.0.applicationID"), "app-1");
    assert_string_equal(look_text(json, "applications.1.applicationState"), "Completed");
    assert_string_equal(look_text(json, "applications.2.applicationState"), "Rejected");
    assert_int_equal(json_array_size(look(json, "nodes")), 1);
    assert_string_equal(look_text(json, "nodes.0.partitionName"), "default");
    assert_string_equal(look_text(json, "nodes.0.nodesInfo.1.nodeID"), "n2");
    assert_string_equal(look_text(json, "queues.0.queuename"), "root");
    assert_int_equal(json_array_size(look(json, "queues.0.children")), 2);
    assert_string_equal(look_text(json, "placementRules.0.partition"), "default");
    assert_int_equal(json_array_size(look(json, "placementRules.0.rules")), 3);
    assert_string_equal(look_text(json, "clusterInfo.0.partition"), "default");
    assert_true(json_is_object(look(json, "config")));
    assert_string_equal(look_text(json, "rmDiagnostics.cache.pods.a/b.note"), "{[,:\"]}");
}

static void state_dump(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    world_submit(&world, "ends", "root.a.b", "joe");
    world_ask(&world, "ends", "e1", 100, 1);
    (void)world_schedule(&world);
    world_release(&world, "ends", "e1", YK_SI_STOPPED_BY_RM);
    world_advance(&world, 30);
    world_submit(&world, "app-1", "root.a.b", "joe"); /* refused */
    json_t *json = browse_json(&world, "/debug/fullstatedump");
    assert_string_equal(look_text(json, "rmDiagnostics.empty"), "Resource Manager did not register callback");
    json_decref(json);
    yk_core_first_rm(world.core)->callbacks.state_dump = dump_state;
    json = browse_json(&world, "/debug/fullstatedump");
    assert_dump(json);
    json_decref(json);
    json = browse_slices(&world, "/debug/fullstatedump", NULL, NULL);
    assert_dump(json);
    json_decref(json);

    struct yk_answer answer = browse(&world, "/debug/fullstatedump", 200);
    const char *text = yk_buf_cstr(&answer.body);
    assert_memory_equal(text, "{\n  \"timestamp\": ", 17);
    assert_non_null(strstr(text, "\n    \"cache\": {\n      \"pods\": {\n"));
    assert_non_null(strstr(text, "\n}\n"));
    yk_answer_done(&answer);
    answer = browse(&world, "/ws/v1/fullstatedump?x=1", 301);
    assert_string_equal(yk_buf_cstr(&answer.location), "/debug/fullstatedump?x=1");
    yk_answer_done(&answer);
    world_done(&world);
}

static void drop_all(void *context)
{
    struct world *world = context;
    struct yk_err err = {0};
    static const struct yk_si_callbacks deaf;
    const struct yk_si_register request = {.rm_id = "rm"};
    assert_int_equal(yk_core_register(world->core, &request, &deaf, NULL, &err), YK_OK);
}

/* Everything goes, again and again, while the dump is written. */
static void state_dump_of_what_goes(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_slices(&world, "/debug/fullstatedump", drop_all, &world);
    assert_non_null(look(json, "timestamp"));
    json_decref(json);
    world_done(&world);
}

static void health(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    yk_health_run(world.core);
    json_t *json = browse_json(&world, "/ws/v1/scheduler/healthcheck");
    KEYS(json, "Healthy", "HealthChecks");
    assert_true(look_bool(json, "Healthy"));
    assert_int_equal(json_array_size(look(json, "HealthChecks")), 11);
    KEYS(look(json, "HealthChecks.0"), "Name", "Succeeded", "Description", "DiagnosisMessage");
    assert_string_equal(look_text(json, "HealthChecks.0.Name"), "Scheduling errors");
    json_decref(json);
    world.core->metrics.nodes_failed++;
    yk_health_run(world.core);
    json = browse_json(&world, "/ws/v1/scheduler/healthcheck"); /* 200 when unhealthy, too */
    assert_false(look_bool(json, "Healthy"));
    assert_false(look_bool(json, "HealthChecks.1.Succeeded"));
    json_decref(json);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters),
        cmocka_unit_test(partitions),
        cmocka_unit_test(empty_cluster),
        cmocka_unit_test(rules),
        cmocka_unit_test(rule_parameters),
        cmocka_unit_test(queues),
        cmocka_unit_test(one_queue),
        cmocka_unit_test(nodes),
        cmocka_unit_test(application),
        cmocka_unit_test(gang),
        cmocka_unit_test(large_gang),
        cmocka_unit_test(the_log_has_the_words_of_the_condition),
        cmocka_unit_test(the_log_of_asks_like_one_that_was_tried),
        cmocka_unit_test(a_gang_that_never_fits_says_so),
        cmocka_unit_test(resource_history),
        cmocka_unit_test(tags_are_asked_for),
        cmocka_unit_test(ended_applications),
        cmocka_unit_test(rejected_applications),
        cmocka_unit_test(rejected_gangs),
        cmocka_unit_test(limits_of_a_namespace_for_unknown_types),
        cmocka_unit_test(two_managers),
        cmocka_unit_test(state_dump),
        cmocka_unit_test(state_dump_of_what_goes),
        cmocka_unit_test(health),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
