# SPDX-License-Identifier: Apache-2.0
yk_test(predicates/filters SOURCES cache/objects.c LINK predicates)
yk_test(predicates/classes SOURCES cache/objects.c predicates/world.c LINK predicates)
yk_test(predicates/against_oracle SOURCES cache/objects.c predicates/oracle.c predicates/world.c LINK predicates)
yk_test(predicates/other_pods SOURCES cache/objects.c predicates/world.c LINK predicates)
yk_test(predicates/pod_volumes SOURCES cache/objects.c predicates/world.c LINK predicates)
yk_test(predicates/counts LINK predicates)
yk_test(predicates/preferences SOURCES cache/objects.c predicates/world.c LINK predicates)
yk_test(predicates/labels SOURCES cache/objects.c predicates/world.c LINK predicates)
