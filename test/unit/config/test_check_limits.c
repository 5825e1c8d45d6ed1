/* SPDX-License-Identifier: Apache-2.0 */
#include "config/configs.h"

#define LIMITS(limits) ROOT("    limits:\n" limits)
/* Root with `limits`, below it a queue `a` with `keys`. */
#define NESTED(limits, keys)                                                                                 \
    "partitions:\n- name: default\n  queues:\n  - name: root\n    limits: [" limits                          \
    "]\n    queues:\n    - {name: a, " keys "}\n"

static void one_list(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"L1: neither user nor group named", LIMITS("    - {limit: x, maxapplications: 1}\n"),
         "queue 'root': limit 'x' names neither users nor groups"},
        {"L1: a bad user name", LIMITS("    - {users: [1a], maxapplications: 1}\n"),
         "limit user '1a' is not a valid name"},
        {"L1: a bad group name", LIMITS("    - {groups: [a@b], maxapplications: 1}\n"),
         "limit group 'a@b' is not a valid name"},
        {"L1: service accounts have colons",
         LIMITS("    - {users: ['system:serviceaccount:ns:sa'], maxapplications: 1}\n"), NULL},
        {"L2: a user twice in one entry", LIMITS("    - {users: [a, a], maxapplications: 1}\n"),
         "limit user 'a' is there twice"},
        {"L2: a user twice over entries",
         LIMITS("    - {users: [a], maxapplications: 1}\n    - {users: [a], maxapplications: 2}\n"),
         "limit user 'a' is there twice"},
        {"L2: user and group of one name", LIMITS("    - {users: [a], groups: [a], maxapplications: 1}\n"),
         NULL},
        {"L3: a user after the wildcard", LIMITS("    - {users: ['*', a], maxapplications: 1}\n"),
         "limit user 'a' comes after the wildcard"},
        {"L3: a user in a later entry",
         LIMITS("    - {users: ['*'], maxapplications: 1}\n    - {users: [a], maxapplications: 1}\n"),
         "comes after the wildcard"},
        {"L3: a user before the wildcard", LIMITS("    - {users: [bob, '*'], maxapplications: 1}\n"), NULL},
        {"L2: the wildcard twice", LIMITS("    - {users: ['*', '*'], maxapplications: 1}\n"),
         "'*' is there twice"},
        {"L4: a lone user wildcard", LIMITS("    - {users: ['*'], maxapplications: 1}\n"), NULL},
        {"L4: a lone group wildcard", LIMITS("    - {groups: ['*'], maxapplications: 1}\n"),
         "has a group wildcard"},
        {"L4: a named group in the same entry", LIMITS("    - {groups: [a, '*'], maxapplications: 1}\n"),
         NULL},
        {"L4: a named group in an earlier entry",
         LIMITS("    - {groups: [a], maxapplications: 1}\n    - {groups: ['*'], maxapplications: 1}\n"),
         NULL},
        {"L5: neither number nor resources", LIMITS("    - {users: [a]}\n"),
         "has neither maxresources nor maxapplications"},
        {"L5: empty resources are none", LIMITS("    - {users: [a], maxresources: {}}\n"), "has neither"},
        {"L5: empty resources and a number",
         LIMITS("    - {users: [a], maxresources: {}, maxapplications: 1}\n"), NULL},
        {"L5: all zero", LIMITS("    - {users: [a], maxresources: {vcore: 0}, maxapplications: 1}\n"),
         "must have a value above zero"},
        {"L5: zero for one type", LIMITS("    - {users: [a], maxresources: {vcore: 0, memory: 1G}}\n"), NULL},
        {"L5: a bad quantity", LIMITS("    - {limit: who, users: [a], maxresources: {vcore: -1}}\n"),
         "limit 'who': invalid quantity '-1'"},
        {"L5: more applications than the queue",
         NESTED("", "maxapplications: 2, limits: [{users: [u], maxapplications: 3}]"),
         "queue 'root.a': limit '': maxapplications 3 is larger than the queue's own 2"},
        {"L5: more resources than the queue",
         NESTED("", "resources: {max: {vcore: 1}}, limits: [{users: [u], maxresources: {vcore: 2}}]"),
         "queue 'root.a': limit '': maxresources is larger than the queue's own max"},
        {"L5: a type that the queue does not limit",
         NESTED("", "resources: {max: {vcore: 1}}, limits: [{users: [u], maxresources: {memory: 2}}]"), NULL},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

