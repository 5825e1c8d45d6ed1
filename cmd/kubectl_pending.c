/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_pending.h"

#include "client/url.h"
#include "cmd/kubectl_cells.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

#include <inttypes.h>

enum { ROWS_SHOWN = 20 };

static void put_pod(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%s/%s", yk_ctl_text(row, "namespace"), yk_ctl_text(row, "podName"));
}

static void put_position(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_printf(cell, "%" PRId64, yk_ctl_number(row, "positionInQueue"));
}

static void put_reason(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "reason"));
}

static void put_since(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    yk_cell_age(ctl, yk_ctl_number(row, "since"), cell);
}

static void put_message(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "message"));
}

static void put_request(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_request_put(cell, json_object_get(row, "resource"), false);
}

static const struct yk_ctl_column columns[] = {
    {"POD", false, put_pod},        {"POSITION", false, put_position}, {"WAITS", false, put_since},
    {"REQUEST", true, put_request}, {"REASON", false, put_reason},     {"MESSAGE", false, put_message},
};

/* Prints the number of pods for each reason, such as "QueueQuota 100, InsufficientNodeResources 23". */
static void print_sums(const struct yk_ctl *ctl, const json_t *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 8192};
    json_t *reasons = json_object_get(answer, "reasons");
    for (void *at = json_object_iter(reasons); at != NULL; at = json_object_iter_next(reasons, at))
        yk_buf_printf(&text, "%s%s %" JSON_INTEGER_FORMAT, text.len > 0 ? ", " : "", json_object_iter_key(at),
                      json_integer_value(json_object_iter_value(at)));
    yk_ctl_print_field(ctl, "Reasons", yk_buf_view(&text));
}

/* Whether the message of each pod is that of the answer, which callers print above the table. */
static bool all_wait_for_that(const json_t *answer)
{
    const json_t *pending = json_object_get(answer, "pending");
    for (size_t i = 0; i < json_array_size(pending); i++) {
        if (strcmp(yk_ctl_text(json_array_get(pending, i), "message"), yk_ctl_text(answer, "message")) != 0)
            return false;
    }
    return true;
}

/* A message can be long, and pods of a gang all have it: a message that is the one above it in the table, or
 * above the table, is not repeated. */
static void shorten_messages(json_t *pending, const char *above)
{
    for (size_t i = 0; i < json_array_size(pending); i++) {
        json_t *row = json_array_get(pending, i);
        const char *message = yk_ctl_text(row, "message");
        if (message[0] != '\0' && strcmp(message, above) == 0)
            (void)json_object_set_new(row, "message", json_string("as above")); /* else it stays */
        else
            above = message;
    }
}

void yk_ctl_print_pending(const struct yk_ctl *ctl, json_t *answer)
{
    json_t *pending = json_object_get(answer, "pending");
    int64_t total = yk_ctl_number(answer, "total");
    size_t count = YK_COUNT(columns) - all_wait_for_that(answer); /* the message is the last column */
    print_sums(ctl, answer);
    if (json_array_size(pending) == 0)
        return;
    shorten_messages(pending, yk_ctl_text(answer, "message"));
    (void)fputc('\n', ctl->out);
    yk_ctl_print_rows(ctl, pending, columns, count, "waiting pods");
    if (total > (int64_t)json_array_size(pending))
        (void)fprintf(ctl->out, "... and %" PRId64 " more\n", total - (int64_t)json_array_size(pending));
}

json_t *yk_ctl_get_pending_of_app(struct yk_ctl *ctl, const char *id)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    char limit[16];
    json_t *answer = NULL;
    yk_ctl_path(ctl, "/application", &path);
    yk_url_segment(&path, id);
    yk_buf_text(&path, "/pending");
    (void)snprintf(limit, sizeof(limit), "%d", ROWS_SHOWN); /* fits */
    yk_url_query(&path, "limit", limit);
    return yk_ctl_get(ctl, yk_buf_cstr(&path), &answer, NULL) == YK_OK ? answer : NULL;
}

void yk_ctl_print_pending_of_app(const struct yk_ctl *ctl, json_t *answer)
{
    yk_ctl_print_field(ctl, "Reason", yk_str_from(yk_ctl_text(answer, "reason")));
    yk_ctl_print_field(ctl, "Message", yk_str_from(yk_ctl_text(answer, "message")));
    yk_ctl_print_pending(ctl, answer);
}

void yk_ctl_print_gang_unused(const struct yk_ctl *ctl, const json_t *answer)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 4096};
    const char *why = yk_ctl_text(answer, "gangNotUsed");
    if (why[0] == '\0')
        return;
    yk_buf_printf(&text, "not used: %s", why);
    yk_ctl_print_field(ctl, "Gang", yk_buf_view(&text));
}
