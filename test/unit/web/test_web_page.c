/* SPDX-License-Identifier: Apache-2.0 */
/* The web page: docs/reference/rest.md 1.8. */
#include "web/browser.h"

#include "web/web_page.h"

#include <zlib.h>

static struct yk_answer ask(struct world *world, const struct yk_web_query *query)
{
    struct yk_answer answer;
    yk_web_render(world->core, NULL, query, &answer);
    return answer;
}

static void unpack(const struct yk_buf *packed, struct yk_buf *out)
{
    z_stream stream = {.next_in = (Bytef *)packed->p, .avail_in = (uInt)packed->len};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    int state = Z_OK;
    while (state == Z_OK) {
        unsigned char piece[4096];
        stream.next_out = piece;
        stream.avail_out = sizeof(piece);
        state = inflate(&stream, Z_NO_FLUSH);
        yk_buf_add(out, piece, sizeof(piece) - stream.avail_out);
    }
    assert_int_equal(state, Z_STREAM_END);
    (void)inflateEnd(&stream); /* of a stream that was initialised */
}

static void browsers_get_a_page_and_others_a_text(void **state)
{
    (void)state;
    static const struct {
        const char *what, *accept;
        bool is_page;
    } cases[] = {
        {"a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true},
        {"upper case and blanks", "application/json, TEXT/HTML ; q=0.5", true},
        {"curl", "*/*", false},
        {"nothing", NULL, false},
        {"a script", "application/json", false},
        {"a name that only begins alike", "text/html5", false},
    };
    struct world world;
    world_init(&world, "");
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_answer answer =
            ask(&world, &(struct yk_web_query){.target = "/", .accept = cases[i].accept});
        bool is_page = strcmp(answer.content_type, "text/html; charset=utf-8") == 0 &&
                       strstr(yk_buf_cstr(&answer.body), "<!doctype html>") != NULL;
        if (answer.status != 200 || is_page != cases[i].is_page)
            fail_msg("%s: %d %s", cases[i].what, answer.status, answer.content_type);
        assert_string_equal(answer.vary, "Accept, Accept-Encoding");
        yk_answer_done(&answer);
    }
    world_done(&world);
}

static void files_come_packed_and_unpacked(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "");
    assert_int_equal(yk_page_file_count, 5);
    for (size_t i = 0; i < yk_page_file_count; i++) {
        const struct yk_page_file *file = &yk_page_files[i];
        const char *accept = strcmp(file->path, "/") == 0 ? "text/html" : NULL;
        struct yk_web_query query = {.target = file->path, .accept = accept};
        struct yk_answer plain = ask(&world, &query);
        query.accept_encoding = "gzip, br";
        struct yk_answer packed = ask(&world, &query);
        YK_CLEANUP(yk_buf_done) struct yk_buf unpacked = {0};
        assert_int_equal(plain.status, 200);
        assert_false(plain.gzipped);
        assert_true(packed.gzipped);
        assert_int_equal(packed.body.len, file->len);
        unpack(&packed.body, &unpacked);
        assert_int_equal(unpacked.len, plain.body.len);
        assert_memory_equal(unpacked.p, plain.body.p, plain.body.len);
        assert_string_equal(plain.content_type, file->type);
        yk_answer_done(&plain);
        yk_answer_done(&packed);
    }
    world_done(&world);
}

static bool has_header(const struct yk_answer *answer, const char *line)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf headers = {0};
    yk_answer_headers(answer, &headers);
    return strstr(yk_buf_cstr(&headers), line) != NULL;
}

static void headers_keep_other_sites_out(void **state)
{
    (void)state;
    struct world world;
    world_init(&world, "");
    struct yk_answer answer = browse(&world, "/ui/app.js", 200);
    assert_true(has_header(&answer, "Content-Type: text/javascript; charset=utf-8\r\n"));
    assert_true(has_header(&answer, "X-Content-Type-Options: nosniff\r\n"));
    assert_true(has_header(&answer, "Content-Security-Policy: default-src 'none'; script-src 'self';"));
    assert_true(has_header(&answer, "frame-ancestors 'none'\r\n"));
    assert_true(has_header(&answer, "Referrer-Policy: no-referrer\r\n"));
    assert_true(has_header(&answer, "Cache-Control: no-cache\r\n"));
    assert_true(has_header(&answer, "ETag: \""));
    assert_false(has_header(&answer, "Access-Control-Allow-Origin"));
    yk_answer_done(&answer);
    answer = browse(&world, "/ui/app.js?v=0123", 200);
    assert_true(has_header(&answer, "Cache-Control: public, max-age=31536000, immutable\r\n"));
    yk_answer_done(&answer);
    answer = browse(&world, "/ui/none.js", 404);
    assert_false(has_header(&answer, "ETag"));
    yk_answer_done(&answer);
    world_done(&world);
}

static void what_the_client_has_is_not_sent(void **state)
{
    (void)state;
    const struct yk_page_file *file = yk_page_find("/ui/app.css");
    YK_CLEANUP(yk_buf_done) struct yk_buf list = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf weak = {0};
    yk_buf_printf(&list, "\"other\", %s", file->etag);
    yk_buf_printf(&weak, "W/%s", file->etag);
    const struct {
        const char *sent; /* NULL: not sent */
        int status;
    } cases[] = {
        {file->etag, 304},  {"*", 304}, {yk_buf_cstr(&list), 304}, {yk_buf_cstr(&weak), 304}, {NULL, 200},
        {"\"other\"", 200}, {"", 200},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_answer answer;
        struct yk_str sent = cases[i].sent == NULL ? (struct yk_str){0} : yk_str_from(cases[i].sent);
        yk_answer_init(&answer);
        yk_page_answer(file, true, sent, false, &answer);
        if (answer.status != cases[i].status || (answer.status == 304) != (answer.body.len == 0))
            fail_msg("case %zu: %d, %zu bytes", i, answer.status, answer.body.len);
        assert_string_equal(answer.etag, file->etag);
        yk_answer_done(&answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(browsers_get_a_page_and_others_a_text),
        cmocka_unit_test(files_come_packed_and_unpacked),
        cmocka_unit_test(headers_keep_other_sites_out),
        cmocka_unit_test(what_the_client_has_is_not_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
