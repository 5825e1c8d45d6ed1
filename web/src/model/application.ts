// SPDX-License-Identifier: Apache-2.0
// What the facts of an application say.
import type { Application } from './types';
import { ms } from './units';

/**
 * When an application that has ended ran for the last time, in milliseconds: it is in the state Completing for a while before it ends.
 * `kubectl yunikorn app` shows the same.
 */
export function lastRunMs(app: Application): number {
  const left = (app.stateLog ?? []).filter((entry) => entry.applicationState === 'Completing' || entry.applicationState === 'Failing').pop();
  return ms(left?.time ?? app.finishedTime);
}
