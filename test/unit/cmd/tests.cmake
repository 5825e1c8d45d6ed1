# SPDX-License-Identifier: Apache-2.0
yk_test(cmd/verdict LINK cmd cache config base)
