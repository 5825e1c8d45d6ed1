// SPDX-License-Identifier: Apache-2.0
// A cell per node on a canvas: 10,000 nodes are drawn in some milliseconds. Arrow keys move a cursor over it.
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { paint } from '../data/prefs';
import { usedPart } from '../model/nodes';
import type { Node } from '../model/types';
import { amount, percent, resourceName } from '../model/units';

interface Grid {
  columns: number;
  cell: number;
  rows: number;
}

/** The largest cells, 40 px at most and 6 at least, with which all nodes fit into about the height. */
export function gridFor(count: number, width: number, height: number): Grid {
  let cell = 40;
  while (cell > 6 && Math.ceil(count / Math.max(1, Math.floor(width / cell))) * cell > height) cell--;
  const columns = Math.max(1, Math.floor(width / cell));
  return { columns, cell, rows: Math.ceil(count / columns) };
}

const steps = 10;

function colours(): { scale: string[]; cordoned: string; reserved: string; cursor: string; back: string } {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    scale: Array.from({ length: steps + 1 }, (_, i) => read(`--heat-${i}`)),
    cordoned: read('--text'),
    reserved: read('--heat-reserved'),
    cursor: read('--accent'),
    back: read('--panel'),
  };
}

const marks = { cordoned: 16, reserved: 32, chosen: 64 };

/** All that makes a cell look as it does: the step of its colour, and its marks. */
function lookOf(node: Node, resource: string | undefined, isChosen: boolean): number {
  const step = Math.round(Math.min(1, usedPart(node, resource)) * steps);
  return step + (node.schedulable ? 0 : marks.cordoned) + (node.isReserved ? marks.reserved : 0) + (isChosen ? marks.chosen : 0);
}

