/* SPDX-License-Identifier: Apache-2.0 */
#include "whatif/stage.h"

#include "api/json_reader.h"
#include "base/log.h"
#include "base/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CONFIG_NAMESPACE "yunikorn"
#define PLACEHOLDER      "internal.yunikorn.apache.org/placeholder"

static bool work(void *context)
{
    struct stage *stage = context;
    bool more = yk_shim_work(stage->shim);
    if (yk_shim_is_ready(stage->shim))
        more |= yk_core_schedule(stage->core, 16, INT64_MAX) > 0;
    return more;
}

static void note(struct yk_vec *list, const struct yk_pod *pod, const char *node)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (yk_pairs_get(&pod->object.annotations, PLACEHOLDER).p != NULL)
        return;
    yk_buf_printf(&text, YK_STR_FMT "/" YK_STR_FMT "%s%s", YK_STR_ARG(pod->object.namespace_),
                  YK_STR_ARG(pod->object.name), node != NULL ? " " : "", node != NULL ? node : "");
    yk_vec_append(list, yk_buf_take(&text));
}

static void pod_moment(void *context, enum yk_pod_moment moment, const struct yk_pod *pod, int64_t age_ns)
{
    struct stage *stage = context;
    (void)age_ns;
    if (moment == YK_POD_EVICTED)
        note(&stage->evicted, pod, NULL);
    else if (moment == YK_POD_BOUND)
        note(&stage->bound, pod, pod->node_name.p);
}

void stage_put_queues(struct stage *stage, const char *queues)
{
    struct yk_pair item = {YK_STR("queues.yaml"), yk_str_from(queues)};
    yk_cluster_put(stage->cluster,
                   yk_sim_config_map_new(CONFIG_NAMESPACE, "yunikorn-configs", &(struct yk_pairs){&item, 1}));
}

static struct yk_cluster_observer observer;

void stage_init(struct stage *stage, const char *queues, uint64_t seed)
{
    *stage = (struct stage){.status = 0};
    yk_log_set_stream(NULL);
    yk_clock_virtual_init(&stage->clock, 1700000000 * YK_NS_PER_S);
    yk_timers_init(&stage->timers, &stage->clock);
    yk_timers_init(&stage->outside, &stage->clock);
    observer = (struct yk_cluster_observer){stage, pod_moment};
    const struct yk_cluster_options cluster = {.clock = &stage->clock,
                                               .timers = &stage->outside,
                                               .termination_ns = YK_NS_PER_S,
                                               .node_lost_ns = YK_NS_PER_S,
                                               .observer = &observer,
                                               .seed = seed};
    stage->cluster = yk_cluster_new(&cluster);
    stage_put_queues(stage, queues);
    const struct yk_core_options core = {.clock = &stage->clock, .timers = &stage->timers, .seed = 1};
    stage->core = yk_core_new(&core);
    const struct yk_shim_options shim = {.api = yk_cluster_api(stage->cluster),
                                         .core = stage->core,
                                         .timers = &stage->timers,
                                         .clock = &stage->clock,
                                         .namespace_ = CONFIG_NAMESPACE,
                                         .hostname = "here",
                                         .seed = seed};
    stage->shim = yk_shim_new(&shim);
    yk_shim_start(stage->shim);
    const struct yk_whatif_stage whatif = {.clock = &stage->clock,
                                           .timers = &stage->timers,
                                           .api = shim.api,
                                           .shim = stage->shim,
                                           .context = stage,
                                           .work = work};
    yk_whatif_init(&stage->whatif, &whatif, &stage->outside);
    stage->whatif.no_pause = true;
    stage_pass(stage, YK_NS_PER_S);
    assert_true(yk_shim_is_ready(stage->shim));
}

static bool step(struct stage *stage)
{
    bool more = yk_timers_run(&stage->outside) > 0;
    more |= yk_timers_run(&stage->timers) > 0;
    return work(stage) || more;
}

