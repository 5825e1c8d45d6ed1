/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pages of the program and its libraries that are in memory.
 *
 * At the start the dynamic linker reads the symbols of all libraries, and initialisers run once. Most of
 * these pages are not used again; libcurl of Debian alone loads 25 libraries, libldap among them. Without
 * this file a scheduler with 4,000 pods has 29.8 MB in memory instead of 20.9 MB (hack/bench.sh k8s-memory
 * with BENCH_PODS=4000), and the goal of that benchmark is 48 MB with 50,000 pods.
 *
 * Thread: any.
 */
#ifndef YK_BASE_PROGRAM_PAGES_H
#define YK_BASE_PROGRAM_PAGES_H

#include "base/base.h"

/*
 * Drops all pages of code and constants. Pages that are used again come back from the page cache, 64 KiB at a
 * time. Pages that were written to (variables, relocations) stay. Call it after the start or after a burst.
 * Any thread. Returns the size of the ranges, in bytes.
 */
size_t yk_program_pages_give_back(void);

#endif
