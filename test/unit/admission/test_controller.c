/* SPDX-License-Identifier: Apache-2.0 */
/* The controller as a whole, on an API server in memory and a virtual clock. */
#include "admission/controller.h"
#include "admission/fake_api.h"
#include "http/certificates.h"

#include "api/json_reader.h"
#include "base/log.h"
#include "cmd/admission_reviews.h"

#include <event2/event.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DAY   (86400 * YK_NS_PER_S)
#define CHECK (YK_CONTROLLER_CHECK_SECONDS * YK_NS_PER_S)
struct replica {
    struct fake_api api;
    struct yk_clock clock;
    struct yk_io *io;
    struct yk_io_timers timers;
    struct yk_controller *controller;
    const char *version;
    struct yk_admission_reviews *reviews;
    unsigned ended;
    struct yk_err why;
};

static const char *version_of(void *context)
{
    return ((struct replica *)context)->version;
}

static void on_end(void *context, const struct yk_err *why)
{
    struct replica *r = context;
    r->ended++;
    r->why = why != NULL ? *why : (struct yk_err){0};
}

static void settle(struct replica *r)
{
    for (int i = 0; i < 20; i++) {
        fake_run(&r->api);
        yk_io_timers_run(&r->timers);
        (void)event_base_loop(yk_io_base(r->io), EVLOOP_NONBLOCK);
    }
}

static void advance(struct replica *r, int64_t ns)
{
    yk_clock_advance(&r->clock, ns);
    settle(r);
}

static void open_replica_via(struct replica *r, const char *url)
{
    struct yk_err err;
    *r = (struct replica){.version = "v1.36.1"};
    fake_init(&r->api, &shared_store);
    yk_clock_virtual_init(&r->clock, INT64_C(1800000000) * YK_NS_PER_S);
    assert_int_equal(yk_io_new(&r->io, &err), YK_OK);
    assert_int_equal(yk_admission_reviews_new(r->io, "team", &r->reviews, &err), YK_OK);
    assert_int_equal(yk_io_timers_init(&r->timers, NULL, &r->clock, &err), YK_OK);
    const struct yk_controller_options options = {.io = r->io,
                                                  .api = &r->api.server,
                                                  .timers = &r->timers,
                                                  .clock = &r->clock,
                                                  .reviews = yk_admission_reviews_of(r->reviews),
                                                  .version = version_of,
                                                  .ended = on_end,
                                                  .context = r,
                                                  .namespace_ = "team",
                                                  .address = "127.0.0.1",
                                                  .url = url,
                                                  .url_host = url != NULL ? "127.0.0.1" : NULL,
                                                  .retire_ns = 5 * YK_NS_PER_S};
    yk_controller_new(&options, &r->controller);
}

static void open_replica(struct replica *r)
{
    open_replica_via(r, NULL);
}

static void close_replica(struct replica *r)
{
    fake_done(&r->api);
    yk_controller_free(r->controller);
    yk_admission_reviews_free(r->reviews);
    yk_io_timers_done(&r->timers);
    yk_io_free(r->io);
}

static void emit(struct replica *r, enum yk_kind kind, enum yk_watch_event event, struct yk_object *object)
{
    r->api.watches[kind].sink(r->api.watches[kind].context, kind, event, object);
}

/* ConfigMap yunikorn-configs with one entry. */
static void configure(struct replica *r, enum yk_watch_event event, const char *key, const char *value)
{
    char text[512];
    struct yk_err err = {0};
    struct yk_object *object = NULL;
    (void)snprintf(
        text, sizeof(text),
        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"yunikorn-configs\","
        "\"namespace\":\"team\"},\"data\":{\"%s\":\"%s\"}}",
        key, value);
    if (yk_object_from_json(YK_KIND_CONFIG_MAP, yk_str_from(text), &object, &err) != YK_OK)
        fail_msg("%s", err.text);
    emit(r, YK_KIND_CONFIG_MAP, event, object);
}

