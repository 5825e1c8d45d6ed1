// SPDX-License-Identifier: Apache-2.0
// The configuration as JSON (docs/reference/rest.md 5.1): what it says about a queue, and the text of one with a change.

export interface QueueConfig {
  Name: string;
  Queues?: QueueConfig[];
  Resources?: { Guaranteed?: Record<string, string>; Max?: Record<string, string> };
  Limits?: LimitConfig[];
  SubmitACL?: string;
  AdminACL?: string;
  MaxApplications?: number;
  Properties?: Record<string, string>;
}

export interface LimitConfig {
  Limit?: string;
  Users?: string[];
  Groups?: string[];
  MaxResources?: Record<string, string>;
  MaxApplications?: number;
}

export interface Config {
  Partitions?: { Name: string; Queues?: QueueConfig[]; Limits?: LimitConfig[] }[];
  Checksum?: string;
  Extra?: Record<string, string>;
}

/** The configured queues on the way to a path, from the root; shorter than the path where queues are dynamic. */
export function configuredPath(config: Config | undefined, partition: string, path: string): QueueConfig[] {
  const names = path.toLowerCase().split('.');
  let level = config?.Partitions?.find((p) => p.Name === partition)?.Queues ?? [];
  const found: QueueConfig[] = [];
  for (const name of names) {
    const queue = level.find((q) => q.Name.toLowerCase() === name);
    if (queue === undefined) break;
    found.push(queue);
    level = queue.Queues ?? [];
  }
  return found;
}

// Below these keys, names are those of resources and properties and stay as they are.
const verbatim = new Set(['Guaranteed', 'Max', 'Properties', 'MaxResources', 'ResourceWeights']);

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function lower(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lower);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const converted = verbatim.has(key) ? inner : lower(inner);
    if (!isNothing(converted)) result[key.toLowerCase()] = converted;
  }
  return result;
}

/** The configuration as a text that is valid as queues.yaml: YAML takes JSON. */
export function asQueuesYaml(config: Config): string {
  return JSON.stringify({ partitions: lower(config.Partitions ?? []) }, null, 2);
}

/** A copy with another maximum of one resource in a queue; undefined: the queue is not configured. */
export function withMaximum(config: Config, partition: string, path: string, resource: string, maximum: string): Config | undefined {
  const copy = structuredClone(config);
  const queues = configuredPath(copy, partition, path);
  const queue = queues[queues.length - 1];
  if (queue === undefined || queues.length !== path.split('.').length) return undefined;
  queue.Resources = { ...queue.Resources, Max: { ...queue.Resources?.Max, [resource]: maximum } };
  return copy;
}
