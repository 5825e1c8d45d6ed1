/* SPDX-License-Identifier: Apache-2.0 */
/* TaintToleration: every NoSchedule and NoExecute taint must be tolerated
 * (docs/reference/predicates.md 2.4, 4.4). */
#include "predicates/constraints.h"

/* Parses a decimal number. False: it has a plus sign, leading zeros or other text, is "-0", or is out of
 * range. */
static bool canonical_number(yk_name name, int64_t *ret)
{
    const char *text = yk_name_text(name);
    const char *digits = text[0] == '-' ? text + 1 : text;
    if (digits[0] < '0' || digits[0] > '9' || (digits[0] == '0' && (digits[1] != '\0' || digits != text)))
        return false;
    return yk_str_to_i64(yk_str_from(text), ret) == YK_OK;
}

static bool compare_numbers(yk_name taint, yk_name toleration, bool less)
{
    int64_t have, limit;
    if (!canonical_number(taint, &have) || !canonical_number(toleration, &limit))
        return false;
    return less ? have < limit : have > limit;
}

bool yk_tolerates(const struct yk_compiled_toleration *toleration, yk_name key, yk_name value,
                  enum yk_taint_effect effect)
{
    if (!toleration->any_effect && toleration->effect != effect)
        return false;
    if (toleration->key.id != 0 && !yk_name_eq(toleration->key, key))
        return false;
    switch (toleration->operator_) {
    case YK_TOLERATES_EQUAL:
        return yk_name_eq(toleration->value, value);
    case YK_TOLERATES_EXISTS:
        return true;
    case YK_TOLERATES_LT:
        return compare_numbers(value, toleration->value, true);
    case YK_TOLERATES_GT:
        return compare_numbers(value, toleration->value, false);
    case YK_TOLERATES_NOTHING:
        break;
    }
    return false;
}

bool yk_taint_is_tolerated(const struct yk_constraints *constraints, const struct yk_cache_taint *taint)
{
    for (uint32_t i = 0; i < constraints->toleration_count; i++) {
        if (yk_tolerates(&constraints->tolerations[i], taint->key, taint->value, taint->effect))
            return true;
    }
    return false;
}

bool yk_filter_taint_toleration(const struct yk_constraints *constraints, const struct yk_cache_node *node)
{
    for (uint32_t i = 0; i < node->taint_count; i++) {
        const struct yk_cache_taint *taint = &node->taints[i];
        bool filters = taint->effect == YK_TAINT_NO_SCHEDULE || taint->effect == YK_TAINT_NO_EXECUTE;
        if (filters && !yk_taint_is_tolerated(constraints, taint))
            return false;
    }
    return true;
}
