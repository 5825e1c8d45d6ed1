/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Translates patterns that were written for RE2 into the syntax of PCRE2 (P20): long names of Unicode
 * categories, and brackets in a class that PCRE2 takes for POSIX collating elements. The rest is copied.
 */
#include "config/load_priv.h"

/* General categories of Unicode by their long names. */
static const struct {
    const char *name, *short_name;
} categories[] = {
    {"Letter", "L"},
    {"Cased_Letter", "L&"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Other", "C"},
    {"Control", "Cc"},
    {"Format", "Cf"},
    {"Surrogate", "Cs"},
    {"Private_Use", "Co"},
    {"Unassigned", "Cn"},
};

static void put_category(struct yk_str name, struct yk_buf *out)
{
    for (size_t i = 0; i < YK_COUNT(categories); i++) {
        if (yk_str_is_nocase(name, categories[i].name)) {
            yk_buf_text(out, categories[i].short_name);
            return;
        }
    }
    yk_buf_str(out, name);
}

/* Translates the escape at the beginning of `rest`. Returns its length in the pattern, as the functions below
 * do. */
static size_t put_escape(struct yk_str rest, struct yk_buf *out)
{
    bool is_property = rest.len > 3 && (rest.p[1] == 'p' || rest.p[1] == 'P') && rest.p[2] == '{';
    const char *end = is_property ? memchr(rest.p, '}', rest.len) : NULL;
    if (end == NULL) {
        size_t len = YK_MIN(rest.len, (size_t)2);
        yk_buf_str(out, (struct yk_str){rest.p, len});
        return len;
    }
    size_t start = rest.p[3] == '^' ? 4 : 3, len = (size_t)(end - rest.p);
    yk_buf_str(out, (struct yk_str){rest.p, start});
    put_category((struct yk_str){rest.p + start, len - YK_MIN(start, len)}, out);
    yk_buf_char(out, '}');
    return len + 1;
}

/* Copies the text up to \E, or to the end if there is none. */
static size_t put_quoted(struct yk_str rest, struct yk_buf *out)
{
    const char *end = memmem(rest.p, rest.len, "\\E", 2);
    size_t len = end != NULL ? (size_t)(end - rest.p) + 2 : rest.len;
    yk_buf_str(out, (struct yk_str){rest.p, len});
    return len;
}

/* Translates a bracket inside of a class: a class such as [:alpha:], or the character itself. */
static size_t put_bracket_in_class(struct yk_str rest, struct yk_buf *out)
{
    char next = rest.len > 1 ? rest.p[1] : '\0';
    const char *end = next == ':' ? memmem(rest.p, rest.len, ":]", 2) : NULL;
    if (end != NULL) { /* [:alpha:] */
        size_t len = (size_t)(end - rest.p) + 2;
        yk_buf_str(out, (struct yk_str){rest.p, len});
        return len;
    }
    yk_buf_text(out, next == '=' || next == '.' ? "\\[" : "[");
    return 1;
}

/* Copies the bracket that opens a class, with a ^ and a ] right behind it; the latter does not end the
 * class. */
static size_t put_class_start(struct yk_str rest, struct yk_buf *out)
{
    size_t len = 1;
    len += rest.len > len && rest.p[len] == '^';
    len += rest.len > len && rest.p[len] == ']';
    yk_buf_str(out, (struct yk_str){rest.p, len});
    return len;
}

/* Translates the element at the beginning of `rest`. `*in_class`: whether it is inside of brackets. */
static size_t put_element(struct yk_str rest, bool *in_class, struct yk_buf *out)
{
    char c = rest.p[0];
    if (c == '\\' && !*in_class && rest.len > 1 && rest.p[1] == 'Q')
        return put_quoted(rest, out);
    if (c == '\\')
        return put_escape(rest, out);
    if (c == '[' && *in_class)
        return put_bracket_in_class(rest, out);
    if (c == '[') {
        *in_class = true;
        return put_class_start(rest, out);
    }
    *in_class = *in_class && c != ']';
    yk_buf_char(out, c);
    return 1;
}

void yk__pattern_translate(struct yk_str pattern, struct yk_buf *out)
{
    bool in_class = false;
    for (size_t at = 0; at < pattern.len;)
        at += put_element((struct yk_str){pattern.p + at, pattern.len - at}, &in_class, out);
}

/* ---- what RE2 refuses ---- */

static const char *beyond_in_escape(struct yk_str rest)
{
    char c = rest.len > 1 ? rest.p[1] : '\0', next = rest.len > 2 ? rest.p[2] : '\0';
    if (c == 'g' || c == 'k' || c == '8' || c == '9' || (c >= '1' && c <= '7' && (next < '0' || next > '7')))
        return "a reference to a group";
    return c != '\0' && strchr("GHKNRVXZceho", c) != NULL ? "an escape that only PCRE2 knows" : NULL;
}

static const char *beyond_in_group(struct yk_str rest)
{
    static const char *const around[] = {"(?=", "(?!", "(?<=", "(?<!"};
    static const char *const others[] = {"(?>",  "(?|",  "(?(", "(?R", "(?&",
                                         "(?P>", "(?P=", "(?C", "(?'", "(?#"};
    if (yk_str_starts(rest, "(*"))
        return "a verb";
    for (size_t i = 0; i < YK_COUNT(around); i++) {
        if (yk_str_starts(rest, around[i]))
            return "look-ahead or look-behind";
    }
    for (size_t i = 0; i < YK_COUNT(others); i++) {
        if (yk_str_starts(rest, others[i]))
            return "a kind of group that only PCRE2 knows";
    }
    return NULL;
}

const char *yk__pattern_beyond_re2(struct yk_str pattern)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf text = {.max = 2 * YK_CONFIG_PATTERN_BYTES_MAX + 2};
    bool in_class = false;
    char before = '\0';
    for (size_t at = 0; at < pattern.len;) {
        struct yk_str rest = {pattern.p + at, pattern.len - at};
        const char *what = NULL;
        if (!in_class && rest.p[0] == '\\')
            what = beyond_in_escape(rest);
        else if (!in_class && rest.p[0] == '(')
            what = beyond_in_group(rest);
        else if (!in_class && rest.p[0] == '+' && before != '\0' && strchr("*+?", before) != NULL)
            what = "a possessive repeat";
        if (what != NULL)
            return what;
        size_t len = put_element(rest, &in_class, &text);
        before = len == 1 && !in_class ? rest.p[0] : '\0';
        at += len;
    }
    return NULL;
}
