/* SPDX-License-Identifier: Apache-2.0 */
#include "placement/placement.h"

#include "placement/filter.h"

#include <strings.h>

enum rule_kind { RULE_PROVIDED, RULE_USER, RULE_FIXED, RULE_TAG, RULE_RECOVERY };

struct rule {
    enum rule_kind kind;
    bool create;
    bool qualified; /* fixed: the value starts at the root */
    char *value;    /* owned, lower case: queue of a fixed rule, name of a tag */
    struct yk_filter *filter;
    struct yk_config_filter filter_config; /* for REST; texts in the placement's arena */
    struct rule *parent;                   /* owned */
};

struct yk_placement {
    struct yk_arena arena;
    struct rule **rules; /* owned; the last one is recovery */
    size_t count;
};

static const struct {
    const char *name;
    enum rule_kind kind;
} rule_names[] = {
    {"provided", RULE_PROVIDED}, {"user", RULE_USER}, {"username", RULE_USER},
    {"fixed", RULE_FIXED},       {"tag", RULE_TAG},   {"recovery", RULE_RECOVERY},
};

static void rule_free(struct rule *rule)
{
    while (rule != NULL) {
        struct rule *parent = rule->parent;
        free(rule->value);
        yk_filter_free(rule->filter);
        free(rule);
        rule = parent;
    }
}

static void rule_freep(struct rule **rule)
{
    rule_free(*rule);
}

static enum yk_status kind_of(struct yk_str name, enum rule_kind *ret_kind, struct yk_err *err)
{
    for (size_t i = 0; i < YK_COUNT(rule_names); i++) {
        if (rule_names[i].kind != RULE_RECOVERY && name.len == strlen(rule_names[i].name) &&
            strncasecmp(name.p, rule_names[i].name, name.len) == 0) {
            *ret_kind = rule_names[i].kind;
            return YK_OK;
        }
    }
    return yk_fail(err, YK_ERR_INVALID, "placement rule '" YK_STR_FMT "' is not known", YK_STR_ARG(name));
}

static bool starts_at_root(const char *path)
{
    return strcasecmp(path, "root") == 0 || strncasecmp(path, "root.", 5) == 0;
}

static enum yk_status check_path(const char *path, struct yk_err *err)
{
    struct yk_str rest = yk_str_from(path), part;
    while (yk_str_split(&rest, '.', &part)) {
        if (!yk_queue_name_valid(part))
            return yk_fail(err, YK_ERR_INVALID, "queue '%s': '" YK_STR_FMT "' is not a queue name", path,
                           YK_STR_ARG(part));
    }
    return YK_OK;
}

static enum yk_status check_value(const struct rule *rule, const struct yk_config_rule *config,
                                  struct yk_err *err)
{
    if (rule->kind == RULE_TAG && rule->value[0] == '\0')
        return yk_fail(err, YK_ERR_INVALID, "placement rule 'tag' (line %u) needs a value: the tag's name",
                       config->line);
    if (rule->kind != RULE_FIXED)
        return YK_OK;
    if (rule->value[0] == '\0')
        return yk_fail(err, YK_ERR_INVALID, "placement rule 'fixed' (line %u) needs a value: the queue",
                       config->line);
    if (rule->qualified && config->parent != NULL)
        return yk_fail(err, YK_ERR_INVALID,
                       "placement rule 'fixed' (line %u): '%s' is a full path and takes no parent",
                       config->line, rule->value);
    enum yk_status st = check_path(rule->value, err);
    return st == YK_OK ? YK_OK : yk_fail_in(err, st, "placement rule 'fixed' (line %u)", config->line);
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
                                  struct rule **ret_rule, struct yk_err *err)
{
    YK_CLEANUP(rule_freep) struct rule *rule = yk_new0(struct rule);
    enum yk_status st = kind_of(config->name, &rule->kind, err);
    if (st != YK_OK)
        return st;
    rule->create = config->create;
    rule->value = yk_str_lower(yk_str_trim(config->value));
    rule->qualified = rule->kind == RULE_FIXED && starts_at_root(rule->value);
    st = check_value(rule, config, err);
    if (st == YK_OK)
        st = yk_filter_new(&config->filter, &rule->filter, err);
    if (st != YK_OK)
        return st;
    rule->filter_config.type = yk_arena_str(&placement->arena, config->filter.type);
    rule->filter_config.users = copy_names(&placement->arena, &config->filter.users);
    rule->filter_config.groups = copy_names(&placement->arena, &config->filter.groups);
    *ret_rule = yk_move(rule);
    return YK_OK;
}

