/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the web server knows without asking the scheduler: health checks for probes, and counters of its own.
 * Thread: I/O thread only, except what a check's callback reads (atomics).
 */
#ifndef YK_WEB_FACTS_H
#define YK_WEB_FACTS_H

#include "web/router.h"

/* One check of /livez and /readyz. */
struct yk_web_check {
    const char *name;          /* "informer-sync" */
    bool (*ok)(void *context); /* I/O thread; atomics only, never waits */
    void *context;
    bool live;                          /* part of /livez as well; else of /readyz only */
    const char *(*note)(void *context); /* a word to go with it when it passes; as `ok`; may be NULL */
};

enum { YK_WEB_CHECKS_MAX = 32, YK_WEB_CODES = 17, YK_WEB_ROUTES_MAX = 48 };

struct yk_web_facts {
    struct yk_web_check checks[YK_WEB_CHECKS_MAX];
    size_t check_count;
    uint64_t requests[YK_WEB_ROUTES_MAX + 1][YK_WEB_CODES]; /* by route (the last: none) and status code */
    uint64_t metrics_answered[YK_WEB_CODES];
    uint64_t metrics_in_flight;
};

extern const int yk_web_codes[YK_WEB_CODES];
/* Counts one answer of `route`, or of none. */
void yk_web_facts_count(struct yk_web_facts *facts, const struct yk_route *route, int status);
/* The series of 10.4 and of the requests themselves, in the text format. */
void yk_web_facts_render(const struct yk_web_facts *facts, struct yk_buf *out);

#endif
