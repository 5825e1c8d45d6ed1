/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_writer.h"
#include "cmd/kubectl_output.h"

#include <inttypes.h>

static void put(struct yk_yaml_writer *yaml, const json_t *value);

static void put_object(struct yk_yaml_writer *yaml, const json_t *object)
{
    json_t *members = (json_t *)(uintptr_t)object; /* jansson's iterators do not change it */
    yk_yaml_map_begin(yaml);
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        yk_yaml_put_text(yaml, yk_str_from(json_object_iter_key(at)));
        put(yaml, json_object_iter_value(at));
    }
    yk_yaml_map_end(yaml);
}

static void put_array(struct yk_yaml_writer *yaml, const json_t *array)
{
    yk_yaml_list_begin(yaml);
    for (size_t i = 0; i < json_array_size(array); i++)
        put(yaml, json_array_get(array, i));
    yk_yaml_list_end(yaml);
}

static void put(struct yk_yaml_writer *yaml, const json_t *value)
{
    char number[64];
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        put_object(yaml, value);
        break;
    case JSON_ARRAY:
        put_array(yaml, value);
        break;
    case JSON_STRING:
        yk_yaml_put_text(yaml, (struct yk_str){json_string_value(value), json_string_length(value)});
        break;
    case JSON_INTEGER:
        (void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value)); /* fits */
        yk_yaml_put_plain(yaml, number);
        break;
    case JSON_REAL:
        (void)snprintf(number, sizeof(number), "%.17g", json_real_value(value)); /* fits */
        yk_yaml_put_plain(yaml, number);
        break;
    case JSON_TRUE:
        yk_yaml_put_plain(yaml, "true");
        break;
    case JSON_FALSE:
        yk_yaml_put_plain(yaml, "false");
        break;
    case JSON_NULL:
        yk_yaml_put_plain(yaml, "null");
        break;
    }
}

bool yk_yaml_put(const json_t *tree, struct yk_buf *out)
{
    struct yk_yaml_writer *yaml = yk_yaml_writer_new(out);
    put(yaml, tree);
    return yk_yaml_writer_end(yaml);
}
