/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the answer of a trial as JSON (docs/whatif.md, "Answers"). */
#include "api/json_reader.h"
#include "api/pod_keys.h"
#include "app/apps.h"
#include "app/reason_words.h"
#include "base/json_writer.h"
#include "resources/amount_text.h"
#include "whatif/copy.h"
#include "whatif/trial_priv.h"

#include <jansson.h>

/* ---- pods ---- */

static const char *verdict_of(const struct yk_trial_pod *pod)
{
    if (pod->has_started)
        return "starts";
    return pod->has_failed ? "rejected" : "waits";
}

/* The fraction is dropped, as on the web page and in `kubectl yunikorn`. */
static void put_duration(int64_t ns, struct yk_buf *text)
{
    if (ns < YK_NS_PER_S)
        yk_buf_printf(text, "%lld ms", (long long)YK_MAX(ns / YK_NS_PER_MS, 1));
    else
        yk_buf_printf(text, "%lld s", (long long)(ns / YK_NS_PER_S));
}

/* The scheduling gates of a pod of which the scheduler has said nothing; NULL: none. The API server writes
 * the condition of such a pod, and the trial has none. */
static const json_t *gates_of(const struct yk_trial_pod *pod)
{
    const json_t *gates = json_object_get(json_object_get(pod->tree, "spec"), "schedulingGates");
    return pod->reason == NULL && json_array_size(gates) > 0 ? gates : NULL;
}

static void put_why(const struct yk_whatif_trial *trial, const struct yk_trial_pod *pod, struct yk_buf *text)
{
    struct yk_str sentence;
    if (gates_of(pod) != NULL) {
        yk_buf_text(text, "scheduling gates hold it: ");
        yk_json_join_names(gates_of(pod), text);
    } else if (pod->message == NULL || pod->message[0] == '\0') {
        yk_buf_text(
            text,
            trial->question.horizon_ns > 0
                ? "the scheduler has not said why"
                : "it does not start at once, and horizonSeconds is 0, which is too short for a reason");
    } else {
        (void)yk_reason_words_split(yk_str_from(pod->message), &sentence); /* the token is not needed */
        yk_buf_str(text, yk_str_trim(sentence)); /* messages of YuniKorn 1.9 may begin with a blank */
    }
}

/* The token of the reason (docs/reasons.md), or the reason in the pod's status if there is no token. "": the
 * pod has started, or there is no reason. */
static const char *reason_of(const struct yk_trial_pod *pod)
{
    struct yk_str sentence;
    if (gates_of(pod) != NULL)
        return yk_si_reason_token(YK_REASON_GATED);
    if (pod->has_started || pod->reason == NULL)
        return "";
    if (pod->has_failed && strcmp(pod->reason, "ApplicationRejected") == 0)
        return yk_si_reason_token(YK_REASON_REJECTED);
    enum yk_si_reason reason = YK_REASON_NONE;
    if (pod->message != NULL)
        reason = yk_reason_words_split(yk_str_from(pod->message), &sentence);
    return reason != YK_REASON_NONE ? yk_si_reason_token(reason) : pod->reason;
}

/* `at_least`: the pod may have more victims than `victims`. */
static void put_pod_sentence(const struct yk_whatif_trial *trial, const struct yk_trial_pod *pod,
                             size_t victims, bool at_least, struct yk_buf *text)
{
    if (!pod->has_started) {
        yk_buf_printf(text, "%s: ", pod->has_failed ? "is rejected" : "waits");
        put_why(trial, pod, text);
        return;
    }
    if (victims > 0)
        yk_buf_printf(text, "would preempt %s%zu pod%s and then start on %s", at_least ? "at least " : "",
                      victims, victims == 1 ? "" : "s", pod->node);
    else
        yk_buf_printf(text, "starts %son %s", pod->after_ns == 0 ? "now " : "", pod->node);
    if (pod->after_ns > 0) {
        yk_buf_text(text, ", after ");
        put_duration(pod->after_ns, text);
    }
}

