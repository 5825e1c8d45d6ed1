/* SPDX-License-Identifier: Apache-2.0 */
#include "record/recorder.h"

#include "api/object_json.h"
#include "base/json_writer.h"
#include "record/decision.h"
#include "record/line.h"

enum {
    INBOX_MAX = 16, /* commands with configurations that another thread has read; usually there is one */
    /* Most bytes of an object that the sink of objects gets: the JSON of such an object fits into a line. */
    OBJECT_BYTES_MAX = 1 << 20,
};

/* A watch of the shim. */
struct tap {
    struct yk_run_recorder *recorder;
    yk_watch_sink *sink; /* the sink of the shim; NULL: the kind is not watched */
    void *context;
};

/* A request in flight. Its `done` and `context` are replaced, so that the answer is written. */
struct sent {
    struct yk_run_recorder *recorder;
    uint64_t number;
    void (*done)(struct yk_op *op); /* the `done` that the shim has set */
    void *context;                  /* the `context` that the shim has set */
};

struct yk_run_recorder {
    struct yk_api_server api;    /* first member */
    struct yk_api_server *inner; /* the real API server, borrowed; NULL before yk_run_recorder_begin() */
    struct yk_run_recorder_options options;
    struct yk_directory directory;
    struct yk_mailbox inbox;
    struct tap taps[YK_KIND_COUNT];
    struct yk_decisions decisions;
    uint64_t sent, asked;       /* numbers of the last decision, and of the last question about a user */
    bool is_open;               /* the recording has begun and has not ended */
    const char *why;            /* borrowed: why the recording has ended; NULL: it has not ended */
    bool is_submitting;         /* submit() is calling `inner`: an answer now is immediate */
    bool timers_told;           /* the line about the timers of this step was written, or is not needed */
    bool is_after_timers;       /* the timers of this step have run */
    bool is_held;               /* lines are held back in `held` */
    struct yk_buf line, held;   /* the current line; the lines that are held back */
    int64_t wall_minus_mono_ns; /* wall time minus monotonic time, as recorded last */
};

/* ---- lines ---- */

static struct yk_json begin_line(struct yk_run_recorder *recorder)
{
    struct yk_json json;
    yk_buf_clear(&recorder->line);
    yk_json_init(&json, &recorder->line);
    yk_json_object_begin(&json);
    return json;
}

static void put(struct yk_run_recorder *recorder, struct yk_str lines)
{
    if (recorder->is_held && recorder->held.failed)
        return; /* a line did not fit, so later ones are not written either */
    if (recorder->is_held)
        yk_buf_str(&recorder->held, lines);
    else
        recorder->options.sink(recorder->options.context, lines);
}

static void write_line(struct yk_run_recorder *recorder)
{
    yk_buf_char(&recorder->line, '\n');
    if (recorder->line.failed) {
        yk_buf_clear(&recorder->line);
        yk_run_recorder_cut(recorder, "an object is too large for a line");
        return;
    }
    put(recorder, yk_buf_view(&recorder->line));
}

static void end_line(struct yk_run_recorder *recorder, struct yk_json *json)
{
    yk_json_object_end(json);
    write_line(recorder);
}

/* Writes the line about the timers, at most once per step. The line comes before all inputs that follow the
 * timers, even if no timer was due. */
static void tell_timers(struct yk_run_recorder *recorder, size_t fired)
{
    if (recorder->timers_told)
        return;
    struct yk_json json = begin_line(recorder);
    recorder->timers_told = true;
    yk_json_add_uint(&json, "timers", fired);
    end_line(recorder, &json);
}

static struct yk_json begin_input(struct yk_run_recorder *recorder)
{
    if (recorder->is_after_timers)
        tell_timers(recorder, 0);
    return begin_line(recorder);
}

/* ---- watches ---- */

/* Ends the line with the object. The sink of objects cannot get lines that are held back, because `held`
 * contains them as text. */
static void end_line_with(struct yk_run_recorder *recorder, struct yk_json *json, struct yk_object *object)
{
    yk_record_object_sink *object_sink = recorder->options.object_sink;
    yk_json_key(json, "object");
    if (object_sink != NULL && !recorder->is_held && yk_arena_bytes(&object->arena) <= OBJECT_BYTES_MAX) {
        object_sink(recorder->options.context, yk_buf_view(&recorder->line), object);
        return;
    }
    yk_object_to_json(object, json);
    end_line(recorder, json);
}

