/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes a queue configuration the way people break it: names, numbers, nesting, things twice or gone.
 * Most results are still YAML, so that they get past the parser. The same seed makes the same change.
 */
#ifndef FUZZ_MUTATE_YAML_H
#define FUZZ_MUTATE_YAML_H

#include "base/base.h"

/* One to six changes in place; returns the new size, at most `max`. */
size_t mutate_yaml(char *text, size_t size, size_t max, uint64_t seed);

#endif
