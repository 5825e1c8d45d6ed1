/* SPDX-License-Identifier: Apache-2.0 */
#include "web/answer.h"

#include "base/json_writer.h"

void yk_answer_init(struct yk_answer *answer)
{
    *answer = (struct yk_answer){.status = 200, .no_sniff = true, .no_store = true, .total_count = -1};
    answer->body.max = YK_ANSWER_BODY_MAX;
}

void yk_answer_done(struct yk_answer *answer)
{
    yk_buf_done(&answer->body);
    yk_buf_done(&answer->location);
    yk_buf_done(&answer->next_after);
}

/* Writes each key twice: YuniKorn sends it in lower case, and its web UI reads it capitalised (rest.md
 * 9.4). */
void yk_answer_error(struct yk_answer *answer, int status, const char *text)
{
    struct yk_json json;
    yk_buf_clear(&answer->body);
    answer->status = status;
    answer->total_count = -1;
    yk_buf_clear(&answer->next_after);
    answer->content_type = YK_TYPE_JSON;
    yk_json_init(&json, &answer->body);
    yk_json_object_begin(&json);
    yk_json_add_int(&json, "status_code", status);
    yk_json_add_text(&json, "message", text);
    yk_json_add_text(&json, "description", text);
    yk_json_add_int(&json, "StatusCode", status);
    yk_json_add_text(&json, "Message", text);
    yk_json_add_text(&json, "Description", text);
    yk_json_object_end(&json);
    yk_buf_char(&answer->body, '\n');
}

void yk_answer_text(struct yk_answer *answer, int status, const char *text)
{
    yk_buf_clear(&answer->body);
    answer->status = status;
    answer->content_type = YK_TYPE_TEXT;
    yk_buf_text(&answer->body, text);
}

static void put_html(struct yk_buf *out, struct yk_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        switch (text.p[i]) {
        case '<':
            yk_buf_text(out, "&lt;");
            break;
        case '>':
            yk_buf_text(out, "&gt;");
            break;
        case '&':
            yk_buf_text(out, "&amp;");
            break;
        case '"':
            yk_buf_text(out, "&#34;");
            break;
        case '\'':
            yk_buf_text(out, "&#39;");
            break;
        default:
            yk_buf_char(out, text.p[i]);
        }
    }
}

void yk_answer_redirect(struct yk_answer *answer, int status, struct yk_str path, struct yk_str query,
                        bool with_body)
{
    answer->status = status;
    yk_buf_clear(&answer->location);
    yk_buf_str(&answer->location, path);
    if (query.p != NULL) {
        yk_buf_char(&answer->location, '?');
        yk_buf_str(&answer->location, query);
    }
    yk_buf_clear(&answer->body);
    if (!with_body)
        return;
    answer->content_type = YK_TYPE_HTML;
    yk_buf_text(&answer->body, "<a href=\"");
    put_html(&answer->body, yk_buf_view(&answer->location));
    yk_buf_printf(&answer->body, "\">%s</a>.\n\n", yk_answer_reason(status));
}

static void header(struct yk_buf *out, const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0')
        yk_buf_printf(out, "%s: %s\r\n", name, value);
}

/* Limits what a page may do: it runs only scripts of this server, connects only to this server, and is not
 * shown in a frame. */
static void page_headers(struct yk_buf *out)
{
    header(out, "Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
           "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    header(out, "Referrer-Policy", "no-referrer");
}

void yk_answer_headers(const struct yk_answer *answer, struct yk_buf *out)
{
    header(out, "Content-Type", answer->content_type);
    if (answer->cors_methods != NULL) {
        header(out, "Access-Control-Allow-Origin", "*");
        header(out, "Access-Control-Allow-Methods", answer->cors_methods);
        header(out, "Access-Control-Allow-Headers", "X-Requested-With,Content-Type,Accept,Origin");
        if (answer->etag != NULL || answer->total_count >= 0)
            header(out, "Access-Control-Expose-Headers", "ETag,X-Next-After,X-Total-Count");
    }
    header(out, "Allow", answer->allow);
    header(out, "Location", yk_buf_cstr(&answer->location));
    header(out, "X-Content-Type-Options", answer->no_sniff ? "nosniff" : NULL);
    header(out, "Cache-Control",
           answer->cache_control != NULL ? answer->cache_control
           : answer->etag != NULL        ? "private, no-cache"
           : answer->no_store            ? "no-store"
                                         : NULL);
    header(out, "ETag", answer->etag);
    if (answer->total_count >= 0)
        yk_buf_printf(out, "X-Total-Count: %lld\r\n", (long long)answer->total_count);
    header(out, "X-Next-After", answer->next_after.len > 0 ? yk_buf_cstr(&answer->next_after) : NULL);
    header(out, "Content-Encoding", answer->gzipped ? "gzip" : NULL);
    bool varies = answer->gzipped || answer->etag != NULL;
    header(out, "Vary", answer->vary != NULL ? answer->vary : varies ? "Accept-Encoding" : NULL);
    if (answer->is_page)
        page_headers(out);
    header(out, "WWW-Authenticate", answer->status == 401 ? "Bearer" : NULL);
    header(out, "Retry-After", answer->retry_later ? "1" : NULL);
    if (answer->request_id.len > 0)
        yk_buf_printf(out, "X-Request-Id: " YK_STR_FMT "\r\n", YK_STR_ARG(answer->request_id));
}

bool yk_answer_is_request_id(struct yk_str id)
{
    enum { REQUEST_ID_MAX = 128 };
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:/+=";
    for (size_t i = 0; i < id.len; i++) {
        if (memchr(allowed, id.p[i], sizeof(allowed) - 1) == NULL)
            return false;
    }
    return id.len > 0 && id.len <= REQUEST_ID_MAX;
}

static struct yk_str without_weak(struct yk_str tag)
{
    return yk_str_starts(tag, "W/") ? (struct yk_str){tag.p + 2, tag.len - 2} : tag;
}

bool yk_answer_is_known(struct yk_str if_none_match, const char *etag)
{
    struct yk_str rest = if_none_match, tag, wanted = without_weak(yk_str_from(etag));
    if (if_none_match.p == NULL)
        return false;
    while (yk_str_split(&rest, ',', &tag)) {
        tag = yk_str_trim(tag);
        if (yk_str_is(tag, "*") || yk_str_eq(without_weak(tag), wanted))
            return true;
    }
    return false;
}

const char *yk_answer_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {202, "Accepted"},
        {301, "Moved Permanently"},
        {304, "Not Modified"},
        {307, "Temporary Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {409, "Conflict"},
        {410, "Gone"},
        {413, "Request Entity Too Large"},
        {415, "Unsupported Media Type"},
        {417, "Expectation Failed"},
        {422, "Unprocessable Entity"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < YK_COUNT(reasons); i++) {
        if (reasons[i].status == status)
            return reasons[i].reason;
    }
    return "Status";
}
