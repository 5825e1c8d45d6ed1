// SPDX-License-Identifier: Apache-2.0
// The Prometheus text format, as far as the page needs it: histograms.

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export function parseMetrics(text: string, prefix: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith(prefix)) continue;
    const match = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (match === null) continue;
    const labels: Record<string, string> = {};
    for (const label of (match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[label[1]!] = label[2]!.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c));
    samples.push({ name: match[1]!, labels, value: match[3] === '+Inf' ? Infinity : Number(match[3]) });
  }
  return samples;
}

export interface Histogram {
  count: number;
  sum: number;
  buckets: [bound: number, cumulative: number][];
}

/** All series of a histogram together; undefined: there is none. */
export function histogramOf(samples: readonly Sample[], name: string): Histogram | undefined {
  const buckets = new Map<number, number>();
  let count = 0;
  let sum = 0;
  for (const sample of samples) {
    if (sample.name === `${name}_bucket`) {
      const bound = sample.labels['le'] === '+Inf' ? Infinity : Number(sample.labels['le']);
      buckets.set(bound, (buckets.get(bound) ?? 0) + sample.value);
    } else if (sample.name === `${name}_count`) count += sample.value;
    else if (sample.name === `${name}_sum`) sum += sample.value;
  }
  if (buckets.size === 0) return undefined;
  return { count, sum, buckets: [...buckets].sort(([a], [b]) => a - b) };
}

/** As Prometheus' histogram_quantile(): linear within a bucket. NaN: nothing was observed. */
export function quantile(histogram: Histogram, q: number): number {
  const total = histogram.buckets[histogram.buckets.length - 1]?.[1] ?? 0;
  if (total === 0) return NaN;
  const rank = q * total;
  let lower = 0;
  let below = 0;
  for (const [bound, cumulative] of histogram.buckets) {
    if (cumulative >= rank) {
      if (!Number.isFinite(bound)) return lower;
      const inside = cumulative - below;
      return inside === 0 ? bound : lower + ((bound - lower) * (rank - below)) / inside;
    }
    lower = bound;
    below = cumulative;
  }
  return lower;
}
