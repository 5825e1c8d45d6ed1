// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { borrowed, dealOut, fairShares, findQueue, lent, maximumOf, resourcesOf, rowsOf, share, shortName, usersOf } from '../src/model/queues';
import type { Queue } from '../src/model/types';

function queue(queuename: string, more: Partial<Queue> = {}): Queue {
  return {
    queuename, status: 'Active', partition: 'default', isLeaf: more.children === undefined, isManaged: true, sortingPolicy: 'fifo', prioritySorting: true,
    preemptionEnabled: true, isPreemptionFence: false, isPriorityFence: false, preemptionDelay: '30s', quotaPreemptionDelay: '0s', currentPriority: 0, ...more,
  };
}

const tree = queue('root', {
  maxResource: { vcore: 100_000 },
  allocatedResource: { vcore: 90_000 },
  children: [
    queue('root.a', {
      maxResource: { vcore: 60_000 },
      guaranteedResource: { vcore: 40_000 },
      allocatedResource: { vcore: 50_000 },
      pendingResource: { vcore: 100_000 },
      children: [queue('root.a.x', { allocatedResource: { vcore: 50_000 }, pendingResource: { vcore: 100_000 } })],
    }),
    queue('root.b', { guaranteedResource: { vcore: 50_000 }, allocatedResource: { vcore: 40_000 }, pendingResource: { vcore: 20_000 } }),
  ],
});

describe('the tree', () => {
  it('has rows, children below their parent', () => {
    expect(rowsOf(tree).map((row) => `${row.depth} ${row.queue.queuename}`)).toEqual(['0 root', '1 root.a', '2 root.a.x', '1 root.b']);
    expect(rowsOf(tree, new Set(['root.a'])).map((row) => row.queue.queuename)).toEqual(['root', 'root.a', 'root.b']);
    expect(findQueue(tree, 'root.none')).toBeUndefined();
    expect(shortName('root.a.x')).toBe('x');
    expect(resourcesOf(tree)).toEqual(['vcore']);
  });

  it('says where a maximum comes from', () => {
    expect(maximumOf(findQueue(tree, 'root.a.x')!, 'vcore')).toEqual({ value: 60_000, from: 'root.a' });
    expect(maximumOf(findQueue(tree, 'root.b')!, 'vcore')).toEqual({ value: 100_000, from: 'root' });
    expect(maximumOf(findQueue(tree, 'root.b')!, 'memory')).toBeUndefined();
  });

  it('says who borrows and who lends', () => {
    const [, a, x, b] = rowsOf(tree);
    expect(borrowed(a!.queue, 'vcore')).toBe(10_000);
    expect(borrowed(x!.queue, 'vcore')).toBeUndefined();
    expect(lent(b!.queue, 'vcore')).toBe(10_000);
    expect(share(a!)).toBeCloseTo(1.25);
    expect(share(x!)).toBeCloseTo(50 / 60);
  });
});

describe('fair shares', () => {
  it('guarantees come first, then proportion', () => {
    const shares = fairShares(tree, 'vcore');
    expect(shares.get('root')).toBe(100_000);
    expect(Math.round(shares.get('root.b')!)).toBe(55_556); // 50 of its own, and 5/9 of the 10 that are left
    expect(Math.round(shares.get('root.a')!)).toBe(44_444);
    expect(shares.get('root.a.x')).toBe(shares.get('root.a'));
  });

  it('nobody gets more than it wants, and nothing is made from nothing', () => {
    const got = dealOut(
      [
        { path: 'small', wants: 1, guaranteed: 10, weight: 10 },
        { path: 'large', wants: 100, guaranteed: 0, weight: 1 },
      ],
      20,
    );
    expect(got.get('small')).toBe(1);
    expect(got.get('large')).toBe(19);
    expect(dealOut([{ path: 'a', wants: 8, guaranteed: 8, weight: 8 }, { path: 'b', wants: 8, guaranteed: 8, weight: 8 }], 8)).toEqual(new Map([['a', 4], ['b', 4]]));
    expect(dealOut([], 5)).toEqual(new Map());
    expect(fairShares(queue('root'), 'vcore')).toEqual(new Map([['root', 0]]));
  });
});

describe('who uses a queue', () => {
  const person = (userName: string, vcore: number, memory: number) => ({
    userName,
    queues: {
      queuePath: 'root',
      resourceUsage: { vcore: vcore + 1000 },
      children: [
        { queuePath: 'root.ab', resourceUsage: { vcore: 1000 } },
        { queuePath: 'root.a', children: [{ queuePath: 'root.a.x', resourceUsage: { vcore, memory } }] },
      ],
    },
  });
  it('has the largest part first, of whatever resource', () => {
    const users = [person('ann', 1000, 10), person('bob', 3000, 0), person('cat', 0, 990), person('dan', 0, 0)];
    expect(usersOf(users, 'root.a.x').map(({ user }) => user)).toEqual(['cat', 'bob', 'ann']);
    expect(usersOf(users, 'root.ab').map(({ user }) => user)).toEqual(['ann', 'bob', 'cat', 'dan']);
    expect(usersOf(users, 'root.b')).toEqual([]);
    expect(usersOf([{ userName: 'eve' }], 'root')).toEqual([]);
  });
});
