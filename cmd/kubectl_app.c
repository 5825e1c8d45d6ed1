/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn app`: describes an application, or with --timeline shows its history. */
#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_ended.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_pending.h"
#include "cmd/kubectl_quantity.h"

#include <inttypes.h>

static void put_app_path(const struct yk_ctl *ctl, const char *id, const char *rest, struct yk_buf *path)
{
    yk_ctl_path(ctl, "/application", path);
    yk_url_segment(path, id);
    yk_buf_text(path, rest);
}

/* ---- timeline ---- */

static void put_time(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_time_put(cell, yk_ctl_number(row, "time"));
}

static void put_type(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "type"));
}

static void put_pod(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "podName"));
}

static void put_node(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "nodeID"));
}

static void put_reason(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "reason"));
}

static void put_message(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "message"));
}

static const struct yk_ctl_column timeline_columns[] = {
    {"TIME", false, put_time}, {"WHAT", false, put_type},    {"POD", false, put_pod},
    {"NODE", true, put_node},  {"REASON", true, put_reason}, {"MESSAGE", false, put_message},
};

static enum yk_status show_timeline(struct yk_ctl *ctl, const char *id, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *timeline = NULL;
    put_app_path(ctl, id, "/timeline", &path);
    enum yk_status st = yk_ctl_get(ctl, yk_buf_cstr(&path), &timeline, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "timeline of application '%s'", id);
    if (!yk_ctl_print_tree(ctl, timeline)) {
        int64_t omitted = yk_ctl_number(timeline, "omitted");
        if (omitted > 0)
            (void)fprintf(ctl->out, "%" PRId64 " earlier events are not kept.\n", omitted);
        yk_ctl_print_rows(ctl, json_object_get(timeline, "events"), timeline_columns,
                          YK_COUNT(timeline_columns), "events");
    }
    json_decref(timeline);
    return YK_OK;
}

/* ---- description ---- */

static void print_map(const struct yk_ctl *ctl, const char *label, const json_t *app, const char *member)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    yk_quantities_put(&text, json_object_get(app, member), false);
    yk_ctl_print_field(ctl, label, yk_buf_view(&text));
}

/* REST has, for each resource, the larger one of what its pods and what its placeholders used at most. */
static void print_most_used(const struct yk_ctl *ctl, const json_t *app)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    yk_quantities_put(&text, json_object_get(app, "maxUsedResource"), false);
    if (text.len > 0 && (json_array_size(json_object_get(app, "placeholderData")) > 0 ||
                         json_object_get(app, "placeholderResource") != NULL))
        yk_buf_text(&text, " (pods and placeholders not added up)");
    yk_ctl_print_field(ctl, "Most used", yk_buf_view(&text));
}

/* With what its placeholders hold: REST has that in a map of its own. */
static void print_used(const struct yk_ctl *ctl, const json_t *app)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    const json_t *placeholders = json_object_get(app, "placeholderResource");
    json_t *used = yk_app_in_use(app);
    yk_quantities_put(&text, used, false);
    json_decref(used);
    if (placeholders != NULL && json_object_get(app, "usedResource") == NULL) {
        yk_buf_text(&text, ", all through placeholders");
    } else if (placeholders != NULL) {
        YK_CLEANUP(yk_buf_done) struct yk_buf part = {.max = 64 << 10};
        yk_quantities_put(&part, placeholders, false);
        yk_buf_printf(&text, "; through placeholders: %s", yk_buf_cstr(&part));
    }
    yk_ctl_print_field(ctl, "Used", yk_buf_view(&text));
}

/* Numbers of pods that have a node, and of those that wait. */
struct pods {
    size_t on_nodes, waiting;
};

/* Placeholders, of one task group or of all if `group` is NULL; otherwise the pods that are none. */
static size_t count_rows(const json_t *rows, bool placeholders, const char *group)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        count += yk_ctl_truth(row, "placeholder") == placeholders &&
                 (group == NULL || strcmp(yk_ctl_text(row, "taskGroupName"), group) == 0);
    }
    return count;
}

static struct pods count_pods(const json_t *app, bool placeholders, const char *group)
{
    return (struct pods){.on_nodes = count_rows(json_object_get(app, "allocations"), placeholders, group),
                         .waiting = count_rows(json_object_get(app, "requests"), placeholders, group)};
}

/* "24 on nodes, 6 waiting", without numbers of 0. */
static void put_placeholders(struct yk_buf *text, struct pods pods)
{
    if (pods.on_nodes > 0)
        yk_buf_printf(text, "%zu on nodes", pods.on_nodes);
    if (pods.waiting > 0)
        yk_buf_printf(text, "%s%zu waiting", pods.on_nodes > 0 ? ", " : "", pods.waiting);
}

/* The pods of a gang are requests only when its placeholders have nodes: `pending` counts them before. */
static void print_counts(const struct yk_ctl *ctl, const json_t *app, const json_t *pending)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 256}, part = {.max = 128};
    struct pods pods = count_pods(app, false, NULL);
    yk_buf_printf(&text, "%zu running, %" PRId64 " waiting", pods.on_nodes,
                  (int64_t)pods.waiting + yk_ctl_number(pending, "gangMembers"));
    put_placeholders(&part, count_pods(app, true, NULL));
    if (part.len > 0)
        yk_buf_printf(&text, "; placeholders: %s", yk_buf_cstr(&part));
    yk_ctl_print_field(ctl, "Pods", yk_buf_view(&text));
}

/* `timedout` of REST counts all placeholders that ended without being replaced, also those of a gang that gave
 * way, which are made again. */
static void print_gang(const struct yk_ctl *ctl, const json_t *app)
{
    const json_t *groups = json_object_get(app, "placeholderData");
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 8192};
        const char *name = yk_ctl_text(group, "taskGroupName");
        int64_t ended = yk_ctl_number(group, "timedout");
        struct pods pods = count_pods(app, true, name);
        yk_buf_printf(&text, "%s: placeholders: ", name);
        put_placeholders(&text, pods);
        yk_buf_printf(&text, "%s%" PRId64 " replaced by pods", pods.on_nodes + pods.waiting > 0 ? ", " : "",
                      yk_ctl_number(group, "replaced"));
        if (ended > 0)
            yk_buf_printf(&text, ", %" PRId64 " ended without being replaced", ended);
        yk_ctl_print_field(ctl, "Gang", yk_buf_view(&text));
    }
}

/* `pending`: its waiting pods; NULL: unknown. */
static void describe(const struct yk_ctl *ctl, const json_t *app, json_t *pending)
{
    yk_ctl_print_field(ctl, "Name", yk_str_from(yk_ctl_text(app, "applicationID")));
    yk_ctl_print_field(ctl, "Queue", yk_str_from(yk_ctl_text(app, "queueName")));
    yk_ctl_print_field(ctl, "User", yk_str_from(yk_ctl_text(app, "user")));
    yk_ctl_print_field(ctl, "State", yk_str_from(yk_ctl_text(app, "applicationState")));
    yk_ctl_print_field(ctl, "Message", yk_str_from(yk_ctl_text(app, "failedMessage")));
    yk_ctl_print_time(ctl, "Submitted", yk_ctl_number(app, "submissionTime"));
    print_counts(ctl, app, pending);
    print_used(ctl, app);
    print_map(ctl, "Pending", app, "pendingResource");
    print_most_used(ctl, app);
    print_gang(ctl, app);
    yk_ctl_print_gang_unused(ctl, app);
    if (pending != NULL)
        yk_ctl_print_pending_of_app(ctl, pending);
}

static void describe_ended(const struct yk_ctl *ctl, const json_t *app, size_t count)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf hint = {.max = 4096};
    const char *id = yk_ctl_text(app, "applicationID");
    yk_ctl_print_field(ctl, "Name", yk_str_from(id));
    yk_ctl_print_field(ctl, "Queue", yk_str_from(yk_ctl_text(app, "queueName")));
    yk_ctl_print_field(ctl, "User", yk_str_from(yk_ctl_text(app, "user")));
    yk_ctl_print_end(ctl, app, count);
    yk_ctl_print_time(ctl, "Submitted", yk_ctl_number(app, "submissionTime"));
    print_most_used(ctl, app);
    print_gang(ctl, app);
    yk_buf_printf(&hint, "kubectl yunikorn app %s --timeline", id);
    yk_ctl_print_field(ctl, "Timeline", yk_buf_view(&hint));
}

/* Shows the application among those that have ended. */
static enum yk_status show_ended(struct yk_ctl *ctl, const char *id, struct yk_err *err)
{
    json_t *app = NULL;
    size_t count = 0;
    enum yk_status st = yk_ctl_find_ended(ctl, id, &app, &count, err);
    if (st == YK_OK && !yk_ctl_print_tree(ctl, app))
        describe_ended(ctl, app, count);
    json_decref(app);
    return st;
}

static enum yk_status show_app(struct yk_ctl *ctl, const char *id, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    json_t *app = NULL;
    put_app_path(ctl, id, "", &path);
    enum yk_status st = yk_ctl_get(ctl, yk_buf_cstr(&path), &app, err);
    if (st == YK_ERR_NOT_FOUND)
        return show_ended(ctl, id, err);
    if (st == YK_OK && !yk_ctl_print_tree(ctl, app)) {
        json_t *pending = yk_ctl_get_pending_of_app(ctl, id);
        describe(ctl, app, pending);
        json_decref(pending);
    }
    json_decref(app);
    return st;
}

enum yk_status yk_ctl_app(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    if (ctl->flags.timeline != NULL)
        return show_timeline(ctl, operands[0], err);
    enum yk_status st = show_app(ctl, operands[0], err);
    return st == YK_OK ? YK_OK : yk_fail_in(err, st, "application '%s'", operands[0]);
}
