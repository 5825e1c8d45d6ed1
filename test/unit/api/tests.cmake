# SPDX-License-Identifier: Apache-2.0
yk_test(api/fields LINK api)
yk_test(api/readers SOURCES lib/object_text.c LINK api)
yk_test(api/object_json SOURCES lib/object_text.c LINK api)
yk_test(api/streams SOURCES lib/object_text.c LINK api)
yk_test(api/encode LINK api LIBS PkgConfig::JANSSON)
yk_test(api/token_review LINK api)
yk_test(api/user_info LINK api)
yk_test(api/application_id LINK api)

# For test/e2e/readers.bats: both readers on what a real API server sends.
add_executable(print_object ${CMAKE_SOURCE_DIR}/test/unit/api/print_object.c ${CMAKE_SOURCE_DIR}/test/unit/lib/object_text.c)
target_include_directories(print_object PRIVATE ${CMAKE_SOURCE_DIR}/test/unit)
target_link_libraries(print_object PRIVATE yk_api PkgConfig::CMOCKA yk_flags)
target_link_options(print_object PRIVATE ${YK_LINK_PLAINLY})
set_target_properties(print_object PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
