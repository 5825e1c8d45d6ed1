/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of the protobuf reader that the readers of lists and of Status objects use. Thread: any. */
#ifndef YK_API_PROTOBUF_PRIV_H
#define YK_API_PROTOBUF_PRIV_H

#include "api/reader_priv.h"

/* The yk_walk (api/reader_priv.h) of protobuf: `source` points to a struct yk_str with the bytes of the
 * message. */
YK_NODISCARD enum yk_status yk__protobuf_walk(struct yk_store *store, const struct yk_fields *table,
                                              const void *source, char *base);
/* Whether the bytes begin with "k8s\0", which Kubernetes puts before the envelope of an object in
 * protobuf. */
bool yk__envelope_has_magic(struct yk_str bytes);

#endif
