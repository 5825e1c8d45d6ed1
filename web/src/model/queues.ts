// SPDX-License-Identifier: Apache-2.0
// What the tree of queues says about each queue: what it may have and why, what it borrows, what would be fair.
import type { Queue, Usage, UserUsage } from './types';
import { queueTitle, type Resources } from './units';

export interface QueueRow {
  queue: Queue;
  depth: number;
  parents: Queue[]; // from the root down
}

/** The tree as rows, children below their parent. Queues in `closed` hide their children. */
export function rowsOf(root: Queue, closed: ReadonlySet<string> = new Set()): QueueRow[] {
  const rows: QueueRow[] = [];
  const visit = (queue: Queue, parents: Queue[]): void => {
    rows.push({ queue, depth: parents.length, parents });
    if (closed.has(queue.queuename)) return;
    for (const child of queue.children ?? []) visit(child, [...parents, queue]);
  };
  visit(root, []);
  return rows;
}

export function leavesOf(root: Queue): Queue[] {
  return rowsOf(root)
    .map((row) => row.queue)
    .filter((queue) => queue.isLeaf);
}

export function findQueue(root: Queue, path: string): QueueRow | undefined {
  return rowsOf(root).find((row) => row.queue.queuename === path);
}

/** The last part of a path. */
export function shortName(path: string): string {
  const title = queueTitle(path);
  return title === path ? path.slice(path.lastIndexOf('.') + 1) : title;
}

export interface Maximum {
  value: number;
  /** The queue that sets it: the row itself or one above it. */
  from: string;
}

/** The smallest maximum on the way from the root; undefined: nothing limits that resource. */
export function maximumOf(row: QueueRow, resource: string): Maximum | undefined {
  let smallest: Maximum | undefined;
  for (const queue of [...row.parents, row.queue]) {
    const value = queue.maxResource?.[resource];
    if (value !== undefined && (smallest === undefined || value < smallest.value)) smallest = { value, from: queue.queuename };
  }
  return smallest;
}

export function used(queue: Queue, resource: string): number {
  return queue.allocatedResource?.[resource] ?? 0;
}

export function pending(queue: Queue, resource: string): number {
  return queue.pendingResource?.[resource] ?? 0;
}

/** What a queue uses beyond its guarantee; undefined where nothing is guaranteed to it. */
export function borrowed(queue: Queue, resource: string): number | undefined {
  const guaranteed = queue.guaranteedResource?.[resource];
  return guaranteed === undefined ? undefined : Math.max(0, used(queue, resource) - guaranteed);
}

/** What is guaranteed to a queue and not used by it: others may borrow it. */
export function lent(queue: Queue, resource: string): number {
  return Math.max(0, (queue.guaranteedResource?.[resource] ?? 0) - used(queue, resource));
}

/** The number by which the scheduler compares queues (docs/reference/queues.md, M20): 1 is "all that is guaranteed". */
export function share(row: QueueRow): number {
  const amounts = row.queue.allocatedResource ?? {};
  let largest = 0;
  for (const [resource, value] of Object.entries(amounts)) {
    const base = row.queue.guaranteedResource?.[resource] ?? maximumOf(row, resource)?.value;
    if (base !== undefined && base > 0) largest = Math.max(largest, value / base);
  }
  return largest;
}

interface Claim {
  path: string;
  wants: number;
  guaranteed: number;
  weight: number;
}

/** Deals `capacity` out: guarantees first, then in proportion to the weights; nobody gets more than it wants. */
export function dealOut(claims: readonly Claim[], capacity: number): Map<string, number> {
  const got = new Map<string, number>();
  let left = capacity;
  const guarantees = claims.reduce((sum, claim) => sum + Math.min(claim.wants, claim.guaranteed), 0);
  const scale = guarantees > capacity && guarantees > 0 ? capacity / guarantees : 1;
  for (const claim of claims) {
    const first = Math.min(claim.wants, claim.guaranteed) * scale;
    got.set(claim.path, first);
    left -= first;
  }
  let hungry = claims.filter((claim) => claim.wants > got.get(claim.path)!);
  while (left > 1e-9 && hungry.length > 0) {
    const weights = hungry.reduce((sum, claim) => sum + claim.weight, 0);
    let given = 0;
    for (const claim of hungry) {
      const part = weights > 0 ? (left * claim.weight) / weights : left / hungry.length;
      const more = Math.min(part, claim.wants - got.get(claim.path)!);
      got.set(claim.path, got.get(claim.path)! + more);
      given += more;
    }
    left -= given;
    const before = hungry.length;
    hungry = hungry.filter((claim) => claim.wants - got.get(claim.path)! > 1e-9);
    if (hungry.length === before) break;
  }
  return got;
}

/**
 * What each queue would have of a resource if everything could be moved: an estimate for people, by guarantees
 * first, then in proportion to guarantees, or to maxima where nothing is guaranteed.
 */
export function fairShares(root: Queue, resource: string): Map<string, number> {
  const shares = new Map<string, number>();
  const visit = (row: QueueRow, capacity: number): void => {
    shares.set(row.queue.queuename, capacity);
    const children = (row.queue.children ?? []).map((queue) => ({ queue, depth: row.depth + 1, parents: [...row.parents, row.queue] }));
    const claims = children.map((child) => {
      const most = child.queue.maxResource?.[resource] ?? Infinity;
      const guaranteed = child.queue.guaranteedResource?.[resource] ?? 0;
      return {
        path: child.queue.queuename,
        wants: Math.min(most, used(child.queue, resource) + pending(child.queue, resource)),
        guaranteed,
        weight: guaranteed > 0 ? guaranteed : Number.isFinite(most) ? most : capacity,
      };
    });
    const got = dealOut(claims, capacity);
    for (const child of children) visit(child, got.get(child.queue.queuename) ?? 0);
  };
  visit({ queue: root, depth: 0, parents: [] }, root.maxResource?.[resource] ?? used(root, resource));
  return shares;
}

/** All resources that the tree names. */
export function resourcesOf(root: Queue): string[] {
  const names = new Set<string>();
  for (const { queue } of rowsOf(root))
    for (const amounts of [queue.allocatedResource, queue.maxResource, queue.guaranteedResource, queue.pendingResource])
      for (const name of Object.keys(amounts ?? {})) names.add(name);
  return [...names];
}

export function isEmpty(amounts: Resources | undefined): boolean {
  return amounts === undefined || Object.values(amounts).every((value) => value === 0);
}

/** The use of one queue in a tree of what a user or group uses. The tree has one way down to a path. */
export function usageIn(place: Usage | undefined, path: string): Usage | undefined {
  if (place === undefined || place.queuePath === path) return place;
  return usageIn((place.children ?? []).find((child) => path === child.queuePath || path.startsWith(`${child.queuePath}.`)), path);
}

/** Which users use something of a queue and of those below it, the largest share of what is used there first. */
export function usersOf(users: readonly UserUsage[], path: string): { user: string; usage: Resources }[] {
  const found = users.map((entry) => ({ user: entry.userName, usage: usageIn(entry.queues, path)?.resourceUsage ?? {} })).filter(({ usage }) => !isEmpty(usage));
  const sums = new Map<string, number>();
  for (const { usage } of found) for (const [name, value] of Object.entries(usage)) sums.set(name, (sums.get(name) ?? 0) + value);
  const share = (usage: Resources): number => Math.max(...Object.entries(usage).map(([name, value]) => value / Math.max(1, sums.get(name)!)));
  return found.sort((a, b) => share(b.usage) - share(a.usage) || (a.user < b.user ? -1 : 1));
}
