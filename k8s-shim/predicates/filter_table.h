/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the filters. It has a row for each verdict, with plugin, function, traits and sentence. The
 * rows are in filter_rows.h.
 *
 * Thread: the table never changes; the filters run on the scheduling thread only.
 * Source: docs/reference/predicates.md 1.1, 1.2, 1.4.
 */
#ifndef YK_PREDICATES_FILTER_TABLE_H
#define YK_PREDICATES_FILTER_TABLE_H

#include <stdbool.h>

struct yk_cache_node;
struct yk_constraints;
struct yk_filter_sample;

enum yk_filter_traits {
    YK_FILTER_READS_IDENTITY = 1,     /* the node's name or its hostname label may decide */
    YK_FILTER_HELPED_BY_EVICTION = 2, /* the pod could fit after other pods on the node have ended */
};

/* The first filter that refuses the node, in the order of the rows. */
enum yk_verdict {
    YK_VERDICT_UNKNOWN = 0, /* not computed yet */
    YK_VERDICT_FITS,
#define ROW(symbol, plugin, passes, traits, sentence) YK_VERDICT_##symbol,
#include "predicates/filter_rows.h"
#undef ROW
    YK_VERDICT_INVALID, /* a selector of the pod cannot be parsed, so no node fits */
};
enum { YK_VERDICT_COUNT = YK_VERDICT_INVALID + 1 };

struct yk_k8s_filter {
    const char *plugin; /* kube-scheduler's name, or "volumes"; NULL: the verdict is not that of a filter */
    /* Whether the node passes, without regard to other pods. NULL: other pods or volumes decide. */
    bool (*passes)(const struct yk_constraints *constraints, const struct yk_cache_node *node);
    unsigned traits;      /* enum yk_filter_traits, or-ed */
    const char *sentence; /* kube-scheduler's sentence; NULL: there is none, or several (volumes) */
};

/* By verdict. UNKNOWN, FITS and INVALID have empty rows. */
extern const struct yk_k8s_filter yk_filters[YK_VERDICT_COUNT];

/* Sets of the filters that have a function. */
enum yk_filter_set {
    YK_FILTERS_ALL,
    YK_FILTERS_OF_IDENTITY,  /* those with YK_FILTER_READS_IDENTITY */
    YK_FILTERS_OF_SIGNATURE, /* the others: they answer the same for all nodes of a signature */
};

/* Runs the filters of a set in order until one refuses the node, and returns its verdict, or YK_VERDICT_FITS.
 * `sample`: NULL if the run is not measured (filter_meter.h). */
enum yk_verdict yk_filters_run(const struct yk_constraints *constraints, const struct yk_cache_node *node,
                               enum yk_filter_set set, struct yk_filter_sample *sample);

/* Whether the pod could fit after other pods on the node have ended. False for verdicts that are not those of
 * a filter. */
static inline bool yk_verdict_helped_by_eviction(enum yk_verdict verdict)
{
    return (yk_filters[verdict].traits & YK_FILTER_HELPED_BY_EVICTION) != 0;
}

#endif
