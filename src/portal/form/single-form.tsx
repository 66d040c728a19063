import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { changedMeanwhile } from '#contract/problem.ts'
import { labelOf } from '#domain/status.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command, type FieldMessage, undoable } from '#kernel/command.ts'
import { nameOf } from '#kernel/entity.ts'
import { formOf } from '#kernel/form.ts'
import type { Outcome } from '#kernel/run.ts'
import { formKeys } from '#kernel/send.ts'
import { CommandForm } from '#portal/form/command-form.tsx'
import { type Failure, failureOf } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { readable } from '#portal/form/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { consequences, linesField } from '#portal/form/money/deferred.ts'
import { PageHead } from '#portal/form/page-head.tsx'
import { Loading, NotLoaded, PageLines } from '#portal/form/page-lines.tsx'
import { PreviewTable } from '#portal/form/preview-table.tsx'
import type { Shown } from '#portal/form/shown.ts'
import { useLoaded } from '#portal/form/use-loaded.ts'
import { closePalette, type Page, paletteAtom } from '#portal/palette/state.ts'
import { unconfirmedAtom } from '#portal/commands/unconfirmed.ts'
import { checkFirst, newKey, runCommand } from '#portal/commands/run.ts'
import { lastChange, loadThing, readThing } from '#portal/commands/run-targets.ts'
import { situationAtom } from '#portal/commands/context.ts'
import { act } from '#portal/commands/start.ts'
import { store } from '#portal/app/store.ts'
import { thingAtom } from '#portal/records/things.ts'
import { say } from '#portal/app/toasts.ts'
import { wire } from '#portal/api/client.ts'
import { Part, useLater } from '#portal/ui/later.tsx'

type FormPageOf = Extract<Page, { kind: 'form' }>

/** The form of a command on one thing, or on none. */
export function SingleForm({ command, page }: { command: Command; page: FormPageOf }) {
  const { on } = command
  const [id] = page.targets.ids
  const target = useAtomValue(useMemo(() => thingAtom(on?.name ?? '', on && id ? id : ''), [on, id]))
  const asks = changes(command) && command.does.some((intent) => intent.checkedBy)
  /** Why it is not possible now, where only the server can tell. */
  const checked = useLoaded(
    async (signal) => {
      const thing = on && id ? await loadThing(on, id, signal) : undefined
      if (!asks || 'sentence' in availability(command, store.get(situationAtom), thing)) return null
      return checkFirst(command, thing, signal)
    },
    [command, on, id],
  )
  const parts = useLater(linesField, changes(command) && command.lines !== undefined)
  const missing = on !== undefined && target === undefined
  const chip = on && target !== undefined ? nameOf(on, target) : null
  return (
    <>
      <PageHead id="form-title" chip={chip} title={command.title} />
      {missing && checked.state === 'failed' ? (
        <NotLoaded what={`The ${on.one} ${id} could not be loaded.`} again={checked.again} />
      ) : missing || (asks && checked.state === 'loading') ? (
        <Loading what="Checking its state" />
      ) : parts.failed ? (
        <NotLoaded what="A part of the portal could not be loaded. Check the network." again={parts.again} />
      ) : changes(command) && command.lines && !parts.Found ? (
        <Loading what="Loading" />
      ) : checked.state === 'failed' ? (
        <NotLoaded what="It could not be checked whether this is possible now." again={checked.again} />
      ) : checked.state === 'there' && checked.value ? (
        <PageLines>
          <Line tone="plain" icon="lock" alert>
            {checked.value}
          </Line>
        </PageLines>
      ) : (
        <Ready command={command} page={page} target={target} />
      )}
    </>
  )
}

/** That somebody was faster, in the words of the specification where it has some. */
interface Meanwhile {
  sentence: string
  detail: string
}

