# SPDX-License-Identifier: Apache-2.0
yk_fuzz(token_review LINK base api)
