/* SPDX-License-Identifier: Apache-2.0 */
/* Quantity texts in both grammars; what is accepted must round the right way. */
#include "resources/quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yk_str text = {(const char *)data, size};
    yk_quantity quantity;
    int64_t amount;
    if (yk_quantity_parse(text, &quantity, NULL) == YK_OK) {
        int64_t value = yk_quantity_value(quantity), milli = yk_quantity_milli(quantity);
        bool ok = milli == INT64_MAX || milli == INT64_MIN ||
                  value == milli / 1000 + (milli % 1000 > 0); /* rounding up twice is rounding up once */
        if (!ok || (quantity > 0) != (value > 0))
            abort();
        (void)yk_quantity_add(quantity, quantity);
    }
    if (yk_quantity_parse_config(YK_STR("vcore"), text, &amount, NULL) == YK_OK && amount < 0)
        abort();
    if (yk_quantity_parse_config(YK_STR("memory"), text, &amount, NULL) == YK_OK && amount < 0)
        abort();
    return 0;
}
