/* SPDX-License-Identifier: Apache-2.0 */
#include "cache/features.h"

uint32_t yk_features_declared(const struct yk_k8s_node *node)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } all[] = {
        {"RestartAllContainersOnContainerExits", YK_FEATURE_RESTART_ALL},
        {"UserNamespacesHostNetworkSupport", YK_FEATURE_USERS_ON_HOST_NET},
    };
    uint32_t features = 0;
    for (uint32_t i = 0; i < node->declared_feature_count; i++) {
        for (size_t j = 0; j < YK_COUNT(all); j++)
            features |= yk_str_is(node->declared_features[i], all[j].name) ? all[j].bit : 0;
    }
    return features;
}

static bool restarts_all(const struct yk_container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < containers[i].restart_action_count; j++) {
            if (yk_str_is(containers[i].restart_actions[j], "RestartAllContainers"))
                return true;
        }
    }
    return false;
}

uint32_t yk_features_needed(const struct yk_pod *pod)
{
    uint32_t features = 0;
    if (restarts_all(pod->containers, pod->container_count) ||
        restarts_all(pod->init_containers, pod->init_container_count))
        features |= YK_FEATURE_RESTART_ALL;
    if (pod->host_network && pod->has_host_users && !pod->host_users)
        features |= YK_FEATURE_USERS_ON_HOST_NET;
    return features;
}
