/* SPDX-License-Identifier: Apache-2.0 */
#include "config/settings.h"

#include "base/clock.h"
#include "base/log.h"
#include "config/setting_table.h"

/* ---- fields ---- */

static void *field(struct yk_settings *settings, const struct yk_setting *setting)
{
    return (char *)settings + setting->offset;
}

/* Sets the field of a text. `text` is taken. */
static void set_text(struct yk_settings *settings, const struct yk_setting *setting, char *text)
{
    char **at = field(settings, setting);
    free(*at);
    *at = text;
}

static void set_default(struct yk_settings *settings, const struct yk_setting *setting)
{
    switch (setting->kind) {
    case YK_SETTING_TEXT:
        set_text(settings, setting, yk_strdup(setting->text));
        break;
    case YK_SETTING_BOOL:
        *(bool *)field(settings, setting) = setting->number != 0;
        break;
    case YK_SETTING_INT:
    case YK_SETTING_DURATION:
        *(int64_t *)field(settings, setting) = setting->number;
        break;
    }
}

static const char *wanted(const struct yk_setting *setting)
{
    switch (setting->kind) {
    case YK_SETTING_TEXT:
        return "a text";
    case YK_SETTING_BOOL:
        return "a boolean";
    case YK_SETTING_INT:
        return "a whole number in range";
    case YK_SETTING_DURATION:
        return "a duration like 30s or 1h30m";
    }
    return "";
}

static enum yk_status set_int(struct yk_settings *settings, const struct yk_setting *setting,
                              struct yk_str value)
{
    int64_t number;
    if (yk_str_to_i64(value, &number) != YK_OK || number < setting->min || number > setting->max)
        return YK_ERR_INVALID;
    if (number == 0 && setting->zero_is_default)
        number = setting->number;
    *(int64_t *)field(settings, setting) = number;
    return YK_OK;
}

static enum yk_status set_duration(struct yk_settings *settings, const struct yk_setting *setting,
                                   struct yk_str value)
{
    int64_t ns;
    if (yk_duration_parse(value, &ns) != YK_OK ||
        (setting->max > 0 && (ns < setting->min || ns > setting->max)))
        return YK_ERR_INVALID;
    *(int64_t *)field(settings, setting) = ns;
    return YK_OK;
}

static enum yk_status set_value(struct yk_settings *settings, const struct yk_setting *setting,
                                struct yk_str value)
{
    switch (setting->kind) {
    case YK_SETTING_TEXT:
        set_text(settings, setting, yk_str_dup(value));
        return YK_OK;
    case YK_SETTING_BOOL:
        return yk_str_to_bool(value, field(settings, setting));
    case YK_SETTING_INT:
        return set_int(settings, setting, value);
    case YK_SETTING_DURATION:
        return set_duration(settings, setting, value);
    }
    return YK_OK;
}

/* ---- the pairs of the ConfigMaps ---- */

/* The last pair with that key, which has precedence; NULL: there is none. */
static const struct yk_pair *find_last(const struct yk_pair *pairs, size_t count, const char *key)
{
    for (size_t i = count; i > 0; i--) {
        if (yk_str_is(pairs[i - 1].key, key))
            return &pairs[i - 1];
    }
    return NULL;
}

/* Settings of older releases, which have no effect. */
static const char *const gone[] = {"service.operatorPlugins", "admissionController.filtering.defaultQueue"};

bool yk_setting_is_known(struct yk_str key)
{
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        if (yk_str_is(key, yk_setting_rows[i].key))
            return true;
    }
    for (size_t i = 0; i < YK_COUNT(gone); i++) {
        if (yk_str_is(key, gone[i]))
            return true;
    }
    return false;
}

static void warn_of_the_past(const struct yk_pair *pairs, size_t count)
{
    for (size_t i = 0; i < YK_COUNT(gone); i++) {
        if (find_last(pairs, count, gone[i]) != NULL)
            yk_warn(yk_log_shim_config, "setting of an older release ignored", KV("key", gone[i]));
    }
}

static enum yk_status refuse(const char *key, const char *value, const char *why, struct yk_err *err)
{
    return yk_fail(err, YK_ERR_INVALID, "setting '%s': '%s' %s", key, value, why);
}