static void over_the_tree(void **state)
{
    (void)state;
    static const struct config_case cases[] = {
        {"V8: resources above the same user's",
         NESTED("{users: [u], maxresources: {vcore: 1}}", "limits: [{users: [u], maxresources: {vcore: 2}}]"),
         "queue 'root.a': limit of user 'u': maxresources {vcore: 2} is larger than in queue 'root' or above "
         "{vcore: 1}"},
        {"V8: resources above the wildcard's",
         NESTED("{users: ['*'], maxresources: {vcore: 1}}",
                "limits: [{users: [u], maxresources: {vcore: 2}}]"),
         "limit of user 'u': maxresources {vcore: 2} is larger than in queue 'root'"},
        {"V8: an own entry above goes before the wildcard",
         NESTED("{users: [u], maxresources: {vcore: 5}}, {users: ['*'], maxresources: {vcore: 1}}",
                "limits: [{users: [u], maxresources: {vcore: 2}}]"),
         NULL},
        {"V8: a wildcard is not bound by names",
         NESTED("{users: [u], maxresources: {vcore: 1}}",
                "limits: [{users: ['*'], maxresources: {vcore: 2}}]"),
         NULL},
        {"V8: a wildcard is bound by a wildcard",
         NESTED("{users: ['*'], maxresources: {vcore: 1}}",
                "limits: [{users: ['*'], maxresources: {vcore: 2}}]"),
         "limit of user '*'"},
        {"V8: entries of one queue do not bind each other",
         NESTED("",
                "limits: [{users: [u], maxresources: {vcore: 9}}, {users: ['*'], maxresources: {vcore: 1}}]"),
         NULL},
        {"V8: users do not bind groups",
         NESTED("{users: [u], maxresources: {vcore: 1}}",
                "limits: [{groups: [u], maxresources: {vcore: 2}}]"),
         NULL},
        {"V8: groups",
         NESTED("{groups: [g], maxresources: {vcore: 1}}",
                "limits: [{groups: [g], maxresources: {vcore: 2}}]"),
         "limit of group 'g'"},
        {"V8: applications above",
         NESTED("{users: [u], maxapplications: 1}", "limits: [{users: [u], maxapplications: 2}]"),
         "maxapplications 2 must be 1 to 1, as in queue 'root'"},
        {"V8: applications not set below a number",
         NESTED("{users: [u], maxapplications: 1}", "limits: [{users: [u], maxresources: {vcore: 2}}]"),
         "maxapplications 0 must be 1 to 1, as in queue 'root'"},
        {"V8: a number below none",
         NESTED("{users: [u], maxresources: {vcore: 2}}", "limits: [{users: [u], maxapplications: 2}]"),
         NULL},
        {"V8: over a queue without limits",
         NESTED("{users: [u], maxapplications: 1}",
                "queues: [{name: b, limits: [{users: [u], maxapplications: 2}]}]"),
         "queue 'root.a.b'"},
        {"V8: amounts of one name combine on the way down",
         NESTED("{users: [u], maxresources: {vcore: 1}}",
                "limits: [{users: [u], maxresources: {memory: 1}}], queues: [{name: b, limits: [{users: [u], "
                "maxresources: {vcore: 2}}]}]"),
         "queue 'root.a.b': limit of user 'u': maxresources {vcore: 2} is larger than in queue 'root.a' or "
         "above"},
        {"V8: a sibling's limits do not count",
         BELOW_ROOT("    - {name: a, limits: [{users: [u], maxapplications: 1}], queues: [{name: x}]}\n    - "
                    "{name: b, limits: [{users: [u], maxapplications: 2}]}\n"),
         NULL},
        {"V8: nor does a nephew's, after an own limit above",
         NESTED("{users: [u], maxapplications: 5}", "limits: [{users: [u], maxapplications: 1}]}\n    - "
                                                    "{name: b, limits: [{users: [u], maxapplications: 5}]"),
         NULL},
    };
    check_config_cases(cases, YK_COUNT(cases));
}

static void partition_limits(void **state)
{
    (void)state;
    static const char limit[] =
        "[{limit: l, users: [u, v], maxresources: {vcore: 1, memory: 2}, maxapplications: 3}]";
    static const struct {
        const char *what, *root;
        bool refused;
    } cases[] = {
        {"V2: copied to a root without limits", NULL, false},
        {"V2: equal, resources in another order",
         "[{limit: l, users: [u, v], maxresources: {memory: 2, vcore: 1}, maxapplications: 3}]", false},
        {"V2: users in another order",
         "[{limit: l, users: [v, u], maxresources: {memory: 2, vcore: 1}, maxapplications: 3}]", true},
        {"V2: another amount",
         "[{limit: l, users: [u, v], maxresources: {memory: 2, vcore: 2}, maxapplications: 3}]", true},
        {"V2: one amount less", "[{limit: l, users: [u, v], maxresources: {memory: 2}, maxapplications: 3}]",
         true},
        {"V2: another number",
         "[{limit: l, users: [u, v], maxresources: {memory: 2, vcore: 1}, maxapplications: 2}]", true},
        {"V2: another description",
         "[{limit: k, users: [u, v], maxresources: {memory: 2, vcore: 1}, maxapplications: 3}]", true},
        {"V2: one more", "[{users: [u, v], maxapplications: 3}, {users: [w], maxapplications: 1}]", true},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_buf text = {0};
        struct yk_config *config = NULL;
        struct yk_err err = {0};
        yk_buf_printf(&text, "partitions:\n- limits: %s\n  queues:\n  - name: root\n", limit);
        if (cases[i].root != NULL)
            yk_buf_printf(&text, "    limits: %s\n", cases[i].root);
        enum yk_status st = yk_config_load(yk_buf_view(&text), &config, &err);
        if ((st != YK_OK) != cases[i].refused)
            fail_msg("%s: %s", cases[i].what, st == YK_OK ? "accepted" : err.text);
        if (st != YK_OK && strstr(err.text, "partition 'default': the limits of the partition") == NULL)
            fail_msg("%s: got '%s'", cases[i].what, err.text);
        if (st == YK_OK) {
            const struct yk_config_limits *limits = &config->partitions[0].root.limits;
            assert_int_equal(limits->count, 1);
            assert_int_equal(limits->items[0].max_applications, 3);
            assert_int_equal(yk_resvec_get(&limits->items[0].max_resources.amounts, YK_RESTYPE_VCORE), 1000);
        }
        yk_config_free(config);
        yk_buf_done(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_list),
        cmocka_unit_test(over_the_tree),
        cmocka_unit_test(partition_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
