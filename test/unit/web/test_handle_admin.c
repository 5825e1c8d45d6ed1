/* SPDX-License-Identifier: Apache-2.0 */
/* Administration over REST (queues.md A8 to A10): who is let in, who may what, and what comes of it. The
 * server as it runs, with a world outside that the test answers for. */
#include "web/browser.h"
#include "web/page.h"
#include "web/site.h"

#include "base/log.h"
#include "http/tls.h"
#include "web/guard.h"
#include "web/renderer.h"
#include "web/token_cache.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

static const char config[] =
    "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, "
    "submitacl: ' everybody', queues: [{name: a, adminacl: 'ann'}, {name: b, adminacl: ' ops'}, "
    "{name: c, submitacl: 'ann', parent: true, queues: [{name: d}]}]}]}]";

struct service {
    struct site site;
    char folder[64];
    bool with_tls;
    long patience_ms; /* of the client; 0: long */
    /* The world outside; scheduling thread. */
    _Atomic int reviews, writes;
    _Atomic int review_status, write_status; /* of the answers */
    _Atomic bool silent, unavailable, standby;
    char written[2048];
};

static struct service service;

/* ---- the world outside ---- */

static const char *process_user(void)
{
    const struct passwd *account = getpwuid(geteuid());
    return account != NULL ? account->pw_name : "root";
}

static enum yk_status review(void *context, struct yk_web *web, uint64_t ticket, const char *token,
                             struct yk_err *err)
{
    static const char *const ops[] = {"ops"}, *const everybody[] = {"everybody"};
    struct yk_backend_reply word = {.status = atomic_load(&service.review_status),
                                    .text = "no answer from there"};
    (void)context;
    atomic_fetch_add(&service.reviews, 1);
    if (atomic_load(&service.unavailable))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "starting");
    if (atomic_load(&service.silent))
        return YK_OK;
    if (strcmp(token, "of-ann") == 0)
        word.user = "ann";
    else if (strcmp(token, "of-olga") == 0)
        word =
            (struct yk_backend_reply){.user = "olga", .groups = ops, .group_count = 1, .status = word.status};
    else if (strcmp(token, "of-joe") == 0)
        word = (struct yk_backend_reply){.user = "joe", .groups = everybody, .group_count = 1};
    else if (strcmp(token, "of-owner") == 0)
        word.user = process_user();
    else if (strcmp(token, "of-chief") == 0)
        word.user = "chief";
    site_reply_later(&service.site, web, ticket, &word);
    return YK_OK;
}

static enum yk_status write_config(void *context, struct yk_web *web, uint64_t ticket, struct yk_str text,
                                   struct yk_err *err)
{
    struct yk_backend_reply word = {.status = atomic_load(&service.write_status), .text = "so it went"};
    (void)context;
    if (atomic_load(&service.unavailable))
        return yk_fail(err, YK_ERR_UNAVAILABLE, "starting");
    (void)snprintf(service.written, sizeof(service.written), YK_STR_FMT, YK_STR_ARG(text));
    atomic_fetch_add(&service.writes, 1);
    site_reply_later(&service.site, web, ticket, &word);
    return YK_OK;
}

static enum yk_status check_leads(void *context, struct yk_err *err)
{
    (void)context;
    return atomic_load(&service.standby) ? yk_fail(err, YK_ERR_UNAVAILABLE, "a standby") : YK_OK;
}

/* ---- certificates ---- */

static void path_of(const char *name, char path[128])
{
    (void)snprintf(path, 128, "%s/%s", service.folder, name);
}

/* Signs itself, or is signed by `issuer`. Writes <name>.pem and <name>.key. */
static X509 *certificate_new(const char *name, const char *common_name, const char *organization,
                             X509 *issuer, EVP_PKEY *issuer_key, EVP_PKEY **ret_key)
{
    char path[128], file[64];
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    X509_NAME *subject = X509_get_subject_name(certificate);
    static long serial = 1;
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
    X509_set_version(certificate, 2);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0);
    if (organization != NULL)
        X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_UTF8, (const unsigned char *)organization, -1, -1,
                                   0);
    X509_set_issuer_name(certificate, issuer != NULL ? X509_get_subject_name(issuer) : subject);
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer != NULL ? issuer : certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension =
        issuer != NULL ? X509V3_EXT_conf_nid(NULL, &context, NID_subject_alt_name, "IP:127.0.0.1")
                       : X509V3_EXT_conf_nid(NULL, &context, NID_basic_constraints, "critical,CA:TRUE");
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    assert_true(X509_sign(certificate, issuer != NULL ? issuer_key : key, EVP_sha256()) > 0);
    (void)snprintf(file, sizeof(file), "%s.pem", name);
    path_of(file, path);
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    PEM_write_X509(out, certificate);
    assert_int_equal(fclose(out), 0);
    (void)snprintf(file, sizeof(file), "%s.key", name);
    path_of(file, path);
    out = fopen(path, "we");
    assert_non_null(out);
    PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL);
    assert_int_equal(fclose(out), 0);
    *ret_key = key;
    return certificate;
}

