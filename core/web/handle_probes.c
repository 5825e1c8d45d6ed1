/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes and the version: docs/reference/rest.md 12.3. All of this runs on the I/O thread: checks read only
 * atomics, and their results are counted in job->stats.
 * The texts follow the API server's health endpoints (Kubernetes documentation, "Kubernetes API health
 * endpoints").
 */
#include "base/json_writer.h"
#include "base/version.h"
#include "web/routes_priv.h"
#include "web/server_stats.h"

enum verdict { PASSED, FAILED, EXCLUDED };

static bool is_excluded(const struct yk_job *job, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf value = {0};
    struct yk_str rest = job->request.target.query;
    while (yk_query_next(&rest, "exclude", &value)) {
        if (yk_str_is(yk_buf_view(&value), name))
            return true;
        yk_buf_clear(&value);
    }
    return false;
}

static bool is_asked(const struct yk_job *job, const struct yk_web_check *check, bool ready)
{
    struct yk_str only = yk_job_param(job, YK_PARAM_CHECK);
    return (ready || check->live) && (only.p == NULL || yk_str_is(only, check->name));
}

static enum verdict judge(const struct yk_job *job, const struct yk_web_check *check)
{
    if (is_excluded(job, check->name))
        return EXCLUDED;
    return check->ok == NULL || check->ok(check->context) ? PASSED : FAILED;
}

/* The note of a check; "": it has none. */
static const char *note_of(const struct yk_web_check *check)
{
    return check->note != NULL ? check->note(check->context) : "";
}

static void add_line(struct yk_buf *list, const struct yk_web_check *check, enum verdict verdict)
{
    const char *name = check->name, *note = note_of(check);
    switch (verdict) {
    case PASSED:
        yk_buf_printf(list, note[0] != '\0' ? "[+]%s ok: %s\n" : "[+]%s ok%s\n", name, note);
        break;
    case EXCLUDED:
        yk_buf_printf(list, "[+]%s excluded: ok\n", name);
        break;
    case FAILED:
        yk_buf_printf(list, "[-]%s failed: %s\n", name, note[0] != '\0' ? note : "reason withheld");
        break;
    }
}

static void note_result(struct yk_server_stats *stats, char probe, size_t check, bool passed)
{
    static const char probes[] = "hlr"; /* healthz, livez, readyz */
    const char *at = strchr(probes, probe);
    struct yk_web_check_results *results = &stats->results[at != NULL ? at - probes : 0][check];
    results->passed += passed;
    results->failed += !passed;
    results->passed_last = passed;
}

/* The name of the probe: "readyz" for the path /readyz/x. */
static struct yk_str probe_name(const struct yk_job *job)
{
    struct yk_str rest = yk_str_from(job->route->pattern + 1), name = rest;
    (void)yk_str_split(&rest, '/', &name); /* a pattern has a first segment */
    return name;
}

enum yk_step yk__get_probe(struct yk_job *job, int64_t until_mono_ns)
{
    static const struct yk_web_check ping = {.name = "ping", .live = true};
    YK_CLEANUP(yk_buf_done) struct yk_buf list = {0}, word = {0};
    struct yk_str name = probe_name(job);
    bool ready = yk_str_is(name, "readyz"), failed = false;
    size_t asked = 0;
    yk_buf_text(&word, "ok");
    (void)until_mono_ns;
    for (size_t i = 0; i <= job->stats->check_count; i++) {
        const struct yk_web_check *check = i == 0 ? &ping : &job->stats->checks[i - 1];
        if (!is_asked(job, check, ready))
            continue;
        enum verdict verdict = judge(job, check);
        add_line(&list, check, verdict);
        if (verdict != EXCLUDED)
            note_result(job->stats, name.p[0], i, verdict == PASSED);
        if (ready && verdict == PASSED && check->is_short && note_of(check)[0] != '\0')
            yk_buf_printf(&word, ", %s", note_of(check));
        failed = failed || verdict == FAILED;
        asked++;
    }
    if (asked == 0) {
        yk_answer_text(&job->answer, 404, "404 page not found\n");
        return YK_STEP_DONE;
    }
    yk_buf_printf(&list, YK_STR_FMT " check %s\n", YK_STR_ARG(name), failed ? "failed" : "passed");
    bool verbose = yk_query_get(job->request.target.query, "verbose", NULL);
    yk_answer_text(&job->answer, failed ? 500 : 200, yk_buf_cstr(failed || verbose ? &list : &word));
    return YK_STEP_DONE;
}

enum yk_step yk__get_version(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    job->answer.content_type = YK_TYPE_JSON;
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "version", yk_version);
    yk_json_add_text(&job->json, "revision", yk_revision);
    yk_json_add_text(&job->json, "compiler", yk_compiler);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}
