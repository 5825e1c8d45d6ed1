/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pseudonyms for the words of names. Use: call yk_pseudonyms_learn() for all texts of a recording, then
 * yk_pseudonyms_seal(), then yk_pseudonyms_rewrite() for the texts.
 *
 * A text consists of words (letters and digits) and of the characters between the words. These characters
 * stay. A word stays if yk_vocabulary_has() is true for it; other words are replaced, except words of the
 * scheduler in sentences. A number is replaced if it is part of a name, as in "shop-1"; other numbers stay,
 * as in "cpu: 500m". If case is ignored, nearly all pseudonyms sort like the words that they replace, also
 * among the words that stay, so most ties between names are decided as before. A text that consists of
 * several names, such as the path of a queue, is rewritten word by word. In regular expressions, classes such
 * as [a-z] and \d stay.
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
    /* A sentence of the scheduler. If a word of the sentence is in the vocabulary of sentences, and is not
     * part of a text such as "a-b", this word stays in all texts, also in names. The reason is that in a
     * sentence, an equal name could not be distinguished from the word. */
    YK_PSEUDONYM_SENTENCE,
};

/* Makes an object that has learned no words. The caller frees it with yk_pseudonyms_free(). */
struct yk_pseudonyms *yk_pseudonyms_new(void);
void yk_pseudonyms_free(struct yk_pseudonyms *pseudonyms);
YK_DEFINE_FREEP(yk_pseudonyms)
/* Learns the words of a text, and copies them. Call it before yk_pseudonyms_seal(). `of`: what the text
 * is. */
void yk_pseudonyms_learn(struct yk_pseudonyms *pseudonyms, struct yk_str text, enum yk_pseudonym_text of);
/* Chooses the pseudonyms. Call it once, after all texts were learned. Errors: YK_ERR_LIMIT: there are more
 * than YK_PSEUDONYMS_MAX words, or the words have more than YK_PSEUDONYM_BYTES_MAX bytes. */
YK_NODISCARD enum yk_status yk_pseudonyms_seal(struct yk_pseudonyms *pseudonyms, struct yk_err *err);
/* Appends the text with pseudonyms to `out`. Call it after yk_pseudonyms_seal(). `of`: as in
 * yk_pseudonyms_learn(). A word that has to be replaced but was not learned becomes "x". */
void yk_pseudonyms_rewrite(const struct yk_pseudonyms *pseudonyms, struct yk_str text,
                           enum yk_pseudonym_text of, struct yk_buf *out);

#endif
