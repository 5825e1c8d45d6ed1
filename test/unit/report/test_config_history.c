/* SPDX-License-Identifier: Apache-2.0 */
/* What was done with queue configurations: what is noted, and that it is bounded. */
#include "lib/core_world.h"
#include "report/config_history.h"

static const char first[] = "partitions:\n"
                            "  - name: default\n"
                            "    queues:\n"
                            "      - name: root # secret\n"
                            "        queues: [{name: a}, {name: b}]\n";
static const char second[] = "partitions:\n"
                             "  - name: default\n"
                             "    queues:\n"
                             "      - name: root\n"
                             "        queues: [{name: a, maxapplications: 5}, {name: c}]\n";

static const struct yk_rm *rm_of(const struct world *world)
{
    return yk_core_first_rm(world->core);
}

static void each_change_is_noted(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, first);
    const struct yk_config_entry *entry = yk_config_history_at(rm_of(&world), 0);
    assert_int_equal(yk_config_history_total(rm_of(&world)), 1);
    assert_int_equal(entry->id, 1);
    assert_true(entry->is_applied);
    assert_string_equal(yk_config_entry_trigger(entry), "start");
    assert_int_equal(entry->wall_ns, 1700000000 * YK_NS_PER_S);
    assert_string_equal(entry->checksum, rm_of(&world)->config->checksum);
    assert_string_equal(entry->summary, "queues added: 3, partitions added: 1");
    assert_null(entry->changes); /* there was nothing to compare it with */
    assert_null(entry->error);
    assert_non_null(strstr(entry->text, "name: root\n        queues:")); /* without the comment */
    assert_int_equal(strlen(entry->text), entry->text_bytes);

    world_advance(&world, 7);
    assert_null(world_reload(&world, second));
    assert_null(world_reload(&world, second)); /* the same: nothing is done, nothing is noted */
    assert_int_equal(yk_config_history_total(rm_of(&world)), 2);
    entry = yk_config_history_at(rm_of(&world), 0);
    assert_int_equal(entry->wall_ns, 1700000007 * YK_NS_PER_S);
    assert_string_equal(yk_config_entry_trigger(entry), "reload");
    assert_string_equal(entry->summary, "queues added: 1, queues changed: 1, queues draining: 1");
    assert_int_equal(entry->change_count, 3);
    assert_string_equal(entry->changes, "- queue root.b\n"
                                        "~ queue root.a: maxapplications none -> 5\n"
                                        "+ queue root.c\n");
    assert_string_equal(entry->text, second);
    assert_ptr_equal(yk_config_history_find(rm_of(&world), 2), entry);
    assert_ptr_equal(yk_config_history_at(rm_of(&world), 1), yk_config_history_find(rm_of(&world), 1));
    assert_null(yk_config_history_at(rm_of(&world), 2));
    assert_null(yk_config_history_find(rm_of(&world), 0));
    assert_null(yk_config_history_find(rm_of(&world), 3));
    world_done(&world);
}

static void a_refused_one_is_noted(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *error; /* part of it */
        bool is_compared;
    } cases[] = {
        {"not YAML", "\tpartitions: # secret\n", "line 1", false},
        {"a name that is markup",
         "partitions: [{name: default, queues: [{name: root, queues: [{name: '<b>x'}]}]}]", "<b>x", false},
        {"a control character",
         "partitions: [{name: default, queues: [{name: root, queues: [{name: \"a\\e[31m\"}]}]}]", "a", false},
        {"what is found when it would become active",
         "partitions: [{name: default, placementrules: [{name: tag, create: true}], queues: [{name: root}]}]",
         "tag", true},
    };
    struct world world;
    world_init(&world, first);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        const char *why = world_reload(&world, cases[i].text);
        const struct yk_config_entry *entry = yk_config_history_at(rm_of(&world), 0);
        assert_non_null(why);
        assert_int_equal(entry->id, 2 + i);
        assert_false(entry->is_applied);
        assert_null(entry->summary);
        assert_string_equal(entry->error, why);
        if (strstr(entry->error, cases[i].error) == NULL)
            fail_msg("%s: %s", cases[i].what, entry->error);
        for (const char *at = entry->error; *at != '\0'; at++)
            assert_true((unsigned char)*at >= ' ');
        if ((entry->changes != NULL) != cases[i].is_compared)
            fail_msg("%s: is compared or not", cases[i].what);
        assert_null(strstr(entry->text, "secret"));
        assert_int_equal(strlen(entry->checksum), YK_CONFIG_CHECKSUM_LEN);
        assert_string_not_equal(entry->checksum, rm_of(&world)->config->checksum);
    }
    world_done(&world);
}

