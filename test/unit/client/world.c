/* SPDX-License-Identifier: Apache-2.0 */
#include "client/world.h"

#include "base/log.h"

#include <event2/event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static void handle(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    struct world *world = context;
    if (strcmp(path, "/version") == 0) {
        mock_answer(request, world->version_status != 0 ? world->version_status : 200, NULL, NULL,
                    "{\"gitVersion\":\"v1.36.1\"}");
        mock->requests--;
        return;
    }
    if (strcmp(path, "/apis") == 0) {
        world->groups_asked++;
        mock_answer(request, world->groups_status != 0 ? world->groups_status : 200, NULL, NULL,
                    world->without_devices
                        ? "{\"groups\":[{\"name\":\"policy\",\"versions\":[{\"version\":\"v1\"}]}]}"
                        : "{\"groups\":[{\"name\":\"policy\",\"versions\":[{\"version\":\"v1\"}]},"
                          "{\"name\":\"resource.k8s.io\",\"versions\":[{\"version\":\"v1beta1\"},"
                          "{\"version\":\"v1\"}]}]}");
        mock->requests--;
        return;
    }
    struct yk_str rest = yk_str_from(path), part;
    for (bool first = true; yk_str_split(&rest, '&', &part); first = false) {
        if (!yk_str_starts(part, "timeoutSeconds"))
            yk_buf_printf(&world->asked, "%s" YK_STR_FMT, first ? "" : "&", YK_STR_ARG(part));
    }
    yk_buf_char(&world->asked, '\n');
    world->handler(mock, request, path, world);
}

static void write_kubeconfig(struct world *world, unsigned flags, const struct world_way *way)
{
    struct yk_buf text = {0};
    bool is_tls = (flags & WORLD_TLS) != 0;
    char port[16] = "", proxy[64] = "";
    if (way->host == NULL || way->mock_port)
        (void)snprintf(port, sizeof(port), ":%u", world->mock.port);
    if (way->proxy_url)
        (void)snprintf(proxy, sizeof(proxy), ", proxy-url: 'http://127.0.0.1:%u'", world->mock.port);
    yk_buf_printf(
        &text,
        "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u, namespace: work}}]\n"
        "clusters: [{name: c, cluster: {server: '%s://%s%s'%s%s%s}}]\n"
        "users: [{name: u, user: {%s}}]\n",
        is_tls ? "https" : "http", way->host != NULL ? way->host : "127.0.0.1", port, proxy,
        !is_tls                         ? ""
        : (flags & WORLD_WRONG_CA) != 0 ? ", certificate-authority: other.pem"
                                        : ", certificate-authority: server.pem",
        (flags & WORLD_SERVER_NAME) != 0 ? ", tls-server-name: kubernetes.example" : "",
        (flags & WORLD_TOKEN_FILE) != 0 ? "tokenFile: token"
        : (flags & WORLD_PLUGIN) != 0
            ? "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: "
              "./plugin, "
              "args: [one, 'two words', \"\"], env: [{name: WHO, value: we}, {name: HOME, value: /nowhere}], "
              "provideClusterInfo: true, installHint: get it}"
        : (flags & WORLD_CLIENT_CERTIFICATE) != 0 ? "client-certificate: client.pem, client-key: client.key"
                                                  : "token: secret");
    world_write(world, "config", yk_buf_cstr(&text));
    yk_buf_done(&text);
}

void world_path(const struct world *world, const char *file, char path[128])
{
    (void)snprintf(path, 128, "%s/%s", world->folder, file);
}

