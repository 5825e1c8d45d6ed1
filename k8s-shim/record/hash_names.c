/* SPDX-License-Identifier: Apache-2.0 */
#include "record/hash_names.h"

#include "api/json_reader.h"
#include "record/hash_line.h"
#include "record/line.h"

#include <jansson.h>

struct hashing {
    const struct yk_record_source *from;
    yk_record_sink *sink;
    void *context;
    struct yk_line_hasher hasher;
    struct yk_decisions decisions; /* the decisions of the copy */
    struct yk_buf line;            /* the line that next_line() returned last */
    bool is_decision;              /* `line` is a decision that is not written yet */
    bool drains;                   /* the replay has differed: lines are only rewritten, and not replayed */
};

/* Sets `*ret` to the next line; the caller drops the reference. NULL: there are no more lines. */
static enum yk_status read_line(const struct yk_record_source *from, json_t **ret, struct yk_err *err)
{
    struct yk_str text;
    *ret = NULL;
    enum yk_status st = from->next(from->context, &text, err);
    if (st == YK_OK && text.p != NULL)
        st = yk_json_parse(text, ret, err);
    if (st == YK_OK && *ret != NULL && !json_is_object(*ret)) {
        json_decref(*ret);
        *ret = NULL;
        st = yk_fail(err, YK_ERR_INVALID, "not a JSON object");
    }
    return st;
}

static enum yk_status learn(struct hashing *hashing, const struct yk_record_source *from, struct yk_err *err)
{
    enum yk_status st;
    uint64_t number = 1;
    for (json_t *line; (st = read_line(from, &line, err)) == YK_OK && line != NULL; number++) {
        st = yk_line_hasher_learn(&hashing->hasher, line, err);
        bool is_last = json_object_get(line, "end") != NULL;
        json_decref(line);
        if (st != YK_OK || is_last)
            break;
    }
    if (st != YK_OK)
        return yk_fail_in(err, st, "line %llu", (unsigned long long)number);
    return yk_line_hasher_seal(&hashing->hasher, err);
}

/* ---- writing ---- */

static void write_line(const struct hashing *hashing, struct yk_str line)
{
    hashing->sink(hashing->context, line);
    hashing->sink(hashing->context, YK_STR("\n"));
}

static void set_hash(const struct hashing *hashing, json_t *line)
{
    char hash[YK_DECISION_HASH_TEXT] = "";
    if (json_object_get(line, "end") == NULL)
        return;
    if (!hashing->drains)
        yk_decisions_hash(&hashing->decisions, hash);
    (void)json_object_set_new(line, "hash", json_string(hash)); /* fails only if memory is exhausted */
}

static enum yk_status rewrite(struct hashing *hashing, const json_t *line, struct yk_err *err)
{
    json_t *tree = NULL;
    yk_buf_clear(&hashing->line);
    enum yk_status st = yk_line_hasher_write(&hashing->hasher, line, &hashing->line, err);
    if (st != YK_OK || json_object_get(line, "end") == NULL)
        return st;
    st = yk_json_parse(yk_buf_view(&hashing->line), &tree, err);
    if (st != YK_OK)
        return st;
    set_hash(hashing, tree);
    char *text = json_dumps(tree, JSON_COMPACT);
    json_decref(tree);
    yk_buf_clear(&hashing->line);
    yk_buf_text(&hashing->line, text != NULL ? text : "");
    free(text);
    return YK_OK;
}

/* The `next` of a struct yk_record_source: rewrites the next line. Writes the line to the copy if it is not a
 * decision of the replay. is_same() or drain() writes such a decision. */
