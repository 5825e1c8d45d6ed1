/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn events`: the latest events of the scheduler, with --follow also new ones. */
#include "client/url.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"
#include "events/event.h"

#include <inttypes.h>

enum { LINE_MAX_BYTES = 256 << 10, COUNT_DEFAULT = 100, FOLLOW_COUNT_DEFAULT = 10 };

/* ---- one event ---- */

static const struct word {
    int64_t number;
    const char *text;
} types[] = {{YK_EVENT_REQUEST, "pod"},
             {YK_EVENT_APP, "app"},
             {YK_EVENT_NODE, "node"},
             {YK_EVENT_QUEUE, "queue"},
             {YK_EVENT_USER_GROUP, "user"}},
  changes[] = {{YK_EVENT_SET, "set"}, {YK_EVENT_ADD, "added"}, {YK_EVENT_REMOVE, "removed"}},
  details[] = {{YK_EVENT_REQUEST_CANCEL, "request cancelled"},
               {YK_EVENT_REQUEST_ALLOC, "allocated"},
               {YK_EVENT_REQUEST_TIMEOUT, "request timed out"},
               {YK_EVENT_APP_ALLOC, "allocation"},
               {YK_EVENT_APP_REQUEST, "request"},
               {YK_EVENT_APP_REJECT, "rejected"},
               {YK_EVENT_APP_NEW, "new"},
               {YK_EVENT_APP_ACCEPTED, "accepted"},
               {YK_EVENT_APP_STARTING, "starting"},
               {YK_EVENT_APP_RUNNING, "running"},
               {YK_EVENT_APP_COMPLETING, "completing"},
               {YK_EVENT_APP_COMPLETED, "completed"},
               {YK_EVENT_APP_FAILING, "failing"},
               {YK_EVENT_APP_FAILED, "failed"},
               {YK_EVENT_APP_RESUMING, "resuming"},
               {YK_EVENT_APP_EXPIRED, "expired"},
               {YK_EVENT_APP_CANNOT_RUN_QUEUE, "held by the queue's maximum of applications"},
               {YK_EVENT_APP_RUNNABLE_QUEUE, "may run in the queue"},
               {YK_EVENT_APP_CANNOT_RUN_QUOTA, "held by a limit of user or group"},
               {YK_EVENT_APP_RUNNABLE_QUOTA, "may run by the limits"},
               {YK_EVENT_NODE_DECOMMISSION, "decommissioned"},
               {YK_EVENT_NODE_SCHEDULABLE, "schedulable"},
               {YK_EVENT_NODE_ALLOC, "allocation"},
               {YK_EVENT_NODE_CAPACITY, "capacity"},
               {YK_EVENT_NODE_OCCUPIED, "used by other pods"},
               {YK_EVENT_NODE_RESERVATION, "reservation"},
               {YK_EVENT_QUEUE_CONFIG, "configuration"},
               {YK_EVENT_QUEUE_DYNAMIC, "created by a placement rule"},
               {YK_EVENT_QUEUE_TYPE, "type"},
               {YK_EVENT_QUEUE_MAX, "maximum"},
               {YK_EVENT_QUEUE_GUARANTEED, "guaranteed"},
               {YK_EVENT_QUEUE_APP, "application"},
               {YK_EVENT_QUEUE_ALLOC, "allocation"},
               {YK_EVENT_QUEUE_QUOTA_PREEMPTION, "preemption for the quota"},
               {YK_EVENT_ALLOC_CANCEL, "allocation cancelled"},
               {YK_EVENT_ALLOC_PREEMPT, "preempted"},
               {YK_EVENT_ALLOC_TIMEOUT, "allocation timed out"},
               {YK_EVENT_ALLOC_REPLACED, "placeholder replaced"},
               {YK_EVENT_ALLOC_NODE_REMOVED, "node removed"},
               {YK_EVENT_UG_USER_LIMIT, "limit of the user"},
               {YK_EVENT_UG_GROUP_LIMIT, "limit of the group"},
               {YK_EVENT_UG_APP_LINK, "application counts for a group"},
               {YK_EVENT_UG_USER_RESOURCE, "usage of the user"},
               {YK_EVENT_UG_GROUP_RESOURCE, "usage of the group"}};

static const char *word_of(const struct word *words, size_t count, int64_t number)
{
    for (size_t i = 0; i < count; i++) {
        if (words[i].number == number)
            return words[i].text;
    }
    return "";
}

static void put_what(const json_t *event, struct yk_buf *cell)
{
    const char *detail = word_of(details, YK_COUNT(details), yk_ctl_number(event, "eventChangeDetail"));
    const char *change = word_of(changes, YK_COUNT(changes), yk_ctl_number(event, "eventChangeType"));
    yk_buf_printf(cell, "%s%s%s", change, change[0] != '\0' && detail[0] != '\0' ? ": " : "", detail);
}

/* Converts {"resources":{"vcore":{"value":1}}} to {"vcore":1}, which the caller frees with json_decref(). */
static json_t *amounts_of(const json_t *event)
{
    json_t *map = json_object();
    json_t *resources = json_object_get(json_object_get(event, "resource"), "resources");
    for (void *at = json_object_iter(resources); at != NULL; at = json_object_iter_next(resources, at))
        (void)json_object_set_new(map, json_object_iter_key(at),
                                  json_integer(yk_ctl_number(json_object_iter_value(at), "value")));
    return map;
}

/* Reads amounts as Go prints a map, such as "memory:1073741824 vcore:500", up to `end`. NULL: they are not of
 * this form. The caller frees them with json_decref(). */
static json_t *amounts_in(const char *text, const char *end)
{
    json_t *map = json_object();
    struct yk_str rest = {text, (size_t)(end - text)};
    while (rest.len > 0) {
        const char *blank = memchr(rest.p, ' ', rest.len);
        size_t len = blank != NULL ? (size_t)(blank - rest.p) : rest.len;
        const char *colon = memrchr(rest.p, ':', len);
        int64_t amount;
        if (colon == NULL ||
            yk_str_to_i64((struct yk_str){colon + 1, len - (size_t)(colon + 1 - rest.p)}, &amount) != YK_OK) {
            json_decref(map);
            return NULL;
        }
        (void)json_object_setn_new(map, rest.p, (size_t)(colon - rest.p), json_integer(amount));
        len += blank != NULL;
        rest = (struct yk_str){rest.p + len, rest.len - len};
    }
    return map;
}

/* Appends the message of the event. YuniKorn's messages have amounts in base units, "map[vcore:500]", which
 * are shown as "cpu 0.5". */
static void put_words(const char *message, struct yk_buf *cell)
{
    static const char head[] = "map[";
    for (const char *begin = strstr(message, head); begin != NULL; begin = strstr(message, head)) {
        const char *amounts_at = begin + strlen(head), *end = strchr(amounts_at, ']');
        json_t *amounts = end != NULL ? amounts_in(amounts_at, end) : NULL;
        if (amounts == NULL)
            break;
        yk_buf_add(cell, message, (size_t)(begin - message));
        if (json_object_size(amounts) == 0)
            yk_buf_text(cell, "nothing");
        yk_quantities_put(cell, amounts, true);
        json_decref(amounts);
        message = end + 1;
    }
    yk_buf_text(cell, message);
}

static void put_message(const json_t *event, struct yk_buf *cell)
{
    json_t *amounts = amounts_of(event);
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 64 << 10};
    yk_quantities_put(&text, amounts, false);
    put_words(yk_ctl_text(event, "message"), cell);
    if (text.len > 0)
        yk_buf_printf(cell, "%s%s", cell->len > 0 ? "; " : "", yk_buf_cstr(&text));
    json_decref(amounts);
}

/* ---- the latest events ---- */

static void column_time(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_time_put(cell, yk_ctl_number(row, "timestampNano"));
}

static void column_type(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, word_of(types, YK_COUNT(types), yk_ctl_number(row, "type")));
}

static void column_object(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "objectID"));
}

static void column_reference(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    yk_buf_text(cell, yk_ctl_text(row, "referenceID"));
}

static void column_what(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    put_what(row, cell);
}

static void column_message(const struct yk_ctl *ctl, const json_t *row, struct yk_buf *cell)
{
    (void)ctl;
    put_message(row, cell);
}

static const struct yk_ctl_column columns[] = {
    {"TIME", false, column_time}, {"TYPE", false, column_type},          {"OBJECT", false, column_object},
    {"WHAT", false, column_what}, {"REFERENCE", true, column_reference}, {"MESSAGE", false, column_message},
};

static enum yk_status get_batch(struct yk_ctl *ctl, int64_t start, int64_t count, json_t **ret_batch,
                                struct yk_err *err)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "/ws/v1/events/batch?count=%" PRId64 "&start=%" PRId64, count,
                   start); /* fits */
    return yk_ctl_get(ctl, path, ret_batch, err);
}

static enum yk_status read_count(struct yk_ctl *ctl, int64_t otherwise, int64_t *ret_count,
                                 struct yk_err *err)
{
    *ret_count = otherwise;
    if (ctl->flags.limit == NULL)
        return YK_OK;
    if (yk_str_to_i64(yk_str_from(ctl->flags.limit), ret_count) == YK_OK && *ret_count > 0)
        return YK_OK;
    ctl->is_misused = true;
    return yk_fail(err, YK_ERR_INVALID, "--limit is a positive number, not '%s'", ctl->flags.limit);
}

static enum yk_status show_latest(struct yk_ctl *ctl, struct yk_err *err)
{
    json_t *batch = NULL;
    int64_t count;
    enum yk_status st = read_count(ctl, COUNT_DEFAULT, &count, err);
    if (st == YK_OK)
        st = get_batch(ctl, 0, 1, &batch, err); /* for the lowest and highest number of an event */
    if (st != YK_OK)
        return st;
    int64_t lowest = yk_ctl_number(batch, "LowestID"), highest = yk_ctl_number(batch, "HighestID");
    json_decref(batch);
    batch = NULL;
    st = get_batch(ctl, YK_MAX(lowest, highest - count + 1), count, &batch, err);
    if (st != YK_OK)
        return st;
    if (!yk_ctl_print_tree(ctl, batch))
        yk_ctl_print_rows(ctl, json_object_get(batch, "EventRecords"), columns, YK_COUNT(columns), "events");
    json_decref(batch);
    return YK_OK;
}

/* ---- new events ---- */

struct stream {
    struct yk_ctl *ctl;
    struct yk_buf line;    /* the part of a line that has arrived */
    struct yk_err trouble; /* why the server has ended the stream */
};

static void print_event(const struct yk_ctl *ctl, const json_t *event)
{
    YK_CLEANUP(yk_buf_done)
    struct yk_buf time = {.max = 64}, what = {.max = 512}, message = {.max = 64 << 10},
                  text = {.max = 64 << 10}, clean = {.max = 256 << 10};
    const char *type = word_of(types, YK_COUNT(types), yk_ctl_number(event, "type"));
    yk_time_put(&time, yk_ctl_number(event, "timestampNano"));
    put_what(event, &what);
    put_message(event, &message);
    yk_buf_printf(&text, "%s  %-5s  %s  %s%s%s", yk_buf_cstr(&time), type, yk_ctl_text(event, "objectID"),
                  yk_buf_cstr(&what), message.len > 0 ? "  " : "", yk_buf_cstr(&message));
    yk_text_for_terminal(yk_buf_view(&text), &clean);
    (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&clean));
}

static void print_line(struct stream *stream, const json_t *tree)
{
    if (json_object_get(tree, "timestampNano") != NULL)
        print_event(stream->ctl, tree);
    else if (json_object_get(tree, "status_code") != NULL)
        (void)yk_fail(&stream->trouble, YK_ERR_UNAVAILABLE, "%s", yk_ctl_text(tree, "message"));
}

static void take_line(struct stream *stream)
{
    struct yk_str line = yk_str_trim(yk_buf_view(&stream->line));
    bool is_raw = stream->ctl->output == YK_CTL_JSON;
    json_t *tree = line.len > 0 ? json_loadb(line.p, line.len, JSON_ALLOW_NUL, NULL) : NULL;
    if (tree != NULL && is_raw) {
        YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = 8 * LINE_MAX_BYTES};
        yk_json_for_terminal(line, &clean);
        (void)fprintf(stream->ctl->out, "%s\n", yk_buf_cstr(&clean));
    } else if (tree != NULL && !yk_ctl_print_tree(stream->ctl, tree)) {
        print_line(stream, tree);
    }
    json_decref(tree);
    yk_buf_clear(&stream->line);
}

/* Prints the event in each complete line, unless the line has more than LINE_MAX_BYTES. */
static bool take_bytes(void *context, struct yk_str bytes)
{
    struct stream *stream = context;
    for (size_t at = 0; at < bytes.len;) {
        const char *end = memchr(bytes.p + at, '\n', bytes.len - at);
        size_t len = end != NULL ? (size_t)(end - bytes.p) - at : bytes.len - at;
        yk_buf_add(&stream->line, bytes.p + at, len);
        at += len + (end != NULL);
        if (end != NULL)
            take_line(stream);
    }
    /* False if the output cannot be written, such as to a closed pipe. */
    return fflush(stream->ctl->out) == 0;
}

static enum yk_status follow(struct yk_ctl *ctl, struct yk_err *err)
{
    struct stream stream = {.ctl = ctl, .line.max = LINE_MAX_BYTES};
    char path[96];
    int64_t count;
    enum yk_status st = read_count(ctl, FOLLOW_COUNT_DEFAULT, &count, err);
    if (st != YK_OK)
        return st;
    (void)snprintf(path, sizeof(path), "/ws/v1/events/stream?count=%" PRId64, count); /* fits */
    const struct yk_ctl_request request = {
        .method = "GET", .path = path, .is_endless = true, .sink = take_bytes, .context = &stream};
    st = yk_ctl_link_call(ctl->link, &request, NULL, err);
    yk_buf_done(&stream.line);
    return st == YK_OK && stream.trouble.text[0] != '\0'
               ? yk_fail(err, YK_ERR_UNAVAILABLE, "%s", stream.trouble.text)
               : st;
}

enum yk_status yk_ctl_events(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    (void)operands;
    return ctl->flags.follow != NULL ? follow(ctl, err) : show_latest(ctl, err);
}
