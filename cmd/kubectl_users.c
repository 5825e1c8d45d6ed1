/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn users`: lists users, then groups, with what they use. */
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"

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

static void put_max(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(json_object_get(row, "queues"), "maxResources", cell);
}

static const struct yk_ctl_column columns[] = {
    {"NAME", false, put_name}, {"KIND", false, put_kind}, {"APPS", false, put_apps},
    {"USED", false, put_used}, {"LIMIT", false, put_max},
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
