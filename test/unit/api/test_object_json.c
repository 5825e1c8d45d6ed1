/* SPDX-License-Identifier: Apache-2.0 */
/* An object that is written as JSON and read again is the same. */
#include "api/json_reader.h"
#include "api/object_json.h"
#include "lib/object_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const struct {
    enum yk_kind kind;
    const char *file;
} files[] = {
    {YK_KIND_POD, "pod.json"},
    {YK_KIND_POD, "empty_pod.json"},
    {YK_KIND_NODE, "node.json"},
    {YK_KIND_NAMESPACE, "namespace.json"},
    {YK_KIND_PRIORITY_CLASS, "priority_class.json"},
    {YK_KIND_CONFIG_MAP, "config_map.json"},
    {YK_KIND_DISRUPTION_BUDGET, "disruption_budget.json"},
    {YK_KIND_VOLUME_CLAIM, "volume_claim.json"},
    {YK_KIND_VOLUME_CLAIM, "volume_claim_bare.json"},
    {YK_KIND_VOLUME, "volume_csi.json"},
    {YK_KIND_VOLUME, "volume_gce.json"},
    {YK_KIND_VOLUME, "volume_ebs.json"},
    {YK_KIND_VOLUME, "volume_rbd.json"},
    {YK_KIND_VOLUME, "volume_iscsi.json"},
    {YK_KIND_VOLUME, "volume_cinder.json"},
    {YK_KIND_VOLUME, "volume_azure.json"},
    {YK_KIND_VOLUME, "volume_portworx.json"},
    {YK_KIND_VOLUME, "volume_free.json"},
    {YK_KIND_STORAGE_CLASS, "storage_class.json"},
    {YK_KIND_CSI_NODE, "csi_node.json"},
    {YK_KIND_CSI_DRIVER, "csi_driver.json"},
    {YK_KIND_CSI_CAPACITY, "csi_capacity.json"},
    {YK_KIND_CSI_CAPACITY, "csi_capacity_bare.json"},
    {YK_KIND_VOLUME_ATTACHMENT, "volume_attachment.json"},
    {YK_KIND_VOLUME_ATTACHMENT, "volume_attachment_inline.json"},
};

static struct yk_object *read_json(enum yk_kind kind, struct yk_str text)
{
    struct yk_object *object = NULL;
    struct yk_err err = {0};
    if (yk_object_from_json(kind, text, &object, &err) != YK_OK)
        fail_msg("%s in " YK_STR_FMT, err.text, YK_STR_ARG(text));
    return object;
}

static void write_json(const struct yk_object *object, struct yk_buf *out)
{
    struct yk_json json;
    yk_json_init(&json, out);
    yk_object_to_json(object, &json);
}

static void every_kind_is_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < YK_COUNT(files); i++) {
        YK_CLEANUP(yk_buf_done) struct yk_buf text = {0}, written = {0};
        read_data(files[i].file, &text);
        YK_CLEANUP(yk_object_freep) struct yk_object *object = read_json(files[i].kind, yk_buf_view(&text));
        write_json(object, &written);
        YK_CLEANUP(yk_object_freep)
        struct yk_object *again = read_json(files[i].kind, yk_buf_view(&written));
        assert_objects_equal(files[i].file, object, again);
    }
}

static void quantities_and_times_are_exact(void **state)
{
    (void)state;
    static const char pod[] =
        "{\"metadata\":{\"name\":\"p\",\"creationTimestamp\":\"2026-01-02T03:04:05.123456789Z\"},\"spec\":{"
        "\"overhead\":{\"cpu\":\"1500m\",\"memory\":\"3Gi\",\"a/b\":\"1n\",\"c/d\":\"-7\",\"e/f\":\"0\"}}}";
    YK_CLEANUP(yk_buf_done) struct yk_buf written = {0};
    YK_CLEANUP(yk_object_freep) struct yk_object *object = read_json(YK_KIND_POD, YK_STR(pod));
    write_json(object, &written);
    assert_non_null(strstr(yk_buf_cstr(&written),
                           "\"cpu\":\"1500m\",\"memory\":\"3221225472\",\"a/b\":\"1n\","
                           "\"c/d\":\"-7\",\"e/f\":\"0\""));
    assert_non_null(strstr(yk_buf_cstr(&written), "2026-01-02T03:04:05.123456789Z"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read_back),
        cmocka_unit_test(quantities_and_times_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