static void put_event(struct yk_run_recorder *recorder, enum yk_kind kind, enum yk_watch_event event,
                      struct yk_object *object)
{
    struct yk_json json = begin_input(recorder);
    yk_json_add_text(&json, "event", yk_record_event_name(event));
    yk_json_add_text(&json, "kind", yk_kind_name(kind));
    if (object != NULL && object->read != YK_READ_WHOLE) {
        yk_json_add_int(&json, "read", object->read);
        yk_json_key(&json, "fault");
        yk_json_str(&json, object->fault);
    }
    if (object != NULL)
        end_line_with(recorder, &json, object);
    else
        end_line(recorder, &json);
}

static void on_event(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    const struct tap *tap = context;
    if (tap->recorder->is_open)
        put_event(tap->recorder, kind, event, object);
    tap->sink(tap->context, kind, event, object);
}

static struct yk_run_recorder *recorder_of(struct yk_api_server *server)
{
    return (struct yk_run_recorder *)(void *)server;
}

static void watch(struct yk_api_server *server, const struct yk_watch_spec *spec, yk_watch_sink *sink,
                  void *context)
{
    struct yk_run_recorder *recorder = recorder_of(server);
    struct tap *tap = &recorder->taps[spec->kind];
    *tap = (struct tap){recorder, sink, context};
    yk_api_watch(recorder->inner, spec, on_event, tap);
}

/* ---- requests ---- */

static void put_answer(struct yk_run_recorder *recorder, const struct sent *sent, const struct yk_op *op)
{
    struct yk_json json = recorder->is_submitting ? begin_line(recorder) : begin_input(recorder);
    yk_json_add_uint(&json, "answer", sent->number);
    yk_json_add_text(&json, "result", yk_record_result_name(op->result));
    if (recorder->is_submitting)
        yk_json_add_bool(&json, "now", true);
    if (op->http_status != 0)
        yk_json_add_int(&json, "status", op->http_status);
    if (op->retry_after_ns != 0)
        yk_json_add_int(&json, "retryAfter", op->retry_after_ns);
    if (op->reason != NULL)
        yk_json_add_text(&json, "reason", op->reason->text);
    end_line(recorder, &json);
}

static void on_done(struct yk_op *op)
{
    struct sent *sent = op->context;
    struct yk_run_recorder *recorder = sent->recorder;
    bool was_submitting = recorder->is_submitting;
    if (recorder->is_open)
        put_answer(recorder, sent, op);
    recorder->is_submitting = false;
    op->done = sent->done;
    op->context = sent->context;
    free(sent);
    op->done(op);
    recorder->is_submitting = was_submitting;
}

static void put_decision(struct yk_run_recorder *recorder, const struct yk_op *op)
{
    yk_buf_clear(&recorder->line);
    yk_decision_put(&recorder->decisions, recorder->sent, op, &recorder->line);
    yk_decisions_add(&recorder->decisions, yk_buf_view(&recorder->line));
    write_line(recorder);
}

static void submit(struct yk_api_server *server, struct yk_op *op)
{
    struct yk_run_recorder *recorder = recorder_of(server);
    if (!recorder->is_open || !yk_decision_is(op->kind)) {
        yk_api_submit(recorder->inner, op);
        return;
    }
    struct sent *sent = yk_new0(struct sent);
    *sent = (struct sent){recorder, ++recorder->sent, op->done, op->context};
    op->done = on_done;
    op->context = sent;
    put_decision(recorder, op);
    recorder->is_submitting = true;
    yk_api_submit(recorder->inner, op);
    recorder->is_submitting = false;
}

static void stop(struct yk_api_server *server)
{
    yk_api_stop(recorder_of(server)->inner);
}

static size_t in_flight(struct yk_api_server *server)
{
    return yk_api_in_flight(recorder_of(server)->inner);
}

/* ---- users ---- */

static enum yk_directory_serves serves(void *context, const char *type, struct yk_err *err)
{
    const struct yk_directory *inner = ((struct yk_run_recorder *)context)->options.directory;
    return inner->serves(inner->context, type, err);
}

static void on_groups(void *context, const struct yk_question *question)
{
    struct yk_run_recorder *recorder = context;
    if (!recorder->is_open)
        return;
    struct yk_json json = begin_input(recorder);
    yk_json_add_uint(&json, "groups", question->number);
    if (question->failure.text[0] != '\0')
        yk_json_add_text(&json, "failure", question->failure.text);
    yk_json_key(&json, "of");
    yk_json_array_begin(&json);
    for (size_t i = 0; i < question->user.group_count; i++)
        yk_json_text(&json, question->user.groups[i]);
    yk_json_array_end(&json);
    end_line(recorder, &json);
}

