/* SPDX-License-Identifier: Apache-2.0 */
#include "record/replay.h"

#include "api/json_reader.h"
#include "base/timer.h"
#include "record/line.h"
#include "record/replay_api.h"
#include "shim/shim.h"

#include <jansson.h>

#define INSTANT_MAX (INT64_C(1) << 62)

enum { BOX_MAX = 16, SHOWN_MAX = 300 };

struct replay {
    struct yk_replay_api api;
    const struct yk_record_source *source;
    const struct yk_replay_judge *judge; /* NULL: the bytes of decisions are compared */
    struct yk_replay_result *result;
    struct yk_clock clock;
    struct yk_timers timers;
    struct yk_mailbox aside, inbox; /* as in struct yk_shim_options */
    struct yk_directory directory;
    struct yk_idmap questions;         /* number -> struct yk_question, owned */
    uint64_t asked;                    /* number of the last question */
    enum yk_directory_serves os, ldap; /* the recorded answers of the directory */
    char *ldap_reason;                 /* owned */
    struct yk_core *core;
    struct yk_shim *shim;
    struct yk_decisions decisions;
    struct yk_buf made; /* memory for a decision as a line */
    /* The line that was read last. */
    struct yk_str text;    /* borrowed from the source; absent: there are no more lines */
    json_t *line;          /* owned; NULL: the next line was not read yet, or there is none */
    bool timers_ran;       /* the timers have run in this step */
    bool has_ended;        /* the last line was replayed, or the recording ends in the middle of a step */
    enum yk_status status; /* the first error, or YK_OK */
    struct yk_err err;     /* the sentence for `status` */
};

/* ---- lines ---- */

static void fail(struct replay *replay, enum yk_status status, const char *sentence)
{
    if (replay->status == YK_OK)
        replay->status =
            yk_fail_at(&replay->err, status, (uint32_t)YK_MIN(replay->result->lines, (uint64_t)UINT32_MAX), 0,
                       "%s", sentence);
}

static bool goes_on(const struct replay *replay)
{
    return replay->status == YK_OK && !yk_replay_differs(replay->result) && !replay->has_ended;
}

static void read_line(struct replay *replay)
{
    struct yk_err err = {0};
    enum yk_status st = replay->source->next(replay->source->context, &replay->text, &err);
    if (st == YK_OK && replay->text.p == NULL)
        return;
    replay->result->lines++;
    if (st == YK_OK)
        st = yk_json_parse(replay->text, &replay->line, &err);
    if (st == YK_OK && !json_is_object(replay->line))
        st = yk_fail(&err, YK_ERR_INVALID, "not a JSON object");
    if (st != YK_OK)
        fail(replay, st, yk_err_sentence(&err));
}

/* The next line, which stays in replay->line. NULL: there are no more lines, or the replay does not go on
 * (goes_on()). */
static const json_t *peek(struct replay *replay)
{
    if (goes_on(replay) && replay->line == NULL)
        read_line(replay);
    return goes_on(replay) ? replay->line : NULL;
}

/* Removes the line that peek() returned from replay->line and returns it; the caller drops the reference.
 * Called before the line takes effect, so that peek() then returns the line after it. */
static json_t *take(struct replay *replay)
{
    return yk_move(replay->line);
}

/* Sets `*ret` to a member of the line that must be a number from `min` to `max`. False: the member is
 * something else, and the replay fails. */
static bool read_number(struct replay *replay, const json_t *line, const char *key, int64_t min, int64_t max,
                        int64_t *ret)
{
    const json_t *value = json_object_get(line, key);
    char sentence[160];
    if (json_is_integer(value) && json_integer_value(value) >= min && json_integer_value(value) <= max) {
        *ret = json_integer_value(value);
        return true;
    }
    snprintf(sentence, sizeof(sentence), "'%s' is a number from %lld to %lld", key, (long long)min,
             (long long)max);
    fail(replay, YK_ERR_INVALID, sentence);
    return false;
}

/* ---- differences ---- */

