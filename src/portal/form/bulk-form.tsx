import { pluralize } from '#kernel/pluralize.ts'
import { useAtomValue } from 'jotai'
import { useMemo, useRef, useState } from 'react'
import { countReasons } from '#domain/reasons.ts'
import { partOfRun } from '#domain/undo.ts'
import type { Run } from '#contract/runs.ts'
import type { Amounts } from '#domain/amounts.ts'
import { Counted, countOf } from '#portal/form/counted-rows.tsx'
import { bulkable, dryRun, localLimit, maxValidated } from '#kernel/dry-run.ts'
import { foretell } from '#kernel/run-amounts.ts'
import { lacksForUndo } from '#kernel/availability.ts'
import { changes, type Command, undoable } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { overWords } from '#kernel/run.ts'
import { Refusal } from '#kernel/api-client.ts'
import { chipOf } from '#portal/form/chip-of.ts'
import { CommandForm } from '#portal/form/command-form.tsx'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { readable } from '#portal/form/form-values.ts'
import { Line } from '#portal/form/line.tsx'
import { PageHead } from '#portal/form/page-head.tsx'
import { Loading, NotLoaded, PageLines } from '#portal/form/page-lines.tsx'
import { TogetherForm } from '#portal/form/together-form.tsx'
import { useLoaded } from '#portal/form/use-loaded.ts'
import { useUnseen } from '#portal/form/use-unseen.ts'
import { undoNote, Wanted, warningsOf } from '#portal/form/use-preview.tsx'
import { type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import { readRecords } from '#portal/records/load-record.ts'
import { refusedFirst, undoRefused } from '#portal/commands/run.ts'
import { areMany, idsUnderWay, runHere, runsOnServer } from '#portal/commands/runs.ts'
import { areOthers, dryRunOnServer, runOnServer } from '#portal/commands/server-runs.ts'
import { undoableFor } from '#portal/commands/run-views.ts'
import { overOf, tellOver } from '#portal/commands/unsent.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { myId } from '#portal/api/session.ts'
import { useUnsent } from '#portal/form/unsent-line.tsx'
import { store } from '#portal/platform/store.ts'

type FormPageOf = Extract<Page, { kind: 'form' }>
interface Props {
  command: Command
  page: FormPageOf
}

/** The form of a command on several records: a preview of the result, then the fields once for all of them. */
export function BulkForm(props: Props) {
  const { command } = props
  return changes(command) && command.together ? <TogetherForm {...props} /> : <EachForm {...props} />
}

function EachForm({ command, page }: Props) {
  const { targets } = page
  const { on } = command
  const server = runsOnServer(command, targets)
  const why = !bulkable(command)
    ? `${command.title} is done to one ${on?.one ?? 'row'} at a time.`
    : !server && targets.filter
      ? `Everything that matches a filter is too much for this. Select at most ${localLimit} ${on?.many ?? 'rows'}.`
      : !server && targets.ids.length > maxValidated
        ? `This is done to at most ${maxValidated} ${on?.many ?? 'rows'} at a time.`
        : null
  return (
    <>
      <PageHead id="form-title" chip={chipOf(command, targets)} title={command.title} />
      {why ? (
        <PageLines>
          <Line tone="plain" icon="info" alert>
            {why}
          </Line>
        </PageLines>
      ) : server ? (
        <ServerForm command={command} page={page} />
      ) : (
        <HereForm command={command} page={page} />
      )}
    </>
  )
}

/** Replaces the form on top of the palette. */
const showRun = (run: string): void =>
  store.set(paletteAtom, (now) => ({ ...now, open: true, pages: [...now.pages.slice(0, -1), { kind: 'run', run }], typed: '' }))

/** 'Pause 12 employees'. */
const submitLabelOf = (command: Command, count: number): string => {
  const { on } = command
  const what = pluralize(count, on)
  return on && command.title.includes(on.one) ? command.title.replace(on.one, what) : `${command.title}, ${what}`
}

function HereForm({ command, page }: Props) {
  const { on } = command
  const context = useAtomValue(commandContextAtom)
  const [typed, setTyped] = useState<Values>({})
  const loaded = useLoaded(
    async (signal) => {
      // Taken before the records are read: a row that finishes in between was still busy then.
      const busy = idsUnderWay(on)
      const rows = on ? await readRecords(on, page.targets.ids, signal) : []
      const refused = new Map(rows.flatMap((row) => (on && busy.has(on.id(row)) ? [[row, partOfRun] as [unknown, string]] : [])))
      const { eligible } = dryRun(command, rows, store.get(commandContextAtom), refused)
      for (const [row, why] of await refusedFirst(command, eligible, signal)) refused.set(row, why)
      const done = eligible.filter((row) => !refused.has(row))
      return { rows, refused, kept: await undoRefused(command, done, signal) }
    },
    [on, page.targets],
  )
  const validate = useMemo(() => {
    if (loaded.state !== 'there') return null
    const { rows, refused } = loaded.value
    return (params: Values) => foretell(command, rows, params, context, refused)
  }, [command, loaded, context])
  const validated = useMemo(() => validate?.(typed), [validate, typed])
  if (loaded.state === 'failed') return <NotLoaded what="The rows could not be loaded." again={loaded.again} />
  if (loaded.state !== 'there' || !validate || !validated) return <Loading what="Checking each row" />
  const { eligible } = validated
  const { kept } = loaded.value
  const why = eligible.flatMap((row) => kept.get(row) ?? [])
  return (
    <Fields
      command={command}
      page={page}
      above={
        <Counted
          done={eligible.length}
          blocked={validated.blocked.length}
          amounts={validated.amounts}
          reasons={validated.reasons}
          kept={countReasons(why)}
        />
      }
      blocked={eligible.length ? null : 'None of them is eligible.'}
      warning={amountsSentence(command, typed, validated.amounts) ?? warningsOf(command, eligible)}
      typed={changes(command) && command.bulkSummary ? setTyped : null}
      go={submitLabelOf(command, eligible.length)}
      word={String(eligible.length)}
      undo={noteOf(command, undoable(command), eligible.length, why.length)}
      submit={async (params) => {
        const { eligible: now, blocked } = validate(params)
        const keptIds = on ? now.filter((row) => kept.has(row)).map(on.id) : []
        showRun(runHere(command, page.targets, now, params, { kept: keptIds, blocked }))
        return null
      }}
    />
  )
}

/** For many rows the server does the counting: as soon as the form is valid, and again after each change. */
function ServerForm({ command, page }: Props) {
  const [typed, setTyped] = useState<Values>({})
  // The values of the last render, which are the ones sent; the state follows a moment later.
  const drawn = useRef<Values>({})
  const [validated, setValidated] = useState<{ params: string; typed: Values; run: Run } | null>(null)
  const unseen = useUnseen()
  const submit = async (params: Values): Promise<Failure | null> => {
    const now = JSON.stringify(params)
    const person = myId()
    try {
      if (validated?.params !== now) {
        const asked = drawn.current
        setValidated({ params: now, typed: asked, run: await dryRunOnServer(command, page.targets, params) })
      } else showRun(await runOnServer(command, page.targets, params, validated.run))
      return null
    } catch (error) {
      const over = overOf(error)
      if (over !== null) {
        tellOver(over, person, { command: command.id, target: null, watching: true })
        return overWords[over]
      }
      // The rows it applies to have changed: they are counted again before anything is sent.
      if (error instanceof Refusal && areOthers(error)) setValidated(null)
      const why: Failure =
        error instanceof Refusal
          ? { sentence: error.message, detail: null, ...(error.problem.errors ? { errors: error.problem.errors } : {}) }
          : { sentence: 'The server did not answer. Nothing was changed by this.', detail: 'Try again.' }
      unseen.refused(why)
      unseen.drawn()
      return why
    }
  }
  // A count for other values than the current ones is hidden.
  const run = validated && JSON.stringify(validated.typed) === JSON.stringify(typed) ? validated.run : null
  return (
    <Fields
      command={command}
      page={page}
      above={
        run ? (
          <Counted
            done={run.waiting}
            blocked={run.blocked}
            amounts={run.amounts ?? null}
            reasons={reasonsOf(run)}
            kept={run.undo_refused ?? []}
          />
        ) : (
          <Line tone="plain" icon="info">
            Preview checks every row and changes nothing. The system then carries it out, also when this page is closed.
          </Line>
        )
      }
      blocked={run && run.waiting === 0 ? 'None of them is eligible.' : null}
      warning={run && amountsSentence(command, typed, run.amounts ?? null)}
      typed={setTyped}
      drawn={drawn}
      go={run ? submitLabelOf(command, run.waiting) : 'Preview'}
      word={run ? String(run.waiting) : null}
      undo={noteOf(command, serverUndoes(command), run?.waiting ?? 0, countOf(run?.undo_refused ?? []))}
      submit={submit}
    />
  )
}

/** The server can undo a whole run if the intent defines an undo. */
const serverUndoes = (command: Command): boolean => changes(command) && command.does[0]?.undo !== undefined

const reasonsOf = (run: Run) => countReasons(run.problems.flatMap((row) => row.message ?? []))

interface FieldsProps {
  command: Command
  page: FormPageOf
  above: React.ReactNode
  blocked: string | null
  warning: string | null
  /** Called with the typed values, where they decide what is shown. */
  typed: ((values: Values) => void) | null
  /** Holds the values of the last render. */
  drawn?: { current: Values }
  go: string
  word: string | null
  undo: string
  submit: (params: Values) => Promise<Failure | null>
}

function Fields({ command, page, above, blocked, warning, typed, drawn, go, word, undo, submit }: FieldsProps) {
  // Built without a record: the values of one row are no initial values for all.
  const [schema] = useState(() => formOf(command, store.get(commandContextAtom)))
  const [start] = useState(() => (command.start?.(undefined, store.get(commandContextAtom)) ?? {}) as Values)
  const change = changes(command) ? command : null
  const unsent = useUnsent(page)
  return (
    <CommandForm
      command={command}
      targets={page.targets}
      schema={schema}
      start={start}
      params={page.params}
      above={
        <>
          {unsent.line}
          {above}
        </>
      }
      shown={
        typed
          ? (values) => {
              const params = readable(values)
              if (drawn) drawn.current = params
              return { lines: null, below: <Wanted key={JSON.stringify(params)} onRender={() => typed(params)} /> }
            }
          : undefined
      }
      blocked={blocked}
      warning={warning}
      word={change?.irreversible || areMany(page.targets) ? word : null}
      note={undo}
      go={go}
      frozen={false}
      submit={(params) => {
        unsent.sent()
        return submit(params)
      }}
    />
  )
}

/** The text about the amounts beside their sum. */
const amountsSentence = (command: Command, params: Values, amounts: Amounts | null): string | null =>
  (changes(command) && amounts && command.bulkSummary?.(params, amounts)) || null

/** What the form says about undo: for how many of the available rows a run can be undone. */
function noteOf(command: Command, can: boolean, of: number, kept: number): string {
  if (!can || kept === 0 || lacksForUndo(command, store.get(commandContextAtom).held).length) return undoNote(command, can)
  return kept < of ? undoableFor(of - kept, of) : undoNote(command, false)
}
