/* SPDX-License-Identifier: Apache-2.0 */
/* Metadata of objects, and messages of which only the name is read. */
#include "api/fields.h"

bool yk_annotation_is_read(struct yk_str key)
{
    static const char domain[] = "yunikorn.apache.org/";
    if (key.len >= sizeof(domain) - 1 && memmem(key.p, key.len, domain, sizeof(domain) - 1) != NULL)
        return true;
    static const char *const others[] = {
        YK_ANNOTATION_LIST_END,       YK_ANNOTATION_SELECTED_NODE,       YK_ANNOTATION_STORAGE_CLASS,
        YK_ANNOTATION_BIND_COMPLETED, YK_ANNOTATION_BOUND_BY_CONTROLLER, YK_ANNOTATION_PROVISIONED_BY,
        YK_ANNOTATION_MIGRATED_TO,    YK_ANNOTATION_MIGRATED_PLUGINS,
    };
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        if (yk_str_is(key, others[i]))
            return true;
    }
    return false;
}

static const struct yk_field owner_fields[] = {
    YK_TEXT("kind", 1, struct yk_owner_ref, kind),
    YK_TEXT("name", 3, struct yk_owner_ref, name),
    YK_TEXT("uid", 4, struct yk_owner_ref, uid),
    YK_TEXT("apiVersion", 5, struct yk_owner_ref, api_version),
    YK_BOOL("controller", 6, struct yk_owner_ref, controller),
};
static const struct yk_fields owner = YK_FIELDS(owner_fields, false);

YK_LIST_CHECK(struct yk_object, owners, owner_count);
YK_LIST_CHECK(struct yk_pairs, items, count);
YK_LIST_CHECK(struct yk_amounts, items, count);

enum { IDENTITY_FIELDS = 7 }; /* the number of rows in `meta_fields` before the first list */
static const struct yk_field meta_fields[] = {
    YK_TEXT("name", 1, struct yk_object, name),
    YK_TEXT("namespace", 3, struct yk_object, namespace_),
    YK_TEXT("uid", 5, struct yk_object, uid),
    YK_TEXT("resourceVersion", 6, struct yk_object, resource_version),
    YK_I32("generation", 7, struct yk_object, generation),
    {"creationTimestamp", 8, YK_FIELD_TIME, offsetof(struct yk_object, creation_wall_ns), 0, 0, NULL},
    {"deletionTimestamp", 9, YK_FIELD_PRESENT, offsetof(struct yk_object, deleting), 0, 0, NULL},
    YK_MAP("labels", 11, YK_FIELD_PAIRS, struct yk_object, labels),
    YK_MAP("annotations", 12, YK_FIELD_ANNOTATIONS, struct yk_object, annotations),
    YK_LIST("ownerReferences", 13, struct yk_object, owners, &owner),
};
const struct yk_fields yk_meta_fields = YK_FIELDS(meta_fields, true);

const struct yk_fields yk_identity_fields = {
    .items = meta_fields, .count = IDENTITY_FIELDS, .has_lists = false};

static const struct yk_field named_fields[] = {{"name", 1, YK_FIELD_TEXT, 0, 0, 0, NULL}};
const struct yk_fields yk_named_fields = YK_FIELDS(named_fields, false);
