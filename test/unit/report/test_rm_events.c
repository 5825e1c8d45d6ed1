/* SPDX-License-Identifier: Apache-2.0 */
/* What a resource manager hears of its asks and nodes: scheduling.md 1.7 and 8 (REQUEST events, the
 * store). */
#include "lib/amounts.h"
#include "lib/core_world.h"
#include "report/rm_events.h"

static const char config[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
    "    - {name: a, resources: {max: {vcore: 2}}}\n"
    "    - {name: u}\n"
    "    - {name: l, limits: [{limit: '', users: [joe], maxresources: {vcore: 1}}]}\n";

struct heard {
    size_t pushes, count, handles;
    int type, change;
    char object[64], reference[64], handle[64], message[1100];
    struct yk_si_message_parts parts;
    const char *words; /* what the pod of an ask says; NULL: nothing */
};

static void on_events(void *rm, const struct yk_si_event *events, size_t count)
{
    struct heard *heard = rm;
    heard->pushes++;
    heard->count += count;
    for (size_t i = 0; i < count; i++) {
        heard->type = events[i].type;
        heard->change = events[i].change;
        (void)snprintf(heard->object, sizeof(heard->object), "%s", events[i].object_id);
        (void)snprintf(heard->reference, sizeof(heard->reference), "%s", events[i].reference_id);
        (void)snprintf(heard->message, sizeof(heard->message), "%s", events[i].message);
        heard->parts = events[i].parts;
        (void)snprintf(heard->handle, sizeof(heard->handle), "%s",
                       events[i].handle != NULL ? events[i].handle : "-");
        assert_true(events[i].wall_ns > 0);
    }
}

static void ask_handle(void *rm, void *ask_cookie, struct yk_buf *handle)
{
    ((struct heard *)rm)->handles++;
    assert_null(ask_cookie);
    yk_buf_text(handle, "its pod");
}

/* Class 1 fits nowhere. */
static bool class_fits(void *rm, yk_si_class class_, void *node_cookie)
{
    (void)rm, (void)node_cookie;
    return class_ != 1;
}

static void add_wait_reason(void *rm, void *ask_cookie, struct yk_buf *words)
{
    const char *text = ((const struct heard *)rm)->words;
    (void)ask_cookie;
    yk_buf_text(words, text != NULL ? text : "");
}

/* In the place of the world's own ears, with what else is set by hand. */
static void listen(struct world *world, struct heard *heard, const struct yk_si_tag *tags, size_t count)
{
    static const struct yk_si_callbacks ears = {.events = on_events,
                                                .ask_handle = ask_handle,
                                                .class_fits = class_fits,
                                                .add_wait_reason = add_wait_reason};
    struct yk_err err = {0};
    const struct yk_si_register request = {
        .rm_id = "rm", .config = yk_str_from(config), .extra_config = tags, .extra_count = count};
    assert_int_equal(yk_core_register(world->core, &request, &ears, heard, &err), YK_OK);
}

static void start(struct world *world, struct heard *heard)
{
    *heard = (struct heard){0};
    world_init(world, config);
    listen(world, heard, NULL, 0);
    world_node(world, "m", 8000, 1024);
    world_node(world, "n", 8000, 1024);
    world_submit(world, "app", "root.a", "ann");
    world_submit(world, "q", "root.l", "joe");
    world_advance(world, 2);
    assert_int_equal(heard->count, 2); /* the nodes */
    assert_int_equal(heard->type, YK_EVENT_NODE);
    assert_int_equal(heard->change, YK_EVENT_ADD);
    assert_string_equal(heard->object, "n");
    assert_string_equal(heard->handle, "-");
}

/* Of an ask that no node takes the event says what its pod says, once that has words. */
static void no_node_in_the_words_of_the_pod(void **state)
{
    (void)state;
    struct world world;
    struct heard heard;
    start(&world, &heard);
    heard.words = "0/1 nodes are available: 1 Insufficient memory.";
    world_ask(&world, "app", "wide", 10, 1500);
    (void)world_schedule(&world);
    world_advance(&world, 2);
    assert_string_equal(heard.message,
                        "Unschedulable request 'wide': 0/1 nodes are available: 1 Insufficient memory.");
    world_done(&world);
}

/* 8.3, REQUEST: each sentence reaches who owns the ask, once per flip, two seconds after the first. */
static void owners_hear_what_their_asks_wait_for(void **state)
{
    (void)state;
    static const struct {
        const char *what, *app, *key;
        int64_t vcore, memory;
        const char *want, *want_again; /* NULL: no second one when something ends */
    } cases[] = {
        {"queue", "app", "big", 2000, 1, "does not fit in queue 'root.a'", "has become schedulable in queue"},
        {"user", "q", "over", 1000, 1, "exceeds the available user quota",
         "fits in the available user quota"},
        {"no node", "app", "wide", 10, 1500, "Unschedulable request 'wide'", NULL},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct heard heard;
        start(&world, &heard);
        world_ask(&world, cases[i].app, "first", 1000, 1);
        (void)world_schedule(&world);
        world_ask(&world, cases[i].app, cases[i].key, cases[i].vcore, cases[i].memory);
        (void)world_schedule(&world);
        (void)world_schedule(&world);
        assert_int_equal(heard.pushes, 1); /* not yet */
        world_advance(&world, 2);
        if (heard.count != 3 || strstr(heard.message, cases[i].want) == NULL)
            fail_msg("%s: %zu events, '%s'", cases[i].what, heard.count, heard.message);
        assert_memory_equal(heard.message + heard.parts.key, cases[i].key, strlen(cases[i].key));
        assert_int_equal(heard.parts.amounts > 0, strstr(heard.message, "(requested ") != NULL);
        assert_memory_equal(heard.message + heard.parts.amounts,
                            heard.parts.amounts > 0 ? " (requested " : heard.message, 12);
        assert_int_equal(heard.pushes, 2);
        assert_int_equal(heard.type, YK_EVENT_REQUEST);
        assert_string_equal(heard.object, cases[i].key);
        assert_string_equal(heard.reference, cases[i].app);
        assert_string_equal(heard.handle, "its pod");
        if (cases[i].want_again != NULL) {
            world_release(&world, cases[i].app, "first", YK_SI_STOPPED_BY_RM);
            (void)world_schedule(&world);
            world_advance(&world, 2);
            if (heard.count != 4 || strstr(heard.message, cases[i].want_again) == NULL)
                fail_msg("%s again: %zu events, '%s'", cases[i].what, heard.count, heard.message);
        }
        world_done(&world);
    }
}

/* A message that is cut has no parts but those that are left. */
static void parts_of_a_cut_message(void **state)
{
    (void)state;
    enum { WORDS = 2 * YK_EVENT_MESSAGE_MAX };
    static const struct {
        struct yk_si_message_parts given, want;
    } cases[] = {
        {{9, 20}, {9, 20}},
        {{0, 0}, {0, 0}},
        {{YK_EVENT_MESSAGE_MAX - 5, 20}, {YK_EVENT_MESSAGE_MAX - 5, 20}},
        {{YK_EVENT_MESSAGE_MAX - 4, 20}, {0, 20}},
        {{9, YK_EVENT_MESSAGE_MAX - YK_EVENT_DOTS_LEN}, {9, YK_EVENT_MESSAGE_MAX - YK_EVENT_DOTS_LEN}},
        {{9, YK_EVENT_MESSAGE_MAX}, {9, 0}},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct heard heard;
        char words[WORDS];
        start(&world, &heard);
        memset(words, 'w', sizeof(words));
        YK_EVENT(event);
        event.type = YK_EVENT_REQUEST, event.change = YK_EVENT_NONE, event.detail = YK_EVENT_NO_DETAIL;
        event.wall_ns = 1;
        event.object_id = YK_STR("id"), event.reference_id = YK_STR("app");
        event.message = (struct yk_str){words, sizeof(words)};
        yk_rm_events_add(yk_core_find_rm(world.core, "rm"), &event, NULL, cases[i].given);
        world_advance(&world, 2);
        assert_int_equal(strlen(heard.message), YK_EVENT_MESSAGE_MAX);
        if (heard.parts.key != cases[i].want.key || heard.parts.amounts != cases[i].want.amounts)
            fail_msg("%zu: %zu %zu", i, heard.parts.key, heard.parts.amounts);
        world_done(&world);
    }
}

/* 3.7: what is wrong with the only node that an ask may run on. Autoscalers get no signal. */
static void owners_hear_what_is_wrong_with_their_node(void **state)
{
    (void)state;
    static const struct {
        const char *what, *node;
        int64_t vcore;
        yk_si_class class_;
        const char *want;
    } cases[] = {
        {"unknown node", "z", 10, YK_SI_CLASS_ANY, "Unschedulable request 'd': its node 'z' is not there"},
        {"small node", "n", 9000, YK_SI_CLASS_ANY,
         "Unschedulable request 'd': its node 'n' is too small for it"},
        {"constraints", "n", 10, 1,
         "Unschedulable request 'd': its node 'n' refuses it, as it is or for what runs there"},
        {"no pod to preempt", "n", 8000, YK_SI_CLASS_ANY,
         "Unschedulable request 'd': its node 'n' has no room, and nothing there can be preempted"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct heard heard;
        start(&world, &heard);
        struct yk_resvec size = world_size(1000, 1);
        struct yk_si_allocation foreign = {.key = "f", .resource = &size, .node_id = "n", .foreign = true};
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &foreign), YK_OK);
        set_amounts(&size, world_size(cases[i].vcore, 1));
        struct yk_si_allocation ask = {.key = "d",
                                       .application_id = "unlimited",
                                       .resource = &size,
                                       .required_node = cases[i].node,
                                       .scheduling_class = cases[i].class_};
        world_submit(&world, "unlimited", "root.u", "ann");
        assert_int_equal(yk_core_update_allocation(world.core, "rm", &ask), YK_OK);
        (void)world_schedule(&world);
        world_advance(&world, 3);
        (void)world_schedule(&world);
        world_advance(&world, 3);
        if (strcmp(heard.message, cases[i].want) != 0)
            fail_msg("%s: '%s'", cases[i].what, heard.message);
        assert_string_equal(heard.object, "d");
        world_done(&world);
    }
}

