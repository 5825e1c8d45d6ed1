/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/core_world.h"

#include "base/log.h"
#include "scheduler/invariants.h"

#include <stdio.h>

static void copy(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from);
}

/* Adds a call of the resource manager to `story`: its kind and its texts. */
static void note(struct world *world, int kind, const char *what, const char *more)
{
    world->story = yk_hash_u64(world->story ^ (uint64_t)kind);
    what = what != NULL ? what : ""; /* a refused object may have no id */
    world->story ^= yk_hash(what, strlen(what)) ^ yk_hash_u64(yk_hash(more, strlen(more)));
}

static void on_allocated(void *rm, const struct yk_si_allocated *allocation)
{
    struct world *world = rm;
    world->allocated++;
    note(world, 1, allocation->key, allocation->node_id);
    copy(world->last_node, sizeof(world->last_node), allocation->node_id);
    copy(world->last_key, sizeof(world->last_key), allocation->key);
    if (world->watch_allocated != NULL)
        world->watch_allocated(world->watcher, allocation->key, allocation->node_id);
}

static void on_released(void *rm, const struct yk_si_released *release)
{
    struct world *world = rm;
    world->released++;
    note(world, 2 + (int)release->termination, release->key, release->message);
    copy(world->last_key, sizeof(world->last_key), release->key);
    copy(world->last_message, sizeof(world->last_message), release->message);
    world->last_termination = release->termination;
    if (world->watch_released != NULL)
        world->watch_released(world->watcher, release->key);
}

static void on_alloc_rejected(void *rm, const char *app, const char *key, const char *reason, void *cookie)
{
    struct world *world = rm;
    (void)app, (void)key, (void)cookie;
    world->alloc_rejected++;
    note(world, 200, key, reason);
    copy(world->last_reason, sizeof(world->last_reason), reason);
}

static void on_app_accepted(void *rm, const char *id, void *cookie)
{
    (void)cookie;
    ((struct world *)rm)->app_accepted++;
    note(rm, 201, id, "");
}

static void on_app_rejected(void *rm, const char *id, const char *reason, void *cookie)
{
    struct world *world = rm;
    (void)id, (void)cookie;
    world->app_rejected++;
    note(world, 202, id, reason);
    copy(world->last_reason, sizeof(world->last_reason), reason);
}

static void on_app_updated(void *rm, const struct yk_si_app_update *update)
{
    struct world *world = rm;
    note(world, 203, update->application_id, yk_app_state_name(update->state));
    note(world, 204, update->message, "");
    copy(world->last_state, sizeof(world->last_state), yk_app_state_name(update->state));
    copy(world->last_message, sizeof(world->last_message), update->message);
    yk_clock_advance(&world->clock, world->update_takes_ns);
}

static void on_node_accepted(void *rm, const char *id, void *cookie)
{
    (void)cookie;
    ((struct world *)rm)->node_accepted++;
    note(rm, 205, id, "");
}

static void on_node_rejected(void *rm, const char *id, const char *reason, void *cookie)
{
    struct world *world = rm;
    (void)id, (void)cookie;
    world->node_rejected++;
    note(world, 206, id, reason);
    copy(world->last_reason, sizeof(world->last_reason), reason);
}

/* The node's cookie is its first letter. */
static bool on_class_fits(void *rm, yk_si_class scheduling_class, void *node_cookie)
{
    const struct world *world = rm;
    return scheduling_class != 1 || world->class_letter == 0 ||
           (char)(uintptr_t)node_cookie == world->class_letter;
}

/* The cookie of an ask, if it has one, is the name of its pod. */
static void on_allocation_tags(void *rm, void *ask_cookie, yk_si_tags_sink *sink, void *sink_context)
{
    const struct yk_si_tag tag = {"kubernetes.io/meta/podName", ask_cookie};
    (void)rm;
    sink(sink_context, &tag, 1);
}

