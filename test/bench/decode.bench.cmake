# SPDX-License-Identifier: Apache-2.0
yk_bench(decode LINK api)