static void differ(struct replay *replay, const char *recorded, struct yk_str now)
{
    if (!goes_on(replay))
        return;
    (void)yk_fail_at(&replay->result->difference, YK_ERR_STATE, (uint32_t)replay->result->lines, 0,
                     "recorded: %.*s; now: %.*s", SHOWN_MAX, recorded,
                     (int)YK_MIN(now.len, (size_t)SHOWN_MAX), now.p); /* the status is not used */
}

static void differ_from_line(struct replay *replay, struct yk_str now)
{
    YK_CLEANUP(yk_freep) char *text = yk_strndup(replay->text.p, YK_MIN(replay->text.len, (size_t)SHOWN_MAX));
    differ(replay, text, now);
}

/* ---- decisions ---- */

static void do_answer(struct replay *replay, const json_t *line)
{
    struct yk_err err = {0};
    enum yk_status st = yk_replay_api_answer(&replay->api, line, &err);
    if (st != YK_OK)
        fail(replay, st, yk_err_sentence(&err));
}

static bool is_same(const struct replay *replay)
{
    struct yk_str made = yk_buf_view(&replay->made);
    return replay->judge != NULL ? replay->judge->is_same(replay->judge->context, replay->text, made)
                                 : yk_str_eq(replay->text, made);
}

static void submitted(void *context, const struct yk_op *op)
{
    struct replay *replay = context;
    if (!goes_on(replay))
        return;
    yk_buf_clear(&replay->made);
    yk_decision_put(&replay->decisions, replay->api.sent, op, &replay->made);
    const json_t *next = peek(replay);
    if (next == NULL && replay->status == YK_OK && replay->result->recorded[0] == '\0') {
        replay->has_ended = true; /* the recording was cut off before this decision */
        return;
    }
    if (next == NULL)
        return;
    if (!is_same(replay)) {
        differ_from_line(replay, yk_buf_view(&replay->made));
        return;
    }
    yk_decisions_add(&replay->decisions, yk_buf_view(&replay->made));
    json_decref(take(replay));
    next = peek(replay);
    if (next == NULL || !json_is_true(json_object_get(next, "now")) ||
        json_object_get(next, "answer") == NULL)
        return;
    json_t *line = take(replay);
    do_answer(replay, line);
    json_decref(line);
}

/* ---- users ---- */

static enum yk_directory_serves serves(void *context, const char *type, struct yk_err *err)
{
    const struct replay *replay = context;
    if (strcmp(type, "os") == 0)
        return replay->os;
    if (strcmp(type, "ldap") != 0)
        return YK_DIRECTORY_UNKNOWN;
    if (replay->ldap == YK_DIRECTORY_UNUSABLE)
        (void)yk_fail(err, YK_ERR_INVALID, "%s", replay->ldap_reason); /* only the sentence is used */
    return replay->ldap;
}

static void ask(void *context, struct yk_question *question)
{
    struct replay *replay = context;
    (void)yk_idmap_put(&replay->questions, ++replay->asked, question); /* a new key */
}

static bool read_groups(const json_t *line, struct yk_question *question)
{
    const char *failure = json_string_value(json_object_get(line, "failure"));
    size_t index, bytes = 0;
    json_t *group;
    if (failure != NULL)
        (void)yk_fail(&question->failure, YK_ERR_UNAVAILABLE, "%s", failure); /* only the sentence is used */
    json_array_foreach(json_object_get(line, "of"), index, group)
    {
        struct yk_str name = {json_string_value(group), json_string_length(group)};
        if (name.p == NULL || !yk_user_add_group(&question->user, name, &bytes))
            return false;
    }
    return true;
}

static void do_groups(struct replay *replay, const json_t *line)
{
    int64_t number;
    if (!read_number(replay, line, "groups", 1, INT64_MAX, &number))
        return;
    struct yk_question *question = yk_idmap_get(&replay->questions, (uint64_t)number);
    if (question == NULL) {
        fail(replay, YK_ERR_INVALID, "'groups': there is no such question without an answer");
    } else if (!read_groups(line, question)) {
        fail(replay, YK_ERR_INVALID, "'of' is a list of the names of groups, not too many");
    } else {
        (void)yk_idmap_remove(&replay->questions, (uint64_t)number); /* the result is `question` */
        yk_question_answer(question);
    }
}

