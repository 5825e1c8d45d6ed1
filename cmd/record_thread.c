/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/record_thread.h"

#include "base/actor.h"
#include "base/log.h"
#include "record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BATCH = 256 << 10, /* bytes of lines that are collected before they are passed to the thread */
    INBOX_MAX = 1024,
    /* Bytes of the file beyond its maximum, until the scheduling thread ends the recording. */
    BEYOND_MAX = 16 << 20,
};

/* A command to the thread. */
struct batch {
    struct yk_command command; /* the first member */
    struct yk_record_thread *thread;
    struct yk_buf lines; /* owned */
};

struct yk_record_thread {
    struct yk_actor actor;
    pthread_t thread;
    struct yk_buf lines; /* scheduling thread: collected, and not passed to the thread yet */
    /* Shared by both threads. Relaxed, because a value that is a moment old is good enough. */
    _Atomic size_t waiting;  /* bytes that were passed to the thread and are not written yet */
    _Atomic bool has_failed; /* the file cannot be written */
    /* Written to the file, up to the end of a line; pread() finds them in the file. */
    _Atomic uint64_t bytes;
    /* The file is closed. Released after has_failed and bytes, which do not change after that. */
    _Atomic bool is_finished;
    uint64_t bytes_max;             /* fixed for life */
    int reading;                    /* a descriptor that reads the file; -1: none; fixed for life */
    bool is_too_slow;               /* scheduling thread: lines were dropped because too many waited */
    bool is_finishing;              /* scheduling thread: yk_record_thread_finish() was called */
    struct yk_record_writer writer; /* used only by the thread after it has started */
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

static bool has_capacity(const struct yk_record_thread *thread)
{
    return atomic_load_explicit(&thread->bytes, memory_order_relaxed) < thread->bytes_max + BEYOND_MAX;
}

static void write_batch(struct yk_record_thread *thread, struct yk_str lines)
{
    if (thread->writer.has_failed || !has_capacity(thread))
        return;
    yk_record_writer_put(&thread->writer, lines);
    yk_record_writer_flush(&thread->writer);
    if (thread->writer.has_failed)
        atomic_store_explicit(&thread->has_failed, true, memory_order_relaxed);
    else
        atomic_store_explicit(&thread->bytes, yk_record_writer_bytes(&thread->writer), memory_order_relaxed);
}

static void run_batch(struct yk_command *command)
{
    struct batch *batch = batch_of(command);
    struct yk_record_thread *thread = batch->thread;
    write_batch(thread, yk_buf_view(&batch->lines));
    atomic_fetch_sub_explicit(&thread->waiting, batch->lines.len, memory_order_relaxed);
    drop_batch(command);
}

static void close_file(struct yk_record_thread *thread)
{
    struct stat now;
    if (thread->writer.file == NULL)
        return;
    if (!yk_record_writer_close(&thread->writer)) {
        atomic_store_explicit(&thread->has_failed, true, memory_order_relaxed);
        yk_error(yk_log_shim, "the recording is not complete", KV("err", "the file cannot be written"));
    } else if (fstat(thread->reading, &now) == 0) {
        atomic_store_explicit(&thread->bytes, (uint64_t)now.st_size, memory_order_relaxed);
    }
    atomic_store_explicit(&thread->is_finished, true, memory_order_release);
}

static void run_finish(struct yk_command *command)
{
    close_file(batch_of(command)->thread);
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
    if (thread->is_finishing)
        return;
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
        return "the file is written more slowly than the scheduler makes lines";
    if (atomic_load_explicit(&thread->has_failed, memory_order_relaxed))
        return "the file cannot be written";
    if (!thread->is_finishing && yk_record_thread_bytes(thread) >= thread->bytes_max)
        return "the file has reached its maximum length";
    return NULL;
}

void yk_record_thread_finish(struct yk_record_thread *thread)
{
    if (thread->is_finishing)
        return;
    yk_record_thread_flush(thread);
    thread->is_finishing = true;
    post(thread, run_finish);
}

bool yk_record_thread_is_finished(const struct yk_record_thread *thread)
{
    return atomic_load_explicit(&thread->is_finished, memory_order_acquire);
}

uint64_t yk_record_thread_bytes(const struct yk_record_thread *thread)
{
    return atomic_load_explicit(&thread->bytes, memory_order_relaxed);
}

int yk_record_thread_open(const struct yk_record_thread *thread)
{
    if (thread->reading < 0)
        errno = EINVAL;
    return thread->reading >= 0 ? fcntl(thread->reading, F_DUPFD_CLOEXEC, 0) : -1;
}

/* Opens the file that is written for reading. -1: it is not a regular file, or another file has its name by
 * now. A pipe must not be opened: as long as this process could read it, it would not notice that the reader
 * has gone. */
static int open_reading(const struct yk_record_writer *writer, const char *path)
{
    struct stat written, read;
    if (fstat(writer->fd, &written) != 0 || !S_ISREG(written.st_mode))
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || (fstat(fd, &read) == 0 && read.st_dev == written.st_dev && read.st_ino == written.st_ino))
        return fd;
    (void)close(fd); /* an error loses nothing: it was only for reading */
    return -1;
}

static void close_reading(struct yk_record_thread *thread)
{
    if (thread->reading >= 0)
        (void)close(thread->reading); /* an error loses nothing: it was only for reading */
}

static void *write_lines(void *context)
{
    yk_actor_run(&((struct yk_record_thread *)context)->actor);
    return NULL;
}

enum yk_status yk_record_thread_new(const char *path, uint64_t bytes_max, struct yk_record_thread **ret,
                                    struct yk_err *err)
{
    struct yk_record_thread *thread = yk_new0(struct yk_record_thread);
    enum yk_status status = yk_record_writer_open(&thread->writer, path, err);
    if (status != YK_OK) {
        free(thread);
        return status;
    }
    thread->bytes_max = bytes_max;
    thread->reading = open_reading(&thread->writer, path);
    yk_actor_init(&thread->actor, &yk_clock_real, INBOX_MAX);
    if (pthread_create(&thread->thread, NULL, write_lines, thread) != 0) {
        (void)!yk_record_writer_close(&thread->writer); /* nothing was written */
        yk_actor_done(&thread->actor);
        close_reading(thread);
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
    close_file(thread);
    yk_actor_done(&thread->actor);
    close_reading(thread);
    yk_buf_done(&thread->lines);
    free(thread);
}
