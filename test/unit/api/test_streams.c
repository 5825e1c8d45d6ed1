/* SPDX-License-Identifier: Apache-2.0 */
#include "api/fields.h"
#include "api/list_reader.h"
#include "api/watch_reader.h"
#include "lib/object_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { JSON = YK_WIRE_JSON, PROTOBUF = YK_WIRE_PROTOBUF };

/* --- watch --- */

static void check_event(size_t number, struct yk_event_message *event)
{
    assert_int_equal(event->type, (enum yk_k8s_event_type)number); /* the file has one of each, in order */
    if (event->type == YK_EVENT_ERROR) {
        assert_int_equal(event->status.code, 410);
    } else if (event->type == YK_EVENT_BOOKMARK) {
        assert_true(event->is_list_end);
        assert_string_equal(event->object->resource_version.p, "99");
    } else {
        assert_string_equal(event->object->name.p, "pod-1");
        assert_false(event->is_list_end);
    }
    yk_event_message_done(event);
}

static size_t feed_watch(struct yk_watch_reader *reader, struct yk_str bytes, size_t seen)
{
    struct yk_event_message event;
    struct yk_err err = {0};
    bool has_event = true;
    while (bytes.len > 0 && has_event) {
        if (yk_watch_reader_next(reader, &bytes, &event, &has_event, &err) != YK_OK)
            fail_msg("event %zu: %s", seen, err.text);
        if (has_event)
            check_event(seen++, &event);
    }
    assert_int_equal(bytes.len, 0);
    return seen;
}

static void chunks_do_not_matter_to_a_watch(void **state)
{
    (void)state;
    static const char *const names[] = {[JSON] = "watch.json", [PROTOBUF] = "watch.pb"};
    static const size_t chunks[] = {1, 2, 3, 7, 64, 1000, 4096, 1 << 20};
    for (int format = JSON; format <= PROTOBUF; format++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        read_data(names[format], &raw);
        for (size_t i = 0; i < YK_COUNT(chunks); i++) {
            struct yk_watch_reader reader;
            yk_watch_reader_init(&reader, YK_KIND_POD, (enum yk_wire_format)format);
            size_t seen = 0;
            for (size_t at = 0; at < raw.len; at += chunks[i])
                seen =
                    feed_watch(&reader, (struct yk_str){raw.p + at, YK_MIN(chunks[i], raw.len - at)}, seen);
            assert_int_equal(seen, 5);
            assert_true(yk_watch_reader_is_between(&reader));
            yk_watch_reader_done(&reader);
        }
    }
}

static void a_cut_watch_is_noticed(void **state)
{
    (void)state;
    static const char *const names[] = {[JSON] = "watch.json", [PROTOBUF] = "watch.pb"};
    for (int format = JSON; format <= PROTOBUF; format++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        read_data(names[format], &raw);
        struct yk_watch_reader reader;
        yk_watch_reader_init(&reader, YK_KIND_POD, (enum yk_wire_format)format);
        assert_int_equal(feed_watch(&reader, (struct yk_str){raw.p, raw.len / 2}, 0), 1);
        assert_false(yk_watch_reader_is_between(&reader));
        yk_watch_reader_done(&reader);
    }
}

