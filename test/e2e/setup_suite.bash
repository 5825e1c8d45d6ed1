# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Found by bats by its name.

# shellcheck source=test/e2e/lib/suite.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/suite.bash"

setup_suite() { suite_begin; }

teardown_suite() { suite_end; }