static void sync_all(struct replica *r)
{
    static const enum yk_kind kinds[] = {YK_KIND_CONFIG_MAP, YK_KIND_NAMESPACE, YK_KIND_PRIORITY_CLASS};
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        assert_int_equal(yk_controller_port(r->controller), 0); /* it does not serve before */
        emit(r, kinds[i], YK_WATCH_REPLACE_BEGIN, NULL);
        emit(r, kinds[i], YK_WATCH_REPLACE_END, NULL);
        settle(r);
    }
}

static void start(struct replica *r)
{
    open_replica(r);
    sync_all(r);
    assert_true(yk_controller_port(r->controller) != 0);
    assert_true(yk_controller_is_installed(r->controller));
}

static json_t *webhook(enum fake_object which, size_t index)
{
    return json_array_get(json_object_get(shared_store.objects[which], "webhooks"), index);
}

static const char *policy_of(enum fake_object which, size_t index)
{
    const char *text = json_string_value(json_object_get(webhook(which, index), "failurePolicy"));
    return text != NULL ? text : "";
}

/* The authorities that the configuration trusts, in PEM. */
static void bundle_of(enum fake_object which, struct yk_buf *ret)
{
    const char *text =
        json_string_value(json_object_get(json_object_get(webhook(which, 0), "clientConfig"), "caBundle"));
    yk_buf_clear(ret);
    assert_int_equal(yk_base64_decode(yk_str_from(text), ret, NULL), YK_OK);
}

/* An API server that reads the configurations now accepts what the replica serves. */
static bool is_trusted(const struct replica *r)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf bundle = {0};
    bundle_of(FAKE_MUTATING, &bundle);
    char *second = strstr(yk_buf_cstr(&bundle) + 1, "-----BEGIN");
    struct yk_ca_pair pair = {0};
    pair.ca[1].cert_pem = yk_strdup(second);
    *second = '\0';
    pair.ca[0].cert_pem = yk_strdup(yk_buf_cstr(&bundle));
    bool is = yk_ca_pair_signed(&pair, yk_controller_certificate(r->controller));
    yk_ca_pair_done(&pair);
    return is;
}

static void it_serves_when_it_is_in_sync(void **state)
{
    (void)state;
    struct replica r;
    start(&r);
    assert_string_equal(r.api.watches[YK_KIND_CONFIG_MAP].namespace_, "team");
    assert_null(r.api.watches[YK_KIND_NAMESPACE].namespace_);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Fail");
    assert_string_equal(policy_of(FAKE_MUTATING, 1), "Ignore");
    assert_string_equal(policy_of(FAKE_VALIDATING, 0), "Ignore");
    assert_true(is_trusted(&r));
    close_replica(&r);
}

static void it_waits_for_the_version(void **state)
{
    (void)state;
    struct replica r;
    open_replica(&r);
    r.version = "";
    sync_all(&r);
    advance(&r, YK_NS_PER_S);
    assert_int_equal(yk_controller_port(r.controller), 0);
    r.version = "v1.29.4";
    advance(&r, YK_NS_PER_S);
    assert_true(yk_controller_is_installed(r.controller));
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Ignore"); /* it cannot keep conditions */
    assert_null(webhook(FAKE_MUTATING, 1));
    close_replica(&r);
}

static void the_failure_policy_is_a_setting(void **state)
{
    (void)state;
    static const char key[] = "admissionController.webHook.failurePolicy";
    struct replica r;
    start(&r);
    configure(&r, YK_WATCH_UPSERT, key, "Ignore");
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Ignore");
    assert_null(webhook(FAKE_MUTATING, 1));
    configure(&r, YK_WATCH_UPSERT, key, "Never"); /* the value in force stays */
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Ignore");
    configure(&r, YK_WATCH_DELETED, key, "Ignore");
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Fail");
    configure(&r, YK_WATCH_UPSERT, key, "Ignore");
    settle(&r);
    emit(&r, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN, NULL); /* deleted while nothing was watched */
    emit(&r, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END, NULL);
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Fail");
    close_replica(&r);
}

static void review_something(struct replica *r)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
    const struct yk_controller_reviews reviews = yk_admission_reviews_of(r->reviews);
    reviews.mutate(reviews.context, YK_STR("{}"), &answer);
}

