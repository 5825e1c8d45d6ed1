/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/simulate_live.h"

#include "api/json_reader.h"
#include "base/json_writer.h"

#include <jansson.h>

/* ---- the state ---- */

static void show_notes(struct yk_json *json, const struct yk_live *live)
{
    uint64_t first = live->note_count > YK_LIVE_NOTES_MAX ? live->note_count - YK_LIVE_NOTES_MAX : 0;
    yk_json_key(json, "notes");
    yk_json_array_begin(json);
    for (uint64_t i = first; i < live->note_count; i++) {
        const struct yk_live_note *note = &live->notes[i % YK_LIVE_NOTES_MAX];
        yk_json_object_begin(json);
        yk_json_add_int(json, "atNs", note->at_ns);
        yk_json_add_text(json, "text", note->text);
        yk_json_object_end(json);
    }
    yk_json_array_end(json);
}

static void show_pods(struct yk_json *json, const struct yk_workload *work)
{
    yk_json_key(json, "pods");
    yk_json_object_begin(json);
    yk_json_add_uint(json, "submitted", work->submitted);
    yk_json_add_uint(json, "waiting", work->waiting);
    yk_json_add_uint(json, "running", work->running);
    yk_json_add_uint(json, "ended", work->ended);
    yk_json_add_uint(json, "refused", work->refused);
    yk_json_object_end(json);
}

static void show_state(const struct yk_live *live, struct yk_answer *answer)
{
    const struct yk_outcome *outcome = yk_simulation_outcome(live->sim);
    struct yk_json json;
    answer->content_type = YK_TYPE_JSON;
    yk_json_init(&json, &answer->body);
    yk_json_object_begin(&json);
    yk_json_key(&json, "scenario");
    yk_json_str(&json, outcome->scenario->name);
    yk_json_add_uint(&json, "seed", outcome->seed);
    yk_json_add_int(&json, "now", yk_clock_wall_ns(yk_simulation_engine(live->sim)->clock));
    yk_json_add_int(&json, "elapsedNs", yk_simulation_elapsed_ns(live->sim));
    yk_json_add_double(&json, "speed", live->pace.speed);
    yk_json_add_bool(&json, "paused", live->pace.paused);
    yk_json_add_bool(&json, "behind", live->pace.behind);
    yk_json_add_bool(&json, "over", yk_simulation_is_over(live->sim));
    yk_json_add_text(&json, "broken", outcome->broken.text);
    show_pods(&json, &outcome->workload);
    show_notes(&json, live);
    yk_json_object_end(&json);
    yk_buf_char(&answer->body, '\n');
}

static void show(void *context, struct yk_answer *answer)
{
    show_state(context, answer);
}

/* ---- the clock ---- */

/* What a request changes. */
struct clock_change {
    double speed;            /* 0: not given */
    int64_t forward_ns;      /* 0: not given */
    bool has_paused, paused; /* `has_paused` false: not given */
};

static bool read_speed(const json_t *value, struct clock_change *change)
{
    change->speed = json_number_value(value);
    return json_is_number(value) && change->speed >= YK_PACE_SPEED_MIN && change->speed <= YK_PACE_SPEED_MAX;
}

static bool read_forward(const json_t *value, struct clock_change *change)
{
    return json_is_string(value) &&
           yk_duration_parse(yk_str_from(json_string_value(value)), &change->forward_ns) == YK_OK &&
           change->forward_ns > 0 && change->forward_ns <= YK_PACE_FORWARD_MAX;
}

static bool read_paused(const json_t *value, struct clock_change *change)
{
    change->has_paused = true;
    change->paused = json_is_true(value);
    return json_is_boolean(value);
}

static enum yk_status read_member(const char *key, const json_t *value, struct clock_change *change,
                                  struct yk_err *err)
{
    static const struct {
        const char *key;
        bool (*read)(const json_t *value, struct clock_change *change);
        const char *wanted;
    } known[] = {{"speed", read_speed, "'speed' is a number from 0.01 to 10000"},
                 {"forward", read_forward, "'forward' is a duration up to 24h, such as \"10s\""},
                 {"paused", read_paused, "'paused' is true or false"}};
    for (size_t i = 0; i < YK_COUNT(known); i++) {
        if (strcmp(key, known[i].key) == 0)
            return known[i].read(value, change) ? YK_OK : yk_fail(err, YK_ERR_INVALID, "%s", known[i].wanted);
    }
    return yk_fail(err, YK_ERR_INVALID, "unknown member '%.40s'", key);
}

static enum yk_status read_change(struct yk_str body, struct clock_change *change, struct yk_err *err)
{
    json_t *root = NULL, *value;
    const char *key;
    enum yk_status st = yk_json_parse_strict(body, &root, err);
    if (st == YK_OK && (!json_is_object(root) || json_object_size(root) == 0))
        st = yk_fail(err, YK_ERR_INVALID, "the body is an object with 'paused', 'speed' or 'forward'");
    json_object_foreach(root, key, value)
    {
        if (st == YK_OK)
            st = read_member(key, value, change, err);
    }
    json_decref(root);
    return st;
}

static void set_clock(void *context, struct yk_str body, struct yk_answer *answer)
{
    struct yk_live *live = context;
    struct clock_change change = {.speed = 0};
    struct yk_err err = {0};
    int64_t now_ns = yk_clock_mono_ns(yk_simulation_engine(live->sim)->clock);
    if (read_change(body, &change, &err) != YK_OK) {
        yk_answer_error(answer, 400, err.text);
        return;
    }
    if (change.speed > 0)
        live->pace.speed = change.speed;
    if (change.has_paused) {
        live->pace.paused = change.paused;
        live->pace.behind = false;
        live->pace.target_ns = now_ns;
    }
    if (change.forward_ns > 0)
        yk_pace_forward(&live->pace, now_ns, change.forward_ns);
    show_state(live, answer);
}

