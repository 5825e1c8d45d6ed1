// SPDX-License-Identifier: Apache-2.0
// What the page says of pods that wait. For each line "FILE APPLICATION POD-KEY TEXT" of the standard input it opens the
// application, waits until the panel shows TEXT, and takes a picture of the panel:
//
//   node test/browser/reasons.mjs URL FOLDER < lines
//
// APPLICATION or POD-KEY is "-" if there is none. Fails with the lines whose text is not shown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './browser.mjs';

const [url, folder] = process.argv.slice(2);
const wanted = readFileSync(0, 'utf8').split('\n').filter((line) => line !== '').map((line) => {
  const [file, application, pod, ...words] = line.split(' ');
  return { file, application, pod, text: words.join(' ') };
});

const { context, close } = await launch({ viewport: { width: 1000, height: 1400 }, colorScheme: 'light' });
let missing = 0;
try {
  const page = await context.newPage();
  await page.goto(url);
  for (const { file, application, pod, text } of wanted) {
    const query = pod === '-' ? '' : `?pod=${encodeURIComponent(pod)}`;
    await page.evaluate((hash) => (location.hash = hash), `#/applications/${encodeURIComponent(application)}${query}`);
    const panel = page.locator('section.panel', { hasText: text }).first();
    try {
      await panel.waitFor({ timeout: 8000 });
      await page.waitForFunction(() => document.querySelector('main .skeleton') === null, undefined, { timeout: 8000 });
      await page.waitForTimeout(200);
      await panel.screenshot({ path: join(folder, `${file}.png`) });
    } catch {
      missing += 1;
      console.log(`${file}: the page of application ${application} does not show '${text}': ${(await page.innerText('main')).slice(0, 600)}`);
    }
  }
} finally {
  await close();
}
if (missing === 0) console.log(`the page shows ${wanted.length} reasons`);
process.exitCode = missing === 0 ? 0 : 1;