static void on_scheduling_state(void *rm, const struct yk_si_waiting *waiting)
{
    struct world *world = rm;
    note(world, 207 + (int)waiting->state, waiting->key, waiting->reason);
    world->told_failed += waiting->state == YK_SI_STATE_FAILED;
    world->told_skipped += waiting->state == YK_SI_STATE_SKIPPED;
    world->last_obstacle = waiting->obstacle;
    if (world->watch_state != NULL)
        world->watch_state(world->watcher, waiting->key, waiting->state, waiting->reason);
    copy(world->last_key, sizeof(world->last_key), waiting->key);
    copy(world->last_reason, sizeof(world->last_reason), waiting->reason);
}

static void on_wait_words(void *rm, void *ask_cookie, struct yk_buf *words)
{
    const struct world *world = rm;
    (void)ask_cookie;
    if (world->add_wait_reason != NULL)
        yk_buf_text(words, world->add_wait_reason);
}

static struct yk_si_node_reason on_node_reason(void *rm, void *ask_cookie)
{
    const struct world *world = rm;
    (void)ask_cookie;
    return world->node_reason;
}

static bool on_is_protected(void *rm, void *ask_cookie)
{
    const struct world *world = rm;
    const char *text = ask_cookie;
    return world->protected_letter != 0 && text != NULL && text[0] == world->protected_letter;
}

/* All keys that begin with `budget_letter` share a budget. */
static bool on_is_protected_with(void *rm, void *ask_cookie, void *const *victims, size_t count)
{
    const struct world *world = rm;
    const char *text = ask_cookie;
    size_t used = 0;
    if (world->budget_letter == 0)
        return on_is_protected(rm, ask_cookie);
    for (size_t i = 0; i < count; i++) {
        const char *other = victims[i];
        used += other != NULL && other[0] == world->budget_letter;
    }
    return text != NULL && text[0] == world->budget_letter && used >= world->budget_allowed;
}

static const struct yk_si_callbacks callbacks = {
    .is_protected_with = on_is_protected_with,
    .is_protected = on_is_protected,
    .scheduling_state = on_scheduling_state,
    .add_wait_reason = on_wait_words,
    .node_reason = on_node_reason,
    .allocated = on_allocated,
    .released = on_released,
    .allocation_rejected = on_alloc_rejected,
    .app_accepted = on_app_accepted,
    .app_rejected = on_app_rejected,
    .app_updated = on_app_updated,
    .node_accepted = on_node_accepted,
    .node_rejected = on_node_rejected,
    .class_fits = on_class_fits,
    .allocation_tags = on_allocation_tags,
};

void world_init(struct world *world, const char *config)
{
    world_init_with(world, config, NULL);
}

void world_init_with(struct world *world, const char *config, const struct yk_directory *directory)
{
    *world = (struct world){0};
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&world->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&world->timers, &world->clock);
    struct yk_core_options options = {
        .clock = &world->clock, .timers = &world->timers, .directory = directory, .manual = true};
    world->core = yk_core_new(&options);
    struct yk_si_register request = {.rm_id = "rm", .policy_group = "queues", .config = yk_str_from(config)};
    struct yk_err err = {0};
    if (yk_core_register(world->core, &request, &callbacks, world, &err) != YK_OK) {
        (void)fputs(config, stderr);
        fail_msg("configuration refused: %s", err.text);
    }
}

void world_done(struct world *world)
{
    yk_core_free(world->core);
    yk_timers_done(&world->timers);
}

const char *world_reload(struct world *world, const char *config)
{
    static struct yk_err err;
    struct yk_si_register request = {.rm_id = "rm", .policy_group = "queues", .config = yk_str_from(config)};
    err.text[0] = '\0';
    return yk_core_update_config(world->core, &request, &err) == YK_OK ? NULL : err.text;
}

struct yk_partition *world_partition(struct world *world)
{
    return yk_core_find_partition(world->core, YK_STR("default"));
}

