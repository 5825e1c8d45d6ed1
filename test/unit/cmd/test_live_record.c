/* SPDX-License-Identifier: Apache-2.0 */
/* A live scheduler starts itself again, recorded: what it is started with, and what happens if that does not work. */
#include "cmd/live_record.h"
#include "cmd/record_thread.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { BYTES_MAX = 1 << 20, INHERITED = 77 };

static char folder[] = "/tmp/live_record.XXXXXX";
static struct yk_engine engine; /* records nothing */
static bool may_restart;

static bool restart(void *context)
{
    (void)context;
    return may_restart;
}

static struct yk_live_record_options options_of(const char *file)
{
    return (struct yk_live_record_options){
        .file = file, .folder = folder, .bytes_max = BYTES_MAX, .restart = restart};
}

static enum yk_status init(struct yk_live_record *live, const char *file, bool is_restarted,
                           struct yk_err *err)
{
    struct yk_live_record_options options = options_of(file);
    options.is_restarted = is_restarted;
    return yk_live_record_init(live, &options, &engine, err);
}

static void done(struct yk_live_record *live)
{
    yk_live_record_done(live);
    yk_live_record_cancel_restart(live);
}

static struct yk_recording_view look(struct yk_live_record *live)
{
    struct yk_recording_view view;
    yk_live_record_backend(live).look(live, &view);
    return view;
}

static enum yk_status begin(struct yk_live_record *live, struct yk_err *err)
{
    return yk_live_record_backend(live).begin(live, err);
}

static void put_path(struct yk_buf *path)
{
    yk_buf_printf(path, "%s/yunikorn-%ld.jsonl.gz", folder, (long)getpid());
}

/* ---- before the restart ---- */

static void one_restart_at_a_time(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    struct yk_live_record live;
    struct yk_err err = {0};
    put_path(&path);
    assert_int_equal(init(&live, NULL, false, &err), YK_OK);
    may_restart = false; /* the scheduler ends */
    assert_int_equal(begin(&live, &err), YK_ERR_UNAVAILABLE);
    assert_int_equal(look(&live).state, YK_RECORDING_NONE);
    may_restart = true;
    assert_int_equal(begin(&live, &err), YK_OK);
    assert_int_equal(look(&live).state, YK_RECORDING_STARTING);
    assert_int_equal(begin(&live, &err), YK_ERR_EXISTS);
    done(&live);
    assert_int_equal(unlink(yk_buf_cstr(&path)), 0);
}

/* In a folder that others can write to; opening it would wait for a reader. */
static void a_pipe_is_not_opened(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {0};
    struct yk_live_record live;
    struct yk_err err = {0};
    put_path(&path);
    may_restart = true;
    assert_int_equal(init(&live, NULL, false, &err), YK_OK);
    assert_int_equal(mkfifo(yk_buf_cstr(&path), 0666), 0);
    assert_int_equal(begin(&live, &err), YK_ERR_IO);
    assert_non_null(strstr(err.text, "not a regular file"));
    assert_int_equal(look(&live).state, YK_RECORDING_NONE);
    done(&live);
    assert_int_equal(unlink(yk_buf_cstr(&path)), 0);
}

/* ---- the restart ---- */

static void restart_self(void)
{
    static char command[] = "scheduler", first[] = "--record", value[] = "old", second[] = "--record=older",
                folder_flag[] = "--record-dir=/x", end[] = "--";
    char *argv[] = {command, first, value, folder_flag, second, end};
    struct yk_live_record live;
    struct yk_err err = {0};
    may_restart = true;
    if (dup2(STDERR_FILENO, INHERITED) < 0 || init(&live, NULL, false, &err) != YK_OK ||
        begin(&live, &err) != YK_OK ||
        yk_live_record_restart(&live, YK_COUNT(argv), argv, "host_1", &err) != YK_OK)
        (void)fprintf(stderr, "%s\n", err.text);
    _exit(100);
}

/* In the new program: 0, or what is wrong. */
static int look_around(int argc, char **argv)
{
    static const char *const wanted[] = {"yunikorn", "scheduler", NULL, "--record-dir=/x", "--"};
    char *identity = NULL, suffix[64];
    (void)snprintf(suffix, sizeof(suffix), "/yunikorn-%ld.jsonl.gz", (long)getpid());
    if (argc != YK_COUNT(wanted))
        return 101;
    for (int i = 0; i < argc; i++) {
        if (wanted[i] != NULL && strcmp(argv[i], wanted[i]) != 0)
            return 110 + i;
    }
    if (!yk_str_starts(yk_str_from(argv[2]), "--record=/tmp/") || !yk_str_ends(yk_str_from(argv[2]), suffix))
        return 102;
    if (!yk_live_record_take_restarted(&identity) || identity == NULL || strcmp(identity, "host_1") != 0)
        return 103;
    free(identity);
    if (getenv(YK_RESTARTED_AS) != NULL || yk_live_record_take_restarted(&identity))
        return 104;
    return fcntl(INHERITED, F_GETFD) < 0 ? unlink(argv[2] + strlen("--record=")) : 105;
}

static void the_new_program_gets_its_arguments_and_no_descriptors(void **state)
{
    (void)state;
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        restart_self();
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- after the restart ---- */

static void a_restarted_scheduler_comes_up_without_a_file_too(void **state)
{
    (void)state;
    struct yk_live_record live;
    struct yk_err err = {0};
    assert_int_equal(init(&live, "/proc/none/none.jsonl.gz", false, &err), YK_ERR_IO);
    assert_int_equal(init(&live, "/proc/none/none.jsonl.gz", true, &err), YK_OK);
    assert_null(live.thread);
    assert_int_equal(look(&live).state, YK_RECORDING_NONE);
    assert_string_equal(look(&live).ended_because, "the file cannot be written");
    yk_live_record_look(&live);
    done(&live);
}

static void what_could_not_be_written_at_the_end_is_told(void **state)
{
    (void)state;
    struct yk_live_record live;
    struct yk_err err = {0};
    uint64_t bytes;
    int fd;
    assert_int_equal(init(&live, "/dev/full", false, &err), YK_OK);
    yk_record_thread_put(live.thread, YK_STR("{}\n"));
    assert_int_equal(look(&live).state, YK_RECORDING_RUNS);
    assert_int_equal(yk_live_record_backend(&live).end(&live, &err), YK_OK);
    while (look(&live).state != YK_RECORDING_ENDED)
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_string_equal(look(&live).ended_because, "the file cannot be written");
    assert_int_equal(yk_live_record_backend(&live).open(&live, &fd, &bytes, &err), YK_ERR_IO); /* a device */
    done(&live);
}

int main(int argc, char **argv)
{
    if (getenv(YK_RESTARTED_AS) != NULL)
        return look_around(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_restart_at_a_time),
        cmocka_unit_test(a_pipe_is_not_opened),
        cmocka_unit_test(the_new_program_gets_its_arguments_and_no_descriptors),
        cmocka_unit_test(a_restarted_scheduler_comes_up_without_a_file_too),
        cmocka_unit_test(what_could_not_be_written_at_the_end_is_told),
    };
    if (mkdtemp(folder) == NULL)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)rmdir(folder); /* empty */
    return failed;
}
