/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A JSON patch (RFC 6902) that sets single keys of maps, so that the patches of other webhooks stay.
 *
 * Thread: one at a time.
 */
#ifndef YK_ADMISSION_JSON_PATCH_H
#define YK_ADMISSION_JSON_PATCH_H

#include "base/json_writer.h"

struct json_t;

struct yk_json_patch {
    struct yk_buf operations; /* owned; a JSON array once it is finished; empty: nothing to change */
    struct yk_json writer;
};

void yk_json_patch_init(struct yk_json_patch *patch);
void yk_json_patch_done(struct yk_json_patch *patch);
/* Sets the member at `path`, which has no characters to escape, to a text. */
void yk_json_patch_set(struct yk_json_patch *patch, const char *path, struct yk_str value);
/* Makes the map at `path` if `map` (its value now; NULL: absent) is no object. Call it before the next
 * function. */
void yk_json_patch_need_map(struct yk_json_patch *patch, const char *path, const struct json_t *map);
/* Sets one key of the map at `path`. */
void yk_json_patch_set_key(struct yk_json_patch *patch, const char *path, const char *key,
                           struct yk_str value);
/* Nothing is added any more. */
void yk_json_patch_finish(struct yk_json_patch *patch);

#endif
