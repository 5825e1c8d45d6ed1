/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `yunikorn record` and `kubectl yunikorn record`: records a running scheduler for a while, and fetches the
 * recording (docs/record.md).
 */
#include "base/clock.h"
#include "cmd/hash_names.h"
#include "cmd/kubectl_link.h"
#include "cmd/kubectl_output.h"
#include "record/record_file.h"

#include <errno.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MAX = 64 << 10 };

static const char state_path[] = "/ws/v1/recording", file_path[] = "/ws/v1/recording/file";
static const int64_t default_ns = 60 * YK_NS_PER_S, look_ns = YK_NS_PER_S;
static const int64_t start_patience_ns = 300 * YK_NS_PER_S, end_patience_ns = 60 * YK_NS_PER_S;

struct state {
    char word[16]; /* "none", "starting", "runs", "ending", "ended" */
    int64_t begun_ns;
    uint64_t bytes;
    struct yk_err ended_because;
};

static bool is(const struct state *state, const char *word)
{
    return strcmp(state->word, word) == 0;
}

static void pause_ns(int64_t ns)
{
    struct timespec left = {.tv_sec = ns / YK_NS_PER_S, .tv_nsec = ns % YK_NS_PER_S};
    (void)nanosleep(&left, NULL); /* a signal that does not end the program makes the pause shorter */
}

/* ---- requests ---- */

/* Makes a new link: the restart of the scheduler has closed the connections, and a token may have expired. */
static enum yk_status connect_again(struct yk_ctl *ctl, struct yk_err *err)
{
    yk_ctl_link_free(ctl->link);
    ctl->link = NULL;
    return yk_ctl_link_new(&ctl->flags, NULL, &ctl->link, err);
}

static enum yk_status call(struct yk_ctl *ctl, const char *method, struct state *ret, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {.max = ANSWER_MAX};
    const struct yk_ctl_request request = {.method = method, .path = state_path, .is_guarded = true};
    enum yk_status st = yk_ctl_link_call(ctl->link, &request, &body, err);
    if (st != YK_OK)
        return st;
    json_t *tree = json_loadb(yk_buf_cstr(&body), body.len, 0, NULL);
    *ret = (struct state){.begun_ns = yk_ctl_number(tree, "begun"),
                          .bytes = (uint64_t)YK_MAX(yk_ctl_number(tree, "bytes"), INT64_C(0))};
    /* A word that is too long is cut, and is then no known state. */
    (void)snprintf(ret->word, sizeof(ret->word), "%s", yk_ctl_text(tree, "state"));
    (void)yk_fail(&ret->ended_because, YK_OK, "%s", yk_ctl_text(tree, "endedBecause")); /* escapes the text */
    json_decref(tree);
    return YK_OK;
}

struct copy {
    int fd;
    uint64_t bytes;
    bool failed;
};

static bool take_bytes(void *context, struct yk_str bytes)
{
    struct copy *copy = context;
    while (bytes.len > 0 && !copy->failed) {
        ssize_t written = write(copy->fd, bytes.p, bytes.len);
        copy->failed = written < 0 && errno != EINTR;
        if (written <= 0)
            continue;
        copy->bytes += (uint64_t)written;
        bytes.p += written;
        bytes.len -= (size_t)written;
    }
    return !copy->failed;
}

static enum yk_status fetch(struct yk_ctl *ctl, const char *path, struct yk_err *err)
{
    struct copy copy = {.fd = yk_record_file_create(path)};
    const struct yk_ctl_request request = {.method = "GET",
                                           .path = file_path,
                                           .accept = "*/*",
                                           .is_guarded = true,
                                           .is_endless = true,
                                           .sink = take_bytes,
                                           .context = &copy};
    if (copy.fd < 0)
        return yk_fail(err, YK_ERR_IO, "%s: cannot be written: %s", path,
                       errno == ELOOP ? "it is a symbolic link" : strerror(errno));
    enum yk_status st = yk_ctl_link_call(ctl->link, &request, NULL, err);
    bool is_closed = close(copy.fd) == 0;
    return st == YK_OK && (copy.failed || !is_closed) ? yk_fail(err, YK_ERR_IO, "%s: cannot be written", path)
                                                      : st;
}

/* ---- begin ---- */

