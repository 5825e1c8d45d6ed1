/* SPDX-License-Identifier: Apache-2.0 */
#include "client/exec_plugin.h"

#include "base/vec.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    COMPLAINT_MAX = 512, /* most bytes of standard error for the message */
    POLL_US = 10 * 1000, /* time between checks whether the child process has ended */
    READ_BYTES = 16 << 10,
    INFO_MAX = 8 << 20,
};

#define INFO_VARIABLE "KUBERNETES_EXEC_INFO"

struct stream {
    int fd; /* -1: closed */
    struct event *event;
    struct yk_buf text;
    bool overflows; /* more bytes than the maximum are an error; false: they are dropped */
};

struct yk_exec_plugin {
    struct yk_exec_options options;
    struct event *poll;
    struct yk_timer deadline;
    /* One run. */
    pid_t pid; /* 0: there is no child process */
    bool runs;
    struct stream out, complaint;
    struct yk_err trouble; /* why the command was killed or could not be started; empty: neither happened */
};

static void look(evutil_socket_t fd, short what, void *context);
static void too_late(struct yk_timer *timer);

enum yk_status yk_exec_plugin_new(const struct yk_exec_options *options, struct yk_exec_plugin **ret_plugin,
                                  struct yk_err *err)
{
    struct yk_exec_plugin *plugin = yk_new0(struct yk_exec_plugin);
    plugin->options = *options;
    plugin->deadline.fire = too_late;
    plugin->out = (struct stream){.fd = -1, .overflows = true};
    plugin->complaint = (struct stream){.fd = -1};
    plugin->poll = event_new(options->base, -1, 0, look, plugin);
    if (plugin->poll == NULL) {
        yk_exec_plugin_free(plugin);
        return yk_fail(err, YK_ERR_IO, "cannot set up an event for a credential plug-in");
    }
    *ret_plugin = plugin;
    return YK_OK;
}

/* ---- output of the command ---- */

static void close_stream(struct stream *stream)
{
    if (stream->event != NULL)
        event_free(stream->event);
    if (stream->fd >= 0)
        (void)close(stream->fd); /* an error does not matter, because the stream was only read */
    stream->event = NULL;
    stream->fd = -1;
}

static void clear_stream(struct stream *stream)
{
    close_stream(stream);
    yk_buf_wipe(&stream->text);
}

static void read_stream(struct stream *stream)
{
    char bytes[READ_BYTES];
    ssize_t len = -1;
    while (stream->fd >= 0 && (len = read(stream->fd, bytes, sizeof(bytes))) != 0) {
        if (len < 0) {
            if (errno == EINTR)
                continue;
            if (errno != EAGAIN)
                close_stream(stream);
            break;
        }
        size_t room = stream->text.max - 1 - stream->text.len;
        if (!stream->overflows || (size_t)len <= room)
            yk_buf_add(&stream->text, bytes, YK_MIN((size_t)len, room));
        else
            stream->text.failed = true;
        if (stream->text.failed)
            break;
    }
    if (stream->fd >= 0 && len == 0)
        close_stream(stream);
    explicit_bzero(bytes, sizeof(bytes));
}

static void kill_child(struct yk_exec_plugin *plugin)
{
    (void)kill(-plugin->pid, SIGKILL); /* the process group: also processes that the command has started */
    (void)kill(plugin->pid, SIGKILL);
}

static void ready(evutil_socket_t fd, short what, void *context)
{
    struct yk_exec_plugin *plugin = context;
    (void)what;
    read_stream(fd == plugin->out.fd ? &plugin->out : &plugin->complaint);
    if (!plugin->out.text.failed || plugin->trouble.text[0] != '\0')
        return;
    (void)yk_fail(&plugin->trouble, YK_ERR_LIMIT, "it wrote more than %d bytes", YK_EXEC_OUTPUT_MAX);
    kill_child(plugin); /* look() notices the end of the command */
}

static bool open_stream(struct yk_exec_plugin *plugin, struct stream *stream, int fd, size_t max)
{
    stream->fd = fd;
    stream->text = (struct yk_buf){.max = max};
    stream->event = event_new(plugin->options.base, fd, EV_READ | EV_PERSIST, ready, plugin);
    return stream->event != NULL && event_add(stream->event, NULL) == 0;
}

/* ---- end of the command ---- */

static void end(struct yk_exec_plugin *plugin, const struct yk_credential *credential, struct yk_err *err)
{
    yk_io_timer_cancel(plugin->options.timers, &plugin->deadline);
    (void)event_del(plugin->poll);
    clear_stream(&plugin->out);
    clear_stream(&plugin->complaint);
    plugin->pid = 0;
    plugin->runs = false;
    if (credential == NULL)
        (void)yk_fail_in(err, YK_ERR_UNAVAILABLE, "credential plug-in '%s'",
                         plugin->options.access->exec->command); /* the status is not used */
    plugin->options.done(plugin->options.context, credential, err);
}

