/* SPDX-License-Identifier: Apache-2.0 */
/* `kubectl yunikorn` against a real REST server with a real core: what changes something, what has no end,
 * what is long, and what the scheduler would do. A key that a command reads and the server does not write
 * fails these tests. */
#include "cmd/kubectl_link.h"
#include "web/site.h"
#include "whatif/stage.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static const char config[] =
    "partitions:\n- name: default\n  placementrules: [{name: provided}]\n  queues:\n  - name: root\n"
    "    submitacl: '*'\n    queues:\n    - {name: a, adminacl: 'ann', resources: {max: {vcore: 4}}}\n";

/* Queue root.a has 4 cores; the pod needs 3 of them. */
#define QUESTION                                                                                             \
    "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"namespace\": \"home\", \"name\": "         \
    "\"try\", "                                                                                              \
    "\"labels\": {\"applicationId\": \"etl\", \"queue\": \"root.a\"}}, \"spec\": {\"schedulerName\": "       \
    "\"yunikorn\", "                                                                                         \
    "\"containers\": [{\"name\": \"c\", \"resources\": {\"requests\": {\"cpu\": \"3\", \"memory\": "         \
    "\"1Gi\"}}}]}}"

struct service {
    struct site site;
    const char *question; /* the what-if question that is expected */
    char *whatif;         /* owned: a scheduler's answer to it */
    char written[1024];   /* the configuration that would go to the API server */
    struct yk_io *io;     /* of the command */
    struct yk_ctl ctl;
    struct yk_ctl_flags flags;
    char server[64];
    char *printed;
    size_t printed_len;
    struct yk_command submit, stop, move_on;
    _Atomic bool ended; /* the command */
};

static struct service service;

/* ---- the scheduler ---- */

static enum yk_status review(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                             struct yk_err *err)
{
    const struct yk_backend_reply reply = {.user = strcmp(token, "of-ann") == 0 ? "ann" : "chief"};
    (void)context;
    (void)err;
    site_reply_later(&service.site, web, ticket, &reply);
    return YK_OK;
}

static enum yk_status write_config(void *context, struct yk_web *web, uint64_t ticket, struct yk_str text,
                                   struct yk_err *err)
{
    const struct yk_backend_reply reply = {.text = "written"};
    (void)context;
    (void)err;
    (void)snprintf(service.written, sizeof(service.written), YK_STR_FMT, YK_STR_ARG(text));
    site_reply_later(&service.site, web, ticket, &reply);
    return YK_OK;
}

static enum yk_status check_leads(void *context, struct yk_err *err)
{
    (void)context;
    (void)err;
    return YK_OK;
}

/* The question arrives as it was asked before. */
static enum yk_status ask(void *context, struct yk_web *web, uint64_t ticket, struct yk_str body,
                          struct yk_err *err)
{
    const struct yk_backend_reply reply = {.text = service.whatif};
    (void)context;
    if (!yk_str_is(body, service.question))
        return yk_fail(err, YK_ERR_INVALID, "another question");
    site_reply_later(&service.site, web, ticket, &reply);
    return YK_OK;
}

static void cancel(void *context, uint64_t ticket)
{
    (void)context;
    (void)ticket;
}

/* The answer to service.question of a scheduler in memory whose queue has room for one of two such pods. */
static char *ask_a_scheduler(void)
{
    struct stage *stage = yk_new0(struct stage);
    stage_init(stage, config, 1);
    stage_put(stage, YK_KIND_NODE,
              "{'metadata':{'name':'n1','labels':{'kubernetes.io/"
              "hostname':'n1'}},'status':{'allocatable':{'cpu':'8',"
              "'memory':'32Gi','pods':'110'}}}");
    stage_put(stage, YK_KIND_NAMESPACE, "{'metadata':{'name':'home'}}");
    stage_pass(stage, 2 * YK_NS_PER_S);
    assert_int_equal(stage_ask(stage, service.question), 200);
    char *answer = yk_strdup(stage->text);
    stage_done(stage);
    free(stage);
    return answer;
}

static void build(struct world *world)
{
    struct yk_si_tag extra = {"service.schedulerACL", "chief"};
    struct yk_si_register request = {.rm_id = "rm",
                                     .policy_group = "queues",
                                     .config = yk_str_from(config),
                                     .extra_config = &extra,
                                     .extra_count = 1};
    struct yk_err err = {0};
    assert_int_equal(yk_core_update_config(world->core, &request, &err), YK_OK);
    world_node(world, "n1", 8000, 8192);
    world_submit(world, "runs", "root.a", "sue");
    world_ask(world, "runs", "k1", 1000, 10);
    assert_int_equal(world_schedule(world), 1);
}

