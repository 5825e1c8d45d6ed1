# SPDX-License-Identifier: Apache-2.0
yk_test(gangs/gang_wait SOURCES scheduler/world.c LINK scheduler)
