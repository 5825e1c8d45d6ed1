/* SPDX-License-Identifier: Apache-2.0 */
#include "base/symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct function {
    uintptr_t start, size; /* address before relocation, bytes */
    const char *name;      /* in the mapped file */
};

struct yk_symbols {
    void *file; /* mapped; NULL: none */
    size_t bytes;
    uintptr_t base;             /* is added to addresses of the file to get those in memory */
    struct function *functions; /* owned; sorted by start */
    size_t count;
};

static int by_start(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Whether the section is inside of the file, which is that of this program but may be damaged. */
static bool lies_inside(const struct yk_symbols *symbols, const ElfW(Shdr) * section)
{
    return section->sh_offset <= symbols->bytes && section->sh_size <= symbols->bytes - section->sh_offset;
}

static const ElfW(Shdr) * section_at(const struct yk_symbols *symbols, size_t index)
{
    const ElfW(Ehdr) *head = symbols->file;
    size_t at = head->e_shoff + index * sizeof(ElfW(Shdr));
    if (index >= head->e_shnum || at + sizeof(ElfW(Shdr)) > symbols->bytes)
        return NULL;
    return (const void *)((const char *)symbols->file + at);
}

/* The table of all symbols; if there is none, the table of the exported symbols; NULL: there is neither. */
static const ElfW(Shdr) * find_table(const struct yk_symbols *symbols)
{
    const ElfW(Ehdr) *head = symbols->file;
    const ElfW(Shdr) *found = NULL;
    for (size_t i = 0; i < head->e_shnum; i++) {
        const ElfW(Shdr) *section = section_at(symbols, i);
        if (section == NULL || !lies_inside(symbols, section))
            continue;
        if (section->sh_type == SHT_SYMTAB)
            return section;
        if (section->sh_type == SHT_DYNSYM)
            found = section;
    }
    return found;
}

static void read_functions(struct yk_symbols *symbols)
{
    const ElfW(Shdr) *table = find_table(symbols);
    const ElfW(Shdr) *texts = table != NULL ? section_at(symbols, table->sh_link) : NULL;
    if (texts == NULL || !lies_inside(symbols, texts) || texts->sh_size == 0)
        return;
    const char *names = (const char *)symbols->file + texts->sh_offset;
    const ElfW(Sym) *symbol = (const void *)((const char *)symbols->file + table->sh_offset);
    size_t count = table->sh_size / sizeof(*symbol);
    if (names[texts->sh_size - 1] != '\0')
        return;
    symbols->functions = yk_new0_array(struct function, YK_MAX(count, (size_t)1));
    for (size_t i = 0; i < count; i++, symbol++) {
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_value == 0 ||
            symbol->st_name >= texts->sh_size)
            continue;
        symbols->functions[symbols->count++] =
            (struct function){symbol->st_value, symbol->st_size, names + symbol->st_name};
    }
    qsort(symbols->functions, symbols->count, sizeof(*symbols->functions), by_start);
}

static void map_file(struct yk_symbols *symbols)
{
    struct stat info;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && info.st_size > (off_t)sizeof(ElfW(Ehdr))) {
        void *file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        symbols->file = file != MAP_FAILED ? file : NULL;
        symbols->bytes = (size_t)info.st_size;
    }
    (void)close(fd); /* nothing was written */
}

/* Stores the address of the first object, which is the program, and ends the iteration. */
static int take_base(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uintptr_t *)context = info->dlpi_addr;
    return 1;
}

struct yk_symbols *yk_symbols_new(void)
{
    struct yk_symbols *symbols = yk_new0(struct yk_symbols);
    map_file(symbols);
    (void)dl_iterate_phdr(take_base, &symbols->base); /* returns 1, as take_base() does */
    if (symbols->file != NULL && memcmp(symbols->file, ELFMAG, SELFMAG) == 0)
        read_functions(symbols);
    return symbols;
}

void yk_symbols_free(struct yk_symbols *symbols)
{
    if (symbols == NULL)
        return;
    if (symbols->file != NULL)
        (void)munmap(symbols->file, symbols->bytes); /* cannot fail: it is mapped */
    free(symbols->functions);
    free(symbols);
}

static const struct function *find_function(const struct yk_symbols *symbols, uintptr_t at)
{
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->functions[middle].start <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct function *function = &symbols->functions[low - 1];
    return at < function->start + YK_MAX(function->size, (uintptr_t)1) ? function : NULL;
}

struct yk_symbol yk_symbols_find(const struct yk_symbols *symbols, const void *address)
{
    Dl_info info = {0};
    struct yk_symbol found = {0};
    if (dladdr(address, &info) != 0) {
        found = (struct yk_symbol){info.dli_sname, info.dli_fname, (uintptr_t)info.dli_saddr,
                                   (uintptr_t)info.dli_fbase};
    }
    const struct function *function = find_function(symbols, (uintptr_t)address - symbols->base);
    if (function != NULL) {
        found.name = function->name;
        found.start = function->start + symbols->base;
    }
    return found;
}
