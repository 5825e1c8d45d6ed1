/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/preemption_stage.h"

#include "partition/move.h"

#include <stdio.h>

static void on_released(void *context, const char *key)
{
    struct stage *stage = context;
    size_t used = strlen(stage->victims);
    if (stage->world.last_termination != YK_SI_PREEMPTED_BY_SCHEDULER)
        return;
    (void)snprintf(stage->victims + used, sizeof(stage->victims) - used, "%s ", key);
    assert_true(stage->waiting_count < STAGE_VICTIMS);
    (void)snprintf(stage->waiting[stage->waiting_count++], sizeof(stage->waiting[0]), "%s", key);
}

static const char *config(struct stage *stage, const char *partition, const char *queues)
{
    (void)snprintf(stage->queues, sizeof(stage->queues),
                   "partitions:\n- name: default\n%s  placementrules: [{name: provided}]\n"
                   "  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n%s",
                   partition, queues);
    return stage->queues;
}

void stage_init(struct stage *stage, const char *partition, const char *queues)
{
    *stage = (struct stage){0};
    world_init(&stage->world, config(stage, partition, queues));
    stage->world.watch_released = on_released;
    stage->world.watcher = stage;
    stage->world.core->events.on = true;
}

void stage_done(struct stage *stage)
{
    char *name;
    world_check(&stage->world);
    world_done(&stage->world);
    yk_vec_foreach (name, &stage->names)
        free(name);
    yk_vec_done(&stage->names);
}

void stage_reload(struct stage *stage, const char *partition, const char *queues)
{
    const char *refusal = world_reload(&stage->world, config(stage, partition, queues));
    if (refusal != NULL)
        fail_msg("refused: %s", refusal);
}

static const char *app_of(const struct pod *pod)
{
    return pod->app != NULL ? pod->app : pod->queue;
}

void stage_pod(struct stage *stage, const struct pod *pod)
{
    struct world *world = &stage->world;
    struct yk_resvec size = world_size(pod->vcore, pod->memory);
    char *name = yk_strdup(pod->key);
    yk_vec_append(&stage->names, name);
    if (world_app(world, app_of(pod)) == NULL)
        world_submit(world, app_of(pod), pod->queue, "joe");
    struct yk_si_allocation ask = {
        .key = pod->key,
        .application_id = app_of(pod),
        .resource = &size,
        .priority = pod->priority,
        .node_id = pod->node,
        .create_wall_ns = yk_clock_wall_ns(&world->clock) - pod->age_s * YK_NS_PER_S,
        .scheduling_class = YK_SI_CLASS_ANY,
        .allow_preempt_self = !pod->opted_out,
        .allow_preempt_other = !pod->never,
        .originator = pod->originator,
        .placeholder = pod->is_placeholder,
        .task_group = pod->is_placeholder ? "group" : NULL,
        .required_node = pod->required_node,
        .cookie = name,
    };
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
}

struct yk_ask *stage_ask(struct stage *stage, const char *key)
{
    const struct yk_app *app;
    yk_strmap_foreach (app, &world_partition(&stage->world)->apps) {
        struct yk_ask *ask = yk_app_find_ask(app, yk_str_from(key));
        if (ask != NULL)
            return ask;
    }
    return NULL;
}

void stage_confirm_one(struct stage *stage, const char *key)
{
    const struct yk_ask *ask = stage_ask(stage, key);
    for (size_t i = 0; i < stage->waiting_count; i++) {
        if (strcmp(stage->waiting[i], key) == 0)
            memmove(stage->waiting[i], stage->waiting[--stage->waiting_count], sizeof(stage->waiting[0]));
    }
    if (ask == NULL)
        return;
    YK_CLEANUP(yk_freep) char *app = yk_strdup(yk_ask_app(ask)->id);
    world_release(&stage->world, app, key, YK_SI_PREEMPTED_BY_SCHEDULER);
    world_check(&stage->world);
}

void stage_confirm(struct stage *stage)
{
    while (stage->waiting_count > 0) {
        char key[32];
        memcpy(key, stage->waiting[0], sizeof(key));
        stage_confirm_one(stage, key);
    }
}

void stage_wait(struct stage *stage, int64_t seconds)
{
    world_advance(&stage->world, seconds);
    (void)world_schedule(&stage->world); /* the count is not needed */
}

void stage_expect(struct stage *stage, const char *what, const char *victims)
{
    size_t used = strlen(stage->victims);
    if (used > 0)
        stage->victims[used - 1] = '\0';
    if (strcmp(stage->victims, victims) != 0)
        fail_msg("%s: victims are '%s', not '%s'", what, stage->victims, victims);
    stage->victims[0] = '\0';
}

const char *stage_where(struct stage *stage, const char *key)
{
    const struct yk_ask *ask = stage_ask(stage, key);
    return ask != NULL && ask->node != NULL ? ask->node->id : "";
}

void stage_add_crumbs(struct stage *stage)
{
    for (int i = 0; i < 5; i++) {
        char id[16];
        (void)snprintf(id, sizeof(id), "crumb%d", i);
        world_node(&stage->world, id, 900, 4096);
    }
}

void stage_move(struct stage *stage, const char *app, const char *queue)
{
    struct yk_err err = {0};
    assert_int_equal(
        yk_app_move(world_app(&stage->world, app), world_queue(&stage->world, queue), "ann", &err), YK_OK);
    world_check(&stage->world);
}

void stage_real_of_class(struct stage *stage, const char *app, const char *key, yk_si_class class_)
{
    struct yk_resvec size = world_size(1000, 100);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .task_group = "group",
                                   .scheduling_class = class_};
    assert_int_equal(yk_core_update_allocation(stage->world.core, "rm", &ask), YK_OK);
}
