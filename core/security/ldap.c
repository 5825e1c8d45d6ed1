/* SPDX-License-Identifier: Apache-2.0 */
#include "security/ldap.h"

#include "base/clock.h"
#include "base/log.h"
#include "security/ldap_deadline.h"
#include "security/ldap_settings.h"
#include "security/ldap_text.h"

#include <sys/time.h>
#include <unistd.h>

enum {
    ENTRIES_MAX = 64,            /* entries that a filter may find for one user */
    FILTER_BYTES_MAX = 64 << 10, /* bytes of the filter, with the escaped name of the user in it */
    ANSWER_BYTES_MAX = 16 << 20, /* bytes that the server may send for one question */
};

struct yk_ldap {
    char *folder; /* owned */
    int64_t patience_ns, hold_off_ns;
    struct yk_ldap_deadline deadline;
    struct yk_ldap_settings *settings; /* of the connection; owned */
    LDAP *connection;                  /* NULL: none */
    int64_t next_try_mono_ns;          /* no attempt to connect before this time */
    struct yk_err failure;             /* why the connection failed last */
};

struct yk_ldap *yk_ldap_new(const struct yk_ldap_options *options)
{
    struct yk_ldap *ldap = yk_new0(struct yk_ldap);
    ldap->folder = yk_strdup(options->folder);
    ldap->patience_ns = options->patience_ns > 0 ? options->patience_ns : 5 * YK_NS_PER_S;
    ldap->hold_off_ns = options->hold_off_ns > 0 ? options->hold_off_ns : 5 * YK_NS_PER_S;
    ldap->next_try_mono_ns = INT64_MIN;
    return ldap;
}

static void disconnect(struct yk_ldap *ldap)
{
    if (ldap->connection != NULL)
        (void)ldap_unbind_ext(ldap->connection, NULL, NULL); /* frees the connection, also when it fails */
    ldap->connection = NULL;
    yk_ldap_settings_free(ldap->settings);
    ldap->settings = NULL;
}

void yk_ldap_free(struct yk_ldap *ldap)
{
    if (ldap == NULL)
        return;
    disconnect(ldap);
    free(ldap->folder);
    free(ldap);
}

static struct timeval patience_of(const struct yk_ldap *ldap)
{
    return (struct timeval){.tv_sec = ldap->patience_ns / YK_NS_PER_S,
                            .tv_usec = ldap->patience_ns % YK_NS_PER_S / YK_NS_PER_US};
}

static void begin_to_wait(struct yk_ldap *ldap)
{
    ldap->deadline.mono_ns = yk_i64_add(yk_clock_mono_ns(&yk_clock_real), ldap->patience_ns);
    ldap->deadline.bytes_left = ANSWER_BYTES_MAX;
}

/* ---- connecting ---- */

static enum yk_status fail(const struct yk_ldap *ldap, int code, const char *what, struct yk_err *err)
{
    return yk_fail(err, YK_ERR_UNAVAILABLE, "LDAP server '%.128s', port %u: %s: %s", ldap->settings->host,
                   ldap->settings->port, what, ldap_err2string(code));
}

static const char *authorities_of(const struct yk_ldap_settings *settings)
{
    static const char of_the_system[] = "/etc/ssl/certs/ca-certificates.crt";
    if (settings->ca_file != NULL)
        return settings->ca_file;
    return access(of_the_system, R_OK) == 0 ? of_the_system : NULL;
}

static int set_tls(const struct yk_ldap *ldap)
{
    const struct yk_ldap_settings *settings = ldap->settings;
    const char *authorities = authorities_of(settings);
    int check = settings->insecure ? LDAP_OPT_X_TLS_NEVER : LDAP_OPT_X_TLS_DEMAND, as_client = 0;
    int code = ldap_set_option(ldap->connection, LDAP_OPT_X_TLS_REQUIRE_CERT, &check);
    if (code == LDAP_SUCCESS && authorities != NULL)
        code = ldap_set_option(ldap->connection, LDAP_OPT_X_TLS_CACERTFILE, authorities);
    if (code == LDAP_SUCCESS) /* makes a TLS context with these two options */
        code = ldap_set_option(ldap->connection, LDAP_OPT_X_TLS_NEWCTX, &as_client);
    return code;
}

