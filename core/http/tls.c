/* SPDX-License-Identifier: Apache-2.0 */
#include "http/tls.h"

#include "base/log.h"
#include "base/vec.h"
#include "http/certificates.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

enum { CERT, KEY, CLIENT_CA, FILES };
enum { NAME_MAX_BYTES = 1024, ORGANIZATIONS_MAX = 256 };

#define DAY_NS   (24 * 60 * 60 * YK_NS_PER_S)
#define RENEW_NS (YK_TLS_RENEW_DAYS * DAY_NS)
#define RETRY_NS (60 * YK_NS_PER_S)

struct stamp { /* the state of a file when it was read; compared to find changes */
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct yk_tls {
    char *paths[FILES]; /* owned; NULL: none */
    struct stamp stamps[FILES];
    int min_version;
    const struct yk_clock *clock;
    int64_t looked_mono_ns; /* when files were last checked for changes */
    /* Names for a certificate that is made here; owned. `service` NULL: none is made. */
    char *service, *namespace_, *host;
    int64_t renew_wall_ns; /* when to make the next one */
    SSL_CTX *context;
};

/* ---- files ---- */

static void stamp_of(const char *path, struct stamp *ret)
{
    struct stat found;
    *ret = (struct stamp){0};
    if (path == NULL || stat(path, &found) != 0)
        return; /* the function that reads the file reports the error */
    *ret = (struct stamp){found.st_dev, found.st_ino, found.st_size, found.st_mtim};
}

static bool same(const struct stamp *a, const struct stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static enum yk_status refuse(const char *what, const char *path, struct yk_err *err)
{
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    enum yk_status st =
        yk_fail(err, YK_ERR_INVALID, "%s '%s': %s", what, path, reason != NULL ? reason : "cannot be used");
    ERR_clear_error();
    return st;
}

static enum yk_status load_files(SSL_CTX *context, char *const paths[FILES], struct yk_err *err)
{
    if (SSL_CTX_use_certificate_chain_file(context, paths[CERT]) != 1)
        return refuse("certificate", paths[CERT], err);
    if (SSL_CTX_use_PrivateKey_file(context, paths[KEY], SSL_FILETYPE_PEM) != 1)
        return refuse("key", paths[KEY], err);
    if (SSL_CTX_check_private_key(context) != 1)
        return refuse("key", paths[KEY], err);
    return YK_OK;
}

static enum yk_status load_client_ca(SSL_CTX *context, const char *path, struct yk_err *err)
{
    if (path == NULL)
        return YK_OK;
    STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(path);
    if (names == NULL || SSL_CTX_load_verify_locations(context, path, NULL) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        return refuse("authorities of clients", path, err);
    }
    SSL_CTX_set_client_CA_list(context, names); /* taken */
    /* A client without a certificate is accepted as anonymous. */
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    return YK_OK;
}

/* ---- memory ---- */

/* Without this callback, OpenSSL would ask the terminal for the passphrase of an encrypted key. */
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

static bool use_chain(SSL_CTX *context, BIO *pem)
{
    X509 *certificate = PEM_read_bio_X509_AUX(pem, NULL, no_passphrase, NULL);
    bool is_used = certificate != NULL && SSL_CTX_use_certificate(context, certificate) == 1;
    X509_free(certificate);
    while (is_used && (certificate = PEM_read_bio_X509(pem, NULL, no_passphrase, NULL)) != NULL) {
        is_used = SSL_CTX_add0_chain_cert(context, certificate) == 1; /* taken on success */
        if (!is_used)
            X509_free(certificate);
    }
    if (is_used)
        ERR_clear_error(); /* the end of the text is reported as an error */
    return is_used;
}

static bool use_key(SSL_CTX *context, BIO *pem)
{
    EVP_PKEY *key = PEM_read_bio_PrivateKey(pem, NULL, no_passphrase, NULL);
    bool is_used = key != NULL && SSL_CTX_use_PrivateKey(context, key) == 1;
    EVP_PKEY_free(key);
    return is_used && SSL_CTX_check_private_key(context) == 1;
}

/* Calls `use` with the PEM text. `what` names the text in the error. */
static enum yk_status load_text(SSL_CTX *context, struct yk_str text, bool (*use)(SSL_CTX *, BIO *),
                                const char *what, struct yk_err *err)
{
    BIO *pem =
        text.len <= YK_TLS_FILE_MAX ? BIO_new_mem_buf(text.p != NULL ? text.p : "", (int)text.len) : NULL;
    bool is_used = pem != NULL && use(context, pem);
    BIO_free(pem);
    return is_used ? YK_OK : refuse(what, "in memory", err);
}

/* Takes certificate and key from the context in use. */
static enum yk_status load_present(SSL_CTX *context, SSL_CTX *present, struct yk_err *err)
{
    STACK_OF(X509) *chain = NULL;
    bool is_used = SSL_CTX_get0_chain_certs(present, &chain) == 1 &&
                   SSL_CTX_use_cert_and_key(context, SSL_CTX_get0_certificate(present),
                                            SSL_CTX_get0_privatekey(present), chain, 1) == 1;
    return is_used ? YK_OK : refuse("certificate", "in memory", err);
}

/* `cert_pem.p` NULL: the certificate is that of the file, or stays the same if there is no file. */
static enum yk_status load(SSL_CTX *context, const struct yk_tls *tls, struct yk_str cert_pem,
                           struct yk_str key_pem, struct yk_err *err)
{
    enum yk_status st;
    ERR_clear_error();
    if (tls->paths[CERT] != NULL) {
        st = load_files(context, tls->paths, err);
    } else if (cert_pem.p == NULL && tls->context != NULL) {
        st = load_present(context, tls->context, err);
    } else {
        st = load_text(context, cert_pem, use_chain, "certificate", err);
        if (st == YK_OK)
            st = load_text(context, key_pem, use_key, "key", err);
    }
    return st == YK_OK ? load_client_ca(context, tls->paths[CLIENT_CA], err) : st;
}

/* ---- context ---- */

static enum yk_status context_new(const struct yk_tls *tls, struct yk_str cert_pem, struct yk_str key_pem,
                                  SSL_CTX **ret_context, struct yk_err *err)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "TLS: cannot start");
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    enum yk_status st = SSL_CTX_set_min_proto_version(context, tls->min_version) == 1
                            ? load(context, tls, cert_pem, key_pem, err)
                            : yk_fail(err, YK_ERR_INVALID, "TLS: the least version cannot be set");
    if (st == YK_OK)
        *ret_context = context;
    else
        SSL_CTX_free(context);
    return st;
}

