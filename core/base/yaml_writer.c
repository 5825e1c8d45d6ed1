/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_writer.h"

#include "base/yaml_scalar.h"

#include <yaml.h>

struct yk_yaml_writer {
    yaml_emitter_t emitter;
    struct yk_buf *out; /* borrowed */
};

static int take(void *context, unsigned char *bytes, size_t len)
{
    struct yk_buf *out = context;
    yk_buf_add(out, bytes, len);
    return !out->failed;
}

/* Emits `event` and takes it. `is_made`: the result of its ..._initialize(); 0: there was no memory. */
static void emit(struct yk_yaml_writer *yaml, int is_made, yaml_event_t *event)
{
    if (is_made == 0)
        yaml->out->failed = true;
    else if (yaml->out->failed)
        yaml_event_delete(event);
    else if (yaml_emitter_emit(&yaml->emitter, event) == 0)
        yaml->out->failed = true;
}

struct yk_yaml_writer *yk_yaml_writer_new(struct yk_buf *out)
{
    struct yk_yaml_writer *yaml = yk_new0(struct yk_yaml_writer);
    yaml_event_t event;
    yaml->out = out;
    if (yaml_emitter_initialize(&yaml->emitter) == 0)
        yk_out_of_memory(sizeof(yaml->emitter));
    yaml_emitter_set_output(&yaml->emitter, take, out);
    yaml_emitter_set_unicode(&yaml->emitter, 0); /* characters that are not ASCII are escaped */
    yaml_emitter_set_width(&yaml->emitter, -1);
    emit(yaml, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), &event);
    emit(yaml, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1), &event);
    return yaml;
}

bool yk_yaml_writer_end(struct yk_yaml_writer *yaml)
{
    yaml_event_t event;
    emit(yaml, yaml_document_end_event_initialize(&event, 1), &event);
    emit(yaml, yaml_stream_end_event_initialize(&event), &event);
    bool is_complete = !yaml->out->failed;
    yaml_emitter_delete(&yaml->emitter);
    free(yaml);
    return is_complete;
}

void yk_yaml_map_begin(struct yk_yaml_writer *yaml)
{
    yaml_event_t event;
    emit(yaml, yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE), &event);
}

void yk_yaml_map_end(struct yk_yaml_writer *yaml)
{
    yaml_event_t event;
    emit(yaml, yaml_mapping_end_event_initialize(&event), &event);
}

void yk_yaml_list_begin(struct yk_yaml_writer *yaml)
{
    yaml_event_t event;
    emit(yaml, yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE),
         &event);
}

void yk_yaml_list_end(struct yk_yaml_writer *yaml)
{
    yaml_event_t event;
    emit(yaml, yaml_sequence_end_event_initialize(&event), &event);
}

static void emit_scalar(struct yk_yaml_writer *yaml, struct yk_str text, yaml_scalar_style_t style)
{
    yaml_event_t event;
    if (text.len > INT32_MAX) {
        yaml->out->failed = true;
        return;
    }
    emit(yaml,
         yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text.p, (int)text.len, 1, 1,
                                      style),
         &event);
}

/* Appends `text` with U+FFFD in place of each byte that is not UTF-8. */
static void repair(struct yk_str text, struct yk_buf *ret)
{
    while (text.len > 0) {
        size_t len = yk_utf8_bytes(text);
        yk_buf_str(ret, len > 0 ? (struct yk_str){text.p, len} : YK_STR("\xef\xbf\xbd"));
        text.p += YK_MAX(len, (size_t)1);
        text.len -= YK_MAX(len, (size_t)1);
    }
}

void yk_yaml_put_text(struct yk_yaml_writer *yaml, struct yk_str text)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = yk_size_add(yk_size_mul(text.len, 3), 1)};
    repair(text, &clean);
    text = (struct yk_str){yk_buf_cstr(&clean), clean.len}; /* libyaml refuses NULL */
    bool is_quoted = yk_yaml_scalar_needs_quotes(text) || memchr(text.p, '\n', text.len) != NULL;
    emit_scalar(yaml, text, is_quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE);
}

void yk_yaml_put_plain(struct yk_yaml_writer *yaml, const char *word)
{
    emit_scalar(yaml, yk_str_from(word), YAML_PLAIN_SCALAR_STYLE);
}