/* Sets the options that matter here, so that they do not come from configuration files of the machine. */
static int set_options(const struct yk_ldap *ldap)
{
    const struct timeval patience = patience_of(ldap);
    const int version = LDAP_VERSION3, aliases = LDAP_DEREF_NEVER, entries = ENTRIES_MAX,
              seconds = (int)YK_MAX(ldap->patience_ns / YK_NS_PER_S, 1);
    const struct {
        int option;
        const void *value;
    } options[] = {
        {LDAP_OPT_PROTOCOL_VERSION, &version}, {LDAP_OPT_NETWORK_TIMEOUT, &patience},
        {LDAP_OPT_TIMEOUT, &patience},         {LDAP_OPT_TIMELIMIT, &seconds},
        {LDAP_OPT_SIZELIMIT, &entries},        {LDAP_OPT_DEREF, &aliases},
        {LDAP_OPT_REFERRALS, LDAP_OPT_OFF}, /* only the named server is asked */
        {LDAP_OPT_RESTART, LDAP_OPT_ON},
    };
    int code = LDAP_SUCCESS;
    for (size_t i = 0; i < YK_COUNT(options) && code == LDAP_SUCCESS; i++)
        code = ldap_set_option(ldap->connection, options[i].option, options[i].value);
    return code == LDAP_SUCCESS && ldap->settings->ssl ? set_tls(ldap) : code;
}

static int bind_as_user(const struct yk_ldap *ldap)
{
    struct berval password = {.bv_val = ldap->settings->bind_password,
                              .bv_len = strlen(ldap->settings->bind_password)};
    return ldap_sasl_bind_s(ldap->connection, ldap->settings->bind_user, LDAP_SASL_SIMPLE, &password, NULL,
                            NULL, NULL);
}

static enum yk_status connect_now(struct yk_ldap *ldap, struct yk_err *err)
{
    begin_to_wait(ldap);
    struct yk_buf uri = {0};
    enum yk_status st = yk_ldap_settings_read(ldap->folder, &ldap->settings, err);
    if (st != YK_OK)
        return st;
    const struct yk_ldap_settings *settings = ldap->settings;
    bool v6 = strchr(settings->host, ':') != NULL;
    yk_buf_printf(&uri, "%s://%s%s%s:%u", settings->ssl ? "ldaps" : "ldap", v6 ? "[" : "", settings->host,
                  v6 ? "]" : "", settings->port);
    int code = ldap_initialize(&ldap->connection, yk_buf_cstr(&uri));
    yk_buf_done(&uri);
    if (code == LDAP_SUCCESS)
        code = set_options(ldap);
    if (code == LDAP_SUCCESS)
        code = yk_ldap_deadline_install(&ldap->deadline, ldap->connection);
    if (code != LDAP_SUCCESS)
        return fail(ldap, code, "cannot set up", err);
    code = bind_as_user(ldap); /* opens the connection, too */
    return code == LDAP_SUCCESS ? YK_OK : fail(ldap, code, "cannot log in", err);
}

static void hold_off(struct yk_ldap *ldap, const struct yk_err *failure)
{
    ldap->failure = *failure;
    ldap->next_try_mono_ns = yk_i64_add(yk_clock_mono_ns(&yk_clock_real), ldap->hold_off_ns);
}

static enum yk_status connect_unless_held_off(struct yk_ldap *ldap, struct yk_err *err)
{
    int64_t now = yk_clock_mono_ns(&yk_clock_real);
    if (ldap->connection != NULL)
        return YK_OK;
    if (now < ldap->next_try_mono_ns)
        return yk_fail(err, YK_ERR_UNAVAILABLE, "%s", ldap->failure.text);
    struct yk_err failure = {0};
    enum yk_status st = connect_now(ldap, &failure);
    if (st == YK_OK) {
        yk_info(yk_log_security, "connected to LDAP", KV("host", ldap->settings->host),
                KV("port", ldap->settings->port));
        return YK_OK;
    }
    disconnect(ldap);
    hold_off(ldap, &failure);
    return yk_fail(err, st, "%s", failure.text);
}

/* ---- asking ---- */

