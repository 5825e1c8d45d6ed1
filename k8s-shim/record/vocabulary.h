/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that are not names of a cluster: words with a meaning in Kubernetes or YuniKorn, and words of the
 * scheduler's sentences. Case does not matter.
 *
 * The words of queue configurations come from the tables of the core: a new key, property, sorting policy or
 * placement rule is a word here without a change. The words of Kubernetes, of labels and of annotations are a
 * list in vocabulary.c.
 *
 * Thread: any; a vocabulary never changes.
 */
#ifndef YK_RECORD_VOCABULARY_H
#define YK_RECORD_VOCABULARY_H

#include "base/str.h"

struct yk_vocabulary;

/* Collects the words. The caller frees the vocabulary with yk_vocabulary_free(). */
struct yk_vocabulary *yk_vocabulary_new(void);
void yk_vocabulary_free(struct yk_vocabulary *vocabulary);

/* Whether the word has a meaning for the scheduler in names, labels, settings or configurations. */
bool yk_vocabulary_has(const struct yk_vocabulary *vocabulary, struct yk_str word);
/* Whether a sentence of the scheduler may have the word, or yk_vocabulary_has() is true. */
bool yk_vocabulary_has_in_sentences(const struct yk_vocabulary *vocabulary, struct yk_str word);
/* Whether the word is a number, with or without a unit: "12", "500m", "10Gi", "1h30m", "01T00". */
bool yk_vocabulary_is_number(struct yk_str word);

/* The words in the string literals of the sources, in lower case and sorted. record/words.cmake writes this
 * list. */
extern const char *const yk_sentence_words[];
extern const size_t yk_sentence_word_count;

#endif
