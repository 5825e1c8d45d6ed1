/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One description, two encodings: every call appends the same field to the protobuf and to the JSON text.
 * Messages are written into a buffer per level, because protobuf wants the length first.
 */
#ifndef YK_BENCH_PEN_H
#define YK_BENCH_PEN_H

#include "base/clock.h"

enum { PEN_LEVELS = 16 };

struct pen {
    struct yk_buf protobuf[PEN_LEVELS];
    uint32_t numbers[PEN_LEVELS];
    int level;
    struct yk_buf json;
};

void pen_done(struct pen *pen);
/* A new object of that kind, for pen_end_object(). */
void pen_begin_object(struct pen *pen, const char *kind, const char *api_version);
/* `*ret_protobuf` is in the envelope "k8s"; both are the caller's. `ret_json` may be NULL. */
void pen_end_object(struct pen *pen, const char *kind, const char *api_version, struct yk_str *ret_protobuf,
                    struct yk_str *ret_json);

/* Only in protobuf. */
void pen_put_bytes(struct yk_buf *out, uint32_t number, struct yk_str bytes);
void pen_begin_silent(struct pen *pen, uint32_t number);
void pen_end_silent(struct pen *pen);
/* Only in JSON; `key` NULL: an item of a list. */
void pen_json_key(struct pen *pen, const char *key);

void pen_begin(struct pen *pen, const char *key, uint32_t number);
void pen_end(struct pen *pen);
void pen_list(struct pen *pen, const char *key);
void pen_list_end(struct pen *pen);
void pen_text(struct pen *pen, const char *key, uint32_t number, const char *value);
void pen_number(struct pen *pen, const char *key, uint32_t field, int64_t value);
void pen_truth(struct pen *pen, const char *key, uint32_t field, bool value);
void pen_time_at(struct pen *pen, const char *key, uint32_t field, int64_t second);
void pen_map(struct pen *pen, const char *key);
void pen_map_end(struct pen *pen);
/* All of an entry of a map but its value in protobuf. */
void pen_begin_entry(struct pen *pen, uint32_t field, const char *key, const char *value);
void pen_entry(struct pen *pen, uint32_t field, const char *key, const char *value);
void pen_amount(struct pen *pen, uint32_t field, const char *key, const char *value);

#endif
