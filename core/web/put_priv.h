/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds fields to JSON objects; most functions leave a field out if it is empty: 0, false, "" or an empty map
 * (docs/reference/rest.md 1.5). The keys of maps are written in bytewise order. A function with `json` adds
 * the field to the innermost open object of `json`.
 *
 * Thread: any, one writer at a time.
 */
#ifndef YK_WEB_PUT_PRIV_H
#define YK_WEB_PUT_PRIV_H

#include "base/json_writer.h"
#include "config/config.h"
#include "objects/tags.h"
#include "resources/resvec.h"

/* Adds an object with the tags, also if there are none. */
void yk__put_tags(struct yk_json *json, const char *key, const struct yk_tags *tags);
/* Adds the text; nothing if it is NULL or "". */
void yk__put_text_if(struct yk_json *json, const char *key, const char *text);
/* Adds the number; nothing if it is 0. */
void yk__put_int_if(struct yk_json *json, const char *key, int64_t number);
/* Adds the number; nothing if it is 0. */
void yk__put_uint_if(struct yk_json *json, const char *key, uint64_t number);
/* Adds the value true; nothing if `truth` is false. */
void yk__put_true(struct yk_json *json, const char *key, bool truth);
/* Adds an object with the amounts in base units; nothing if `amounts` is NULL or has no type. */
void yk__put_amounts_if(struct yk_json *json, const char *key, const struct yk_resvec *amounts);
/* Adds an object with the tags; nothing if there are none. */
void yk__put_tags_if(struct yk_json *json, const char *key, const struct yk_tags *tags);
/* Adds an object with the pairs; nothing if there are none. */
void yk__put_pairs_if(struct yk_json *json, const char *key, const struct yk_pairs *pairs);
/* Adds an object with the percentage of `capacity` in use, for types that are in `capacity` and in `used`
 * (docs/reference/rest.md 3.1); nothing if there are none. `capacity` and `used` may be NULL. */
void yk__put_percent_if(struct yk_json *json, const char *key, const struct yk_resvec *capacity,
                        const struct yk_resvec *used);
/* Sets `*ret_pairs` to the `*ret_count` pairs of the tags, sorted by key. The caller frees the array, also an
 * empty one, with free(); the texts are borrowed from `tags`. */
void yk__tags_sorted(const struct yk_tags *tags, struct yk_pair **ret_pairs, uint32_t *ret_count);

#endif
