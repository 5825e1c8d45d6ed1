/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config.h"

#include "config/load_priv.h"

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

/* ---- shared by the steps ---- */

void yk__warn_at(struct yk__load *load, uint32_t line, uint32_t column, const char *format, ...)
{
    if (load->warnings.count >= YK_CONFIG_WARNINGS_MAX)
        return;
    struct yk_config_warning *warning = yk_arena_alloc0(&load->config->arena, sizeof(*warning));
    struct yk_buf sentence = {.max = YK_ERR_TEXT_MAX};
    va_list args;
    va_start(args, format);
    yk_buf_vprintf(&sentence, format, args);
    va_end(args);
    warning->text = yk_arena_str(&load->config->arena, yk_str_from(yk_buf_cstr(&sentence)));
    warning->line = line;
    warning->column = column;
    yk_vec_append(&load->warnings, warning);
    yk_buf_done(&sentence);
}

const char *yk__path_text(const struct yk__path *path, char text[YK__PATH_TEXT_MAX])
{
    static const char cut[] = "...";
    size_t at = YK__PATH_TEXT_MAX - 1; /* filled from its end: the last names say most */
    text[at] = '\0';
    for (; path != NULL; path = path->parent) {
        struct yk_str name = path->queue->name;
        bool dot = text[at] != '\0';
        if (at < name.len + dot + sizeof(cut)) {
            at -= strlen(cut);
            memcpy(text + at, cut, strlen(cut));
            break;
        }
        at -= dot;
        text[at] = dot ? '.' : text[at];
        at -= name.len;
        if (name.len > 0)
            memcpy(text + at, name.p, name.len);
    }
    return text + at;
}

static enum yk_status fail_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                                 const char *format, va_list args, const char *rest) YK_PRINTF(4, 0);

static enum yk_status fail_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                                 const char *format, va_list args, const char *rest)
{
    char queue[YK__PATH_TEXT_MAX], sentence[YK_ERR_TEXT_MAX];
    (void)vsnprintf(sentence, sizeof(sentence), format, args); /* cut is fine */
    return yk_fail_at(err, status, path->queue->line, path->queue->column, "queue '%s': %s%s%s",
                      yk__path_text(path, queue), sentence, rest[0] != '\0' ? ": " : "", rest);
}

enum yk_status yk__fail_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                              const char *format, ...)
{
    va_list args;
    va_start(args, format);
    enum yk_status st = fail_queue(err, status, path, format, args, "");
    va_end(args);
    return st;
}

enum yk_status yk__fail_in_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                                 const char *format, ...)
{
    if (err == NULL)
        return status;
    char inner[YK_ERR_TEXT_MAX];
    memcpy(inner, err->text, sizeof(inner));
    va_list args;
    va_start(args, format);
    enum yk_status st = fail_queue(err, status, path, format, args, inner);
    va_end(args);
    return st;
}

struct yk_str yk__lower(struct yk__load *load, struct yk_str text)
{
    char *copy = yk_arena_alloc0(&load->scratch, yk_size_add(text.len, 1));
    for (size_t i = 0; i < text.len; i++)
        copy[i] = text.p[i] >= 'A' && text.p[i] <= 'Z' ? (char)(text.p[i] - 'A' + 'a') : text.p[i];
    return (struct yk_str){copy, text.len};
}

struct yk_config_queue *yk__child_find(struct yk__load *load, const struct yk_config_queue *parent,
                                       struct yk_str name)
{
    char key[sizeof(parent) + YK_CONFIG_QUEUE_NAME_MAX];
    if (name.len > YK_CONFIG_QUEUE_NAME_MAX)
        return NULL;
    memcpy(key, &parent, sizeof(parent));
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];
        key[sizeof(parent) + i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return yk_strmap_get(&load->children, (struct yk_str){key, sizeof(parent) + name.len});
}

/* ---- loading ---- */

static enum yk_status check_partition(struct yk__load *load, struct yk_config_partition *partition)
{
    enum yk_status st = yk__merge_partition_limits(load, partition);
    if (st == YK_OK)
        st = yk__check_queues(load, partition);
    if (st == YK_OK)
        st = yk__check_resources(load, partition);
    if (st == YK_OK)
        st = yk__check_rules(load, partition);
    if (st == YK_OK)
        st = yk__check_max_applications(load, partition);
    if (st == YK_OK)
        st = yk__check_limit_tree(load, partition);
    if (st != YK_OK)
        return yk_fail_in(load->err, st, "partition '" YK_STR_FMT "'", YK_STR_ARG(partition->name));
    return YK_OK;
}

static enum yk_status decode_text(struct yk__load *load, struct yk_str text)
{
    struct yk__yaml_node *root = NULL;
    enum yk_status st = yk__yaml_parse(text, &load->scratch, &root, load->err);
    if (st == YK_OK && root == NULL) { /* C3, C4: nothing but blanks and comments */
        text = yk_str_from(yk_config_default_text);
        st = yk__yaml_parse(text, &load->scratch, &root, load->err);
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
    for (uint32_t i = 0; i < load->config->partition_count && st == YK_OK; i++)
        st = check_partition(load, &load->config->partitions[i]);
    if (st == YK_OK && publish)
        st = yk__types_publish(load);
    if (st != YK_OK)
        return st;
    yk__add_warnings(load);
    keep_warnings(load);
    return YK_OK;
}

static enum yk_status load_config(struct yk_str text, bool publish, struct yk_config **ret_config,
                                  struct yk_err *err)
{
    if (text.len > YK_CONFIG_BYTES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "queue configuration of %zu bytes (at most %d)", text.len,
                       YK_CONFIG_BYTES_MAX);
    YK_CLEANUP(yk_config_freep) struct yk_config *config = yk_new0(struct yk_config);
    struct yk__load load = {.config = config, .err = err};
    yk__types_begin(&load.types);
    enum yk_status st = load_text(&load, text, publish);
    yk_vec_done(&load.warnings);
    yk_strmap_done(&load.children);
    yk_arena_done(&load.scratch);
    if (st != YK_OK)
        return st;
    *ret_config = yk_move(config);
    return YK_OK;
}

enum yk_status yk_config_load(struct yk_str text, struct yk_config **ret_config, struct yk_err *err)
{
    return load_config(text, true, ret_config, err);
}

enum yk_status yk_config_check(struct yk_str text, struct yk_config **ret_config, struct yk_err *err)
{
    return load_config(text, false, ret_config, err);
}

void yk_config_free(struct yk_config *config)
{
    if (config == NULL)
        return;
    /* Released by every holder, acquired by the last one: it sees all they did before it frees. */
    if (atomic_fetch_sub_explicit(&config->more_holders, 1, memory_order_acq_rel) > 0)
        return;
    yk_arena_done(&config->arena);
    free(config);
}

struct yk_config *yk_config_hold(struct yk_config *config)
{
    if (config != NULL)
        atomic_fetch_add_explicit(&config->more_holders, 1, memory_order_relaxed);
    return config;
}
