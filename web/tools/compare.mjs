// SPDX-License-Identifier: Apache-2.0
// Builds the page again into a temporary folder and compares it with dist/: `npm run check`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const again = mkdtempSync(join(tmpdir(), 'yunikorn-page-'));
const read = (folder, name) => {
  const bytes = readFileSync(join(folder, name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};

let differences = 0;
try {
  execFileSync('node', ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], { cwd: web, stdio: 'inherit' });
  execFileSync('node', ['tools/pack.mjs', again], { cwd: web, stdio: 'inherit' });
  for (const name of new Set([...readdirSync(join(web, 'dist')), ...readdirSync(again)])) {
    let same = false;
    try {
      same = read(join(web, 'dist'), name).equals(read(again, name));
    } catch {
      // only in one of them
    }
    if (!same) {
      differences++;
      console.error(`web/dist/${name} is not what the sources give; run: cd web && npm ci && npm run build`);
    }
  }
} finally {
  rmSync(again, { recursive: true, force: true });
}
process.exit(differences === 0 ? 0 : 1);
