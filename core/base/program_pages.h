/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pages of the program and its libraries that are in memory.
 *
 * Linking at the start reads through the symbols of all libraries, also of those that others brought along
 * and nobody ever calls, and what was called once stays: megabytes that are resident for nothing.
 */
#ifndef YK_BASE_PROGRAM_PAGES_H
#define YK_BASE_PROGRAM_PAGES_H

#include "base/base.h"

/*
 * Lets go of all pages of code and constants: those that are used come back from the page cache, 64 KiB at a
 * time. What was written to (variables, what the linker put in its place) stays. Any thread, at any time; for
 * after the start, or a rush. Returns how many bytes were asked to go.
 */
size_t yk_program_pages_give_back(void);

#endif
