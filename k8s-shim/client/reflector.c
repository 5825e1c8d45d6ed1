/* SPDX-License-Identifier: Apache-2.0 */
#include "client/reflector.h"

#include "api/list_reader.h"
#include "api/watch_reader.h"
#include "base/log.h"
#include "client/backoff.h"
#include "client/url.h"

enum {
    PAGE_LIMIT = 500,
    WATCH_SECONDS_MIN = 300,
    WATCH_SECONDS_MAX = 600,
    VERSION_MAX = 256,
    CONTINUE_MAX = 8192,
    SKIPPED_LOGGED_MAX = 5, /* how many skipped objects are logged per stream; all are counted */
};

static const int64_t watchdog_ns = 10 * YK_NS_PER_S;
static const int64_t stall_ns = 180 * YK_NS_PER_S;   /* a bookmark comes about once a minute */
static const int64_t overtime_ns = 30 * YK_NS_PER_S; /* how much longer than requested a watch may last */
static const int64_t page_timeout_ns = 60 * YK_NS_PER_S;
static const int64_t tell_again_ns = 60 * YK_NS_PER_S;
static const int64_t short_ns = YK_NS_PER_S;

enum step { STEP_STREAM, STEP_PAGES, STEP_WATCH };

enum outcome {
    OUTCOME_CLEAN,
    OUTCOME_CUT,
    OUTCOME_SHORT,
    OUTCOME_UNREACHABLE,
    OUTCOME_THROTTLED,
    OUTCOME_EXPIRED, /* 410, or the server does not know the version yet, because its database was set back */
    OUTCOME_GARBAGE,
    OUTCOME_REFUSED,
};

struct yk_reflector {
    /* Fixed for life. */
    struct yk_reflector_options options;
    enum yk_kind kind;
    char *namespace_, *label_selector, *field_selector;
    /* Kept when a stream ends. */
    enum step step;
    char *version;            /* owned; resourceVersion of the last event or list passed on, or NULL */
    bool version_unavailable; /* the server has no list from `version`, so the newest list is requested */
    bool has_no_streaming_list;
    bool starts_paged; /* the first list came in pages: the server has no watch cache for the kind */
    bool json_only;
    bool was_synced;
    int fruitless_expiries, fruitless_garbage; /* OUTCOME_EXPIRED, OUTCOME_GARBAGE since the last event */
    struct yk_backoff backoff;
    struct yk_timer later;
    bool is_lost; /* the watch does not work, and a warning about this has been logged */
    int lost_trouble;
    int64_t told_mono_ns; /* when the last warning was logged */
    uint64_t skipped;
    bool list_has_gaps; /* an object of the present list could not be read */
    /* A list in pages. */
    char *list_version, *continue_token; /* owned; no `continue_token`: the first page is next */
    bool wants_whole_list;               /* the continue token has expired: request the list in one page */
    /* The present stream. */
    struct yk_transfer *transfer; /* NULL: the reflector waits for the timer `later` */
    bool has_watch_reader;
    struct yk_watch_reader watch_reader; /* STREAM and WATCH */
    struct yk_list_reader *list_reader;  /* PAGES */
    struct yk_timer watchdog;
    int64_t started_mono_ns;
    int64_t progress_mono_ns;      /* time of the last progress, such as an event or an item of a list */
    int64_t seconds;               /* the duration of the watch that the request asked for */
    uint64_t events, skipped_here; /* events passed on; objects that could not be read */
    bool has_begun, has_warned, is_paused;
    struct yk_watch_batch batch;
    bool has_error; /* the server has sent an ERROR event, or a Status instead of the stream */
    int error_code;
    bool error_is_expiry;    /* the error is a 410, or error_is_too_large is set */
    bool error_is_too_large; /* the server does not know `version` yet: its database was set back */
    int64_t retry_after_ns;
    struct yk_err error;
    enum outcome outcome; /* set when the stream ends */
};

