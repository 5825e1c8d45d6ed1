// SPDX-License-Identifier: Apache-2.0
// Opens every page in Debian's Chromium, takes a picture, and fails on script errors, messages of the console, and
// findings of axe-core:
//
//   node test/browser/check.mjs URL FOLDER [--application=ID] [--queue=PATH] [--node=NAME] [--user=NAME] [--ended=ID] [--looks=light,dark,narrow] [--simulated] [--hostile] [--waits] [--history=WORD]
//
// --ended: an application that has ended. --history: the last configuration was refused for a name with that word; the one before is in force. --hostile: the cluster of hostile.yaml, which has no nodes and no pods that run. --waits: the cluster of waits.yaml, which stands still after two minutes; only that is checked. --simulated: also uses the buttons of `yunikorn simulate --web`.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launch } from './browser.mjs';
import { leadsOf, missingList, wrongNumbers } from './numbers.mjs';

const args = process.argv.slice(2);
const option = (name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback;
const has = (name) => args.includes(`--${name}`);
const [url, folder] = args.filter((arg) => !arg.startsWith('--'));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const application = option('application', 'none');
const queue = option('queue', 'root');
const node = option('node', 'none');
const user = option('user', 'none');
const ended = option('ended', '');

// What must be on the page when it is there.
const pages = [
  { name: 'overview', hash: '#/overview', text: 'Capacity' },
  { name: 'queues', hash: '#/queues', text: 'All bars have one scale' },
  { name: 'queue', hash: `#/queues?queue=${encodeURIComponent(queue)}`, text: 'Limits and where they come from' },
  { name: 'applications', hash: '#/applications', text: application },
  { name: 'waiting', hash: '#/applications?view=waiting', text: 'Waiting pods' },
  { name: 'ended', hash: '#/applications?view=completed', text: 'Ended' },
  { name: 'application', hash: `#/applications/${encodeURIComponent(application)}`, text: 'Running pods' },
  { name: 'application-waiting', hash: `#/applications?view=waiting&app=${encodeURIComponent(application)}`, text: application },
  { name: 'nodes', hash: '#/nodes', text: 'What fits now' },
  { name: 'node', hash: `#/nodes?node=${encodeURIComponent(node)}`, text: 'Attributes' },
  { name: 'users', hash: '#/users', text: 'Running' },
  { name: 'user', hash: `#/users?user=${encodeURIComponent(user)}`, text: 'In use, of the limit' },
  { name: 'groups', hash: '#/users?view=groups', text: 'Groups' },
  { name: 'preemptions', hash: '#/preemptions', text: 'Preemptions' },
  { name: 'events', hash: '#/events', text: 'Live, the latest first' },
  { name: 'whatif', hash: '#/whatif', text: 'What would happen' },
  { name: 'try-configuration', hash: '#/whatif?try=configuration', text: 'Check it' },
  { name: 'configuration', hash: '#/configuration', text: 'How pods get their queue' },
  { name: 'compare', hash: '#/configuration?view=compare', text: 'Difference to the active one' },
  { name: 'history', hash: '#/configuration?view=history', text: 'Came with' },
  { name: 'history-gone', hash: '#/configuration?view=history&entry=99999', text: 'no longer in the history' },
  { name: 'unknown', hash: '#/nonsense', text: 'There is no such page' },
];

if (ended !== '') pages.push({ name: 'application-ended', hash: `#/applications/${encodeURIComponent(ended)}`, text: 'Most in use' });

if (has('hostile')) {
  const wanted = { overview: 'Capacity', history: '<img src=x onerror=alert(4)>', nodes: 'There are no nodes yet', node: 'Node not found', queues: 'none', user: 'Users and groups' };
  for (const page of pages) page.text = wanted[page.name] ?? page.text;
}

const looks = Object.entries({
  light: { width: 1440, height: 900, theme: 'light' },
  dark: { width: 1440, height: 900, theme: 'dark' },
  narrow: { width: 390, height: 844, theme: 'light' },
})
  .filter(([name]) => option('looks', 'light,dark,narrow').split(',').includes(name))
  .map(([, look]) => look);

const problems = [];
let at = '';
const note = (text) => problems.push(`${at}: ${text}`);

// A scheduler may lack these paths: then the page says so, and the browser notes the status.
const optional = /\/(pending|timeline|preemptions|explain|whatif|node\/none)(\?|$)/;

function watch(page) {
  page.on('console', (message) => {
    const isMissing = /status of (404|501)/.test(message.text()) && optional.test(message.location().url);
    if (message.type() === 'error' && !isMissing) note(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => note(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    note(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) note(`asks ${request.url()}`);
  });
}

async function findings(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  for (const violation of result.violations)
    for (const place of violation.nodes.slice(0, 3)) note(`axe: ${violation.id}: ${violation.help}: ${place.html.slice(0, 160)}`);
}

/** Waits until nothing is loading any more. */
async function settle(page, text) {
  try {
    await page.waitForFunction(
      (wanted) => document.querySelector('main .skeleton') === null && document.querySelector('main').innerText.toLowerCase().includes(wanted.toLowerCase()),
      text,
      { timeout: 10_000 },
    );
  } catch {
    note(`does not show '${text}': ${(await page.innerText('main')).slice(0, 300)}`);
  }
}

async function overflow(page) {
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (extra > 0) note(`is ${extra} pixels wider than the window`);
  const wide = await page.evaluate(() => [...document.querySelectorAll('main .table')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute('aria-label')));
  for (const label of wide) note(`the columns of '${label}' are wider than the table`);
}

/** The legend of the chart has the latest values as soon as there are lines. */
async function legend(page) {
  const box = page.locator('.chart .u-legend').first();
  await box.waitFor({ timeout: 8000 });
  await page.waitForTimeout(100);
  const text = (await box.innerText()).replace(/\s+/g, ' ');
  if (text.includes('–')) note(`has a legend without values: ${text}`);
}

async function visit(look) {
  const { context, close } = await launch({ viewport: { width: look.width, height: look.height }, colorScheme: look.theme });
  try {
    const page = await context.newPage();
    watch(page);
    await page.goto(url);
    for (const { name, hash, text } of pages) {
      at = `${name} ${look.width} ${look.theme}`;
      await page.evaluate((target) => (location.hash = target), hash);
      await settle(page, text);
      if (name === 'overview' && has('simulated')) await legend(page);
      await page.waitForTimeout(name === 'overview' ? 2600 : 150);
      await page.screenshot({ path: join(folder, `${name}-${look.width}-${look.theme}.png`) });
      await overflow(page);
      await findings(page);
      for (const wrong of await wrongNumbers(page)) note(wrong);
    }
  } finally {
    await close();
  }
}

/** Each number that is not 0 leads to a list that is not empty. The cluster has to stand still. */
async function followNumbers() {
  at = 'numbers';
  if (has('simulated')) await fetch(new URL('sim/v1/clock', url), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"paused": true}' });
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    watch(page);
    await page.goto(url);
    const targets = new Map();
    for (const { name, hash, text } of pages) {
      at = `numbers of ${name}`;
      await page.evaluate((target) => (location.hash = target), hash);
      await settle(page, text);
      for (const { text, hash } of await leadsOf(page)) if (/^\d+ running$/.test(text) && !/[?&](status|at)=running/.test(hash)) note(`'${text}' leads to ${hash}`);
      for (const lead of await leadsOf(page)) if (!targets.has(lead.hash)) targets.set(lead.hash, { ...lead, from: name });
    }
    for (const { hash, text, from } of targets.values()) {
      at = `numbers of ${from}: '${text}'`;
      await page.evaluate((target) => (location.hash = target), hash);
      const missing = await missingList(page);
      if (missing !== undefined) note(`leads to ${hash}, which has no such list: ${missing}`);
    }
    at = 'numbers';
    if (targets.size < 10) note(`only ${targets.size} numbers lead anywhere`);
  } finally {
    await close();
    if (has('simulated')) await fetch(new URL('sim/v1/clock', url), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"paused": false}' });
  }
}

/** The keyboard reaches what the mouse reaches. */
async function useKeyboard() {
  at = 'keyboard';
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    watch(page);
    await page.goto(`${url}#/queues?queue=${encodeURIComponent(queue)}`);
    await page.waitForSelector('.drawer');
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains('drawer')), 'a drawer takes the focus');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.drawer', { state: 'detached' });
    await page.goto(`${url}#/nodes`);
    await page.waitForSelector('.heatmap-keys');
    await page.focus('.heatmap-keys');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.drawer');
    await page.click('button:has-text("Token")');
    await page.waitForSelector('dialog[open]');
    at = 'token dialog';
    await findings(page);
    await page.fill('#token-text', 'Bearer secret');
    await page.click('dialog button:has-text("Use it")');
    await page.waitForSelector('button:has-text("Token in use")');
    assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => localStorage[key].includes('secret')).length), 0);
    assert.equal(await page.evaluate(() => sessionStorage.getItem('yunikorn-token')), 'secret');
  } finally {
    await close();
  }
}