static void what_the_manager_refuses_is_noted(void **state)
{
    (void)state;
    struct world world;
    struct yk_err err = {0};
    struct yk_si_register request = {.rm_id = "rm",
                                     .config = YK_STR("# secret\nx"),
                                     .source = "the drawer",
                                     .refusal = "kubernetes.qps: 'many' is not a number"};
    world_init(&world, first);
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_ERR_INVALID);
    assert_string_equal(err.text, "kubernetes.qps: 'many' is not a number");
    const struct yk_config_entry *entry = yk_config_history_at(rm_of(&world), 0);
    assert_false(entry->is_applied);
    assert_string_equal(entry->source, "the drawer");
    assert_string_equal(entry->error, "kubernetes.qps: 'many' is not a number");
    assert_string_equal(entry->text, "\nx");
    request.rm_id = "stranger";
    assert_int_equal(yk_core_update_config(world.core, &request, &err), YK_ERR_NOT_FOUND);
    assert_int_equal(yk_config_history_total(rm_of(&world)), 2);
    world_done(&world);
}

static void the_built_in_configuration_has_its_own_checksum(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, first);
    assert_null(world_reload(&world, " \n"));
    const struct yk_config_entry *entry = yk_config_history_at(rm_of(&world), 0);
    assert_string_equal(entry->checksum, rm_of(&world)->config->checksum);
    assert_string_equal(entry->text, " \n");
    world_done(&world);
}

/* A configuration that is `bytes` long, with that maximum of applications. */
static void make_config(struct yk_buf *text, size_t bytes, int number)
{
    yk_buf_clear(text);
    yk_buf_printf(
        text,
        "partitions: [{name: default, queues: [{name: root, queues: [{name: a, maxapplications: %d, "
        "properties: {x: '",
        number);
    while (text->len + 5 + 6 < bytes)
        yk_buf_char(text, 'y');
    yk_buf_text(text, "'}}]}]}]\n\n\n");
}

static size_t all_bytes(const struct yk_rm *rm)
{
    size_t bytes = 0;
    for (uint64_t age = 0; age < yk_config_history_kept(rm); age++) {
        const struct yk_config_entry *entry = yk_config_history_at(rm, age);
        const char *const texts[] = {entry->source, entry->error, entry->summary, entry->changes,
                                     entry->text};
        for (size_t i = 0; i < YK_COUNT(texts); i++)
            bytes += texts[i] != NULL ? strlen(texts[i]) + 1 : 0;
    }
    return bytes;
}

/* Every third is refused. The last ones have no place for all of their texts. */
static void a_thousand_reloads_are_bounded(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct world world;
    world_init(&world, first);
    for (int i = 2; i <= 1000; i++) {
        make_config(&text, i < 900 ? 200 : 60 << 10, i);
        if (i % 3 == 0)
            yk_buf_text(&text, "unknown: 1\n");
        assert_int_equal(world_reload(&world, yk_buf_cstr(&text)) != NULL, i % 3 == 0);
        assert_true(all_bytes(rm_of(&world)) <=
                    YK_CONFIG_HISTORY_TEXT_MAX + (size_t)YK_CONFIG_HISTORY_MAX *
                                                     (YK_CONFIG_HISTORY_CHANGES_MAX + 2 * YK_ERR_TEXT_MAX));
    }
    assert_int_equal(yk_config_history_total(rm_of(&world)), 1000);
    assert_int_equal(yk_config_history_kept(rm_of(&world)), YK_CONFIG_HISTORY_MAX);
    assert_null(yk_config_history_find(rm_of(&world), 1000 - YK_CONFIG_HISTORY_MAX));
    assert_int_equal(yk_config_history_at(rm_of(&world), YK_CONFIG_HISTORY_MAX - 1)->id,
                     1001 - YK_CONFIG_HISTORY_MAX);
    world_done(&world);
}

