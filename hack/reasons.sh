#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hack/reasons.sh: writes the transcripts and pictures of docs/reasons again. Takes them from a real control plane
# (test/e2e/obstacles.bats), and pictures from Debian's Chromium. Pictures have a palette (pngquant), at most 40 KiB each.
set -euo pipefail
# shellcheck source=hack/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder="$REPO/build/obstacles"
need_packages bats pngquant chromium nodejs
[ -d "$REPO/web/node_modules" ] || npm ci --prefix "$REPO/web" --ignore-scripts --no-audit --no-fund
build_quietly --target yunikorn
OBSTACLES_DIR="$folder" bats "$REPO/test/e2e/obstacles.bats"
for picture in "$folder"/*.png; do
    pngquant --force --ext .png --strip --nofs --speed 1 32 -- "$picture"
done
python3 "$REPO/hack/reasons.py" write "$folder"
python3 "$REPO/hack/reasons.py" check