static const struct {
    const char *prefix, *plural;
    bool has_protobuf_reader;
    const char *group, *version; /* group and version that not all servers serve; NULL: all servers do */
} kinds[] = {
    [YK_KIND_POD] = {"/api/v1", "pods", true, NULL, NULL},
    [YK_KIND_NODE] = {"/api/v1", "nodes", true, NULL, NULL},
    [YK_KIND_NAMESPACE] = {"/api/v1", "namespaces", false, NULL, NULL},
    [YK_KIND_PRIORITY_CLASS] = {"/apis/scheduling.k8s.io/v1", "priorityclasses", false, NULL, NULL},
    [YK_KIND_CONFIG_MAP] = {"/api/v1", "configmaps", false, NULL, NULL},
    [YK_KIND_DISRUPTION_BUDGET] = {"/apis/policy/v1", "poddisruptionbudgets", false, NULL, NULL},
    [YK_KIND_DEVICE_CLASS] = {"/apis/resource.k8s.io/v1", "deviceclasses", false, "resource.k8s.io", "v1"},
    [YK_KIND_MUTATING_WEBHOOKS] = {"/apis/admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations",
                                   false, NULL, NULL},
    [YK_KIND_VOLUME_CLAIM] = {"/api/v1", "persistentvolumeclaims", true, NULL, NULL},
    [YK_KIND_VOLUME] = {"/api/v1", "persistentvolumes", true, NULL, NULL},
    [YK_KIND_STORAGE_CLASS] = {"/apis/storage.k8s.io/v1", "storageclasses", true, NULL, NULL},
    [YK_KIND_CSI_NODE] = {"/apis/storage.k8s.io/v1", "csinodes", true, NULL, NULL},
    [YK_KIND_CSI_DRIVER] = {"/apis/storage.k8s.io/v1", "csidrivers", true, NULL, NULL},
    [YK_KIND_CSI_CAPACITY] = {"/apis/storage.k8s.io/v1", "csistoragecapacities", true, NULL, NULL},
    [YK_KIND_VOLUME_ATTACHMENT] = {"/apis/storage.k8s.io/v1", "volumeattachments", true, NULL, NULL},
};
YK_INDEXED_BY(kinds, YK_KIND_COUNT - 1);

bool yk_kind_may_be_missing(enum yk_kind kind, const char **ret_group, const char **ret_version)
{
    *ret_group = kinds[kind].group;
    *ret_version = kinds[kind].version;
    return kinds[kind].group != NULL;
}

const char *yk_kind_plural(enum yk_kind kind)
{
    return kinds[kind].plural;
}

static void start(struct yk_reflector *r);
static void ended(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context);

static int64_t now_ns(const struct yk_reflector *r)
{
    return yk_io_timers_now_ns(r->options.timers);
}

static void set_text(char **text, struct yk_str value)
{
    char *copy = value.len > 0 ? yk_str_dup(value) : NULL;
    free(*text);
    *text = copy;
}

/* ---- passing events on ---- */

void yk_watch_batch_done(struct yk_watch_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        yk_object_free(batch->items[i].object);
    free(batch->items);
    *batch = (struct yk_watch_batch){0};
}

static void add(struct yk_reflector *r, enum yk_watch_event event, struct yk_object *object)
{
    struct yk_watch_batch *batch = &r->batch;
    if (batch->count == batch->capacity) {
        batch->capacity = YK_MAX(batch->capacity * 2, (size_t)8);
        batch->items = yk_realloc_array(batch->items, batch->capacity, sizeof(*batch->items));
    }
    batch->items[batch->count++] = (struct yk_watch_item){event, object};
}

/* True: the receiver has space for more. */
static bool flush(struct yk_reflector *r)
{
    return r->batch.count == 0 || r->options.deliver(&r->batch, r->options.context);
}

/* ---- log ---- */

/* Logs that the watch does not work: at most once a minute, but at once if the outcome or the error code is
 * another one. The text of the error is not compared, because it may differ from try to try ("after 0
 * ms"). */
static void tell_lost(struct yk_reflector *r, int64_t retry_in_ns)
{
    int trouble = r->outcome * 1000 + r->error_code;
    char retry_in[YK_TIME_TEXT_MAX];
    if (r->is_lost && r->lost_trouble == trouble && now_ns(r) - r->told_mono_ns < tell_again_ns)
        return;
    r->told_mono_ns = now_ns(r);
    yk_duration_format(retry_in_ns / YK_NS_PER_MS * YK_NS_PER_MS, retry_in);
    r->is_lost = true;
    r->lost_trouble = trouble;
    yk_warn(yk_log_client, r->was_synced ? "watch lost, trying again" : "list not possible yet, trying again",
            KV("kind", yk_kind_name(r->kind)), KV("err", (const char *)r->error.text),
            KV("retry_in", (const char *)retry_in));
}

