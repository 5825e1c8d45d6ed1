#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that pages and comments use plain technical English: none of the words below in the files below.
# Files and folders are added here when they have been rewritten.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

FILES=(
    README.md
    CONTRIBUTING.md
    docs/design.md
    docs/install.md
    docs/pods.md
    docs/queues.md
    docs/record.md
    docs/whatif.md
    docs/reference/admission-server.md
    docs/reference/admission.md
    docs/reference/configuration.md
    docs/reference/kubernetes.md
    docs/reference/migrate.md
    docs/reference/predicates.md
    docs/reference/queues.md
    docs/reference/rest.md
    docs/reference/scheduling.md
    docs/reference/simulate.md
    cmd
    core/base
    core/config
    core/events
    core/gangs
    core/http
    core/limits
    core/metrics
    core/objects
    core/partition
    core/pending
    core/placement
    core/policies
    core/preemption
    core/report
    core/reservation
    core/resources
    core/scheduler
    core/security
    core/state
    core/web
    k8s-shim/admission
    k8s-shim/api
    k8s-shim/app
    k8s-shim/bind
    k8s-shim/cache
    k8s-shim/client
    k8s-shim/leader
    k8s-shim/predicates
    k8s-shim/record
    k8s-shim/migrate
    k8s-shim/selectors
    k8s-shim/simulate
    k8s-shim/volumes
    k8s-shim/whatif
    deploy
    hack/chart.py
    test/bench
    test/chart
    test/e2e
    test/fuzz
    test/unit
)

# Persons for objects, idioms and inversions that a reader has to translate.
WORDS=(
    whoever whomever nobody somebody anybody anew 'in vain' 'any more' 'is told' 'are told' 'told of'
    'stands on' 'stand on' 'the house' 'comes to stand' 'for ever'
)

[ "${1:-}" != --try ] || FILES=("${@:2}")
pattern="\\b($(IFS='|' && echo "${WORDS[*]}"))\\b"
# The user of a pod without one is called "nobody", as in YuniKorn 1.9.
# shellcheck disable=SC2016 # a pattern
if found="$(grep -rniE "$pattern" "${FILES[@]}" --exclude=words.sh | grep -v '["`]nobody["`]')"; then
    echo "words to replace (CONTRIBUTING.md, \"Language\"):"
    echo "$found"
    exit 1
fi