/* ---- certificates that are made here ---- */

/* The authority signs this certificate only, and its key is dropped, so nothing else can be signed with
 * it. */
static enum yk_status make_own(const struct yk_tls *tls, int64_t now_wall_ns, struct yk_key_pair *ret_pair,
                               struct yk_err *err)
{
    const struct yk_serving_names names = {
        .service = tls->service, .namespace_ = tls->namespace_, .host = tls->host};
    struct yk_ca_pair authorities = {0};
    unsigned renewed;
    enum yk_status st = yk_ca_pair_renew(&authorities, now_wall_ns, &renewed, err);
    if (st == YK_OK)
        st = yk_serving_certificate(&authorities, &names, now_wall_ns, ret_pair, err);
    yk_ca_pair_done(&authorities);
    return st;
}

/* Makes a certificate and its context. Sets the time of the next one: RENEW_NS later, or RETRY_NS if that
 * fails, also because the file of the authority for clients cannot be read now. */
static enum yk_status renew_own(struct yk_tls *tls, SSL_CTX **ret_context, struct yk_err *err)
{
    struct yk_key_pair pair = {0};
    int64_t now_wall_ns = yk_clock_wall_ns(tls->clock);
    enum yk_status st = make_own(tls, now_wall_ns, &pair, err);
    if (st == YK_OK)
        st = context_new(tls, yk_str_from(pair.cert_pem), yk_str_from(pair.key_pem), ret_context, err);
    tls->renew_wall_ns = now_wall_ns + (st == YK_OK ? RENEW_NS : RETRY_NS);
    yk_key_pair_done(&pair);
    return st;
}