static void tell_restored(struct yk_reflector *r)
{
    if (!r->is_lost)
        return;
    r->is_lost = false;
    yk_info(yk_log_client, "watch restored", KV("kind", yk_kind_name(r->kind)));
    if (r->options.look_again != NULL)
        r->options.look_again(r->options.context);
}

/* ---- counting ---- */

static void count_event(struct yk_reflector *r)
{
    r->progress_mono_ns = now_ns(r);
    if (r->options.stats != NULL)
        r->options.stats->event_wall_ns[r->kind] = yk_clock_wall_ns(r->options.timers->timers.clock);
}

/* The end of a page that is complete is not counted, because the next page or the watch follows. */
static void count_end(const struct yk_reflector *r, enum outcome outcome)
{
    static const enum yk_watch_end ends[] = {
        [OUTCOME_CLEAN] = YK_WATCH_CLOSED,        [OUTCOME_CUT] = YK_WATCH_CUT,
        [OUTCOME_SHORT] = YK_WATCH_SHORT,         [OUTCOME_UNREACHABLE] = YK_WATCH_UNREACHABLE,
        [OUTCOME_THROTTLED] = YK_WATCH_THROTTLED, [OUTCOME_EXPIRED] = YK_WATCH_EXPIRED,
        [OUTCOME_GARBAGE] = YK_WATCH_UNREADABLE,  [OUTCOME_REFUSED] = YK_WATCH_REFUSED,
    };
    YK_INDEXED_BY(ends, OUTCOME_REFUSED);
    bool is_page = r->step == STEP_PAGES && (outcome == OUTCOME_CLEAN || outcome == OUTCOME_SHORT);
    if (r->options.stats != NULL && !is_page)
        r->options.stats->restarts[r->kind][ends[outcome]]++;
}

/* ---- events of the stream ---- */

static void initial_list_complete(struct yk_reflector *r)
{
    add(r, r->list_has_gaps ? YK_WATCH_REPLACE_GAPS : YK_WATCH_REPLACE_END, NULL);
    r->version_unavailable = false;
    tell_restored(r);
    if (!r->was_synced)
        yk_info(yk_log_client, "listed", KV("kind", yk_kind_name(r->kind)), KV("objects", r->events),
                KV("took_ns", now_ns(r) - r->started_mono_ns),
                KV("streamed", (bool)(r->step == STEP_STREAM)));
    r->was_synced = true;
}

static void take_object(struct yk_reflector *r, enum yk_watch_event event, struct yk_object *object)
{
    r->events++;
    count_event(r);
    if (r->step == STEP_WATCH) {
        if (object->resource_version.len > 0 && object->resource_version.len <= VERSION_MAX)
            /* an empty version would make the next watch begin elsewhere */
            set_text(&r->version, object->resource_version);
        r->fruitless_expiries = r->fruitless_garbage = 0;
    }
    add(r, event, object);
}

static void take_bookmark(struct yk_reflector *r, struct yk_str version, bool initial_end)
{
    bool is_live = r->step == STEP_WATCH;
    count_event(r);
    if (version.len == 0 || version.len > VERSION_MAX || (!is_live && !initial_end))
        return; /* before the end of the initial list, a bookmark says nothing about the objects received */
    if (is_live)
        r->events++;
    set_text(&r->version, version);
    r->fruitless_expiries = r->fruitless_garbage = 0;
    if (!is_live) {
        initial_list_complete(r);
        r->step = STEP_WATCH; /* the same stream now reports changes */
    }
}

