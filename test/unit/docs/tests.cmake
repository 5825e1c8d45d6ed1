# SPDX-License-Identifier: Apache-2.0
yk_test(docs/examples SOURCES scheduler/world.c LINK scheduler)
