/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

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
}

void rig_init(struct rig *rig, struct yk_str config, const struct yk_clock *clock)
{
    static const struct yk_si_callbacks callbacks = {.allocated = on_allocated};
    *rig = (struct rig){0};
    yk_timers_init(&rig->timers, clock);
    struct yk_core_options options = {.clock = clock, .timers = &rig->timers, .manual = true};
    rig->core = yk_core_new(&options);
    struct yk_si_register request = {.rm_id = "rm", .config = config};
    rig_must(yk_core_register(rig->core, &request, &callbacks, rig, NULL), "configuration refused");
}

void rig_done(struct rig *rig)
{
    struct yk_err err = {0};
    if (!yk_partition_check(yk_core_find_partition(rig->core, YK_STR("default")), &err))
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

void rig_add_nodes(struct rig *rig, size_t count, const struct yk_resvec *capacity)
{
    for (size_t i = 0; i < count; i++) {
        char id[32];
        (void)snprintf(id, sizeof(id), "node-%06zu", i);
        struct yk_si_node node = {.node_id = id, .action = YK_SI_NODE_CREATE, .capacity = capacity};
        rig_must(yk_core_update_node(rig->core, "rm", &node), "node refused");
    }
}

void rig_add_app(struct rig *rig, const char *id, const char *queue)
{
    struct yk_si_new_app app = {.application_id = id, .queue = queue, .ugi = {.user = "bench"}};
    rig_must(yk_core_add_app(rig->core, "rm", &app), "application refused");
}

void rig_add_ask(struct rig *rig, const char *app, size_t number)
{
    char key[48];
    struct yk_resvec size = rig_amounts(10, 10 << 20, 1);
    (void)snprintf(key, sizeof(key), "ask-%08zu", number);
    struct yk_si_allocation ask = {
        .key = key, .application_id = app, .resource = &size, .scheduling_class = YK_SI_CLASS_ANY};
    rig_must(yk_core_update_allocation(rig->core, "rm", &ask), "ask refused");
}
