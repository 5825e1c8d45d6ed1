/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks: up to 32 bits for each of many names. A name whose bits are all 0 takes no memory.
 *
 * Owns: copies of the names, at most YK_REVIEWER_OBJECTS_MAX.
 * Thread: any.
 */
#ifndef YK_ADMISSION_MARKS_H
#define YK_ADMISSION_MARKS_H

#include "base/map.h"

/* A zeroed struct has no names. */
struct yk_marks {
    struct yk_strmap names; /* private: name -> struct mark, owned */
};

/* Frees the names. */
void yk_marks_done(struct yk_marks *marks);
/* Removes the name with its bits. Has no effect if the name is unknown. */
void yk_marks_forget(struct yk_marks *marks, struct yk_str name);
/* Replaces the bits of `name`, which is copied; 0 removes the name. Errors: YK_ERR_LIMIT, there are
 * YK_REVIEWER_OBJECTS_MAX other names, or the name is longer than 253 bytes. */
YK_NODISCARD enum yk_status yk_marks_set(struct yk_marks *marks, struct yk_str name, uint32_t bits,
                                         struct yk_err *err);
/* The bits of `name`; 0 for an unknown name. */
uint32_t yk_marks_get(const struct yk_marks *marks, struct yk_str name);

#endif