/* The server has sent a Status, in the middle of a stream or instead of one. */
static void take_status(struct yk_reflector *r, const struct yk_server_status *status)
{
    bool is_too_large = yk_server_status_has_cause(status, "ResourceVersionTooLarge", NULL);
    r->has_error = true;
    r->error_code = status->code;
    r->error_is_expiry = r->error_code == 410 || yk_str_is(status->reason, "Expired") ||
                         yk_str_is(status->reason, "Gone") || is_too_large;
    r->error_is_too_large = is_too_large;
    r->retry_after_ns = YK_MAX(r->retry_after_ns, status->retry_after_s * YK_NS_PER_S);
    bool is_said = yk_str_eq(status->reason, status->message);
    (void)yk_fail(&r->error, YK_ERR_UNAVAILABLE, YK_STR_FMT " (%d)%s" YK_STR_FMT, YK_STR_ARG(status->reason),
                  r->error_code, is_said ? "" : ": ", YK_STR_ARG(is_said ? YK_STR("") : status->message));
}

static void take_refused(void *context, const struct yk_err *why)
{
    struct yk_reflector *r = context;
    r->skipped++;
    r->list_has_gaps = true;
    if (r->step == STEP_PAGES)
        r->progress_mono_ns = now_ns(r); /* an item that cannot be read is progress, too */
    if (r->skipped_here++ < SKIPPED_LOGGED_MAX)
        yk_error(yk_log_client, "object cannot be read, going on without it",
                 KV("kind", yk_kind_name(r->kind)), KV("err", why->text), KV("skipped", r->skipped));
}

static void take_item(void *context, struct yk_object *object)
{
    take_object(context, YK_WATCH_UPSERT, object);
}

static void take_event(struct yk_reflector *r, struct yk_event_message *event)
{
    switch (event->type) {
    case YK_EVENT_ADDED:
    case YK_EVENT_MODIFIED:
        take_object(r, YK_WATCH_UPSERT, yk_move(event->object));
        return;
    case YK_EVENT_DELETED:
        take_object(r, YK_WATCH_DELETED, yk_move(event->object));
        return;
    case YK_EVENT_BOOKMARK:
        take_bookmark(r, event->object->resource_version, event->is_list_end);
        return;
    case YK_EVENT_ERROR:
        take_status(r, &event->status);
        return;
    case YK_EVENT_REFUSED:
        take_refused(r, &event->refused);
        return;
    }
}

static enum yk_status take_events(struct yk_reflector *r, struct yk_str bytes, struct yk_err *err)
{
    while (bytes.len > 0 && !r->has_error) {
        struct yk_event_message event;
        bool has_event = false;
        enum yk_status st = yk_watch_reader_next(&r->watch_reader, &bytes, &event, &has_event, err);
        if (st != YK_OK)
            return st;
        if (!has_event)
            break;
        take_event(r, &event);
        yk_event_message_done(&event);
    }
    return YK_OK;
}

static enum yk_wire_format format_of(const struct yk_transfer *transfer)
{
    bool is_protobuf = yk_str_starts(yk_str_from(yk_transfer_content_type(transfer)), YK_MIME_PROTOBUF);
    return is_protobuf ? YK_WIRE_PROTOBUF : YK_WIRE_JSON;
}

static void close_readers(struct yk_reflector *r)
{
    if (r->has_watch_reader)
        yk_watch_reader_done(&r->watch_reader);
    r->has_watch_reader = false;
    yk_list_reader_free(r->list_reader);
    r->list_reader = NULL;
}

static void begin_body(struct yk_reflector *r, enum yk_wire_format format)
{
    bool is_next_page = r->step == STEP_PAGES && r->continue_token != NULL;
    r->has_begun = true;
    if (r->step == STEP_PAGES) {
        struct yk_list_sink sink = {take_item, take_refused, r};
        r->list_reader = yk_list_reader_new(r->kind, format, &sink);
    } else {
        yk_watch_reader_init(&r->watch_reader, r->kind, format);
        r->has_watch_reader = true;
    }
    if (r->step == STEP_WATCH)
        tell_restored(r);
    else if (!is_next_page) {
        r->list_has_gaps = false;
        add(r, YK_WATCH_REPLACE_BEGIN, NULL);
    }
}

static enum yk_chunk take(struct yk_transfer *transfer, struct yk_str bytes, void *context)
{
    struct yk_reflector *r = context;
    struct yk_err err = {0};
    yk_outage_answered(r->options.outage);
    if (!r->has_begun)
        begin_body(r, format_of(transfer));
    enum yk_status st =
        r->has_watch_reader ? take_events(r, bytes, &err) : yk_list_reader_feed(r->list_reader, bytes, &err);
    bool has_capacity = flush(r);
    if (st != YK_OK)
        r->error = err;
    if (st != YK_OK || r->has_error)
        return YK_CHUNK_STOP;
    r->is_paused = !has_capacity;
    return has_capacity ? YK_CHUNK_GO_ON : YK_CHUNK_PAUSE;
}