static void make_certificates(void)
{
    EVP_PKEY *ca_key, *key, *other_key;
    X509 *ca = certificate_new("ca", "authority", NULL, NULL, NULL, &ca_key);
    X509 *other = certificate_new("otherca", "authority", NULL, NULL, NULL, &other_key);
    static const struct {
        const char *name, *common_name, *organization;
    } leaves[] = {{"server", "server", NULL}, {"client", "joe", "ops"}, {"nobody", "", NULL}};
    for (size_t i = 0; i < YK_COUNT(leaves); i++) {
        X509_free(
            certificate_new(leaves[i].name, leaves[i].common_name, leaves[i].organization, ca, ca_key, &key));
        EVP_PKEY_free(key);
    }
    X509_free(certificate_new("stranger", "ann", NULL, other, other_key, &key));
    EVP_PKEY_free(key);
    X509_free(ca);
    X509_free(other);
    EVP_PKEY_free(ca_key);
    EVP_PKEY_free(other_key);
}

/* ---- the service ---- */

static void build(void)
{
    struct yk_si_tag extra = {"service.schedulerACL", "chief"};
    struct yk_si_register request = {.rm_id = "rm",
                                     .policy_group = "queues",
                                     .config = yk_str_from(config),
                                     .extra_config = &extra,
                                     .extra_count = 1};
    struct yk_err err = {0};
    assert_int_equal(yk_core_update_config(service.site.world.core, &request, &err), YK_OK);
    world_node(&service.site.world, "n1", 8000, 8192);
    static const char *const tags[] = {"everybody"};
    struct yk_si_new_app app = {
        .application_id = "app", .queue = "root.a", .ugi = {.user = "sue", .groups = tags, .group_count = 1}};
    assert_int_equal(yk_core_add_app(service.site.world.core, "rm", &app), YK_OK);
    assert_non_null(world_app(&service.site.world, "app"));
    world_ask(&service.site.world, "app", "k1", 1000, 10);
    assert_int_equal(world_schedule(&service.site.world), 1);
}

/* ---- recordings ---- */

enum { RECORDED_BYTES = 300 * 1000 }; /* several pieces */

static _Atomic int begun, ended;
static _Atomic bool is_unreadable; /* the file cannot be read */

static void look_at_recording(void *context, struct yk_recording_view *ret)
{
    (void)context;
    *ret = (struct yk_recording_view){.state = atomic_load(&ended) > 0   ? YK_RECORDING_ENDED
                                               : atomic_load(&begun) > 0 ? YK_RECORDING_RUNS
                                                                         : YK_RECORDING_NONE,
                                      .bytes = RECORDED_BYTES,
                                      .ended_because = ""};
}

static enum yk_status begin_recording(void *context, struct yk_err *err)
{
    (void)context;
    if (atomic_fetch_add(&begun, 1) > 0)
        return yk_fail(err, YK_ERR_EXISTS, "the scheduler is recorded already");
    return YK_OK;
}

static enum yk_status end_recording(void *context, struct yk_err *err)
{
    (void)context;
    if (atomic_load(&begun) == 0)
        return yk_fail(err, YK_ERR_NOT_FOUND, "the scheduler is not recorded");
    atomic_fetch_add(&ended, 1);
    return YK_OK;
}

static enum yk_status open_recording(void *context, int *ret_fd, uint64_t *ret_bytes, struct yk_err *err)
{
    (void)context;
    if (atomic_load(&begun) == 0)
        return yk_fail(err, YK_ERR_NOT_FOUND, "the scheduler is not recorded");
    char path[] = "/tmp/handle_admin.XXXXXX";
    *ret_fd = mkstemp(path);
    for (size_t i = 0; i < RECORDED_BYTES; i++)
        (void)!write(*ret_fd, i + 1 < RECORDED_BYTES ? "r" : "!", 1);
    (void)!write(*ret_fd, "not whole", 9); /* a line that is being written */
    if (atomic_load(&is_unreadable)) {
        (void)close(*ret_fd);
        *ret_fd = open(path, O_WRONLY | O_CLOEXEC);
    }
    (void)unlink(path);
    *ret_bytes = RECORDED_BYTES;
    return YK_OK;
}

