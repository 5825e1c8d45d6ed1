# SPDX-License-Identifier: Apache-2.0
yk_test(docs/examples SOURCES scheduler/world.c LINK scheduler)
add_test(NAME docs/words COMMAND ${CMAKE_SOURCE_DIR}/test/unit/docs/words.sh)
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME docs/findings COMMAND ${CMAKE_SOURCE_DIR}/test/unit/docs/findings.sh $<TARGET_FILE:yunikorn>)
endif()
