/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/admission-server.md, "Certificates": which authorities are replaced when, and what they
 * sign. */
#include "http/certificates.h"

#include "base/clock.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DAY (86400 * YK_NS_PER_S)
static const int64_t start = INT64_C(1800000000) * YK_NS_PER_S;
static const struct yk_serving_names names = {.service = "webhook", .namespace_ = "team"};

static X509 *certificate_of(const char *pem, int index)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = NULL;
    for (int i = 0; i <= index; i++) {
        X509_free(certificate);
        certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
    }
    BIO_free(bio);
    return certificate;
}

static unsigned renew(struct yk_ca_pair *pair, int64_t now)
{
    struct yk_err err = {0};
    unsigned renewed = 99;
    if (yk_ca_pair_renew(pair, now, &renewed, &err) != YK_OK)
        fail_msg("%s", err.text);
    return renewed;
}

static struct yk_key_pair serve(const struct yk_ca_pair *pair, const struct yk_serving_names *of, int64_t now)
{
    struct yk_err err = {0};
    struct yk_key_pair leaf = {0};
    if (yk_serving_certificate(pair, of, now, &leaf, &err) != YK_OK)
        fail_msg("%s", err.text);
    return leaf;
}

/* What a client does that trusts `bundle`: chain, time and name. 0 (X509_V_OK) or OpenSSL's reason. */
static int verify(const char *bundle, const char *chain, const char *host, int64_t now)
{
    X509_STORE *store = X509_STORE_new();
    for (int i = 0; i < YK_CA_COUNT; i++) {
        X509 *authority = certificate_of(bundle, i);
        if (authority != NULL)
            X509_STORE_add_cert(store, authority);
        X509_free(authority);
    }
    X509 *leaf = certificate_of(chain, 0);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    assert_int_equal(X509_STORE_CTX_init(context, store, leaf, NULL), 1);
    X509_STORE_CTX_set_time(context, 0, (time_t)(now / YK_NS_PER_S));
    X509_STORE_CTX_set_purpose(context, X509_PURPOSE_SSL_SERVER);
    X509_VERIFY_PARAM *param = X509_STORE_CTX_get0_param(context);
    if (strspn(host, "0123456789.") == strlen(host))
        X509_VERIFY_PARAM_set1_ip_asc(param, host);
    else
        X509_VERIFY_PARAM_set1_host(param, host, 0);
    int result = X509_verify_cert(context) == 1 ? X509_V_OK : X509_STORE_CTX_get_error(context);
    X509_STORE_CTX_free(context);
    X509_free(leaf);
    X509_STORE_free(store);
    return result;
}

static void bundle_of(const struct yk_ca_pair *pair, struct yk_buf *ret)
{
    yk_buf_clear(ret);
    yk_ca_pair_bundle(pair, ret);
}

static void two_new_ones_are_staggered(void **state)
{
    (void)state;
    struct yk_ca_pair pair = {0};
    assert_int_equal(renew(&pair, start), 3);
    assert_int_equal(yk_certificate_expiry_wall_ns(pair.ca[0].cert_pem), start + YK_CA_FIRST_DAYS * DAY);
    assert_int_equal(yk_certificate_expiry_wall_ns(pair.ca[1].cert_pem), start + YK_CA_DAYS * DAY);
    for (int i = 0; i < YK_CA_COUNT; i++) {
        X509 *authority = certificate_of(pair.ca[i].cert_pem, 0);
        char text[64];
        assert_int_equal(X509_check_ca(authority), 1);
        assert_int_equal(X509_get_key_usage(authority), KU_DIGITAL_SIGNATURE | KU_KEY_CERT_SIGN);
        assert_int_equal(X509_get_extended_key_usage(authority), XKU_SSL_CLIENT | XKU_SSL_SERVER);
        X509_NAME_get_text_by_NID(X509_get_subject_name(authority), NID_organizationName, text, sizeof(text));
        assert_string_equal(text, "yunikorn.apache.org");
        time_t before = (time_t)(start / YK_NS_PER_S) - 300;
        assert_true(X509_cmp_time(X509_get0_notBefore(authority), &(time_t){before - 1}) > 0);
        assert_true(X509_cmp_time(X509_get0_notBefore(authority), &(time_t){before + 1}) < 0);
        X509_free(authority);
    }
    assert_string_not_equal(pair.ca[0].cert_pem, pair.ca[1].cert_pem);
    yk_ca_pair_done(&pair);
}

