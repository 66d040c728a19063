import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useState } from 'react'
import { groups, permissionRows } from '#domain/permission-groups.ts'
import { attributes, type ControlProps } from '#portal/form/fields/control.ts'
import { MissedText } from '#portal/form/fields/missed-text.tsx'
import { useTypeAhead } from '#portal/form/fields/type-ahead.ts'
import { heldAtom } from '#portal/api/session.ts'
import { Icon } from '#portal/ui/icon.tsx'

interface Cell {
  id: string
  /** Read out with the row: 'See', 'Edit', or what the permission allows. */
  label: string
  note?: string | undefined
}

interface Row {
  title: string | null
  cells: readonly Cell[]
}

/** Rows for See and Edit pairs, followed by single permissions. */
function rowsOf(options: ControlProps['field']['options']): Row[] {
  const offered = new Map(options.map((option) => [option.value, option]))
  const paired = permissionRows.flatMap(({ title, see, edit }): Row[] =>
    offered.has(String(see)) && offered.has(String(edit))
      ? [
          {
            title,
            cells: [
              { id: String(see), label: 'See', note: offered.get(String(see))?.note },
              { id: String(edit), label: 'Edit', note: offered.get(String(edit))?.note },
            ],
          },
        ]
      : [],
  )
  const taken = new Set(paired.flatMap(({ cells }) => cells.map(({ id }) => id)))
  const alone = options.filter(({ value }) => !taken.has(value))
  return [...paired, ...alone.map(({ value, label, note }) => ({ title: null, cells: [{ id: value, label, note }] }))]
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/**
 * Permissions as a matrix with one tab stop: arrows move, Space toggles, Home and End move to the first and the last, and typing
 * moves to the matching row. Permissions given by a group are marked and fixed; so are those that the user does not hold, and
 * cannot give.
 */
export function PermissionsField(props: ControlProps) {
  const { options } = props.field
  const rows = rowsOf(options)
  const chosen = new Set(textsOf(props.value))
  const inGroups = textsOf(props.beside)
  const given = new Set(
    groups.filter(({ id }) => inGroups.includes(String(id))).flatMap((group) => group.permissions.map(String)),
  )
  const [[y, x], setActive] = useState<readonly [number, number]>([0, 0])
  const typed = useTypeAhead(
    rows.map(({ title, cells }) => title ?? cells[0]?.label ?? ''),
    y,
  )
  const { id, 'aria-required': required, 'aria-invalid': invalid, ...rest } = attributes(props)
  const own = new Set([...useAtomValue(heldAtom)].map(String))
  const isBeyond = (permission: string) => !own.has(permission) && !given.has(permission)
  const toggle = (permission: string) => {
    // A permission chosen before the user lost it can still be removed.
    if (given.has(permission) || (isBeyond(permission) && !chosen.has(permission))) return
    const next = new Set(chosen)
    if (!next.delete(permission)) next.add(permission)
    props.onChange(options.map(({ value }) => value).filter((value) => next.has(value)))
  }
  const move = (to: number, across = x) => {
    const row = Math.max(0, Math.min(rows.length - 1, to))
    const cell = Math.max(0, Math.min((rows[row]?.cells.length ?? 1) - 1, across))
    typed.forget()
    setActive([row, cell])
    document.getElementById(`${id}-${row}-${cell}`)?.scrollIntoView?.({ block: 'nearest' })
  }
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowDown') move(y + 1)
    else if (event.key === 'ArrowUp') move(y - 1)
    else if (event.key === 'ArrowRight') move(y, x + 1)
    else if (event.key === 'ArrowLeft') move(y, x - 1)
    else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(rows.length - 1)
    else if (event.key === ' ') typed.chooses() && toggle(rows[y]?.cells[x]?.id ?? '')
    else {
      const found = typed.find(event)
      if (found === undefined) return
      // The first cell of the row: a search for a row does not imply a permission beyond viewing.
      if (found !== null) move(found, 0)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const grid = (
    // The height ends in the middle of a row, as a hint that more follow, and keeps the effects visible below.
    // biome-ignore lint/a11y/useSemanticElements: a table has no selectable cells
    <div
      {...rest}
      onBlur={() => {
        typed.forget()
        rest.onBlur()
      }}
      id={id}
      role="grid"
      aria-labelledby={`${id}-label`}
      aria-multiselectable="true"
      aria-activedescendant={`${id}-${y}-${x}`}
      data-invalid={invalid || undefined}
      tabIndex={0}
      onKeyDown={keys}
      className="choices max-h-[min(300px,31vh)] overflow-auto rounded-[7px] border border-line-strong bg-surface p-1 focus:border-accent focus:shadow-[0_0_0_3px_var(--accent-wash)] focus:outline-none data-invalid:border-bad"
    >
      {rows.map((row, at) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
        <div key={row.title ?? row.cells[0]?.id} role="row" className="flex h-7 items-center gap-1">
          {row.title !== null && (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <span role="rowheader" className="w-48 min-w-0 truncate px-2">
              {row.title}
            </span>
          )}
          {row.cells.map((cell, across) => {
            const held = chosen.has(cell.id) || given.has(cell.id)
            const beyond = isBeyond(cell.id)
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
              <span
                key={cell.id}
                id={`${id}-${at}-${across}`}
                role="gridcell"
                aria-selected={held}
                aria-disabled={given.has(cell.id) || beyond || undefined}
                title={beyond ? 'You do not hold this yourself, so you cannot give it.' : undefined}
                data-active={(at === y && across === x) || undefined}
                onClick={() => {
                  typed.forget()
                  setActive([at, across])
                  toggle(cell.id)
                }}
                className={`choice flex h-7 items-center gap-2 rounded-md px-2 ${row.title === null ? 'flex-1' : 'w-32 shrink-0'}`}
              >
                <span
                  className={`grid size-3.5 shrink-0 place-items-center rounded border-[1.5px] ${held ? (given.has(cell.id) ? 'border-line-strong bg-sunken text-muted' : 'border-accent bg-accent text-accent-ink') : 'border-line-strong'}`}
                >
                  {held && <Icon name="check" size={10} />}
                </span>
                <span className={beyond ? 'text-muted' : ''}>{cell.label}</span>
                {beyond && <span className="text-small whitespace-nowrap text-muted">not yours</span>}
                {cell.note && !beyond && !given.has(cell.id) && (
                  <span className="text-small whitespace-nowrap text-muted" title="Nothing asks for this permission yet.">
                    {cell.note}
                  </span>
                )}
                {given.has(cell.id) && <span className="text-small whitespace-nowrap text-muted">by group</span>}
              </span>
            )
          })}
        </div>
      ))}
    </div>
  )
  return (
    <>
      {grid}
      <MissedText text={typed.missed} />
    </>
  )
}
