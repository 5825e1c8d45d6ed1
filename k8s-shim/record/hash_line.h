/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rewrites the lines of a recording without the names of the cluster. This module decides which texts of a
 * line are names.
 *
 * An object is read as the scheduler reads it, so that fields which the scheduler does not read are left out.
 * Then the texts of the object are rewritten with pseudonyms (record/pseudonyms.h), except UIDs, which are
 * random. If the name of a placeholder is derived from its application and task group, its new name is
 * derived from their pseudonyms.
 *
 * Use: call yk_line_hasher_learn() for each line of the recording, then yk_line_hasher_seal(), then
 * yk_line_hasher_write() for each line.
 *
 * Owns:   the pseudonyms, and the names of placeholders.
 * Thread: any, one at a time.
 */
#ifndef YK_RECORD_HASH_LINE_H
#define YK_RECORD_HASH_LINE_H

#include "base/map.h"
#include "record/pseudonyms.h"

struct json_t;

/* Private. */
struct yk_line_hasher {
    struct yk_pseudonyms *pseudonyms; /* owned */
    struct yk_strmap placeholders;    /* "namespace/name" -> struct placeholder, owned */
    bool learns;                      /* yk_line_hasher_seal() was not called yet */
};

/* Makes a hasher that has learned nothing. The caller ends it with yk_line_hasher_done(), also if another
 * function has failed. */
void yk_line_hasher_init(struct yk_line_hasher *hasher);
void yk_line_hasher_done(struct yk_line_hasher *hasher);
/* Learns the names in a line, which is a JSON object. Errors: YK_ERR_INVALID: the line is malformed;
 * YK_ERR_LIMIT: the object in the line is too large. */
YK_NODISCARD enum yk_status yk_line_hasher_learn(struct yk_line_hasher *hasher, const struct json_t *line,
                                                 struct yk_err *err);
/* All lines were learned: chooses the pseudonyms. Call it once. Errors: YK_ERR_LIMIT: there are too many
 * names. */
YK_NODISCARD enum yk_status yk_line_hasher_seal(struct yk_line_hasher *hasher, struct yk_err *err);
/* Appends the line with pseudonyms to `out`, without a newline. Call it after yk_line_hasher_seal(), in the
 * order of the recording. The digest of the body of a decision and the hash in the last line are left out,
 * because they cover the old names. Errors: those of yk_line_hasher_learn(); YK_ERR_INVALID: a text is not
 * UTF-8. After an error, nothing was appended. */
YK_NODISCARD enum yk_status yk_line_hasher_write(struct yk_line_hasher *hasher, const struct json_t *line,
                                                 struct yk_buf *out, struct yk_err *err);
/* Appends the new name of an object to `out`. `namespace_` and `name`: the old ones; `namespace_` is "" or
 * absent if the object has none. Call it after yk_line_hasher_seal(). */
void yk_line_hasher_put_name(const struct yk_line_hasher *hasher, struct yk_str namespace_,
                             struct yk_str name, struct yk_buf *out);

#endif
