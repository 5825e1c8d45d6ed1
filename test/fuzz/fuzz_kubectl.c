/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as what a server says to `kubectl yunikorn`: as a name, nothing is left that steers a terminal;
 * as JSON, what is printed as JSON is the same document, and YAML of it is ASCII.
 */
#include "cmd/kubectl_output.h"
#include "cmd/kubectl_quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* C0 and C1 controls, DEL, and the first bytes of what is no UTF-8. */
static void check_clean(const struct yk_buf *text)
{
    for (size_t i = 0; i < text->len; i++) {
        unsigned char c = (unsigned char)text->p[i];
        if (c < 0x20 || c == 0x7f || c == 0xc0 || c == 0xc1 || c >= 0xf5)
            abort();
        if (c == 0xc2 && (i + 1 == text->len || (unsigned char)text->p[i + 1] < 0xa0))
            abort();
    }
}

static void check_yaml(const json_t *tree)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf yaml = {.max = 64 << 20};
    if (!yk_yaml_put(tree, &yaml))
        return; /* a text that libyaml refuses */
    for (size_t i = 0; i < yaml.len; i++) {
        unsigned char c = (unsigned char)yaml.p[i];
        if (c != '\n' && (c < 0x20 || c > 0x7e))
            abort();
    }
}

static void check_json(const json_t *tree)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {.max = 64 << 20};
    char *text = json_dumps(tree, JSON_ENCODE_ANY | JSON_COMPACT);
    if (text == NULL)
        return;
    yk_json_for_terminal(yk_str_from(text), &clean);
    check_clean(&clean);
    json_t *again = json_loadb(yk_buf_cstr(&clean), clean.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    if (again == NULL || !json_equal(tree, again))
        abort();
    json_decref(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {.max = 64 << 20}, amounts = {.max = 64 << 20};
    yk_text_for_terminal((struct yk_str){(const char *)data, size}, &out);
    check_clean(&out);
    json_t *tree = size <= 4096 ? json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL) : NULL;
    if (tree == NULL)
        return 0;
    yk_quantities_put(&amounts, tree, true);
    check_json(tree);
    check_yaml(tree);
    json_decref(tree);
    return 0;
}
