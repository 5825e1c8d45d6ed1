/* SPDX-License-Identifier: Apache-2.0 */
#include "http/certificates.h"

#include <arpa/inet.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

enum { BACKDATE_SECONDS = 5 * 60, DAY_SECONDS = 24 * 60 * 60, COMMON_NAME_MAX = 64 };

#define ORGANIZATION "yunikorn.apache.org"

void yk_key_pair_done(struct yk_key_pair *pair)
{
    free(pair->cert_pem);
    yk_secret_free(pair->key_pem);
    *pair = (struct yk_key_pair){0};
}

void yk_ca_pair_done(struct yk_ca_pair *pair)
{
    for (int i = 0; i < YK_CA_COUNT; i++)
        yk_key_pair_done(&pair->ca[i]);
}

/* ---- PEM ---- */

/* Without this callback, OpenSSL would ask the terminal for the passphrase of an encrypted key. */
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

static BIO *open_text(const char *text)
{
    size_t len = text != NULL ? strlen(text) : 0;
    return len > 0 && len <= YK_PEM_MAX ? BIO_new_mem_buf(text, (int)len) : NULL;
}

/* The first certificate; NULL: there is none. */
static X509 *read_certificate(const char *pem)
{
    BIO *bio = open_text(pem);
    X509 *certificate = bio != NULL ? PEM_read_bio_X509(bio, NULL, no_passphrase, NULL) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    return certificate;
}

static EVP_PKEY *read_key(const char *pem)
{
    BIO *bio = open_text(pem);
    EVP_PKEY *key = bio != NULL ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    return key;
}

/* Returns the text of `bio`, which the caller frees, and frees `bio`. NULL: the text is empty. */
static char *take_text(BIO *bio)
{
    char *bytes = NULL;
    long len = BIO_get_mem_data(bio, &bytes);
    char *text = len > 0 ? yk_strndup(bytes, (size_t)len) : NULL;
    BIO_free(bio);
    return text;
}

static char *write_certificate(X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio != NULL)
        (void)PEM_write_bio_X509(bio, certificate); /* if it fails, the result is NULL */
    return bio != NULL ? take_text(bio) : NULL;
}

static char *write_key(EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_secmem()); /* overwrites its memory when it is freed */
    if (bio != NULL)
        /* if it fails, the result is NULL */
        (void)PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    return bio != NULL ? take_text(bio) : NULL;
}

/* ---- time ---- */

static time_t seconds_of(int64_t wall_ns)
{
    return (time_t)(wall_ns / YK_NS_PER_S);
}

/* Converts a time of a certificate to nanoseconds of wall time; 0: it is unreadable. */
static int64_t wall_ns_of(const ASN1_TIME *time)
{
    int days = 0, seconds = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    bool is_read = epoch != NULL && ASN1_TIME_diff(&days, &seconds, epoch, time) == 1;
    ASN1_TIME_free(epoch);
    ERR_clear_error();
    return is_read ? ((int64_t)days * DAY_SECONDS + seconds) * YK_NS_PER_S : 0;
}

int64_t yk_certificate_start_wall_ns(const char *pem)
{
    X509 *certificate = read_certificate(pem);
    int64_t start = certificate != NULL ? wall_ns_of(X509_get0_notBefore(certificate)) : 0;
    X509_free(certificate);
    return start;
}

int64_t yk_certificate_expiry_wall_ns(const char *pem)
{
    X509 *certificate = read_certificate(pem);
    int64_t expiry = certificate != NULL ? wall_ns_of(X509_get0_notAfter(certificate)) : 0;
    X509_free(certificate);
    return expiry;
}

/* ---- making certificates ---- */

static enum yk_status fail_openssl(struct yk_err *err, const char *what)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    enum yk_status st = yk_fail(err, YK_ERR_UNAVAILABLE, "cannot make %s: %s", what,
                                reason != NULL ? reason : "OpenSSL failed");
    ERR_clear_error();
    return st;
}

/* The serial number is the time in microseconds, as in YuniKorn 1.9, so that certificates of one authority
 * differ. */
