/* SPDX-License-Identifier: Apache-2.0 */
#include "events/uuid.h"

#include "base/base.h"

enum { DIGITS = 32, ABOVE_DIGITS = 'a' - '9' - 1 };

/* Sixteen digits, or what they stand for, side by side. */
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef int8_t signed_bytes __attribute__((vector_size(16)));
typedef uint16_t pairs __attribute__((vector_size(16)));
typedef uint64_t words __attribute__((vector_size(16)));
typedef uint8_t halves __attribute__((vector_size(8)));

#define SIXTEEN(x)   x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define ALL(x)       ((bytes){SIXTEEN(x)})
#define ALL_PAIRS(x) ((pairs){x, x, x, x, x, x, x, x})

static inline bool pack_half(const char *digits, char *ret_packed)
{
    bytes value;
    memcpy(&value, digits, sizeof(value));
    bytes is_letter = (bytes)((signed_bytes)value > (signed_bytes)ALL('9'));
    value -= ALL('0') + (is_letter & ALL(ABOVE_DIGITS));
    bytes too_low = (bytes)((signed_bytes)value < (signed_bytes)ALL(10)); /* for a letter */
    words wrong = (words)((value & ALL(0xf0)) | (is_letter & too_low));
    if ((wrong[0] | wrong[1]) != 0)
        return false;
    pairs two = (pairs)value;
    halves packed =
        __builtin_convertvector((two << ALL_PAIRS(4) | two >> ALL_PAIRS(8)) & ALL_PAIRS(0xff), halves);
    memcpy(ret_packed, &packed, sizeof(packed));
    return true;
}

bool yk_uuid_pack(const char *text, char ret_packed[YK_UUID_BYTES])
{
    char digits[DIGITS];
    if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
        return false;
    memcpy(digits, text, 8);
    memcpy(digits + 8, text + 9, 4);
    memcpy(digits + 12, text + 14, 4);
    memcpy(digits + 16, text + 19, 4);
    memcpy(digits + 20, text + 24, 12);
    return pack_half(digits, ret_packed) && pack_half(digits + DIGITS / 2, ret_packed + YK_UUID_BYTES / 2);
}

/* The way back, through pairs of values as they lay in memory. */
static void unpack_pair(char packed, char ret_digits[2])
{
    uint16_t both = (uint16_t)((unsigned char)packed >> 4 | (packed & 0xf) << 8);
    char values[2];
    memcpy(values, &both, sizeof(values));
    for (size_t i = 0; i < sizeof(values); i++)
        ret_digits[i] = "0123456789abcdef"[(unsigned char)values[i]];
}

void yk_uuid_unpack(const char *packed, char ret_text[YK_UUID_LEN])
{
    char digits[DIGITS];
    for (size_t i = 0; i < YK_UUID_BYTES; i++)
        unpack_pair(packed[i], digits + 2 * i);
    memcpy(ret_text, digits, 8);
    memcpy(ret_text + 9, digits + 8, 4);
    memcpy(ret_text + 14, digits + 12, 4);
    memcpy(ret_text + 19, digits + 16, 4);
    memcpy(ret_text + 24, digits + 20, 12);
    ret_text[8] = ret_text[13] = ret_text[18] = ret_text[23] = '-';
}