const other = { namespace: 'default', applicationID: 'etl', queueName: 'root.batch', nodeID: 'n1', afterMillis: 29617 };
const podAnswer = {
  kind: 'pod',
  verdict: 'starts',
  message: 'pod default/train-1 would preempt 1 pod and then start on n1, after 30 s',
  pods: [
    {
      name: 'train-1',
      namespace: 'default',
      verdict: 'starts',
      nodeID: 'n1',
      afterMillis: 30617,
      reason: '',
      victims: [{ ...other, podName: 'etl-3' }],
      message: 'would preempt 1 pod and then start on n1, after 30 s',
    },
    { name: 'train-2', namespace: 'default', verdict: 'waits', nodeID: '', afterMillis: 0, reason: 'QueueQuota', victims: [], message: "the quota of queue 'root.research' has been exceeded" },
  ],
  impact: { started: [], preempted: [{ ...other, podName: 'etl-3' }] },
  horizonMillis: 30617,
};
const queuesAnswer = {
  kind: 'queues',
  verdict: 'accepted',
  message: 'the configuration is accepted; 1 waiting pod would start, 0 pods would be preempted',
  pods: [],
  impact: {
    started: [{ ...other, podName: 'etl-5', afterMillis: 0 }],
    startedOmitted: 3,
    preempted: [],
    queuesAdded: ['root.new'],
    queuesRemoved: [],
    queuesChanged: [
      { queueName: 'root.batch', maxBefore: null, max: { vcore: 4000 }, guaranteedBefore: { vcore: 2000 }, guaranteed: null, maxApplicationsBefore: 0, maxApplications: 0 },
    ],
    draining: [{ queueName: 'root.old', applications: 1 }],
    above: [{ kind: 'queue', name: 'root.batch', queueName: 'root.batch', max: { vcore: 4000 }, used: { vcore: 8000 } }],
    placements: [{ applicationID: 'a1', queueName: 'root.old', newQueueName: '', message: 'queue root.old is draining' }],
  },
};