static bool set_serial(X509 *certificate, int64_t now_wall_ns)
{
    return ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), now_wall_ns / YK_NS_PER_US) == 1;
}

static bool set_times(X509 *certificate, int64_t from_wall_ns, int64_t to_wall_ns)
{
    return ASN1_TIME_set(X509_getm_notBefore(certificate), seconds_of(from_wall_ns)) != NULL &&
           ASN1_TIME_set(X509_getm_notAfter(certificate), seconds_of(to_wall_ns)) != NULL;
}

static bool add_name(X509 *certificate, const char *field, const char *text)
{
    return X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), field, MBSTRING_UTF8,
                                      (const unsigned char *)text, -1, -1, 0) == 1;
}

static bool add_extension(X509 *certificate, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    bool is_added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return is_added;
}

/* Makes a certificate with the fields that all certificates have in common: version 3, serial number,
 * organization, and validity from five minutes ago. NULL: OpenSSL failed. */
static X509 *begin_certificate(EVP_PKEY *key, int64_t now_wall_ns, int64_t to_wall_ns)
{
    X509 *certificate = X509_new();
    int64_t from = now_wall_ns - BACKDATE_SECONDS * YK_NS_PER_S;
    if (certificate != NULL && X509_set_version(certificate, X509_VERSION_3) == 1 &&
        set_serial(certificate, now_wall_ns) && set_times(certificate, from, to_wall_ns) &&
        X509_set_pubkey(certificate, key) == 1 && add_name(certificate, "O", ORGANIZATION))
        return certificate;
    X509_free(certificate);
    return NULL;
}

static X509 *make_authority(EVP_PKEY *key, int days, int64_t now_wall_ns)
{
    X509 *made = begin_certificate(key, now_wall_ns, now_wall_ns + (int64_t)days * DAY_SECONDS * YK_NS_PER_S);
    if (made != NULL && X509_set_issuer_name(made, X509_get_subject_name(made)) == 1 &&
        add_extension(made, made, NID_basic_constraints, "critical,CA:TRUE") &&
        add_extension(made, made, NID_key_usage, "critical,digitalSignature,keyCertSign") &&
        add_extension(made, made, NID_ext_key_usage, "clientAuth,serverAuth") &&
        add_extension(made, made, NID_subject_key_identifier, "hash") &&
        X509_sign(made, key, EVP_sha256()) > 0)
        return made;
    X509_free(made);
    return NULL;
}

static enum yk_status new_authority(int days, int64_t now_wall_ns, struct yk_key_pair *ret_pair,
                                    struct yk_err *err)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *made = key != NULL ? make_authority(key, days, now_wall_ns) : NULL;
    struct yk_key_pair pair = {0};
    if (made != NULL)
        pair = (struct yk_key_pair){write_certificate(made), write_key(key)};
    X509_free(made);
    EVP_PKEY_free(key);
    if (pair.cert_pem == NULL || pair.key_pem == NULL) {
        yk_key_pair_done(&pair);
        return fail_openssl(err, "a certificate authority");
    }
    *ret_pair = pair;
    return YK_OK;
}

/* ---- authorities ---- */

static bool is_authority(X509 *certificate)
{
    return X509_check_ca(certificate) == 1 && (X509_get_key_usage(certificate) & KU_KEY_CERT_SIGN) != 0;
}

/* Reads the certificate and the key of an authority. NULL: they cannot be used to sign. */
static X509 *read_authority(const struct yk_key_pair *pair, EVP_PKEY **ret_key)
{
    X509 *certificate = read_certificate(pair->cert_pem);
    EVP_PKEY *key = read_key(pair->key_pem);
    if (certificate != NULL && key != NULL && is_authority(certificate) &&
        X509_check_private_key(certificate, key) == 1) {
        *ret_key = key;
        return certificate;
    }
    ERR_clear_error();
    X509_free(certificate);
    EVP_PKEY_free(key);
    return NULL;
}

