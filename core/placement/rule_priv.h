/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled rule, and what its parts tell each other: rule_kind.c knows the names, compile.c builds,
 * evaluate.c and secondary_group.c run one rule, placement.c runs them all, view.c shows them.
 */
#ifndef YK_PLACEMENT_RULE_PRIV_H
#define YK_PLACEMENT_RULE_PRIV_H

#include "placement/filter.h"
#include "placement/placement.h"
#include "placement/target_priv.h"

enum yk__rule_kind {
    YK__RULE_PROVIDED,
    YK__RULE_USER,
    YK__RULE_FIXED,
    YK__RULE_TAG,
    YK__RULE_PRIMARY_GROUP,
    YK__RULE_SECONDARY_GROUP,
    YK__RULE_APPLICATION_TYPE,
    YK__RULE_RECOVERY,
#ifdef YK_PLACEMENT_TEST_RULE
    YK__RULE_TEST, /* a parent rule for unit tests: the submitted queue as one name, or "test" */
#endif
};

struct yk__rule {
    enum yk__rule_kind kind;
    bool create;
    bool qualified; /* fixed: the value starts at the root */
    char *value;    /* owned, lower case: queue of a fixed rule, name of a tag */
    struct yk_filter *filter;
    struct yk_config_filter filter_config; /* for REST; texts in the placement's arena */
    struct yk__rule *parent;               /* owned */
};

struct yk_placement {
    struct yk_arena arena;
    struct yk__rule **rules; /* owned; the last one is recovery */
    size_t count;
};

/* rule_kind.c: any case, aliases too. Errors: YK_ERR_INVALID. */
YK_NODISCARD enum yk_status yk__rule_kind_of(const struct yk_config_rule *config,
                                             enum yk__rule_kind *ret_kind, struct yk_err *err);
const char *yk__rule_kind_name(enum yk__rule_kind kind);

/* What one rule says (P5). The sentence of a failure stands in the evaluation's `err`. */
enum yk__outcome { YK__NO_MATCH, YK__PATH, YK__FAILED };

struct yk__evaluation {
    const struct yk_app *app;
    struct yk__target target; /* the result; meaningful after YK__PATH only */
    struct yk_err *err;
};

/* evaluate.c */
enum yk__outcome yk__rule_run(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* The target becomes where the rule's own part hangs: the parent rule's result, or the root. */
enum yk__outcome yk__rule_base(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* The target, unless it does not exist and the rule may not create it. */
enum yk__outcome yk__rule_result(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* secondary_group.c */
enum yk__outcome yk__run_secondary_group(const struct yk__rule *rule, struct yk__evaluation *evaluation);

#endif
