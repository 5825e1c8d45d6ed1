// SPDX-License-Identifier: Apache-2.0
// What the page has seen since it was opened: one sample of the partition every few seconds.
import { signal } from '@preact/signals';
import { nowMs } from './clock';

export interface Sample {
  atS: number;
  used: Record<string, number>;
  capacity: Record<string, number>;
  pending: Record<string, number>;
  containers: number;
}

const samplesMax = 900;

export const history = signal<Sample[]>([]);
let of = '';

/** Forgets what belongs to another partition, and samples of a clock that went back. */
export function addSample(partition: string, sample: Omit<Sample, 'atS'>): void {
  const atS = nowMs() / 1000;
  const before = of === partition ? history.value : [];
  of = partition;
  const last = before[before.length - 1];
  if (last !== undefined && atS < last.atS) {
    history.value = [{ atS, ...sample }];
    return;
  }
  if (last !== undefined && atS - last.atS < 0.5) return;
  history.value = [...before.slice(-(samplesMax - 1)), { atS, ...sample }];
}

export function startHistory(): void {
  history.value = [];
}
