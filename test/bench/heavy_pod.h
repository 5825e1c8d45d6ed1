/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods as large as those of real clusters: one to three containers with environment, probes and mounts,
 * annotations, and labels of HEAVY_TEMPLATES owners with one or two more that no other pod has. With the
 * fields that the API server adds, one takes 4 to 9 KB as JSON.
 */
#ifndef YK_BENCH_HEAVY_POD_H
#define YK_BENCH_HEAVY_POD_H

#include "base/str.h"

enum { HEAVY_TEMPLATES = 400 };

/* Pod `number` of application `app` as JSON; its template, queue and size follow from its number. */
void heavy_pod(struct yk_buf *out, const char *name, const char *app, size_t number);

#endif