/* Canonical PEM of a certificate that stays; NULL: it has to be replaced. */
static char *text_to_keep(const struct yk_key_pair *pair, int64_t now_wall_ns)
{
    EVP_PKEY *key = NULL;
    X509 *certificate = read_authority(pair, &key);
    char *text = NULL;
    int64_t limit = now_wall_ns + (int64_t)YK_CA_RENEW_DAYS * DAY_SECONDS * YK_NS_PER_S;
    int64_t start_limit = now_wall_ns + (int64_t)YK_CA_SKEW_SECONDS * YK_NS_PER_S;
    if (certificate != NULL && wall_ns_of(X509_get0_notAfter(certificate)) > limit &&
        wall_ns_of(X509_get0_notBefore(certificate)) <= start_limit)
        text = write_certificate(certificate);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return text;
}

enum yk_status yk_ca_pair_renew(struct yk_ca_pair *pair, int64_t now_wall_ns, unsigned *ret_renewed,
                                struct yk_err *err)
{
    struct yk_ca_pair fresh = {0};
    char *kept[YK_CA_COUNT];
    unsigned renewed = 0;
    enum yk_status st = YK_OK;
    for (int i = 0; i < YK_CA_COUNT; i++) {
        kept[i] = text_to_keep(&pair->ca[i], now_wall_ns);
        renewed |= kept[i] == NULL ? 1u << i : 0;
    }
    bool all_new = renewed == (1u << YK_CA_COUNT) - 1;
    for (int i = 0; i < YK_CA_COUNT && st == YK_OK; i++) {
        if ((renewed & 1u << i) != 0) /* the serials differ by a microsecond */
            st = new_authority(all_new && i == 0 ? YK_CA_FIRST_DAYS : YK_CA_DAYS,
                               now_wall_ns + i * YK_NS_PER_US, &fresh.ca[i], err);
    }
    for (int i = 0; i < YK_CA_COUNT; i++) {
        if (st == YK_OK && kept[i] != NULL) {
            free(pair->ca[i].cert_pem);
            pair->ca[i].cert_pem = yk_move(kept[i]);
        } else if (st == YK_OK) {
            yk_key_pair_done(&pair->ca[i]);
            pair->ca[i] = fresh.ca[i];
            fresh.ca[i] = (struct yk_key_pair){0};
        }
        free(kept[i]);
    }
    yk_ca_pair_done(&fresh);
    if (st == YK_OK)
        *ret_renewed = renewed;
    return st;
}

void yk_ca_pair_bundle(const struct yk_ca_pair *pair, struct yk_buf *ret_pem)
{
    for (int i = 0; i < YK_CA_COUNT; i++) {
        if (pair->ca[i].cert_pem != NULL)
            yk_buf_text(ret_pem, pair->ca[i].cert_pem);
    }
}

bool yk_ca_pair_signed(const struct yk_ca_pair *pair, const char *pem)
{
    X509 *certificate = read_certificate(pem);
    bool is_signed = false;
    for (int i = 0; i < YK_CA_COUNT && certificate != NULL; i++) {
        X509 *authority = read_certificate(pair->ca[i].cert_pem);
        is_signed =
            is_signed || (authority != NULL && X509_verify(certificate, X509_get0_pubkey(authority)) == 1);
        X509_free(authority);
    }
    X509_free(certificate);
    ERR_clear_error();
    return is_signed;
}

/* ---- serving certificate ---- */

static bool is_address(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

/* Whether a name can be part of the list of names in a certificate: a comma or a line end would add another
 * name. */
static bool is_plain(const char *name)
{
    return name[0] != '\0' && name[strcspn(name, ",\\\"\r\n ")] == '\0';
}

static void write_names(const struct yk_serving_names *names, struct yk_buf *text)
{
    yk_buf_printf(text, "DNS:%s,DNS:%s.%s,DNS:%s.%s.svc", names->service, names->service, names->namespace_,
                  names->service, names->namespace_);
    if (names->host != NULL)
        yk_buf_printf(text, ",%s:%s", is_address(names->host) ? "IP" : "DNS", names->host);
}

/* A common name can have at most 64 bytes. A longer one is left out: clients read the alternative names. */
static bool add_common_name(X509 *certificate, const struct yk_serving_names *names)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    yk_buf_printf(&text, "%s.%s.svc", names->service, names->namespace_);
    return text.len > COMMON_NAME_MAX || add_name(certificate, "CN", yk_buf_cstr(&text));
}

