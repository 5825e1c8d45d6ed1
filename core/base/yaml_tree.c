/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml_tree.h"

#include "base/map.h"
#include "base/vec.h"

#include <yaml.h>

/* The deepest nesting of collections: two for each struct, because it may be an item of a list, and 32 more
 * for free maps and lists. */
static size_t nesting_max(const struct yk_yaml_limits *limits)
{
    return 2 * (size_t)limits->depth + 32;
}

struct builder {
    yaml_parser_t parser;
    struct yk_arena *arena;
    struct yk_strmap anchors;          /* name -> the last node with that anchor */
    struct yk_vec open;                /* collections whose end was not read yet, outermost first */
    struct yk_yaml_node *first, *last; /* roots of the documents */
    const struct yk_yaml_limits *limits;
    size_t nodes;
    size_t text_bytes; /* length of the text that is parsed */
    struct yk_err *err;
};

const char *yk_yaml_kind_word(const struct yk_yaml_node *node)
{
    switch (node->kind) {
    case YK_YAML_SCALAR:
        return "a single value";
    case YK_YAML_SEQUENCE:
        return "a list";
    case YK_YAML_MAPPING:
        return "a mapping";
    case YK_YAML_ALIAS:
        return yk_yaml_kind_word(node->u.target);
    }
    return "nothing";
}

const struct yk_yaml_node *yk_yaml_get(const struct yk_yaml_node *node, const char *key)
{
    const struct yk_yaml_node *value = NULL;
    bool is_mapping = node != NULL && node->kind == YK_YAML_MAPPING;
    for (const struct yk_yaml_node *at = is_mapping ? node->u.children.first : NULL; at != NULL;
         at = at->next->next) {
        const struct yk_yaml_node *name = yk_yaml_behind(at);
        if (name->kind == YK_YAML_SCALAR && yk_str_is(name->u.text, key))
            value = yk_yaml_behind(at->next);
    }
    return value;
}

/* ---- errors ---- */

enum yk_status yk_yaml_fail_by_line(struct yk_err *err, enum yk_status status)
{
    char sentence[YK_ERR_TEXT_MAX];
    if (err == NULL || err->line == 0)
        return status;
    (void)snprintf(sentence, sizeof(sentence), "%s", yk_err_sentence(err));
    return yk_fail(err, status, "line %u: %s", err->line, sentence);
}

static uint32_t line_of(const yaml_mark_t *mark)
{
    return (uint32_t)mark->line + 1;
}
static uint32_t column_of(const yaml_mark_t *mark)
{
    return (uint32_t)mark->column + 1;
}

static enum yk_status fail_parser(struct builder *b)
{
    const yaml_parser_t *p = &b->parser;
    const char *problem = p->problem != NULL ? p->problem : "not YAML";
    if (p->error == YAML_MEMORY_ERROR)
        yk_out_of_memory(b->text_bytes); /* not an error of the text */
    if (p->error == YAML_READER_ERROR)
        return yk_fail(b->err, YK_ERR_INVALID, "not valid text at byte %zu: %s", p->problem_offset, problem);
    const char *context = p->context != NULL ? p->context : "";
    const char *where = b->first != NULL && b->open.count == 0 ? "after the end of a document: " : "";
    bool is_star = strcmp(context, "while scanning an alias") == 0; /* `submitacl: *` */
    return yk_fail_at(b->err, YK_ERR_INVALID, line_of(&p->problem_mark), column_of(&p->problem_mark),
                      "%s%s%s%s%s", where, problem, context[0] != '\0' ? " " : "", context,
                      is_star ? " (a '*' of its own must be in quotes: \"*\")" : "");
}

static enum yk_status fail_at(struct builder *b, enum yk_status status, const yaml_mark_t *mark,
                              const char *problem)
{
    return yk_fail_at(b->err, status, line_of(mark), column_of(mark), "%s", problem);
}

/* ---- building ---- */

