# SPDX-License-Identifier: Apache-2.0
yk_module(k8s-shim/whatif
  SOURCES
    answer.c
    check.c
    copy.c
    manifest.c
    question.c
    trial.c
    trial_api.c
    whatif.c
    yaml_json.c
  LINK base resources config si api cache selectors volumes predicates app bind shim
  LIBS PkgConfig::JANSSON)
