/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/model.h"

static const int types[MODEL_TYPES] = {YK_RESTYPE_VCORE, YK_RESTYPE_MEMORY};

/* ---- made-up configurations ---- */

static int64_t some(struct yk_random *random, int64_t most)
{
    return 1 + (int64_t)yk_random_below(random, (uint64_t)most);
}

static bool one_in(struct yk_random *random, uint64_t n)
{
    return yk_random_below(random, n) == 0;
}

static void indent(struct yk_buf *yaml, int depth)
{
    yk_buf_printf(yaml, "%*s", 4 + 4 * depth, "");
}

static struct model_amount nothing_set(void)
{
    return (struct model_amount){{MODEL_FREE, MODEL_FREE}};
}

/* vcore in thousandths, memory in bytes, as the core counts them. `within`: nothing larger than that. */
static struct model_amount some_amount(struct yk_random *random, const struct model_amount *within,
                                       int64_t most)
{
    struct model_amount amount = nothing_set();
    for (int t = 0; t < MODEL_TYPES; t++) {
        if (t > 0 && one_in(random, 2))
            continue;
        int64_t v = some(random, most) * 100;
        amount.v[t] = YK_MIN(v, within->v[t]);
    }
    return amount;
}

static void put_amount(struct yk_buf *yaml, const struct model_amount *amount)
{
    const char *comma = "";
    yk_buf_text(yaml, "{");
    if (amount->v[0] != MODEL_FREE) {
        yk_buf_printf(yaml, "vcore: %lldm", (long long)amount->v[0]);
        comma = ", ";
    }
    if (amount->v[1] != MODEL_FREE)
        yk_buf_printf(yaml, "%smemory: %lld", comma, (long long)amount->v[1]);
    yk_buf_text(yaml, "}");
}

static void put_properties(struct yk_random *random, struct yk_buf *yaml, int depth)
{
    static const char *const some_properties[] = {
        "application.sort.policy: fair",
        "application.sort.policy: fifo",
        "application.sort.priority: disabled",
        "priority.policy: fence, priority.offset: '5'",
        "priority.offset: '-3'",
        "application.sort.policy: stateaware",
    };
    if (one_in(random, 2))
        return;
    indent(yaml, depth);
    yk_buf_printf(yaml, "properties: {%s}\n",
                  some_properties[yk_random_below(random, YK_COUNT(some_properties))]);
}

/* L5, 7.2: within the queue's maximum and within what the queues above allow the same users. */
static void put_limits(struct yk_random *random, struct yk_buf *yaml, int depth, struct model_queue *queue,
                       const struct model_amount above[MODEL_USERS + 1], struct model_amount *ret_here)
{
    bool began = false;
    for (int user = 0; user <= MODEL_USERS; user++) {
        ret_here[user] = above[user];
        if (!one_in(random, user == MODEL_USERS ? 6 : 5))
            continue;
        struct model_amount within = queue->max;
        for (int t = 0; t < MODEL_TYPES; t++) {
            within.v[t] = YK_MIN(within.v[t], above[user].v[t]);
            within.v[t] = YK_MIN(within.v[t], above[MODEL_USERS].v[t]);
        }
        struct model_amount max = some_amount(random, &within, 60);
        if (!began) {
            indent(yaml, depth);
            yk_buf_text(yaml, "limits:\n");
        }
        began = true;
        indent(yaml, depth);
        if (user == MODEL_USERS)
            yk_buf_text(yaml, "- {limit: l, users: ['*'], maxresources: ");
        else
            yk_buf_printf(yaml, "- {limit: l, users: [u%d], maxresources: ", user);
        put_amount(yaml, &max);
        yk_buf_text(yaml, "}\n");
        queue->user_max[user] = max;
        queue->has_user_limit[user] = true;
        for (int t = 0; t < MODEL_TYPES; t++)
            ret_here[user].v[t] = YK_MIN(above[user].v[t], max.v[t]);
    }
}

struct branch { /* what a queue inherits while the text is written */
    const char *path;
    struct model_amount max, user_max[MODEL_USERS + 1];
    uint64_t max_apps;
};