static struct yk_str text_of(const yaml_char_t *text, size_t len)
{
    return (struct yk_str){(const char *)text, len};
}

static struct yk_yaml_node *node_new(struct builder *b, enum yk_yaml_kind kind, const yaml_mark_t *mark)
{
    struct yk_yaml_node *node = yk_arena_alloc0(b->arena, sizeof(*node));
    node->kind = kind;
    node->line = line_of(mark);
    node->column = column_of(mark);
    return node;
}

static void remember_anchor(struct builder *b, const yaml_char_t *anchor, struct yk_yaml_node *node)
{
    if (anchor == NULL)
        return;
    struct yk_str name = yk_arena_str(b->arena, yk_str_from((const char *)anchor));
    yk_strmap_put(&b->anchors, name, node);
}

static void attach(struct builder *b, struct yk_yaml_node *node)
{
    if (b->open.count == 0) {
        if (b->last == NULL)
            b->first = node;
        else
            b->last->next = node;
        b->last = node;
        return;
    }
    struct yk_yaml_node *parent = b->open.items[b->open.count - 1];
    if (parent->u.children.last == NULL)
        parent->u.children.first = node;
    else
        parent->u.children.last->next = node;
    parent->u.children.last = node;
    parent->count++;
}

/* Whether a scalar may be a null, a boolean or a number. A tag decides before quotes do: `!!int "5"` is a
 * number, `!!str 5` is a text. */
static bool scalar_is_plain(const yaml_event_t *event)
{
    static const char *const typed[] = {YAML_NULL_TAG, YAML_BOOL_TAG, YAML_INT_TAG, YAML_FLOAT_TAG,
                                        "tag:yaml.org,2002:merge"};
    const char *tag = (const char *)event->data.scalar.tag;
    if (tag == NULL)
        return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && event->data.scalar.plain_implicit;
    for (size_t i = 0; i < YK_COUNT(typed); i++) {
        if (strcmp(tag, typed[i]) == 0)
            return true;
    }
    return false;
}

/* Copies the text of a scalar to the arena. If the scalar has the tag `!!binary`, it is base64, and the
 * decoded bytes are the text. */
