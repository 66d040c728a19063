import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import { type MappingField, mappingFieldLabels, type MappingKind } from '#domain/mapping-fields.ts'
import { proposals, type SampleColumn } from '#domain/mapping-proposals.ts'
import { characterOf } from '#kernel/keys.ts'
import { today } from '#portal/api/session.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { useShortcut } from '#portal/ui/use-shortcut.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

interface SampleColumnsProps {
  kind: MappingKind
  sample: readonly SampleColumn[]
  /** The columns of the mapping as typed. */
  columns: readonly MappingColumn[]
  set: (columns: readonly MappingColumn[]) => void
}

/** The columns of a mapping with one added, or with the field of one changed; a known header keeps its position. */
function accepted(columns: readonly MappingColumn[], header: string, field: MappingField | null): MappingColumn[] {
  const at = columns.findIndex((column) => headerKey(column.header ?? '') === headerKey(header))
  const now = { header, ...(field ? { field } : {}), static: false }
  if (at < 0) return [...columns, now]
  return columns.map((column, place) => (place === at && field ? { ...now, ...column, field } : column))
}

/** The columns of the sample, each with its suggested field: Enter accepts one and moves to the next. */
export function SampleColumns({ kind, sample, columns, set }: SampleColumnsProps) {
  const id = useId()
  const shortcut = useShortcut()
  const [active, setActive] = useState(0)
  const rows = useMemo(() => {
    const mapped = new Map(columns.map((column) => [headerKey(column.header ?? ''), column]))
    const taken = new Set(columns.flatMap(({ field }) => field ?? []))
    const open = sample.filter(({ header }) => !mapped.get(headerKey(header))?.field)
    const found = proposals(kind, open, { today: today(), taken })
    return sample.map((column) => {
      const known = mapped.get(headerKey(column.header))
      return { ...column, known, proposed: known?.field ? null : (found[open.indexOf(column)] ?? null) }
    })
  }, [kind, sample, columns])
  const left = rows.filter(({ proposed }) => proposed).length
  const now = Math.min(active, rows.length - 1)

  const accept = (at: number) => {
    const row = rows[at]
    if (!row || row.known?.field) return
    set(accepted(columns, row.header, row.proposed))
  }
  const goTo = (at: number) => {
    setActive(at)
    document.getElementById(`${id}-${at}`)?.scrollIntoView?.({ block: 'nearest' })
  }
  const acceptAll = () =>
    set(
      rows.reduce(
        (all: readonly MappingColumn[], { header, proposed }) => (proposed ? accepted(all, header, proposed) : all),
        columns,
      ),
    )
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    if (key === 'ArrowDown') goTo(Math.min(now + 1, rows.length - 1))
    else if (key === 'ArrowUp') goTo(Math.max(now - 1, 0))
    else if (key === 'Home') goTo(0)
    else if (key === 'End') goTo(rows.length - 1)
    else if (key === 'Enter' || key === ' ') {
      accept(now)
      goTo(Math.min(now + 1, rows.length - 1))
    } else if (characterOf(event) === 'a') acceptAll()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  // An unreadable sample has none: the dry run says why.
  if (rows.length === 0) return null
  return (
    <>
      <h2 id={`${id}-title`}>Columns of the sample</h2>
      <p className="text-small text-muted">
        {left > 0 ? (
          <>
            <Kbd chord="Enter" /> accepts one
            {shortcut('a') && (
              <>
                , <Kbd chord="a" /> all proposals ({left})
              </>
            )}
          </>
        ) : (
          'Nothing more is proposed. Enter adds a column without saying what it stands for.'
        )}
      </p>
      <div
        role="listbox"
        className="sample-columns"
        aria-labelledby={`${id}-title`}
        aria-activedescendant={`${id}-${now}`}
        tabIndex={0}
        data-sample-columns
        data-inline
        onKeyDown={keys}
      >
        {rows.map(({ header, cells, known, proposed }, at) => (
          <div
            key={header || at}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={known !== undefined}
            data-active={at === now || undefined}
            onClick={() => {
              setActive(at)
              accept(at)
            }}
          >
            <span className="truncate font-medium">{header || '—'}</span>
            <span className="truncate text-muted">{cells.filter(Boolean).slice(0, 3).join(', ')}</span>
            {known ? (
              <span className="truncate">
                <Icon name="check" size={14} className="mr-1 inline text-accent" />
                {known.field ? mappingFieldLabels[known.field] : 'In the mapping'}
              </span>
            ) : (
              <span className="truncate text-muted">{proposed ? `${mappingFieldLabels[proposed]}?` : 'Not used'}</span>
            )}
          </div>
        ))}
      </div>
    </>
  )
}
