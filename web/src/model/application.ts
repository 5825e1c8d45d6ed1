// SPDX-License-Identifier: Apache-2.0
// What the facts of an application say.
import type { Application } from './types';
import { count, ms, plural, resources } from './units';

/**
 * When an application that has ended ran for the last time, in milliseconds: it is in the state Completing for a while before it ends.
 * `kubectl yunikorn app` shows the same.
 */
export function lastRunMs(app: Application): number {
  const left = (app.stateLog ?? []).filter((entry) => entry.applicationState === 'Completing' || entry.applicationState === 'Failing').pop();
  return ms(left?.time ?? app.finishedTime);
}

/** Of those with that id, the one that ended last; `kubectl yunikorn` takes the same. */
export function latestOf(apps: readonly Application[], id: string): Application | undefined {
  return apps
    .filter((app) => app.applicationID === id)
    .sort((a, b) => (a.finishedTime ?? 0) - (b.finishedTime ?? 0))
    .pop();
}

type TaskGroup = NonNullable<Application['placeholderData']>[number];

/** What is known of a task group. `wanted`: its placeholders, and the pods that have replaced one; of an application that has ended, all that there were. */
export interface GangState {
  replaced: number;
  placed: number;
  wanted: number;
  text: string;
}

/** `former`: the application has ended. `count` and `timedout` of a group also have the placeholders of a gang that gave way, which are made again. */
export function gangState(app: Application, group: TaskGroup, former: boolean): GangState {
  const placeholdersOf = (pods: readonly { placeholder?: boolean; taskGroupName?: string }[] | undefined): number =>
    (pods ?? []).filter((pod) => pod.placeholder === true && pod.taskGroupName === group.taskGroupName).length;
  const replaced = group.replaced ?? 0;
  const ended = group.timedout ?? 0;
  const placed = placeholdersOf(app.allocations);
  const left = placed + placeholdersOf(app.requests);
  const state = { replaced, placed, wanted: replaced + left };
  const without = ended > 0 ? `${plural(ended, 'placeholder')} ended without a pod` : '';
  const join = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');
  if (former) return { ...state, wanted: replaced + ended, text: join(`${count(replaced)} ran`, without) };
  if (left > 0) return { ...state, text: join(`${count(replaced)} of ${count(state.wanted)} run`, `${plural(placed, 'placeholder')} ${placed === 1 ? 'holds' : 'hold'} capacity`, without) };
  if (replaced > 0) return { ...state, text: join(`${count(replaced)} run`, without) };
  if (ended === 0) return { ...state, text: 'no placeholder yet' };
  // Of an application that fails, no pod starts; one that has not started yet may get new placeholders.
  return { ...state, text: app.applicationState === 'Running' ? `given up: ${without}; its pods are scheduled one by one` : without };
}

/** The most that it used. REST has, for each resource, the larger one of what its pods and what its placeholders used at most. */
export function mostUsed(app: Application): string {
  const text = resources(app.maxUsedResource, true);
  if (text === '') return 'nothing';
  return (app.placeholderData?.length ?? 0) > 0 || app.placeholderResource !== undefined ? `${text} (pods and placeholders not added up)` : text;
}