static void one_bad_event_does_not_stop_the_watch(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *reason;
    } cases[] = {
        {"no JSON inside", "{\"type\":nonsense}", "not JSON"},
        {"unknown type", "{\"type\":\"GONE\",\"object\":{}}", "unknown type 'GONE'"},
        {"no type", "{\"object\":{}}", "unknown type ''"},
        {"no object", "{\"type\":\"ADDED\"}", "without an object"},
        {"object of another kind", "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\"}}",
         "'Node' is not a Pod"},
        {"error without a status", "{\"type\":\"ERROR\",\"object\":{}}", "'' is not a Status"},
        {"not even an object", "[1,2]", "unknown type ''"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_watch_reader reader;
        struct yk_event_message event;
        struct yk_err err;
        bool has_event;
        struct yk_str good =
            YK_STR("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"5\"}}}");
        struct yk_str bytes = yk_str_from(cases[i].text);
        yk_watch_reader_init(&reader, YK_KIND_POD, YK_WIRE_JSON);
        assert_int_equal(yk_watch_reader_next(&reader, &bytes, &event, &has_event, &err), YK_OK);
        if (!has_event || event.type != YK_EVENT_REFUSED ||
            strstr(event.refused.text, cases[i].reason) == NULL)
            fail_msg("%s: got '%s'", cases[i].what, event.refused.text);
        yk_event_message_done(&event);
        assert_int_equal(yk_watch_reader_next(&reader, &good, &event, &has_event, &err), YK_OK);
        assert_int_equal(event.type, YK_EVENT_BOOKMARK);
        assert_false(event.is_list_end);
        yk_event_message_done(&event);
        yk_watch_reader_done(&reader);
    }
}

static void a_watch_out_of_step_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int format;
        struct yk_str bytes;
        enum yk_status want;
    } cases[] = {
        {"text instead of JSON", JSON, YK_STR("  hello"), YK_ERR_INVALID},
        {"a closing brace first", JSON, YK_STR("}"), YK_ERR_INVALID},
        {"HTML instead of frames", PROTOBUF, YK_STR("<html>"), YK_ERR_LIMIT},
        {"a frame of 4 GiB", PROTOBUF, YK_STR("\xff\xff\xff\xff"), YK_ERR_LIMIT},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_watch_reader reader;
        struct yk_event_message event;
        struct yk_str bytes = cases[i].bytes;
        struct yk_err err = {0};
        bool has_event;
        yk_watch_reader_init(&reader, YK_KIND_POD, (enum yk_wire_format)cases[i].format);
        enum yk_status st = yk_watch_reader_next(&reader, &bytes, &event, &has_event, &err);
        if (st != cases[i].want || err.text[0] == '\0')
            fail_msg("%s: got %s '%s'", cases[i].what, yk_status_word(st), err.text);
        yk_watch_reader_done(&reader);
    }
}

static void splitters_are_bounded(void **state)
{
    (void)state;
    struct yk_json_splitter json;
    struct yk_frame_splitter frames;
    struct yk_err err;
    struct yk_str document;
    yk_json_splitter_init(&json, 8);
    struct yk_str small = YK_STR(" {\"a\":1}\n[\"]\\\"{\"] "), large = YK_STR("{\"abc\":12}");
    assert_int_equal(yk_json_splitter_next(&json, &small, &document, &err), YK_OK);
    assert_true(yk_str_is(document, "{\"a\":1}"));
    assert_int_equal(yk_json_splitter_next(&json, &small, &document, &err), YK_OK);
    assert_true(yk_str_is(document, "[\"]\\\"{\"]"));
    assert_int_equal(yk_json_splitter_next(&json, &small, &document, &err), YK_OK);
    assert_null(document.p);
    assert_int_equal(yk_json_splitter_next(&json, &large, &document, &err), YK_ERR_LIMIT);
    yk_json_splitter_done(&json);

    yk_frame_splitter_init(&frames, 4);
    struct yk_str two = YK_STR("\0\0\0\2ab\0\0\0\0\0\0\0\5");
    assert_int_equal(yk_frame_splitter_next(&frames, &two, &document, &err), YK_OK);
    assert_true(yk_str_is(document, "ab"));
    assert_int_equal(yk_frame_splitter_next(&frames, &two, &document, &err), YK_OK);
    assert_non_null(document.p); /* empty, but there */
    assert_int_equal(document.len, 0);
    assert_int_equal(yk_frame_splitter_next(&frames, &two, &document, &err), YK_ERR_LIMIT);
    yk_frame_splitter_done(&frames);
}

/* --- lists --- */

struct page {
    char names[64];
    struct yk_err refused;
    int items;
};

