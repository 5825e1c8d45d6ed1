/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pages of the program and its libraries that are in memory.
 *
 * At the start the dynamic linker reads the symbols of all libraries, and initialisers run once. That leaves
 * about 7 MB of pages in memory, most of which are not used again. libcurl alone loads 25 libraries.
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