/** Gives the canvas the size of the grid, which empties it. */
function sized(canvas: HTMLCanvasElement, grid: Grid): CanvasRenderingContext2D {
  const ratio = devicePixelRatio || 1;
  const height = grid.rows * grid.cell;
  canvas.width = Math.round(grid.columns * grid.cell * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${grid.columns * grid.cell}px`;
  canvas.style.height = `${height}px`;
  const g = canvas.getContext('2d')!;
  g.scale(ratio, ratio);
  return g;
}

function drawCell(g: CanvasRenderingContext2D, ink: ReturnType<typeof colours>, grid: Grid, index: number, look: number): void {
  const x = (index % grid.columns) * grid.cell;
  const y = Math.floor(index / grid.columns) * grid.cell;
  const gap = grid.cell > 20 ? 3 : grid.cell > 10 ? 2 : 1;
  const size = grid.cell - gap;
  g.clearRect(x, y, grid.cell, grid.cell);
  g.fillStyle = ink.scale[look % 16]!;
  g.fillRect(x, y, size, size);
  if ((look & marks.cordoned) !== 0) {
    // two strokes across: no new pods
    g.strokeStyle = ink.cordoned;
    g.lineWidth = grid.cell > 10 ? 1.5 : 1;
    g.beginPath();
    g.moveTo(x + 1, y + size - 1);
    g.lineTo(x + size - 1, y + 1);
    if (grid.cell > 10) {
      g.moveTo(x + 1, y + size / 2);
      g.lineTo(x + size / 2, y + 1);
    }
    g.stroke();
  }
  if ((look & marks.reserved) !== 0) {
    g.fillStyle = ink.reserved;
    g.beginPath();
    g.arc(x + size / 2, y + size / 2, Math.max(1.5, size / 5), 0, 2 * Math.PI);
    g.fill();
  }
  if ((look & marks.chosen) !== 0 && grid.cell <= 10) {
    // Too small for lines of two colours.
    g.fillStyle = ink.back;
    g.fillRect(x, y, size, size);
    g.strokeStyle = ink.cordoned;
    g.lineWidth = 1;
    g.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
  } else if ((look & marks.chosen) !== 0) {
    g.strokeStyle = ink.cursor;
    g.lineWidth = 2;
    g.strokeRect(x + 1, y + 1, size - 2, size - 2);
    // A cell can be like the cursor in colour: a line of the background is between the two.
    g.strokeStyle = ink.back;
    g.strokeRect(x + 3, y + 3, size - 6, size - 6);
  }
}

export function nodeText(node: Node, resource: string | undefined): string {
  const parts = [`${percent(usedPart(node, resource))} of ${resource === undefined ? 'what is used most' : resourceName(resource)} in use`];
  for (const name of resource === undefined ? ['vcore', 'memory'] : [resource]) {
    if (node.capacity?.[name] !== undefined) parts.push(`${amount(name, Math.max(0, node.available?.[name] ?? 0))} of ${amount(name, node.capacity[name]!)} ${resourceName(name)} free`);
  }
  if (!node.schedulable) parts.push('cordoned');
  if (node.isReserved) parts.push('reserved');
  return `${node.nodeID}: ${parts.join(', ')}`;
}

export function HeatMap(props: { nodes: readonly Node[]; resource: string | undefined; onOpen: (node: Node) => void; selected: string | undefined }): JSX.Element {
  const { nodes, resource } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(800);
  const [cursor, setCursor] = useState(-1);
  const [tip, setTip] = useState<{ x: number; y: number; index: number }>();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(Math.max(120, box.current!.clientWidth)));
    observer.observe(box.current!);
    setWidth(Math.max(120, box.current!.clientWidth));
    return () => observer.disconnect();
  }, []);
  const grid = useMemo(() => gridFor(nodes.length, width, 420), [nodes.length, width]);
  const painted = paint.value;
  const drawn = useRef<{ key: unknown[]; looks: Int16Array }>({ key: [], looks: new Int16Array() });
  useEffect(() => {
    // A cell is drawn when it looks different from the last time; all are, when the size or the colours are others.
    const key = [grid, painted, devicePixelRatio, nodes.length];
    const isSame = key.every((value, i) => value === drawn.current.key[i]);
    const g = isSame ? canvas.current!.getContext('2d')! : sized(canvas.current!, grid);
    const ink = colours();
    const looks = Int16Array.from(nodes, (node, i) => lookOf(node, resource, i === cursor || node.nodeID === props.selected));
    for (let i = 0; i < looks.length; i++) {
      if (!isSame || looks[i] !== drawn.current.looks[i]) drawCell(g, ink, grid, i, looks[i]!);
    }
    drawn.current = { key, looks };
  }, [nodes, grid, resource, cursor, painted, props.selected]);

  const at = (event: MouseEvent): number => {
    const rect = canvas.current!.getBoundingClientRect();
    const column = Math.floor((event.clientX - rect.left) / grid.cell);
    const row = Math.floor((event.clientY - rect.top) / grid.cell);
    const index = row * grid.columns + column;
    return column >= 0 && column < grid.columns && index >= 0 && index < nodes.length ? index : -1;
  };
  const onKey = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns, Home: -nodes.length, End: nodes.length };
    const move = moves[event.key];
    if (move !== undefined) {
      setCursor(Math.max(0, Math.min(nodes.length - 1, Math.max(cursor, 0) + (cursor < 0 ? 0 : move))));
      event.preventDefault();
    } else if (event.key === 'Enter' && nodes[cursor] !== undefined) props.onOpen(nodes[cursor]!);
  };
  const pointed = tip === undefined ? undefined : nodes[tip.index];
  const current = nodes[cursor];
  return (
    <div class="heatmap" ref={box}>
      <div
        class="heatmap-keys"
        tabIndex={0}
        role="application"
        aria-roledescription="heat map"
        aria-label={`Nodes by use: ${nodes.length} cells. Arrow keys move, Enter opens a node. The table below has the same nodes.`}
        onKeyDown={onKey}
        onBlur={() => setCursor(-1)}
      >
        <canvas
          ref={canvas}
          onMouseMove={(event) => {
            const index = at(event);
            const rect = box.current!.getBoundingClientRect();
            setTip(index < 0 ? undefined : { x: event.clientX - rect.left, y: event.clientY - rect.top, index });
          }}
          onMouseLeave={() => setTip(undefined)}
          onClick={(event) => {
            const node = nodes[at(event)];
            if (node !== undefined) props.onOpen(node);
          }}
        />
      </div>
      {pointed !== undefined && tip !== undefined && (
        <div class="tip" style={{ left: `${Math.min(tip.x + 14, Math.max(0, width - 300))}px`, top: `${tip.y + 14}px` }}>
          <strong>{pointed.nodeID}</strong>
          <span>{nodeText(pointed, resource).slice(pointed.nodeID.length + 2)}</span>
        </div>
      )}
      <p class="sr-only" aria-live="polite">
        {current === undefined ? '' : nodeText(current, resource)}
      </p>
    </div>
  );
}
