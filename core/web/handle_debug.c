/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks, profiles and arguments of this process: docs/reference/rest.md, endpoints 26, 28 and 29.
 *
 * The I/O thread reads the stacks. The scheduling thread begins and ends a profile, without waiting in
 * between; the configuration thread writes it.
 */
#include "base/symbols.h"
#include "scheduler/core.h"
#include "web/list.h"
#include "web/profile.h"
#include "web/routes_priv.h"
#include "web/secret.h"

#include <stdio.h>

enum { PROFILE_SECONDS = 30, PROFILE_SECONDS_MAX = 60 };

/* ---- stacks ---- */

static void put_frame(struct yk_buf *out, const struct yk_symbols *symbols, const void *frame, bool is_return)
{
    uintptr_t at = (uintptr_t)frame;
    /* A return address may be behind the last instruction of its function; the call is before it. */
    struct yk_symbol symbol = yk_symbols_find(symbols, (const void *)(at - (is_return ? 1 : 0)));
    if (symbol.name != NULL && symbol.start != 0)
        yk_buf_printf(out, "    %s+0x%zx", symbol.name, (size_t)(at - symbol.start));
    else
        yk_buf_printf(out, "    0x%zx", (size_t)at);
    if (symbol.object != NULL)
        yk_buf_printf(out, " (%s+0x%zx)", symbol.object, (size_t)(at - symbol.base));
    yk_buf_char(out, '\n');
}

static void put_stack(struct yk_buf *out, const struct yk_symbols *symbols, const struct yk_stack *stack)
{
    yk_buf_printf(out, "thread %d \"%s\":\n", stack->thread, stack->name);
    if (stack->depth == 0)
        yk_buf_text(out, "    (no answer)\n");
    for (int i = 0; i < stack->depth; i++)
        put_frame(out, symbols, stack->frames[i], i > 0);
    yk_buf_char(out, '\n');
}

/* Compat: the answer is text with the content type of JSON. */
enum yk_step yk__get_stack(struct yk_job *job, int64_t until_mono_ns)
{
    struct yk_stack *stacks = yk_new0_array(struct yk_stack, YK_STACKS_MAX);
    size_t count = yk_stacks_take(stacks);
    (void)until_mono_ns;
    if (count == 0) {
        yk_answer_error(&job->answer, 503, "the stacks are being taken already, or cannot be");
        job->answer.retry_later = true;
    } else {
        YK_CLEANUP(yk_symbols_freep) struct yk_symbols *symbols = yk_symbols_new();
        for (size_t i = 0; i < count; i++)
            put_stack(&job->answer.body, symbols, &stacks[i]);
    }
    free(stacks);
    return YK_STEP_DONE;
}

/* The path of stacks before YuniKorn 1.9. */
enum yk_step yk__get_old_stack(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    yk_answer_redirect(&job->answer, 301, YK_STR("/debug/stack"), job->request.target.query, true);
    return YK_STEP_DONE;
}

/* ---- profiles ---- */

static const struct {
    const char *name;
    bool served;
    const char *text;
} profiles[] = {
    {"allocs", false, "allocations are not recorded"},
    {"block", false, "waits are not recorded"},
    {"cmdline", true, "the command line of this process"},
    {"goroutine", false, "there are no goroutines: /debug/stack has the threads"},
    {"heap", false, "allocations are not recorded: /metrics has the memory of the process"},
    {"mutex", false, "waits are not recorded"},
    {"profile", true, "processor time over ?seconds= (30, at most 60), for go tool pprof"},
    {"symbol", false, "profiles have their names with them"},
    {"threadcreate", false, "threads are made when the process starts: /debug/stack has them"},
    {"trace", false, "there is no execution trace: /ws/v1/events/stream has what the scheduler does"},
};

enum yk_step yk__get_pprof_index(struct yk_job *job, int64_t until_mono_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    (void)until_mono_ns;
    yk_buf_text(&text, "/debug/pprof/\n\n");
    for (size_t i = 0; i < YK_COUNT(profiles); i++)
        yk_buf_printf(&text, "%-13s %s%s\n", profiles[i].name, profiles[i].served ? "" : "(not served) ",
                      profiles[i].text);
    yk_answer_text(&job->answer, 200, yk_buf_cstr(&text));
    return YK_STEP_DONE;
}

