/* SPDX-License-Identifier: Apache-2.0 */
#include "web/profile.h"

#include "base/map.h"
#include "base/symbols.h"
#include "base/vec.h"
#include "web/gzip.h"

enum { VARINT = 0, BYTES = 2 }; /* wire types */

/* Numbers of the fields of the messages. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE,
    PROFILE_MAPPING,
    PROFILE_LOCATION,
    PROFILE_FUNCTION,
    PROFILE_STRINGS,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS,
    PROFILE_PERIOD_TYPE,
    PROFILE_PERIOD
};
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE };
enum {
    MAPPING_ID = 1,
    MAPPING_START,
    MAPPING_LIMIT,
    MAPPING_OFFSET,
    MAPPING_FILENAME,
    MAPPING_BUILD_ID,
    MAPPING_HAS_FUNCTIONS
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILENAME };

struct profile {
    struct yk_buf out;
    struct yk_symbols *symbols;
    struct yk_buf strings; /* the table of strings, encoded */
    uint64_t string_count;
    struct yk_idmap locations, functions; /* address -> struct numbered */
    struct yk_vec numbered;               /* owned */
};

struct numbered {
    uint64_t id;
};

/* ---- the format ---- */

static void put_varint(struct yk_buf *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        yk_buf_char(out, (char)(number | 0x80));
    yk_buf_char(out, (char)number);
}

static void put_uint(struct yk_buf *out, unsigned field, uint64_t number)
{
    put_varint(out, field << 3 | VARINT);
    put_varint(out, number);
}

static void put_bytes(struct yk_buf *out, unsigned field, struct yk_str bytes)
{
    put_varint(out, field << 3 | BYTES);
    put_varint(out, bytes.len);
    yk_buf_str(out, bytes);
}

static uint64_t put_string(struct profile *profile, const char *text)
{
    put_bytes(&profile->strings, PROFILE_STRINGS, yk_str_from(text));
    return profile->string_count++;
}

static void put_value_type(struct profile *profile, unsigned field, const char *type, const char *unit)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    put_uint(&message, VALUE_TYPE, put_string(profile, type));
    put_uint(&message, VALUE_UNIT, put_string(profile, unit));
    put_bytes(&profile->out, field, yk_buf_view(&message));
}

/* ---- parts of the profile ---- */

/* The number of the location or function at `address`, from 1 on, and whether it is new. */
static uint64_t number_of(struct profile *profile, struct yk_idmap *map, uintptr_t address, bool *ret_is_new)
{
    const struct numbered *known = yk_idmap_get(map, address);
    *ret_is_new = known == NULL;
    if (known != NULL)
        return known->id;
    struct numbered *numbered = yk_new0(struct numbered);
    numbered->id = map->count + 1;
    yk_vec_append(&profile->numbered, numbered);
    (void)yk_idmap_put(map, address, numbered); /* the address was not there */
    return numbered->id;
}

static uint64_t put_function(struct profile *profile, const struct yk_symbol *symbol, uintptr_t address)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    bool is_new;
    uint64_t id =
        number_of(profile, &profile->functions, symbol->start != 0 ? symbol->start : address, &is_new);
    if (!is_new)
        return id;
    uint64_t name = put_string(profile, symbol->name);
    put_uint(&message, FUNCTION_ID, id);
    put_uint(&message, FUNCTION_NAME, name);
    put_uint(&message, FUNCTION_SYSTEM_NAME, name);
    if (symbol->object != NULL)
        put_uint(&message, FUNCTION_FILENAME, put_string(profile, symbol->object));
    put_bytes(&profile->out, PROFILE_FUNCTION, yk_buf_view(&message));
    return id;
}

static uint64_t put_location(struct profile *profile, const void *frame, bool is_return)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0}, line = {0};
    /* A return address may be behind the last instruction of its function; the call is before it. */
    uintptr_t address = (uintptr_t)frame - (is_return ? 1 : 0);
    bool is_new;
    uint64_t id = number_of(profile, &profile->locations, address, &is_new);
    if (!is_new)
        return id;
    struct yk_symbol symbol = yk_symbols_find(profile->symbols, (const void *)address);
    put_uint(&message, LOCATION_ID, id);
    put_uint(&message, LOCATION_MAPPING, 1);
    put_uint(&message, LOCATION_ADDRESS, address);
    if (symbol.name != NULL) {
        put_uint(&line, LINE_FUNCTION, put_function(profile, &symbol, address));
        put_bytes(&message, LOCATION_LINE, yk_buf_view(&line));
    }
    put_bytes(&profile->out, PROFILE_LOCATION, yk_buf_view(&message));
    return id;
}

static void put_sample(struct profile *profile, const struct yk_sample *sample, int64_t period_ns)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    for (int i = 0; i < sample->depth; i++)
        put_uint(&message, SAMPLE_LOCATION, put_location(profile, sample->frames[i], i > 0));
    put_uint(&message, SAMPLE_VALUE, 1);
    put_uint(&message, SAMPLE_VALUE, (uint64_t)period_ns);
    put_bytes(&profile->out, PROFILE_SAMPLE, yk_buf_view(&message));
}

/* Writes one mapping for all locations: their names are in the profile, so viewers need no binary. */
static void put_mapping(struct profile *profile)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf message = {0};
    put_uint(&message, MAPPING_ID, 1);
    put_uint(&message, MAPPING_START, 0);
    put_uint(&message, MAPPING_LIMIT, UINT64_MAX);
    put_uint(&message, MAPPING_FILENAME, put_string(profile, "yunikorn"));
    put_uint(&message, MAPPING_HAS_FUNCTIONS, 1);
    put_bytes(&profile->out, PROFILE_MAPPING, yk_buf_view(&message));
}

static void pack(struct profile *profile, struct yk_buf *out)
{
    YK_CLEANUP(yk_gzip_freep) struct yk_gzip *gzip = yk_gzip_open();
    if (gzip != NULL)
        yk_gzip_add(gzip, yk_buf_view(&profile->out), true, out);
    else
        out->failed = true;
}

void yk_profile_write(const struct yk_sample *samples, size_t count, const struct yk_profile_times *times,
                      struct yk_buf *out)
{
    struct profile profile = {.symbols = yk_symbols_new()};
    struct numbered *numbered;
    (void)put_string(&profile, ""); /* the first string has to be empty */
    put_value_type(&profile, PROFILE_SAMPLE_TYPE, "samples", "count");
    put_value_type(&profile, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
    put_mapping(&profile);
    for (size_t i = 0; i < count; i++) {
        if (samples[i].depth > 0)
            put_sample(&profile, &samples[i], times->period_ns);
    }
    put_value_type(&profile, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
    put_uint(&profile.out, PROFILE_TIME_NANOS, (uint64_t)times->begin_wall_ns);
    put_uint(&profile.out, PROFILE_DURATION_NANOS, (uint64_t)times->duration_ns);
    put_uint(&profile.out, PROFILE_PERIOD, (uint64_t)times->period_ns);
    yk_buf_str(&profile.out, yk_buf_view(&profile.strings));
    pack(&profile, out);
    yk_vec_foreach (numbered, &profile.numbered)
        free(numbered);
    yk_vec_done(&profile.numbered);
    yk_idmap_done(&profile.locations);
    yk_idmap_done(&profile.functions);
    yk_buf_done(&profile.strings);
    yk_buf_done(&profile.out);
    yk_symbols_free(profile.symbols);
}
