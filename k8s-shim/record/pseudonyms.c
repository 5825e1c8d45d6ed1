/* SPDX-License-Identifier: Apache-2.0 */
#include "record/pseudonyms.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "record/vocabulary.h"

#include <ctype.h>

enum { BASE_MAX = 80, CLASS_MAX = 64 };

struct word {
    struct yk_str text;
    bool stays;          /* the word is not replaced; the pseudonyms of other words sort between such words */
    bool is_spoken;      /* a word of the vocabulary of sentences that stands alone in a recorded sentence */
    struct yk_str alias; /* the pseudonym, set by yk_pseudonyms_seal() */
};

struct yk_pseudonyms {
    struct yk_vocabulary *vocabulary; /* owned */
    struct yk_arena arena;
    struct yk_strmap words; /* text -> struct word */
    struct yk_vec sorted;   /* struct word: all words; yk_pseudonyms_seal() sorts them */
    size_t bytes;           /* bytes of all words */
    bool is_full;           /* a word was left out */
};

/* ---- texts ---- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) != 0 || (unsigned char)c >= 0x80;
}

/* Whether the character can be part of a *joined* text, which consists of words with characters such as '-'
 * and '.' between them. If a joined text contains a name, the numbers in the text are replaced, too. */
static bool joins(char c)
{
    return is_letter(c) || c == '-' || c == '.' || c == '_' || c == '/' || c == '@' || c == ':';
}

static size_t span(struct yk_str text, size_t at, bool (*is_part)(char c))
{
    size_t len = 0;
    while (at + len < text.len && is_part(text.p[at + len]))
        len++;
    return len;
}

/* The first word at or after index `*at`; absent: there is none. Sets `*at` to the end of the word. */
static struct yk_str next_word(struct yk_str text, size_t *at)
{
    while (*at < text.len && !is_letter(text.p[*at]))
        (*at)++;
    struct yk_str word = {text.p + *at, span(text, *at, is_letter)};
    *at += word.len;
    return word.len > 0 ? word : (struct yk_str){0};
}

static bool is_in_vocabulary(const struct yk_pseudonyms *pseudonyms, struct yk_str word,
                             enum yk_pseudonym_text of)
{
    return of == YK_PSEUDONYM_SENTENCE ? yk_vocabulary_has_in_sentences(pseudonyms->vocabulary, word)
                                       : yk_vocabulary_has(pseudonyms->vocabulary, word);
}

static bool is_learned(const struct yk_pseudonyms *pseudonyms, struct yk_str word)
{
    const struct word *known = yk_strmap_get(&pseudonyms->words, word);
    return known != NULL && !known->stays;
}

/* Whether the word is a name that is replaced. False for numbers, and for a name that is also a word of the
 * recorded sentences, because the two could not be distinguished in a sentence. */
static bool is_name(const struct yk_pseudonyms *pseudonyms, struct yk_str word, enum yk_pseudonym_text of)
{
    const struct word *known = yk_strmap_get(&pseudonyms->words, word);
    if (yk_vocabulary_is_number(word) || (known != NULL && known->is_spoken))
        return false;
    return (of == YK_PSEUDONYM_SENTENCE && is_learned(pseudonyms, word)) ||
           !is_in_vocabulary(pseudonyms, word, of);
}

/* Whether the text looks like an IPv4 address: digits with three points, and maybe a port or a mask. */
static bool is_address(struct yk_str joined)
{
    size_t points = 0;
    for (size_t i = 0; i < joined.len; i++) {
        if (joined.p[i] == '.')
            points++;
        else if (isdigit((unsigned char)joined.p[i]) == 0 && joined.p[i] != ':' && joined.p[i] != '/')
            return false;
    }
    return points == 3;
}

static bool has_name(const struct yk_pseudonyms *pseudonyms, struct yk_str joined, enum yk_pseudonym_text of)
{
    struct yk_str word;
    for (size_t at = 0; (word = next_word(joined, &at)).p != NULL;) {
        if (is_name(pseudonyms, word, of))
            return true;
    }
    return is_address(joined);
}

/* The number of bytes of an escape such as "\d" or "\\d" at index `at`. */
static size_t escape_length(struct yk_str text, size_t at)
{
    size_t len = 0;
    while (at + len < text.len && text.p[at + len] == '\\')
        len++;
    return len > 0 && at + len < text.len && (unsigned char)text.p[at + len] < 0x80 ? len + 1 : len;
}

