/* SPDX-License-Identifier: Apache-2.0 */
#include "api/application_id.h"

#define PREFIX "yunikorn-"
#define SUFFIX "-autogen"

enum { NAMESPACE_MAX = 26 }; /* most bytes of the namespace in a unique id */

static void cut(struct yk_buf *id)
{
    if (id->len > YK_GENERATED_ID_MAX) {
        id->len = YK_GENERATED_ID_MAX;
        id->p[id->len] = '\0';
    }
}

static struct yk_str or_default(struct yk_str namespace_)
{
    return yk_str_empty(namespace_) ? YK_STR("default") : namespace_;
}

void yk_application_id_of_namespace(struct yk_str namespace_, struct yk_buf *id)
{
    yk_buf_text(id, PREFIX);
    yk_buf_str(id, or_default(namespace_));
    yk_buf_text(id, SUFFIX);
    cut(id);
}

void yk_application_id_unique(struct yk_str namespace_, struct yk_str uid, struct yk_buf *id)
{
    struct yk_str space = or_default(namespace_);
    yk_buf_add(id, space.p, YK_MIN(space.len, (size_t)NAMESPACE_MAX));
    yk_buf_char(id, '-');
    yk_buf_str(id, uid);
    cut(id);
}

/* An id with a long namespace is cut at YK_GENERATED_ID_MAX and may have lost the suffix. */
bool yk_application_id_looks_generated(struct yk_str id)
{
    return yk_str_starts(id, PREFIX) && (yk_str_ends(id, SUFFIX) || id.len == YK_GENERATED_ID_MAX);
}
