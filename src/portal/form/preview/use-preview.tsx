import { type ReactNode, useEffect, useRef, useState } from 'react'
import { changes, type Command, type FieldMessage, type PreviewRow, undoable } from '#kernel/command.ts'
import type { MoneyLines } from '#kernel/money-lines.ts'
import { undoSentence, warningOf } from '#kernel/undo-note.ts'
import { store } from '#portal/platform/store.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { commandsChanged } from '#portal/form/deferred.tsx'
import { Line } from '#portal/form/line.tsx'
import { consequences } from '#portal/form/money/deferred.ts'
import { withShortDates } from '#portal/format/dates.ts'
import { apiClient } from '#portal/api/client.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { Part } from '#portal/ui/later.tsx'
import type { Values } from '#kernel/form-values.ts'
import { readable } from '#portal/form/session/values.ts'

/** What a form shows beside its fields, and what it requires. */
export interface FormFrame {
  /** Shown above the fields: how many rows, what changed in the meantime. */
  above?: ReactNode
  /** Why it cannot be sent now. */
  blocked?: string | null
  warning?: string | null
  /** The word to type for confirmation. */
  word?: string | null
  /** What the form says about undo. */
  note?: string
  /** The label of the button that sends it. */
  go?: string
}

/** The preview that a form shows of its current values, with the parts of its frame that depend on them. */
export interface FormPreview extends FormFrame {
  /** The lines of a form about amounts; null for other forms. */
  lines: MoneyLines | 'reading' | null
  /** Errors known before sending, by path: `amount`, `allocations.0.amount`. */
  wrong?: ReadonlyMap<string, string>
  /** Shown below the fields. */
  below: ReactNode
  /** Stays visible above the buttons while the fields scroll. */
  kept?: ReactNode
  /** Shown beside the fields if there is room, else below. */
  aside?: ReactNode
}

/** The sentence about undo; with the typed values, for exactly these. */
export const noteOf = (command: Command, target: unknown, typed?: { params: Values; facts: unknown }): string =>
  changes(command) ? undoNote(command, undoable(command, target, typed)) : ''

/** Whether the user can undo the change, as a sentence for a form. */
export const undoNote = (command: Command, can: boolean): string => undoSentence(command, can, store.get(commandContextAtom).held)

/** That the change of this record cannot be undone, and why; `why` may be that sentence itself. */
export function keptNote(command: Command, why: string): string {
  const note = undoNote(command, false)
  return why === note ? note : `${note} ${why}`
}

/**
 * The preview, computed from fetched facts and the typed values. Facts are fetched again when the record has a new version, and
 * by `again`, which resolves when they are there; `retry` is what the link of a failed preview does. `together` are all records
 * of a command on several together.
 */