static int set_up(void **state)
{
    static const struct yk_whatif_backend whatif = {NULL, ask, cancel};
    const struct yk_auth_backend backend = {
        .review_token = review, .write_config = write_config, .check_leads = check_leads};
    struct yk_err err = {0};
    (void)state;
    service = (struct service){.question = QUESTION};
    service.whatif = ask_a_scheduler();
    site_init(&service.site, config);
    build(&service.site.world);
    site_listen(&service.site, (struct yk_web_options){.backend = &backend, .whatif = &whatif});
    site_run(&service.site);
    assert_int_equal(yk_io_new(&service.io, &err), YK_OK);
    (void)snprintf(service.server, sizeof(service.server), "http://127.0.0.1:%u",
                   yk_web_port(service.site.web));
    service.flags = (struct yk_ctl_flags){.server = service.server, .token = "of-chief"};
    service.ctl.partition = "default";
    service.ctl.out = open_memstream(&service.printed, &service.printed_len);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    atomic_store(&service.ended, true);
    yk_ctl_link_free(service.ctl.link);
    yk_io_free(service.io);
    (void)fclose(service.ctl.out);
    site_end(&service.site);
    free(service.printed);
    free(service.whatif);
    return 0;
}

/* ---- the command ---- */

typedef enum yk_status command(struct yk_ctl *ctl, char **operands, struct yk_err *err);

static enum yk_status try_run(command *run, const char *first, const char *second, struct yk_err *err)
{
    char *operands[] = {(char *)(uintptr_t)first, (char *)(uintptr_t)second, NULL};
    service.ctl.flags = service.flags;
    yk_ctl_link_free(service.ctl.link);
    if (yk_ctl_link_new(&service.flags, service.io, &service.ctl.link, err) != YK_OK)
        fail_msg("%s", err->text);
    enum yk_status st = run(&service.ctl, operands, err);
    atomic_store(&service.ended, true);
    (void)fflush(service.ctl.out);
    return st;
}

static void runs(command *run, const char *first, const char *second)
{
    struct yk_err err = {0};
    if (try_run(run, first, second, &err) != YK_OK)
        fail_msg("%s", err.text);
}

static void prints(const char *part)
{
    if (strstr(service.printed, part) == NULL)
        fail_msg("nothing with '%s' in:\n%s", part, service.printed);
}

static void write_file(char path[32], const char *text)
{
    (void)snprintf(path, 32, "/tmp/yk-site-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(fd);
}

/* ---- changes ---- */

static void kill_says_what_became_of_it(void **state)
{
    (void)state;
    service.flags.token = "of-ann";
    runs(yk_ctl_kill, "runs", NULL);
    assert_string_equal(service.printed, "application runs killed: queue root.a, state Failing\n");
}

static void a_port_without_tls(void **state)
{
    (void)state;
    struct yk_err err = {0};
    (void)snprintf(service.server, sizeof(service.server), "https://127.0.0.1:%u",
                   yk_web_port(service.site.web));
    assert_int_equal(try_run(yk_ctl_nodes, NULL, NULL, &err), YK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.text, "; the port may not speak TLS"));
}

static void a_refused_kill_gives_the_reason(void **state)
{
    struct yk_err err = {0};
    (void)state;
    assert_int_equal(try_run(yk_ctl_kill, "none", NULL, &err), YK_ERR_NOT_FOUND);
    assert_non_null(strstr(err.text, "application 'none': Application not found"));
}

/* `show` ends with the checksum, and `apply` sends it back: a change that came meanwhile is not
 * overwritten. */
static void what_was_shown_is_applied_to_the_same(void **state)
{
    (void)state;
    struct yk_err err = {0};
    char file[32];
    runs(yk_ctl_config, "show", NULL);
    prints("\nchecksum: ");
    write_file(file, service.printed);
    runs(yk_ctl_config, "apply", file);
    (void)unlink(file);
    write_file(file, "partitions: [{name: default, queues: [{name: root}]}]\nchecksum: AB\n");
    assert_int_not_equal(try_run(yk_ctl_config, "apply", file, &err), YK_OK);
    (void)unlink(file);
    assert_non_null(strstr(err.text, "is based on checksum AB, and the active one is "));
}

/* The checksum of the configuration in force goes along, so that a change that came meanwhile is not
 * overwritten. */
static void apply_replaces_what_is_in_force(void **state)
{
    (void)state;
    char file[32];
    write_file(file, "partitions: [{name: default, queues: [{name: root, queues: [{name: b}]}]}]");
    runs(yk_ctl_config, "apply", file);
    (void)unlink(file);
    prints("Accepted:");
    prints("Checksum:");
    assert_non_null(strstr(service.written, "name: b"));
    assert_non_null(strstr(service.written, "\nchecksum: "));
    runs(yk_ctl_config, NULL, NULL);
    prints("adminacl: ann"); /* what is in force: nothing was reloaded */
}

