/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a what-if question, JSON or YAML: refused with a sentence, or a question within its limits
 * whose objects are refused with a sentence or can be read.
 */
#include "api/json_reader.h"
#include "whatif/question.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_object(const struct yk_whatif_question *question)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    enum yk_kind kind = question->kind == YK_WHATIF_NODE ? YK_KIND_NODE : YK_KIND_POD;
    if (!json_is_object(question->object))
        abort();
    if (yk_object_from_tree(kind, question->object, &object, &err) != YK_OK && err.text[0] == '\0')
        abort();
    yk_object_free(object);
}

static void check(const struct yk_whatif_question *question)
{
    if (question->count < 1 || question->count > YK_WHATIF_PODS_MAX || question->horizon_ns < 0 ||
        question->group_count > YK_WHATIF_GROUPS_MAX || (int)question->kind >= YK_WHATIF_KIND_COUNT)
        abort();
    if (question->kind != YK_WHATIF_QUEUES)
        read_object(question);
    else if (question->queues.p == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_whatif_question question;
    struct yk_err err = {0};
    const struct yk_str body = {(const char *)data, size};
    if (yk_whatif_question_parse(body, &question, &err) == YK_OK) {
        check(&question);
        yk_whatif_question_done(&question);
    } else if (err.text[0] == '\0' || question.root != NULL) {
        abort();
    }
    return 0;
}
