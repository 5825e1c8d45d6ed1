// SPDX-License-Identifier: Apache-2.0
// Events as sentences: docs/reference/rest.md 7.1, numbers of core/events/event.h.
import type { EventRecord } from './types';
import { plainText, resources, type Resources } from './units';

export const eventTypes: Readonly<Record<number, string>> = { 1: 'request', 2: 'application', 3: 'node', 4: 'queue', 5: 'user or group' };

const details: Readonly<Record<number, string>> = {
  100: 'cancelled', 101: 'allocated', 102: 'timed out',
  200: 'allocation', 201: 'request', 202: 'rejected', 203: 'new', 204: 'accepted', 205: 'starting', 206: 'running', 207: 'completing', 208: 'completed',
  209: 'failing', 210: 'failed', 211: 'resuming', 212: 'expired', 213: 'cannot run: queue', 214: 'may run: queue', 215: 'cannot run: quota', 216: 'may run: quota',
  300: 'removed', 302: 'schedulable', 303: 'allocation', 304: 'capacity', 305: 'occupied', 306: 'reservation',
  400: 'configured', 401: 'dynamic', 402: 'type', 403: 'maximum', 404: 'guarantee', 405: 'application', 406: 'allocation', 407: 'quota preemption',
  500: 'cancelled', 501: 'preempted', 502: 'timed out', 503: 'replaced', 504: 'node removed',
  600: 'user limit', 601: 'group limit', 602: 'linked to a group', 603: 'use', 604: 'use',
};

// These are things that can be set, added and removed; the others say by themselves what happened.
const nouns = new Set([200, 201, 303, 304, 305, 306, 402, 403, 404, 405, 406, 600, 601, 603, 604]);

const changes: Readonly<Record<number, string>> = { 0: '', 1: 'set', 2: 'added', 3: 'removed' };

export function eventWhat(event: EventRecord): string {
  const code = event.eventChangeDetail ?? 0;
  const detail = details[code];
  const change = changes[event.eventChangeType ?? 0] ?? '';
  if (detail === undefined) return change || 'changed';
  return nouns.has(code) && change !== '' ? `${detail} ${change}` : detail;
}

/** What the event says, with amounts as people read them and without UIDs, which say nothing to a person: `request 'UID'` is `request`. */
export function eventMessage(event: EventRecord): string | undefined {
  return event.message === undefined ? undefined : plainText(event.message).replace(/\b(request|ask|allocation|pod) '?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'?/gi, '$1');
}

export function eventResources(event: EventRecord): string {
  const amounts: Record<string, number> = {};
  for (const [name, amount] of Object.entries(event.resource?.resources ?? {})) amounts[name] = amount.value ?? 0;
  return resources(amounts as Resources);
}

/** One record of a stream; undefined: not an event (the first line names the instance). */
export function parseEvent(line: string): EventRecord | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed !== 'object' || parsed === null || !('timestampNano' in parsed)) return undefined;
    return parsed as EventRecord;
  } catch {
    return undefined;
  }
}

/** Where a sentence has a name as a word of its own; -1: nowhere. */
export function placeOf(sentence: string, name: string): number {
  for (let at = sentence.indexOf(name); at >= 0 && name !== ''; at = sentence.indexOf(name, at + 1)) {
    const before = at === 0 ? ' ' : sentence[at - 1]!;
    const rest = sentence.slice(at + name.length);
    if (!/[\w./-]/.test(before) && !/^([\w/-]|\.\w)/.test(rest)) return at;
  }
  return -1;
}
