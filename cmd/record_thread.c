/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/record_thread.h"

#include "base/actor.h"
#include "base/log.h"
#include "record/record_file.h"

enum { BATCH = 256 << 10, INBOX_MAX = 1024 };

struct batch {
    struct yk_command command; /* first */
    struct yk_record_thread *thread;
    struct yk_buf lines; /* owned */
};

struct yk_record_thread {
    struct yk_actor actor;
    pthread_t thread;
    struct yk_buf lines;            /* scheduling thread: not handed over yet */
    _Atomic size_t waiting;         /* bytes handed over and not written; relaxed: a moment late is fine */
    _Atomic bool has_failed;        /* the file cannot be written; relaxed, likewise */
    bool is_too_slow;               /* scheduling thread */
    struct yk_record_writer writer; /* the thread's, after it has started */
};

static struct batch *batch_of(struct yk_command *command)
{
    return (struct batch *)(void *)command;
}

static void drop_batch(struct yk_command *command)
{
    yk_buf_done(&batch_of(command)->lines);
    free(command);
}

static void run_batch(struct yk_command *command)
{
    struct batch *batch = batch_of(command);
    struct yk_record_thread *thread = batch->thread;
    yk_record_writer_put(&thread->writer, yk_buf_view(&batch->lines));
    yk_record_writer_flush(&thread->writer);
    if (thread->writer.has_failed)
        atomic_store_explicit(&thread->has_failed, true, memory_order_relaxed);
    atomic_fetch_sub_explicit(&thread->waiting, batch->lines.len, memory_order_relaxed);
    drop_batch(command);
}

static void run_end(struct yk_command *command)
{
    yk_actor_stop(&batch_of(command)->thread->actor);
    drop_batch(command);
}

static void post(struct yk_record_thread *thread, void (*run)(struct yk_command *command))
{
    struct batch *batch = yk_new0(struct batch);
    batch->command = (struct yk_command){.run = run, .drop = drop_batch};
    batch->thread = thread;
    batch->lines = thread->lines;
    thread->lines = (struct yk_buf){0};
    atomic_fetch_add_explicit(&thread->waiting, batch->lines.len, memory_order_relaxed);
    yk_mailbox_post(&thread->actor.inbox, &batch->command);
}

void yk_record_thread_flush(struct yk_record_thread *thread)
{
    if (thread->lines.len > 0)
        post(thread, run_batch);
}

void yk_record_thread_put(void *context, struct yk_str lines)
{
    struct yk_record_thread *thread = context;
    size_t waiting = atomic_load_explicit(&thread->waiting, memory_order_relaxed);
    if (thread->is_too_slow || waiting + thread->lines.len + lines.len > YK_RECORD_WAITING_MAX) {
        thread->is_too_slow = true;
        return;
    }
    yk_buf_str(&thread->lines, lines);
    if (thread->lines.len >= BATCH)
        yk_record_thread_flush(thread);
}

const char *yk_record_thread_failure(const struct yk_record_thread *thread)
{
    if (thread->is_too_slow)
        return "the file takes lines more slowly than the scheduler makes them";
    if (atomic_load_explicit(&thread->has_failed, memory_order_relaxed))
        return "the file cannot be written";
    return NULL;
}

static void *write_lines(void *context)
{
    yk_actor_run(&((struct yk_record_thread *)context)->actor);
    return NULL;
}

enum yk_status yk_record_thread_new(const char *path, struct yk_record_thread **ret, struct yk_err *err)
{
    struct yk_record_thread *thread = yk_new0(struct yk_record_thread);
    enum yk_status status = yk_record_writer_open(&thread->writer, path, err);
    if (status != YK_OK) {
        free(thread);
        return status;
    }
    yk_actor_init(&thread->actor, &yk_clock_real, INBOX_MAX);
    if (pthread_create(&thread->thread, NULL, write_lines, thread) != 0) {
        (void)!yk_record_writer_close(&thread->writer); /* nothing was written */
        yk_actor_done(&thread->actor);
        free(thread);
        return yk_fail(err, YK_ERR_IO, "cannot start the thread that writes the recording");
    }
    *ret = thread;
    return YK_OK;
}

void yk_record_thread_free(struct yk_record_thread *thread)
{
    if (thread == NULL)
        return;
    yk_record_thread_flush(thread);
    post(thread, run_end);
    pthread_join(thread->thread, NULL);
    if (!yk_record_writer_close(&thread->writer))
        yk_error(yk_log_shim, "the recording is not complete", KV("err", "the file cannot be written"));
    yk_actor_done(&thread->actor);
    yk_buf_done(&thread->lines);
    free(thread);
}