export function usePreview(command: Command, target: unknown, retry: () => void, together?: readonly unknown[]) {
  const asks = changes(command) ? command.facts?.read : undefined
  const [wanted, setWanted] = useState<{ about: string; params: Values }>({ about: '', params: {} })
  const version = command.on && target !== undefined ? command.on.version(target) : 0
  const latest = useRef(target)
  latest.current = target
  const read = async () => ({ value: await asks?.(latest.current, apiClient.read, wanted.params, together), about: wanted.about })
  const query = useQuery(read, asks ? [asks, wanted.about] : null, { version })
  const facts = asks ? query.value : { value: undefined, about: '' }
  const failed = query.state === 'failed'
  const change = changes(command) ? command : null
  /**
   * The facts to send: null while the displayed ones are loading; fetched now if the form displays none. Throws if fetching
   * fails.
   */
  const toSend = async (params: Values): Promise<{ value: unknown } | null> => {
    const about = aboutOf(command, params)
    if (facts?.about === about) return facts
    if (asks && !change?.preview?.rows) return { value: await asks(latest.current, apiClient.read, params, together) }
    if (failed) retry()
    return null
  }
  const shown = (values: Values): FormPreview => {
    const params = readable(values)
    const about = aboutOf(command, params)
    const lines = change?.preview?.lines ? ('reading' as const) : null
    if (asks && about !== wanted.about)
      return { lines, below: <Wanted key={about} onRender={() => setWanted({ about, params })} /> }
    if (!change?.preview?.rows && !change?.preview?.rights) return { lines: null, below: null }
    const there = facts?.about === about ? facts : null
    if (!there && failed)
      return {
        lines,
        below: (
          <Line tone="bad" icon="alert" alert>
            The preview could not be loaded.{' '}
            <button type="button" className="link" onClick={retry}>
              Try again
            </button>
          </Line>
        ),
      }
    if (!there)
      return {
        lines,
        below: <p className="h-8 animate-pulse rounded-lg bg-sunken" role="status" aria-label="Loading the preview" />,
      }
    const { rows: rowsOf, rights, lines: linesOf } = change.preview ?? {}
    const rows = safely(() => rowsOf?.(target, params, there.value)) ?? []
    const held = safely(() => rights?.(target, params, there.value))
    const known = safely(() => linesOf?.(target, params, there.value)) ?? null
    const wrong = byPath(safely(() => change.form?.messages?.(target, params, there.value)) ?? [], values, params)
    const table = rows.length ? <PreviewTable rows={rows} /> : null
    if (!known) return { lines: null, wrong, below: table, kept: held && <Part of={commandsChanged} props={{ change: held }} /> }
    return {
      lines: known,
      wrong,
      below: null,
      aside: (
        <Part
          of={consequences}
          props={{
            rows,
            lines: known,
            warning: warningOf(command, target),
            note: noteOf(command, target, { params, facts: there.value }),
          }}
        />
      ),
    }
  }
  return { toSend, shown, again: query.again }
}

/**
 * The first message for each path. Lines with unparsed cells are not validated, so indexes are mapped back to those of the typed
 * lines.
 */
function byPath(messages: readonly FieldMessage[], values: Values, params: Values): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { path, message } of messages) {
    const [name = '', at, cell] = path.split('.')
    const item = at === undefined ? null : (params[name] as readonly unknown[])[Number(at)]
    const place = item ? `${name}.${(values[name] as readonly unknown[]).indexOf(item)}.${cell}` : path
    if (!found.has(place)) found.set(place, message)
  }
  return found
}

/** The part of the parameters that the facts depend on. */
const aboutOf = (command: Command, params: Values): string => (changes(command) && command.facts?.by?.(params)) || ''

/** Calls `onRender` after its render: requests facts for the typed values, or updates what rows are validated by. */
export function Wanted({ onRender }: { onRender: () => void }) {
  const latest = useRef(onRender)
  latest.current = onRender
  useEffect(() => latest.current(), [])
  return null
}

/** An incomplete form may have no result yet. */
function safely<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}

/** Before and after of all values that a command changes, record by record. */
function PreviewTable({ rows }: { rows: readonly PreviewRow[] }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-3 pt-0.5 pb-1">
      <table className="w-full border-collapse tabular-nums">
        <caption className="sr-only">What changes</caption>
        <thead>
          <tr className="text-small text-muted [&>th]:py-1.5 [&>th]:font-medium">
            <th className="text-left">What changes</th>
            <th className="text-right">Now</th>
            <th className="text-right">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => {
            // A record's name is shown once above its lines; a screen reader reads it with each line.
            const again = rows[at - 1]?.of === row.of
            return (
              <tr key={`${row.of} ${row.what}`} className={again ? '[&>td]:pb-1' : 'border-t border-line [&>td]:py-1'}>
                <td>
                  <span className={again ? 'invisible' : ''} aria-hidden="true">
                    {row.of}
                  </span>
                  <span className="sr-only">{row.of}</span> <span className="text-muted">{row.what}</span>
                </td>
                <td className="pl-3 text-right wrap-anywhere">{withShortDates(row.before)}</td>
                <td className="pl-3 text-right font-semibold wrap-anywhere">{withShortDates(row.after)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
