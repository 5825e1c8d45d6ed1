/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_ended.h"

#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

/* ---- finding ---- */

/* The filter selects names that contain its text, so the names are compared afterwards. A text with a colon
 * may be another kind of filter, such as "user:": the part behind the last colon is enough. */
static void put_path(const struct yk_ctl *ctl, const char *state, const char *id, struct yk_buf *path)
{
    const char *colon = strrchr(id, ':');
    yk_ctl_path(ctl, "/applications", path);
    yk_url_segment(path, state);
    yk_url_query(path, "filter", colon != NULL ? colon + 1 : id);
}

/* Counts the applications `id` of a list in `*count`. Replaces `*latest` by the one of them that ended last,
 * if it ended later. */
static void look_through(const json_t *apps, const char *id, json_t **latest, size_t *count)
{
    for (size_t i = 0; i < json_array_size(apps); i++) {
        json_t *app = json_array_get(apps, i);
        if (strcmp(yk_ctl_text(app, "applicationID"), id) != 0)
            continue;
        ++*count;
        if (*latest != NULL && yk_ctl_number(app, "finishedTime") < yk_ctl_number(*latest, "finishedTime"))
            continue;
        json_decref(*latest);
        *latest = json_incref(app);
    }
}

enum yk_status yk_ctl_find_ended(struct yk_ctl *ctl, const char *id, json_t **ret_app, size_t *ret_count,
                                 struct yk_err *err)
{
    static const char *const states[] = {"completed", "rejected"};
    json_t *latest = NULL;
    size_t count = 0;
    enum yk_status st = YK_OK;
    for (size_t i = 0; i < YK_COUNT(states) && st == YK_OK; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
        json_t *apps = NULL;
        put_path(ctl, states[i], id, &path);
        st = yk_ctl_list(ctl, yk_buf_cstr(&path), &apps, err);
        if (st == YK_OK)
            look_through(apps, id, &latest, &count);
        json_decref(apps);
    }
    if (st == YK_OK && latest == NULL)
        st = yk_fail(err, YK_ERR_NOT_FOUND, "Application not found");
    if (st != YK_OK) {
        json_decref(latest);
        return st;
    }
    *ret_app = latest;
    *ret_count = count;
    return YK_OK;
}

/* ---- printing ---- */

/* When the application left the state Running for the last time. It has ended some time later: an application
 * stays Completing for 30 s. 0: not known. */
static int64_t last_run_ns(const json_t *app)
{
    const json_t *log = json_object_get(app, "stateLog");
    int64_t last_ns = 0;
    for (size_t i = 0; i < json_array_size(log); i++) {
        const char *state = yk_ctl_text(json_array_get(log, i), "applicationState");
        if (strcmp(state, "Completing") == 0 || strcmp(state, "Failing") == 0)
            last_ns = yk_ctl_number(json_array_get(log, i), "time");
    }
    return last_ns;
}

static void print_times(const struct yk_ctl *ctl, const json_t *app)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf ran = {.max = 128};
    int64_t end_ns = yk_ctl_number(app, "finishedTime"), start_ms = yk_ctl_number(app, "startTime");
    int64_t last_ns = last_run_ns(app);
    yk_ctl_print_time(ctl, "Ended", end_ns);
    if (start_ms > 0)
        yk_age_put(&ran, (last_ns > 0 ? last_ns : end_ns) - start_ms * YK_NS_PER_MS);
    else if (strcmp(yk_ctl_text(app, "applicationState"), "Rejected") != 0)
        yk_buf_text(&ran, "never started");
    yk_ctl_print_field(ctl, "Ran", yk_buf_view(&ran));
}

void yk_ctl_print_end(const struct yk_ctl *ctl, const json_t *app, size_t count)
{
    char text[96];
    yk_ctl_print_field(ctl, "State", yk_str_from(yk_ctl_text(app, "applicationState")));
    yk_ctl_print_field(ctl, "Message", yk_str_from(yk_ctl_text(app, "rejectedMessage")));
    yk_ctl_print_field(ctl, "Message", yk_str_from(yk_ctl_text(app, "failedMessage")));
    print_times(ctl, app);
    if (count <= 1)
        return;
    (void)snprintf(text, sizeof(text), "the latest of %zu applications of this name that have ended",
                   count); /* fits */
    yk_ctl_print_field(ctl, "This one", yk_str_from(text));
}
