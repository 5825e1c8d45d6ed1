/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the tree of queues: docs/reference/queues.md, rules V3, V4, V5 and V7, and the parts of V9 and
 * A3 that are checked only at activation. */
#include "config/load_priv.h"

#include "resources/quantity.h"

/* ---- V3: access lists, names ---- */

static size_t count_fields(struct yk_str acl)
{
    size_t fields = 0;
    bool in_field = false;
    for (size_t i = 0; i < acl.len; i++) {
        bool space = acl.p[i] == ' ' || (acl.p[i] >= '\t' && acl.p[i] <= '\r');
        fields += !space && !in_field;
        in_field = !space;
    }
    return fields;
}

/* A3: counts the texts between white space. An ACL with two texts and too many spaces passes here and is
 * refused at activation. */
static enum yk_status check_acl(struct yk__load *load, const struct yk__path *path, const char *key,
                                struct yk_str acl)
{
    if (count_fields(acl) <= 2)
        return YK_OK;
    return yk__fail_queue(
        load->err, YK_ERR_INVALID, path, yk__place_of(load->config, acl.p, path->queue->place),
        "%s '" YK_STR_FMT "' has more than two fields; it is 'users groups'", key, YK_STR_ARG(acl));
}

static enum yk_status add_child(struct yk__load *load, const struct yk__path *path,
                                struct yk_config_queue *queue)
{
    const struct yk_config_queue *parent = path->queue;
    struct yk_config_place place = yk__place_of(load->config, queue->name.p, queue->place);
    char text[YK__PATH_TEXT_MAX];
    if (!yk_queue_name_valid(queue->name))
        return yk_fail_at(load->err, YK_ERR_INVALID, place.line, place.column,
                          "queue name '" YK_STR_FMT
                          "' below '%s' is not valid (1 to %d of letters, digits, _ : # / @ -)",
                          YK_STR_ARG(queue->name), yk__path_text(path, text), YK_CONFIG_QUEUE_NAME_MAX);
    const struct yk_config_queue *other = yk__child_find(load, parent, queue->name);
    if (other != NULL)
        return yk__fail_queue(load->err, YK_ERR_INVALID, &(struct yk__path){path, queue}, place,
                              "is there twice (also in line %u)", other->place.line);
    struct yk_str lower = yk__lower(load, queue->name);
    char *key = yk_arena_alloc0(&load->scratch, sizeof(parent) + lower.len);
    memcpy(key, &parent, sizeof(parent));
    memcpy(key + sizeof(parent), lower.p, lower.len);
    yk_strmap_put(&load->children, (struct yk_str){key, sizeof(parent) + lower.len}, queue);
    return YK_OK;
}

static bool has_entry(const struct yk_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (pairs->items[i].key.len > 0 && pairs->items[i].value.len > 0)
            return true;
    }
    return false;
}

/* T1: a template without a value is the same as none. */
static bool template_is_set(const struct yk_config_template *t)
{
    return t->max_applications != 0 || has_entry(&t->properties) || has_entry(&t->guaranteed.text) ||
           has_entry(&t->max.text);
}

static enum yk_status check_queue(struct yk__load *load, const struct yk__path *path,
                                  struct yk_config_queue *queue)
{
    queue->child_template.is_set = template_is_set(&queue->child_template);
    enum yk_status st = yk__go_on(load, check_acl(load, path, "adminacl", queue->admin_acl));
    if (st == YK_OK)
        st = yk__go_on(load, check_acl(load, path, "submitacl", queue->submit_acl));
    if (st == YK_OK)
        st = yk__go_on(load, yk__check_limit_list(load, path, queue));
    for (uint32_t i = 0; i < queue->queue_count && st == YK_OK; i++)
        st = yk__go_on(load, add_child(load, path, &queue->queues[i]));
    for (uint32_t i = 0; i < queue->queue_count && st == YK_OK; i++) {
        struct yk__path below = {.parent = path, .queue = &queue->queues[i]};
        st = check_queue(load, &below, &queue->queues[i]);
    }
    return st;
}

enum yk_status yk__check_queues(struct yk__load *load, struct yk_config_partition *partition)
{
    struct yk__path path = {.queue = &partition->root};
    return check_queue(load, &path, &partition->root);
}

/* ---- V4, V5: guaranteed and maximum resources ---- */

