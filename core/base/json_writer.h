/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes JSON: each call appends to a yk_buf, without a tree of values. The writer adds the commas and
 * escapes the texts.
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
 * 1.5). What does not fit into the buffer or is nested deeper than YK_JSON_DEPTH_MAX is left out, and
 * `failed` of the buffer is set.
 *
 * These are bugs of the caller (YK_ASSERT): a key outside of an object; a key whose value is not written
 * before the next key or the end of the object; a value in an object without a key before it; an end that
 * does not match the innermost begin.
 *
 * Thread: any, one thread at a time.
 */
#ifndef YK_BASE_JSON_WRITER_H
#define YK_BASE_JSON_WRITER_H

#include "base/str.h"

enum { YK_JSON_DEPTH_MAX = 4096 }; /* a queue takes two levels, and queues nest up to 1000 deep */

struct yk_json {
    /* Which keys of objects at one depth are written (yk_json_only()). */
    struct yk_str only; /* ",a,b,"; empty: all keys */
    uint32_t only_depth;
    bool is_hidden;         /* the last key at `only_depth` is not wanted: it will be removed */
    bool hidden_after_item; /* the object had an item before that key */
    size_t hidden_from;     /* bytes of `out` before that key */
    struct yk_buf *out;     /* borrowed */
    uint32_t depth;         /* open objects and arrays */
    bool has_key;           /* a key was written, its value comes next */
    uint64_t is_object[YK_JSON_DEPTH_MAX / 64]; /* a bit per level, the outermost first; 0: an array */
    uint64_t has_item[YK_JSON_DEPTH_MAX / 64];  /* a bit per level: an item was written there */
};

/* Makes a writer that appends to what `out` holds already. `out` is borrowed until the last call for
 * `json`, which owns no memory. */
void yk_json_init(struct yk_json *json, struct yk_buf *out);

/* Begins an object as the next value. */
void yk_json_object_begin(struct yk_json *json);
/* Ends the innermost object or array that is open, which must be an object. */
void yk_json_object_end(struct yk_json *json);
/* Begins an array as the next value. */
void yk_json_array_begin(struct yk_json *json);
/* Ends the innermost object or array that is open, which must be an array. */
void yk_json_array_end(struct yk_json *json);

/* Ends all objects and arrays that are open, so that the output is one complete value. A key without its
 * value gets null. */
void yk_json_end_all(struct yk_json *json);

/*
 * Limits the objects at `depth` (1: the outermost value) to the keys in `keys`, each of which has a comma
 * before and behind it: ",a,b,". `keys` is borrowed until the last call for `json`; empty: all keys. A key
 * that is not wanted is written with its value, and both are removed from the buffer before the next key or
 * the end of the object. A caller that sends and empties the buffer in between therefore calls
 * yk_json_pause() before that and yk_json_go_on() after it.
 */
void yk_json_only(struct yk_json *json, struct yk_str keys, uint32_t depth);
/* Removes what was written of a key that is not wanted (yk_json_only()). Call it before the contents of
 * the buffer are sent. No effect if no such key was written last. */
void yk_json_pause(struct yk_json *json);
/* Continues at the present end of the buffer, which may have been emptied since yk_json_pause(). Call it
 * after each yk_json_pause(), before anything else is written. */
void yk_json_go_on(struct yk_json *json);

/* Writes the key of the next value in the innermost object. */
void yk_json_key(struct yk_json *json, const char *key);
/* Like yk_json_key(); the text need not be terminated. */
void yk_json_key_str(struct yk_json *json, struct yk_str key);

/* Writes a text as the next value; an absent one (NULL) is written as "". */
void yk_json_str(struct yk_json *json, struct yk_str text);
/* Like yk_json_str() for a terminated text; NULL is written as "". */
void yk_json_text(struct yk_json *json, const char *text);
/* Writes a number as the next value. */
void yk_json_int(struct yk_json *json, int64_t number);
/* Writes a number as the next value. */
void yk_json_uint(struct yk_json *json, uint64_t number);
/* Writes a number as the next value. NaN and infinity are written as null. */
void yk_json_double(struct yk_json *json, double number);
/* Writes true or false as the next value. */
void yk_json_bool(struct yk_json *json, bool truth);
/* Writes null as the next value. */
void yk_json_null(struct yk_json *json);
/* Copies `value`, which must be one complete JSON value, as the next value without checking it. */
void yk_json_raw(struct yk_json *json, struct yk_str value);

/* Writes a key and a text as its value. `text` may be NULL, which is written as "". */
void yk_json_add_text(struct yk_json *json, const char *key, const char *text);
/* Like yk_json_add_text() for a number. */
void yk_json_add_int(struct yk_json *json, const char *key, int64_t number);
/* Like yk_json_add_text() for a number. */
void yk_json_add_uint(struct yk_json *json, const char *key, uint64_t number);
/* Like yk_json_add_text() for a number, as yk_json_double() writes it. */
void yk_json_add_double(struct yk_json *json, const char *key, double number);
/* Writes a key and an object that has the pairs in their order; writes nothing, not even the key, if
 * there are no pairs. */
void yk_json_add_pairs(struct yk_json *json, const char *key, const struct yk_pairs *pairs);
/* Like yk_json_add_text() for true or false. */
void yk_json_add_bool(struct yk_json *json, const char *key, bool truth);

/* Appends a number to `out` in the form of yk_json_double(). For writers of other formats. */
void yk_json_put_double(struct yk_buf *out, double number);
/* Appends a text to `out` in the form of yk_json_str(). For writers of other formats. */
void yk_json_put_string(struct yk_buf *out, struct yk_str text);

#endif