struct yk_queue *world_queue(struct world *world, const char *path)
{
    return yk_queue_find(world_partition(world)->root, yk_str_from(path));
}

struct yk_app *world_app(struct world *world, const char *id)
{
    return yk_partition_find_app(world_partition(world), id);
}

struct yk_resvec world_size(int64_t vcore, int64_t memory_mib)
{
    struct yk_resvec size = {0};
    yk_resvec_put(&size, YK_RESTYPE_VCORE, vcore);
    yk_resvec_put(&size, YK_RESTYPE_MEMORY, memory_mib << 20);
    yk_resvec_put(&size, YK_RESTYPE_PODS, 1);
    return size;
}

void world_node(struct world *world, const char *id, int64_t vcore, int64_t memory_mib)
{
    struct yk_resvec capacity = world_size(vcore, memory_mib);
    yk_resvec_put(&capacity, YK_RESTYPE_PODS, 110);
    struct yk_si_node node = {.node_id = id,
                              .action = YK_SI_NODE_CREATE,
                              .capacity = &capacity,
                              .cookie = (void *)(uintptr_t)id[0]};
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK);
}

void world_node_action(struct world *world, const char *id, enum yk_si_node_action action)
{
    struct yk_si_node node = {.node_id = id, .action = action};
    assert_int_equal(yk_core_update_node(world->core, "rm", &node), YK_OK);
}

void world_submit(struct world *world, const char *id, const char *queue, const char *user)
{
    world_submit_in_group(world, id, queue, user, NULL);
}

void world_submit_in_group(struct world *world, const char *id, const char *queue, const char *user,
                           const char *group)
{
    struct yk_si_new_app app = {
        .application_id = id,
        .queue = queue,
        .ugi = {.user = user, .groups = group != NULL ? &group : NULL, .group_count = group != NULL},
    };
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

void world_ask_full(struct world *world, const char *app, const char *key, int64_t vcore, int64_t memory_mib,
                    int32_t priority, yk_si_class scheduling_class, const char *node)
{
    struct yk_resvec size = world_size(vcore, memory_mib);
    struct yk_si_allocation ask = {
        .key = key,
        .application_id = app,
        .resource = &size,
        .priority = priority,
        .node_id = node,
        .scheduling_class = scheduling_class,
    };
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

void world_ask(struct world *world, const char *app, const char *key, int64_t vcore, int64_t memory_mib)
{
    world_ask_full(world, app, key, vcore, memory_mib, 0, YK_SI_CLASS_ANY, NULL);
}

void world_release(struct world *world, const char *app, const char *key, enum yk_si_termination why)
{
    struct yk_si_release release = {.application_id = app, .key = key, .termination = why};
    assert_int_equal(yk_core_release(world->core, "rm", &release), YK_OK);
}

void world_check(struct world *world)
{
    struct yk_err err = {0};
    struct yk_partition *partition;
    yk_vec_foreach (partition, &world->core->partitions) {
        if (!yk_partition_check(partition, &err))
            fail_msg("invariant: %s", err.text);
    }
}

size_t world_schedule(struct world *world)
{
    size_t decisions = yk_core_schedule(world->core, SIZE_MAX, INT64_MAX);
    world_check(world);
    return decisions;
}

size_t world_schedule_one(struct world *world)
{
    return yk_core_schedule(world->core, 1, INT64_MAX);
}

void world_advance(struct world *world, int64_t seconds)
{
    yk_clock_advance(&world->clock, seconds * YK_NS_PER_S);
    (void)yk_timers_run(&world->timers); /* the count is not needed */
}

size_t world_events(const struct world *world, enum yk_event_detail detail)
{
    const struct yk_ring *ring = world->core->events.ring;
    size_t count = 0;
    for (uint64_t at = yk_ring_lowest(ring); at < yk_ring_next(ring); at++) {
        YK_EVENT(event);
        count += yk_ring_get(ring, at, &event) && event.detail == detail;
    }
    return count;
}
