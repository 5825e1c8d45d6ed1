/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of placement rules: docs/reference/queues.md 5.4. */
#include "placement/filter.h"

#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Up to four names that commas separate; NULL: none. */
static struct yk_config_names names_of(const char *text, struct yk_str items[4])
{
    struct yk_config_names names = {.items = items};
    struct yk_str rest = yk_str_from(text), part;
    while (names.count < 4 && yk_str_split(&rest, ',', &part))
        items[names.count++] = part;
    return names;
}

static struct yk_filter *filter_of(const char *type, const char *users, const char *groups)
{
    struct yk_str user_items[4], group_items[4];
    struct yk_config_filter config = {yk_str_from(type), names_of(users, user_items),
                                      names_of(groups, group_items)};
    struct yk_filter *filter = NULL;
    struct yk_err err = {0};
    if (yk_filter_new(&config, &filter, &err) != YK_OK)
        fail_msg("filter refused: %s", err.text);
    return filter;
}

static bool passes(struct yk_filter *filter, const char *user, const char *groups)
{
    char text[64], *list[4];
    size_t count = 0;
    (void)snprintf(text, sizeof(text), "%s", groups != NULL ? groups : "");
    for (char *at = text, *end; groups != NULL && at != NULL; at = end) {
        end = strchr(at, ',');
        if (end != NULL)
            *end++ = '\0';
        list[count++] = at;
    }
    return yk_filter_passes(filter, user, list, count);
}