static void write_queue(struct model *model, struct yk_random *random, struct yk_buf *yaml, int depth,
                        const char *name, const struct branch *above)
{
    struct model_queue *queue = &model->queues[model->queue_count++];
    struct branch here = *above;
    *queue = (struct model_queue){.configured = true, .max = nothing_set()};
    (void)snprintf(queue->path, sizeof(queue->path), "%s%s%s", above->path, *above->path != '\0' ? "." : "",
                   name);
    here.path = queue->path;
    yk_buf_printf(yaml, "%*s- name: %s\n", 2 + 4 * depth, "", name);
    if (depth == 0) {
        indent(yaml, depth);
        yk_buf_text(yaml, "submitacl: '*'\n");
    } else if (one_in(random, 2)) {
        queue->max = some_amount(random, &above->max, 80);
        indent(yaml, depth);
        yk_buf_text(yaml, "resources: {max: ");
        put_amount(yaml, &queue->max);
        yk_buf_text(yaml, "}\n");
        for (int t = 0; t < MODEL_TYPES; t++)
            here.max.v[t] = YK_MIN(here.max.v[t], queue->max.v[t]);
    }
    if (above->max_apps != 0 || one_in(random, 4)) { /* V7 */
        queue->max_apps = above->max_apps != 0 ? 1 + yk_random_below(random, above->max_apps)
                                               : 1 + yk_random_below(random, 5);
        here.max_apps = queue->max_apps;
        indent(yaml, depth);
        yk_buf_printf(yaml, "maxapplications: %llu\n", (unsigned long long)queue->max_apps);
    }
    put_properties(random, yaml, depth);
    put_limits(random, yaml, depth, queue, above->user_max, here.user_max);
    size_t children = depth >= 3 ? 0 : yk_random_below(random, 4) + (depth == 0);
    queue->leaf = true;
    for (size_t i = 0; i < children && model->queue_count < MODEL_QUEUES; i++) {
        char child[8];
        (void)snprintf(child, sizeof(child), "q%zu", i);
        if (queue->leaf) {
            indent(yaml, depth);
            yk_buf_text(yaml, "queues:\n");
        }
        queue->leaf = false;
        write_queue(model, random, yaml, depth + 1, child, &here);
    }
}

void model_configure(struct model *model, struct yk_random *random, struct yk_buf *yaml)
{
    struct branch above = {.path = "", .max = nothing_set()};
    for (int user = 0; user <= MODEL_USERS; user++)
        above.user_max[user] = nothing_set();
    model->queue_count = 0;
    yk_buf_printf(yaml,
                  "partitions:\n- name: default\n  nodesortpolicy: {type: %s}\n"
                  "  placementrules: [{name: provided, create: true}]\n  queues:\n",
                  one_in(random, 2) ? "fair" : "binpacking");
    write_queue(model, random, yaml, 0, "root", &above);
}

/* ---- sums ---- */

static bool is_below(const char *path, const char *top)
{
    while (*top != '\0' && *path == *top)
        path++, top++;
    return *top == '\0' && (*path == '\0' || *path == '.');
}

struct model_amount model_sum(const struct model *model, const char *path, int user, bool pending)
{
    struct model_amount sum = {{0}};
    for (size_t i = 0; i < MODEL_ASKS; i++) {
        const struct model_ask *ask = &model->asks[i];
        if (!ask->used || (ask->node < 0) != pending || !is_below(model->apps[ask->app].path, path))
            continue;
        for (int t = 0; t < MODEL_TYPES && (user < 0 || model->apps[ask->app].user == user); t++)
            sum.v[t] += ask->size.v[t];
    }
    return sum;
}

bool model_user_limit(const struct model_queue *queue, int user, struct model_amount *ret_max)
{
    int entry = queue->has_user_limit[user] ? user : MODEL_USERS;
    *ret_max = queue->user_max[entry];
    return queue->has_user_limit[entry];
}

struct model_amount model_free(const struct model *model, int node)
{
    struct model_amount left = model->nodes[node].capacity;
    for (size_t i = 0; i < MODEL_ASKS; i++) {
        for (int t = 0; t < MODEL_TYPES && model->asks[i].used && model->asks[i].node == node; t++)
            left.v[t] -= model->asks[i].size.v[t];
    }
    return left;
}

/* With `size` on top of what is there. */
static bool within(const struct model_amount *max, const struct model_amount *used,
                   const struct model_amount *size)
{
    for (int t = 0; t < MODEL_TYPES; t++) {
        if (max->v[t] != MODEL_FREE && used->v[t] + size->v[t] > max->v[t])
            return false;
    }
    return true;
}

static bool queues_have_room(const struct model *model, const struct model_app *app,
                             const struct model_amount *size, const char **ret_path)
{
    for (size_t i = 0; i < model->queue_count; i++) {
        const struct model_queue *queue = &model->queues[i];
        struct model_amount max, used = model_sum(model, queue->path, -1, false);
        *ret_path = queue->path;
        if (!is_below(app->path, queue->path))
            continue;
        if (!within(&queue->max, &used, size))
            return false;
        used = model_sum(model, queue->path, app->user, false);
        if (model_user_limit(queue, app->user, &max) && !within(&max, &used, size))
            return false;
    }
    return true;
}

/* R29: the root's maximum is what all nodes have, also when one of them shrank below its use. */
static bool cluster_has_room(const struct model *model, const struct model_amount *size)
{
    struct model_amount all = {{0}}, used = model_sum(model, "root", -1, false);
    for (int node = 0; node < MODEL_NODES; node++) {
        for (int t = 0; t < MODEL_TYPES && model->nodes[node].used; t++)
            all.v[t] += model->nodes[node].capacity.v[t];
    }
    return within(&all, &used, size);
}

