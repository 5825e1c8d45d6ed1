# SPDX-License-Identifier: Apache-2.0
foreach(name pods workloads config_maps reviews)
  yk_test(admission/${name} SOURCES admission/review.c admission/apply_patch.c LINK admission api LIBS PkgConfig::JANSSON)
endforeach()
yk_test(admission/settings LINK admission)
yk_test(admission/patterns LINK admission)
yk_test(admission/namespaces LINK admission)
yk_test(admission/json_patch SOURCES admission/apply_patch.c LINK admission LIBS PkgConfig::JANSSON)
