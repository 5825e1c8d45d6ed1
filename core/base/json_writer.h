/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing JSON: append-only into a yk_buf, no tree in between. The writer puts the commas and escapes the
 * texts.
 *
 *     struct yk_json json;
 *     yk_json_init(&json, &buf);
 *     yk_json_object_begin(&json);
 *     yk_json_key(&json, "name");
 *     yk_json_text(&json, queue->name);
 *     yk_json_object_end(&json);
 *
 * Bytes follow Go's encoding/json: <, >, & and U+2028, U+2029 are escaped, a byte that is not UTF-8 becomes
 * U+FFFD, numbers come out in the shortest form that reads back as the same number (docs/reference/rest.md
 * 1.5). What does not fit into the buffer is left out and shows in its `failed`; so does nesting deeper than
 * the maximum. A key outside of an object, a value in an object without its key or an unmatched end is a bug
 * (YK_ASSERT).
 * Thread: any, one at a time.
 */
#ifndef YK_BASE_JSON_WRITER_H
#define YK_BASE_JSON_WRITER_H

#include "base/str.h"

enum { YK_JSON_DEPTH_MAX = 4096 }; /* a queue takes two levels, and queues nest up to 1000 deep */

struct yk_json {
    /* Which keys of objects at one depth are written (yk_json_only()). */
    struct yk_str only; /* ",a,b,"; empty: all */
    uint32_t only_depth;
    bool is_hidden, hidden_after_item; /* what is written now is taken back; something was before it */
    size_t hidden_from;                /* in `out` */
    struct yk_buf *out;                /* borrowed */
    uint32_t depth;                    /* open objects and arrays */
    bool has_key;                      /* a key was written, its value comes next */
    uint64_t is_object[YK_JSON_DEPTH_MAX / 64]; /* bit per level, bit 0: the outermost */
    uint64_t has_item[YK_JSON_DEPTH_MAX / 64];
};

/* Appends to what `out` holds already; `out` is borrowed until the last call. */
void yk_json_init(struct yk_json *json, struct yk_buf *out);

/* Begins an object as the next value. */
void yk_json_object_begin(struct yk_json *json);
/* Ends the innermost object that is open. */
void yk_json_object_end(struct yk_json *json);
/* Begins a list as the next value. */
void yk_json_array_begin(struct yk_json *json);
/* Ends the innermost list that is open. */
void yk_json_array_end(struct yk_json *json);

/* Ends all that is open; a key without its value gets null. What was written is one complete value
 * then. */
void yk_json_end_all(struct yk_json *json);

/*
 * Limits objects at `depth` (1: the outermost value) to the keys in `keys`, which stand between commas:
 * ",a,b,". Borrowed. Other keys are written and removed again.
 */
void yk_json_only(struct yk_json *json, struct yk_str keys, uint32_t depth);
/* Takes back a key that is not wanted and of which a part was written. Call it before the buffer is
 * emptied. */
void yk_json_pause(struct yk_json *json);
/* Continues after yk_json_pause() and after the buffer was emptied: writing goes on at the present end of the
 * buffer. */
void yk_json_go_on(struct yk_json *json);

/* Writes the key of the next value. */
void yk_json_key(struct yk_json *json, const char *key);
/* Like yk_json_key(); the text need not be terminated. */
void yk_json_key_str(struct yk_json *json, struct yk_str key);

/* A text as the next value; an absent one (NULL) is written as "". */
void yk_json_str(struct yk_json *json, struct yk_str text);
/* Like yk_json_str() for a terminated text. */
void yk_json_text(struct yk_json *json, const char *text);
/* A number as the next value. */
void yk_json_int(struct yk_json *json, int64_t number);
/* A number as the next value. */
void yk_json_uint(struct yk_json *json, uint64_t number);
/* A number as the next value. NaN and infinity are written as null. */
void yk_json_double(struct yk_json *json, double number);
/* true or false as the next value. */
void yk_json_bool(struct yk_json *json, bool truth);
/* Writes null as the next value. */
void yk_json_null(struct yk_json *json);
/* Writes `value`, one complete JSON value, as the next value. It is copied without a check. */
void yk_json_raw(struct yk_json *json, struct yk_str value);

/* Writes a key and a text as its value. */
void yk_json_add_text(struct yk_json *json, const char *key, const char *text);
/* Like yk_json_add_text() for a number. */
void yk_json_add_int(struct yk_json *json, const char *key, int64_t number);
/* Like yk_json_add_text() for a number. */
void yk_json_add_uint(struct yk_json *json, const char *key, uint64_t number);
/* Like yk_json_add_text() for a number, as yk_json_double() writes it. */
void yk_json_add_double(struct yk_json *json, const char *key, double number);
/* Writes a key and an object with the pairs, in their order; nothing if there are none. */
void yk_json_add_pairs(struct yk_json *json, const char *key, const struct yk_pairs *pairs);
/* Like yk_json_add_text() for true or false. */
void yk_json_add_bool(struct yk_json *json, const char *key, bool truth);

/* Appends the text of a number to `out`, for writers of other formats. */
void yk_json_put_double(struct yk_buf *out, double number);
/* Appends a string with its quotes, escaped as in a document, to `out`, for writers of other formats. */
void yk_json_put_string(struct yk_buf *out, struct yk_str text);

#endif
