/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the dashboard of Apache YuniKorn (yunikorn-web, branch-1.9) reads of each answer, with its type: a
 * field that is missing or of another type breaks a page. docs/reference/rest.md, section 9.
 */
#include "scheduler/history.h"
#include "web/browser.h"

#define P "/ws/v1/partition/default"

static const char config[] = "partitions:\n"
                             "- name: default\n"
                             "  queues:\n"
                             "  - name: root\n"
                             "    submitacl: '*'\n"
                             "    queues:\n"
                             "    - name: leaf\n"
                             "      properties: {application.sort.policy: fifo}\n"
                             "      resources: {guaranteed: {vcore: 1}, max: {vcore: 10, memory: 10Gi}}\n"
                             "    - name: parent\n"
                             "      parent: true\n"
                             "      childtemplate: {maxapplications: 3}\n";

static void init(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 4000, 8192);
    const char *const groups[] = {"staff"};
    const struct yk_si_new_app app = {
        .application_id = "app", .queue = "root.leaf", .ugi = {"ann", groups, 1}};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    struct yk_resvec size = world_size(100, 64);
    const struct yk_si_tag tags[] = {{"kubernetes.io/meta/namespace", "ns"},
                                     {"kubernetes.io/meta/podName", "p"}};
    const struct yk_si_allocation ask = {.key = "k1",
                                         .application_id = "app",
                                         .resource = &size,
                                         .tags = tags,
                                         .tag_count = 2,
                                         .create_wall_ns = YK_NS_PER_S,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    assert_int_equal(world_schedule(world), 1);
    world_ask(world, "app", "waits", 5000, 1);
    yk_history_record(&world->core->history);
    yk_health_run(world->core);
    yk_resvec_done(&size);
}

/* s: text, n: number, b: true or false, o: object, a: list, x: text or number */
struct field {
    const char *path;
    char type;
};

static bool is_of(const json_t *value, char type)
{
    switch (type) {
    case 's':
        return json_is_string(value);
    case 'n':
        return json_is_number(value);
    case 'b':
        return json_is_boolean(value);
    case 'o':
        return json_is_object(value);
    case 'a':
        return json_is_array(value);
    case 'x':
        return json_is_string(value) || json_is_number(value);
    }
    return false;
}

static void check(struct world *world, const char *target, const struct field *fields, size_t count)
{
    json_t *json = browse_json(world, target);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = fields[i].path[0] == '\0' ? json : look(json, fields[i].path);
        if (value == NULL || !is_of(value, fields[i].type))
            fail_msg("%s: '%s' is not there or not of type %c", target, fields[i].path, fields[i].type);
    }
    json_decref(json);
}
#define CHECK(target, ...)                                                                                   \
    do {                                                                                                     \
        static const struct field fields_[] = {__VA_ARGS__};                                                 \
        check(&world, target, fields_, YK_COUNT(fields_));                                                   \
    } while (0)

static void what_each_page_reads(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    CHECK("/ws/v1/clusters", {"", 'a'}, {"0.clusterName", 's'}, {"0.rmBuildInformation.0.buildDate", 's'},
          {"0.rmBuildInformation.0.buildVersion", 's'}, {"0.rmBuildInformation.0.rmId", 's'});
    CHECK("/ws/v1/partitions", {"", 'a'}, {"0.name", 's'}, {"0.nodeSortingPolicy.type", 's'},
          {"0.totalNodes", 'n'}, {"0.applications", 'o'}, {"0.applications.total", 'n'},
          {"0.applications.Running", 'n'}, {"0.totalContainers", 'n'});
    CHECK("/ws/v1/history/apps", {"", 'a'}, {"0.timestamp", 'n'}, {"0.totalApplications", 'x'});
    CHECK("/ws/v1/history/containers", {"", 'a'}, {"0.timestamp", 'n'}, {"0.totalContainers", 'x'});
    CHECK("/ws/v1/scheduler/node-utilizations", {"", 'a'}, {"0.partition", 's'}, {"0.utilizations", 'a'},
          {"0.utilizations.0.type", 's'}, {"0.utilizations.0.utilization", 'a'},
          {"0.utilizations.0.utilization.9.bucketName", 's'},
          {"0.utilizations.0.utilization.0.numOfNodes", 'n'},
          {"0.utilizations.0.utilization.0.nodeNames.0", 's'});
    CHECK(P "/queues", {"", 'o'}, {"queuename", 's'}, {"status", 's'}, {"isLeaf", 'b'}, {"isManaged", 'b'},
          {"partition", 's'}, {"children", 'a'}, {"children.0.partition", 's'}, {"children.0.isLeaf", 'b'},
          {"children.0.maxResource.vcore", 'n'}, {"children.0.guaranteedResource.vcore", 'n'},
          {"children.0.allocatedResource.vcore", 'n'}, {"children.0.pendingResource.vcore", 'n'},
          {"children.0.absUsedCapacity.vcore", 'n'}, {"children.0.properties", 'o'},
          {"children.1.template", 'o'});
    CHECK(P "/queue/root.leaf/applications", {"", 'a'}, {"0.applicationID", 's'}, {"0.usedResource", 'o'},
          {"0.pendingResource", 'o'}, {"0.maxUsedResource", 'o'}, {"0.submissionTime", 'n'},
          {"0.stateLog.0.time", 'n'}, {"0.applicationState", 's'}, {"0.allocations.0.allocationKey", 's'},
          {"0.allocations.0.allocationTags.kubernetes.io/meta/namespace", 's'},
          {"0.allocations.0.resource.memory", 'n'}, {"0.allocations.0.priority", 's'},
          {"0.allocations.0.nodeId", 's'}, {"0.allocations.0.applicationId", 's'});
    CHECK(P "/nodes", {"", 'a'}, {"0.nodeID", 's'}, {"0.capacity", 'o'}, {"0.allocated", 'o'},
          {"0.available", 'o'}, {"0.utilized", 'o'}, {"0.attributes", 'o'},
          {"0.allocations.0.allocationKey", 's'}, {"0.allocations.0.applicationId", 's'});
    CHECK("/ws/v1/scheduler/healthcheck", {"Healthy", 'b'}, {"HealthChecks", 'a'},
          {"HealthChecks.0.Name", 's'}, {"HealthChecks.0.Succeeded", 'b'},
          {"HealthChecks.0.Description", 's'}, {"HealthChecks.0.DiagnosisMessage", 's'});
    world_done(&world);
}

/* Its error page reads these of whatever is not 2xx. */
static void what_the_error_page_reads(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_answer answer = browse(&world, "/ws/v1/partition/none/queues", 404);
    json_t *json = json_loadb(answer.body.p, answer.body.len, 0, NULL);
    assert_int_equal(look_int(json, "StatusCode"), 404);
    assert_true(json_is_string(look(json, "Message")));
    assert_true(json_is_string(look(json, "Description")));
    json_decref(json);
    yk_answer_done(&answer);
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_each_page_reads),
        cmocka_unit_test(what_the_error_page_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