/* Otherwise a scheduler with service.trustUserInfo "webhook" would trust a user.info that is not checked. */
static void pods_are_guarded_only_while_users_are_checked(void **state)
{
    (void)state;
    static const char key[] = "admissionController.accessControl.bypassAuth";
    struct replica r;
    start(&r);
    configure(&r, YK_WATCH_UPSERT, key, "true");
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Ignore");
    configure(&r, YK_WATCH_UPSERT, key, "perhaps"); /* the value in force stays */
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Ignore");
    configure(&r, YK_WATCH_UPSERT, key, "true\",\"service.enableConfigHotRefresh\":\"false");
    settle(&r);
    review_something(&r);
    configure(&r, YK_WATCH_UPSERT, key, "false"); /* no effect without hot refresh */
    settle(&r);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Ignore");
    close_replica(&r);
}

static void the_service_has_the_configured_name(void **state)
{
    (void)state;
    struct replica r;
    open_replica(&r);
    configure(&r, YK_WATCH_UPSERT, "admissionController.webHook.amServiceName", "other");
    sync_all(&r); /* its list no longer has the ConfigMap */
    json_t *client = json_object_get(webhook(FAKE_MUTATING, 0), "clientConfig");
    const char *name = json_string_value(json_object_get(json_object_get(client, "service"), "name"));
    assert_string_equal(name, "yunikorn-admission-controller-service");
    close_replica(&r);
    open_replica(&r);
    emit(&r, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_END, NULL);
    emit(&r, YK_KIND_PRIORITY_CLASS, YK_WATCH_REPLACE_END, NULL);
    emit(&r, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_BEGIN, NULL);
    configure(&r, YK_WATCH_UPSERT, "admissionController.webHook.amServiceName", "other");
    configure(&r, YK_WATCH_UPSERT, "admissionController.webHook.amServiceName", "No Name"); /* no effect */
    emit(&r, YK_KIND_CONFIG_MAP, YK_WATCH_REPLACE_END, NULL);
    settle(&r);
    client = json_object_get(webhook(FAKE_MUTATING, 0), "clientConfig");
    assert_string_equal(json_string_value(json_object_get(json_object_get(client, "service"), "name")),
                        "other");
    assert_string_equal(json_string_value(json_object_get(json_object_get(client, "service"), "namespace")),
                        "team");
    close_replica(&r);
}

static void a_url_is_called_instead_of_the_service(void **state)
{
    (void)state;
    struct replica r;
    open_replica_via(&r, "https://127.0.0.1:9089");
    sync_all(&r);
    json_t *client = json_object_get(webhook(FAKE_MUTATING, 0), "clientConfig");
    assert_string_equal(json_string_value(json_object_get(client, "url")), "https://127.0.0.1:9089/mutate");
    close_replica(&r);
}

static void configurations_are_repaired(void **state)
{
    (void)state;
    struct replica r;
    start(&r);
    size_t written = r.api.written;
    advance(&r, CHECK);
    assert_int_equal(r.api.written, written); /* nothing to do */
    json_decref(shared_store.objects[FAKE_MUTATING]);
    shared_store.objects[FAKE_MUTATING] = NULL;
    json_object_set_new(webhook(FAKE_VALIDATING, 0), "failurePolicy", json_string("Fail"));
    advance(&r, CHECK);
    assert_string_equal(policy_of(FAKE_MUTATING, 0), "Fail");
    assert_string_equal(policy_of(FAKE_VALIDATING, 0), "Ignore");
    /* The API server is away for a while. */
    r.api.fault_kind = YK_OP_GET_SECRET;
    r.api.fault_count = 15;
    for (int i = 0; i < 30; i++)
        advance(&r, YK_NS_PER_S);
    json_decref(shared_store.objects[FAKE_VALIDATING]);
    shared_store.objects[FAKE_VALIDATING] = NULL;
    for (int i = 0; i < 150; i++)
        advance(&r, YK_NS_PER_S);
    assert_string_equal(policy_of(FAKE_VALIDATING, 0), "Ignore");
    assert_int_equal(r.ended, 0);
    close_replica(&r);
}

