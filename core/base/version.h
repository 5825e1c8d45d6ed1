/* SPDX-License-Identifier: Apache-2.0 */
/* What this build is: semantic version, source revision, compiler. Filled in by cmake/version.c.in. */
#ifndef YK_BASE_VERSION_H
#define YK_BASE_VERSION_H

extern const char *const yk_version;
extern const char *const yk_revision;
extern const char *const yk_compiler;

#endif
