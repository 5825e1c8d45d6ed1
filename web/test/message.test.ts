// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { partsOf } from '../src/model/message';

/** The names in a sentence: `kind name`. */
const namesIn = (sentence: string, nodes?: string[]): string[] =>
  partsOf(sentence, nodes)
    .filter((part) => part.kind !== undefined)
    .map((part) => `${part.kind} ${part.text}`);

describe('names in sentences', () => {
  it.each([
    ["needs 2 cores; of 33 nodes that it may use, m-7 comes nearest and has 1 of 16 cores free; wanda's application rush holds 4 cores there", [], ['node m-7', 'application rush']],
    ["queue root.other runs 3 of at most 3 applications: otto's note-1, otto's note-2 and others", [], ['queue root.other', 'application note-1', 'application note-2']],
    ["group ops runs 1 of at most 1 applications in queue root.shared: oli's opera", [], ['queue root.shared', 'application opera']],
    ["user sue runs 2 of at most 2 applications in queue root.shared: sue's one, sue's two", [], ['queue root.shared', 'application one', 'application two']],
    ["application rejected: no placement rule matched, queue 'root.nowhere.at.all' does not exist", [], []],
    ['queue root.a.b does not exist, and queue root.a takes no applications.', [], ['queue root.a']],
    ['it waits in queue root.a.', [], ['queue root.a']],
    ["queue root.a has 4 of 40 cores free; queue root.a.b holds 12 cores more than its guarantee", [], ['queue root.a', 'queue root.a.b']],
    ["user bob in queue root.a has 1 of 4 cores free; bob's application app.v1 holds 3 cores", [], ['queue root.a', 'application app.v1']],
    ["the quota of queue 'root.research' has been exceeded", [], ['queue root.research']],
    ['needs 1 core, queue root.deep.a/b has 0 of 5 cores free; queue root.deep.c#d:e@f holds 12 cores', [], ['queue root.deep.a/b', 'queue root.deep.c#d:e@f']],
    ['in queue root.a: none', [], ['queue root.a']],
    ["; node n1, which has it, is reserved for bob's application etl-7, whose pod etl-7-0 comes first", [], ['node n1', 'application etl-7']],
    ["other pods are ending on node n1 to make room for it: etl-1 (bob's application etl) and others", [], ['node n1', 'application etl']],
    ['its own application holds 4 cores there, and no node may take it', ['n1'], []],
    ['needs 96 cores; the largest of 33 nodes that it may use, large-0, has 64 cores in all', [], ['node large-0']],
    ['found no node; a node that is large enough, and no node was found', [], []],
    ['etl-1 left node n1: it has ended', ['n10', 'n1'], ['node n1']],
    ['queue root starts one application at a time', [], ['queue root']],
    ['', ['n1'], []],
  ])('%s', (sentence, nodes, names) => {
    expect(namesIn(sentence, nodes)).toEqual(names);
    expect(partsOf(sentence, nodes).map((part) => part.text).join('')).toBe(sentence);
  });

  it('of which one is inside of another count once', () => {
    expect(namesIn("bob's application n1 holds 4 cores", ['n1'])).toEqual(['application n1']);
  });
});
