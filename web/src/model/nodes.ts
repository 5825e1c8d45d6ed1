// SPDX-License-Identifier: Apache-2.0
// What the nodes have left, and in pieces of which size.
import type { Node } from './types';
import type { Resources } from './units';

/** The part of a node that is in use, 0 to 1: of one resource, or of the one that is used most. */
export function usedPart(node: Node, resource?: string): number {
  const capacity = node.capacity ?? {};
  let most = 0;
  for (const name of resource === undefined ? Object.keys(capacity) : [resource]) {
    const whole = capacity[name];
    if (whole === undefined || whole <= 0 || (resource === undefined && name === 'pods')) continue;
    most = Math.max(most, ((node.allocated?.[name] ?? 0) + (node.occupied?.[name] ?? 0)) / whole);
  }
  return most;
}

export function free(node: Node, resource: string): number {
  return Math.max(0, node.available?.[resource] ?? 0);
}

/** How many pods of that shape fit on a node now. */
export function fitOn(node: Node, shape: Resources): number {
  if (!node.schedulable) return 0;
  let fit = Infinity;
  for (const [name, value] of Object.entries(shape)) {
    if (value > 0) fit = Math.min(fit, Math.floor(free(node, name) / value));
  }
  return Number.isFinite(fit) ? Math.max(0, fit) : 0;
}

export interface Fit {
  shape: Resources;
  pods: number; // over all nodes
  nodes: number; // that take at least one
}

export function fitAll(nodes: readonly Node[], shape: Resources): Fit {
  let pods = 0;
  let takers = 0;
  for (const node of nodes) {
    const fit = fitOn(node, shape);
    pods += fit;
    if (fit > 0) takers++;
  }
  return { shape, pods, nodes: takers };
}

export interface Largest {
  node: Node;
  value: number;
}

/** The node with most of a resource free, of those that take pods. */
export function largestFree(nodes: readonly Node[], resource: string): Largest | undefined {
  let best: Largest | undefined;
  for (const node of nodes) {
    if (!node.schedulable) continue;
    const value = free(node, resource);
    if (best === undefined || value > best.value) best = { node, value };
  }
  return best;
}

/**
 * The part of what is free in a resource that is in pieces smaller than `piece`: 0 when all of it can be used by
 * pods of that size, 1 when none of it can.
 */
export function fragmented(nodes: readonly Node[], resource: string, piece: number): number {
  let all = 0;
  let usable = 0;
  for (const node of nodes) {
    if (!node.schedulable) continue;
    const left = free(node, resource);
    all += left;
    if (piece > 0) usable += Math.floor(left / piece) * piece;
  }
  return all === 0 ? 0 : 1 - usable / all;
}

/** Sizes of pods worth asking about: powers of two of a core up to the largest node, with memory in proportion. */
export function shapesFor(nodes: readonly Node[]): Resources[] {
  let cores = 0;
  let memory = 0;
  let largest = 0;
  for (const node of nodes) {
    cores += node.capacity?.['vcore'] ?? 0;
    memory += node.capacity?.['memory'] ?? 0;
    largest = Math.max(largest, node.capacity?.['vcore'] ?? 0);
  }
  if (cores === 0) return [];
  // The usual ratio of the cluster, as a power of two Gi per core, and half of it: pods ask for less than all.
  const gi = 2 ** 30;
  const perCore = Math.max(1, 2 ** Math.floor(Math.log2(Math.max(1, memory / gi / (cores / 1000)) / 2 + 1e-9))) * gi;
  const shapes: Resources[] = [];
  for (let size = 1000; size <= largest && shapes.length < 10; size *= 2) shapes.push({ vcore: size, memory: (size / 1000) * perCore });
  return shapes;
}

export type NodeOrder = 'name' | 'used' | 'free';

export function orderNodes(nodes: readonly Node[], order: NodeOrder, resource?: string): Node[] {
  const byName = new Intl.Collator('en', { numeric: true });
  const sorted = [...nodes];
  if (order === 'name') return sorted.sort((a, b) => byName.compare(a.nodeID, b.nodeID));
  const sign = order === 'used' ? -1 : 1;
  return sorted.sort((a, b) => sign * (usedPart(a, resource) - usedPart(b, resource)) || byName.compare(a.nodeID, b.nodeID));
}
