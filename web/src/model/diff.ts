// SPDX-License-Identifier: Apache-2.0
// Lines that differ between two texts (Myers' algorithm), bounded: texts that differ very much are shown as replaced.

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  before?: number; // line numbers from 1
  after?: number;
}

const editsMax = 400;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.replace(/\n$/, '').split('\n');
  const b = after.replace(/\n$/, '').split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const lines: DiffLine[] = [];
  for (let i = 0; i < start; i++) lines.push({ kind: 'same', text: a[i]!, before: i + 1, after: i + 1 });
  lines.push(...middle(a.slice(start, endA), b.slice(start, endB), start));
  for (let i = endA; i < a.length; i++) lines.push({ kind: 'same', text: a[i]!, before: i + 1, after: i - endA + endB + 1 });
  return lines;
}

function middle(a: string[], b: string[], offset: number): DiffLine[] {
  const trace = shortestEdit(a, b);
  const lines: DiffLine[] = [];
  if (trace === undefined) {
    a.forEach((text, i) => lines.push({ kind: 'removed', text, before: offset + i + 1 }));
    b.forEach((text, i) => lines.push({ kind: 'added', text, after: offset + i + 1 }));
    return lines;
  }
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const v = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1));
    const previousK = down ? k + 1 : k - 1;
    const previousX = d === 0 ? 0 : (v.get(previousK) ?? 0);
    const previousY = d === 0 ? 0 : previousX - previousK;
    while (x > previousX && y > previousY) {
      x--;
      y--;
      lines.push({ kind: 'same', text: a[x]!, before: offset + x + 1, after: offset + y + 1 });
    }
    if (d === 0) break;
    if (down) {
      y--;
      lines.push({ kind: 'added', text: b[y]!, after: offset + y + 1 });
    } else {
      x--;
      lines.push({ kind: 'removed', text: a[x]!, before: offset + x + 1 });
    }
  }
  return lines.reverse();
}

function shortestEdit(a: string[], b: string[]): Map<number, number>[] | undefined {
  const v = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= a.length + b.length; d++) {
    if (d > editsMax) return undefined;
    trace.push(new Map(v));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && (v.get(k - 1) ?? -1) < (v.get(k + 1) ?? -1)) ? (v.get(k + 1) ?? 0) : (v.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      v.set(k, x);
      if (x >= a.length && y >= b.length) return trace;
    }
  }
  return trace;
}

/** Only what changed, with some lines around it; null stands for lines that are left out. */
export function withContext(lines: readonly DiffLine[], around = 3): (DiffLine | null)[] {
  const shown: (DiffLine | null)[] = [];
  let last = -1;
  lines.forEach((line, i) => {
    const near = lines.slice(Math.max(0, i - around), i + around + 1).some((other) => other.kind !== 'same');
    if (!near) return;
    if (i !== last + 1) shown.push(null);
    shown.push(line);
    last = i;
  });
  if (shown.length > 0 && last !== lines.length - 1) shown.push(null);
  return shown;
}
