/* SPDX-License-Identifier: Apache-2.0 */
#include "http/tls.h"

#include "base/log.h"
#include "base/vec.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

enum { CERT, KEY, CLIENT_CA, FILES };
enum { NAME_MAX_BYTES = 1024, ORGANIZATIONS_MAX = 256 };

struct stamp { /* a file as it was read */
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
    int64_t looked_mono_ns;
    SSL_CTX *context;
};

/* ---- files ---- */

static void stamp_of(const char *path, struct stamp *ret)
{
    struct stat found;
    *ret = (struct stamp){0};
    if (path == NULL || stat(path, &found) != 0)
        return; /* reading it will say what is wrong */
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

static enum yk_status load(SSL_CTX *context, char *const paths[FILES], struct yk_err *err)
{
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, paths[CERT]) != 1)
        return refuse("certificate", paths[CERT], err);
    if (SSL_CTX_use_PrivateKey_file(context, paths[KEY], SSL_FILETYPE_PEM) != 1)
        return refuse("key", paths[KEY], err);
    if (SSL_CTX_check_private_key(context) != 1)
        return refuse("key", paths[KEY], err);
    if (paths[CLIENT_CA] == NULL)
        return YK_OK;
    STACK_OF(X509_NAME) *names = SSL_load_client_CA_file(paths[CLIENT_CA]);
    if (names == NULL || SSL_CTX_load_verify_locations(context, paths[CLIENT_CA], NULL) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        return refuse("authorities of clients", paths[CLIENT_CA], err);
    }
    SSL_CTX_set_client_CA_list(context, names); /* taken */
    /* Whoever shows none is nobody, and may still read. */
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    return YK_OK;
}

static enum yk_status context_new(const struct yk_tls *tls, SSL_CTX **ret_context, struct yk_err *err)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "TLS: cannot start");
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    enum yk_status st = SSL_CTX_set_min_proto_version(context, tls->min_version) == 1
                            ? load(context, tls->paths, err)
                            : yk_fail(err, YK_ERR_INVALID, "TLS: the least version cannot be set");
    if (st == YK_OK)
        *ret_context = context;
    else
        SSL_CTX_free(context);
    return st;
}

/* ---- life ---- */

static char *path_or_null(const char *path)
{
    return path != NULL && path[0] != '\0' ? yk_strdup(path) : NULL;
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
    if (tls->paths[CERT] == NULL || tls->paths[KEY] == NULL)
        return yk_fail(err, YK_ERR_INVALID, "TLS needs a certificate and a key");
    for (int i = 0; i < FILES; i++)
        stamp_of(tls->paths[i], &tls->stamps[i]);
    enum yk_status st = context_new(tls, &tls->context, err);
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
    SSL_CTX_free(tls->context);
    free(tls);
}

/* Half of a change may be there: then the rest is seen at the next look. */
static void look_again(struct yk_tls *tls)
{
    struct stamp stamps[FILES];
    bool changed = false;
    int64_t now = yk_clock_mono_ns(tls->clock);
    if (now - tls->looked_mono_ns < YK_TLS_LOOK_SECONDS * YK_NS_PER_S)
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
    if (context_new(tls, &context, &err) != YK_OK) {
        yk_error(yk_log_rest, "changed TLS files cannot be used, the old ones stay in force",
                 KV("err", err.text));
        return;
    }
    SSL_CTX_free(tls->context);
    tls->context = context;
    yk_info(yk_log_rest, "changed TLS files are in force", KV("certificate", (const char *)tls->paths[CERT]));
}

struct ssl_st *yk_tls_accept(struct yk_tls *tls)
{
    look_again(tls);
    return SSL_new(tls->context);
}

/* ---- who it is ---- */

/* One value of the subject; NULL: empty, too long, or not a text that C can hold. */
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

/* Exactly one common name: with two of them it is not clear who it is. */
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
    (void)SSL_shutdown(ssl); /* politeness: the length was in the head */
    ERR_clear_error();
}
