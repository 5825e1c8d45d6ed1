// SPDX-License-Identifier: Apache-2.0
// Turns what vite built (out/) into what the binary embeds (dist/): each file compressed, and the hash of the sources.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = process.argv[2] ?? join(web, 'dist');
const built = (name) => readFileSync(join(web, 'out', name), 'utf8');
const shortHash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The licences of what is bundled, which must come along. */
function licences() {
  const bundled = ['preact', '@preact/signals', '@preact/signals-core', 'uplot'];
  const parts = bundled.map((name) => {
    const folder = join(web, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
  });
  return `The web page contains these libraries.\n\n${parts.join('\n----\n\n')}`;
}

const js = built('ui/app.js');
const css = built('ui/app.css');
// A new version has a new address, so that browsers may keep a file for ever.
const html = built('index.html')
  .replace(/ crossorigin/g, '')
  .replace('ui/app.js', `ui/app.js?v=${shortHash(js)}`)
  .replace('ui/app.css', `ui/app.css?v=${shortHash(css)}`);
const files = { 'index.html': html, 'app.js': js, 'app.css': css, 'icon.svg': built('ui/icon.svg'), 'licenses.txt': licences() };

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
let total = 0;
for (const [name, text] of Object.entries(files)) {
  const packed = gzipSync(text, { level: 9 });
  total += packed.length;
  writeFileSync(join(target, `${name}.gz`), packed);
}
writeFileSync(join(target, 'sources.sha256'), execFileSync(join(web, 'tools/sources-hash.sh'), { encoding: 'utf8' }));
console.log(`${target}: ${Object.keys(files).length} files, ${total} bytes`);
if (total > 150_000) throw new Error('the page is larger than 150,000 bytes');
