/* SPDX-License-Identifier: Apache-2.0 */
/* Words of names get pseudonyms in the order of the words; what is no name stays. */
#include "record/pseudonyms.h"

#include "base/random.h"
#include "config/properties.h"
#include "placement/placement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static struct yk_pseudonyms *learn(const char *const *texts, size_t count)
{
    struct yk_pseudonyms *pseudonyms = yk_pseudonyms_new();
    struct yk_err err = {0};
    for (size_t i = 0; i < count; i++)
        yk_pseudonyms_learn(pseudonyms, yk_str_from(texts[i]), YK_PSEUDONYM_NAME);
    if (yk_pseudonyms_seal(pseudonyms, &err) != YK_OK)
        fail_msg("%s", err.text);
    return pseudonyms;
}

static char *rewrite(const struct yk_pseudonyms *pseudonyms, const char *text, enum yk_pseudonym_text of)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf out = {0};
    yk_pseudonyms_rewrite(pseudonyms, yk_str_from(text), of, &out);
    return yk_buf_take(&out);
}

static void what_is_no_name_stays(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "root",
        "yunikorn.apache.org/app-id",
        "topology.kubernetes.io/zone",
        "kubernetes.io/hostname",
        "500m",
        "1.5Gi",
        "1h30m",
        "2026-01-01T00:00:00Z",
        "{\"cpu\": \"4\", \"memory\": \"17179869184\"}",
        "placeholderTimeoutInSeconds=30 gangSchedulingStyle=Hard",
        "*",
        "^[a-z0-9]+[0-9]{1,63}$",
        "\\d\\\\w+",
    };
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = learn(texts, YK_COUNT(texts));
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        YK_CLEANUP(yk_freep) char *now = rewrite(pseudonyms, texts[i], YK_PSEUDONYM_NAME);
        assert_string_equal(now, texts[i]);
    }
}

static void assert_stays(void *context, const char *word)
{
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = learn(&word, 1);
    YK_CLEANUP(yk_freep) char *now = rewrite(pseudonyms, word, YK_PSEUDONYM_NAME);
    size_t *count = context;
    assert_string_equal(now, word);
    (*count)++;
}

static void assert_property_stays(void *context, const char *key, const struct yk_queue_property_words *of)
{
    (void)of;
    assert_stays(context, key);
}

/* What a queue configuration may say stays; a new row of a table needs no word in the vocabulary. */
static void words_of_configurations_stay(void **state)
{
    (void)state;
    static const char *const words[] = {"childtemplate", "checksum",           "primarygroupname",
                                        "Binpacking",    "secondarygroupname", "application.sort.hold",
                                        "gradual",       "stateaware",         "delegated"};
    size_t count = 0;
    for (size_t i = 0; i < YK_COUNT(words); i++)
        assert_stays(&count, words[i]);
    yk_config_keys_each(assert_stays, &count);
    yk_queue_properties_each(assert_property_stays, &count);
    yk_placement_rule_names_each(assert_stays, &count);
    for (int i = 0; i < YK_NODE_SORT_COUNT; i++)
        assert_stays(&count, yk_node_sort_name((enum yk_node_sort)i));
    for (int i = 0; i < YK_APP_SORT_COUNT; i++)
        assert_stays(&count, yk_app_sort_name((enum yk_app_sort)i));
    assert_true(count > 70); /* the keys of all mappings were seen */
}

static void what_is_a_name_goes(void **state)
{
    (void)state;
    static const char *const texts[] = {"root.zebra", "zebra-1", "zebra", "10.0.0.7"};
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = learn(texts, YK_COUNT(texts));
    for (size_t i = 0; i < YK_COUNT(texts); i++) {
        YK_CLEANUP(yk_freep) char *now = rewrite(pseudonyms, texts[i], YK_PSEUDONYM_NAME);
        assert_null(strstr(now, "zebra"));
        assert_null(strstr(now, "-1"));   /* a number in a name */
        assert_null(strstr(now, "10.0")); /* an address is a name */
    }
    YK_CLEANUP(yk_freep) char *path = rewrite(pseudonyms, "root.zebra", YK_PSEUDONYM_NAME);
    YK_CLEANUP(yk_freep) char *name = rewrite(pseudonyms, "zebra", YK_PSEUDONYM_NAME);
    assert_int_equal(strncmp(path, "root.", 5), 0);
    assert_string_equal(path + 5, name); /* the same in a path as alone */
}

