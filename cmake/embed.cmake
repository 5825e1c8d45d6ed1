# SPDX-License-Identifier: Apache-2.0
#
# yk_embed(<file> <symbol> <out.c>): a C file that has the bytes of a file, `const unsigned char <symbol>[]` and
# `const size_t <symbol>_len`. It is written again when the file has changed.
function(yk_embed file symbol out)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  get_filename_component(name ${file} NAME)
  file(CONFIGURE OUTPUT ${out} CONTENT "/* The bytes of ${name}. */
#include <stddef.h>
extern const unsigned char ${symbol}[];
extern const size_t ${symbol}_len;
const unsigned char ${symbol}[] = {
${bytes}
};
const size_t ${symbol}_len = sizeof(${symbol});
" @ONLY)
endfunction()
