/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"
#include "scheduler/invariants.h"

#include <errno.h>
#include <stdio.h>

void rig_die(const char *what)
{
    (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    exit(1);
}

void rig_must(enum yk_status st, const char *what)
{
    if (st != YK_OK)
        rig_die(what);
}

static void on_allocated(void *rm, const struct yk_si_allocated *allocation)
{
    struct rig *rig = rm;
    rig->allocated += allocation->node_id != NULL;
    if (rig->on_allocated != NULL)
        rig->on_allocated(rig, allocation);
}

static void on_released(void *rm, const struct yk_si_released *release)
{
    struct rig *rig = rm;
    if (rig->on_released != NULL)
        rig->on_released(rig, release);
}

void rig_init(struct rig *rig, struct yk_str config, const struct yk_clock *clock)
{
    rig_init_with(rig, config, &(struct rig_options){.clock = clock});
}

void rig_init_with(struct rig *rig, struct yk_str config, const struct rig_options *with)
{
    static const struct yk_si_callbacks callbacks = {.allocated = on_allocated, .released = on_released};
    *rig = (struct rig){0};
    yk_timers_init(&rig->timers, with->clock);
    struct yk_core_options options = {
        .clock = with->clock, .timers = &rig->timers, .manual = !with->inspections};
    rig->core = yk_core_new(&options);
    struct yk_si_register request = {.rm_id = "rm", .config = config};
    struct yk_err err = {0};
    if (yk_core_register(rig->core, &request, &callbacks, rig, &err) != YK_OK)
        rig_die(err.text);
}

void rig_done(struct rig *rig)
{
    struct yk_err err = {0};
    if (!yk_partition_check(rig_partition(rig), &err))
        rig_die(err.text);
    yk_core_free(rig->core);
    yk_timers_done(&rig->timers);
}

struct yk_resvec rig_amounts(int64_t vcore, int64_t memory, int64_t pods)
{
    struct yk_resvec r = {0};
    yk_resvec_put(&r, YK_RESTYPE_VCORE, vcore);
    yk_resvec_put(&r, YK_RESTYPE_MEMORY, memory);
    yk_resvec_put(&r, YK_RESTYPE_PODS, pods);
    return r;
}

void rig_add_node(struct rig *rig, const char *id, const struct yk_resvec *capacity)
{
    static const struct yk_si_tag attributes[] = {{YK_SI_NODE_HOSTNAME, "host.example"},
                                                  {YK_SI_NODE_RACK, "/rack-default"},
                                                  {YK_SI_NODE_INSTANCE_TYPE, "m5.xlarge"}};
    struct yk_si_node node = {.node_id = id,
                              .action = YK_SI_NODE_CREATE,
                              .capacity = capacity,
                              .attributes = attributes,
                              .attribute_count = YK_COUNT(attributes)};
    rig_must(yk_core_update_node(rig->core, "rm", &node), "node refused");
}

void rig_add_nodes(struct rig *rig, size_t count, const struct yk_resvec *capacity)
{
    for (size_t i = 0; i < count; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%06zu", i);
        rig_add_node(rig, id, capacity);
    }
}

void rig_add_app(struct rig *rig, const char *id, const char *queue)
{
    rig_add_app_of(rig, id, queue, "bench");
}

void rig_add_app_of(struct rig *rig, const char *id, const char *queue, const char *user)
{
    struct yk_si_new_app app = {.application_id = id, .queue = queue, .ugi = {.user = user}};
    rig_must(yk_core_add_app(rig->core, "rm", &app), "application refused");
}

void rig_add_ask(struct rig *rig, const char *app, size_t number)
{
    char key[48];
    struct yk_resvec size = rig_amounts(10, 10 << 20, 1);
    (void)snprintf(key, sizeof(key), "ask-%08zu", number);
    rig_add_ask_of(rig, app, key, &size, NULL);
}

void rig_add_ask_of(struct rig *rig, const char *app, const char *key, const struct yk_resvec *size,
                    const char *node)
{
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = size,
                                   .node_id = node,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    rig_must(yk_core_update_allocation(rig->core, "rm", &ask), "ask refused");
}

void rig_release(struct rig *rig, const char *app, const char *key, enum yk_si_termination why)
{
    struct yk_si_release release = {.application_id = app, .key = key, .termination = why};
    rig_must(yk_core_release(rig->core, "rm", &release), "release refused");
}

struct yk_partition *rig_partition(const struct rig *rig)
{
    return yk_core_find_partition(rig->core, YK_STR("default"));
}

void rig_expect(const struct rig *rig, size_t allocations)
{
    const struct yk_partition *partition = rig_partition(rig);
    size_t standing = 0;
    for (size_t i = 0; i < partition->nodes.count; i++) {
        const struct yk_node *node = partition->nodes.items[i];
        if (yk_resvec_has_negative(node->available))
            rig_die("a node is above its capacity");
        standing += node->allocation_count;
    }
    if (partition->allocation_count != allocations || standing != allocations)
        rig_die("not as many allocations stand as should");
}
