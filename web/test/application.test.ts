// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { gangState, lastRunMs, latestOf, mostUsed } from '../src/model/application';

describe('the end of an application', () => {
  const app = { applicationID: 'a', partition: 'default', queueName: 'root.a', finishedTime: 90e9 };
  const log = (...states: [string, number][]) => states.map(([applicationState, s]) => ({ applicationState, time: s * 1e9 }));
  it('comes a while after it ran', () => {
    expect(lastRunMs({ ...app, stateLog: log(['Running', 1], ['Completing', 60], ['Completed', 90]) })).toBe(60_000);
    expect(lastRunMs({ ...app, stateLog: log(['Completing', 10], ['Running', 20], ['Completing', 60], ['Completed', 90]) })).toBe(60_000);
    expect(lastRunMs({ ...app, stateLog: log(['Failing', 70], ['Failed', 90]) })).toBe(70_000);
  });
  it('is all that is known of one without a log', () => expect(lastRunMs(app)).toBe(90_000));
});

describe('applications that have ended', () => {
  const app = (applicationID: string, applicationState: string, s: number) => ({ applicationID, applicationState, partition: 'default', queueName: 'root.a', finishedTime: s * 1e9 });
  it('of one id are several, of which the latest is shown', () => {
    const refused = app('etl', 'Rejected', 10);
    const completed = app('etl', 'Completed', 90);
    expect(latestOf([app('etl-2', 'Failed', 200), completed, refused], 'etl')).toBe(completed);
    expect(latestOf([completed, app('etl', 'Rejected', 95)], 'etl')?.applicationState).toBe('Rejected');
    expect(latestOf([completed], 'e')).toBeUndefined();
  });
});

describe('the gang of an application', () => {
  const running = { applicationID: 'a', partition: 'default', queueName: 'root.a', applicationState: 'Running' };
  const placeholders = (n: number): never[] => Array.from({ length: n }, (_, i) => ({ allocationKey: `p${i}`, placeholder: true, taskGroupName: 'g' })) as never[];
  const group = (replaced: number, timedout: number) => ({ taskGroupName: 'g', count: 12, replaced, timedout });
  it('has the placeholders that are there', () => {
    expect(gangState({ ...running, allocations: placeholders(1), requests: placeholders(2) }, group(3, 0), false)).toEqual({ replaced: 3, placed: 1, wanted: 6, text: '3 of 6 run, 1 placeholder holds capacity' });
    expect(gangState({ ...running, allocations: placeholders(2) }, group(0, 4), false).text).toBe('0 of 2 run, 2 placeholders hold capacity, 4 placeholders ended without a pod');
    expect(gangState({ ...running, requests: placeholders(2) }, { ...group(0, 0), taskGroupName: 'h' }, false).text).toBe('no placeholder yet');
  });
  it('is over without placeholders', () => {
    expect(gangState(running, group(3, 0), false).text).toBe('3 run');
    expect(gangState(running, group(3, 1), false).text).toBe('3 run, 1 placeholder ended without a pod');
    expect(gangState(running, group(0, 12), false).text).toBe('given up: 12 placeholders ended without a pod; its pods are scheduled one by one');
    expect(gangState({ ...running, applicationState: 'Failing' }, group(0, 12), false).text).toBe('12 placeholders ended without a pod');
  });
  it('of an ended application', () => {
    expect(gangState(running, group(0, 5), true).text).toBe('0 ran, 5 placeholders ended without a pod');
    expect(gangState(running, group(3, 0), true).text).toBe('3 ran');
  });
  it('is not added up in the most that was used', () => {
    const maxUsedResource = { vcore: 2000, pods: 2 };
    expect(mostUsed(running)).toBe('nothing');
    expect(mostUsed({ ...running, maxUsedResource })).toBe('2 cores, 2 pods');
    expect(mostUsed({ ...running, maxUsedResource, placeholderData: [group(3, 0)] })).toBe('2 cores, 2 pods (pods and placeholders not added up)');
  });
});