static enum yk_status check_tls(const struct yk_settings *settings, struct yk_err *err)
{
    bool has_cert = settings->tls_cert_file[0] != '\0', has_key = settings->tls_key_file[0] != '\0';
    if (has_cert && !has_key)
        return refuse("service.web.tls.certFile", settings->tls_cert_file, "needs service.web.tls.keyFile",
                      err);
    if (has_key && !has_cert)
        return refuse("service.web.tls.keyFile", settings->tls_key_file, "needs service.web.tls.certFile",
                      err);
    if (settings->tls_client_ca_file[0] != '\0' && !has_cert && !settings->tls_self_signed)
        return refuse("service.web.tls.clientCaFile", settings->tls_client_ca_file,
                      "needs service.web.tls.certFile or service.web.tls.selfSigned", err);
    return YK_OK;
}

/* If `errors` is NULL, returns `st`. Otherwise adds the error, if there is one, to `errors` and returns
 * YK_OK. */
static enum yk_status go_on(struct yk_config_errors *errors, enum yk_status st, const struct yk_err *err)
{
    if (st == YK_OK || errors == NULL)
        return st;
    yk_config_errors_add(errors, err);
    return YK_OK;
}

/* The grammar of ACLs allows two fields (queues.md A2). */
static bool is_acl(struct yk_str text)
{
    struct yk_str field;
    int fields = 0;
    while (yk_str_split(&text, ' ', &field))
        fields++;
    return fields <= 2;
}

/* Appends the choices of the row: "'a'", "'a' or 'b'", "'a', 'b' or 'c'". */
static void put_choices(const struct yk_setting *setting, struct yk_buf *out)
{
    size_t count = 0;
    while (count < YK_SETTING_CHOICES_MAX && setting->choices[count] != NULL)
        count++;
    for (size_t i = 0; i < count; i++)
        yk_buf_printf(out, "%s'%s'", i == 0 ? "" : i + 1 < count ? ", " : " or ", setting->choices[i]);
}

static enum yk_status check_choice(const struct yk_settings *settings, const struct yk_setting *setting,
                                   struct yk_err *err)
{
    if (setting->choices[0] == NULL)
        return YK_OK;
    const char *value = *(char *const *)((const char *)settings + setting->offset);
    for (size_t i = 0; i < YK_SETTING_CHOICES_MAX && setting->choices[i] != NULL; i++) {
        if (strcmp(value, setting->choices[i]) == 0)
            return YK_OK;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf why = {0};
    yk_buf_text(&why, "is not ");
    put_choices(setting, &why);
    return refuse(setting->key, value, yk_buf_cstr(&why), err);
}

static enum yk_status check_acl(const struct yk_settings *settings, struct yk_err *err)
{
    if (is_acl(yk_str_from(settings->scheduler_acl)))
        return YK_OK;
    return refuse("service.schedulerACL", settings->scheduler_acl,
                  "has more than two fields; it is 'users groups' with one space between", err);
}

static void warn_of_the_interface(const struct yk_settings *settings)
{
    if (settings->si_port != 0 || settings->si_bind_host[0] != '\0')
        yk_warn(yk_log_shim_config, "the scheduler interface is in this process and listens nowhere",
                KV("service.bindHost", (const char *)settings->si_bind_host),
                KV("service.port", settings->si_port));
}

/* Checks settings that depend on each other, texts with a list of choices, and the ACL. `errors`: gets the
 * faults; NULL: ends with the first one. */
static enum yk_status check_together(const struct yk_settings *settings, struct yk_config_errors *errors,
                                     struct yk_err *err)
{
    enum yk_status st = go_on(errors, check_tls(settings, err), err);
    for (size_t i = 0; i < yk_setting_row_count && st == YK_OK; i++)
        st = go_on(errors, check_choice(settings, &yk_setting_rows[i], err), err);
    if (st == YK_OK)
        st = go_on(errors, check_acl(settings, err), err);
    if (st == YK_OK)
        warn_of_the_interface(settings);
    return st;
}

static enum yk_status apply(struct yk_settings *settings, const struct yk_setting *setting,
                            const struct yk_pair *pair, struct yk_err *err)
{
    if (set_value(settings, setting, pair->value) == YK_OK)
        return YK_OK;
    if (setting->severity == YK_SETTING_STRICT)
        return yk_fail(err, YK_ERR_INVALID, "setting '%s': '" YK_STR_FMT "' is not %s", setting->key,
                       YK_STR_ARG(pair->value), wanted(setting));
    yk_warn(yk_log_config, "bad setting, default used", KV("key", setting->key), KV("value", pair->value));
    set_default(settings, setting);
    return YK_OK;
}

enum yk_status yk_settings_parse(const struct yk_pair *pairs, size_t count, struct yk_settings **ret_settings,
                                 struct yk_err *err)
{
    YK_CLEANUP(yk_settings_freep) struct yk_settings *settings = yk_new0(struct yk_settings);
    for (size_t i = 0; i < yk_setting_row_count; i++)
        set_default(settings, &yk_setting_rows[i]);
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        const struct yk_pair *pair = find_last(pairs, count, yk_setting_rows[i].key);
        enum yk_status st = pair != NULL ? apply(settings, &yk_setting_rows[i], pair, err) : YK_OK;
        if (st != YK_OK)
            return st;
    }
    warn_of_the_past(pairs, count);
    enum yk_status st = check_together(settings, NULL, err);
    if (st != YK_OK)
        return st;
    *ret_settings = yk_move(settings);
    return YK_OK;
}

