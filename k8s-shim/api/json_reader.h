/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON to typed objects: the text is parsed by jansson, then the field tables are walked over its tree.
 *
 * Thread: any; nothing is shared.
 * Source: docs/reference/kubernetes.md, "JSON".
 */
#ifndef YK_API_JSON_READER_H
#define YK_API_JSON_READER_H

#include "api/object.h"

struct json_t;

/*
 * One object. `*ret`: the caller's, yk_object_free().
 * Errors: YK_ERR_INVALID (not JSON, a field of another type, another kind, a bad quantity), YK_ERR_LIMIT
 * (api/fields.h).
 */
YK_NODISCARD enum yk_status yk_object_from_json(enum yk_kind kind, struct yk_str text, struct yk_object **ret,
                                                struct yk_err *err);
/* Like yk_object_from_json() from a tree that is already parsed (part of a larger document). */
YK_NODISCARD enum yk_status yk_object_from_tree(enum yk_kind kind, const struct json_t *tree,
                                                struct yk_object **ret, struct yk_err *err);

/* Parses a whole document of bounded size and depth. `*ret`: the caller's, json_decref(). */
YK_NODISCARD enum yk_status yk_json_parse(struct yk_str text, struct json_t **ret, struct yk_err *err);
/*
 * The member `name` of an object, in any case, as in Go's JSON decoder; the last one counts. Borrowed; NULL: there is
 * none, it is null, or `object` is no object.
 */
struct json_t *yk_json_member_nocase(struct json_t *object, const char *name);

#endif
