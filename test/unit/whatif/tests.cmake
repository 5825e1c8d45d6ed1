# SPDX-License-Identifier: Apache-2.0
yk_test(whatif/trial LINK whatif shim bind simulate scheduler api resources base LIBS PkgConfig::JANSSON SOURCES whatif/stage.c)
yk_test(whatif/same_as_real LINK whatif shim bind simulate scheduler api resources base LIBS PkgConfig::JANSSON SOURCES whatif/stage.c)
yk_test(whatif/question LINK whatif base LIBS PkgConfig::JANSSON)
yk_test(whatif/check LINK whatif app resources base LIBS PkgConfig::JANSSON)
yk_test(whatif/copy LINK whatif base)
yk_test(whatif/says_why LINK whatif shim bind simulate scheduler api resources base LIBS PkgConfig::JANSSON SOURCES whatif/stage.c)