static void take_item(void *context, struct yk_object *object)
{
    struct page *page = context;
    size_t len = strlen(page->names);
    (void)snprintf(page->names + len, sizeof(page->names) - len, "%s,", object->name.p);
    page->items++;
    yk_object_free(object);
}

static void take_refused(void *context, const struct yk_err *reason)
{
    ((struct page *)context)->refused = *reason;
}

static enum yk_status read_page(int format, struct yk_str bytes, size_t chunk, struct page *page,
                                struct yk_list_meta *meta, struct yk_err *err)
{
    const struct yk_list_sink sink = {take_item, take_refused, page};
    YK_CLEANUP(yk_list_reader_freep)
    struct yk_list_reader *reader = yk_list_reader_new(YK_KIND_POD, (enum yk_wire_format)format, &sink);
    enum yk_status st = YK_OK;
    *page = (struct page){0};
    for (size_t at = 0; st == YK_OK && at < bytes.len; at += chunk) {
        size_t len = YK_MIN(chunk, bytes.len - at);
        YK_CLEANUP(yk_freep) char *copy = yk_strndup(bytes.p + at, len); /* the sanitizer sees its end */
        st = yk_list_reader_feed(reader, (struct yk_str){copy, len}, err);
    }
    return st == YK_OK ? yk_list_reader_finish(reader, meta, err) : st;
}

static const char *const list_names[] = {[JSON] = "pod_list.json", [PROTOBUF] = "pod_list.pb"};
static const char *const empty_names[] = {[JSON] = "empty_list.json", [PROTOBUF] = "empty_list.pb"};

static void chunks_do_not_matter_to_a_list(void **state)
{
    (void)state;
    static const size_t chunks[] = {1, 2, 5, 100, 5000, 1 << 20};
    for (int format = JSON; format <= PROTOBUF; format++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        read_data(list_names[format], &raw);
        for (size_t i = 0; i < YK_COUNT(chunks); i++) {
            struct yk_list_meta meta;
            struct yk_err err = {0};
            struct page page;
            if (read_page(format, yk_buf_view(&raw), chunks[i], &page, &meta, &err) != YK_OK)
                fail_msg("%s in chunks of %zu: %s", list_names[format], chunks[i], err.text);
            assert_string_equal(page.names, "a,b,c,");
            assert_string_equal(meta.resource_version, "4711");
            assert_string_equal(meta.continue_token, "next-page");
            free(meta.continue_token);
        }
    }
}

static void an_empty_list_is_a_list(void **state)
{
    (void)state;
    for (int format = JSON; format <= PROTOBUF; format++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        struct yk_list_meta meta;
        struct yk_err err = {0};
        struct page page;
        read_data(empty_names[format], &raw);
        if (read_page(format, yk_buf_view(&raw), 10, &page, &meta, &err) != YK_OK)
            fail_msg("%s: %s", empty_names[format], err.text);
        assert_int_equal(page.items, 0);
        assert_string_equal(meta.resource_version, "12");
        assert_null(meta.continue_token);
    }
}

static void a_cut_list_is_no_list(void **state)
{
    (void)state;
    for (int format = JSON; format <= PROTOBUF; format++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf raw = {0};
        read_data(list_names[format], &raw);
        /* Behind the list the envelope only says its (empty) encoding: without that nothing is missing. */
        size_t end = raw.len - (format == JSON ? 2 : 5);
        for (size_t missing = 0; missing <= end; missing += 13) {
            size_t len = end - missing;
            struct yk_list_meta meta;
            struct page page;
            if (read_page(format, (struct yk_str){raw.p, len}, 4096, &page, &meta, NULL) == YK_OK)
                fail_msg("%s cut at %zu of %zu was accepted", list_names[format], len, raw.len);
        }
    }
}