/* ---- inputs ---- */

static void do_step(struct replay *replay, const json_t *line)
{
    int64_t mono_ns, wall_ns;
    if (!read_number(replay, line, "step", replay->clock.mono_ns, INSTANT_MAX, &mono_ns))
        return;
    wall_ns = yk_i64_add(replay->clock.wall_ns, mono_ns - replay->clock.mono_ns);
    if (json_object_get(line, "wall") != NULL && !read_number(replay, line, "wall", 0, INSTANT_MAX, &wall_ns))
        return;
    replay->clock.mono_ns = mono_ns;
    replay->clock.wall_ns = YK_MIN(wall_ns, INSTANT_MAX);
    replay->timers_ran = false;
    replay->result->steps++;
    replay->result->end_mono_ns = mono_ns;
}

/* Runs the timers. The number of timers that fire may differ from the recorded number, because health checks
 * visit hash tables in steps, and the hash has another secret in each process. */
static void do_timers(struct replay *replay)
{
    replay->timers_ran = true;
    (void)yk_timers_run(&replay->timers);
}

static void do_work(struct replay *replay)
{
    if (!replay->timers_ran)
        do_timers(replay);
    if (goes_on(replay))
        (void)yk_shim_work(replay->shim); /* the recording says when the next step begins */
}

static void do_turns(struct replay *replay, const json_t *line)
{
    int64_t turns;
    if (!read_number(replay, line, "turns", 1, INT64_MAX, &turns))
        return;
    uint64_t before = yk_core_turns(replay->core);
    if (yk_shim_is_ready(replay->shim) && yk_shim_leads(replay->shim))
        yk_core_schedule_turns(replay->core, (uint64_t)turns);
    uint64_t made = yk_core_turns(replay->core) - before;
    if (made == (uint64_t)turns)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf recorded = {0}, now = {0};
    yk_buf_printf(&recorded, "%lld looks for a decision", (long long)turns);
    yk_buf_printf(&now, "%llu", (unsigned long long)made);
    differ(replay, yk_buf_cstr(&recorded), yk_buf_view(&now));
}

/* At this point of the recorded run, another thread had read a configuration. Runs the command that reads the
 * configuration, then the command with the result. */
static void do_configuration(struct replay *replay)
{
    (void)yk_mailbox_run(&replay->aside, BOX_MAX); /* the number of commands is not needed, here and below */
    (void)yk_mailbox_run(&replay->inbox, BOX_MAX);
    (void)yk_mailbox_run(&replay->aside, BOX_MAX);
}

static void do_order(struct replay *replay, const json_t *line)
{
    enum yk_record_order order;
    if (!yk_record_order_of(json_string_value(json_object_get(line, "order")), &order)) {
        fail(replay, YK_ERR_INVALID, "'order' is not known");
        return;
    }
    switch (order) {
    case YK_RECORD_LEAD:
        yk_shim_lead(replay->shim);
        break;
    case YK_RECORD_STOP:
        yk_shim_stop(replay->shim);
        break;
    }
}

static void do_end(struct replay *replay, const json_t *line)
{
    const char *why = json_string_value(json_object_get(line, "end"));
    const char *hash = json_string_value(json_object_get(line, "hash"));
    if (why == NULL || hash == NULL) {
        fail(replay, YK_ERR_INVALID, "'end' and 'hash' are texts");
        return;
    }
    if (hash[0] != '\0' && (strlen(hash) != 64 || strspn(hash, "0123456789abcdef") != 64)) {
        fail(replay, YK_ERR_INVALID, "'hash' has 64 hexadecimal digits, or none");
        return;
    }
    struct yk_err printable;
    (void)yk_fail(&printable, YK_OK, "%s", why); /* replaces control characters, for terminals */
    snprintf(replay->result->why, sizeof(replay->result->why), "%s", printable.text);
    snprintf(replay->result->recorded, sizeof(replay->result->recorded), "%s", hash);
    replay->has_ended = true;
}

