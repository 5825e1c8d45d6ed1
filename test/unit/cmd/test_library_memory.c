/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configurations, patterns and compressed data from outside while memory runs out: each allocation that
 * libyaml, PCRE2 and zlib make for them fails once in turn. The process then ends with one line. It never
 * calls a text wrong because memory was short, and never takes part of it for the whole.
 *
 * libyaml calls its allocator through functions that this program replaces. PCRE2 and zlib take one as an
 * argument, so the calls that begin their work are replaced by others that add it.
 */
#include "admission/patterns.h"
#include "cache/config_merge.h"
#include "lib/child_exit.h"
#include "placement/filter.h"

#include <dlfcn.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <zlib.h>

#include "lib/cmocka_headers.h"

static size_t calls, failing; /* failing 0: none */

static void *take(size_t bytes)
{
    return ++calls == failing ? NULL : malloc(bytes > 0 ? bytes : 1);
}

/* ---- libyaml ---- */

void *yaml_malloc(size_t bytes);
void *yaml_realloc(void *old, size_t bytes);
void yaml_free(void *old);
unsigned char *yaml_strdup(const unsigned char *text);

void *yaml_malloc(size_t bytes)
{
    return take(bytes);
}

void *yaml_realloc(void *old, size_t bytes)
{
    return ++calls == failing ? NULL : realloc(old, bytes > 0 ? bytes : 1);
}

void yaml_free(void *old)
{
    free(old);
}

unsigned char *yaml_strdup(const unsigned char *text)
{
    size_t bytes = text != NULL ? strlen((const char *)text) + 1 : 0;
    unsigned char *copy = text != NULL ? take(bytes) : NULL;
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

/* ---- PCRE2 ---- */

static void *pcre2_take(size_t bytes, void *context)
{
    (void)context;
    return take(bytes);
}

static void pcre2_give(void *old, void *context)
{
    (void)context;
    free(old);
}

/* Writes the address of the library's function `name` to `ret_function`. */
static void real(const char *name, void *ret_function)
{
    void *function = dlsym(RTLD_NEXT, name);
    assert_non_null(function);
    memcpy(ret_function, &function, sizeof(function));
}

/* Its own allocation does not count. */
static pcre2_general_context *failing_context(void)
{
    size_t before = calls;
    pcre2_general_context *context = pcre2_general_context_create(pcre2_take, pcre2_give, NULL);
    if (context == NULL) /* it was the one to fail */
        context = pcre2_general_context_create(pcre2_take, pcre2_give, NULL);
    assert_non_null(context);
    calls = before;
    return context;
}

pcre2_code *pcre2_compile(PCRE2_SPTR pattern, PCRE2_SIZE len, uint32_t options, int *ret_error,
                          PCRE2_SIZE *ret_at, pcre2_compile_context *none)
{
    pcre2_code *(*compile)(PCRE2_SPTR, PCRE2_SIZE, uint32_t, int *, PCRE2_SIZE *, pcre2_compile_context *);
    real("pcre2_compile_8", &compile);
    assert_null(none);
    size_t before = calls, to_fail = failing;
    failing = 0;
    pcre2_general_context *general = failing_context();
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    calls = before;
    failing = to_fail;
    pcre2_code *code = compile(pattern, len, options, ret_error, ret_at, context);
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    return code;
}

pcre2_match_data *pcre2_match_data_create(uint32_t pairs, pcre2_general_context *none)
{
    pcre2_match_data *(*create)(uint32_t, pcre2_general_context *);
    real("pcre2_match_data_create_8", &create);
    assert_null(none);
    pcre2_general_context *general = failing_context();
    pcre2_match_data *data = create(pairs, general);
    pcre2_general_context_free(general);
    return data;
}

pcre2_match_context *pcre2_match_context_create(pcre2_general_context *none)
{
    pcre2_match_context *(*create)(pcre2_general_context *);
    real("pcre2_match_context_create_8", &create);
    assert_null(none);
    pcre2_general_context *general = failing_context();
    pcre2_match_context *context = create(general);
    pcre2_general_context_free(general);
    return context;
}

/* ---- zlib ---- */

static voidpf zlib_take(voidpf opaque, uInt items, uInt bytes)
{
    (void)opaque;
    return take((size_t)items * bytes);
}

static void zlib_give(voidpf opaque, voidpf old)
{
    (void)opaque;
    free(old);
}

int deflateInit2_(z_streamp stream, int level, int method, int window, int memory, int strategy,
                  const char *version, int bytes)
{
    int (*init)(z_streamp, int, int, int, int, int, const char *, int);
    real("deflateInit2_", &init);
    stream->zalloc = zlib_take;
    stream->zfree = zlib_give;
    return init(stream, level, method, window, memory, strategy, version, bytes);
}

int inflateInit2_(z_streamp stream, int window, const char *version, int bytes)
{
    int (*init)(z_streamp, int, const char *, int);
    real("inflateInit2_", &init);
    stream->zalloc = zlib_take;
    stream->zfree = zlib_give;
    return init(stream, window, version, bytes);
}

/* ---- readers: false if the input was refused ---- */

static const char queues[] = "partitions:\n"
                             "- name: default\n"
                             "  placementrules:\n"
                             "  - {name: user, create: true, filter: {type: allow, users: ['^a(b|c)+$']}}\n"
                             "  - &tag {name: tag, value: namespace, create: true}\n"
                             "  queues:\n"
                             "  - name: root\n"
                             "    submitacl: '*'\n"
                             "    queues:\n"
                             "    - {name: a, resources: {max: {memory: 4Gi}}, properties: {k: \"v\\n\"}}\n"
                             "    - name: b\n"
                             "      limits: [{limit: x, users: [ann], maxapplications: 3}]\n";
static struct yk_buf packed; /* `queues` as gzip */

static bool read_queues(void)
{
    struct yk_config *config = NULL;
    struct yk_err err = {0};
    enum yk_status st = yk_config_load(yk_str_from(queues), &config, &err);
    yk_config_free(config);
    return st == YK_OK;
}

static bool read_filter(void)
{
    struct yk_str users[] = {YK_STR("^a(b|c)+$")};
    const struct yk_config_filter config = {.type = YK_STR("allow"), .users = {users, 1}};
    struct yk_filter *filter = NULL;
    struct yk_err err = {0};
    if (yk_filter_new(&config, &filter, &err) != YK_OK)
        return false;
    bool passes = yk_filter_passes(filter, "abc", NULL, 0);
    yk_filter_free(filter);
    return passes;
}

static bool read_patterns(void)
{
    struct yk_patterns *patterns = NULL;
    struct yk_err err = {0};
    if (yk_patterns_new(YK_STR("^kube-system$,^x(y|z)*$"), &patterns, &err) != YK_OK)
        return false;
    bool matches = yk_patterns_match(patterns, YK_STR("xyz"));
    yk_patterns_free(patterns);
    return matches;
}

static bool unpack(void)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {.max = sizeof(queues)};
    struct yk_err err = {0};
    return yk_gunzip(yk_buf_view(&packed), &out, &err) == YK_OK && yk_str_is(yk_buf_view(&out), queues);
}

