/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lines of a recording without the names of the cluster: what is a name in which line.
 *
 * An object is read as the scheduler reads it, so that what it does not read is left out. Then each text of it is
 * rewritten (record/pseudonyms.h); UIDs, which are random, stay. A placeholder pod gets the name that the scheduler
 * gives it, since that follows from the pseudonyms.
 * Thread: one at a time.
 */
#ifndef YK_RECORD_HASH_LINE_H
#define YK_RECORD_HASH_LINE_H

#include "base/map.h"
#include "record/pseudonyms.h"

struct json_t;

struct yk_line_hasher {
    struct yk_pseudonyms *pseudonyms;
    struct yk_strmap placeholders; /* "namespace/name" -> struct placeholder, owned */
    bool learns;                   /* nothing is rewritten yet */
};

/* Makes a hasher that learns. End it with yk_line_hasher_done(). */
void yk_line_hasher_init(struct yk_line_hasher *hasher);
void yk_line_hasher_done(struct yk_line_hasher *hasher);
/* Learns the names of a line, which must be an object. Errors: YK_ERR_INVALID and YK_ERR_LIMIT, it has no place in a
 * recording. */
YK_NODISCARD enum yk_status yk_line_hasher_learn(struct yk_line_hasher *hasher, const struct json_t *line,
                                                 struct yk_err *err);
/* Call it when all lines are learned: ends the learning, so that lines can be written. Errors: YK_ERR_LIMIT,
 * too many names. */
YK_NODISCARD enum yk_status yk_line_hasher_seal(struct yk_line_hasher *hasher, struct yk_err *err);
/* Appends the line with pseudonyms, without its newline. Errors: as yk_line_hasher_learn(). */
YK_NODISCARD enum yk_status yk_line_hasher_write(struct yk_line_hasher *hasher, const struct json_t *line,
                                                 struct yk_buf *out, struct yk_err *err);
/* Appends the name of a pod or another object of that namespace ("" or absent: none) with pseudonyms. */
void yk_line_hasher_put_name(const struct yk_line_hasher *hasher, struct yk_str namespace_,
                             struct yk_str name, struct yk_buf *out);

#endif
