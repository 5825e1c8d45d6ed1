/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn queues` lists all queues, `kubectl yunikorn queue` describes one. */
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

#include <inttypes.h>

/* ---- columns ---- */

static void put_name(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    const char *name = yk_ctl_text(row, "queuename"), *dot = strrchr(name, '.');
    if (ctl->flags.tree != NULL && dot != NULL) {
        for (const char *p = name; *p != '\0'; p++)
            yk_buf_text(cell, *p == '.' ? "  " : "");
        name = dot + 1;
    }
    yk_buf_text(cell, name);
}

static void put_status(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "status"));
}

static void put_apps(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    int64_t max = yk_ctl_number(row, "maxRunningApps");
    yk_buf_printf(cell, "%" PRId64, yk_ctl_number(row, "runningApps"));
    if (max > 0)
        yk_buf_printf(cell, "/%" PRId64, max);
}

static void put_cpu(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_used_of(row, "allocatedResource", "maxResource", "vcore", cell);
}

static void put_memory(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_used_of(row, "allocatedResource", "maxResource", "memory", cell);
}

static void put_pending(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "pendingResource", cell);
}

static void put_guaranteed(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "guaranteedResource", cell);
}

static void put_headroom(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_quantities_put(cell, json_object_get(row, "headroom"), true);
}

static void put_policy(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "sortingPolicy"));
}

static const struct yk_ctl_column columns[] = {
    {"NAME", false, put_name},
    {"STATUS", false, put_status},
    {"APPS", false, put_apps},
    {"CPU", false, put_cpu},
    {"MEMORY", false, put_memory},
    {"PENDING", false, put_pending},
    {"GUARANTEED", true, put_guaranteed},
    {"HEADROOM", true, put_headroom},
    {"SORTING", true, put_policy},
};

/* ---- lists ---- */

static void collect(const json_t *queue, unsigned depth, json_t *rows)
{
    const json_t *children = json_object_get(queue, "children");
    (void)json_array_append(rows, (json_t *)(uintptr_t)queue); /* fails only without memory */
    for (size_t i = 0; i < json_array_size(children) && depth < YK_CTL_QUEUE_DEPTH_MAX; i++)
        collect(json_array_get(children, i), depth + 1, rows);
}

static void print_tree(const struct yk_ctl *ctl, const json_t *root)
{
    json_t *rows = json_array();
    collect(root, 0, rows);
    yk_ctl_print_rows(ctl, rows, columns, YK_COUNT(columns), "queues");
    json_decref(rows);
}

enum yk_status yk_ctl_queues(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *root = NULL;
    yk_ctl_path(ctl, "/queues", &path);
    enum yk_status st = yk_ctl_get(ctl, yk_buf_cstr(&path), &root, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_print_tree(ctl, root))
        print_tree(ctl, root);
    json_decref(root);
    return YK_OK;
}

/* ---- one queue ---- */

static void print_map(const struct yk_ctl *ctl, const char *label, const json_t *queue, const char *member)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    yk_quantities_put(&text, json_object_get(queue, member), strcmp(member, "headroom") == 0);
    yk_ctl_print_field(ctl, label, yk_buf_view(&text));
}

static void print_number(const struct yk_ctl *ctl, const char *label, int64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%" PRId64, number); /* fits */
    yk_ctl_print_field(ctl, label, yk_str_from(text));
}

static void print_texts(const struct yk_ctl *ctl, const char *label, const json_t *list)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        yk_buf_printf(&text, "%s%s", i > 0 ? ", " : "", item != NULL ? item : "");
    }
    yk_ctl_print_field(ctl, label, yk_buf_view(&text));
}

static void print_properties(const struct yk_ctl *ctl, const json_t *properties)
{
    json_t *members = (json_t *)(uintptr_t)properties; /* jansson's iterators do not change it */
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 8192};
        const char *value = json_string_value(json_object_iter_value(at));
        yk_buf_printf(&text, "%s=%s", json_object_iter_key(at), value != NULL ? value : "");
        yk_ctl_print_field(ctl, "Property", yk_buf_view(&text));
    }
}

/* ---- who uses it ---- */

enum { USERS_NAMED = 5 };

/* What a user uses in the queue; NULL: nothing. `node` is the tree of the queues that the user uses. */
static const json_t *usage_in(const json_t *node, const char *queue, unsigned depth)
{
    const json_t *children = json_object_get(node, "children"), *usage = NULL;
    if (strcmp(yk_ctl_text(node, "queuePath"), queue) == 0)
        return json_object_get(node, "resourceUsage");
    for (size_t i = 0; i < json_array_size(children) && depth < YK_CTL_QUEUE_DEPTH_MAX && usage == NULL; i++)
        usage = usage_in(json_array_get(children, i), queue, depth + 1);
    return usage;
}

struct part {
    const char *user;
    const json_t *usage;
    double share; /* part of what the queue uses */
};

/* The largest share first; equal shares by name. */
static int by_share(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return x->share > y->share ? -1 : x->share < y->share ? 1 : strcmp(x->user, y->user);
}

/* Prints a line such as "bob (cpu 8, memory 8Gi, pods 4), joe (cpu 4, memory 3Gi, pods 3)". */
static void print_parts(const struct yk_ctl *ctl, const struct part *parts, size_t count)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    for (size_t i = 0; i < YK_MIN(count, (size_t)USERS_NAMED); i++) {
        yk_buf_printf(&text, "%s%s (", i > 0 ? ", " : "", parts[i].user);
        yk_quantities_put(&text, parts[i].usage, false);
        yk_buf_char(&text, ')');
    }
    if (count > USERS_NAMED)
        yk_buf_printf(&text, " and %zu others", count - USERS_NAMED);
    yk_ctl_print_field(ctl, "Used by", yk_buf_view(&text));
}

static void print_users(const struct yk_ctl *ctl, const json_t *queue, const json_t *users)
{
    size_t count = 0;
    struct part *parts = yk_calloc(json_array_size(users) + 1, sizeof(*parts));
    for (size_t i = 0; i < json_array_size(users); i++) {
        const json_t *user = json_array_get(users, i);
        const char *resource;
        struct part part = {
            .user = yk_ctl_text(user, "userName"),
            .usage = usage_in(json_object_get(user, "queues"), yk_ctl_text(queue, "queuename"), 0)};
        part.share = yk_dominant_share(part.usage, json_object_get(queue, "allocatedResource"), &resource);
        if (part.share > 0)
            parts[count++] = part;
    }
    qsort(parts, count, sizeof(*parts), by_share);
    print_parts(ctl, parts, count);
    free(parts);
}

/* Prints nothing if the request fails, for example because the user may not read what users use. */
static void describe_users(struct yk_ctl *ctl, const json_t *queue)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *users = NULL;
    yk_ctl_path(ctl, "/usage/users", &path);
    if (yk_ctl_list(ctl, yk_buf_cstr(&path), &users, NULL) == YK_OK)
        print_users(ctl, queue, users);
    json_decref(users);
}

static void describe(struct yk_ctl *ctl, const json_t *queue)
{
    int64_t max = yk_ctl_number(queue, "maxRunningApps");
    yk_ctl_print_field(ctl, "Name", yk_str_from(yk_ctl_text(queue, "queuename")));
    yk_ctl_print_field(ctl, "Status", yk_str_from(yk_ctl_text(queue, "status")));
    yk_ctl_print_field(ctl, "Kind", yk_ctl_truth(queue, "isLeaf") ? YK_STR("leaf") : YK_STR("parent"));
    yk_ctl_print_field(ctl, "Managed",
                       yk_ctl_truth(queue, "isManaged") ? YK_STR("by the configuration")
                                                        : YK_STR("no, created by a placement rule"));
    print_map(ctl, "Used", queue, "allocatedResource");
    describe_users(ctl, queue);
    print_map(ctl, "Guaranteed", queue, "guaranteedResource");
    print_map(ctl, "Maximum", queue, "maxResource");
    print_map(ctl, "Headroom", queue, "headroom");
    print_map(ctl, "Pending", queue, "pendingResource");
    print_map(ctl, "Preempting", queue, "preemptingResource");
    print_number(ctl, "Running apps", yk_ctl_number(queue, "runningApps"));
    if (max > 0)
        print_number(ctl, "Maximum apps", max);
    yk_ctl_print_field(ctl, "Sorting", yk_str_from(yk_ctl_text(queue, "sortingPolicy")));
    print_texts(ctl, "Children", json_object_get(queue, "childNames"));
    print_properties(ctl, json_object_get(queue, "properties"));
}

enum yk_status yk_ctl_queue(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    json_t *queue = NULL;
    enum yk_status st = yk_ctl_get_queue(ctl, operands[0], &queue, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_print_tree(ctl, queue))
        describe(ctl, queue);
    json_decref(queue);
    return YK_OK;
}
