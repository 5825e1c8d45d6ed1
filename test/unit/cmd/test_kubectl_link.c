/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn` against two servers: one is the API server or a scheduler that is reached directly, the
 * other one is a scheduler with TLS behind a port-forward. test_kubectl_site.c has a real server. Answers of
 * the API server, refusals and hostile answers are scripted. What a scheduler says of its state comes from a
 * real core, with the handlers of its REST interface: a key that a command reads and the scheduler does not
 * write fails these tests. */
#include "base/io_loop.h"
#include "cmd/commands.h"
#include "cmd/kubectl_complete.h"
#include "cmd/kubectl_link.h"
#include "lib/core_world.h"
#include "lib/mock_server.h"
#include "scheduler/kill.h"
#include "web/web.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct stage {
    struct yk_io *io;
    struct mock mock, forwarded;
    char certificate[64];
    char kubeconfig[64], kubectl[64], server[64];
    struct yk_ctl_flags flags;
    struct yk_ctl ctl;
    char *printed;
    size_t printed_len;
    struct world *world; /* answers for the scheduler what `answers` do not have; NULL: none */
    struct yk_buf asked; /* "<method> <path> <Authorization>\n" */
    const struct answer {
        const char *path; /* how it begins */
        int status;
        const char *body;
    } * answers; /* ends with path NULL */
};

/* The scheduler's answer to a path behind which the API server's proxy may be. False: it is no such path. */
static bool is_answered_by_core(struct stage *stage, struct mock_request *request, const char *path)
{
    struct yk_answer answer;
    const char *target = strstr(path, "/ws/v1/");
    if (target == NULL)
        target = strstr(path, "/debug/");
    if (stage->world == NULL || target == NULL)
        return false;
    struct yk_web_query query = {.target = target};
    yk_web_render(stage->world->core, NULL, &query, &answer);
    mock_answer(request, answer.status, NULL, NULL, yk_buf_cstr(&answer.body));
    yk_answer_done(&answer);
    return true;
}

static void answer(struct mock *mock, struct mock_request *request, const char *path, void *context)
{
    struct stage *stage = context;
    (void)mock;
    yk_buf_printf(&stage->asked, "%s %s %s\n", mock_method(request), path,
                  mock_header(request, "Authorization"));
    for (const struct answer *a = stage->answers; a->path != NULL; a++) {
        if (strncmp(path, a->path, strlen(a->path)) == 0) {
            mock_answer(request, a->status, NULL, NULL, a->body);
            return;
        }
    }
    if (is_answered_by_core(stage, request, path))
        return;
    mock_answer(request, 404, "X-Test", "page", "404 page not found\n");
}

static void write_file(char *path, size_t size, const char *text, mode_t mode)
{
    (void)snprintf(path, size, "/tmp/yk-ctl-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(fchmod(fd, mode), 0);
    (void)close(fd);
}

static void write_kubeconfig(struct stage *stage)
{
    char text[512];
    (void)snprintf(text, sizeof(text),
                   "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%u'}}]\n"
                   "users: [{name: u, user: {token: mine}}]\n"
                   "contexts: [{name: one, context: {cluster: c, user: u, namespace: home}}]\n"
                   "current-context: one\n",
                   stage->mock.port);
    write_file(stage->kubeconfig, sizeof(stage->kubeconfig), text, 0600);
}

/* A port-forward that leads to the scheduler. */
static void write_kubectl(struct stage *stage)
{
    char text[512];
    (void)snprintf(text, sizeof(text),
                   "#!/bin/sh\necho \"$*\" >&2\n"
                   "echo 'Forwarding from 127.0.0.1:%u -> 9080'\nexec sleep 60\n",
                   stage->forwarded.port);
    write_file(stage->kubectl, sizeof(stage->kubectl), text, 0700);
    assert_int_equal(setenv("KUBECTL", stage->kubectl, 1), 0);
}

static void open_stage(struct stage *stage, const struct answer *answers)
{
    struct yk_err err = {0};
    *stage = (struct stage){.answers = answers};
    assert_int_equal(yk_io_new(&stage->io, &err), YK_OK);
    mock_open(&stage->mock, yk_io_base(stage->io), NULL, answer, stage);
    write_file(stage->certificate, sizeof(stage->certificate), "", 0600);
    mock_open(&stage->forwarded, yk_io_base(stage->io), stage->certificate, answer, stage);
    write_kubeconfig(stage);
    write_kubectl(stage);
    (void)snprintf(stage->server, sizeof(stage->server), "http://127.0.0.1:%u", stage->mock.port);
    stage->ctl.partition = "default";
    stage->ctl.now_ns = INT64_C(1000000) * YK_NS_PER_S;
    stage->ctl.out = open_memstream(&stage->printed, &stage->printed_len);
    assert_non_null(stage->ctl.out);
}

/* After `flags` have been set. */
static void connect_stage(struct stage *stage)
{
    struct yk_err err = {0};
    stage->ctl.flags = stage->flags;
    if (yk_ctl_link_new(&stage->flags, stage->io, &stage->ctl.link, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void open_direct(struct stage *stage, const struct answer *answers)
{
    open_stage(stage, answers);
    stage->flags.server = stage->server;
    connect_stage(stage);
}

static void close_stage(struct stage *stage)
{
    yk_ctl_link_free(stage->ctl.link);
    mock_close(&stage->mock);
    mock_close(&stage->forwarded);
    yk_io_free(stage->io);
    (void)unlink(stage->certificate);
    (void)fclose(stage->ctl.out);
    (void)unlink(stage->kubeconfig);
    (void)unlink(stage->kubectl);
    yk_buf_done(&stage->asked);
    free(stage->printed);
}

static void is_printed(struct stage *stage, const char *want)
{
    (void)fflush(stage->ctl.out);
    if (strcmp(stage->printed, want) != 0)
        fail_msg("printed:\n%s\nnot:\n%s", stage->printed, want);
}

/* What was printed is forgotten. */
static void rewind_output(struct stage *stage)
{
    (void)fclose(stage->ctl.out);
    free(stage->printed);
    stage->ctl.out = open_memstream(&stage->printed, &stage->printed_len);
    assert_non_null(stage->ctl.out);
}

static void prints(struct stage *stage, const char *part)
{
    (void)fflush(stage->ctl.out);
    if (strstr(stage->printed, part) == NULL)
        fail_msg("nothing with '%s' in:\n%s", part, stage->printed);
}

static void prints_not(struct stage *stage, const char *part)
{
    (void)fflush(stage->ctl.out);
    if (strstr(stage->printed, part) != NULL)
        fail_msg("'%s' is in:\n%s", part, stage->printed);
}

static void was_asked(struct stage *stage, const char *part)
{
    if (strstr(yk_buf_cstr(&stage->asked), part) == NULL)
        fail_msg("nothing with '%s' in:\n%s", part, yk_buf_cstr(&stage->asked));
}

static void was_not_asked(struct stage *stage, const char *part)
{
    if (strstr(yk_buf_cstr(&stage->asked), part) != NULL)
        fail_msg("'%s' is in:\n%s", part, yk_buf_cstr(&stage->asked));
}

static void run(struct stage *stage, enum yk_status (*command)(struct yk_ctl *, char **, struct yk_err *),
                char *operand)
{
    struct yk_err err = {0};
    char *operands[] = {operand, NULL, NULL};
    if (command(&stage->ctl, operands, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void fails(struct stage *stage, enum yk_status (*command)(struct yk_ctl *, char **, struct yk_err *),
                  char *operand, enum yk_status want, const char *part)
{
    struct yk_err err = {0};
    char *operands[] = {operand, NULL, NULL};
    enum yk_status got = command(&stage->ctl, operands, &err);
    if (got != want || strstr(err.text, part) == NULL)
        fail_msg("status %d, not %d: '%s' has no '%s'", got, want, err.text, part);
}

/* ---- tables ---- */

#define PARTITION "/ws/v1/partition/default"

static const struct answer nothing[] = {{NULL, 0, NULL}};

static const char config[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n    "
    "submitacl: '*'\n"
    "    queues:\n    - {name: a, maxapplications: 5, resources: {max: {vcore: 4}},\n"
    "       limits: [{limit: '', users: [ann], maxresources: {vcore: 4}, maxapplications: 3}]}\n"
    "    - {name: c}\n";

/* Pod `name` of the namespace home asks. */
static void pod_asks(struct world *world, const char *app, const char *name, int64_t vcore)
{
    char key[64];
    struct yk_resvec size = world_size(vcore, 1024);
    const struct yk_si_tag tags[] = {{"kubernetes.io/meta/namespace", "home"},
                                     {"kubernetes.io/meta/podName", name}};
    (void)snprintf(key, sizeof(key), "uid-%s", name);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = app,
                                   .resource = &size,
                                   .scheduling_class = YK_SI_CLASS_ANY,
                                   .tags = tags,
                                   .tag_count = YK_COUNT(tags)};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    yk_resvec_done(&size);
}

static void settle(struct world *world)
{
    (void)world_schedule(world);
    world_advance(world, 2);
    (void)world_schedule(world); /* whatever comes of it */
}

/* Queue root.a has 4 cores: three run for ann, and what bob's application etl asks for does not fit. */
static void begin_world(struct world *world)
{
    world_init(world, config);
    world_node(world, "n1", 24000, 100 << 10);
    world_submit(world, "runs", "root.a", "ann");
    world_submit(world, "etl", "root.a", "bob");
    pod_asks(world, "runs", "p0", 3000);
    settle(world);
    pod_asks(world, "etl", "p1", 1500);
    settle(world);
    world_advance(world, 118);
}

static void use_world(struct stage *stage, struct world *world)
{
    stage->world = world;
    stage->ctl.now_ns = yk_clock_wall_ns(&world->clock);
}

static void tables(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    begin_world(&world);
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    run(&stage, yk_ctl_queues, NULL);
    is_printed(&stage, "NAME     STATUS   APPS   CPU      MEMORY      PENDING\n"
                       "root     Active   1      3/24     1Gi/100Gi   cpu 1.5, memory 1Gi, pods 1\n"
                       "root.a   Active   1/5    3/4      1Gi         cpu 1.5, memory 1Gi, pods 1\n"
                       "root.c   Active   0      <none>   <none>      <none>\n");
    stage.ctl.flags.tree = "true";
    run(&stage, yk_ctl_queues, NULL);
    prints(&stage, "\n  a    Active");
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "\nruns   root.a   ann    Running ");
    prints(&stage, "\netl    root.a   bob    ");
    run(&stage, yk_ctl_nodes, NULL);
    prints(&stage, "\nn1     Schedulable ");
    run(&stage, yk_ctl_users, NULL);
    prints(&stage, "NAME   KIND   APPS   USED                        CLOSEST LIMIT\n");
    prints(&stage, "\nann    user   1      cpu 3, memory 1Gi, pods 1   3/4 cpu in root.a\n");
    run(&stage, yk_ctl_top, (char *)(uintptr_t) "users");
    prints(&stage, "\nann    12.5%   cpu      3     12%    1Gi      1%\n");
    run(&stage, yk_ctl_queue, (char *)(uintptr_t) "root.a");
    prints(&stage, "Used by:       ann (cpu 3, memory 1Gi, pods 1)\n");
    fails(&stage, yk_ctl_queue, (char *)(uintptr_t) "root.x", YK_ERR_NOT_FOUND,
          "queue 'root.x': Queue not found");
    close_stage(&stage);
    world_done(&world);
}

/* ---- forms, and answers that no scheduler gives ---- */

static const struct answer plain[] = {
    {PARTITION "/applications/active", 200,
     "[{\"applicationID\":\"etl\\u001b[31m\",\"queueName\":\"root.a\",\"user\":\"u\",\"applicationState\":"
     "\"Running\",\"submissionTime\":999820000000000}]"},
    {PARTITION "/nodes", 200, "[]"},
    {NULL, 0, NULL}};

static void json_and_yaml(void **state)
{
    (void)state;
    struct stage stage;
    open_direct(&stage, plain);
    stage.ctl.output = YK_CTL_YAML;
    run(&stage, yk_ctl_nodes, NULL);
    is_printed(&stage, "[]\n");
    stage.ctl.output = YK_CTL_TABLE;
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "\netl\\x1b[31m   root.a   u      Running   <none>   <none>    3m\n");
    stage.ctl.output = YK_CTL_YAML;
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "- applicationID: \"etl\\e[31m\"\n  queueName: root.a\n");
    close_stage(&stage);
}

/* REST counts what placeholders hold in a map of its own; in use is both. */
#define GANG(id, maps)                                                                                       \
    "{\"applicationID\":\"" id                                                                               \
    "\",\"queueName\":\"root.a\",\"user\":\"u\",\"applicationState\":\"Running\"," maps                      \
    "\"submissionTime\":999820000000000}"
#define HELD_ALL GANG("new", "\"placeholderResource\":{\"vcore\":4000},")
#define HELD_PART                                                                                            \
    GANG("part", "\"usedResource\":{\"vcore\":1000},\"placeholderResource\":{\"vcore\":500,\"pods\":1},")

static void placeholders_are_in_use(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {PARTITION "/applications/active", 200, "[" HELD_PART "," HELD_ALL "]"},
        {PARTITION "/queues", 200, "{\"queuename\":\"root\",\"maxResource\":{\"vcore\":10000}}"},
        {PARTITION "/application/new/pending", 200, "{\"total\":33,\"gangMembers\":30}"},
        {PARTITION "/application/new", 200, HELD_ALL},
        {PARTITION "/application/part", 200, HELD_PART},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "\nnew    root.a   u      Running   cpu 4             <none>    3m\n");
    prints(&stage, "\npart   root.a   u      Running   cpu 1.5, pods 1   <none>    3m\n");
    stage.ctl.output = YK_CTL_WIDE;
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "   cpu 0.5, pods 1   ");
    stage.ctl.output = YK_CTL_TABLE;
    run(&stage, yk_ctl_top, (char *)(uintptr_t) "apps");
    prints(&stage, "\nnew    40.0%   cpu   4     40%");
    prints(&stage, "\npart   15.0%   cpu   1.5   15%");
    stage.ctl.output = YK_CTL_WIDE;
    run(&stage, yk_ctl_top, (char *)(uintptr_t) "apps");
    prints(&stage, "   USED              PLACEHOLDERS\nnew ");
    prints(&stage, "   cpu 4             cpu 4\npart ");
    prints(&stage, "   cpu 1.5, pods 1   cpu 0.5, pods 1\n");
    rewind_output(&stage);
    run(&stage, yk_ctl_top, NULL);
    prints_not(&stage, "PLACEHOLDERS"); /* only applications have this part */
    stage.ctl.output = YK_CTL_JSON;
    run(&stage, yk_ctl_top, (char *)(uintptr_t) "apps");
    prints(&stage, "\"placeholders\": {\n            \"vcore\": 500,");
    stage.ctl.output = YK_CTL_TABLE;
    run(&stage, yk_ctl_app, (char *)(uintptr_t) "new");
    prints(&stage, "cpu 4, all through placeholders\n");
    prints(&stage, "\nPods:          0 running, 30 waiting\n"); /* they are no requests yet */
    run(&stage, yk_ctl_app, (char *)(uintptr_t) "part");
    prints(&stage, "cpu 1.5, pods 1; through placeholders: cpu 0.5, pods 1\n");
    close_stage(&stage);
}

static void gang_asks(struct world *world, const char *key, bool placeholder, int64_t vcore)
{
    struct yk_resvec size = world_size(vcore, 10);
    struct yk_si_allocation ask = {.key = key,
                                   .application_id = "gang",
                                   .resource = &size,
                                   .task_group = "workers",
                                   .placeholder = placeholder,
                                   .scheduling_class = YK_SI_CLASS_ANY};
    assert_int_equal(yk_core_update_allocation(world->core, "rm", &ask), YK_OK);
    yk_resvec_done(&size);
}

/* Placeholders are no pods that run or wait. `timedout` of REST also counts those that gave way or were
 * deleted. */
static void pods_and_placeholders_of_a_gang(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    begin_world(&world);
    world_submit(&world, "gang", "root.c", "ann");
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    gang_asks(&world, "p1", true, 1000);
    gang_asks(&world, "p2", true, 1000);
    settle(&world);
    gang_asks(&world, "p3", true, 900000);
    settle(&world);
    run(&stage, yk_ctl_app, (char *)(uintptr_t) "gang");
    prints(&stage, "\nPods:          0 running, 0 waiting; placeholders: 2 on nodes, 1 waiting\n");
    prints(&stage, "\nGang:          workers: placeholders: 2 on nodes, 1 waiting, 0 replaced by pods\n");
    rewind_output(&stage);
    world_release(&world, "gang", "p2", YK_SI_TIMEOUT);
    gang_asks(&world, "r1", false, 1000);
    settle(&world);
    run(&stage, yk_ctl_app, (char *)(uintptr_t) "gang");
    prints(&stage, "\nPods:          0 running, 1 waiting; placeholders: 1 on nodes, 1 waiting\n");
    prints(&stage, "\nGang:          workers: placeholders: 1 on nodes, 1 waiting, 0 replaced by pods, "
                   "1 ended without being replaced\n");
    rewind_output(&stage);
    world_release(&world, "gang", "p1", YK_SI_PLACEHOLDER_REPLACED);
    world_release(&world, "gang", "p3", YK_SI_STOPPED_BY_RM);
    run(&stage, yk_ctl_app, (char *)(uintptr_t) "gang");
    prints(&stage, "\nPods:          1 running, 0 waiting\n");
    prints(&stage,
           "\nGang:          workers: placeholders: 1 replaced by pods, 2 ended without being replaced\n");
    prints(&stage, "\nMost used:     cpu 2, memory 20Mi, pods 2 (pods and placeholders not added up)\n");
    close_stage(&stage);
    world_done(&world);
}

static void pages(void **state)
{
    (void)state;
    struct stage stage;
    YK_CLEANUP(yk_buf_done) struct yk_buf full = {0};
    yk_buf_text(&full, "[");
    for (int i = 0; i < 500; i++)
        yk_buf_printf(&full, "%s{\"nodeID\":\"n%d\"}", i > 0 ? "," : "", i);
    yk_buf_text(&full, "]");
    const struct answer answers[] = {
        {PARTITION "/nodes?limit=500&offset=0", 200, yk_buf_cstr(&full)},
        {PARTITION "/nodes?limit=500&offset=500", 200, "[{\"nodeID\":\"last\"}]"},
        {NULL, 0, NULL}};
    open_direct(&stage, answers);
    run(&stage, yk_ctl_nodes, NULL);
    prints(&stage, "\nlast ");
    prints(&stage, "\nn0 ");
    close_stage(&stage);
}

static void hostile_answers(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf deep = {0};
    for (int i = 0; i < 100000; i++)
        yk_buf_char(&deep, '[');
    const struct answer answers[] = {{PARTITION "/queues", 200, yk_buf_cstr(&deep)},
                                     {PARTITION "/nodes", 200, "{\"not\":\"a list\"}"},
                                     {PARTITION "/applications", 200, "<html>"},
                                     {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_LIMIT, "nested deeper");
    fails(&stage, yk_ctl_nodes, NULL, YK_ERR_INVALID, "not a list");
    fails(&stage, yk_ctl_apps, NULL, YK_ERR_INVALID, "not JSON");
    close_stage(&stage);
}

/* As many levels of queues as a configuration may have. */
static void a_deep_tree(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf deep = {0};
    for (int i = 1; i < YK_CONFIG_DEPTH_MAX; i++)
        yk_buf_printf(&deep, "{\"queuename\":\"q%d\",\"children\":[", i);
    yk_buf_text(&deep, "{\"queuename\":\"last\",\"maxResource\":{}}");
    for (int i = 1; i < YK_CONFIG_DEPTH_MAX; i++)
        yk_buf_text(&deep, "]}");
    const struct answer answers[] = {{PARTITION "/queues", 200, yk_buf_cstr(&deep)}, {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    run(&stage, yk_ctl_queues, NULL);
    prints(&stage, "\nq999 ");
    prints(&stage, "\nlast ");
    close_stage(&stage);
}

/* ---- the way ---- */

#define PROXY(scheme) "/api/v1/namespaces/yunikorn/services/" scheme ":yunikorn-service:yunikorn-core/proxy"
#define REFUSED_401   "{\"status_code\":401,\"message\":\"this request needs a bearer token\"}"
#define SERVICE                                                                                              \
    {                                                                                                        \
        "/api/v1/namespaces/yunikorn/services/yunikorn-service", 200, "{\"kind\":\"Service\"}"               \
    }

static void open_reads_go_through_the_proxy(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {PROXY("http"), 503, "{\"kind\":\"Status\",\"message\":\"error trying to reach service: EOF\"}"},
        {PROXY("https") PARTITION "/nodes", 200, "[{\"nodeID\":\"n1\"}]"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_stage(&stage, answers);
    stage.flags.kubeconfig = stage.kubeconfig;
    connect_stage(&stage);
    run(&stage, yk_ctl_nodes, NULL);
    prints(&stage, "\nn1 ");
    was_asked(&stage, PROXY("https") PARTITION "/nodes?limit=500&offset=0 Bearer mine\n");
    assert_string_equal(yk_ctl_link_namespace(stage.ctl.link), "home");
    close_stage(&stage);
}

static void a_scheduler_that_wants_a_user_is_reached_by_port_forward(void **state)
{
    (void)state;
    static const struct answer answers[] = {{PROXY("http"), 401, REFUSED_401},
                                            SERVICE,
                                            {PARTITION "/nodes", 200, "[{\"nodeID\":\"n1\"}]"},
                                            {NULL, 0, NULL}};
    struct stage stage;
    open_stage(&stage, answers);
    stage.flags.kubeconfig = stage.kubeconfig;
    connect_stage(&stage);
    run(&stage, yk_ctl_nodes, NULL);
    prints(&stage, "\nn1 ");
    was_asked(&stage, "GET " PARTITION "/nodes?limit=500&offset=0 Bearer mine\n");
    close_stage(&stage);
}

static void changes_never_go_through_the_proxy(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        SERVICE,
        {PARTITION "/application/a1", 200,
         "{\"applicationID\":\"a1\",\"queueName\":\"root.a\",\"applicationState\":\"Failing\"}"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_stage(&stage, answers);
    stage.flags.kubeconfig = stage.kubeconfig;
    connect_stage(&stage);
    run(&stage, yk_ctl_kill, (char *)(uintptr_t) "a1");
    is_printed(&stage, "application a1 killed: queue root.a, state Failing\n");
    was_asked(&stage, "DELETE " PARTITION "/application/a1 Bearer mine\n");
    was_not_asked(&stage, "/proxy");
    close_stage(&stage);
}

static void a_service_account_answers_for_the_user(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {"/api/v1/namespaces/ops/serviceaccounts/viewer/token", 201, "{\"status\":{\"token\":\"short\"}}"},
        SERVICE,
        {PARTITION "/nodes", 200, "[]"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_stage(&stage, answers);
    stage.flags.kubeconfig = stage.kubeconfig;
    stage.flags.service_account = "ops/viewer";
    connect_stage(&stage);
    run(&stage, yk_ctl_nodes, NULL);
    was_asked(&stage, "/nodes?limit=500&offset=0 Bearer short\n");
    was_not_asked(&stage, "/nodes?limit=500&offset=0 Bearer mine\n");
    close_stage(&stage);
}

static void a_refusal_names_the_role(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {PARTITION "/nodes", 403, "{\"status_code\":403,\"message\":\"user 'jo' may not get it\"}"},
        {PARTITION "/queues", 503, "{\"status_code\":503,\"message\":\"standby\"}"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    fails(&stage, yk_ctl_nodes, NULL, YK_ERR_DENIED,
          "you may not get " PARTITION
          "/nodes?limit=500&offset=0; ask for the role yunikorn-viewer: user 'jo'");
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_UNAVAILABLE, "standby");
    fails(&stage, yk_ctl_preemptions, NULL, YK_ERR_INVALID, "it is of another version");
    close_stage(&stage);
}

/* A list in the configuration decides about recordings, not a role. */
static void a_refusal_of_a_recording_names_no_role(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {"/ws/v1/recording", 403, "{\"status_code\":403,\"message\":\"not in service.schedulerACL\"}"},
        {NULL, 0, NULL}};
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    const struct yk_ctl_request request = {
        .method = "POST", .path = "/ws/v1/recording", .body = YK_STR("{}"), .is_guarded = true};
    struct stage stage;
    struct yk_err err = {0};
    open_direct(&stage, answers);
    assert_int_equal(yk_ctl_link_call(stage.ctl.link, &request, &body, &err), YK_ERR_DENIED);
    assert_string_equal(err.text, "you may not post /ws/v1/recording: not in service.schedulerACL");
    close_stage(&stage);
}

static void an_audience_is_text(void **state)
{
    (void)state;
    static const struct answer answers[] = {SERVICE, {NULL, 0, NULL}};
    struct stage stage;
    open_stage(&stage, answers);
    stage.flags.kubeconfig = stage.kubeconfig;
    stage.flags.service_account = "ops/viewer";
    stage.flags.audience = "\xff";
    connect_stage(&stage);
    fails(&stage, yk_ctl_nodes, NULL, YK_ERR_INVALID, "--audience is not UTF-8");
    close_stage(&stage);
}

static void a_server_that_is_away(void **state)
{
    (void)state;
    struct stage stage;
    open_direct(&stage, plain);
    mock_close(&stage.mock);
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_UNAVAILABLE, "scheduler at http://127.0.0.1:");
    mock_reopen(&stage.mock);
    close_stage(&stage);
}

static void a_port_forward_that_fails(void **state)
{
    (void)state;
    static const struct answer answers[] = {SERVICE, {NULL, 0, NULL}};
    struct stage stage;
    char script[64];
    open_stage(&stage, answers);
    write_file(script, sizeof(script), "#!/bin/sh\necho 'error: no pod is ready' >&2\nexit 1\n", 0700);
    assert_int_equal(setenv("KUBECTL", script, 1), 0);
    stage.flags.kubeconfig = stage.kubeconfig;
    stage.flags.via = "port-forward";
    connect_stage(&stage);
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_UNAVAILABLE, "port-forward: error: no pod is ready");
    (void)unlink(script);
    write_file(script, sizeof(script), "#!/bin/sh\nexec >&- 2>&-\nexec sleep 60\n", 0700);
    assert_int_equal(setenv("KUBECTL", script, 1), 0);
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_UNAVAILABLE, "port-forward: it ended without a message");
    assert_int_equal(setenv("KUBECTL", "/nonexistent/kubectl", 1), 0);
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_NOT_FOUND, "there is no '/nonexistent/kubectl' in PATH");
    (void)unlink(script);
    close_stage(&stage);
}

static void no_service(void **state)
{
    (void)state;
    static const struct answer answers[] = {{"/api/v1/namespaces/yunikorn/services/yunikorn-service", 404,
                                             "{\"kind\":\"Status\",\"message\":\"services not found\"}"},
                                            {NULL, 0, NULL}};
    struct stage stage;
    open_stage(&stage, answers);
    stage.flags.kubeconfig = stage.kubeconfig;
    stage.flags.via = "port-forward";
    connect_stage(&stage);
    fails(&stage, yk_ctl_queues, NULL, YK_ERR_STATE,
          "there is no Service 'yunikorn-service' with a scheduler in namespace 'yunikorn'");
    close_stage(&stage);
}

static void flags_that_contradict(void **state)
{
    (void)state;
    struct yk_ctl_link *link = NULL;
    struct yk_err err = {0};
    const struct yk_ctl_flags both = {.server = "http://127.0.0.1:1", .via = "proxy"},
                              strange = {.via = "pigeon"};
    assert_int_equal(yk_ctl_link_new(&both, NULL, &link, &err), YK_ERR_INVALID);
    assert_int_equal(yk_ctl_link_new(&strange, NULL, &link, &err), YK_ERR_INVALID);
    assert_null(link);
}

static void tokens_are_not_sent_in_the_clear(void **state)
{
    (void)state;
    static const char *const servers[] = {"http://scheduler.example:9080",
                                          "http://localhost.example.org:9080", "http://127.example.org"};
    for (size_t i = 0; i < YK_COUNT(servers); i++) {
        struct stage stage;
        open_stage(&stage, plain);
        stage.flags.server = servers[i];
        stage.flags.token = "secret";
        connect_stage(&stage);
        fails(&stage, yk_ctl_queues, NULL, YK_ERR_INVALID, "which is not encrypted");
        fails(&stage, yk_ctl_whatif, stage.kubeconfig, YK_ERR_INVALID, "which is not encrypted");
        close_stage(&stage);
    }
}

/* ---- why ---- */

#define POD_OF(name, app, created)                                                                           \
    {                                                                                                        \
        "/api/v1/namespaces/home/pods/" name, 200,                                                           \
            "{\"metadata\":{\"name\":\"" name "\",\"namespace\":\"home\",\"uid\":\"uid-" name                \
            "\",\"creationTimestamp\":\"" created "\",\"labels\":{\"applicationId\":\"" app                  \
            "\"}},\"spec\":{\"schedulerName\":\"yunikorn\"}}"                                                \
    }

#define POD(name, more)                                                                                      \
    {                                                                                                        \
        "/api/v1/namespaces/home/pods/" name, 200,                                                           \
            "{\"metadata\":{\"name\":\"" name "\",\"namespace\":\"home\",\"uid\":\"uid-" name                \
            "\",\"labels\":{\"applicationId\":\"etl\"}},\"spec\":{\"schedulerName\":\"yunikorn\"" more "}}"  \
    }

/* Its application is `big`. */
#define REJECTED_POD(name, created)                                                                          \
    "{\"metadata\":{\"name\":\"" name "\",\"namespace\":\"home\",\"uid\":\"uid-" name                        \
    "\",\"creationTimestamp\":\"" created "\",\"labels\":{\"applicationId\":\"big\"}},\"spec\":{"            \
    "\"schedulerName\":\"yunikorn\"},\"status\":{\"phase\":\"Failed\",\"reason\":\"ApplicationRejected\","   \
    "\"message\":\" refused\"}}"

static const struct answer of_why[] = {
    POD_OF("p1", "etl", "2023-11-14T22:13:20Z"),
    POD_OF("early", "older", "2023-11-14T22:18:41Z"),
    POD_OF("late", "older", "2023-11-14T22:18:43Z"),
    POD_OF("etl", "etl", "2023-11-14T22:30:00Z"),
    POD("bound", ",\"nodeName\":\"n7\""),
    POD("gated", ",\"schedulingGates\":[{\"name\":\"quota.example/wait\"}]"),
    {"/api/v1/namespaces/home/pods/other", 200,
     "{\"metadata\":{\"name\":\"other\"},\"spec\":{\"schedulerName\":\"default-scheduler\"}}"},
    {"/api/v1/namespaces/home/pods/failed", 200,
     "{\"metadata\":{\"name\":\"failed\",\"namespace\":\"home\",\"uid\":\"uid-failed\",\"labels\":{"
     "\"applicationId\":\"gone\"}},\"spec\":{\"schedulerName\":\"yunikorn\"},\"status\":{\"phase\":"
     "\"Failed\",\"reason\":\"ApplicationKilled\",\"message\":\"killed by user 'chief'\"}}"},
    {"/api/v1/namespaces/away/pods/p1", 200,
     "{\"metadata\":{\"name\":\"p1\",\"namespace\":\"away\",\"uid\":\"u9\"},\"spec\":{\"nodeName\":\"n8\"}}"},
    {"/api/v1/namespaces/home/pods/refused", 200, REJECTED_POD("refused", "2023-11-14T22:13:20Z")},
    {"/api/v1/namespaces/home/pods/newer", 200, REJECTED_POD("newer", "2033-11-14T22:13:20Z")},
    {"/api/v1/namespaces/home/pods/ol", 404, "{\"kind\":\"Status\",\"message\":\"pods not found\"}"},
    {"/api/v1/namespaces/home/pods/lost", 404, "{\"kind\":\"Status\",\"message\":\"pods not found\"}"},
    {"/api/v1/namespaces/home/pods/none", 404,
     "{\"kind\":\"Status\",\"message\":\"pods \\\"none\\\" not found\"}"},
    {NULL, 0, NULL}};

static void open_why(struct stage *stage, struct world *world)
{
    begin_world(world);
    open_stage(stage, of_why);
    use_world(stage, world);
    stage->flags.kubeconfig = stage->kubeconfig;
    connect_stage(stage);
}

#define NAME(text) (char *)(uintptr_t)(text)

static void why_a_pod_waits(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_why(&stage, &world);
    run(&stage, yk_ctl_why, NAME("p1"));
    is_printed(
        &stage,
        "Pod:           home/p1\n"
        "Application:   etl\n"
        "Queue:         root.a\n"
        "Reason:        QueueQuota\n"
        "Message:       needs 1.5 cores, queue root.a has 1 of 4 cores free; ann's application runs holds 3 "
        "cores\n"
        "Remedy:        wait until pods of the queue end, or raise its maximum\n"
        "Waits:         2m, 1 attempt, the last one 2m ago\n"
        "Position:      0 ahead in queue root.a\n"
        "Starts:        unknown (no waiting pods of queue root.a started lately)\n"
        "Requests:      cpu 1.5, memory 1Gi, pods 1\n"
        "Limit:         queue root.a; maximum cpu 4; used cpu 3; requested cpu 1.5, memory 1Gi, pods 1; "
        "missing cpu 0.5\n"
        "Preemption:    no: it does not preempt others\n");
    close_stage(&stage);
    world_done(&world);
}

/* A larger request counts as the largest amount. All lines say so, as the message does. */
static void the_largest_request(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    begin_world(&world);
    world_submit(&world, "huge", "root.a", "ann");
    world_ask(&world, "huge", "k1", 4500, INT64_C(1) << 28);
    settle(&world);
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    stage.ctl.output = YK_CTL_WIDE;
    run(&stage, yk_ctl_why, NAME("app/huge"));
    prints(&stage, "\nRequests:      cpu 4.5, memory 256Ti or more, pods 1\n");
    prints(&stage, "; requested cpu 4.5, memory 256Ti or more, pods 1; missing cpu ");
    prints(&stage, "   cpu 4.5, memory 256Ti or more, pods 1   ");
    close_stage(&stage);
    world_done(&world);
}

struct named {
    const char *word, *namespace_, *part; /* the argument, -n, and a part of what is printed */
};

/* Names as lists show them, and as kubectl takes them. */
static void names_of_what_waits(void **state)
{
    (void)state;
    static const struct named cases[] = {
        {"home/p1", NULL, "Pod:           home/p1\n"},
        {"home/p1", "home", "Pod:           home/p1\n"},
        {"pod/p1", NULL, "Pod:           home/p1\n"},
        {"pods/p1", NULL, "Pod:           home/p1\n"},
        {"po/home/p1", "home", "Pod:           home/p1\n"},
        {"away/p1", NULL, "Pod p1 does not wait: it is on node n8"},
        {"pod/away/p1", NULL, "Pod p1 does not wait: it is on node n8"},
        {"p1", "away", "Pod p1 does not wait: it is on node n8"},
        {"app/etl", NULL, "Application:   etl\n"},
        {"application/etl", NULL, "Application:   etl\n"},
    };
    static const struct named wrong[] = {
        {"away/p1", "home", "pod 'away/p1' is in namespace 'away', and --namespace is 'home'"},
        {"pod/away/p1", "home", "pod 'away/p1' is in namespace 'away', and --namespace is 'home'"},
        {"pod/", NULL, "'' is no pod: it must be NAME or NAMESPACE/NAME"},
        {"/p1", NULL, "'/p1' is no pod"},
        {"home/", NULL, "'home/' is no pod"},
        {"a/b/c", NULL, "'a/b/c' is no pod"},
    };
    struct world world;
    struct stage stage;
    open_why(&stage, &world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        stage.flags.namespace_ = stage.ctl.flags.namespace_ = cases[i].namespace_;
        rewind_output(&stage);
        run(&stage, yk_ctl_why, NAME(cases[i].word));
        prints(&stage, cases[i].part);
        assert_false(stage.ctl.is_misused);
    }
    for (size_t i = 0; i < YK_COUNT(wrong); i++) {
        stage.flags.namespace_ = stage.ctl.flags.namespace_ = wrong[i].namespace_;
        fails(&stage, yk_ctl_why, NAME(wrong[i].word), YK_ERR_INVALID, wrong[i].part);
        assert_true(stage.ctl.is_misused);
    }
    close_stage(&stage);
    world_done(&world);
}

static void pods_that_do_not_wait(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_why(&stage, &world);
    run(&stage, yk_ctl_why, NAME("pod/bound"));
    prints(&stage, "Pod bound does not wait: it is on node n7");
    run(&stage, yk_ctl_why, NAME("other"));
    prints(&stage, "Pod other waits for another scheduler: default-scheduler.");
    run(&stage, yk_ctl_why, NAME("gated"));
    prints(&stage, "Reason:        Gated");
    prints(&stage, "Message:       waits for scheduling gates: quota.example/wait");
    prints(&stage, "Remedy:        the controller that set the scheduling gates removes them");
    stage.ctl.output = YK_CTL_YAML;
    run(&stage, yk_ctl_why, NAME("bound"));
    prints(&stage, "message: 'Pod bound does not wait: it is on node n7, phase .'\n");
    stage.ctl.output = YK_CTL_JSON;
    run(&stage, yk_ctl_why, NAME("gated"));
    prints(&stage, "\"reason\": \"Gated\"");
    prints(&stage, "\"message\": \"waits for scheduling gates: quota.example/wait\"");
    stage.ctl.output = YK_CTL_TABLE;
    fails(&stage, yk_ctl_why, NAME("none"), YK_ERR_NOT_FOUND, "pods \"none\" not found");
    close_stage(&stage);
    world_done(&world);
}

static void why_an_application_waits(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_why(&stage, &world);
    run(&stage, yk_ctl_why, NAME("etl"));
    prints(&stage, "Application:   etl\n"
                   "Queue:         root.a\n"
                   "Reason:        QueueQuota\n"
                   "Message:       needs 1.5 cores, queue root.a has 1 of 4 cores free; ann's application "
                   "runs holds 3 cores\n"
                   "First pod:     home/p1\n"
                   "Remedy:        wait until pods of the queue end, or raise its maximum\n");
    prints(&stage, "Starts:        unknown (no waiting pods of queue root.a started lately)\n");
    prints(&stage, "Reasons:       QueueQuota 1\n\n"
                   "POD       POSITION   WAITS   REASON\n"
                   "home/p1   0          2m      QueueQuota\n");
    close_stage(&stage);
    world_done(&world);
}

/* One of two placeholders has a node, the other one waits. The time that is left is that of now. */
static void why_a_gang_waits(void **state)
{
    static const struct {
        const char *queue;
        enum yk_si_gang_style style;
        int64_t vcore; /* of the second placeholder */
        const char *want;
    } cases[] = {
        {"root.a", YK_SI_GANG_HARD, 1000,
         "Gang:          in 13m the application fails, unless it is complete\n"},
        {"root.a", YK_SI_GANG_SOFT, 1000,
         "Gang:          in 13m its pods are scheduled without it, unless it is complete\n"},
        {"root.c", YK_SI_GANG_HARD, 30000, /* larger than all nodes: it never is complete */
         "Gang:          in 13m the application fails\n"},
    };
    (void)state;
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct world world;
        struct stage stage;
        struct yk_resvec size = world_size(1000, 10), second = world_size(cases[i].vcore, 10);
        struct yk_resvec total = world_size(1000 + cases[i].vcore, 20);
        yk_resvec_put(&total, yk_restype_find(YK_STR("pods")), 2);
        open_why(&stage, &world);
        const struct yk_si_new_app app = {.application_id = "gang",
                                          .queue = cases[i].queue,
                                          .ugi = {.user = "joe"},
                                          .gang_style = cases[i].style,
                                          .placeholder_ask = &total};
        assert_int_equal(yk_core_add_app(world.core, "rm", &app), YK_OK);
        for (int member = 0; member < 2; member++) {
            const struct yk_si_allocation ask = {.key = member == 0 ? "ph0" : "ph1",
                                                 .application_id = "gang",
                                                 .resource = member == 0 ? &size : &second,
                                                 .task_group = "tg",
                                                 .placeholder = true,
                                                 .scheduling_class = YK_SI_CLASS_ANY};
            assert_int_equal(yk_core_update_allocation(world.core, "rm", &ask), YK_OK);
        }
        settle(&world);
        world_advance(&world, 100);
        use_world(&stage, &world);
        run(&stage, yk_ctl_why, NAME("gang"));
        prints(&stage, cases[i].want);
        close_stage(&stage);
        world_done(&world);
    }
}

/* ---- applications that have ended ---- */

/* The application runs a pod of 1 core for 60 s, and completes 30 s after it. */
static void run_to_the_end(struct world *world, const char *id)
{
    world_submit(world, id, "root.c", "ann");
    pod_asks(world, id, "job", 1000);
    (void)world_schedule(world);
    world_advance(world, 60);
    world_release(world, id, "uid-job", YK_SI_STOPPED_BY_RM);
    world_advance(world, 40);
}

/* Submits an application whose gang is larger than the maximum of its queue. */
static void submit_large_gang(struct world *world)
{
    struct yk_resvec total = world_size(5000, 10);
    const struct yk_si_new_app app = {
        .application_id = "big", .queue = "root.a", .ugi = {.user = "joe"}, .placeholder_ask = &total};
    assert_int_equal(yk_core_add_app(world->core, "rm", &app), YK_OK);
}

/* `old` has completed twice, `lost` and `big` were rejected, and `etl` was killed. */
static void open_ended(struct stage *stage, struct world *world)
{
    struct yk_err err = {0};
    begin_world(world);
    run_to_the_end(world, "old");
    run_to_the_end(world, "older");
    run_to_the_end(world, "old");
    world_submit(world, "lost", "root.none", "ann");
    submit_large_gang(world);
    assert_int_equal(yk_app_kill(world_app(world, "etl"), "chief", &err), YK_OK);
    world_advance(world, 180);
    open_stage(stage, of_why);
    use_world(stage, world);
    stage->flags.kubeconfig = stage->kubeconfig;
    connect_stage(stage);
}

static void an_application_that_has_ended(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_ended(&stage, &world);
    run(&stage, yk_ctl_app, NAME("older"));
    is_printed(&stage, "Name:          older\n"
                       "Queue:         root.c\n"
                       "User:          ann\n"
                       "State:         Completed\n"
                       "Ended:         2023-11-14T22:18:42Z (4m40s ago)\n"
                       "Ran:           60s\n"
                       "Submitted:     2023-11-14T22:17:02Z (6m20s ago)\n"
                       "Most used:     cpu 1, memory 1Gi, pods 1\n"
                       "Timeline:      kubectl yunikorn app older --timeline\n");
    run(&stage, yk_ctl_app, NAME("old"));
    prints(&stage, "This one:      the latest of 2 applications of this name that have ended\n");
    run(&stage, yk_ctl_app, NAME("lost"));
    prints(&stage, "State:         Rejected\n");
    run(&stage, yk_ctl_app, NAME("etl"));
    prints(&stage, "Message:       ApplicationKilled: killed by user 'chief'\n");
    prints(&stage, "Ran:           never started\n");
    fails(&stage, yk_ctl_app, NAME("ol"), YK_ERR_NOT_FOUND, "application 'ol': Application not found");
    stage.ctl.output = YK_CTL_JSON;
    run(&stage, yk_ctl_app, NAME("older"));
    prints(&stage, "\"stateLog\": [");
    close_stage(&stage);
    world_done(&world);
}

static void why_an_application_does_not_wait(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_ended(&stage, &world);
    run(&stage, yk_ctl_why, NAME("older"));
    is_printed(&stage, "Application:   older\n"
                       "Queue:         root.c\n"
                       "State:         Completed\n"
                       "Ended:         2023-11-14T22:18:42Z (4m40s ago)\n"
                       "Ran:           60s\n"
                       "Pods:          none waits: the application has ended\n");
    run(&stage, yk_ctl_why, NAME("app/etl"));
    prints(&stage, "State:         Failed\nMessage:       ApplicationKilled: killed by user 'chief'\n");
    run(&stage, yk_ctl_why, NAME("lost"));
    prints(&stage, "State:         Rejected\nMessage:       ");
    prints(&stage,
           "Remedy:        correct the queue, the user or the placement rules, and create the pods again\n");
    run(&stage, yk_ctl_why, NAME("failed"));
    prints(&stage, "Reason:        ApplicationKilled\nMessage:       killed by user 'chief'\n");
    fails(&stage, yk_ctl_why, NAME("none"), YK_ERR_NOT_FOUND, "pods \"none\" not found");
    fails(&stage, yk_ctl_why, NAME("app/ol"), YK_ERR_NOT_FOUND, "application 'ol': Application not found");
    close_stage(&stage);
    world_done(&world);
}

/* The remedy is the one for the cause, if the scheduler knows the application of the pod. */
static void why_an_application_was_rejected(void **state)
{
    static const char of_gang[] = "Remedy:        make the gang smaller, or raise the maximum of the queue, "
                                  "and create the pods again\n";
    (void)state;
    struct world world;
    struct stage stage;
    open_ended(&stage, &world);
    run(&stage, yk_ctl_why, NAME("app/big"));
    prints(&stage, of_gang);
    run(&stage, yk_ctl_why, NAME("refused"));
    prints(&stage, "Reason:        Rejected\nMessage:       refused\n");
    prints(&stage, of_gang);
    run(&stage, yk_ctl_why, NAME("newer")); /* its application is another one of this name */
    prints(&stage,
           "Remedy:        correct the queue, the user or the placement rules, and create the pods again\n");
    close_stage(&stage);
    world_done(&world);
}

static void why_a_pod_of_an_ended_application_does_not_wait(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_ended(&stage, &world);
    run(&stage, yk_ctl_why, NAME("p1"));
    prints(&stage, "Application:   etl\nQueue:         root.a\nState:         Failed\nMessage:       "
                   "ApplicationKilled: killed by user 'chief'\nEnded:         ");
    run(&stage, yk_ctl_why, NAME("early"));
    prints(&stage, "Pods:          none waits: the application has ended\n");
    close_stage(&stage);
    world_done(&world);
}

/* The scheduler does not know its application yet, but one of the same id that ended at 22:18:42. */
static void why_a_pod_waits_whose_application_has_an_old_namesake(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_ended(&stage, &world);
    fails(&stage, yk_ctl_why, NAME("late"), YK_ERR_STATE,
          "pod 'late' waits, but the scheduler has no application 'older' with it");
    fails(&stage, yk_ctl_why, NAME("pod/late"), YK_ERR_STATE, "no application 'older' with it");
    fails(&stage, yk_ctl_why, NAME("etl"), YK_ERR_STATE, "no application 'etl' with it");
    run(&stage, yk_ctl_why, NAME("app/older"));
    prints(&stage, "Pods:          none waits: the application has ended\n");
    close_stage(&stage);
    world_done(&world);
}

static void timelines_and_preemptions(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    open_why(&stage, &world);
    stage.ctl.flags.timeline = "true";
    run(&stage, yk_ctl_app, NAME("etl"));
    prints(&stage, "TIME                   WHAT");
    prints(&stage, "2023-11-14T22:13:20Z   Submitted");
    run(&stage, yk_ctl_preemptions, NULL); /* none: said on standard error */
    close_stage(&stage);
    world_done(&world);
}

static void without_an_api_server_pods_are_found_in_the_list(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    begin_world(&world);
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    run(&stage, yk_ctl_why, NAME("p1"));
    prints(&stage, "Reason:        QueueQuota\n");
    fails(&stage, yk_ctl_why, NAME("p2"), YK_ERR_NOT_FOUND,
          "no application of the name 'p2'; pods that have ended, that have a node or that have scheduling "
          "gates are not in its list");
    rewind_output(&stage);
    run(&stage, yk_ctl_why, NAME("home/p1"));
    prints(&stage, "Reason:        QueueQuota\n");
    fails(&stage, yk_ctl_why, NAME("away/p1"), YK_ERR_NOT_FOUND,
          "the scheduler has no waiting pod in namespace 'away' and no application of the name 'p1'; ");
    fails(&stage, yk_ctl_why, NAME("away/p1"), YK_ERR_NOT_FOUND,
          "kubectl describe pod p1 -n away shows them");
    fails(&stage, yk_ctl_why, NAME("pod/etl"), YK_ERR_NOT_FOUND,
          "the scheduler has no waiting pod of the name 'etl'; ");
    fails(&stage, yk_ctl_why, NAME("home/etl"), YK_ERR_NOT_FOUND,
          "the scheduler has no waiting pod in namespace 'home' of the name 'etl'; ");
    fails(&stage, yk_ctl_why, NAME("home/etl"), YK_ERR_NOT_FOUND,
          "; for the application of this name: kubectl yunikorn why app/etl");
    close_stage(&stage);
    world_done(&world);
}

/* A name with a slash is a pod in a namespace first. */
static void an_application_may_have_a_slash(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    begin_world(&world);
    world_submit(&world, "odd/one", "root.a", "ann");
    world_submit(&world, "odd/%zz/<i>", "root.a", "ann");
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    run(&stage, yk_ctl_why, NAME("odd/one"));
    prints(&stage, "Application:   odd/one\n");
    run(&stage, yk_ctl_why, NAME("odd/%zz/<i>"));
    prints(&stage, "Application:   odd/%zz/<i>\n");
    assert_false(stage.ctl.is_misused);
    fails(&stage, yk_ctl_why, NAME("odd/%zz/two"), YK_ERR_INVALID, "'odd/%zz/two' is no pod");
    assert_true(stage.ctl.is_misused);
    fails(&stage, yk_ctl_why, NAME("odd/two"), YK_ERR_NOT_FOUND, "no waiting pod in namespace 'odd'");
    fails(&stage, yk_ctl_why, NAME("pod/odd/one"), YK_ERR_NOT_FOUND, "no waiting pod in namespace 'odd'");
    close_stage(&stage);
    world_done(&world);
}

/* What the filters say about a placeholder follows its name. */
static void filters_of_a_gang(void **state)
{
    (void)state;
    static const struct answer answers[] = {{PARTITION "/application/g/allocation/uid-a/explain", 200,
                                             "{\"nodes\": {\"total\": 5, \"words\": \"0/5 nodes are "
                                             "available: 5 Insufficient cpu.\"}, \"gang\": {"
                                             "\"podName\": \"tg-1\"}}"},
                                            {PARTITION "/application/g/pending", 200,
                                             "{\"applicationID\": \"g\", \"total\": 1, \"pending\": "
                                             "[{\"applicationID\": \"g\", \"podName\": \"a\", "
                                             "\"allocationKey\": \"uid-a\"}]}"},
                                            {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    run(&stage, yk_ctl_why, NAME("g"));
    prints(&stage, "\nFilters:       tg-1: 0/5 nodes are available: 5 Insufficient cpu.\n");
    close_stage(&stage);
}

/* The members and the placeholders of a gang wait for the same. */
static void a_message_is_printed_once(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {PARTITION "/application/g/pending", 200,
         "{\"applicationID\": \"g\", \"message\": \"no room\", \"total\": 5, \"pending\": ["
         "{\"podName\": \"a\", \"message\": \"no room\"}, {\"podName\": \"b\", \"message\": \"no room\"}, "
         "{\"podName\": \"c\", \"message\": \"gang waits\"}, {\"podName\": \"d\", \"message\": \"gang "
         "waits\"}, {\"podName\": \"e\", \"message\": \"no room\"}]}"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    run(&stage, yk_ctl_why, NAME("g"));
    prints(&stage, "Message:       no room\n");
    prints(&stage, "/a    0          <none>   <none>   as above\n"
                   "/b    0          <none>   <none>   as above\n"
                   "/c    0          <none>   <none>   gang waits\n"
                   "/d    0          <none>   <none>   as above\n"
                   "/e    0          <none>   <none>   no room\n");
    close_stage(&stage);
}

/* docs/reference/simulate.md, "On a web page". */
static void ages_are_counted_on_the_clock_of_a_simulation(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {PARTITION "/applications/active", 200,
         "[{\"applicationID\":\"etl\",\"queueName\":\"root.a\",\"user\":\"u\",\"applicationState\":"
         "\"Running\",\"submissionTime\":5000000000000}]"},
        {"/sim/v1/state", 200, "{\"now\": 5240000000000}"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "Running   <none>   <none>    4m\n");
    close_stage(&stage);
}

static void a_scheduler_is_asked_once_whether_it_is_a_simulation(void **state)
{
    (void)state;
    struct stage stage;
    open_direct(&stage, plain);
    run(&stage, yk_ctl_apps, NULL);
    run(&stage, yk_ctl_nodes, NULL);
    was_asked(&stage, "GET /sim/v1/state");
    assert_null(strstr(strstr(yk_buf_cstr(&stage.asked), "/sim/v1/state") + 1, "/sim/v1/state"));
    close_stage(&stage);
}

/* ---- events, configuration, dump ---- */

/* Lines that no scheduler writes, beside one that it does. */
static void events_one_per_line(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {"/ws/v1/events/stream?count=10", 200,
         "{\"InstanceUUID\":\"u\"}\n{\"type\":2,\"objectID\":\"etl\",\"timestampNano\":999880000000000,"
         "\"eventChangeType\":1,\"eventChangeDetail\":206,\"resource\":{\"resources\":{\"vcore\":{\"value\":"
         "500}}}}\n"
         "not json\n{\"status_code\":200,\"message\":\"Event stream was closed by the producer\"}\n"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    stage.ctl.flags.follow = "true";
    fails(&stage, yk_ctl_events, NULL, YK_ERR_UNAVAILABLE, "closed by the producer");
    is_printed(&stage, "1970-01-12T13:44:40Z  app    etl  set: running  cpu 0.5\n");
    close_stage(&stage);
}

/* Messages of YuniKorn have amounts as Go prints a map. What only looks like one stays as it is. */
static void amounts_in_messages_of_events(void **state)
{
#define EVENT(message)                                                                                       \
    "{\"type\":1,\"objectID\":\"p\",\"timestampNano\":999880000000000,\"message\":\"" message "\"}\n"
#define PRINTED(message) "1970-01-12T13:44:40Z  pod    p    " message "\n"
    (void)state;
    static const struct answer answers[] = {
        {"/ws/v1/events/stream?count=10", 200,
         EVENT(
             "Request 'p' does not fit (requested map[memory:8589934592 pods:1 vcore:1500], available map[])")
             EVENT("map[vcore:0] then map[vcore:x]") EVENT("map[vcore:1")
                 EVENT("map[vcore]") "{\"status_code\":200,\"message\":\"closed\"}\n"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    stage.ctl.flags.follow = "true";
    fails(&stage, yk_ctl_events, NULL, YK_ERR_UNAVAILABLE, "closed");
    is_printed(&stage,
               PRINTED("Request 'p' does not fit (requested cpu 1.5, memory 8Gi, pods 1, available nothing)")
                   PRINTED("cpu 0 then map[vcore:x]") PRINTED("map[vcore:1") PRINTED("map[vcore]"));
    close_stage(&stage);
}

/* Blank lines and lines that are not JSON print nothing, which is what `jq` and others can read. */
static void events_as_json(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {"/ws/v1/events/stream?count=10", 200, "{\"type\":2}\n\n  \nnot json\n{\"type\":4}\n"},
        {NULL, 0, NULL}};
    static const struct {
        enum yk_ctl_output output;
        const char *want;
    } cases[] = {{YK_CTL_JSON, "{\"type\":2}\n{\"type\":4}\n"}, {YK_CTL_YAML, "type: 2\ntype: 4\n"}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct stage stage;
        open_direct(&stage, answers);
        stage.ctl.flags.follow = "true";
        stage.ctl.output = cases[i].output;
        run(&stage, yk_ctl_events, NULL);
        is_printed(&stage, cases[i].want);
        close_stage(&stage);
    }
}

static void the_latest_events(void **state)
{
    (void)state;
    struct world world;
    struct stage stage;
    begin_world(&world);
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    stage.ctl.flags.limit = "100";
    run(&stage, yk_ctl_events, NULL);
    prints(&stage, "node    n1 ");
    prints(&stage, "app     runs ");
    stage.ctl.flags.limit = "-1";
    fails(&stage, yk_ctl_events, NULL, YK_ERR_INVALID, "--limit is a positive number");
    assert_true(stage.ctl.is_misused);
    close_stage(&stage);
    world_done(&world);
}

/* One that is in force, one before it, and one that was refused, with markup and a control character in
 * it. */
static void history_of_configurations(void **state)
{
    (void)state;
    static const char second[] =
        "partitions:\n- name: default\n  queues:\n  - name: root\n    submitacl: '*'\n"
        "    queues: [{name: a, maxapplications: 6}] # secret\n"
        "checksum: ABC\n"; /* of what it replaced */
    static const char refused[] =
        "partitions: [{name: default, queues: [{name: root, queues: [{name: \"<b>\\e[31m\"}]}]}]\n";
    struct world world;
    struct stage stage;
    struct yk_err err = {0};
    world_init(&world, config);
    world_advance(&world, 60);
    assert_null(world_reload(&world, second));
    world_advance(&world, 60);
    assert_non_null(world_reload(&world, refused));
    world_advance(&world, 60);
    open_direct(&stage, nothing);
    use_world(&stage, &world);
    run(&stage, yk_ctl_config, NAME("history"));
    prints(&stage, "ID   AGO   OUTCOME             RESULT\n3    60s   refused             line 1");
    prints(&stage, "2    2m    applied, in force   queues changed: 1, queues draining: 1\n"
                   "1    3m    applied             queues added: 3, partitions added: 1\n");
    prints_not(&stage, "\x1b");
    stage.ctl.output = YK_CTL_WIDE;
    run(&stage, yk_ctl_config, NAME("history"));
    prints(&stage, "ID   AGO   TIME                   OUTCOME             BY       FROM     CHECKSUM       "
                   "LINES    RESULT\n");
    prints(&stage, "2    2m    2023-11-14T22:14:20Z   applied, in force   reload   <none>   ");

    stage.ctl.output = YK_CTL_TABLE;
    char *operands[] = {NAME("history"), NAME("2"), NULL};
    assert_int_equal(yk_ctl_config(&stage.ctl, operands, &err), YK_OK);
    prints(&stage,
           "# Time:      2023-11-14T22:14:20Z\n# Outcome:   applied, in force\n# By:        reload\n");
    prints(
        &stage,
        "# Changes:   ~ partition default: placementrules provided -> none\n#            - queue root.c\n");
    prints(&stage, "\npartitions:\n- name: default\n");
    prints_not(&stage, "secret");
    prints_not(&stage, "\nchecksum:");
    operands[1] = NAME("3");
    assert_int_equal(yk_ctl_config(&stage.ctl, operands, &err), YK_OK);
    prints(&stage, "# Error:     line 1");
    prints(&stage, "name: \"<b>");
    prints_not(&stage, "\x1b");
    stage.ctl.output = YK_CTL_JSON;
    assert_int_equal(yk_ctl_config(&stage.ctl, operands, &err), YK_OK);
    prints(&stage, "\"outcome\": \"refused\"");
    prints(&stage, "\"text\": \"partitions: [{name: default");
    stage.ctl.output = YK_CTL_YAML;
    run(&stage, yk_ctl_config, NAME("history"));
    prints(&stage, "entries:\n");
    assert_non_null(world_reload(&world, refused));
    stage.ctl.output = YK_CTL_TABLE;
    run(&stage, yk_ctl_config, NAME("history"));
    prints(&stage, "3    0s    refused 2 times     line 1");

    operands[1] = NAME("4");
    assert_int_equal(yk_ctl_config(&stage.ctl, operands, &err), YK_ERR_NOT_FOUND);
    assert_false(stage.ctl.is_misused);
    operands[1] = NAME("x");
    assert_int_equal(yk_ctl_config(&stage.ctl, operands, &err), YK_ERR_INVALID);
    assert_true(stage.ctl.is_misused);
    close_stage(&stage);
    world_done(&world);
}

/* The applications below a queue are those of it, too; an empty list does not hide that there is no such
 * queue. */
static void applications_of_a_queue(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {PARTITION "/applications/active?filter=queue%3Aroot.a&view=summary", 200,
         "[{\"applicationID\": \"etl-7\", \"queueName\": \"root.a.b\"}]"},
        {PARTITION "/applications/completed?filter=queue%3Aroot.a&view=summary", 200, "[]"},
        {PARTITION "/applications/active?filter=queue%3Aroot.no&view=summary", 200, "[]"},
        {PARTITION "/queue/root.no", 404, "{\"status_code\": 404, \"message\": \"Queue not found\"}"},
        {PARTITION "/queue/root.a", 200, "{}"},
        {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    stage.ctl.flags.queue = "root.a";
    run(&stage, yk_ctl_apps, NULL);
    prints(&stage, "etl-7");
    stage.ctl.flags.state = "completed";
    run(&stage, yk_ctl_apps, NULL);
    stage.ctl.flags.state = NULL;
    stage.ctl.flags.queue = "root.no";
    fails(&stage, yk_ctl_apps, NULL, YK_ERR_NOT_FOUND, "queue 'root.no': Queue not found");
    close_stage(&stage);
}

/* A control character cannot steer a terminal. */
static void a_dump_is_copied_as_it_comes(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {"/debug/fullstatedump", 200, "\t{\"a\": \"\xc3\xbc\xc2\x9b\"}\n\x1b[2J\r"}, {NULL, 0, NULL}};
    struct stage stage;
    open_direct(&stage, answers);
    run(&stage, yk_ctl_dump, NULL);
    is_printed(&stage, "\t{\"a\": \"\xc3\xbc\\u009b\"}\n\\u001b[2J\\u000d");
    close_stage(&stage);
}

/* docs/kubectl.md, "Completion": names come from the scheduler. */
static void names_complete_words(void **state)
{
    (void)state;
    static const struct answer answers[] = {
        {"/ws/v1/partition/default/queues", 200,
         "{\"queuename\": \"root\", \"children\": [{\"queuename\": \"root.a\", \"isLeaf\": true}, "
         "{\"queuename\": \"root.b\\tx\", \"isLeaf\": true}, {\"queuename\": \"root.$(x)\", \"isLeaf\": "
         "true}, {\"queuename\": \"root.c\", \"children\": "
         "[]}]}"},
        {"/ws/v1/partition/default/applications/active", 200,
         "[{\"applicationID\": \"app-1\", \"queueName\": \"root.a\"}, {\"applicationID\": \"b\"}]"},
        {"/ws/v1/partition/default/queue/root/pending", 200,
         "{\"pending\": [{\"namespace\": \"home\", \"podName\": \"app-pod\", \"reason\": \"QueueQuota\"}, "
         "{\"namespace\": \"home\", \"podName\": \"app-x\", \"reason\": \"\xc2\x9b[31m\"}, "
         "{\"namespace\": \"other\", \"podName\": \"app-far\"}]}"},
        {NULL, 0, NULL}};
    static const char *const cases[][5] = {{"queue", "root.", NULL},
                                           {"queues", "--queue", "", NULL},
                                           {"apps", "-q", "", NULL},
                                           {"move", "b", "root.a", NULL},
                                           {"-n", "home", "why", "app", NULL},
                                           {"why", "a", "b", NULL},
                                           {"-q", "x", "queue", "root.", NULL},
                                           {"--queue", "", NULL}};
    static const char *const want[] = {"root.a\nroot.c\n:4\n",
                                       ":4\n",
                                       "root.a\n:4\n",
                                       "root.a\n:4\n",
                                       "app-1\troot.a\napp-pod\tQueueQuota\napp-x\n:4\n",
                                       ":4\n",
                                       "root.a\nroot.c\n:4\n",
                                       "root.a\n:4\n"};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct stage stage;
        struct yk_completion completion;
        int count = 0;
        while (cases[i][count] != NULL)
            count++;
        open_stage(&stage, answers);
        yk_completion_read(cases[i], count, &stage.flags, &completion);
        stage.flags.server = stage.server;
        if (stage.flags.namespace_ == NULL)
            stage.flags.namespace_ = "home";
        connect_stage(&stage);
        yk_completion_write(&stage.ctl, &completion);
        is_printed(&stage, want[i]);
        close_stage(&stage);
    }
}

/* The same with the lists of a scheduler. */
static void names_of_a_scheduler_complete_words(void **state)
{
    (void)state;
    static const char *const cases[][5] = {{"queue", "root.", NULL},
                                           {"move", "etl", "root.", NULL},
                                           {"why", "", NULL},
                                           {"app", "r", NULL},
                                           {"config", "history", "", NULL}};
    static const char *const want[] = {"root.a\nroot.c\n:4\n", "root.a\nroot.c\n:4\n",
                                       "etl\troot.a\nruns\troot.a\np1\tQueueQuota\n:4\n",
                                       "runs\troot.a\n:4\n", "1\tapplied\n:4\n"};
    struct world world;
    begin_world(&world);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct stage stage;
        struct yk_completion completion;
        int count = 0;
        while (cases[i][count] != NULL)
            count++;
        open_stage(&stage, nothing);
        yk_completion_read(cases[i], count, &stage.flags, &completion);
        stage.flags.server = stage.server;
        stage.flags.namespace_ = "home";
        connect_stage(&stage);
        use_world(&stage, &world);
        yk_completion_write(&stage.ctl, &completion);
        is_printed(&stage, want[i]);
        close_stage(&stage);
    }
    world_done(&world);
}

/* No server is needed, or it does not answer. */
static void words_complete_without_a_server(void **state)
{
    (void)state;
    static const struct {
        const char *words[5];
        const char *want;
    } cases[] = {
        {{"wha", NULL}, "whatif\task what would happen, on a copy of the scheduler's state\n:4\n"},
        {{"nothing", "", NULL}, ":4\n"},
        {{"queue", "", NULL}, ":4\n"}, /* 404 */
        {{"config", "", NULL}, "show\ndiff\napply\nhistory\n:4\n"},
        {{"config", "diff", "", NULL}, ":0\n"},
        {{"config", "show", "", NULL}, ":4\n"},
        {{"config", "history", "", NULL}, ":4\n"}, /* 404 */
        {{"queues", "-o", "w", NULL}, "wide\n:4\n"},
        {{"queues", "--output=j", NULL}, "--output=json\n:4\n"},
        {{"queues", "-oy", NULL}, "-oyaml\n:4\n"},
        {{"queues", "--tr", NULL}, "--tree\tshow the names as a tree\n:4\n"},
        {{"queue", "--tr", NULL}, ":4\n"},
        {{"whatif", "--cou", NULL}, "--count\task about N pods of the manifest\n:4\n"},
        {{"--watch", "top", "no", NULL}, "nodes\n:4\n"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct stage stage;
        struct yk_completion completion;
        int count = 0;
        while (cases[i].words[count] != NULL)
            count++;
        open_direct(&stage, nothing);
        yk_completion_read(cases[i].words, count, &stage.flags, &completion);
        yk_completion_write(&stage.ctl, &completion);
        is_printed(&stage, cases[i].want);
        close_stage(&stage);
    }
}

/* `-q` takes the next word as its value also before the command. Nothing listens at the address. */
static void flags_of_a_command_may_come_first(void **state)
{
    (void)state;
    char words[][24] = {"ctl", "-q", "root.a", "apps", "--server", "http://127.0.0.1:1"};
    char *argv[YK_COUNT(words) + 1] = {NULL};
    for (size_t i = 0; i < YK_COUNT(words); i++)
        argv[i] = words[i];
    assert_int_equal(yk_cmd_ctl(YK_COUNT(words), argv), YK_EXIT_UNREACHED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_of_a_command_may_come_first),
        cmocka_unit_test(names_complete_words),
        cmocka_unit_test(names_of_a_scheduler_complete_words),
        cmocka_unit_test(words_complete_without_a_server),
        cmocka_unit_test(tables),
        cmocka_unit_test(history_of_configurations),
        cmocka_unit_test(json_and_yaml),
        cmocka_unit_test(placeholders_are_in_use),
        cmocka_unit_test(pods_and_placeholders_of_a_gang),
        cmocka_unit_test(pages),
        cmocka_unit_test(hostile_answers),
        cmocka_unit_test(a_deep_tree),
        cmocka_unit_test(open_reads_go_through_the_proxy),
        cmocka_unit_test(a_scheduler_that_wants_a_user_is_reached_by_port_forward),
        cmocka_unit_test(changes_never_go_through_the_proxy),
        cmocka_unit_test(a_service_account_answers_for_the_user),
        cmocka_unit_test(a_refusal_names_the_role),
        cmocka_unit_test(a_refusal_of_a_recording_names_no_role),
        cmocka_unit_test(an_audience_is_text),
        cmocka_unit_test(a_server_that_is_away),
        cmocka_unit_test(a_port_forward_that_fails),
        cmocka_unit_test(no_service),
        cmocka_unit_test(flags_that_contradict),
        cmocka_unit_test(tokens_are_not_sent_in_the_clear),
        cmocka_unit_test(why_a_pod_waits),
        cmocka_unit_test(names_of_what_waits),
        cmocka_unit_test(the_largest_request),
        cmocka_unit_test(pods_that_do_not_wait),
        cmocka_unit_test(why_an_application_waits),
        cmocka_unit_test(why_a_gang_waits),
        cmocka_unit_test(an_application_that_has_ended),
        cmocka_unit_test(why_an_application_does_not_wait),
        cmocka_unit_test(why_an_application_was_rejected),
        cmocka_unit_test(why_a_pod_of_an_ended_application_does_not_wait),
        cmocka_unit_test(why_a_pod_waits_whose_application_has_an_old_namesake),
        cmocka_unit_test(timelines_and_preemptions),
        cmocka_unit_test(without_an_api_server_pods_are_found_in_the_list),
        cmocka_unit_test(an_application_may_have_a_slash),
        cmocka_unit_test(filters_of_a_gang),
        cmocka_unit_test(a_message_is_printed_once),
        cmocka_unit_test(ages_are_counted_on_the_clock_of_a_simulation),
        cmocka_unit_test(a_scheduler_is_asked_once_whether_it_is_a_simulation),
        cmocka_unit_test(events_one_per_line),
        cmocka_unit_test(amounts_in_messages_of_events),
        cmocka_unit_test(events_as_json),
        cmocka_unit_test(the_latest_events),
        cmocka_unit_test(applications_of_a_queue),
        cmocka_unit_test(a_dump_is_copied_as_it_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
