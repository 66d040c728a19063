import { Command } from 'cmdk'
import { memo, type PointerEvent, type Ref } from 'react'
import { ResultRow } from '#portal/palette/result-row.tsx'
import type { Results } from '#portal/palette/row.ts'

/** Height of a row and of the list at most, in pixels; the list is also at most 52 of 100 parts of the window high. */
const rowHeight = 36
const listHeight = 560
/** Rows that the list shows, and one more. The others are drawn when somebody moves or scrolls towards them. */
const drawnAtFirst = (): number => Math.ceil(Math.min(innerHeight * 0.52, listHeight) / rowHeight) + 1
/** So many rows before the last drawn one, the others are drawn. */
const ahead = 4

interface Props {
  results: Results
  /** True once somebody scrolled this list. */
  all: boolean
  activePosition: number
  /** The place of the active row. */
  active: string
  typed: string
  label: string
  listRef: Ref<HTMLDivElement>
  onScroll: () => void
  onPoint: (position: number) => void
  onPick: (position: number, newTab: boolean) => void
}

/** Our own ranking decides what is in the list and in which order. */
const everything = () => 1

/** The place of a row: its group and its number in it. */
export const slotOf = (group: string, index: number): string => `${group}-${index}`

const positionOf = (target: EventTarget): number => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
  return Number(row?.dataset['position'] ?? -1)
}

let pointer = { x: 0, y: 0 }
/** A list that moves under a resting pointer is not the pointer moving. */
const really = ({ clientX: x, clientY: y }: PointerEvent): boolean => {
  const same = pointer.x === x && pointer.y === y
  pointer = { x, y }
  return !same
}

/** The groups with their rows. Focus stays in the field: the active row is named by it. */
export const ResultList = memo(function ResultList({
  results,
  all,
  activePosition,
  active,
  typed,
  label,
  listRef,
  onScroll,
  onPoint,
  onPick,
}: Props) {
  const first = drawnAtFirst()
  const drawn = all || activePosition >= first - ahead ? results.rows.length : first
  let position = 0
  return (
    <Command
      value={active}
      onValueChange={() => {}}
      shouldFilter={false}
      filter={everything}
      vimBindings={false}
      disablePointerSelection
      tabIndex={undefined}
    >
      <Command.List
        ref={listRef}
        label={label}
        className="max-h-[min(52dvh,560px)] overflow-y-auto overscroll-contain py-1.5"
        onScroll={onScroll}
        onMouseDown={(event) => event.preventDefault()}
        onPointerMove={(event) => {
          const at = positionOf(event.target)
          if (really(event) && at !== -1) onPoint(at)
        }}
        onClick={(event) => {
          const at = positionOf(event.target)
          if (at !== -1) onPick(at, event.ctrlKey || event.metaKey)
        }}
      >
        {results.groups.map(
          (group) =>
            position < drawn && (
              <Command.Group
                key={group.key}
                value={group.key}
                className="[&>[cmdk-group-heading]]:flex [&>[cmdk-group-heading]]:justify-between [&>[cmdk-group-heading]]:px-4 [&>[cmdk-group-heading]]:pt-1.5 [&>[cmdk-group-heading]]:pb-1 [&>[cmdk-group-heading]]:text-tiny [&>[cmdk-group-heading]]:font-medium [&>[cmdk-group-heading]]:text-muted"
                heading={
                  <>
                    <span>{group.title}</span>
                    {group.note && <span className="tabular-nums">{group.note}</span>}
                  </>
                }
              >
                {group.rows.slice(0, drawn - position).map((row, index) => {
                  const slot = slotOf(group.key, index)
                  return (
                    <ResultRow key={slot} row={row} slot={slot} position={position++} count={results.rows.length} typed={typed} />
                  )
                })}
              </Command.Group>
            ),
        )}
      </Command.List>
    </Command>
  )
})

/** The place of the row at a position. */
export function slotAt(results: Results, position: number): string {
  let before = 0
  for (const group of results.groups) {
    if (position < before + group.rows.length) return slotOf(group.key, position - before)
    before += group.rows.length
  }
  return ''
}