static void two_replicas_never_serve_what_is_not_trusted(void **state)
{
    (void)state;
    struct replica a, b;
    unsigned changes = 0;
    char *before = NULL;
    start(&a);
    start(&b);
    before = yk_strdup(yk_controller_certificate(a.controller));
    for (int day = 0; day < 420; day += 7) {
        /* A week passes; then both check twice, in turn. */
        yk_clock_advance(&a.clock, 7 * DAY);
        yk_clock_advance(&b.clock, 7 * DAY);
        for (int i = 0; i < 2; i++) {
            advance(&a, CHECK);
            if (!is_trusted(&a) || !is_trusted(&b))
                fail_msg("not trusted on day %d, after a", day);
            advance(&b, CHECK);
            if (!is_trusted(&a) || !is_trusted(&b))
                fail_msg("not trusted on day %d, after b", day);
        }
        if (strcmp(before, yk_controller_certificate(a.controller)) != 0) {
            changes++;
            free(before);
            before = yk_strdup(yk_controller_certificate(a.controller));
        }
    }
    assert_in_range(changes, 2, 4);
    free(before);
    close_replica(&a);
    close_replica(&b);
}

static void a_new_authority_is_served_one_check_later(void **state)
{
    (void)state;
    struct replica r;
    YK_CLEANUP(yk_buf_done) struct yk_buf before = {0}, after = {0};
    start(&r);
    bundle_of(FAKE_MUTATING, &before);
    char *served = yk_strdup(yk_controller_certificate(r.controller));
    advance(&r, (YK_CA_FIRST_DAYS - YK_CA_RENEW_DAYS) * DAY);
    bundle_of(FAKE_MUTATING, &after);
    assert_string_not_equal(yk_buf_cstr(&before), yk_buf_cstr(&after)); /* the first authority is new */
    assert_string_equal(served, yk_controller_certificate(r.controller));
    advance(&r, CHECK);
    assert_string_not_equal(served, yk_controller_certificate(r.controller));
    assert_true(is_trusted(&r));
    free(served);
    close_replica(&r);
}

/* Whether an API server with this replica's clock accepts what it serves. */
static bool is_valid_now(const struct replica *r)
{
    const char *pem = yk_controller_certificate(r->controller);
    int64_t now = yk_clock_wall_ns(&r->clock);
    return is_trusted(r) && yk_certificate_start_wall_ns(pem) <= now &&
           yk_certificate_expiry_wall_ns(pem) > now;
}

/* Each jump is made while both replicas run; a minute later both have checked. */
static void the_clock_may_jump(void **state)
{
    (void)state;
    static const int64_t jumps[] = {-3600 * YK_NS_PER_S, 2 * 365 * DAY, -2 * 365 * DAY, -10 * 365 * DAY,
                                    30 * 365 * DAY,      -DAY,          -12 * 365 * DAY};
    struct replica a, b;
    start(&a);
    start(&b);
    for (size_t i = 0; i < YK_COUNT(jumps); i++) {
        a.clock.wall_ns += jumps[i];
        b.clock.wall_ns += jumps[i];
        for (int check = 0; check < 3; check++) {
            advance(&a, CHECK);
            advance(&b, CHECK);
        }
        if (!is_valid_now(&a) || !is_valid_now(&b))
            fail_msg("jump %zu: what is served is not valid", i);
        YK_CLEANUP(yk_buf_done) struct yk_buf bundle = {0};
        bundle_of(FAKE_MUTATING, &bundle);
        for (const char *pem = yk_buf_cstr(&bundle); pem != NULL; pem = strstr(pem + 1, "-----BEGIN"))
            assert_true(yk_certificate_start_wall_ns(pem) <= yk_clock_wall_ns(&a.clock) + 300 * YK_NS_PER_S);
    }
    assert_int_equal(a.ended + b.ended, 0);
    close_replica(&a);
    close_replica(&b);
}

/* The authorities are older than the jump, and the certificate is not. */
static void a_certificate_from_the_future_is_replaced(void **state)
{
    (void)state;
    struct replica r;
    start(&r);
    advance(&r, 10 * DAY);
    yk_controller_reload(r.controller);
    settle(&r);
    r.clock.wall_ns -= 5 * DAY;
    assert_false(is_valid_now(&r));
    size_t written = r.api.written;
    advance(&r, CHECK);
    assert_true(is_valid_now(&r));
    assert_int_equal(r.api.written, written);
    close_replica(&r);
}

