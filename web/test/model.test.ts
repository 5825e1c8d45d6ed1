// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { errorText } from '../src/data/api';
import { formatRoute, parseRoute } from '../src/data/route';
import { lineCutter } from '../src/data/stream';
import { asQueuesYaml, configuredPath, withMaximum, type Config } from '../src/model/config';
import { diffLines, withContext } from '../src/model/diff';
import { eventMessage, eventWhat, parseEvent, placeOf } from '../src/model/events';
import { histogramOf, parseMetrics, quantile } from '../src/model/metrics';
import { fitAll, fragmented, largestFree, leftOn, orderNodes, resourcesOf, shapesFor, takes, usedPart } from '../src/model/nodes';
import type { Node } from '../src/model/types';
import { gridFor } from '../src/ui/heatmap';

describe('routes', () => {
  it('are read back as they were written', () => {
    const hostile = '<script>alert(1)</script>/?#&=%';
    const text = formatRoute('applications', [hostile], { find: 'a b&c', none: '', also: undefined });
    expect(parseRoute(text)).toEqual({ page: 'applications', rest: [hostile], query: { find: 'a b&c' } });
  });

  it('take anything', () => {
    expect(parseRoute('')).toEqual({ page: 'overview', rest: [], query: {} });
    expect(parseRoute('#/nodes/%zz?x')).toEqual({ page: 'nodes', rest: ['%zz'], query: { x: '' } });
  });
});

describe('errors', () => {
  it.each([
    [404, '{"message": "Queue not found"}', 'Queue not found'],
    [404, '404 page not found\n', '404 page not found'],
    [502, '<html>bad gateway</html>', 'the server answered with status 502'],
    [500, '', 'the server answered with status 500'],
  ])('%s %s', (status, body, text) => expect(errorText(status, body)).toBe(text));
});

describe('streams', () => {
  it('are cut into lines', () => {
    const cutter = lineCutter(8);
    expect(cutter.push('{"a":')).toEqual([]);
    expect(cutter.push('1}\n\n{"b"')).toEqual(['{"a":1}']);
    expect(cutter.push('is longer than allowed')).toEqual([]);
    expect(cutter.push('\nnext\n')).toEqual(['next']);
  });

  it('have events and other lines', () => {
    expect(parseEvent('{"InstanceUUID":"x"}')).toBeUndefined();
    expect(parseEvent('nonsense')).toBeUndefined();
    expect(parseEvent('null')).toBeUndefined();
    const event = parseEvent('{"timestampNano":1,"type":2,"eventChangeType":2,"eventChangeDetail":200}')!;
    expect(eventWhat(event)).toBe('allocation added');
    expect(eventWhat({ eventChangeDetail: 501, eventChangeType: 3 })).toBe('preempted');
    expect(eventWhat({})).toBe('changed');
    expect(eventMessage({ message: "Unschedulable request '00000000-0000-4000-8000-0000000000dc': no node" })).toBe('Unschedulable request: no node');
    expect(eventMessage({})).toBeUndefined();
    expect(eventMessage({ message: "application 'a' waits: map[memory:1610612736 vcore:2500], the most is map[]" })).toBe("application 'a' waits: 2.5 cores, 1.5 Gi, the most is nothing");
  });
});

