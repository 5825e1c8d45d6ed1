/* SPDX-License-Identifier: Apache-2.0 */
/* User and group limits: docs/reference/queues.md, rules V2, V8 and L1 to L5. */
#include "config/load_priv.h"

typedef unsigned long long ull;

static const char wildcard[] = "*";

/* ---- V2: the limits of the partition hold for its root queue ---- */

static bool limits_equal(const struct yk_config_limits *a, const struct yk_config_limits *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct yk_config_limit *x = &a->items[i], *y = &b->items[i];
        if (!yk_str_eq(x->text, y->text) || !yk_config_names_same(&x->users, &y->users) ||
            !yk_config_names_same(&x->groups, &y->groups) || x->max_applications != y->max_applications ||
            !yk_config_pairs_same(&x->max_resources.text, &y->max_resources.text))
            return false;
    }
    return true;
}

enum yk_status yk__merge_partition_limits(struct yk__load *load, struct yk_config_partition *partition)
{
    struct yk_config_limits *root = &partition->root.limits;
    if (partition->limits.count == 0)
        return YK_OK;
    if (root->count == 0) {
        *root = partition->limits;
        return YK_OK;
    }
    if (limits_equal(&partition->limits, root))
        return YK_OK;
    struct yk_config_place place = root->items[0].place;
    return yk_fail_at(load->err, YK_ERR_INVALID, place.line, place.column,
                      "the limits of the partition and those of its root queue differ");
}

/* ---- L1 to L5: one list ---- */

struct list_check {
    struct yk__load *load;
    const struct yk__path *path;
    struct yk_strmap users, groups; /* names of the limits of this queue that were checked before */
};

/* Writes an error with the place of `culprit`, the address of a text's bytes or of a number; NULL: with the
 * place of the limit. */
static enum yk_status fail_limit(const struct list_check *check, const struct yk_config_limit *limit,
                                 const void *culprit, const char *format, ...) YK_PRINTF(4, 5);

static enum yk_status fail_limit(const struct list_check *check, const struct yk_config_limit *limit,
                                 const void *culprit, const char *format, ...)
{
    char sentence[YK_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof(sentence), format, args); /* a longer text is cut */
    va_end(args);
    return yk__fail_queue(check->load->err, YK_ERR_INVALID, check->path,
                          yk__place_of(check->load->config, culprit, limit->place), "%s", sentence);
}

/* Texts of the configuration are cut in messages, so that the rest of the message is not cut. */
enum { SHOWN_MAX = 128 };
#define SHOWN(s) (int)YK_MIN((s).len, (size_t)SHOWN_MAX), (s).p != NULL ? (s).p : ""