static void a_reload_serves_a_new_certificate_at_once(void **state)
{
    (void)state;
    struct replica r;
    start(&r);
    char *served = yk_strdup(yk_controller_certificate(r.controller));
    size_t written = r.api.written;
    yk_controller_reload(r.controller);
    yk_controller_reload(r.controller); /* while the check runs */
    settle(&r);
    assert_string_not_equal(served, yk_controller_certificate(r.controller));
    assert_int_equal(r.api.written, written);
    /* The Secret was emptied: the old certificate is not trusted any longer, so nothing is waited for. */
    fake_put(&shared_store, FAKE_SECRET, EMPTY_SECRET);
    yk_controller_reload(r.controller);
    settle(&r);
    assert_true(is_trusted(&r));
    free(served);
    close_replica(&r);
}

static void what_ends_it_at_the_start(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum yk_op_kind kind;
        int status;
        const char *text;
    } cases[] = {
        {"no Secret", YK_OP_GET_SECRET, 404, "'team/admission-controller-secrets'"},
        {"no right to write it", YK_OP_UPDATE_SECRET, 403, "status 403"},
        {"no right to create configurations", YK_OP_CREATE_MUTATING_WEBHOOKS, 403,
         "'yunikorn-admission-controller-mutations'"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct replica r;
        fake_put(&shared_store, FAKE_SECRET, EMPTY_SECRET);
        json_decref(shared_store.objects[FAKE_MUTATING]);
        shared_store.objects[FAKE_MUTATING] = NULL;
        open_replica(&r);
        r.api.fault_kind = cases[i].kind;
        r.api.fault_status = cases[i].status;
        r.api.fault_count = 99;
        sync_all(&r);
        for (int s = 0; s < 20; s++)
            advance(&r, YK_NS_PER_S);
        if (r.ended != 1 || strstr(r.why.text, cases[i].text) == NULL)
            fail_msg("%s: %u %s", cases[i].what, r.ended, r.why.text);
        assert_true(r.api.is_stopped);
        close_replica(&r);
    }
}

static void it_serves_on_while_api_servers_turn_away(void **state)
{
    (void)state;
    struct replica r;
    start(&r);
    yk_controller_stop(r.controller);
    yk_controller_stop(r.controller);
    for (int i = 0; i < 49; i++)
        advance(&r, 100 * YK_NS_PER_MS);
    assert_int_equal(r.ended, 0);
    assert_false(r.api.is_stopped);
    for (int i = 0; i < 10; i++)
        advance(&r, 100 * YK_NS_PER_MS);
    assert_int_equal(r.ended, 1);
    assert_true(r.api.is_stopped);
    assert_string_equal(r.why.text, "");
    assert_non_null(shared_store.objects[FAKE_MUTATING]); /* they stay for the next one */
    close_replica(&r);
    open_replica(&r); /* one that does not serve yet ends at once */
    yk_controller_stop(r.controller);
    advance(&r, 1);
    advance(&r, 20 * YK_NS_PER_MS);
    assert_int_equal(r.ended, 1);
    close_replica(&r);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fake_set_up, fake_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(it_serves_when_it_is_in_sync),
        TEST(it_waits_for_the_version),
        TEST(the_failure_policy_is_a_setting),
        TEST(pods_are_guarded_only_while_users_are_checked),
        TEST(the_service_has_the_configured_name),
        TEST(a_url_is_called_instead_of_the_service),
        TEST(configurations_are_repaired),
        TEST(two_replicas_never_serve_what_is_not_trusted),
        TEST(a_new_authority_is_served_one_check_later),
        TEST(the_clock_may_jump),
        TEST(a_certificate_from_the_future_is_replaced),
        TEST(a_reload_serves_a_new_certificate_at_once),
        TEST(what_ends_it_at_the_start),
        TEST(it_serves_on_while_api_servers_turn_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
