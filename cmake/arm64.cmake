# SPDX-License-Identifier: Apache-2.0
# Toolchain of the preset arm64: Debian's cross compiler and the libraries of its architecture arm64. `hack/test.sh arm64`
# makes a system that has both.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
find_program(YK_QEMU qemu-aarch64-static)
if(YK_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${YK_QEMU})
endif()
