/* SPDX-License-Identifier: Apache-2.0 */
#include "watch_script.h"

static const char *const op_words[] = {
    [YK_OP_BIND] = "bind",
    [YK_OP_PATCH_POD_STATUS] = "status",
    [YK_OP_DELETE_POD] = "delete",
    [YK_OP_CREATE_POD] = "create",
    [YK_OP_CREATE_EVENT] = "event",
    [YK_OP_PATCH_EVENT] = "patchevent",
    [YK_OP_PATCH_VOLUME] = "volume",
    [YK_OP_PATCH_CLAIM] = "claim",
    [YK_OP_GET_CONFIG_MAP] = "getconfig",
    [YK_OP_PATCH_CONFIG_MAP] = "config",
    [YK_OP_REVIEW_TOKEN] = "review",
    [YK_OP_REVIEW_ACCESS] = "access",
    [YK_OP_GET_LEASE] = "getlease",
    [YK_OP_CREATE_LEASE] = "createlease",
    [YK_OP_UPDATE_LEASE] = "lease",
};
YK_INDEXED_BY(op_words, YK_OP_UPDATE_LEASE);

static bool read_kind(struct yk_str word, enum yk_kind *ret)
{
    for (int kind = 0; kind < YK_KIND_COUNT; kind++) {
        *ret = (enum yk_kind)kind;
        if (yk_str_is(word, yk_kind_name(*ret)))
            return true;
    }
    return false;
}

static bool read_op(struct yk_str word, enum yk_op_kind *ret)
{
    for (size_t i = 0; i < YK_COUNT(op_words); i++) {
        *ret = (enum yk_op_kind)i;
        if (yk_str_is(word, op_words[i]))
            return true;
    }
    return false;
}

static void read_numbers(struct yk_str rest, struct script_step *step)
{
    struct yk_str word;
    for (size_t i = 0; i < YK_COUNT(step->numbers) && yk_str_split(&rest, ' ', &word); i++) {
        int64_t number;
        if (yk_str_to_i64(word, &number) == YK_OK)
            step->numbers[i] = YK_MAX(YK_MIN(number, 1000000), 0);
    }
}

struct script_step script_read(struct yk_str line)
{
    struct script_step step = {.kind = YK_KIND_POD};
    struct yk_str word;
    bool is_known = true;
    if (line.len == 0)
        return step;
    char what = line.p[0];
    size_t head = YK_MIN(line.len, (size_t)2);
    step.text = (struct yk_str){line.p + head, line.len - head};
    if (what == '!') {
        is_known = yk_str_split(&step.text, ' ', &word) && read_op(word, &step.op);
        read_numbers(step.text, &step);
    } else if (what == 'T') {
        read_numbers(step.text, &step);
    } else if (strchr("AMDBERL[]}", what) != NULL) {
        is_known = yk_str_split(&step.text, ' ', &word) && read_kind(word, &step.kind);
    } else {
        is_known = strchr("OWPCQV", what) != NULL;
    }
    step.what = (char)(is_known ? what : 0);
    return step;
}
