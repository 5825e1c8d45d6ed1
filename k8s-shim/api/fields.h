/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field tables: for each Kubernetes message the fields that we read, and nothing else.
 *
 * A table says how a field is called in JSON, which number it has in protobuf, what it is and where it goes
 * in our struct. Two readers walk the same tables (protobuf_reader.c, json_reader.c); a field that no table
 * names is skipped. Tables never refer to themselves, so their depth bounds how deep the readers go. Field
 * numbers are those of generated.proto in k8s.io/api (core/v1, scheduling/v1, policy/v1, storage/v1) and
 * k8s.io/apimachinery (meta/v1).
 * Thread: any, one object at a time.
 * Source: docs/reference/kubernetes.md, "What is read of each kind".
 */
#ifndef YK_API_FIELDS_H
#define YK_API_FIELDS_H

#include "api/object.h"

/* What hostile input can make us hold. More is YK_ERR_LIMIT. */
enum {
    YK_PROTOBUF_BYTES_MAX =
        4 << 20, /* one object as protobuf: the server itself accepts 3 MiB, plus its envelope */
    YK_JSON_BYTES_MAX = 16 << 20, /* the same object as JSON, where a byte may become six */
    YK_JSON_NESTING_MAX = 128,    /* of the whole document, also where nothing is read */
    YK_OBJECT_ITEMS_MAX = 32768,  /* entries of all lists and maps of one object */
    YK_FIELDS_MAX = 24,           /* fields in one table */
};

enum yk_field_type {
    YK_FIELD_TEXT,        /* struct yk_str; empty reads as absent */
    YK_FIELD_I32,         /* int32_t */
    YK_FIELD_I64,         /* int64_t */
    YK_FIELD_BOOL,        /* bool */
    YK_FIELD_TIME,        /* int64_t wall ns; metav1.Time */
    YK_FIELD_PRESENT,     /* bool: the field is there */
    YK_FIELD_QUANTITY,    /* yk_quantity */
    YK_FIELD_NESTED,      /* a message; its table's offsets count from `offset` */
    YK_FIELD_TEXTS,       /* list of struct yk_str */
    YK_FIELD_ITEMS,       /* list of messages, `item_bytes` each */
    YK_FIELD_PAIRS,       /* struct yk_pairs; map of text to text */
    YK_FIELD_BYTE_PAIRS,  /* struct yk_pairs; map of text to bytes (base64 in JSON) */
    YK_FIELD_ANNOTATIONS, /* struct yk_pairs; only the keys of yk_annotation_is_read() */
    YK_FIELD_AMOUNTS,     /* struct yk_amounts; map of text to quantity */
};

struct yk_fields;

struct yk_field {
    const char *json; /* NULL: in JSON its fields stand in the parent (an embedded struct of Go) */
    uint8_t number;
    uint8_t type; /* enum yk_field_type */
    uint16_t offset;
    uint16_t present_offset; /* a bool to set when the field is there, even if empty; 0: none */
    uint16_t item_bytes;     /* YK_FIELD_ITEMS */
    const struct yk_fields *nested;
};

struct yk_fields {
    const struct yk_field *items; /* ascending numbers */
    uint16_t count;
    bool has_lists; /* one of them is YK_FIELD_TEXTS or a later type */
};

/* Whether the field has any number of values. */
static inline bool yk_field_is_list(const struct yk_field *field)
{
    return field->type >= YK_FIELD_TEXTS;
}

/* The number of bytes of one item of a list field, in memory. */
size_t yk_field_item_bytes(const struct yk_field *field);

