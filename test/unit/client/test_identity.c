/* SPDX-License-Identifier: Apache-2.0 */
#include "client/identity.h"

#include "base/log.h"

#include <openssl/pem.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/write_file.h"

struct place {
    char folder[32], token[64], ca[64], certificate[64], key[64];
    struct yk_clock clock;
};

/* A new key and its certificate as PEM. */
static void write_pair(const char *certificate_path, const char *key_path)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 60);
    X509_set_pubkey(certificate, key);
    X509_sign(certificate, key, EVP_sha256());
    FILE *out = fopen(certificate_path, "w");
    PEM_write_X509(out, certificate);
    (void)fclose(out);
    if (key_path != NULL) {
        out = fopen(key_path, "w");
        PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL);
        (void)fclose(out);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
}

static void place_open(struct place *at)
{
    (void)snprintf(at->folder, sizeof(at->folder), "/tmp/yk-identity-XXXXXX");
    assert_non_null(mkdtemp(at->folder));
    (void)snprintf(at->token, sizeof(at->token), "%s/token", at->folder);
    (void)snprintf(at->ca, sizeof(at->ca), "%s/ca", at->folder);
    (void)snprintf(at->certificate, sizeof(at->certificate), "%s/crt", at->folder);
    (void)snprintf(at->key, sizeof(at->key), "%s/key", at->folder);
    yk_clock_virtual_init(&at->clock, 0);
    yk_log_set_stream(NULL);
}

static void place_close(struct place *at)
{
    (void)unlink(at->token);
    (void)unlink(at->ca);
    (void)unlink(at->certificate);
    (void)unlink(at->key);
    (void)rmdir(at->folder);
}

static struct yk_identity *make(struct place *at, bool with_token, bool with_ca, bool with_pair)
{
    struct yk_access *access = yk_new0(struct yk_access);
    struct yk_identity *identity = NULL;
    struct yk_err err = {0};
    access->server = yk_strdup("https://h");
    access->token_file = with_token ? yk_strdup(at->token) : NULL;
    access->ca.file = with_ca ? yk_strdup(at->ca) : NULL;
    access->certificate.file = with_pair ? yk_strdup(at->certificate) : NULL;
    access->key.file = with_pair ? yk_strdup(at->key) : NULL;
    enum yk_status st = yk_identity_new(access, &at->clock, &identity, &err);
    assert_true(st == YK_OK || (identity == NULL && err.text[0] != '\0'));
    return identity;
}

static void after(struct place *at, struct yk_identity *identity, int64_t seconds)
{
    yk_clock_advance(&at->clock, seconds * YK_NS_PER_S);
    yk_identity_refresh(identity);
}

static void token_rotates(void **state)
{
    (void)state;
    struct place at;
    place_open(&at);
    assert_null(make(&at, true, false, false)); /* no file */
    write_file(at.token, "one\n");
    YK_CLEANUP(yk_identity_freep) struct yk_identity *identity = make(&at, true, false, false);
    assert_true(yk_str_is(yk_identity_token(identity), "one"));
    write_file(at.token, "two");
    after(&at, identity, 49);
    assert_true(yk_str_is(yk_identity_token(identity), "one")); /* not read again yet */
    after(&at, identity, 1);
    assert_true(yk_str_is(yk_identity_token(identity), "two"));
    static const char *const bad[] = {"", "two\r\nX-Header: y", "a b"};
    for (size_t i = 0; i < YK_COUNT(bad); i++) {
        write_file(at.token, bad[i]);
        after(&at, identity, 60);
        if (!yk_str_is(yk_identity_token(identity), "two"))
            fail_msg("'%s' was taken for a token", bad[i]);
    }
    (void)unlink(at.token);
    after(&at, identity, 60);
    assert_true(yk_str_is(yk_identity_token(identity), "two"));
    write_file(at.token, "three");
    after(&at, identity, 1);
    assert_true(yk_str_is(yk_identity_token(identity), "two"));
    assert_true(yk_identity_drop_token(identity, 0)); /* refused: read at once */
    after(&at, identity, 0);
    assert_true(yk_str_is(yk_identity_token(identity), "three"));
    place_close(&at);
}

static void ca_and_pair_rotate(void **state)
{
    (void)state;
    struct place at;
    place_open(&at);
    write_pair(at.ca, NULL);
    write_pair(at.certificate, at.key);
    YK_CLEANUP(yk_identity_freep) struct yk_identity *identity = make(&at, false, true, true);
    assert_non_null(identity);
    assert_false(yk_identity_drop_token(identity, 0)); /* there is none */
    struct yk_identity_tls first = yk_identity_tls(identity);
    after(&at, identity, 301);
    assert_int_equal(yk_identity_tls(identity).generation, first.generation); /* nothing has changed */

    write_pair(at.ca, NULL);
    after(&at, identity, 301);
    struct yk_identity_tls second = yk_identity_tls(identity);
    assert_int_not_equal(second.generation, first.generation);
    assert_int_equal(second.certificate_generation, first.certificate_generation);

    write_pair(at.certificate, NULL); /* half rotated: certificate and key do not belong together */
    write_file(at.ca, "garbage");
    after(&at, identity, 301);
    assert_int_equal(yk_identity_tls(identity).generation, second.generation);
    write_pair(at.certificate, at.key);
    after(&at, identity, 301);
    assert_int_not_equal(yk_identity_tls(identity).certificate_generation, second.certificate_generation);
    place_close(&at);
}

/* The same trouble is logged once, also while certificates are read without trouble. */
static void trouble_is_logged_once(void **state)
{
    (void)state;
    struct place at;
    size_t lines = 0;
    place_open(&at);
    write_file(at.token, "one");
    write_pair(at.ca, NULL);
    YK_CLEANUP(yk_identity_freep) struct yk_identity *identity = make(&at, true, true, false);
    FILE *log = tmpfile(); /* a line goes to its descriptor */
    yk_log_set_stream(log);
    (void)unlink(at.token);
    for (int i = 0; i < 15; i++)
        after(&at, identity, 50); /* certificates are read after each 300 s */
    yk_log_set_stream(NULL);
    char line[1024];
    rewind(log);
    while (fgets(line, sizeof(line), log) != NULL)
        lines += strstr(line, "could not be read again") != NULL;
    (void)fclose(log);
    assert_int_equal(lines, 1);
    place_close(&at);
}

static void broken_at_the_start(void **state)
{
    (void)state;
    struct place at;
    place_open(&at);
    write_file(at.ca, "garbage");
    assert_null(make(&at, false, true, false));
    write_pair(at.certificate, NULL);
    write_file(at.key, "garbage");
    assert_null(make(&at, false, false, true));

    struct yk_access *access = yk_new0(struct yk_access); /* in-cluster: the system's roots remain */
    YK_CLEANUP(yk_identity_freep) struct yk_identity *identity = NULL;
    access->ca.file = yk_strdup(at.ca);
    access->ca_is_optional = true;
    assert_int_equal(yk_identity_new(access, &at.clock, &identity, NULL), YK_OK);
    assert_null(yk_identity_tls(identity).ca.p);
    place_close(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_rotates),
        cmocka_unit_test(ca_and_pair_rotate),
        cmocka_unit_test(trouble_is_logged_once),
        cmocka_unit_test(broken_at_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