/** Answers about what would happen, in the format of docs/whatif.md. */
async function tryThings() {
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    watch(page);
    let answer = podAnswer;
    await page.route('**/ws/v1/whatif', (route) => route.fulfill({ json: answer }));
    at = 'what if: a pod';
    await page.goto(`${url}#/whatif`);
    await page.click('button:has-text("Try it")');
    for (const text of ['after 30 s on n1', 'preempts default/etl-3', 'queue quota', 'Pods that would be preempted']) await settle(page, text);
    await page.screenshot({ path: join(folder, 'whatif-pod.png') });
    await findings(page);
    at = 'what if: a configuration';
    answer = queuesAnswer;
    await page.goto(`${url}#/whatif?try=configuration`);
    await page.waitForTimeout(500);
    await page.click('button:has-text("Start from the active one")');
    await page.click('button:has-text("Check it")');
    for (const text of ['Maximum: none → 4 cores', 'and 3 others', 'uses 8 cores of 4 cores', 'queue root.old is draining', '1 application left']) await settle(page, text);
    await page.screenshot({ path: join(folder, 'whatif-configuration.png') });
    await findings(page);
  } finally {
    await close();
  }
}

/** One that was refused, compared with what is in force; others by the keyboard; all of it in the address. */
async function readHistory(word) {
  at = 'history';
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const pressed = (row) => `.config-list li:nth-child(${row}) button[aria-pressed="true"]`;
  try {
    const page = await context.newPage();
    watch(page);
    await page.goto(`${url}#/configuration?view=history`);
    await page.waitForSelector(`${pressed(1)} .badge.bad:has-text("refused")`);
    await page.waitForSelector(`.verdict:has-text("${word}")`);
    await page.waitForSelector(`.diff-line.added:has-text("${word}")`);
    await page.screenshot({ path: join(folder, 'history-refused.png') });
    await findings(page);
    await page.focus('.config-list li:nth-child(1) button');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${pressed(2)} .badge.good:has-text("in force")`);
    await page.waitForSelector('.config-lines li:has-text("+ queue root.")');
    await page.waitForSelector('.diff-line.added');
    assert.match(await page.evaluate(() => location.hash), /[?&]entry=\d+/);
    await page.screenshot({ path: join(folder, 'history-in-force.png') });
    await findings(page);
    await page.click('button:has-text("nothing")');
    await page.waitForSelector('.diff-line.added', { state: 'detached' });
    await page.waitForSelector('.diff-line.same');
    assert.match(await page.evaluate(() => location.hash), /[?&]with=none/);
    await page.reload();
    await page.waitForSelector(pressed(2));
    await page.waitForSelector('button[aria-pressed="true"]:has-text("nothing")');
    await page.click('.config-list li:last-child button');
    await page.waitForSelector('.facts:has-text("the start of the scheduler")');
    await page.waitForSelector('button[aria-pressed="true"]:has-text("the one in force (")');
    await page.waitForSelector('.diff-line.removed');
    await page.screenshot({ path: join(folder, 'history-start.png') });
    await findings(page);
  } finally {
    await close();
  }
}

// Of these nothing is asked again and again.
const still = ['whatif', 'try-configuration', 'unknown'];

/** A page that is hidden asks for nothing, and has nothing open; one that is seen again asks. Each page has a tab of its own. */
async function hide() {
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 } });
  const setHidden = (page, hidden) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (value ? 'hidden' : 'visible') });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  try {
    const tabs = [];
    for (const { name, hash, text } of pages) {
      at = `hidden: ${name}`;
      const page = await context.newPage();
      const tab = { name, page, asked: 0, open: new Set() };
      page.on('request', (request) => (tab.asked++, tab.open.add(request)));
      for (const event of ['requestfinished', 'requestfailed']) page.on(event, (request) => tab.open.delete(request));
      await page.goto(`${url}${hash}`);
      await settle(page, text);
      await setHidden(page, true);
      tabs.push(tab);
    }
    await tabs[0].page.waitForTimeout(500);
    for (const tab of tabs) tab.asked = 0;
    await tabs[0].page.waitForTimeout(6000); // longer than the pause between two questions
    for (const tab of tabs) {
      at = `hidden: ${tab.name}`;
      if (tab.asked > 0) note(`${tab.asked} requests of a hidden page`);
      for (const request of tab.open) note(`${request.url()} stays open while the page is hidden`);
      await setHidden(tab.page, false);
    }
    await tabs[0].page.waitForTimeout(1500);
    for (const tab of tabs) {
      at = `hidden: ${tab.name}`;
      if (tab.asked === 0 && !still.includes(tab.name)) note('a page that is seen again does not ask');
    }
  } finally {
    await close();
  }
}

const focusable = 'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex="0"]';

/** On each page the Tab key comes to everything that takes the focus, which is seen there; and whatever a mouse can press takes it. */
async function reach() {
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    await page.goto(url);
    for (const { name, hash, text } of pages) {
      at = `reach: ${name}`;
      await page.evaluate((target) => (location.hash = target), hash);
      await settle(page, text);
      await page.waitForTimeout(300);
      const deaf = await page.evaluate(
        (selector) =>
          [...document.querySelectorAll('body *')]
            .filter((e) => e.checkVisibility() && getComputedStyle(e).cursor === 'pointer' && e.tagName !== 'CANVAS') // whose keys useKeyboard() tries
            .filter((e) => e.closest(`${selector}, label`) === null && e.querySelector(selector) === null && e.closest('.opens')?.querySelector(selector) == null)
            .map((e) => e.outerHTML.slice(0, 120)),
        focusable,
      );
      for (const html of deaf) note(`the keyboard cannot press ${html}`);
      const count = await page.evaluate((selector) => {
        globalThis.wanted = new Set([...document.querySelectorAll(selector)].filter((e) => e.checkVisibility() && e.closest('[inert]') === null));
        globalThis.unseen = [];
        globalThis.listen = ({ target }) => {
          const styles = [getComputedStyle(target), getComputedStyle(target.parentElement)];
          const isSeen = styles.some((style) => style.outlineStyle !== 'none') || styles[0].boxShadow !== 'none';
          if (globalThis.wanted.delete(target) && !isSeen) globalThis.unseen.push(target.outerHTML.slice(0, 120));
        };
        document.addEventListener('focusin', globalThis.listen);
        document.body.tabIndex = -1; // the Tab key goes on from here
        document.body.focus();
        document.body.removeAttribute('tabindex');
        return globalThis.wanted.size;
      }, focusable);
      for (let i = 0; i < count + 5; i++) await page.keyboard.press('Tab');
      await page.evaluate(() => {
        document.removeEventListener('focusin', globalThis.listen);
        for (const e of globalThis.wanted) if (!e.isConnected || !e.checkVisibility()) globalThis.wanted.delete(e); // a list was written again
      });
      const { missed, unseen } = await page.evaluate(() => ({ missed: [...globalThis.wanted].map((e) => e.outerHTML.slice(0, 120)), unseen: globalThis.unseen }));
      for (const html of missed.slice(0, 3)) note(`Tab does not come to ${html} (${missed.length} of ${count})`);
      for (const html of unseen.slice(0, 3)) note(`the focus is not seen on ${html}`);
    }
  } finally {
    await close();
  }
}

// Pages with controls. What is chosen there is in the address: whoever opens it sees the same.
const stateful = ['queues', 'applications', 'waiting', 'ended', 'nodes', 'users', 'events', 'whatif', 'configuration'];
// Chosen, not searched for: their texts stay on the page.
const unkept = { configuration: true };

const controls = (page) =>
  page.evaluate(() => ({
    searches: [...document.querySelectorAll('main .search input')].map((e) => e.value),
    selects: [...document.querySelectorAll('main .select select')].map((e) => e.value),
    choices: [...document.querySelectorAll('main .choice button')].map((e) => `${e.textContent}: ${e.getAttribute('aria-pressed')}`),
  }));

/** Opens the address of `page` in another tab, which has to show the same choices. */
async function compareWithFreshTab(context, page) {
  const before = await controls(page);
  const fresh = await context.newPage();
  await fresh.goto(page.url());
  await fresh.waitForFunction(() => document.querySelector('main .choice, main .search, main .select') !== null, undefined, { timeout: 10_000 });
  try {
    await fresh.waitForFunction((count) => document.querySelectorAll('main .select select').length === count && document.querySelector('main .skeleton') === null, before.selects.length, { timeout: 5000 });
  } catch {
    // what is compared says it
  }
  const after = await controls(fresh);
  if (JSON.stringify(after) !== JSON.stringify(before)) note(`${page.url()} does not show what was chosen: ${JSON.stringify(before)}, but ${JSON.stringify(after)}`);
  await fresh.close();
}

/** `control`: what has to have `value` afterwards, if any. */
async function changes(page, what, act, control, value) {
  const before = page.url();
  await act();
  try {
    await page.waitForFunction((old) => location.href !== old, before, { timeout: 2000 });
  } catch {
    note(`${what} does not change the address`);
  }
  if (control !== undefined && (await control.inputValue()) !== value) note(`${what} does not stay as it was chosen`);
}

async function keepState() {
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    await page.goto(url);
    let tried = 0;
    for (const { name, hash, text } of pages.filter((one) => stateful.includes(one.name))) {
      at = `address: ${name}`;
      await page.evaluate((target) => (location.hash = target), hash);
      await settle(page, text);
      const choice = page.locator('main .choice button[aria-pressed=false]').first();
      if ((await choice.count()) > 0) {
        tried++;
        await changes(page, 'a choice', () => choice.click());
        await compareWithFreshTab(context, page);
        await page.evaluate((target) => (location.hash = target), hash);
        await settle(page, text);
      }
      if (unkept[name]) continue;
      for (const select of await page.locator('main .select select').all()) {
        const other = await select.evaluate((e) => [...e.options].map((o) => o.value).find((value) => value !== e.value));
        if (other === undefined) continue;
        tried++;
        await changes(page, 'a list', () => select.selectOption(other), select, other);
      }
      for (const search of await page.locator('main .search input').all()) {
        tried++;
        await changes(page, 'a search', () => search.fill('o'), search, 'o');
      }
      await compareWithFreshTab(context, page);
    }
    at = 'address';
    if (tried < 15) note(`only ${tried} controls were tried`);
  } finally {
    await close();
  }
}

/** Nothing is shown before the clock of the simulation is known. */
async function waitForClock() {
  at = 'clock of the simulation';
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    watch(page);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/sim/v1/state', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${url}#/configuration?view=history`);
    await page.waitForSelector('main .skeleton');
    await page.waitForTimeout(1000);
    const early = await page.evaluate(() => document.querySelector('.right').innerText.replace(/\s+/g, ' ').trim());
    if (/read-only| ago/.test(early)) note(`shows '${early}' before it is known whether this is a simulation`);
    release();
    await page.waitForSelector('.simbar');
    await page.waitForSelector('main time');
    const ages = await page.evaluate(() => [...document.querySelectorAll('main time')].map((e) => e.innerText));
    if (ages.some((age) => / d/.test(age))) note(`shows times by another clock: ${ages}`);
  } catch (error) {
    note(error.message);
  } finally {
    await close();
  }
}

