# SPDX-License-Identifier: Apache-2.0
yk_test(policies/node_order LINK base resources si config objects policies)
