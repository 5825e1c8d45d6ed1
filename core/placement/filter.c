/* SPDX-License-Identifier: Apache-2.0 */
#include "placement/filter.h"

#include "base/log.h"
#include "base/map.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/*
 * Bounds of one match, which is undecided if it needs more. A step may look at all bytes of the name,
 * so the length of the name is bounded, too. The bounds are low because a user may have many groups.
 */
enum { MATCH_LIMIT = 10000, DEPTH_LIMIT = 1000, HEAP_LIMIT_KIB = 4096, SUBJECT_MAX = 512 };

/* The users or the groups of a filter: a set of names or one expression. */
struct matcher {
    bool configured;        /* false: the list is empty and matches nothing */
    struct yk_strmap names; /* name -> the matcher, as a value that is not NULL; keys are in `copies` */
    struct yk_arena copies;
    pcre2_code *expression; /* NULL: names only */
    struct yk_str pattern;  /* its text */
};

struct yk_filter {
    bool allow;
    bool complained; /* an undecided match was logged, which is done once per filter */
    struct matcher users, groups;
    pcre2_match_data *match_data;
    pcre2_match_context *limits;
};

static void add_name(struct matcher *matcher, struct yk_str name)
{
    (void)yk_strmap_put(&matcher->names, yk_arena_str(&matcher->copies, name),
                        matcher); /* the result is not needed: a name may be there twice */
}

static enum yk_status add_expression(struct matcher *matcher, struct yk_str pattern, struct yk_err *err)
{
    matcher->pattern = yk_arena_str(&matcher->copies, pattern);
    return yk_config_pattern_compile(pattern, &matcher->expression, err);
}

/* Adds the entries of a list. The only entry of a list may be an expression (P16); of several entries,
 * those that are not valid names are skipped (P17). */
static enum yk_status fill(struct matcher *matcher, const struct yk_config_names *list,
                           bool (*valid)(struct yk_str), struct yk_err *err)
{
    matcher->configured = list->count > 0;
    for (uint32_t i = 0; i < list->count; i++) {
        struct yk_str entry = list->items[i];
        if (valid(entry))
            add_name(matcher, entry);
        else if (list->count == 1 && yk_config_is_pattern(entry))
            return add_expression(matcher, entry, err);
        else if (list->count == 1)
            return yk_fail(err, YK_ERR_INVALID,
                           "filter entry '" YK_STR_FMT "' is neither a name nor an expression",
                           YK_STR_ARG(entry));
    }
    return YK_OK;
}

enum yk_status yk_filter_new(const struct yk_config_filter *config, struct yk_filter **ret_filter,
                             struct yk_err *err)
{
    YK_CLEANUP(yk_filter_freep) struct yk_filter *filter = yk_new0(struct yk_filter);
    YK_CLEANUP(yk_freep) char *type = yk_str_lower(config->type);
    filter->allow = strcmp(type, "deny") != 0;
    filter->match_data = pcre2_match_data_create(1, NULL);
    filter->limits = pcre2_match_context_create(NULL);
    if (filter->match_data == NULL || filter->limits == NULL)
        yk_out_of_memory(sizeof(*filter));
    pcre2_set_match_limit(filter->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(filter->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(filter->limits, HEAP_LIMIT_KIB);
    enum yk_status st = fill(&filter->users, &config->users, yk_user_name_valid, err);
    if (st == YK_OK)
        st = fill(&filter->groups, &config->groups, yk_group_name_valid, err);
    if (st != YK_OK)
        return st;
    *ret_filter = yk_move(filter);
    return YK_OK;
}

static void empty(struct matcher *matcher)
{
    yk_strmap_done(&matcher->names);
    yk_arena_done(&matcher->copies);
    pcre2_code_free(matcher->expression);
}

void yk_filter_free(struct yk_filter *filter)
{
    if (filter == NULL)
        return;
    empty(&filter->users);
    empty(&filter->groups);
    pcre2_match_data_free(filter->match_data);
    pcre2_match_context_free(filter->limits);
    free(filter);
}

bool yk_filter_is_allow(const struct yk_filter *filter)
{
    return filter->allow;
}

static void complain(struct yk_filter *filter, const struct matcher *matcher, struct yk_str name)
{
    if (!filter->complained)
        yk_warn(yk_log_config, "filter expression cannot be decided and its rule does not apply",
                KV("expression", matcher->pattern), KV("name", name));
    filter->complained = true;
}

/* Ordered: of the answers for several names, the largest counts. */
enum match { MATCH_NO, MATCH_UNDECIDED, MATCH_YES };

static enum match expression_matches(struct yk_filter *filter, const struct matcher *matcher,
                                     struct yk_str name)
{
    int found = PCRE2_ERROR_MATCHLIMIT;
    if (name.len <= SUBJECT_MAX)
        found = pcre2_match(matcher->expression, (PCRE2_SPTR)name.p, name.len, 0, 0, filter->match_data,
                            filter->limits);
    if (found == PCRE2_ERROR_NOMEMORY)
        yk_out_of_memory(name.len);
    if (found >= 0)
        return MATCH_YES;
    if (found == PCRE2_ERROR_NOMATCH)
        return MATCH_NO;
    complain(filter, matcher, name); /* a bound was exceeded, or the name is not UTF-8 */
    return MATCH_UNDECIDED;
}

static enum match matches(struct yk_filter *filter, const struct matcher *matcher, const char *name)
{
    if (!matcher->configured)
        return MATCH_NO;
    if (matcher->expression != NULL)
        return expression_matches(filter, matcher, yk_str_from(name));
    return yk_strmap_get(&matcher->names, yk_str_from(name)) != NULL ? MATCH_YES : MATCH_NO;
}

static bool decide(const struct yk_filter *filter, enum match matched)
{
    switch (matched) {
    case MATCH_NO:
        return !filter->allow;
    case MATCH_YES:
        return filter->allow;
    case MATCH_UNDECIDED:
        break; /* neither type lets the user through (P20) */
    }
    return false;
}

bool yk_filter_passes(struct yk_filter *filter, const char *user, char *const *groups, size_t group_count)
{
    if (!filter->users.configured && !filter->groups.configured)
        return filter->allow;
    enum match matched = matches(filter, &filter->users, user);
    for (size_t i = 0; i < group_count && matched != MATCH_YES; i++)
        matched = YK_MAX(matched, matches(filter, &filter->groups, groups[i]));
    return decide(filter, matched);
}

bool yk_filter_passes_group(struct yk_filter *filter, const char *user, const char *group)
{
    if (!filter->groups.configured)
        return yk_filter_passes(filter, user, NULL, 0);
    enum match matched = matches(filter, &filter->groups, group);
    if (!filter->allow && matched != MATCH_YES)
        matched = YK_MAX(matched, matches(filter, &filter->users, user));
    return decide(filter, matched);
}
