# SPDX-License-Identifier: Apache-2.0
yk_test(state/node_signatures SOURCES lib/core_world.c LINK scheduler)
yk_test(state/turn_order SOURCES lib/core_crowd.c lib/core_world.c LINK scheduler)
