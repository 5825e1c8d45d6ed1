/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes scripts of fuzz_watch_events line by line, so that most of the result is still understood: lines
 * move, repeat, go, come from other scripts that were seen; values change places with values of other lines.
 */
#ifndef FUZZ_MUTATE_SCRIPT_H
#define FUZZ_MUTATE_SCRIPT_H

#include "base/base.h"

/* In place; returns the new size, at most `max`. Keeps lines of `data` for later calls. */
size_t mutate_script(uint8_t *data, size_t size, size_t max, unsigned seed);

#endif
