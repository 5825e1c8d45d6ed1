/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads one page of a list: the caller passes bytes as they come from the network, and a sink gets the items
 * one by one (rule K07).
 *
 * The reader keeps the bytes of at most one unfinished item, never the page. For an item that cannot be read,
 * `refused` is called, and the page continues. An item that is too large or nested too deeply is an error of
 * the page.
 * Thread: any.
 * Source: docs/reference/kubernetes.md, "Lists".
 */
#ifndef YK_API_LIST_READER_H
#define YK_API_LIST_READER_H

#include "api/object.h"
#include "api/wire_format.h"

struct yk_list_reader;

struct yk_list_sink {
    void (*item)(void *context, struct yk_object *object);       /* an item; `object` is taken */
    void (*refused)(void *context, const struct yk_err *reason); /* an item could not be read */
    void *context;
};

/* The sink of a list in JSON whose items are passed on as text, so that they may be of any kind. */
struct yk_list_text_sink {
    /* an item: its text from { to }, which may be invalid JSON; borrowed for the call */
    void (*item)(void *context, struct yk_str json);
    void *context;
};

struct yk_list_meta {
    char resource_version[64]; /* of the list; "" if the server sent none */
    char *continue_token;      /* owned, for free(); the request of the next page needs it; NULL: last page */
};

/* Makes a reader of one page of a list of `kind`. `sink` is copied, its context borrowed until the reader
 * is freed. The caller frees the reader with yk_list_reader_free(). */
struct yk_list_reader *yk_list_reader_new(enum yk_kind kind, enum yk_wire_format format,
                                          const struct yk_list_sink *sink);
/* Makes a reader of one page of a list of any kind in JSON. `what`: the name of the list in messages,
 * borrowed until the reader is freed. Otherwise like yk_list_reader_new(). */
struct yk_list_reader *yk_list_reader_new_text(const char *what, const struct yk_list_text_sink *sink);
void yk_list_reader_free(struct yk_list_reader *reader);
YK_DEFINE_FREEP(yk_list_reader)

/* Reads the next bytes of the page, and calls the sink for each item that they complete. The sink must not
 * free the reader. Errors: YK_ERR_INVALID (malformed, or not a list of the kind), YK_ERR_LIMIT
 * (api/fields.h). After an error the reader can only be freed; the sink may have got items before. */
YK_NODISCARD enum yk_status yk_list_reader_feed(struct yk_list_reader *reader, struct yk_str bytes,
                                                struct yk_err *err);
/* Checks that the page is complete, and sets `*ret`, whose `continue_token` the caller frees. Call the
 * function once, after all bytes were passed. Errors: YK_ERR_INVALID, the page is cut short or not a list of
 * the kind; `*ret` is then untouched. */
YK_NODISCARD enum yk_status yk_list_reader_finish(struct yk_list_reader *reader, struct yk_list_meta *ret,
                                                  struct yk_err *err);

#endif
