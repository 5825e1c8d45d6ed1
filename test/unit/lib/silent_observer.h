/* SPDX-License-Identifier: Apache-2.0 */
/* An observer of the cache whose functions do nothing; a test copies it and replaces those that it needs. */
#ifndef TEST_LIB_SILENT_OBSERVER_H
#define TEST_LIB_SILENT_OBSERVER_H

#include "cache/cache.h"

/* Does nothing: `pod_added` of struct yk_cache_observer. */
static inline void silent_pod(void *c, struct yk_cache_pod *p, const struct yk_pod *o)
{
    (void)c, (void)p, (void)o;
}
/* Does nothing: `pod_changed` of struct yk_cache_observer. */
static inline void silent_pod_change(void *c, struct yk_cache_pod *p, const struct yk_pod *o, uint32_t x)
{
    (void)c, (void)p, (void)o, (void)x;
}
/* Does nothing: `pod_removed` of struct yk_cache_observer. */
static inline void silent_pod_end(void *c, struct yk_cache_pod *p)
{
    (void)c, (void)p;
}
/* Does nothing: `node_added` and `node_removed` of struct yk_cache_observer. */
static inline void silent_node(void *c, struct yk_cache_node *n)
{
    (void)c, (void)n;
}
/* Does nothing: `node_changed` of struct yk_cache_observer. */
static inline void silent_node_change(void *c, struct yk_cache_node *n, uint32_t x)
{
    (void)c, (void)n, (void)x;
}
/* Does nothing: `config_changed` of struct yk_cache_observer. */
static inline void silent_config(void *c)
{
    (void)c;
}
/* Does nothing: `listed` of struct yk_cache_observer. */
static inline void silent_list(void *c, enum yk_kind k)
{
    (void)c, (void)k;
}
/* Does nothing: `kept_changed` of struct yk_cache_observer. */
static inline void silent_kept(void *c, enum yk_kind k, const struct yk_object *b, const struct yk_object *a)
{
    (void)c, (void)k, (void)b, (void)a;
}

/* The observer to copy. The test sets `context` in the copy if its functions need it. */
static const struct yk_cache_observer silent_observer = {
    .pod_added = silent_pod,
    .pod_changed = silent_pod_change,
    .pod_removed = silent_pod_end,
    .node_added = silent_node,
    .node_changed = silent_node_change,
    .node_removed = silent_node,
    .config_changed = silent_config,
    .listed = silent_list,
    .kept_changed = silent_kept,
};

#endif
