/* SPDX-License-Identifier: Apache-2.0 */
#include "migrate/check.h"

const char *yk_subject_kind(enum yk_subject subject)
{
    static const char *const kinds[] = {
        [YK_SUBJECT_VERSION] = "",
        [YK_SUBJECT_OWNED] = "",
        [YK_SUBJECT_LEFTOVER] = "",
        [YK_SUBJECT_MUTATING] = "MutatingWebhookConfiguration",
        [YK_SUBJECT_VALIDATING] = "ValidatingWebhookConfiguration",
        [YK_SUBJECT_NAMESPACE] = "Namespace",
        [YK_SUBJECT_CONFIG_MAP] = "ConfigMap",
        [YK_SUBJECT_DEPLOYMENT] = "Deployment",
        [YK_SUBJECT_STATEFUL_SET] = "StatefulSet",
        [YK_SUBJECT_DAEMON_SET] = "DaemonSet",
        [YK_SUBJECT_REPLICA_SET] = "ReplicaSet",
        [YK_SUBJECT_JOB] = "Job",
        [YK_SUBJECT_CRON_JOB] = "CronJob",
        [YK_SUBJECT_POD] = "Pod",
        [YK_SUBJECT_INGRESS] = "Ingress",
        [YK_SUBJECT_SERVICE_MONITOR] = "ServiceMonitor",
        [YK_SUBJECT_POD_MONITOR] = "PodMonitor",
        [YK_SUBJECT_VALUES] = "Values",
        [YK_SUBJECT_END] = "",
    };
    YK_INDEXED_BY(kinds, YK_SUBJECT_COUNT - 1);
    return kinds[subject];
}
