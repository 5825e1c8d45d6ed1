/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled placement rules. kinds.c finds the kind of a rule by its name, rule_NAME.c has the functions of a
 * kind, compile.c builds rules, evaluate.c runs one rule, placement.c runs all rules, view.c shows them.
 *
 * To add a kind of rule, write a file rule_NAME.c, which defines `const struct yk__rule_kind yk__rule_NAME`,
 * and add a row to YK__RULE_KINDS.
 *
 * Owns:   a rule owns its value, its filter and its parent.
 * Thread: scheduling thread only, except yk__rule_kind_of() and `check`: any.
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

/* The answer of one rule (P5). */
enum yk__outcome {
    YK__NO_MATCH, /* the next rule is tried */
    YK__PATH,     /* evaluation->target is the queue */
    YK__FAILED,   /* the application is rejected with the sentence in evaluation->err */
};

struct yk__rule;

/* One application that is being placed. */
struct yk__evaluation {
    const struct yk_app *app;
    struct yk__target target; /* the caller sets `root` and `path`; after YK__PATH, the result */
    struct yk_err *err;       /* may be NULL */
};

enum { YK__RULE_NAMES_MAX = 2 };

struct yk__rule_kind {
    const char *names[YK__RULE_NAMES_MAX]; /* lower case; REST shows the first */
    bool is_implicit;                      /* each placement has the rule, and it cannot be configured */
    bool shows_value;                      /* REST shows yk__rule.value */
    /* Checks a rule while it is built, after its `value` was set. May set other fields of the rule. NULL: no
     * check. Errors: YK_ERR_INVALID. */
    enum yk_status (*check)(struct yk__rule *rule, const struct yk_config_rule *config, struct yk_err *err);
    /* The value that `run` gets, such as the name of the user, borrowed from the rule or the application;
     * NULL or "": the rule does not match. If the function is NULL, `run` gets an empty value and has to
     * apply the filter itself. */
    const char *(*value)(const struct yk__rule *rule, const struct yk_app *app);
    /* Sets the target of the evaluation to the queue for `value`. Called after the filter has let the
     * user through, unless the kind has no `value`. */
    enum yk__outcome (*run)(const struct yk__rule *rule, struct yk_str value,
                            struct yk__evaluation *evaluation);
};

#define YK__RULE_KIND(name) extern const struct yk__rule_kind yk__rule_##name;
YK__RULE_KINDS(YK__RULE_KIND)
#undef YK__RULE_KIND

struct yk__rule {
    const struct yk__rule_kind *kind;
    bool create;
    bool qualified; /* of a fixed rule: the value is "root" or begins with "root." */
    /* Owned, in lower case: `value` of the configuration, such as the queue of a fixed rule or the name of a
     * tag; of the recovery rule, its queue; "": none. */
    char *value;
    struct yk_filter *filter;              /* owned */
    struct yk_config_filter filter_config; /* for REST; its texts are in the arena of the placement */
    struct yk__rule *parent;               /* owned; NULL: none */
};

struct yk_placement {
    struct yk_arena arena;
    struct yk__rule **rules; /* owned; the last one is recovery */
    size_t count;
};

/* kinds.c: sets `*ret_kind` to the kind of the rule, which is static, by its name or alias without regard
 * to case. Errors: YK_ERR_INVALID, the name is unknown or that of an implicit rule. */
YK_NODISCARD enum yk_status yk__rule_kind_of(const struct yk_config_rule *config,
                                             const struct yk__rule_kind **ret_kind, struct yk_err *err);

/* evaluate.c: runs the rule with its filter and its parent rule, and sets the target. Returns the answer of
 * the rule. The queue of YK__PATH need not accept the application: the caller checks that. */
enum yk__outcome yk__rule_run(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* For `run` of a kind: sets the target to the queue below which the rule adds a part: the result of the
 * parent rule, or the root if there is no parent rule. Returns YK__PATH, or another answer, which `run` has
 * to return: that of the parent rule, or YK__FAILED if the queue of the parent rule is a leaf. */
enum yk__outcome yk__rule_base(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* For `run` of a kind: the answer of the rule after it has set the target. YK__PATH; YK__NO_MATCH, the
 * queue does not exist and the rule may not create it; YK__FAILED, the path is too long. */
enum yk__outcome yk__rule_result(const struct yk__rule *rule, struct yk__evaluation *evaluation);
/* A `run`: sets the target to the queue with the name `value` below yk__rule_base(). Dots are replaced:
 * "a.b" becomes a_dot_b. Returns YK__FAILED if the name is not valid, otherwise what yk__rule_base() or
 * yk__rule_result() returns. */
enum yk__outcome yk__rule_qualify(const struct yk__rule *rule, struct yk_str value,
                                  struct yk__evaluation *evaluation);
/* A `run`: sets the target to the path `value` if it begins with "root.", in upper or lower case. The
 * parent rule is not used then. Otherwise does the same as yk__rule_qualify(). */
enum yk__outcome yk__rule_path_or_name(const struct yk__rule *rule, struct yk_str value,
                                       struct yk__evaluation *evaluation);
/* Writes the sentence "WHAT: 'VALUE'" to evaluation->err and returns YK__FAILED. */
enum yk__outcome yk__rule_fail(struct yk__evaluation *evaluation, const char *what, struct yk_str value);

#endif
