/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two checked configurations. */
#include "base/map.h"
#include "base/vec.h"
#include "config/config.h"

enum { QUEUE_FACTS = 8, PARTITION_FACTS = 4 };

struct fact { /* a key of a queue or a partition, with its value as text */
    const char *name;
    struct yk_buf value; /* empty: the configuration does not have the key */
};

struct diff {
    struct yk_buf *out;
    size_t lines;
};

/* ---- values as text ---- */

static int by_key(const void *a, const void *b)
{
    const struct yk_pair *x = a, *y = b;
    int order = memcmp(x->key.p, y->key.p, YK_MIN(x->key.len, y->key.len));
    return order != 0 ? order : (x->key.len > y->key.len) - (x->key.len < y->key.len);
}

static void put_pairs(const char *name, const struct yk_pairs *pairs, struct yk_buf *out)
{
    if (pairs->count == 0)
        return;
    struct yk_pair *sorted = yk_calloc(pairs->count, sizeof(*sorted));
    memcpy(sorted, pairs->items, pairs->count * sizeof(*sorted));
    qsort(sorted, pairs->count, sizeof(*sorted), by_key);
    yk_buf_printf(out, "%s%s{", name, name[0] != '\0' ? " " : "");
    for (uint32_t i = 0; i < pairs->count; i++)
        yk_buf_printf(out, "%s" YK_STR_FMT ": " YK_STR_FMT, i > 0 ? ", " : "", YK_STR_ARG(sorted[i].key),
                      YK_STR_ARG(sorted[i].value));
    yk_buf_text(out, "} ");
    free(sorted);
}

static void put_text(const char *name, struct yk_str text, struct yk_buf *out)
{
    if (text.len > 0)
        yk_buf_printf(out, "%s '" YK_STR_FMT "' ", name, YK_STR_ARG(text));
}

static void put_number(const char *name, uint64_t number, struct yk_buf *out)
{
    if (number != 0)
        yk_buf_printf(out, "%s %llu ", name, (unsigned long long)number);
}

static void put_names(const char *name, const struct yk_config_names *names, struct yk_buf *out)
{
    if (names->count == 0)
        return;
    yk_buf_printf(out, "%s [", name);
    for (uint32_t i = 0; i < names->count; i++)
        yk_buf_printf(out, "%s" YK_STR_FMT, i > 0 ? ", " : "", YK_STR_ARG(names->items[i]));
    yk_buf_text(out, "] ");
}

static void put_limits(const struct yk_config_limits *limits, struct yk_buf *out)
{
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct yk_config_limit *limit = &limits->items[i];
        yk_buf_text(out, i > 0 ? "| " : "");
        put_names("users", &limit->users, out);
        put_names("groups", &limit->groups, out);
        put_pairs("maxresources", &limit->max_resources.text, out);
        put_number("maxapplications", limit->max_applications, out);
    }
}

static void put_rule(const struct yk_config_rule *rule, struct yk_buf *out)
{
    for (const char *word = ""; rule != NULL; rule = rule->parent, word = "below ") {
        yk_buf_printf(out, "%s" YK_STR_FMT " ", word, YK_STR_ARG(rule->name));
        put_text("value", rule->value, out);
        if (rule->create)
            yk_buf_text(out, "create ");
        put_text("filter", rule->filter.type, out);
        put_names("users", &rule->filter.users, out);
        put_names("groups", &rule->filter.groups, out);
    }
}

/* ---- values of queues and partitions ---- */

static bool is_parent(const struct yk_config_queue *queue)
{
    return queue->parent || queue->queue_count > 0;
}

