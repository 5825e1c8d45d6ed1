// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { changesOf, omitted, startTime, whyPreempted, type QueueChange } from '../src/model/whatif';

const unchanged: QueueChange = {
  queueName: 'root.a',
  maxBefore: null,
  max: null,
  guaranteedBefore: { vcore: 2000 },
  guaranteed: { vcore: 2000 },
  maxApplicationsBefore: 0,
  maxApplications: 0,
};

describe('what if', () => {
  it('says when a pod starts', () => {
    expect(startTime(0)).toBe('now');
    expect(startTime(30617)).toBe('after 30 s');
  });

  it('shows what differs of a queue', () => {
    expect(changesOf(unchanged)).toEqual([]);
    expect(changesOf({ ...unchanged, max: { vcore: 4000 }, guaranteed: null, maxApplications: 3 })).toEqual([
      ['Maximum', 'none', '4 cores'],
      ['Guaranteed', '2 cores', 'none'],
      ['Applications', 'none', '3'],
    ]);
    expect(changesOf({ ...unchanged, max: {} })).toEqual([['Maximum', 'none', 'nothing']]);
  });

  it('counts what was left out', () => {
    const impact = { started: [], startedOmitted: 7 };
    expect(omitted(impact, 'started')).toBe(7);
    expect(omitted(impact, 'preempted')).toBe(0);
  });

  it('leaves names out of the reason of a preemption', () => {
    expect(whyPreempted('ns/a (application x of u in queue root.q) ends because its gang is incomplete')).toBe('its gang is incomplete');
    expect(whyPreempted('ns/a (application x of u in queue root.q) ends because a queue is below its guarantee, for ns/b (application y of v in queue root.r)')).toBe('a queue is below its guarantee');
    expect(whyPreempted('another text')).toBe('another text');
  });
});
