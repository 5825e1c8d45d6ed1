/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patterns as people wrote them for RE2, in the words of PCRE2 (P20): long names of Unicode categories, and
 * brackets in a class that PCRE2 takes for POSIX collating elements. All else is the same in both.
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

/* The length of what the backslash at the front of `rest` begins. */
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

/* Text up to \E, or to the end, as it is. */
static size_t put_quoted(struct yk_str rest, struct yk_buf *out)
{
    const char *end = memmem(rest.p, rest.len, "\\E", 2);
    size_t len = end != NULL ? (size_t)(end - rest.p) + 2 : rest.len;
    yk_buf_str(out, (struct yk_str){rest.p, len});
    return len;
}

/* One element of a class, whose opening bracket is behind: what follows a bracket decides what that is. */
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

/* The bracket that opens a class, and what is no end of it right behind. */
static size_t put_class_start(struct yk_str rest, struct yk_buf *out)
{
    size_t len = 1;
    len += rest.len > len && rest.p[len] == '^';
    len += rest.len > len && rest.p[len] == ']';
    yk_buf_str(out, (struct yk_str){rest.p, len});
    return len;
}

void yk__pattern_translate(struct yk_str pattern, struct yk_buf *out)
{
    bool in_class = false;
    for (size_t at = 0; at < pattern.len;) {
        struct yk_str rest = {pattern.p + at, pattern.len - at};
        char c = rest.p[0];
        if (c == '\\' && !in_class && rest.len > 1 && rest.p[1] == 'Q') {
            at += put_quoted(rest, out);
        } else if (c == '\\') {
            at += put_escape(rest, out);
        } else if (c == '[' && in_class) {
            at += put_bracket_in_class(rest, out);
        } else if (c == '[') {
            at += put_class_start(rest, out);
            in_class = true;
        } else {
            in_class = in_class && c != ']';
            yk_buf_char(out, c);
            at++;
        }
    }
}
