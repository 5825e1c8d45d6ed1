/* SPDX-License-Identifier: Apache-2.0 */
#include "scheduler/naive.h"

#include <stdio.h>
#include <string.h>

static bool one_in(struct yk_random *random, uint64_t n)
{
    return yk_random_below(random, n) == 0;
}

static struct naive_amount not_set(void)
{
    return (struct naive_amount){{NAIVE_FREE, NAIVE_FREE}};
}

static void indent(struct yk_buf *yaml, int depth)
{
    yk_buf_printf(yaml, "%*s", 4 + 4 * depth, "");
}

/* ---- the table of queues ---- */

static int find(const struct naive *naive, const char *path)
{
    for (int i = 0; i < NAIVE_QUEUES; i++) {
        if (naive->queues[i].used && strcmp(naive->queues[i].path, path) == 0)
            return i;
    }
    return -1;
}

static int add(struct naive *naive, const char *path, int parent)
{
    int at = 0;
    while (naive->queues[at].used)
        at++;
    naive->queues[at] = (struct naive_queue){
        .used = true, .parent = parent, .max = not_set(), .guaranteed = not_set(), .priority_sort = true};
    (void)snprintf(naive->queues[at].path, sizeof(naive->queues[at].path), "%s", path);
    return at;
}

int naive_queue_at(struct naive *naive, const char *path)
{
    int found = find(naive, path);
    if (found >= 0)
        return found;
    char above[128];
    (void)snprintf(above, sizeof(above), "%s", path);
    *strrchr(above, '.') = '\0';
    int parent = naive_queue_at(naive, above);
    naive->queues[parent].is_leaf = false;
    int at = add(naive, path, parent);
    naive->queues[at].is_leaf = true;
    return at;
}

void naive_forget_queue(struct naive *naive, int queue)
{
    naive->queues[queue].used = false;
}

/* ---- made-up configurations ---- */

static void put_amount(struct yk_buf *yaml, const struct naive_amount *amount)
{
    const char *comma = "";
    yk_buf_text(yaml, "{");
    if (amount->v[0] != NAIVE_FREE) {
        yk_buf_printf(yaml, "vcore: %lldm", (long long)amount->v[0]);
        comma = ", ";
    }
    if (amount->v[1] != NAIVE_FREE)
        yk_buf_printf(yaml, "%smemory: %lld", comma, (long long)amount->v[1]);
    yk_buf_text(yaml, "}");
}

/* At least vcore is set. */
static struct naive_amount some_amount(struct yk_random *random, const struct naive_amount *within,
                                       uint64_t most)
{
    struct naive_amount amount = not_set();
    for (int t = 0; t < NAIVE_TYPES; t++) {
        int64_t some = 100 * (int64_t)(1 + yk_random_below(random, most));
        if (t == 0 || one_in(random, 2))
            amount.v[t] = YK_MIN(some, within->v[t]);
    }
    return amount;
}

static struct naive_amount smaller(const struct naive_amount *a, const struct naive_amount *b)
{
    struct naive_amount least;
    for (int t = 0; t < NAIVE_TYPES; t++)
        least.v[t] = YK_MIN(a->v[t], b->v[t]);
    return least;
}

struct branch { /* what the queues above allow while the text is written */
    struct naive_amount max, users[NAIVE_LIMITS], guaranteed;
    int max_apps, user_apps[NAIVE_LIMITS];
};

/* Within `apps` (0: anything), within the queue's own (0: anything). */
static int some_apps(struct yk_random *random, int apps, int own)
{
    int bound = apps == 0 ? own : (own == 0 ? apps : YK_MIN(apps, own));
    if (apps == 0 && one_in(random, 2))
        return 0;
    return 1 + (int)yk_random_below(random, bound == 0 ? 4 : (uint64_t)bound);
}

static void put_limit(struct yk_buf *yaml, int depth, const char *kind, const char *name,
                      const struct naive_limit *limit)
{
    indent(yaml, depth);
    yk_buf_printf(yaml, "- {limit: l, %s: ['%s'], maxresources: ", kind, name);
    put_amount(yaml, &limit->max);
    if (limit->apps > 0)
        yk_buf_printf(yaml, ", maxapplications: %d", limit->apps);
    yk_buf_text(yaml, "}\n");
}

