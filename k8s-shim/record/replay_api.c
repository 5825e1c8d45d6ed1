/* SPDX-License-Identifier: Apache-2.0 */
#include "record/replay_api.h"

#include "api/json_reader.h"
#include "record/decision.h"
#include "record/line.h"

#include <jansson.h>

/* ---- events ---- */

static enum yk_status read_partly(const json_t *line, struct yk_object *object, struct yk_err *err)
{
    const json_t *read = json_object_get(line, "read");
    if (read == NULL)
        return YK_OK;
    json_int_t level = json_integer_value(read);
    if (object->kind != YK_KIND_POD || (level != YK_READ_AMOUNTS && level != YK_READ_IDENTITY))
        return yk_fail(err, YK_ERR_INVALID, "'read' is 1 or 2, of a pod");
    const char *fault = json_string_value(json_object_get(line, "fault"));
    object->read = (enum yk_read)level;
    object->fault = yk_arena_str(&object->arena, yk_str_from(fault != NULL ? fault : ""));
    return YK_OK;
}

/* Reads the object of an event. `is_wanted`: the event must have an object. False: the event must not have an
 * object, and `*ret` is set to NULL. */
static enum yk_status read_object(const json_t *line, enum yk_kind kind, bool is_wanted,
                                  struct yk_object **ret, struct yk_err *err)
{
    const json_t *tree = json_object_get(line, "object");
    *ret = NULL;
    if (is_wanted != (tree != NULL))
        return yk_fail(err, YK_ERR_INVALID, "'object' is %s", is_wanted ? "missing" : "not expected");
    if (!is_wanted)
        return YK_OK;
    enum yk_status st = yk_object_from_tree(kind, tree, ret, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "object");
    st = read_partly(line, *ret, err);
    if (st != YK_OK) {
        yk_object_free(*ret);
        *ret = NULL;
    }
    return st;
}

static enum yk_status follow_list(struct yk_replay_watch *watch, enum yk_watch_event event,
                                  struct yk_err *err)
{
    bool is_end = event == YK_WATCH_REPLACE_END || event == YK_WATCH_REPLACE_GAPS;
    if (is_end && !watch->is_listing)
        return yk_fail(err, YK_ERR_INVALID, "a list ends that has not begun");
    if (event == YK_WATCH_REPLACE_BEGIN)
        watch->is_listing = true;
    else if (is_end)
        watch->is_listing = false;
    return YK_OK;
}

enum yk_status yk_replay_api_deliver(struct yk_replay_api *api, const json_t *line, struct yk_err *err)
{
    const char *kind_name = json_string_value(json_object_get(line, "kind"));
    enum yk_watch_event event;
    enum yk_kind kind;
    struct yk_object *object;
    if (!yk_record_event_of(json_string_value(json_object_get(line, "event")), &event))
        return yk_fail(err, YK_ERR_INVALID, "'event' is not known");
    if (!yk_record_kind_of(kind_name, &kind))
        return yk_fail(err, YK_ERR_INVALID, "'kind' is not known");
    struct yk_replay_watch *watch = &api->watches[kind];
    if (watch->sink == NULL)
        return yk_fail(err, YK_ERR_INVALID, "the scheduler does not watch %s here", kind_name);
    bool has_object = event == YK_WATCH_UPSERT || event == YK_WATCH_DELETED;
    enum yk_status st = read_object(line, kind, has_object, &object, err);
    if (st == YK_OK)
        st = follow_list(watch, event, err);
    if (st == YK_OK)
        watch->sink(watch->context, kind, event, object);
    return st;
}

/* ---- answers ---- */

static enum yk_status read_answer(const json_t *line, struct yk_op *op, struct yk_err *err)
{
    const json_t *status = json_object_get(line, "status"), *later = json_object_get(line, "retryAfter");
    const char *reason = json_string_value(json_object_get(line, "reason"));
    enum yk_op_result result;
    if (!yk_record_result_of(json_string_value(json_object_get(line, "result")), &result))
        return yk_fail(err, YK_ERR_INVALID, "'result' is not known");
    if (json_integer_value(status) < 0 || json_integer_value(status) > 999)
        return yk_fail(err, YK_ERR_INVALID, "'status' is from 0 to 999");
    if (json_integer_value(later) < 0 || json_integer_value(later) > 86400 * YK_NS_PER_S)
        return yk_fail(err, YK_ERR_INVALID, "'retryAfter' is from 0 to a day, in nanoseconds");
    op->result = result;
    op->http_status = (int)json_integer_value(status);
    op->retry_after_ns = json_integer_value(later);
    if (reason != NULL)
        (void)yk_fail(yk_op_err(op), YK_ERR_INVALID, "%s", reason); /* only the sentence is used */
    return YK_OK;
}

enum yk_status yk_replay_api_answer(struct yk_replay_api *api, const json_t *line, struct yk_err *err)
{
    json_int_t number = json_integer_value(json_object_get(line, "answer"));
    struct yk_op *op = number > 0 ? yk_idmap_get(&api->open, (uint64_t)number) : NULL;
    if (op == NULL)
        return yk_fail(err, YK_ERR_INVALID, "'answer': there is no request %lld without an answer",
                       (long long)number);
    enum yk_status st = read_answer(line, op, err);
    if (st != YK_OK)
        return st;
    (void)yk_idmap_remove(&api->open, (uint64_t)number); /* the result is `op` */
    op->done(op);
    return YK_OK;
}

/* ---- the interface ---- */

static struct yk_replay_api *api_of(struct yk_api_server *server)
{
    return (struct yk_replay_api *)(void *)server;
}

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    api_of(server)->watches[spec->kind] = (struct yk_replay_watch){.sink = sink, .context = context};
}

/* Counts all requests: in a replay, each request of the scheduler is a decision. */
static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct yk_replay_api *api = api_of(server);
    (void)yk_idmap_put(&api->open, ++api->sent, op); /* a new key */
    if (!api->is_closing && yk_decision_is(op->kind))
        api->submitted(api->context, op);
}

static void stop(struct yk_api_server *server)
{
    (void)server;
}

static size_t in_flight(struct yk_api_server *server)
{
    return api_of(server)->open.count;
}

static const struct yk_api_server_ops ops = {watch, submit, stop, in_flight};

void yk_replay_api_init(struct yk_replay_api *api, void (*submitted)(void *context, const struct yk_op *op),
                        void *context)
{
    *api = (struct yk_replay_api){.api = {&ops}, .submitted = submitted, .context = context};
}

void yk_replay_api_close(struct yk_replay_api *api)
{
    api->is_closing = true;
    for (uint64_t number = 1; api->open.count > 0 && number <= api->sent; number++) {
        struct yk_op *op = yk_idmap_remove(&api->open, number);
        if (op == NULL)
            continue;
        op->result = YK_OP_CANCELLED;
        op->done(op);
    }
}

void yk_replay_api_done(struct yk_replay_api *api)
{
    yk_idmap_done(&api->open);
}