/** The number of waiting pods and the reasons beside it are of one answer at any time. */
async function compareWaiting() {
  at = 'waiting pods';
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(`${url}#/overview`);
    const differences = await page.evaluate(async () => {
      const found = new Set();
      const numberIn = (element) => element?.textContent.replace(/,/g, '').match(/\d+/)?.[0];
      for (const begin = performance.now(); performance.now() - begin < 6000; await new Promise(requestAnimationFrame)) {
        const figure = [...document.querySelectorAll('.top-figures .figure')].find((e) => e.textContent.startsWith('Waiting pods'));
        const tile = numberIn(figure?.querySelector('.figure-value'));
        const panel = numberIn(document.querySelector('[aria-label="Waiting pods by reason"] .panel-aside'));
        if (tile !== panel) found.add(`${tile}, but ${panel} by reason`);
        const bar = numberIn([...document.querySelectorAll('.capacity li')].find((e) => e.textContent.startsWith('pods'))?.querySelector('.waiting-text'));
        if (bar !== undefined && tile !== undefined && bar !== tile) found.add(`${tile}, but ${bar} of the capacity`);
      }
      return [...found];
    });
    for (const difference of differences) note(difference);
  } finally {
    await close();
  }
}

/** The buttons of a simulation. */
async function act() {
  at = 'simulation';
  const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  try {
    const page = await context.newPage();
    watch(page);
    await page.goto(`${url}#/queues`);
    await page.waitForSelector('.simbar');
    const said = async (text) => page.waitForFunction((wanted) => document.querySelector('.sim-note').textContent.includes(wanted), text, { timeout: 5000 });
    for (const [button, submit, text] of [
      ['Job', 'Submit', 'A job of 20 pods was submitted'],
      ['Gang', 'Submit', 'A gang of 8 pods was submitted'],
      ['Maximum', 'Change it', 'cores now'],
      ['Add nodes', 'Add them', '2 nodes of 16 cores come'],
      ['Drain', 'Drain', 'is drained'],
    ]) {
      at = `simulation: ${button}`;
      await page.click(`.sim-actions > .popup-box > button:has-text("${button}")`);
      await page.waitForSelector('.popup');
      await page.screenshot({ path: join(folder, `sim-${button.toLowerCase().replace(' ', '-')}.png`) });
      await findings(page);
      await page.click(`.popup button.primary:has-text("${submit}")`);
      await said(text);
    }
    await page.click('.sim-controls button >> nth=0');
    await page.waitForSelector('.sim-controls button[aria-label="Go on"]');
    await page.click('.sim-controls button >> nth=0');
    await page.waitForSelector('.sim-controls button[aria-label="Pause"]');
  } catch (error) {
    note(error.message);
  } finally {
    await close();
  }
}

