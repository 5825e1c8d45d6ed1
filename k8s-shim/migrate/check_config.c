/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds findings about the configuration: the errors and warnings that its check gave, and queues and
 * placement rules that mean something else than in YuniKorn 1.9.
 * Source: docs/queues.md, "Coming from YuniKorn 1.9".
 */
#include "migrate/migration_priv.h"

#include <ctype.h>

struct verdict {
    struct yk_migration *migration;
    const struct yk_object_name *name;
    struct yk_buf path; /* of the queue that is checked */
};

static void tell(struct verdict *verdict, const char *what)
{
    (void)yk_findings_add(&verdict->migration->findings, yk__check_called("queue-differs"), verdict->name,
                          "queue '%s': %s", yk_buf_cstr(&verdict->path), what);
}

static struct yk_str property(const struct yk_config_queue *queue, const char *key)
{
    for (uint32_t i = 0; i < queue->properties.count; i++) {
        if (yk_str_is(queue->properties.items[i].key, key))
            return queue->properties.items[i].value;
    }
    return (struct yk_str){0};
}

static bool has_capitals(struct yk_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (isupper((unsigned char)name.p[i]) != 0)
            return true;
    }
    return false;
}

static bool is_zero(struct yk_str duration)
{
    return yk_str_is(duration, "0") || yk_str_is(duration, "0s") || yk_str_is(duration, "0m") ||
           yk_str_is(duration, "0h");
}

static void look_at_queue(struct verdict *verdict, const struct yk_config_queue *queue)
{
    size_t len = verdict->path.len;
    yk_buf_printf(&verdict->path, "%s" YK_STR_FMT, len > 0 ? "." : "", YK_STR_ARG(queue->name));
    if (yk_str_is(property(queue, "application.sort.policy"), "stateaware"))
        tell(verdict,
             "application.sort.policy 'stateaware' starts one application at a time; 1.9 took it for 'fifo'");
    if (is_zero(property(queue, "quota.preemption.delay")))
        tell(verdict,
             "a quota.preemption.delay of 0 switches quota preemption off; 1.9 still preempted once");
    if (queue->limits.count > 0 && has_capitals(queue->name))
        tell(verdict, "its limits hold; they have no effect in 1.9, because its name has capitals");
    for (uint32_t i = 0; i < queue->queue_count; i++)
        look_at_queue(verdict, &queue->queues[i]);
    verdict->path.len = len;
    if (verdict->path.p != NULL)
        verdict->path.p[len] = '\0';
}

static void tell_rule(struct verdict *verdict, const struct yk_config_rule *rule, const char *what)
{
    (void)yk_findings_add(&verdict->migration->findings, yk__check_called("queue-differs"), verdict->name,
                          "placement rule '" YK_STR_FMT "': %s", YK_STR_ARG(rule->name), what);
}

/* Whether the list has a single entry, which ends with `$` and has no characters of regular expressions but
 * `$` and dots. YuniKorn 1.9 reads such an entry as a regular expression. This scheduler reads it as a name
 * if it is a valid user name. */
static bool is_name_with_signs(const struct yk_config_names *names)
{
    static const char expression[] = "*+?()[]{}|^\\";
    if (names->count != 1 || names->items[0].len == 0 || names->items[0].p[names->items[0].len - 1] != '$')
        return false;
    for (size_t i = 0; i < names->items[0].len; i++) {
        if (strchr(expression, names->items[0].p[i]) != NULL)
            return false;
    }
    return true;
}

static void look_at_rule(struct verdict *verdict, const struct yk_config_rule *rule)
{
    if (yk_str_is_nocase(rule->filter.type, "deny") && !yk_str_is(rule->filter.type, "deny"))
        tell_rule(verdict, rule,
                  "a filter of the type 'Deny' denies; in 1.9, it allows unless it is written 'deny'");
    if (is_name_with_signs(&rule->filter.users))
        tell_rule(verdict, rule,
                  "the only user of its filter is a name here; in 1.9, it is a regular expression");
    if (rule->parent != NULL)
        look_at_rule(verdict, rule->parent);
}

static void look_at_config(struct verdict *verdict, const struct yk_config *config)
{
    for (uint32_t i = 0; i < config->partition_count; i++) {
        const struct yk_config_partition *partition = &config->partitions[i];
        look_at_queue(verdict, &partition->root);
        for (uint32_t r = 0; r < partition->rule_count; r++)
            look_at_rule(verdict, &partition->rules[r]);
    }
}

static void add_all(struct yk_migration *migration, const char *check, const struct yk_object_name *name,
                    const struct yk_config_errors *problems)
{
    for (uint32_t i = 0; i < problems->count; i++) {
        const struct yk_config_warning *problem = &problems->items[i];
        char place[64] = "";
        if (problem->place.line > 0)
            (void)snprintf(place, sizeof(place), "line %u of the queues: ", problem->place.line); /* fits */
        (void)yk_findings_add(&migration->findings, yk__check_called(check), name, "%s" YK_STR_FMT, place,
                              YK_STR_ARG(problem->text));
    }
}

void yk_migration_take_verdict(struct yk_migration *migration, const struct yk_object_name *name,
                               const struct yk_config *config, const struct yk_config_errors *errors,
                               const struct yk_config_errors *warnings)
{
    struct verdict verdict = {.migration = migration, .name = name};
    add_all(migration, "config-invalid", name, errors);
    add_all(migration, "config-warning", name, warnings);
    if (config != NULL && errors->count == 0)
        look_at_config(&verdict, config);
    yk_buf_done(&verdict.path);
}
