/* SPDX-License-Identifier: Apache-2.0 */
/* Pod disruption budgets, policy/v1. */
#include "api/fields.h"

YK_LIST_CHECK(struct yk_label_selector, expressions, expression_count);

static const struct yk_field selector_fields[] = {
    YK_MAP("matchLabels", 1, YK_FIELD_PAIRS, struct yk_label_selector, labels),
    YK_LIST("matchExpressions", 2, struct yk_label_selector, expressions, &yk_requirement_fields),
};
const struct yk_fields yk_label_selector_fields = YK_FIELDS(selector_fields, true);

static const struct yk_field spec_fields[] = {
    {"selector", 2, YK_FIELD_NESTED, offsetof(struct yk_disruption_budget, selector),
     offsetof(struct yk_disruption_budget, has_selector), 0, &yk_label_selector_fields},
};
static const struct yk_fields spec = YK_FIELDS(spec_fields, false);

static const struct yk_field status_fields[] = {
    YK_I32("disruptionsAllowed", 3, struct yk_disruption_budget, disruptions_allowed),
};
static const struct yk_fields status = YK_FIELDS(status_fields, false);

static const struct yk_field budget_fields[] = {
    YK_NESTED("metadata", 1, offsetof(struct yk_disruption_budget, object), &yk_meta_fields),
    YK_NESTED("spec", 2, 0, &spec),
    YK_NESTED("status", 3, 0, &status),
};
const struct yk_fields yk_disruption_budget_fields = YK_FIELDS(budget_fields, false);