void yk_reflector_resume(struct yk_reflector *r)
{
    if (!r->is_paused)
        return;
    r->is_paused = false;
    r->progress_mono_ns = now_ns(r);
    if (r->transfer != NULL)
        yk_transfer_resume(r->transfer);
}

/* ---- requests ---- */

static void write_path(const struct yk_reflector *r, struct yk_buf *path)
{
    yk_buf_text(path, kinds[r->kind].prefix);
    if (r->namespace_ != NULL) {
        yk_buf_text(path, "/namespaces");
        yk_url_segment(path, r->namespace_);
    }
    yk_url_segment(path, kinds[r->kind].plural);
    if (r->label_selector != NULL)
        yk_url_query(path, "labelSelector", r->label_selector);
    if (r->field_selector != NULL)
        yk_url_query(path, "fieldSelector", r->field_selector);
}

/* The version that a new list must at least have; NULL: the newest list is requested. */
static const char *list_from(const struct yk_reflector *r)
{
    return r->version_unavailable ? NULL : r->version;
}

static void write_watch_query(struct yk_reflector *r, struct yk_buf *path)
{
    char seconds[24];
    r->seconds = WATCH_SECONDS_MIN +
                 (int64_t)yk_random_below(r->options.random, WATCH_SECONDS_MAX - WATCH_SECONDS_MIN + 1);
    (void)snprintf(seconds, sizeof(seconds), "%lld", (long long)r->seconds);
    yk_url_query(path, "watch", "true");
    yk_url_query(path, "allowWatchBookmarks", "true");
    yk_url_query(path, "timeoutSeconds", seconds);
    const char *from = r->step == STEP_WATCH ? r->version : list_from(r);
    if (r->step == STEP_STREAM) {
        yk_url_query(path, "sendInitialEvents", "true");
        yk_url_query(path, "resourceVersionMatch", "NotOlderThan");
    }
    if (from != NULL)
        yk_url_query(path, "resourceVersion", from);
}

/* A list from a given version is requested in one page, which comes from the cache of the server. Other lists
 * are requested in pages. If the first list came in pages, all lists are requested in pages, except a list
 * whose continue token has expired. */
static void write_list_query(const struct yk_reflector *r, struct yk_buf *path)
{
    char limit[24];
    (void)snprintf(limit, sizeof(limit), "%d", PAGE_LIMIT);
    if (r->continue_token != NULL) { /* a token and a version are not allowed together */
        yk_url_query(path, "limit", limit);
        yk_url_query(path, "continue", r->continue_token);
        return;
    }
    const char *from = r->version_unavailable ? NULL : r->version != NULL ? r->version : "0";
    bool is_any_version = from == NULL || strcmp(from, "0") == 0;
    if (!r->wants_whole_list && (is_any_version || r->starts_paged))
        yk_url_query(path, "limit", limit);
    if (from != NULL)
        yk_url_query(path, "resourceVersion", from);
}

static const char *accept_of(const struct yk_reflector *r)
{
    if (r->json_only || !kinds[r->kind].has_protobuf_reader)
        return YK_MIME_JSON;
    return r->step == STEP_PAGES ? YK_MIME_PROTOBUF ", " YK_MIME_JSON
                                 : YK_MIME_PROTOBUF_WATCH ", " YK_MIME_JSON;
}

static void start(struct yk_reflector *r)
{
    struct yk_buf path = {0};
    bool is_list = r->step == STEP_PAGES;
    close_readers(r);
    r->started_mono_ns = r->progress_mono_ns = now_ns(r);
    r->events = r->skipped_here = 0;
    r->has_begun = r->has_warned = r->is_paused = r->has_error = r->error_is_expiry = r->error_is_too_large =
        false;
    r->error_code = 0;
    r->retry_after_ns = 0;
    r->error.text[0] = '\0';
    write_path(r, &path);
    if (is_list)
        write_list_query(r, &path);
    else
        write_watch_query(r, &path);
    struct yk_k8s_request request = {.lane = YK_LANE_STREAMS,
                                     .method = "GET",
                                     .path = yk_buf_cstr(&path),
                                     .accept = accept_of(r),
                                     .compressed = is_list,
                                     .on_data = take,
                                     .on_done = ended,
                                     .context = r};
    r->transfer = yk_transport_start(r->options.transport, &request);
    yk_io_timer_arm(r->options.timers, &r->watchdog, watchdog_ns);
    yk_buf_done(&path);
}

