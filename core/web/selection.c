/* SPDX-License-Identifier: Apache-2.0 */
#include "web/selection.h"

#include "objects/app.h"
#include "objects/node.h"
#include "web/names.h"
#include "web/target.h"

#include <inttypes.h>
#include <strings.h>

/* ---- reading ---- */

static void lower(struct yk_buf *text)
{
    for (size_t i = 0; i < text->len; i++) {
        if (text->p[i] >= 'A' && text->p[i] <= 'Z')
            text->p[i] = (char)(text->p[i] - 'A' + 'a');
    }
}

/* Adds a filter "kind:text". Without a known kind before a colon, the whole value is the text of a filter by
 * name, because names may have colons. */
static void add_filter(struct yk_selection *selection, struct yk_buf *text)
{
    static const struct {
        const char *prefix;
        enum yk_filter_kind kind;
    } kinds[] = {{"state:", YK_FILTER_STATE},
                 {"user:", YK_FILTER_USER},
                 {"queue:", YK_FILTER_QUEUE},
                 {"node:", YK_FILTER_NODE}};
    struct yk_filter *filter = &selection->filters[selection->filter_count++];
    struct yk_str rest;
    lower(text);
    rest = yk_buf_view(text);
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        if (!yk_str_starts(rest, kinds[i].prefix))
            continue;
        filter->kind = kinds[i].kind;
        rest.p += strlen(kinds[i].prefix);
        rest.len -= strlen(kinds[i].prefix);
        break;
    }
    yk_buf_str(&filter->text, rest);
}

static void read_filters(struct yk_selection *selection, struct yk_str query)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    struct yk_str rest = query;
    while (!selection->too_many_filters && yk_query_next(&rest, "filter", &text)) {
        if (text.len > 0 && selection->filter_count == YK_FILTERS_MAX)
            selection->too_many_filters = true;
        else if (text.len > 0)
            add_filter(selection, &text);
        yk_buf_clear(&text);
    }
}

static void read_fields(struct yk_selection *selection, struct yk_str query)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    if (!yk_query_get(query, "fields", &text) || text.len == 0)
        return;
    yk_buf_char(&selection->fields, ',');
    yk_buf_str(&selection->fields, yk_buf_view(&text));
    yk_buf_char(&selection->fields, ',');
}

void yk_selection_read(struct yk_selection *selection, struct yk_str query)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf view = {0};
    if (selection->is_read)
        return;
    selection->is_read = true;
    read_filters(selection, query);
    read_fields(selection, query);
    (void)yk_query_get(query, "after", &selection->after);
    (void)yk_query_get(query, "view", &view);
    selection->summary = yk_str_is_nocase(yk_buf_view(&view), "summary");
    selection->bad_view = view.len > 0 && !selection->summary;
}

void yk_selection_done(struct yk_selection *selection)
{
    for (size_t i = 0; i < selection->filter_count; i++)
        yk_buf_done(&selection->filters[i].text);
    yk_buf_done(&selection->after);
    yk_buf_done(&selection->fields);
}

/* ---- filters ---- */

/* Whether the text has a NUL. No name has a NUL, and it would end the text for functions of C strings. */
static bool has_nul(const struct yk_filter *filter)
{
    return strlen(yk_buf_cstr(&filter->text)) != filter->text.len;
}

/* The texts come from users and may be long: the time is linear in both. */
static bool has_text(const char *text, const struct yk_filter *filter)
{
    return !has_nul(filter) && strcasestr(text, yk_buf_cstr(&filter->text)) != NULL;
}

static bool is_text(const char *text, const struct yk_filter *filter)
{
    return text != NULL && yk_str_is_nocase(yk_buf_view(&filter->text), text);
}

static bool is_in_queue(const char *path, const struct yk_filter *filter)
{
    size_t len = filter->text.len;
    return path != NULL && !has_nul(filter) && strncasecmp(path, yk_buf_cstr(&filter->text), len) == 0 &&
           (path[len] == '\0' || path[len] == '.');
}

