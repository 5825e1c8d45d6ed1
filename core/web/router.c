/* SPDX-License-Identifier: Apache-2.0 */
#include "web/router.h"

#include <strings.h>

static const char *const method_names[] = {
    [YK_METHOD_GET] = "GET", [YK_METHOD_HEAD] = "HEAD",     [YK_METHOD_POST] = "POST",
    [YK_METHOD_PUT] = "PUT", [YK_METHOD_DELETE] = "DELETE", [YK_METHOD_OPTIONS] = "OPTIONS",
};

enum yk_method yk_method_from(struct yk_str text)
{
    for (size_t i = 0; i < YK_COUNT(method_names); i++) {
        if (method_names[i] != NULL && yk_str_is(text, method_names[i]))
            return (enum yk_method)i;
    }
    return YK_METHOD_OTHER;
}

const char *yk_method_name(enum yk_method method)
{
    return method != YK_METHOD_OTHER ? method_names[method] : "OTHER";
}

static enum yk_param param_of(struct yk_str name)
{
    static const char *const names[] = {":partition", ":queue", ":node",  ":application", ":state", ":user",
                                        ":group",     ":check", ":level", ":key",         ":id"};
    YK_INDEXED_BY(names, YK_PARAM_COUNT - 1);
    for (int i = 0; i < YK_PARAM_COUNT; i++) {
        if (yk_str_is(name, names[i]))
            return (enum yk_param)i;
    }
    (void)YK_ASSERT(false); /* a pattern with an unknown parameter */
    return YK_PARAM_CHECK;
}

struct attempt { /* comparisons of a path with patterns; results: of the last one */
    bool any_case;
    bool empty_last;                      /* a parameter at the end of the path may be empty */
    struct yk_str values[YK_PARAM_COUNT]; /* as sent */
    struct yk_buf *registered;            /* the path as the route spells it; may be NULL */
};

static bool literal_matches(struct yk_str literal, struct yk_str sent, bool any_case)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf decoded = {0};
    struct yk_str bad;
    if (sent.len > 0 && memchr(sent.p, '%', sent.len) != NULL) {
        if (!yk_percent_decode(sent, false, &decoded, &bad))
            return false;
        sent = (struct yk_str){yk_buf_cstr(&decoded), decoded.len};
    }
    if (sent.len != literal.len)
        return false;
    return any_case ? strncasecmp(literal.p, sent.p, literal.len) == 0 : yk_str_eq(literal, sent);
}

static bool segment_matches(struct attempt *attempt, struct yk_str wanted, struct yk_str sent, bool last)
{
    bool is_param = wanted.len > 0 && wanted.p[0] == ':';
    if (is_param && sent.len == 0 && last && !attempt->empty_last)
        return false; /* a parameter may be empty only in the middle of the path */
    if (!is_param && !literal_matches(wanted, sent, attempt->any_case))
        return false;
    if (is_param)
        attempt->values[param_of(wanted)] = sent;
    if (attempt->registered != NULL) {
        yk_buf_char(attempt->registered, '/');
        yk_buf_str(attempt->registered, is_param ? sent : wanted);
    }
    return true;
}

static bool matches(struct attempt *attempt, const char *pattern, struct yk_str path)
{
    if (path.len == 0 || path.p[0] != '/')
        return false;
    struct yk_str wanted = yk_str_from(pattern + 1), sent = {path.p + 1, path.len - 1}, want_part, sent_part;
    memset(attempt->values, 0, sizeof(attempt->values));
    if (attempt->registered != NULL)
        yk_buf_clear(attempt->registered);
    while (yk_str_split(&wanted, '/', &want_part)) {
        if (!yk_str_split(&sent, '/', &sent_part) ||
            !segment_matches(attempt, want_part, sent_part, wanted.p == NULL))
            return false;
    }
    return sent.p == NULL;
}

static enum yk_method served_as(enum yk_method method)
{
    return method == YK_METHOD_HEAD ? YK_METHOD_GET : method;
}

static const struct yk_route *lookup(struct attempt *attempt, enum yk_method method, struct yk_str path)
{
    for (size_t i = 0; i < yk_route_count; i++) {
        if (yk_routes[i].method == method && matches(attempt, yk_routes[i].pattern, path))
            return &yk_routes[i];
    }
    return NULL;
}

