/* SPDX-License-Identifier: Apache-2.0 */
#include "partition/config_diff.h"

/* ---- comparison ---- */

static bool same_limits(const struct yk_config_limits *a, const struct yk_config_limits *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct yk_config_limit *x = &a->items[i], *y = &b->items[i];
        if (!yk_config_names_same(&x->users, &y->users) || !yk_config_names_same(&x->groups, &y->groups) ||
            x->max_applications != y->max_applications ||
            !yk_resvec_same(&x->max_resources.amounts, &y->max_resources.amounts))
            return false;
    }
    return true;
}

static bool same_template(const struct yk_config_template *a, const struct yk_config_template *b)
{
    return a->is_set == b->is_set && a->max_applications == b->max_applications &&
           yk_config_pairs_same(&a->properties, &b->properties) &&
           yk_config_pairs_same(&a->guaranteed.text, &b->guaranteed.text) &&
           yk_config_pairs_same(&a->max.text, &b->max.text);
}

static bool is_leaf(const struct yk_config_queue *config)
{
    return !config->parent && config->queue_count == 0;
}

/* Whether both are equal in all but properties, template and children. */
static bool same_rest(const struct yk_config_queue *a, const struct yk_config_queue *b)
{
    return is_leaf(a) == is_leaf(b) && yk_resvec_same(&a->max.amounts, &b->max.amounts) &&
           yk_resvec_same(&a->guaranteed.amounts, &b->guaranteed.amounts) &&
           a->max_applications == b->max_applications && yk_str_eq(a->admin_acl, b->admin_acl) &&
           yk_str_eq(a->submit_acl, b->submit_acl) && same_limits(&a->limits, &b->limits);
}

/* ---- finding the old queue of a new one ---- */

