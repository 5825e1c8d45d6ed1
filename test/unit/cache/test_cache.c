/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/cache.h"

#include "lib/kube_objects.h"

#include "lib/cmocka_headers.h"

/* Everything the cache reports, as text. */
struct seen {
    struct yk_cache cache;
    struct yk_buf log;
};

static void say(void *context, const char *what, struct yk_str name, uint32_t changes)
{
    struct seen *seen = context;
    yk_buf_printf(&seen->log, "%s%s " YK_STR_FMT, seen->log.len > 0 ? "; " : "", what, YK_STR_ARG(name));
    static const struct {
        uint32_t bit;
        const char *word;
    } words[] = {{YK_CHANGED_NODE, "node"},           {YK_CHANGED_DOUBTED, "doubted"},
                 {YK_CHANGED_CONFIRMED, "confirmed"}, {YK_CHANGED_SIZE, "size"},
                 {YK_CHANGED_DELETING, "deleting"},   {YK_CHANGED_CONSTRAINTS, "constraints"},
                 {YK_CHANGED_CORDON, "cordon"}};
    for (size_t i = 0; i < YK_COUNT(words); i++) {
        if ((changes & words[i].bit) != 0)
            yk_buf_printf(&seen->log, " %s", words[i].word);
    }
}

static void pod_added(void *c, struct yk_cache_pod *pod, const struct yk_pod *o)
{
    (void)o, say(c, "+", yk_cache_pod_uid(pod), 0);
}
static void pod_changed(void *c, struct yk_cache_pod *pod, const struct yk_pod *o, uint32_t changes)
{
    (void)o;
    say(c, "~", yk_cache_pod_uid(pod), changes);
}
static void pod_removed(void *c, struct yk_cache_pod *pod)
{
    say(c, "-", yk_cache_pod_uid(pod), 0);
}
static void node_added(void *c, struct yk_cache_node *node)
{
    say(c, "+node", yk_str_from(node->uid), 0);
}
static void node_changed(void *c, struct yk_cache_node *node, uint32_t changes)
{
    say(c, "~node", yk_str_from(node->uid), changes);
}
static void node_removed(void *c, struct yk_cache_node *node)
{
    struct seen *seen = c;
    say(c, "-node", yk_str_from(node->uid), 0);
    struct yk_cache_pod *pod;
    yk_list_foreach (pod, &node->pods, struct yk_cache_pod, on_node)
        yk_cache_forget(&seen->cache, pod);
}
static void config_changed(void *c)
{
    say(c, "config", YK_STR(""), 0);
}
static void listed(void *c, enum yk_kind kind)
{
    say(c, "listed", yk_str_from(yk_kind_name(kind)), 0);
}

static const struct yk_cache_observer template = {NULL,       pod_added,    pod_changed,  pod_removed,
                                                  node_added, node_changed, node_removed, config_changed,
                                                  listed,     NULL};
static struct yk_cache_observer observer;

static int set_up(void **state)
{
    struct seen *seen = yk_new0(struct seen);
    observer = template;
    observer.context = seen;
    yk_cache_init(&seen->cache, &observer, "yunikorn");
    *state = seen;
    return 0;
}

static int tear_down(void **state)
{
    struct seen *seen = *state;
    yk_cache_done(&seen->cache);
    yk_buf_done(&seen->log);
    free(seen);
    return 0;
}

static void check(struct seen *seen, const char *what, const char *want)
{
    if (strcmp(yk_buf_cstr(&seen->log), want) != 0)
        fail_msg("%s: got '%s', want '%s'", what, yk_buf_cstr(&seen->log), want);
    yk_buf_clear(&seen->log);
    if (seen->log.p != NULL)
        seen->log.p[0] = '\0';
}

static void put(struct seen *seen, void *object)
{
    struct yk_object *o = object;
    yk_cache_apply(&seen->cache, o->kind, YK_WATCH_UPSERT, o);
}

static void gone(struct seen *seen, void *object)
{
    struct yk_object *o = object;
    yk_cache_apply(&seen->cache, o->kind, YK_WATCH_DELETED, o);
}

static struct yk_pod *pod_on(const char *name, const char *version, const char *node)
{
    struct yk_pod *pod = make_pod("ns", name, version);
    add_container(pod, "c", "cpu=1");
    if (node != NULL)
        set_text(&pod->object, &pod->node_name, node);
    return pod;
}

static void list_again(struct seen *seen, enum yk_kind kind, enum yk_watch_event event)
{
    yk_cache_apply(&seen->cache, kind, event, NULL);
}

