#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what comes from the Helm chart.

  hack/chart.py write                  the README of the chart, deploy/manifests and deploy/kustomize
  hack/chart.py check                  compares these files with what `write` would write; 1 if they differ
  hack/chart.py package --source URL DIR   the chart as an archive in DIR, with URL as the address of the project: in
                                       Chart.yaml (home, sources, links), and in links of the README

Needs Helm in PATH, and PyYAML.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

REPO = Path(__file__).resolve().parent.parent
CHART = REPO / "deploy/helm/yunikorn"
README = CHART / "README.md"
MANIFESTS = REPO / "deploy/manifests"
KUSTOMIZE = REPO / "deploy/kustomize"
# Pages that Artifact Hub links, by their titles.
LINKED_PAGES = {"Installation and upgrades": "docs/install.md", "Configuration": "docs/reference/configuration.md"}
# Rendering depends on the version of Kubernetes; this one makes it repeatable.
KUBE_VERSION = "1.36.0"
SPDX = "# SPDX-License-Identifier: Apache-2.0\n"
GENERATED = "# Written by hack/chart.py from the Helm chart. Do not edit.\n"

# ---- README ----

README_HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by hack/chart.py from values.yaml. Do not edit. -->

# The chart of yunikorn

{description}. Version {version}, for Kubernetes {kube}.

```sh
helm install yunikorn deploy/helm/yunikorn --namespace yunikorn --create-namespace
helm test yunikorn --namespace yunikorn
```

[Installation](../../../docs/install.md) explains upgrades, also from the charts of Apache YuniKorn, the way back, several
replicas, installation without Helm, and uninstallation.

The values of the Apache YuniKorn charts 1.3 to 1.9 are accepted. A value that is not in these tables is refused, because
it is probably misspelt.
"""

KEY_LINE = re.compile(r"^( *)([A-Za-z][A-Za-z0-9]*):(.*)$")


def read_values():
    """Yields ("section", title) and ("value", path, default, description), in the order of values.yaml."""
    text = (CHART / "values.yaml").read_text()
    data = yaml.safe_load(text)
    comment, path = [], []
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("## "):
            yield ("section", stripped[3:])
            comment = []
        elif stripped.startswith("#"):
            comment.append(stripped[1:].strip())
        elif match := KEY_LINE.match(line):
            depth = len(match[1]) // 2
            path = path[:depth] + [match[2]]
            found = lookup(data, path)
            if found is not MISSING and (comment or not is_branch(found)):
                yield ("value", ".".join(path), found, " ".join(comment))
            comment = []
        else:
            comment = []


MISSING = object()


def lookup(data, path):
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return MISSING
        data = data[key]
    return data


def is_branch(value):
    return isinstance(value, dict) and len(value) > 0


def default_cell(value):
    if is_branch(value):
        return ""
    text = yaml.safe_dump(value, default_flow_style=True, width=10000).replace("\n...", "").strip()
    return "`" + (f'"{value}"' if isinstance(value, str) and text[0] in "'\"" else text) + "`"


def readme():
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    kube = chart["kubeVersion"].removeprefix(">=").removesuffix(".0-0") + " and later"
    out = [README_HEAD.format(description=chart["description"], version=chart["version"], kube=kube)]
    for item in read_values():
        if item[0] == "section":
            out.append(f"\n## {item[1]}\n\n| value | default | meaning |\n| --- | --- | --- |\n")
        else:
            out.append(f"| `{item[1]}` | {default_cell(item[2])} | {item[3]} |\n".replace("|  |", "| |"))
    return "".join(out)


# ---- manifests ----

# Labels and annotations that say something about a Helm release.
OF_HELM = re.compile(
    r"^ *(release|chart|heritage|helm\.sh/[a-z-]+|app\.kubernetes\.io/(managed-by|instance)): .*$")


def render(*args):
    command = ["helm", "template", "yunikorn", str(CHART), "--namespace", "yunikorn", "--no-hooks",
               "--kube-version", KUBE_VERSION, *args]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def without_helm(text):
    """The text of an object without labels and annotations of Helm, and without keys that are then empty."""
    lines, out = text.splitlines(), []
    for line in lines:
        if OF_HELM.match(line):
            while line.lstrip().startswith("helm.sh/") and out and out[-1].lstrip().startswith("#"):
                out.pop()
        elif not line.startswith("# Source: "):
            out.append(line.rstrip())
    kept = []
    for i, line in enumerate(out):
        after = out[i + 1] if i + 1 < len(out) else ""
        if line.strip() == "annotations:" and indent(after) <= indent(line):
            continue
        kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"


def indent(line):
    return len(line) - len(line.lstrip())


def objects(*args):
    """{(kind, name): (object, its text)} of the chart."""
    found = {}
    for text in re.split(r"^---$", render(*args), flags=re.MULTILINE):
        text = without_helm(text)
        if thing := yaml.safe_load(text):
            found[thing["kind"], thing["metadata"]["name"]] = (thing, text)
    return found


RBAC = {"ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}

FILES = {
    "yunikorn-rbac.yaml": """\