static void answers(void **state)
{
    (void)state;
    static const struct {
        const char *what, *type, *users, *groups, *user, *user_groups;
        bool want;
    } cases[] = {
        {"P19: nothing configured", "", NULL, NULL, "ann", NULL, true},
        {"P19: allow without lists", "allow", NULL, NULL, "ann", NULL, true},
        {"P19: deny without lists matches no user", "deny", NULL, NULL, "ann", NULL, false},
        {"P15: BUG-14, deny in any case", "Deny", "ann,bob", NULL, "ann", NULL, false},
        {"P15: allow in any case", "ALLOW", "ann,bob", NULL, "ann", NULL, true},
        {"allow, in the list", "", "ann,bob", NULL, "bob", NULL, true},
        {"allow, not in the list", "", "ann,bob", NULL, "zoe", NULL, false},
        {"deny, in the list", "deny", "ann,bob", NULL, "bob", NULL, false},
        {"deny, not in the list", "deny", "ann,bob", NULL, "zoe", NULL, true},
        {"one user", "", "ann", NULL, "ann", NULL, true},
        {"names are exact", "", "ann", NULL, "anna", NULL, false},
        {"names are case-sensitive", "", "ann", NULL, "Ann", NULL, false},
        {"duplicates", "", "ann,ann", NULL, "ann", NULL, true},
        {"one of the groups", "", NULL, "dev,ops", "ann", "x,ops", true},
        {"none of the groups", "", NULL, "dev,ops", "ann", "x,y", false},
        {"no groups at all", "", NULL, "dev,ops", "ann", NULL, false},
        {"the user or a group", "", "bob", "dev", "ann", "dev", true},
        {"the user although no group", "", "ann", "dev", "ann", "ops", true},
        {"deny by a group", "deny", "bob", "dev", "ann", "dev", false},
        {"users are not groups", "", "dev", NULL, "ann", "dev", false},
        {"P17: what is not a name is skipped", "", "a*,bob", NULL, "bob", NULL, true},
        {"P17: no expression in longer lists", "", "a*,bob", NULL, "ann", NULL, false},
        {"P19: a list without valid names matches no user", "", "a*,b*", NULL, "a", NULL, false},
        {"P19: so deny lets all pass", "deny", "a*,b*", NULL, "a", NULL, true},
        {"P16: an expression", "", "^a.*n$", NULL, "ann", NULL, true},
        {"P18: searched anywhere", "", NULL, "dev*", "ann", "mydev", true},
        {"P18: the star is the letter's", "", NULL, "dev*", "ann", "de", true},
        {"P18: case-sensitive", "", NULL, "^dev.*", "ann", "DEV", false},
        {"P18: unless it says so", "", NULL, "(?i)^dev", "ann", "DEV", true},
        {"P18: one group at a time", "", NULL, "^a,b$", "ann", "a,b", false},
        {"P16: BUG-15, a machine account is a name", "", "svc$", NULL, "svc$", NULL, true},
        {"P16: BUG-15, and matches nothing else", "", "svc$", NULL, "svc", NULL, false},
        {"P20: dollar is the very end", "", "^ann$|^$", NULL, "ann\n", NULL, false},
        {"P20: digits are ASCII", "", "^\\d+$", NULL, "٣", NULL, false},
        {"P20: digits", "", "^\\d+$", NULL, "3", NULL, true},
        {"P20: words are ASCII", "", "^\\w+$", NULL, "é", NULL, false},
        {"P20: spaces are ASCII", "", "a\\s+b", NULL, "a\u00a0b", NULL, false},
        {"P20: word boundaries are ASCII", "", "^a\\b.*", NULL, "aé", NULL, true},
        {"P20: a dot is a character, not a byte", "", "^.$", NULL, "é", NULL, true},
        {"P20: letters of any script", "", "^\\pL+$", NULL, "é", NULL, true},
        {"P20: classes", "", "^[[:alpha:]]+$", NULL, "abc", NULL, true},
        {"P20: named groups and lazy repeats", "", "^(?P<x>a+?)(?:b)$", NULL, "aab", NULL, true},
        {"P20: a category by its long name", "", "^\\p{Letter}+$", NULL, "\u00e9a", NULL, true},
        {"P20: and what is not in it", "", "^\\P{Letter}$", NULL, "1", NULL, true},
        {"P20: the same with a caret", "", "^\\p{^Uppercase_Letter}+$", NULL, "abC", NULL, false},
        {"P20: a script", "", "^\\p{Greek}+$", NULL, "\u03b1", NULL, true},
        {"P20: characters of a class", "", "^[[=a=]]$", NULL, "=]", NULL, true},
        {"P20: the same with dots", "", "^[[.a.]]$", NULL, "[]", NULL, true},
        {"P20: a class in a class", "", "^[x[:digit:]=]+$", NULL, "x1=", NULL, true},
        {"P20: a bracket first in a class", "", "^[][=]+$", NULL, "][=", NULL, true},
        {"P20: quoted text stays", "", "^\\Q[[=a\\E$", NULL, "[[=a", NULL, true},
        {"P20: one name for two groups", "", "^(?P<x>a)|(?P<x>b)$", NULL, "b", NULL, true},
        {"P20: not UTF-8 cannot be decided", "", "^.*$", NULL, "a\xff", NULL, false},
        {"P20: so deny does not apply", "deny", "^b", NULL, "a\xff", NULL, false},
        {"P20: a group that cannot be decided", "deny", NULL, "^b", "ann", "x,a\xff", false},
        {"P20: a group that matches decides", "", NULL, "^x", "ann", "a\xff,x", true},
        {"P20: a user that cannot be decided, a group that can", "deny", "^b", "x", "a\xff", "x", false},
        {"P20: steps exceeded, deny", "deny", "([a-z]+)+@evil", NULL, "bbbbbbbbbbbbbb.c@evil", NULL, false},
        {"P20: steps exceeded, allow", "", "([a-z]+)+@evil", NULL, "bbbbbbbbbbbbbb.c@evil", NULL, false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_filter *filter = filter_of(cases[i].type, cases[i].users, cases[i].groups);
        if (passes(filter, cases[i].user, cases[i].user_groups) != cases[i].want)
            fail_msg("%s: got %d", cases[i].what, !cases[i].want);
        yk_filter_free(filter);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *what, *users, *groups, *refusal;
    } cases[] = {
        {"P16: does not compile", "(a", NULL, "pattern '(a'"},
        {"P16: neither name nor expression", NULL, "a b", "'a b' is neither a name nor an expression"},
        {"P20: a pattern cannot make words other than ASCII", "(*UCP)^\\w+$", NULL, "pattern"},
        {"a byte that is not a character", "(\\C)", NULL, "pattern"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_str users[4], groups[4];
        struct yk_config_filter config = {
            {0}, names_of(cases[i].users, users), names_of(cases[i].groups, groups)};
        struct yk_filter *filter = NULL;
        struct yk_err err = {0};
        if (yk_filter_new(&config, &filter, &err) == YK_OK)
            fail_msg("%s: accepted", cases[i].what);
        assert_null(filter);
        if (strstr(err.text, cases[i].refusal) == NULL)
            fail_msg("%s: got '%s'", cases[i].what, err.text);
    }
}

/* P20: a search that exceeds a bound is undecided: neither kind of filter passes, and logs it once. */
static void limits(void **state)
{
    (void)state;
    static const char *const patterns[] = {"^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*).*.*\\d\\d",
                                           "^(a|a?)+\\d"};
    char many[513], too_long[514];
    memset(many, 'a', sizeof(many) - 1);
    many[sizeof(many) - 2] = '!';
    many[sizeof(many) - 1] = '\0';
    memset(too_long, 'a', sizeof(too_long) - 1);
    too_long[sizeof(too_long) - 1] = '\0';
    for (size_t i = 0; i < YK_COUNT(patterns); i++) {
        char log[4096] = "";
        FILE *stream = tmpfile();
        yk_log_set_stream(stream);
        struct yk_filter *filter = filter_of("", patterns[i], NULL);
        struct yk_filter *deny = filter_of("deny", patterns[i], NULL);
        bool passed = passes(filter, many, NULL) || passes(filter, many, NULL);
        yk_log_set_stream(NULL);
        passed = passed || passes(deny, many, NULL);
        yk_filter_free(deny);
        rewind(stream);
        assert_true(fread(log, 1, sizeof(log) - 1, stream) > 0);
        (void)fclose(stream);
        if (passed)
            fail_msg("%s: passes", patterns[i]);
        const char *line = strstr(log, "cannot be decided and its rule does not apply");
        if (line == NULL || strstr(line + 1, "cannot be decided") != NULL)
            fail_msg("%s: wanted one line of log, got '%s'", patterns[i], log);
        yk_filter_free(filter);
    }
    struct yk_filter *filter = filter_of("", "^a", NULL);
    assert_true(passes(filter, many, NULL));
    assert_false(passes(filter, too_long, NULL));
    yk_filter_free(filter);
    char contractor[532] = "contractor-";
    memset(contractor + 11, 'x', sizeof(contractor) - 12);
    filter = filter_of("deny", "^contractor-", NULL);
    assert_false(passes(filter, contractor, NULL));
    assert_true(passes(filter, "ann", NULL));
    assert_false(yk_filter_passes_group(filter, contractor, "dev"));
    yk_filter_free(filter);
    filter = filter_of("deny", NULL, "^contractor-");
    assert_false(yk_filter_passes_group(filter, "ann", contractor));
    assert_true(yk_filter_passes_group(filter, "ann", "dev"));
    yk_filter_free(filter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(refusals),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
