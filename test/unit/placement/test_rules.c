/* SPDX-License-Identifier: Apache-2.0 */
/* Each placement rule by itself, and rules as parents of each other: docs/reference/queues.md 5.3, 5.5. */
#include "placement/place.h"

#define OPEN "    submitacl: '*'\n"
#define TREE                                                                                                 \
    OPEN "    queues:\n"                                                                                     \
         "    - {name: leaf}\n"                                                                              \
         "    - {name: par, parent: true}\n"                                                                 \
         "    - {name: top, queues: [{name: Sub}, {name: dev}, {name: ann}]}\n"                              \
         "    - {name: ann}\n"                                                                               \
         "    - {name: a_dot_b}\n"                                                                           \
         "    - {name: dev}\n"
#define RULES(rules) PLACE_CONFIG(rules, TREE)
#define PROVIDED     RULES("  - name: provided\n")
#define PROVIDED_NEW RULES("  - {name: provided, create: true}\n")

static const char name_64[] = "n23456789012345678901234567890123456789012345678901234567890123x";
static const char name_65[] = "n234567890123456789012345678901234567890123456789012345678901234x";

static void provided(void **state)
{
    (void)state;
    char path_64[80];
    (void)snprintf(path_64, sizeof(path_64), "root.%s", name_64);
    const struct place_case cases[] = {
        {"no queue submitted", PROVIDED_NEW, .want = NULL},
        {"a full path", PROVIDED, .queue = "root.top.sub", .want = "root.top.sub"},
        {"P14: in any case", PROVIDED, .queue = "ROOT.Top.sUB", .want = "root.top.sub"},
        {"one name is below the root", PROVIDED, .queue = "LEAF", .want = "root.leaf"},
        {"dots of a path without root are part of the name", PROVIDED, .queue = "a.b",
         .want = "root.a_dot_b"},
        {"a queue that is not there", PROVIDED, .queue = "root.nope"},
        {"made when the rule may", PROVIDED_NEW, .queue = "root.nope", .want = "root.nope"},
        {"several levels at once", PROVIDED_NEW, .queue = "root.a.b.C", .want = "root.a.b.c"},
        {"exactly root is one name", PROVIDED_NEW, .queue = "root", .want = "root.root"},
        {"an illegal part", PROVIDED_NEW, .queue = "root.a b", .reason = "invalid queue name: 'root.a b'"},
        {"an empty part", PROVIDED_NEW, .queue = "root.a..b", .reason = "invalid queue name"},
        {"nothing after the dot", PROVIDED_NEW, .queue = "root.", .reason = "invalid queue name"},
        {"an illegal name", PROVIDED_NEW, .queue = "a,b", .reason = "invalid queue name: 'a,b'"},
        {"the longest name", PROVIDED_NEW, .queue = name_64, .want = path_64},
        {"one byte more", PROVIDED_NEW, .queue = name_65, .reason = "invalid queue name"},
        {"a path that outgrows the buffer", PROVIDED_NEW,
         .queue = "root."
                  "p123456789.p123456789.p123456789.p123456789.p123456789.p123456789.p123456789.p123456789."
                  "p123456789.p123456789.p123456789.p123456789.p123456789.p123456789.p123456789.p123456789."
                  "p123456789.p123456789.p123456789.p123456789.p123456789.p123456789.p123456789.p123456789",
         .reason = "path is too long"},
        {"an illegal name even if the filter's next rule would match",
         RULES("  - {name: provided, create: true}\n  - {name: fixed, value: leaf}\n"), .queue = "a b",
         .reason = "invalid queue name"},
        {"the filter comes before the name check",
         RULES(
             "  - {name: provided, create: true, filter: {users: [bob]}}\n  - {name: fixed, value: leaf}\n"),
         .queue = "a b", .want = "root.leaf"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void user(void **state)
{
    (void)state;
#define USER     RULES("  - name: user\n")
#define USER_NEW RULES("  - {name: USER, create: true}\n")
    static const struct place_case cases[] = {
        {"the user's queue", USER, .want = "root.ann"},
        {"not there", USER, .user = "bob"},
        {"made", USER_NEW, .user = "bob", .want = "root.bob"},
        {"P2: the seed's spelling", RULES("  - {name: UserName, create: true}\n"), .user = "Bob",
         .want = "root.bob"},
        {"dots", USER_NEW, .user = "finance.test", .want = "root.finance_dot_test"},
        {"dots of a queue that exists", USER, .user = "A.b", .want = "root.a_dot_b"},
        {"a user called like a path has no hierarchy", USER_NEW, .user = "root.a", .want = "root.root_dot_a"},
        {"not a queue name", USER_NEW, .user = "svc$", .reason = "invalid queue name: 'svc$'"},
        {"too long after replacement", USER_NEW, .user = "a.b.c.d.e.f.g.h.i.j.k.l.m",
         .reason = "invalid queue name"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void fixed(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"full path", RULES("  - {name: fixed, value: root.leaf}\n"), .want = "root.leaf"},
        {"in any case, blanks around", RULES("  - {name: FIXED, value: ' Root.Top.SUB '}\n"),
         .want = "root.top.sub"},
        {"below the root", RULES("  - {name: fixed, value: leaf}\n"), .want = "root.leaf"},
        {"dots are hierarchy", RULES("  - {name: fixed, value: top.dev}\n"), .want = "root.top.dev"},
        {"made", RULES("  - {name: fixed, value: par.x.y, create: true}\n"), .want = "root.par.x.y"},
        {"BUG-13: starts with root but is not below it",
         RULES("  - {name: fixed, value: rootless, create: true}\n"), .want = "root.rootless"},
        {"below a parent rule", RULES("  - {name: fixed, value: sub, parent: {name: fixed, value: top}}\n"),
         .want = "root.top.sub"},
        {"below a parent rule that does not match",
         RULES("  - {name: fixed, value: x, create: true, parent: {name: tag, value: t}}\n"), .want = NULL},
        {"several levels below a parent rule",
         RULES("  - {name: fixed, value: x.y, create: true, parent: {name: user, create: true}}\n"),
         .user = "zoe", .want = "root.zoe.x.y"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void tag(void **state)
{
    (void)state;
#define TAG     RULES("  - {name: tag, value: Namespace}\n")
#define TAG_NEW RULES("  - {name: tag, value: namespace, create: true}\n")
    static const struct place_case cases[] = {
        {"no such tag", TAG_NEW, .tags = "other=x"},
        {"an empty tag", TAG_NEW, .tags = "namespace="},
        {"names of tags in any case", TAG, .tags = "nameSpace=dev", .want = "root.dev"},
        {"not there", TAG, .tags = "namespace=testing"},
        {"made", TAG_NEW, .tags = "namespace=testing", .want = "root.testing"},
        {"a dot", TAG_NEW, .tags = "namespace=a.c", .want = "root.a_dot_c"},
        {"a full path", TAG, .tags = "namespace=root.top.dev", .want = "root.top.dev"},
        {"a full path skips the parent rule",
         RULES("  - {name: tag, value: q, create: true, parent: {name: user, create: true}}\n"),
         .tags = "q=Root.x.y", .want = "root.x.y"},
        {"an illegal value", TAG_NEW, .tags = "namespace=a,b", .reason = "invalid queue name: 'a,b'"},
        {"an illegal path", TAG_NEW, .tags = "namespace=root.a,b", .reason = "invalid queue name"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void recovery(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"forced, and nothing else matched", PROVIDED, .queue = "root.gone", .forced = true,
         .want = "root.@recovery@"},
        {"forced, but a rule matched", PROVIDED, .queue = "root.leaf", .forced = true, .want = "root.leaf"},
        {"not forced", PROVIDED, .queue = "root.gone"},
        {"BUG-7: provided", PROVIDED_NEW, .queue = "root.@Recovery@"},
        {"BUG-7: provided, one name", PROVIDED_NEW, .queue = "@recovery@"},
        {"BUG-7: tag", RULES("  - {name: tag, value: q, create: true}\n"), .tags = "q=root.@recovery@"},
        {"BUG-7: fixed", RULES("  - {name: fixed, value: root.@recovery@, create: true}\n"), .want = NULL},
        {"R8: no queue is made below it", PROVIDED_NEW, .queue = "root.@recovery@.x"},
        {"R8: not even for a forced application", PROVIDED_NEW, .queue = "root.@recovery@.x", .forced = true,
         .want = "root.@recovery@"},
        {"P6: asked for by a forced application", PROVIDED_NEW, .queue = "root.@recovery@", .forced = true,
         .want = "root.@recovery@"},
        {"a name that only begins like it", PROVIDED_NEW, .queue = "root.@recovery@2",
         .want = "root.@recovery@2"},
        {"a queue of that name elsewhere", PROVIDED_NEW, .queue = "root.par.@recovery@",
         .want = "root.par.@recovery@"},
        {"BUG-7: in the configuration",
         PLACE_CONFIG("  - name: provided\n", OPEN "    queues: [{name: '@recovery@'}]\n"),
         .queue = "root.@recovery@"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void primary_group(void **state)
{
    (void)state;
#define PRIMARY_NEW RULES("  - {name: PrimaryGroup, create: true}\n")
    static const struct place_case cases[] = {
        {"no groups", PRIMARY_NEW, .want = NULL},
        {"the first one", PRIMARY_NEW, .groups = "dev,ops", .want = "root.dev"},
        {"not there", RULES("  - name: primarygroup\n"), .groups = "ops,dev"},
        {"S0: its spelling", RULES("  - {name: PrimaryGroupName, create: true}\n"), .groups = "Ops",
         .want = "root.ops"},
        {"dots", PRIMARY_NEW, .groups = "a.c", .want = "root.a_dot_c"},
        {"not a queue name", PRIMARY_NEW, .groups = "domain users", .reason = "invalid queue name"},
        {"a parent rule", RULES("  - {name: primarygroup, parent: {name: fixed, value: top}}\n"),
         .groups = "dev", .want = "root.top.dev"},
        {"as a parent rule",
         RULES("  - {name: user, create: true, parent: {name: primarygroup, create: true}}\n"),
         .groups = "ops", .want = "root.ops.ann"},
        {"a filter", RULES("  - {name: primarygroup, create: true, filter: {type: deny, groups: [ops]}}\n"),
         .groups = "dev,ops"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void secondary_group(void **state)
{
    (void)state;
#define SECONDARY(keys) RULES("  - {name: secondarygroup" keys "}\n")
    static const struct place_case cases[] = {
        {"no groups", SECONDARY(", create: true"), .want = NULL},
        {"only the primary one", SECONDARY(", create: true"), .groups = "dev"},
        {"the second, if it may be made", SECONDARY(", create: true"), .groups = "ann,ops,dev",
         .want = "root.ops"},
        {"the first that is there, if not", SECONDARY(""), .groups = "ann,ops,dev", .want = "root.dev"},
        {"none is there", SECONDARY(""), .groups = "ann,ops,ops2"},
        {"the primary one again does not count", SECONDARY(""), .groups = "dev,dev,leaf",
         .want = "root.leaf"},
        {"what is not a queue name is skipped", SECONDARY(", create: true"), .groups = "ann,a b,ops",
         .want = "root.ops"},
        {"an empty group is skipped", SECONDARY(", create: true"), .groups = "ann,,ops", .want = "root.ops"},
        {"dots", SECONDARY(""), .groups = "ann,A.b", .want = "root.a_dot_b"},
        {"allow keeps what matches", SECONDARY(", create: true, filter: {groups: ['^o']}"),
         .groups = "ann,dev,ops", .want = "root.ops"},
        {"a primary group that matches does not help", SECONDARY(", create: true, filter: {groups: ['^a']}"),
         .groups = "ann,dev,ops"},
        {"deny keeps what does not match",
         SECONDARY(", create: true, filter: {type: deny, groups: [dev, x]}"), .groups = "dev,x,ops",
         .want = "root.ops"},
        {"a list of users is for the rule", SECONDARY(", create: true, filter: {users: [ann]}"),
         .groups = "ann,ops", .want = "root.ops"},
        {"users do not let other groups in than those that are named",
         SECONDARY(", create: true, filter: {users: [ann], groups: [dev, x]}"), .groups = "ann,ops,dev",
         .want = "root.dev"},
        {"denied by name", SECONDARY(", create: true, filter: {type: deny, users: [ann], groups: [dev, x]}"),
         .groups = "ann,ops"},
        {"another one denied by name",
         SECONDARY(", create: true, filter: {type: deny, users: [bob, x], groups: [dev, x]}"),
         .groups = "ann,dev,ops", .want = "root.ops"},
        {"a list of other users", SECONDARY(", create: true, filter: {users: [bob]}"), .groups = "ann,ops"},
        {"deny without lists matches no user", SECONDARY(", create: true, filter: {type: deny}"),
         .groups = "ann,ops"},
        {"below a parent rule, the first that is there", SECONDARY(", parent: {name: fixed, value: top}"),
         .groups = "ann,leaf,dev", .want = "root.top.dev"},
        {"below a parent rule that does not match",
         SECONDARY(", create: true, parent: {name: tag, value: t}"), .groups = "ann,dev"},
        {"the parent rule fails", SECONDARY(", create: true, parent: {name: user}"), .user = "a b",
         .groups = "ann,dev", .reason = "invalid queue name: 'a b'"},
        {"without a candidate the parent rule is not asked",
         SECONDARY(", create: true, filter: {groups: [none]}, parent: {name: user}"), .user = "a b",
         .groups = "ann,dev"},
        {"S0: user below a secondary group",
         RULES("  - name: UserName\n    create: true\n    parent:\n      name: SecondaryGroupName\n"
               "      create: true\n      filter: {type: allow, groups: ['company.*']}\n"),
         .user = "user1", .groups = "user1,companyA", .want = "root.companya.user1"},
        {"S0: a fixed parent",
         RULES("  - {name: UserName, create: true, parent: {name: fixed, value: root.fixedparent, create: "
               "true}}\n"),
         .user = "user1", .want = "root.fixedparent.user1"},
        {"S0: other users only",
         RULES("  - {name: UserName, create: true, filter: {users: [user2, user3]}}\n"), .user = "user1"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void application_type(void **state)
{
    (void)state;
#define TYPE_NEW RULES("  - {name: applicationType, create: true}\n")
    static const struct place_case cases[] = {
        {"no type", TYPE_NEW, .want = NULL},
        {"its queue", RULES("  - name: applicationtype\n"), .tags = "application.type=dev",
         .want = "root.dev"},
        {"not there", RULES("  - name: applicationtype\n"), .tags = "application.type=spark"},
        {"made", TYPE_NEW, .tags = "application.type=Spark", .want = "root.spark"},
        {"a type is one name", TYPE_NEW, .tags = "application.type=root.x", .want = "root.root_dot_x"},
        {"not a queue name", TYPE_NEW, .tags = "application.type=a,b", .reason = "invalid queue name"},
        {"a parent and a filter",
         RULES("  - {name: applicationtype, create: true, filter: {users: [ann]}, parent: {name: user, "
               "create: true,"
               " parent: {name: fixed, value: par}}}\n"),
         .tags = "application.type=spark", .want = "root.par.ann.spark"},
    };
    check_places(cases, YK_COUNT(cases));
}

static void parents(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"the child rule's create flag is its own",
         RULES("  - {name: user, parent: {name: fixed, value: top}}\n"), .user = "bob"},
        {"the parent rule's create flag is its own",
         RULES("  - {name: user, create: true, parent: {name: tag, value: t}}\n"), .tags = "t=new"},
        {"a parent queue that is a leaf",
         RULES("  - {name: user, create: true, parent: {name: tag, value: t}}\n"), .tags = "t=leaf",
         .reason = "parent rule returned a leaf queue: 'root.leaf'"},
        {"the parent rule's own filter",
         RULES("  - {name: user, create: true, parent: {name: fixed, value: top, filter: {users: [bob]}}}\n"),
         .want = NULL},
        {"the child's name is checked first",
         RULES("  - {name: user, create: true, parent: {name: tag, value: t}}\n"), .user = "a b",
         .tags = "t=leaf", .reason = "invalid queue name: 'a b'"},
        {"three levels",
         RULES("  - {name: provided, create: true, parent: {name: user, create: true, parent: {name: tag, "
               "value: t, create: true}}}\n"),
         .queue = "Q.1", .tags = "t=x", .want = "root.x.ann.q_dot_1"},
        {"P12: a parent of exactly root",
         RULES("  - {name: user, create: true, parent: {name: fixed, value: root}}\n"),
         .want = "root.root.ann"},
        {"P12: in the middle, where it is a child",
         RULES("  - {name: user, create: true, parent: {name: provided, create: true, parent: {name: fixed, "
               "value: root}}}\n"),
         .queue = "q", .want = "root.root.q.ann"},
        {"no access is needed to what lies between",
         PLACE_CONFIG("  - {name: fixed, value: b, parent: {name: "
                      "fixed, value: a}}\n",
                      "    queues: [{name: a, queues: [{name: b, "
                      "submitacl: ann}]}]\n"),
         .want = "root.a.b"},
    };
    check_places(cases, YK_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(provided),        cmocka_unit_test(user),
        cmocka_unit_test(fixed),           cmocka_unit_test(tag),
        cmocka_unit_test(recovery),        cmocka_unit_test(primary_group),
        cmocka_unit_test(secondary_group), cmocka_unit_test(application_type),
        cmocka_unit_test(parents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
