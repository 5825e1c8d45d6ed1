/* SPDX-License-Identifier: Apache-2.0 */
/* V11: warns of what is allowed but probably not intended. */
#include "config/load_priv.h"
#include "config/properties_priv.h"
#include "config/property_set.h"
#include "resources/quantity.h"

/* Adds a warning with the place of `culprit`, the address of a text's bytes, or of the queue if that is
 * not known. */
static void warn_about(struct yk__load *load, const struct yk__path *path, const void *culprit,
                       const char *what, const char *problem)
{
    char text[YK__PATH_TEXT_MAX];
    yk__warn_at(load, yk__place_of(load->config, culprit, path->queue->place), "queue '%s': %s%s",
                yk__path_text(path, text), what, problem);
}

/*
 * Whether a Kubernetes node can offer a resource of that name: cpu is called vcore here, and what is not
 * built in has a domain. Whether a node offers it now does not matter, because nodes come and go.
 */
static bool may_be_offered(struct yk_str type)
{
    static const char *const native[] = {"vcore", "memory", "pods", "ephemeral-storage", "storage"};
    for (size_t i = 0; i < YK_COUNT(native); i++) {
        if (yk_str_is(type, native[i]))
            return true;
    }
    return yk_str_starts(type, "hugepages-") || (type.len > 0 && memchr(type.p, '/', type.len) != NULL);
}

static void warn_types(struct yk__load *load, const struct yk__path *path, const struct yk_pairs *pairs,
                       const char *what)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct yk_str type = pairs->items[i].key;
        char problem[128];
        if (may_be_offered(type))
            continue;
        if (yk_str_is(type, "cpu"))
            (void)snprintf(problem, sizeof(problem), " names 'cpu', which no pod asks for; use 'vcore'");
        else
            (void)snprintf(
                problem, sizeof(problem),
                " names '%.40s', which no node offers: a device has a domain, as in example.com/gpu", type.p);
        warn_about(load, path, type.p, what, problem);
    }
}

/* Warns of properties that have no effect; they do not make a configuration invalid (queues.md 3.1). */
static void warn_properties(struct yk__load *load, const struct yk__path *path,
                            const struct yk_pairs *properties)
{
    for (uint32_t i = 0; i < properties->count; i++) {
        const struct yk_pair *pair = &properties->items[i];
        char text[YK__PATH_TEXT_MAX];
        struct yk_queue_property_words words;
        if (yk__property_number(pair->key) < 0)
            yk__warn_at(load, yk__place_of(load->config, pair->key.p, path->queue->place),
                        "queue '%s': property '" YK_STR_FMT "' is not known and has no effect",
                        yk__path_text(path, text), YK_STR_ARG(pair->key));
        else if (!yk_queue_property_applies(pair, &words))
            yk__warn_at(load, yk__place_of(load->config, pair->key.p, path->queue->place),
                        "queue '%s': property '" YK_STR_FMT "' is '" YK_STR_FMT
                        "', which is not %s: the default is used, %s",
                        yk__path_text(path, text), YK_STR_ARG(pair->key), YK_STR_ARG(pair->value),
                        words.wanted, words.used);
    }
}

/* A2, A6: an invalid name matches no user, and a wildcard among names is no wildcard. */
static void warn_names(struct yk__load *load, const struct yk__path *path, const char *key,
                       const struct yk_str *acl, struct yk_str list, const char *what,
                       bool (*valid)(struct yk_str))
{
    struct yk_str name;
    char text[YK__PATH_TEXT_MAX];
    while (yk_str_split(&list, ',', &name)) {
        if (name.len > 0 && !valid(name))
            yk__warn_at(load, yk__place_of(load->config, acl->p, path->queue->place),
                        "queue '%s': %s: '" YK_STR_FMT "' is not a name of a %s and is ignored",
                        yk__path_text(path, text), key, YK_STR_ARG(name), what);
    }
}

static void warn_acl(struct yk__load *load, const struct yk__path *path, const char *key, struct yk_str acl)
{
    struct yk_str rest = acl, users = {0}, groups = {0};
    char text[YK__PATH_TEXT_MAX];
    if (yk_str_is(yk_str_trim(acl), "*") || !yk_str_split(&rest, ' ', &users))
        return;
    (void)yk_str_split(&rest, ' ', &groups);             /* may be missing */
    if (yk_str_is(users, "*") || yk_str_is(groups, "*")) /* A2: all users; the other field does not matter */
        return;
    if (yk_str_ends(users, ",") && groups.len > 0)
        yk__warn_at(load, yk__place_of(load->config, acl.p, path->queue->place),
                    "queue '%s': %s: '" YK_STR_FMT "' is a group, because a space ends the users",
                    yk__path_text(path, text), key, YK_STR_ARG(groups));
    warn_names(load, path, key, &acl, users, "user", yk_user_name_valid);
    warn_names(load, path, key, &acl, groups, "group", yk_acl_group_name_valid);
}

static const struct yk_pair *find_pair(const struct yk_pairs *pairs, struct yk_str key)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_eq(pairs->items[i].key, key))
            return &pairs->items[i];
    }
    return NULL;
}

/* Quantities that are not valid are left out: they are refused elsewhere, or never used (V9). */
static void warn_template(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_template *template = &path->queue->child_template;
    for (uint32_t i = 0; i < template->guaranteed.text.count; i++) {
        const struct yk_pair *least = &template->guaranteed.text.items[i];
        const struct yk_pair *most = find_pair(&template->max.text, least->key);
        int64_t guaranteed, max;
        if (most == NULL || yk_quantity_parse_config(least->key, least->value, &guaranteed, NULL) != YK_OK ||
            yk_quantity_parse_config(most->key, most->value, &max, NULL) != YK_OK || guaranteed <= max)
            continue;
        warn_about(load, path, least->key.p, "childtemplate", ": guaranteed is larger than its max");
    }
}

