// SPDX-License-Identifier: Apache-2.0
// How many pods wait, counted like the amounts that queues want.
import type { Pending } from './types';
import { clockTime, duration, searchWords } from './units';

export interface Waiting {
  pods: number;
  /** Pods per reason, the most frequent first. */
  reasons: [string, number][];
  /** Members of gangs that are not in `pods`, because the placeholders that they wait for are. */
  members: number;
}

/** A gang counts once: by its placeholders, as in the wanted amounts of queues, until its members take their places. */
export function countWaiting(data: Pending): Waiting {
  const members = data.gangMembers ?? 0;
  const reasons = Object.entries(data.reasons ?? {})
    .map(([reason, pods]): [string, number] => [reason, reason === 'GangWaiting' ? pods - members : pods])
    .filter(([, pods]) => pods > 0)
    .sort(([, a], [, b]) => b - a);
  return { pods: data.total - members, reasons, members };
}

/** The query of a list of waiting pods. `find`: words that each have to be in the name of a pod. */
export function waitingQuery(wanted: { reason?: string | undefined; find?: string | undefined; limit?: number; offset?: number }): string {
  const query = new URLSearchParams();
  if (wanted.reason !== undefined) query.set('reason', wanted.reason);
  for (const word of searchWords(wanted.find ?? '')) query.append('filter', word); // too many: the server says so
  if (wanted.limit !== undefined) query.set('limit', String(wanted.limit));
  if ((wanted.offset ?? 0) > 0) query.set('offset', String(wanted.offset));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Where the page of a list begins that contains the row `wanted`. `total`: of the rows; undefined: not known. */
export function pageStart(wanted: number, size: number, total: number | undefined): number {
  if (!Number.isSafeInteger(wanted) || wanted <= 0) return 0;
  return total === undefined || wanted < total ? wanted : Math.floor(Math.max(0, total - 1) / size) * size;
}

/** Where the page of a list begins that contains the row `place`: at `from` if that one does. `place` undefined: any. */
export function pageWith(place: number | undefined, from: number, size: number): number {
  return place === undefined || (place >= from && place < from + size) ? from : Math.floor(place / size) * size;
}

/** Whether it is the pod that an address names: by its key, or by `namespace/name` or the name alone. */
export function isNamed(pod: { allocationKey: string; namespace?: string | undefined; podName?: string | undefined }, name: string | undefined): boolean {
  return name !== undefined && (name === pod.allocationKey || name === pod.podName || name === `${pod.namespace ?? ''}/${pod.podName ?? ''}`);
}

/** When a pod starts: how long that is from now, and the time of day. All in milliseconds; `earliest` NaN: now. */
export function startText(earliest: number, latest: number, now: number): { when: string; clock: string } {
  if (latest <= now) return { when: 'at any moment', clock: '' };
  const last = duration(latest - now);
  if (!(earliest > now + 1000)) return { when: `within ${last}`, clock: `by ${clockTime(latest, now)}` };
  const first = duration(earliest - now);
  return { when: first === last ? `in about ${last}` : `in ${first} to ${last}`, clock: `${clockTime(earliest, now)} to ${clockTime(latest, now)}` };
}