static void put_other(const struct yk_trial_other *other, struct yk_json *json)
{
    yk_json_object_begin(json);
    yk_json_add_text(json, "podName", other->name);
    yk_json_add_text(json, "namespace", other->namespace_);
    yk_json_add_text(json, "applicationID", other->application);
    yk_json_add_text(json, "queueName", other->queue != NULL ? other->queue : "");
    yk_json_add_text(json, "nodeID", other->node);
    yk_json_add_int(json, "afterMillis", other->after_ns / YK_NS_PER_MS);
    yk_json_object_end(json);
}

static void put_others(const char *key, const struct yk_vec *others, size_t more, struct yk_json *json)
{
    const struct yk_trial_other *other;
    yk_json_key(json, key);
    yk_json_array_begin(json);
    yk_vec_foreach (other, others)
        put_other(other, json);
    yk_json_array_end(json);
    if (more == 0)
        return;
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    yk_buf_printf(&name, "%sOmitted", key);
    yk_json_add_int(json, yk_buf_cstr(&name), (int64_t)more);
}

/* Whether the victim may have been deleted for the pod. The scheduler does not say for which pod it deletes a
 * victim. The answer assumes the pod that is the first to start on the node of the victim afterwards. */
static bool is_for(const struct yk_trial_other *victim, const struct yk_trial_pod *pod)
{
    return pod->has_started && pod->after_ns > victim->after_ns && strcmp(pod->node, victim->node) == 0;
}

static const struct yk_trial_pod *taker_of(const struct yk_whatif_trial *trial,
                                           const struct yk_trial_other *victim)
{
    const struct yk_trial_pod *pod, *taker = NULL;
    yk_vec_foreach (pod, &trial->pods) {
        if (is_for(victim, pod) && (taker == NULL || pod->after_ns < taker->after_ns))
            taker = pod;
    }
    return taker != NULL || trial->pods.count != 1 ? taker : trial->pods.items[0];
}

static void put_pod(const struct yk_whatif_trial *trial, const struct yk_trial_pod *pod, struct yk_json *json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    const struct yk_trial_other *victim;
    size_t victims = 0;
    yk_json_object_begin(json);
    yk_json_add_text(json, "name", pod->name);
    yk_json_add_text(json, "namespace", pod->namespace_);
    yk_json_add_text(json, "verdict", verdict_of(pod));
    yk_json_add_text(json, "nodeID", pod->node != NULL ? pod->node : "");
    yk_json_add_int(json, "afterMillis", pod->has_started ? pod->after_ns / YK_NS_PER_MS : 0);
    yk_json_add_text(json, "reason", reason_of(pod));
    yk_json_key(json, "victims");
    yk_json_array_begin(json);
    yk_vec_foreach (victim, &trial->victims) {
        if (taker_of(trial, victim) != pod)
            continue;
        put_other(victim, json);
        victims++;
    }
    yk_json_array_end(json);
    if (trial->pods.count == 1)
        put_pod_sentence(trial, pod, victims + trial->more_victims, false, &text);
    else
        put_pod_sentence(trial, pod, victims, trial->more_victims > 0, &text);
    yk_json_add_text(json, "message", yk_buf_cstr(&text));
    yk_json_object_end(json);
}

/* The application of a placeholder: a label, or an annotation if the name is no value for a label. */
static const char *application_of(const struct yk_trial_pod *placeholder)
{
    const json_t *metadata = json_object_get(placeholder->tree, "metadata");
    const json_t *label = json_object_get(json_object_get(metadata, "labels"), YK_KEY_APP_ID);
    const json_t *note = json_object_get(json_object_get(metadata, "annotations"), YK_KEY_APP_ID);
    return json_string_value(label != NULL ? label : note);
}

/* Whether the pod is one of the question, or, with `placeholders`, a placeholder of its application. */
static bool is_of_question(const struct yk_whatif_trial *trial, const struct yk_trial_pod *pod,
                           bool placeholders)
{
    if (pod->is_placeholder != placeholders)
        return false;
    if (!placeholders)
        return true;
    const char *application = application_of(pod);
    return trial->application != NULL && application != NULL &&
           strcmp(application, trial->application->id) == 0;
}

static void put_pods(const struct yk_whatif_trial *trial, bool placeholders, struct yk_json *json)
{
    const struct yk_trial_pod *pod;
    yk_json_key(json, placeholders ? "placeholders" : "pods");
    yk_json_array_begin(json);
    yk_vec_foreach (pod, &trial->pods) {
        if (is_of_question(trial, pod, placeholders))
            put_pod(trial, pod, json);
    }
    yk_json_array_end(json);
}