/* The number of bytes of a class of a regular expression at index `at`, such as [a-zA-Z0-9_.-]. 0: there is
 * none. A class needs a range, and letters only in ranges: other brackets may contain a name. */
static size_t class_length(struct yk_str text, size_t at)
{
    bool has_range = false;
    for (size_t i = at + 1; i < text.len && i < at + CLASS_MAX; i++) {
        char c = text.p[i];
        if (c == ']')
            return has_range ? i + 1 - at : 0;
        if (isspace((unsigned char)c) != 0 || c == ',' || c == '"' || c == '\'')
            return 0;
        bool is_range = isalnum((unsigned char)c) != 0 && i + 2 < text.len && text.p[i + 1] == '-' &&
                        isalnum((unsigned char)text.p[i + 2]) != 0;
        if (is_letter(c) && !is_range)
            return 0;
        if (is_range)
            i += 2;
        has_range = has_range || is_range;
    }
    return 0;
}

/* The number of bytes that are copied without a change from index `at` on; 0: a joined text begins at
 * `at`. */
static size_t other_length(struct yk_str text, size_t at)
{
    if (text.p[at] == '\\')
        return escape_length(text, at);
    size_t len = text.p[at] == '[' ? class_length(text, at) : 0;
    if (len > 0)
        return len;
    return joins(text.p[at]) ? 0 : 1;
}

/* ---- learning ---- */

/* The record of the word; NULL: there are too many words or bytes, and `is_full` is set. */
static struct word *add(struct yk_pseudonyms *pseudonyms, struct yk_str text, bool stays)
{
    struct word *word = yk_strmap_get(&pseudonyms->words, text);
    if (word != NULL) {
        word->stays = word->stays && stays;
        return word;
    }
    if (pseudonyms->words.count >= YK_PSEUDONYMS_MAX ||
        text.len > YK_PSEUDONYM_BYTES_MAX - pseudonyms->bytes) {
        pseudonyms->is_full = true;
        return NULL;
    }
    word = yk_arena_alloc0(&pseudonyms->arena, sizeof(*word));
    pseudonyms->bytes += text.len;
    *word = (struct word){.text = yk_arena_str(&pseudonyms->arena, text), .stays = stays};
    (void)yk_strmap_put(&pseudonyms->words, word->text, word); /* a new key */
    yk_vec_append(&pseudonyms->sorted, word);
    return word;
}

static void add_spoken(struct yk_pseudonyms *pseudonyms, struct yk_str text)
{
    struct word *word = add(pseudonyms, text, true);
    if (word != NULL)
        word->is_spoken = true;
}

static bool is_one_word(struct yk_str joined)
{
    size_t at = 0;
    (void)next_word(joined, &at); /* skips the first word */
    return next_word(joined, &at).p == NULL;
}

static void learn_joined(struct yk_pseudonyms *pseudonyms, struct yk_str joined, enum yk_pseudonym_text of)
{
    bool is_named = has_name(pseudonyms, joined, of);
    struct yk_str word;
    for (size_t at = 0; (word = next_word(joined, &at)).p != NULL;) {
        bool is_number = yk_vocabulary_is_number(word);
        if (!is_number && of == YK_PSEUDONYM_SENTENCE && is_one_word(joined) &&
            yk_vocabulary_has_in_sentences(pseudonyms->vocabulary, word))
            add_spoken(pseudonyms, word);
        else if (is_number ? is_named : is_name(pseudonyms, word, of))
            (void)add(pseudonyms, word, false); /* yk_pseudonyms_seal() reports that there are too many */
        else if (!is_number && of == YK_PSEUDONYM_NAME)
            (void)add(pseudonyms, word, true);
    }
}

void yk_pseudonyms_learn(struct yk_pseudonyms *pseudonyms, struct yk_str text, enum yk_pseudonym_text of)
{
    for (size_t at = 0; at < text.len;) {
        size_t other = other_length(text, at), len = other > 0 ? other : span(text, at, joins);
        if (other == 0)
            learn_joined(pseudonyms, (struct yk_str){text.p + at, len}, of);
        at += len;
    }
}

/* ---- choosing ---- */

static int compare(struct yk_str a, struct yk_str b, bool ignores_case)
{
    for (size_t i = 0; i < a.len && i < b.len; i++) {
        unsigned char x = (unsigned char)a.p[i], y = (unsigned char)b.p[i];
        int cx = ignores_case ? tolower(x) : x, cy = ignores_case ? tolower(y) : y;
        if (cx != cy)
            return cx < cy ? -1 : 1;
    }
    return a.len < b.len ? -1 : a.len > b.len;
}

