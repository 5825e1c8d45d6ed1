# SPDX-License-Identifier: Apache-2.0
yk_module(core/policies SOURCES node_order.c queue_order.c LINK base resources config objects)
