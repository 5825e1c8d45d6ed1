/* SPDX-License-Identifier: Apache-2.0 */
#include "web/route_job.h"

#include "web/gzip.h"

enum { NAME_SHOWN_MAX = 64 }; /* bytes of the name of a parameter in an error */

/* The methods that pages of other sites may use. NULL: none, as on guarded routes. */
static const char *cors_of(const struct yk_route *route)
{
    if (!route->is_api || route->guard != YK_GUARD_OPEN)
        return NULL;
    return route->method == YK_METHOD_POST ? "OPTIONS, POST" : "GET, OPTIONS";
}

static const struct yk_route *variant_for(const struct yk_route *route, struct yk_str query)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf value = {0};
    bool is_variant = route->variant_key != NULL && yk_query_get(query, route->variant_key, &value) &&
                      value.len > 0 && !yk_str_is(yk_buf_view(&value), "0");
    return is_variant ? route + 1 : route;
}

/* Routes with `is_api` have the headers of rest.md 1.3 whatever the status is. */
static void apply_route(struct yk_job *job)
{
    job->route = variant_for(job->request.match.route, job->request.target.query);
    job->guard = job->route->guard;
    if (!job->route->is_api)
        return;
    job->answer.content_type = YK_TYPE_JSON;
    job->answer.cors_methods = cors_of(job->route);
}

/* Refuses a query that cannot be decoded, so that none of its parameters is ignored. Probes and the web page
 * answer all the same. */
static bool refuse_query(struct yk_job *job, const struct yk_route *route)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    struct yk_str name, bad;
    if (route->is_probe || route->is_public || yk_query_check(job->request.target.query, &name, &bad))
        return false;
    name.len = YK_MIN(name.len, (size_t)NAME_SHOWN_MAX);
    yk_buf_printf(&message, "invalid URL escape \"" YK_STR_FMT "\" in query parameter \"" YK_STR_FMT "\"",
                  YK_STR_ARG(bad), YK_STR_ARG(name));
    yk_answer_error(&job->answer, 400, yk_buf_cstr(&message));
    job->answer.cors_methods = cors_of(route);
    return true;
}

static bool answer_without_work(struct yk_job *job)
{
    const struct yk_match *match = &job->request.match;
    bool is_post = job->request.method == YK_METHOD_POST;
    switch (match->routing) {
    case YK_ROUTE_FOUND:
        if (refuse_query(job, match->route))
            return true;
        apply_route(job);
        return false;
    case YK_ROUTE_REDIRECT:
        job->answer.no_sniff = job->answer.no_store = false;
        yk_answer_redirect(&job->answer, is_post ? 307 : 301, match->location, job->request.target.query,
                           !is_post);
        return true;
    case YK_ROUTE_OPTIONS:
        job->answer.cors_methods = cors_of(match->route);
        job->answer.allow = match->allow;
        return true;
    case YK_ROUTE_METHOD:
        yk_answer_text(&job->answer, 405, "Method Not Allowed\n");
        job->answer.allow = match->allow;
        return true;
    case YK_ROUTE_UNKNOWN:
        yk_answer_text(&job->answer, 404, "404 page not found\n");
        return true;
    case YK_ROUTE_MALFORMED:
        yk_answer_text(&job->answer, 400, "400 Bad Request\n");
        return true;
    }
    return true;
}

bool yk_job_route(struct yk_job *job, struct yk_str method, struct yk_str target, struct yk_str accept,
                  struct yk_str accept_encoding)
{
    struct yk_request *request = &job->request;
    request->method = yk_method_from(method);
    request->accept = yk_arena_str(&request->arena, accept);
    request->gzip = yk_gzip_accepted(accept_encoding);
    if (!yk_target_parse(yk_arena_str(&request->arena, target), &request->target)) {
        request->match.routing = YK_ROUTE_UNKNOWN;
        yk_answer_text(&job->answer, 404, "404 page not found\n");
        return false;
    }
    yk_route_find(request->method, request->target.path, &request->arena, &request->match);
    return !answer_without_work(job);
}
