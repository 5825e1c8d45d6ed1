// SPDX-License-Identifier: Apache-2.0
// A table that shows any number of rows: only those in view are in the document.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Column<T> {
  key: string;
  title: string;
  /** A track of a CSS grid: `minmax(120px, 2fr)`, `90px`. */
  width: string;
  numeric?: boolean;
  /** Left out on narrow screens. */
  optional?: boolean;
  /** Makes the head a button. */
  sortable?: boolean;
  cell: (row: T, index: number) => ComponentChildren;
}

export interface Sorting {
  key: string;
  descending: boolean;
}

const overscan = 8;

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

export function VirtualTable<T>(props: TableProps<T>): JSX.Element {
  const height = props.rowHeight ?? 34;
  const body = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600, narrow: false });
  useLayoutEffect(() => {
    const box = body.current!;
    const measure = (): void => setView((v) => ({ ...v, height: box.clientHeight, narrow: box.clientWidth < 720 }));
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, []);
  const from = Math.max(0, Math.floor(view.top / height) - overscan);
  const to = Math.min(props.count, Math.ceil((view.top + view.height) / height) + overscan);
  const { onRange } = props;
  useEffect(() => onRange?.(from, to), [from, to, onRange]);
  const columns = view.narrow ? props.columns.filter((column) => column.optional !== true) : props.columns;
  const tracks = columns.map((column) => column.width).join(' ');
  const rows: JSX.Element[] = [];
  for (let i = from; i < to; i++) {
    const row = props.row(i);
    const key = row === undefined ? `?${i}` : props.rowKey(row);
    rows.push(
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
          <div key={column.key} role="cell" class={`td ${column.numeric === true ? 'num' : ''}`}>
            {row === undefined ? <span class="loading-cell" /> : column.cell(row, i)}
          </div>
        ))}
      </div>,
    );
  }
  const fit = props.maxHeight === undefined ? {} : { height: `${Math.min(props.maxHeight, Math.max(1, props.count) * height + 2)}px` };
  return (
    <div class={`table ${props.maxHeight === undefined ? 'fill' : ''}`} role="table" aria-label={props.label} aria-rowcount={props.count + 1}>
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
        onScroll={(event) => {
          const top = event.currentTarget.scrollTop;
          setView((v) => ({ ...v, top }));
        }}
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