/** Notes that nothing like `selector` is shown. */
async function shows(page, selector) {
  try {
    await page.waitForSelector(selector, { timeout: 5000 });
  } catch {
    note(`does not show ${selector}: ${(await page.innerText('main')).replace(/\s+/g, ' ').slice(0, 300)}`);
  }
}

/** Of each row of the list of waiting pods, the name. */
const namesIn = (page, rows) => page.locator(rows).evaluateAll((all) => all.map((row) => row.innerText.split('\n')[0].trim()));

/** Waits until each name in the list has `part`, and there are `count`. */
async function lists(page, rows, count, part) {
  try {
    await page.waitForFunction(([selector, number, text]) => {
      const all = [...document.querySelectorAll(selector)];
      return all.length === number && all.every((row) => row.innerText.includes(text));
    }, [rows, count, part], { timeout: 5000 });
  } catch {
    note(`does not list ${count} pods with '${part}': ${await namesIn(page, rows)}`);
  }
}

const podRows = '.pod-list li';
const pager = (text) => `.pager:has-text("${text}")`;
const chosenPod = (name) => `.pod-list li.selected:has-text("${name}") >> nth=0`;

/** The pods of an application that has more waiting ones than a page shows: page by page, searched, and by their address. */
async function turnPages(page, open) {
  await open('#/applications/many');
  await shows(page, pager('1 to 50 of 129'));
  await page.click('.pager button:has-text("Next")');
  await shows(page, pager('51 to 100 of 129'));
  await page.click('.pager button:has-text("Next")');
  await shows(page, pager('101 to 129 of 129'));
  await shows(page, '.pager button:disabled:has-text("Next")');
  await lists(page, podRows, 29, 'many-1');
  await page.reload();
  await shows(page, pager('101 to 129 of 129'));
  await page.click('.pager button:has-text("Previous")');
  await shows(page, pager('51 to 100 of 129'));
  await open('#/applications/many?from=5000');
  await shows(page, pager('101 to 129 of 129'));
  for (const pod of ['default%2Fmany-120', 'many-120']) {
    await open(`#/applications/many?pod=${pod}`);
    await shows(page, chosenPod('many-120'));
    await shows(page, pager('101 to 129 of 129'));
    await shows(page, '.explain dd:has-text("many-120")');
  }
  await page.click('.pager button:has-text("Previous")');
  await shows(page, pager('51 to 100 of 129'));
  await open('#/applications/herd?pod=default%2Fherd-60'); // a member of a gang, behind the placeholder that waits
  await shows(page, chosenPod('herd-60'));
  await shows(page, pager('51 to 61 of 61'));
  await open('#/applications/many?pod=default%2Fmany-70');
  await shows(page, chosenPod('many-70'));
  await page.fill('.waiting-pods .search input', 'many-12');
  await lists(page, podRows, 11, 'many-12');
  await shows(page, chosenPod('many-12'));
  await shows(page, '.explain dd:has-text("many-12")');
  if ((await page.locator('.pager').count()) > 0) note('has a pager for 11 pods');
  await page.fill('.waiting-pods .search input', 'many-none');
  await shows(page, 'text=No waiting pod matches');
}

