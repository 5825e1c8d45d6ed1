// SPDX-License-Identifier: Apache-2.0
// Answers of POST /ws/v1/whatif: docs/whatif.md.
import { count, duration, plural, resources, type Resources } from './units';

export interface OtherPod {
  podName: string;
  namespace: string;
  applicationID: string;
  queueName: string;
  nodeID: string;
  afterMillis: number;
}

export interface TriedPod {
  name: string;
  namespace: string;
  verdict: string;
  nodeID: string;
  afterMillis: number;
  reason: string;
  victims: OtherPod[];
  message: string;
}

export interface QueueChange {
  queueName: string;
  maxBefore: Resources | null;
  max: Resources | null;
  guaranteedBefore: Resources | null;
  guaranteed: Resources | null;
  maxApplicationsBefore: number;
  maxApplications: number;
}

/** Lists that are cut have a count of what was left out: `startedOmitted`. */
export interface Impact {
  started?: OtherPod[];
  preempted?: OtherPod[];
  ended?: OtherPod[];
  /** On a node that would be smaller. They run on. */
  notFitting?: OtherPod[];
  queuesAdded?: string[];
  queuesRemoved?: string[];
  queuesChanged?: QueueChange[];
  draining?: { queueName: string; applications: number }[];
  above?: { kind: string; name: string; queueName: string; max: Resources; used: Resources }[];
  placements?: { applicationID: string; queueName: string; newQueueName: string; message: string }[];
}

export interface WhatIf {
  kind: string;
  verdict: string;
  message: string;
  pods?: TriedPod[];
  placeholders?: TriedPod[];
  impact?: Impact;
  horizonMillis?: number;
  cutShort?: boolean;
}

export function omitted(impact: Impact, list: keyof Impact): number {
  const value = (impact as Record<string, unknown>)[`${list}Omitted`];
  return typeof value === 'number' ? value : 0;
}

/** When a pod starts, from now. */
export function startTime(afterMillis: number): string {
  return afterMillis > 0 ? `after ${duration(afterMillis)}` : 'now';
}

function amounts(value: Resources | null): string {
  return value === null ? 'none' : resources(value, true) || 'nothing';
}

function number(value: number): string {
  return value === 0 ? 'none' : count(value);
}

/** What differs of a queue: name, before, after. */
export function changesOf(queue: QueueChange): [string, string, string][] {
  const rows: [string, string, string][] = [
    ['Maximum', amounts(queue.maxBefore), amounts(queue.max)],
    ['Guaranteed', amounts(queue.guaranteedBefore), amounts(queue.guaranteed)],
    ['Applications', number(queue.maxApplicationsBefore), number(queue.maxApplications)],
  ];
  return rows.filter(([, before, after]) => before !== after);
}

/** Why a pod was preempted, without the names of the two pods, which are shown beside it. */
export function whyPreempted(message: string): string {
  const at = message.indexOf(' ends because ');
  return at < 0 ? message : message.slice(at + ' ends because '.length).replace(/, for \S+ \(application [^)]*\)$/, '');
}

export function others(n: number): string {
  return `and ${plural(n, 'other')}`;
}
