// SPDX-License-Identifier: Apache-2.0
// Names in the sentences of the scheduler, so that they can be links.
import { placeOf } from './events';

export interface Part {
  text: string;
  /** What the text is the name of. */
  kind?: 'application' | 'queue' | 'node';
}

// As core/report/reason_text.c writes them: "bob's application etl-7 holds", "bob's etl-7, ann's train and others",
// "of 33 nodes that it may use, n1 comes nearest", "node n1, which has it,", "queue root.a has".
const names: readonly (readonly [RegExp, NonNullable<Part['kind']>])[] = [
  [/'s application ([^\s,;:()]+)/g, 'application'],
  [/(?:applications(?: in queue \S+)?: |, )[^\s,;:()]+'s ([^\s,;:()]+)/g, 'application'],
  [/that it may use, ([^\s,;:()]+)/g, 'node'],
  [/\bnode ([^\s,;:()]+)(?=,| only| to make)/g, 'node'],
  [/\bqueue '?(root(?:\.[\w:#/@-]*[\w#/@-])*)(?![.:]?[\w#/@-]|'? does not exist)/g, 'queue'],
];

/** The parts of a sentence in order. `nodes`: others that it may name. */
export function partsOf(sentence: string, nodes: readonly string[] = []): Part[] {
  const found: { from: number; to: number; kind: NonNullable<Part['kind']> }[] = [];
  for (const [pattern, kind] of names) {
    for (const match of sentence.matchAll(pattern)) {
      const to = match.index + match[0].length;
      found.push({ from: to - match[1]!.length, to, kind });
    }
  }
  for (const node of nodes) {
    const from = placeOf(sentence, node);
    if (from >= 0) found.push({ from, to: from + node.length, kind: 'node' });
  }
  const parts: Part[] = [];
  let end = 0;
  for (const { from, to, kind } of found.sort((a, b) => a.from - b.from)) {
    if (from < end) continue; // inside of another name
    if (from > end) parts.push({ text: sentence.slice(end, from) });
    parts.push({ text: sentence.slice(from, to), kind });
    end = to;
  }
  if (end < sentence.length) parts.push({ text: sentence.slice(end) });
  return parts;
}
