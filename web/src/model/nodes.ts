// SPDX-License-Identifier: Apache-2.0
// What the nodes have left, and in pieces of which size.
import type { Node } from './types';
import type { Resources } from './units';

/** The part of a node that is in use, 0 to 1: of one resource, or of the one that is used most. */
export function usedPart(node: Node, resource?: string): number {
  const capacity = node.capacity;
  if (capacity === undefined) return 0;
  if (resource !== undefined) return partOf(node, resource, capacity[resource]);
  let most = 0;
  for (const name in capacity) {
    if (name !== 'pods') most = Math.max(most, partOf(node, name, capacity[name]));
  }
  return most;
}

function partOf(node: Node, resource: string, whole: number | undefined): number {
  if (whole === undefined || whole <= 0) return 0;
  return Math.max(0, ((node.allocated?.[resource] ?? 0) + (node.occupied?.[resource] ?? 0)) / whole);
}

export function free(node: Node, resource: string): number {
  return Math.max(0, node.available?.[resource] ?? 0);
}

export interface Fit {
  shape: Resources;
  pods: number; // over all nodes
  nodes: number; // that take at least one
}

/** What nodes that take pods have left, a number per node: of 10,000 nodes it is asked for many sizes. */
export interface Left {
  cores: Float64Array;
  memory: Float64Array;
}

export function leftOn(nodes: readonly Node[]): Left {
  const open = nodes.filter((node) => node.schedulable);
  return { cores: Float64Array.from(open, (node) => free(node, 'vcore')), memory: Float64Array.from(open, (node) => free(node, 'memory')) };
}

/** How many pods of that shape fit now; what of the shape is not cores or memory does not count. */
export function fitAll(left: Left, shape: Resources): Fit {
  const cores = shape['vcore'] ?? 0;
  const memory = shape['memory'] ?? 0;
  let pods = 0;
  let takers = 0;
  for (let i = 0; i < left.cores.length && (cores > 0 || memory > 0); i++) {
    const fit = Math.min(cores > 0 ? Math.floor(left.cores[i]! / cores) : Infinity, memory > 0 ? Math.floor(left.memory[i]! / memory) : Infinity);
    pods += fit;
    if (fit > 0) takers++;
  }
  return { shape, pods, nodes: takers };
}

/** Whether a pod of that shape fits on the node now, as fitAll() counts. */
export function takes(node: Node, shape: Resources): boolean {
  return node.schedulable && free(node, 'vcore') >= (shape['vcore'] ?? 0) && free(node, 'memory') >= (shape['memory'] ?? 0);
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
 * The part of what is free, a number per node, that is in pieces smaller than `piece`: 0 when all of it can be used by
 * pods of that size, 1 when none of it can.
 */
export function fragmented(pieces: Float64Array, piece: number): number {
  let all = 0;
  let usable = 0;
  for (const left of pieces) {
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

const byName = new Intl.Collator('en', { numeric: true });
/** The last order by name: comparing names takes longest, and they seldom change. */
let names: { listed: string[]; order: Uint32Array } = { listed: [], order: new Uint32Array() };

function orderByName(nodes: readonly Node[]): Node[] {
  if (nodes.length !== names.listed.length || nodes.some((node, i) => node.nodeID !== names.listed[i])) {
    const listed = nodes.map((node) => node.nodeID);
    names = { listed, order: Uint32Array.from(listed.keys()).sort((a, b) => byName.compare(listed[a]!, listed[b]!)) };
  }
  return Array.from(names.order, (i) => nodes[i]!);
}

export function orderNodes(nodes: readonly Node[], order: NodeOrder, resource?: string): Node[] {
  const sorted = orderByName(nodes);
  if (order === 'name') return sorted;
  const sign = order === 'used' ? -1 : 1;
  const used = Float64Array.from(sorted, (node) => sign * usedPart(node, resource));
  // Equally used ones stay in the order of their names.
  return Array.from(Uint32Array.from(used.keys()).sort((a, b) => used[a]! - used[b]! || a - b), (i) => sorted[i]!);
}

/** The resources that any node has. */
export function resourcesOf(nodes: readonly Node[]): string[] {
  const found = new Set<string>();
  for (const node of nodes) for (const name in node.capacity) found.add(name);
  return [...found];
}
