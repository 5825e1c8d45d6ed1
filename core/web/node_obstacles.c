/* SPDX-License-Identifier: Apache-2.0 */
/* How many nodes refuse a waiting ask for what reason, counted in slices. */
#include "web/pending_priv.h"

enum { NODES_PER_STEP = 64, RESTARTS_MAX = 4 };

struct entry {
    char *name; /* owned */
    int kind;   /* of struct yk_si_node_obstacle */
    uint64_t nodes;
};

static void forget(struct yk__node_obstacles *obstacles)
{
    struct entry *entry;
    yk_vec_foreach (entry, &obstacles->entries) {
        free(entry->name);
        free(entry);
    }
    yk_vec_done(&obstacles->entries);
    obstacles->at = 0;
    obstacles->are_counted = false;
}

void yk__node_obstacles_done(struct yk__node_obstacles *obstacles)
{
    forget(obstacles);
}

static void add(void *context, const struct yk_si_node_obstacle *obstacle)
{
    struct yk__node_obstacles *obstacles = context;
    struct entry *entry;
    yk_vec_foreach (entry, &obstacles->entries) {
        if (entry->kind == (int)obstacle->kind && strcmp(entry->name, obstacle->name) == 0) {
            entry->nodes += obstacle->nodes;
            return;
        }
    }
    entry = yk_new0(struct entry);
    *entry = (struct entry){yk_strdup(obstacle->name), (int)obstacle->kind, obstacle->nodes};
    yk_vec_append(&obstacles->entries, entry);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

bool yk__node_obstacles_count(struct yk_job *job, struct yk__node_obstacles *obstacles,
                              const struct yk_ask *ask, int64_t until_mono_ns)
{
    const struct yk_rm *rm = yk_ask_app(ask)->partition->rm;
    uint32_t nodes = yk_ask_app(ask)->partition->node_count;
    bool is_other_ask = obstacles->sequence != 0 && obstacles->sequence != ask->sequence;
    bool have_changed = !obstacles->are_counted && obstacles->at > 0 && obstacles->nodes != nodes;
    obstacles->restarts += is_other_ask || have_changed;
    if (is_other_ask || (have_changed && obstacles->restarts <= RESTARTS_MAX))
        forget(obstacles);
    obstacles->sequence = ask->sequence;
    obstacles->nodes = nodes;
    bool more = rm->callbacks.node_obstacles != NULL && ask->cookie != NULL && !obstacles->are_counted;
    while (more) {
        more = rm->callbacks.node_obstacles(rm->context, ask->cookie, obstacles->at, NODES_PER_STEP, add,
                                            obstacles);
        obstacles->at += NODES_PER_STEP;
        if (more && obstacles->restarts <= RESTARTS_MAX && yk_job_must_pause(job, until_mono_ns))
            return false;
    }
    if (!obstacles->are_counted)
        yk_vec_sort(&obstacles->entries, by_name);
    obstacles->are_counted = true;
    return true;
}

void yk__put_node_obstacles(struct yk_json *json, const struct yk__node_obstacles *obstacles, const char *key,
                            int kind)
{
    const struct entry *entry;
    yk_json_key(json, key);
    yk_json_object_begin(json);
    yk_vec_foreach (entry, &obstacles->entries) {
        if (entry->kind == kind)
            yk_json_add_uint(json, entry->name, entry->nodes);
    }
    yk_json_object_end(json);
}
