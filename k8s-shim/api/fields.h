/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Field tables: one table for each Kubernetes message, with the fields that this program reads.
 *
 * A row of a table gives the name of the field in JSON, its number in protobuf, its type, and its offset in
 * the struct of api/object.h. Both readers (protobuf_reader.c, json_reader.c) and the writer (object_json.c)
 * use the same tables; the readers skip fields that have no row. No table contains itself, so the depth of
 * the tables bounds the recursion of the readers. Field numbers are those of the files generated.proto in
 * k8s.io/api (such as core/v1 and storage/v1) and k8s.io/apimachinery (meta/v1).
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "What is read of each kind".
 */
#ifndef YK_API_FIELDS_H
#define YK_API_FIELDS_H

#include "api/object.h"

/* Limits of what is read. Input above one of the first four is refused with YK_ERR_LIMIT. */
enum {
    /* one object as protobuf; the API server accepts 3 MiB without the envelope */
    YK_PROTOBUF_BYTES_MAX = 4 << 20,
    YK_JSON_BYTES_MAX = 16 << 20, /* one object as JSON, where an escaped byte takes six bytes */
    /* open braces and brackets in a document, also in fields that are skipped */
    YK_JSON_NESTING_MAX = 128,
    YK_OBJECT_ITEMS_MAX = 32768, /* entries of all lists and maps of one object that are read */
    YK_FIELDS_MAX = 24,          /* rows of one table */
};

enum yk_field_type {
    YK_FIELD_TEXT,        /* struct yk_str; an empty text is read as absent */
    YK_FIELD_I32,         /* int32_t */
    YK_FIELD_I64,         /* int64_t */
    YK_FIELD_BOOL,        /* bool */
    YK_FIELD_TIME,        /* int64_t, nanoseconds since 1970; metav1.Time */
    YK_FIELD_PRESENT,     /* bool: whether the field is there; its value is not read */
    YK_FIELD_QUANTITY,    /* yk_quantity */
    YK_FIELD_NESTED,      /* a message; the offsets in its table are relative to `offset` */
    YK_FIELD_TEXTS,       /* list of struct yk_str */
    YK_FIELD_ITEMS,       /* list of messages, `item_bytes` each */
    YK_FIELD_PAIRS,       /* struct yk_pairs; map of text to text */
    YK_FIELD_BYTE_PAIRS,  /* struct yk_pairs; map of text to bytes (base64 in JSON) */
    YK_FIELD_ANNOTATIONS, /* struct yk_pairs; only the keys of yk_annotation_is_read() */
    YK_FIELD_AMOUNTS,     /* struct yk_amounts; map of text to quantity */
};

struct yk_fields;

struct yk_field {
    /* name in JSON. NULL: an embedded struct of Go, whose fields are in the parent object */
    const char *json;
    uint8_t number;  /* field number in protobuf, from 1 */
    uint8_t type;    /* enum yk_field_type */
    uint16_t offset; /* bytes from the start of the struct to the member */
    /* offset of a bool of the struct that is set when the field is there, even if its value is empty; 0:
     * there is no bool */
    uint16_t present_offset;
    uint16_t item_bytes;            /* bytes of one item of YK_FIELD_ITEMS; 0 for other types */
    const struct yk_fields *nested; /* table of YK_FIELD_NESTED and YK_FIELD_ITEMS; NULL for other types */
};

struct yk_fields {
    const struct yk_field *items; /* in ascending order of `number` */
    uint16_t count;
    bool has_lists; /* false: none of `items` is a list or a map (yk_field_is_list()) */
};

/* Whether the field is a list or a map. */
static inline bool yk_field_is_list(const struct yk_field *field)
{
    return field->type >= YK_FIELD_TEXTS;
}

/* The number of bytes that one item of a list or map takes in memory; 0 for other fields. */
size_t yk_field_item_bytes(const struct yk_field *field);

