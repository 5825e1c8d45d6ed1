/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the steps of loading share: warnings, places in the text, errors that name a queue,
 * names in lower case. */
#include "config/load_priv.h"

const struct yk_yaml_limits yk__config_limits = {
    .nodes = YK_CONFIG_NODES_MAX, .memory_bytes = YK_CONFIG_MEMORY_MAX, .depth = YK_CONFIG_DEPTH_MAX};

/* ---- warnings ---- */

void yk__warn_at(struct yk__load *load, struct yk_config_place place, const char *format, ...)
{
    if (load->warnings.count >= YK_CONFIG_WARNINGS_MAX)
        return;
    struct yk_config_warning *warning = yk_arena_alloc0(&load->config->arena, sizeof(*warning));
    char sentence[YK_ERR_TEXT_MAX];
    struct yk_err line;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof(sentence), format, args); /* a longer text is cut */
    va_end(args);
    (void)yk_fail(&line, YK_OK, "%s", sentence); /* escapes control characters, as in an error */
    warning->text = yk_arena_str(&load->config->arena, yk_str_from(line.text));
    warning->place = place;
    yk_vec_append(&load->warnings, warning);
}

/* ---- places ---- */

/* Line and column are packed into one value. The text is so short that both fit. */
enum { COLUMN_BITS = 25 };

void yk__note_place(struct yk__load *load, const void *decoded, struct yk_config_place place)
{
    uint64_t packed = (uint64_t)place.line << COLUMN_BITS | YK_MIN(place.column, (1U << COLUMN_BITS) - 1);
    if (packed != 0)
        (void)yk_idmap_put(&load->config->places, (uint64_t)(uintptr_t)decoded, (void *)(uintptr_t)packed);
}

struct yk_config_place yk__place_of(const struct yk_config *config, const void *decoded,
                                    struct yk_config_place otherwise)
{
    uint64_t packed = (uint64_t)(uintptr_t)yk_idmap_get(&config->places, (uint64_t)(uintptr_t)decoded);
    if (decoded == NULL || packed == 0)
        return otherwise;
    return (struct yk_config_place){(uint32_t)(packed >> COLUMN_BITS),
                                    (uint32_t)(packed & ((1U << COLUMN_BITS) - 1))};
}

struct yk_config_place yk__place_of_pairs(const struct yk_config *config, const struct yk_pairs *pairs,
                                          struct yk_config_place otherwise)
{
    return pairs->count > 0 ? yk__place_of(config, pairs->items[0].key.p, otherwise) : otherwise;
}

struct yk_config_place yk_config_place_of(const struct yk_config *config, struct yk_str text)
{
    return yk__place_of(config, text.p, (struct yk_config_place){0});
}

void yk_config_forget_places(struct yk_config *config)
{
    yk_idmap_done(&config->places);
}

/* ---- all errors ---- */

void yk_config_errors_add(struct yk_config_errors *errors, const struct yk_err *err)
{
    struct yk_str text = yk_str_from(yk_err_sentence(err));
    for (uint32_t i = 0; i < errors->count; i++) {
        const struct yk_config_warning *other = &errors->items[i];
        if (other->place.line == err->line && other->place.column == err->column &&
            yk_str_eq(other->text, text))
            return;
    }
    errors->cut = errors->cut || errors->count == YK_CONFIG_ERRORS_MAX;
    if (errors->cut)
        return;
    if (errors->items == NULL)
        errors->items = yk_new0_array(struct yk_config_warning, YK_CONFIG_ERRORS_MAX);
    errors->items[errors->count++] =
        (struct yk_config_warning){yk_arena_str(&errors->arena, text), {err->line, err->column}};
}

void yk_config_errors_done(struct yk_config_errors *errors)
{
    free(errors->items);
    yk_arena_done(&errors->arena);
    *errors = (struct yk_config_errors){0};
}

enum yk_status yk__name_partition(const struct yk__load *load, enum yk_status st)
{
    const struct yk_config_partition *partition = load->partition;
    if (partition == NULL)
        return st;
    return yk_fail_in(load->err, st, "partition '" YK_STR_FMT "'", YK_STR_ARG(partition->name));
}

enum yk_status yk__go_on(struct yk__load *load, enum yk_status st)
{
    if (st == YK_OK || st == YK_ERR_LIMIT || load->errors == NULL || load->errors->cut)
        return st;
    (void)yk__name_partition(load, st); /* returns `st` */
    yk_config_errors_add(load->errors, load->err);
    return YK_OK;
}

/* ---- errors that name a queue ---- */

const char *yk__path_text(const struct yk__path *path, char text[YK__PATH_TEXT_MAX])
{
    static const char cut[] = "...";
    size_t at = YK__PATH_TEXT_MAX - 1; /* `text` is filled from its end: a long path loses its first names */
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

enum yk_status yk__fail_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                              struct yk_config_place place, const char *format, ...)
{
    char queue[YK__PATH_TEXT_MAX], sentence[YK_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof(sentence), format, args); /* a longer text is cut */
    va_end(args);
    return yk_fail_at(err, status, place.line, place.column, "queue '%s': %s", yk__path_text(path, queue),
                      sentence);
}

enum yk_status yk__fail_in_queue(struct yk_err *err, enum yk_status status, const struct yk__path *path,
                                 const char *format, ...)
{
    char queue[YK__PATH_TEXT_MAX], what[YK_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args); /* a longer text is cut */
    va_end(args);
    (void)yk_fail_is_at(err, status, path->queue->place.line, path->queue->place.column);
    return yk_fail_in(err, status, "queue '%s': %s", yk__path_text(path, queue), what);
}

void yk__put_pairs(struct yk_buf *out, const struct yk_pairs *pairs)
{
    yk_buf_char(out, '{');
    for (uint32_t i = 0; i < pairs->count; i++)
        yk_buf_printf(out, "%s" YK_STR_FMT ": " YK_STR_FMT, i > 0 ? ", " : "",
                      YK_STR_ARG(pairs->items[i].key), YK_STR_ARG(pairs->items[i].value));
    yk_buf_char(out, '}');
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
