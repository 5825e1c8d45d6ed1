/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What part of a list a client wants: `filter`, `after`, `fields` and `view` of the query.
 *
 * Thread: one at a time, with its job.
 * Source: docs/reference/rest.md 1.7.
 */
#ifndef YK_WEB_SELECTION_H
#define YK_WEB_SELECTION_H

#include "base/str.h"

struct yk_app;
struct yk_json;
struct yk_name_entry;
struct yk_node;

enum { YK_FILTERS_MAX = 8 }; /* of one request; further ones do not count */

enum yk_filter_kind {
    YK_FILTER_TEXT, /* the name contains it, in any case */
    YK_FILTER_STATE,
    YK_FILTER_USER,
    YK_FILTER_QUEUE,
    YK_FILTER_NODE,
};

struct yk_selection {
    bool is_read;
    bool summary;
    bool bad_view; /* `view` is something else */
    struct yk_filter {
        enum yk_filter_kind kind;
        struct yk_buf text; /* owned, lower case */
    } filters[YK_FILTERS_MAX];
    size_t filter_count;
    struct yk_buf after;  /* owned; empty: from the start */
    struct yk_buf fields; /* owned; ",a,b,"; empty: all */
};

/* Reads the query into `selection`, which is zeroed before the first call; no effect if it was read before. */
void yk_selection_read(struct yk_selection *selection, struct yk_str query);
void yk_selection_done(struct yk_selection *selection);
/* Whether all filters let the application through. */
bool yk_selection_has_app(const struct yk_selection *selection, const struct yk_app *app);
/* Like yk_selection_has_app() for a node. */
bool yk_selection_has_node(const struct yk_selection *selection, const struct yk_node *node);
/* Like yk_selection_has_app() for the name of a user or group. */
bool yk_selection_has_name(const struct yk_selection *selection, const char *name);
/* The name of the node that applications must have an allocation on, in lower case; NULL: any. */
const char *yk_selection_node(const struct yk_selection *selection);
/*
 * Sets `*ret_rank` and `*ret_text` to the place that `after` names: the rank, a colon and the text of an entry if
 * entries have ranks (`is_ranked`), else the text. False: entries have ranks and `after` has none, so it can only be the
 * text of an entry. Borrowed from the selection.
 */
bool yk_selection_after(const struct yk_selection *selection, bool is_ranked, int64_t *ret_rank,
                        struct yk_str *ret_text);
/* Appends the value of `after` by which a client gets what comes behind `entry`. */
void yk_selection_put_after(const struct yk_name_entry *entry, struct yk_buf *out);

#endif