static void differences_to_what_is_in_force(void **state)
{
    (void)state;
    char file[32];
    write_file(file, "partitions: [{name: default, queues: [{name: root, queues: [{name: b}]}]}]");
    runs(yk_ctl_config, "diff", file);
    (void)unlink(file);
    prints(": valid, ");
    prints("+ queue root.b");
}

static void apply_of_a_broken_file(void **state)
{
    (void)state;
    struct yk_err err = {0};
    char file[32];
    write_file(file, "partitions: [{name: default, queues: [{name: root, queues: [{name: 'a b'}]}]}]");
    assert_int_not_equal(try_run(yk_ctl_config, "apply", file, &err), YK_OK);
    (void)unlink(file);
    assert_non_null(strstr(err.text, file));
    assert_string_equal(service.written, "");
}

/* ---- questions ---- */

static void what_if(void **state)
{
    (void)state;
    char file[32];
    write_file(file, QUESTION);
    runs(yk_ctl_whatif, file, NULL);
    (void)unlink(file);
    assert_string_equal(service.printed, "pod home/try starts now on n1\n");
}

/* The question without a namespace, and as it is with the namespace home: compact JSON. */
static void put_questions(char **ret_without, char **ret_with)
{
    json_t *pod = json_loads(QUESTION, 0, NULL), *metadata = json_object_get(pod, "metadata");
    (void)json_object_del(metadata, "namespace");
    *ret_without = json_dumps(pod, JSON_COMPACT);
    (void)json_object_set_new(metadata, "namespace", json_string("home"));
    *ret_with = json_dumps(pod, JSON_COMPACT);
    json_decref(pod);
}

/* The namespace comes from the flag, or from the context if the command line names a cluster. */
static void what_if_in_a_namespace(void **state)
{
    (void)state;
    struct yk_err err = {0};
    char file[32], kubeconfig[32], *without, *with;
    put_questions(&without, &with);
    write_file(file, without);
    write_file(kubeconfig, "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\n"
                           "contexts: [{name: one, context: {cluster: c, namespace: home}}]\n"
                           "current-context: one\n");
    service.question = without; /* nothing names a namespace */
    runs(yk_ctl_whatif, file, NULL);
    service.question = with;
    service.flags.namespace_ = "home";
    runs(yk_ctl_whatif, file, NULL);
    service.flags.namespace_ = NULL;
    service.flags.kubeconfig = kubeconfig;
    runs(yk_ctl_whatif, file, NULL);
    (void)unlink(file);
    write_file(file, QUESTION);
    service.question = QUESTION;
    service.flags.namespace_ = "home"; /* the same */
    runs(yk_ctl_whatif, file, NULL);
    service.flags.namespace_ = "team";
    assert_int_equal(try_run(yk_ctl_whatif, file, NULL, &err), YK_ERR_INVALID);
    assert_string_equal(err.text, "the namespace 'home' of the object does not match the namespace 'team' of "
                                  "--namespace; use --namespace=home, or change the object");
    (void)unlink(file);
    (void)unlink(kubeconfig);
    free(without);
    free(with);
}

/* The question that --count makes, as compact JSON. */
static char *twice(void)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    json_t *pod = json_loads(QUESTION, 0, NULL);
    char *compact = json_dumps(pod, JSON_COMPACT);
    yk_buf_printf(&text, "{\"kind\":\"job\",\"count\":2,\"pod\":%s}", compact);
    free(compact);
    json_decref(pod);
    return yk_buf_take(&text);
}

static void what_if_of_several_pods(void **state)
{
    (void)state;
    YK_CLEANUP(yk_freep) char *question = twice();
    char file[32];
    free(service.whatif);
    service.question = question;
    service.whatif = ask_a_scheduler();
    service.flags.count = "2";
    write_file(file, QUESTION);
    runs(yk_ctl_whatif, file, NULL);
    (void)unlink(file);
    prints("of 2 pods 1 starts now, 1 waits;");
    prints("\n  home/try-0 starts now on n1\n  home/try-1 waits: needs 3 cores, queue root.a has 1 of 4 "
           "cores free");
    assert_true(service.ctl.is_negative);
}

static void what_if_of_a_wrong_number_of_pods(void **state)
{
    (void)state;
    static const struct {
        const char *count, *file, *want;
        bool is_misused;
    } cases[] = {{"0", QUESTION, "--count is a number from 1 to 1000, not '0'", true},
                 {"1001", QUESTION, "--count is a number from 1 to 1000, not '1001'", true},
                 {"two", QUESTION, "--count is a number from 1 to 1000, not 'two'", true},
                 {"2", "kind: Node", "--count needs the manifest of a Pod", false}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        char file[32];
        service.flags.count = cases[i].count;
        write_file(file, cases[i].file);
        assert_int_equal(try_run(yk_ctl_whatif, file, NULL, &err), YK_ERR_INVALID);
        (void)unlink(file);
        assert_string_equal(err.text, cases[i].want);
        assert_int_equal(service.ctl.is_misused, cases[i].is_misused);
    }
}

