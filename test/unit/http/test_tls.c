/* SPDX-License-Identifier: Apache-2.0 */
/* http/tls.h: certificate and key from memory, replaced while connections go on; and certificates that it
 * makes. */
#include "http/tls.h"

#include "http/certificates.h"
#include "lib/one_thread.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct identity {
    char *cert_pem, *key_pem;
};

static char *text_of(BIO *bio)
{
    char *bytes;
    long len = BIO_get_mem_data(bio, &bytes);
    char *text = yk_strndup(bytes, (size_t)len);
    BIO_free(bio);
    return text;
}

static struct identity identity_new(const char *name)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *made = X509_new();
    X509_set_version(made, X509_VERSION_3);
    X509_gmtime_adj(X509_getm_notBefore(made), -300);
    X509_gmtime_adj(X509_getm_notAfter(made), 3600);
    X509_set_pubkey(made, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "CN", MBSTRING_ASC, (const unsigned char *)name,
                               -1, -1, 0);
    X509_set_issuer_name(made, X509_get_subject_name(made));
    assert_true(X509_sign(made, key, EVP_sha256()) > 0);
    BIO *cert = BIO_new(BIO_s_mem()), *secret = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(cert, made);
    PEM_write_bio_PKCS8PrivateKey(secret, key, NULL, NULL, 0, NULL, NULL);
    X509_free(made);
    EVP_PKEY_free(key);
    return (struct identity){text_of(cert), text_of(secret)};
}

static void identity_done(struct identity *identity)
{
    free(identity->cert_pem);
    free(identity->key_pem);
}

/* A client and a server of `tls`, joined by a pipe in memory. */
struct conversation {
    SSL_CTX *client_context;
    SSL *client, *server;
};

static void step(struct conversation *c)
{
    for (int i = 0; i < 8; i++) {
        (void)SSL_do_handshake(c->client);
        (void)SSL_do_handshake(c->server);
    }
    ERR_clear_error();
}

static struct conversation begin(struct yk_tls *tls)
{
    struct conversation c = {.client_context = SSL_CTX_new(TLS_client_method())};
    BIO *client_side, *server_side;
    c.client = SSL_new(c.client_context);
    c.server = yk_tls_accept(tls);
    assert_int_equal(BIO_new_bio_pair(&client_side, 0, &server_side, 0), 1);
    SSL_set_bio(c.client, client_side, client_side);
    SSL_set_bio(c.server, server_side, server_side);
    SSL_set_connect_state(c.client);
    SSL_set_accept_state(c.server);
    return c;
}

static void end(struct conversation *c)
{
    SSL_free(c->client);
    SSL_free(c->server);
    SSL_CTX_free(c->client_context);
}

static void expect_name(const struct conversation *c, const char *want)
{
    char name[64] = "";
    assert_true(SSL_is_init_finished(c->client) && SSL_is_init_finished(c->server));
    X509 *shown = SSL_get1_peer_certificate(c->client);
    X509_NAME_get_text_by_NID(X509_get_subject_name(shown), NID_commonName, name, sizeof(name));
    X509_free(shown);
    assert_string_equal(name, want);
}

static struct yk_tls *tls_of(const struct identity *identity)
{
    struct yk_tls_options options = {.cert_pem = yk_str_from(identity->cert_pem),
                                     .key_pem = yk_str_from(identity->key_pem),
                                     .clock = &yk_clock_real};
    struct yk_tls *tls = NULL;
    struct yk_err err = {0};
    if (yk_tls_new(&options, &tls, &err) != YK_OK)
        fail_msg("%s", err.text);
    return tls;
}

static void connections_go_on_while_the_certificate_is_replaced(void **state)
{
    (void)state;
    struct identity first = identity_new("first"), second = identity_new("second");
    struct yk_tls *tls = tls_of(&first);
    struct conversation established = begin(tls), half = begin(tls);
    step(&established);
    (void)SSL_do_handshake(half.client); /* has said hello, and has no answer yet */
    assert_int_equal(yk_tls_replace(tls, yk_str_from(second.cert_pem), yk_str_from(second.key_pem), NULL),
                     YK_OK);
    struct conversation later = begin(tls);
    step(&later);
    step(&half);
    expect_name(&established, "first");
    expect_name(&half, "first");
    expect_name(&later, "second");
    char byte = 'x';
    assert_int_equal(SSL_write(established.client, &byte, 1), 1);
    assert_int_equal(SSL_read(established.server, &byte, 1), 1);
    end(&established);
    end(&half);
    end(&later);
    yk_tls_free(tls);
    identity_done(&first);
    identity_done(&second);
}

