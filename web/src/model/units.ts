// SPDX-License-Identifier: Apache-2.0
// Amounts and times as people read them: cores, Gi, `3 min`.

/** Amounts by resource name: vcore in thousandths of a core, memory and storage in bytes, others as counts. */
export type Resources = Readonly<Record<string, number>>;

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

// Formats are made once: making one takes longer than a row of a table.
const formats = [0, 1, 2, 3].map((maximumFractionDigits) => new Intl.NumberFormat('en-US', { maximumFractionDigits }));
const decimals = (fraction: 0 | 1 | 2 | 3): Intl.NumberFormat => formats[fraction]!;

/** At most three significant digits, three decimals below 1 as in messages, and no zeros at the end: 0.001, 0.25, 12.5, 1,340. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const fraction = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return decimals(fraction).format(value);
}

export function count(value: number): string {
  return decimals(0).format(Math.round(value));
}

export function bytes(value: number): string {
  let unit = 0;
  let rest = value;
  // From 1023.5 on, it would be rounded to 1,024 of the unit.
  while (Math.abs(rest) >= 1023.5 && unit < binary.length - 1) {
    rest /= 1024;
    unit++;
  }
  return unit === 0 ? `${count(rest)} B` : `${digits(rest)} ${binary[unit]}`;
}

export function isBytes(resource: string): boolean {
  return resource === 'memory' || resource.endsWith('storage') || resource.startsWith('hugepages-');
}

/** `12 cores`, `1.5 Gi`, `4`; the name of the resource is not part of it unless it is cores. */
export function amount(resource: string, value: number): string {
  if (resource === 'vcore') return digits(value / 1000);
  return isBytes(resource) ? bytes(value) : count(value);
}

/** With the unit or the name: `12 cores`, `1.5 Gi`, `4 nvidia.com/gpu`. */
export function amountWithName(resource: string, value: number): string {
  if (resource === 'memory') return bytes(value);
  return `${amount(resource, value)} ${resourceNameOf(resource, value)}`;
}

const names: Record<string, string> = { vcore: 'cores', memory: 'memory', pods: 'pods' };

/** How a resource is called: `cores`, `memory`, `GPU`. */
export function resourceName(resource: string): string {
  const known = names[resource];
  if (known !== undefined) return known;
  if (/\/gpu$/.test(resource)) return 'GPU';
  return resource;
}

/** The name behind an amount: `core` and `pod` behind 1. */
export function resourceNameOf(resource: string, value: number): string {
  const name = resourceName(resource);
  return (resource === 'vcore' && value === 1000) || (resource === 'pods' && value === 1) ? name.slice(0, -1) : name;
}

const order = ['vcore', 'memory', 'nvidia.com/gpu', 'amd.com/gpu'];

