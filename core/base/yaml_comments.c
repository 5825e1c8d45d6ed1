/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_comments.h"

#include <yaml.h>

/* The deepest nesting of flow collections. For each token, the scanner looks at all flow collections that are
 * open, so without a maximum the time would grow with the square of the length of the text. */
enum { DEPTH_MAX = 256 };

struct copy {
    struct yk_str text;
    struct yk_buf *out;
    size_t at;        /* bytes of `text` that were copied or left out */
    size_t character; /* the same place in characters, which libyaml counts */
};

/* The offset of the byte where the character number `character` begins. */
static size_t byte_of(const struct copy *copy, size_t character)
{
    size_t at = copy->at;
    for (size_t count = copy->character; at < copy->text.len && count < character; count++) {
        at++;
        while (at < copy->text.len && ((unsigned char)copy->text.p[at] & 0xC0) == 0x80)
            at++;
    }
    return at;
}

static void take(struct copy *copy, size_t end)
{
    yk_buf_add(copy->out, copy->text.p + copy->at, end - copy->at);
    copy->at = end;
}

/* Drops blanks at the end of `out`, but none of its first `begin` bytes. */
static void trim_blanks(struct yk_buf *out, size_t begin)
{
    while (out->len > begin && (out->p[out->len - 1] == ' ' || out->p[out->len - 1] == '\t'))
        out->p[--out->len] = '\0';
}

/* Copies the text up to the byte `end` without comments. Every '#' in it begins a comment. */
static void skip_comments(struct copy *copy, size_t end)
{
    size_t begin = copy->out->len;
    while (copy->at < end) {
        const char *mark = memchr(copy->text.p + copy->at, '#', end - copy->at);
        take(copy, mark != NULL ? (size_t)(mark - copy->text.p) : end);
        if (mark == NULL)
            return;
        trim_blanks(copy->out, begin);
        while (copy->at < end && copy->text.p[copy->at] != '\n' && copy->text.p[copy->at] != '\r')
            copy->at++;
    }
}

/* Copies the first line of a block scalar without its comment: a '#' there is no part of the scalar. */
static void skip_comment_of_header(struct copy *copy, size_t end)
{
    const char *line_end = memchr(copy->text.p + copy->at, '\n', end - copy->at);
    skip_comments(copy, line_end != NULL ? (size_t)(line_end - copy->text.p) : end);
}

static void copy_token(struct copy *copy, const yaml_token_t *token)
{
    if (token->start_mark.index < copy->character) /* its text was copied with another token */
        return;
    skip_comments(copy, byte_of(copy, token->start_mark.index));
    copy->character = token->start_mark.index;
    size_t end = byte_of(copy, token->end_mark.index);
    if (token->type == YAML_SCALAR_TOKEN && (token->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
                                             token->data.scalar.style == YAML_FOLDED_SCALAR_STYLE))
        skip_comment_of_header(copy, end);
    take(copy, end);
    copy->character = token->end_mark.index;
}

static int change_of_depth(yaml_token_type_t type)
{
    bool begins = type == YAML_FLOW_SEQUENCE_START_TOKEN || type == YAML_FLOW_MAPPING_START_TOKEN;
    bool ends = type == YAML_FLOW_SEQUENCE_END_TOKEN || type == YAML_FLOW_MAPPING_END_TOKEN;
    return begins - ends;
}

void yk_yaml_strip_comments(struct yk_str text, struct yk_buf *out)
{
    struct copy copy = {.text = text, .out = out};
    yaml_parser_t parser;
    yaml_token_t token;
    if (text.len == 0)
        return;
    if (!yaml_parser_initialize(&parser))
        yk_out_of_memory(sizeof(parser)); /* the initialisation fails for no other reason */
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.p, text.len);
    for (int depth = 0; depth <= DEPTH_MAX && yaml_parser_scan(&parser, &token);) {
        bool is_end = token.type == YAML_STREAM_END_TOKEN || token.type == YAML_NO_TOKEN;
        depth += change_of_depth(token.type);
        if (!is_end)
            copy_token(&copy, &token);
        yaml_token_delete(&token);
        if (is_end)
            break;
    }
    yaml_parser_delete(&parser);
    skip_comments(&copy, text.len);
}
