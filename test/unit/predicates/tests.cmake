# SPDX-License-Identifier: Apache-2.0
yk_test(predicates/filters SOURCES cache/objects.c LINK predicates)
yk_test(predicates/classes SOURCES cache/objects.c LINK predicates)