static void do_event(struct replay *replay, const json_t *line)
{
    struct yk_err err = {0};
    enum yk_status st = yk_replay_api_deliver(&replay->api, line, &err);
    if (st != YK_OK)
        fail(replay, st, yk_err_sentence(&err));
}

static bool has(const json_t *line, const char *key)
{
    return json_object_get(line, key) != NULL;
}

static void do_line(struct replay *replay, const json_t *line)
{
    if (has(line, "step"))
        do_step(replay, line);
    else if (has(line, "event"))
        do_event(replay, line);
    else if (has(line, "answer"))
        do_answer(replay, line);
    else if (has(line, "timers"))
        do_timers(replay);
    else if (has(line, "work"))
        do_work(replay);
    else if (has(line, "turns"))
        do_turns(replay, line);
    else if (has(line, "groups"))
        do_groups(replay, line);
    else if (has(line, "configuration"))
        do_configuration(replay);
    else if (has(line, "order"))
        do_order(replay, line);
    else if (has(line, "end"))
        do_end(replay, line);
    else if (has(line, "do"))
        differ_from_line(replay, YK_STR("nothing is done here"));
    else
        fail(replay, YK_ERR_INVALID, "a line of no kind that is known");
}

/* ---- the beginning ---- */

static const char *text_of(struct replay *replay, const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));
    YK_CLEANUP(yk_buf_done) struct yk_buf sentence = {0};
    if (text != NULL)
        return text;
    yk_buf_printf(&sentence, "'%s' is a text", key);
    fail(replay, YK_ERR_INVALID, yk_buf_cstr(&sentence));
    return "";
}

static enum yk_directory_serves serves_of(const json_t *directory, const char *type)
{
    const json_t *entry = json_object_get(directory, type);
    switch (json_integer_value(json_object_get(entry, "serves"))) {
    case YK_DIRECTORY_SERVES:
        return YK_DIRECTORY_SERVES;
    case YK_DIRECTORY_UNUSABLE:
        return YK_DIRECTORY_UNUSABLE;
    }
    return YK_DIRECTORY_UNKNOWN;
}

static void read_directory(struct replay *replay, const json_t *directory)
{
    const char *reason = json_string_value(json_object_get(json_object_get(directory, "ldap"), "reason"));
    replay->os = serves_of(directory, "os");
    replay->ldap = serves_of(directory, "ldap");
    replay->ldap_reason = yk_strdup(reason != NULL ? reason : "");
    replay->directory = (struct yk_directory){replay, serves, ask};
}

static void on_fatal(void *context, const char *message)
{
    (void)context, (void)message; /* if the recorded scheduler ended here as well, so does the recording */
}

static void make_scheduler(struct replay *replay, const json_t *line)
{
    const json_t *directory = json_object_get(line, "directory");
    if (directory != NULL)
        read_directory(replay, directory);
    const struct yk_core_options core = {
        .clock = &replay->clock,
        .timers = &replay->timers,
        .directory = directory != NULL ? &replay->directory : NULL,
        .no_reservations = json_is_true(json_object_get(line, "noReservations")),
    };
    uint64_t seed = 0;
    if (yk_str_to_u64(yk_str_from(text_of(replay, line, "seed")), &seed) != YK_OK)
        fail(replay, YK_ERR_INVALID, "'seed' is a number, as a text");
    bool reads_aside = json_is_true(json_object_get(line, "readsAside"));
    replay->core = yk_core_new(&core);
    const struct yk_shim_options shim = {
        .api = &replay->api.api,
        .core = replay->core,
        .timers = &replay->timers,
        .clock = &replay->clock,
        .namespace_ = text_of(replay, line, "namespace"),
        .hostname = text_of(replay, line, "hostname"),
        .seed = seed,
        .standby = json_is_true(json_object_get(line, "standby")),
        .aside = reads_aside ? &replay->aside : NULL,
        .inbox = reads_aside ? &replay->inbox : NULL,
        .context = replay,
        .fatal = on_fatal,
    };
    replay->shim = yk_shim_new(&shim);
    yk_shim_start(replay->shim);
}

