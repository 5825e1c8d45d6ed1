/* SPDX-License-Identifier: Apache-2.0 */
#include "client/identity.h"

#include "base/log.h"

#include <openssl/err.h>
#include <openssl/pem.h>

enum { PEM_FILE_MAX = 4 << 20, TOKEN_FILE_MAX = 1 << 20 };

static const int64_t token_age_ns = 50 * YK_NS_PER_S; /* as in other clients: a minute less 10 s */
static const int64_t pem_age_ns = 300 * YK_NS_PER_S;
/* the plug-in is not run again if a credential is refused that is younger than this */
static const int64_t plugin_pause_ns = 5 * YK_NS_PER_S;

struct yk_identity {
    /* Fixed for life. */
    struct yk_access *access; /* owned */
    const struct yk_clock *clock;
    /* Replaced when the files change. */
    char *token; /* NULL: there is none */
    struct yk_buf ca, certificate, key;
    uint64_t generation, certificate_generation;
    /* When the files were read last. */
    int64_t token_read_mono_ns, pem_read_mono_ns;
    bool token_is_stale; /* the token was refused: yk_identity_refresh() reads the file */
    /* Only with a plug-in. */
    uint64_t credential; /* how many credentials the plug-in has given */
    int64_t expires_wall_ns, given_mono_ns;
    bool is_refused;
    /* The problem that was logged last; empty: since then, files were read without an error. */
    struct yk_err last_trouble;
};

/* If both texts of `source` are NULL, the text is empty. */
static enum yk_status load_pem(const struct yk_pem_source *source, struct yk_buf *ret_pem, struct yk_err *err)
{
    ret_pem->max = PEM_FILE_MAX;
    if (source->data != NULL)
        yk_buf_text(ret_pem, source->data);
    else if (source->file != NULL)
        return yk_file_read(source->file, ret_pem, err);
    return YK_OK;
}

static X509 *first_certificate(const struct yk_buf *pem)
{
    BIO *bio = BIO_new_mem_buf(pem->p, (int)pem->len); /* PEM_FILE_MAX fits an int */
    X509 *certificate = bio != NULL ? PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    return certificate;
}

static enum yk_status check_ca(const struct yk_buf *ca, struct yk_err *err)
{
    X509 *certificate = ca->len > 0 ? first_certificate(ca) : NULL;
    if (certificate == NULL)
        return yk_fail(err, YK_ERR_INVALID, "the certificate authority holds no PEM certificate");
    X509_free(certificate);
    return YK_OK;
}

/* Gives no pass phrase, so that OpenSSL does not ask for one on the terminal. */
static int no_passphrase(char *text, int size, int writing, void *context)
{
    (void)text;
    (void)size;
    (void)writing;
    (void)context;
    return 0;
}

static enum yk_status check_pair(const struct yk_buf *certificate, const struct yk_buf *key,
                                 struct yk_err *err)
{
    X509 *x509 = certificate->len > 0 ? first_certificate(certificate) : NULL;
    BIO *bio = key->len > 0 ? BIO_new_mem_buf(key->p, (int)key->len) : NULL;
    EVP_PKEY *private_key = bio != NULL ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL) : NULL;
    enum yk_status st = YK_OK;
    if (x509 == NULL)
        st = yk_fail(err, YK_ERR_INVALID, "the client certificate is not PEM");
    else if (private_key == NULL)
        st = yk_fail(err, YK_ERR_INVALID, "the client key is not PEM or has a pass phrase");
    else if (X509_check_private_key(x509, private_key) != 1)
        st = yk_fail(err, YK_ERR_INVALID, "the client key does not belong to the client certificate");
    X509_free(x509);
    EVP_PKEY_free(private_key);
    BIO_free(bio);
    ERR_clear_error();
    return st;
}

static bool same(const struct yk_buf *a, const struct yk_buf *b)
{
    return yk_str_eq(yk_buf_view(a), yk_buf_view(b));
}

static bool replace(struct yk_buf *current, struct yk_buf *fresh)
{
    bool changed = !same(current, fresh);
    if (changed) {
        yk_buf_wipe(current);
        *current = *fresh;
        *fresh = (struct yk_buf){0};
    }
    return changed;
}

static enum yk_status reload_ca(struct yk_identity *identity, struct yk_err *err)
{
    const struct yk_pem_source *source = &identity->access->ca;
    if (source->data == NULL && source->file == NULL)
        return YK_OK;
    struct yk_buf fresh = {0};
    enum yk_status st = load_pem(source, &fresh, err);
    if (st == YK_OK)
        st = check_ca(&fresh, err);
    if (st != YK_OK && source->file != NULL)
        st = yk_fail_in(err, st, "certificate authority '%s'", source->file);
    if (st == YK_OK && replace(&identity->ca, &fresh))
        identity->generation++;
    yk_buf_wipe(&fresh);
    return st;
}

