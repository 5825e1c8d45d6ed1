/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/live_record.h"

#include "base/log.h"
#include "cmd/record_thread.h"
#include "record/record_file.h"
#include "resources/quantity.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES_MIN = 1 << 20 };

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

static const char *why_ended(const struct yk_live_record *live)
{
    return live->failure != NULL ? live->failure : yk_engine_record_why(live->engine);
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
    const char *why = live->thread != NULL ? why_ended(live) : NULL;
    *ret = (struct yk_recording_view){.begun_wall_ns = live->begun_wall_ns,
                                      .bytes_max = live->options.bytes_max,
                                      .ended_because = why != NULL ? why : ""};
    if (live->is_restarting) {
        ret->state = YK_RECORDING_STARTING;
    } else if (live->thread != NULL) {
        ret->bytes = yk_record_thread_bytes(live->thread);
        ret->state = !live->is_ended                              ? YK_RECORDING_RUNS
                     : yk_record_thread_is_finished(live->thread) ? YK_RECORDING_ENDED
                                                                  : YK_RECORDING_ENDING;
    }
}

/* The name is that of the process, which stays the same: a folder has one file of it. */
static void set_next(struct yk_live_record *live)
{
    yk_buf_clear(&live->next);
    yk_buf_printf(&live->next, "%s/yunikorn-%ld.jsonl.gz", live->options.folder, (long)getpid());
}

static enum yk_status begin(void *context, struct yk_err *err)
{
    struct yk_live_record *live = context;
    struct yk_record_writer writer;
    if (live->is_restarting || (live->thread != NULL && !live->is_ended))
        return yk_fail(err, YK_ERR_EXISTS, "the scheduler is recorded already");
    set_next(live);
    /* Now, so that who asks learns that it does not work, and nothing restarts. */
    enum yk_status st = yk_record_writer_open(&writer, yk_buf_cstr(&live->next), err);
    if (st != YK_OK)
        return st;
    (void)!yk_record_writer_close(&writer); /* it is made again */
    live->is_restarting = true;
    live->options.restart(live->options.context);
    return YK_OK;
}

static enum yk_status end_as_asked(void *context, struct yk_err *err)
{
    struct yk_live_record *live = context;
    if (live->thread == NULL)
        return yk_fail(err, YK_ERR_NOT_FOUND, "the scheduler is not recorded");
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
    yk_buf_clear(&live->next);
}

static bool is_about_files(const char *argument)
{
    return strcmp(argument, "--record") == 0 || strncmp(argument, "--record=", 9) == 0;
}

/* The same arguments, with another file. */
static char **next_arguments(const struct yk_live_record *live, int argc, char **argv, struct yk_buf *flag)
{
    static char program[] = "yunikorn";
    char **next = yk_new0_array(char *, (size_t)argc + 3);
    size_t count = 0;
    next[count++] = program;
    for (int i = 0; i < argc; i++) {
        if (!is_about_files(argv[i]))
            next[count++] = argv[i];
        else if (strcmp(argv[i], "--record") == 0)
            i++; /* and its value */
    }
    yk_buf_printf(flag, "--record=%s", yk_buf_view(&live->next).p);
    next[count] = flag->p;
    return next;
}

enum yk_status yk_live_record_restart(struct yk_live_record *live, int argc, char **argv,
                                      const char *identity, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf flag = {0};
    char **next = next_arguments(live, argc, argv, &flag);
    if (identity != NULL)
        (void)setenv(YK_RESTARTED_AS, identity, 1); /* without it another identity waits for the Lease */
    (void)syscall(SYS_close_range, 3u, ~0u, 0u);    /* what remains open is not used */
    (void)execv("/proc/self/exe", next);
    int number = errno;
    free(next);
    return yk_fail(err, YK_ERR_IO, "the scheduler cannot be started again: %s", strerror(number));
}

/* ---- life ---- */

enum yk_status yk_live_record_init(struct yk_live_record *live, const struct yk_live_record_options *options,
                                   struct yk_engine *engine, struct yk_err *err)
{
    *live = (struct yk_live_record){.options = *options, .engine = engine};
    if (options->file == NULL)
        return YK_OK;
    live->begun_wall_ns = yk_clock_wall_ns(&yk_clock_real);
    return yk_record_thread_new(options->file, options->bytes_max, &live->thread, err);
}

void yk_live_record_done(struct yk_live_record *live)
{
    yk_record_thread_free(live->thread);
    live->thread = NULL;
}
