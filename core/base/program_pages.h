/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives back memory of the program and its libraries: pages of code and constants.
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
 * Drops pages of code and constants from the memory of the process. The kernel maps a page again from the
 * page cache when it is used, 64 KiB at a time. Pages that were written to (variables, relocations) stay,
 * and so do pages of libraries with text relocations. Call it after the start or after a burst. Any
 * thread. Returns the size in bytes of the address ranges whose pages were dropped, including pages that were
 * not in memory.
 */
size_t yk_program_pages_give_back(void);

#endif