static void a_regular_expression_has_the_words_of_names(void **state)
{
    (void)state;
    static const char *const texts[] = {"^(alice|bob)_\\d+[a-z]*$", "alice", "bob"};
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = learn(texts, YK_COUNT(texts));
    YK_CLEANUP(yk_freep) char *now = rewrite(pseudonyms, texts[0], YK_PSEUDONYM_NAME);
    YK_CLEANUP(yk_freep) char *alice = rewrite(pseudonyms, "alice", YK_PSEUDONYM_NAME);
    YK_CLEANUP(yk_freep) char *bob = rewrite(pseudonyms, "bob", YK_PSEUDONYM_NAME);
    YK_CLEANUP(yk_buf_done) struct yk_buf expected = {0};
    yk_buf_printf(&expected, "^(%s|%s)_\\d+[a-z]*$", alice, bob);
    assert_string_equal(now, yk_buf_cstr(&expected));
}

static void case_is_kept(void **state)
{
    (void)state;
    /* In the order of the characters, which the pseudonyms have, too. */
    static const char *const texts[] = {"ZEBRA", "ZebrA", "Zebra", "zeBra", "zebra"};
    for (size_t count = 1; count <= YK_COUNT(texts); count++) {
        YK_CLEANUP(yk_pseudonyms_freep)
        struct yk_pseudonyms *pseudonyms = learn(texts + YK_COUNT(texts) - count, count);
        YK_CLEANUP(yk_freep) char *last = rewrite(pseudonyms, "zebra", YK_PSEUDONYM_NAME);
        assert_true(strpbrk(last, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
                    NULL); /* as names of Kubernetes have to be */
        for (size_t i = YK_COUNT(texts) - count; i + 1 < YK_COUNT(texts); i++) {
            YK_CLEANUP(yk_freep) char *one = rewrite(pseudonyms, texts[i], YK_PSEUDONYM_NAME);
            YK_CLEANUP(yk_freep) char *next = rewrite(pseudonyms, texts[i + 1], YK_PSEUDONYM_NAME);
            assert_int_equal(strcasecmp(one, last), 0);
            assert_true(strcmp(one, next) < 0);
        }
    }
}

/* A sentence of the scheduler keeps its words, also where they are names; all other words go. */
static void a_sentence_keeps_its_words(void **state)
{
    (void)state;
    static const char sentence[] = "needs 4 cores; zebra-1 comes nearest, Xylograph";
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = yk_pseudonyms_new();
    yk_pseudonyms_learn(pseudonyms, YK_STR("zebra-1"), YK_PSEUDONYM_NAME);
    yk_pseudonyms_learn(pseudonyms, YK_STR("comes-2"), YK_PSEUDONYM_NAME);
    yk_pseudonyms_learn(pseudonyms, YK_STR("cores"), YK_PSEUDONYM_NAME); /* a word of sentences */
    yk_pseudonyms_learn(pseudonyms, yk_str_from(sentence), YK_PSEUDONYM_SENTENCE);
    assert_int_equal(yk_pseudonyms_seal(pseudonyms, NULL), YK_OK);
    YK_CLEANUP(yk_freep) char *now = rewrite(pseudonyms, sentence, YK_PSEUDONYM_SENTENCE);
    YK_CLEANUP(yk_freep) char *name = rewrite(pseudonyms, "cores", YK_PSEUDONYM_NAME);
    YK_CLEANUP(yk_freep) char *zebra = rewrite(pseudonyms, "zebra-1", YK_PSEUDONYM_NAME);
    assert_int_equal(strncmp(now, "needs 4 cores; ", 15), 0);
    assert_non_null(strstr(now, " comes nearest, "));
    assert_non_null(strstr(now, zebra));
    assert_null(strstr(now, "zebra"));
    assert_null(strstr(now, "ylograph"));
    assert_string_equal(name, "cores");
}

static void what_was_not_learned_does_not_show(void **state)
{
    (void)state;
    static const char *const texts[] = {"zebra"};
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = learn(texts, YK_COUNT(texts));
    YK_CLEANUP(yk_freep) char *now = rewrite(pseudonyms, "root.okapi", YK_PSEUDONYM_NAME);
    assert_string_equal(now, "root.x");
}

/* ---- order ---- */

enum { NAMES = 400 };

/* Names of one to three words, of few letters so that many begin alike, with words of the vocabulary among them. */
static char *random_name(struct yk_random *random)
{
    static const char *const words[] = {"root", "default", "zone", "queue", "node", "0", "17", "a"};
    YK_CLEANUP(yk_buf_done) struct yk_buf name = {0};
    uint64_t count = 1 + yk_random_below(random, 3);
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0)
            yk_buf_char(&name, "-./"[yk_random_below(random, 3)]);
        if (yk_random_below(random, 4) == 0) {
            yk_buf_text(&name, words[yk_random_below(random, YK_COUNT(words))]);
            continue;
        }
        for (uint64_t left = 1 + yk_random_below(random, 5); left > 0; left--)
            yk_buf_char(&name, "abnqrz01"[yk_random_below(random, 8)]);
    }
    yk_buf_text(&name, "-u"); /* one word is no number and not in the vocabulary */
    return yk_buf_take(&name);
}

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

