/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/migration_priv.h"

#define ON(subject) (1u << YK_SUBJECT_##subject)

enum {
    TEMPLATES = ON(DEPLOYMENT) | ON(STATEFUL_SET) | ON(DAEMON_SET) | ON(REPLICA_SET) | ON(JOB) | ON(CRON_JOB),
};

/* Texts are cells of a table in Markdown. Errors come first, then warnings, then infos: findings are sorted
 * by severity and then in this order. */
const struct yk_check yk_checks[] = {
    /* ---- errors ---- */
    {"api-server-too-old", YK_SEVERITY_ERROR, ON(VERSION),
     "the API server is older than the chart accepts (Kubernetes 1.24)", "upgrade Kubernetes first",
     yk__look_version_old},
    {"schedulers-with-one-name", YK_SEVERITY_ERROR, ON(END),
     "several Deployments run a scheduler with the name `yunikorn`: they place pods on the same nodes "
     "independently of each other",
     "scale all but one to 0", yk__look_schedulers},
    {"no-scheduler", YK_SEVERITY_ERROR, ON(END),
     "pods wait for the scheduler `yunikorn`, and no Deployment runs one",
     "install the chart, or scale its Deployment up", yk__look_no_scheduler},
    {"webhook-unserved", YK_SEVERITY_ERROR, ON(END),
     "a webhook of an admission controller calls a Service that does not exist or has no pod that is ready. "
     "With failurePolicy `Fail`, the API server refuses pods; with `Ignore`, pods are placed outside of all "
     "queues",
     "delete the webhook configuration, or install an admission controller", yk__look_webhook_unserved},
    {"config-invalid", YK_SEVERITY_ERROR, 0, "queues or settings that this scheduler refuses",
     "correct them first; `yunikorn validate --from-cluster` shows them with line numbers", NULL},
    {"value-refused", YK_SEVERITY_ERROR, ON(VALUES),
     "a key that the chart refuses: no chart of Apache YuniKorn reads it", "remove it from the values",
     yk__look_value_refused},
    /* ---- warnings ---- */
    {"api-server-cannot-guard", YK_SEVERITY_WARNING, ON(VERSION),
     "before Kubernetes 1.30, pods of YuniKorn are not guarded ([admission-server.md](admission-server.md))",
     "upgrade Kubernetes, or say with `admissionController.webHook.failurePolicy: Ignore` that this is "
     "wanted",
     yk__look_version_guard},
    {"webhook-elsewhere", YK_SEVERITY_WARNING, ON(END),
     "a webhook calls an admission controller of another namespace: there can be one per cluster",
     "end that installation, then delete the webhook configuration", yk__look_webhook_elsewhere},
    {"webhook-left", YK_SEVERITY_WARNING, ON(END),
     "`embedAdmissionController` is `false`, and webhooks of an admission controller exist",
     "delete them after the upgrade", yk__look_webhook_left},
    {"other-release", YK_SEVERITY_WARNING, ON(OWNED),
     "an object of the chart belongs to another Helm release",
     "name the release with `--release`, or hand the object over", yk__look_owner},
    {"role-left", YK_SEVERITY_WARNING, ON(LEFTOVER),
     "after the upgrade: a role or binding that hooks of the previous chart created", "delete it",
     yk__look_role},
    {"plugin-mode", YK_SEVERITY_WARNING, ON(END),
     "the scheduler runs in plugin mode, which does not exist here", "set `enableSchedulerPlugin: false`",
     yk__look_plugin},
    {"pod-unrouted", YK_SEVERITY_WARNING, (uint32_t)TEMPLATES,
     "pods of a workload have labels or annotations of YuniKorn and no scheduler name, and no admission "
     "controller gives them one",
     "name the scheduler in the template", yk__look_template},
    {"pod-waits-elsewhere", YK_SEVERITY_WARNING, ON(POD),
     "a pod with labels or annotations of YuniKorn waits for the default scheduler",
     "create it again with the name of the scheduler", yk__look_pod},
    {"application-in-namespaces", YK_SEVERITY_WARNING, ON(END),
     "pods of several namespaces name one application; here it belongs to the namespace of its first pod "
     "([kubernetes.md](kubernetes.md), \"Applications and namespaces\")",
     "set `service.applicationScope: cluster`, or use other ids", yk__look_shared_apps},
    {"placeholders-alone", YK_SEVERITY_WARNING, ON(END),
     "placeholders hold capacity, and their application has no other pods",
     "delete them; otherwise, the scheduler deletes them when it starts", yk__look_lone_placeholders},
    {"config-warning", YK_SEVERITY_WARNING, 0,
     "queues or settings that are ignored or replaced by a default here", "remove or correct them", NULL},
    {"queue-differs", YK_SEVERITY_WARNING, 0,
     "queues that mean something else than in 1.9 ([queues.md](../queues.md#coming-from-yunikorn-19))",
     "change them if 1.9's behaviour is wanted", NULL},
    {"rest-client", YK_SEVERITY_WARNING, ON(CONFIG_MAP),
     "a ConfigMap names `yunikorn-service` without https: REST is closed by default ([rest.md](rest.md), "
     "12.5)",
     "give the caller TLS and a token, or set `rest.access: none`", yk__look_rest_text},
    {"rest-client-workload", YK_SEVERITY_WARNING, (uint32_t)TEMPLATES,
     "a variable or an argument of a workload names `yunikorn-service` without https",
     "give the caller TLS and a token, or set `rest.access: none`", yk__look_rest_workload},
    {"ingress-to-rest", YK_SEVERITY_WARNING, ON(INGRESS), "an Ingress leads to `yunikorn-service`",
     "give callers a token, which the web page asks for, or set `rest.access: none`", yk__look_ingress},
    {"scraped-over-http", YK_SEVERITY_WARNING, ON(SERVICE_MONITOR) | ON(POD_MONITOR),
     "a ServiceMonitor or PodMonitor scrapes the scheduler over plain http without a token",
     "delete it and set `serviceMonitor.enabled: true`; bind ClusterRole `yunikorn-metrics-reader` to "
     "Prometheus",
     yk__look_monitor},
    {"value-image", YK_SEVERITY_WARNING, ON(VALUES), "an image of Apache YuniKorn",
     "name an image of this project", yk__look_value_image},
    {"value-rest", YK_SEVERITY_WARNING, ON(VALUES), "`rest.access` is not set, and REST was open in 1.9",
     "set `rest.access`: `delegated` or `none`", yk__look_value_rest},
    {"value-web", YK_SEVERITY_WARNING, ON(VALUES),
     "`enableWebService` has no effect: the scheduler serves its web page always", "set it to `false`",
     yk__look_value_web},
    {"value-plugin", YK_SEVERITY_WARNING, ON(VALUES), "`enableSchedulerPlugin`: there is no plugin mode",
     "set it to `false`", yk__look_value_plugin},
    {"value-operators", YK_SEVERITY_WARNING, ON(VALUES), "`operatorPlugins`: there are none", "remove it",
     yk__look_value_operators},
    {"value-replicas", YK_SEVERITY_WARNING, ON(VALUES), "`replicaCount` has no effect", "use `replicas`",
     yk__look_value_replicas},
    {"value-node-selector", YK_SEVERITY_WARNING, ON(VALUES),
     "a node selector with a label that new clusters do not set", "use the label that replaces it",
     yk__look_value_node_selector},
    {"value-ingress", YK_SEVERITY_WARNING, ON(VALUES),
     "`ingress.enabled`: the Ingress leads to a closed REST interface",
     "set it to `false`, or give callers tokens", yk__look_value_ingress},
    {"value-service", YK_SEVERITY_WARNING, ON(VALUES),
     "`service.type` opens a closed REST interface to the outside", "give callers tokens, or set `ClusterIP`",
     yk__look_value_service},
    {"value-scrape", YK_SEVERITY_WARNING, ON(VALUES),
     "`podAnnotations` ask Prometheus to scrape over plain http", "use `serviceMonitor.enabled`",
     yk__look_value_scrape},
    /* ---- infos ---- */
    {"old-scheduler", YK_SEVERITY_INFO, ON(END), "the scheduler that the upgrade replaces",
     "scale it to 0 first if a tool applies the output of `helm template`", yk__look_old_scheduler},
    {"roles-ahead", YK_SEVERITY_INFO, ON(END), "roles that will be left after the upgrade",
     "run the command again after the upgrade", yk__look_roles_ahead},
    {"no-release", YK_SEVERITY_INFO, ON(OWNED), "an object of the chart belongs to no Helm release",
     "hand it over if you install with Helm", yk__look_no_owner},
    {"account-not-adopted", YK_SEVERITY_INFO, ON(LEFTOVER), "a service account that no Helm release owns",
     "hand it over", yk__look_account},
    {"value-resources", YK_SEVERITY_INFO, ON(VALUES), "resources sized for the Go program",
     "use the defaults of the chart", yk__look_value_resources},
    {"value-go", YK_SEVERITY_INFO, ON(VALUES), "settings of the Go runtime", "remove them",
     yk__look_value_go},
    {"value-deprecated", YK_SEVERITY_INFO, ON(VALUES), "deprecated keys, which are still read",
     "use `yunikornDefaults`", yk__look_value_deprecated},
    {"value-host-network", YK_SEVERITY_INFO, ON(VALUES), "host networks, which are rarely needed",
     "set them to `false`", yk__look_value_host_network},
    {"value-affinity", YK_SEVERITY_INFO, ON(VALUES), "`affinity` replaces `antiAffinity`",
     "add a podAntiAffinity", yk__look_value_affinity},
};
const size_t yk_check_count = YK_COUNT(yk_checks);

const struct yk_check *yk__check_called(const char *id)
{
    for (size_t i = 0; i < yk_check_count; i++) {
        if (strcmp(yk_checks[i].id, id) == 0)
            return &yk_checks[i];
    }
    (void)YK_ASSERT(false); /* callers name existing checks */
    return &yk_checks[0];
}

void yk_checks_put_page(struct yk_buf *out)
{
    yk_buf_text(out, "| finding | severity | what it says | what mends it |\n| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < yk_check_count; i++)
        yk_buf_printf(out, "| `%s` | %s | %s | %s |\n", yk_checks[i].id,
                      yk_severity_word(yk_checks[i].severity), yk_checks[i].meaning, yk_checks[i].mend);
}