/* A list is always a pointer with its count right behind it. */
#define YK_LIST_CHECK(T, member, count_member)                                                               \
    YK_STATIC_ASSERT(offsetof(T, count_member) == offsetof(T, member) + sizeof(void *),                      \
                     #member " without count")

#define YK_TEXT(json, number, T, member)                                                                     \
    {                                                                                                        \
        (json), (number), YK_FIELD_TEXT, offsetof(T, member), 0, 0, NULL                                     \
    }
#define YK_I32(json, number, T, member)                                                                      \
    {                                                                                                        \
        (json), (number), YK_FIELD_I32, offsetof(T, member), 0, 0, NULL                                      \
    }
#define YK_I64(json, number, T, member)                                                                      \
    {                                                                                                        \
        (json), (number), YK_FIELD_I64, offsetof(T, member), 0, 0, NULL                                      \
    }
#define YK_BOOL(json, number, T, member)                                                                     \
    {                                                                                                        \
        (json), (number), YK_FIELD_BOOL, offsetof(T, member), 0, 0, NULL                                     \
    }
#define YK_NESTED_IF(json, number, T, member, has_member, table)                                             \
    {                                                                                                        \
        (json), (number), YK_FIELD_NESTED, offsetof(T, member), offsetof(T, has_member), 0, (table)          \
    }
/* Of any type but a list of messages, and a bool that says whether it is there. */
#define YK_IF(json, number, type, T, member, has_member)                                                     \
    {                                                                                                        \
        (json), (number), (type), offsetof(T, member), offsetof(T, has_member), 0, NULL                      \
    }
#define YK_NESTED(json, number, offset, table)                                                               \
    {                                                                                                        \
        (json), (number), YK_FIELD_NESTED, (offset), 0, 0, (table)                                           \
    }
#define YK_MAP(json, number, type, T, member)                                                                \
    {                                                                                                        \
        (json), (number), (type), offsetof(T, member), 0, 0, NULL                                            \
    }
#define YK_LIST(json, number, T, member, table)                                                              \
    {                                                                                                        \
        (json), (number), YK_FIELD_ITEMS, offsetof(T, member), 0, sizeof(*((T *)0)->member), (table)         \
    }

#define YK_FIELDS(list, lists)                                                                               \
    {                                                                                                        \
        .items = (list), .count = YK_COUNT(list), .has_lists = (lists)                                       \
    }

struct yk_kind_info {
    const char *word;      /* "Pod" */
    const char *list_word; /* "PodList" */
    size_t bytes;          /* of our struct */
    const struct yk_fields *fields;
};

/* The row of the kind, with its words and field table; static. */
const struct yk_kind_info *yk_kind_info(enum yk_kind kind);

/* Whether an annotation with this key is read; others are skipped. True for those with
 * "yunikorn.apache.org/" in the key, those about volumes, and the marker that ends a streaming list. */
bool yk_annotation_is_read(struct yk_str key);
#define YK_ANNOTATION_LIST_END "k8s.io/initial-events-end"

/* Of a pod that cannot be read whole: YK_READ_AMOUNTS, YK_READ_IDENTITY. The second has no lists. */
extern const struct yk_fields yk_pod_amounts_fields, yk_pod_identity_fields;
extern const struct yk_fields yk_identity_fields;          /* struct yk_object without its lists */
extern const struct yk_fields yk_meta_fields;              /* struct yk_object */
extern const struct yk_fields yk_named_fields;             /* struct yk_str: the `name` of {name: ...} */
extern const struct yk_fields yk_container_amounts_fields; /* the same, without what says no amounts */
extern const struct yk_fields yk_container_fields;         /* struct yk_container */
extern const struct yk_fields yk_container_status_fields;  /* struct yk_container_status */
extern const struct yk_fields yk_requests_fields;   /* struct yk_amounts: the `requests` of {requests: ...} */
extern const struct yk_fields yk_toleration_fields; /* struct yk_toleration */
extern const struct yk_fields yk_taint_fields;      /* struct yk_taint */
extern const struct yk_fields yk_affinity_fields;   /* struct yk_pod: required affinity */
extern const struct yk_fields yk_spread_fields;     /* struct yk_spread_constraint */
extern const struct yk_fields yk_pod_fields;
extern const struct yk_fields yk_node_fields;
extern const struct yk_fields yk_namespace_fields;
extern const struct yk_fields yk_priority_class_fields;
extern const struct yk_fields yk_config_map_fields;
extern const struct yk_fields yk_disruption_budget_fields;
extern const struct yk_fields yk_requirement_fields;    /* struct yk_requirement */
extern const struct yk_fields yk_selector_term_fields;  /* struct yk_selector_term */
extern const struct yk_fields yk_label_selector_fields; /* struct yk_label_selector */
extern const struct yk_fields yk_gce_disk_fields;       /* struct yk_volume_source, this and the next */
extern const struct yk_fields yk_ebs_volume_fields;
extern const struct yk_fields yk_iscsi_fields;
extern const struct yk_fields yk_rbd_fields;
extern const struct yk_fields yk_azure_disk_fields;
extern const struct yk_fields yk_cinder_fields;
extern const struct yk_fields yk_portworx_fields;
extern const struct yk_fields yk_volume_claim_fields;
extern const struct yk_fields yk_volume_fields;
extern const struct yk_fields yk_storage_class_fields;
extern const struct yk_fields yk_csi_node_fields;
extern const struct yk_fields yk_device_class_fields;
extern const struct yk_fields yk_mutating_webhooks_fields;
extern const struct yk_fields yk_csi_driver_fields;
extern const struct yk_fields yk_csi_capacity_fields;
extern const struct yk_fields yk_volume_attachment_fields;

#endif