static const struct yk_recording_backend recording = {NULL, look_at_recording, begin_recording, end_recording,
                                                      open_recording};

static struct yk_tls *tls_of(const char *client_ca)
{
    char cert[128], key[128], ca[128];
    struct yk_err err;
    struct yk_tls *tls = NULL;
    path_of("server.pem", cert);
    path_of("server.key", key);
    path_of(client_ca, ca);
    const struct yk_tls_options options = {.cert_file = cert,
                                           .key_file = key,
                                           .client_ca_file = ca,
                                           .min_version = "1.2",
                                           .clock = &service.site.world.clock};
    if (yk_tls_new(&options, &tls, &err) != YK_OK)
        fail_msg("%s", err.text);
    return tls;
}

static void start(bool with_tls)
{
    service = (struct service){.with_tls = with_tls, .folder = "/tmp/yk-admin-XXXXXX"};
    assert_non_null(mkdtemp(service.folder));
    make_certificates();
    site_init(&service.site, config);
    build();
    const struct yk_auth_backend backend = {
        .review_token = review, .write_config = write_config, .check_leads = check_leads};
    site_listen(&service.site, (struct yk_web_options){.backend = &backend,
                                                       .recording = &recording,
                                                       .tls = with_tls ? tls_of("ca.pem") : NULL});
    site_run(&service.site);
}

static void end(void)
{
    site_end(&service.site);
    static const char *const names[] = {"ca", "otherca", "server", "client", "nobody", "stranger"};
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        char path[128], file[64];
        (void)snprintf(file, sizeof(file), "%s.pem", names[i]);
        path_of(file, path);
        assert_int_equal(unlink(path), 0);
        (void)snprintf(file, sizeof(file), "%s.key", names[i]);
        path_of(file, path);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(service.folder), 0);
}

static int set_up(void **state)
{
    (void)state;
    start(false);
    return 0;
}

static int set_up_tls(void **state)
{
    (void)state;
    start(true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    end();
    return 0;
}

/* ---- a client ---- */

#define APP  "/ws/v1/partition/default/application/app"
#define MOVE APP "/queue"

struct call {
    const char *method, *target, *token, *body, *certificate;
};

static void use_certificate(CURL *curl, const char *name)
{
    char path[128], file[64];
    (void)snprintf(file, sizeof(file), "%s.pem", name);
    path_of(file, path);
    (void)curl_easy_setopt(curl, CURLOPT_SSLCERT, path);
    (void)snprintf(file, sizeof(file), "%s.key", name);
    path_of(file, path);
    (void)curl_easy_setopt(curl, CURLOPT_SSLKEY, path);
}

static void fetch(const struct call *call, struct page *page)
{
    char url[512], header[256], ca[128];
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = NULL;
    *page = (struct page){0};
    (void)snprintf(url, sizeof(url), "http%s://127.0.0.1:%u%s", service.with_tls ? "s" : "",
                   yk_web_port(service.site.web), call->target);
    path_of("ca.pem", ca);
    (void)curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_CAINFO, ca);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, service.patience_ms > 0 ? service.patience_ms : 20000L);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, page_take);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, &page->body);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, page_take);
    (void)curl_easy_setopt(curl, CURLOPT_HEADERDATA, &page->headers);
    if (call->body != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call->body);
        headers = curl_slist_append(headers, "Expect:");
    }
    (void)curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, call->method != NULL ? call->method : "GET");
    if (call->token != NULL) {
        (void)snprintf(header, sizeof(header), "Authorization: %s", call->token);
        headers = curl_slist_append(headers, header);
    }
    if (call->certificate != NULL)
        use_certificate(curl, call->certificate);
    (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (curl_easy_perform(curl) == CURLE_OK)
        (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &page->status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
}

static void expect(const char *what, const struct call *call, long status, const char *part)
{
    struct page page;
    fetch(call, &page);
    if (page.status != status || (part != NULL && strstr(yk_buf_cstr(&page.body), part) == NULL))
        fail_msg("%s: %ld %s", what, page.status, yk_buf_cstr(&page.body));
    page_done(&page);
}

struct expectation {
    const char *what;
    struct call call;
    long status;
    const char *part;
};

static void expect_all(const struct expectation *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(cases[i].what, &cases[i].call, cases[i].status, cases[i].part);
}

static void a_recording_is_for_administrators(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"a stranger", {"GET", "/ws/v1/recording", NULL, NULL, NULL}, 401, NULL},
        {"a queue's admin looks", {"GET", "/ws/v1/recording", "Bearer of-ann", NULL, NULL}, 403, NULL},
        {"a queue's admin begins", {"POST", "/ws/v1/recording", "Bearer of-ann", NULL, NULL}, 403, NULL},
        {"a queue's admin ends", {"DELETE", "/ws/v1/recording", "Bearer of-ann", NULL, NULL}, 403, NULL},
        {"a queue's admin reads", {"GET", "/ws/v1/recording/file", "Bearer of-ann", NULL, NULL}, 403, NULL},
        {"none", {"GET", "/ws/v1/recording", "Bearer of-chief", NULL, NULL}, 200, "\"state\":\"none\""},
        {"nothing to end",
         {"DELETE", "/ws/v1/recording", "Bearer of-chief", NULL, NULL},
         404,
         "not recorded"},
        {"no file", {"GET", "/ws/v1/recording/file", "Bearer of-chief", NULL, NULL}, 404, "not recorded"},
        {"begins", {"POST", "/ws/v1/recording", "Bearer of-chief", NULL, NULL}, 202, "\"state\":\"runs\""},
        {"once", {"POST", "/ws/v1/recording", "Bearer of-chief", NULL, NULL}, 409, "already"},
        {"the file", {"GET", "/ws/v1/recording/file", "Bearer of-chief", NULL, NULL}, 200, "rrr!"},
        {"ends", {"DELETE", "/ws/v1/recording", "Bearer of-chief", NULL, NULL}, 200, "\"state\":\"ended\""},
    };
    struct page page;
    atomic_store(&begun, 0);
    atomic_store(&ended, 0);
    expect_all(cases, YK_COUNT(cases));
    fetch(&(struct call){"GET", "/ws/v1/recording/file", "Bearer of-chief", NULL, NULL}, &page);
    assert_int_equal(page.body.len, RECORDED_BYTES); /* up to a whole line */
    page_done(&page);
    static const struct expectation unreadable = {
        "a file that cannot be read",
        {"GET", "/ws/v1/recording/file", "Bearer of-chief", NULL, NULL},
        503,
        "the recording cannot be read"};
    atomic_store(&is_unreadable, true);
    expect_all(&unreadable, 1);
    atomic_store(&is_unreadable, false);
}

