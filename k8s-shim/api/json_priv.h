/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of JSON, for the readers of objects, lists and watches. Thread: one at a time. */
#ifndef YK_API_JSON_PRIV_H
#define YK_API_JSON_PRIV_H

#include "api/reader_priv.h"

/* The yk_walk (api/reader_priv.h) of JSON: `source` is a json_t that must be an object. */
YK_NODISCARD enum yk_status yk__json_walk(struct yk_store *store, const struct yk_fields *table,
                                          const void *source, char *base);

struct json_t;
struct yk_server_status;
/* Reads a Status object (`kind: Status`) of the API server. `*ret` has its own memory. Errors:
 * YK_ERR_INVALID, not a Status or a field of the wrong type. */
YK_NODISCARD enum yk_status yk__server_status_from_tree(const struct json_t *tree,
                                                        struct yk_server_status *ret, struct yk_err *err);

#endif
