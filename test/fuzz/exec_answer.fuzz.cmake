# SPDX-License-Identifier: Apache-2.0
yk_fuzz(exec_answer LINK base client)
