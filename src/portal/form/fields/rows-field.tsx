import { type KeyboardEvent, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FormRow } from '#kernel/command.ts'
import type { ControlProps } from '#portal/form/control.ts'
import { isEmpty, type Item, RowLine } from '#portal/form/fields/row-line.tsx'
import { RowsSum } from '#portal/form/fields/rows-sum.tsx'

/** More lines than this can be searched. */
const mostAtAGlance = 12
/** Lines that are drawn at once; the others follow when there is time. */
const drawnFirst = 30

/** Moves between lines within a column, and from the search to the first of them. */
function upAndDown(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const on = event.target as HTMLElement
  if (on instanceof HTMLSelectElement && !event.altKey) return
  const { column } = on.dataset
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>(column ? `[data-column="${column}"]` : '[data-column]')]
  const search = event.currentTarget.querySelector<HTMLElement>('[type=search]')
  const next = cells[cells.indexOf(on) + (event.key === 'ArrowDown' ? 1 : -1)] ?? (event.key === 'ArrowUp' ? search : null)
  if (!next || next === on) return
  event.preventDefault()
  next.focus()
}

/** What was filled in and is not offered any more has to be seen, or it would be sent unseen. */
function useGone(rows: readonly FormRow[] | null | undefined, items: readonly Item[], key: string): readonly FormRow[] {
  const seen = useRef(new Map<unknown, FormRow>())
  for (const row of rows ?? []) seen.current.set(row.id, row)
  const offered = useMemo(() => new Set<unknown>(rows?.map((row) => row.id)), [rows])
  return useMemo(
    () =>
      items
        .filter((item) => rows && !offered.has(item[key]))
        .map((item) => ({
          id: item[key] as string | number,
          title: seen.current.get(item[key])?.title ?? String(item[key]),
          detail: 'No longer available. Clear this line.',
        })),
    [items, rows, offered, key],
  )
}

const none: readonly Item[] = []

/** Lines to fill in; those that are left empty are not part of the value. */
export function RowsField(props: ControlProps) {
  const { id, field, value, onChange, onBlur, rows, messages = [], focusRef, describedBy, whole } = props
  const key = field.key ?? 'id'
  const items = Array.isArray(value) ? (value as Item[]) : none
  const gone = useGone(rows, items, key)
  const lines = useMemo(() => [...gone, ...(rows ?? [])], [gone, rows])
  const [typed, setTyped] = useState('')
  const [all, setAll] = useState(false)
  const table = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (rows) startTransition(() => setAll(true))
  }, [rows])
  useEffect(() => {
    const wrong = () => table.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    focusRef({
      focus: () => {
        // A wrong line that the search hides, or that is not drawn yet, is shown first.
        if (!wrong())
          flushSync(() => {
            setTyped('')
            setAll(true)
          })
        const to = wrong() ?? table.current?.querySelector<HTMLElement>('[data-column]')
        to?.focus()
        to?.scrollIntoView?.({ block: 'nearest' })
      },
    })
  }, [focusRef])

  const latest = useRef({ items, lines, onChange })
  latest.current = { items, lines, onChange }
  const set = useCallback(
    (row: FormRow, name: string, now: unknown) => {
      const { items: known, lines: order, onChange: change } = latest.current
      const item: Item = { ...(known.find((each) => each[key] === row.id) ?? { [key]: row.id }), [name]: now }
      const filled = field.columns.some((column) => !isEmpty(item[column.name]))
      const others = new Map(known.filter((each) => each[key] !== row.id).map((each) => [each[key], each]))
      if (filled) others.set(row.id, item)
      change(order.flatMap(({ id: at }) => others.get(at) ?? []))
    },
    [field, key],
  )

  if (!rows) return <div className="h-24 animate-pulse rounded-lg bg-sunken" role="status" aria-label="Loading the rows" />
  if (lines.length === 0) return <p className="text-muted">There is nothing to choose from.</p>
  const words = typed.trim().toLowerCase()
  const found = words ? lines.filter((row) => `${row.title} ${row.detail ?? ''}`.toLowerCase().includes(words)) : lines
  const only = field.inFull ? field.columns.find((column) => column.kind === 'money') : undefined
  const fill = (shown: readonly FormRow[]) => {
    const known = new Map(items.map((item) => [item[key], item]))
    for (const row of shown)
      if (only && row.most !== undefined && !known.has(row.id)) known.set(row.id, { [key]: row.id, [only.name]: row.most })
    onChange(lines.flatMap(({ id: at }) => known.get(at) ?? []))
  }
  const places = new Map(items.map((item, at) => [item[key], at]))
  const grid = {
    gridTemplateColumns: `minmax(0,1.4fr) ${field.columns.map((column) => widths[column.kind] ?? 'minmax(0,1fr)').join(' ')}`,
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are those of the inputs inside
    <div ref={table} onKeyDown={upAndDown} onBlur={onBlur} className="overflow-hidden rounded-lg border border-line">
      {lines.length > mostAtAGlance && (
        <div className="flex items-center gap-2 border-b border-line bg-canvas px-2 py-1.5">
          <input
            type="search"
            className="field h-[30px]!"
            aria-label={`Search in ${field.title.toLowerCase()}`}
            placeholder={`Search in ${lines.length.toLocaleString('en-US')} lines`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || typed === '') return
              event.preventDefault()
              event.stopPropagation()
              setTyped('')
            }}
          />
          <span role="status" className="shrink-0 text-small text-muted tabular-nums empty:hidden">
            {words ? `${found.length.toLocaleString('en-US')} of ${lines.length.toLocaleString('en-US')}` : ''}
          </span>
          {only && (
            <button type="button" className="btn h-[30px]! shrink-0 whitespace-nowrap" onClick={() => fill(found)}>
              All in full
            </button>
          )}
        </div>
      )}
      <div className="max-h-64 overflow-auto [scrollbar-gutter:stable]">
        <div
          aria-hidden="true"
          style={grid}
          className="sticky top-0 z-10 grid gap-2 border-b border-line bg-surface px-2.5 py-1.5 text-small font-medium text-muted"
        >
          <span>Which</span>
          {field.columns.map((column) => (
            <span key={column.name} className={column.kind === 'money' ? 'text-right' : ''}>
              {column.title}
            </span>
          ))}
        </div>
        <ul aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
          {(all ? found : found.slice(0, drawnFirst)).map((row) => {
            const at = places.get(row.id)
            return (
              <RowLine
                key={row.id}
                columns={field.columns}
                row={row}
                grid={grid.gridTemplateColumns}
                item={at === undefined ? undefined : items[at]}
                messages={at === undefined ? undefined : messages[at]}
                set={set}
              />
            )
          })}
        </ul>
        {found.length === 0 && <p className="px-2.5 py-3 text-muted">No line has “{typed.trim()}”.</p>}
      </div>
      <RowsSum columns={field.columns} items={items} whole={whole} />
    </div>
  )
}

const widths: Readonly<Record<string, string>> = { money: '124px', choice: '168px' }