static bool is_agreed(void)
{
    char answer[16];
    (void)fputs(
        "A recording begins with a start of the scheduler, so the scheduler has to restart, in place. "
        "Running\n"
        "pods stay as they are. Completed applications, events and history that REST shows are lost.\n"
        "Restart the scheduler? [y/N] ",
        stderr);
    (void)fflush(stderr);
    return fgets(answer, sizeof(answer), stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

static enum yk_status allow_restart(struct yk_ctl *ctl, struct yk_err *err)
{
    if (ctl->flags.restart != NULL)
        return YK_OK;
    if (isatty(STDIN_FILENO) == 1)
        return is_agreed() ? YK_OK : yk_fail(err, YK_ERR_STATE, "nothing was done");
    ctl->is_misused = true;
    return yk_fail(
        err, YK_ERR_STATE,
        "a recording begins with a start of the scheduler: --restart restarts it, in place; completed "
        "applications, events and history that REST shows are lost");
}

/* Whether the new recording has begun; it may have ended already. `before_ns`: when the previous recording
 * began. */
static bool is_begun(const struct state *state, int64_t before_ns)
{
    bool is_new = state->begun_ns != 0 && state->begun_ns != before_ns;
    return is(state, "runs") || (is_new && (is(state, "ending") || is(state, "ended")));
}

static enum yk_status not_begun(const struct state *state, struct yk_err *err)
{
    const char *why = state->ended_because.text;
    return yk_fail(err, YK_ERR_STATE, "the scheduler is not recorded%s%s", why[0] != '\0' ? ": " : "", why);
}

/* Waits until the restarted scheduler has begun the new recording. The scheduler does not answer while it
 * starts. `before_ns`: when the previous recording began. */
static enum yk_status wait_for_start(struct yk_ctl *ctl, int64_t before_ns, struct state *ret,
                                     struct yk_err *err)
{
    int64_t until_ns = yk_clock_mono_ns(&yk_clock_real) + start_patience_ns;
    for (;;) {
        pause_ns(look_ns);
        enum yk_status st = connect_again(ctl, err);
        if (st == YK_OK)
            st = call(ctl, "GET", ret, err);
        if (st == YK_OK && is_begun(ret, before_ns))
            return YK_OK;
        if (st == YK_OK && !is(ret, "starting"))
            return not_begun(ret, err);
        if (st != YK_OK && st != YK_ERR_UNAVAILABLE)
            return st;
        if (yk_clock_mono_ns(&yk_clock_real) > until_ns)
            return st != YK_OK
                       ? st
                       : yk_fail(err, YK_ERR_UNAVAILABLE, "the scheduler is not recorded after 5 minutes");
    }
}

static enum yk_status begin(struct yk_ctl *ctl, struct state *state, struct yk_err *err)
{
    enum yk_status st = call(ctl, "GET", state, err);
    if (st != YK_OK || is(state, "runs"))
        return st;
    int64_t before_ns = state->begun_ns;
    st = allow_restart(ctl, err);
    if (st == YK_OK)
        st = call(ctl, "POST", state, err);
    return st == YK_OK ? wait_for_start(ctl, before_ns, state, err) : st;
}

/* ---- until it ends ---- */

static void show_progress(const struct state *state, int64_t elapsed_ns, int64_t wanted_ns)
{
    char elapsed[YK_TIME_TEXT_MAX], wanted[YK_TIME_TEXT_MAX];
    if (isatty(STDERR_FILENO) != 1)
        return;
    yk_duration_format(elapsed_ns / YK_NS_PER_S * YK_NS_PER_S, elapsed);
    yk_duration_format(wanted_ns, wanted);
    (void)fprintf(stderr, "\rrecording: %s of %s, %.1f MB\033[K", elapsed, wanted,
                  (double)state->bytes / 1e6);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO) == 1)
        (void)fputc('\n', stderr);
}

/* Waits until the time is over or the recording ends. Goes on if the scheduler does not answer, because it
 * may still record. */
static enum yk_status wait_for_end(struct yk_ctl *ctl, int64_t wanted_ns, struct state *state,
                                   struct yk_err *err)
{
    int64_t begun_ns = yk_clock_mono_ns(&yk_clock_real), elapsed_ns;
    while ((elapsed_ns = yk_clock_mono_ns(&yk_clock_real) - begun_ns) < wanted_ns && is(state, "runs")) {
        show_progress(state, elapsed_ns, wanted_ns);
        pause_ns(YK_MIN(look_ns, wanted_ns - elapsed_ns));
        enum yk_status st = call(ctl, "GET", state, err);
        if (st == YK_ERR_UNAVAILABLE || st == YK_ERR_DENIED)
            st = connect_again(ctl, err);
        if (st != YK_OK)
            return st;
    }
    end_progress();
    return YK_OK;
}

