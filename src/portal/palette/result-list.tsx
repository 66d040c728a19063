import type { Destination } from '#portal/palette/palette-keys.ts'
import { Command } from 'cmdk'
import { createContext, memo, type PointerEvent, type Ref, use, useLayoutEffect, useRef } from 'react'
import { markLetters } from '#portal/palette/mark-letters.ts'
import { ResultRow, textsOf } from '#portal/palette/result-row.tsx'
import type { Results, Row } from '#portal/palette/row.ts'

/** Height of a row, and maximum height of the list in pixels; 52% of the window height if that is less. */
const rowHeight = 36
const listHeight = 560
/** Number of visible rows, plus one. The others render when the user moves or scrolls towards them. */
const drawnAtFirst = (): number => Math.ceil(Math.min(innerHeight * 0.52, listHeight) / rowHeight) + 1
/** The rest of the rows render once the cursor is this close to the last rendered one. */
const ahead = 4

interface Props {
  id: string
  results: Results
  /** True once the user has scrolled this list. */
  all: boolean
  activePosition: number
  /** The slot of the active row. */
  active: string
  typed: string
  label: string
  listRef: Ref<HTMLDivElement>
  onScroll: () => void
  onPoint: (position: number) => void
  onPick: (position: number, to: Destination) => void
}

interface RenderedGroup {
  title: string
  note: string | null
  rows: readonly Row[]
  /** Position of its first row in the whole list. */
  from: number
}

/**
 * The current contents of the row slots. The slots themselves stay: a keystroke changes their contents and renders nothing else.
 */
interface RenderedRows {
  groups: readonly RenderedGroup[]
  count: number
}

const RenderedRowsContext = createContext<RenderedRows>({ groups: [], count: 0 })

/** Disables cmdk's filter: our own ranking decides content and order. */
const everything = () => 1
const nothing = () => {}

/** The slot of a row: the index of its group and its own within it. */
const slotOf = (group: number, index: number): string => `${group}-${index}`

const positionOf = (target: EventTarget): number => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
  return Number(row?.dataset['position'] ?? -1)
}

let pointer = { x: 0, y: 0 }
/** Whether the pointer itself moved, not the list under it. */
const hasMoved = ({ clientX: x, clientY: y }: PointerEvent): boolean => {
  const same = pointer.x === x && pointer.y === y
  pointer = { x, y }
  return !same
}

/** The first `max` rows of the groups in total. */
function drawnOf(results: Results, max: number): RenderedRows {
  const groups: RenderedGroup[] = []
  let from = 0
  for (const { title, note, rows } of results.groups) {
    if (from >= max) break
    groups.push({ title, note, rows: rows.slice(0, max - from), from })
    from += rows.length
  }
  return { groups, count: results.rows.length }
}

/** The groups with their rows. The focus stays in the field, which references the active row. */
export const ResultList = memo(function ResultList({
  id,
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
  const drawn = drawnOf(results, all || activePosition >= first - ahead ? results.rows.length : first)
  // Slots are never removed: an empty one is hidden, and reused when needed.
  const places = useRef<number[]>([])
  for (const [group, { rows }] of drawn.groups.entries())
    places.current[group] = Math.max(places.current[group] ?? 0, rows.length)
  useLayoutEffect(() => {
    const texts = drawn.groups.flatMap(({ rows }, group) =>
      rows.flatMap((row, index) => textsOf(row, slotOf(group, index), typed)),
    )
    markLetters(texts)
  })
  return (
    <div
      ref={listRef}
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      className="h-full overflow-y-auto overscroll-contain py-1.5 outline-none"
      onScroll={onScroll}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={(event) => {
        const at = positionOf(event.target)
        if (hasMoved(event) && at !== -1) onPoint(at)
      }}
      onClick={(event) => {
        const at = positionOf(event.target)
        if (at !== -1) onPick(at, event.ctrlKey || event.metaKey ? 'tab' : 'here')
      }}
    >
      <RenderedRowsContext value={drawn}>
        <Places active={active} places={places.current.join(' ')} />
      </RenderedRowsContext>
    </div>
  )
})

/** As many slots as were ever needed at once. */
const Places = memo(function Places({ active, places }: { active: string; places: string }) {
  return (
    <Command
      value={active}
      onValueChange={nothing}
      shouldFilter={false}
      filter={everything}
      vimBindings={false}
      disablePointerSelection
      tabIndex={undefined}
    >
      <Groups places={places} />
    </Command>
  )
})

const Groups = memo(function Groups({ places }: { places: string }) {
  return (
    places
      .split(' ')
      .filter(Boolean)
      // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its index
      .map((count, group) => <GroupPlace key={group} group={group} places={Number(count)} />)
  )
})

/** One group: its title, and slots for rows. */
function GroupPlace({ group, places }: { group: number; places: number }) {
  const { groups } = use(RenderedRowsContext)
  const drawn = groups[group]
  return (
    <div {...(drawn ? { role: 'group', 'aria-labelledby': `palette-group-${group}` } : {})} hidden={!drawn}>
      <Heading id={`palette-group-${group}`} title={drawn?.title ?? ''} note={drawn?.note ?? null} />
      <RowPlaces group={group} places={places} />
    </div>
  )
}

const Heading = memo(function Heading({ id, title, note }: { id: string; title: string; note: string | null }) {
  return (
    <div id={id} aria-hidden="true" className="flex justify-between px-4 pt-1.5 pb-1 text-tiny font-medium text-muted">
      <span>{title}</span>
      {note && <span className="tabular-nums">{note}</span>}
    </div>
  )
})

const RowPlaces = memo(function RowPlaces({ group, places }: { group: number; places: number }) {
  return Array.from({ length: places }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its index
    <Command.Item key={index} value={slotOf(group, index)} asChild>
      <RowPlace group={group} index={index} />
    </Command.Item>
  ))
})

/** A slot with its current row; an item of cmdk, which passes down whether it is active. */
function RowPlace(props: { group: number; index: number }) {
  const { group, index } = props
  const { groups, count } = use(RenderedRowsContext)
  const drawn = groups[group]
  const row = drawn?.rows[index]
  const last = useRef<Row>(null)
  if (row) last.current = row
  return (
    <ResultRow
      of={props}
      shown={row !== undefined}
      slot={slotOf(group, index)}
      position={(drawn?.from ?? 0) + index}
      count={count}
      row={last.current}
    />
  )
}

/** The slot of the row at a position; empty for none. */
export function slotAt(results: Results, position: number): string {
  if (position < 0) return ''
  let before = 0
  for (const [number, group] of results.groups.entries()) {
    if (position < before + group.rows.length) return slotOf(number, position - before)
    before += group.rows.length
  }
  return ''
}
