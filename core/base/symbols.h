/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the names of functions by their addresses: functions of this program, static ones too, in its symbol
 * table; functions of shared libraries if the library exports them.
 *
 * Thread: any, one thread at a time.
 */
#ifndef YK_BASE_SYMBOLS_H
#define YK_BASE_SYMBOLS_H

#include "base/base.h"

struct yk_symbols;

struct yk_symbol {
    /* Name of the function, valid until yk_symbols_free() and while its library is loaded; NULL: not
     * known. */
    const char *name;
    const char *object; /* path of the program or library, valid while it is loaded; NULL: not known */
    uintptr_t start;    /* address of the function; 0: not known */
    uintptr_t base;     /* address at which the object is loaded; 0: not known */
};

/* Reads the symbol table of this program, which takes about 10 ms. The caller frees it with
 * yk_symbols_free(). Never NULL: if there is no table, the names of its static functions are not known. */
struct yk_symbols *yk_symbols_new(void);
void yk_symbols_free(struct yk_symbols *symbols);
YK_DEFINE_FREEP(yk_symbols)
/* The function and the program or library at that address. For a return address of a stack, pass the address
 * minus 1, because it may be behind the end of the function that made the call. */
struct yk_symbol yk_symbols_find(const struct yk_symbols *symbols, const void *address);

#endif
