/* SPDX-License-Identifier: Apache-2.0 */
/* Every error text of docs/reference/rest.md 1.6 that a request can meet, and which one wins (2.1). */
#include "web/browser.h"

#define NO_PARTITION "Partition not found"
#define NO_QUEUE     "Queue not found"
#define NO_NODE      "Node not found"
#define NO_APP       "Application not found"
#define BAD_ESCAPE   "invalid URL escape \"%zz\""
#define BAD_NAME                                                                                             \
    "invalid queue name, max 64 characters consisting of alphanumeric characters and '-', '_', '#', '@', "   \
    "'/', ':' allowed"
#define BAD_STATE      "Only following application states are allowed: active, rejected, completed"
#define BAD_LEAF_STATE "Only following application states are allowed: active"
#define BAD_STATUS                                                                                           \
    "Only following active statuses are allowed: new,accepted,starting,running,completing,failing,resuming"
#define P         "/ws/v1/partition/"
#define LONG_NAME "a1234567890123456789012345678901234567890123456789012345678901234" /* 65 bytes */

static const char config[] = "partitions:\n"
                             "  - name: default\n"
                             "    queues:\n"
                             "      - name: root\n"
                             "        submitacl: '*'\n"
                             "        queues:\n"
                             "          - name: leaf\n"
                             "          - name: a/b#c\n"
                             "          - name: top\n"
                             "            queues:\n"
                             "              - name: low\n";

static void order_of_checks(void **state)
{
    (void)state;
    static const struct browse_case cases[] = {
        {"8: partition", P "none/placementrules", 404, NO_PARTITION},
        {"9: partition", P "none/queues", 404, NO_PARTITION},
        {"9: an empty name never matches", P "/queues", 404, NO_PARTITION},
        {"9: of another resource manager", P "%5Bother%5Ddefault/queues", 404, NO_PARTITION},
        {"10: partition before escape", P "none/queue/%25zz", 404, NO_PARTITION},
        {"10: escape", P "default/queue/%25zz", 400, BAD_ESCAPE},
        {"10: escape before syntax", P "default/queue/a b%25zz", 400, BAD_ESCAPE},
        {"10: syntax before queue", P "default/queue/root.a+b", 400, BAD_NAME},
        {"10: an empty part", P "default/queue/root..a", 400, BAD_NAME},
        {"10: too long a part", P "default/queue/root." LONG_NAME, 400, BAD_NAME},
        {"10: queue", P "default/queue/root.none", 404, NO_QUEUE},
        {"10: not from the root", P "default/queue/leaf", 404, NO_QUEUE},
        {"11: partition", P "none/nodes", 404, NO_PARTITION},
        {"12: partition before node", P "none/node/n", 404, NO_PARTITION},
        {"12: node", P "default/node/n", 404, NO_NODE},
        {"13: escape before partition", P "none/queue/%25zz/applications", 400, BAD_ESCAPE},
        {"13: syntax before partition", P "none/queue/root.a+b/applications", 400, BAD_NAME},
        {"13: partition before queue", P "none/queue/root.none/applications", 404, NO_PARTITION},
        {"13: queue", P "default/queue/root.none/applications", 404, NO_QUEUE},
        {"13: a wholly empty name passes the syntax", P "default/queue//applications", 404, NO_QUEUE},
        {"14: escape before partition", P "none/queue/%25zz/application/a", 400, BAD_ESCAPE},
        {"14: partition before syntax", P "none/queue/root.a+b/application/a", 404, NO_PARTITION},
        {"14: syntax", P "default/queue/root.a+b/application/a", 400, BAD_NAME},
        {"14: queue before application", P "default/queue/root.none/application/a", 404, NO_QUEUE},
        {"14: application", P "default/queue/root.leaf/application/a", 404, NO_APP},
        {"14: the application is in another queue", P "default/queue/root.top.low/application/live", 404,
         NO_APP},
        {"14: without a queue it is 15", P "none/queue//application/a", 404, NO_PARTITION},
        {"14: without a queue it is 15", P "default/queue//application/a", 404, NO_APP},
        {"15: partition before application", P "none/application/a", 404, NO_PARTITION},
        {"15: application", P "default/application/a", 404, NO_APP},
        {"16: partition before state", P "none/applications/bad", 404, NO_PARTITION},
        {"16: state before status", P "default/applications/bad?status=bad", 400, BAD_STATE},
        {"16: status", P "default/applications/active?status=bad", 400, BAD_STATUS},
        {"16: ended states are no active status", P "default/applications/active?status=completed", 400,
         BAD_STATUS},
        {"17: partition before escape", P "none/queue/%25zz/applications/bad", 404, NO_PARTITION},
        {"17: escape before state", P "default/queue/%25zz/applications/bad", 400, BAD_ESCAPE},
        {"17: syntax before state", P "default/queue/root.a+b/applications/bad", 400, BAD_NAME},
        {"17: queue before state", P "default/queue/root.none/applications/bad", 404, NO_QUEUE},
        {"17: state before status", P "default/queue/root.leaf/applications/completed?status=bad", 400,
         BAD_LEAF_STATE},
        {"17: status", P "default/queue/root.leaf/applications/active?status=bad", 400, BAD_STATUS},
        {"window: syntax", P "default/nodes?limit=-1", 400,
         "strconv.ParseUint: parsing \"-1\": invalid syntax"},
        {"window: range", P "default/nodes?offset=99999999999999999999", 400,
         "strconv.ParseUint: parsing \"99999999999999999999\": value out of range"},
    };
    struct world world;
    world_init(&world, config);
    world_submit(&world, "live", "root.leaf", "ann");
    browse_errors(&world, cases, YK_COUNT(cases));
    world_done(&world);
}

