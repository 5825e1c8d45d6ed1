/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the rules of a checked configuration (V10). */
#include "placement/rule_priv.h"

static void rule_free(struct yk__rule *rule)
{
    while (rule != NULL) {
        struct yk__rule *parent = rule->parent;
        free(rule->value);
        yk_filter_free(rule->filter);
        free(rule);
        rule = parent;
    }
}

static void rule_freep(struct yk__rule **rule)
{
    rule_free(*rule);
}

static struct yk_config_names copy_names(struct yk_arena *arena, const struct yk_config_names *names)
{
    struct yk_config_names copy = {yk_arena_alloc0(arena, names->count * sizeof(*names->items)),
                                   names->count};
    for (uint32_t i = 0; i < names->count; i++)
        copy.items[i] = yk_arena_str(arena, names->items[i]);
    return copy;
}

static enum yk_status compile_one(struct yk_placement *placement, const struct yk_config_rule *config,
                                  struct yk__rule **ret_rule, struct yk_err *err)
{
    YK_CLEANUP(rule_freep) struct yk__rule *rule = yk_new0(struct yk__rule);
    enum yk_status st = yk__rule_kind_of(config, &rule->kind, err);
    if (st != YK_OK)
        return st;
    rule->create = config->create;
    rule->value = yk_str_lower(yk_str_trim(config->value));
    if (rule->kind->check != NULL)
        st = rule->kind->check(rule, config, err);
    if (st != YK_OK)
        return st;
    st = yk_filter_new(&config->filter, &rule->filter, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "placement rule '%s'", rule->kind->names[0]);
    rule->filter_config.type = yk_arena_str(&placement->arena, config->filter.type);
    rule->filter_config.users = copy_names(&placement->arena, &config->filter.users);
    rule->filter_config.groups = copy_names(&placement->arena, &config->filter.groups);
    *ret_rule = yk_move(rule);
    return YK_OK;
}

static enum yk_status compile_chain(struct yk_placement *placement, const struct yk_config_rule *config,
                                    struct yk__rule **ret_rule, struct yk_err *err)
{
    YK_CLEANUP(rule_freep) struct yk__rule *first = NULL;
    struct yk__rule **place = &first;
    int depth = 0;
    for (; config != NULL; config = config->parent, place = &(*place)->parent) {
        if (++depth > YK_PLACEMENT_RULE_DEPTH_MAX)
            return yk_fail_at(err, YK_ERR_LIMIT, config->place.line, config->place.column,
                              "a chain of more than %d placement rules", YK_PLACEMENT_RULE_DEPTH_MAX);
        enum yk_status st = compile_one(placement, config, place, err);
        if (st != YK_OK)
            return yk_fail_is_at(err, st, config->place.line, config->place.column);
    }
    *ret_rule = yk_move(first);
    return YK_OK;
}

static struct yk__rule *implicit_rule(const struct yk__rule_kind *kind)
{
    static const struct yk_config_filter everybody = {0};
    struct yk__rule *rule = yk_new0(struct yk__rule);
    rule->kind = kind;
    rule->value = yk_strdup(kind == &yk__rule_recovery ? "root." YK_RECOVERY_QUEUE : "");
    if (yk_filter_new(&everybody, &rule->filter, NULL) != YK_OK)
        (void)yk_assert_failed("an empty filter compiles", __FILE__,
                               __LINE__); /* its result is always false */
    return rule;
}

enum yk_status yk_placement_new(const struct yk_config_partition *config, struct yk_placement **ret_placement,
                                struct yk_err *err)
{
    YK_CLEANUP(yk_placement_freep) struct yk_placement *placement = yk_new0(struct yk_placement);
    placement->rules = yk_calloc((size_t)config->rule_count + 2, sizeof(*placement->rules));
    for (uint32_t i = 0; i < config->rule_count; i++) {
        enum yk_status st =
            compile_chain(placement, &config->rules[i], &placement->rules[placement->count], err);
        if (st != YK_OK)
            return st;
        placement->count++;
    }
    if (placement->count == 0)
        placement->rules[placement->count++] = implicit_rule(&yk__rule_provided);
    placement->rules[placement->count++] = implicit_rule(&yk__rule_recovery);
    *ret_placement = yk_move(placement);
    return YK_OK;
}

enum yk_status yk_placement_check_rule(const struct yk_config_rule *config, struct yk_err *err)
{
    struct yk_placement scratch = {0};
    YK_CLEANUP(rule_freep) struct yk__rule *rule = NULL;
    enum yk_status st = compile_chain(&scratch, config, &rule, err);
    yk_arena_done(&scratch.arena);
    return st;
}

void yk_placement_free(struct yk_placement *placement)
{
    if (placement == NULL)
        return;
    for (size_t i = 0; i < placement->count; i++)
        rule_free(placement->rules[i]);
    free(placement->rules);
    yk_arena_done(&placement->arena);
    free(placement);
}