static enum yk_status reload_pair(struct yk_identity *identity, struct yk_err *err)
{
    const struct yk_access *access = identity->access;
    if (access->certificate.data == NULL && access->certificate.file == NULL)
        return YK_OK;
    struct yk_buf certificate = {0}, key = {0};
    enum yk_status st = load_pem(&access->certificate, &certificate, err);
    if (st == YK_OK)
        st = load_pem(&access->key, &key, err);
    if (st == YK_OK)
        st = check_pair(&certificate, &key, err);
    if (st == YK_OK) {
        bool changed = replace(&identity->certificate, &certificate);
        if (replace(&identity->key, &key) || changed) {
            identity->generation++;
            identity->certificate_generation++;
        }
    }
    yk_buf_wipe(&certificate);
    yk_buf_wipe(&key);
    return st;
}

static bool is_header_safe(struct yk_str token)
{
    for (size_t i = 0; i < token.len; i++) {
        if (token.p[i] <= ' ' || token.p[i] >= 0x7f)
            return false;
    }
    return token.len > 0;
}

static enum yk_status check_token(struct yk_str token, struct yk_err *err)
{
    if (token.len == 0)
        return yk_fail(err, YK_ERR_INVALID, "the token is empty");
    return is_header_safe(token)
               ? YK_OK
               : yk_fail(err, YK_ERR_INVALID, "the token has a byte that no token may have");
}

static void set_token(struct yk_identity *identity, struct yk_str token)
{
    if (identity->token != NULL && yk_str_is(token, identity->token))
        return;
    yk_secret_free(identity->token);
    identity->token = token.p != NULL ? yk_str_dup(token) : NULL;
}

static enum yk_status reload_token(struct yk_identity *identity, struct yk_err *err)
{
    struct yk_buf text = {.max = TOKEN_FILE_MAX};
    enum yk_status st = yk_file_read(identity->access->token_file, &text, err);
    struct yk_str token = yk_str_trim(yk_buf_view(&text));
    if (st == YK_OK)
        st = check_token(token, err);
    if (st == YK_OK)
        set_token(identity, token);
    else
        st = yk_fail_in(err, st, "token file '%s'", identity->access->token_file);
    yk_buf_wipe(&text);
    return st;
}

static enum yk_status load_first_token(struct yk_identity *identity, struct yk_err *err)
{
    const struct yk_access *access = identity->access;
    enum yk_status st = YK_OK;
    if (access->token != NULL) {
        struct yk_str token = yk_str_trim(yk_str_from(access->token));
        st = check_token(token, err);
        if (st == YK_OK)
            set_token(identity, token);
    }
    if (access->token_file != NULL) {
        enum yk_status from_file = reload_token(identity, err);
        if (identity->token == NULL)
            st = from_file;
    }
    return st;
}

enum yk_status yk_identity_new(struct yk_access *access, const struct yk_clock *clock,
                               struct yk_identity **ret_identity, struct yk_err *err)
{
    YK_CLEANUP(yk_identity_freep) struct yk_identity *identity = yk_new0(struct yk_identity);
    identity->access = access;
    identity->clock = clock;
    identity->token_read_mono_ns = identity->pem_read_mono_ns = yk_clock_mono_ns(clock);
    struct yk_err ca_trouble = {0};
    enum yk_status st = reload_ca(identity, &ca_trouble);
    if (st != YK_OK && access->ca_is_optional) {
        yk_warn(yk_log_client, "certificate authority not usable, trusting the system's",
                KV("err", (const char *)ca_trouble.text));
        st = YK_OK;
    }
    if (st != YK_OK)
        return yk_fail(err, st, "%s", ca_trouble.text);
    st = reload_pair(identity, err);
    if (st == YK_OK)
        st = load_first_token(identity, err);
    if (st != YK_OK)
        return st;
    *ret_identity = yk_move(identity);
    return YK_OK;
}

void yk_identity_free(struct yk_identity *identity)
{
    if (identity == NULL)
        return;
    yk_secret_free(identity->token);
    yk_buf_wipe(&identity->ca);
    yk_buf_wipe(&identity->certificate);
    yk_buf_wipe(&identity->key);
    yk_access_free(identity->access);
    free(identity);
}