/** The list of all pods that wait, searched. */
async function searchWaiting(page, open) {
  const rows = '[aria-label="Waiting pods"] .tbody .tr';
  await open('#/applications?view=waiting');
  await shows(page, '.reason-filter button:has-text("all 197")');
  await page.fill('main .search input', 'many-12');
  await lists(page, rows, 11, 'many-12');
  await shows(page, '.count-line:text-is("11 pods")');
  const chips = await page.innerText('.reason-filter');
  if (/\d/.test(chips)) note(`counts other pods than it lists: ${chips}`);
  await page.fill('main .search input', 'many-120');
  await lists(page, rows, 1, 'many-120');
  await page.click(`${rows} a.strong`);
  await shows(page, chosenPod('many-120'));
}

/** Gangs before and after their timeout. */
async function showGangs(page, open) {
  await open('#/applications/patient');
  await shows(page, '.explain dd:has-text("in 14 min: its pods are scheduled without the gang, unless it is complete")');
  await shows(page, '.gang li:has-text("0 of 3 run, 2 placeholders hold capacity")');
  await open('#/applications/soft');
  await shows(page, '.gang li:has-text("given up: 3 placeholders ended without a pod; its pods are scheduled one by one")');
  await open('#/applications/hard');
  await shows(page, '[aria-label="Why it failed"] .why-headline:has-text("ResourceReservationTimeout")');
}

