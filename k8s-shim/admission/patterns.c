/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/patterns.h"

#include "config/config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Limits of one search, the same as for the filters of placement rules (core/placement/filter.c). */
enum { MATCH_LIMIT = 10000, DEPTH_LIMIT = 1000, HEAP_LIMIT_KIB = 4096 };

struct yk_patterns {
    pcre2_code *codes[YK_PATTERNS_MAX];
    size_t count;
    pcre2_match_data *match_data;
    pcre2_match_context *limits;
};

static enum yk_status add(struct yk_patterns *patterns, struct yk_str text, struct yk_err *err)
{
    if (patterns->count == YK_PATTERNS_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "more than %d expressions", YK_PATTERNS_MAX);
    enum yk_status st = yk_config_pattern_compile(text, &patterns->codes[patterns->count], err);
    if (st == YK_OK)
        patterns->count++;
    return st;
}

enum yk_status yk_patterns_new(struct yk_str list, struct yk_patterns **ret, struct yk_err *err)
{
    YK_CLEANUP(yk_patterns_freep) struct yk_patterns *patterns = yk_new0(struct yk_patterns);
    struct yk_str part;
    patterns->match_data = pcre2_match_data_create(1, NULL);
    patterns->limits = pcre2_match_context_create(NULL);
    if (patterns->match_data == NULL || patterns->limits == NULL)
        yk_out_of_memory(sizeof(*patterns));
    pcre2_set_match_limit(patterns->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(patterns->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(patterns->limits, HEAP_LIMIT_KIB);
    while (yk_str_split(&list, ',', &part)) {
        part = yk_str_trim(part);
        enum yk_status st = yk_str_empty(part) ? YK_OK : add(patterns, part, err);
        if (st != YK_OK)
            return st;
    }
    *ret = yk_move(patterns);
    return YK_OK;
}

void yk_patterns_free(struct yk_patterns *patterns)
{
    if (patterns == NULL)
        return;
    for (size_t i = 0; i < patterns->count; i++)
        pcre2_code_free(patterns->codes[i]);
    pcre2_match_data_free(patterns->match_data);
    pcre2_match_context_free(patterns->limits);
    free(patterns);
}

bool yk_patterns_empty(const struct yk_patterns *patterns)
{
    return patterns->count == 0;
}

bool yk_patterns_match(const struct yk_patterns *patterns, struct yk_str name)
{
    if (name.len > YK_PATTERN_SUBJECT_MAX)
        return false;
    PCRE2_SPTR subject = (PCRE2_SPTR)(name.p != NULL ? name.p : "");
    for (size_t i = 0; i < patterns->count; i++) {
        int found =
            pcre2_match(patterns->codes[i], subject, name.len, 0, 0, patterns->match_data, patterns->limits);
        if (found == PCRE2_ERROR_NOMEMORY)
            yk_out_of_memory(name.len);
        if (found >= 0)
            return true;
    }
    return false;
}