void stage_pass(struct stage *stage, int64_t ns)
{
    int64_t until_ns = yk_clock_mono_ns(&stage->clock) + ns;
    for (;;) {
        while (step(stage))
            continue;
        int64_t next_ns = YK_MIN(yk_timers_next_ns(&stage->timers), yk_timers_next_ns(&stage->outside));
        if (next_ns > until_ns)
            break;
        yk_clock_advance(&stage->clock, YK_MAX(next_ns - yk_clock_mono_ns(&stage->clock), 0));
    }
    yk_clock_advance(&stage->clock, YK_MAX(until_ns - yk_clock_mono_ns(&stage->clock), 0));
}

static char *with_quotes(const char *text)
{
    char *copy = yk_strdup(text);
    for (char *at = copy; *at != '\0'; at++)
        *at = *at == '\'' ? '"' : *at;
    return copy;
}

void stage_put(struct stage *stage, enum yk_kind kind, const char *json)
{
    YK_CLEANUP(yk_freep) char *text = with_quotes(json);
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    enum yk_status st = yk_object_from_json(kind, yk_str_from(text), &object, &err);
    if (st == YK_OK && kind == YK_KIND_POD)
        st = yk_cluster_create_pod(stage->cluster, object, 0, &err);
    else if (st == YK_OK)
        yk_cluster_put(stage->cluster, object);
    if (st != YK_OK)
        fail_msg("%s: %s", err.text, text);
}

const char *stage_node_of(const struct stage *stage, const char *namespace_, const char *name)
{
    const struct yk_object *pod = yk_cluster_find(stage->cluster, YK_KIND_POD, namespace_, name);
    if (pod == NULL)
        return "-";
    struct yk_str node = ((const struct yk_pod *)(const void *)pod)->node_name;
    return yk_str_empty(node) ? "" : node.p;
}

static void answered(void *asker, uint64_t ticket, const struct yk_whatif_result *result)
{
    struct stage *stage = asker;
    assert_int_equal(ticket, 1);
    stage->status = result->status;
    free(stage->text);
    stage->text = yk_strdup(result->text);
    stage->cost = result->cost;
}

int stage_ask(struct stage *stage, const char *question)
{
    YK_CLEANUP(yk_freep) char *text = with_quotes(question);
    struct yk_err err = {0};
    stage->status = 0;
    if (yk_whatif_ask(&stage->whatif, yk_str_from(text), 1, stage, answered, &err) != YK_OK)
        fail_msg("%s", err.text);
    yk_whatif_wait(&stage->whatif);
    assert_int_not_equal(stage->status, 0);
    return stage->status;
}

json_t *stage_answer(struct stage *stage, const char *question)
{
    json_error_t why;
    if (stage_ask(stage, question) != 200)
        fail_msg("%d: %s", stage->status, stage->text);
    json_t *answer = json_loads(stage->text, 0, &why);
    if (answer == NULL)
        fail_msg("%s: %s", why.text, stage->text);
    return answer;
}

const char *stage_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        fail_msg("there is no text '%s'", key);
    return text;
}

static void forget(struct yk_vec *texts)
{
    char *text;
    yk_vec_foreach (text, texts)
        free(text);
    yk_vec_clear(texts);
}

void stage_forget_moments(struct stage *stage)
{
    forget(&stage->evicted);
    forget(&stage->bound);
}

void stage_done(struct stage *stage)
{
    yk_whatif_done(&stage->whatif);
    yk_shim_stop(stage->shim);
    while (!yk_shim_is_stopped(stage->shim))
        stage_pass(stage, YK_NS_PER_S);
    yk_shim_free(stage->shim);
    yk_core_free(stage->core);
    yk_cluster_free(stage->cluster);
    yk_timers_done(&stage->timers);
    yk_timers_done(&stage->outside);
    stage_forget_moments(stage);
    yk_vec_done(&stage->evicted);
    yk_vec_done(&stage->bound);
    free(stage->text);
    assert_int_equal(yk_name_count(), 0);
}
