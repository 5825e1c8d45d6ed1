# SPDX-License-Identifier: Apache-2.0
yk_test(predicates/filters SOURCES lib/kube_objects.c LINK predicates)
yk_test(predicates/classes SOURCES lib/kube_objects.c predicates/world.c LINK predicates)
yk_test(predicates/against_oracle SOURCES lib/kube_objects.c lib/predicates_oracle.c predicates/world.c LINK predicates)
yk_test(predicates/other_pods SOURCES lib/kube_objects.c predicates/world.c LINK predicates)
yk_test(predicates/pod_volumes SOURCES lib/kube_objects.c predicates/world.c LINK predicates)
yk_test(predicates/counts LINK predicates)
yk_test(predicates/preferences SOURCES lib/kube_objects.c predicates/world.c LINK predicates)
yk_test(predicates/labels SOURCES lib/kube_objects.c predicates/world.c LINK predicates)
