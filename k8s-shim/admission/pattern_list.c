/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/pattern_list.h"

#include "config/config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* What one search may take, so that no expression holds up requests. */
enum { MATCH_LIMIT = 10000, DEPTH_LIMIT = 1000, HEAP_LIMIT_KIB = 4096 };

struct yk_pattern_list {
    pcre2_code *items[YK_PATTERN_LIST_MAX];
    size_t count;
    pcre2_match_data *match_data;
    pcre2_match_context *limits;
};

static enum yk_status add(struct yk_pattern_list *list, struct yk_str pattern, struct yk_err *err)
{
    if (list->count == YK_PATTERN_LIST_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "more than %d expressions", YK_PATTERN_LIST_MAX);
    enum yk_status st = yk_config_pattern_compile(pattern, &list->items[list->count], err);
    list->count += st == YK_OK;
    return st;
}

enum yk_status yk_pattern_list_new(struct yk_str text, struct yk_pattern_list **ret_list, struct yk_err *err)
{
    YK_CLEANUP(yk_pattern_list_freep) struct yk_pattern_list *list = yk_new0(struct yk_pattern_list);
    struct yk_str item;
    list->match_data = pcre2_match_data_create(1, NULL);
    list->limits = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(list->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(list->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(list->limits, HEAP_LIMIT_KIB);
    while (yk_str_split(&text, ',', &item)) {
        item = yk_str_trim(item);
        enum yk_status st = item.len > 0 ? add(list, item, err) : YK_OK;
        if (st != YK_OK)
            return st;
    }
    *ret_list = yk_move(list);
    return YK_OK;
}

void yk_pattern_list_free(struct yk_pattern_list *list)
{
    if (list == NULL)
        return;
    for (size_t i = 0; i < list->count; i++)
        pcre2_code_free(list->items[i]);
    pcre2_match_data_free(list->match_data);
    pcre2_match_context_free(list->limits);
    free(list);
}

bool yk_pattern_list_is_empty(const struct yk_pattern_list *list)
{
    return list->count == 0;
}

bool yk_pattern_list_matches(const struct yk_pattern_list *list, struct yk_str name)
{
    if (name.len > YK_PATTERN_SUBJECT_MAX)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (pcre2_match(list->items[i], (PCRE2_SPTR)(name.p != NULL ? name.p : ""), name.len, 0, 0,
                        list->match_data, list->limits) >= 0)
            return true;
    }
    return false;
}
