/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate_yaml.h"

#include "base/random.h"

enum { COPY_MAX = 2048 };

struct text {
    char *p;
    size_t size, max;
    struct yk_random random;
};

struct span {
    size_t at, len;
};

static const char *const words[] = {
    "root",
    "a",
    "b",
    "default",
    "Root",
    "root.a",
    "root.a.b",
    "@recovery@",
    "parent",
    "queues",
    "resources",
    "max",
    "guaranteed",
    "maxapplications",
    "limits",
    "users",
    "groups",
    "maxresources",
    "submitacl",
    "adminacl",
    "properties",
    "filter",
    "type",
    "allow",
    "deny",
    "value",
    "create",
    "provided",
    "user",
    "fixed",
    "tag",
    "primarygroup",
    "secondarygroup",
    "recovery",
    "applicationtype",
    "vcore",
    "memory",
    "pods",
    "childtemplate",
    "placementrules",
    "name",
    "partitions",
    "fair",
    "fifo",
    "stateaware",
    "binpacking",
    "preemption",
    "true",
    "false",
    "'*'",
    "'(a'",
    "'^a.*$'",
    "''",
    "~",
    "'a b c'",
    "'a  b'",
    "namespace",
    "checksum",
    "nodesortpolicy",
    "resourceweights",
};
static const char *const numbers[] = {
    "0",
    "1",
    "2",
    "-1",
    "10",
    "100",
    "500m",
    "1G",
    "10Gi",
    "1.5",
    "1e3",
    "0x10",
    "1_0",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "999E",
    ".inf",
    "1K",
    "1000",
};
static const char *const marks[] = {":",   "- ", "{",      "}",  "[", "]",  ",", "#",
                                    "&a ", "*a", "<<: *a", "\t", "'", "\"", "|", "\n"};

static size_t below(struct text *text, size_t bound)
{
    return bound == 0 ? 0 : (size_t)yk_random_below(&text->random, bound);
}

/* Puts `with` where `span` is, unless there is no room. */
static void splice(struct text *text, struct span span, const char *with, size_t len)
{
    if (text->size - span.len + len > text->max)
        return;
    memmove(text->p + span.at + len, text->p + span.at + span.len, text->size - span.at - span.len);
    memcpy(text->p + span.at, with, len);
    text->size = text->size - span.len + len;
}

static void splice_text(struct text *text, struct span span, const char *with)
{
    splice(text, span, with, strlen(with));
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '@';
}

static struct span some_word(struct text *text)
{
    size_t at = below(text, text->size), end;
    while (at < text->size && !is_word(text->p[at]))
        at++;
    while (at > 0 && at < text->size && is_word(text->p[at - 1]))
        at--;
    for (end = at; end < text->size && is_word(text->p[end]);)
        end++;
    return (struct span){at, end - at};
}

static struct span line_at(const struct text *text, size_t at)
{
    size_t end = at;
    while (at > 0 && text->p[at - 1] != '\n')
        at--;
    while (end < text->size && text->p[end] != '\n')
        end++;
    return (struct span){at, YK_MIN(end + 1, text->size) - at};
}

static size_t indentation(const struct text *text, struct span line)
{
    size_t blanks = 0;
    while (blanks < line.len && text->p[line.at + blanks] == ' ')
        blanks++;
    return blanks;
}

/* A line and what is nested below it. */
static struct span some_block(struct text *text)
{
    struct span line = line_at(text, below(text, text->size)), block = line;
    size_t depth = indentation(text, line);
    while (block.at + block.len < text->size) {
        line = line_at(text, block.at + block.len);
        if (indentation(text, line) <= depth)
            break;
        block.len += line.len;
    }
    return block;
}

/* ---- the changes ---- */

static void word_from_list(struct text *text)
{
    splice_text(text, some_word(text), words[below(text, YK_COUNT(words))]);
}

static void number_from_list(struct text *text)
{
    struct span word = some_word(text);
    for (int tries = 0; tries < 16 && (word.len == 0 || text->p[word.at] < '0' || text->p[word.at] > '9');
         tries++)
        word = some_word(text);
    splice_text(text, word, numbers[below(text, YK_COUNT(numbers))]);
}

static void word_from_elsewhere(struct text *text)
{
    char copy[128];
    struct span from = some_word(text), to = some_word(text);
    from.len = YK_MIN(from.len, sizeof(copy));
    memcpy(copy, text->p + from.at, from.len);
    splice(text, to, copy, from.len);
}

static void change_case(struct text *text)
{
    struct span word = some_word(text);
    for (size_t i = word.at; i < word.at + word.len; i++) {
        if ((text->p[i] >= 'a' && text->p[i] <= 'z') || (text->p[i] >= 'A' && text->p[i] <= 'Z'))
            text->p[i] = (char)(text->p[i] ^ ' ');
    }
}

static void block_again(struct text *text)
{
    char copy[COPY_MAX];
    struct span block = some_block(text);
    block.len = YK_MIN(block.len, sizeof(copy));
    memcpy(copy, text->p + block.at, block.len);
    struct span there = line_at(text, below(text, 2) == 0 ? block.at : below(text, text->size));
    splice(text, (struct span){there.at, 0}, copy, block.len);
}

static void block_gone(struct text *text)
{
    splice_text(text, some_block(text), "");
}

static void block_deeper_or_higher(struct text *text)
{
    struct span block = some_block(text);
    bool deeper = below(text, 2) == 0;
    for (size_t at = block.at, end = block.at + block.len; at < end && at < text->size;) {
        struct span line = line_at(text, at);
        size_t before = text->size;
        if (deeper)
            splice_text(text, (struct span){at, 0}, "  ");
        else if (indentation(text, line) >= 2)
            splice_text(text, (struct span){at, 2}, "");
        end = end + text->size - before;
        at = line.at + line.len + text->size - before;
        if (line.len == 0)
            break;
    }
}

static void mark_in_or_out(struct text *text)
{
    size_t at = below(text, text->size + 1);
    if (below(text, 2) == 0 && at < text->size)
        splice_text(text, (struct span){at, 1}, "");
    else
        splice_text(text, (struct span){at, 0}, marks[below(text, YK_COUNT(marks))]);
}

size_t mutate_yaml(char *bytes, size_t size, size_t max, uint64_t seed)
{
    static void (*const changes[])(struct text *) = {
        word_from_list, number_from_list, word_from_elsewhere,    change_case,    block_again,
        block_gone,     word_from_list,   block_deeper_or_higher, mark_in_or_out, number_from_list,
    };
    struct text text = {bytes, size, max, {{0}}};
    yk_random_init(&text.random, seed);
    for (size_t left = 1 + below(&text, 6); left > 0; left--)
        changes[below(&text, YK_COUNT(changes))](&text);
    return text.size;
}