static size_t texts_bytes(const struct yk_rm *rm)
{
    size_t bytes = 0;
    for (uint64_t age = 0; age < yk_config_history_kept(rm); age++)
        bytes += yk_config_history_at(rm, age)->text_bytes;
    return bytes;
}

/* Two writers put their texts in turn. */
static void a_refusal_that_repeats_is_one_entry(void **state)
{
    (void)state;
    static const char *const bad[] = {"partitions: 1\n", "partitions: 2\n"};
    struct world world;
    world_init(&world, first);
    for (int i = 0; i < 1000; i++) {
        world_advance(&world, 1);
        assert_non_null(world_reload(&world, bad[i % 2]));
    }
    const struct yk_config_entry *entry = yk_config_history_at(rm_of(&world), 0);
    assert_int_equal(yk_config_history_kept(rm_of(&world)), 3);
    assert_int_equal(yk_config_history_total(rm_of(&world)), 3);
    assert_int_equal(entry->id, 3);
    assert_int_equal(entry->repeated, 499);
    assert_int_equal(entry->wall_ns, 1700001000 * YK_NS_PER_S);
    assert_string_equal(entry->text, bad[1]);
    assert_int_equal(yk_config_history_at(rm_of(&world), 1)->repeated, 499);

    assert_non_null(world_reload(&world, bad[0])); /* the older one is the newest again */
    entry = yk_config_history_at(rm_of(&world), 0);
    assert_int_equal(entry->id, 2);
    assert_int_equal(entry->repeated, 500);
    assert_ptr_equal(yk_config_history_find(rm_of(&world), 2), entry);

    assert_null(world_reload(&world, second)); /* from here on it is compared with another one */
    assert_non_null(world_reload(&world, bad[0]));
    assert_int_equal(yk_config_history_at(rm_of(&world), 0)->id, 5);
    assert_int_equal(yk_config_history_at(rm_of(&world), 0)->repeated, 0);
    world_done(&world);
}

/* The manager refuses the same text for another setting: another reason, another entry. */
static void another_reason_is_another_entry(void **state)
{
    (void)state;
    struct world world;
    struct yk_si_register request = {.rm_id = "rm", .config = YK_STR("partitions: 1\n"), .refusal = "one"};
    world_init(&world, first);
    assert_int_equal(yk_core_update_config(world.core, &request, NULL), YK_ERR_INVALID);
    request.refusal = "two";
    assert_int_equal(yk_core_update_config(world.core, &request, NULL), YK_ERR_INVALID);
    request.source = "again";
    assert_int_equal(yk_core_update_config(world.core, &request, NULL), YK_ERR_INVALID);
    assert_int_equal(yk_config_history_total(rm_of(&world)), 3);
    assert_int_equal(yk_config_history_at(rm_of(&world), 0)->repeated, 1);
    assert_string_equal(yk_config_history_at(rm_of(&world), 0)->source, "again");
    assert_int_equal(yk_config_history_at(rm_of(&world), 1)->repeated, 0);
    world_done(&world);
}

/* A thousand texts that differ, large enough that the texts do not fit either. */
static void refusals_leave_what_was_applied(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct world world;
    world_init(&world, first);
    for (int i = 2; i <= 10; i++) {
        make_config(&text, 200, i);
        assert_null(world_reload(&world, yk_buf_cstr(&text)));
    }
    for (int i = 11; i <= 1000; i++) {
        make_config(&text, 60 << 10, i);
        yk_buf_text(&text, "unknown: 1\n");
        assert_non_null(world_reload(&world, yk_buf_cstr(&text)));
        assert_true(texts_bytes(rm_of(&world)) <= YK_CONFIG_HISTORY_TEXT_MAX);
    }
    assert_int_equal(yk_config_history_kept(rm_of(&world)), YK_CONFIG_HISTORY_MAX);
    const struct yk_config_entry *entry = yk_config_history_find(rm_of(&world), 10);
    assert_ptr_equal(yk_config_history_at(rm_of(&world), 40), entry);
    assert_non_null(entry->text); /* in force */
    assert_non_null(yk_config_history_find(rm_of(&world), 1));
    assert_null(yk_config_history_find(rm_of(&world), 1)->text); /* older, and there was no space */
    assert_int_equal(yk_config_history_at(rm_of(&world), 39)->id, 961);
    assert_non_null(yk_config_history_at(rm_of(&world), 0)->text);

    for (int i = 0; i < 100; i++) { /* refused ones end as well */
        make_config(&text, 200, i + 2000);
        assert_null(world_reload(&world, yk_buf_cstr(&text)));
    }
    assert_int_equal(yk_config_history_at(rm_of(&world), YK_CONFIG_HISTORY_MAX - 1)->id, 1051);
    world_done(&world);
}

