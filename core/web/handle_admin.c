/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of administrators: end and move an application, replace the configuration, set log levels
 * (queues.md A8 to A10; docs/reference/rest.md 12.4). */
#include "base/log.h"
#include "partition/move.h"
#include "placement/config_check.h"
#include "scheduler/core.h"
#include "scheduler/kill.h"
#include "web/auth_backend.h"
#include "web/list.h"
#include "web/put_priv.h"
#include "web/renderer.h"
#include "web/routes_priv.h"

#include <jansson.h>

enum { QUEUE_NAME_MAX = 4096, LOGGER_NAME_MAX = 256, LEVEL_PERIOD_MAX_S = 24 * 3600 };

/* ---- applications ---- */

static struct yk_app *find_app(struct yk_job *job)
{
    const struct yk_partition *partition = yk_list_partition(job);
    struct yk_app *app =
        partition != NULL ? yk_strmap_get(&partition->apps, yk_job_param(job, YK_PARAM_APPLICATION)) : NULL;
    if (partition == NULL)
        yk_answer_error(&job->answer, 404, "Partition not found");
    else if (app == NULL || app->leaf == NULL)
        yk_answer_error(&job->answer, 404, "Application not found");
    return app != NULL && app->leaf != NULL ? app : NULL;
}

static bool may(struct yk_job *job, const struct yk_queue *queue, bool admin)
{
    const struct yk_caller *caller = &job->caller;
    const char *const *groups = (const char *const *)caller->groups;
    if (admin ? yk_queue_may_administer(queue, caller->user, groups, caller->group_count)
              : yk_queue_may_submit(queue, caller->user, groups, caller->group_count))
        return true;
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, "user '%s' is not allowed by the %s ACL of queue '%s' or a queue above it",
                  caller->user, admin ? "admin" : "submit", queue->path);
    yk_answer_error(&job->answer, 403, yk_buf_cstr(&text));
    return false;
}

static enum yk_step show(struct yk_job *job, const char *id, const char *queue, const char *state)
{
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "applicationID", id);
    yk_json_add_text(&job->json, "queueName", queue);
    yk_json_add_text(&job->json, "applicationState", state);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

static void tell_change(const struct yk_job *job, const char *what)
{
    if (job->backend->changed != NULL)
        job->backend->changed(job->backend->context, what);
}

enum yk_step yk__delete_app(struct yk_job *job, int64_t until_mono_ns)
{
    struct yk_err err = {0};
    (void)until_mono_ns;
    struct yk_app *app = find_app(job);
    if (app == NULL || !may(job, app->leaf, true))
        return YK_STEP_DONE;
    if (yk_app_kill(app, job->caller.user, &err) != YK_OK)
        return yk_job_refuse(job, 409, err.text);
    tell_change(job, "an application was ended over REST");
    /* An application that has ended is kept for days, so `app` is still valid. */
    return show(job, app->id, app->queue_path, yk_app_state_name(app->state));
}

/* Reads the body, which must be {"queue": "root.x"} and nothing else. */
static bool read_queue(struct yk_job *job, struct yk_buf *ret_path)
{
    const struct yk_buf *body = &job->request.body;
    json_t *json =
        body->len <= YK_REST_MOVE_MAX ? json_loadb(body->p, body->len, JSON_REJECT_DUPLICATES, NULL) : NULL;
    const json_t *queue = json_object_get(json, "queue");
    bool fine = json_object_size(json) == 1 && json_string_length(queue) <= QUEUE_NAME_MAX;
    if (fine && json_string_length(queue) > 0)
        yk_buf_add(ret_path, json_string_value(queue), json_string_length(queue));
    json_decref(json);
    if (ret_path->len > 0)
        return yk__check_queue_name(job, yk_buf_view(ret_path));
    yk_answer_error(&job->answer, 400, "the body must be {\"queue\": \"<full path of a leaf queue>\"}");
    return false;
}

enum yk_step yk__put_app_queue(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = QUEUE_NAME_MAX};
    struct yk_err err = {0};
    (void)until_mono_ns;
    struct yk_app *app = find_app(job);
    if (app == NULL || !may(job, app->leaf, true) || !read_queue(job, &path))
        return YK_STEP_DONE;
    struct yk_queue *target = yk_queue_find(app->partition->root, yk_buf_view(&path));
    if (target == NULL)
        return yk_job_refuse(job, 404, "Queue not found");
    /* The submit ACL of the recovery queue would refuse the request, too, with a less clear message. */
    if (yk_queue_is_recovery(target))
        return yk_job_refuse(job, 422, "the recovery queue is for recovered applications only");
    if (!may(job, target, false))
        return YK_STEP_DONE;
    enum yk_status st = yk_app_move(app, target, job->caller.user, &err);
    if (st != YK_OK)
        return yk_job_refuse(job, st == YK_ERR_INVALID ? 422 : 409, err.text);
    tell_change(job, "an application was moved over REST");
    return show(job, app->id, app->queue_path, yk_app_state_name(app->state));
}

/* ---- the configuration ---- */

/* The result of a check of a configuration. The thread that parsed the configuration has freed it. */
struct candidate {
    bool is_valid;
    struct yk_err why; /* the reason, if the configuration is not valid */
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1], submitted_checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    struct yk_buf warnings; /* a JSON array */
};

static void candidate_free(void *own)
{
    struct candidate *candidate = own;
    yk_buf_done(&candidate->warnings);
    free(candidate);
}

