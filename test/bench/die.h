/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark that cannot go on says why and ends. In rig.c. */
#ifndef YK_BENCH_DIE_H
#define YK_BENCH_DIE_H

_Noreturn void rig_die(const char *what);

#endif