/* ---- all problems ---- */

static void check_key(const struct yk_pair *pair, const char *policy_group, struct yk_config_errors *warnings)
{
    struct yk_err err;
    enum yk_setting_fault fault = yk_setting_check(pair, policy_group);
    if (fault == YK_SETTING_FINE)
        return;
    (void)yk_fail(&err, YK_OK, "setting '" YK_STR_FMT "': '" YK_STR_FMT "' has no effect: %s",
                  YK_STR_ARG(pair->key), YK_STR_ARG(pair->value),
                  yk_setting_fault_text(fault)); /* only the sentence is needed */
    yk_config_errors_add(warnings, &err);
}

static void check_gone(const struct yk_pair *pair, struct yk_config_errors *warnings)
{
    struct yk_err err;
    if (pair == NULL)
        return;
    (void)yk_fail(&err, YK_OK, "setting '" YK_STR_FMT "' is of an older release and has no effect",
                  YK_STR_ARG(pair->key)); /* only the sentence is needed */
    yk_config_errors_add(warnings, &err);
}

static void check_value(struct yk_settings *settings, const struct yk_setting *setting,
                        const struct yk_pair *pair, struct yk_config_errors *errors,
                        struct yk_config_errors *warnings)
{
    struct yk_err err;
    if (pair == NULL || set_value(settings, setting, pair->value) == YK_OK)
        return;
    (void)yk_fail(&err, YK_ERR_INVALID, "setting '%s': '" YK_STR_FMT "' is not %s%s", setting->key,
                  YK_STR_ARG(pair->value), wanted(setting),
                  setting->severity == YK_SETTING_LENIENT ? ": the default is used"
                                                          : ""); /* only the sentence is needed */
    yk_config_errors_add(setting->severity == YK_SETTING_LENIENT ? warnings : errors, &err);
}

void yk_settings_check(const struct yk_pair *pairs, size_t count, struct yk_config_errors *errors,
                       struct yk_config_errors *warnings)
{
    YK_CLEANUP(yk_settings_freep) struct yk_settings *settings = yk_new0(struct yk_settings);
    struct yk_err err = {0};
    for (size_t i = 0; i < yk_setting_row_count; i++)
        set_default(settings, &yk_setting_rows[i]);
    for (size_t i = 0; i < yk_setting_row_count; i++)
        check_value(settings, &yk_setting_rows[i], find_last(pairs, count, yk_setting_rows[i].key), errors,
                    warnings);
    (void)check_together(settings, errors, &err); /* YK_OK, because it adds its errors */
    for (size_t i = 0; i < YK_COUNT(gone); i++)
        check_gone(find_last(pairs, count, gone[i]), warnings);
    for (size_t i = 0; i < count; i++)
        check_key(&pairs[i], settings->policy_group, warnings);
}

void yk_settings_free(struct yk_settings *settings)
{
    if (settings == NULL)
        return;
    for (size_t i = 0; i < yk_setting_row_count; i++) {
        if (yk_setting_rows[i].kind == YK_SETTING_TEXT)
            set_text(settings, &yk_setting_rows[i], NULL);
    }
    free(settings);
}

/* ---- log levels ---- */

struct pair_list {
    const struct yk_pair *pairs;
    size_t count;
};

static struct yk_str lookup_level(void *context, const char *logger)
{
    const struct pair_list *list = context;
    char key[128];
    int len = snprintf(key, sizeof(key), logger[0] == '\0' ? "log.level" : "log.%s.level", logger);
    if (len < 0 || (size_t)len >= sizeof(key))
        return (struct yk_str){0};
    const struct yk_pair *pair = find_last(list->pairs, list->count, key);
    return pair != NULL ? pair->value : (struct yk_str){0};
}

void yk_settings_apply_log_levels(const struct yk_pair *pairs, size_t count)
{
    struct pair_list list = {pairs, count};
    yk_log_configure(lookup_level, &list);
}
