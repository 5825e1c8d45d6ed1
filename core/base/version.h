/* SPDX-License-Identifier: Apache-2.0 */
/* What this build is: semantic version, source revision, compiler, date of the source
 * ("2026-01-31T12:00:00+0000", so that a build can be repeated; "unknown" without a repository). Filled in by
 * cmake/version.c.in. */
#ifndef YK_BASE_VERSION_H
#define YK_BASE_VERSION_H

extern const char *const yk_version;
extern const char *const yk_revision;
extern const char *const yk_compiler;
extern const char *const yk_build_date;

#endif
