# SPDX-License-Identifier: Apache-2.0
yk_test(simulate/cluster LINK simulate api resources base SOURCES simulate/fixture.c)
yk_test(simulate/faults LINK simulate api resources base SOURCES simulate/fixture.c)
yk_test(simulate/volumes LINK simulate api resources base SOURCES simulate/fixture.c)
yk_test(simulate/scenario LINK simulate api resources base)
yk_test(simulate/simulation LINK cmd simulate api resources base)
yk_test(simulate/gangs LINK cmd bind simulate api resources base)
yk_test(simulate/pods_with_claims LINK cmd bind simulate api resources base)
yk_test(simulate/constraints LINK cmd bind predicates simulate api resources base SOURCES predicates/oracle.c)
