# SPDX-License-Identifier: Apache-2.0
# The modules and what each may include: docs/design.md, "Modules".

yk_module(core/base
  SOURCES actor.c arena.c base.c bitset.c clock.c error.c heap.c io_loop.c json_writer.c log.c log_output.c mailbox.c map.c name.c
          pool.c program_pages.c random.c stacks.c str.c symbols.c text_set.c timer.c tree.c vec.c yaml_comments.c yaml_decode.c yaml_scalar.c yaml_tree.c yaml_writer.c
  LIBS PkgConfig::OPENSSL PkgConfig::YAML
  PUBLIC_LIBS PkgConfig::EVENT Threads::Threads)
target_sources(yk_base PRIVATE ${CMAKE_BINARY_DIR}/version.c)

yk_module(core/resources SOURCES amount_text.c quantity.c restype.c resvec.c shared.c LINK base PUBLIC_LIBS m)

# The scheduler interface is one header; who implements it is linked by cmd/ and by tests.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/view/si)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/core/si.h ${CMAKE_BINARY_DIR}/view/si/si.h SYMBOLIC)
add_library(yk_si ${CMAKE_SOURCE_DIR}/core/si.c)
target_include_directories(yk_si PUBLIC ${CMAKE_BINARY_DIR}/view/si)
target_link_libraries(yk_si PUBLIC yk_base yk_resources PRIVATE yk_flags)

# The other modules are described in module.cmake in their folders.
file(GLOB module_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/*/module.cmake ${CMAKE_SOURCE_DIR}/k8s-shim/*/module.cmake
  ${CMAKE_SOURCE_DIR}/cmd/module.cmake)
foreach(module_file ${module_files})
  include(${module_file})
endforeach()
yk_check_module_order()
