/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the JSON reader that the readers of lists, watches and Status objects use. Thread: any. */
#ifndef YK_API_JSON_PRIV_H
#define YK_API_JSON_PRIV_H

#include "api/reader_priv.h"

/* The yk_walk (api/reader_priv.h) of JSON: `source` is a json_t; YK_ERR_INVALID if it is not an object. */
YK_NODISCARD enum yk_status yk__json_walk(struct yk_store *store, const struct yk_fields *table,
                                          const void *source, char *base);

struct json_t;
struct yk_server_status;
/* Like yk_server_status_read(), but from a JSON tree. `*ret` does not refer to the tree. Errors:
 * YK_ERR_INVALID (`kind` is not Status, or a field has the wrong type), YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__server_status_from_tree(const struct json_t *tree,
                                                        struct yk_server_status *ret, struct yk_err *err);

#endif
