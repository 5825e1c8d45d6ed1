# SPDX-License-Identifier: Apache-2.0
# Hardening of the release build, and paths that do not depend on where it is built. Each flag is used where compiler,
# linker and processor support it. test/unit/repository/hardening.sh checks the result.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

# yk_harden_compiler(FLAG): adds FLAG to the compilation of all targets if the compiler accepts it.
function(yk_harden_compiler flag)
  string(MAKE_C_IDENTIFIER "YK_HAS${flag}" accepted)
  check_c_compiler_flag("-Werror ${flag}" ${accepted})
  if(${accepted})
    target_compile_options(yk_flags INTERFACE ${flag})
  endif()
endfunction()

# yk_harden_linker(FLAG): the same for the linker.
function(yk_harden_linker flag)
  string(MAKE_C_IDENTIFIER "YK_LINKS${flag}" accepted)
  check_linker_flag(C "${flag}" ${accepted})
  if(${accepted})
    target_link_options(yk_flags INTERFACE "${flag}")
  endif()
endfunction()

# Level 3 checks objects whose size is known at run time only. It takes gcc 12 or clang 9, and glibc 2.34. An older
# glibc falls back to level 2 with a warning.
function(yk_harden_fortify)
  set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_c_source_compiles("
    #include <string.h>
    #if !defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL < 3
    #error level 3 is not supported
    #endif
    int main(void) { return 0; }" YK_HAS_FORTIFY_3)
  set(level 2)
  if(YK_HAS_FORTIFY_3)
    set(level 3)
  endif()
  target_compile_options(yk_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level})
endfunction()

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  check_pie_supported(LANGUAGES C)
  target_link_options(yk_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
  yk_harden_compiler(-fstack-protector-strong)
  yk_harden_compiler(-fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
    yk_harden_compiler(-fcf-protection)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    yk_harden_compiler(-mbranch-protection=standard)
  endif()
  yk_harden_fortify()
  foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--as-needed -Wl,--build-id=sha1)
    yk_harden_linker(${flag})
  endforeach()
  # The binary and its debug information name sources relative to the checkout, so that the build's place does not show.
  # The linker generates code, too (-flto).
  foreach(map -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build)
    yk_harden_compiler(${map})
    target_link_options(yk_flags INTERFACE ${map})
  endforeach()
endif()
