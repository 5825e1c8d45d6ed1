// SPDX-License-Identifier: Apache-2.0
// A table that shows any number of rows: only those in view are in the document.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { route } from '../data/route';
import type { NumberKind } from './parts';

export interface Column<T> {
  key: string;
  title: string;
  /** A track of a CSS grid: `minmax(120px, 2fr)`, `90px`. */
  width: string;
  numeric?: boolean;
  /** Pixels: left out where the table is narrower, such as beside a drawer or on a phone. */
  from?: number;
  /** Why numbers of the column are no links. */
  number?: NumberKind;
  /** Makes the head a button. */
  sortable?: boolean;
  cell: (row: T, index: number) => ComponentChildren;
}

export interface Sorting {
  key: string;
  descending: boolean;
}

const overscan = 5;
/** Pixels, as in the style sheet: between columns, and beside a row with its scroll bar. */
const columnGap = 12;
const rowPadding = 32;

export interface TableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  count: number;
  /** undefined: not loaded yet. */
  row: (index: number) => T | undefined;
  rowKey: (row: T) => string;
  rowHeight?: number;
  /** Told which rows are in view. */
  onRange?: (from: number, to: number) => void;
  onOpen?: (row: T) => void;
  selected?: string | undefined;
  sorting?: Sorting | undefined;
  onSort?: (sorting: Sorting) => void;
  /** Grows with the rows up to this height; else it fills what is left of the window. */
  maxHeight?: number;
}

/**
 * The rows `from` to before `to`. One that was drawn before with the same data is the same element, and Preact does not look
 * into it again: while scrolling, only rows that come into view cost anything.
 */
function useRows<T>(props: TableProps<T>, columns: readonly Column<T>[], from: number, to: number, draw: (row: T | undefined, index: number, key: string) => JSX.Element): JSX.Element[] {
  const drawn = useRef(new Map<string, { row: T | undefined; index: number; element: JSX.Element }>());
  // Cells may lead to addresses that keep parts of this one.
  const depends = [props.columns, columns.length, props.selected, props.onOpen === undefined, props.rowHeight, route.value];
  const before = useRef<unknown[]>([]);
  const isSame = depends.every((value, i) => value === before.current[i]);
  before.current = depends;
  const next: typeof drawn.current = new Map();
  for (let index = from; index < to; index++) {
    const row = props.row(index);
    const key = row === undefined ? `?${index}` : props.rowKey(row);
    const old = isSame ? drawn.current.get(key) : undefined;
    next.set(key, old !== undefined && old.row === row && old.index === index ? old : { row, index, element: draw(row, index, key) });
  }
  drawn.current = next;
  return [...next.values()].map(({ element }) => element);
}

export function VirtualTable<T>(props: TableProps<T>): JSX.Element {
  const height = props.rowHeight ?? 34;
  const body = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ first: 0, last: Math.ceil(600 / height), width: Infinity, extra: overscan });
  const table = useRef<HTMLDivElement>(null);
  /** Draws again only when other rows or columns come into view. */
  const look = (): void => {
    const box = body.current!;
    const first = Math.floor(box.scrollTop / height);
    const last = Math.ceil((box.scrollTop + box.clientHeight) / height);
    const width = table.current!.clientWidth; // that of the rows depends on the columns
    setView((v) => {
      if (v.first === first && v.last === last && v.width === width) return v;
      // After a jump all rows are new: those out of view come with the next step.
      const isJump = first > v.last + overscan || last < v.first - overscan;
      return { first, last, width, extra: isJump ? 0 : overscan };
    });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(body.current!);
    observer.observe(table.current!);
    look();
    return () => observer.disconnect();
  }, [height]);
  const from = Math.max(0, view.first - view.extra);
  const to = Math.min(props.count, view.last + view.extra);
  const { onRange } = props;
  useEffect(() => onRange?.(from, to), [from, to, onRange]);
  const columns = props.columns.filter((column) => (column.from ?? 0) <= view.width);
  const tracks = columns.map((column) => column.width).join(' ');
  // What is narrower than its columns is scrolled sideways.
  const least = columns.reduce((sum, column) => sum + Number(/(\d+)px/.exec(column.width)?.[1] ?? 0) + columnGap, rowPadding - columnGap);
  const rows = useRows(props, columns, from, to, (row, i, key) => (
    <div
      key={key}
      role="row"
      aria-rowindex={i + 2}
      class={`tr ${row !== undefined && props.selected === key ? 'selected' : ''} ${props.onOpen === undefined ? '' : 'opens'}`}
      style={{ transform: `translateY(${i * height}px)`, height: `${height}px`, gridTemplateColumns: tracks }}
      onClick={(event) => {
        if (row !== undefined && !(event.target as Element).closest('a, button, input')) props.onOpen?.(row);
      }}
    >
      {columns.map((column) => (
        <div key={column.key} role="cell" class={`td ${column.numeric === true ? 'num' : ''}`} data-number={column.number}>
          {row === undefined ? <span class="loading-cell" /> : column.cell(row, i)}
        </div>
      ))}
    </div>
  ));
  const fit = props.maxHeight === undefined ? {} : { height: `${Math.min(props.maxHeight, Math.max(1, props.count) * height + 2)}px` };
  return (
    <div class={`table ${props.maxHeight === undefined ? 'fill' : ''}`} ref={table} role="table" aria-label={props.label} aria-rowcount={props.count + 1} style={{ '--least': `${least}px` }}>
      <div role="rowgroup" class="thead">
        <div role="row" aria-rowindex={1} class="tr" style={{ gridTemplateColumns: tracks }}>
          {columns.map((column) => (
            <Head key={column.key} column={column} sorting={props.sorting} onSort={props.onSort} />
          ))}
        </div>
      </div>
      <div
        class="tbody"
        role="rowgroup"
        ref={body}
        tabIndex={0}
        aria-label={`${props.label}: rows`}
        style={fit}
        onScroll={look}
      >
        <div class="tspace" style={{ height: `${props.count * height}px` }} role="presentation">
          {rows}
        </div>
      </div>
    </div>
  );
}

function Head<T>(props: { column: Column<T>; sorting: Sorting | undefined; onSort: ((sorting: Sorting) => void) | undefined }): JSX.Element {
  const { column, sorting, onSort } = props;
  const isSorted = sorting?.key === column.key;
  if (column.sortable !== true || onSort === undefined)
    return (
      <div role="columnheader" class={`th ${column.numeric === true ? 'num' : ''}`}>
        {column.title}
      </div>
    );
  return (
    <div role="columnheader" class={`th ${column.numeric === true ? 'num' : ''}`} aria-sort={isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onSort({ key: column.key, descending: isSorted ? !sorting.descending : column.numeric === true })}>
        {column.title}
        <span aria-hidden="true" class="sort-mark">
          {isSorted ? (sorting.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </div>
  );
}