static bool pack(void)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_gzip(yk_str_from(queues), &out);
    return yk_str_eq(yk_buf_view(&out), yk_buf_view(&packed));
}

static const struct reader {
    const char *what;
    bool (*read)(void);
    size_t least; /* allocations */
} readers[] = {
    {"queues.yaml", read_queues, 50}, {"a filter", read_filter, 3}, {"namespace patterns", read_patterns, 4},
    {"gzip to read", unpack, 1},      {"gzip to write", pack, 3},
};

static void read_once(const void *context)
{
    const struct reader *reader = context;
    (void)reader->read(); /* is not to return */
}

static void check_reader(const struct reader *reader)
{
    calls = failing = 0;
    if (!reader->read())
        fail_msg("%s: refused", reader->what);
    const size_t all = calls;
    assert_true(all >= reader->least);
    for (size_t n = 1; n <= all; n++) {
        char message[CHILD_MESSAGE_MAX];
        calls = 0;
        failing = n;
        int code = child_exit_code(read_once, reader, message);
        if (code != 70 || strstr(message, "out of memory") == NULL)
            fail_msg("%s, allocation %zu of %zu: exit code %d, '%s'", reader->what, n, all, code, message);
    }
    failing = 0;
    print_message("%s: %zu allocations\n", reader->what, all);
}

static void each_allocation_fails_once(void **state)
{
    (void)state;
    yk_gzip(yk_str_from(queues), &packed);
    for (size_t i = 0; i < YK_COUNT(readers); i++)
        check_reader(&readers[i]);
    yk_buf_done(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