static void add_value(struct yk_user *user, const struct berval *value, size_t *bytes, bool *too_many)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf group = {.max = YK_USER_NAME_BYTES_MAX};
    if (!yk_ldap_first_value((struct yk_str){value->bv_val, value->bv_len}, &group)) {
        yk_debug(yk_log_security, "value that is no distinguished name ignored", KV("user", user->name));
        return;
    }
    *too_many = *too_many || !yk_user_add_group(user, yk_buf_view(&group), bytes);
}

static enum yk_status add_groups(const struct yk_ldap *ldap, LDAPMessage *answer, struct yk_user *user,
                                 struct yk_err *err)
{
    size_t bytes = 0;
    bool too_many = !yk_user_add_group(user, yk_str_from(user->name), &bytes);
    for (LDAPMessage *entry = ldap_first_entry(ldap->connection, answer); entry != NULL;
         entry = ldap_next_entry(ldap->connection, entry)) {
        struct berval **values = ldap_get_values_len(ldap->connection, entry, ldap->settings->group_attr);
        for (size_t i = 0; values != NULL && values[i] != NULL && !too_many; i++)
            add_value(user, values[i], &bytes, &too_many);
        ldap_value_free_len(values);
    }
    return too_many ? yk_fail(err, YK_ERR_LIMIT, "user '%.64s' has too many groups", user->name) : YK_OK;
}

static bool is_connection_trouble(int code)
{
    return code == LDAP_SERVER_DOWN || code == LDAP_CONNECT_ERROR || code == LDAP_TIMEOUT ||
           code == LDAP_UNAVAILABLE || code == LDAP_DECODING_ERROR || code == LDAP_LOCAL_ERROR ||
           code == LDAP_OTHER;
}

/* Searches the whole subtree once. `*ret_code` is the code of the library; is_connection_trouble() says
 * whether a new connection could help. */
static enum yk_status search(struct yk_ldap *ldap, struct yk_user *user, int *ret_code, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf filter = {.max = FILTER_BYTES_MAX};
    struct timeval patience = patience_of(ldap);
    LDAPMessage *answer = NULL;
    *ret_code = LDAP_SUCCESS;
    yk_ldap_filter(ldap->settings->filter, user->name, &filter);
    if (filter.failed)
        return yk_fail(err, YK_ERR_LIMIT, "user '%.64s': the filter is too long", user->name);
    *ret_code =
        ldap_search_ext_s(ldap->connection, ldap->settings->base_dn, LDAP_SCOPE_SUBTREE, yk_buf_cstr(&filter),
                          ldap->settings->attributes, 0, NULL, NULL, &patience, ENTRIES_MAX, &answer);
    enum yk_status st;
    if (*ret_code == LDAP_SUCCESS && ldap_count_entries(ldap->connection, answer) <= ENTRIES_MAX)
        st = add_groups(ldap, answer, user, err);
    else if (*ret_code == LDAP_SUCCESS || *ret_code == LDAP_SIZELIMIT_EXCEEDED)
        st = yk_fail(err, YK_ERR_LIMIT, "user '%.64s': the filter finds more than %d entries", user->name,
                     ENTRIES_MAX);
    else
        st = fail(ldap, *ret_code, "cannot search", err);
    ldap_msgfree(answer);
    return st;
}

enum yk_status yk_ldap_groups(struct yk_ldap *ldap, struct yk_user *user, struct yk_err *err)
{
    struct yk_err failure = {0};
    bool was_idle = ldap->connection != NULL;
    int code = LDAP_SUCCESS;
    enum yk_status st = connect_unless_held_off(ldap, err);
    if (st != YK_OK)
        return st;
    if (was_idle) /* a search on an older connection has its own time and bytes */
        begin_to_wait(ldap);
    st = search(ldap, user, &code, &failure);
    if (st == YK_OK)
        return YK_OK;
    if (is_connection_trouble(code)) {
        disconnect(ldap);
        if (was_idle && code == LDAP_SERVER_DOWN)
            /* The server closed the idle connection: tries a new one. */
            return yk_ldap_groups(ldap, user, err);
        hold_off(ldap, &failure);
    }
    return yk_fail(err, st, "%s", failure.text);
}