static enum yk_status fail_resources(struct yk__load *load, const struct yk__path *path, const char *problem,
                                     const struct yk_pairs *text)
{
    struct yk_buf amounts = {.max = YK_ERR_TEXT_MAX / 2};
    yk__put_pairs(&amounts, text);
    enum yk_status st = yk__fail_queue(load->err, YK_ERR_INVALID, path,
                                       yk__place_of_pairs(load->config, text, path->queue->place), "%s %s",
                                       problem, yk_buf_cstr(&amounts));
    yk_buf_done(&amounts);
    return st;
}

/* Writes the error that names the nearest queue above whose maximum is smaller than that of path->queue. */
static enum yk_status fail_above(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_resources *max = &path->queue->max;
    const struct yk__path *above = path->parent;
    char text[YK__PATH_TEXT_MAX];
    while (above->parent != NULL && yk_resvec_fit_undef(&above->queue->max.amounts, &max->amounts))
        above = above->parent;
    struct yk_buf problem = {.max = YK_ERR_TEXT_MAX};
    yk_buf_text(&problem, "max ");
    yk__put_pairs(&problem, &max->text);
    yk_buf_printf(&problem, " is larger than that of queue '%s' ", yk__path_text(above, text));
    yk__put_pairs(&problem, &above->queue->max.text);
    enum yk_status st = yk__fail_queue(load->err, YK_ERR_INVALID, path,
                                       yk__place_of_pairs(load->config, &max->text, path->queue->place), "%s",
                                       yk_buf_cstr(&problem));
    yk_buf_done(&problem);
    return st;
}

static enum yk_status parse_resources(struct yk__load *load, const struct yk__path *path, const char *what,
                                      struct yk_config_resources *resources)
{
    YK_RESVEC(amounts);
    for (uint32_t i = 0; i < resources->text.count; i++) {
        enum yk_status st = yk__amount(load, &resources->text.items[i], &amounts);
        if (st != YK_OK)
            st = yk__go_on(load, yk__fail_in_queue(load->err, st, path, "%s", what));
        if (st != YK_OK)
            return st;
    }
    yk_resvec_copy(&resources->amounts, &amounts);
    return YK_OK;
}

/* V4: nothing is guaranteed above the maximum of the queue. Reads both amounts. */
static enum yk_status check_own(struct yk__load *load, const struct yk__path *path,
                                struct yk_config_queue *queue)
{
    enum yk_status st = parse_resources(load, path, "guaranteed", &queue->guaranteed);
    if (st == YK_OK)
        st = parse_resources(load, path, "max", &queue->max);
    if (st == YK_OK && !yk_resvec_fit_undef(&queue->max.amounts, &queue->guaranteed.amounts))
        st = fail_resources(load, path, "guaranteed is larger than its max", &queue->max.text);
    return st;
}

/* V5. `above`: the smallest maximum of the queues above (M in the rule). `*ret_guaranteed`: what is
 * guaranteed to the queue; if it has no guarantee of its own, what is guaranteed to its children together
 * (G). */
static enum yk_status check_tree(struct yk__load *load, const struct yk__path *path,
                                 struct yk_config_queue *queue, const struct yk_resvec *above,
                                 struct yk_resvec *ret_guaranteed)
{
    enum yk_status st = yk__go_on(load, check_own(load, path, queue));
    if (st == YK_OK && !yk_resvec_fit_undef(above, &queue->max.amounts))
        st = yk__go_on(load, fail_above(load, path));
    if (st != YK_OK)
        return st;

    YK_RESVEC(max);
    YK_RESVEC(sum);
    yk_resvec_copy(&max, &queue->max.amounts);
    yk_resvec_min(&max, above);
    yk_resvec_clear(&sum);
    for (uint32_t i = 0; i < queue->queue_count; i++) {
        struct yk__path below = {.parent = path, .queue = &queue->queues[i]};
        YK_RESVEC(guaranteed);
        st = check_tree(load, &below, &queue->queues[i], &max, &guaranteed);
        if (st != YK_OK)
            return st;
        yk_resvec_add(&sum, &guaranteed);
    }
    const struct yk_resvec *own = &queue->guaranteed.amounts;
    if (!yk_resvec_fit_undef(own, &sum))
        st = fail_resources(load, path,
                            "the guaranteed resources of its children are together larger than its own",
                            &queue->guaranteed.text);
    else if (!yk_resvec_fit_undef(&max, &sum))
        st = fail_resources(load, path,
                            "the guaranteed resources of its children are together larger than the max",
                            &queue->max.text);
    yk_resvec_copy(ret_guaranteed, yk_resvec_is_zero(own) ? &sum : own);
    return yk__go_on(load, st);
}