/* ---- who is let in ---- */

static void callers_must_be_known(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"nobody", {"DELETE", APP, NULL, NULL, NULL}, 401, "needs a bearer token"},
        {"another scheme", {"DELETE", APP, "Basic YTpi", NULL, NULL}, 401, "needs a bearer token"},
        {"an empty token", {"DELETE", APP, "Bearer  ", NULL, NULL}, 401, "needs a bearer token"},
        {"an unknown token", {"DELETE", APP, "Bearer made-up", NULL, NULL}, 401, "belongs to no user"},
        {"with an unknown token the configuration is not even read",
         {"PUT", "/ws/v1/config", NULL, "nonsense", NULL},
         401,
         "needs a bearer token"},
        {"reads are open", {"GET", APP, NULL, NULL, NULL}, 200, "\"applicationID\":\"app\""},
        {"what is not there is said to who may know",
         {"DELETE", "/ws/v1/partition/default/application/none", "bearer of-ann", NULL, NULL},
         404,
         "Application not found"},
        {"no partition",
         {"DELETE", "/ws/v1/partition/none/application/app", "Bearer of-ann", NULL, NULL},
         404,
         "Partition not found"},
    };
    expect_all(cases, YK_COUNT(cases));
    struct page page;
    fetch(&(struct call){"DELETE", APP, NULL, NULL, NULL}, &page);
    assert_non_null(strstr(yk_buf_cstr(&page.headers), "WWW-Authenticate: Bearer\r\n"));
    assert_null(strstr(yk_buf_cstr(&page.headers), "Access-Control")); /* not for foreign pages */
    page_done(&page);
    fetch(&(struct call){"OPTIONS", "/ws/v1/config", NULL, NULL, NULL}, &page);
    assert_non_null(strstr(yk_buf_cstr(&page.headers), "Allow: GET, OPTIONS, PUT\r\n"));
    assert_non_null(strstr(yk_buf_cstr(&page.headers), "Access-Control-Allow-Methods: GET, OPTIONS\r\n"));
    page_done(&page);
}

/* Nothing of a configuration is parsed before the token is known: the configuration thread is not needed. */
static void strangers_have_no_configuration_checked(void **state)
{
    (void)state;
    site_hold_aside(&service.site);
    expect("an unknown token", &(struct call){"PUT", "/ws/v1/config", "Bearer made-up", "a: [", NULL}, 401,
           "belongs to no user");
    expect("not an administrator", &(struct call){"PUT", "/ws/v1/config", "Bearer of-joe", "a: [", NULL}, 403,
           "joe");
    site_release_aside(&service.site);
    expect("an administrator", &(struct call){"PUT", "/ws/v1/config", "Bearer of-chief", "a: [", NULL}, 422,
           "line 2");
}

