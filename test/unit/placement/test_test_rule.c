/* SPDX-License-Identifier: Apache-2.0 */
/* The rule `test`, which only test builds know (docs/reference/queues.md, P2). */
#include "placement/place.h"

#define RULES(rules) PLACE_CONFIG(rules, "    submitacl: '*'\n    queues: [{name: test, parent: true}]\n")

static void as_a_parent(void **state)
{
    (void)state;
    static const struct place_case cases[] = {
        {"without a queue", RULES("  - {name: user, create: true, parent: {name: Test}}\n"),
         .want = "root.test.ann"},
        {"with a queue, as one name", RULES("  - {name: user, create: true, parent: {name: test}}\n"),
         .queue = "root.a", .want = "root.root_dot_a.ann"},
        {"an illegal queue", RULES("  - {name: user, create: true, parent: {name: test}}\n"), .queue = "a b",
         .reason = "invalid queue name: 'a b'"},
        {"not by itself", RULES("  - {name: test, create: true}\n"), .want = NULL},
    };
    check_places(cases, YK_COUNT(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_parent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