static void describe_queue(const struct yk_config_queue *queue, struct fact facts[QUEUE_FACTS])
{
    static const char *const names[QUEUE_FACTS] = {"kind",      "adminacl",       "submitacl",
                                                   "resources", "properties",     "childtemplate",
                                                   "limits",    "maxapplications"};
    for (size_t i = 0; i < QUEUE_FACTS; i++)
        facts[i] = (struct fact){.name = names[i]};
    yk_buf_text(&facts[0].value, is_parent(queue) ? "parent" : "leaf");
    yk_buf_str(&facts[1].value, queue->admin_acl);
    yk_buf_str(&facts[2].value, queue->submit_acl);
    put_pairs("guaranteed", &queue->guaranteed.text, &facts[3].value);
    put_pairs("max", &queue->max.text, &facts[3].value);
    put_pairs("", &queue->properties, &facts[4].value);
    const struct yk_config_template *template = &queue->child_template;
    put_pairs("guaranteed", &template->guaranteed.text, &facts[5].value);
    put_pairs("max", &template->max.text, &facts[5].value);
    put_pairs("properties", &template->properties, &facts[5].value);
    put_number("maxapplications", template->max_applications, &facts[5].value);
    put_limits(&queue->limits, &facts[6].value);
    if (queue->max_applications != 0)
        yk_buf_printf(&facts[7].value, "%llu", (unsigned long long)queue->max_applications);
}

static void describe_partition(const struct yk_config_partition *partition,
                               struct fact facts[PARTITION_FACTS])
{
    static const char *const names[PARTITION_FACTS] = {"placementrules", "nodesortpolicy", "preemption",
                                                       "usergroupresolver"};
    for (size_t i = 0; i < PARTITION_FACTS; i++)
        facts[i] = (struct fact){.name = names[i]};
    for (uint32_t i = 0; i < partition->rule_count; i++) {
        yk_buf_text(&facts[0].value, i > 0 ? "| " : "");
        put_rule(&partition->rules[i], &facts[0].value);
    }
    yk_buf_str(&facts[1].value, partition->node_sort_type);
    for (uint32_t i = 0; i < partition->node_sort_weight_count; i++)
        yk_buf_printf(&facts[1].value, " " YK_STR_FMT ": %g",
                      YK_STR_ARG(partition->node_sort_weights[i].type),
                      partition->node_sort_weights[i].weight);
    yk_buf_printf(&facts[2].value, "%s%s", partition->preemption_enabled ? "on" : "off",
                  partition->quota_preemption_enabled ? ", quota preemption on" : "");
    yk_buf_str(&facts[3].value, partition->resolver);
}

static void facts_done(struct fact *facts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        yk_buf_done(&facts[i].value);
}

static struct yk_str shown(const struct fact *fact)
{
    struct yk_str value = yk_str_trim(yk_buf_view(&fact->value));
    return value.len > 0 ? value : YK_STR("none");
}

static void compare_facts(struct diff *diff, const char *kind, struct yk_str name, const struct fact *from,
                          const struct fact *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct yk_str before = shown(&from[i]), after = shown(&to[i]);
        if (yk_str_eq(before, after))
            continue;
        yk_buf_printf(diff->out, "~ %s ", kind);
        yk_buf_line(diff->out, name);
        yk_buf_printf(diff->out, ": %s ", to[i].name);
        yk_buf_line(diff->out, before);
        yk_buf_text(diff->out, " -> ");
        yk_buf_line(diff->out, after);
        yk_buf_char(diff->out, '\n');
        diff->lines++;
    }
}

/* ---- queues ---- */

struct named {
    struct yk_str name; /* path of a queue */
    const struct yk_config_queue *queue;
};

struct inventory { /* all queues of a partition, parents first */
    struct yk_arena arena;
    struct yk_vec list; /* struct named */
    struct yk_strmap by_name;
};

static void inventory_done(struct inventory *inventory)
{
    yk_vec_done(&inventory->list);
    yk_strmap_done(&inventory->by_name);
    yk_arena_done(&inventory->arena);
}

static void take_branch(struct inventory *inventory, struct yk_str above, const struct yk_config_queue *queue)
{
    struct yk_buf path = {0};
    YK_CLEANUP(yk_freep) char *name = yk_str_lower(queue->name);
    if (above.len > 0)
        yk_buf_printf(&path, YK_STR_FMT ".", YK_STR_ARG(above));
    yk_buf_text(&path, name);
    struct named *item = yk_arena_alloc0(&inventory->arena, sizeof(*item));
    *item = (struct named){yk_arena_str(&inventory->arena, yk_buf_view(&path)), queue};
    yk_buf_done(&path);
    yk_vec_append(&inventory->list, item);
    (void)yk_strmap_put(&inventory->by_name, item->name,
                        item); /* returns NULL: loading checks that no path is there twice */
    for (uint32_t i = 0; i < queue->queue_count; i++)
        take_branch(inventory, item->name, &queue->queues[i]);
}

