// SPDX-License-Identifier: Apache-2.0
// What a frame costs while long lists are scrolled, on the main thread and without drawing: script, styles and layout.
//
//   node test/browser/scroll.mjs URL [--seconds=6] [--goal]
//
// One JSON line for each view. The time is what the browser's own trace says; drawing is left out because it is done by
// software here and by a graphics processor elsewhere. --goal: fails if the 99th percentile is above 8 ms or a task is
// above 50 ms.
import { launch } from './browser.mjs';

const args = process.argv.slice(2);
const option = (name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? fallback;
const [url] = args.filter((arg) => !arg.startsWith('--'));
const seconds = Number(option('seconds', '6'));
const goal = { frameMs: 8, taskMs: 50 };

const views = [
  { name: 'nodes: map', hash: '#/nodes', over: '.heatmap canvas', wheel: 0, sweep: true },
  { name: 'nodes: table', hash: '#/nodes', over: '.table .tbody' },
  { name: 'applications', hash: '#/applications', over: '.table .tbody' },
  { name: 'waiting pods', hash: '#/applications?view=waiting', over: '.table .tbody' },
  { name: 'users', hash: '#/users', over: 'main' },
  { name: 'queues', hash: '#/queues', over: 'main' },
  { name: 'events', hash: '#/events', over: 'main' },
  { name: 'overview', hash: '#/overview', over: 'main' },
];

const work = new Set([
  'FunctionCall', 'EvaluateScript', 'EventDispatch', 'FireAnimationFrame', 'TimerFire', 'RunMicrotasks', 'UpdateLayoutTree', 'Layout', 'MinorGC', 'MajorGC',
  'V8.GCIncrementalMarking', 'BlinkScheduler_PerformMicrotaskCheckpoint', 'SimpleWatcher::OnHandleReady', 'HitTest', 'IntersectionObserverController::computeIntersections', 'v8.callFunction', 'ParseHTML',
]);

/** The time that `events` cover, each moment once. */
function covered(events) {
  let total = 0;
  let end = 0;
  for (const event of [...events].sort((a, b) => a.ts - b.ts)) {
    const until = event.ts + (event.dur ?? 0);
    if (until > end) total += until - Math.max(end, event.ts);
    end = Math.max(end, until);
  }
  return total / 1000;
}

function readTrace(events) {
  const main = events.find((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain' && events.some((f) => f.name === 'FunctionCall' && f.tid === e.tid && f.pid === e.pid));
  const mine = events.filter((e) => e.pid === main.pid && e.tid === main.tid && e.ph === 'X');
  const busy = mine.filter((e) => work.has(e.name));
  const frames = events.filter((e) => e.pid === main.pid && e.tid === main.tid && e.name === 'Commit').map((e) => e.ts).sort((a, b) => a - b);
  // A frame lasts from the end of one drawing to that of the next.
  const perFrame = (some) => frames.slice(1).map((end, i) => covered(some.filter((e) => e.ts >= frames[i] && e.ts < end))).sort((a, b) => a - b);
  const costs = perFrame(busy);
  const all = perFrame(mine.filter((e) => e.name === 'RunTask'));
  const tasks = mine
    .filter((e) => e.name === 'RunTask' && e.dur > 1000 * goal.taskMs / 5)
    .map((task) => covered(busy.filter((e) => e.ts >= task.ts && e.ts < task.ts + task.dur)));
  const at = (list, part) => Math.round(10 * (list[Math.min(list.length - 1, Math.floor(part * list.length))] ?? 0)) / 10;
  return { frames: costs.length, p50_ms: at(costs, 0.5), p95_ms: at(costs, 0.95), p99_ms: at(costs, 0.99), max_ms: at(costs, 1), with_drawing_p50_ms: at(all, 0.5), longest_task_ms: Math.round(10 * Math.max(0, ...tasks)) / 10 };
}

async function trace(client, action) {
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const done = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing', 'v8'] } });
  await action();
  await client.send('Tracing.end');
  await done;
  client.removeAllListeners('Tracing.dataCollected');
  return events;
}

async function move(page, view) {
  const box = await page.locator(view.over).first().boundingBox();
  const end = Date.now() + 1000 * seconds;
  for (let i = 0; Date.now() < end; i++) {
    if (view.sweep) await page.mouse.move(box.x + ((i * 7) % box.width), box.y + ((i * 3) % Math.min(box.height, 400)));
    else {
      // Mostly small steps, sometimes a jump, and back.
      await page.mouse.wheel(0, i % 40 === 39 ? 20_000 : (Math.floor(i / 120) % 2 === 0 ? 1 : -1) * 120);
    }
    await page.waitForTimeout(12);
  }
}

let failed = false;
const { context, close } = await launch({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
try {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await page.goto(url);
  for (const view of views) {
    await page.evaluate((hash) => (location.hash = hash), view.hash);
    await page.waitForSelector(view.over);
    await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
    await page.locator(view.over).first().scrollIntoViewIfNeeded();
    await page.locator(view.over).first().hover();
    await page.waitForTimeout(1500);
    const result = readTrace(await trace(client, () => move(page, view)));
    console.log(JSON.stringify({ view: view.name, ...result }));
    if (result.p99_ms > goal.frameMs || result.longest_task_ms > goal.taskMs) failed = true;
  }
} finally {
  await close();
}
if (failed && args.includes('--goal')) process.exit(1);