static enum yk_status text_from(struct builder *b, const yaml_event_t *event, struct yk_str *ret_text)
{
    struct yk_str text = text_of(event->data.scalar.value, event->data.scalar.length);
    const char *tag = (const char *)event->data.scalar.tag;
    if (tag == NULL || strcmp(tag, "tag:yaml.org,2002:binary") != 0) {
        *ret_text = yk_arena_str(b->arena, text);
        return YK_OK;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf bytes = {.max = b->text_bytes};
    if (yk_base64_decode(text, &bytes, NULL) != YK_OK)
        return fail_at(b, YK_ERR_INVALID, &event->start_mark, "a !!binary value is not base64");
    *ret_text = yk_arena_str(b->arena, (struct yk_str){yk_buf_cstr(&bytes), bytes.len});
    return YK_OK;
}

static enum yk_status add_scalar(struct builder *b, const yaml_event_t *event)
{
    struct yk_yaml_node *node = node_new(b, YK_YAML_SCALAR, &event->start_mark);
    node->plain = scalar_is_plain(event);
    enum yk_status st = text_from(b, event, &node->u.text);
    if (st != YK_OK)
        return st;
    remember_anchor(b, event->data.scalar.anchor, node);
    attach(b, node);
    return YK_OK;
}

static enum yk_status open_collection(struct builder *b, enum yk_yaml_kind kind, const yaml_event_t *event,
                                      const yaml_char_t *anchor)
{
    if (b->open.count >= nesting_max(b->limits))
        return fail_at(b, YK_ERR_LIMIT, &event->start_mark, "nested too deeply");
    struct yk_yaml_node *node = node_new(b, kind, &event->start_mark);
    node->open = true;
    remember_anchor(b, anchor, node);
    attach(b, node);
    yk_vec_append(&b->open, node);
    return YK_OK;
}

static void close_collection(struct builder *b, const yaml_mark_t *mark)
{
    if (!YK_ASSERT(b->open.count > 0))
        return;
    struct yk_yaml_node *node = b->open.items[--b->open.count];
    node->open = false;
    node->end_line = line_of(mark);
    node->end_column = column_of(mark);
}

static enum yk_status add_alias(struct builder *b, const yaml_event_t *event)
{
    const char *anchor = (const char *)event->data.alias.anchor;
    struct yk_yaml_node *target = yk_strmap_get(&b->anchors, yk_str_from(anchor));
    if (target == NULL)
        return yk_fail_at(b->err, YK_ERR_INVALID, line_of(&event->start_mark), column_of(&event->start_mark),
                          "alias '*%s' has no anchor (a '*' of its own must be in quotes)", anchor);
    if (target->open)
        return yk_fail_at(b->err, YK_ERR_INVALID, line_of(&event->start_mark), column_of(&event->start_mark),
                          "anchor '%s' contains itself", anchor);
    struct yk_yaml_node *node = node_new(b, YK_YAML_ALIAS, &event->start_mark);
    node->u.target = target;
    attach(b, node);
    return YK_OK;
}

/* Forgets all anchors, because an alias can name only anchors of its own document. */
static void forget_anchors(struct builder *b)
{
    yk_strmap_done(&b->anchors);
    b->anchors = (struct yk_strmap){0};
}

static enum yk_status take_event(struct builder *b, const yaml_event_t *event)
{
    if (b->nodes++ > b->limits->nodes)
        return fail_at(b, YK_ERR_LIMIT, &event->start_mark, "too many values");
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return add_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(b, YK_YAML_SEQUENCE, event, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return open_collection(b, YK_YAML_MAPPING, event, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_collection(b, &event->end_mark);
        return YK_OK;
    case YAML_DOCUMENT_START_EVENT:
        forget_anchors(b);
        return YK_OK;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        return YK_OK;
    }
    return YK_OK;
}

static enum yk_status read_stream(struct builder *b)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event))
            return fail_parser(b);
        bool last = event.type == YAML_STREAM_END_EVENT;
        enum yk_status st = take_event(b, &event);
        yaml_event_delete(&event);
        if (st != YK_OK || last)
            return st;
    }
}

enum yk_status yk_yaml_parse_all(struct yk_str text, const struct yk_yaml_limits *limits,
                                 struct yk_arena *arena, struct yk_yaml_node **ret_first, struct yk_err *err)
{
    struct builder b = {.arena = arena, .limits = limits, .text_bytes = text.len, .err = err};
    if (!yaml_parser_initialize(&b.parser))
        yk_out_of_memory(sizeof(b.parser));
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)(text.p != NULL ? text.p : ""), text.len);
    enum yk_status st = read_stream(&b);
    yaml_parser_delete(&b.parser);
    yk_strmap_done(&b.anchors);
    yk_vec_done(&b.open);
    if (st == YK_OK)
        *ret_first = b.first;
    return st;
}

/* Whether `node` is the root of an empty document, such as a `---` with nothing behind it. */
static bool is_nothing(const struct yk_yaml_node *node)
{
    return node->kind == YK_YAML_SCALAR && node->plain && node->u.text.len == 0;
}

enum yk_status yk_yaml_parse(struct yk_str text, const struct yk_yaml_limits *limits, struct yk_arena *arena,
                             struct yk_yaml_node **ret_root, struct yk_err *err)
{
    struct yk_yaml_node *root = NULL;
    enum yk_status st = yk_yaml_parse_all(text, limits, arena, &root, err);
    if (st != YK_OK)
        return st;
    for (const struct yk_yaml_node *more = root != NULL ? root->next : NULL; more != NULL;
         more = more->next) {
        if (!is_nothing(more))
            return yk_fail_at(err, YK_ERR_INVALID, more->line, more->column,
                              "a second document: a '---' or '%%' line before it ends the first one");
    }
    *ret_root = root;
    return YK_OK;
}