/* Something between kubectl and the scheduler may answer with a page of its own. */
static void what_if_without_an_answer(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum yk_status want;
    } cases[] = {{"<html>", YK_ERR_INVALID}, {"", YK_ERR_INVALID}, {NULL, YK_ERR_LIMIT}};
    char file[32], deep[2048];
    memset(deep, '[', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    write_file(file, QUESTION);
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        free(service.whatif);
        service.whatif = yk_strdup(cases[i].text != NULL ? cases[i].text : deep);
        enum yk_status st = try_run(yk_ctl_whatif, file, NULL, &err);
        if (st != cases[i].want || !yk_str_starts(yk_str_from(err.text), "/ws/v1/whatif: the answer is n"))
            fail_msg("%zu: %s: %s", i, yk_status_word(st), err.text);
    }
    (void)unlink(file);
}

static void dump(void **state)
{
    (void)state;
    runs(yk_ctl_dump, NULL, NULL);
    json_t *json = json_loads(service.printed, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    assert_string_equal(stage_text(json_array_get(json_object_get(json, "applications"), 0), "applicationID"),
                        "runs");
    assert_non_null(json_object_get(json, "rmDiagnostics"));
    json_decref(json);
}

/* ---- events ---- */

static void drop_nothing(struct yk_command *dropped)
{
    (void)dropped;
}

static void submit_late(struct yk_command *posted)
{
    (void)posted;
    world_submit(&service.site.world, "late", "root.a", "sue");
}

/* A stream that has nothing to say looks again after some seconds. */
static void let_time_pass(struct yk_command *posted)
{
    world_advance(&service.site.world, 2);
    if (!atomic_load(&service.ended))
        yk_mailbox_post(&service.site.actor.inbox, posted);
}

static void stop_server(struct yk_command *posted)
{
    (void)posted;
    yk_web_stop(service.site.web, NULL, NULL);
    service.move_on = (struct yk_command){.run = let_time_pass, .drop = drop_nothing};
    yk_mailbox_post(&service.site.actor.inbox, &service.move_on);
}

/* What the command prints. When it has shown the past, something happens; when it has shown that, the server
 * ends. */
static ssize_t watch(void *cookie, const char *bytes, size_t len)
{
    struct yk_buf *seen = cookie;
    yk_buf_add(seen, bytes, len);
    if (service.submit.run == NULL && strstr(yk_buf_cstr(seen), "app    runs ") != NULL) {
        service.submit = (struct yk_command){.run = submit_late, .drop = drop_nothing};
        yk_mailbox_post(&service.site.actor.inbox, &service.submit);
    }
    if (service.stop.run == NULL && strstr(yk_buf_cstr(seen), "app    late ") != NULL) {
        service.stop = (struct yk_command){.run = stop_server, .drop = drop_nothing};
        yk_io_post(service.site.io, &service.stop);
    }
    return (ssize_t)len;
}

static void events_of_the_past_and_those_that_come(void **state)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf seen = {0};
    struct yk_err err = {0};
    (void)state;
    (void)fclose(service.ctl.out);
    service.ctl.out = fopencookie(&seen, "w", (cookie_io_functions_t){.write = watch});
    assert_non_null(service.ctl.out);
    service.flags.follow = "true";
    service.flags.limit = "100";
    assert_int_equal(try_run(yk_ctl_events, NULL, NULL, &err), YK_ERR_UNAVAILABLE);
    assert_non_null(strstr(err.text, "Event stream was closed by the producer"));
    assert_non_null(strstr(yk_buf_cstr(&seen), "node   n1 "));
    assert_null(strstr(yk_buf_cstr(&seen), "InstanceUUID"));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(kill_says_what_became_of_it),
        CASE(a_port_without_tls),
        CASE(a_refused_kill_gives_the_reason),
        CASE(what_was_shown_is_applied_to_the_same),
        CASE(apply_replaces_what_is_in_force),
        CASE(differences_to_what_is_in_force),
        CASE(apply_of_a_broken_file),
        CASE(what_if),
        CASE(what_if_in_a_namespace),
        CASE(what_if_of_several_pods),
        CASE(what_if_of_a_wrong_number_of_pods),
        CASE(what_if_without_an_answer),
        CASE(dump),
        CASE(events_of_the_past_and_those_that_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
