/* SPDX-License-Identifier: Apache-2.0 */
/* V6: checks placement rules and the node sorting policy, as far as the text alone decides it (P15, P16,
 * P21). */
#include "config/load_priv.h"
#include "config/sort_policies.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Writes the error "line 3, column 5: rule 'fixed': <formatted>" with the place of `value`, or of the
 * rule if that is not known. */
static enum yk_status fail_rule(struct yk__load *load, enum yk_status status,
                                const struct yk_config_rule *rule, struct yk_str value, const char *format,
                                ...) YK_PRINTF(5, 6);

static enum yk_status fail_rule(struct yk__load *load, enum yk_status status,
                                const struct yk_config_rule *rule, struct yk_str value, const char *format,
                                ...)
{
    struct yk_config_place place = yk__place_of(load->config, value.p, rule->place);
    char sentence[YK_ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof(sentence), format, args); /* a longer text is cut */
    va_end(args);
    return yk_fail_at(load->err, status, place.line, place.column, "rule '" YK_STR_FMT "': %s",
                      YK_STR_ARG(rule->name), sentence);
}

/* ---- P16, P20: filters ---- */

/* PCRE2_NEVER_UCP: \d, \w, \s and \b match ASCII only, and a pattern cannot change that. */
enum yk_status yk_config_pattern_compile(struct yk_str pattern, struct pcre2_real_code_8 **ret_code,
                                         struct yk_err *err)
{
    int code = 0;
    size_t at = 0;
    if (pattern.len > YK_CONFIG_PATTERN_BYTES_MAX)
        return yk_fail(err, YK_ERR_INVALID, "pattern of %zu bytes (at most %d)", pattern.len,
                       YK_CONFIG_PATTERN_BYTES_MAX);
    YK_CLEANUP(yk_buf_done) struct yk_buf translated = {.max = 2 * YK_CONFIG_PATTERN_BYTES_MAX + 2};
    yk__pattern_translate(pattern, &translated);
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)yk_buf_cstr(&translated), translated.len,
                                         PCRE2_UTF | PCRE2_NEVER_UCP | PCRE2_DOLLAR_ENDONLY |
                                             PCRE2_NEVER_BACKSLASH_C | PCRE2_DUPNAMES,
                                         &code, &at, NULL);
    if (compiled == NULL && code == PCRE2_ERROR_HEAP_FAILED)
        yk_out_of_memory(translated.len); /* not an error of the pattern */
    if (compiled == NULL) {
        char problem[256] = "";
        (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)problem, sizeof(problem));
        return yk_fail(err, YK_ERR_INVALID, "pattern '" YK_STR_FMT "', byte %zu: %s", YK_STR_ARG(pattern), at,
                       problem);
    }
    *ret_code = compiled;
    return YK_OK;
}

/* The only entry of a list may be a pattern. In a longer list, entries that are not names are skipped
 * (P17). */
static enum yk_status check_filter_list(struct yk__load *load, const struct yk_config_rule *rule,
                                        const char *what, const struct yk_config_names *names,
                                        bool (*valid)(struct yk_str))
{
    if (names->count == 1 && !valid(names->items[0])) {
        struct yk_str only = names->items[0];
        if (!yk_config_is_pattern(only))
            return fail_rule(load, YK_ERR_INVALID, rule, only,
                             "filter %s '" YK_STR_FMT "' is neither a name nor a pattern", what,
                             YK_STR_ARG(only));
        pcre2_code *code = NULL;
        struct yk_err why;
        enum yk_status st = yk_config_pattern_compile(only, &code, &why);
        if (st != YK_OK)
            return fail_rule(load, st, rule, only, "filter %s: %s", what, why.text);
        pcre2_code_free(code);
        const char *beyond = yk__pattern_beyond_re2(only);
        if (beyond != NULL)
            yk__warn_at(load, yk__place_of(load->config, only.p, rule->place),
                        "rule '" YK_STR_FMT "': filter %s '" YK_STR_FMT "': YuniKorn 1.9 refuses %s",
                        YK_STR_ARG(rule->name), what, YK_STR_ARG(only), beyond);
    }
    for (uint32_t i = 0; names->count > 1 && i < names->count; i++) {
        if (!valid(names->items[i]))
            yk__warn_at(load, yk__place_of(load->config, names->items[i].p, rule->place),
                        "rule '" YK_STR_FMT "': filter %s '" YK_STR_FMT "' is not a name and is skipped",
                        YK_STR_ARG(rule->name), what, YK_STR_ARG(names->items[i]));
    }
    return YK_OK;
}

static enum yk_status check_filter(struct yk__load *load, const struct yk_config_rule *rule)
{
    struct yk_str type = yk__lower(load, rule->filter.type);
    if (type.len > 0 && !yk_str_is(type, "allow") && !yk_str_is(type, "deny"))
        return fail_rule(load, YK_ERR_INVALID, rule, rule->filter.type,
                         "filter type '" YK_STR_FMT "' is neither 'allow' nor 'deny'",
                         YK_STR_ARG(rule->filter.type));
    enum yk_status st = check_filter_list(load, rule, "user", &rule->filter.users, yk_user_name_valid);
    if (st == YK_OK)
        st = check_filter_list(load, rule, "group", &rule->filter.groups, yk_group_name_valid);
    return st;
}

