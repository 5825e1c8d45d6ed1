// SPDX-License-Identifier: Apache-2.0
// Lines over time, with uPlot.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { paint } from '../data/prefs';

export interface Line {
  label: string;
  /** A variable of the stylesheet: `--used`. */
  colour: string;
  dash?: number[];
  fill?: boolean;
  values: (number | null)[];
}

export function TimeChart(props: { label: string; times: number[]; lines: Line[]; format: (value: number) => string; height?: number; maximum?: number }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const latest = useRef(props);
  latest.current = props;
  const colours = paint.value;
  const names = props.lines.map((line) => line.label).join('|');
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false }, font: '11px system-ui, sans-serif' };
    const height = props.height ?? 180;
    plot.current = new uPlot(
      {
        width: box.current!.clientWidth,
        height,
        padding: [null, 26, null, null], // half of the last time
        cursor: { y: false, points: { size: 5 } },
        legend: { live: true },
        scales: { x: { time: true }, y: { range: (_u, _min, max) => [0, Math.max(latest.current.maximum ?? 0, max, 1e-9) * 1.05] } },
        axes: [
          { ...axis, size: 26, space: 70, values: (_u, ticks) => ticks.map((t) => new Date(t * 1000).toLocaleTimeString('en-GB')) },
          { ...axis, size: 56, space: 36, values: (_u, ticks) => ticks.map((t) => latest.current.format(t)) },
        ],
        series: [
          { label: 'Time', value: (_u, t) => (t === null ? '' : new Date(t * 1000).toLocaleTimeString('en-GB')) },
          ...latest.current.lines.map((line) => ({
            label: line.label,
            stroke: colour(line.colour),
            width: 1.5,
            ...(line.dash === undefined ? {} : { dash: line.dash }),
            ...(line.fill === true ? { fill: `${colour(line.colour)}22` } : {}),
            points: { show: false },
            value: (_u: uPlot, v: number | null) => (v === null ? '–' : latest.current.format(v)),
          })),
        ],
      },
      [latest.current.times, ...latest.current.lines.map((line) => line.values)] as uPlot.AlignedData,
      box.current!,
    );
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: Math.max(100, box.current?.clientWidth ?? 100), height }));
    observer.observe(box.current!);
    return () => {
      observer.disconnect();
      plot.current?.destroy();
    };
  }, [colours, names]);
  useEffect(() => {
    const u = plot.current;
    if (u === undefined) return;
    u.setData([props.times, ...props.lines.map((line) => line.values)] as uPlot.AlignedData);
    // Without a pointer on it, the legend has the latest values. The first drawing, which is a microtask, empties it.
    queueMicrotask(() => {
      if (plot.current === u && (u.cursor.left ?? -1) < 0) u.setLegend({ idx: props.times.length - 1 });
    });
  }, [props.times, props.lines, colours, names]);
  const summary = props.lines
    .map((line) => {
      const value = line.values[line.values.length - 1];
      return value === null || value === undefined ? '' : `${line.label} ${props.format(value)}`;
    })
    .filter((text) => text !== '')
    .join(', ');
  return <div class="chart" data-number="past" role="img" aria-label={`${props.label}. Now: ${summary}`} ref={box} />;
}
