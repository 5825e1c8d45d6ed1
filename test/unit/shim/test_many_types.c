/* SPDX-License-Identifier: Apache-2.0 */
/* A table of resource types that fills: the log and an Event say so long before a name is refused (queues.md
 * C7). */
#include "shim/world.h"

#include "lib/cmocka_headers.h"

/* Adds `count` types, which `amounts` holds. */
static void add_types(struct yk_resvec *amounts, const char *prefix, int count)
{
    char name[64];
    for (int i = 0; i < count; i++) {
        int type = 0;
        (void)snprintf(name, sizeof(name), "%s.example/%d", prefix, i);
        assert_int_equal(yk_restype_add(yk_str_from(name), &type, NULL), YK_OK);
        yk_resvec_put(amounts, type, 1);
    }
}

/* Answers all Events; how many of them warn of the table. */
static size_t warnings(struct world *world)
{
    size_t count = 0;
    pass(world, 2 * YK_NS_PER_S);
    for (struct yk_op *op; (op = fake_api_find(&world->api, YK_OP_CREATE_EVENT, NULL)) != NULL;) {
        const char *body = yk_buf_cstr(&op->body);
        if (strstr(body, "ManyResourceTypes") != NULL) {
            assert_non_null(strstr(body, "\"type\":\"Warning\""));
            assert_non_null(strstr(body, "ConfigMap"));
            assert_non_null(strstr(body, "beyond 4096, further ones are left out"));
            count++;
        }
        assert_true(fake_api_answer(&world->api, YK_OP_CREATE_EVENT, NULL, YK_OP_OK, 201, NULL));
        work(world);
    }
    return count;
}

static void a_table_that_is_half_full_is_reported_once(void **state)
{
    struct world *world = *state;
    YK_RESVEC(few);
    YK_RESVEC(half);
    running_with(world, "event.requestEventsLimit", "1");
    add_types(&few, "few", 1000);
    assert_int_equal(warnings(world), 0);
    add_types(&half, "half", YK_RESTYPE_MAX / 2 - 1000);
    assert_int_equal(warnings(world), 1);
    add_types(&half, "more", 100);
    assert_int_equal(warnings(world), 0);
    yk_resvec_clear(&half);
    yk_restype_give_back();
    add_types(&few, "other", 1);
    assert_int_equal(warnings(world), 0);
    pass(world, 3600 * YK_NS_PER_S); /* an Event of the same words is not repeated at once */
    add_types(&half, "again", YK_RESTYPE_MAX / 2);
    assert_int_equal(warnings(world), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_table_that_is_half_full_is_reported_once, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("bind/many_types", tests, NULL, NULL);
}
