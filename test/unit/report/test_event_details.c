/* SPDX-License-Identifier: Apache-2.0 */
/* Events of scheduling.md 8 that need gangs, running limits or a configuration: one case per detail. */
#include "lib/core_world.h"

#define HEAD                                                                                                 \
    "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"                     \
    "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
static const char config[] = HEAD "    - {name: q}\n    - {name: one, maxapplications: 1}\n    - {name: l, "
                                  "limits: [{limit: '', users: [joe], maxapplications: 1}]}\n"
                                  "    - {name: gone}\n";
static const char less[] = HEAD "    - {name: q}\n    - {name: one, maxapplications: 1}\n    - {name: l, "
                                "limits: [{limit: '', users: [joe], maxapplications: 1}]}\n";

static void gang_ask(struct world *world, const char *key, int64_t vcore, bool is_placeholder)
{
    struct yk_resvec size = world_size(vcore, 10);
    const struct yk_si_allocation ask = {.key = key,
                                         .application_id = "gang",
                                         .resource = &size,
                                         .task_group = "tg",
                                         .placeholder = is_placeholder,
                                         .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

/* One placeholder stands, another one is too large for the cluster. */
static void begin_gang(struct world *world, enum yk_si_gang_style style)
{
    struct yk_resvec total = world_size(100000, 20);
    const struct yk_si_new_app app = {.application_id = "gang",
                                      .queue = "root.q",
                                      .ugi = {.user = "joe"},
                                      .placeholder_ask = &total,
                                      .gang_style = style,
                                      .placeholder_timeout_ns = 60 * YK_NS_PER_S};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
    gang_ask(world, "p0", 1000, true);
    gang_ask(world, "p1", 90000, true);
    assert_int_equal(world_schedule(world), 1);
}

static void soft_time_out(struct world *world)
{
    begin_gang(world, YK_SI_GANG_SOFT);
    world_advance(world, 60);
}
static void hard_time_out(struct world *world)
{
    begin_gang(world, YK_SI_GANG_HARD);
    world_advance(world, 60);
}
static void confirmed_time_out(struct world *world)
{
    hard_time_out(world);
    world_release(world, "gang", "p0", YK_SI_TIMEOUT);
}
static void replaced(struct world *world)
{
    begin_gang(world, YK_SI_GANG_SOFT);
    gang_ask(world, "r0", 1000, false);
    assert_int_equal(world_schedule(world), 1);
    world_release(world, "gang", "p0", YK_SI_PLACEHOLDER_REPLACED);
}
static void too_large_for_its_placeholder(struct world *world)
{
    begin_gang(world, YK_SI_GANG_SOFT);
    gang_ask(world, "r0", 2000, false);
    (void)world_schedule(world);
}
static void two_in(struct world *world, const char *queue)
{
    world_submit(world, "a1", queue, "joe");
    world_submit(world, "a2", queue, "joe");
    world_ask(world, "a1", "k1", 10, 1);
    world_ask(world, "a2", "k2", 10, 1);
    assert_int_equal(world_schedule(world), 1);
}
static void room_for_the_second(struct world *world, const char *queue)
{
    two_in(world, queue);
    world_release(world, "a1", "k1", YK_SI_STOPPED_BY_RM);
    assert_int_equal(world_schedule(world), 1);
}
static void held_by_queue(struct world *world)
{
    two_in(world, "root.one");
}
static void let_by_queue(struct world *world)
{
    room_for_the_second(world, "root.one");
}
static void held_by_quota(struct world *world)
{
    two_in(world, "root.l");
}
static void let_by_quota(struct world *world)
{
    room_for_the_second(world, "root.l");
}
static void drained(struct world *world)
{
    world_submit(world, "stays", "root.gone", "ann");
    assert_null(world_reload(world, less));
}

/* The last event of that detail. */
static bool find(const struct world *world, enum yk_event_detail detail, struct yk_event *ret)
{
    const struct yk_ring *ring = world->core->events.ring;
    for (uint64_t number = yk_ring_next(ring); number-- > yk_ring_lowest(ring);) {
        if (yk_ring_get(ring, number, ret) && ret->detail == detail)
            return true;
    }
    return false;
}

static const struct {
    const char *what;
    void (*action)(struct world *world);
    enum yk_event_detail detail;
    enum yk_event_type type;
    enum yk_event_change change;
    const char *object, *reference, *message; /* the message: a part of it */
} rows[] = {
    {"102", soft_time_out, YK_EVENT_REQUEST_TIMEOUT, YK_EVENT_APP, YK_EVENT_REMOVE, "gang", "p1", ""},
    {"211", soft_time_out, YK_EVENT_APP_RESUMING, YK_EVENT_APP, YK_EVENT_SET, "gang", "",
     "ResourceReservationTimeout"},
    {"209", hard_time_out, YK_EVENT_APP_FAILING, YK_EVENT_APP, YK_EVENT_SET, "gang", "",
     "ResourceReservationTimeout"},
    {"502", confirmed_time_out, YK_EVENT_ALLOC_TIMEOUT, YK_EVENT_APP, YK_EVENT_REMOVE, "gang", "p0", ""},
    {"210", confirmed_time_out, YK_EVENT_APP_FAILED, YK_EVENT_APP, YK_EVENT_SET, "gang", "", ""},
    {"503", replaced, YK_EVENT_ALLOC_REPLACED, YK_EVENT_APP, YK_EVENT_REMOVE, "gang", "p0", ""},
    {"213", held_by_queue, YK_EVENT_APP_CANNOT_RUN_QUEUE, YK_EVENT_APP, YK_EVENT_NONE, "a2", "", ""},
    {"214", let_by_queue, YK_EVENT_APP_RUNNABLE_QUEUE, YK_EVENT_APP, YK_EVENT_NONE, "a2", "", ""},
    {"215", held_by_quota, YK_EVENT_APP_CANNOT_RUN_QUOTA, YK_EVENT_APP, YK_EVENT_NONE, "a2", "", ""},
    {"216", let_by_quota, YK_EVENT_APP_RUNNABLE_QUOTA, YK_EVENT_APP, YK_EVENT_NONE, "a2", "", ""},
    {"400", drained, YK_EVENT_QUEUE_CONFIG, YK_EVENT_QUEUE, YK_EVENT_SET, "root.gone", "", "draining"},
};

static void each_detail_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(rows); i++) {
        struct world world;
        YK_EVENT(event);
        world_init(&world, config);
        world_node(&world, "n", 8000, 8192);
        rows[i].action(&world);
        YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
        if (!find(&world, rows[i].detail, &event))
            fail_msg("%s: not told", rows[i].what);
        yk_buf_str(&message, event.message);
        if (event.type != rows[i].type || event.change != rows[i].change ||
            !yk_str_is(event.object_id, rows[i].object) ||
            !(event.reference_id.len == 0 ? rows[i].reference[0] == '\0'
                                          : yk_str_is(event.reference_id, rows[i].reference)) ||
            (rows[i].message[0] != '\0' && strstr(yk_buf_cstr(&message), rows[i].message) == NULL))
            fail_msg("%s: %d/%d " YK_STR_FMT " > " YK_STR_FMT " '" YK_STR_FMT "'", rows[i].what,
                     (int)event.type, (int)event.change, YK_STR_ARG(event.object_id),
                     YK_STR_ARG(event.reference_id), YK_STR_ARG(event.message));
        assert_int_equal(world_events(&world, rows[i].detail), 1); /* once per change */
        world_done(&world);
    }
}

