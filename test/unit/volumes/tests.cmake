# SPDX-License-Identifier: Apache-2.0
yk_test(volumes/random SOURCES volumes/world.c volumes/oracle.c LINK volumes)
yk_test(volumes/filters SOURCES volumes/world.c LINK volumes)
yk_test(volumes/volume_binder SOURCES volumes/world.c LINK volumes simulate)
