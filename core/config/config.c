/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config.h"

#include "config/load_priv.h"
#include "config/property_set.h"

#include <stdatomic.h>

const char *const yk_config_default_text = "partitions:\n"
                                           "  - name: default\n"
                                           "    placementrules:\n"
                                           "      - name: tag\n"
                                           "        value: namespace\n"
                                           "        create: true\n"
                                           "    queues:\n"
                                           "      - name: root\n"
                                           "        submitacl: '*'\n";

static enum yk_status check_partition(struct yk__load *load, struct yk_config_partition *partition)
{
    enum yk_status st = yk__go_on(load, yk__merge_partition_limits(load, partition));
    if (st == YK_OK)
        st = yk__go_on(load, yk__check_queues(load, partition));
    if (st == YK_OK)
        st = yk__go_on(load, yk__check_resources(load, partition));
    if (st == YK_OK)
        st = yk__go_on(load, yk__check_rules(load, partition));
    if (st == YK_OK)
        st = yk__go_on(load, yk__check_max_applications(load, partition));
    if (st == YK_OK)
        st = yk__go_on(load, yk__check_limit_tree(load, partition));
    if (st == YK_OK && load->errors != NULL)
        st = yk__check_activation(load, partition);
    return st;
}

static enum yk_status check_partitions(struct yk__load *load)
{
    enum yk_status st = YK_OK;
    for (uint32_t i = 0; i < load->config->partition_count && st == YK_OK && !load->incomplete; i++) {
        load->partition = &load->config->partitions[i];
        st = check_partition(load, &load->config->partitions[i]);
        if (st != YK_OK)
            st = yk__name_partition(load, st);
        load->partition = NULL;
    }
    return st;
}

static enum yk_status decode_text(struct yk__load *load, struct yk_str text)
{
    struct yk_yaml_node *root = NULL;
    enum yk_status st = yk_yaml_parse(text, &yk__config_limits, &load->scratch, &root, load->err);
    if (st == YK_OK && root == NULL) { /* the text has only blanks and comments (C3, C4) */
        if (yk_str_trim(text).len > 0)
            yk__warn_at(load, (struct yk_config_place){0},
                        "the text has only comments: the built-in queues are used, and all queues that are "
                        "in force drain");
        text = yk_str_from(yk_config_default_text);
        st = yk_yaml_parse(text, &yk__config_limits, &load->scratch, &root, load->err);
    }
    if (st != YK_OK)
        return st;
    yk_config_checksum(text, load->config->checksum);
    return yk__config_decode(load, root);
}

static void keep_warnings(struct yk__load *load)
{
    struct yk_config *config = load->config;
    config->warnings =
        yk_arena_alloc0(&config->arena, yk_size_mul(load->warnings.count, sizeof(*config->warnings)));
    config->warning_count = (uint32_t)load->warnings.count;
    for (size_t i = 0; i < load->warnings.count; i++)
        config->warnings[i] = *(const struct yk_config_warning *)load->warnings.items[i];
}

static enum yk_status load_text(struct yk__load *load, struct yk_str text, bool publish)
{
    enum yk_status st = decode_text(load, text);
    if (st == YK_OK)
        st = check_partitions(load);
    if (st == YK_OK && publish)
        st = yk__types_publish(load);
    if (st != YK_OK)
        return st;
    yk__add_warnings(load);
    keep_warnings(load);
    return YK_OK;
}

static enum yk_status run_load(struct yk__load *load, struct yk_str text, bool publish)
{
    if (text.len > YK_CONFIG_BYTES_MAX)
        return yk_fail(load->err, YK_ERR_LIMIT, "queue configuration of %zu bytes (at most %d)", text.len,
                       YK_CONFIG_BYTES_MAX);
    yk__types_begin(&load->types);
    enum yk_status st = load_text(load, text, publish);
    struct yk_resvec *bound;
    yk_vec_foreach (bound, &load->bounds)
        yk_resvec_free(bound);
    yk_vec_done(&load->bounds);
    yk_vec_done(&load->warnings);
    yk_strmap_done(&load->children);
    yk_arena_done(&load->scratch);
    return st;
}

static enum yk_status load_config(struct yk_str text, bool publish, struct yk_config **ret_config,
                                  struct yk_err *err)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = yk_new0(struct yk_config);
    struct yk__load load = {.config = config, .err = err};
    enum yk_status st = run_load(&load, text, publish);
    if (st == YK_OK)
        *ret_config = yk_move(config);
    return st;
}

void yk_config_load_all(struct yk_str text, struct yk_config **ret_config, struct yk_config_errors *errors)
{
    YK_CLEANUP(yk_config_freep) struct yk_config *config = yk_new0(struct yk_config);
    struct yk_err err = {0};
    struct yk__load load = {.config = config, .err = &err, .errors = errors};
    *ret_config = NULL;
    if (run_load(&load, text, true) != YK_OK)
        yk_config_errors_add(errors, &err);
    else if (config->partition_count == 0 && errors->count == 0 &&
             yk_config_check_activation(config, &err) != YK_OK)
        yk_config_errors_add(errors, &err);
    if (config->partition_count > 0 || errors->count == 0)
        *ret_config = yk_move(config);
}

enum yk_status yk_config_load(struct yk_str text, struct yk_config **ret_config, struct yk_err *err)
{
    return load_config(text, true, ret_config, err);
}

enum yk_status yk_config_check(struct yk_str text, struct yk_config **ret_config, struct yk_err *err)
{
    return load_config(text, false, ret_config, err);
}

/* Frees what the queue and its children own outside of the arena. */
static void queue_done(struct yk_config_queue *queue)
{
    yk_property_set_put(queue->effective);
    yk_resvec_done(&queue->guaranteed.amounts);
    yk_resvec_done(&queue->max.amounts);
    yk_resvec_done(&queue->child_template.guaranteed.amounts);
    yk_resvec_done(&queue->child_template.max.amounts);
    for (uint32_t i = 0; i < queue->limits.count; i++)
        yk_resvec_done(&queue->limits.items[i].max_resources.amounts);
    for (uint32_t i = 0; i < queue->queue_count; i++)
        queue_done(&queue->queues[i]);
}

void yk_config_free(struct yk_config *config)
{
    if (config == NULL)
        return;
    /* The release of each holder pairs with the acquire of the last one: what the others did is done before
     * the tree is freed. */
    if (atomic_fetch_sub_explicit(&config->more_holders, 1, memory_order_acq_rel) > 0)
        return;
    for (uint32_t i = 0; i < config->partition_count; i++)
        queue_done(&config->partitions[i].root);
    yk_idmap_done(&config->places);
    yk_arena_done(&config->arena);
    free(config);
}

struct yk_config *yk_config_hold(struct yk_config *config)
{
    if (config != NULL)
        atomic_fetch_add_explicit(&config->more_holders, 1, memory_order_relaxed);
    return config;
}
