/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a list reader. list_reader.c makes and frees it; list_json.c and list_protobuf.c read the two
 * formats. Lengths are in bytes.
 *
 * Thread: any.
 */
#ifndef YK_API_LIST_READER_PRIV_H
#define YK_API_LIST_READER_PRIV_H

#include "api/json_splitter.h"
#include "api/list_reader.h"

enum yk_list_place {
    YK_LIST_ENVELOPE, /* protobuf: before the list. JSON: not in "items" */
    YK_LIST_BODY,     /* protobuf: in the fields of the list. JSON: in "items" */
    YK_LIST_TRAILER,  /* after the end of the list */
};

struct yk_list_reader {
    enum yk_kind kind;
    enum yk_wire_format format;
    struct yk_list_sink sink;
    struct yk_list_text_sink text_sink; /* of yk_list_reader_new_text(); zeroed in other readers */
    const char *what;                   /* name of the list in messages */
    struct yk_list_meta meta;
    enum yk_list_place place;
    struct yk_buf list_kind; /* the kind in the answer, such as "PodList" */
    /* protobuf */
    struct yk_buf pending; /* bytes that are not a whole field yet */
    uint64_t body_left;    /* bytes of the list that have not been taken */
    uint64_t skip_left;    /* bytes to skip: the rest of a field that is not used */
    bool magic_seen;       /* the four bytes before the envelope have been taken */
    /* JSON */
    struct yk_json_scan scan;
    struct yk_buf piece;  /* the beginning of the item or metadata that is being read */
    uint32_t piece_depth; /* the depth in the piece; a smaller depth ends the piece; 0: there is no piece */
    bool is_key;          /* the next string at depth 1 is a key */
    struct yk_buf key;    /* the last key at depth 1 */
    /* the buffer for the string that is being read: `key` or `list_kind`; NULL: the string is not stored */
    struct yk_buf *open_text;
};

/* Reads one whole item of the list and passes it to the sink. If the item cannot be read, sink.refused() gets
 * the reason. The text sink gets the bytes as they are. */
void yk__list_item(struct yk_list_reader *reader, struct yk_str bytes);
/* Reads the whole metadata of a list (ListMeta) into `reader->meta`. Errors: YK_ERR_INVALID, YK_ERR_LIMIT. */
YK_NODISCARD enum yk_status yk__list_meta(struct yk_list_reader *reader, struct yk_str bytes,
                                          struct yk_err *err);

/* Does what yk_list_reader_feed() says, for JSON. */
YK_NODISCARD enum yk_status yk__list_feed_json(struct yk_list_reader *reader, struct yk_str bytes,
                                               struct yk_err *err);
/* Does what yk_list_reader_feed() says, for protobuf. */
YK_NODISCARD enum yk_status yk__list_feed_protobuf(struct yk_list_reader *reader, struct yk_str bytes,
                                                   struct yk_err *err);

#endif