static enum yk_status compile_chain(struct yk_placement *placement, const struct yk_config_rule *config,
                                    struct rule **ret_rule, struct yk_err *err)
{
    YK_CLEANUP(rule_freep) struct rule *first = NULL;
    struct rule **place = &first;
    int depth = 0;
    for (; config != NULL; config = config->parent, place = &(*place)->parent) {
        if (++depth > YK_PLACEMENT_RULE_DEPTH_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "placement rule (line %u): more than %d parent rules",
                           config->line, YK_PLACEMENT_RULE_DEPTH_MAX);
        enum yk_status st = compile_one(placement, config, place, err);
        if (st != YK_OK)
            return st;
    }
    *ret_rule = yk_move(first);
    return YK_OK;
}

static struct rule *implicit_rule(enum rule_kind kind)
{
    static const struct yk_config_filter everybody = {0};
    struct rule *rule = yk_new0(struct rule);
    rule->kind = kind;
    rule->value = yk_strdup(kind == RULE_RECOVERY ? "root." YK_RECOVERY_QUEUE : "");
    if (yk_filter_new(&everybody, &rule->filter, NULL) != YK_OK)
        (void)yk_assert_failed("an empty filter compiles", __FILE__,
                               __LINE__); /* nothing to go on with: no filter */
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
        placement->rules[placement->count++] = implicit_rule(RULE_PROVIDED);
    placement->rules[placement->count++] = implicit_rule(RULE_RECOVERY);
    *ret_placement = yk_move(placement);
    return YK_OK;
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

/* ---- evaluation ---- */

enum outcome { NO_MATCH, PATH, FAILED };

static enum outcome run_rule(const struct rule *rule, struct yk_queue *root, const struct yk_app *app,
                             struct yk_buf *path, struct yk_err *err);

static enum outcome fail(struct yk_err *err, const char *what, struct yk_str value)
{
    (void)yk_fail(err, YK_ERR_INVALID, "%s: '" YK_STR_FMT "'", what,
                  YK_STR_ARG(value)); /* the sentence is the result */
    return FAILED;
}

static void lower(struct yk_buf *path)
{
    for (size_t i = 0; i < path->len; i++) {
        if (path->p[i] >= 'A' && path->p[i] <= 'Z')
            path->p[i] = (char)(path->p[i] - 'A' + 'a');
    }
}

/* Writes where the rule's own part hangs: the parent rule's result, or the root. */
static enum outcome base_path(const struct rule *rule, struct yk_queue *root, const struct yk_app *app,
                              struct yk_buf *path, struct yk_err *err)
{
    yk_buf_clear(path);
    if (rule->parent == NULL) {
        yk_buf_text(path, "root");
        return PATH;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf parent = {0};
    enum outcome outcome = run_rule(rule->parent, root, app, &parent, err);
    if (outcome != PATH)
        return outcome;
    /* Compat: a result of exactly "root" is not seen as a full path (P12). */
    if (!yk_str_starts(yk_buf_view(&parent), "root."))
        yk_buf_text(path, "root.");
    yk_buf_str(path, yk_buf_view(&parent));
    const struct yk_queue *queue = yk_queue_find(root, yk_buf_view(path));
    if (queue != NULL && queue->is_leaf)
        return fail(err, "parent rule returned a leaf queue", yk_buf_view(path));
    return PATH;
}

static enum outcome unless_missing(const struct rule *rule, struct yk_queue *root, struct yk_buf *path)
{
    lower(path);
    return rule->create || yk_queue_find(root, yk_buf_view(path)) != NULL ? PATH : NO_MATCH;
}

/* "a.b" below the base as one queue a_dot_b. */
static enum outcome qualify(const struct rule *rule, struct yk_str child, struct yk_queue *root,
                            const struct yk_app *app, struct yk_buf *path, struct yk_err *err)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {.max = 1024};
    for (size_t i = 0; i < child.len && !name.failed; i++) {
        if (child.p[i] == '.')
            yk_buf_text(&name, "_dot_");
        else
            yk_buf_char(&name, child.p[i]);
    }
    if (name.failed || !yk_queue_name_valid(yk_buf_view(&name)))
        return fail(err, "invalid queue name", child);
    enum outcome outcome = base_path(rule, root, app, path, err);
    if (outcome != PATH)
        return outcome;
    yk_buf_char(path, '.');
    yk_buf_str(path, yk_buf_view(&name));
    return unless_missing(rule, root, path);
}

/* A value from outside: a full path is used as it is, anything else is one name. */
static enum outcome from_value(const struct rule *rule, const char *value, struct yk_queue *root,
                               const struct yk_app *app, struct yk_buf *path, struct yk_err *err)
{
    if (strncasecmp(value, "root.", 5) != 0)
        return qualify(rule, yk_str_from(value), root, app, path, err);
    if (check_path(value, err) != YK_OK)
        return FAILED;
    yk_buf_clear(path);
    yk_buf_text(path, value);
    return unless_missing(rule, root, path);
}

static enum outcome from_fixed(const struct rule *rule, struct yk_queue *root, const struct yk_app *app,
                               struct yk_buf *path, struct yk_err *err)
{
    yk_buf_clear(path);
    if (!rule->qualified) {
        enum outcome outcome = base_path(rule, root, app, path, err);
        if (outcome != PATH)
            return outcome;
        yk_buf_char(path, '.');
    }
    yk_buf_text(path, rule->value);
    return unless_missing(rule, root, path);
}

static const char *source_value(const struct rule *rule, const struct yk_app *app)
{
    switch (rule->kind) {
    case RULE_PROVIDED:
        return app->submitted_queue;
    case RULE_USER:
        return app->user;
    case RULE_TAG:
        return yk_tags_get_nocase(&app->tags, rule->value);
    case RULE_FIXED:
    case RULE_RECOVERY:
        return rule->value;
    }
    return NULL;
}

static enum outcome run_rule(const struct rule *rule, struct yk_queue *root, const struct yk_app *app,
                             struct yk_buf *path, struct yk_err *err)
{
    const char *value = source_value(rule, app);
    if (value == NULL || value[0] == '\0')
        return NO_MATCH;
    if (!yk_filter_passes(rule->filter, app->user, app->groups, app->group_count))
        return NO_MATCH;
    switch (rule->kind) {
    case RULE_PROVIDED:
    case RULE_TAG:
        return from_value(rule, value, root, app, path, err);
    case RULE_USER:
        return qualify(rule, yk_str_from(value), root, app, path, err);
    case RULE_FIXED:
        return from_fixed(rule, root, app, path, err);
    case RULE_RECOVERY:
        yk_buf_clear(path);
        yk_buf_text(path, value);
        return app->forced ? PATH : NO_MATCH;
    }
    return NO_MATCH;
}

/* P6: may the application go there? `rest` is what does not exist yet. */
static bool acceptable(struct yk_queue *root, const struct yk_app *app, struct yk_str path)
{
    bool recovery = yk_str_is(path, "root." YK_RECOVERY_QUEUE);
    if (recovery)
        return app->forced; /* R8: closed to everybody else */
    struct yk_str rest;
    const struct yk_queue *queue = yk_queue_find_deepest(root, path, &rest);
    if (queue == NULL || yk_queue_is_draining(queue))
        return false;
    if (!yk_queue_may_submit(queue, app->user, (const char *const *)app->groups, app->group_count))
        return false;
    /* To be created: not below a leaf (P8). There: only a leaf takes applications. */
    return (rest.p != NULL) != queue->is_leaf;
}

enum yk_status yk_placement_place(const struct yk_placement *placement, struct yk_queue *root,
                                  const struct yk_app *app, struct yk_buf *ret_path, struct yk_err *err)
{
    for (size_t i = 0; i < placement->count; i++) {
        switch (run_rule(placement->rules[i], root, app, ret_path, err)) {
        case NO_MATCH:
            break;
        case FAILED:
            return yk_fail_in(err, YK_ERR_INVALID, "failed to place application %s", app->id);
        case PATH:
            if (acceptable(root, app, yk_buf_view(ret_path)))
                return YK_OK;
            break;
        }
    }
    yk_buf_clear(ret_path);
    yk_buf_text(ret_path, "root.default");
    if (yk_queue_find(root, yk_buf_view(ret_path)) != NULL && acceptable(root, app, yk_buf_view(ret_path)))
        return YK_OK;
    return yk_fail(err, YK_ERR_NOT_FOUND,
                   "failed to place application %s: application rejected: no placement rule matched",
                   app->id);
}

/* ---- for REST ---- */

size_t yk_placement_rule_count(const struct yk_placement *placement)
{
    return placement->count;
}

static const char *name_of(enum rule_kind kind)
{
    for (size_t i = 0; i < YK_COUNT(rule_names); i++) {
        if (rule_names[i].kind == kind)
            return rule_names[i].name;
    }
    return "";
}

bool yk_placement_rule_at(const struct yk_placement *placement, size_t index, size_t depth,
                          struct yk_placement_rule_view *ret_view)
{
    const struct rule *rule = placement->rules[index];
    for (; rule != NULL && depth > 0; depth--)
        rule = rule->parent;
    if (rule == NULL)
        return false;
    bool has_value = rule->kind == RULE_FIXED || rule->kind == RULE_TAG || rule->kind == RULE_RECOVERY;
    *ret_view = (struct yk_placement_rule_view){
        .name = name_of(rule->kind),
        .create = rule->create,
        .value = has_value ? rule->value : NULL,
        .qualified = rule->qualified,
        .filter = &rule->filter_config,
        .filter_allows = yk_filter_is_allow(rule->filter),
    };
    return true;
}