/** Cores, memory and GPUs first, then the others by name, the number of pods last. */
export function compareResources(a: string, b: string): number {
  const rank = (name: string) => (name === 'pods' ? 1000 : order.includes(name) ? order.indexOf(name) : /gpu/.test(name) ? 10 : 100);
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** `2 cores, 4 Gi`; the number of pods is left out where there is something else. */
export function resources(amounts: Resources | undefined, withPods = false): string {
  const keys = Object.keys(amounts ?? {}).filter((key) => amounts![key] !== 0);
  const shown = withPods ? keys : keys.filter((key) => key !== 'pods');
  return (shown.length > 0 ? shown : keys).sort(compareResources).map((key) => amountWithName(key, amounts![key]!)).join(', ');
}

/** The sum of both. */
export function addResources(a: Resources | undefined, b: Resources | undefined): Resources {
  const sum: Record<string, number> = { ...a };
  for (const [key, value] of Object.entries(b ?? {})) sum[key] = (sum[key] ?? 0) + value;
  return sum;
}

/** Which part of what an application has in use its placeholders hold: `, all through placeholders`; empty if none. */
export function placeholderPart(used: Resources | undefined, placeholders: Resources | undefined): string {
  if (placeholders === undefined) return '';
  return used === undefined ? ', all through placeholders' : `; through placeholders: ${resources(placeholders, true)}`;
}

/**
 * A text of the scheduler with amounts and names as people read them: `map[memory:1073741824 vcore:500]`, as Go prints amounts, is
 * `0.5 cores, 1 Gi`, and the queue `root.@recovery@` is the recovery queue.
 */
export function plainText(text: string): string {
  return text
    .replace(/map\[([^\]]*)\]/g, (whole, inside: string) => {
      const pairs = inside.split(' ').filter((pair) => pair !== '').map((pair) => [pair.slice(0, pair.lastIndexOf(':')), Number(pair.slice(pair.lastIndexOf(':') + 1))] as const);
      if (pairs.some(([name, value]) => name === '' || !Number.isFinite(value))) return whole;
      return resources(Object.fromEntries(pairs), true) || 'nothing';
    })
    .replace(/(?<![\w.-])(?:queue )?(['"]?)root\.@recovery@\1(?![\w.@-])/g, recoveryName);
}

/** The words of a search; in double quotes, spaces belong to a word: `user:"Ann Lee" etl` has two. */
export function searchWords(text: string): string[] {
  const found = text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
  return found.map((word) => word.replaceAll('"', '')).filter((word) => word !== '');
}

export const recoveryName = 'the recovery queue';

/** The path of a queue; the name of the one that takes recovered pods without a place says nothing to a person. */
export function queueTitle(path: string): string {
  return path === 'root.@recovery@' ? recoveryName : path;
}

/** A part of a whole, 0 to 1 or more, as `12 %`. */
export function percent(part: number): string {
  if (!Number.isFinite(part)) return '–';
  const value = part * 100;
  return `${value > 0 && value < 1 ? '< 1' : decimals(0).format(Math.round(value))} %`;
}

/**
 * `0 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`: at most two units, the second one only while it says something. What is left
 * over is dropped. The steps are those of `kubectl yunikorn`, so both show the same.
 */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms > 0 && ms < 1000) return `${Math.max(1, Math.floor(ms))} ms`;
  const s = Math.floor(Math.max(0, ms) / 1000);
  const min = Math.floor(s / 60);
  const h = Math.floor(min / 60);
  const d = Math.floor(h / 24);
  if (s < 120) return `${s} s`;
  if (min < 10 && s % 60 > 0) return `${min} min ${s % 60} s`;
  if (h < 3) return `${min} min`;
  if (h < 8 && min % 60 > 0) return `${h} h ${min % 60} min`;
  if (d < 2) return `${h} h`;
  return d < 8 && h % 24 > 0 ? `${d} d ${h % 24} h` : `${d} d`;
}

/** Nanoseconds since 1970, as JSON has them, to milliseconds. */
export function ms(ns: number | undefined): number {
  return ns === undefined ? NaN : ns / 1e6;
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat('en-CA');
const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'medium' });

/** `25/11/2026, 14:03:09`. */
export function moment(atMs: number): string {
  return Number.isFinite(atMs) ? momentFormat.format(atMs) : '';
}

/** `14:03:09`, with the day in front when it is not today. */
export function clockTime(atMs: number, nowMs: number): string {
  if (!Number.isFinite(atMs)) return '–';
  const at = new Date(atMs);
  const time = timeFormat.format(at);
  return at.toDateString() === new Date(nowMs).toDateString() ? time : `${dayFormat.format(at)} ${time}`;
}

/** Go's durations in JSON, `1m30s`, in milliseconds; NaN when it is none. */
export function goDuration(text: string): number {
  const factors: Record<string, number> = { ns: 1e-6, us: 1e-3, 'µs': 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 };
  let total = 0;
  let rest = text;
  for (let part = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/.exec(rest); part !== null; part = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/.exec(rest)) {
    total += Number(part[1]) * factors[part[2]!]!;
    rest = rest.slice(part[0].length);
  }
  return rest === '' && text !== '' ? total : NaN;
}

/** Words of the scheduler to words for people: `InsufficientNodeResources` to `insufficient node resources`. */
export function words(token: string): string {
  return token.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
