import { useEffect, useRef, useState } from 'react'
import { fewOf } from '#domain/text.ts'
import { rightTo } from '#domain/permissions.ts'
import { lacksForUndo } from '#kernel/availability.ts'
import { changes, type Command, type FieldMessage, undoable } from '#kernel/command.ts'
import { store } from '#portal/platform/store.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { commandsChanged } from '#portal/form/deferred.tsx'
import type { Values } from '#portal/form/form-field.tsx'
import { readable } from '#portal/form/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { consequences } from '#portal/form/money/deferred.ts'
import { PreviewTable } from '#portal/form/preview-table.tsx'
import type { FormPreview } from '#portal/form/form-preview.ts'
import { apiClient } from '#portal/api/client.ts'
import { Part } from '#portal/ui/later.tsx'

/** The sentence about undo; with the typed values, for exactly these. */
export const noteOf = (command: Command, target: unknown, typed?: { params: Values; facts: unknown }): string =>
  changes(command) ? undoNote(command, undoable(command, target, typed)) : ''

/** Whether the user can undo the change, as a sentence for a form. */
export function undoNote(command: Command, can: boolean): string {
  if (!can) return 'This cannot be undone.'
  const lacks = lacksForUndo(command, store.get(commandContextAtom).held)
  if (lacks.length) return `To undo this you need ${rightTo(lacks)}.`
  const means = changes(command) && command.undoNote
  return ['Can be undone for 10 minutes.', means].filter(Boolean).join(' ')
}

/** That the change of this record cannot be undone, and why; `why` may be that sentence itself. */
export function keptNote(command: Command, why: string): string {
  const note = undoNote(command, false)
  return why === note ? note : `${note} ${why}`
}

/** The warning to read before going on. */
export const warningOf = (command: Command, target: unknown): string | null =>
  changes(command) ? (command.warning?.(target) ?? null) : null

/** The warnings for several records: once if all are equal, else each with the title of its record. */
export function warningsOf(command: Command, targets: readonly unknown[]): string | null {
  const warned = targets.flatMap((target) => {
    const warning = warningOf(command, target)
    return warning ? [{ warning, named: `${command.on?.title(target)}: ${warning}` }] : []
  })
  const [first] = warned
  if (!first) return null
  const isOne = warned.length === targets.length && warned.every(({ warning }) => warning === first.warning)
  return isOne ? first.warning : fewOf(warned.map(({ named }) => named))
}

/**
 * The preview, computed from fetched facts and the typed values. Facts are fetched again when the record has a new version, and
 * when `look` changes; `together` are all records of a command on several together.
 */
export function usePreview(command: Command, target: unknown, look: number, again: () => void, together?: readonly unknown[]) {
  const asks = changes(command) ? command.facts : undefined
  const [facts, setFacts] = useState<{ value: unknown; about: string } | null>(asks ? null : { value: undefined, about: '' })
  const [wanted, setWanted] = useState<{ about: string; params: Values }>({ about: '', params: {} })
  const [failed, setFailed] = useState(false)
  const version = command.on && target !== undefined ? command.on.version(target) : 0
  const latest = useRef(target)
  latest.current = target
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version makes the facts stale
  useEffect(() => {
    if (!asks) return
    let left = false
    setFailed(false)
    const { about, params } = wanted
    asks(latest.current, apiClient.read, params, together).then(
      (value) => !left && setFacts({ value, about }),
      () => !left && setFailed(true),
    )
    return () => {
      left = true
    }
  }, [asks, version, look, wanted.about])
  const change = changes(command) ? command : null
  /**
   * The facts to send: null while the displayed ones are loading; fetched now if the form displays none. Throws if fetching
   * fails.
   */
  const toSend = async (params: Values): Promise<{ value: unknown } | null> => {
    const about = aboutOf(command, params)
    if (facts?.about === about) return facts
    if (asks && !change?.preview) return { value: await asks(latest.current, apiClient.read, params, together) }
    if (failed) again()
    return null
  }
  const shown = (values: Values): FormPreview => {
    const params = readable(values)
    const about = aboutOf(command, params)
    const lines = change?.lines ? ('reading' as const) : null
    if (asks && about !== wanted.about)
      return { lines, below: <Wanted key={about} onRender={() => setWanted({ about, params })} /> }
    if (!change?.preview && !change?.rights) return { lines: null, below: null }
    const there = facts?.about === about ? facts : null
    if (!there && failed)
      return {
        lines,
        below: (
          <Line tone="bad" icon="alert" alert>
            The preview could not be loaded.{' '}
            <button type="button" className="link" onClick={again}>
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
    const { preview, rights, lines: linesOf, validate } = change
    const rows = safely(() => preview?.(target, params, there.value)) ?? []
    const held = safely(() => rights?.(target, params, there.value))
    const known = safely(() => linesOf?.(target, params, there.value)) ?? null
    const wrong = byPath(safely(() => validate?.(target, params, there.value)) ?? [], values, params)
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
  return { toSend, shown }
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
const aboutOf = (command: Command, params: Values): string => (changes(command) && command.factsFor?.(params)) || ''

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