/* L5, 7.2: within the queue's maximum and within what the queues above allow the same users. */
static void put_user_limits(struct yk_random *random, struct yk_buf *yaml, int depth,
                            struct naive_queue *queue, const struct branch *above, struct branch *here)
{
    enum { ALL = NAIVE_USERS };
    for (int user = 0; user < NAIVE_LIMITS; user++) {
        struct naive_limit *limit = &queue->users[user];
        char name[8] = "*";
        *limit = (struct naive_limit){.is_set = one_in(random, 12)};
        if (!limit->is_set)
            continue;
        struct naive_amount within = smaller(&above->users[user], &above->users[ALL]);
        within = smaller(&within, &queue->max);
        limit->max = some_amount(random, &within, 90);
        int apps = above->user_apps[user] != 0 ? above->user_apps[user] : above->user_apps[ALL];
        if (above->user_apps[ALL] != 0)
            apps = YK_MIN(apps, above->user_apps[ALL]);
        limit->apps = some_apps(random, apps, queue->max_apps);
        if (user != ALL)
            (void)snprintf(name, sizeof(name), "u%d", user);
        put_limit(yaml, depth, "users", name, limit);
        here->users[user] = smaller(&here->users[user], &limit->max);
        if (limit->apps != 0)
            here->user_apps[user] = limit->apps;
    }
}

/* Groups have limits at the root only, always the same ones: so each user always counts in one group. */
static void put_group_limits(struct yk_random *random, struct yk_buf *yaml, struct naive_queue *root)
{
    static const char *const names[NAIVE_GROUPS] = {"g0", "g1", "*"};
    struct naive_amount nothing = not_set();
    for (int group = 0; group < NAIVE_GROUPS; group++) {
        struct naive_limit *limit = &root->groups[group];
        *limit = (struct naive_limit){.is_set = true, .max = some_amount(random, &nothing, 400)};
        limit->apps = one_in(random, 3) ? some_apps(random, 0, root->max_apps) : 0;
        put_limit(yaml, 0, "groups", names[group], limit);
    }
}

static void put_properties(struct yk_random *random, struct yk_buf *yaml, int depth,
                           struct naive_queue *queue, bool gives_way)
{
    static const char *const sorts[] = {"fifo", "fair", "stateaware"};
    static const char *const placements[] = {"gradual", "whole", "keep"};
    queue->sort = one_in(random, 2) ? NAIVE_FIFO : (enum naive_sort)yk_random_below(random, 3);
    queue->priority_sort = !one_in(random, 3);
    queue->fence = one_in(random, 6);
    queue->offset = one_in(random, 3) ? (int32_t)yk_random_below(random, 5) - 2 : 0;
    indent(yaml, depth);
    queue->has_placement = true;
    queue->placement = gives_way && !one_in(random, 8) ? NAIVE_GRADUAL : NAIVE_KEEP;
    if (gives_way && one_in(random, 5))
        queue->placement = NAIVE_WHOLE;
    yk_buf_printf(yaml,
                  "properties: {application.sort.policy: %s, application.sort.priority: %s, "
                  "priority.policy: %s, priority.offset: '%d', preemption.delay: 5s, "
                  "gang.placement: %s}\n",
                  sorts[queue->sort], queue->priority_sort ? "enabled" : "disabled",
                  queue->fence ? "fence" : "default", (int)queue->offset, placements[queue->placement]);
}

/* V4, V5: leaves only, and all together within what their parents may have. */
static void put_resources(struct yk_random *random, struct yk_buf *yaml, int depth, struct naive_queue *queue,
                          struct branch *here, bool unlimited)
{
    bool has_max = !unlimited && one_in(random, 2), has_guaranteed = queue->is_leaf && one_in(random, 3);
    queue->max = has_max ? some_amount(random, &here->max, 120) : not_set();
    here->max = smaller(&here->max, &queue->max);
    here->guaranteed = smaller(&here->guaranteed, &here->max);
    queue->guaranteed = has_guaranteed ? some_amount(random, &here->guaranteed, 20) : not_set();
    if (!has_max && !has_guaranteed)
        return;
    indent(yaml, depth);
    yk_buf_text(yaml, "resources: {");
    if (has_max) {
        yk_buf_text(yaml, "max: ");
        put_amount(yaml, &queue->max);
    }
    if (has_guaranteed) {
        yk_buf_text(yaml, has_max ? ", guaranteed: " : "guaranteed: ");
        put_amount(yaml, &queue->guaranteed);
    }
    yk_buf_text(yaml, "}\n");
}

struct writer {
    struct naive *naive;
    struct yk_random *random;
    struct yk_buf *yaml;
    int left; /* queues that may still be made */
    bool unlimited, gives_way;
};

