/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn users`: lists users, then groups, with what they use, and the limit of which they use the
 * largest part. */
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

#include <inttypes.h>

static bool is_group(const json_t *row)
{
    return json_object_get(row, "groupName") != NULL;
}

static void put_name(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, is_group(row) ? "groupName" : "userName"));
}

static void put_kind(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, is_group(row) ? "group" : "user");
}

static void put_apps(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    const json_t *root = json_object_get(row, "queues");
    int64_t max = yk_ctl_number(root, "maxApplications");
    yk_buf_printf(cell, "%zu", json_array_size(json_object_get(root, "runningApplications")));
    if (max > 0)
        yk_buf_printf(cell, "/%" PRId64, max);
}

static void put_used(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(json_object_get(row, "queues"), "resourceUsage", cell);
}

/* The limit of which the largest part is used, in the queue and the queues below it. */
struct closest {
    const json_t *queue;  /* NULL: there is no limit above 0 */
    const char *resource; /* NULL: the maximum of applications */
    double part;
};

static void note(struct closest *closest, const json_t *queue, const char *resource, double part)
{
    if (closest->queue == NULL || part > closest->part)
        *closest = (struct closest){queue, resource, part};
}

static void find_closest(const json_t *queue, unsigned depth, struct closest *closest)
{
    const json_t *children = json_object_get(queue, "children");
    int64_t apps_max = yk_ctl_number(queue, "maxApplications");
    size_t apps = json_array_size(json_object_get(queue, "runningApplications"));
    const char *resource = NULL;
    double part = yk_dominant_share(json_object_get(queue, "resourceUsage"),
                                    json_object_get(queue, "maxResources"), &resource);
    if (resource != NULL)
        note(closest, queue, resource, part);
    if (apps_max > 0)
        note(closest, queue, NULL, (double)apps / (double)apps_max);
    for (size_t i = 0; i < json_array_size(children) && depth < YK_CTL_QUEUE_DEPTH_MAX; i++)
        find_closest(json_array_get(children, i), depth + 1, closest);
}

static void put_closest(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    struct closest closest = {0};
    find_closest(json_object_get(row, "queues"), 0, &closest);
    if (closest.queue == NULL)
        return;
    if (closest.resource == NULL) {
        yk_buf_printf(cell, "%zu/%" PRId64 " applications",
                      json_array_size(json_object_get(closest.queue, "runningApplications")),
                      yk_ctl_number(closest.queue, "maxApplications"));
    } else {
        yk_cell_used_of(closest.queue, "resourceUsage", "maxResources", closest.resource, cell);
        yk_buf_printf(cell, " %s", yk_resource_word(closest.resource));
    }
    yk_buf_printf(cell, " in %s", yk_ctl_text(closest.queue, "queuePath"));
}

static const struct yk_ctl_column columns[] = {
    {"NAME", false, put_name},
    {"KIND", false, put_kind},
    {"APPS", false, put_apps},
    {"USED", false, put_used},
    {"CLOSEST LIMIT", false, put_closest},
};

enum yk_status yk_ctl_users(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    YK_CLEANUP(yk_buf_done) struct yk_buf users_path = {.max = 4096}, groups_path = {.max = 4096};
    json_t *users = NULL, *groups = NULL;
    yk_ctl_path(ctl, "/usage/users", &users_path);
    yk_ctl_path(ctl, "/usage/groups", &groups_path);
    enum yk_status st = yk_ctl_list(ctl, yk_buf_cstr(&users_path), &users, err);
    if (st == YK_OK)
        st = yk_ctl_list(ctl, yk_buf_cstr(&groups_path), &groups, err);
    if (st == YK_OK) {
        (void)json_array_extend(users, groups); /* fails only without memory */
        if (!yk_ctl_print_tree(ctl, users))
            yk_ctl_print_rows(ctl, users, columns, YK_COUNT(columns), "users");
    }
    json_decref(users);
    json_decref(groups);
    return st;
}
