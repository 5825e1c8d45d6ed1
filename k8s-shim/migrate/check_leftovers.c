/* SPDX-License-Identifier: Apache-2.0 */
/* Finds objects that the Helm release does not own. */
#include "migrate/migration_priv.h"

#define RELEASE_NAME      "meta.helm.sh/release-name"
#define RELEASE_NAMESPACE "meta.helm.sh/release-namespace"

static const char *annotation(const struct yk_look *look, const char *key)
{
    return yk__entry(look->object, "metadata.annotations", key);
}

static bool is_owned(const struct yk_look *look)
{
    return strcmp(annotation(look, RELEASE_NAME), look->migration->release) == 0 &&
           strcmp(annotation(look, RELEASE_NAMESPACE), look->migration->namespace_) == 0;
}

/* Appends kind and name as a word of a shell, such as "serviceaccount/yunikorn-admin". */
static void put_reference(struct yk_buf *out, const struct yk_object_name *name)
{
    YK_CLEANUP(yk_freep) char *kind = yk_str_lower(name->kind);
    YK_CLEANUP(yk_buf_done) struct yk_buf reference = {0};
    yk_buf_printf(&reference, "%s/" YK_STR_FMT, kind, YK_STR_ARG(name->name));
    yk_shell_word(out, yk_buf_view(&reference));
}

static void set_adoption(const struct yk_look *look, struct yk_finding *finding)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf object = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf release = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    put_reference(&object, &look->name);
    yk_shell_word(&release, yk_str_from(look->migration->release));
    yk_shell_word(&namespace_, yk_str_from(look->migration->namespace_));
    yk__command(look, finding,
                "kubectl -n %s label %s app.kubernetes.io/managed-by=Helm --overwrite && kubectl -n %s "
                "annotate %s " RELEASE_NAME "=%s " RELEASE_NAMESPACE "=%s --overwrite",
                yk_buf_cstr(&namespace_), yk_buf_cstr(&object), yk_buf_cstr(&namespace_),
                yk_buf_cstr(&object), yk_buf_cstr(&release), yk_buf_cstr(&namespace_));
}

void yk__look_owner(const struct yk_look *look)
{
    if (annotation(look, RELEASE_NAME)[0] == '\0' || is_owned(look))
        return;
    set_adoption(
        look,
        yk__found(
            look,
            "it belongs to the Helm release '%s' of namespace '%s', so Helm refuses to make it a part of "
            "release '%s'; name that release with --release if it is the one you upgrade",
            annotation(look, RELEASE_NAME), annotation(look, RELEASE_NAMESPACE), look->migration->release));
}

void yk__look_no_owner(const struct yk_look *look)
{
    if (annotation(look, RELEASE_NAME)[0] != '\0' || look->migration->is_ours_installed)
        return;
    set_adoption(look,
                 yk__found(look, "it belongs to no Helm release, so `helm install` refuses to replace it"));
}

static bool is_account(const struct yk_look *look)
{
    return yk_str_is(look->name.kind, "ServiceAccount");
}

void yk__look_account(const struct yk_look *look)
{
    if (is_account(look) && annotation(look, RELEASE_NAME)[0] == '\0' &&
        !yk__is_of_this_project(look->object))
        set_adoption(look, yk__found(look, "no Helm release owns it: it is used as it is, and not adopted"));
}

void yk__look_role(const struct yk_look *look)
{
    YK_CLEANUP(yk_buf_done) struct yk_buf object = {0};
    YK_CLEANUP(yk_buf_done) struct yk_buf namespace_ = {0};
    if (is_account(look) || !look->migration->is_ours_installed ||
        yk__is_bound_elsewhere(look->migration, look->object))
        return;
    struct yk_finding *finding =
        yk__found(look, "hooks of the previous chart created it, Helm does not delete "
                        "it, and it gives more permissions than are used");
    put_reference(&object, &look->name);
    yk_shell_word(&namespace_, look->name.namespace_);
    if (look->name.namespace_.len > 0)
        yk__command(look, finding, "kubectl -n %s delete --ignore-not-found %s", yk_buf_cstr(&namespace_),
                    yk_buf_cstr(&object));
    else
        yk__command(look, finding, "kubectl delete --ignore-not-found %s", yk_buf_cstr(&object));
}

void yk__look_roles_ahead(const struct yk_look *look)
{
    if (look->migration->has_left_roles && !look->migration->is_ours_installed)
        (void)yk__found(look, "roles and bindings that hooks of this chart created will stay after the "
                              "upgrade; run this command "
                              "again then");
}
