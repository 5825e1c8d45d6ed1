// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { lastRunMs } from '../src/model/application';

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