/* ---- P21: the queues of fixed rules ---- */

static bool is_fixed(struct yk__load *load, const struct yk_config_rule *rule)
{
    return yk_str_is(yk__lower(load, rule->name), "fixed");
}

/* Whether a rule of the chain is a fixed rule that is not spelled "fixed". Compat: 1.9 does not check
 * such a rule (BUG-16). */
static bool has_capitals(struct yk__load *load, const struct yk_config_rule *rule)
{
    while (rule != NULL && !(is_fixed(load, rule) && !yk_str_is(rule->name, "fixed")))
        rule = rule->parent;
    return rule != NULL;
}

static bool is_qualified(struct yk_str lower_path)
{
    return yk_str_is(lower_path, "root") || yk_str_starts(lower_path, "root.");
}

static struct yk_str fixed_value(struct yk__load *load, const struct yk_config_rule *rule)
{
    return yk__lower(load, yk_str_trim(rule->value));
}

/* P12: a parent rule that is fixed to "root" does not mean the root queue, but a queue "root" below it. */
static void warn_root_parent(struct yk__load *load, const struct yk_config_rule *rule)
{
    const struct yk_config_rule *parent = rule->parent;
    if (parent != NULL && is_fixed(load, parent) && yk_str_is(fixed_value(load, parent), "root"))
        yk__warn_at(load, yk__place_of(load->config, parent->value.p, rule->place),
                    "rule '" YK_STR_FMT
                    "': its parent rule is fixed to 'root', which places below 'root.root'",
                    YK_STR_ARG(rule->name));
}

/* The first part of the path that a chain of rules gives, as far as fixed rules decide it. */
struct fixed_path {
    struct yk_buf text;                 /* lower case; empty: the outermost rule is not a fixed rule */
    const struct yk_config_rule *fixed; /* the rule that gave the last queue of `text` */
    bool dynamic_below;                 /* a rule adds a queue that is not known here */
    bool exact;                         /* only rules that are spelled "fixed" count as fixed */
};

static enum yk_status collect_path(struct yk__load *load, const struct yk_config_rule *rule,
                                   struct fixed_path *path)
{
    if (rule->parent != NULL) {
        enum yk_status st = collect_path(load, rule->parent, path);
        if (st != YK_OK)
            return st;
    }
    if (path->dynamic_below)
        return YK_OK;
    if (!is_fixed(load, rule) || (path->exact && !yk_str_is(rule->name, "fixed"))) {
        path->dynamic_below = true;
        return YK_OK;
    }
    struct yk_str value = fixed_value(load, rule);
    if (path->text.len > 0 && is_qualified(value))
        return fail_rule(load, YK_ERR_INVALID, rule, rule->value,
                         "'" YK_STR_FMT "' starts at root, but the rule has a parent rule",
                         YK_STR_ARG(rule->value));
    if (path->text.len == 0 && !is_qualified(value))
        yk_buf_text(&path->text, "root");
    if (path->text.len > 0)
        yk_buf_char(&path->text, '.');
    yk_buf_str(&path->text, value);
    path->fixed = rule;
    if (path->text.failed)
        return fail_rule(load, YK_ERR_LIMIT, rule, rule->value, "path longer than %zu bytes", path->text.max);
    return YK_OK;
}

static enum yk_status fail_path(struct yk__load *load, const struct yk_config_rule *rule,
                                const struct fixed_path *path, const char *problem)
{
    return fail_rule(load, YK_ERR_INVALID, rule, path->fixed->value, "queue '%.200s' %s",
                     yk_buf_cstr(&path->text), problem);
}

static enum yk_status check_end(struct yk__load *load, const struct yk_config_rule *rule,
                                const struct fixed_path *path, const struct yk_config_queue *queue)
{
    bool is_parent = queue->parent || queue->queue_count > 0;
    if (path->dynamic_below)
        return is_parent ? YK_OK : fail_path(load, rule, path, "is a leaf, but the rule places below it");
    if (queue->parent)
        return fail_path(load, rule, path, "is a parent and takes no applications");
    /* Compat: 1.9 looks at the flag only, so a queue with children and without the flag is accepted (P21). */
    if (is_parent)
        yk__warn_at(load, yk__place_of(load->config, path->fixed->value.p, rule->place),
                    "rule '" YK_STR_FMT "': queue '%.200s' has children and takes no applications",
                    YK_STR_ARG(rule->name), yk_buf_cstr(&path->text));
    return YK_OK;
}

