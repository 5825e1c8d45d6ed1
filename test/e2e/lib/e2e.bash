# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Everything the end-to-end tests share. A test file says `load lib/e2e` and nothing else.
#
# Set for all tests by the suite (suite.bash):
#   E2E_DIR        logs and state of this run: build/e2e unless set
#   E2E_ID         part of the name of everything created
#   E2E_SYSTEM     the scheduler's namespace
#   E2E_EXTERNAL   1: an existing cluster; the tests may touch only namespaces of their own
#   E2E_ADMISSION  1: the admission controller runs beside the tests (the default); 0: it does not
#   KUBECONFIG     the administrator's

E2E_LIB="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=hack/control-plane.sh
source "$E2E_LIB/../../../hack/control-plane.sh"
# shellcheck source=test/e2e/lib/check.bash
source "$E2E_LIB/check.bash"
# shellcheck source=test/e2e/lib/cluster.bash
source "$E2E_LIB/cluster.bash"
# shellcheck source=test/e2e/lib/scheduler.bash
source "$E2E_LIB/scheduler.bash"
# shellcheck source=test/e2e/lib/admission.bash
source "$E2E_LIB/admission.bash"
