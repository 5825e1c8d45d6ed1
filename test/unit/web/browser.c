/* SPDX-License-Identifier: Apache-2.0 */
#include "web/browser.h"

struct yk_answer browse(struct world *world, const char *target, int status)
{
    struct yk_answer answer;
    struct yk_web_query query = {.target = target};
    yk_web_render(world->core, NULL, &query, &answer);
    if (answer.status != status)
        fail_msg("%s: status %d, not %d: %s", target, answer.status, status, yk_buf_cstr(&answer.body));
    return answer;
}

static json_t *parse(const char *target, const struct yk_answer *answer)
{
    json_error_t error;
    json_t *json =
        json_loadb(answer->body.p, answer->body.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (json == NULL)
        fail_msg("%s: %s at %d: %s", target, error.text, error.position, yk_buf_cstr(&answer->body));
    return json;
}

json_t *browse_json(struct world *world, const char *target)
{
    struct yk_answer answer = browse(world, target, 200);
    assert_string_equal(answer.content_type, "application/json; charset=UTF-8");
    if (answer.body.len == 0 || answer.body.p[answer.body.len - 1] != '\n')
        fail_msg("%s: the body does not end with a newline", target);
    json_t *json = parse(target, &answer);
    yk_answer_done(&answer);
    return json;
}

json_t *browse_slices(struct world *world, const char *target, void (*between)(void *context), void *context)
{
    struct yk_answer answer;
    struct yk_web_query query = {
        .target = target, .tiny_slices = true, .between = between, .context = context};
    yk_web_render(world->core, NULL, &query, &answer);
    assert_int_equal(answer.status, 200);
    json_t *json = parse(target, &answer);
    assert_true(json_is_object(json) || json_is_array(json));
    yk_answer_done(&answer);
    return json;
}

void browse_error(struct world *world, const char *target, int status, const char *text)
{
    struct yk_answer answer = browse(world, target, status);
    json_t *json = parse(target, &answer);
    static const char *const keys[] = {"message", "description", "Message", "Description"};
    for (size_t i = 0; i < YK_COUNT(keys); i++) {
        if (strcmp(look_text(json, keys[i]), text) != 0)
            fail_msg("%s: %s is '%s', not '%s'", target, keys[i], look_text(json, keys[i]), text);
    }
    assert_int_equal(look_int(json, "status_code"), status);
    assert_int_equal(look_int(json, "StatusCode"), status);
    assert_string_equal(answer.content_type, "application/json; charset=UTF-8");
    assert_string_equal(answer.cors_methods, "GET, OPTIONS");
    json_decref(json);
    yk_answer_done(&answer);
}

void browse_errors(struct world *world, const struct browse_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        print_message("%s\n", cases[i].what);
        browse_error(world, cases[i].target, cases[i].status, cases[i].text);
    }
}

/* A key that has dots in it is found when it is the rest of the path. */
const json_t *look(const json_t *json, const char *path)
{
    struct yk_str rest = yk_str_from(path), part;
    while (json != NULL && rest.p != NULL) {
        char key[256];
        if (json_is_object(json) && json_object_get(json, rest.p) != NULL)
            return json_object_get(json, rest.p);
        (void)yk_str_split(&rest, '.', &part); /* there is a part */
        (void)snprintf(key, sizeof(key), YK_STR_FMT, YK_STR_ARG(part));
        json =
            json_is_array(json) ? json_array_get(json, strtoul(key, NULL, 10)) : json_object_get(json, key);
    }
    return json;
}

const char *look_text(const json_t *json, const char *path)
{
    const json_t *found = look(json, path);
    if (!json_is_string(found))
        fail_msg("%s is not a string", path);
    return json_string_value(found);
}

json_int_t look_int(const json_t *json, const char *path)
{
    const json_t *found = look(json, path);
    if (!json_is_integer(found))
        fail_msg("%s is not an integer", path);
    return json_integer_value(found);
}

bool look_bool(const json_t *json, const char *path)
{
    const json_t *found = look(json, path);
    if (!json_is_boolean(found))
        fail_msg("%s is not a boolean", path);
    return json_boolean_value(found);
}