static bool app_passes(const struct yk_filter *filter, const struct yk_app *app)
{
    switch (filter->kind) {
    case YK_FILTER_TEXT:
        return has_text(app->id, filter);
    case YK_FILTER_STATE:
        return is_text(yk_app_state_name(app->state), filter);
    case YK_FILTER_USER:
        return is_text(app->user, filter);
    case YK_FILTER_QUEUE:
        return is_in_queue(app->queue_path, filter);
    case YK_FILTER_NODE:
        return true; /* the caller checks these filters (yk_selection_node()) */
    }
    return true;
}

bool yk_selection_has_app(const struct yk_selection *selection, const struct yk_app *app)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        if (!app_passes(&selection->filters[i], app))
            return false;
    }
    return true;
}

static bool node_passes(const struct yk_filter *filter, const struct yk_node *node)
{
    switch (filter->kind) {
    case YK_FILTER_TEXT:
        return has_text(node->id, filter);
    case YK_FILTER_NODE:
        return is_text(node->id, filter);
    case YK_FILTER_STATE:
        return is_text(node->schedulable ? "schedulable" : "unschedulable", filter);
    case YK_FILTER_USER:
    case YK_FILTER_QUEUE:
        return false; /* a node has no such property */
    }
    return false;
}

bool yk_selection_has_node(const struct yk_selection *selection, const struct yk_node *node)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        if (!node_passes(&selection->filters[i], node))
            return false;
    }
    return true;
}

bool yk_selection_has_name(const struct yk_selection *selection, const char *name)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        const struct yk_filter *filter = &selection->filters[i];
        bool may_be = filter->kind == YK_FILTER_TEXT ||
                      (filter->kind == YK_FILTER_USER && strlen(name) == filter->text.len);
        if (!may_be || !has_text(name, filter))
            return false;
    }
    return true;
}

static bool is_part_of_full_name(const struct yk_filter *filter, const char *namespace_, const char *name)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf full = {0};
    yk_buf_printf(&full, "%s/%s", namespace_, name);
    return has_text(yk_buf_cstr(&full), filter);
}

static bool waiting_passes(const struct yk_filter *filter, const struct yk_app *app, const char *namespace_,
                           const char *name)
{
    switch (filter->kind) {
    case YK_FILTER_TEXT:
        return has_text(name, filter) || (memchr(filter->text.p, '/', filter->text.len) != NULL &&
                                          is_part_of_full_name(filter, namespace_, name));
    case YK_FILTER_USER:
    case YK_FILTER_QUEUE:
        return app_passes(filter, app);
    case YK_FILTER_STATE:
    case YK_FILTER_NODE:
        return false; /* it has no node, and only one state */
    }
    return false;
}

bool yk_selection_has_waiting(const struct yk_selection *selection, const struct yk_app *app,
                              const char *namespace_, const char *name)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        if (!waiting_passes(&selection->filters[i], app, namespace_, name))
            return false;
    }
    return true;
}

const char *yk_selection_node(const struct yk_selection *selection, size_t at)
{
    for (size_t i = 0; i < selection->filter_count; i++) {
        if (selection->filters[i].kind == YK_FILTER_NODE && at-- == 0)
            return yk_buf_cstr(&selection->filters[i].text);
    }
    return NULL;
}

/* ---- pages ---- */

/* Splits "RANK:TEXT". False: it has another form. */
static bool split_rank(struct yk_str after, int64_t *ret_rank, struct yk_str *ret_text)
{
    struct yk_str rest = after, number;
    if (!yk_str_split(&rest, ':', &number) || rest.p == NULL || yk_str_to_i64(number, ret_rank) != YK_OK)
        return false;
    *ret_text = rest;
    return true;
}

bool yk_selection_after(const struct yk_selection *selection, bool is_ranked, int64_t *ret_rank,
                        struct yk_str *ret_text)
{
    *ret_rank = 0;
    *ret_text = yk_buf_view(&selection->after);
    return !is_ranked || split_rank(*ret_text, ret_rank, ret_text);
}

void yk_selection_put_after(const struct yk_name_entry *entry, struct yk_buf *out)
{
    if (entry->rank != 0)
        yk_buf_printf(out, "%" PRId64 ":", entry->rank);
    yk_buf_str(out, entry->text);
}