/* ---- steps ---- */

/* What steps add to the cluster. */
struct growth {
    uint64_t pods, nodes;
    uint64_t daemon_sets; /* each has a pod on each node; `pods` counts one of them */
    bool at_once;         /* all steps have the time 0 */
    /* There are steps that submit pods: the simulation refers to them after they were done. */
    bool is_lasting;
};

static struct growth growth_of(const struct yk_scenario *steps)
{
    struct growth growth = {.at_once = true};
    for (uint32_t i = 0; i < steps->step_count; i++) {
        const struct yk_scenario_step *step = &steps->steps[i];
        growth.at_once &= step->at_ns == 0;
        if (step->kind == YK_STEP_ADD_NODES)
            growth.nodes += step->with.nodes.count;
        if (step->kind == YK_STEP_SUBMIT) {
            growth.pods += step->with.submit.applications * YK_MAX(step->with.submit.pods, 1);
            growth.daemon_sets += step->with.submit.daemon_set ? step->with.submit.applications : 0;
            growth.is_lasting = true;
        }
    }
    return growth;
}

static enum yk_status check_growth(const struct yk_live *live, const struct yk_scenario *steps,
                                   struct yk_err *err)
{
    struct growth growth = growth_of(steps);
    uint64_t nodes = growth.nodes + yk_cluster_count(yk_simulation_cluster(live->sim), YK_KIND_NODE);
    uint64_t pods =
        growth.pods + growth.daemon_sets * nodes + yk_simulation_outcome(live->sim)->workload.submitted;
    if (!growth.at_once)
        return yk_fail(err, YK_ERR_INVALID, "steps are performed at once, so 'at' must be 0s");
    if (nodes > YK_SCENARIO_NODES_MAX || pods > YK_SCENARIO_PODS_MAX || growth.pods > YK_LIVE_PODS_MAX)
        return yk_fail(err, YK_ERR_LIMIT,
                       "a simulation has at most %d nodes and %d pods, one request %d pods",
                       YK_SCENARIO_NODES_MAX, YK_SCENARIO_PODS_MAX, YK_LIVE_PODS_MAX);
    if (growth.is_lasting && (live->steps.count >= YK_LIVE_POSTS_MAX ||
                              live->steps_bytes + yk_arena_bytes(&steps->arena) > YK_LIVE_BYTES_MAX))
        return yk_fail(err, YK_ERR_LIMIT, "too many steps were posted; start the simulation again");
    return YK_OK;
}

static enum yk_status count_post(struct yk_live *live, const struct yk_scenario *steps, struct yk_err *err)
{
    int64_t now_ns = yk_clock_mono_ns(yk_simulation_engine(live->sim)->clock);
    size_t bytes = yk_arena_bytes(&steps->arena);
    if (now_ns - live->second_ns >= YK_NS_PER_S) {
        live->second_ns = now_ns;
        live->second_posts = live->second_bytes = 0;
    }
    if (live->second_posts >= YK_LIVE_POSTS_MAX || live->second_bytes + bytes > YK_LIVE_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT,
                       "too many steps were posted in one second of the simulation; let its clock move on");
    live->second_posts++;
    live->second_bytes += bytes;
    return YK_OK;
}

static enum yk_status do_steps(struct yk_live *live, struct yk_str body, uint32_t *ret_count,
                               struct yk_err *err)
{
    YK_CLEANUP(yk_scenario_freep) struct yk_scenario *steps = NULL;
    enum yk_status status = yk_scenario_parse_steps(body, &steps, err);
    if (status == YK_OK)
        status = check_growth(live, steps, err);
    if (status == YK_OK)
        status = count_post(live, steps, err);
    if (status != YK_OK)
        return status;
    for (uint32_t i = 0; i < steps->step_count && status == YK_OK; i++)
        status = yk_simulation_do(live->sim, &steps->steps[i], err);
    *ret_count = steps->step_count;
    if (growth_of(steps).is_lasting) {
        live->steps_bytes += yk_arena_bytes(&steps->arena);
        yk_vec_append(&live->steps, yk_move(steps));
    }
    return status;
}

static void take_steps(void *context, struct yk_str body, struct yk_answer *answer)
{
    struct yk_err err = {0};
    struct yk_json json;
    uint32_t count = 0;
    if (do_steps(context, body, &count, &err) != YK_OK) {
        yk_answer_error(answer, 400, err.text);
        return;
    }
    answer->content_type = YK_TYPE_JSON;
    yk_json_init(&json, &answer->body);
    yk_json_object_begin(&json);
    yk_json_add_uint(&json, "steps", count);
    yk_json_object_end(&json);
    yk_buf_char(&answer->body, '\n');
}

/* ---- life ---- */

void yk_live_init(struct yk_live *live)
{
    *live = (struct yk_live){
        .hook = {.context = live, .show_state = show, .set_clock = set_clock, .take_steps = take_steps}};
}

void yk_live_done(struct yk_live *live)
{
    struct yk_scenario *steps;
    yk_vec_foreach (steps, &live->steps)
        yk_scenario_free(steps);
    yk_vec_done(&live->steps);
    for (size_t i = 0; i < YK_LIVE_NOTES_MAX; i++)
        free(live->notes[i].text);
}

void yk_live_note(void *context, int64_t at_ns, const char *text)
{
    struct yk_live *live = context;
    struct yk_live_note *note = &live->notes[live->note_count++ % YK_LIVE_NOTES_MAX];
    free(note->text);
    *note = (struct yk_live_note){at_ns, yk_strdup(text)};
}