/* L1 to L3: a name is valid, is not there twice in the queue, and does not come after the wildcard. */
static enum yk_status check_names(const struct list_check *check, const struct yk_config_limit *limit,
                                  const char *what, const struct yk_config_names *names,
                                  bool (*valid)(struct yk_str), struct yk_strmap *met)
{
    for (uint32_t i = 0; i < names->count; i++) {
        struct yk_str name = names->items[i];
        enum yk_status st = YK_OK;
        if (!yk_str_is(name, wildcard) && !valid(name))
            st = fail_limit(check, limit, name.p, "limit %s '%.*s' is not a valid name", what, SHOWN(name));
        else if (yk_strmap_get(met, name) != NULL)
            st = fail_limit(check, limit, name.p, "limit %s '%.*s' is there twice", what, SHOWN(name));
        else if (yk_strmap_get(met, YK_STR("*")) != NULL)
            st = fail_limit(check, limit, name.p, "limit %s '%.*s' comes after the wildcard", what,
                            SHOWN(name));
        if (st == YK_OK)
            yk_strmap_put(met, name, &names->items[i]);
        st = yk__go_on(check->load, st);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

/* L5: a limit has a value above 0, and no more applications than the queue. Reads its amounts. */
static enum yk_status check_amounts(const struct list_check *check, struct yk_config_limit *limit)
{
    const struct yk_config_queue *queue = check->path->queue;
    struct yk_config_resources *most = &limit->max_resources;
    bool has_resources = most->text.count > 0, is_read = true;
    const void *amounts = has_resources ? most->text.items[0].key.p : NULL;
    for (uint32_t i = 0; i < most->text.count; i++) {
        enum yk_status st = yk__amount(check->load, &most->text.items[i], &most->amounts);
        if (st != YK_OK) {
            is_read = false;
            st = yk__go_on(check->load, yk__fail_in_queue(check->load->err, st, check->path, "limit '%.*s'",
                                                          SHOWN(limit->text)));
        }
        if (st != YK_OK)
            return st;
    }
    if (!is_read)
        return YK_OK;
    if (has_resources && !yk_resvec_is_positive(&most->amounts))
        return fail_limit(check, limit, amounts, "limit '%.*s': maxresources must have a value above zero",
                          SHOWN(limit->text));
    if (!has_resources && limit->max_applications == 0)
        return fail_limit(check, limit, NULL, "limit '%.*s' has neither maxresources nor maxapplications",
                          SHOWN(limit->text));
    if (queue->max_applications != 0 && limit->max_applications > queue->max_applications)
        return fail_limit(check, limit, &limit->max_applications,
                          "limit '%.*s': maxapplications %llu is larger than the queue's own %llu",
                          SHOWN(limit->text), (ull)limit->max_applications, (ull)queue->max_applications);
    return YK_OK;
}

static enum yk_status check_limit(struct list_check *check, struct yk_config_limit *limit)
{
    if (limit->users.count == 0 && limit->groups.count == 0)
        return fail_limit(check, limit, NULL, "limit '%.*s' names neither users nor groups",
                          SHOWN(limit->text));
    enum yk_status st = check_names(check, limit, "user", &limit->users, yk_user_name_valid, &check->users);
    if (st == YK_OK)
        st = check_names(check, limit, "group", &limit->groups, yk_group_name_valid, &check->groups);
    if (st != YK_OK)
        return st;
    /* L4: a wildcard without named groups would be one limit for all users with groups. The maximum of the
     * queue is for that. */
    if (check->groups.count == 1 && yk_strmap_get(&check->groups, YK_STR("*")) != NULL)
        return fail_limit(check, limit, NULL,
                          "limit '%.*s' has a group wildcard, but no named group came before it",
                          SHOWN(limit->text));
    return check_amounts(check, limit);
}

/* L5, last part: no limit is larger than `own`, the maximum of the queue. */
static enum yk_status check_against_queue(const struct list_check *check, const struct yk_resvec *own,
                                          const struct yk_config_limit *limit)
{
    if (check->path->parent == NULL || yk_resvec_fit_undef(own, &limit->max_resources.amounts))
        return YK_OK;
    return fail_limit(check, limit, limit->max_resources.text.items[0].key.p,
                      "limit '%.*s': maxresources is larger than the queue's own max", SHOWN(limit->text));
}

enum yk_status yk__check_limit_list(struct yk__load *load, const struct yk__path *path,
                                    struct yk_config_queue *queue)
{
    if (queue->limits.count == 0)
        return YK_OK;
    struct list_check check = {.load = load, .path = path};
    YK_RESVEC(own);
    enum yk_status st = yk__amounts(load, &queue->max.text, &own);
    if (st != YK_OK)
        st = yk__go_on(load, yk__fail_in_queue(load->err, st, path, "max"));
    for (uint32_t i = 0; i < queue->limits.count && st == YK_OK; i++) {
        st = check_limit(&check, &queue->limits.items[i]);
        if (st == YK_OK)
            st = check_against_queue(&check, &own, &queue->limits.items[i]);
        st = yk__go_on(load, st);
    }
    yk_strmap_done(&check.users);
    yk_strmap_done(&check.groups);
    return st;
}

/* ---- V8: limits of a queue and of those above it ---- */

/* The limit of a user or group in a queue, combined with its limits in the queues above. */
struct bound {
    struct yk_str name;
    const struct yk_resvec *resources;
    uint64_t max_applications;   /* 0: no limit */
    const struct yk__path *path; /* of the queue that has the limit; the walk is still in its branch */
    const struct yk_config_limit *limit; /* of that queue */
    struct bound *outer;                 /* the bound for this name in the queues above; NULL: none */
};

/* The bounds of one queue, which are in the maps while the walk is in its branch. */
struct bound_list {
    struct bound *items; /* in the scratch arena */
    size_t count;
};

struct tree_check {
    struct yk__load *load;
    struct yk_strmap users, groups; /* name -> struct bound of the nearest ancestor */
};

static enum yk_status fail_bound(const struct tree_check *check, const struct yk__path *path,
                                 const char *what, const struct bound *bound, const void *culprit,
                                 const char *problem)
{
    return yk__fail_queue(check->load->err, YK_ERR_INVALID, path,
                          yk__place_of(check->load->config, culprit, bound->limit->place),
                          "limit of %s '%.*s': %s", what, SHOWN(bound->name), problem);
}

static enum yk_status fail_resources(const struct tree_check *check, const struct yk__path *path,
                                     const char *what, const struct bound *bound, const struct bound *above)
{
    char queue[YK__PATH_TEXT_MAX];
    const struct yk_pairs *own = &bound->limit->max_resources.text;
    struct yk_buf problem = {.max = YK_ERR_TEXT_MAX / 2};
    yk_buf_text(&problem, "maxresources ");
    yk__put_pairs(&problem, own);
    yk_buf_printf(&problem, " is larger than in queue '%s' or above ", yk__path_text(above->path, queue));
    yk__put_pairs(&problem, &above->limit->max_resources.text);
    enum yk_status st = fail_bound(check, path, what, bound, own->count > 0 ? own->items[0].key.p : NULL,
                                   yk_buf_cstr(&problem));
    yk_buf_done(&problem);
    return st;
}

static enum yk_status fail_applications(const struct tree_check *check, const struct yk__path *path,
                                        const char *what, const struct bound *bound,
                                        const struct bound *above)
{
    char queue[YK__PATH_TEXT_MAX], problem[YK_ERR_TEXT_MAX / 2];
    (void)snprintf(problem, sizeof(problem), "maxapplications %llu must be 1 to %llu, as in queue '%s'",
                   (ull)bound->max_applications, (ull)above->max_applications,
                   yk__path_text(above->path, queue));
    return fail_bound(check, path, what, bound, &bound->limit->max_applications, problem);
}

static enum yk_status check_bound(const struct tree_check *check, const struct yk__path *path,
                                  const char *what, const struct yk_strmap *bounds,
                                  const struct yk_config_limit *limit, struct bound *bound)
{
    const struct bound *own = yk_strmap_get(bounds, bound->name);
    const struct bound *above = own != NULL ? own : yk_strmap_get(bounds, YK_STR("*"));
    bound->resources = &limit->max_resources.amounts;
    bound->max_applications = limit->max_applications;
    bound->path = path;
    bound->limit = limit;
    if (above == NULL)
        return YK_OK;
    if (!yk_resvec_fit_undef(above->resources, bound->resources))
        return fail_resources(check, path, what, bound, above);
    if (above->max_applications != 0 &&
        (bound->max_applications == 0 || bound->max_applications > above->max_applications))
        return fail_applications(check, path, what, bound, above);
    if (own == NULL)
        return YK_OK;
    struct yk_resvec *least = yk_new0(struct yk_resvec);
    yk_vec_append(&check->load->bounds, least);
    yk_resvec_copy(least, bound->resources);
    yk_resvec_min(least, own->resources);
    bound->resources = least;
    return YK_OK;
}

static enum yk_status check_bounds(struct tree_check *check, const struct yk__path *path, bool users,
                                   struct bound_list *ret_set)
{
    const struct yk_config_limits *limits = &path->queue->limits;
    const struct yk_strmap *bounds = users ? &check->users : &check->groups;
    size_t total = 0;
    for (uint32_t i = 0; i < limits->count; i++)
        total += users ? limits->items[i].users.count : limits->items[i].groups.count;
    ret_set->items = yk_arena_alloc0(&check->load->scratch, yk_size_mul(total, sizeof(*ret_set->items)));
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct yk_config_limit *limit = &limits->items[i];
        const struct yk_config_names *names = users ? &limit->users : &limit->groups;
        for (uint32_t n = 0; n < names->count; n++) {
            struct bound *bound = &ret_set->items[ret_set->count++];
            bound->name = names->items[n];
            enum yk_status st = yk__go_on(
                check->load, check_bound(check, path, users ? "user" : "group", bounds, limit, bound));
            if (st != YK_OK)
                return st;
        }
    }
    return YK_OK;
}

/* Call it after all limits of the queue were checked, because they do not bound each other. */
static void set_bounds(struct yk_strmap *map, struct bound_list *set)
{
    for (size_t i = 0; i < set->count; i++)
        set->items[i].outer = yk_strmap_put(map, set->items[i].name, &set->items[i]);
}

static void take_back(struct yk_strmap *map, struct bound_list *set)
{
    for (size_t i = 0; i < set->count; i++) {
        struct bound *outer = set->items[i].outer;
        if (outer != NULL)
            yk_strmap_put(map, outer->name, outer);
        else
            yk_strmap_remove(map, set->items[i].name);
    }
}

static enum yk_status check_tree(struct tree_check *check, const struct yk__path *path)
{
    struct bound_list users = {0}, groups = {0};
    enum yk_status st = YK_OK;
    if (path->queue->limits.count > 0) {
        st = check_bounds(check, path, true, &users);
        if (st == YK_OK)
            st = check_bounds(check, path, false, &groups);
        if (st != YK_OK)
            return st;
        set_bounds(&check->users, &users);
        set_bounds(&check->groups, &groups);
    }
    for (uint32_t i = 0; i < path->queue->queue_count && st == YK_OK; i++) {
        struct yk__path below = {.parent = path, .queue = &path->queue->queues[i]};
        st = check_tree(check, &below);
    }
    take_back(&check->users, &users);
    take_back(&check->groups, &groups);
    return st;
}

enum yk_status yk__check_limit_tree(struct yk__load *load, const struct yk_config_partition *partition)
{
    struct tree_check check = {.load = load};
    struct yk__path path = {.queue = &partition->root};
    enum yk_status st = check_tree(&check, &path);
    yk_strmap_done(&check.users);
    yk_strmap_done(&check.groups);
    return st;
}