static void begin(struct replay *replay)
{
    int64_t format;
    if (peek(replay) == NULL) {
        fail(replay, YK_ERR_INVALID, "the file is empty");
        return;
    }
    json_t *line = take(replay);
    if (!read_number(replay, line, "recording", YK_RECORD_FORMAT, YK_RECORD_FORMAT, &format) ||
        !read_number(replay, line, "mono", 0, INSTANT_MAX, &replay->clock.mono_ns) ||
        !read_number(replay, line, "wall", 0, INSTANT_MAX, &replay->clock.wall_ns)) {
        json_decref(line);
        return;
    }
    replay->result->begin_mono_ns = replay->result->end_mono_ns = replay->clock.mono_ns;
    make_scheduler(replay, line);
    json_decref(line);
}

/* ---- the whole ---- */

static void init(struct replay *replay, const struct yk_record_source *source,
                 struct yk_replay_result *result)
{
    *replay = (struct replay){.source = source, .result = result, .clock = {.is_virtual = true}};
    yk_replay_api_init(&replay->api, submitted, replay);
    yk_timers_init(&replay->timers, &replay->clock);
    yk_mailbox_init(&replay->aside, BOX_MAX);
    yk_mailbox_init(&replay->inbox, BOX_MAX);
    yk_decisions_init(&replay->decisions);
}

static void done(struct replay *replay)
{
    struct yk_question *question;
    if (replay->shim != NULL) {
        yk_shim_stop(replay->shim);
        yk_replay_api_close(&replay->api);
    }
    yk_mailbox_done(&replay->aside);
    yk_mailbox_done(&replay->inbox);
    yk_shim_free(replay->shim);
    yk_core_free(replay->core);
    yk_idmap_foreach (question, &replay->questions)
        yk_question_free(question);
    yk_idmap_done(&replay->questions);
    yk_replay_api_done(&replay->api);
    yk_timers_done(&replay->timers);
    yk_decisions_done(&replay->decisions);
    yk_buf_done(&replay->made);
    free(replay->ldap_reason);
    json_decref(replay->line);
}

/* Sets the number of decisions and their hash in the result. If only the hash differs from that in the last
 * line, the recording was changed; this is a difference, too. */
static void compare_hashes(struct replay *replay)
{
    struct yk_replay_result *result = replay->result;
    result->decisions = replay->decisions.count;
    yk_decisions_hash(&replay->decisions, result->hash);
    if (replay->status == YK_OK && !yk_replay_differs(result) && result->recorded[0] != '\0' &&
        strcmp(result->recorded, result->hash) != 0)
        (void)yk_fail_at(&result->difference, YK_ERR_STATE, (uint32_t)result->lines, 0,
                         "recorded: the hash of all decisions %s; now: %s", result->recorded, result->hash);
}

enum yk_status yk_replay_run(const struct yk_record_source *source, struct yk_replay_result *ret,
                             struct yk_err *err)
{
    return yk_replay_run_judged(source, NULL, ret, err);
}

enum yk_status yk_replay_run_judged(const struct yk_record_source *source,
                                    const struct yk_replay_judge *judge, struct yk_replay_result *ret,
                                    struct yk_err *err)
{
    YK_CLEANUP(yk_freep) struct replay *replay = yk_new0(struct replay);
    *ret = (struct yk_replay_result){0};
    init(replay, source, ret);
    replay->judge = judge;
    begin(replay);
    while (peek(replay) != NULL) {
        json_t *line = take(replay);
        do_line(replay, line);
        json_decref(line);
    }
    compare_hashes(replay);
    enum yk_status st = replay->status;
    if (st != YK_OK && err != NULL)
        *err = replay->err;
    done(replay);
    return st;
}
