/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/record_thread.h"

#include "api/object_json.h"
#include "base/actor.h"
#include "base/log.h"
#include "record/line.h"
#include "record/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BATCH = 256 << 10, /* bytes of lines and objects that are collected before the thread gets them */
    INBOX_MAX = 1024,
    /* A file that is this many bytes longer than its maximum gets no more batches: the scheduling thread has
     * not ended the recording in time. */
    BEYOND_MAX = 16 << 20,
};

/* An object. Its JSON belongs between two bytes of the lines. */
struct insertion {
    struct yk_object *object; /* shared */
    size_t at;                /* index of the byte behind the JSON; ascending */
};

/* Lines, some of them with a gap for an object. */
struct lines {
    struct yk_buf text;           /* owned */
    struct insertion *insertions; /* owned */
    size_t count, capacity;       /* of `insertions` */
    size_t bytes;                 /* of text and objects */
};

/* A command to the thread. */
struct batch {
    struct yk_command command; /* the first member */
    struct yk_record_thread *thread;
    struct lines lines;
};

struct yk_record_thread {
    struct yk_actor actor;
    pthread_t thread;
    struct lines lines; /* scheduling thread: collected, and not passed to the thread yet */
    /* Shared by both threads. Relaxed, because a value that is a moment old is good enough. */
    _Atomic size_t waiting;  /* bytes that were passed to the thread and are not written yet */
    _Atomic bool has_failed; /* the file cannot be written */
    /* Bytes that were written to the file, up to the end of a line; pread() finds them in the file. */
    _Atomic uint64_t bytes;
    /* The file is closed. Released after has_failed and bytes, which do not change after that. */
    _Atomic bool is_finished;
    uint64_t bytes_max;             /* fixed for life */
    int reading;                    /* a descriptor that reads the file; -1: none; fixed for life */
    bool is_too_slow;               /* scheduling thread: lines were dropped because too many waited */
    bool is_finishing;              /* scheduling thread: yk_record_thread_finish() was called */
    struct yk_record_writer writer; /* while the thread runs, used only by it */
};

static struct batch *batch_of(struct yk_command *command)
{
    return (struct batch *)(void *)command;
}

static void lines_done(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        yk_object_free(lines->insertions[i].object);
    free(lines->insertions);
    yk_buf_done(&lines->text);
    *lines = (struct lines){.bytes = 0};
}

static void drop_batch(struct yk_command *command)
{
    lines_done(&batch_of(command)->lines);
    free(command);
}

static bool has_capacity(const struct yk_record_thread *thread)
{
    return atomic_load_explicit(&thread->bytes, memory_order_relaxed) < thread->bytes_max + BEYOND_MAX;
}

static void write_object(struct yk_record_writer *writer, const struct yk_object *object, struct yk_buf *text)
{
    struct yk_json json;
    yk_buf_clear(text);
    yk_json_init(&json, text);
    yk_object_to_json(object, &json);
    yk_record_writer_put(writer, yk_buf_view(text));
    writer->has_failed = writer->has_failed || text->failed; /* the recorder passes no object of that size */
}

static void write_lines(struct yk_record_writer *writer, const struct lines *lines)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = YK_RECORD_LINE_MAX};
    struct yk_str all = yk_buf_view(&lines->text);
    size_t from = 0;
    for (size_t i = 0; i < lines->count; i++) {
        const struct insertion *insertion = &lines->insertions[i];
        yk_record_writer_put(writer, (struct yk_str){all.p + from, insertion->at - from});
        write_object(writer, insertion->object, &text);
        from = insertion->at;
    }
    yk_record_writer_put(writer, (struct yk_str){all.p + from, all.len - from});
}

static void write_batch(struct yk_record_thread *thread, const struct lines *lines)
{
    if (thread->writer.has_failed || !has_capacity(thread))
        return;
    write_lines(&thread->writer, lines);
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
    write_batch(thread, &batch->lines);
    atomic_fetch_sub_explicit(&thread->waiting, batch->lines.bytes, memory_order_relaxed);
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
    thread->lines = (struct lines){.bytes = 0};
    atomic_fetch_add_explicit(&thread->waiting, batch->lines.bytes, memory_order_relaxed);
    yk_mailbox_post(&thread->actor.inbox, &batch->command);
}

void yk_record_thread_flush(struct yk_record_thread *thread)
{
    if (thread->lines.bytes > 0)
        post(thread, run_batch);
}

/* Counts `bytes` that are collected next. False: they have to be dropped. */
static bool may_add(struct yk_record_thread *thread, size_t bytes)
{
    size_t waiting = atomic_load_explicit(&thread->waiting, memory_order_relaxed);
    if (thread->is_finishing)
        return false;
    if (waiting + thread->lines.bytes + bytes > YK_RECORD_WAITING_MAX)
        thread->is_too_slow = true;
    if (thread->is_too_slow)
        return false;
    thread->lines.bytes += bytes;
    return true;
}

static void flush_if_large(struct yk_record_thread *thread)
{
    if (thread->lines.bytes >= BATCH)
        yk_record_thread_flush(thread);
}

void yk_record_thread_put(void *context, struct yk_str lines)
{
    struct yk_record_thread *thread = context;
    if (!may_add(thread, lines.len))
        return;
    yk_buf_str(&thread->lines.text, lines);
    flush_if_large(thread);
}

static void insert(struct lines *lines, struct yk_object *object)
{
    if (lines->count == lines->capacity) {
        lines->capacity = YK_MAX(lines->capacity * 2, (size_t)64);
        lines->insertions = yk_realloc_array(lines->insertions, lines->capacity, sizeof(*lines->insertions));
    }
    yk_object_share(object);
    lines->insertions[lines->count++] = (struct insertion){object, lines->text.len};
}

void yk_record_thread_put_object(void *context, struct yk_str begin, struct yk_object *object)
{
    static const char end[] = "}\n";
    struct yk_record_thread *thread = context;
    if (!may_add(thread, begin.len + strlen(end) + yk_arena_bytes(&object->arena)))
        return;
    yk_buf_str(&thread->lines.text, begin);
    insert(&thread->lines, object);
    yk_buf_text(&thread->lines.text, end);
    flush_if_large(thread);
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

/* Opens, for reading, the file that `writer` writes. -1: it is not a regular file, it cannot be opened, or
 * another file has its name by now. A pipe must not be opened: as long as this process could read it, it
 * would not notice that the reader has gone. */
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

static void *run_thread(void *context)
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
    if (pthread_create(&thread->thread, NULL, run_thread, thread) != 0) {
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
    lines_done(&thread->lines);
    free(thread);
}
