/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of labels and annotations of pods, if several files use the key. Keys with OLD in their name are from
 * earlier releases of Apache YuniKorn, and are still in use. */
#ifndef YK_API_POD_KEYS_H
#define YK_API_POD_KEYS_H

#define YK_KEY_APP_ID          "yunikorn.apache.org/app-id"
#define YK_KEY_OLD_APP_ID      "applicationId"
#define YK_KEY_SPARK           "spark-app-selector"
#define YK_KEY_QUEUE           "yunikorn.apache.org/queue"
#define YK_KEY_OLD_QUEUE       "queue"
#define YK_KEY_USER_INFO       "yunikorn.apache.org/user.info"
#define YK_KEY_USERNAME        "yunikorn.apache.org/username"
#define YK_KEY_TASK_GROUPS     "yunikorn.apache.org/task-groups"
#define YK_KEY_TASK_GROUP_NAME "yunikorn.apache.org/task-group-name"
#define YK_KEY_POLICY          "yunikorn.apache.org/schedulingPolicyParameters"
#define YK_KEY_PREEMPTION      "yunikorn.apache.org/allow-preemption"
#define YK_KEY_PLACEHOLDER     "internal.yunikorn.apache.org/placeholder"
#define YK_KEY_OLD_PLACEHOLDER "yunikorn.apache.org/placeholder"

#endif
