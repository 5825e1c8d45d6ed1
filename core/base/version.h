/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about this build, which cmake/version.c.in fills in: semantic version, source revision, compiler, and
 * the date of the source, such as "2026-01-31T12:00:00+0000". Revision and date are "unknown" if neither a
 * repository nor the environment names them (cmake/version.cmake). yk_build_date is not the date of the
 * build, so that the same source gives the same binary.
 */
#ifndef YK_BASE_VERSION_H
#define YK_BASE_VERSION_H

extern const char *const yk_version;
extern const char *const yk_revision;
extern const char *const yk_compiler;
extern const char *const yk_build_date;

#endif
