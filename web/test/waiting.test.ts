// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { countWaiting } from '../src/model/waiting';

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
