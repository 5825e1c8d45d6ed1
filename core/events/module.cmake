# SPDX-License-Identifier: Apache-2.0
yk_module(core/events SOURCES events.c ring.c LINK base resources)
