/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads typed objects from JSON: jansson parses the text, then the fields of the field tables are read from
 * its tree.
 *
 * Thread: any; nothing is shared.
 * Source: docs/reference/kubernetes.md, "JSON".
 */
#ifndef YK_API_JSON_READER_H
#define YK_API_JSON_READER_H

#include "api/object.h"

struct json_t;

/*
 * Reads one object. The member "kind" of the object must be absent or name `kind`. The caller frees `*ret`
 * with yk_object_free().
 * Errors: YK_ERR_INVALID (not JSON, a field of another type, another kind, a bad quantity), YK_ERR_LIMIT
 * (api/fields.h). A pod of which only the amounts or the identity (enum yk_read) can be read is not an error:
 * its `read` and `fault` say what is missing.
 */
YK_NODISCARD enum yk_status yk_object_from_json(enum yk_kind kind, struct yk_str text, struct yk_object **ret,
                                                struct yk_err *err);
/* Like yk_object_from_json(), but from a parsed tree. The object does not refer to the tree. */
YK_NODISCARD enum yk_status yk_object_from_tree(enum yk_kind kind, const struct json_t *tree,
                                                struct yk_object **ret, struct yk_err *err);

/* Parses a whole document, whose texts may contain NUL. The caller frees `*ret` with json_decref(). Errors:
 * YK_ERR_INVALID (not JSON; the message has line and column), YK_ERR_LIMIT (YK_JSON_BYTES_MAX,
 * YK_JSON_NESTING_MAX); `*ret` is then untouched. */
YK_NODISCARD enum yk_status yk_json_parse(struct yk_str text, struct json_t **ret, struct yk_err *err);
/* Like yk_json_parse(), but a key that stands twice in one object is YK_ERR_INVALID. For texts that a person
 * may have written. */
YK_NODISCARD enum yk_status yk_json_parse_strict(struct yk_str text, struct json_t **ret, struct yk_err *err);
/*
 * The value of the member `name` of an object. The case of letters is ignored, as in Go's JSON decoder. If
 * several members match, the last one is used. Borrowed from `object`. NULL: no member matches, the value is
 * null, or `object` is not an object.
 */
struct json_t *yk_json_member_nocase(struct json_t *object, const char *name);
/* Appends the members `name` of the objects in the list, such as scheduling gates, separated by ", ". An entry without
 * such a text counts as "". `list` may be NULL. */
void yk_json_join_names(const struct json_t *list, struct yk_buf *text);

#endif
