# SPDX-License-Identifier: Apache-2.0
# A sorting policy is a file app_order_NAME.c or node_score_NAME.c, and a row in config/sort_policies.h.
file(GLOB policy_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/core/policies
  ${CMAKE_SOURCE_DIR}/core/policies/app_order_*.c ${CMAKE_SOURCE_DIR}/core/policies/node_score_*.c)
yk_module(core/policies SOURCES node_order.c queue_order.c ${policy_sources} LINK base resources config objects)