const struct yk_access *yk_identity_access(const struct yk_identity *identity)
{
    return identity->access;
}

static void log_trouble(struct yk_identity *identity, const struct yk_err *err)
{
    if (strcmp(identity->last_trouble.text, err->text) == 0)
        return;
    identity->last_trouble = *err;
    yk_warn(yk_log_client, "credentials could not be read again, keeping the last good ones",
            KV("err", err->text));
}

void yk_identity_refresh(struct yk_identity *identity)
{
    int64_t now_ns = yk_clock_mono_ns(identity->clock);
    struct yk_err err = {0};
    bool looked = false;
    enum yk_status st = YK_OK;
    if (identity->access->token_file != NULL &&
        (identity->token_is_stale || now_ns - identity->token_read_mono_ns >= token_age_ns)) {
        looked = true;
        identity->token_is_stale = false;
        identity->token_read_mono_ns = now_ns;
        if ((st = reload_token(identity, &err)) != YK_OK)
            log_trouble(identity, &err);
    }
    if (now_ns - identity->pem_read_mono_ns >= pem_age_ns) {
        enum yk_status ca, pair;
        looked = true;
        identity->pem_read_mono_ns = now_ns;
        if ((ca = reload_ca(identity, &err)) != YK_OK)
            log_trouble(identity, &err);
        if ((pair = reload_pair(identity, &err)) != YK_OK)
            log_trouble(identity, &err);
        st = st != YK_OK ? st : ca != YK_OK ? ca : pair;
    }
    if (looked && st == YK_OK)
        identity->last_trouble.text[0] = '\0';
}

struct yk_str yk_identity_token(const struct yk_identity *identity)
{
    return yk_str_from(identity->token);
}

bool yk_identity_needs_plugin(const struct yk_identity *identity)
{
    if (identity->access->exec == NULL)
        return false;
    return identity->credential == 0 || identity->is_refused ||
           yk_clock_wall_ns(identity->clock) >= identity->expires_wall_ns;
}

uint64_t yk_identity_credential(const struct yk_identity *identity)
{
    return identity->credential;
}

/* `certificate` and `key` are empty if there is no certificate. */
static void put_pair(struct yk_identity *identity, struct yk_buf *certificate, struct yk_buf *key)
{
    bool changed = replace(&identity->certificate, certificate);
    if (!replace(&identity->key, key) && !changed)
        return;
    identity->generation++;
    identity->certificate_generation++;
}

enum yk_status yk_identity_put(struct yk_identity *identity, const struct yk_credential *credential,
                               struct yk_err *err)
{
    struct yk_buf certificate = {.max = PEM_FILE_MAX}, key = {.max = PEM_FILE_MAX};
    struct yk_str token = yk_str_trim(yk_str_from(credential->token));
    enum yk_status st = credential->token != NULL ? check_token(token, err) : YK_OK;
    if (st == YK_OK && credential->certificate != NULL) {
        yk_buf_text(&certificate, credential->certificate);
        yk_buf_text(&key, credential->key);
        st = check_pair(&certificate, &key, err);
    }
    if (st == YK_OK) {
        put_pair(identity, &certificate, &key);
        set_token(identity, token);
        identity->credential++;
        identity->expires_wall_ns = credential->expires_wall_ns;
        identity->given_mono_ns = yk_clock_mono_ns(identity->clock);
        identity->is_refused = false;
    }
    yk_buf_wipe(&certificate);
    yk_buf_wipe(&key);
    return st;
}

/* The credential number `credential` was refused. True: the request is to be sent again, with the present
 * credential if that is a newer one, otherwise with one that the plug-in gives. */
static bool drop_credential(struct yk_identity *identity, uint64_t credential)
{
    if (identity->credential != credential || identity->is_refused)
        return true;
    identity->is_refused = yk_clock_mono_ns(identity->clock) - identity->given_mono_ns >= plugin_pause_ns;
    return identity->is_refused;
}

bool yk_identity_drop_token(struct yk_identity *identity, uint64_t credential)
{
    if (identity->access->exec != NULL)
        return drop_credential(identity, credential);
    identity->token_is_stale = identity->access->token_file != NULL;
    return identity->token_is_stale;
}

static struct yk_str view(const struct yk_buf *pem)
{
    return pem->len > 0 ? yk_buf_view(pem) : (struct yk_str){0};
}

struct yk_identity_tls yk_identity_tls(const struct yk_identity *identity)
{
    return (struct yk_identity_tls){view(&identity->ca), view(&identity->certificate), view(&identity->key),
                                    identity->generation, identity->certificate_generation};
}