/* Words that differ only in case, such as two spellings of a queue, become neighbours. */
static int by_text(const void *a, const void *b)
{
    const struct word *x = a, *y = b;
    int order = compare(x->text, y->text, true);
    return order != 0 ? order : compare(x->text, y->text, false);
}

/* Whether `base` followed by digits sorts between the words `before` and `after`, which stay. `before` or
 * `after` is absent if there is no such word. */
static bool fits(const char *base, struct yk_str before, struct yk_str after)
{
    char low[BASE_MAX + 24], high[BASE_MAX + 24];
    (void)snprintf(low, sizeof(low), "%s0", base);
    (void)snprintf(high, sizeof(high), "%s9999999999", base);
    return (before.p == NULL || compare(before, yk_str_from(low), true) < 0) &&
           (after.p == NULL || compare(yk_str_from(high), after, true) < 0);
}

static void cut(char *base, struct yk_str word, size_t len)
{
    len = YK_MIN(len, (size_t)BASE_MAX - 2);
    for (size_t i = 0; i < len; i++)
        base[i] = (char)tolower((unsigned char)word.p[i]);
    base[len] = '\0';
}

/* Chooses the text with which all pseudonyms between the words `before` and `after` begin. */
static void choose_base(struct yk_str before, struct yk_str after, char base[BASE_MAX])
{
    (void)snprintf(base, BASE_MAX, "n");
    if (fits(base, before, after))
        return;
    for (size_t len = 1; len <= after.len; len++) { /* the first letters of `after` */
        cut(base, after, len);
        if (fits(base, before, after))
            return;
    }
    /* The first letters of `before`, but the last of them is replaced by the next letter of the alphabet. */
    for (size_t len = 1; len <= before.len; len++) {
        cut(base, before, len);
        if (base[len - 1] < 'a' || base[len - 1] >= 'z')
            continue;
        base[len - 1]++;
        if (fits(base, before, after))
            return;
    }
    cut(base, before, before.len);
    (void)snprintf(base + strlen(base), BASE_MAX - strlen(base), "0");
}

static struct yk_str stays_after(const struct yk_vec *sorted, size_t index)
{
    for (size_t i = index; i < sorted->count; i++) {
        const struct word *word = sorted->items[i];
        if (word->stays)
            return word->text;
    }
    return (struct yk_str){0};
}

static bool has_upper(struct yk_str text, size_t from)
{
    for (size_t i = from; i < text.len; i++) {
        if (isupper((unsigned char)text.p[i]) != 0)
            return true;
    }
    return false;
}

static int digits_of(size_t count)
{
    int digits = 4;
    for (count /= 10000; count > 0; count /= 10)
        digits++;
    return digits;
}

/* The spellings of a word: words that differ from each other only in case, such as "Team", "teAm" and "team".
 * Their pseudonyms also differ only in case, because they are names of the same queue. */
struct spellings {
    size_t count, nth; /* how many there are; the index of the present one in their order */
    size_t letters;    /* letters at the end of each pseudonym, whose case says which spelling it is */
};

/* The spellings that begin at index `from` of the sorted words. */
static struct spellings spellings_at(const struct yk_vec *sorted, size_t from)
{
    const struct word *first = sorted->items[from];
    struct spellings spellings = {.count = 0};
    bool is_inside = false; /* words differ behind the first letter */
    for (size_t i = from; i < sorted->count; i++) {
        const struct word *word = sorted->items[i];
        if (compare(word->text, first->text, true) != 0)
            break;
        if (word->stays)
            continue;
        is_inside = is_inside || has_upper(word->text, 1);
        spellings.count++;
    }
    for (size_t most = spellings.count - 1; is_inside && most > 0; most /= 2)
        spellings.letters++;
    return spellings;
}

/* The case of the letters is a binary number, in which 1 is a small letter. The last spelling has small letters
 * only: if a spelling without capitals exists, it is the last one. */
static void put_spelling(const struct spellings *spellings, struct yk_buf *alias)
{
    size_t number = ((size_t)1 << spellings->letters) - spellings->count + spellings->nth;
    for (size_t bit = spellings->letters; bit-- > 0;)
        yk_buf_char(alias, (number >> bit & 1) != 0 ? 'v' : 'V');
}

