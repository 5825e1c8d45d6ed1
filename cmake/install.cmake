# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the binary, its manual page, completion scripts and licence files. A cluster takes the chart instead
# (docs/install.md).
include(GNUInstallDirs)

install(TARGETS yunikorn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# kubectl runs this name for `kubectl yunikorn`.
install(CODE "file(CREATE_LINK yunikorn \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/kubectl-yunikorn\" SYMBOLIC)")
install(CODE "file(CREATE_LINK yunikorn \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/kubectl_complete-yunikorn\" SYMBOLIC)")
install(FILES LICENSE NOTICE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES cmd/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME yunikorn)
install(FILES cmd/completion.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _yunikorn)

# The page is made of the help texts, so the program has to run on the machine that builds it.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/yunikorn.1
    COMMAND ${CMAKE_SOURCE_DIR}/hack/man-page.sh ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:yunikorn>
      > ${CMAKE_BINARY_DIR}/yunikorn.1.new
    COMMAND ${CMAKE_COMMAND} -E rename ${CMAKE_BINARY_DIR}/yunikorn.1.new ${CMAKE_BINARY_DIR}/yunikorn.1
    DEPENDS yunikorn ${CMAKE_SOURCE_DIR}/hack/man-page.sh VERBATIM)
  add_custom_target(manual ALL DEPENDS ${CMAKE_BINARY_DIR}/yunikorn.1)
  install(FILES ${CMAKE_BINARY_DIR}/yunikorn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
