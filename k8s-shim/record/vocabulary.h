/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words that are no names of a cluster: those of Kubernetes and YuniKorn that decide something, and those of the
 * scheduler's sentences. Upper and lower case are the same.
 * Thread: any; nothing changes.
 */
#ifndef YK_RECORD_VOCABULARY_H
#define YK_RECORD_VOCABULARY_H

#include "base/str.h"

/* Whether the word has a meaning in names, labels, settings or configurations. */
bool yk_vocabulary_has(struct yk_str word);
/* Whether it is a word of one of the scheduler's sentences. */
bool yk_vocabulary_has_in_sentences(struct yk_str word);
/* Whether the word is a number, with or without a unit: "12", "500m", "10Gi", "1h30m", "01T00". */
bool yk_vocabulary_is_number(struct yk_str word);

/* Words of the string literals of the sources, lower case, sorted (record/words.cmake). */
extern const char *const yk_sentence_words[];
extern const size_t yk_sentence_word_count;

#endif