/** A node that would be smaller than what runs there. */
async function shrinkNode(page, open) {
  const node = { name: 'n-0', allocatable: { cpu: '2', memory: '64Gi', pods: '110' } };
  const question = JSON.stringify({ kind: 'node', action: 'resize', node });
  const { impact } = await (await fetch(new URL('ws/v1/whatif', url), { method: 'POST', body: question })).json();
  const over = impact.overcommitted.vcore / 1000;
  assert.ok(over > 1 && impact.notFitting.length > 1, 'some pods do not fit');
  await open('#/whatif');
  await page.fill('#pod-text', question);
  await page.click('button:has-text("Try it")');
  await shows(page, `.verdict:has-text("the node is overcommitted by ${over} cores; its pods run on, but ${impact.notFitting.length} do not fit into the new size")`);
  const rows = await page.locator('.outcome:has-text("Pods that run on, but would not fit into the smaller node") li').allInnerTexts();
  const wanted = impact.notFitting.map((pod) => `default/${pod.podName} of ${pod.queueName} on n-0`);
  if (wanted.length > 50) wanted.splice(50, wanted.length, `and ${wanted.length - 50} others`);
  if (rows.map((row) => row.replace(/\s+/g, ' ').trim()).join() !== wanted.join()) note(`lists ${rows}, not ${wanted}`);
  const cut = await page.evaluate(() => [...document.querySelectorAll('.verdict .badge')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText));
  for (const text of cut) note(`the verdict is cut: ${text}`);
}

