/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declares which module writes a field of a struct that several modules share.
 *
 *     struct yk_app {
 *         YK_OWNED_BY(partition) struct {
 *             enum yk_app_state state;
 *         };
 *         YK_OWNED_BY(pending) struct yk_app_start start; // Read by: report.
 *     };
 *
 * Only core/partition may write `app->state`, and every module may read it. Only core/pending may write what
 * is in `app->start`; only core/pending and the modules that the comment names may read it. core/objects
 * makes and frees the structs, and may read and write all fields; core/scheduler/invariants.c may read all.
 *
 * In debug builds with gcc a part is `const` in other modules, so writing to it does not compile. The unit
 * test repository/owners checks who reads a part with a name.
 */
#ifndef YK_BASE_OWNER_H
#define YK_BASE_OWNER_H

/* For a part that every module may write. The comments of its fields name the modules that write them; a
 * field whose type is a struct of another header is changed by the functions of that header, which every
 * module may call. */
#define YK_OWNED_BY_ALL

/* YK_MODULE_<name> is defined as `0,` for the sources of that module (cmake/yk_module.cmake). */
#ifdef YK_CHECK_OWNERS
#define YK_OWNED_BY(module)    YK_OWNED__(YK_MODULE_##module)
#define YK_OWNED__(defined)    YK_SECOND__(defined, const, )
#define YK_SECOND__(a, b, ...) b
#else
#define YK_OWNED_BY(module)
#endif

#endif
