/* SPDX-License-Identifier: Apache-2.0 */
#include "events/uuid.h"

#include "base/base.h"

/* Eight digits at a time, one in each byte of a word; which byte is the first makes no difference. */
#define EACH(byte)  (UINT64_C(0x0101010101010101) * (byte))
#define EACH_PAIR   UINT64_C(0x00ff00ff00ff00ff)
#define EACH_FOUR   UINT64_C(0x0000ffff0000ffff)
#define A_AFTER_9   ('a' - '9' - 1)
#define WORD_DIGITS 8

static uint64_t digits_of(uint64_t values)
{
    uint64_t is_letter = (values + EACH(6)) >> 4 & EACH(1); /* 10 and more */
    return values + EACH('0') + is_letter * A_AFTER_9;
}

static bool pack_word(const char *digits, char *ret_packed)
{
    uint64_t word;
    memcpy(&word, digits, sizeof(word));
    uint64_t values = (word & EACH(0x0f)) + (word >> 6 & EACH(1)) * 9; /* letters have bit 6 */
    if ((values & EACH(0xf0)) != 0 || digits_of(values) != word)
        return false;
    values = (values << 4 | values >> 8) & EACH_PAIR;
    values = (values | values >> 8) & EACH_FOUR;
    uint32_t packed = (uint32_t)(values | values >> 16);
    memcpy(ret_packed, &packed, sizeof(packed));
    return true;
}

static void unpack_word(const char *packed, char *ret_digits)
{
    uint32_t word;
    memcpy(&word, packed, sizeof(word));
    uint64_t values = (word | (uint64_t)word << 16) & EACH_FOUR;
    values = (values | values << 8) & EACH_PAIR;
    values = (values >> 4 & (EACH(0x0f) & EACH_PAIR)) | (values & (EACH(0x0f) & EACH_PAIR)) << 8;
    values = digits_of(values);
    memcpy(ret_digits, &values, sizeof(values));
}

bool yk_uuid_pack(const char *text, char ret_packed[YK_UUID_BYTES])
{
    char digits[4 * WORD_DIGITS];
    if (text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-')
        return false;
    memcpy(digits, text, 8);
    memcpy(digits + 8, text + 9, 4);
    memcpy(digits + 12, text + 14, 4);
    memcpy(digits + 16, text + 19, 4);
    memcpy(digits + 20, text + 24, 12);
    for (size_t i = 0; i < 4; i++) {
        if (!pack_word(digits + i * WORD_DIGITS, ret_packed + i * sizeof(uint32_t)))
            return false;
    }
    return true;
}

void yk_uuid_unpack(const char *packed, char ret_text[YK_UUID_LEN])
{
    char digits[4 * WORD_DIGITS];
    for (size_t i = 0; i < 4; i++)
        unpack_word(packed + i * sizeof(uint32_t), digits + i * WORD_DIGITS);
    memcpy(ret_text, digits, 8);
    memcpy(ret_text + 9, digits + 8, 4);
    memcpy(ret_text + 14, digits + 12, 4);
    memcpy(ret_text + 19, digits + 16, 4);
    memcpy(ret_text + 24, digits + 20, 12);
    ret_text[8] = ret_text[13] = ret_text[18] = ret_text[23] = '-';
}
