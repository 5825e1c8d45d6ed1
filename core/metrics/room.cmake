# SPDX-License-Identifier: Apache-2.0
yk_room(core/metrics SOURCES metrics.c LINK base)