describe('differences', () => {
  const text = (before: string, after: string): string[] => diffLines(before, after).map((line) => `${line.kind[0]} ${line.text}`);
  it('are few', () => {
    expect(text('a\nb\nc\n', 'a\nx\nc\n')).toEqual(['s a', 'r b', 'a x', 's c']);
    expect(text('a\nb', 'a\nb')).toEqual(['s a', 's b']);
    expect(text('a\nb\nc\nd', 'b\nc\nd\ne')).toEqual(['r a', 's b', 's c', 's d', 'a e']);
  });

  it('give both texts back', () => {
    let seed = 7;
    const random = (n: number): number => ((seed = (seed * 1103515245 + 12345) % 2147483648), seed % n);
    for (let i = 0; i < 200; i++) {
      const a = Array.from({ length: 1 + random(12) }, () => 'abc'[random(3)]!);
      const b = Array.from({ length: 1 + random(12) }, () => 'abc'[random(3)]!);
      const lines = diffLines(a.join('\n'), b.join('\n'));
      expect(lines.filter((line) => line.kind !== 'added').map((line) => line.text)).toEqual(a);
      expect(lines.filter((line) => line.kind !== 'removed').map((line) => line.text)).toEqual(b);
    }
  });

  it('end, however different the texts are', () => {
    const many = (word: string): string => Array.from({ length: 5000 }, (_, i) => `${word}${i}`).join('\n');
    expect(diffLines(many('a'), many('b')).length).toBe(10_000);
  });

  it('are shown with some lines around', () => {
    const lines = diffLines(Array.from({ length: 20 }, (_, i) => `${i}`).join('\n'), Array.from({ length: 20 }, (_, i) => (i === 10 ? 'x' : `${i}`)).join('\n'));
    expect(withContext(lines, 1).map((line) => line?.text ?? '…')).toEqual(['…', '9', '10', 'x', '11', '…']);
  });
});

describe('the configuration', () => {
  const config: Config = {
    Partitions: [{ Name: 'default', Queues: [{ Name: 'root', SubmitACL: '*', Queues: [{ Name: 'Web', Resources: { Max: { vcore: '4', 'nvidia.com/GPU': '1' } } }] }] }],
    Checksum: 'x',
    Extra: { 'log.level': 'info' },
  };
  it('is found by path', () => {
    expect(configuredPath(config, 'default', 'root.web').map((q) => q.Name)).toEqual(['root', 'Web']);
    expect(configuredPath(config, 'default', 'root.web.dynamic').length).toBe(2);
    expect(configuredPath(undefined, 'default', 'root')).toEqual([]);
  });

  it('is changed in a copy, and written as queues.yaml', () => {
    const changed = withMaximum(config, 'default', 'root.web', 'vcore', '9')!;
    expect(config.Partitions![0]!.Queues![0]!.Queues![0]!.Resources!.Max!['vcore']).toBe('4');
    expect(JSON.parse(asQueuesYaml(changed))).toEqual({
      partitions: [{ name: 'default', queues: [{ name: 'root', submitacl: '*', queues: [{ name: 'Web', resources: { max: { vcore: '9', 'nvidia.com/GPU': '1' } } }] }] }],
    });
    expect(withMaximum(config, 'default', 'root.none', 'vcore', '9')).toBeUndefined();
  });
});

describe('metrics', () => {
  const text = `# TYPE yunikorn_wait_seconds histogram
yunikorn_wait_seconds_bucket{queue="a\\"b",le="0.1"} 5
yunikorn_wait_seconds_bucket{queue="a\\"b",le="1"} 9
yunikorn_wait_seconds_bucket{queue="a\\"b",le="+Inf"} 10
yunikorn_wait_seconds_sum{queue="a\\"b"} 12.5
yunikorn_wait_seconds_count{queue="a\\"b"} 10
other 1
`;
  it('have quantiles', () => {
    const samples = parseMetrics(text, 'yunikorn_');
    expect(samples[0]!.labels['queue']).toBe('a"b');
    const histogram = histogramOf(samples, 'yunikorn_wait_seconds')!;
    expect(histogram.count).toBe(10);
    expect(quantile(histogram, 0.5)).toBeCloseTo(0.1);
    expect(quantile(histogram, 0.9)).toBeCloseTo(1);
    expect(quantile(histogram, 0.99)).toBe(1);
    expect(histogramOf(samples, 'none')).toBeUndefined();
    expect(quantile({ count: 0, sum: 0, buckets: [[1, 0]] }, 0.5)).toBeNaN();
  });
});

