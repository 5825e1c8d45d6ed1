/* SPDX-License-Identifier: Apache-2.0 */
#include "security/ldap_settings.h"

#include <strings.h>
#include <unistd.h>

/* Reads the file of one setting. `*ret_value` is NULL if the file does not exist or has only white space. */
static enum yk_status read_optional(const char *folder, const char *name, char **ret_value,
                                    struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf path = {.max = 4096};
    YK_CLEANUP(yk_buf_wipe) struct yk_buf text = {.max = YK_LDAP_VALUE_BYTES_MAX};
    *ret_value = NULL;
    yk_buf_printf(&path, "%s/%s", folder, name);
    enum yk_status st =
        path.failed ? yk_fail(err, YK_ERR_LIMIT, "the path is too long") : yk_file_read(path.p, &text, err);
    if (st == YK_ERR_NOT_FOUND)
        return YK_OK;
    if (st != YK_OK)
        return yk_fail_in(err, YK_ERR_INVALID, "LDAP setting '%s'", name);
    struct yk_str value = yk_str_trim(yk_buf_view(&text));
    if (value.len > 0 && memchr(value.p, '\0', value.len) != NULL)
        return yk_fail(err, YK_ERR_INVALID, "LDAP setting '%s': the file '%s' is not text", name, path.p);
    if (value.len > 0)
        *ret_value = yk_str_dup(value);
    return YK_OK;
}

static enum yk_status read_required(const char *folder, const char *name, char **ret_value,
                                    struct yk_err *err)
{
    enum yk_status st = read_optional(folder, name, ret_value, err);
    if (st == YK_OK && *ret_value == NULL)
        return yk_fail(err, YK_ERR_INVALID, "LDAP setting '%s': the file '%s/%s' is missing or empty", name,
                       folder, name);
    return st;
}

static enum yk_status read_port(const char *folder, uint16_t *ret_port, struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *text = NULL;
    uint64_t port;
    enum yk_status st = read_required(folder, "Port", &text, err);
    if (st != YK_OK)
        return st;
    if (yk_str_to_u64(yk_str_from(text), &port) != YK_OK || port == 0 || port > UINT16_MAX)
        return yk_fail(err, YK_ERR_INVALID, "LDAP setting 'Port': '%.64s' is not a port number", text);
    *ret_port = (uint16_t)port;
    return YK_OK;
}

static enum yk_status read_flag(const char *folder, const char *name, bool *ret_flag, struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *text = NULL;
    enum yk_status st = read_optional(folder, name, &text, err);
    if (st != YK_OK || text == NULL)
        return st;
    if (yk_str_to_bool(yk_str_from(text), ret_flag) != YK_OK)
        return yk_fail(err, YK_ERR_INVALID, "LDAP setting '%s': '%.64s' is neither true nor false", name,
                       text);
    return YK_OK;
}

/* Checks the characters of the host, because it becomes part of a URI. */
static enum yk_status check_host(const char *host, struct yk_err *err)
{
    for (const char *c = host; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!plain && strchr(".:-_", *c) == NULL)
            return yk_fail(err, YK_ERR_INVALID, "LDAP setting 'Host': '%.64s' is not a host name or address",
                           host);
    }
    return YK_OK;
}

static enum yk_status check_filter(const char *filter, struct yk_err *err)
{
    int64_t open = 0;
    bool crossed = false;
    for (const char *c = filter; *c != '\0'; c++) {
        open += (*c == '(') - (*c == ')');
        crossed = crossed || open < 0;
    }
    if (strstr(filter, "%s") == NULL)
        return yk_fail(err, YK_ERR_INVALID, "LDAP setting 'Filter': '%.256s' has no %%s for the user's name",
                       filter);
    if (open != 0 || crossed)
        return yk_fail(err, YK_ERR_INVALID, "LDAP setting 'Filter': the brackets of '%.256s' do not match",
                       filter);
    return YK_OK;
}