bool model_could_run(const struct model *model, const struct model_ask *ask)
{
    const char *path;
    if (!cluster_has_room(model, &ask->size) ||
        !queues_have_room(model, &model->apps[ask->app], &ask->size, &path))
        return false;
    for (int node = 0; node < MODEL_NODES; node++) {
        struct model_amount left = model_free(model, node);
        if (model->nodes[node].used && left.v[0] >= ask->size.v[0] && left.v[1] >= ask->size.v[1])
            return true;
    }
    return false;
}

/* ---- what the core says ---- */

static struct model_ask *find(struct model *model, const char *key)
{
    for (size_t i = 0; i < MODEL_ASKS; i++) {
        if (model->asks[i].used && strcmp(model->asks[i].key, key) == 0)
            return &model->asks[i];
    }
    return NULL;
}

static void wrong(struct model *model, const char *what, const char *key, const char *where)
{
    if (model->wrong != NULL)
        return;
    (void)snprintf(model->text, sizeof(model->text), "%s: ask '%s', '%s'", what, key, where);
    model->wrong = model->text;
}

void model_allocated(struct model *model, const char *key, const char *node)
{
    static const struct model_amount none = {{0}};
    struct model_ask *ask = find(model, key);
    if (ask == NULL || ask->node >= 0) {
        wrong(model, "allocated what does not wait", key, node);
        return;
    }
    const char *path = "";
    bool had_room = queues_have_room(model, &model->apps[ask->app], &ask->size, &path);
    if (model->decides && !had_room)
        wrong(model, "above a maximum because of a decision", key, path);
    ask->node = node[1] - '0';
    struct model_amount left = model_free(model, ask->node);
    if (model->decides && !within(&left, &none, &none))
        wrong(model, "node over-committed", key, node);
    if (model->decides && (left.v[0] < 0 || left.v[1] < 0))
        wrong(model, "node over-committed", key, node);
}

void model_released(struct model *model, const char *key)
{
    struct model_ask *ask = find(model, key);
    if (ask != NULL)
        ask->used = false;
}

static bool differs(struct model *model, const char *what, const char *path, const struct yk_resvec *core,
                    const struct model_amount *ours)
{
    for (int t = 0; t < MODEL_TYPES; t++) {
        if (yk_resvec_get(core, types[t]) == ours->v[t])
            continue;
        (void)snprintf(model->text, sizeof(model->text), "%s of '%s', type %d: %lld, should be %lld", what,
                       path, t, (long long)yk_resvec_get(core, types[t]), (long long)ours->v[t]);
        return true;
    }
    return false;
}

struct sums { /* of one queue and all below */
    struct model_amount allocated, pending, of_user[MODEL_USERS];
};

/* One pass over the asks: the same as a model_sum() for each, in less time. */
static void sum_up(const struct model *model, const char *path, struct sums *ret)
{
    bool counts[MODEL_APPS];
    *ret = (struct sums){.allocated = {{0}}};
    for (size_t i = 0; i < MODEL_APPS; i++)
        counts[i] = model->apps[i].used && is_below(model->apps[i].path, path);
    for (size_t i = 0; i < MODEL_ASKS; i++) {
        const struct model_ask *ask = &model->asks[i];
        if (!ask->used || !counts[ask->app])
            continue;
        for (int t = 0; t < MODEL_TYPES; t++) {
            (ask->node < 0 ? &ret->pending : &ret->allocated)->v[t] += ask->size.v[t];
            if (ask->node >= 0)
                ret->of_user[model->apps[ask->app].user].v[t] += ask->size.v[t];
        }
    }
}

static bool users_agree(struct model *model, const struct yk_partition *partition,
                        const struct yk_queue *queue, const struct sums *sums)
{
    for (int user = 0; user < MODEL_USERS; user++) {
        char name[8];
        static const struct yk_resvec nothing;
        (void)snprintf(name, sizeof(name), "u%d", user);
        const struct yk_tracker *tracker = yk_usages_find(&partition->usages, false, yk_str_from(name));
        const struct yk_usage *usage = tracker != NULL ? yk_tracker_entry(tracker, queue) : NULL;
        if (differs(model, name, queue->path, usage != NULL ? &usage->allocated : &nothing,
                    &sums->of_user[user]))
            return false;
    }
    return true;
}

bool model_agrees(struct model *model, struct world *world)
{
    const struct yk_partition *partition = world_partition(world);
    if (model->wrong != NULL)
        return false;
    for (const struct yk_queue *queue = partition->root; queue != NULL;
         queue = yk_queue_next(queue, partition->root)) {
        struct sums sums;
        sum_up(model, queue->path, &sums);
        if (differs(model, "allocated", queue->path, &queue->allocated, &sums.allocated) ||
            differs(model, "pending", queue->path, &queue->pending, &sums.pending) ||
            !users_agree(model, partition, queue, &sums))
            return false;
    }
    return true;
}