static void the_order_of_names_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct yk_random random;
        char *names[NAMES], *now[NAMES];
        yk_random_init(&random, seed);
        for (size_t i = 0; i < NAMES; i++)
            names[i] = random_name(&random);
        struct yk_pseudonyms *pseudonyms = learn((const char *const *)names, NAMES);
        for (size_t i = 0; i < NAMES; i++)
            now[i] = rewrite(pseudonyms, names[i], YK_PSEUDONYM_NAME);
        for (size_t i = 0; i < NAMES; i++) {
            for (size_t j = 0; j < i; j++) {
                if (sign(strcmp(names[i], names[j])) != sign(strcmp(now[i], now[j])))
                    fail_msg("seed %llu: '%s' and '%s' became '%s' and '%s'", (unsigned long long)seed,
                             names[i], names[j], now[i], now[j]);
            }
        }
        for (size_t i = 0; i < NAMES; i++) {
            free(names[i]);
            free(now[i]);
        }
        yk_pseudonyms_free(pseudonyms);
    }
}

/* A small compressed file may have words of many bytes. */
static void words_are_limited_in_bytes(void **state)
{
    (void)state;
    enum { LONG = 16 << 20 };
    YK_CLEANUP(yk_pseudonyms_freep) struct yk_pseudonyms *pseudonyms = yk_pseudonyms_new();
    YK_CLEANUP(yk_freep) char *word = yk_new0_array(char, LONG);
    struct yk_err err = {0};
    memset(word, 'z', LONG);
    for (size_t i = 0; i <= YK_PSEUDONYM_BYTES_MAX / LONG; i++) {
        word[0] = (char)('a' + i % 26);
        word[1] = (char)('a' + i / 26);
        yk_pseudonyms_learn(pseudonyms, (struct yk_str){word, LONG}, YK_PSEUDONYM_NAME);
    }
    assert_int_equal(yk_pseudonyms_seal(pseudonyms, &err), YK_ERR_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_name_stays),
        cmocka_unit_test(words_of_configurations_stay),
        cmocka_unit_test(what_is_a_name_goes),
        cmocka_unit_test(a_regular_expression_has_the_words_of_names),
        cmocka_unit_test(case_is_kept),
        cmocka_unit_test(a_sentence_keeps_its_words),
        cmocka_unit_test(what_was_not_learned_does_not_show),
        cmocka_unit_test(the_order_of_names_is_kept),
        cmocka_unit_test(words_are_limited_in_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
