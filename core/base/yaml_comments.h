/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes the comments from the text of a YAML file.
 *
 * Thread: any.
 */
#ifndef YK_BASE_YAML_COMMENTS_H
#define YK_BASE_YAML_COMMENTS_H

#include "base/str.h"

/*
 * Appends `text`, a YAML file, to `out` without its comments and the blanks before them. All line breaks
 * stay, so that line numbers in error messages are the same. Behind the first place where the text is not
 * YAML, or where more than 256 flow collections are nested, each '#' counts as the start of a comment.
 * O(bytes). If the result does not fit, a part is missing and `out->failed` is set.
 */
void yk_yaml_strip_comments(struct yk_str text, struct yk_buf *out);

#endif
