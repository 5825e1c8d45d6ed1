/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of protobuf, for the readers of objects, lists and watches. Thread: one at a time. */
#ifndef YK_API_PROTOBUF_PRIV_H
#define YK_API_PROTOBUF_PRIV_H

#include "api/reader_priv.h"

/* The yk_walk (api/reader_priv.h) of protobuf: `source` is a struct yk_str with the bytes of the message. */
YK_NODISCARD enum yk_status yk__protobuf_walk(struct yk_store *store, const struct yk_fields *table,
                                              const void *source, char *base);
/* Whether the bytes begin with the four that Kubernetes puts before a message of protobuf. */
bool yk__envelope_has_magic(struct yk_str bytes);

#endif