static enum yk_status walk_path(struct yk__load *load, const struct yk_config_partition *partition,
                                const struct yk_config_rule *rule, const struct fixed_path *path)
{
    const struct yk_config_queue *queue = &partition->root;
    struct yk_str rest = yk_buf_view(&path->text), part;
    (void)yk_str_split(&rest, '.', &part); /* "root" */
    while (yk_str_split(&rest, '.', &part)) {
        if (queue->queue_count == 0 && !queue->parent)
            return fail_path(load, rule, path, "would be below a leaf");
        const struct yk_config_queue *child = yk__child_find(load, queue, part);
        if (child == NULL && rule->create)
            return YK_OK; /* building the rule finds names that are not valid (V10) */
        if (child == NULL && yk_str_empty(path->fixed->value))
            return fail_rule(load, YK_ERR_INVALID, path->fixed, path->fixed->name,
                             "needs a value: the queue");
        if (child == NULL)
            return fail_path(load, rule, path,
                             part.len == 0 ? "has a name that is empty"
                                           : "does not exist, and the rule has no 'create: true'");
        queue = child;
    }
    return check_end(load, rule, path, queue);
}

static enum yk_status check_path_as(struct yk__load *load, const struct yk_config_partition *partition,
                                    const struct yk_config_rule *rule, bool exact)
{
    struct fixed_path path = {.text = {.max = YK_CONFIG_BYTES_MAX}, .exact = exact};
    enum yk_status st = collect_path(load, rule, &path);
    if (st == YK_OK && path.text.len > 0)
        st = walk_path(load, partition, rule, &path);
    yk_buf_done(&path.text);
    return st;
}

static void warn_path(struct yk__load *load, const struct yk_config_partition *partition,
                      const struct yk_config_rule *rule)
{
    struct yk_err why = {0}, *kept = load->err;
    load->err = &why;
    if (check_path_as(load, partition, rule, false) != YK_OK)
        yk__warn_at(load, (struct yk_config_place){why.line, why.column}, "%s: it will place nothing",
                    yk_err_sentence(&why));
    load->err = kept;
}

static enum yk_status check_path(struct yk__load *load, const struct yk_config_partition *partition,
                                 const struct yk_config_rule *rule)
{
    bool exact = has_capitals(load, rule);
    enum yk_status st = check_path_as(load, partition, rule, exact);
    if (st == YK_OK && exact)
        warn_path(load, partition, rule);
    return st;
}

/* ---- all of V6 ---- */

static enum yk_status check_rule(struct yk__load *load, const struct yk_config_rule *rule)
{
    for (; rule != NULL; rule = rule->parent) {
        enum yk_status st = YK_OK;
        if (!yk_rule_name_valid(rule->name))
            st = yk_fail_at(load->err, YK_ERR_INVALID, rule->place.line, rule->place.column,
                            "placement rule name '" YK_STR_FMT "' is not valid", YK_STR_ARG(rule->name));
        st = yk__go_on(load, st);
        if (st == YK_OK)
            st = yk__go_on(load, check_filter(load, rule));
        if (st != YK_OK)
            return st;
        warn_root_parent(load, rule);
    }
    return YK_OK;
}

static enum yk_status check_node_sort(struct yk__load *load, const struct yk_config_partition *partition)
{
    struct yk_str type = partition->node_sort_type;
    struct yk_config_place place = yk__place_of(load->config, type.p, partition->place);
    enum yk_status st = YK_OK;
    enum yk_node_sort sort;
    if (type.len > 0 && !yk_node_sort_of(type, &sort))
        st = yk__go_on(load, yk_fail_at(load->err, YK_ERR_INVALID, place.line, place.column,
                                        "node sort policy '" YK_STR_FMT "' is %s", YK_STR_ARG(type),
                                        yk_node_sorts_neither));
    if (st != YK_OK)
        return st;
    for (uint32_t i = 0; i < partition->node_sort_weight_count; i++) {
        struct yk_str weighted = partition->node_sort_weights[i].type;
        place = yk__place_of(load->config, weighted.p, partition->place);
        if (partition->node_sort_weights[i].weight < 0)
            st = yk_fail_at(load->err, YK_ERR_INVALID, place.line, place.column,
                            "node sort policy: weight %g of '" YK_STR_FMT "' is negative",
                            partition->node_sort_weights[i].weight, YK_STR_ARG(weighted));
        st = yk__go_on(load, st);
        if (st != YK_OK)
            return st;
    }
    return YK_OK;
}

enum yk_status yk__check_rules(struct yk__load *load, const struct yk_config_partition *partition)
{
    for (uint32_t i = 0; i < partition->rule_count; i++) {
        uint32_t errors = load->errors != NULL ? load->errors->count : 0;
        enum yk_status st = check_rule(load, &partition->rules[i]);
        if (st == YK_OK)
            st = yk__go_on(load, check_path(load, partition, &partition->rules[i]));
        partition->rules[i].refused = load->errors != NULL && load->errors->count > errors;
        if (st != YK_OK)
            return st;
    }
    return check_node_sort(load, partition);
}
