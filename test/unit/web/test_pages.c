/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of a list comes: pages by key, filters, fields, summaries (1.7). */
#include "web/browser.h"
#include "web/selection.h"

#define P "/ws/v1/partition/default"

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, "
    "submitacl: '*', properties: {a: b}, queues: [{name: leaf}, {name: dyn, parent: true}]}]}]";

static void init(struct world *world)
{
    world_init(world, config);
    for (int i = 0; i < 6; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%d", i);
        world_node(world, id, i == 0 ? 1000 : 10, 1000);
        (void)snprintf(id, sizeof(id), "App-%d", 5 - i); /* in another order than by name */
        world_submit(world, id, i < 2 ? "root.leaf" : "root.dyn.x", i == 3 ? "bob" : "ann");
        world_advance(world, 1);
    }
    world_ask(world, "App-1", "k1", 100, 1);
    world_ask(world, "App-1", "k2", 100, 1);
    assert_int_equal(world_schedule(world), 2);
    world_ask(world, "App-2", "k3", 100000, 1);
}

static const char *id_of(const json_t *list, size_t at)
{
    const json_t *entry = json_array_get(list, at);
    const json_t *id = json_object_get(entry, "applicationID");
    return json_string_value(id != NULL ? id : json_object_get(entry, "nodeID"));
}

static void filters(void **state)
{
    (void)state;
    static const struct {
        const char *query, *ids; /* in their order */
    } cases[] = {
        {P "/applications/active", "App-5 App-4 App-3 App-2 App-1 App-0 "},
        {P "/applications/active?filter=pp-4", "App-4 "},
        {P "/applications/active?filter=APP-4", "App-4 "},
        {P "/applications/active?filter=user:bob", "App-2 "},
        {P "/applications/active?filter=user:bo", ""},
        {P "/applications/active?filter=queue:root.leaf", "App-5 App-4 "},
        {P "/applications/active?filter=queue:root.dyn", "App-3 App-2 App-1 App-0 "},
        {P "/applications/active?filter=queue:root.dy", ""},
        {P "/applications/active?filter=state:running", "App-1 "},
        {P "/applications/active?filter=node:node-0", "App-1 "},
        {P "/applications/active?filter=node:node-1", ""},
        {P "/applications/active?filter=node:none", ""},
        {P "/applications/active?filter=node:node-0&filter=node:node-1", ""},
        {P "/applications/active?filter=node:node-0&filter=node:NODE-0", "App-1 "},
        {P "/applications/rejected?filter=ba", "bad "},
        {P "/applications/rejected?filter=node:node-0", ""},
        {P "/applications/active?filter=queue:root.dyn&filter=user:bob", "App-2 "},
        {P "/applications/active?filter=", "App-5 App-4 App-3 App-2 App-1 App-0 "},
        {P "/applications/active?filter=nokey:x", ""},
        {P "/applications/active?filter=queue:root%00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
        {P "/applications/active?filter=App%00", ""},
        {P "/applications/active?filter=%00", ""},
        {P "/queue/root.leaf/applications?filter=5", "App-5 "},
        {P "/nodes?filter=node:NODE-3", "node-3 "},
        {P "/nodes?filter=e-4", "node-4 "},
        {P "/nodes?filter=user:ann", ""},
        {P "/nodes?filter=state:unschedulable", ""},
    };
    struct world world;
    init(&world);
    world_submit(&world, "bad", "root.leaf.x", "ann"); /* root.leaf has no queues below */
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf ids = {0};
        json_t *json = browse_json(&world, cases[i].query);
        for (size_t at = 0; at < json_array_size(json); at++)
            yk_buf_printf(&ids, "%s ", id_of(json, at));
        if (strcmp(yk_buf_cstr(&ids), cases[i].ids) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i].query, yk_buf_cstr(&ids), cases[i].ids);
        json_decref(json);
    }
    world_done(&world);
}

/* Names and filters that agree in all but the last letters. */
static void filters_that_nearly_match(void **state)
{
    (void)state;
    enum { APPS = 300, ID_LEN = 240, FILTER_LEN = 120 };
    YK_CLEANUP(yk_buf_done) struct yk_buf target = {0};
    struct world world;
    char id[ID_LEN + 8];
    world_init(&world, config);
    for (int i = 0; i < APPS; i++) {
        memset(id, 'a', ID_LEN);
        (void)snprintf(id + ID_LEN, 8, "%d", i);
        world_submit(&world, id, "root.leaf", "ann");
    }
    yk_buf_text(&target, P "/applications/active?");
    for (int i = 0; i < YK_FILTERS_MAX; i++) {
        yk_buf_text(&target, "filter=");
        for (int at = 0; at < FILTER_LEN; at++)
            yk_buf_char(&target, 'A');
        yk_buf_text(&target, i == YK_FILTERS_MAX - 1 ? "29&" : "&");
    }
    json_t *json = browse_json(&world, yk_buf_cstr(&target));
    assert_int_equal(json_array_size(json), 11); /* 29 and 290 to 299 */
    json_decref(json);
    yk_buf_text(&target, "filter=&"); /* an empty one is none */
    json = browse_json(&world, yk_buf_cstr(&target));
    assert_int_equal(json_array_size(json), 11);
    json_decref(json);
    yk_buf_text(&target, "filter=b");
    browse_error(&world, yk_buf_cstr(&target), 400, "At most 8 filters are allowed");
    world_done(&world);
}

