# SPDX-License-Identifier: Apache-2.0
# The rule `test` exists in test builds only (docs/reference/queues.md, P2): the module is built a second time with it.
list(TRANSFORM placement_sources PREPEND ${CMAKE_SOURCE_DIR}/core/placement/ OUTPUT_VARIABLE placement_files)
add_library(yk_placement_with_test STATIC ${placement_files})
target_compile_definitions(yk_placement_with_test PUBLIC YK_PLACEMENT_TEST_RULE)
target_include_directories(yk_placement_with_test PUBLIC ${CMAKE_BINARY_DIR}/view/placement)
target_link_libraries(yk_placement_with_test PUBLIC yk_base yk_resources yk_config yk_objects
  PRIVATE PkgConfig::PCRE2 yk_flags)

yk_test(placement/rules SOURCES placement/place.c LINK placement)
yk_test(placement/outcome SOURCES placement/place.c LINK placement)
yk_test(placement/filter LINK placement)
yk_test(placement/compile SOURCES placement/place.c LINK placement)
yk_test(placement/test_rule SOURCES placement/place.c LINK placement_with_test)