static void tell(struct diff *diff, char sign, const char *kind, struct yk_str name, const char *more)
{
    yk_buf_printf(diff->out, "%c %s ", sign, kind);
    yk_buf_line(diff->out, name);
    yk_buf_printf(diff->out, "%s\n", more);
    diff->lines++;
}

/* `from` is NULL if the queue is new. Its kind is then left out, because the line "+ queue" shows it. */
static void compare_queue(struct diff *diff, struct yk_str path, const struct yk_config_queue *from,
                          const struct yk_config_queue *to)
{
    static const struct yk_config_queue nothing;
    struct fact before[QUEUE_FACTS], after[QUEUE_FACTS];
    size_t first = from != NULL ? 0 : 1;
    describe_queue(from != NULL ? from : &nothing, before);
    describe_queue(to, after);
    compare_facts(diff, "queue", path, before + first, after + first, QUEUE_FACTS - first);
    facts_done(before, QUEUE_FACTS);
    facts_done(after, QUEUE_FACTS);
}

static void compare_queues(struct diff *diff, const struct yk_config_queue *from,
                           const struct yk_config_queue *to)
{
    YK_CLEANUP(inventory_done) struct inventory old = {.list = {0}};
    YK_CLEANUP(inventory_done) struct inventory new = {.list = {0}};
    take_branch(&old, (struct yk_str){0}, from);
    take_branch(&new, (struct yk_str){0}, to);
    const struct named *item;
    yk_vec_foreach (item, &old.list) {
        if (yk_strmap_get(&new.by_name, item->name) == NULL)
            tell(diff, '-', "queue", item->name, "");
    }
    yk_vec_foreach (item, &new.list) {
        const struct named *other = yk_strmap_get(&old.by_name, item->name);
        if (other == NULL)
            tell(diff, '+', "queue", item->name, is_parent(item->queue) ? ", a parent" : "");
        compare_queue(diff, item->name, other != NULL ? other->queue : NULL, item->queue);
    }
}

/* ---- partitions ---- */

static const struct yk_config_partition *find_partition(const struct yk_config *config, struct yk_str name)
{
    for (uint32_t i = 0; i < config->partition_count; i++) {
        if (yk_str_eq(config->partitions[i].name, name))
            return &config->partitions[i];
    }
    return NULL;
}

static void compare_partition(struct diff *diff, const struct yk_config_partition *from,
                              const struct yk_config_partition *to)
{
    struct fact before[PARTITION_FACTS], after[PARTITION_FACTS];
    describe_partition(from, before);
    describe_partition(to, after);
    compare_facts(diff, "partition", to->name, before, after, PARTITION_FACTS);
    facts_done(before, PARTITION_FACTS);
    facts_done(after, PARTITION_FACTS);
    compare_queues(diff, &from->root, &to->root);
}

size_t yk_config_diff(const struct yk_config *from, const struct yk_config *to, struct yk_buf *out)
{
    static const struct yk_config_partition nothing = {.root = {.name = {"root", 4}, .parent = true},
                                                       .preemption_enabled = true};
    struct diff diff = {.out = out};
    for (uint32_t i = 0; i < from->partition_count; i++) {
        if (find_partition(to, from->partitions[i].name) == NULL)
            tell(&diff, '-', "partition", from->partitions[i].name, "");
    }
    for (uint32_t i = 0; i < to->partition_count; i++) {
        const struct yk_config_partition *other = find_partition(from, to->partitions[i].name);
        if (other == NULL)
            tell(&diff, '+', "partition", to->partitions[i].name, "");
        compare_partition(&diff, other != NULL ? other : &nothing, &to->partitions[i]);
    }
    return diff.lines;
}
