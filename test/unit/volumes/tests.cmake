# SPDX-License-Identifier: Apache-2.0
yk_test(volumes/random SOURCES volumes/world.c volumes/oracle.c LINK volumes)