static void differences(void **state)
{
    struct seen *seen = *state;
    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    put(seen, pod_on("a", "1", NULL));
    put(seen, pod_on("b", "2", NULL));
    put(seen, pod_on("c", "3", NULL));
    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_END);
    check(seen, "first list", "+ uid-a; + uid-b; + uid-c; listed pods");

    put(seen, pod_on("a", "1", NULL));
    check(seen, "same version again", "");

    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    put(seen, pod_on("a", "1", NULL));
    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    put(seen, pod_on("b", "2", NULL));
    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_END);
    check(seen, "a list that was cut does not count", "- uid-a; - uid-c; listed pods");

    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_BEGIN);
    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_GAPS);
    check(seen, "a list with an unreadable object takes nothing for gone", "listed pods");

    struct yk_pod *again = pod_on("b", "9", NULL);
    set_text(&again->object, &again->object.uid, "uid-new");
    put(seen, again);
    check(seen, "another uid under the name", "- uid-b; + uid-new");

    gone(seen, pod_on("b", "5", NULL));
    check(seen, "a late word about the former holder of the name", "");
    struct yk_pod *last = pod_on("b", "10", NULL);
    set_text(&last->object, &last->object.uid, "uid-new");
    gone(seen, last);
    check(seen, "deleted", "- uid-new");

    list_again(seen, YK_KIND_POD, YK_WATCH_REPLACE_END);
    check(seen, "an end without a beginning", "");
}

static void what_counts_as_a_pod(void **state)
{
    struct seen *seen = *state;
    struct yk_pod *foreign = pod_on("f", "1", NULL);
    set_text(&foreign->object, &foreign->scheduler_name, "default-scheduler");
    put(seen, foreign);
    check(seen, "a foreign pod without node", "");
    foreign = pod_on("f", "2", "n1");
    set_text(&foreign->object, &foreign->scheduler_name, "Yunikorn");
    put(seen, foreign);
    check(seen, "the scheduler's name is exact", "+ uid-f");
    assert_int_equal(seen->cache.our_pods, 0);

    struct yk_pod *ended = pod_on("e", "1", "n1");
    set_text(&ended->object, &ended->phase, "Failed");
    put(seen, ended);
    check(seen, "a pod that was over before we saw it", "");
    put(seen, pod_on("g", "1", "n1"));
    ended = pod_on("g", "2", "n1");
    set_text(&ended->object, &ended->phase, "Succeeded");
    put(seen, ended);
    check(seen, "a pod that ends", "+ uid-g; - uid-g");

    struct yk_pod *odd = make_pod("ns", "", "1");
    put(seen, odd);
    check(seen, "no name", "");
    assert_int_equal(seen->cache.refused, 1);
}

