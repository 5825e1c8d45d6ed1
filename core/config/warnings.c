/* SPDX-License-Identifier: Apache-2.0 */
/* V11: what is allowed but hardly meant. */
#include "config/load_priv.h"
#include "config/properties.h"

/* About `culprit`, the bytes of a text, or the whole queue. */
static void warn_about(struct yk__load *load, const struct yk__path *path, const void *culprit,
                       const char *what, const char *problem)
{
    char text[YK__PATH_TEXT_MAX];
    yk__warn_at(load, yk__place_of(load->config, culprit, path->queue->place), "queue '%s': %s%s",
                yk__path_text(path, text), what, problem);
}

static void warn_cpu(struct yk__load *load, const struct yk__path *path, const struct yk_config_pairs *pairs,
                     const char *what)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_is(pairs->items[i].key, "cpu"))
            warn_about(load, path, pairs->items[i].key.p, what,
                       " names 'cpu', which no pod asks for; use 'vcore'");
    }
}

/* A value that will not apply is no reason to refuse the configuration (queues.md 3.1). */
static void warn_properties(struct yk__load *load, const struct yk__path *path,
                            const struct yk_config_pairs *properties)
{
    for (uint32_t i = 0; i < properties->count; i++) {
        const struct yk_config_pair *pair = &properties->items[i];
        char text[YK__PATH_TEXT_MAX];
        struct yk_queue_property_words words;
        if (!yk_queue_property_applies(pair, &words))
            yk__warn_at(load, yk__place_of(load->config, pair->key.p, path->queue->place),
                        "queue '%s': property '" YK_STR_FMT "' is '" YK_STR_FMT
                        "', which is not %s: the default is used, %s",
                        yk__path_text(path, text), YK_STR_ARG(pair->key), YK_STR_ARG(pair->value),
                        words.wanted, words.used);
    }
}

/* A2, A6: what is no name counts for nobody, and a wildcard among names is no wildcard. */
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
    if (yk_str_is(yk_str_trim(acl), "*") || !yk_str_split(&rest, ' ', &users))
        return;
    (void)yk_str_split(&rest, ' ', &groups);             /* may be missing */
    if (yk_str_is(users, "*") || yk_str_is(groups, "*")) /* A2: everybody; the rest does not matter */
        return;
    warn_names(load, path, key, &acl, users, "user", yk_user_name_valid);
    warn_names(load, path, key, &acl, groups, "group", yk_acl_group_name_valid);
}

static void warn_queue(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_queue *queue = path->queue;
    warn_properties(load, path, &queue->properties);
    warn_properties(load, path, &queue->child_template.properties);
    warn_acl(load, path, "adminacl", queue->admin_acl);
    warn_acl(load, path, "submitacl", queue->submit_acl);
    warn_cpu(load, path, &queue->guaranteed.text, "guaranteed");
    warn_cpu(load, path, &queue->max.text, "max");
    warn_cpu(load, path, &queue->child_template.guaranteed.text, "childtemplate guaranteed");
    warn_cpu(load, path, &queue->child_template.max.text, "childtemplate max");
    for (uint32_t i = 0; i < queue->limits.count; i++)
        warn_cpu(load, path, &queue->limits.items[i].max_resources.text, "maxresources of a limit");
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

/* Names are unique below a queue, so equal counts and one inclusion mean equal sets. */
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

void yk__add_warnings(struct yk__load *load)
{
    const struct yk_config *config = load->config;
    bool has_default = false;
    for (uint32_t i = 0; i < config->partition_count; i++) {
        const struct yk_config_partition *partition = &config->partitions[i];
        struct yk__path path = {.queue = &partition->root};
        has_default = has_default || yk_str_is(partition->name, "default");
        warn_queue(load, &path);
        if (!same_hierarchy(load, &config->partitions[0].root, &partition->root))
            yk__warn_at(load, partition->place,
                        "partitions '" YK_STR_FMT "' and '" YK_STR_FMT "' have different queues",
                        YK_STR_ARG(config->partitions[0].name), YK_STR_ARG(partition->name));
        struct yk_str resolver = partition->resolver;
        if (resolver.len > 0 && !yk_str_is(resolver, "os") && !yk_str_is(resolver, "ldap"))
            yk__warn_at(load, partition->resolver_place,
                        "partition '" YK_STR_FMT "': user group resolver '" YK_STR_FMT "' is not known",
                        YK_STR_ARG(partition->name), YK_STR_ARG(resolver));
    }
    if (!has_default)
        yk__warn_at(load, (struct yk_config_place){0},
                    "no partition is called 'default', the one that Kubernetes nodes and pods go to");
}