static bool is_self_signed(const struct yk_tls *tls)
{
    return tls->service != NULL;
}

/* ---- creation and removal ---- */

static char *path_or_null(const char *path)
{
    return path != NULL && path[0] != '\0' ? yk_strdup(path) : NULL;
}

static void take_names(struct yk_tls *tls, const struct yk_tls_options *options)
{
    const struct yk_serving_names *names = options->self_signed;
    if (names == NULL || tls->paths[CERT] != NULL || options->cert_pem.len > 0)
        return;
    tls->service = yk_strdup(names->service);
    tls->namespace_ = yk_strdup(names->namespace_);
    tls->host = names->host != NULL ? yk_strdup(names->host) : NULL;
}

enum yk_status yk_tls_new(const struct yk_tls_options *options, struct yk_tls **ret_tls, struct yk_err *err)
{
    YK_CLEANUP(yk_tls_freep) struct yk_tls *tls = yk_new0(struct yk_tls);
    const char *version = options->min_version != NULL ? options->min_version : "";
    tls->clock = options->clock;
    tls->looked_mono_ns = yk_clock_mono_ns(options->clock);
    tls->paths[CERT] = path_or_null(options->cert_file);
    tls->paths[KEY] = path_or_null(options->key_file);
    tls->paths[CLIENT_CA] = path_or_null(options->client_ca_file);
    tls->min_version = strcmp(version, "1.3") == 0 ? TLS1_3_VERSION : TLS1_2_VERSION;
    take_names(tls, options);
    bool is_complete = tls->paths[CERT] != NULL ? tls->paths[KEY] != NULL
                                                : options->cert_pem.len > 0 && options->key_pem.len > 0;
    if (!is_complete && !is_self_signed(tls))
        return yk_fail(err, YK_ERR_INVALID, "TLS needs a certificate and a key");
    for (int i = 0; i < FILES; i++)
        stamp_of(tls->paths[i], &tls->stamps[i]);
    enum yk_status st = is_self_signed(tls)
                            ? renew_own(tls, &tls->context, err)
                            : context_new(tls, options->cert_pem, options->key_pem, &tls->context, err);
    if (st == YK_OK)
        *ret_tls = yk_move(tls);
    return st;
}

void yk_tls_free(struct yk_tls *tls)
{
    if (tls == NULL)
        return;
    for (int i = 0; i < FILES; i++)
        free(tls->paths[i]);
    free(tls->service);
    free(tls->namespace_);
    free(tls->host);
    SSL_CTX_free(tls->context);
    free(tls);
}

enum yk_status yk_tls_replace(struct yk_tls *tls, struct yk_str cert_pem, struct yk_str key_pem,
                              struct yk_err *err)
{
    SSL_CTX *context;
    if (tls->paths[CERT] != NULL)
        return yk_fail(err, YK_ERR_STATE, "the certificate is read from '%s'", tls->paths[CERT]);
    if (is_self_signed(tls))
        return yk_fail(err, YK_ERR_STATE, "the certificate of '%s' is made here", tls->service);
    enum yk_status st = context_new(tls, cert_pem, key_pem, &context, err);
    if (st != YK_OK)
        return st;
    SSL_CTX_free(tls->context); /* connections hold references */
    tls->context = context;
    return YK_OK;
}

/* Reads the files again if one has changed. If certificate and key do not match, because only one of the two
 * has been replaced so far, a later check sees the change of the other. */