function node(id: string, cores: number, used: number, more: Partial<Node> = {}): Node {
  return {
    nodeID: id, schedulable: true, isReserved: false, capacity: { vcore: cores * 1000, memory: cores * 4 * 2 ** 30, pods: 110 },
    allocated: { vcore: used * 1000, memory: used * 2 ** 30 }, available: { vcore: (cores - used) * 1000, memory: (cores * 4 - used) * 2 ** 30, pods: 100 }, ...more,
  };
}

describe('nodes', () => {
  const nodes = [node('n10', 16, 15), node('n2', 16, 4), node('n1', 16, 0, { schedulable: false })];
  it('are used in parts', () => {
    expect(usedPart(nodes[0]!)).toBeCloseTo(15 / 16);
    expect(usedPart(nodes[0]!, 'memory')).toBeCloseTo(15 / 64);
    expect(usedPart(node('empty', 0, 0))).toBe(0);
  });

  it('take pods of some sizes', () => {
    const left = leftOn(nodes);
    expect(left.cores).toEqual(Float64Array.of(1000, 12_000));
    expect(fitAll(left, { vcore: 5000 })).toMatchObject({ pods: 2, nodes: 1 });
    expect(fitAll(left, {})).toMatchObject({ pods: 0, nodes: 0 });
    for (const shape of shapesFor(nodes)) expect(nodes.filter((node) => takes(node, shape)).length).toBe(fitAll(left, shape).nodes);
    expect(fitAll(left, { vcore: 1000, memory: 2 ** 30 })).toMatchObject({ pods: 13, nodes: 2 });
    expect(largestFree(nodes, 'vcore')).toMatchObject({ value: 12_000 });
    expect(largestFree([], 'vcore')).toBeUndefined();
    expect(fragmented(left.cores, 4000)).toBeCloseTo(1 / 13);
    expect(fragmented(new Float64Array(), 4000)).toBe(0);
    expect(shapesFor(nodes).map((shape) => shape['vcore'])).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(shapesFor([])).toEqual([]);
  });

  it('come in orders that people expect', () => {
    expect(orderNodes(nodes, 'name').map((n) => n.nodeID)).toEqual(['n1', 'n2', 'n10']);
    expect(orderNodes(nodes, 'used').map((n) => n.nodeID)).toEqual(['n10', 'n2', 'n1']);
    expect(orderNodes(nodes, 'free', 'vcore').map((n) => n.nodeID)).toEqual(['n1', 'n2', 'n10']);
  });

  it('keep the order of their names when others come', () => {
    orderNodes(nodes, 'name');
    expect(orderNodes([node('n3', 1, 0), ...nodes.slice(1)], 'name').map((n) => n.nodeID)).toEqual(['n1', 'n2', 'n3']);
    expect(resourcesOf(nodes)).toEqual(['vcore', 'memory', 'pods']);
  });

  it('fit on the map, also 10,000 of them', () => {
    expect(gridFor(34, 1200, 420)).toEqual({ columns: 30, cell: 40, rows: 2 });
    const grid = gridFor(10_000, 1200, 420);
    expect(grid.columns * grid.rows).toBeGreaterThanOrEqual(10_000);
    expect(grid.cell).toBeGreaterThanOrEqual(6);
    expect(grid.rows * grid.cell).toBeLessThanOrEqual(420);
  });
});

describe('names in sentences', () => {
  it.each([
    ['node gpu-1 is reserved', 'gpu-1', 5],
    ['a left node large-5: it has ended', 'large-5', 12],
    ['it goes to n1.', 'n1', 11],
    ['n1', 'n1', 0],
    ['node gpu-10 is near gpu-1', 'gpu-1', 20],
    ['node n1.example is there', 'n1', -1],
    ['nothing', '', -1],
  ])("'%s' has '%s' at %d", (sentence, name, at) => expect(placeOf(sentence, name)).toBe(at));
});