/* Only one is replaced at a time, and what the other one signed stays trusted: three years, every third
 * day. */
static void a_certificate_is_trusted_until_the_next_one_is_there(void **state)
{
    (void)state;
    struct yk_ca_pair pair = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf bundle = {0};
    renew(&pair, start);
    struct yk_key_pair leaf = serve(&pair, &names, start);
    unsigned replaced = 0;
    for (int64_t day = 1; day < 3 * 365; day += 3) {
        int64_t now = start + day * DAY;
        unsigned renewed = renew(&pair, now);
        assert_int_not_equal(renewed, 3);
        bundle_of(&pair, &bundle);
        /* A replica that has not seen the change yet still serves the old certificate. */
        assert_int_equal(verify(yk_buf_cstr(&bundle), leaf.cert_pem, "webhook.team.svc", now), X509_V_OK);
        assert_true(yk_ca_pair_signed(&pair, leaf.cert_pem));
        if (renewed == 0)
            continue;
        replaced++;
        yk_key_pair_done(&leaf);
        leaf = serve(&pair, &names, now);
        assert_int_equal(verify(yk_buf_cstr(&bundle), leaf.cert_pem, "webhook.team.svc", now), X509_V_OK);
    }
    assert_in_range(replaced, 6, 9);
    yk_key_pair_done(&leaf);
    yk_ca_pair_done(&pair);
}

static void what_is_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int64_t days;           /* since they were made */
        const char *cert, *key; /* of the first authority; NULL: as made */
        unsigned want;
    } cases[] = {
        {"both are fine", 1, NULL, NULL, 0},
        {"a day before the first one's last 90 days", YK_CA_FIRST_DAYS - 91, NULL, NULL, 0},
        {"within the first one's last 90 days", YK_CA_FIRST_DAYS - 90, NULL, NULL, 1},
        {"both have expired", 400, NULL, NULL, 3},
        {"the clock was set back by days", -2, NULL, NULL, 3},
        {"no certificate", 1, "", NULL, 1},
        {"no key", 1, NULL, "", 1},
        {"not PEM", 1, "hello", NULL, 1},
        {"key not PEM", 1, NULL, "hello", 1},
        {"cut in the middle", 1, "-----BEGIN CERTIFICATE-----\nMIIB", NULL, 1},
        {"an encrypted key asks for no passphrase", 1, NULL,
         "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgA\n"
         "-----END ENCRYPTED PRIVATE KEY-----\n",
         1},
        {"the key of the other one", 1, NULL, "other", 1},
        {"a serving certificate is no authority", 1, "leaf", "leaf", 1},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_ca_pair pair = {0};
        renew(&pair, start);
        struct yk_key_pair leaf = serve(&pair, &names, start);
        char *second = yk_strdup(pair.ca[1].cert_pem);
        if (cases[i].cert != NULL) {
            free(pair.ca[0].cert_pem);
            pair.ca[0].cert_pem =
                yk_strdup(strcmp(cases[i].cert, "leaf") == 0 ? leaf.cert_pem : cases[i].cert);
        }
        if (cases[i].key != NULL) {
            const char *key = strcmp(cases[i].key, "other") == 0  ? pair.ca[1].key_pem
                              : strcmp(cases[i].key, "leaf") == 0 ? leaf.key_pem
                                                                  : cases[i].key;
            char *copy = yk_strdup(key);
            free(pair.ca[0].key_pem);
            pair.ca[0].key_pem = copy;
        }
        int64_t now = start + cases[i].days * DAY;
        unsigned got = renew(&pair, now);
        if (got != cases[i].want)
            fail_msg("%s: replaced %u, not %u", cases[i].what, got, cases[i].want);
        if (got == 1) {
            if (strcmp(second, pair.ca[1].cert_pem) != 0)
                fail_msg("%s: the second one changed", cases[i].what);
            if (yk_certificate_expiry_wall_ns(pair.ca[0].cert_pem) != now + YK_CA_DAYS * DAY)
                fail_msg("%s: the new one does not last a year", cases[i].what);
        }
        if (renew(&pair, now) != 0)
            fail_msg("%s: not stable", cases[i].what);
        free(second);
        yk_key_pair_done(&leaf);
        yk_ca_pair_done(&pair);
    }
}

