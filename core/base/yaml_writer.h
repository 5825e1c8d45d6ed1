/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes YAML with libyaml's emitter: each call appends to a yk_buf, without a tree of values.
 *
 *     struct yk_yaml_writer *yaml = yk_yaml_writer_new(&buf);
 *     yk_yaml_map_begin(yaml);
 *     yk_yaml_put_text(yaml, YK_STR("name")); // a key
 *     yk_yaml_put_text(yaml, queue->name);    // and its value
 *     yk_yaml_map_end(yaml);
 *     bool is_complete = yk_yaml_writer_end(yaml);
 *
 * The output is one document in block style, two blanks per level, in ASCII: other characters are escaped in
 * double quotes. A byte that is not UTF-8 becomes U+FFFD. When something does not fit into the buffer,
 * `failed` of the buffer is set, and nothing more is written.
 * Thread: any, one thread at a time.
 */
#ifndef YK_BASE_YAML_WRITER_H
#define YK_BASE_YAML_WRITER_H

#include "base/str.h"

struct yk_yaml_writer;

/* Begins a document at the end of `out`, which is borrowed until yk_yaml_writer_end(). The caller then writes
 * exactly one value, such as a mapping. Never NULL; yk_yaml_writer_end() frees the writer. */
struct yk_yaml_writer *yk_yaml_writer_new(struct yk_buf *out);
/* Ends the document and frees the writer. Returns false if the document is not complete; `failed` of the
 * buffer is then set. */
bool yk_yaml_writer_end(struct yk_yaml_writer *yaml);

/* Begins a mapping as the next value. Until yk_yaml_map_end(), keys and values are written in turn. */
void yk_yaml_map_begin(struct yk_yaml_writer *yaml);
/* Ends the innermost collection, which is a mapping. */
void yk_yaml_map_end(struct yk_yaml_writer *yaml);
/* Begins a list as the next value. */
void yk_yaml_list_begin(struct yk_yaml_writer *yaml);
/* Ends the innermost collection, which is a list. */
void yk_yaml_list_end(struct yk_yaml_writer *yaml);

/* Writes a text as the next key or value, in quotes if a reader would take it for something else. */
void yk_yaml_put_text(struct yk_yaml_writer *yaml, struct yk_str text);
/* Writes `word`, which is a number, `true`, `false` or `null`, as the next value without quotes. */
void yk_yaml_put_plain(struct yk_yaml_writer *yaml, const char *word);

#endif
