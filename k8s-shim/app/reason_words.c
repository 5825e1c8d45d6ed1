/* SPDX-License-Identifier: Apache-2.0 */
#include "app/reason_words.h"

void yk_reason_words_add(struct yk_buf *message, enum yk_si_reason reason, struct yk_str sentence)
{
    if (reason == YK_REASON_NONE)
        return;
    yk_buf_printf(message, " %s: ", yk_si_reason_token(reason));
    yk_buf_str(message, sentence);
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The word in front of the colon at `end`, if there is a space in front of the word; otherwise an empty
 * text. */
static struct yk_str word_before(struct yk_str message, size_t end)
{
    size_t begin = end;
    while (begin > 0 && is_letter(message.p[begin - 1]))
        begin--;
    bool is_word = begin > 0 && message.p[begin - 1] == ' ';
    return is_word ? (struct yk_str){message.p + begin, end - begin} : (struct yk_str){message.p, 0};
}

/* The reason of the first token with a colon and a space after it; YK_REASON_NONE: there is none.
 * `*ret_end`: the offset of the end of the token. */
static enum yk_si_reason find_token(struct yk_str message, size_t *ret_end)
{
    enum yk_si_reason reason = YK_REASON_NONE;
    for (size_t at = 0; at + 1 < message.len && reason == YK_REASON_NONE; at++) {
        if (message.p[at] == ':' && message.p[at + 1] == ' ')
            reason = yk_si_reason_of(word_before(message, at));
        *ret_end = at;
    }
    return reason;
}

struct yk_str yk_reason_words_lasting(struct yk_str message)
{
    size_t end = 0;
    bool has_token = find_token(message, &end) != YK_REASON_NONE;
    return has_token ? (struct yk_str){message.p, end} : message;
}

enum yk_si_reason yk_reason_words_split(struct yk_str message, struct yk_str *ret_sentence)
{
    size_t end = 0;
    enum yk_si_reason reason = find_token(message, &end);
    *ret_sentence = message;
    if (reason != YK_REASON_NONE)
        *ret_sentence = (struct yk_str){message.p + end + 2, message.len - end - 2};
    return reason;
}