static void later_due(struct yk_timer *timer)
{
    start(YK_CONTAINER(timer, struct yk_reflector, later));
}

/* ---- the next step ---- */

static void go(struct yk_reflector *r, enum step step)
{
    if (step != STEP_PAGES || r->step != STEP_PAGES)
        r->wants_whole_list = false;
    if (step != STEP_PAGES)
        set_text(&r->continue_token, (struct yk_str){0});
    r->step = step;
    start(r);
}

static void go_later(struct yk_reflector *r, enum step step)
{
    int64_t delay_ns = yk_backoff_next_ns(&r->backoff, r->options.random, now_ns(r));
    delay_ns = YK_MAX(delay_ns, r->retry_after_ns);
    set_text(&r->continue_token, (struct yk_str){0});
    r->wants_whole_list = false;
    r->step = step;
    tell_lost(r, delay_ns);
    yk_io_timer_arm(r->options.timers, &r->later, delay_ns);
}

void yk_reflector_retry_soon(struct yk_reflector *r)
{
    if (r->transfer != NULL || r->outcome != OUTCOME_UNREACHABLE || !yk_timer_armed(&r->later))
        return;
    r->backoff = (struct yk_backoff){0};
    int64_t delay_ns = (int64_t)(yk_random_unit(r->options.random) * (double)YK_NS_PER_S);
    yk_io_timer_arm(r->options.timers, &r->later, delay_ns);
}

static enum step list_step(const struct yk_reflector *r)
{
    return r->has_no_streaming_list ? STEP_PAGES : STEP_STREAM;
}

static void stream_ended(struct yk_reflector *r, enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_CLEAN:
    case OUTCOME_CUT:
    case OUTCOME_UNREACHABLE:
    case OUTCOME_THROTTLED:
        go_later(r, STEP_STREAM);
        return;
    case OUTCOME_EXPIRED:
        if (list_from(r) != NULL) {
            r->version_unavailable = true;
            go(r, STEP_STREAM);
        } else if (r->fruitless_expiries++ == 0) {
            go(r, STEP_STREAM); /* the server may know the version by now */
        } else {
            go_later(r, STEP_STREAM);
        }
        return;
    case OUTCOME_GARBAGE:
        r->json_only = true;
        go_later(r, STEP_PAGES);
        return;
    case OUTCOME_REFUSED:
        if ((r->error_code == 400 || r->error_code == 422) && !r->has_no_streaming_list) {
            r->has_no_streaming_list = true;
            yk_info(yk_log_client, "the API server offers no streaming lists, using pages",
                    KV("kind", yk_kind_name(r->kind)), KV("err", r->error.text));
        }
        go(r, STEP_PAGES);
        return;
    case OUTCOME_SHORT:
        go(r, STEP_PAGES);
        return;
    }
}

static void list_complete(struct yk_reflector *r)
{
    set_text(&r->version, yk_str_from(r->list_version));
    initial_list_complete(r);
    (void)flush(r); /* the result is ignored: the watch that follows stops itself if the receiver is full */
    go(r, STEP_WATCH);
}

static void page_complete(struct yk_reflector *r)
{
    struct yk_list_meta meta = {.continue_token = NULL};
    bool is_first = r->continue_token == NULL;
    enum yk_status st = r->list_reader != NULL ? yk_list_reader_finish(r->list_reader, &meta, &r->error)
                                               : yk_fail(&r->error, YK_ERR_INVALID, "the answer is no list");
    struct yk_str rest = yk_str_from(meta.continue_token);
    if (st == YK_OK && (rest.len > CONTINUE_MAX || (is_first && meta.resource_version[0] == '\0')))
        st = yk_fail(&r->error, YK_ERR_INVALID, "the list has no usable resourceVersion or continue token");
    if (st == YK_OK && is_first) {
        set_text(&r->list_version, yk_str_from(meta.resource_version));
        r->starts_paged = r->starts_paged || (r->version == NULL && rest.len > 0);
    }
    if (st == YK_OK)
        set_text(&r->continue_token, rest);
    free(meta.continue_token);
    if (st != YK_OK)
        go_later(r, list_step(r));
    else if (r->continue_token == NULL)
        list_complete(r);
    else
        start(r);
}