void world_write(struct world *world, const char *file, const char *text)
{
    char path[128];
    world_path(world, file, path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static void set_environment(const struct world *world, const struct world_way *way)
{
    char proxy[64];
    (void)snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%u", world->mock.port);
    static const char *const variables[] = {"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY",
                                            "all_proxy",  "ALL_PROXY",  "no_proxy",    "NO_PROXY"};
    for (size_t i = 0; i < YK_COUNT(variables); i++)
        assert_int_equal(unsetenv(variables[i]), 0);
    if (way->variable != NULL)
        assert_int_equal(setenv(way->variable, proxy, 1), 0);
    if (way->no_proxy != NULL)
        assert_int_equal(setenv("NO_PROXY", way->no_proxy, 1), 0);
}

static void write_client_certificate(const struct world *world)
{
    char certificate[128], key[128];
    world_path(world, "client.pem", certificate);
    world_path(world, "client.key", key);
    mock_write_certificate("first", certificate, key);
}

void world_open(struct world *world, unsigned flags, mock_handler *handler, void *script)
{
    world_open_via(world, flags, &(struct world_way){0}, handler, script);
}

void world_open_via(struct world *world, unsigned flags, const struct world_way *way, mock_handler *handler,
                    void *script)
{
    struct yk_err err = {0};
    char path[128];
    *world = (struct world){.handler = handler, .script = script};
    yk_log_set_stream(NULL);
    (void)snprintf(world->folder, sizeof(world->folder), "/tmp/yk-client-XXXXXX");
    assert_non_null(mkdtemp(world->folder));
    yk_clock_virtual_init(&world->clock, 1000 * YK_NS_PER_S);
    yk_actor_init(&world->actor, &world->clock, (flags & WORLD_SMALL_INBOX) != 0 ? 4 : 65536);
    assert_int_equal(yk_io_new(&world->io, &err), YK_OK);
    world_path(world, "other.pem", path);
    if ((flags & WORLD_WRONG_CA) != 0) { /* another server's certificate */
        mock_open(&world->mock, yk_io_base(world->io), path, handle, world);
        mock_close(&world->mock);
    }
    world_path(world, "server.pem", path);
    mock_open(&world->mock, yk_io_base(world->io), (flags & WORLD_TLS) != 0 ? path : NULL, handle, world);
    if ((flags & WORLD_TOKEN_FILE) != 0)
        world_write(world, "token", " first\n");
    if ((flags & WORLD_CLIENT_CERTIFICATE) != 0)
        write_client_certificate(world);
    world->mock.is_proxy = way->variable != NULL || way->proxy_url;
    set_environment(world, way);
    write_kubeconfig(world, flags, way);
    world_path(world, "config", path);
    struct yk_client_options options = {.io = world->io,
                                        .inbox = &world->actor.inbox,
                                        .clock = &world->clock,
                                        .kubeconfig = path,
                                        .qps = 1000,
                                        .burst = 1000,
                                        .seed = 7,
                                        .fence = &world->fence};
    yk_fence_set(&world->fence, INT64_MAX);
    enum yk_status st = yk_client_new(&options, &world->server, &err);
    if (st != YK_OK)
        fail_msg("no client: %s", err.text);
}

static void remove_folder(const struct world *world)
{
    char path[128];
    static const char *const files[] = {"config",     "token",       "server.pem",    "other.pem",
                                        "client.pem", "client.key",  "ca.crt",        "namespace",
                                        "plugin",     "plugin.runs", "plugin.answer", "plugin.seen"};
    for (size_t i = 0; i < YK_COUNT(files); i++) {
        world_path(world, files[i], path);
        (void)unlink(path);
    }
    (void)rmdir(world->folder);
}

void world_close(struct world *world)
{
    yk_client_free(world->server);
    yk_actor_done(&world->actor);
    mock_close(&world->mock);
    yk_io_free(world->io);
    yk_buf_done(&world->seen);
    yk_buf_done(&world->asked);
    yk_object_free(world->object);
    remove_folder(world);
}

static void turn(struct world *world)
{
    struct timeval wait = {.tv_usec = 500};
    (void)event_base_loopexit(yk_io_base(world->io), &wait);
    (void)event_base_loop(yk_io_base(world->io), EVLOOP_ONCE);
    while (yk_actor_step(&world->actor))
        ;
}

static int64_t give_up_at(void)
{
    return yk_clock_mono_ns(&yk_clock_real) + 10 * YK_NS_PER_S;
}

void world_until(struct world *world, const size_t *count, size_t wanted, const char *what)
{
    int64_t end_ns = give_up_at();
    while (*count < wanted) {
        turn(world);
        if (yk_clock_mono_ns(&yk_clock_real) > end_ns)
            fail_msg("did not happen in time: %s (%zu of %zu)", what, *count, wanted);
    }
}

void world_until_seen(struct world *world, const char *seen)
{
    int64_t end_ns = give_up_at();
    while (strcmp(yk_buf_cstr(&world->seen), seen) != 0) {
        turn(world);
        if (yk_clock_mono_ns(&yk_clock_real) > end_ns)
            fail_msg("wanted '%s', got '%s' after asking for\n%s", seen, yk_buf_cstr(&world->seen),
                     yk_buf_cstr(&world->asked));
    }
}

void world_settle(struct world *world)
{
    for (int i = 0; i < 10; i++)
        turn(world);
}

void world_advance(struct world *world, int64_t ns)
{
    yk_clock_advance(&world->clock, ns);
    yk_io_timers_run(yk_client_timers(world->server));
    world_settle(world);
}

void world_pass(struct world *world, int64_t ns, int64_t step_ns)
{
    for (int64_t passed_ns = 0; passed_ns < ns; passed_ns += step_ns) {
        yk_clock_advance(&world->clock, step_ns);
        yk_io_timers_run(yk_client_timers(world->server));
        for (int i = 0; i < 20; i++) {
            (void)event_base_loop(yk_io_base(world->io), EVLOOP_NONBLOCK);
            while (yk_actor_step(&world->actor))
                ;
        }
        turn(world);
    }
}

void world_advance_until_seen(struct world *world, const char *seen)
{
    for (int i = 0; i < 50 && strcmp(yk_buf_cstr(&world->seen), seen) != 0; i++)
        world_advance(world, YK_NS_PER_S);
    world_until_seen(world, seen);
}

static void sink(void *context, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    static const char signs[] = {[YK_WATCH_UPSERT] = '+', [YK_WATCH_DELETED] = '-'};
    struct world *world = context;
    (void)kind;
    if (object == NULL)
        yk_buf_text(&world->seen, event == YK_WATCH_REPLACE_BEGIN ? "[ " : "] ");
    else
        yk_buf_printf(&world->seen, "%c" YK_STR_FMT "@" YK_STR_FMT " ", signs[event],
                      YK_STR_ARG(object->name), YK_STR_ARG(object->resource_version));
    yk_object_free(object);
}

void world_watch(struct world *world, enum yk_kind kind)
{
    struct yk_watch_spec spec = {.kind = kind};
    yk_api_watch(world->server, &spec, sink, world);
}

static void op_done(struct yk_op *op)
{
    struct world *world = op->context;
    world->ops_done++;
    world->ops_failed += op->result != YK_OP_OK;
    world->result = op->result;
    world->http_status = op->http_status;
    (void)snprintf(world->reason, sizeof(world->reason), "%s", yk_op_reason(op));
    yk_object_free(world->object);
    world->object = yk_move(op->object);
    (void)snprintf(world->answer, sizeof(world->answer), "%s", yk_buf_cstr(&op->answer));
    yk_op_free(op);
}

struct yk_op *world_op_named(struct world *world, enum yk_op_kind kind, const char *name)
{
    struct yk_op *op = yk_op_new(kind, &(struct yk_op_target){.namespace_ = YK_STR("ns"),
                                                              .name = yk_str_from(name),
                                                              .uid = YK_STR("uid-1"),
                                                              .node = YK_STR("node-1")});
    op->done = op_done;
    op->context = world;
    return op;
}

struct yk_op *world_op(struct world *world, enum yk_op_kind kind)
{
    return world_op_named(world, kind, "pod");
}
