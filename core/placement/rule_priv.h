/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiled rule, and what its parts tell each other. kinds.c knows the names, rule_NAME.c has what a kind
 * does, compile.c builds, evaluate.c runs one rule, placement.c runs them all, view.c shows them.
 *
 * A placement rule is a file rule_NAME.c, which defines `const struct yk__rule_kind yk__rule_NAME`, and a row
 * in YK__RULE_KINDS.
 *
 * Owns: a rule owns its texts and its parent.
 * Thread: any, for different placements.
 */
#ifndef YK_PLACEMENT_RULE_PRIV_H
#define YK_PLACEMENT_RULE_PRIV_H

#include "placement/filter.h"
#include "placement/placement.h"
#include "placement/target_priv.h"

#ifdef YK_PLACEMENT_TEST_RULE
#define YK__TEST_RULE(ROW) ROW(test)
#else
#define YK__TEST_RULE(ROW)
#endif

#define YK__RULE_KINDS(ROW)                                                                                  \
    ROW(provided)                                                                                            \
    ROW(user)                                                                                                \
    ROW(fixed)                                                                                               \
    ROW(tag)                                                                                                 \
    ROW(primary_group)                                                                                       \
    ROW(secondary_group)                                                                                     \
    ROW(application_type)                                                                                    \
    ROW(recovery)                                                                                            \
    YK__TEST_RULE(ROW)

/* What one rule says (P5). The sentence of a failure stands in the evaluation's `err`. */
enum yk__outcome { YK__NO_MATCH, YK__PATH, YK__FAILED };

struct yk__rule;

struct yk__evaluation {
    const struct yk_app *app;
    struct yk__target target; /* the result; meaningful after YK__PATH only */
    struct yk_err *err;
};

enum { YK__RULE_NAMES_MAX = 2 };

struct yk__rule_kind {
    const char *names[YK__RULE_NAMES_MAX]; /* lower case; REST shows the first */
    bool is_implicit;                      /* always there, and cannot be configured */
    bool shows_value;                      /* in REST */
    /* Refuses a rule that cannot work, and may complete it; NULL: nothing to check. Errors:
     * YK_ERR_INVALID. */
    enum yk_status (*check)(struct yk__rule *rule, const struct yk_config_rule *config, struct yk_err *err);
    /* What the rule goes by; NULL or "": it does not match. NULL function: `run` applies the filter
     * itself. */
    const char *(*value)(const struct yk__rule *rule, const struct yk_app *app);
    /* `value` is empty without that function. */
    enum yk__outcome (*run)(const struct yk__rule *rule, struct yk_str value,
                            struct yk__evaluation *evaluation);
};

#define YK__RULE_KIND(name) extern const struct yk__rule_kind yk__rule_##name;
YK__RULE_KINDS(YK__RULE_KIND)
#undef YK__RULE_KIND

struct yk__rule {
    const struct yk__rule_kind *kind;
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

/* kinds.c: the kind of the rule, by its name in any case, or an alias. Static. Errors: YK_ERR_INVALID, an
 * unknown name. */
YK_NODISCARD enum yk_status yk__rule_kind_of(const struct yk_config_rule *config,
                                             const struct yk__rule_kind **ret_kind, struct yk_err *err);

/* evaluate.c: runs the rule with its filter and its parent rule. YK__PATH: the path is in the target. */
enum yk__outcome yk__rule_run(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* Sets the target to the queue below which the rule adds its own part: the result of the parent rule, or the
 * root. */
enum yk__outcome yk__rule_base(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* What a rule answers when the target has its path: YK__PATH, or YK__NO_MATCH if that queue does not exist
 * and the rule may not create it. */
enum yk__outcome yk__rule_result(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* Adds `value` below the base as one queue: "a.b" becomes a_dot_b. */
enum yk__outcome yk__rule_qualify(const struct yk__rule *rule, struct yk_str value,
                                  struct yk__evaluation *evaluation);
/* "root.a.b" as it is, without the parent rule; another value as yk__rule_qualify(). */
enum yk__outcome yk__rule_path_or_name(const struct yk__rule *rule, struct yk_str value,
                                       struct yk__evaluation *evaluation);
/* YK__FAILED with the sentence "WHAT: 'VALUE'". */
enum yk__outcome yk__rule_fail(struct yk__evaluation *evaluation, const char *what, struct yk_str value);

#endif