/* ---- the verdict ---- */

struct tally {
    size_t pods, now, later, rejected, waiting;
    const struct yk_trial_pod *first, *held; /* the first pod; the first one that does not start */
};

static struct tally count_pods(const struct yk_whatif_trial *trial, bool placeholders)
{
    struct tally tally = {.pods = 0};
    const struct yk_trial_pod *pod;
    yk_vec_foreach (pod, &trial->pods) {
        if (!is_of_question(trial, pod, placeholders))
            continue;
        tally.pods++;
        tally.now += pod->has_started && pod->after_ns == 0;
        tally.later += pod->has_started && pod->after_ns > 0;
        tally.rejected += !pod->has_started && pod->has_failed;
        tally.waiting += !pod->has_started && !pod->has_failed;
        tally.first = tally.first != NULL ? tally.first : pod;
        tally.held = tally.held == NULL && !pod->has_started ? pod : tally.held;
    }
    return tally;
}

static const char *verdict_of_pods(const struct tally *tally)
{
    size_t started = tally->now + tally->later;
    if (started == tally->pods)
        return "starts";
    if (started > 0)
        return "partly";
    return tally->waiting == 0 ? "rejected" : "waits";
}

static void put_count(size_t count, const char *one, const char *many, struct yk_buf *text)
{
    yk_buf_printf(text, "%zu %s", count, count == 1 ? one : many);
}

static void say_pods(const struct yk_whatif_trial *trial, const struct tally *tally, struct yk_buf *text)
{
    size_t victims = trial->victims.count + trial->more_victims;
    if (tally->pods == 1) {
        yk_buf_printf(text, "pod %s/%s ", tally->first->namespace_, tally->first->name);
        put_pod_sentence(trial, tally->first, victims, false, text);
        return;
    }
    yk_buf_printf(text, "of %zu pods ", tally->pods);
    put_count(tally->now, "starts now", "start now", text);
    if (tally->later > 0) {
        yk_buf_text(text, ", ");
        put_count(tally->later, "starts later", "start later", text);
    }
    if (victims > 0) {
        yk_buf_text(text, ", preempting ");
        put_count(victims, "pod", "pods", text);
    }
    if (tally->waiting > 0) {
        yk_buf_text(text, ", ");
        put_count(tally->waiting, "waits", "wait", text);
    }
    if (tally->rejected > 0)
        yk_buf_printf(text, ", %zu would be rejected", tally->rejected);
    if (tally->held != NULL) {
        yk_buf_printf(text, "; the first one %s: ", tally->held->has_failed ? "is rejected" : "waits");
        put_why(trial, tally->held, text);
    }
}

/* NULL: the gang is used, or there is none. */
static const char *gang_unused(const struct yk_whatif_trial *trial)
{
    return trial->application != NULL ? trial->application->gang_unused : NULL;
}

static void say_gang(const struct yk_whatif_trial *trial, const struct tally *placeholders,
                     struct yk_buf *text)
{
    if (gang_unused(trial) != NULL)
        yk_buf_printf(text, "; the gang is not used: %s", gang_unused(trial));
    if (placeholders->pods == 0)
        return;
    yk_buf_printf(text, "; %zu of %zu placeholders get a node", placeholders->now + placeholders->later,
                  placeholders->pods);
}

static void say_node(const struct yk_whatif_trial *trial, struct yk_buf *text)
{
    size_t started = trial->started.count + trial->more_started;
    size_t lost = trial->lost.count + trial->more_lost;
    size_t unfit = trial->unfit.count + trial->more_unfit;
    if (trial->question.action == YK_WHATIF_REMOVE) {
        put_count(lost, "pod on the node would end", "pods on the node would end", text);
        yk_buf_text(text, "; ");
    }
    if (unfit > 0) {
        yk_buf_text(text, "the node is overcommitted by ");
        yk_amounts_text(text, &trial->overcommitted, &trial->overcommitted);
        yk_buf_text(text, "; its pods run on, but ");
        put_count(unfit, "does not fit into the new size", "do not fit into the new size", text);
        yk_buf_text(text, "; ");
    }
    put_count(started, "waiting pod would start", "waiting pods would start", text);
    if (trial->waiting > 0)
        yk_buf_printf(text, ", %zu would not", trial->waiting);
    if (trial->victims.count > 0)
        yk_buf_printf(text, ", %zu would be preempted", trial->victims.count + trial->more_victims);
}

