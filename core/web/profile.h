/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile of processor time in the format of pprof (profile.proto), compressed with gzip.
 *
 * Source: docs/reference/rest.md 8; github.com/google/pprof, proto/profile.proto.
 * Thread: any.
 */
#ifndef YK_WEB_PROFILE_H
#define YK_WEB_PROFILE_H

#include "base/stacks.h"
#include "base/str.h"

struct yk_profile_times {
    int64_t begin_wall_ns; /* when sampling began */
    int64_t duration_ns;   /* how long sampling took, in real time */
    int64_t period_ns;     /* processor time between two samples */
};

/* Appends a profile of `count` samples to `out`, compressed; samples without frames are left out. The names
 * of functions are read from the symbols of this program and its libraries, which takes long. If zlib has no
 * memory, nothing is appended, and out->failed is set. */
void yk_profile_write(const struct yk_sample *samples, size_t count, const struct yk_profile_times *times,
                      struct yk_buf *out);

#endif