/* Checks at compile time that the count of a list comes directly after its pointer, as the readers expect. */
#define YK_LIST_CHECK(T, member, count_member)                                                               \
    YK_STATIC_ASSERT(offsetof(T, count_member) == offsetof(T, member) + sizeof(void *),                      \
                     #member " without count")

/*
 * The macros below make rows of a table. `json` and `number`: as in struct yk_field. `T`: the struct to which
 * offsets of the table are relative, `member`: where the value goes, `has_member`: the bool of
 * `present_offset`. `table`: a pointer to the table of the message, or of one item.
 */
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
/* A field of `type`, which is not a message or a list of messages, with a bool that says whether it is
 * there. */
#define YK_IF(json, number, type, T, member, has_member)                                                     \
    {                                                                                                        \
        (json), (number), (type), offsetof(T, member), offsetof(T, has_member), 0, NULL                      \
    }
/* A message whose fields go to the struct at `offset`; 0: into the struct of this table. */
#define YK_NESTED(json, number, offset, table)                                                               \
    {                                                                                                        \
        (json), (number), YK_FIELD_NESTED, (offset), 0, 0, (table)                                           \
    }
/* A map, or a list of texts: any list type but YK_FIELD_ITEMS. */
#define YK_MAP(json, number, type, T, member)                                                                \
    {                                                                                                        \
        (json), (number), (type), offsetof(T, member), 0, 0, NULL                                            \
    }
/* A list of messages. */
#define YK_LIST(json, number, T, member, table)                                                              \
    {                                                                                                        \
        (json), (number), YK_FIELD_ITEMS, offsetof(T, member), 0, sizeof(*((T *)0)->member), (table)         \
    }

/* A table of the array `list`. `lists`: as has_lists of struct yk_fields. */
#define YK_FIELDS(list, lists)                                                                               \
    {                                                                                                        \
        .items = (list), .count = YK_COUNT(list), .has_lists = (lists)                                       \
    }

struct yk_kind_info {
    const char *word;      /* the kind as in YAML: "Pod" */
    const char *list_word; /* the kind of a list: "PodList" */
    size_t bytes;          /* size of the struct of api/object.h */
    const struct yk_fields *fields;
};

/* The names, the size and the field table of the kind; static. `kind` is not YK_KIND_COUNT. */
const struct yk_kind_info *yk_kind_info(enum yk_kind kind);

/* Whether an annotation with this key is read; others are skipped. True for keys that contain
 * "yunikorn.apache.org/", for the YK_ANNOTATION_ keys of api/object.h, and for YK_ANNOTATION_LIST_END. */
bool yk_annotation_is_read(struct yk_str key);
/* The annotation of the bookmark that ends the initial events of a streaming list. */
#define YK_ANNOTATION_LIST_END "k8s.io/initial-events-end"

/* The tables, each with the struct to which its offsets are relative. The offsets of tables without a comment
 * are relative to the struct of the kind in api/object.h. */
/* struct yk_pod, for pods that cannot be read whole: YK_READ_AMOUNTS and YK_READ_IDENTITY. The table for
 * YK_READ_IDENTITY has no lists. */
extern const struct yk_fields yk_pod_amounts_fields, yk_pod_identity_fields;
/* struct yk_object: metadata without lists and maps */
extern const struct yk_fields yk_identity_fields;
extern const struct yk_fields yk_meta_fields;  /* struct yk_object: metadata */
extern const struct yk_fields yk_named_fields; /* struct yk_str: the `name` of {name: ...} */
/* struct yk_container: name, requests, restartPolicy */
extern const struct yk_fields yk_container_amounts_fields;
extern const struct yk_fields yk_container_fields;        /* struct yk_container */
extern const struct yk_fields yk_container_status_fields; /* struct yk_container_status */
extern const struct yk_fields yk_requests_fields;   /* struct yk_amounts: the `requests` of {requests: ...} */
extern const struct yk_fields yk_toleration_fields; /* struct yk_toleration */
extern const struct yk_fields yk_taint_fields;      /* struct yk_taint */
extern const struct yk_fields yk_affinity_fields;   /* struct yk_pod: its affinity */
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
extern const struct yk_fields yk_gce_disk_fields;       /* struct yk_volume_source, as for the next six */
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
