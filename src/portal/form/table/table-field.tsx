import { type ClipboardEvent, type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Field } from '#kernel/form.ts'
import type { ControlProps } from '#portal/form/fields/control.ts'
import { goTo } from '#portal/form/fields/go-to.ts'
import { added, changed, emptyItem, type Item, moved, pasted, pastedCells, placeIn, removed } from '#portal/form/table/rows.ts'
import { type RowTyping, TableRow } from '#portal/form/table/table-row.tsx'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import '#portal/form/table/table.css'

const widths: Partial<Record<Field['kind'], string>> = { switch: '52px', integer: '72px', choice: 'minmax(140px,1fr)' }
const none: readonly Item[] = []
/** Maximum number of rows pasted at once. */
const maxPasted = 1_000

/**
 * Rows to add, remove, move and paste. Keys: Up and Down move between rows, Enter to the next one, which is added after the last;
 * Mod+Shift+Up and Down move a row, Alt+Enter adds one below, Alt+Delete removes it.
 */
export function TableField(props: ControlProps) {
  const { id, field, value, onChange, onBlur, messages = [], focusRef, describedBy, invalid } = props
  const { columns, one = 'row' } = field
  const items = Array.isArray(value) ? (value as readonly Item[]) : none
  const body = useRef<HTMLTableElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const latest = useRef({ ...props, items })
  latest.current = { ...props, items }

  const cellAt = (at: number, column: string) =>
    body.current?.querySelector<HTMLElement>(`[data-row="${at}"] [data-column="${column}"]`)
  /** Focuses a cell after the rows have rendered: the next key may follow at once, and belongs to it. */
  const toCell = (at: number, column: string, does?: () => void) => {
    if (does) flushSync(does)
    const cell = cellAt(at, column) ?? addButton.current
    goTo(cell)
  }

  useEffect(() => {
    focusRef({
      focus: () => {
        const to =
          body.current?.querySelector<HTMLElement>('[aria-invalid=true]') ??
          body.current?.querySelector<HTMLElement>('[data-column]')
        const cell = to ?? addButton.current
        cell?.focus()
        cell?.scrollIntoView?.({ block: 'nearest' })
      },
    })
  }, [focusRef])

  const typing = useMemo((): RowTyping => {
    const put = (next: readonly Item[]) => latest.current.onChange(next)
    return {
      columns,
      set: (at, column, now) => {
        put(changed(latest.current.items, at, { columns, column, value: now }))
        // Validates the rows again: the error of one cell may depend on another.
        if (latest.current.messages?.some(Boolean)) setTimeout(() => latest.current.check?.(latest.current.field.name))
      },
      left: () => latest.current.onBlur(),
      move: (at, by) => put(moved(latest.current.items, at, by)),
      remove: (at) => put(removed(latest.current.items, at)),
    }
  }, [columns])

  const first = columns[0]?.name ?? ''
  const addBelow = (at: number, column = first) => {
    toCell(at, column, () => onChange(added(items, at, emptyItem(columns))))
  }
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement
    const { column } = cell.dataset
    const at = placeIn(cell.closest<HTMLElement>('[data-row]')?.dataset['row'])
    if (event.nativeEvent.isComposing || column === undefined || at === null) return
    const mod = event.ctrlKey || event.metaKey
    const { key, altKey, shiftKey } = event
    const take = (does: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      does()
    }
    const by = key === 'ArrowUp' ? -1 : 1
    if (key === 'F8') {
      const wrong = [...(body.current?.querySelectorAll<HTMLElement>('[aria-invalid=true]') ?? [])]
      const next = wrong.find((each) => cell.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)
      // After the last one the form moves to the next invalid field.
      if (next) take(() => goTo(next))
      return
    }
    if (key === 'Enter' && altKey) take(() => addBelow(at + 1))
    else if (key === 'Enter' && !mod) take(() => (at === items.length - 1 ? addBelow(at + 1) : toCell(at + 1, column)))
    else if (key === 'Delete' && altKey)
      take(() => {
        toCell(Math.min(at, items.length - 2), column, () => typing.remove(at))
      })
    else if ((key === 'ArrowUp' || key === 'ArrowDown') && mod && shiftKey)
      take(() => {
        toCell(Math.min(Math.max(at + by, 0), items.length - 1), column, () => typing.move(at, by))
      })
    else if ((key === 'ArrowUp' || key === 'ArrowDown') && !mod && !altKey && !shiftKey && cell.tagName !== 'SELECT') {
      if (cellAt(at + by, column)) take(() => toCell(at + by, column))
    }
  }
  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement
    const { column } = cell.dataset
    const at = placeIn(cell.closest<HTMLElement>('[data-row]')?.dataset['row'])
    const cells = pastedCells(event.clipboardData.getData('text/plain'))
    if (column === undefined || at === null || !cells) return
    event.preventDefault()
    toCell(at, column, () => onChange(pasted(items, columns, { at, column }, cells, maxPasted)))
  }

  const text = (at: number) => (at === 0 ? 'minmax(124px,1.6fr)' : 'minmax(96px,1.2fr)')
  const template = columns.map(({ kind }, at) => widths[kind] ?? text(at)).join(' ')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the inputs
    <div className="table-field" onKeyDown={keys} onPaste={paste} style={{ '--table-columns': template } as CSSProperties}>
      <table ref={body} aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
        <thead>
          <tr className="table-row table-head">
            <th className="table-place">#</th>
            {columns.map((column) => (
              <th key={column.name}>{column.title}</th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => (
            <TableRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its index; its values are controlled
              key={at}
              id={id}
              at={at}
              one={one}
              item={item}
              wrong={messages[at]}
              typing={typing}
            />
          ))}
        </tbody>
      </table>
      <p className="table-foot">
        <button
          ref={addButton}
          type="button"
          className="btn field-add"
          aria-invalid={invalid || undefined}
          onClick={() => addBelow(items.length)}
          onBlur={onBlur}
        >
          <Icon name="plus" size={14} /> Add {one}
        </button>
        <span>
          <Kbd chord="Enter" /> next row <Kbd chord="Alt+Enter" /> add below <Kbd chord="Alt+Delete" /> remove{' '}
          <Kbd chord="Mod+Shift+ArrowUp" /> <Kbd chord="Mod+Shift+ArrowDown" /> move
        </span>
      </p>
    </div>
  )
}