static bool is_refused(const struct yk_whatif_trial *trial)
{
    struct yk_shim_counts counts;
    yk_shim_count(trial->stage->shim, &counts);
    return trial->question.kind == YK_WHATIF_QUEUES && counts.reloads_refused > trial->refused_before;
}

static void say_queues(const struct yk_whatif_trial *trial, struct yk_buf *text)
{
    if (is_refused(trial)) {
        yk_buf_text(text, trial->refusal != NULL ? trial->refusal : "the configuration is refused");
        return;
    }
    yk_buf_text(text, "the configuration is accepted; ");
    put_count(trial->started.count + trial->more_started, "waiting pod would start",
              "waiting pods would start", text);
    yk_buf_text(text, ", ");
    put_count(trial->victims.count + trial->more_victims, "pod would be preempted", "pods would be preempted",
              text);
}

/* ---- the whole ---- */

static void put_verdict(const struct yk_whatif_trial *trial, struct yk_json *json)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct tally pods = count_pods(trial, false), placeholders = count_pods(trial, true);
    const char *verdict = is_refused(trial) ? "rejected" : "accepted";
    switch (trial->question.kind) {
    case YK_WHATIF_POD:
    case YK_WHATIF_JOB:
    case YK_WHATIF_GANG:
        verdict = verdict_of_pods(&pods);
        say_pods(trial, &pods, &text);
        say_gang(trial, &placeholders, &text);
        break;
    case YK_WHATIF_NODE:
        say_node(trial, &text);
        break;
    case YK_WHATIF_QUEUES:
        say_queues(trial, &text);
        break;
    }
    yk_json_add_text(json, "verdict", verdict);
    yk_json_add_text(json, "message", yk_buf_cstr(&text));
    if (gang_unused(trial) != NULL)
        yk_json_add_text(json, "gangNotUsed", gang_unused(trial));
}

static void put_node_impact(const struct yk_whatif_trial *trial, struct yk_json *json)
{
    put_others("ended", &trial->lost, trial->more_lost, json);
    put_others("notFitting", &trial->unfit, trial->more_unfit, json);
    yk_json_key(json, "overcommitted");
    yk_resvec_json(&trial->overcommitted, json);
    yk_json_add_int(json, "waiting", (int64_t)trial->waiting);
}

static void put_impact(const struct yk_whatif_trial *trial, struct yk_json *json)
{
    const struct yk_whatif_core *core = trial->stage->core;
    yk_json_key(json, "impact");
    yk_json_object_begin(json);
    put_others("started", &trial->started, trial->more_started, json);
    put_others("preempted", &trial->victims, trial->more_victims, json);
    if (trial->question.kind == YK_WHATIF_NODE)
        put_node_impact(trial, json);
    if (trial->question.kind == YK_WHATIF_QUEUES && core != NULL && !is_refused(trial))
        core->add_impact(core->context, trial->queues_before, json);
    yk_json_object_end(json);
}

void yk__trial_answer(struct yk_whatif_trial *trial, struct yk_buf *answer)
{
    struct yk_json json;
    int64_t moved_ns = yk_clock_mono_ns(trial->stage->clock) - trial->begin_mono_ns;
    yk_buf_text(answer, "200 ");
    yk_json_init(&json, answer);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "kind", yk_whatif_kind_word(trial->question.kind));
    put_verdict(trial, &json);
    put_pods(trial, false, &json);
    if (trial->question.kind == YK_WHATIF_GANG)
        put_pods(trial, true, &json);
    put_impact(trial, &json);
    yk_json_add_int(&json, "horizonMillis", moved_ns / YK_NS_PER_MS);
    if (trial->ran_out)
        yk_json_add_bool(&json, "cutShort", true);
    yk_json_object_end(&json);
    if (!answer->failed)
        return;
    yk_buf_clear(answer);
    yk_buf_printf(answer, "500 the answer is larger than %d MiB", YK_COPY_ANSWER_MAX >> 20);
}