static X509 *make_serving(EVP_PKEY *key, X509 *authority, EVP_PKEY *authority_key,
                          const struct yk_serving_names *names, int64_t now_wall_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf alternatives = {0};
    int64_t to = now_wall_ns + (int64_t)YK_SERVING_DAYS * DAY_SECONDS * YK_NS_PER_S;
    to = YK_MIN(to, wall_ns_of(X509_get0_notAfter(authority)));
    write_names(names, &alternatives);
    X509 *made = begin_certificate(key, now_wall_ns, to);
    if (made != NULL && add_common_name(made, names) &&
        X509_set_issuer_name(made, X509_get_subject_name(authority)) == 1 &&
        add_extension(made, authority, NID_basic_constraints, "critical,CA:FALSE") &&
        add_extension(made, authority, NID_key_usage, "critical,digitalSignature") &&
        add_extension(made, authority, NID_ext_key_usage, "serverAuth") &&
        /* Without a key identifier of the authority, there is nothing to refer to. */
        (X509_get0_subject_key_id(authority) == NULL ||
         add_extension(made, authority, NID_authority_key_identifier, "keyid")) &&
        add_extension(made, authority, NID_subject_alt_name, yk_buf_cstr(&alternatives)) &&
        X509_sign(made, authority_key, EVP_sha256()) > 0)
        return made;
    X509_free(made);
    return NULL;
}

static char *write_chain(X509 *certificate, X509 *authority)
{
    YK_CLEANUP(yk_freep) char *first = write_certificate(certificate);
    YK_CLEANUP(yk_freep) char *second = write_certificate(authority);
    struct yk_buf chain = {0};
    if (first == NULL || second == NULL)
        return NULL;
    yk_buf_text(&chain, first);
    yk_buf_text(&chain, second);
    return yk_buf_take(&chain);
}

/* The authority that expires later; the second one when both expire at the same time. */
static const struct yk_key_pair *later_of(const struct yk_ca_pair *pair)
{
    int64_t first = yk_certificate_expiry_wall_ns(pair->ca[0].cert_pem);
    int64_t second = yk_certificate_expiry_wall_ns(pair->ca[1].cert_pem);
    return first > second ? &pair->ca[0] : &pair->ca[1];
}

enum yk_status yk_serving_certificate(const struct yk_ca_pair *pair, const struct yk_serving_names *names,
                                      int64_t now_wall_ns, struct yk_key_pair *ret_pair, struct yk_err *err)
{
    EVP_PKEY *authority_key = NULL;
    struct yk_key_pair made = {0};
    if (!is_plain(names->service) || !is_plain(names->namespace_) ||
        (names->host != NULL && !is_plain(names->host)))
        return yk_fail(err, YK_ERR_INVALID, "'%s.%s', '%s': not names of a server", names->service,
                       names->namespace_, names->host != NULL ? names->host : "");
    X509 *authority = read_authority(later_of(pair), &authority_key);
    if (authority == NULL)
        return yk_fail(err, YK_ERR_INVALID, "the certificate authority cannot be read");
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = key != NULL ? make_serving(key, authority, authority_key, names, now_wall_ns) : NULL;
    if (certificate != NULL)
        made = (struct yk_key_pair){write_chain(certificate, authority), write_key(key)};
    X509_free(certificate);
    EVP_PKEY_free(key);
    X509_free(authority);
    EVP_PKEY_free(authority_key);
    if (made.cert_pem == NULL || made.key_pem == NULL) {
        yk_key_pair_done(&made);
        return fail_openssl(err, "a serving certificate");
    }
    *ret_pair = made;
    return YK_OK;
}
