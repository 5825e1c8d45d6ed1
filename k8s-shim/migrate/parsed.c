/* SPDX-License-Identifier: Apache-2.0 */
/* Reads members of parsed objects. */
#include "migrate/migration_priv.h"

const json_t *yk__at(const json_t *object, const char *path)
{
    struct yk_str rest = yk_str_from(path), key;
    while (object != NULL && yk_str_split(&rest, '.', &key)) {
        char name[128];
        if (key.len >= sizeof(name))
            return NULL;
        (void)snprintf(name, sizeof(name), YK_STR_FMT, YK_STR_ARG(key)); /* fits */
        object = json_object_get(object, name);
    }
    return json_is_null(object) ? NULL : object;
}

static const char *text_of(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL ? text : "";
}

const char *yk__text(const json_t *object, const char *path)
{
    return text_of(yk__at(object, path));
}

const char *yk__entry(const json_t *object, const char *path, const char *key)
{
    return text_of(json_object_get(yk__at(object, path), key));
}

bool yk__is_true(const json_t *object, const char *path)
{
    return json_is_true(yk__at(object, path));
}

const char *yk__keep(struct yk_migration *migration, const char *text)
{
    return yk_arena_str(&migration->arena, yk_str_from(text)).p;
}
