/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads typed objects from Kubernetes protobuf.
 *
 * An object is sent in an envelope: 4 bytes "k8s\0", then runtime.Unknown (1: TypeMeta, 2: the object, 3:
 * content encoding, 4: content type). Items of a list and the WatchEvent of a watch are sent without
 * envelope. Unknown fields are skipped.
 * Thread: any; nothing is shared.
 * Source: docs/reference/kubernetes.md, "Protobuf".
 */
#ifndef YK_API_PROTOBUF_READER_H
#define YK_API_PROTOBUF_READER_H

#include "api/object.h"

/*
 * Reads one object, with or without envelope. The caller frees `*ret` with yk_object_free(). Errors:
 * YK_ERR_INVALID (malformed, another kind, a bad quantity), YK_ERR_LIMIT (api/fields.h). A pod of which only
 * the amounts or the identity (enum yk_read) can be read is not an error: its `read` and `fault` say what is
 * missing. O(bytes).
 */
YK_NODISCARD enum yk_status yk_object_from_protobuf(enum yk_kind kind, struct yk_str raw,
                                                    struct yk_object **ret, struct yk_err *err);

struct yk_envelope {
    struct yk_str kind; /* "Pod", "PodList", "Status", ...; absent if there was no envelope */
    struct yk_str raw;  /* the object's own bytes */
};

/* Opens the envelope if there is one; otherwise, `raw` is `bytes`. Both views of `*ret` point into `bytes`.
 * Errors: YK_ERR_INVALID (the envelope is malformed, or names a content encoding). */
YK_NODISCARD enum yk_status yk_envelope_open(struct yk_str bytes, struct yk_envelope *ret,
                                             struct yk_err *err);

#endif
