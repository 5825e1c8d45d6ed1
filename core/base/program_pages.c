/* SPDX-License-Identifier: Apache-2.0 */
#include "base/program_pages.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* Whether the linker has written into read-only pages, whose content then differs from that of the file. */
static bool has_text_relocations(const struct dl_phdr_info *object)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL ||
                (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0))
                return true;
        }
    }
    return false;
}

/* Drops the whole pages of a segment and returns their bytes. A page at an end may belong to the next
 * segment as well. */
static size_t give_back(const struct dl_phdr_info *object, const ElfW(Phdr) * segment, size_t page)
{
    uintptr_t from = object->dlpi_addr + segment->p_vaddr, to = from + segment->p_filesz;
    from = (from + page - 1) & ~(page - 1);
    to &= ~(page - 1);
    bool is_given = from < to && madvise((void *)from, to - from, MADV_DONTNEED) == 0;
    return is_given ? to - from : 0;
}

static int give_back_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    size_t *bytes = context, page = (size_t)sysconf(_SC_PAGESIZE);
    if (has_text_relocations(object))
        return 0;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W) == 0)
            *bytes += give_back(object, segment, page);
    }
    return 0;
}

size_t yk_program_pages_give_back(void)
{
    size_t bytes = 0;
    (void)dl_iterate_phdr(give_back_object, &bytes); /* returns 0, as give_back_object() does */
    return bytes;
}