static void ask(void *context, struct yk_question *question)
{
    struct yk_run_recorder *recorder = context;
    const struct yk_directory *inner = recorder->options.directory;
    question->number = ++recorder->asked;
    question->answered = on_groups;
    question->answered_context = recorder;
    inner->ask(inner->context, question);
}

/* ---- configurations that were read aside ---- */

struct arrival {
    struct yk_command command; /* first member */
    struct yk_run_recorder *recorder;
};

static void drop_arrival(struct yk_command *command)
{
    free(command);
}

static void run_arrival(struct yk_command *command)
{
    struct yk_run_recorder *recorder = ((struct arrival *)(void *)command)->recorder;
    free(command);
    if (recorder->is_open) {
        struct yk_json json = begin_input(recorder);
        yk_json_add_bool(&json, "configuration", true);
        end_line(recorder, &json);
    }
    (void)yk_mailbox_run(&recorder->inbox, INBOX_MAX); /* the number of commands is not needed */
}

/* The `wake` of the inbox. It is called on the thread that reads configurations. */
static void on_arrival(void *context)
{
    struct yk_run_recorder *recorder = context;
    struct arrival *arrival = yk_new0(struct arrival);
    arrival->command = (struct yk_command){.run = run_arrival, .drop = drop_arrival};
    arrival->recorder = recorder;
    yk_mailbox_post(recorder->options.inbox, &arrival->command);
}

/* ---- steps ---- */

/* Writes which resolvers the directory serves now. A change during the run is not recorded. */
static void put_directory(const struct yk_directory *directory, struct yk_json *json)
{
    static const char *const types[] = {"os", "ldap"};
    yk_json_key(json, "directory");
    yk_json_object_begin(json);
    for (size_t i = 0; i < YK_COUNT(types); i++) {
        struct yk_err err = {0};
        yk_json_key(json, types[i]);
        yk_json_object_begin(json);
        yk_json_add_int(json, "serves", directory->serves(directory->context, types[i], &err));
        yk_json_add_text(json, "reason", err.text);
        yk_json_object_end(json);
    }
    yk_json_object_end(json);
}

void yk_run_recorder_begin(struct yk_run_recorder *recorder, struct yk_api_server *api,
                           const struct yk_record_start *start)
{
    int64_t mono_ns = yk_clock_mono_ns(recorder->options.clock);
    int64_t wall_ns = yk_clock_wall_ns(recorder->options.clock);
    char seed[24];
    recorder->inner = api;
    recorder->is_open = true;
    (void)snprintf(seed, sizeof(seed), "%llu", (unsigned long long)start->seed);
    struct yk_json json = begin_line(recorder);
    yk_json_add_int(&json, "recording", YK_RECORD_FORMAT);
    yk_json_add_text(&json, "program", start->program);
    yk_json_add_int(&json, "wall", wall_ns);
    yk_json_add_int(&json, "mono", mono_ns);
    yk_json_add_text(&json, "namespace", start->namespace_);
    yk_json_add_text(&json, "hostname", start->hostname);
    yk_json_add_text(&json, "seed", seed); /* a text, because some programs read 53 bits of a number */
    yk_json_add_bool(&json, "standby", start->standby);
    yk_json_add_bool(&json, "noReservations", start->no_reservations);
    yk_json_add_bool(&json, "readsAside", start->reads_aside);
    if (recorder->options.directory != NULL)
        put_directory(recorder->options.directory, &json);
    end_line(recorder, &json);
    recorder->wall_minus_mono_ns = wall_ns - mono_ns;
}

void yk_run_recorder_step(struct yk_run_recorder *recorder)
{
    if (!recorder->is_open)
        return;
    int64_t mono_ns = yk_clock_mono_ns(recorder->options.clock);
    int64_t wall_ns = yk_clock_wall_ns(recorder->options.clock);
    recorder->timers_told = recorder->is_after_timers = false;
    struct yk_json json = begin_line(recorder);
    yk_json_add_int(&json, "step", mono_ns);
    if (wall_ns - mono_ns != recorder->wall_minus_mono_ns)
        yk_json_add_int(&json, "wall", wall_ns);
    recorder->wall_minus_mono_ns = wall_ns - mono_ns;
    end_line(recorder, &json);
}

void yk_run_recorder_hold(struct yk_run_recorder *recorder)
{
    recorder->is_held = recorder->is_open;
}