static void what_cannot_be_used_changes_nothing(void **state)
{
    (void)state;
    struct identity good = identity_new("good"), other = identity_new("other");
    struct yk_tls *tls = tls_of(&good);
    const struct {
        const char *what, *cert, *key, *text;
    } cases[] = {
        {"no certificate", "", good.key_pem, "certificate 'in memory'"},
        {"no key", good.cert_pem, "", "key 'in memory'"},
        {"not PEM", "hello", good.key_pem, "certificate 'in memory'"},
        {"the key of another certificate", other.cert_pem, good.key_pem, "key 'in memory'"},
        {"the texts in the wrong order", good.key_pem, good.cert_pem, "certificate 'in memory'"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_err err = {0};
        if (yk_tls_replace(tls, yk_str_from(cases[i].cert), yk_str_from(cases[i].key), &err) !=
            YK_ERR_INVALID)
            fail_msg("%s: accepted", cases[i].what);
        if (strstr(err.text, cases[i].text) == NULL || strstr(err.text, "PRIVATE") != NULL)
            fail_msg("%s: %s", cases[i].what, err.text);
        struct yk_tls_options options = {.cert_pem = yk_str_from(cases[i].cert),
                                         .key_pem = yk_str_from(cases[i].key),
                                         .clock = &yk_clock_real};
        struct yk_tls *none = NULL;
        if (yk_tls_new(&options, &none, &err) != YK_ERR_INVALID)
            fail_msg("%s: accepted at the start", cases[i].what);
    }
    struct conversation c = begin(tls);
    step(&c);
    expect_name(&c, "good");
    end(&c);
    yk_tls_free(tls);
    identity_done(&good);
    identity_done(&other);
}

/* ---- certificates that are made here ---- */

static const struct yk_serving_names names = {
    .service = "yunikorn-service", .namespace_ = "team", .host = "localhost"};

static struct yk_tls *own_tls(const struct yk_clock *clock)
{
    struct yk_tls_options options = {.self_signed = &names, .clock = clock};
    struct yk_tls *tls = NULL;
    struct yk_err err = {0};
    if (yk_tls_new(&options, &tls, &err) != YK_OK)
        fail_msg("%s", err.text);
    return tls;
}

/* The certificate that a new connection is shown; the caller's. */
static X509 *shown_by(struct yk_tls *tls)
{
    struct conversation c = begin(tls);
    step(&c);
    assert_true(SSL_is_init_finished(c.client) && SSL_is_init_finished(c.server));
    X509 *shown = SSL_get1_peer_certificate(c.client);
    end(&c);
    return shown;
}

static void a_certificate_is_made_for_the_names(void **state)
{
    (void)state;
    struct yk_tls *tls = own_tls(&yk_clock_real);
    X509 *shown = shown_by(tls);
    for (size_t i = 0; i < 4; i++) {
        static const char *const hosts[] = {"yunikorn-service", "yunikorn-service.team",
                                            "yunikorn-service.team.svc", "localhost"};
        assert_int_equal(X509_check_host(shown, hosts[i], 0, 0, NULL), 1);
    }
    assert_int_equal(X509_check_host(shown, "yunikorn-service.other.svc", 0, 0, NULL), 0);
    assert_int_equal(X509_cmp_current_time(X509_get0_notBefore(shown)), -1);
    assert_int_equal(X509_cmp_current_time(X509_get0_notAfter(shown)), 1);
    X509_free(shown);
    struct identity other = identity_new("other");
    assert_int_equal(yk_tls_replace(tls, yk_str_from(other.cert_pem), yk_str_from(other.key_pem), NULL),
                     YK_ERR_STATE);
    identity_done(&other);
    yk_tls_free(tls);
}

/* Ten years (two with the thread sanitizer) with a connection a day: each is shown a certificate that is valid that day. */
static void the_certificate_is_renewed_in_time(void **state)
{
    (void)state;
    enum { DAYS = ONE_THREAD_PART > 1 ? 730 : 3650 };
    struct yk_clock clock;
    yk_clock_virtual_init(&clock, INT64_C(1800000000) * YK_NS_PER_S);
    struct yk_tls *tls = own_tls(&clock);
    X509 *before = NULL;
    unsigned changes = 0;
    for (int day = 0; day < DAYS; day++) {
        X509 *shown = shown_by(tls);
        time_t now = (time_t)(yk_clock_wall_ns(&clock) / YK_NS_PER_S);
        if (X509_cmp_time(X509_get0_notBefore(shown), &now) != -1 ||
            X509_cmp_time(X509_get0_notAfter(shown), &now) != 1)
            fail_msg("day %d: not valid", day);
        changes += before != NULL && X509_cmp(before, shown) != 0;
        X509_free(before);
        before = shown;
        yk_clock_advance(&clock, 86400 * YK_NS_PER_S);
    }
    X509_free(before);
    assert_int_equal(changes, (DAYS - 1) / YK_TLS_RENEW_DAYS);
    yk_tls_free(tls);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The file of the authority for clients is unreadable when the certificate is due: the renewal is tried again
 * soon. */
static void a_renewal_that_fails_is_tried_again(void **state)
{
    (void)state;
    char path[] = "/tmp/test_tls_ca.XXXXXX";
    int fd = mkstemp(path);
    struct identity authority = identity_new("authority");
    assert_true(fd >= 0);
    (void)close(fd);
    write_file(path, authority.cert_pem);
    struct yk_clock clock;
    yk_clock_virtual_init(&clock, INT64_C(1800000000) * YK_NS_PER_S);
    struct yk_tls_options options = {.self_signed = &names, .clock = &clock, .client_ca_file = path};
    struct yk_tls *tls = NULL;
    assert_int_equal(yk_tls_new(&options, &tls, NULL), YK_OK);
    X509 *first = shown_by(tls);
    yk_clock_advance(&clock, YK_TLS_RENEW_DAYS * 86400 * YK_NS_PER_S);
    assert_int_equal(unlink(path), 0);
    X509 *still = shown_by(tls);
    assert_int_equal(X509_cmp(first, still), 0);
    write_file(path, authority.cert_pem);
    yk_clock_advance(&clock, 61 * YK_NS_PER_S);
    X509 *next = shown_by(tls);
    assert_int_not_equal(X509_cmp(first, next), 0);
    X509_free(first);
    X509_free(still);
    X509_free(next);
    (void)unlink(path);
    yk_tls_free(tls);
    identity_done(&authority);
}

/* The user that a client with the certificate of `identity` is for the server; the caller frees it. */
static char *user_of(struct yk_tls *tls, const struct identity *identity)
{
    struct conversation c = begin(tls);
    BIO *cert = BIO_new_mem_buf(identity->cert_pem, -1), *key = BIO_new_mem_buf(identity->key_pem, -1);
    X509 *own = PEM_read_bio_X509(cert, NULL, NULL, NULL);
    EVP_PKEY *secret = PEM_read_bio_PrivateKey(key, NULL, NULL, NULL);
    struct yk_caller caller;
    assert_int_equal(SSL_use_cert_and_key(c.client, own, secret, NULL, 1), 1);
    step(&c);
    yk_tls_caller(c.server, &caller);
    char *user = yk_strdup_or_null(caller.user);
    yk_caller_done(&caller);
    X509_free(own);
    EVP_PKEY_free(secret);
    BIO_free(cert);
    BIO_free(key);
    end(&c);
    return user;
}

/* With a certificate that is made here, too, a changed file of the authorities for clients applies; the
 * certificate stays. */
static void changed_authorities_apply(void **state)
{
    (void)state;
    char path[] = "/tmp/test_tls_ca.XXXXXX";
    int fd = mkstemp(path);
    struct identity first = identity_new("first"), second = identity_new("second, with a longer name");
    assert_true(fd >= 0);
    (void)close(fd);
    write_file(path, first.cert_pem);
    struct yk_clock clock;
    yk_clock_virtual_init(&clock, INT64_C(1800000000) * YK_NS_PER_S);
    struct yk_tls_options options = {.self_signed = &names, .clock = &clock, .client_ca_file = path};
    struct yk_tls *tls = NULL;
    assert_int_equal(yk_tls_new(&options, &tls, NULL), YK_OK);
    X509 *shown = shown_by(tls);
    char *before = user_of(tls, &first), *refused = user_of(tls, &second);
    assert_string_equal(before, "first");
    assert_null(refused);
    write_file(path, second.cert_pem);
    yk_clock_advance(&clock, YK_TLS_LOOK_SECONDS * YK_NS_PER_S);
    char *after = user_of(tls, &second);
    assert_non_null(after);
    assert_string_equal(after, "second, with a longer name");
    assert_null(user_of(tls, &first));
    X509 *still = shown_by(tls);
    assert_int_equal(X509_cmp(shown, still), 0);
    X509_free(shown);
    X509_free(still);
    free(before);
    free(after);
    (void)unlink(path);
    yk_tls_free(tls);
    identity_done(&first);
    identity_done(&second);
}

static void names_that_are_none_are_refused(void **state)
{
    (void)state;
    const struct yk_serving_names bad = {.service = "yunikorn-service", .namespace_ = "a,DNS:evil"};
    struct yk_tls_options options = {.self_signed = &bad, .clock = &yk_clock_real};
    struct yk_tls *tls = NULL;
    struct yk_err err = {0};
    assert_int_equal(yk_tls_new(&options, &tls, &err), YK_ERR_INVALID);
    assert_non_null(strstr(err.text, "a,DNS:evil"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_go_on_while_the_certificate_is_replaced),
        cmocka_unit_test(what_cannot_be_used_changes_nothing),
        cmocka_unit_test(a_certificate_is_made_for_the_names),
        cmocka_unit_test(the_certificate_is_renewed_in_time),
        cmocka_unit_test(a_renewal_that_fails_is_tried_again),
        cmocka_unit_test(changed_authorities_apply),
        cmocka_unit_test(names_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