static void set_alias(struct yk_pseudonyms *pseudonyms, struct word *word, const char *base, size_t number,
                      const struct spellings *spellings)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf alias = {0};
    yk_buf_printf(&alias, "%s%0*zu", base, digits_of(pseudonyms->sorted.count), number);
    put_spelling(spellings, &alias);
    if (isupper((unsigned char)word->text.p[0]) != 0)
        alias.p[0] = (char)toupper((unsigned char)alias.p[0]);
    word->alias = yk_arena_str(&pseudonyms->arena, yk_buf_view(&alias));
}

enum yk_status yk_pseudonyms_seal(struct yk_pseudonyms *pseudonyms, struct yk_err *err)
{
    struct yk_vec *sorted = &pseudonyms->sorted;
    struct yk_str before = {0}, same = {0};
    char base[BASE_MAX];
    struct spellings spellings = {.count = 0};
    bool has_base = false;
    size_t number = 0;
    if (pseudonyms->is_full)
        return yk_fail(err, YK_ERR_LIMIT, "more than %d different words in names, or %d MiB of them",
                       YK_PSEUDONYMS_MAX, YK_PSEUDONYM_BYTES_MAX >> 20);
    yk_vec_sort(sorted, by_text);
    struct word *each;
    yk_vec_foreach (each, sorted)
        each->stays = each->stays || each->is_spoken;
    for (size_t i = 0; i < sorted->count; i++) {
        struct word *word = sorted->items[i];
        if (word->stays) {
            before = word->text;
            has_base = false;
            continue;
        }
        if (!has_base)
            choose_base(before, stays_after(sorted, i), base);
        has_base = true;
        bool is_same = same.p != NULL && compare(same, word->text, true) == 0;
        if (is_same)
            spellings.nth++;
        else
            spellings = spellings_at(sorted, i);
        number += !is_same;
        same = word->text;
        set_alias(pseudonyms, word, base, number, &spellings);
    }
    return YK_OK;
}

/* ---- rewriting ---- */

static void put_word(const struct yk_pseudonyms *pseudonyms, struct yk_str word, bool is_named,
                     enum yk_pseudonym_text of, struct yk_buf *out)
{
    const struct word *known = yk_strmap_get(&pseudonyms->words, word);
    bool stays = yk_vocabulary_is_number(word) ? !is_named : !is_name(pseudonyms, word, of);
    if (stays)
        yk_buf_str(out, word);
    else if (known != NULL && known->alias.p != NULL)
        yk_buf_str(out, known->alias);
    else
        yk_buf_char(out, 'x');
}

static void rewrite_joined(const struct yk_pseudonyms *pseudonyms, struct yk_str joined,
                           enum yk_pseudonym_text of, struct yk_buf *out)
{
    bool is_named = has_name(pseudonyms, joined, of);
    for (size_t at = 0; at < joined.len;) {
        size_t len = span(joined, at, is_letter);
        if (len == 0) {
            yk_buf_char(out, joined.p[at++]);
            continue;
        }
        put_word(pseudonyms, (struct yk_str){joined.p + at, len}, is_named, of, out);
        at += len;
    }
}

void yk_pseudonyms_rewrite(const struct yk_pseudonyms *pseudonyms, struct yk_str text,
                           enum yk_pseudonym_text of, struct yk_buf *out)
{
    for (size_t at = 0; at < text.len;) {
        size_t other = other_length(text, at), len = other > 0 ? other : span(text, at, joins);
        if (other > 0)
            yk_buf_add(out, text.p + at, len);
        else
            rewrite_joined(pseudonyms, (struct yk_str){text.p + at, len}, of, out);
        at += len;
    }
}

/* ---- life ---- */

struct yk_pseudonyms *yk_pseudonyms_new(void)
{
    struct yk_pseudonyms *pseudonyms = yk_new0(struct yk_pseudonyms);
    pseudonyms->vocabulary = yk_vocabulary_new();
    return pseudonyms;
}

void yk_pseudonyms_free(struct yk_pseudonyms *pseudonyms)
{
    if (pseudonyms == NULL)
        return;
    yk_vocabulary_free(pseudonyms->vocabulary);
    yk_strmap_done(&pseudonyms->words);
    yk_vec_done(&pseudonyms->sorted);
    yk_arena_done(&pseudonyms->arena);
    free(pseudonyms);
}