static void warn_quota_preemption(struct yk__load *load, const struct yk__path *path)
{
    static const char key[] = "quota.preemption.delay";
    const struct yk_config_queue *queue = path->queue;
    const struct yk_pair *pair = find_pair(&queue->properties, YK_STR(key));
    struct yk_pairs one = {(struct yk_pair *)(uintptr_t)pair, 1};
    struct yk_queue_settings settings = {0};
    struct yk_queue_property_words words;
    if (pair == NULL || load->partition->quota_preemption_enabled || !yk_queue_property_applies(pair, &words))
        return;
    struct yk_property_set *set = yk_property_set_new(NULL, &one);
    yk_queue_settings_from(set, "", &settings);
    yk_property_set_put(set);
    if (settings.quota_preemption_delay_ns > 0)
        warn_about(load, path, pair->key.p, key,
                   " has no effect: the partition does not say 'preemption: {quotapreemptionenabled: true}'");
}

static void warn_queue(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_queue *queue = path->queue;
    warn_properties(load, path, &queue->properties);
    warn_properties(load, path, &queue->child_template.properties);
    warn_quota_preemption(load, path);
    warn_template(load, path);
    warn_acl(load, path, "adminacl", queue->admin_acl);
    warn_acl(load, path, "submitacl", queue->submit_acl);
    warn_types(load, path, &queue->guaranteed.text, "guaranteed");
    warn_types(load, path, &queue->max.text, "max");
    warn_types(load, path, &queue->child_template.guaranteed.text, "childtemplate guaranteed");
    warn_types(load, path, &queue->child_template.max.text, "childtemplate max");
    for (uint32_t i = 0; i < queue->limits.count; i++)
        warn_types(load, path, &queue->limits.items[i].max_resources.text, "maxresources of a limit");
    if (queue->max.text.count > 0 && yk_resvec_is_zero(&queue->max.amounts))
        warn_about(load, path, queue->max.text.items[0].key.p, "max", " is all zero and limits nothing");
    if (path->parent != NULL && path->parent->parent == NULL &&
        yk_str_is(yk__lower(load, queue->name), "@recovery@"))
        warn_about(load, path, queue->name.p, "the name", " is reserved for recovery");

    for (uint32_t i = 0; i < queue->queue_count; i++) {
        struct yk__path below = {.parent = path, .queue = &queue->queues[i]};
        warn_queue(load, &below);
    }
}

/* A list grants something if it has a field that is not empty (A1). */
static bool grants(struct yk_str acl)
{
    return yk_str_trim(acl).len > 0;
}

static bool grants_below(const struct yk_config_queue *queue)
{
    bool found = grants(queue->submit_acl) || grants(queue->admin_acl);
    for (uint32_t i = 0; i < queue->queue_count && !found; i++)
        found = grants_below(&queue->queues[i]);
    return found;
}

/* Whether both have the same queues. Names are unique below a queue, so it suffices to find all of `a` in
 * `b`. */
static bool same_hierarchy(struct yk__load *load, const struct yk_config_queue *a,
                           const struct yk_config_queue *b)
{
    if (a->queue_count != b->queue_count)
        return false;
    for (uint32_t i = 0; i < a->queue_count; i++) {
        const struct yk_config_queue *other = yk__child_find(load, b, a->queues[i].name);
        if (other == NULL || !same_hierarchy(load, &a->queues[i], other))
            return false;
    }
    return true;
}

static void warn_closed(struct yk__load *load, const struct yk_config_partition *partition)
{
    if (!grants_below(&partition->root))
        yk__warn_at(load, partition->root.place,
                    "partition '" YK_STR_FMT "': no user may submit: no queue has a submitacl or adminacl",
                    YK_STR_ARG(partition->name));
}

void yk__add_warnings(struct yk__load *load)
{
    const struct yk_config *config = load->config;
    bool has_default = false;
    for (uint32_t i = 0; i < config->partition_count; i++) {
        const struct yk_config_partition *partition = &config->partitions[i];
        struct yk__path path = {.queue = &partition->root};
        has_default = has_default || yk_str_is(partition->name, "default");
        load->partition = partition;
        warn_queue(load, &path);
        load->partition = NULL;
        /* yk__child_find() does not find queues that were refused, so a partition would differ from
         * itself. */
        bool has_errors = load->errors != NULL && load->errors->count > 0;
        if (!has_errors && !same_hierarchy(load, &config->partitions[0].root, &partition->root))
            yk__warn_at(load, partition->place,
                        "partitions '" YK_STR_FMT "' and '" YK_STR_FMT "' have different queues",
                        YK_STR_ARG(config->partitions[0].name), YK_STR_ARG(partition->name));
        struct yk_str resolver = partition->resolver;
        if (resolver.len > 0 && !yk_str_is(resolver, "os") && !yk_str_is(resolver, "ldap"))
            yk__warn_at(load, partition->resolver_place,
                        "partition '" YK_STR_FMT "': user group resolver '" YK_STR_FMT "' is not known",
                        YK_STR_ARG(partition->name), YK_STR_ARG(resolver));
    }
    for (uint32_t i = 0; i < config->partition_count; i++)
        warn_closed(load, &config->partitions[i]);
    if (!has_default)
        yk__warn_at(load, (struct yk_config_place){0},
                    "no partition is called 'default', the one that Kubernetes nodes and pods go to");
}
