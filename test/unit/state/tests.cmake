# SPDX-License-Identifier: Apache-2.0
yk_test(state/node_signatures SOURCES scheduler/world.c LINK scheduler)
yk_test(state/turn_order SOURCES scheduler/crowd.c scheduler/world.c LINK scheduler)