/* Replicas whose clocks differ a little use the same authorities. */
static void a_little_skew_replaces_nothing(void **state)
{
    (void)state;
    static const struct {
        int64_t seconds;
        unsigned want;
    } cases[] = {{-60, 0}, {-600, 0}, {-601, 3}};
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_ca_pair pair = {0};
        renew(&pair, start);
        assert_int_equal(renew(&pair, start + cases[i].seconds * YK_NS_PER_S), cases[i].want);
        for (int k = 0; k < YK_CA_COUNT; k++)
            assert_true(yk_certificate_start_wall_ns(pair.ca[k].cert_pem) <=
                        start + (cases[i].seconds + 300) * YK_NS_PER_S);
        yk_ca_pair_done(&pair);
    }
    assert_int_equal(yk_certificate_start_wall_ns("nothing"), 0);
}

/* RSA key in PKCS#1 and the fields of 1.9. */
static struct yk_key_pair authority_of_1_9(int64_t now, bool with_identifier)
{
    EVP_PKEY *key = EVP_RSA_gen(2048);
    X509 *made = X509_new();
    X509_set_version(made, X509_VERSION_3);
    ASN1_INTEGER_set_int64(X509_get_serialNumber(made), now / 1000);
    ASN1_TIME_set(X509_getm_notBefore(made), (time_t)(now / YK_NS_PER_S) - 300);
    ASN1_TIME_set(X509_getm_notAfter(made), (time_t)(now / YK_NS_PER_S) + 365 * 86400);
    X509_set_pubkey(made, key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made), "O", MBSTRING_ASC,
                               (const unsigned char *)"yunikorn.apache.org", -1, -1, 0);
    X509_set_issuer_name(made, X509_get_subject_name(made));
    static const struct {
        int nid;
        const char *value;
    } extensions[] = {{NID_basic_constraints, "critical,CA:TRUE"},
                      {NID_key_usage, "critical,digitalSignature,keyCertSign"},
                      {NID_ext_key_usage, "clientAuth,serverAuth"},
                      {NID_subject_key_identifier, "hash"}};
    X509V3_CTX context;
    X509V3_set_ctx(&context, made, made, NULL, NULL, 0);
    for (size_t i = 0; i < YK_COUNT(extensions) - !with_identifier; i++) {
        X509_EXTENSION *extension =
            X509V3_EXT_conf_nid(NULL, &context, extensions[i].nid, extensions[i].value);
        X509_add_ext(made, extension, -1);
        X509_EXTENSION_free(extension);
    }
    X509_sign(made, key, EVP_sha256());
    BIO *cert_bio = BIO_new(BIO_s_mem()), *key_bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(cert_bio, made);
    PEM_write_bio_PrivateKey_traditional(key_bio, key, NULL, NULL, 0, NULL, NULL);
    char *bytes;
    long len = BIO_get_mem_data(cert_bio, &bytes);
    struct yk_key_pair pair = {.cert_pem = yk_strndup(bytes, (size_t)len)};
    len = BIO_get_mem_data(key_bio, &bytes);
    pair.key_pem = yk_strndup(bytes, (size_t)len);
    BIO_free(cert_bio);
    BIO_free(key_bio);
    X509_free(made);
    EVP_PKEY_free(key);
    assert_non_null(strstr(pair.key_pem, "BEGIN RSA PRIVATE KEY"));
    return pair;
}

static void authorities_of_1_9_are_used(void **state)
{
    (void)state;
    struct yk_ca_pair pair = {{authority_of_1_9(start, true), authority_of_1_9(start + DAY, true)}};
    YK_CLEANUP(yk_buf_done) struct yk_buf bundle = {0};
    char *first = yk_strdup(pair.ca[0].cert_pem), *second = yk_strdup(pair.ca[1].cert_pem);
    assert_int_equal(renew(&pair, start + 2 * DAY), 0);
    assert_string_equal(pair.ca[0].cert_pem, first); /* byte by byte: the webhook objects need no change */
    assert_string_equal(pair.ca[1].cert_pem, second);
    struct yk_key_pair leaf = serve(&pair, &names, start + 2 * DAY);
    bundle_of(&pair, &bundle);
    assert_int_equal(verify(yk_buf_cstr(&bundle), leaf.cert_pem, "webhook.team.svc", start + 2 * DAY),
                     X509_V_OK);
    free(first);
    free(second);
    yk_key_pair_done(&leaf);
    yk_ca_pair_done(&pair);
}