enum yk_step yk__get_pprof_other(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    for (size_t i = 0; i < YK_COUNT(profiles); i++) {
        if (yk_str_is(yk_job_param(job, YK_PARAM_CHECK), profiles[i].name))
            return yk_job_refuse(job, 501, profiles[i].text);
    }
    return yk_job_refuse(job, 404, "Unknown profile");
}

bool yk__read_cmdline(struct yk_buf *out)
{
    char bytes[4096];
    size_t got;
    FILE *file = fopen("/proc/self/cmdline", "re");
    if (file == NULL)
        return false;
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0)
        yk_buf_add(out, bytes, got);
    (void)fclose(file); /* read only */
    return true;
}

enum yk_step yk__get_cmdline(struct yk_job *job, int64_t until_mono_ns)
{
    (void)until_mono_ns;
    job->answer.content_type = YK_TYPE_TEXT;
    if (!yk__read_cmdline(&job->answer.body))
        return yk_job_refuse(job, 500, "the command line cannot be read");
    /* Compat: in the answer of Go, NULs separate the arguments; /proc has a NUL behind the last one, too. */
    if (job->answer.body.len > 0 && job->answer.body.p[job->answer.body.len - 1] == '\0')
        job->answer.body.len--;
    yk_mask_secret_flags(job->answer.body.p, job->answer.body.len);
    return YK_STEP_DONE;
}

struct recording {
    struct yk_profile_times times;
    int64_t end_mono_ns;
    bool runs, is_written;
    struct yk_sample *samples; /* owned */
    size_t count;
};

static void recording_end(struct recording *recording)
{
    size_t dropped;
    if (recording->runs)
        recording->count = yk_samples_stop(&recording->samples, &dropped);
    recording->runs = false;
}

static void recording_free(void *own)
{
    struct recording *recording = own;
    recording_end(recording);
    free(recording->samples);
    free(recording);
}

static enum yk_step begin_recording(struct yk_job *job)
{
    uint64_t seconds = PROFILE_SECONDS;
    struct yk_err err = {0};
    if (!yk_list_read_number(job, "seconds", &seconds))
        return YK_STEP_DONE;
    seconds = YK_MAX(YK_MIN(seconds, (uint64_t)PROFILE_SECONDS_MAX), (uint64_t)1);
    if (yk_samples_start(&err) != YK_OK) {
        job->answer.retry_later = true;
        return yk_job_refuse(job, 503, err.text);
    }
    struct recording *recording = yk_new0(struct recording);
    recording->runs = true;
    recording->times.begin_wall_ns = yk_core_now(job->core);
    recording->times.duration_ns = (int64_t)seconds * YK_NS_PER_S;
    recording->times.period_ns = YK_NS_PER_S / YK_SAMPLES_PER_S;
    recording->end_mono_ns = yk_clock_mono_ns(job->clock) + recording->times.duration_ns;
    job->own = recording;
    job->own_free = recording_free;
    return YK_STEP_LATER;
}

enum yk_step yk__get_profile(struct yk_job *job, int64_t until_mono_ns)
{
    struct recording *recording = job->own;
    (void)until_mono_ns;
    if (recording == NULL)
        return begin_recording(job);
    if (recording->is_written)
        return YK_STEP_DONE;
    if (yk_clock_mono_ns(job->clock) < recording->end_mono_ns)
        return YK_STEP_LATER;
    recording_end(recording);
    return YK_STEP_CHECK;
}

/* Configuration thread. */
void yk__write_profile(struct yk_job *job)
{
    struct recording *recording = job->own;
    if (recording == NULL)
        return; /* an answer of yk_web_render(): the profile has not begun yet */
    yk_profile_write(recording->samples, recording->count, &recording->times, &job->answer.body);
    recording->is_written = true;
    job->answer.content_type = "application/octet-stream";
}