static void nodes_and_orphans(void **state)
{
    struct seen *seen = *state;
    put(seen, pod_on("o", "1", "n1"));
    assert_null(yk_cache_find_node(&seen->cache, YK_STR("n1")));
    put(seen, make_node("n1", "1", "cpu=4"));
    check(seen, "an orphan before its node", "+ uid-o; +node uid-n1");
    struct yk_cache_node *n1 = yk_cache_find_node(&seen->cache, YK_STR("n1"));
    assert_int_equal(yk_resvec_get(&n1->used, YK_RESTYPE_VCORE), 1000);

    put(seen, make_node("n2", "1", "cpu=2"));
    struct yk_cache_node *n2 = yk_cache_find_node(&seen->cache, YK_STR("n2"));
    put(seen, pod_on("w", "1", NULL));
    struct yk_cache_pod *w = yk_cache_find_pod(&seen->cache, YK_STR("ns"), YK_STR("w"));
    yk_cache_assume(&seen->cache, w, n2);
    assert_int_equal(yk_resvec_get(&n2->used, YK_RESTYPE_PODS), 1);
    check(seen, "assumed", "+node uid-n2; + uid-w");
    put(seen, pod_on("w", "2", NULL));
    assert_ptr_equal(w->node, n2);
    check(seen, "the API server has not heard yet", "~ uid-w");
    put(seen, pod_on("w", "3", "n2"));
    check(seen, "confirmed", "~ uid-w confirmed");
    put(seen, pod_on("w", "1", NULL));
    assert_ptr_equal(w->node, n2);
    check(seen, "an older version without a node", "~ uid-w doubted");
    put(seen, pod_on("w", "3", "n2"));
    check(seen, "the server has caught up", "~ uid-w confirmed");
    put(seen, pod_on("w", "4", NULL));
    assert_null(w->node);
    assert_int_equal(yk_resvec_get(&n2->used, YK_RESTYPE_PODS), 0);
    check(seen, "a later version without a node", "~ uid-w node");
    put(seen, pod_on("w", "5", "n2"));
    check(seen, "bound again", "~ uid-w node");
    put(seen, pod_on("w", "6", "n1"));
    check(seen, "elsewhere", "~ uid-w node");
    assert_int_equal(yk_resvec_get(&n2->used, YK_RESTYPE_PODS), 0);
    assert_int_equal(yk_resvec_get(&n1->used, YK_RESTYPE_PODS), 2);

    put(seen, pod_on("x", "1", NULL));
    struct yk_cache_pod *x = yk_cache_find_pod(&seen->cache, YK_STR("ns"), YK_STR("x"));
    yk_cache_assume(&seen->cache, x, n1);
    gone(seen, make_node("n1", "2", "cpu=4"));
    check(seen, "a node goes", "+ uid-x; -node uid-n1");
    assert_null(x->node);
    assert_non_null(w->node);
    assert_null(yk_cache_find_node(&seen->cache, YK_STR("n1")));

    struct yk_k8s_node *again = make_node("n1", "3", "cpu=4");
    set_text(&again->object, &again->object.uid, "uid-second");
    put(seen, again);
    check(seen, "its pods find it again", "+node uid-second");
    assert_int_equal(yk_resvec_get(&w->node->used, YK_RESTYPE_PODS), 2);
    assert_int_equal(w->node->index, 1);

    again = make_node("n1", "4", "cpu=4");
    put(seen, again);
    check(seen, "another uid under the node's name", "-node uid-second; +node uid-n1");

    again = make_node("n1", "5", "cpu=3");
    again->unschedulable = true;
    put(seen, again);
    check(seen, "smaller and cordoned", "~node uid-n1 size constraints cordon");
    assert_int_equal(seen->cache.unchanged, 0);
    again = make_node("n1", "6", "cpu=3");
    again->unschedulable = true;
    add_pair(&again->object, &again->object.annotations, "heartbeat", "now");
    put(seen, again);
    check(seen, "nothing that matters", "");
    assert_int_equal(seen->cache.unchanged, 1);
    again = make_node("n1", "7", "cpu=3");
    again->unschedulable = true;
    add_taint(again, "k", "v", "NoSchedule");
    put(seen, again);
    check(seen, "a taint", "~node uid-n1 constraints");
    assert_int_equal(seen->cache.unchanged, 1);
}

static void kept_kinds(void **state)
{
    struct seen *seen = *state;
    put(seen, make_config_map("yunikorn", "yunikorn-configs", "1"));
    put(seen, make_config_map("yunikorn", "other", "1"));
    put(seen, make_config_map("elsewhere", "yunikorn-configs", "1"));
    put(seen, make_config_map("yunikorn", "yunikorn-configs", "1"));
    check(seen, "only ours, and only changes", "config ");
    put(seen, make_config_map("yunikorn", "yunikorn-configs", "2"));
    gone(seen, make_config_map("elsewhere", "yunikorn-configs", "2"));
    gone(seen, make_config_map("yunikorn", "yunikorn-configs", "3"));
    check(seen, "changed, gone", "config ; config ");
    assert_null(yk_cache_config_map(&seen->cache, 1));

    list_again(seen, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_BEGIN);
    put(seen, make_namespace("a", "1"));
    put(seen, make_namespace("b", "1"));
    list_again(seen, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_END);
    list_again(seen, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_BEGIN);
    put(seen, make_namespace("b", "1"));
    list_again(seen, YK_KIND_NAMESPACE, YK_WATCH_REPLACE_END);
    assert_null(yk_cache_find_namespace(&seen->cache, YK_STR("a")));
    assert_non_null(yk_cache_find_namespace(&seen->cache, YK_STR("b")));
    put(seen, make_priority_class("p", "1"));
    assert_non_null(yk_cache_find_priority_class(&seen->cache, YK_STR("p")));
}

static void a_cached_pod_is_small(void **state)
{
    (void)state;
    assert_true(sizeof(struct yk_cache_pod) <= 128);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {CASE(differences), CASE(what_counts_as_a_pod), CASE(nodes_and_orphans),
                                       CASE(kept_kinds), cmocka_unit_test(a_cached_pod_is_small)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
