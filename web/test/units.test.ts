// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { addResources, amount, amountWithName, bytes, clockTime, compareResources, digits, duration, goDuration, percent, placeholderPart, plainText, plural, queueTitle, resourceNameOf, resources, searchWords, words } from '../src/model/units';

describe('amounts', () => {
  it.each([
    [0, '0'],
    [0.001, '0.001'],
    [0.25, '0.25'],
    [1.234, '1.23'],
    [12.51, '12.5'],
    [123.6, '124'],
    [1340, '1,340'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
    [NaN, '–'],
    [Infinity, '–'],
  ])('%s as %s', (value, text) => expect(digits(value)).toBe(text));

  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 Ki'],
    [1.5 * 2 ** 30, '1.5 Gi'],
    [1573072896, '1.47 Gi'],
    [2 ** 30 - 1, '1 Gi'],
    [999999999999999, '909 Ti'],
    [2 ** 63, '8 Ei'],
    [-(2 ** 30), '-1 Gi'],
  ])('%s bytes as %s', (value, text) => expect(bytes(value)).toBe(text));

  it('cores come in thousandths', () => {
    expect(amount('vcore', 500)).toBe('0.5');
    expect(amountWithName('vcore', 1000)).toBe('1 core');
    expect(amountWithName('vcore', 2500)).toBe('2.5 cores');
    expect(amountWithName('vcore', 1)).toBe('0.001 cores');
    expect(amountWithName('pods', 1)).toBe('1 pod');
    expect(resourceNameOf('pods', 1)).toBe('pod');
    expect(resourceNameOf('pods', 1000)).toBe('pods');
    expect(resourceNameOf('vcore', 1)).toBe('cores');
    expect(amountWithName('nvidia.com/gpu', 4)).toBe('4 GPU');
    expect(amount('ephemeral-storage', 2 ** 40)).toBe('1 Ti');
  });

  it('adds what placeholders hold', () => {
    const used = { vcore: 1000, memory: 2 ** 30 };
    const placeholders = { vcore: 3000, 'nvidia.com/gpu': 1 };
    expect(addResources(used, placeholders)).toEqual({ vcore: 4000, memory: 2 ** 30, 'nvidia.com/gpu': 1 });
    expect(addResources(undefined, undefined)).toEqual({});
    expect(placeholderPart(used, undefined)).toBe('');
    expect(placeholderPart(undefined, placeholders)).toBe(', all through placeholders');
    expect(placeholderPart(used, placeholders)).toBe('; through placeholders: 3 cores, 1 GPU');
  });

  it('lists cores first, pods only where nothing else is', () => {
    expect(resources({ pods: 3, memory: 2 ** 30, vcore: 2000 })).toBe('2 cores, 1 Gi');
    expect(resources({ pods: 3 })).toBe('3 pods');
    expect(resources({ vcore: 0 })).toBe('');
    expect(resources(undefined)).toBe('');
    expect(['pods', 'b', 'memory', 'nvidia.com/gpu', 'vcore', 'a'].sort(compareResources)).toEqual(['vcore', 'memory', 'nvidia.com/gpu', 'a', 'b', 'pods']);
  });

  it('parts of a whole', () => {
    expect(percent(0)).toBe('0 %');
    expect(percent(0.004)).toBe('< 1 %');
    expect(percent(1.2)).toBe('120 %');
    expect(percent(0 / 0)).toBe('–');
  });
});

describe('times', () => {
  it.each([
    [0, '0 s'],
    [20, '20 ms'],
    [999.9, '999 ms'],
    [1999, '1 s'],
    // As yk_age_put() of kubectl yunikorn has them.
    [119_999, '119 s'],
    [120_000, '2 min'],
    [200_900, '3 min 20 s'],
    [180_000, '3 min'],
    [599_000, '9 min 59 s'],
    [659_000, '10 min'],
    [7_500_000, '125 min'],
    [3 * 3_600_000, '3 h'],
    [5.2 * 3_600_000, '5 h 12 min'],
    [8.9 * 3_600_000, '8 h'],
    [47.9 * 3_600_000, '47 h'],
    [99 * 3_600_000, '4 d 3 h'],
    [8.5 * 86_400_000, '8 d'],
    [-5, '0 s'],
    [NaN, '–'],
  ])('%s ms as %s', (value, text) => expect(duration(value)).toBe(text));

  it.each([
    ['1m30s', 90_000],
    ['1.5ms', 1.5],
    ['0s', 0],
    ['', NaN],
    ['3 days', NaN],
  ])('Go writes %s', (text, value) => expect(goDuration(text)).toEqual(value));

  it('a time of another day has its day', () => {
    const now = new Date(2026, 0, 2, 12).getTime();
    expect(clockTime(now - 1000, now)).toBe('11:59:59');
    expect(clockTime(now - 86_400_000, now)).toBe('2026-01-01 12:00:00');
    expect(clockTime(NaN, now)).toBe('–');
  });
});

describe('texts of the scheduler', () => {
  it.each([
    ['usage map[memory:1073741824 pods:2 vcore:500] of map[]', 'usage 0.5 cores, 1 Gi, 2 pods of nothing'],
    ['map[nvidia.com/gpu:4 x:y:1]', '4 GPU, 1 x:y'],
    ['map[vcore:-250]', '-0.25 cores'],
    ['map[vcore]', 'map[vcore]'],
    ['map[vcore:', 'map[vcore:'],
    ["moved to queue 'root.@recovery@'", 'moved to the recovery queue'],
    ['queue root.@recovery@, root.@recovery@2 and root.a.root.@recovery@', 'the recovery queue, root.@recovery@2 and root.a.root.@recovery@'],
  ])('%s', (text, plain) => expect(plainText(text)).toBe(plain));

  it('name the recovery queue', () => {
    expect(queueTitle('root.@recovery@')).toBe('the recovery queue');
    expect(queueTitle('root.a')).toBe('root.a');
  });
});

it('tokens become words', () => {
  expect(words('InsufficientNodeResources')).toBe('insufficient node resources');
  expect(plural(1, 'pod')).toBe('1 pod');
  expect(plural(1200, 'pod')).toBe('1,200 pods');
});

describe('words of a search', () => {
  it.each([
    ['', []],
    ['  etl  user:ann ', ['etl', 'user:ann']],
    ['user:"Ann Lee" etl', ['user:Ann Lee', 'etl']],
    ['"Ann Lee', ['Ann Lee']],
    ['""', []],
  ])('%s', (text, words) => expect(searchWords(text)).toEqual(words));
});