/* The newest texts that fit, and the entries without theirs. */
static void large_texts_go_first(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct world world;
    world_init(&world, first);
    for (int i = 2; i <= 4; i++) {
        make_config(&text, 60 << 10, i);
        while (text.len < 1 << 20) /* blanks count */
            yk_buf_text(&text, "                                                              \n");
        text.len = 1 << 20;
        text.p[text.len] = '\0';
        assert_null(world_reload(&world, yk_buf_cstr(&text)));
    }
    assert_non_null(yk_config_history_at(rm_of(&world), 0)->text);
    assert_int_equal(yk_config_history_at(rm_of(&world), 1)->text_bytes, 1 << 20);
    assert_null(yk_config_history_at(rm_of(&world), 2)->text);
    assert_int_equal(yk_config_history_at(rm_of(&world), 2)->text_bytes, 0);
    assert_null(yk_config_history_at(rm_of(&world), 3)->text);
    assert_string_equal(yk_config_history_at(rm_of(&world), 3)->summary,
                        "queues added: 3, partitions added: 1");
    while (text.len <= YK_CONFIG_HISTORY_TEXT_MAX) /* never kept, and costs the others nothing */
        yk_buf_text(&text, "                                                              \n");
    assert_null(world_reload(&world, yk_buf_cstr(&text)));
    assert_null(yk_config_history_at(rm_of(&world), 0)->text);
    assert_non_null(yk_config_history_at(rm_of(&world), 1)->text);
    world_done(&world);
}

/* The first lines, whole; of one that is too long as much as fits, and no half character. */
static void lines_are_cut(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct world world;
    world_init(&world, first);
    yk_buf_text(&text, "partitions: [{name: default, queues: [{name: root, queues: [{name: a}, {name: b}");
    for (int i = 0; i < 1000; i++)
        yk_buf_printf(&text, ", {name: queue-%d}", i);
    yk_buf_text(&text, "]}]}]");
    assert_null(world_reload(&world, yk_buf_cstr(&text)));
    const struct yk_config_entry *entry = yk_config_history_at(rm_of(&world), 0);
    size_t len = strlen(entry->changes);
    assert_int_equal(entry->change_count, 1000);
    assert_true(len <= YK_CONFIG_HISTORY_CHANGES_MAX && len > YK_CONFIG_HISTORY_CHANGES_MAX - 100);
    assert_int_equal(entry->changes[len - 1], '\n');

    world_done(&world);
    world_init(&world, first);
    yk_buf_clear(&text);
    yk_buf_text(&text, "partitions: [{name: default, queues: [{name: root, properties: {x: '");
    for (int i = 0; i < 8000; i++)
        yk_buf_text(&text, "\xE2\x82\xAC");
    yk_buf_text(&text, "'}, queues: [{name: a}, {name: b}]}]}]");
    assert_null(world_reload(&world, yk_buf_cstr(&text)));
    entry = yk_config_history_at(rm_of(&world), 0);
    len = strlen(entry->changes);
    assert_int_equal(entry->change_count, 1);
    assert_true(len <= YK_CONFIG_HISTORY_CHANGES_MAX && len > YK_CONFIG_HISTORY_CHANGES_MAX - 4);
    assert_string_equal(entry->changes + len - 3, "\xE2\x82\xAC");
    world_done(&world);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_is_noted),
        cmocka_unit_test(a_refused_one_is_noted),
        cmocka_unit_test(what_the_manager_refuses_is_noted),
        cmocka_unit_test(the_built_in_configuration_has_its_own_checksum),
        cmocka_unit_test(a_thousand_reloads_are_bounded),
        cmocka_unit_test(a_refusal_that_repeats_is_one_entry),
        cmocka_unit_test(another_reason_is_another_entry),
        cmocka_unit_test(refusals_leave_what_was_applied),
        cmocka_unit_test(large_texts_go_first),
        cmocka_unit_test(lines_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