/* 8.1: between two hand-overs only so many are kept; the others are counted. */
static void the_store_is_bounded(void **state)
{
    (void)state;
    struct world world;
    struct heard heard = {0};
    const struct yk_si_tag three = {"event.requestCapacity", "3"};
    world_init(&world, config);
    listen(&world, &heard, &three, 1);
    for (int i = 0; i < 10; i++) {
        char id[8];
        (void)snprintf(id, sizeof(id), "n%d", i);
        world_node(&world, id, 1000, 1024);
    }
    world_advance(&world, 2);
    const struct yk_events *events = &world.core->events;
    assert_int_equal(heard.count, 3);
    assert_string_equal(heard.object, "n2"); /* the first ones are kept */
    assert_int_equal(events->stored, 3);
    assert_int_equal(events->not_stored, 7);
    assert_int_equal(events->collected, 3);
    world_node(&world, "late", 1000, 1024); /* there is room again */
    world_advance(&world, 2);
    assert_int_equal(heard.count, 4);
    world_done(&world);
}

/* 8.1, C note: nothing is stored, named or timed for a manager that does not listen, or while event
 * tracking is off. */
static void nothing_for_who_does_not_listen(void **state)
{
    (void)state;
    struct world world;
    struct heard heard;
    start(&world, &heard);
    struct yk_rm *rm = yk_core_first_rm(world.core);
    world.core->events.on = false;
    world_ask(&world, "app", "big", 9000, 1);
    (void)world_schedule(&world);
    world_node(&world, "l", 1000, 1024);
    assert_int_equal(heard.handles, 0);
    assert_int_equal(rm->events.count, 0);
    assert_false(yk_timer_armed(&rm->events.push)); /* no beat */

    world.core->events.on = true;
    rm->callbacks.events = NULL;
    world_node(&world, "o", 1000, 1024);
    assert_int_equal(rm->events.count, 0);
    assert_int_equal(world.core->events.stored, 2); /* the first nodes */
    world_done(&world);
}