/* The words of 1.9. */
#define TOO_LARGE                                                                                            \
    "Task group 'tg' in application 'gang': allocation resources 'map[memory:10485760 pods:1 vcore:2000]' "  \
    "are not matching placeholder 'map[memory:10485760 pods:1 vcore:1000]' allocation with ID 'p0'"

/* 8.3, REQUEST: a placeholder that is smaller than the pod it was for. */
static void placeholders_that_are_too_small(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, config);
    world_node(&world, "n", 8000, 8192);
    too_large_for_its_placeholder(&world);
    const struct yk_ring *ring = world.core->events.ring;
    YK_EVENT(event);
    size_t count = 0;
    for (uint64_t number = yk_ring_lowest(ring); yk_ring_get(ring, number, &event); number++) {
        if (event.type != YK_EVENT_REQUEST || !yk_str_is(event.object_id, "p0"))
            continue;
        YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
        yk_buf_str(&message, event.message);
        count += strcmp(yk_buf_cstr(&message), TOO_LARGE) == 0;
    }
    assert_int_equal(count, 1);
    world_done(&world);
}

/* ---- 8.1, C note: no text is made while event tracking is off ---- */

static size_t texts; /* made since it was set to 0 */

void __real_yk_resvec_print(const struct yk_resvec *amounts, struct yk_buf *out);
void __wrap_yk_resvec_print(const struct yk_resvec *amounts, struct yk_buf *out);
void __wrap_yk_buf_printf(struct yk_buf *out, const char *format, ...) YK_PRINTF(2, 3);

void __wrap_yk_resvec_print(const struct yk_resvec *amounts, struct yk_buf *out)
{
    texts++;
    __real_yk_resvec_print(amounts, out);
}

void __wrap_yk_buf_printf(struct yk_buf *out, const char *format, ...)
{
    va_list args;
    texts++;
    va_start(args, format);
    yk_buf_vprintf(out, format, args);
    va_end(args);
}

/* Asks that wait for a queue, a user, a node; a placeholder that is too small; nodes, ends, decisions. */
static size_t texts_made(bool tracking)
{
    struct world world;
    struct yk_resvec max = world_size(2000, 4096);
    world_init(&world, config);
    world.core->events.on = tracking;
    world_node(&world, "n", 8000, 8192);
    world_node(&world, "m", 8000, 8192);
    world_submit(&world, "waits", "root.q", "ann");
    world_ask(&world, "waits", "wide", 10000, 10);
    begin_gang(&world, YK_SI_GANG_SOFT);
    gang_ask(&world, "r0", 2000, false);
    yk_resvec_copy(&world_queue(&world, "root.q")->max, &max);
    texts = 0;
    (void)yk_core_schedule(world.core, 10, INT64_MAX);
    world_release(&world, "gang", "p0", YK_SI_TIMEOUT);
    (void)yk_core_schedule(world.core, 10, INT64_MAX);
    size_t made = texts;
    world_done(&world);
    return made;
}

static void no_text_while_nobody_listens(void **state)
{
    (void)state;
    assert_true(texts_made(true) > 0);
    assert_int_equal(texts_made(false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_detail_is_told),
        cmocka_unit_test(placeholders_that_are_too_small),
        cmocka_unit_test(no_text_while_nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
