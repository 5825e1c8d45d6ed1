/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration in force and the check of another one: docs/reference/rest.md, section 5. */
#include "placement/config_check.h"
#include "scheduler/core.h"
#include "web/put_priv.h"
#include "web/routes_priv.h"

#include <strings.h>

/* ---- GET config ---- */

enum { WEIGHT_ONE = 1000 }; /* quality values in thousandths */

/* The quality value: 500 for "q=0.5"; 1000 if there is none. */
static int quality(struct yk_str parameters)
{
    struct yk_str part;
    while (yk_str_split(&parameters, ';', &part)) {
        part = yk_str_trim(part);
        if (part.len < 3 || strncasecmp(part.p, "q=", 2) != 0)
            continue;
        int value = part.p[2] == '1' ? WEIGHT_ONE : 0;
        for (size_t i = 4, scale = WEIGHT_ONE / 10; value < WEIGHT_ONE && i < part.len && scale > 0;
             i++, scale /= 10) {
            if (part.p[i] < '0' || part.p[i] > '9')
                break;
            value += (part.p[i] - '0') * (int)scale;
        }
        return value;
    }
    return WEIGHT_ONE;
}

/* Whether Accept prefers JSON: the quality of JSON is higher than that of each YAML type, and at least that
 * of each wildcard. */
static bool wants_json(struct yk_str accept)
{
    int json = 0, yaml = 0, any = 0;
    struct yk_str range;
    while (yk_str_split(&accept, ',', &range)) {
        struct yk_str parameters = range, type = {0};
        (void)yk_str_split(&parameters, ';', &type); /* there is a first part */
        type = yk_str_trim(type);
        int weight = quality(parameters);
        if (yk_str_is_nocase(type, "application/json"))
            json = YK_MAX(json, weight);
        else if (yk_str_is_nocase(type, "application/yaml") || yk_str_is_nocase(type, "application/x-yaml") ||
                 yk_str_is_nocase(type, "text/yaml") || yk_str_is_nocase(type, "text/x-yaml"))
            yaml = YK_MAX(yaml, weight);
        else if (yk_str_is_nocase(type, "*/*") || yk_str_is_nocase(type, "application/*"))
            any = YK_MAX(any, weight);
    }
    return json > 0 && json > yaml && json >= any;
}

struct extra { /* the pairs of the ConfigMaps without queue configurations, sorted */
    struct yk_pairs pairs;
};

static void extra_done(struct extra *extra)
{
    free(extra->pairs.items);
}

static void collect_extra(const struct yk_rm *rm, struct extra *extra)
{
    struct yk_pair *all;
    uint32_t count, kept = 0;
    yk__tags_sorted(&rm->extra_config, &all, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!yk_str_ends(all[i].key, ".yaml"))
            all[kept++] = all[i];
    }
    extra->pairs = (struct yk_pairs){all, kept};
}

enum yk_step yk__get_config(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(extra_done) struct extra extra = {0};
    (void)until_mono_ns;
    const struct yk_rm *rm = yk_core_first_rm(job->core);
    if (rm == NULL)
        return yk_job_refuse(job, 503, "no configuration has been loaded yet");
    collect_extra(rm, &extra);
    if (wants_json(job->request.accept)) {
        yk_config_render_json(rm->config, &extra.pairs, &job->answer.body);
        return YK_STEP_DONE; /* Compat: this JSON answer has no newline at its end */
    }
    job->answer.content_type = YK_TYPE_YAML;
    yk_config_render_yaml(rm->config, &extra.pairs, &job->answer.body);
    return YK_STEP_DONE;
}

/* ---- POST validate-conf ---- */

static void put_warning(struct yk_json *json, const struct yk_config_warning *warning)
{
    struct yk_err placed;
    (void)yk_fail_at(&placed, YK_OK, warning->place.line, warning->place.column, YK_STR_FMT,
                     YK_STR_ARG(warning->text));
    yk_json_str(json, yk_str_from(placed.text));
}

void yk__put_warnings(struct yk_json *json, const struct yk_config *config)
{
    yk_json_array_begin(json);
    for (uint32_t i = 0; i < config->warning_count; i++)
        put_warning(json, &config->warnings[i]);
    yk_json_array_end(json);
}

/* The status is always 200: the admission controller of YuniKorn treats every other status as "valid". */
void yk__check_validate(struct yk_job *job)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = NULL;
    struct yk_err err = {0};
    bool allowed = yk_placement_config_check(yk_buf_view(&job->request.body), &config, &err) == YK_OK;
    job->seen = allowed;
    yk_json_object_begin(&job->json);
    yk_json_add_bool(&job->json, "allowed", allowed);
    if (allowed) {
        yk_json_add_text(&job->json, "checksum", config->checksum);
        yk_json_add_bool(&job->json, "checksumMatch",
                         strcmp(config->checksum, config->submitted_checksum) == 0);
        if (config->warning_count > 0) {
            yk_json_key(&job->json, "warnings");
            yk__put_warnings(&job->json, config);
        }
    } else {
        yk_json_add_text(&job->json, "reason", err.text);
    }
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
}

enum yk_step yk__post_validate(struct yk_job *job, int64_t until_mono_ns)
{
    (void)job, (void)until_mono_ns;
    return YK_STEP_DONE; /* yk__check_validate() has written the answer */
}

/* Makes the what-if question of the configuration in the body, and puts it in place of the body. */
static void make_question(struct yk_job *job)
{
    struct yk_buf question = {.max = YK_ANSWER_BODY_MAX};
    struct yk_json json;
    yk_json_init(&json, &question);
    yk_json_object_begin(&json);
    yk_json_add_text(&json, "kind", "queues");
    yk_json_key(&json, "queues");
    yk_json_str(&json, yk_buf_view(&job->request.body));
    yk_json_object_end(&json);
    yk_buf_done(&job->request.body);
    job->request.body = question;
}

void yk__check_validate_diff(struct yk_job *job)
{
    yk__check_validate(job);
    if (job->seen != 0)
        make_question(job); /* here, because a body of megabytes would hold up the scheduling thread */
}

/* Adds the answer of the what-if question as the last member of the object that yk__check_validate() has
 * written. */
static void add_diff(struct yk_job *job)
{
    struct yk_buf *body = &job->answer.body;
    body->len -= strlen("}\n");
    yk_buf_printf(body, ",\"diff\":%s}\n", job->reply.text);
}

enum yk_step yk__post_validate_diff(struct yk_job *job, int64_t until_mono_ns)
{
    enum { STAGE_CHECK, STAGE_ASK };
    (void)until_mono_ns;
    if (job->stage == STAGE_CHECK) {
        job->stage = STAGE_ASK;
        return YK_STEP_CHECK;
    }
    if (job->seen == 0)
        return YK_STEP_DONE;
    if (!job->reply.came)
        return yk__ask_whatif(job, yk_buf_view(&job->request.body));
    job->answer.retry_later = job->reply.status == 503;
    if (job->reply.status != 0)
        return yk_job_refuse(job, job->reply.status, job->reply.text);
    add_diff(job);
    return YK_STEP_DONE;
}

void yk__finish_validate_diff(struct yk_job *job)
{
    if (job->reply.came)
        yk__finish_whatif(job);
}
