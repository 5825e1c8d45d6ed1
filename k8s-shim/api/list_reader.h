/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page of a list: bytes in as they come from the network, items out one by one (rule K07).
 *
 * Holds one unfinished item, never the page. An item that cannot be read is refused and the page goes on.
 * Thread: any, one object at a time.
 * Source: docs/reference/kubernetes.md, "Lists".
 */
#ifndef YK_API_LIST_READER_H
#define YK_API_LIST_READER_H

#include "api/object.h"
#include "api/wire_format.h"

struct yk_list_reader;

struct yk_list_sink {
    void (*item)(void *context, struct yk_object *object);       /* taken */
    void (*refused)(void *context, const struct yk_err *reason); /* an item that could not be read */
    void *context;
};

/* Of a list whose items are not decoded: any kind of object. */
struct yk_list_text_sink {
    void (*item)(void *context, struct yk_str json); /* borrowed for the call; any JSON object */
    void *context;
};

struct yk_list_meta {
    char resource_version[64]; /* of the list; opaque; "" when the server sent none */
    char *continue_token;      /* owned, free(); NULL on the last page */
};

/* Makes a reader of one page of a list of `kind`. `sink` is copied. The caller frees the reader with
 * yk_list_reader_free(). */
struct yk_list_reader *yk_list_reader_new(enum yk_kind kind, enum yk_wire_format format,
                                          const struct yk_list_sink *sink);
/* Reads a list in JSON of any kind. `what`: its name in messages, borrowed. `sink` is copied. The caller
 * frees the reader with yk_list_reader_free(). */
struct yk_list_reader *yk_list_reader_new_text(const char *what, const struct yk_list_text_sink *sink);
void yk_list_reader_free(struct yk_list_reader *reader);
YK_DEFINE_FREEP(yk_list_reader)

/* Reads the next bytes of the page, and calls the sink for each complete item. Errors: YK_ERR_INVALID,
 * YK_ERR_LIMIT: this is no list of that kind, or a hostile one. */
YK_NODISCARD enum yk_status yk_list_reader_feed(struct yk_list_reader *reader, struct yk_str bytes,
                                                struct yk_err *err);
/* Ends the page after the last byte, and fills `*ret`, whose `continue_token` the caller frees. Errors:
 * YK_ERR_INVALID, the page is cut short; `*ret` is then untouched. */
YK_NODISCARD enum yk_status yk_list_reader_finish(struct yk_list_reader *reader, struct yk_list_meta *ret,
                                                  struct yk_err *err);

#endif