/* Go wrote none before 1.15; OpenSSL refuses to refer to what is not there. */
static void an_authority_without_key_identifier_signs(void **state)
{
    (void)state;
    struct yk_ca_pair pair = {{{NULL, NULL}, authority_of_1_9(start, false)}};
    assert_int_equal(renew(&pair, start), 1);
    struct yk_key_pair leaf = serve(&pair, &names, start);
    assert_int_equal(verify(pair.ca[1].cert_pem, leaf.cert_pem, "webhook.team.svc", start), X509_V_OK);
    yk_key_pair_done(&leaf);
    yk_ca_pair_done(&pair);
}

static void a_serving_certificate_has_its_names(void **state)
{
    (void)state;
    static const char *const extra[] = {NULL, "10.1.2.3", "admission.example.com"};
    struct yk_ca_pair pair = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf bundle = {0};
    renew(&pair, start);
    bundle_of(&pair, &bundle);
    for (size_t i = 0; i < YK_COUNT(extra); i++) {
        struct yk_serving_names with = {"webhook", "team", extra[i]};
        struct yk_key_pair leaf = serve(&pair, &with, start);
        static const char *const hosts[] = {"webhook", "webhook.team", "webhook.team.svc"};
        for (size_t h = 0; h < YK_COUNT(hosts); h++)
            assert_int_equal(verify(yk_buf_cstr(&bundle), leaf.cert_pem, hosts[h], start), X509_V_OK);
        if (extra[i] != NULL)
            assert_int_equal(verify(yk_buf_cstr(&bundle), leaf.cert_pem, extra[i], start), X509_V_OK);
        assert_int_equal(verify(yk_buf_cstr(&bundle), leaf.cert_pem, "other.team.svc", start),
                         X509_V_ERR_HOSTNAME_MISMATCH);
        X509 *authority = certificate_of(leaf.cert_pem, 1); /* the chain is complete */
        assert_non_null(authority);
        X509_free(authority);
        assert_int_equal(yk_certificate_expiry_wall_ns(leaf.cert_pem), start + YK_CA_DAYS * DAY);
        yk_key_pair_done(&leaf);
    }
    yk_ca_pair_done(&pair);
}

/* A common name holds 64 bytes; a namespace alone may have 63. */
static void long_names_are_fine_and_odd_ones_are_not(void **state)
{
    (void)state;
    char namespace_[64];
    struct yk_ca_pair pair = {0};
    struct yk_key_pair leaf = {0};
    struct yk_err err = {0};
    renew(&pair, start);
    memset(namespace_, 'n', 63);
    namespace_[63] = '\0';
    leaf = serve(&pair, &(struct yk_serving_names){"webhook", namespace_, NULL}, start);
    yk_key_pair_done(&leaf);
    static const char *const odd[] = {"", "a,DNS:kubernetes.default.svc", "a\nb", "a b"};
    for (size_t i = 0; i < YK_COUNT(odd); i++) {
        struct yk_serving_names with = {"webhook", odd[i], NULL};
        assert_int_equal(yk_serving_certificate(&pair, &with, start, &leaf, &err), YK_ERR_INVALID);
        with = (struct yk_serving_names){"webhook", "team", odd[i]};
        assert_int_equal(yk_serving_certificate(&pair, &with, start, &leaf, &err), YK_ERR_INVALID);
    }
    assert_null(leaf.key_pem);
    yk_ca_pair_done(&pair);
    assert_int_equal(yk_serving_certificate(&pair, &names, start, &leaf, &err), YK_ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_new_ones_are_staggered),
        cmocka_unit_test(a_certificate_is_trusted_until_the_next_one_is_there),
        cmocka_unit_test(what_is_replaced),
        cmocka_unit_test(a_little_skew_replaces_nothing),
        cmocka_unit_test(authorities_of_1_9_are_used),
        cmocka_unit_test(an_authority_without_key_identifier_signs),
        cmocka_unit_test(a_serving_certificate_has_its_names),
        cmocka_unit_test(long_names_are_fine_and_odd_ones_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
