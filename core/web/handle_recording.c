/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of the scheduler: their state, begin, end and file (docs/record.md). */
#include "base/clock.h"
#include "web/recording_backend.h"
#include "web/renderer.h"
#include "web/routes_priv.h"

#include <unistd.h>

static const struct yk_recording_backend *backend_of(const struct yk_job *job)
{
    const struct yk_recording_backend *backend = job->renderer != NULL ? &job->renderer->recording : NULL;
    return backend != NULL && backend->look != NULL ? backend : NULL;
}

static enum yk_step refuse_here(struct yk_job *job)
{
    return yk_job_refuse(job, 501, "this scheduler cannot be recorded");
}

static const char *state_word(enum yk_recording_state state)
{
    switch (state) {
    case YK_RECORDING_NONE:
        return "none";
    case YK_RECORDING_STARTING:
        return "starting";
    case YK_RECORDING_RUNS:
        return "runs";
    case YK_RECORDING_ENDING:
        return "ending";
    case YK_RECORDING_ENDED:
        return "ended";
    }
    return "";
}

static enum yk_step show(struct yk_job *job, const struct yk_recording_backend *backend)
{
    struct yk_recording_view view = {0};
    backend->look(backend->context, &view);
    yk_json_object_begin(&job->json);
    yk_json_add_text(&job->json, "state", state_word(view.state));
    yk_json_add_int(&job->json, "begun", view.begun_wall_ns);
    yk_json_add_uint(&job->json, "bytes", view.bytes);
    yk_json_add_uint(&job->json, "maxBytes", view.bytes_max);
    yk_json_add_text(&job->json, "endedBecause", view.ended_because);
    yk_json_object_end(&job->json);
    yk_buf_char(&job->answer.body, '\n');
    return YK_STEP_DONE;
}

enum yk_step yk__get_recording(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_recording_backend *backend = backend_of(job);
    (void)until_mono_ns;
    return backend != NULL ? show(job, backend) : refuse_here(job);
}

enum yk_step yk__post_recording(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_recording_backend *backend = backend_of(job);
    struct yk_err err = {0};
    (void)until_mono_ns;
    if (backend == NULL)
        return refuse_here(job);
    enum yk_status st = backend->begin(backend->context, &err);
    if (st != YK_OK)
        return yk_job_refuse(job, st == YK_ERR_EXISTS ? 409 : 503, err.text);
    job->answer.status = 202;
    return show(job, backend);
}

enum yk_step yk__delete_recording(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_recording_backend *backend = backend_of(job);
    struct yk_err err = {0};
    (void)until_mono_ns;
    if (backend == NULL)
        return refuse_here(job);
    if (backend->end(backend->context, &err) != YK_OK)
        return yk_job_refuse(job, 404, err.text);
    return show(job, backend);
}

/* ---- the file ---- */

struct file {
    int fd;
    uint64_t at, end; /* bytes */
};

static void file_free(void *own)
{
    struct file *file = own;
    (void)close(file->fd); /* it was only read */
    free(file);
}

static bool open_file(struct yk_job *job, const struct yk_recording_backend *backend)
{
    struct yk_err err = {0};
    uint64_t bytes;
    int fd;
    enum yk_status st = backend->open(backend->context, &fd, &bytes, &err);
    if (st != YK_OK) {
        yk_answer_error(&job->answer, st == YK_ERR_NOT_FOUND ? 404 : 503, err.text);
        return false;
    }
    struct file *file = yk_new0(struct file);
    *file = (struct file){.fd = fd, .end = bytes};
    job->own = file;
    job->own_free = file_free;
    job->answer.content_type = "application/octet-stream";
    return true;
}

/* Runs on the I/O thread, because the scheduling thread never waits for a disk. If the file cannot be read
 * any further, the answer is an error, or is cut off if a part of it was sent already. */
enum yk_step yk__read_recording_file(struct yk_job *job)
{
    struct file *file = job->own;
    size_t want = (size_t)YK_MIN(file->end - file->at, (uint64_t)YK_PIECE_BYTES);
    char *space = yk_buf_reserve(&job->answer.body, want);
    ssize_t got = space != NULL ? pread(file->fd, space, want, (off_t)file->at) : -1;
    if (got <= 0 && file->at == 0 && space != NULL)
        return yk_job_refuse(job, 503, "the recording cannot be read");
    if (got <= 0) {
        job->answer.body.failed = true;
        return YK_STEP_DONE;
    }
    job->answer.body.len += (size_t)got;
    file->at += (uint64_t)got;
    return file->at < file->end ? YK_STEP_AGAIN : YK_STEP_DONE;
}

enum yk_step yk__get_recording_file(struct yk_job *job, int64_t until_mono_ns)
{
    const struct yk_recording_backend *backend = backend_of(job);
    (void)until_mono_ns;
    if (backend == NULL)
        return refuse_here(job);
    if (!open_file(job, backend))
        return YK_STEP_DONE;
    const struct file *file = job->own;
    return file->end > 0 ? YK_STEP_REST : YK_STEP_DONE;
}
