/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "config/settings.h"

/* Beginnings of keys that the admission controller reads. */
static const char *const of_admission[] = {"admissionController.", "log.admission."};

static bool is_log_level(struct yk_str key)
{
    return yk_str_is(key, "log.level") ||
           (key.len >= strlen("log..level") && yk_str_starts(key, "log.") && yk_str_ends(key, ".level"));
}

/* Whether there is a logger of this name, or one below it. */
static bool is_logger(struct yk_str name)
{
    if (name.len == 0)
        return false;
    for (size_t i = 0; i < yk_logger_count; i++) {
        struct yk_str logger = yk_str_from(yk_loggers[i].name);
        if (logger.len >= name.len && memcmp(logger.p, name.p, name.len) == 0 &&
            (logger.len == name.len || logger.p[name.len] == '.'))
            return true;
    }
    return false;
}

/* "core" for the key "log.core.level". The key passes is_log_level() and is not "log.level". */
static struct yk_str logger_of(struct yk_str key)
{
    const size_t before = strlen("log."), after = strlen(".level");
    return (struct yk_str){key.p + before, key.len - before - after};
}

static enum yk_setting_fault check_log_level(struct yk_str key, struct yk_str value)
{
    enum yk_log_level level;
    if (!yk_str_is(key, "log.level") && !is_logger(logger_of(key)))
        return YK_SETTING_NO_LOGGER;
    return yk_log_level_parse(value, &level) == YK_OK ? YK_SETTING_FINE : YK_SETTING_BAD_LEVEL;
}

static bool is_queues_of(struct yk_str key, const char *policy_group)
{
    size_t len = strlen(policy_group);
    return key.len > len && memcmp(key.p, policy_group, len) == 0 &&
           yk_str_is((struct yk_str){key.p + len, key.len - len}, ".yaml");
}

enum yk_setting_fault yk_setting_check(const struct yk_pair *pair, const char *policy_group)
{
    struct yk_str key = pair->key;
    for (size_t i = 0; i < YK_COUNT(of_admission); i++) {
        if (yk_str_starts(key, of_admission[i]))
            return YK_SETTING_FINE;
    }
    if (is_log_level(key))
        return check_log_level(key, pair->value);
    if (yk_str_ends(key, ".yaml"))
        return is_queues_of(key, policy_group) ? YK_SETTING_FINE : YK_SETTING_OTHER_QUEUES;
    return yk_setting_is_known(key) ? YK_SETTING_FINE : YK_SETTING_UNKNOWN;
}

const char *yk_setting_fault_text(enum yk_setting_fault fault)
{
    switch (fault) {
    case YK_SETTING_FINE:
        return "";
    case YK_SETTING_UNKNOWN:
        return "unknown setting";
    case YK_SETTING_BAD_LEVEL:
        return "unknown log level";
    case YK_SETTING_NO_LOGGER:
        return "unknown logger";
    case YK_SETTING_OTHER_QUEUES:
        return "not the queue configuration that service.policyGroup names";
    }
    return "";
}