/* By the header, page after page, and by the id of the last entry. */
static void pages_by_key(void **state)
{
    (void)state;
    static const char *const lists[] = {P "/applications/active", P "/nodes"};
    struct world world;
    init(&world);
    for (size_t l = 0; l < YK_COUNT(lists); l++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf after = {0};
        size_t seen = 0;
        for (int page = 0; page < 3; page++) {
            char target[256];
            (void)snprintf(target, sizeof(target), "%s?limit=2&after=%s", lists[l], yk_buf_cstr(&after));
            struct yk_answer answer = browse(&world, target, 200);
            assert_int_equal(answer.total_count, 6);
            assert_int_equal(answer.next_after.len > 0, page < 2);
            yk_buf_clear(&after);
            yk_buf_str(&after, yk_buf_view(&answer.next_after));
            yk_answer_done(&answer);
            json_t *json = browse_json(&world, target);
            assert_int_equal(json_array_size(json), 2);
            seen += json_array_size(json);
            json_decref(json);
        }
        assert_int_equal(seen, 6);
    }
    json_t *json = browse_json(&world, P "/applications/active?after=App-2");
    assert_int_equal(json_array_size(json), 2);
    assert_string_equal(id_of(json, 0), "App-1");
    json_decref(json);
    json = browse_json(&world, P "/nodes?after=node-3a"); /* sorted by name: where it would stand */
    assert_string_equal(id_of(json, 0), "node-4");
    json_decref(json);
    json = browse_json(&world, P "/nodes?after=node-1&offset=1&limit=1");
    assert_int_equal(json_array_size(json), 1);
    assert_string_equal(id_of(json, 0), "node-3");
    json_decref(json);
    world_done(&world);
}

/* An application that has gone since does not say where it stood; the header's key does. */
static void the_last_one_has_gone(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    struct yk_answer answer = browse(&world, P "/applications/active?limit=2", 200);
    YK_CLEANUP(yk_buf_done) struct yk_buf target = {0};
    yk_buf_printf(&target, P "/applications/active?after=%s", yk_buf_cstr(&answer.next_after));
    yk_answer_done(&answer);
    assert_int_equal(yk_core_remove_app(world.core, "rm", "App-4", NULL), YK_OK);
    browse_error(&world, P "/applications/active?after=App-4", 410,
                 "the entry that \"after\" names is gone: start again, or use X-Next-After");
    json_t *json = browse_json(&world, yk_buf_cstr(&target));
    assert_int_equal(json_array_size(json), 4);
    assert_string_equal(id_of(json, 0), "App-3");
    json_decref(json);
    world_done(&world);
}

static void fields(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, P "/applications/active?fields=user,applicationID,none");
    assert_int_equal(json_array_size(json), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(json_object_size(json_array_get(json, i)), 2);
    assert_string_equal(look_text(json, "3.user"), "bob");
    json_decref(json);
    json = browse_json(&world, P "/applications/active?fields=allocations&filter=App-1"); /* the last key */
    assert_int_equal(json_object_size(look(json, "0")), 1);
    assert_int_equal(json_array_size(look(json, "0.allocations")), 2);
    assert_non_null(look(json, "0.allocations.0.resource")); /* what is in it comes whole */
    json_decref(json);
    json = browse_json(&world, P "/applications/active?fields=none");
    assert_int_equal(json_array_size(json), 6);
    assert_int_equal(json_object_size(look(json, "0")), 0);
    json_decref(json);
    world_done(&world);
}

/* Also of an application whose asks are written in several slices. */
static void fields_in_slices(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    for (int i = 0; i < 600; i++) {
        char key[32];
        (void)snprintf(key, sizeof(key), "big-%d", i);
        world_ask(&world, "App-2", key, 100000, 1);
    }
    json_t *json = browse_slices(&world, P "/applications/active?fields=applicationID,user", NULL, NULL);
    assert_int_equal(json_array_size(json), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(json_object_size(json_array_get(json, i)), 2);
    json_decref(json);
    world_done(&world);
}

static void summaries(void **state)
{
    (void)state;
    struct world world;
    init(&world);
    json_t *json = browse_json(&world, P "/applications/active?view=summary&filter=App-1");
    assert_string_equal(look_text(json, "0.applicationState"), "Running");
    assert_non_null(look(json, "0.usedResource"));
    assert_null(look(json, "0.allocations"));
    assert_null(look(json, "0.stateLog"));
    json_decref(json);
    json = browse_json(&world, P "/applications/active?view=summary&filter=App-2");
    assert_null(look(json, "0.requests"));
    json_decref(json);
    json = browse_json(&world, P "/nodes?view=Summary");
    assert_non_null(look(json, "0.allocated"));
    assert_null(look(json, "0.allocations"));
    json_decref(json);
    json = browse_json(&world, P "/queues?view=summary");
    assert_null(look(json, "properties"));
    assert_int_equal(json_array_size(look(json, "children")), 2);
    json_decref(json);
    json = browse_json(&world, P "/queues");
    assert_non_null(look(json, "properties"));
    json_decref(json);
    browse_error(&world, P "/nodes?view=all", 400, "Only following views are allowed: summary");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters),      cmocka_unit_test(filters_that_nearly_match),
        cmocka_unit_test(pages_by_key), cmocka_unit_test(the_last_one_has_gone),
        cmocka_unit_test(fields),       cmocka_unit_test(fields_in_slices),
        cmocka_unit_test(summaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