static enum yk_status next_line(void *context, struct yk_str *ret_line, struct yk_err *err)
{
    struct hashing *hashing = context;
    json_t *line;
    *ret_line = (struct yk_str){0};
    enum yk_status st = read_line(hashing->from, &line, err);
    if (st != YK_OK || line == NULL)
        return st;
    hashing->is_decision = !hashing->drains && json_object_get(line, "do") != NULL;
    st = rewrite(hashing, line, err);
    json_decref(line);
    if (st == YK_OK && hashing->line.failed)
        st = yk_fail(err, YK_ERR_LIMIT, "a line is too long");
    if (st != YK_OK)
        return st;
    if (!hashing->is_decision)
        write_line(hashing, yk_buf_view(&hashing->line));
    *ret_line = yk_buf_view(&hashing->line);
    return YK_OK;
}

/* Writes the rest of the copy after a difference. */
static enum yk_status drain(struct hashing *hashing, struct yk_err *err)
{
    struct yk_str line;
    enum yk_status st = YK_OK;
    if (hashing->is_decision)
        write_line(hashing, yk_buf_view(&hashing->line));
    hashing->drains = true;
    do {
        st = next_line(hashing, &line, err);
    } while (st == YK_OK && line.p != NULL);
    return st;
}

/* ---- comparing ---- */

static bool is_equal(const json_t *a, const json_t *b, const char *key)
{
    const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);
    return x == NULL || y == NULL ? x == y : json_equal((json_t *)(uintptr_t)x, (json_t *)(uintptr_t)y) == 1;
}

/* Whether the decision creates a placeholder, or creates or changes an Event. Their names contain digests or
 * times, so they are not compared. */
static bool makes_name(const json_t *line)
{
    static const char *const kinds[] = {"create", "create event", "patch event"};
    const char *kind = json_string_value(json_object_get(line, "do"));
    for (size_t i = 0; i < YK_COUNT(kinds); i++) {
        if (kind != NULL && strcmp(kind, kinds[i]) == 0)
            return true;
    }
    return false;
}

static bool are_equal(const json_t *recorded, const json_t *made)
{
    static const char *const keys[] = {"do", "number", "namespace", "uid", "node"};
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        if (!is_equal(recorded, made, keys[i]))
            return false;
    }
    return makes_name(made) || is_equal(recorded, made, "name");
}

/* The `is_same` of a struct yk_replay_judge: compares the decisions. If they are the same, writes `made` to
 * the copy. */
static bool is_same(void *context, struct yk_str recorded, struct yk_str made)
{
    struct hashing *hashing = context;
    json_t *before = NULL, *now = NULL;
    bool same = hashing->is_decision && yk_json_parse(recorded, &before, NULL) == YK_OK &&
                yk_json_parse(made, &now, NULL) == YK_OK && are_equal(before, now);
    json_decref(before);
    json_decref(now);
    if (!same)
        return false;
    hashing->is_decision = false;
    yk_decisions_add(&hashing->decisions, made);
    write_line(hashing, made);
    return true;
}

/* ---- the whole ---- */

static enum yk_status replay(struct hashing *hashing, struct yk_replay_result *ret, struct yk_err *err)
{
    const struct yk_record_source source = {hashing, next_line};
    const struct yk_replay_judge judge = {hashing, is_same};
    enum yk_status st = yk_replay_run_judged(&source, &judge, ret, err);
    return st == YK_OK && yk_replay_differs(ret) ? drain(hashing, err) : st;
}

enum yk_status yk_hash_names(const struct yk_record_source *first, const struct yk_record_source *second,
                             yk_record_sink *sink, void *context, struct yk_replay_result *ret,
                             struct yk_err *err)
{
    struct hashing hashing = {
        .from = second, .sink = sink, .context = context, .line = {.max = 2 * YK_RECORD_LINE_MAX}};
    *ret = (struct yk_replay_result){0};
    yk_line_hasher_init(&hashing.hasher);
    yk_decisions_init(&hashing.decisions);
    enum yk_status st = learn(&hashing, first, err);
    if (st == YK_OK)
        st = replay(&hashing, ret, err);
    yk_decisions_done(&hashing.decisions);
    yk_line_hasher_done(&hashing.hasher);
    yk_buf_done(&hashing.line);
    return st;
}