static void keep(struct candidate *candidate, const struct yk_config *config)
{
    struct yk_json json;
    candidate->is_valid = true;
    memcpy(candidate->checksum, config->checksum, sizeof(candidate->checksum));
    memcpy(candidate->submitted_checksum, config->submitted_checksum, sizeof(candidate->submitted_checksum));
    yk_json_init(&json, &candidate->warnings);
    yk__put_warnings(&json, config);
}

void yk__check_put_config(struct yk_job *job)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    struct candidate *candidate = yk_new0(struct candidate);
    job->own = candidate;
    job->own_free = candidate_free;
    if (yk_placement_config_check(yk_buf_view(&job->request.body), &config, &candidate->why) == YK_OK)
        keep(candidate, config);
}

static enum yk_step write(struct yk_job *job, const struct candidate *config)
{
    const struct yk_rm *rm = yk_core_first_rm(job->core);
    const char *base = rm != NULL ? rm->config->checksum : "";
    if (config->submitted_checksum[0] == '\0')
        return yk_job_refuse(job, 400,
                             "the configuration does not say what it is based on: it needs the checksum that "
                             "GET /ws/v1/config shows, as 'checksum: <value>'");
    if (strcmp(config->submitted_checksum, base) != 0) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
        yk_buf_printf(&text, "the configuration is based on checksum %s, and the active one is %s",
                      config->submitted_checksum, base);
        return yk_job_refuse(job, 409, yk_buf_cstr(&text));
    }
    struct yk_err err = {.text = "there is no place to keep a configuration"};
    enum yk_status st = YK_ERR_UNAVAILABLE;
    if (job->backend->write_config != NULL)
        st = job->backend->write_config(job->backend->context, job->web, job->ticket,
                                        yk_buf_view(&job->request.body), &err);
    if (st == YK_OK)
        return YK_STEP_WAIT;
    return yk_job_refuse(job, st == YK_ERR_LIMIT ? 413 : 503, err.text);
}

static enum yk_step show_written(struct yk_job *job, const struct candidate *config)
{
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "checksum", config->checksum);
    yk_json_add_text(&job->json, "message", job->reply.text);
    yk_json_key(&job->json, "warnings");
    yk_json_raw(&job->json, yk_buf_view(&config->warnings));
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    job->answer.status = 202; /* the configuration is stored; it takes effect when the watch reports it */
    return YK_STEP_DONE;
}

enum yk_step yk__put_config(struct yk_job *job, int64_t until_mono_ns)
{
    const struct candidate *candidate = job->own;
    (void)until_mono_ns;
    if (job->request.body.len == 0)
        return yk_job_refuse(job, 400, "the body must be a whole queue configuration");
    if (candidate == NULL)
        return YK_STEP_CHECK;
    if (!candidate->is_valid)
        return yk_job_refuse(job, 422, candidate->why.text);
    if (!job->reply.came)
        return write(job, candidate);
    if (job->reply.status != 0)
        return yk_job_refuse(job, job->reply.status, job->reply.text);
    return show_written(job, candidate);
}

/* ---- levels of the log ---- */

/* Reads the parameter `for` of the query: how long the level stays in force; 0: without a limit. False: the
 * answer is an error. */
static bool read_period(struct yk_job *job, int64_t *ret_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    *ret_ns = 0;
    if (!yk_query_get(job->request.target.query, "for", &text) || text.len == 0)
        return true;
    if (yk_duration_parse(yk_buf_view(&text), ret_ns) == YK_OK && *ret_ns >= YK_NS_PER_S &&
        *ret_ns <= LEVEL_PERIOD_MAX_S * YK_NS_PER_S)
        return true;
    yk_answer_error(&job->answer, 400, "\"for\" is a duration from 1s to 24h, such as 10m");
    return false;
}

/* Ends the level after `period_ns`; 0: no limit. A change of the ConfigMaps ends it earlier. */
static void limit_level(struct yk_job *job, int64_t period_ns)
{
    struct yk_renderer *renderer = job->renderer;
    if (renderer == NULL)
        return;
    if (period_ns == 0) { /* otherwise the end of an earlier period would end this level */
        yk_log_period_done(&renderer->log_period);
        return;
    }
    yk_log_period_begin(&renderer->log_period, renderer->timers, renderer->core, period_ns);
    char until[YK_TIME_TEXT_MAX];
    yk_time_format(yk_core_now(job->core) + period_ns, 0, until);
    yk_json_add_text(&job->json, "until", until);
}

enum yk_step yk__put_log_level(struct yk_job *job, int64_t until_mono_ns)
{
    int64_t period_ns;
    YK_CLEANUP(yk_buf_done) struct yk_buf logger = {.max = LOGGER_NAME_MAX};
    struct yk_str text = yk_job_param(job, YK_PARAM_LEVEL);
    enum yk_log_level level;
    (void)until_mono_ns;
    (void)yk_query_get(job->request.target.query, "logger", &logger); /* without it, all loggers are meant */
    if (text.len == 0 || yk_log_level_parse(text, &level) != YK_OK)
        return yk_job_refuse(job, 400, "the level is one of debug, info, warn, error, dpanic, panic, fatal");
    if (!read_period(job, &period_ns))
        return YK_STEP_DONE;
    size_t set = yk_log_set_level(yk_buf_view(&logger), level);
    if (set == 0)
        return yk_job_refuse(job, 404, "there is no such logger");
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "logger", yk_buf_cstr(&logger));
    yk_json_add_text(&job->json, "level", yk_log_level_word(level));
    yk_json_add_int(&job->json, "loggers", (int64_t)set);
    limit_level(job, period_ns);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}