static void page_ended(struct yk_reflector *r, enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_CLEAN:
    case OUTCOME_SHORT: /* a page may be empty */
        page_complete(r);
        return;
    case OUTCOME_EXPIRED:
        if (r->continue_token != NULL && !r->wants_whole_list) {
            set_text(&r->continue_token, (struct yk_str){0});
            r->wants_whole_list = true;
            start(r);
        } else if (!r->version_unavailable) {
            r->version_unavailable = true;
            start(r);
        } else {
            go_later(r, list_step(r));
        }
        return;
    case OUTCOME_GARBAGE:
        r->json_only = true;
        go_later(r, STEP_PAGES);
        return;
    case OUTCOME_REFUSED:
        if (r->error_code == 406 || r->error_code == 415)
            r->json_only = true;
        go_later(r, list_step(r));
        return;
    case OUTCOME_CUT:
    case OUTCOME_UNREACHABLE:
    case OUTCOME_THROTTLED:
        go_later(r, list_step(r));
        return;
    }
}

static void watch_ended(struct yk_reflector *r, enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_CLEAN:
        go(r, STEP_WATCH);
        return;
    case OUTCOME_CUT:
    case OUTCOME_UNREACHABLE:
    case OUTCOME_THROTTLED:
        go_later(r, STEP_WATCH);
        return;
    case OUTCOME_EXPIRED:
        if (r->fruitless_expiries++ == 0) {
            yk_info(yk_log_client, "watch has expired, listing again", KV("kind", yk_kind_name(r->kind)),
                    KV("err", r->error.text));
            r->version_unavailable = r->version_unavailable || r->error_is_too_large;
            go(r, list_step(r));
        } else { /* the server cannot watch from the version of its own list: request the newest list */
            r->version_unavailable = true;
            go_later(r, list_step(r));
        }
        return;
    case OUTCOME_GARBAGE:
        if (r->fruitless_garbage++ == 0) {
            go_later(r, STEP_WATCH);
        } else { /* the same event cannot be read each time: a new list begins after this event */
            r->json_only = true;
            go_later(r, list_step(r));
        }
        return;
    case OUTCOME_SHORT:
    case OUTCOME_REFUSED:
        go_later(r, list_step(r));
        return;
    }
}

static void read_refusal(struct yk_reflector *r, const struct yk_transfer *transfer,
                         const struct yk_http_answer *answer)
{
    struct yk_server_status status = {.code = 0};
    if (yk_server_status_read(format_of(transfer), answer->body, &status, NULL) != YK_OK)
        status =
            (struct yk_server_status){.reason = YK_STR("refused"), .message = YK_STR("no explanation given")};
    status.code = answer->http_status;
    r->retry_after_ns = answer->retry_after_ns;
    take_status(r, &status);
    if (r->error_code == 404 && r->options.look_again != NULL)
        r->options.look_again(r->options.context);
    yk_server_status_done(&status);
}

static enum outcome outcome_of(struct yk_reflector *r, const struct yk_transfer *transfer,
                               const struct yk_http_answer *answer)
{
    if (answer->stopped && !r->has_error)
        return OUTCOME_GARBAGE;
    if (!r->has_error && answer->http_status == 0) {
        r->error = answer->error;
        return OUTCOME_UNREACHABLE;
    }
    if (!r->has_error && (answer->http_status < 200 || answer->http_status > 299))
        read_refusal(r, transfer, answer);
    if (r->has_error)
        return r->error_is_expiry     ? OUTCOME_EXPIRED
               : r->error_code == 429 ? OUTCOME_THROTTLED
                                      : OUTCOME_REFUSED;
    if (!answer->complete) {
        r->error = answer->error;
        return OUTCOME_CUT;
    }
    if (r->has_watch_reader && !yk_watch_reader_is_between(&r->watch_reader)) {
        (void)yk_fail(&r->error, YK_ERR_IO, "the stream ended in the middle of an object");
        return OUTCOME_CUT;
    }
    if (r->events == 0 && now_ns(r) - r->started_mono_ns < short_ns) {
        (void)yk_fail(&r->error, YK_ERR_UNAVAILABLE, "the watch ended at once, without an event");
        return OUTCOME_SHORT;
    }
    (void)yk_fail(&r->error, YK_ERR_UNAVAILABLE, "the server closed the stream");
    return OUTCOME_CLEAN;
}

