/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of past events, and streams of new ones: docs/reference/rest.md, section 7.
 *
 * Both are read from the ring, in slices. If the ring removes an event before it is written, a batch ends
 * before that event, so the numbers of its records have no gap. A stream is then closed, with an error as its
 * last line.
 */
#include "scheduler/core.h"
#include "web/list.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"

enum {
    STAGE_BEGIN,
    STAGE_RECORDS,
    RECORDS_PER_CLOCK = 32,  /* records between two looks at the clock */
    STREAM_PIECE = 64 << 10, /* a piece of a stream ends when it has this many bytes */
};

static const struct yk_events *events_of(const struct yk_job *job)
{
    return &job->core->events;
}

/* ---- a record ---- */

static void put_str_if(struct yk_json *json, const char *key, struct yk_str text)
{
    if (text.len == 0)
        return;
    yk_json_key(json, key);
    yk_json_str(json, text);
}

/* Compat: each amount is an object, which is empty for 0. */
static void put_resource(struct yk_json *json, const struct yk_resvec *amounts)
{
    yk_json_key(json, "resource");
    yk_json_object_begin(json);
    if (!yk_resvec_is_empty(amounts)) {
        int types[YK_RESTYPE_MAX], count = yk_resvec_types_by_name(amounts, types);
        yk_json_key(json, "resources");
        yk_json_object_begin(json);
        for (int i = 0; i < count; i++) {
            yk_json_key(json, yk_restype_name(types[i]));
            yk_json_object_begin(json);
            yk__put_int_if(json, "value", yk_resvec_get(amounts, types[i]));
            yk_json_object_end(json);
        }
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

static void put_record(struct yk_json *json, const struct yk_event *event)
{
    yk_json_object_begin(json);
    yk__put_int_if(json, "type", event->type);
    put_str_if(json, "objectID", event->object_id);
    put_str_if(json, "message", event->message);
    yk__put_int_if(json, "timestampNano", event->wall_ns);
    yk__put_int_if(json, "eventChangeType", event->change);
    yk__put_int_if(json, "eventChangeDetail", event->detail);
    put_str_if(json, "referenceID", event->reference_id);
    put_resource(json, &event->resource);
    yk_json_object_end(json);
}

static bool is_tracking(struct yk_job *job)
{
    if (yk_events_on(events_of(job)))
        return true;
    yk_answer_error(&job->answer, 500, "Event tracking is disabled");
    return false;
}

/* ---- batch ---- */

static bool read_window(struct yk_job *job, uint64_t *start, uint64_t *count)
{
    *start = 0;
    *count = UINT64_MAX;
    if (!yk_list_read_number(job, "count", count))
        return false;
    if (*count == 0) {
        yk_answer_error(&job->answer, 400, "0 is not a valid value for \"count\"");
        return false;
    }
    return yk_list_read_number(job, "start", start);
}

static void end_batch(struct yk_job *job)
{
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
}

/* False: there are no records, and the end is written, too. */
static bool begin_batch(struct yk_job *job, uint64_t start, uint64_t count)
{
    const struct yk_events *events = events_of(job);
    uint64_t lowest = yk_ring_lowest(events->ring), next = yk_ring_next(events->ring);
    bool is_empty = lowest == next;
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "InstanceUUID", events->instance);
    yk_json_add_uint(&job->json, "LowestID", is_empty ? 0 : lowest);
    yk_json_add_uint(&job->json, "HighestID", is_empty ? 0 : next - 1);
    yk_json_key(&job->json, "EventRecords");
    if (start < lowest || start >= next) {
        yk_json_null(&job->json);
        end_batch(job);
        return false;
    }
    yk_json_array_begin(&job->json);
    job->seen = start;
    job->end = (size_t)YK_MIN(YK_MIN(count, events->settings.batch_max), next - start);
    return true;
}

/* job->end: number of events that are still to be written. False: the slice is over. */
static bool put_batch(struct yk_job *job, int64_t until_mono_ns)
{
    YK_EVENT(event);
    while (job->end > 0 && yk_ring_get(events_of(job)->ring, job->seen, &event)) {
        put_record(&job->json, &event);
        job->seen++;
        job->end--;
        if (job->end % RECORDS_PER_CLOCK == 0 && job->end > 0 && yk_job_must_pause(job, until_mono_ns))
            return false;
    }
    return true;
}

enum yk_step yk__get_event_batch(struct yk_job *job, int64_t until_mono_ns)
{
    uint64_t start, count;
    if (job->stage == STAGE_BEGIN) {
        if (!is_tracking(job) || !read_window(job, &start, &count) || !begin_batch(job, start, count))
            return YK_STEP_DONE;
        job->stage = STAGE_RECORDS;
    }
    if (!put_batch(job, until_mono_ns))
        return YK_STEP_AGAIN;
    yk_json_array_end(&job->json);
    end_batch(job);
    return YK_STEP_DONE;
}

/* ---- stream ---- */

static void put_line(struct yk_job *job, const struct yk_event *event)
{
    yk_json_init(&job->json, &job->answer.body);
    put_record(&job->json, event);
    yk_buf_char(&job->answer.body, '\n');
}

static bool begin_stream(struct yk_job *job)
{
    const struct yk_events *events = events_of(job);
    uint64_t past = 0;
    job->max_streams = events->settings.max_streams;
    job->max_streams_per_host = events->settings.max_streams_per_host;
    if (!is_tracking(job) || !yk_list_read_number(job, "count", &past))
        return false;
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "InstanceUUID", events->instance);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    job->seen = yk_ring_next(events->ring) - YK_MIN(past, (uint64_t)yk_ring_count(events->ring));
    return true;
}

/* The error is in the body, because the status was sent already. */
static void cut_off(struct yk_job *job)
{
    yk_answer_error(&job->answer, 200, "Event stream was closed by the producer");
    job->ends = true;
}

static void put_piece(struct yk_job *job, int64_t until_mono_ns)
{
    YK_EVENT(event);
    for (uint32_t put = 0; job->answer.body.len < STREAM_PIECE; put++) {
        if (!yk_ring_get(events_of(job)->ring, job->seen, &event))
            return;
        put_line(job, &event);
        job->seen++;
        if (put % RECORDS_PER_CLOCK == 0 && yk_job_must_pause(job, until_mono_ns))
            return;
    }
}

enum yk_step yk__get_event_stream(struct yk_job *job, int64_t until_mono_ns)
{
    if (job->stage == STAGE_BEGIN) {
        if (!begin_stream(job))
            return YK_STEP_DONE;
        job->stage = STAGE_RECORDS;
    }
    if (job->seen < yk_ring_lowest(events_of(job)->ring))
        cut_off(job);
    else
        put_piece(job, until_mono_ns);
    return job->answer.body.len > 0 ? YK_STEP_DONE : YK_STEP_IDLE;
}