static void a_token_is_asked_about_once(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        expect("known", &(struct call){"PUT", MOVE, "Bearer of-joe", "{}", NULL}, 403, "joe");
        expect("unknown", &(struct call){"PUT", MOVE, "Bearer made-up", "{}", NULL}, 401, NULL);
    }
    assert_int_equal(atomic_load(&service.reviews), 2);
}

static void whoever_cannot_be_asked_is_no_answer(void **state)
{
    (void)state;
    const struct call call = {"DELETE", APP, "Bearer of-ann", NULL, NULL};
    atomic_store(&service.review_status, 503);
    expect("no answer", &call, 503, "no answer from there");
    atomic_store(&service.review_status, 0);
    atomic_store(&service.unavailable, true);
    expect("not yet", &call, 503, "starting");
    atomic_store(&service.unavailable, false);
    expect("a failure is not remembered", &call, 200, "Failing");
}

/* H6: also an administrator gets an answer that says whom to ask instead; the token is not reviewed. */
static void a_standby_changes_nothing(void **state)
{
    (void)state;
    const struct call call = {"DELETE", APP, "Bearer of-ann", NULL, NULL};
    int reviews = atomic_load(&service.reviews);
    atomic_store(&service.standby, true);
    expect("as a standby", &call, 503, "a standby");
    assert_int_equal(atomic_load(&service.reviews), reviews);
    atomic_store(&service.standby, false);
    expect("as the leader", &call, 200, "Failing");
}

static void plainly_only_from_this_host(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        struct yk_guard_peer peer;
        int status; /* 0: let in */
    } cases[] = {
        {"plain, from elsewhere", {.address = "192.0.2.1"}, 403},
        {"plain, from here", {.address = "127.0.0.1", .local = true}, 0},
        {"encrypted, from elsewhere", {.address = "192.0.2.1", .encrypted = true}, 0},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_job_freep) struct yk_job *job = yk_job_new();
        const struct yk_caller anonymous = {0};
        struct yk_guard_peer peer = cases[i].peer;
        peer.caller = &anonymous;
        peer.authorization = YK_STR("Bearer of-ann");
        bool let_in = yk_guard_take(job, &peer);
        if (let_in != (cases[i].status == 0) || (!let_in && job->answer.status != cases[i].status))
            fail_msg("%s: %d", cases[i].what, job->answer.status);
        if (!let_in)
            assert_non_null(strstr(yk_buf_cstr(&job->answer.body), "unencrypted from 192.0.2.1"));
    }
}

static void few_questions_are_out_at_a_time(void **state)
{
    (void)state;
    expect("known", &(struct call){"PUT", "/ws/v1/loglevel/info", "Bearer of-chief", NULL, NULL}, 200, NULL);
    atomic_store(&service.reviews, 0);
    atomic_store(&service.silent, true);
    service.patience_ms = 20;
    for (int i = 0;
         i < 10 * YK_REVIEW_SLOTS_OF_ADDRESS && atomic_load(&service.reviews) < YK_REVIEW_SLOTS_OF_ADDRESS;
         i++) {
        char token[32];
        (void)snprintf(token, sizeof(token), "Bearer unknown-%d", i);
        expect("gives up", &(struct call){"DELETE", APP, token, NULL, NULL}, 0, NULL);
    }
    service.patience_ms = 0;
    assert_int_equal(atomic_load(&service.reviews), YK_REVIEW_SLOTS_OF_ADDRESS);
    expect("one more", &(struct call){"DELETE", APP, "Bearer of-ann", NULL, NULL}, 503, "too many");
    expect("a caller that is known already",
           &(struct call){"PUT", "/ws/v1/loglevel/info", "Bearer of-chief", NULL, NULL}, 200, NULL);
    assert_int_equal(atomic_load(&service.reviews), YK_REVIEW_SLOTS_OF_ADDRESS);
    expect("reads go on", &(struct call){"GET", APP, NULL, NULL, NULL}, 200, "\"app\"");
}

/* ---- who may what ---- */

