/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a list reader: list_reader.c makes and frees it, list_json.c and list_protobuf.c read. Lengths
 * are in bytes.
 *
 * Thread: one at a time.
 */
#ifndef YK_API_LIST_READER_PRIV_H
#define YK_API_LIST_READER_PRIV_H

#include "api/json_splitter.h"
#include "api/list_reader.h"

enum yk_list_place {
    YK_LIST_ENVELOPE, /* protobuf: before the list. JSON: outside of what is read */
    YK_LIST_BODY,     /* protobuf: among the list's fields. JSON: among the items */
    YK_LIST_TRAILER,  /* after the list */
};

struct yk_list_reader {
    enum yk_kind kind;
    enum yk_wire_format format;
    struct yk_list_sink sink;
    struct yk_list_text_sink text_sink; /* of a reader of any kind, else zeroed */
    const char *what;                   /* in messages */
    struct yk_list_meta meta;
    enum yk_list_place place;
    struct yk_buf list_kind; /* what the answer says it is: "PodList" */
    /* protobuf */
    struct yk_buf pending; /* bytes that do not make a whole field yet */
    uint64_t body_left;    /* bytes of the list still to come */
    uint64_t skip_left;    /* bytes of a field that is not used */
    bool magic_seen;
    /* JSON */
    struct yk_json_scan scan;
    struct yk_buf piece;  /* the item, metadata or key being read */
    uint32_t piece_depth; /* the piece ends when the depth is back here; 0: no piece */
    bool is_key;          /* the next string at depth 1 is a key */
    struct yk_buf key;
    struct yk_buf *open_text; /* the key or value being read, or NULL */
};

/* Reads one item of the list and hands it to the sink; one that cannot be read goes to sink.refused() with
 * the reason. */
void yk__list_item(struct yk_list_reader *reader, struct yk_str bytes);
/* Reads the metadata of a list (ListMeta) into `reader->meta`. Errors: YK_ERR_INVALID, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__list_meta(struct yk_list_reader *reader, struct yk_str bytes,
                                          struct yk_err *err);

/* Does what yk_list_reader_feed() says, for JSON. */
YK_NODISCARD enum yk_status yk__list_feed_json(struct yk_list_reader *reader, struct yk_str bytes,
                                               struct yk_err *err);
/* Does what yk_list_reader_feed() says, for protobuf. */
YK_NODISCARD enum yk_status yk__list_feed_protobuf(struct yk_list_reader *reader, struct yk_str bytes,
                                                   struct yk_err *err);

#endif
