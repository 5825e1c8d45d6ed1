# SPDX-License-Identifier: Apache-2.0
yk_test(app/pod_to_app SOURCES lib/kube_objects.c LINK app)
yk_test(app/pod_to_ask SOURCES lib/kube_objects.c LINK app)
yk_test(app/task_groups LINK app)
yk_test(app/placeholder_pod SOURCES lib/kube_objects.c LINK app api LIBS PkgConfig::JANSSON)