/* 1.6: events that the old manager has not received yet are dropped. */
static void registering_again_forgets(void **state)
{
    (void)state;
    struct world world;
    struct heard old = {0}, new_ = {0};
    world_init(&world, config);
    listen(&world, &old, NULL, 0);
    world_node(&world, "n", 1000, 1024);
    listen(&world, &new_, NULL, 0);
    world_advance(&world, 2);
    assert_int_equal(old.count, 0);
    assert_int_equal(new_.count, 0);
    world_node(&world, "n", 1000, 1024);
    world_node_action(&world, "n", YK_SI_NODE_DECOMMISSION);
    world_advance(&world, 2);
    assert_int_equal(new_.count, 2);
    assert_string_equal(new_.message, "Node removed from the scheduler");
    world_done(&world);
}

/* 8.1: a message is cut to 1,024 bytes. */
static void long_messages_are_cut(void **state)
{
    (void)state;
    struct world world;
    struct heard heard;
    start(&world, &heard);
    char text[3000];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    const struct yk_event event = {
        .type = YK_EVENT_NODE, .wall_ns = 1, .object_id = YK_STR("n"), .message = yk_str_from(text)};
    yk_rm_events_add(yk_core_first_rm(world.core), &event, NULL, (struct yk_si_message_parts){0});
    world_advance(&world, 2);
    assert_int_equal(strlen(heard.message), 1024);
    assert_string_equal(heard.message + 1020, "x...");
    world_done(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_node_in_the_words_of_the_pod),
        cmocka_unit_test(owners_hear_what_their_asks_wait_for),
        cmocka_unit_test(parts_of_a_cut_message),
        cmocka_unit_test(owners_hear_what_is_wrong_with_their_node),
        cmocka_unit_test(the_store_is_bounded),
        cmocka_unit_test(nothing_for_who_does_not_listen),
        cmocka_unit_test(registering_again_forgets),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