static bool decode_params(const struct attempt *attempt, struct yk_arena *arena, struct yk_match *match)
{
    for (int i = 0; i < YK_PARAM_COUNT; i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf decoded = {0};
        struct yk_str bad;
        if (attempt->values[i].p == NULL)
            continue;
        if (!yk_percent_decode(attempt->values[i], false, &decoded, &bad))
            return false;
        match->params[i] = yk_arena_str(arena, (struct yk_str){yk_buf_cstr(&decoded), decoded.len});
    }
    return true;
}

/* Whether the last parameter of the path is empty ("/node/"). Compat: YuniKorn 1.9 redirects to the path
 * without the slash, also if that path does not exist. */
static bool lacks_name(enum yk_method method, struct yk_str path, struct yk_buf *location)
{
    struct attempt attempt = {.empty_last = true, .registered = location};
    if (path.len < 2 || path.p[path.len - 1] != '/' || lookup(&attempt, method, path) == NULL)
        return false;
    location->len--; /* the slash */
    location->p[location->len] = '\0';
    return true;
}

/* Looks for a registered path: without the slash at the end, then in canonical form and in any case
 * (rest.md 1.2). */
static bool find_registered(enum yk_method method, struct yk_str path, struct yk_buf *location)
{
    struct attempt attempt = {.registered = location};
    YK_CLEANUP(yk_buf_done) struct yk_buf clean = {0};
    struct yk_str bare = path;
    if (bare.len > 1 && bare.p[bare.len - 1] == '/')
        bare.len--;
    if (bare.len != path.len && lookup(&attempt, method, bare) != NULL)
        return true;
    if (lacks_name(method, path, location))
        return true;
    yk_path_clean(path, &clean);
    while (clean.len > 1 && clean.p[clean.len - 1] == '/')
        clean.len--;
    attempt.any_case = true;
    return lookup(&attempt, method, yk_buf_view(&clean)) != NULL;
}

/* In alphabetical order, as in YuniKorn 1.9. */
static const enum yk_method served[] = {YK_METHOD_DELETE, YK_METHOD_GET, YK_METHOD_OPTIONS, YK_METHOD_POST,
                                        YK_METHOD_PUT};

/* Appends the methods of the path to `allow`. Returns one of its routes, an open one if possible; NULL: there
 * is no such path. */
static const struct yk_route *lookup_all(struct yk_str path, struct yk_buf *allow)
{
    struct attempt attempt = {0};
    const struct yk_route *found = NULL;
    for (size_t i = 0; i < YK_COUNT(served); i++) {
        const struct yk_route *route = lookup(&attempt, served[i], path);
        if (route == NULL && served[i] != YK_METHOD_OPTIONS)
            continue;
        yk_buf_printf(allow, "%s%s", allow->len > 0 ? ", " : "", yk_method_name(served[i]));
        if (found == NULL || (found->guard != YK_GUARD_OPEN && route != NULL))
            found = route;
    }
    return found;
}

void yk_route_find(enum yk_method method, struct yk_str path, struct yk_arena *arena,
                   struct yk_match *ret_match)
{
    struct attempt attempt = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf location = {0};
    enum yk_method wanted = served_as(method);
    *ret_match = (struct yk_match){.routing = YK_ROUTE_UNKNOWN};
    const struct yk_route *route = lookup(&attempt, wanted, path);
    if (route != NULL) {
        bool decoded = decode_params(&attempt, arena, ret_match);
        ret_match->routing = decoded ? YK_ROUTE_FOUND : YK_ROUTE_MALFORMED;
        ret_match->route = route;
        return;
    }
    if ((wanted == YK_METHOD_GET || wanted == YK_METHOD_POST) && find_registered(wanted, path, &location)) {
        ret_match->routing = YK_ROUTE_REDIRECT;
        ret_match->location = yk_arena_str(arena, yk_buf_view(&location));
        return;
    }
    YK_CLEANUP(yk_buf_done) struct yk_buf allow = {0};
    route = lookup_all(path, &allow);
    if (route == NULL)
        return;
    ret_match->routing = method == YK_METHOD_OPTIONS ? YK_ROUTE_OPTIONS : YK_ROUTE_METHOD;
    ret_match->route = route;
    ret_match->allow = yk_arena_str(arena, yk_buf_view(&allow)).p;
}
