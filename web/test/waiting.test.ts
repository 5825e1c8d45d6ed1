// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { countWaiting, isNamed, pageStart, pageWith, startText, waitingQuery } from '../src/model/waiting';

describe('waiting pods', () => {
  it('count a gang once, by its placeholders', () => {
    const data = { total: 9, gangMembers: 4, reasons: { QueueQuota: 1, GangWaiting: 5, InsufficientNodeResources: 3 }, pending: [] };
    expect(countWaiting(data)).toEqual({ pods: 5, members: 4, reasons: [['InsufficientNodeResources', 3], ['QueueQuota', 1], ['GangWaiting', 1]] });
  });
  it('have no empty reason', () => {
    expect(countWaiting({ total: 4, gangMembers: 4, reasons: { GangWaiting: 4 }, pending: [] })).toEqual({ pods: 0, members: 4, reasons: [] });
  });
  it('are all counted by a scheduler that does not say which are members', () => {
    expect(countWaiting({ total: 4, reasons: { GangWaiting: 4 }, pending: [] })).toEqual({ pods: 4, members: 0, reasons: [['GangWaiting', 4]] });
  });
});

it.each([
  [0, 129, 0],
  [50, 129, 50],
  [128, 129, 128],
  [5000, 129, 100],
  [5000, 100, 50],
  [5000, 0, 0],
  [5000, undefined, 5000],
  [-1, 129, 0],
  [NaN, 129, 0],
])('a page that is wanted from %s on of %s begins at %s', (wanted, total, from) => expect(pageStart(wanted, 50, total)).toBe(from));

it.each([
  [undefined, 50, 50],
  [0, 50, 0],
  [49, 0, 0],
  [50, 0, 50],
  [120, 0, 100],
  [66, 17, 17],
  [67, 17, 50],
])('the page with row %s, while one from %s on is shown, begins at %s', (place, from, start) => expect(pageWith(place, from, 50)).toBe(start));

it('a pod in an address is named by its key, its name, or both parts of its name', () => {
  const pod = { allocationKey: 'k-1', namespace: 'team', podName: 'job-1' };
  expect(['k-1', 'job-1', 'team/job-1', 'other/job-1', 'job-12', '', undefined].map((name) => isNamed(pod, name))).toEqual([true, true, true, false, false, false, false]);
});

describe('the query of waiting pods', () => {
  it.each([
    [{}, ''],
    [{ reason: 'QueueQuota' }, '?reason=QueueQuota'],
    [{ find: '  ' }, ''],
    [{ find: 'job-5 user:"Ann Lee"', reason: 'Reserved' }, '?reason=Reserved&filter=job-5&filter=user%3AAnn+Lee'],
    [{ find: 'team/job', limit: 51, offset: 0 }, '?filter=team%2Fjob&limit=51'],
    [{ limit: 51, offset: 100 }, '?limit=51&offset=100'],
  ])('%o is %s', (wanted, text) => expect(waitingQuery(wanted)).toBe(text));
});

describe('the start of a pod', () => {
  const now = new Date(2026, 0, 1, 10, 0, 0).getTime();
  it.each([
    [now, now + 90_000, 'within 90 s', 'by 10:01:30'],
    [NaN, now + 90_000, 'within 90 s', 'by 10:01:30'],
    [now + 60_000, now + 600_000, 'in 60 s to 10 min', '10:01:00 to 10:10:00'],
    [now + 598_000, now + 600_000, 'in 9 min 58 s to 10 min', '10:09:58 to 10:10:00'],
    [now + 721_000, now + 722_000, 'in about 12 min', '10:12:01 to 10:12:02'],
    [now - 60_000, now - 1, 'at any moment', ''],
  ])('between %d and %d', (earliest, latest, when, clock) => {
    expect(startText(earliest, latest, now)).toEqual({ when, clock });
  });
});