enum yk_status yk__check_resources(struct yk__load *load, struct yk_config_partition *partition)
{
    struct yk__path path = {.queue = &partition->root};
    YK_RESVEC(unlimited);
    YK_RESVEC(guaranteed);
    return check_tree(load, &path, &partition->root, &unlimited, &guaranteed);
}

/* ---- V7: numbers of applications ---- */

static enum yk_status check_applications(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_queue *queue = path->queue;
    for (uint32_t i = 0; i < queue->queue_count; i++) {
        const struct yk_config_queue *child = &queue->queues[i];
        struct yk__path below = {.parent = path, .queue = child};
        enum yk_status st = YK_OK;
        if (queue->max_applications != 0 &&
            (child->max_applications == 0 || child->max_applications > queue->max_applications))
            st = yk__fail_queue(load->err, YK_ERR_INVALID, &below,
                                yk__place_of(load->config, &child->max_applications, child->place),
                                "maxapplications %llu must be 1 to %llu, its parent's maximum",
                                (unsigned long long)child->max_applications,
                                (unsigned long long)queue->max_applications);
        st = yk__go_on(load, st);
        if (st == YK_OK)
            st = check_applications(load, &below);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

enum yk_status yk__check_max_applications(struct yk__load *load, const struct yk_config_partition *partition)
{
    struct yk__path path = {.queue = &partition->root};
    return check_applications(load, &path);
}

/* ---- what only activation checks ---- */

static enum yk_status check_acl_strictly(struct yk__load *load, const struct yk__path *path, const char *key,
                                         struct yk_str acl)
{
    size_t fields = 1;
    for (size_t i = 0; i < acl.len; i++)
        fields += acl.p[i] == ' ';
    bool is_refused = count_fields(acl) > 2; /* check_acl() has reported it */
    if (fields <= 2 || is_refused)
        return YK_OK;
    return yk__fail_queue(
        load->err, YK_ERR_INVALID, path, yk__place_of(load->config, acl.p, path->queue->place),
        "%s '" YK_STR_FMT "' must have one space, between users and groups", key, YK_STR_ARG(acl));
}

static enum yk_status check_template_map(struct yk__load *load, const struct yk__path *path, const char *what,
                                         const struct yk_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        int64_t amount;
        enum yk_status st =
            yk_quantity_parse_config(pairs->items[i].key, pairs->items[i].value, &amount, load->err);
        if (st != YK_OK) {
            struct yk_config_place place = yk_config_place_of(load->config, pairs->items[i].key);
            (void)yk_fail_is_at(load->err, st, place.line, place.column);
            st = yk__go_on(load, yk__fail_in_queue(load->err, st, path, "childtemplate %s", what));
        }
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

static enum yk_status check_activation(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_queue *queue = path->queue;
    bool uses_template = (queue->parent || queue->queue_count > 0) && queue->child_template.is_set;
    enum yk_status st = yk__go_on(load, check_acl_strictly(load, path, "adminacl", queue->admin_acl));
    if (st == YK_OK)
        st = yk__go_on(load, check_acl_strictly(load, path, "submitacl", queue->submit_acl));
    if (st == YK_OK && uses_template)
        st = check_template_map(load, path, "max", &queue->child_template.max.text);
    if (st == YK_OK && uses_template)
        st = check_template_map(load, path, "guaranteed", &queue->child_template.guaranteed.text);
    for (uint32_t i = 0; i < queue->queue_count && st == YK_OK; i++) {
        struct yk__path below = {.parent = path, .queue = &queue->queues[i]};
        st = check_activation(load, &below);
    }
    return st;
}

enum yk_status yk__check_activation(struct yk__load *load, const struct yk_config_partition *partition)
{
    struct yk__path path = {.queue = &partition->root};
    return check_activation(load, &path);
}

enum yk_status yk_config_check_activation(const struct yk_config *config, struct yk_err *err)
{
    /* The checks of activation only read the tree. */
    struct yk__load load = {.config = (struct yk_config *)(uintptr_t)config, .err = err};
    if (config->partition_count == 0)
        return yk_fail(err, YK_ERR_INVALID, "the configuration has no partition");
    for (uint32_t i = 0; i < config->partition_count; i++) {
        const struct yk_config_partition *partition = &config->partitions[i];
        enum yk_status st = yk__check_activation(&load, partition);
        if (st != YK_OK)
            return yk_fail_in(err, st, "partition '" YK_STR_FMT "'", YK_STR_ARG(partition->name));
    }
    return YK_OK;
}