static enum yk_status take_attributes(const char *list, struct yk_ldap_settings *settings, struct yk_err *err)
{
    struct yk_str rest = yk_str_from(list), part;
    size_t count = 0;
    bool has_group = false;
    settings->attributes = yk_new0_array(char *, YK_LDAP_ATTRIBUTES_MAX + 2);
    while (yk_str_split(&rest, ',', &part)) {
        part = yk_str_trim(part);
        if (part.len == 0)
            continue;
        if (count == YK_LDAP_ATTRIBUTES_MAX)
            return yk_fail(err, YK_ERR_INVALID, "LDAP setting 'ReturnAttr' has more than %d attributes",
                           YK_LDAP_ATTRIBUTES_MAX);
        settings->attributes[count] = yk_str_dup(part);
        has_group = has_group || strcasecmp(settings->attributes[count], settings->group_attr) == 0;
        count++;
    }
    if (!has_group)
        settings->attributes[count] = yk_strdup(settings->group_attr);
    return YK_OK;
}

static enum yk_status read_texts(const char *folder, struct yk_ldap_settings *settings, struct yk_err *err)
{
    const struct {
        const char *name;
        char **value;
    } texts[] = {
        {"Host", &settings->host},          {"BaseDN", &settings->base_dn},
        {"Filter", &settings->filter},      {"GroupAttr", &settings->group_attr},
        {"BindUser", &settings->bind_user}, {"BindPassword", &settings->bind_password},
    };
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        enum yk_status st = read_required(folder, texts[i].name, texts[i].value, err);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

static enum yk_status read_all(const char *folder, struct yk_ldap_settings *settings, struct yk_err *err)
{
    YK_CLEANUP(yk_freep) char *attributes = NULL;
    enum yk_status st = read_texts(folder, settings, err);
    if (st == YK_OK)
        st = check_host(settings->host, err);
    if (st == YK_OK)
        st = read_port(folder, &settings->port, err);
    if (st == YK_OK)
        st = check_filter(settings->filter, err);
    if (st == YK_OK)
        st = read_required(folder, "ReturnAttr", &attributes, err);
    if (st == YK_OK)
        st = take_attributes(attributes, settings, err);
    if (st == YK_OK)
        st = read_flag(folder, "SSL", &settings->ssl, err);
    if (st == YK_OK)
        st = read_flag(folder, "Insecure", &settings->insecure, err);
    return st;
}

/* An extension of Apache YuniKorn: the file ca.crt has certificate authorities of the server, in PEM. */
static void find_ca_file(const char *folder, struct yk_ldap_settings *settings)
{
    struct yk_buf path = {.max = 4096};
    yk_buf_printf(&path, "%s/ca.crt", folder);
    if (!path.failed && access(path.p, R_OK) == 0)
        settings->ca_file = yk_buf_take(&path);
    yk_buf_done(&path);
}

enum yk_status yk_ldap_settings_read(const char *folder, struct yk_ldap_settings **ret_settings,
                                     struct yk_err *err)
{
    YK_CLEANUP(yk_ldap_settings_freep) struct yk_ldap_settings *settings = yk_new0(struct yk_ldap_settings);
    enum yk_status st = read_all(folder, settings, err);
    if (st != YK_OK)
        return st;
    find_ca_file(folder, settings);
    *ret_settings = yk_move(settings);
    return YK_OK;
}

void yk_ldap_settings_free(struct yk_ldap_settings *settings)
{
    if (settings == NULL)
        return;
    for (size_t i = 0; settings->attributes != NULL && settings->attributes[i] != NULL; i++)
        free(settings->attributes[i]);
    free(settings->attributes);
    free(settings->host);
    free(settings->base_dn);
    free(settings->filter);
    free(settings->group_attr);
    free(settings->bind_user);
    yk_secret_free(settings->bind_password);
    free(settings->ca_file);
    free(settings);
}
