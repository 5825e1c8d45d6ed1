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

static bool is_token(struct yk_str word)
{
    for (int reason = YK_REASON_NONE + 1; reason < YK_REASON_COUNT; reason++) {
        if (yk_str_is(word, yk_si_reason_token((enum yk_si_reason)reason)))
            return true;
    }
    return false;
}

/* The word before the colon at `end`, if a space is before it; else an empty text. */
static struct yk_str word_before(struct yk_str message, size_t end)
{
    size_t begin = end;
    while (begin > 0 && is_letter(message.p[begin - 1]))
        begin--;
    bool is_word = begin > 0 && message.p[begin - 1] == ' ';
    return is_word ? (struct yk_str){message.p + begin, end - begin} : (struct yk_str){message.p, 0};
}

struct yk_str yk_reason_words_lasting(struct yk_str message)
{
    for (size_t at = 0; at + 1 < message.len; at++) {
        if (message.p[at] == ':' && message.p[at + 1] == ' ' && is_token(word_before(message, at)))
            return (struct yk_str){message.p, at};
    }
    return message;
}
