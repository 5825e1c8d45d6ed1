/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pseudonyms for the words of names: learn all texts of a recording, seal, then rewrite them.
 *
 * A text is split into words (letters and digits) and what is between them, which stays. A word is replaced unless it
 * is in the vocabulary (record/vocabulary.h). A number is replaced as part of a name, as in "shop-1", and stays where
 * it stands alone, as in "cpu: 500m". The pseudonyms of all words are in the order of the words, also among the words
 * that stay: so they decide ties as the names did. Texts that are made of others, such as paths of queues, need no
 * rule of their own. In a regular expression classes such as [a-z] and \d stay.
 *
 * Owns:   the words.
 * Thread: one at a time.
 * Source: docs/record.md, "Without names".
 */
#ifndef YK_RECORD_PSEUDONYMS_H
#define YK_RECORD_PSEUDONYMS_H

#include "base/str.h"

enum {
    YK_PSEUDONYMS_MAX = 4 << 20,        /* different words */
    YK_PSEUDONYM_BYTES_MAX = 128 << 20, /* of all of them */
};

struct yk_pseudonyms;

enum yk_pseudonym_text {
    YK_PSEUDONYM_NAME,     /* names, labels, configurations */
    YK_PSEUDONYM_SENTENCE, /* a sentence of the scheduler: its words stay, also in names */
};

/* Makes one that has learned no names. The caller frees it with yk_pseudonyms_free(). */
struct yk_pseudonyms *yk_pseudonyms_new(void);
/* NULL has no effect. */
void yk_pseudonyms_free(struct yk_pseudonyms *pseudonyms);
YK_DEFINE_FREEP(yk_pseudonyms)
/* Before yk_pseudonyms_seal(). The text is copied. */
void yk_pseudonyms_learn(struct yk_pseudonyms *pseudonyms, struct yk_str text, enum yk_pseudonym_text of);
/* Chooses the pseudonyms. Errors: YK_ERR_LIMIT, there are too many words, or too long ones. */
YK_NODISCARD enum yk_status yk_pseudonyms_seal(struct yk_pseudonyms *pseudonyms, struct yk_err *err);
/* Appends the text with pseudonyms. A word that was not learned becomes "x". After yk_pseudonyms_seal(). */
void yk_pseudonyms_rewrite(const struct yk_pseudonyms *pseudonyms, struct yk_str text,
                           enum yk_pseudonym_text of, struct yk_buf *out);

#endif
