/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/live_record.h"

#include "base/log.h"
#include "cmd/record_thread.h"
#include "record/record_file.h"
#include "resources/quantity.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES_MIN = 1 << 20 };

static const char program_path[] = "/proc/self/exe";

enum yk_status yk_live_record_read_size(const char *text, uint64_t *ret_bytes, struct yk_err *err)
{
    yk_quantity quantity;
    enum yk_status st = yk_quantity_parse(yk_str_from(text), &quantity, err);
    if (st == YK_OK && yk_quantity_value(quantity) < BYTES_MIN)
        st = yk_fail(err, YK_ERR_INVALID, "at least 1Mi");
    if (st != YK_OK)
        return yk_fail_in(err, YK_ERR_INVALID, "--record-max-size '%s'", text);
    *ret_bytes = (uint64_t)yk_quantity_value(quantity);
    return YK_OK;
}

/* ---- the end ---- */

/* Why the recording has ended early, "" if it was ended as asked, NULL if it has not ended. Writing can also
 * fail after the end, at the last lines. */
static const char *why_ended(const struct yk_live_record *live)
{
    if (live->failure != NULL || live->thread == NULL)
        return live->failure;
    const char *late = live->is_ended ? yk_record_thread_failure(live->thread) : NULL;
    return late != NULL ? late : yk_engine_record_why(live->engine);
}

static void end(struct yk_live_record *live)
{
    const char *why = why_ended(live);
    live->is_ended = true;
    if (why != NULL && why[0] != '\0')
        yk_warn(yk_log_shim, "the recording ends, scheduling goes on", KV("err", why));
    else
        yk_info(yk_log_shim, "the recording ends, as asked");
    yk_record_thread_finish(live->thread);
}

void yk_live_record_look(struct yk_live_record *live)
{
    if (live->thread == NULL || live->is_ended)
        return;
    live->failure = yk_record_thread_failure(live->thread);
    if (live->failure != NULL)
        yk_engine_cut_record(live->engine, live->failure);
    if (yk_engine_record_why(live->engine) != NULL)
        end(live);
    else
        yk_record_thread_flush(live->thread);
}

/* ---- REST ---- */

static void look(void *context, struct yk_recording_view *ret)
{
    const struct yk_live_record *live = context;
    bool is_finished = live->thread != NULL && yk_record_thread_is_finished(live->thread);
    const char *why = why_ended(live);
    *ret = (struct yk_recording_view){.begun_wall_ns = live->begun_wall_ns,
                                      .bytes_max = live->options.bytes_max,
                                      .ended_because = why != NULL ? why : ""};
    if (live->is_restarting) {
        ret->state = YK_RECORDING_STARTING;
    } else if (live->thread != NULL) {
        ret->bytes = yk_record_thread_bytes(live->thread);
        ret->state = !live->is_ended ? YK_RECORDING_RUNS
                     : is_finished   ? YK_RECORDING_ENDED
                                     : YK_RECORDING_ENDING;
    }
}

/* The path has the process id, which a restart does not change. So a process writes only one file in the
 * folder. */
static void set_next(struct yk_live_record *live)
{
    yk_buf_clear(&live->next);
    yk_buf_printf(&live->next, "%s/yunikorn-%ld.jsonl.gz", live->options.folder, (long)getpid());
}

/* Checks that the file can be written. In a folder such as /tmp, another user may have made a pipe of that
 * name: opening it would wait for a reader, who would get the recording. */
static enum yk_status try_next(const struct yk_live_record *live, struct yk_err *err)
{
    struct yk_record_writer writer;
    struct stat there;
    const char *path = yk_buf_cstr(&live->next);
    if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return yk_fail(err, YK_ERR_IO, "%s: is not a regular file", path);
    enum yk_status st = yk_record_writer_open(&writer, path, err);
    if (st == YK_OK)
        (void)!yk_record_writer_close(&writer); /* the restarted process opens it again */
    return st;
}

static enum yk_status begin(void *context, struct yk_err *err)
{
    struct yk_live_record *live = context;
    if (live->is_restarting || (live->thread != NULL && !live->is_ended))
        return yk_fail(err, YK_ERR_EXISTS, "the scheduler is recorded already");
    set_next(live);
    /* Checked before the restart, so that the request fails and the process does not restart for nothing. */
    enum yk_status st = try_next(live, err);
    if (st == YK_OK && access(program_path, X_OK) != 0)
        st = yk_fail(err, YK_ERR_IO, "%s: cannot be executed: %s", program_path, strerror(errno));
    if (st != YK_OK)
        return st;
    live->is_restarting = live->options.restart(live->options.context);
    return live->is_restarting ? YK_OK : yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is ending");
}

