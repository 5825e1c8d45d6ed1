# SPDX-License-Identifier: Apache-2.0
yk_test(app/pod_to_app SOURCES cache/objects.c LINK app)
yk_test(app/pod_to_ask SOURCES cache/objects.c LINK app)
yk_test(app/task_groups LINK app)
yk_test(app/placeholder_pod SOURCES cache/objects.c LINK app api LIBS PkgConfig::JANSSON)