/* A parameter with a broken escape is refused, whatever the request is about; it is not ignored. */
static void queries_with_a_broken_escape(void **state)
{
    static const struct browse_case cases[] = {
        {"filter", P "default/nodes?filter=%zz", 400, BAD_ESCAPE " in query parameter \"filter\""},
        {"status", P "default/applications/active?status=%zz", 400,
         BAD_ESCAPE " in query parameter \"status\""},
        {"limit, before the partition", P "none/nodes?offset=1&limit=1%zz", 400,
         BAD_ESCAPE " in query parameter \"limit\""},
        {"a name", P "default/queue/root?%zz", 400, BAD_ESCAPE " in query parameter \"%zz\""},
        {"a parameter that the path does not have", "/ws/v1/clusters?a=%zz", 400,
         BAD_ESCAPE " in query parameter \"a\""},
        {"a long name", "/ws/v1/clusters?" LONG_NAME "=%zz", 400,
         BAD_ESCAPE
         " in query parameter \"a123456789012345678901234567890123456789012345678901234567890123\""},
    };
    struct world world;
    (void)state;
    world_init(&world, config);
    browse_errors(&world, cases, YK_COUNT(cases));
    world_done(&world);
}

static void names_that_are_found(void **state)
{
    (void)state;
    static const char *const targets[] = {
        P "default/queue/root.leaf",
        P "default/queue/ROOT.Leaf",
        P "default/queue/root.a%2Fb%23c",     /* decoded once */
        P "default/queue/root.a%252Fb%2523c", /* decoded twice */
        P "default/queue/root%2Eleaf",
        P "default/queue/root.leaf/applications/ACTIVE?status=NEW&status=bad",
        P "default/applications/Active?status=",
        P "default/applications/completed?status=bad", /* not looked at */
        P "default/applications/rejected",
        P "default/queue/root.top/applications", /* a parent has none */
        P "default/queue//application/live",
        P "%64efault/application/live",
    };
    struct world world;
    world_init(&world, config);
    world_submit(&world, "live", "root.leaf", "ann");
    for (size_t i = 0; i < YK_COUNT(targets); i++)
        json_decref(browse_json(&world, targets[i]));
    world_done(&world);
}

static void health_before_the_first_run(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world.core->health.has_run = false;
    browse_error(&world, "/ws/v1/scheduler/healthcheck", 404, "Health check is not available");
    world_done(&world);
}

static void later_endpoints_are_absent(void **state)
{
    (void)state;
    static const char *const targets[] = {
        "/ws/v1/loglevel",
        "/ws/v1/periodicstatedump/1",
        "/ws/v1/scheduler/node-utilization",
    };
    struct world world;
    world_init(&world, config);
    for (size_t i = 0; i < YK_COUNT(targets); i++) {
        struct yk_answer answer = browse(&world, targets[i], 404);
        assert_string_equal(yk_buf_cstr(&answer.body), "404 page not found\n");
        yk_answer_done(&answer);
    }
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_checks),
        cmocka_unit_test(queries_with_a_broken_escape),
        cmocka_unit_test(names_that_are_found),
        cmocka_unit_test(health_before_the_first_run),
        cmocka_unit_test(later_endpoints_are_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
