/* SPDX-License-Identifier: Apache-2.0 */
/* Finds keys that the chart refuses. Only keys are compared with the schema: Helm itself checks the
 * values. */
#include "migrate/migration_priv.h"

enum { PATH_MAX_BYTES = 512 };

struct walk {
    const struct yk_look *look;
    const json_t *root;        /* the whole schema */
    char path[PATH_MAX_BYTES]; /* path of the mapping that is checked, such as "a.b.c" */
};

/* Follows a reference "#/definitions/x". If the schema has alternatives ("oneOf"), returns the alternative
 * for objects. */
static const json_t *resolve(const struct walk *walk, const json_t *schema)
{
    struct yk_str reference = yk_str_from(yk__text(schema, "$ref"));
    static const char prefix[] = "#/definitions/";
    if (yk_str_starts(reference, prefix))
        schema = json_object_get(json_object_get(walk->root, "definitions"), reference.p + strlen(prefix));
    const json_t *alternatives = json_object_get(schema, "oneOf");
    for (size_t i = 0; i < json_array_size(alternatives); i++) {
        const json_t *alternative = json_array_get(alternatives, i);
        if (strcmp(yk__text(alternative, "type"), "object") == 0)
            return alternative;
    }
    return schema;
}

static void check_keys(struct walk *walk, const json_t *given, json_t *values)
{
    const json_t *schema = resolve(walk, given), *properties = json_object_get(schema, "properties");
    bool is_closed = json_is_false(json_object_get(schema, "additionalProperties"));
    size_t len = strlen(walk->path);
    const char *key;
    json_t *value;
    json_object_foreach(values, key, value)
    {
        const json_t *inner = json_object_get(properties, key);
        (void)snprintf(walk->path + len, sizeof(walk->path) - len, "%s%s", len > 0 ? "." : "",
                       key); /* cut if too long */
        if (inner != NULL)
            check_keys(walk, inner, value);
        else if (is_closed)
            (void)yk__found(
                walk->look,
                "the chart refuses the key '%s', which no chart of Apache YuniKorn from 1.3 to 1.9 reads: "
                "remove it from the values",
                walk->path);
        walk->path[len] = '\0';
    }
}

void yk__look_value_refused(const struct yk_look *look)
{
    json_t *schema = json_loadb((const char *)yk_values_schema, yk_values_schema_len, 0, NULL);
    struct walk walk = {.look = look, .root = schema};
    if (YK_ASSERT(schema != NULL))
        check_keys(&walk, schema, (json_t *)(uintptr_t)look->object);
    json_decref(schema);
}
