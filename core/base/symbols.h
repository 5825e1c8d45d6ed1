/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions by address: those of this program from its own symbol table, also of functions that no
 * other file sees, and those of libraries from what they export.
 *
 * Owns its tables.
 * Thread: any, one at a time.
 */
#ifndef YK_BASE_SYMBOLS_H
#define YK_BASE_SYMBOLS_H

#include "base/base.h"

struct yk_symbols;

struct yk_symbol {
    const char *name;   /* of the function; NULL: not known. As long as the symbols */
    const char *object; /* path of the program or library; NULL: none. As long as that is loaded */
    uintptr_t start;    /* of the function; 0: not known */
    uintptr_t base;     /* where the object is loaded */
};

/* Reads the table of this program. Never NULL: without a table names are not known. About 10 ms. */
struct yk_symbols *yk_symbols_new(void);
void yk_symbols_free(struct yk_symbols *symbols);
YK_DEFINE_FREEP(yk_symbols)
/* The function and the object file at that address; fields that are not known are NULL or 0. O(log n) for
 * functions of this program. */
struct yk_symbol yk_symbols_find(const struct yk_symbols *symbols, const void *address);

#endif
