/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a list that a client wants: the parameters `filter`, `after`, `fields` and `view` of the query.
 *
 * Thread: any.
 * Source: docs/reference/rest.md 1.7.
 */
#ifndef YK_WEB_SELECTION_H
#define YK_WEB_SELECTION_H

#include "base/str.h"

struct yk_app;
struct yk_json;
struct yk_name_entry;
struct yk_node;

enum { YK_FILTERS_MAX = 8 }; /* filters of one request */

/* What a filter is compared with; see docs/reference/rest.md 1.7. */
enum yk_filter_kind {
    YK_FILTER_TEXT, /* the name contains the text, in any case */
    YK_FILTER_STATE,
    YK_FILTER_USER,
    YK_FILTER_QUEUE,
    YK_FILTER_NODE,
};

/* A zeroed one selects everything. */
struct yk_selection {
    bool is_read;  /* yk_selection_read() was called */
    bool summary;  /* `view` is "summary" */
    bool bad_view; /* `view` has an unknown value; lists with `has_page` (web/list.h) answer 400 then */
    /* More than YK_FILTERS_MAX filters, of which the first ones are kept; such lists answer 400 as well. */
    bool too_many_filters;
    struct yk_filter {
        enum yk_filter_kind kind;
        struct yk_buf text; /* owned, in lower case */
    } filters[YK_FILTERS_MAX];
    size_t filter_count;
    struct yk_buf after;  /* owned: the value of `after`; empty: the list begins at its first entry */
    struct yk_buf fields; /* owned: the names of `fields` in the form ",a,b,"; empty: all fields */
};

/* Reads the query into `selection`, which is zeroed before the first call; no effect if it was read
 * before. */
void yk_selection_read(struct yk_selection *selection, struct yk_str query);
void yk_selection_done(struct yk_selection *selection);
/* Whether the application matches all filters except those by node. The caller checks these
 * (yk_selection_node()). */
bool yk_selection_has_app(const struct yk_selection *selection, const struct yk_app *app);
/* Whether the node matches all filters. A filter by user or queue matches no node. */
bool yk_selection_has_node(const struct yk_selection *selection, const struct yk_node *node);
/* Whether the name of a user or group matches all filters. A filter by user matches if it is equal to the
 * name, in any case. Filters by state, queue or node match no name. */
bool yk_selection_has_name(const struct yk_selection *selection, const char *name);
/* Whether an object of `app` that waits matches all filters. A filter by name with a slash is compared with
 * "namespace/name", one without with the name. Filters by state or node match nothing. */
bool yk_selection_has_waiting(const struct yk_selection *selection, const struct yk_app *app,
                              const char *namespace_, const char *name);
/* The text of the filter by node with the index `at`, from 0 on, in lower case: applications match it if they
 * have an allocation on the node with that name. NULL: there are not so many. Borrowed from the selection. */
const char *yk_selection_node(const struct yk_selection *selection, size_t at);
/*
 * Sets `*ret_rank` and `*ret_text` to the rank and the text of the entry that `after` names. Its form is
 * "rank:text" if the entries of the list have ranks (`is_ranked`), otherwise "text". False: entries have
 * ranks, but `after` does not have this form; then `*ret_text` is its whole value. `*ret_text` is borrowed
 * from the selection.
 */
bool yk_selection_after(const struct yk_selection *selection, bool is_ranked, int64_t *ret_rank,
                        struct yk_str *ret_text);
/* Appends the value of `after` with which a client gets the entries behind `entry`. */
void yk_selection_put_after(const struct yk_name_entry *entry, struct yk_buf *out);

#endif
