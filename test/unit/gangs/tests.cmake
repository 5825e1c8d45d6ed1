# SPDX-License-Identifier: Apache-2.0
yk_test(gangs/gang_wait SOURCES lib/core_world.c LINK scheduler)
