/* SPDX-License-Identifier: Apache-2.0 */
#include "admission/marks.h"

#include "admission/reviewer.h"

enum { NAME_MAX_BYTES = 253 };

struct mark {
    uint32_t bits;
    char name[];
};

void yk_marks_done(struct yk_marks *marks)
{
    struct mark *mark;
    yk_strmap_foreach (mark, &marks->names)
        free(mark);
    yk_strmap_done(&marks->names);
}

void yk_marks_forget(struct yk_marks *marks, struct yk_str name)
{
    free(yk_strmap_remove(&marks->names, name));
}

enum yk_status yk_marks_set(struct yk_marks *marks, struct yk_str name, uint32_t bits, struct yk_err *err)
{
    struct mark *mark = yk_strmap_get(&marks->names, name);
    if (bits == 0) {
        yk_marks_forget(marks, name);
        return YK_OK;
    }
    if (mark == NULL) {
        if (name.len > NAME_MAX_BYTES || marks->names.count >= YK_REVIEWER_OBJECTS_MAX)
            return yk_fail(err, YK_ERR_LIMIT, "more than %d objects, or a name of %zu bytes",
                           YK_REVIEWER_OBJECTS_MAX, name.len);
        mark = yk_alloc0(sizeof(*mark) + name.len + 1);
        memcpy(mark->name, name.p, name.len);
        /* There is no earlier mark of this name. */
        (void)yk_strmap_put(&marks->names, (struct yk_str){mark->name, name.len}, mark);
    }
    mark->bits = bits;
    return YK_OK;
}

uint32_t yk_marks_get(const struct yk_marks *marks, struct yk_str name)
{
    const struct mark *mark = yk_strmap_get(&marks->names, name);
    return mark != NULL ? mark->bits : 0;
}
