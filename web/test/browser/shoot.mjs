// SPDX-License-Identifier: Apache-2.0
// Takes pictures of pages: node test/browser/shoot.mjs URL FOLDER [NAME=HASH...] [--size=1440x900] [--theme=dark]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './browser.mjs';

const args = process.argv.slice(2);
const option = (name, value) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? value;
const [url, folder, ...pages] = args.filter((arg) => !arg.startsWith('--'));
const [width, height] = option('size', '1440x900').split('x').map(Number);
const theme = option('theme', 'light');
const wait = Number(option('wait', '1500'));
mkdirSync(folder, { recursive: true });
const { context, close } = await launch({ viewport: { width, height }, colorScheme: theme });
const page = await context.newPage();
page.on('console', (message) => { if (message.type() === 'error') console.log('console:', message.text(), message.location().url); });
page.on('pageerror', (error) => console.log('error:', error.message));
for (const entry of pages) {
  const at = entry.indexOf('=');
  await page.goto(`${url}${entry.slice(at + 1)}`);
  await page.waitForTimeout(wait);
  await page.screenshot({ path: join(folder, `${entry.slice(0, at)}-${width}-${theme}.png`), fullPage: args.includes('--full') });
}
await close();