static enum yk_status end_as_asked(void *context, struct yk_err *err)
{
    struct yk_live_record *live = context;
    if (live->thread == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "the scheduler is not recorded");
    yk_live_record_look(live); /* if writing has failed meanwhile, the recording ends with that reason */
    if (live->is_ended)
        return YK_OK;
    yk_engine_end_record(live->engine);
    end(live);
    return YK_OK;
}

static enum yk_status open_file(void *context, int *ret_fd, uint64_t *ret_bytes, struct yk_err *err)
{
    const struct yk_live_record *live = context;
    if (live->thread == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "the scheduler is not recorded");
    *ret_bytes = yk_record_thread_bytes(live->thread);
    *ret_fd = yk_record_thread_open(live->thread);
    return *ret_fd >= 0 ? YK_OK
                        : yk_fail(err, YK_ERR_IO, "the recording cannot be read: %s", strerror(errno));
}

struct yk_recording_backend yk_live_record_backend(struct yk_live_record *live)
{
    return (struct yk_recording_backend){live, look, begin, end_as_asked, open_file};
}

/* ---- the restart ---- */

void yk_live_record_cancel_restart(struct yk_live_record *live)
{
    live->is_restarting = false;
    yk_buf_done(&live->next);
}

static bool is_about_files(const char *argument)
{
    return strcmp(argument, "--record") == 0 || strncmp(argument, "--record=", 9) == 0;
}

/* The same arguments with another file. The flag --record comes first, because "--" may be among the
 * arguments. */
static char **next_arguments(const struct yk_live_record *live, int argc, char **argv, struct yk_buf *flag)
{
    static char program[] = "yunikorn";
    char **next = yk_new0_array(char *, (size_t)argc + 3);
    size_t count = 0;
    yk_buf_printf(flag, "--record=%s", yk_buf_cstr(&live->next));
    next[count++] = program;
    next[count++] = argv[0];
    next[count++] = flag->p;
    for (int i = 1; i < argc; i++) {
        if (!is_about_files(argv[i]))
            next[count++] = argv[i];
        else if (strcmp(argv[i], "--record") == 0)
            i++; /* skips its value, too */
    }
    return next;
}

enum yk_status yk_live_record_restart(struct yk_live_record *live, int argc, char **argv,
                                      const char *identity, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf flag = {0};
    char **next = next_arguments(live, argc, argv, &flag);
    /* With a new identity, the restarted process would have to wait until the Lease expires. */
    (void)setenv(YK_RESTARTED_AS, identity != NULL ? identity : "", 1);
    (void)syscall(SYS_close_range, 3u, ~0u, 0u); /* if it fails, descriptors stay open and are not used */
    (void)execv(program_path, next);
    int number = errno;
    free(next);
    return yk_fail(err, YK_ERR_IO, "the scheduler cannot be started again: %s", strerror(number));
}

/* ---- life ---- */

bool yk_live_record_take_restarted(char **ret_identity)
{
    const char *identity = getenv(YK_RESTARTED_AS);
    if (identity == NULL)
        return false;
    *ret_identity = identity[0] != '\0' ? yk_strdup(identity) : NULL;
    (void)unsetenv(YK_RESTARTED_AS); /* programs that this process starts must not inherit it */
    return true;
}

enum yk_status yk_live_record_init(struct yk_live_record *live, const struct yk_live_record_options *options,
                                   struct yk_engine *engine, struct yk_err *err)
{
    *live = (struct yk_live_record){.options = *options, .engine = engine};
    if (options->file == NULL)
        return YK_OK;
    live->begun_wall_ns = yk_clock_wall_ns(&yk_clock_real);
    enum yk_status st = yk_record_thread_new(options->file, options->bytes_max, &live->thread, err);
    if (st == YK_OK || !options->is_restarted)
        return st;
    yk_error(yk_log_shim, "the scheduler is not recorded", KV("err", (const char *)err->text));
    live->failure = "the file cannot be written";
    live->begun_wall_ns = 0;
    return YK_OK;
}

void yk_live_record_done(struct yk_live_record *live)
{
    yk_record_thread_free(live->thread);
    live->thread = NULL;
}