static void what_is_no_list_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int format;
        struct yk_str bytes;
        const char *reason;
    } cases[] = {
        {"nothing", JSON, YK_STR(""), "ends in the middle"},
        {"an empty object", JSON, YK_STR("{}"), "'' is not a PodList"},
        {"a status", JSON, YK_STR("{\"kind\":\"Status\",\"metadata\":{}}"), "'Status' is not a PodList"},
        {"kind too deep", JSON, YK_STR("{\"x\":{\"kind\":\"PodList\"}}"), "'' is not a PodList"},
        {"text", JSON, YK_STR("oops"), "unexpected byte"},
        {"more behind it", JSON, YK_STR("{\"kind\":\"PodList\"}{"), "unexpected byte"},
        {"numbers as items", JSON, YK_STR("{\"kind\":\"PodList\",\"items\":[1]}"), "unexpected byte"},
        {"bad metadata", JSON, YK_STR("{\"metadata\":{\"resourceVersion\":1}}"),
         "resourceVersion: is an integer"},
        {"JSON as protobuf", PROTOBUF, YK_STR("{\"kind\":\"PodList\"}"), "does not begin like"},
        {"a status as protobuf", PROTOBUF, YK_STR("k8s\0\x0a\x08\x12\x06Status"),
         "'Status' is not a PodList"},
        {"no kind at all", PROTOBUF, YK_STR("k8s\0\x12\x00"), "'' is not a PodList"},
        {"item longer than its list", PROTOBUF,
         YK_STR("k8s\0\x12\x03\x12\x05"
                "abcdefgh"),
         "longer than the list"},
        {"item of 4 GiB", PROTOBUF, YK_STR("k8s\0\x12\xff\xff\xff\xff\x7f\x12\xff\xff\xff\xff\x0f"),
         "is larger than"},
        {"a group", PROTOBUF, YK_STR("k8s\0\x12\x02\x0b\x0c"), "malformed"},
    };
    for (size_t i = 0; i < YK_COUNT(cases); i++) {
        struct yk_list_meta meta;
        struct yk_err err = {0};
        struct page page;
        enum yk_status st = read_page(cases[i].format, cases[i].bytes, 3, &page, &meta, &err);
        if (st == YK_OK || strstr(err.text, cases[i].reason) == NULL)
            fail_msg("%s: got %s '%s'", cases[i].what, yk_status_word(st), err.text);
    }
}

static void one_bad_item_does_not_stop_the_list(void **state)
{
    (void)state;
    struct yk_list_meta meta;
    struct yk_err err = {0};
    struct page page;
    struct yk_str bytes = YK_STR(
        "{\"items\": [ {\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"},\"spec\":{\"overhead\":"
        "{\"cpu\":\"?\"}}} ,\n{\"metadata\":{\"name\":\"c \\\"] "
        "\"}}],\"apiVersion\":\"v1\",\"kind\":\"PodList\","
        "\"metadata\":{\"resourceVersion\":\"8\"}}\n");
    if (read_page(JSON, bytes, 1, &page, &meta, &err) != YK_OK)
        fail_msg("%s", err.text);
    assert_string_equal(page.names, "a,c \"] ,");
    assert_string_equal(meta.resource_version, "8");
    assert_non_null(strstr(page.refused.text, "Pod 'b'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_do_not_matter_to_a_watch),
        cmocka_unit_test(a_cut_watch_is_noticed),
        cmocka_unit_test(one_bad_event_does_not_stop_the_watch),
        cmocka_unit_test(a_watch_out_of_step_is_an_error),
        cmocka_unit_test(splitters_are_bounded),
        cmocka_unit_test(chunks_do_not_matter_to_a_list),
        cmocka_unit_test(an_empty_list_is_a_list),
        cmocka_unit_test(a_cut_list_is_no_list),
        cmocka_unit_test(what_is_no_list_is_refused),
        cmocka_unit_test(one_bad_item_does_not_stop_the_list),
    };
    return cmocka_run_group_tests_name("api/streams", tests, NULL, NULL);
}