/** The balance of queues, and one that does not exist. */
async function showQueues(page, open) {
  await open('#/queues');
  await shows(page, 'tr:has-text("shrunk") .badge:has-text("2 above its maximum")');
  await shows(page, 'tr:has-text("owed") .badge:has-text("8 below its guarantee, wants 6")');
  const cut = await page.evaluate(() => [...document.querySelectorAll('.balance .badge')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText));
  for (const text of cut) note(`the balance is cut: ${text}`);
  await open('#/queues?queue=root.owed');
  await shows(page, '.drawer dd:has-text("after 5 min")');
  await open('#/queues?queue=root.nope');
  await shows(page, '.drawer:has-text("There is no such queue")');
  await open('#/applications/tiny');
  await shows(page, '.explain dd:has-text("0.001 cores")');
  await open('#/users?user=ann');
  await shows(page, '.drawer:has-text("1 pod")');
  if (/\b1 pods\b/.test(await page.innerText('main'))) note('says "1 pods"');
}

/** What waits in the cluster of waits.yaml, with a wide and with a narrow window. */
async function showWaits() {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const { context, close } = await launch({ viewport, colorScheme: 'light' });
    try {
      const page = await context.newPage();
      watch(page);
      const open = async (hash) => {
        at = `waits: ${hash} ${viewport.width}`;
        await page.goto('about:blank');
        await page.goto(`${url}${hash}`);
        await settle(page, '');
        await findings(page);
        await overflow(page);
        for (const wrong of await wrongNumbers(page)) note(wrong);
      };
      await showGangs(page, open);
      await shrinkNode(page, open);
      await page.screenshot({ path: join(folder, `waits-whatif-${viewport.width}.png`) });
      if (viewport.width < 1000) continue;
      await turnPages(page, open);
      await searchWaiting(page, open);
      await showQueues(page, open);
    } finally {
      await close();
    }
  }
}

mkdirSync(folder, { recursive: true });
for (const look of looks) await visit(look);
try {
  if (has('waits')) await showWaits();
  else if (!has('hostile')) {
    await followNumbers();
    await useKeyboard();
    await tryThings();
  }
  if (!has('hostile') && !has('simulated') && !has('waits')) {
    await reach();
    await keepState();
    if (option('history', '') !== '') await readHistory(option('history', ''));
    await hide();
  }
} catch (error) {
  note(error.message);
}
if (has('simulated')) {
  await waitForClock();
  await compareWaiting();
  await act();
}
if (problems.length > 0) {
  console.error([...new Set(problems)].join('\n'));
  process.exit(1);
}
console.log(`${pages.length} pages in ${looks.length} looks: no findings; pictures in ${folder}`);
