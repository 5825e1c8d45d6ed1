/* SPDX-License-Identifier: Apache-2.0 */
/* What a TokenReview asks, and what its answers mean (queues.md A8). */
#include "api/token_review.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void answers(void **state)
{
    (void)state;
    static const struct {
        const char *what, *json, *user; /* NULL: no user */
        size_t groups;
        const char *error; /* NULL: read */
    } cases[] = {
        {"a user",
         "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\",\"uid\":\"1\",\"groups\":[\"a\","
         "\"b\"]}}}",
         "ann", 2, NULL},
        {"without groups", "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\"}}}", "ann", 0,
         NULL},
        {"nobody", "{\"status\":{\"user\":{},\"error\":\"invalid bearer token\"}}", NULL, 0, NULL},
        {"a user that was not authenticated",
         "{\"status\":{\"authenticated\":false,\"user\":{\"username\":\"ann\"}}}", NULL, 0, NULL},
        {"true as a text is not true", "{\"status\":{\"authenticated\":\"true\"}}", NULL, 0, NULL},
        {"a user without a name", "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"\"}}}", NULL,
         0, "user is no name"},
        {"a NUL in the name",
         "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"root\\u0000x\"}}}", NULL, 0,
         "TokenReview"},
        {"a group that is no text",
         "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\",\"groups\":[\"a\",1]}}}", NULL,
         0, "group is no name"},
        {"no status", "{\"kind\":\"TokenReview\"}", NULL, 0, "without a status"},
        {"a Status", "{\"kind\":\"Status\",\"status\":\"Failure\"}", NULL, 0, "without a status"},
        {"no JSON", "<html>", NULL, 0, "TokenReview"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_token_review_freep) struct yk_token_review *review = NULL;
        struct yk_err err = {0};
        enum yk_status st = yk_token_review_read(yk_str_from(cases[i].json), &review, &err);
        if ((st != YK_OK) != (cases[i].error != NULL) ||
            (cases[i].error != NULL && strstr(err.text, cases[i].error) == NULL))
            fail_msg("%s: %s", cases[i].what, err.text);
        if (st != YK_OK)
            continue;
        if (review->authenticated != (cases[i].user != NULL) || review->group_count != cases[i].groups ||
            (cases[i].user != NULL && strcmp(review->user, cases[i].user) != 0))
            fail_msg("%s: %s", cases[i].what, review->user);
    }
}

static void a_token_is_a_text(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
    yk_token_review_encode(&body, "a\"},\"b", YK_STR(""));
    assert_string_equal(yk_buf_cstr(&body), "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":"
                                            "\"TokenReview\",\"spec\":{\"token\":\"a\\\"},\\\"b\"}}");
}

static void audiences(void **state)
{
    (void)state;
    static const struct {
        const char *what, *wanted, *sent, *answer; /* "": no list in the body; NULL: none in the answer */
        bool is_for;
    } cases[] = {
        {"none is wanted", "", "", NULL, true},
        {"none is wanted, one is said", "", "", "[\"x\"]", true},
        {"nothing but commas", " , ,", "", NULL, true},
        {"the one", "yunikorn", "\"audiences\":[\"yunikorn\"]", "[\"yunikorn\"]", true},
        {"one of two", " a, b ,", "\"audiences\":[\"a\",\"b\"]", "[\"b\"]", true},
        {"another", "yunikorn", "\"audiences\":[\"yunikorn\"]", "[\"https://kubernetes\"]", false},
        {"a longer one", "yunikorn", "\"audiences\":[\"yunikorn\"]", "[\"yunikorn2\"]", false},
        {"a server that knows no audiences", "yunikorn", "\"audiences\":[\"yunikorn\"]", NULL, false},
        {"an empty list", "yunikorn", "\"audiences\":[\"yunikorn\"]", "[]", false},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        YK_CLEANUP(yk_token_review_freep) struct yk_token_review *review = NULL;
        YK_CLEANUP(yk_buf_done) struct yk_buf body = {0};
        YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
        struct yk_str wanted = yk_str_from(cases[i].wanted);
        yk_token_review_encode(&body, "t", wanted);
        yk_buf_printf(&answer, "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\"}");
        if (cases[i].answer != NULL)
            yk_buf_printf(&answer, ",\"audiences\":%s", cases[i].answer);
        yk_buf_text(&answer, "}}");
        assert_int_equal(yk_token_review_read(yk_buf_view(&answer), &review, NULL), YK_OK);
        bool names = strstr(yk_buf_cstr(&body), "audiences") != NULL;
        if (names != (cases[i].sent[0] != '\0') || strstr(yk_buf_cstr(&body), cases[i].sent) == NULL)
            fail_msg("%s: %s", cases[i].what, yk_buf_cstr(&body));
        if (yk_token_review_is_for(review, wanted) != cases[i].is_for)
            fail_msg("%s: is it for us?", cases[i].what);
    }
}

static void bad_audiences_are_refused(void **state)
{
    (void)state;
    YK_CLEANUP(yk_buf_done) struct yk_buf many = {0};
    for (int i = 0; i <= YK_REVIEW_AUDIENCES_MAX; i++)
        yk_buf_printf(&many, "%s\"a%d\"", i > 0 ? "," : "", i);
    const char *const lists[] = {"1", "\"\"", yk_buf_cstr(&many)};
    for (size_t i = 0; i < YK_COUNT(lists); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf answer = {0};
        struct yk_token_review *review = NULL;
        yk_buf_printf(
            &answer,
            "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"ann\"},\"audiences\":[%s]}}",
            lists[i]);
        assert_int_not_equal(yk_token_review_read(yk_buf_view(&answer), &review, NULL), YK_OK);
        assert_null(review);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(a_token_is_a_text),
        cmocka_unit_test(audiences),
        cmocka_unit_test(bad_audiences_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