/* The children of one queue of a configuration, to be found by name. */
struct matches {
    const struct yk_config_queue *parent; /* NULL: no children */
    /* Name in lower case -> struct yk_config_queue; filled when needed. */
    struct yk_strmap by_name;
    struct yk_arena names; /* the keys of `by_name` */
    uint32_t found;        /* successful calls of match() */
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(struct yk_str a, struct yk_str b)
{
    for (size_t i = 0; a.len == b.len && i < a.len; i++) {
        if (lower(a.p[i]) != lower(b.p[i]))
            return false;
    }
    return a.len == b.len;
}

static struct yk_str lower_name(struct yk_arena *arena, struct yk_str name)
{
    char *copy = yk_arena_alloc0(arena, name.len + 1);
    for (size_t i = 0; i < name.len; i++)
        copy[i] = lower(name.p[i]);
    return (struct yk_str){copy, name.len};
}

static void fill(struct matches *matches)
{
    if (matches->by_name.count > 0)
        return;
    for (uint32_t i = 0; i < matches->parent->queue_count; i++) {
        struct yk_config_queue *child = &matches->parent->queues[i];
        /* Returns NULL, because names are unique below a queue. */
        (void)yk_strmap_put(&matches->by_name, lower_name(&matches->names, child->name), child);
    }
}

/* The child of that name, or NULL. `index`: its index in the other configuration. It usually has the same
 * index here; the map is filled only if it has not. */
static const struct yk_config_queue *match(struct matches *matches, struct yk_str name, uint32_t index)
{
    const struct yk_config_queue *found = NULL;
    if (matches->parent == NULL || matches->parent->queue_count == 0)
        return NULL;
    if (index < matches->parent->queue_count && same_name(matches->parent->queues[index].name, name)) {
        found = &matches->parent->queues[index];
    } else {
        fill(matches);
        found = yk_strmap_get(&matches->by_name, lower_name(&matches->names, name));
    }
    matches->found += found != NULL;
    return found;
}

static void matches_done(struct matches *matches)
{
    yk_strmap_done(&matches->by_name);
    yk_arena_done(&matches->names);
}

/* ---- the walk ---- */

struct walk {
    struct yk_partition_plan *plan;
    struct yk_arena scratch; /* freed at the end of the walk */
    struct yk_buf path;      /* of the queue that is visited */
    struct yk_err *err;
};

/* What a queue inherits from its parent. */
struct above {
    struct yk_property_set *properties;
    bool properties_differ, template_differs;
};

/*
 * Sets the effective properties of the queue. If they are the same as in the active configuration, they are
 * shared with it, and so with the queue of the partition.
 */
static void set_properties(const struct yk_config_queue *old, bool same_as_old, const struct above *above,
                           struct yk_config_queue *config)
{
    yk_property_set_put(config->effective); /* not NULL if the configuration was prepared before */
    config->effective = same_as_old && old->effective != NULL
                            ? yk_property_set_hold(old->effective)
                            : yk_property_set_new(above->properties, &config->properties);
}

/* The properties of a template, without pairs that have an empty key or value (T1). */
static struct yk_property_set *said_properties(struct yk_arena *scratch, const struct yk_pairs *from)
{
    struct yk_pairs said = {yk_arena_alloc0(scratch, yk_size_mul(from->count, sizeof(*said.items))), 0};
    for (uint32_t i = 0; i < from->count; i++) {
        if (!yk_str_empty(from->items[i].key) && !yk_str_empty(from->items[i].value))
            said.items[said.count++] = from->items[i];
    }
    return yk_property_set_new(NULL, &said);
}

static enum yk_status template_limit(const struct yk_pairs *text, bool *ret_has, struct yk_resvec *ret_limit,
                                     struct yk_err *err)
{
    enum yk_status st = yk_config_amounts(text, ret_limit, err);
    *ret_has = st == YK_OK && yk_resvec_is_positive(ret_limit);
    if (!*ret_has)
        yk_resvec_clear(ret_limit);
    return st;
}

/* Fills the queue's own template. The template of a leaf is never used, and therefore not checked (V9). */
static enum yk_status fill_template(struct walk *walk, struct yk_queue_plan *plan)
{
    const struct yk_config_template *config = &plan->config->child_template;
    if (!config->is_set || plan->is_leaf)
        return YK_OK;
    struct yk_queue_template *template = yk_arena_alloc0(&walk->plan->arena, sizeof(*template));
    template->is_set = true;
    template->max_apps = config->max_applications;
    template->properties = said_properties(&walk->scratch, &config->properties);
    enum yk_status st =
        template_limit(&config->guaranteed.text, &template->has_guaranteed, &template->guaranteed, walk->err);
    if (st == YK_OK)
        st = template_limit(&config->max.text, &template->has_max, &template->max, walk->err);
    plan->own_template = template;
    return st;
}

static enum yk_status fill_plan(struct walk *walk, struct yk_queue_plan *plan)
{
    const struct yk_config_queue *config = plan->config;
    const char *path = yk_buf_cstr(&walk->path);
    plan->differs = true;
    plan->is_leaf = is_leaf(config);
    yk_queue_settings_from(config->effective, path, &plan->settings);
    enum yk_status st = yk_acl_parse(config->submit_acl, &plan->submit_acl, walk->err);
    if (st == YK_OK)
        st = yk_acl_parse(config->admin_acl, &plan->admin_acl, walk->err);
    if (st == YK_OK)
        st = fill_template(walk, plan);
    return st == YK_OK ? YK_OK : yk_fail_in(walk->err, st, "queue '%s'", path);
}

static enum yk_status visit(struct walk *walk, const struct yk_config_queue *old,
                            struct yk_config_queue *config, const struct above *above,
                            struct yk_queue_plan *plan);

/* Whether the plan has to be kept: the queue or something below it differs. */
static bool says_something(const struct yk_queue_plan *plan)
{
    return plan->differs || plan->first_child != NULL || plan->gone != NULL;
}

/* Whether `name` below `parent_path` is the recovery queue, which is made on demand and without settings
 * (R7). An entry for it in the configuration is ignored (BUG-7). */
static bool is_recovery(struct yk_str parent_path, struct yk_str name)
{
    return yk_str_is(parent_path, "root") && same_name(name, YK_STR(YK_RECOVERY_QUEUE));
}

static enum yk_status visit_children(struct walk *walk, struct matches *old, const struct above *above,
                                     struct yk_queue_plan *plan)
{
    struct yk_queue_plan **end = &plan->first_child;
    size_t path_len = walk->path.len;
    enum yk_status st = YK_OK;
    for (uint32_t i = 0; i < plan->config->queue_count && st == YK_OK; i++) {
        struct yk_config_queue *config = &plan->config->queues[i];
        struct yk_queue_plan child = {0};
        if (is_recovery(yk_buf_view(&walk->path), config->name))
            continue;
        yk_buf_char(&walk->path, '.');
        yk_buf_str(&walk->path, config->name);
        st = visit(walk, match(old, config->name, i), config, above, &child);
        walk->path.len = path_len;
        walk->path.p[path_len] = '\0';
        if (!says_something(&child))
            continue;
        child.name = lower_name(&walk->plan->arena, config->name);
        *end = yk_arena_alloc0(&walk->plan->arena, sizeof(**end));
        **end = child;
        end = &(*end)->next;
    }
    return st;
}

static void note_gone(struct walk *walk, struct matches *old, struct yk_queue_plan *plan)
{
    struct matches now = {.parent = plan->config};
    struct yk_plan_gone **end = &plan->gone;
    for (uint32_t i = 0; i < old->parent->queue_count; i++) {
        struct yk_str name = old->parent->queues[i].name;
        if (match(&now, name, i) != NULL)
            continue;
        *end = yk_arena_alloc0(&walk->plan->arena, sizeof(**end));
        (*end)->name = lower_name(&walk->plan->arena, name);
        end = &(*end)->next;
    }
    matches_done(&now);
}

static enum yk_status visit(struct walk *walk, const struct yk_config_queue *old,
                            struct yk_config_queue *config, const struct above *above,
                            struct yk_queue_plan *plan)
{
    static const struct yk_pairs no_pairs;
    static const struct yk_config_template no_template;
    bool own_properties =
        !yk_config_pairs_same(old != NULL ? &old->properties : &no_pairs, &config->properties);
    bool own_template =
        !same_template(old != NULL ? &old->child_template : &no_template, &config->child_template);
    bool takes_template = !is_leaf(config) && !config->child_template.is_set;
    plan->config = config;
    plan->is_new = old == NULL;
    plan->differs_itself = old == NULL || own_properties || own_template || !same_rest(old, config);

