# SPDX-License-Identifier: Apache-2.0
yk_test(docs/examples SOURCES scheduler/world.c LINK scheduler)
add_test(NAME docs/words COMMAND ${CMAKE_SOURCE_DIR}/test/unit/docs/words.sh)
