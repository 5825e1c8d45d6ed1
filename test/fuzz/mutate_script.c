/* SPDX-License-Identifier: Apache-2.0 */
#include "mutate_script.h"

#include "base/random.h"
#include "base/str.h"

enum { POOL_LINES = 4096, LINE_MAX = 2048, LINES_MAX = 512 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

struct script { /* lines, without their ends */
    struct yk_str lines[LINES_MAX];
    size_t count;
};

/* ---- lines that were seen; they live as long as the process ---- */

static struct {
    struct yk_str lines[POOL_LINES];
    char *texts[POOL_LINES]; /* what `lines` borrow */
    size_t count;
} pool;

static bool was_seen(struct yk_str line, struct yk_random *random)
{
    for (int i = 0; i < 64 && pool.count > 0; i++) { /* a few are looked at: repeats are rare then */
        if (yk_str_eq(pool.lines[yk_random_below(random, pool.count)], line))
            return true;
    }
    return false;
}

static void see(struct yk_str line, struct yk_random *random)
{
    if (line.len < 2 || line.len > LINE_MAX || was_seen(line, random))
        return;
    size_t at = pool.count < POOL_LINES ? pool.count++ : (size_t)yk_random_below(random, POOL_LINES);
    free(pool.texts[at]);
    pool.texts[at] = yk_str_dup(line);
    pool.lines[at] = (struct yk_str){pool.texts[at], line.len};
}

/* ---- one line ---- */

static bool is_value(char c)
{
    return strchr("{}[]:,' \n", c) == NULL;
}

/* The next run of value characters from a random place on; len 0: there is none. */
static struct yk_str some_value(struct yk_str line, struct yk_random *random)
{
    size_t at = line.len > 2 ? 2 + (size_t)yk_random_below(random, line.len - 2) : line.len;
    while (at < line.len && !is_value(line.p[at]))
        at++;
    while (at > 2 && at < line.len && is_value(line.p[at - 1]))
        at--;
    size_t end = at;
    while (end < line.len && is_value(line.p[end]))
        end++;
    return (struct yk_str){line.p + at, end - at};
}

/* From a brace to the one that closes it, with the key before it; len 0: there is none. */
static struct yk_str some_part(struct yk_str line, struct yk_random *random)
{
    size_t at = line.len > 2 ? 2 + (size_t)yk_random_below(random, line.len - 2) : line.len;
    while (at < line.len && line.p[at] != '{' && line.p[at] != '[')
        at++;
    size_t end = at;
    for (int depth = 0; end < line.len; end++) {
        depth += line.p[end] == '{' || line.p[end] == '[';
        depth -= line.p[end] == '}' || line.p[end] == ']';
        if (depth == 0)
            return (struct yk_str){line.p + at, end + 1 - at};
    }
    return (struct yk_str){0};
}

/* `line` with `part` of it replaced; the result lives in `out`. */
static struct yk_str replaced(struct yk_buf *out, struct yk_str line, struct yk_str part, struct yk_str by)
{
    yk_buf_clear(out);
    yk_buf_str(out, (struct yk_str){line.p, (size_t)(part.p - line.p)});
    yk_buf_str(out, by);
    yk_buf_str(out, (struct yk_str){part.p + part.len, (size_t)(line.p + line.len - part.p) - part.len});
    return yk_buf_view(out);
}

static struct yk_str other_value(struct yk_str line, struct yk_random *random)
{
    static const char *const words[] = {"0",    "-1",   "1",     "9223372036854775807",
                                        "1e30", "100m", "3Ti",   "",
                                        "n0",   "n1",   "p0",    "yunikorn",
                                        "true", "null", "Exists"};
    struct yk_str value = {0};
    if (yk_random_below(random, 3) == 0)
        return yk_str_from(words[yk_random_below(random, YK_COUNT(words))]);
    if (pool.count > 0 && yk_random_below(random, 2) == 0)
        value = some_value(pool.lines[yk_random_below(random, pool.count)], random);
    return value.len > 0 ? value : some_value(line, random);
}

static struct yk_str change_line(struct yk_buf *out, struct yk_str line, struct yk_random *random)
{
    static const char verbs[] = "AMDLAMD[]}";
    struct yk_str part;
    if (line.len < 3)
        return line;
    switch (yk_random_below(random, 6)) {
    case 0:
        yk_buf_clear(out);
        yk_buf_str(out, line);
        if (line.p[0] == 'A' || line.p[0] == 'M' || line.p[0] == 'D')
            out->p[0] = verbs[yk_random_below(random, sizeof(verbs) - 1)];
        return yk_buf_view(out);
    case 1:
        part = some_part(line, random);
        if (part.len == 0 || pool.count == 0)
            return line;
        return replaced(out, line, part, some_part(pool.lines[yk_random_below(random, pool.count)], random));
    default:
        part = some_value(line, random);
        return part.len == 0 ? line : replaced(out, line, part, other_value(line, random));
    }
}

/* ---- the script ---- */

static void insert(struct script *script, size_t at, struct yk_str line)
{
    if (script->count == LINES_MAX)
        return;
    memmove(&script->lines[at + 1], &script->lines[at], (script->count - at) * sizeof(line));
    script->lines[at] = line;
    script->count++;
}

static void take_out(struct script *script, size_t at)
{
    script->count--;
    memmove(&script->lines[at], &script->lines[at + 1], (script->count - at) * sizeof(script->lines[0]));
}

/* `out` keeps the bytes of a changed line. */
static void change_script(struct script *script, struct yk_buf *out, struct yk_random *random)
{
    size_t at = (size_t)yk_random_below(random, script->count);
    size_t to = (size_t)yk_random_below(random, script->count + 1);
    struct yk_str line = script->lines[at];
    switch (yk_random_below(random, 8)) {
    case 0:
        take_out(script, at);
        break;
    case 1:
        insert(script, to, line);
        break;
    case 2:
        take_out(script, at);
        insert(script, YK_MIN(to, script->count), line);
        break;
    case 3:
    case 4:
        if (pool.count > 0)
            insert(script, to, pool.lines[yk_random_below(random, pool.count)]);
        break;
    case 5:
        insert(script, to, change_line(out, line, random));
        break;
    default:
        script->lines[at] = change_line(out, line, random);
        break;
    }
}

static size_t write_back(const struct script *script, uint8_t *data, size_t max)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {0};
    for (size_t i = 0; i < script->count; i++) {
        if (text.len + script->lines[i].len + 1 > max)
            break;
        yk_buf_str(&text, script->lines[i]);
        yk_buf_char(&text, '\n');
    }
    memcpy(data, text.p, text.len);
    return text.len;
}

size_t mutate_script(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct yk_random random;
    struct yk_str rest = {(const char *)data, size}, line;
    struct script script = {.count = 0};
    struct yk_buf changed[4] = {{0}};
    yk_random_init(&random, seed);
    while (script.count < LINES_MAX && yk_str_split(&rest, '\n', &line)) {
        if (line.len > 0)
            script.lines[script.count++] = line;
    }
    if (script.count == 0 || yk_random_below(&random, 12) == 0)
        return LLVMFuzzerMutate(data, size, max);
    for (size_t i = 0; i < script.count; i++) {
        if (yk_random_below(&random, 8) == 0)
            see(script.lines[i], &random);
    }
    size_t changes = 1 + (size_t)yk_random_below(&random, YK_COUNT(changed));
    for (size_t i = 0; i < changes && script.count > 0; i++)
        change_script(&script, &changed[i], &random);
    size_t written = script.count > 0 ? write_back(&script, data, max) : size;
    for (size_t i = 0; i < YK_COUNT(changed); i++)
        yk_buf_done(&changed[i]);
    return written;
}
