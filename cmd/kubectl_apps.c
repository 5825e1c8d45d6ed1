/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn apps`: lists applications. */
#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

#include <inttypes.h>

static void put_name(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "applicationID"));
}

static void put_queue(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "queueName"));
}

static void put_user(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "user"));
}

static void put_state(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "applicationState"));
}

static void put_used(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    json_t *used = yk_app_in_use(row);
    yk_quantities_put(cell, used, false);
    json_decref(used);
}

static void put_placeholders(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "placeholderResource", cell);
}

static void put_pending(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "pendingResource", cell);
}

static void put_age(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    yk_cell_age(ctl, yk_ctl_number(row, "submissionTime"), cell);
}

static void put_most_used(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_cell_map(row, "maxUsedResource", cell);
}

static void put_groups(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    const json_t *groups = json_object_get(row, "groups");
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const char *group = json_string_value(json_array_get(groups, i));
        yk_buf_printf(cell, "%s%s", i > 0 ? "," : "", group != NULL ? group : "");
    }
}

static const struct yk_ctl_column columns[] = {
    {"NAME", false, put_name},
    {"QUEUE", false, put_queue},
    {"USER", false, put_user},
    {"STATE", false, put_state},
    {"USED", false, put_used},
    {"PENDING", false, put_pending},
    {"AGE", false, put_age},
    {"PLACEHOLDERS", true, put_placeholders},
    {"MOST USED", true, put_most_used},
    {"GROUPS", true, put_groups},
};

static void put_path(const struct yk_ctl *ctl, struct yk_buf *path)
{
    yk_ctl_path(ctl, "/applications", path);
    yk_url_segment(path, ctl->flags.state != NULL ? ctl->flags.state : "active");
    if (ctl->flags.queue != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf filter = {.max = 4096};
        yk_buf_printf(&filter, "queue:%s", ctl->flags.queue);
        yk_url_query(path, "filter", yk_buf_cstr(&filter));
    }
    if (ctl->output == YK_CTL_TABLE || ctl->output == YK_CTL_WIDE)
        yk_url_query(path, "view", "summary");
}

/* An error if there is no such queue: an empty list would not say so. */
static enum yk_status check_queue(struct yk_ctl *ctl, const char *name, struct yk_err *err)
{
    json_t *queue = NULL;
    enum yk_status st = yk_ctl_get_queue(ctl, name, &queue, err);
    json_decref(queue);
    return st;
}

enum yk_status yk_ctl_apps(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *apps = NULL;
    put_path(ctl, &path);
    enum yk_status st = yk_ctl_list(ctl, yk_buf_cstr(&path), &apps, err);
    if (st == YK_OK && ctl->flags.queue != NULL && json_array_size(apps) == 0)
        st = check_queue(ctl, ctl->flags.queue, err);
    if (st == YK_OK && !yk_ctl_print_tree(ctl, apps))
        yk_ctl_print_rows(ctl, apps, columns, YK_COUNT(columns), "applications");
    json_decref(apps);
    return st;
}
