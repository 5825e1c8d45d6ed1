# SPDX-License-Identifier: Apache-2.0
yk_room(core/events SOURCES ring.c LINK base resources)