/** The form itself, once the thing is known and nothing speaks against it. */
function Ready({ command, page, target }: { command: Command; page: FormPageOf; target: unknown }) {
  const situation = useAtomValue(situationAtom)
  const unconfirmed = useAtomValue(unconfirmedAtom)
  const { on } = command
  const id = on && target !== undefined ? on.id(target) : null
  const [unknown, setUnknown] = useState(false)
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null)
  const [keys] = useState(() => formKeys(newKey))
  const shownAt = useRef(page)
  shownAt.current = page
  // Asked once: a background refresh of the row must not take the form away from under the person's hands.
  const [schema] = useState(() => formOf(command, situation, target))
  const [start] = useState(() => (command.start?.(target, situation) ?? {}) as Values)
  const [look, setLook] = useState(0)
  const again = () => setLook((count) => count + 1)
  const { facts, failed, shown } = usePreview(command, target, look, again)
  const state = availability(command, situation, target)
  const blocked = 'sentence' in state ? state.sentence : null
  const watching = () => {
    const { open, pages } = store.get(paletteAtom)
    return open && pages.at(-1) === shownAt.current
  }
  const frozen = unknown || unconfirmed.some((each) => each.command === command.id && (each.target?.id ?? null) === id)

  const submit = async (params: Values): Promise<Failure | null> => {
    if (!changes(command)) {
      try {
        await act(command, target, params)
        return null
      } catch (error) {
        // The palette is closed already, so that the act may open what it opens.
        say(`${command.title} did not work.`, { tone: 'bad', detail: error instanceof Error ? error.message : null })
        return null
      }
    }
    if (!facts || facts.about !== aboutOf(command, params)) {
      if (failed) again()
      return { sentence: 'The preview is still loading.', detail: 'Look at it, then send again.' }
    }
    setMeanwhile(null)
    const wrong = command.judges?.(target, params, facts.value) ?? []
    if (wrong[0]) return { sentence: wrong[0].message, detail: null, errors: [...wrong] }
    const outcome = await runCommand(command, target, params, { keys, facts: facts.value, unknown: setUnknown, watching })
    if (outcome.kind === 'done') {
      if (watching()) closePalette()
      return null
    }
    return answerTo(outcome)
  }
  const answerTo = async (outcome: Exclude<Outcome, { kind: 'done' }>): Promise<Failure | null> => {
    if (outcome.kind === 'refused' && outcome.problem.code === 'stale-version' && on && id) {
      const [now, who] = await Promise.all([readThing(on, id).catch(() => null), lastChange(on, id)])
      again()
      // What was changed may be something else that it would have touched.
      const itself = now === null || on.version(now) !== on.version(target)
      const words = itself ? `${who ?? 'Somebody'} changed this while you were editing` : null
      const own = outcome.sentence !== changedMeanwhile
      setMeanwhile({
        sentence: own || !words ? outcome.sentence : `${words}.`,
        detail: [
          own && words ? `${words}.` : null,
          on.status && itself ? `It is ${labelOf(on.status(now ?? target)).toLowerCase()} now.` : null,
          'What you typed is still here.',
        ]
          .filter(Boolean)
          .join(' '),
      })
      return null
    }
    return failureOf(outcome)
  }

  return (
    <CommandForm
      command={command}
      targets={page.targets}
      schema={schema}
      start={start}
      params={page.params}
      above={
        meanwhile && (
          <Line tone="wait" icon="refresh" alert detail={meanwhile.detail}>
            {meanwhile.sentence}
          </Line>
        )
      }
      shown={shown}
      blocked={blocked}
      warning={changes(command) && !command.lines ? warningOf(command, target) : null}
      word={changes(command) && command.irreversible ? (on ? on.confirmWith(target) : command.title) : null}
      note={noteOf(command, target)}
      go={command.title}
      frozen={frozen}
      submit={submit}
    />
  )
}

/** What can be said of taking it back. */
const noteOf = (command: Command, target: unknown): string =>
  changes(command) ? (undoable(command, target) ? 'Can be undone for 10 minutes.' : 'This cannot be undone.') : ''

const warningOf = (command: Command, target: unknown): string | null =>
  changes(command) ? (command.warning?.(target) ?? null) : null

/** What changes, from fresh facts and what is typed. Facts are read again when the thing has a new version, and when `look` says so. */
function usePreview(command: Command, target: unknown, look: number, again: () => void) {
  const asks = changes(command) ? command.facts : undefined
  const [facts, setFacts] = useState<{ value: unknown; about: string } | null>(asks ? null : { value: undefined, about: '' })
  const [wanted, setWanted] = useState<{ about: string; params: Values }>({ about: '', params: {} })
  const [failed, setFailed] = useState(false)
  const version = command.on && target !== undefined ? command.on.version(target) : 0
  const latest = useRef(target)
  latest.current = target
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is what makes the facts old
  useEffect(() => {
    if (!asks) return
    let left = false
    setFailed(false)
    const { about, params } = wanted
    asks(latest.current, (endpoint, at, query) => wire.read(endpoint, at, query), params).then(
      (value) => !left && setFacts({ value, about }),
      () => !left && setFailed(true),
    )
    return () => {
      left = true
    }
  }, [asks, version, look, wanted.about])
  const change = changes(command) ? command : null
  const shown = (values: Values): Shown => {
    const params = readable(values)
    const about = aboutOf(command, params)
    const lines = change?.lines ? ('reading' as const) : null
    if (asks && about !== wanted.about) return { lines, below: <Wanted key={about} tell={() => setWanted({ about, params })} /> }
    if (!change?.preview) return { lines: null, below: null }
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
    const made = { target, params, facts: there.value }
    const rows = safely(() => change.preview?.(made.target, made.params, made.facts)) ?? []
    const known = safely(() => change.lines?.(made.target, made.params, made.facts)) ?? null
    const wrong = safely(() => change.judges?.(made.target, made.params, made.facts)) ?? []
    if (!known)
      return { lines: null, wrong: byPath(wrong, values, params), below: rows.length ? <PreviewTable rows={rows} /> : null }
    return {
      lines: known,
      wrong: byPath(wrong, values, params),
      below: null,
      aside: (
        <Part
          of={consequences}
          props={{ rows, lines: known, warning: warningOf(command, target), note: noteOf(command, target) }}
        />
      ),
    }
  }
  return { facts, failed, shown }
}

/** The first message for each path. A line that is not understood yet is not judged: the places of the others are those typed. */
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

/** What of the parameters the facts of a command are about. */
const aboutOf = (command: Command, params: Values): string => (changes(command) && command.factsFor?.(params)) || ''

/** Asks for other facts once what they are about was drawn. */
function Wanted({ tell }: { tell: () => void }) {
  const latest = useRef(tell)
  latest.current = tell
  useEffect(() => latest.current(), [])
  return null
}

/** What is made of half a form may not be possible yet. */
function safely<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}
