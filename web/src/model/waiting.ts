// SPDX-License-Identifier: Apache-2.0
// How many pods wait, counted like the amounts that queues want.
import type { Pending } from './types';

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