    set_properties(old, old != NULL && !own_properties && !above->properties_differ, above, config);

    enum yk_status st = YK_OK;
    if (plan->differs_itself || above->properties_differ || (takes_template && above->template_differs)) {
        walk->plan->differing++;
        st = fill_plan(walk, plan);
    }
    if (st == YK_OK && (config->queue_count > 0 || (old != NULL && old->queue_count > 0))) {
        struct matches matches = {.parent = old};
        const struct above below = {
            .properties = config->effective,
            .properties_differ = own_properties || above->properties_differ,
            .template_differs = own_template || (takes_template && above->template_differs),
        };
        st = visit_children(walk, &matches, &below, plan);
        if (st == YK_OK && old != NULL && matches.found < old->queue_count)
            note_gone(walk, &matches, plan);
        matches_done(&matches);
    }
    return st;
}

static void done_branch(struct yk_queue_plan *plan)
{
    for (struct yk_queue_plan *child = plan->first_child; child != NULL; child = child->next)
        done_branch(child);
    if (plan->own_template != NULL)
        yk_queue_template_done(plan->own_template);
    yk_acl_done(&plan->submit_acl);
    yk_acl_done(&plan->admin_acl);
}

void yk_partition_plan_done(struct yk_partition_plan *plan)
{
    if (plan->root != NULL)
        done_branch(plan->root);
    yk_arena_done(&plan->arena);
    *plan = (struct yk_partition_plan){0};
}

enum yk_status yk_partition_plan_make(const struct yk_config_partition *active,
                                      struct yk_config_partition *wanted, struct yk_partition_plan *ret_plan,
                                      struct yk_err *err)
{
    struct walk walk = {.plan = ret_plan, .err = err};
    const struct above nothing = {0};
    yk_buf_text(&walk.path, "root");
    *ret_plan = (struct yk_partition_plan){0};
    struct yk_queue_plan *root = yk_arena_alloc0(&ret_plan->arena, sizeof(*root));
    enum yk_status st = visit(&walk, active != NULL ? &active->root : NULL, &wanted->root, &nothing, root);
    ret_plan->root = root;
    if (st == YK_OK && !says_something(root))
        ret_plan->root = NULL;
    if (st != YK_OK)
        yk_partition_plan_done(ret_plan);
    yk_arena_done(&walk.scratch);
    yk_buf_done(&walk.path);
    return st;
}