static void kill_needs_the_admin_acl(void **state)
{
    (void)state;
    expect("submit rights are not enough", &(struct call){"DELETE", APP, "Bearer of-joe", NULL, NULL}, 403,
           "user 'joe' is not allowed by the admin ACL of queue 'root.a' or a queue above it");
    expect("of another queue", &(struct call){"DELETE", APP, "Bearer of-olga", NULL, NULL}, 403, "olga");
    expect("A9: a scheduler admin is no queue admin",
           &(struct call){"DELETE", APP, "Bearer of-chief", NULL, NULL}, 403, "chief");
    expect("the queue's admin", &(struct call){"DELETE", APP, "Bearer of-ann", NULL, NULL}, 200,
           "\"applicationState\":\"Failing\"");
    expect("twice", &(struct call){"DELETE", APP, "Bearer of-ann", NULL, NULL}, 409, "cannot be killed");
}

static void move_needs_both_queues(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"not its admin", {"PUT", MOVE, "Bearer of-olga", "{\"queue\":\"root.b\"}", NULL}, 403, "admin ACL"},
        {"no submit access there",
         {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.b\"}", NULL},
         403,
         "submit ACL of queue 'root.b'"},
        {"no body", {"PUT", MOVE, "Bearer of-ann", NULL, NULL}, 400, "the body must be"},
        {"no JSON", {"PUT", MOVE, "Bearer of-ann", "root.b", NULL}, 400, "the body must be"},
        {"more than asked for",
         {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.c.d\",\"x\":1}", NULL},
         400,
         "the body must be"},
        {"no name",
         {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.a b\"}", NULL},
         400,
         "invalid queue name"},
        {"no such queue",
         {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.x\"}", NULL},
         404,
         "Queue not found"},
        {"a parent", {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.c\"}", NULL}, 422, "is a parent"},
        {"where it is", {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.a\"}", NULL}, 409, "already"},
        {"moved",
         {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.c.d\"}", NULL},
         200,
         "\"queueName\":\"root.c.d\""},
        {"seen", {"GET", APP, NULL, NULL, NULL}, 200, "\"queueName\":\"root.c.d\""},
        {"and no longer hers",
         {"PUT", MOVE, "Bearer of-ann", "{\"queue\":\"root.a\"}", NULL},
         403,
         "root.c.d"},
    };
    expect_all(cases, YK_COUNT(cases));
}

static void config_needs_the_scheduler_acl_and_its_base(void **state)
{
    (void)state;
    static const char path[] = "/ws/v1/config";
    char body[1024], stale[1024];
    char checksum[YK_CONFIG_CHECKSUM_LEN + 1];
    yk_config_checksum(yk_str_from(config), checksum);
    (void)snprintf(body, sizeof(body), "%s\nchecksum: %s\n",
                   "partitions: [{name: default, queues: [{name: root, queues: [{name: new}]}]}]", checksum);
    (void)snprintf(stale, sizeof(stale), "%s\nchecksum: %064d\n",
                   "partitions: [{name: default, queues: [{name: root}]}]", 7);
    expect("a queue's admin", &(struct call){"PUT", path, "Bearer of-ann", body, NULL}, 403,
           "user 'ann' is not in the scheduler's ACL (service.schedulerACL)");
    expect("another base", &(struct call){"PUT", path, "Bearer of-chief", stale, NULL}, 409, checksum);
    expect("no base",
           &(struct call){"PUT", path, "Bearer of-chief",
                          "partitions: [{name: default, queues: [{name: root}]}]", NULL},
           400, "checksum");
    expect("nothing", &(struct call){"PUT", path, "Bearer of-chief", "", NULL}, 400,
           "whole queue configuration");
    expect("invalid", &(struct call){"PUT", path, "Bearer of-chief", "partitions: [{colour: red}]", NULL},
           422, "colour");
    expect("refused by activation",
           &(struct call){"PUT", path, "Bearer of-chief",
                          "partitions: [{name: default, queues: [{name: root, submitacl: 'a  b'}]}]", NULL},
           422, "root");
    assert_int_equal(atomic_load(&service.writes), 0);
    expect("written", &(struct call){"PUT", path, "Bearer of-chief", body, NULL}, 202, "so it went");
    assert_string_equal(service.written, body);
    atomic_store(&service.write_status, 409);
    expect("changed meanwhile", &(struct call){"PUT", path, "Bearer of-chief", body, NULL}, 409,
           "so it went");
    atomic_store(&service.unavailable, true);
    expect("not now", &(struct call){"PUT", path, "Bearer of-chief", body, NULL}, 503, "starting");
    char now[YK_CONFIG_CHECKSUM_LEN + 1];
    yk_config_checksum(yk_str_from(body), now);
    atomic_store(&service.unavailable, false);
    atomic_store(&service.write_status, 0);
    expect("with the checksum it will have", &(struct call){"PUT", path, "Bearer of-chief", body, NULL}, 202,
           now);
}

