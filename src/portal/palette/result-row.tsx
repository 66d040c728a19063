import { Command } from 'cmdk'
import { memo } from 'react'
import { ariaChord } from '#kernel/keys.ts'
import { MarkedText } from '#portal/palette/marked-text.tsx'
import type { Row } from '#portal/palette/row.ts'
import { mac } from '#portal/state/platform.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

interface Props {
  row: Row
  /** Stays the same while other rows pass through: the place in the list, not the thing. */
  slot: string
  position: number
  count: number
  typed: string
}

/** An icon is drawn again only when it is another one. */
const RowIcon = memo(Icon)

/** The id of the element that shows a place of the list. */
export const optionId = (slot: string): string => `palette-${slot}`

/** One row: icon, title, reason or other name, key. Drawn again only when its own content changes. */
export const ResultRow = memo(function ResultRow({ row, slot, position, count, typed }: Props) {
  const id = optionId(slot)
  const chord = row.kind === 'command' ? row.chord : null
  const found = row.found && <MarkedText text={row.found} typed={typed} />
  return (
    <Command.Item value={slot} asChild>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the item gives it the role of an option */}
      <div
        id={id}
        className="group/row mx-1.5 grid h-9 cursor-default contain-strict grid-cols-[16px_minmax(0,auto)_minmax(0,1fr)_auto] items-center gap-2.5 rounded-[7px] px-2.5 data-[selected=true]:bg-accent-wash forced-colors:data-[selected=true]:outline forced-colors:data-[selected=true]:outline-2"
        data-position={position}
        aria-posinset={position + 1}
        aria-setsize={count}
        aria-disabled={row.usable ? undefined : true}
        aria-describedby={row.note && !row.usable ? `${id}-note` : undefined}
        aria-keyshortcuts={chord ? ariaChord(chord, mac) : undefined}
      >
        <RowIcon name={row.icon} className="text-muted group-data-[selected=true]/row:text-accent" />
        <span id={`${id}-title`} className={row.usable ? 'truncate' : 'truncate text-muted'}>
          <MarkedText text={row.title} typed={typed} />
        </span>
        <span id={`${id}-note`} className="truncate text-[12.5px] text-muted">
          {row.usable && found}
          {row.usable && row.found && row.note && ' · '}
          {row.note}
          {!row.usable && row.found && ' · '}
          {!row.usable && found}
        </span>
        <span id={`${id}-key`}>{chord && <Kbd chord={chord} hidden={false} />}</span>
      </div>
    </Command.Item>
  )
})