static void describe_failure(const struct yk_exec_plugin *plugin, int status, struct yk_err *err)
{
    struct yk_str complaint = yk_str_trim(yk_buf_view(&plugin->complaint.text)), line = {0};
    (void)yk_str_split(&complaint, '\n', &line); /* the line is empty if nothing was printed */
    if (WIFSIGNALED(status))
        (void)yk_fail(err, YK_ERR_UNAVAILABLE, "ended by signal %d%s" YK_STR_FMT, WTERMSIG(status),
                      line.len > 0 ? ": " : "", YK_STR_ARG(line));
    else
        (void)yk_fail(err, YK_ERR_UNAVAILABLE, "exit code %d%s" YK_STR_FMT, WEXITSTATUS(status),
                      line.len > 0 ? ": " : "", YK_STR_ARG(line));
}

static void ended(struct yk_exec_plugin *plugin, int status)
{
    struct yk_credential credential = {0};
    struct yk_err err = plugin->trouble;
    enum yk_status st = YK_ERR_UNAVAILABLE;
    read_stream(&plugin->out); /* reads the rest of the pipes */
    read_stream(&plugin->complaint);
    if (err.text[0] != '\0')
        ;
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        describe_failure(plugin, status, &err);
    else if (plugin->out.text.failed)
        (void)yk_fail(&err, YK_ERR_LIMIT, "it wrote more than %d bytes", YK_EXEC_OUTPUT_MAX);
    else
        st = yk_exec_answer_read(yk_buf_view(&plugin->out.text), plugin->options.access->exec->api_version,
                                 &credential, &err);
    end(plugin, st == YK_OK ? &credential : NULL, &err);
    yk_credential_done(&credential);
}

static void look_soon(struct yk_exec_plugin *plugin)
{
    static const struct timeval pause = {.tv_usec = POLL_US};
    if (event_add(plugin->poll, &pause) == 0)
        return;
    /* Memory is exhausted. too_late() kills the command, and tries again to look at it. */
    if (plugin->trouble.text[0] == '\0')
        (void)yk_fail(&plugin->trouble, YK_ERR_IO, "the end of the command cannot be noticed");
    yk_io_timer_arm(plugin->options.timers, &plugin->deadline, YK_NS_PER_S);
}

static void look(evutil_socket_t fd, short what, void *context)
{
    struct yk_exec_plugin *plugin = context;
    int status;
    (void)fd;
    (void)what;
    if (plugin->pid == 0) { /* the command could not be started */
        struct yk_err err = plugin->trouble;
        end(plugin, NULL, &err);
        return;
    }
    pid_t got = waitpid(plugin->pid, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR))
        look_soon(plugin);
    else
        ended(plugin, got > 0 ? status : 0);
}

static void too_late(struct yk_timer *timer)
{
    struct yk_exec_plugin *plugin = YK_CONTAINER(timer, struct yk_exec_plugin, deadline);
    if (plugin->trouble.text[0] == '\0')
        (void)yk_fail(&plugin->trouble, YK_ERR_UNAVAILABLE, "no answer within %lld s",
                      (long long)(YK_EXEC_TIMEOUT_NS / YK_NS_PER_S));
    if (plugin->pid != 0)
        kill_child(plugin);
    look_soon(plugin); /* look() notices the end of the command */
}

/* ---- start of the command ---- */