static void log_levels_need_the_scheduler_acl(void **state)
{
    (void)state;
    static const struct {
        const char *what, *path, *token;
        long status;
        const char *part;
    } cases[] = {
        {"a queue's admin", "/ws/v1/loglevel/debug", "Bearer of-ann", 403, "service.schedulerACL"},
        {"no level", "/ws/v1/loglevel/loud", "Bearer of-chief", 400, "the level is one of"},
        {"no logger", "/ws/v1/loglevel/debug?logger=core.sched", "Bearer of-chief", 404, "no such logger"},
        {"one", "/ws/v1/loglevel/Debug?logger=core.config", "Bearer of-chief", 200,
         "{\"logger\":\"core.config\",\"level\":\"debug\",\"loggers\":1}"},
        {"no period", "/ws/v1/loglevel/debug?for=soon", "Bearer of-chief", 400, "a duration from 1s to 24h"},
        {"too short a one", "/ws/v1/loglevel/debug?for=10ms", "Bearer of-chief", 400, "from 1s to 24h"},
        {"too long a one", "/ws/v1/loglevel/debug?for=25h", "Bearer of-chief", 400, "from 1s to 24h"},
        {"for a while", "/ws/v1/loglevel/debug?logger=core.config&for=1h", "Bearer of-chief", 200,
         "\"until\":\"2"},
        {"one and those below", "/ws/v1/loglevel/error?logger=shim", "Bearer of-chief", 200, "shim"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++)
        expect(cases[i].what, &(struct call){"PUT", cases[i].path, cases[i].token, NULL, NULL},
               cases[i].status, cases[i].part);
    assert_int_equal(atomic_load(&YK_LOGGER(yk_log_config)->level), YK_LOG_DEBUG);
    assert_int_equal(atomic_load(&YK_LOGGER(yk_log_rest)->level), YK_LOG_INFO);
    assert_int_equal(atomic_load(&YK_LOGGER(yk_log_shim_fsm)->level), YK_LOG_ERROR);
    expect("A9: a user with the name of the account that the process runs as",
           &(struct call){"PUT", "/ws/v1/loglevel/info", "Bearer of-owner", NULL, NULL}, 403,
           "service.schedulerACL");
    expect("all", &(struct call){"PUT", "/ws/v1/loglevel/info", "Bearer of-chief", NULL, NULL}, 200,
           "\"logger\":\"\"");
    assert_int_equal(atomic_load(&YK_LOGGER(yk_log_shim_fsm)->level), YK_LOG_INFO);
}

/* ---- TLS ---- */

static void certificates_tell_who_it_is(void **state)
{
    (void)state;
    const char *target = "/livez";
    expect("probes ask without", &(struct call){"GET", target, NULL, NULL, NULL}, 200, "ok");
    expect("metrics, too", &(struct call){"GET", "/metrics", NULL, NULL, NULL}, 200, "yunikorn");
    expect("nobody", &(struct call){"DELETE", APP, NULL, NULL, NULL}, 401, NULL);
    expect("a certificate without a name", &(struct call){"DELETE", APP, NULL, NULL, "nobody"}, 401, NULL);
    expect("name and groups: joe of ops", &(struct call){"DELETE", APP, NULL, NULL, "client"}, 403, "'joe'");
    expect("the token counts", &(struct call){"DELETE", APP, "Bearer made-up", NULL, "client"}, 401, NULL);
    expect("of another authority", &(struct call){"DELETE", APP, NULL, NULL, "stranger"}, 0, NULL);
    expect("large answers", &(struct call){"GET", "/ws/v1/metrics", NULL, NULL, NULL}, 200, "yunikorn");
    char *large = yk_new0_array(char, (1 << 20) + 1);
    memset(large, '#', 1 << 20);
    expect("and large bodies", &(struct call){"POST", "/ws/v1/validate-conf", NULL, large, NULL}, 200,
           "\"allowed\":true");
    free(large);
    service.with_tls = false;
    expect("not without TLS", &(struct call){"GET", target, NULL, NULL, NULL}, 0, NULL);
    expect("plainly not", &(struct call){"DELETE", APP, "Bearer of-ann", NULL, NULL}, 0, NULL);
    service.with_tls = true;
}

static void changed_files_are_read_again(void **state)
{
    (void)state;
    YK_CLEANUP(yk_tls_freep) struct yk_tls *tls = NULL;
    char cert[128], key[128], ca[128], from[128];
    struct yk_clock clock;
    struct yk_err err;
    yk_clock_virtual_init(&clock, 0);
    path_of("server.pem", cert);
    path_of("server.key", key);
    path_of("ca.pem", ca);
    struct yk_tls_options options = {
        .cert_file = cert, .key_file = key, .client_ca_file = ca, .min_version = "1.3", .clock = &clock};
    assert_int_equal(yk_tls_new(&options, &tls, &err), YK_OK);
    SSL *first = yk_tls_accept(tls);
    path_of("client.pem", from);
    assert_int_equal(rename(from, cert), 0); /* half of the change: it does not belong to the key */
    clock.mono_ns += YK_TLS_LOOK_SECONDS * YK_NS_PER_S;
    SSL *second = yk_tls_accept(tls);
    assert_int_equal(X509_cmp(SSL_get_certificate(first), SSL_get_certificate(second)), 0);
    path_of("client.key", from);
    assert_int_equal(rename(from, key), 0);
    SSL *third = yk_tls_accept(tls); /* looked a moment ago */
    assert_int_equal(X509_cmp(SSL_get_certificate(first), SSL_get_certificate(third)), 0);
    clock.mono_ns += YK_TLS_LOOK_SECONDS * YK_NS_PER_S;
    SSL *fourth = yk_tls_accept(tls);
    assert_int_not_equal(X509_cmp(SSL_get_certificate(first), SSL_get_certificate(fourth)), 0);
    SSL *const all[] = {first, second, third, fourth};
    for (size_t i = 0; i < YK_COUNT(all); i++)
        SSL_free(all[i]);
    static const char *const names[] = {"client.pem", "client.key"}; /* for who tidies up */
    for (size_t i = 0; i < YK_COUNT(names); i++) {
        path_of(names[i], from);
        FILE *out = fopen(from, "we");
        assert_non_null(out);
        assert_int_equal(fclose(out), 0);
    }
    options.key_file = ca;
    struct yk_tls *none = NULL;
    assert_int_equal(yk_tls_new(&options, &none, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "ca.pem"));
}

/* ---- the memory for tokens ---- */

static void tokens_are_remembered_for_a_while(void **state)
{
    (void)state;
    struct yk_token_cache callers;
    char digest[YK_DIGEST_LEN], text[32];
    struct yk_caller ann, anonymous = {0};
    yk_token_cache_init(&callers);
    yk_caller_init(&ann, "ann", (const char *const[]){"ops"}, 1);
    assert_true(yk_digest_make(YK_STR("a"), digest));
    assert_null(yk_token_cache_get(&callers, digest, 0));
    yk_token_cache_put(&callers, digest, &ann, 0);
    assert_string_equal(yk_token_cache_get(&callers, digest, YK_CALLER_KNOWN_NS - 1)->groups[0], "ops");
    assert_null(yk_token_cache_get(&callers, digest, YK_CALLER_KNOWN_NS));
    yk_token_cache_put(&callers, digest, &anonymous, 0);
    assert_null(yk_token_cache_get(&callers, digest, YK_CALLER_NOBODY_NS - 1)->user);
    assert_null(yk_token_cache_get(&callers, digest, YK_CALLER_NOBODY_NS));
    for (int i = 0; i < 3 * YK_TOKEN_CACHE_MAX; i++) {
        (void)snprintf(text, sizeof(text), "%d", i);
        assert_true(yk_digest_make(yk_str_from(text), digest));
        yk_token_cache_put(&callers, digest, &ann, 0);
    }
    assert_int_equal(callers.digests.by_digest.count, YK_TOKEN_CACHE_MAX);
    assert_non_null(yk_token_cache_get(&callers, digest, 0));
    yk_caller_done(&ann);
    yk_token_cache_done(&callers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_recording_is_for_administrators, set_up, tear_down),
        cmocka_unit_test_setup_teardown(callers_must_be_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strangers_have_no_configuration_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_token_is_asked_about_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whoever_cannot_be_asked_is_no_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_standby_changes_nothing, set_up, tear_down),
        cmocka_unit_test(plainly_only_from_this_host),
        cmocka_unit_test_setup_teardown(few_questions_are_out_at_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kill_needs_the_admin_acl, set_up, tear_down),
        cmocka_unit_test_setup_teardown(move_needs_both_queues, set_up, tear_down),
        cmocka_unit_test_setup_teardown(config_needs_the_scheduler_acl_and_its_base, set_up, tear_down),
        cmocka_unit_test_setup_teardown(log_levels_need_the_scheduler_acl, set_up, tear_down),
        cmocka_unit_test_setup_teardown(certificates_tell_who_it_is, set_up_tls, tear_down),
        cmocka_unit_test_setup_teardown(changed_files_are_read_again, set_up_tls, tear_down),
        cmocka_unit_test(tokens_are_remembered_for_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
