/* SPDX-License-Identifier: Apache-2.0 */
#include "events/uuid.h"

#include "base/base.h"

/* Eight digits at a time, one in each byte of a word; which byte is the first makes no difference. */
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define EACH_PAIR  UINT64_C(0x00ff00ff00ff00ff)
#define EACH_FOUR  UINT64_C(0x0000ffff0000ffff)

static uint64_t digits_of(uint64_t values)
{
    uint64_t is_letter = (values + EACH(6)) >> 4 & EACH(1); /* 10 and more */
    return values + EACH('0') + is_letter * ('a' - '9' - 1);
}

static uint64_t four_at(const char *p)
{
    uint32_t four;
    memcpy(&four, p, sizeof(four));
    return four;
}

static inline bool pack_word(const char *first, const char *second, char *ret_packed)
{
    uint64_t word = four_at(first) | four_at(second) << 32;
    uint64_t values = (word & EACH(0x0f)) + (word >> 6 & EACH(1)) * 9; /* letters have bit 6 */
    if ((values & EACH(0xf0)) != 0 || digits_of(values) != word)
        return false;
    values = (values << 4 | values >> 8) & EACH_PAIR;
    values = (values | values >> 8) & EACH_FOUR;
    uint32_t packed = (uint32_t)(values | values >> 16);
    memcpy(ret_packed, &packed, sizeof(packed));
    return true;
}

static void unpack_word(const char *packed, char *ret_first, char *ret_second)
{
    uint64_t values = four_at(packed);
    values = (values | values << 16) & EACH_FOUR;
    values = (values | values << 8) & EACH_PAIR;
    values = (values >> 4 & EACH(0x0f) & EACH_PAIR) | (values & EACH(0x0f)) << 8;
    values = digits_of(values);
    uint32_t first = (uint32_t)values, second = (uint32_t)(values >> 32);
    memcpy(ret_first, &first, sizeof(first));
    memcpy(ret_second, &second, sizeof(second));
}

bool yk_uuid_pack(const char *text, char ret_packed[YK_UUID_BYTES])
{
    return text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' &&
           pack_word(text, text + 4, ret_packed) && pack_word(text + 9, text + 14, ret_packed + 4) &&
           pack_word(text + 19, text + 24, ret_packed + 8) &&
           pack_word(text + 28, text + 32, ret_packed + 12);
}

void yk_uuid_unpack(const char *packed, char ret_text[YK_UUID_LEN])
{
    unpack_word(packed, ret_text, ret_text + 4);
    unpack_word(packed + 4, ret_text + 9, ret_text + 14);
    unpack_word(packed + 8, ret_text + 19, ret_text + 24);
    unpack_word(packed + 12, ret_text + 28, ret_text + 32);
    ret_text[8] = ret_text[13] = ret_text[18] = ret_text[23] = '-';
}