static enum yk_status end(struct yk_ctl *ctl, struct state *state, struct yk_err *err)
{
    int64_t until_ns = yk_clock_mono_ns(&yk_clock_real) + end_patience_ns;
    enum yk_status st = connect_again(ctl, err);
    if (st == YK_OK)
        st = call(ctl, "DELETE", state, err);
    while (st == YK_OK && is(state, "ending") && yk_clock_mono_ns(&yk_clock_real) < until_ns) {
        pause_ns(look_ns / 10);
        st = call(ctl, "GET", state, err);
    }
    if (st != YK_OK || is(state, "ended"))
        return st;
    if (is(state, "ending"))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "the recording has not ended within a minute");
    return yk_fail(err, YK_ERR_STATE, "the recording is lost: the scheduler has started again");
}

/* ---- the command ---- */

static enum yk_status record(struct yk_ctl *ctl, int64_t wanted_ns, const char *path, struct yk_err *err)
{
    struct state state;
    enum yk_status st = begin(ctl, &state, err);
    if (st == YK_OK)
        st = wait_for_end(ctl, wanted_ns, &state, err);
    if (st == YK_OK)
        st = end(ctl, &state, err);
    if (st == YK_OK)
        st = fetch(ctl, path, err);
    if (st == YK_OK && state.ended_because.text[0] != '\0')
        (void)fprintf(stderr, "The recording ended early: %s.\n", state.ended_because.text);
    return st;
}

static enum yk_status read_duration(struct yk_ctl *ctl, int64_t *ret_ns, struct yk_err *err)
{
    *ret_ns = default_ns;
    if (ctl->flags.for_ == NULL)
        return YK_OK;
    if (yk_duration_parse(yk_str_from(ctl->flags.for_), ret_ns) == YK_OK && *ret_ns > 0)
        return YK_OK;
    ctl->is_misused = true;
    return yk_fail(err, YK_ERR_INVALID, "--for is a time such as 90s or 10m, not '%s'", ctl->flags.for_);
}

/* Appends the value of --file. Without it, a name with the present time:
 * yunikorn-20260131-120000.jsonl.gz. */
static void put_path(const struct yk_ctl *ctl, struct yk_buf *path)
{
    char now[YK_TIME_TEXT_MAX];
    if (ctl->flags.file != NULL) {
        yk_buf_text(path, ctl->flags.file);
        return;
    }
    yk_time_format(ctl->now_ns / YK_NS_PER_S * YK_NS_PER_S, 0, now);
    yk_buf_text(path, "yunikorn-");
    for (const char *p = now; *p != '\0' && *p != 'Z'; p++) {
        if (*p == 'T')
            yk_buf_char(path, '-');
        else if (*p >= '0' && *p <= '9')
            yk_buf_char(path, *p);
    }
    yk_buf_text(path, ".jsonl.gz");
}

/* Writes a copy of the recording `from` without names to `path`. */
static enum yk_status hash(struct yk_ctl *ctl, const char *from, const char *path, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf why = {.max = 8192};
    enum yk_status st = yk_hash_names_file(from, path, &why, err);
    if (st == YK_OK && why.len > 0) {
        (void)fprintf(stderr, "%s\n", yk_buf_cstr(&why));
        ctl->is_negative = true;
    }
    return st;
}

/* Replaces the new recording `raw` by a copy without names. If that fails, the recording stays, because another
 * one would need another restart of the scheduler. */
static enum yk_status replace_names(struct yk_ctl *ctl, const char *raw, const char *path, struct yk_err *err)
{
    enum yk_status st = hash(ctl, raw, path, err);
    if (st == YK_OK)
        (void)unlink(raw);
    else
        (void)fprintf(stderr, "The recording with the names of the cluster is %s.\n", raw);
    return st;
}

enum yk_status yk_ctl_record(struct yk_ctl *ctl, char **operands, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096}, raw = {.max = 4200};
    bool hashes = ctl->flags.hash_names != NULL;
    const char *from = ctl->flags.from;
    int64_t wanted_ns;
    (void)operands;
    if (from != NULL && !hashes) {
        ctl->is_misused = true;
        return yk_fail(err, YK_ERR_INVALID, "--from needs --hash-names");
    }
    enum yk_status st = read_duration(ctl, &wanted_ns, err);
    put_path(ctl, &path);
    yk_buf_printf(&raw, "%s%s", yk_buf_cstr(&path), hashes ? ".names" : "");
    if (st == YK_OK && from == NULL)
        st = record(ctl, wanted_ns, yk_buf_cstr(&raw), err);
    if (st == YK_OK && hashes)
        st = from != NULL ? hash(ctl, from, yk_buf_cstr(&path), err)
                          : replace_names(ctl, yk_buf_cstr(&raw), yk_buf_cstr(&path), err);
    if (st == YK_OK)
        (void)fprintf(ctl->out, "%s\n", yk_buf_cstr(&path));
    return st;
}