static void ended(struct yk_transfer *transfer, const struct yk_http_answer *answer, void *context)
{
    struct yk_reflector *r = context;
    r->transfer = NULL;
    yk_io_timer_cancel(r->options.timers, &r->watchdog);
    (void)flush(r); /* the result is ignored: the next stream pauses itself if the receiver is full */
    enum outcome outcome = r->outcome = outcome_of(r, transfer, answer);
    count_end(r, outcome);
    if (outcome == OUTCOME_UNREACHABLE)
        yk_outage_failed(r->options.outage, &r->error);
    else if (answer->http_status != 0 && answer->complete)
        yk_outage_answered(r->options.outage);
    switch (r->step) {
    case STEP_STREAM:
        stream_ended(r, outcome);
        return;
    case STEP_PAGES:
        page_ended(r, outcome);
        return;
    case STEP_WATCH:
        watch_ended(r, outcome);
        return;
    }
}

/* The outcome is that of a lost connection. */
static void abandon(struct yk_reflector *r, const char *why)
{
    struct yk_http_answer answer = {.http_status = 200};
    (void)yk_fail(&answer.error, YK_ERR_UNAVAILABLE, "%s", why);
    struct yk_transfer *transfer = yk_move(r->transfer);
    yk_transfer_cancel(transfer);
    ended(transfer, &answer, r);
}

static void watchdog_due(struct yk_timer *timer)
{
    struct yk_reflector *r = YK_CONTAINER(timer, struct yk_reflector, watchdog);
    int64_t now = now_ns(r), silent_ns = r->is_paused ? 0 : now - r->progress_mono_ns;
    if (r->step == STEP_STREAM && !r->has_warned && silent_ns >= watchdog_ns) {
        r->has_warned = true;
        yk_warn(yk_log_client, "still waiting for the list", KV("kind", yk_kind_name(r->kind)),
                KV("wait_ns", silent_ns));
    }
    bool is_list = r->step == STEP_PAGES;
    if (silent_ns >= (is_list ? page_timeout_ns : stall_ns))
        abandon(r, is_list ? "no item for too long" : "no event and no bookmark for too long");
    else if (!is_list && !r->is_paused && now - r->started_mono_ns >= r->seconds * YK_NS_PER_S + overtime_ns)
        abandon(r, "the server did not end the watch in time");
    else
        yk_io_timer_arm(r->options.timers, &r->watchdog, watchdog_ns);
}

/* ---- life cycle ---- */

static char *copy(const char *text)
{
    return text != NULL && text[0] != '\0' ? yk_strdup(text) : NULL;
}

struct yk_reflector *yk_reflector_new(const struct yk_watch_spec *spec,
                                      const struct yk_reflector_options *options)
{
    struct yk_reflector *r = yk_new0(struct yk_reflector);
    r->options = *options;
    r->kind = spec->kind;
    r->namespace_ = copy(spec->namespace_);
    r->label_selector = copy(spec->label_selector);
    r->field_selector = copy(spec->field_selector);
    r->later.fire = later_due;
    r->watchdog.fire = watchdog_due;
    r->step = STEP_STREAM;
    start(r);
    return r;
}

void yk_reflector_free(struct yk_reflector *r)
{
    if (r == NULL)
        return;
    if (r->transfer != NULL)
        yk_transfer_cancel(r->transfer);
    yk_io_timer_cancel(r->options.timers, &r->later);
    yk_io_timer_cancel(r->options.timers, &r->watchdog);
    close_readers(r);
    yk_watch_batch_done(&r->batch);
    free(r->namespace_);
    free(r->label_selector);
    free(r->field_selector);
    free(r->version);
    free(r->list_version);
    free(r->continue_token);
    free(r);
}
