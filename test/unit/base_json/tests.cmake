# SPDX-License-Identifier: Apache-2.0
yk_test(base_json/json_writer LINK base LIBS m)