static void look_again(struct yk_tls *tls)
{
    struct stamp stamps[FILES];
    bool changed = false;
    int64_t now = yk_clock_mono_ns(tls->clock);
    bool has_files = tls->paths[CERT] != NULL || tls->paths[CLIENT_CA] != NULL;
    if (!has_files || now - tls->looked_mono_ns < YK_TLS_LOOK_SECONDS * YK_NS_PER_S)
        return;
    tls->looked_mono_ns = now;
    for (int i = 0; i < FILES; i++) {
        stamp_of(tls->paths[i], &stamps[i]);
        changed = changed || !same(&stamps[i], &tls->stamps[i]);
    }
    if (!changed)
        return;
    memcpy(tls->stamps, stamps, sizeof(stamps));
    SSL_CTX *context;
    struct yk_err err;
    if (context_new(tls, (struct yk_str){0}, (struct yk_str){0}, &context, &err) != YK_OK) {
        yk_error(yk_log_rest, "changed TLS files cannot be used, the old ones stay in force",
                 KV("err", err.text));
        return;
    }
    SSL_CTX_free(tls->context);
    tls->context = context;
    const char *certificate = tls->paths[CERT] != NULL ? tls->paths[CERT] : "in memory";
    yk_info(yk_log_rest, "changed TLS files are in force", KV("certificate", certificate));
}

static void renew_if_due(struct yk_tls *tls)
{
    SSL_CTX *context = NULL;
    struct yk_err err;
    if (!is_self_signed(tls) || yk_clock_wall_ns(tls->clock) < tls->renew_wall_ns)
        return;
    if (renew_own(tls, &context, &err) != YK_OK) {
        yk_error(yk_log_rest, "the certificate cannot be renewed, the old one stays in force",
                 KV("err", err.text));
        return;
    }
    SSL_CTX_free(tls->context);
    tls->context = context;
    yk_info(yk_log_rest, "the certificate was renewed", KV("service", (const char *)tls->service));
}

struct ssl_st *yk_tls_accept(struct yk_tls *tls)
{
    look_again(tls);
    renew_if_due(tls);
    return SSL_new(tls->context);
}

/* ---- who it is ---- */

/* The text of one entry of the subject, which the caller frees; NULL: it is empty, too long or has a NUL
 * byte. */
static char *entry_text(X509_NAME *subject, int index)
{
    unsigned char *bytes = NULL;
    char *text = NULL;
    int len = ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
    if (len > 0 && len <= NAME_MAX_BYTES && memchr(bytes, '\0', (size_t)len) == NULL)
        text = yk_strndup((const char *)bytes, (size_t)len);
    OPENSSL_free(bytes);
    return text;
}

/* The common name of the subject; NULL: there is none, or more than one, so that the user is not clear. */
static char *user_of(X509_NAME *subject)
{
    int first = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    if (first < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, first) >= 0)
        return NULL;
    return entry_text(subject, first);
}

static void take_subject(X509_NAME *subject, struct yk_caller *caller)
{
    caller->user = user_of(subject);
    if (caller->user == NULL)
        return;
    caller->groups = yk_new0_array(char *, ORGANIZATIONS_MAX);
    for (int at = -1; caller->group_count < ORGANIZATIONS_MAX;) {
        at = X509_NAME_get_index_by_NID(subject, NID_organizationName, at);
        if (at < 0)
            break;
        char *group = entry_text(subject, at);
        if (group != NULL)
            caller->groups[caller->group_count++] = group;
    }
}

void yk_tls_caller(struct ssl_st *ssl, struct yk_caller *ret_caller)
{
    *ret_caller = (struct yk_caller){0};
    X509 *certificate = SSL_get1_peer_certificate(ssl);
    if (certificate != NULL && (SSL_get_verify_mode(ssl) & SSL_VERIFY_PEER) != 0 &&
        SSL_get_verify_result(ssl) == X509_V_OK)
        take_subject(X509_get_subject_name(certificate), ret_caller);
    X509_free(certificate);
}

void yk_tls_say_goodbye(struct ssl_st *ssl)
{
    if (ssl == NULL || SSL_in_init(ssl) || (SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN) != 0)
        return;
    (void)SSL_shutdown(ssl); /* its result does not matter: the client knows the length from the head */
    ERR_clear_error();
}
