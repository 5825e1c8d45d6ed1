/* SPDX-License-Identifier: Apache-2.0 */
/* Shared between the files that keep the books. */
#ifndef YK_PREDICATES_BOOKS_PRIV_H
#define YK_PREDICATES_BOOKS_PRIV_H

#include "predicates/books.h"

/* rules.c */
bool yk__rule_matches(const struct yk_books *books, const struct yk_rule *rule,
                      const struct yk_subject *subject);
/* Finds the rules that match a new subject. */
void yk__subject_enter(struct yk_books *books, struct yk_subject *subject);
void yk__subject_leave(struct yk_subject *subject);
struct yk_k8s_match *yk__match_new(struct yk_rule *rule, struct yk_subject *subject);
void yk__match_free(struct yk_k8s_match *match);
void yk__mentions_tidy(struct yk_books *books, bool everything);
/* Wakes whatever looks at the rule. */
void yk__rule_wake(struct yk_books *books, const struct yk_rule *rule);

/* rule_counts.c */
/* One pod more (1) or less (-1) that the rule counts, on a node. */
void yk__rule_count(struct yk_books *books, struct yk_rule *rule, const struct yk_cache_pod *pod,
                    uint32_t spot, int change);
/* All pods of a profile that begins or ceases to match. */
void yk__rule_count_profile(struct yk_books *books, struct yk_rule *rule,
                            const struct yk_pod_profile *profile, int change);

/* reach.c */
struct yk_reach *yk__reach_for(struct yk_books *books, const struct yk_pod *pod,
                               const struct yk_spread_constraint *constraint);
void yk__reach_put(struct yk_books *books, struct yk_reach *reach);
/* The node leaves all reaches, before its domains change: their spread rules wake. */
void yk__reaches_leave(struct yk_books *books, const struct yk_cache_node *node);
/* After that. */
void yk__reaches_enter(struct yk_books *books, const struct yk_cache_node *node);

/* profiles.c */
struct yk_list *yk__profiles_in(const struct yk_books *books, yk_name namespace_);
/* Labels with own keys go from profiles to the pods; one of them goes back. No rule looks at any. */
void yk__profiles_without_own(struct yk_books *books);
void yk__profiles_with(struct yk_books *books, yk_name key);

/* label_keys.c */
/* One profile more (1) or less (-1) that has them. */
void yk__label_keys_count(struct yk_books *books, const struct yk_subject *subject, int change);
/* A rule that looks at them comes (1), before it meets any profile, or goes (-1). */
void yk__label_keys_mention(struct yk_books *books, const struct yk_rule *rule, int change);
/* Makes keys own ones that turn out to be. Profiles change: nobody may be in the middle of them. */
void yk__label_keys_settle(struct yk_books *books);
/* Whether it is one that has no business in a profile. */
bool yk__label_is_own(const struct yk_books *books, const struct yk_label *label);
/* Fills books->shared and books->own with a pod's labels. */
void yk__labels_split(struct yk_books *books, const struct yk_pairs *labels);
void yk__pod_set_own(struct yk_books *books, struct yk_cache_pod *pod, const struct yk_buf *packed);

static inline struct yk_pod_profile *yk__profile_of(struct yk_subject *subject)
{
    return (struct yk_pod_profile *)(void *)subject;
}

#endif