static bool sets(const char *entry, const char *name)
{
    size_t len = strlen(name);
    return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

static bool is_replaced(const struct yk_exec *exec, const char *entry)
{
    bool replaced = sets(entry, INFO_VARIABLE);
    for (size_t i = 0; i < exec->env_count; i++)
        replaced = replaced || sets(entry, exec->env[i].name);
    return replaced;
}

static void add_variable(struct yk_vec *environment, const char *name, const char *value)
{
    struct yk_buf text = {.max = INFO_MAX};
    yk_buf_printf(&text, "%s=", name);
    yk_buf_text(&text, value);
    yk_vec_append(environment, yk_buf_take(&text));
}

/* The last element is NULL. The caller frees the texts. */
static void make_environment(const struct yk_exec_plugin *plugin, struct yk_str ca,
                             struct yk_vec *environment)
{
    const struct yk_exec *exec = plugin->options.access->exec;
    YK_CLEANUP(yk_buf_done) struct yk_buf info = {.max = INFO_MAX};
    for (char **entry = environ; *entry != NULL; entry++) {
        if (!is_replaced(exec, *entry))
            yk_vec_append(environment, yk_strdup(*entry));
    }
    for (size_t i = 0; i < exec->env_count; i++)
        add_variable(environment, exec->env[i].name, exec->env[i].value);
    yk_exec_info_write(plugin->options.access, ca, &info);
    add_variable(environment, INFO_VARIABLE, yk_buf_cstr(&info));
    yk_vec_append(environment, NULL);
}

struct pipes {
    int out[2], complaint[2];
};

static void close_fd(int fd)
{
    if (fd >= 0)
        (void)close(fd); /* an error does not matter, because nothing was written */
}

/* The ends of this process do not block. Returns 0, or an errno. */
static int open_pipes(struct pipes *pipes)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}};
    if (pipe2(pipes->out, O_CLOEXEC) == 0 && pipe2(pipes->complaint, O_CLOEXEC) == 0 &&
        fcntl(pipes->out[0], F_SETFL, O_NONBLOCK) == 0 &&
        fcntl(pipes->complaint[0], F_SETFL, O_NONBLOCK) == 0)
        return 0;
    int error = errno;
    for (int i = 0; i < 2; i++) {
        close_fd(pipes->out[i]);
        close_fd(pipes->complaint[i]);
    }
    return error;
}

/* Returns 0, or an errno. */
static int spawn(struct yk_exec_plugin *plugin, const struct pipes *pipes, char *const *environment)
{
    const struct yk_exec *exec = plugin->options.access->exec;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, standard;
    (void)sigemptyset(&none);
    (void)sigemptyset(&standard);
    (void)sigaddset(&standard, SIGPIPE); /* this process ignores SIGPIPE; the command should not ignore it */
    /* this and the next calls fail only if memory is exhausted */
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_adddup2(&files, pipes->out[1], STDOUT_FILENO);
    (void)posix_spawn_file_actions_adddup2(&files, pipes->complaint[1], STDERR_FILENO);
    (void)posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    (void)posix_spawnattr_init(&how);
    (void)posix_spawnattr_setflags(&how,
                                   POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    (void)posix_spawnattr_setpgroup(&how, 0);
    (void)posix_spawnattr_setsigmask(&how, &none);
    (void)posix_spawnattr_setsigdefault(&how, &standard);
    int error = posix_spawnp(&plugin->pid, exec->command, &files, &how, exec->argv, environment);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&how);
    if (error != 0)
        plugin->pid = 0;
    return error;
}

static int begin(struct yk_exec_plugin *plugin, struct yk_str ca)
{
    struct pipes pipes;
    struct yk_vec environment = {0};
    int error = open_pipes(&pipes);
    if (error != 0)
        return error;
    make_environment(plugin, ca, &environment);
    error = spawn(plugin, &pipes, (char *const *)environment.items);
    char *text;
    yk_vec_foreach (text, &environment)
        free(text);
    yk_vec_done(&environment);
    close_fd(pipes.out[1]);
    close_fd(pipes.complaint[1]);
    bool watched = open_stream(plugin, &plugin->out, pipes.out[0], YK_EXEC_OUTPUT_MAX + 1) &&
                   open_stream(plugin, &plugin->complaint, pipes.complaint[0], COMPLAINT_MAX);
    if (error == 0 && !watched)
        kill_child(plugin); /* look() then finds that the command has ended without an answer */
    return error;
}

void yk_exec_plugin_start(struct yk_exec_plugin *plugin, struct yk_str ca)
{
    const struct yk_exec *exec = plugin->options.access->exec;
    if (plugin->runs)
        return;
    plugin->runs = true;
    plugin->trouble = (struct yk_err){0};
    int error = begin(plugin, ca);
    if (error != 0)
        (void)yk_fail(&plugin->trouble, YK_ERR_UNAVAILABLE, "cannot be run: %s%s%s", strerror(error),
                      exec->install_hint != NULL ? ". " : "",
                      exec->install_hint != NULL ? exec->install_hint : "");
    else
        yk_io_timer_arm(plugin->options.timers, &plugin->deadline, YK_EXEC_TIMEOUT_NS);
    look_soon(plugin);
}

bool yk_exec_plugin_runs(const struct yk_exec_plugin *plugin)
{
    return plugin->runs;
}

void yk_exec_plugin_free(struct yk_exec_plugin *plugin)
{
    if (plugin == NULL)
        return;
    if (plugin->pid != 0) {
        kill_child(plugin);
        (void)waitpid(plugin->pid, NULL, 0); /* returns soon, because the child was killed */
    }
    yk_io_timer_cancel(plugin->options.timers, &plugin->deadline);
    clear_stream(&plugin->out);
    clear_stream(&plugin->complaint);
    if (plugin->poll != NULL)
        event_free(plugin->poll);
    free(plugin);
}
