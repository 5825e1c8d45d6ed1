/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of a YAML file without its comments.
 *
 * Thread: any.
 */
#ifndef YK_BASE_YAML_COMMENTS_H
#define YK_BASE_YAML_COMMENTS_H

#include "base/str.h"

/*
 * Appends `text` without comments and the blanks before them. Every line stays, so that places in error messages
 * are still right. From where the text is not YAML, or has more than 256 flow collections in each other, each '#' counts
 * as the start of a comment. O(bytes). It may append nothing more once `out->max` is reached.
 */
void yk_yaml_strip_comments(struct yk_str text, struct yk_buf *out);

#endif
