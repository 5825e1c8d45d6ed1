/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that are not names of a cluster: words with a meaning in Kubernetes or YuniKorn, and words of the
 * scheduler's sentences. Case does not matter.
 *
 * Thread: any; the lists never change.
 */
#ifndef YK_RECORD_VOCABULARY_H
#define YK_RECORD_VOCABULARY_H

#include "base/str.h"

/* Whether the word has a meaning for the scheduler in names, labels, settings or configurations. */
bool yk_vocabulary_has(struct yk_str word);
/* Whether a sentence of the scheduler may contain the word, or yk_vocabulary_has() is true for the word. */
bool yk_vocabulary_has_in_sentences(struct yk_str word);
/* Whether the word is a number, with or without a unit: "12", "500m", "10Gi", "1h30m", "01T00". */
bool yk_vocabulary_is_number(struct yk_str word);

/* The words in the string literals of the sources, in lower case and sorted. record/words.cmake writes this
 * list. */
extern const char *const yk_sentence_words[];
extern const size_t yk_sentence_word_count;

#endif