# The identity of the scheduler and the permissions that it uses. The bindings name the namespace "yunikorn"; change it
# here and in the other files to install elsewhere. The ClusterRoles for gangs and preemption may be left out together
# with their bindings: docs/reference/kubernetes.md, "Rights".
""",
    "scheduler.yaml": """\
# The scheduler without Helm:
#
#   kubectl create namespace yunikorn
#   kubectl apply -f yunikorn-rbac.yaml -f yunikorn-configs.yaml -f scheduler.yaml
#
# The ConfigMap yunikorn-defaults makes the scheduler trust the users that the admission controller has recorded, and no
# others. Remove service.trustUserInfo from it without the admission controller, and on Kubernetes before 1.30.
""",
    "admission-controller-rbac.yaml": """\
# The identity of the admission controller and the permissions that it uses.
""",
    "admission-controller-secrets.yaml": "",
    "admission-controller.yaml": """\
# The admission controller without Helm:
#
#   kubectl apply -f admission-controller-rbac.yaml -f admission-controller-secrets.yaml -f admission-controller.yaml
""",
}


def file_of(thing):
    kind, component = thing["kind"], thing["metadata"]["labels"]["component"]
    if kind == "ConfigMap":
        return "scheduler.yaml"
    if component == "yunikorn-scheduler":
        return "yunikorn-rbac.yaml" if kind in RBAC else "scheduler.yaml"
    if kind == "Secret":
        return "admission-controller-secrets.yaml"
    return "admission-controller-rbac.yaml" if kind in RBAC else "admission-controller.yaml"


def manifests():
    """{file: text}"""
    texts = {name: [] for name in FILES}
    for thing, text in objects().values():
        texts[file_of(thing)].append(text)
    out = {MANIFESTS / name: SPDX + GENERATED + ("#\n" + FILES[name] if FILES[name] else "") + "---\n".join(parts)
           for name, parts in texts.items()}
    resources = "".join(f"  - {name}\n" for name in FILES)
    out[MANIFESTS / "kustomization.yaml"] = (
        SPDX + GENERATED + "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n" + resources)
    return out


# ---- kustomize ----

# Overlays, with the values of the chart that have the same result, and what they are for.
OVERLAYS = {
    "single": ("One replica of each component.",
               ["replicas=1", "admissionController.replicaCount=1"]),
    "without-admission-controller": ("The scheduler alone. Pods have to name it.",
                                     ["embedAdmissionController=false"]),
    "monitoring": ("ServiceMonitor and PrometheusRule of the Prometheus Operator.",
                   ["serviceMonitor.enabled=true", "prometheusRule.enabled=true"]),
    "restricted-network": ("NetworkPolicies: only pods of the namespace reach the REST interface.",
                           ["networkPolicy.enabled=true"]),
}


def pointer(path):
    return "/" + "/".join(str(key).replace("~", "~0").replace("/", "~1") for key in path)


def difference(old, new, path=()):
    """JSON patch operations that turn `old` into `new`. Lists of different length are replaced as a whole."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [operation for i, pair in enumerate(zip(old, new)) for operation in difference(*pair, (*path, i))]
    if isinstance(old, dict) and isinstance(new, dict):
        operations = []
        for key in old:
            if key not in new:
                operations.append({"op": "remove", "path": pointer([*path, key])})
            else:
                operations += difference(old[key], new[key], (*path, key))
        return operations + [{"op": "add", "path": pointer([*path, key]), "value": new[key]}
                             for key in new if key not in old]
    return [] if old == new else [{"op": "replace", "path": pointer(path), "value": new}]


