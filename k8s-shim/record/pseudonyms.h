/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pseudonyms for the words of names. Use: learn all texts of a recording, seal, then rewrite the texts.
 *
 * A text consists of words (letters and digits) and the characters between them, which stay. A word is
 * replaced unless it is in the vocabulary (record/vocabulary.h). A number is replaced if it is part of a
 * name, as in "shop-1"; other numbers stay, as in "cpu: 500m". Pseudonyms sort like the words that they
 * replace, also among the words that stay, so ties between names are decided as before. A text that consists
 * of several names, such as the path of a queue, is rewritten word by word. In regular expressions, classes
 * such as [a-z] and \d stay.
 *
 * Owns:   the words.
 * Thread: any, one at a time.
 * Source: docs/record.md, "Without names".
 */
#ifndef YK_RECORD_PSEUDONYMS_H
#define YK_RECORD_PSEUDONYMS_H

#include "base/str.h"

enum {
    YK_PSEUDONYMS_MAX = 4 << 20,        /* number of different words */
    YK_PSEUDONYM_BYTES_MAX = 128 << 20, /* bytes of all different words */
};

struct yk_pseudonyms;

enum yk_pseudonym_text {
    YK_PSEUDONYM_NAME, /* names, labels, configurations */
    /* A sentence of the scheduler. A word of it that is in the vocabulary of sentences stays in all texts,
     * also in names: in a sentence, a word and a name that is the same cannot be told apart. */
    YK_PSEUDONYM_SENTENCE,
};

/* Makes an object that has learned no words. The caller frees it with yk_pseudonyms_free(). */
struct yk_pseudonyms *yk_pseudonyms_new(void);
void yk_pseudonyms_free(struct yk_pseudonyms *pseudonyms);
YK_DEFINE_FREEP(yk_pseudonyms)
/* Learns the words of a text, which are copied. Call it before yk_pseudonyms_seal(). `of`: what the text
 * is. */
void yk_pseudonyms_learn(struct yk_pseudonyms *pseudonyms, struct yk_str text, enum yk_pseudonym_text of);
/* Chooses the pseudonyms. Call it once, after all texts were learned. Errors: YK_ERR_LIMIT, there are more
 * words than YK_PSEUDONYMS_MAX, or more bytes than YK_PSEUDONYM_BYTES_MAX. */
YK_NODISCARD enum yk_status yk_pseudonyms_seal(struct yk_pseudonyms *pseudonyms, struct yk_err *err);
/* Appends the text with pseudonyms to `out`. Call it after yk_pseudonyms_seal(). `of`: as in
 * yk_pseudonyms_learn(). A word that was not learned becomes "x". */
void yk_pseudonyms_rewrite(const struct yk_pseudonyms *pseudonyms, struct yk_str text,
                           enum yk_pseudonym_text of, struct yk_buf *out);

#endif