static void let_go(struct yk_run_recorder *recorder)
{
    if (recorder->held.len > 0)
        put(recorder, yk_buf_view(&recorder->held));
    if (recorder->held.failed)
        yk_run_recorder_cut(recorder, "one step made too many requests");
    yk_buf_clear(&recorder->held);
}

void yk_run_recorder_timers(struct yk_run_recorder *recorder, size_t fired)
{
    recorder->is_held = false;
    if (!recorder->is_open) { /* the last line may be among the lines that were held back */
        let_go(recorder);
        return;
    }
    recorder->is_after_timers = true;
    if (fired > 0)
        tell_timers(recorder, fired);
    let_go(recorder);
}

void yk_run_recorder_work(struct yk_run_recorder *recorder)
{
    if (!recorder->is_open)
        return;
    struct yk_json json = begin_line(recorder);
    recorder->timers_told = true;
    yk_json_add_bool(&json, "work", true);
    end_line(recorder, &json);
}

void yk_run_recorder_scheduled(struct yk_run_recorder *recorder, uint64_t turns)
{
    recorder->is_held = false;
    if (!recorder->is_open) { /* the last line may be among the lines that were held back */
        let_go(recorder);
        return;
    }
    if (turns > 0) {
        struct yk_json json = begin_line(recorder);
        yk_json_add_uint(&json, "turns", turns);
        end_line(recorder, &json);
    }
    let_go(recorder);
}

void yk_run_recorder_order(struct yk_run_recorder *recorder, enum yk_record_order order)
{
    if (!recorder->is_open)
        return;
    struct yk_json json = begin_input(recorder);
    yk_json_add_text(&json, "order", yk_record_order_name(order));
    end_line(recorder, &json);
}

/* ---- the end ---- */

static void put_end(struct yk_run_recorder *recorder, const char *why)
{
    char hash[YK_DECISION_HASH_TEXT];
    yk_decisions_hash(&recorder->decisions, hash);
    struct yk_json json = begin_line(recorder);
    yk_json_add_text(&json, "end", why);
    yk_json_add_uint(&json, "decisions", recorder->decisions.count);
    yk_json_add_text(&json, "hash", hash);
    recorder->is_open = false; /* before end_line(), so that this function does not end the recording again */
    recorder->why = why;
    end_line(recorder, &json);
}

void yk_run_recorder_cut(struct yk_run_recorder *recorder, const char *what)
{
    if (recorder->is_open)
        put_end(recorder, what);
}

void yk_run_recorder_end(struct yk_run_recorder *recorder)
{
    yk_run_recorder_cut(recorder, "");
}

const char *yk_run_recorder_why(const struct yk_run_recorder *recorder)
{
    return recorder->why;
}

void yk_run_recorder_mute(struct yk_run_recorder *recorder)
{
    recorder->is_open = recorder->is_held = false;
    yk_buf_clear(&recorder->held);
}

/* ---- life ---- */

static const struct yk_api_server_ops tapped = {watch, submit, stop, in_flight};

struct yk_run_recorder *yk_run_recorder_new(const struct yk_run_recorder_options *options)
{
    struct yk_run_recorder *recorder = yk_new0(struct yk_run_recorder);
    recorder->api.ops = &tapped;
    recorder->options = *options;
    recorder->directory = (struct yk_directory){recorder, serves, ask};
    recorder->line.max = YK_RECORD_LINE_MAX;
    recorder->held.max = YK_RECORD_LINE_MAX;
    yk_decisions_init(&recorder->decisions);
    yk_mailbox_init(&recorder->inbox, INBOX_MAX);
    recorder->inbox.wake = on_arrival;
    recorder->inbox.wake_context = recorder;
    return recorder;
}

void yk_run_recorder_free(struct yk_run_recorder *recorder)
{
    if (recorder == NULL)
        return;
    yk_mailbox_done(&recorder->inbox);
    yk_decisions_done(&recorder->decisions);
    yk_buf_done(&recorder->line);
    yk_buf_done(&recorder->held);
    free(recorder);
}

struct yk_api_server *yk_run_recorder_api(struct yk_run_recorder *recorder)
{
    return &recorder->api;
}

const struct yk_directory *yk_run_recorder_directory(struct yk_run_recorder *recorder)
{
    return recorder->options.directory != NULL ? &recorder->directory : NULL;
}

struct yk_mailbox *yk_run_recorder_inbox(struct yk_run_recorder *recorder)
{
    return &recorder->inbox;
}