static void write_queue(struct writer *writer, int depth, const char *name, int parent,
                        const struct branch *above)
{
    struct naive *naive = writer->naive;
    struct yk_random *random = writer->random;
    char path[128];
    (void)snprintf(path, sizeof(path), "%s%s%s", parent >= 0 ? naive->queues[parent].path : "",
                   parent >= 0 ? "." : "", name);
    int at = find(naive, path);
    if (at < 0)
        at = add(naive, path, parent);
    struct naive_queue *queue = &naive->queues[at];
    queue->configured = true;
    size_t children = depth >= 3 ? 0 : yk_random_below(random, 4) + (depth == 0);
    children = YK_MIN(children, (size_t)writer->left);
    writer->left -= (int)children;
    queue->is_leaf = children == 0;
    struct branch here = *above;
    yk_buf_printf(writer->yaml, "%*s- name: %s\n", 2 + 4 * depth, "", name);
    queue->max_apps = 0;
    if (!writer->unlimited && (above->max_apps != 0 || one_in(random, 10))) { /* V7 */
        queue->max_apps = some_apps(random, above->max_apps != 0 ? above->max_apps : 5, 0);
        here.max_apps = queue->max_apps;
        indent(writer->yaml, depth);
        yk_buf_printf(writer->yaml, "maxapplications: %d\n", queue->max_apps);
    }
    if (depth == 0) {
        indent(writer->yaml, depth);
        yk_buf_text(writer->yaml, "submitacl: '*'\n");
    } else {
        put_resources(random, writer->yaml, depth, queue, &here, writer->unlimited);
    }
    put_properties(random, writer->yaml, depth, queue, writer->gives_way);
    indent(writer->yaml, depth);
    yk_buf_text(writer->yaml, "limits:\n");
    size_t before = writer->yaml->len;
    if (!writer->unlimited)
        put_user_limits(random, writer->yaml, depth, queue, above, &here);
    if (depth == 0 && !writer->unlimited)
        put_group_limits(random, writer->yaml, queue);
    if (writer->yaml->len == before) {
        indent(writer->yaml, depth);
        yk_buf_text(writer->yaml, "  []\n");
    }
    for (int t = 0; t < NAIVE_TYPES; t++)
        here.guaranteed.v[t] /= 4;
    for (size_t i = 0; i < children; i++) {
        char child[8];
        (void)snprintf(child, sizeof(child), "q%zu", i);
        if (i == 0) {
            indent(writer->yaml, depth);
            yk_buf_text(writer->yaml, "queues:\n");
        }
        write_queue(writer, depth + 1, child, at, &here);
    }
}

void naive_configure(struct naive *naive, struct yk_random *random, const struct naive_style *style,
                     struct yk_buf *yaml)
{
    struct writer writer = {naive, random, yaml, 16, style->unlimited, style->gives_way};
    struct branch above = {.max = not_set(), .guaranteed = not_set()};
    for (int user = 0; user < NAIVE_LIMITS; user++)
        above.users[user] = not_set();
    for (int i = 0; i < NAIVE_QUEUES; i++)
        naive->queues[i].configured = false;
    naive->binpacking = one_in(random, 2);
    yk_buf_printf(yaml,
                  "partitions:\n- name: default\n  nodesortpolicy: {type: %s}\n"
                  "  preemption: {enabled: %s, quotapreemptionenabled: %s}\n"
                  "  placementrules: [{name: provided, create: true}]\n  queues:\n",
                  naive->binpacking ? "binpacking" : "fair", style->preemption ? "true" : "false",
                  style->preemption && one_in(random, 2) ? "true" : "false");
    write_queue(&writer, 0, "root", -1, &above);
    for (int i = 0; i < NAIVE_QUEUES; i++) { /* L18: nothing more is said about their users */
        if (naive->queues[i].configured)
            continue;
        memset(naive->queues[i].users, 0, sizeof(naive->queues[i].users));
        memset(naive->queues[i].groups, 0, sizeof(naive->queues[i].groups));
    }
    if (style->second_partition)
        yk_buf_text(yaml, "- name: other\n  queues:\n  - name: root\n    submitacl: '*'\n    queues:\n"
                          "    - {name: x, resources: {max: {vcore: 3}}}\n");
}

void naive_configure_plain(struct naive *naive, struct yk_buf *yaml)
{
    static const char *const paths[] = {"root", "root.a", "root.b"};
    for (int i = 0; i < 3; i++) {
        int at = add(naive, paths[i], i == 0 ? -1 : 0);
        naive->queues[at].configured = true;
        naive->queues[at].is_leaf = i > 0;
        naive->queues[at].has_placement = true;
        naive->queues[at].placement = NAIVE_KEEP;
    }
    yk_buf_text(yaml, "partitions:\n- name: default\n  placementrules: [{name: provided, create: true}]\n"
                      "  queues: [{name: root, submitacl: '*', properties: {gang.placement: keep},\n"
                      "  queues: [{name: a}, {name: b}]}]\n");
}
