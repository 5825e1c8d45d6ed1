/* SPDX-License-Identifier: Apache-2.0 */
#include "api/token_review.h"

#include "api/json_reader.h"
#include "base/json_writer.h"

#include <jansson.h>

void yk_token_review_free(struct yk_token_review *review)
{
    if (review == NULL)
        return;
    for (size_t i = 0; i < review->group_count; i++)
        free(review->groups[i]);
    free(review->groups);
    for (size_t i = 0; i < review->audience_count; i++)
        free(review->audiences[i]);
    free(review->audiences);
    free(review->user);
    free(review);
}

/* Takes the next name off the front of a list with commas. False: none is left. */
static bool next_audience(struct yk_str *rest, struct yk_str *ret_name)
{
    while (rest->len > 0) {
        const char *comma = memchr(rest->p, ',', rest->len);
        size_t len = comma != NULL ? (size_t)(comma - rest->p) : rest->len;
        *ret_name = yk_str_trim((struct yk_str){rest->p, len});
        len += comma != NULL;
        rest->p += len;
        rest->len -= len;
        if (ret_name->len > 0)
            return true;
    }
    return false;
}

static bool names_audience(const struct yk_token_review *review, struct yk_str name)
{
    for (size_t i = 0; i < review->audience_count; i++) {
        if (yk_str_is(name, review->audiences[i]))
            return true;
    }
    return false;
}

bool yk_token_review_is_for(const struct yk_token_review *review, struct yk_str audiences)
{
    struct yk_str name;
    bool any = false;
    while (next_audience(&audiences, &name)) {
        any = true;
        if (names_audience(review, name))
            return true;
    }
    return !any;
}

static void add_audiences(struct yk_json *json, struct yk_str audiences)
{
    struct yk_str name;
    if (!next_audience(&audiences, &name))
        return;
    yk_json_key(json, "audiences");
    yk_json_array_begin(json);
    do
        yk_json_str(json, name);
    while (next_audience(&audiences, &name));
    yk_json_array_end(json);
}

void yk_token_review_encode(struct yk_buf *body, const char *token, struct yk_str audiences)
{
    struct yk_json writer, *json = &writer;
    yk_json_init(json, body);
    yk_json_object_begin(json);
    yk_json_add_text(json, "apiVersion", "authentication.k8s.io/v1");
    yk_json_add_text(json, "kind", "TokenReview");
    yk_json_key(json, "spec");
    yk_json_object_begin(json);
    yk_json_add_text(json, "token", token);
    add_audiences(json, audiences);
    yk_json_object_end(json);
    yk_json_object_end(json);
}

/* Copies a name. A name that contains NUL is refused, because as a C string it would be a shorter name. */
static enum yk_status take_name(const json_t *json, const char *what, char **ret_name, struct yk_err *err)
{
    const char *text = json_string_value(json);
    size_t len = text != NULL ? json_string_length(json) : 0;
    if (len == 0 || strlen(text) != len)
        return yk_fail(err, YK_ERR_INVALID, "%s is no name", what);
    if (len > YK_REVIEW_NAME_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%s of %zu bytes (%d allowed)", what, len, YK_REVIEW_NAME_MAX);
    *ret_name = yk_strndup(text, len);
    return YK_OK;
}

/* Copies the names of a list, whose length the caller has checked. */
static enum yk_status take_names(const json_t *list, const char *what, char ***ret_names, size_t *ret_count,
                                 struct yk_err *err)
{
    size_t count = json_array_size(list);
    enum yk_status st = YK_OK;
    *ret_names = yk_new0_array(char *, count + 1);
    for (; *ret_count < count && st == YK_OK; *ret_count += st == YK_OK)
        st = take_name(json_array_get(list, *ret_count), what, &(*ret_names)[*ret_count], err);
    return st;
}

static enum yk_status take_audiences(const json_t *audiences, struct yk_token_review *review,
                                     struct yk_err *err)
{
    if (json_array_size(audiences) > YK_REVIEW_AUDIENCES_MAX)
        return yk_fail(err, YK_ERR_LIMIT, "%zu audiences (%d allowed)", json_array_size(audiences),
                       YK_REVIEW_AUDIENCES_MAX);
    return take_names(audiences, "audience", &review->audiences, &review->audience_count, err);
}

static enum yk_status take_user(const json_t *user, struct yk_token_review *review, struct yk_err *err)
{
    const json_t *groups = json_object_get(user, "groups");
    size_t count = json_array_size(groups);
    enum yk_status st = take_name(json_object_get(user, "username"), "user", &review->user, err);
    if (st == YK_OK && count > YK_REVIEW_GROUPS_MAX)
        st = yk_fail(err, YK_ERR_LIMIT, "user '%s' has %zu groups (%d allowed)", review->user, count,
                     YK_REVIEW_GROUPS_MAX);
    if (st != YK_OK)
        return st;
    return take_names(groups, "group", &review->groups, &review->group_count, err);
}

enum yk_status yk_token_review_read(struct yk_str text, struct yk_token_review **ret_review,
                                    struct yk_err *err)
{
    YK_CLEANUP(yk_token_review_freep)
    struct yk_token_review *review = yk_new0(struct yk_token_review);
    json_t *json = NULL;
    enum yk_status st = yk_json_parse(text, &json, err);
    if (st != YK_OK)
        return yk_fail_in(err, st, "TokenReview");
    const json_t *status = json_object_get(json, "status");
    if (!json_is_object(status))
        st = yk_fail(err, YK_ERR_INVALID, "TokenReview without a status");
    review->authenticated = json_is_true(json_object_get(status, "authenticated"));
    if (st == YK_OK && review->authenticated)
        st = take_user(json_object_get(status, "user"), review, err);
    if (st == YK_OK && review->authenticated)
        st = take_audiences(json_object_get(status, "audiences"), review, err);
    json_decref(json);
    if (st != YK_OK)
        return yk_fail_in(err, st, "TokenReview");
    *ret_review = yk_move(review);
    return YK_OK;
}