def target(thing):
    group = thing["apiVersion"].rpartition("/")
    return {"group": group[0], "version": group[2], "kind": thing["kind"], "name": thing["metadata"]["name"]}


def removal(thing):
    return yaml.safe_dump({"$patch": "delete", "apiVersion": thing["apiVersion"], "kind": thing["kind"],
                           "metadata": {"name": thing["metadata"]["name"]}}, sort_keys=False)


def patches(base, wanted):
    out = []
    for key, (old, _) in base.items():
        if key not in wanted:
            out.append({"target": target(old), "patch": removal(old)})
        elif operations := difference(old, wanted[key][0]):
            out.append({"target": target(old), "patch": yaml.safe_dump(operations, sort_keys=False)})
    return out


class Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks."""


Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(
    "tag:yaml.org,2002:str", text, style="|" if "\n" in text else None))


def overlay(name, base):
    comment, values = OVERLAYS[name]
    wanted = objects(*(f"--set={value}" for value in values))
    new = [text for key, (_, text) in wanted.items() if key not in base]
    folder = KUSTOMIZE / "overlays" / name
    content = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization",
               "resources": ["../../base"] + (["resources.yaml"] if new else [])}
    if found := patches(base, wanted):
        content["patches"] = found
    head = SPDX + GENERATED + f"#\n# {comment}\n# Values of the chart: {' '.join(values)}\n"
    files = {folder / "kustomization.yaml": head + yaml.dump(content, Dumper=Dumper, sort_keys=False, width=110)}
    if new:
        files[folder / "resources.yaml"] = SPDX + GENERATED + "---\n".join(new)
    return files


def kustomize():
    base = objects()
    files = {KUSTOMIZE / "base/kustomization.yaml":
             SPDX + GENERATED + "#\n# The scheduler and the admission controller, as the chart installs them by default.\n"
             "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - ../../manifests\n"}
    for name in OVERLAYS:
        files |= overlay(name, base)
    return files


# ---- commands ----

def all_files():
    return {README: readme()} | manifests() | kustomize()


def write():
    for path, text in all_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def check():
    wanted = all_files()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    stale += [path for path in KUSTOMIZE.rglob("*.yaml") if path not in wanted]
    for path in stale:
        print(f"{path.relative_to(REPO)} is not what the chart renders; run hack/chart.py write", file=sys.stderr)
    return 1 if stale else 0


def addressed(text, source):
    """The text of Chart.yaml with the address of the project."""
    chart = yaml.safe_load(text)
    chart["home"], chart["sources"] = source, [source]
    for maintainer in chart["maintainers"]:
        maintainer["url"] = source
    links = [{"name": title, "url": f"{source}/{page}"} for title, page in LINKED_PAGES.items()]
    chart["annotations"]["artifacthub.io/links"] = yaml.safe_dump(links, sort_keys=False)
    return SPDX + yaml.dump(chart, Dumper=Dumper, sort_keys=False, width=10000)


def package(source, folder):
    source = source.rstrip("/")
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work) / "yunikorn"
        shutil.copytree(CHART, copy)
        meta = copy / "Chart.yaml"
        meta.write_text(addressed(meta.read_text(), source))
        page = copy / "README.md"
        page.write_text(page.read_text().replace("](../../../docs", f"]({source}/docs"))
        subprocess.run(["helm", "package", str(copy), "--destination", folder], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("write")
    commands.add_parser("check")
    packing = commands.add_parser("package")
    packing.add_argument("--source", required=True)
    packing.add_argument("folder")
    args = parser.parse_args()
    if shutil.which("helm") is None:
        sys.exit("error: helm is not in PATH; hack/test.sh chart puts one into build/chart/bin")
    if args.command == "package":
        return package(args.source, args.folder)
    return check() if args.command == "check" else write()


if __name__ == "__main__":
    sys.exit(main())
