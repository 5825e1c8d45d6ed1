/* SPDX-License-Identifier: Apache-2.0 */
/* V11: what is allowed but hardly meant. */
#include "config/load_priv.h"

static void warn_about(struct yk__load *load, const struct yk__path *path, const char *what,
                       const char *problem)
{
    char text[YK__PATH_TEXT_MAX];
    yk__warn_at(load, path->queue->line, path->queue->column, "queue '%s': %s%s", yk__path_text(path, text),
                what, problem);
}

static void warn_cpu(struct yk__load *load, const struct yk__path *path, const struct yk_config_pairs *pairs,
                     const char *what)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        if (yk_str_is(pairs->items[i].key, "cpu"))
            warn_about(load, path, what, " names 'cpu', which no pod asks for; use 'vcore'");
    }
}

static void warn_queue(struct yk__load *load, const struct yk__path *path)
{
    const struct yk_config_queue *queue = path->queue;
    warn_cpu(load, path, &queue->guaranteed.text, "guaranteed");
    warn_cpu(load, path, &queue->max.text, "max");
    warn_cpu(load, path, &queue->child_template.guaranteed.text, "childtemplate guaranteed");
    warn_cpu(load, path, &queue->child_template.max.text, "childtemplate max");
    for (uint32_t i = 0; i < queue->limits.count; i++)
        warn_cpu(load, path, &queue->limits.items[i].max_resources.text, "maxresources of a limit");
    if (queue->max.text.count > 0 && yk_resvec_is_zero(&queue->max.amounts))
        warn_about(load, path, "max", " is all zero and limits nothing");
    if (path->parent != NULL && path->parent->parent == NULL &&
        yk_str_is(yk__lower(load, queue->name), "@recovery@"))
        warn_about(load, path, "the name", " is reserved for recovery");

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
            yk__warn_at(load, 0, 0, "partitions '" YK_STR_FMT "' and '" YK_STR_FMT "' have different queues",
                        YK_STR_ARG(config->partitions[0].name), YK_STR_ARG(partition->name));
        struct yk_str resolver = partition->resolver;
        if (resolver.len > 0 && !yk_str_is(resolver, "os") && !yk_str_is(resolver, "ldap"))
            yk__warn_at(load, 0, 0,
                        "partition '" YK_STR_FMT "': user group resolver '" YK_STR_FMT "' is not known",
                        YK_STR_ARG(partition->name), YK_STR_ARG(resolver));
    }
    if (!has_default)
        yk__warn_at(load, 0, 0,
                    "no partition is called 'default', the one that Kubernetes nodes and pods go to");
}
