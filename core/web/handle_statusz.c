/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /statusz and /flagz: texts for people, like those of the components of Kubernetes
 * (docs/reference/rest.md 12.7). Both run on the I/O thread.
 */
#include "base/version.h"
#include "web/access.h"
#include "web/process_start.h"
#include "web/routes_priv.h"
#include "web/secret.h"
#include "web/server_stats.h"

#include <stdio.h>

#define WARNING                                                                                              \
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility "          \
    "guarantees and is for debugging purposes only.\n\n"

static void put_times(struct yk_buf *out, int64_t now_wall_ns)
{
    char text[YK_TIME_TEXT_MAX];
    int64_t start_wall_ns = yk_process_start_wall_ns();
    if (start_wall_ns == 0)
        return;
    yk_time_format(start_wall_ns, 0, text);
    yk_buf_printf(out, "Started: %s\n", text);
    yk_duration_format((now_wall_ns - start_wall_ns) / YK_NS_PER_S * YK_NS_PER_S, text);
    yk_buf_printf(out, "Up: %s\n", text);
}

static void put_checks(const struct yk_job *job, struct yk_buf *out)
{
    for (size_t i = 0; i < job->stats->check_count; i++) {
        const struct yk_web_check *check = &job->stats->checks[i];
        bool passes = check->ok == NULL || check->ok(check->context);
        const char *note = check->note != NULL ? check->note(check->context) : "";
        yk_buf_printf(out, "Check %s: %s%s%s\n", check->name, passes ? "ok" : "failed",
                      note[0] != '\0' ? ": " : "", note);
    }
}

/* Writes the paths that people may want to open; /openapi.yaml describes all. */
static void put_paths(const struct yk_server_stats *stats, struct yk_buf *out)
{
    yk_buf_text(out, "Paths:");
    for (size_t i = 0; i < stats->route_count; i++) {
        const char *pattern = stats->routes[i].pattern;
        if (stats->routes[i].method == YK_METHOD_GET && strchr(pattern + 1, '/') == NULL &&
            pattern[1] != '\0')
            yk_buf_printf(out, " %s", pattern);
    }
    yk_buf_char(out, '\n');
}

enum yk_step yk__get_statusz(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    (void)until_mono_ns;
    yk_buf_text(&text, "yunikorn statusz\n" WARNING);
    put_times(&text, yk_clock_wall_ns(job->clock));
    yk_buf_printf(&text, "Version: %s\nRevision: %s\nCompiler: %s\n", yk_version, yk_revision, yk_compiler);
    put_checks(job, &text);
    put_paths(job->stats, &text);
    yk_answer_text(&job->answer, 200, yk_buf_cstr(&text));
    return YK_STEP_DONE;
}

enum yk_step yk__get_flagz(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, arguments = {.max = 1 << 20};
    (void)until_mono_ns;
    if (!yk__read_cmdline(&arguments))
        return yk_job_refuse(job, 500, "the command line cannot be read");
    yk_buf_text(&text, "yunikorn flagz\n" WARNING);
    yk_put_flags(yk_buf_view(&arguments), &text);
    yk_answer_text(&job->answer, 200, yk_buf_cstr(&text));
    return YK_STEP_DONE;
}
