/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/kubectl_output.h"

#include <inttypes.h>
#include <yaml.h>

static int take(void *context, unsigned char *bytes, size_t len)
{
    struct yk_buf *out = context;
    yk_buf_add(out, bytes, len);
    return !out->failed;
}

static bool is_word_of_yaml(const char *text)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    for (size_t i = 0; i < YK_COUNT(words); i++) {
        if (strcasecmp(text, words[i]) == 0)
            return true;
    }
    return false;
}

/* A text that reads as a text without quotes: it begins with a letter, and is no word with a meaning. */
static yaml_scalar_style_t style_of(const char *text)
{
    bool is_letter = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z');
    return is_letter && !is_word_of_yaml(text) ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
}

static bool emit_scalar(yaml_emitter_t *emitter, const char *text, size_t len, yaml_scalar_style_t style)
{
    yaml_event_t event;
    return yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)len, 1, 1,
                                        style) != 0 &&
           yaml_emitter_emit(emitter, &event) != 0;
}

static bool emit_text(yaml_emitter_t *emitter, const char *text, size_t len)
{
    return len <= INT32_MAX && emit_scalar(emitter, text, len, style_of(text));
}

static bool emit_plain(yaml_emitter_t *emitter, const char *text)
{
    return emit_scalar(emitter, text, strlen(text), YAML_PLAIN_SCALAR_STYLE);
}

static bool emit(yaml_emitter_t *emitter, const json_t *value);

static bool emit_members(yaml_emitter_t *emitter, const json_t *object)
{
    json_t *members = (json_t *)(uintptr_t)object; /* jansson's iterators do not change it */
    for (void *at = json_object_iter(members); at != NULL; at = json_object_iter_next(members, at)) {
        const char *key = json_object_iter_key(at);
        if (!emit_text(emitter, key, strlen(key)) || !emit(emitter, json_object_iter_value(at)))
            return false;
    }
    return true;
}

static bool emit_object(yaml_emitter_t *emitter, const json_t *object)
{
    yaml_event_t event;
    bool is_empty = json_object_size(object) == 0;
    return yaml_mapping_start_event_initialize(
               &event, NULL, NULL, 1, is_empty ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE) != 0 &&
           yaml_emitter_emit(emitter, &event) != 0 && emit_members(emitter, object) &&
           yaml_mapping_end_event_initialize(&event) != 0 && yaml_emitter_emit(emitter, &event) != 0;
}

static bool emit_array(yaml_emitter_t *emitter, const json_t *array)
{
    yaml_event_t event;
    bool is_empty = json_array_size(array) == 0;
    if (yaml_sequence_start_event_initialize(
            &event, NULL, NULL, 1, is_empty ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE) == 0 ||
        yaml_emitter_emit(emitter, &event) == 0)
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (!emit(emitter, json_array_get(array, i)))
            return false;
    }
    return yaml_sequence_end_event_initialize(&event) != 0 && yaml_emitter_emit(emitter, &event) != 0;
}

/* The depth is bounded by that of the JSON reader. */
static bool emit(yaml_emitter_t *emitter, const json_t *value)
{
    char number[64];
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return emit_object(emitter, value);
    case JSON_ARRAY:
        return emit_array(emitter, value);
    case JSON_STRING:
        return emit_text(emitter, json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
        (void)snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(value)); /* fits */
        return emit_plain(emitter, number);
    case JSON_REAL:
        (void)snprintf(number, sizeof(number), "%.17g", json_real_value(value)); /* fits */
        return emit_plain(emitter, number);
    case JSON_TRUE:
        return emit_plain(emitter, "true");
    case JSON_FALSE:
        return emit_plain(emitter, "false");
    case JSON_NULL:
        return emit_plain(emitter, "null");
    }
    return false;
}

static bool emit_document(yaml_emitter_t *emitter, const json_t *tree)
{
    yaml_event_t event;
    return yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING) != 0 &&
           yaml_emitter_emit(emitter, &event) != 0 &&
           yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1) != 0 &&
           yaml_emitter_emit(emitter, &event) != 0 && emit(emitter, tree) &&
           yaml_document_end_event_initialize(&event, 1) != 0 && yaml_emitter_emit(emitter, &event) != 0 &&
           yaml_stream_end_event_initialize(&event) != 0 && yaml_emitter_emit(emitter, &event) != 0 &&
           yaml_emitter_flush(emitter) != 0;
}

bool yk_yaml_put(const json_t *tree, struct yk_buf *out)
{
    yaml_emitter_t emitter;
    if (yaml_emitter_initialize(&emitter) == 0)
        return false;
    yaml_emitter_set_output(&emitter, take, out);
    yaml_emitter_set_unicode(&emitter, 0); /* all but ASCII is escaped */
    yaml_emitter_set_width(&emitter, -1);
    bool ok = emit_document(&emitter, tree);
    yaml_emitter_delete(&emitter);
    return ok;
}
