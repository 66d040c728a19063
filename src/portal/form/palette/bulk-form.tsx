import { pluralize } from '#kernel/pluralize.ts'
import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import { countOf, countReasons } from '#domain/reasons.ts'
import { fewOf, wholeNumber } from '#domain/text.ts'
import { partOfRun } from '#domain/undo.ts'
import type { Run } from '#contract/runs.ts'
import type { Amounts } from '#domain/amounts.ts'
import { formatCents } from '#domain/money.ts'
import { bulkable, dryRun, localLimit, maxValidated } from '#kernel/dry-run.ts'
import { foretell } from '#kernel/run-amounts.ts'
import { lacksForUndo, reasonOf } from '#kernel/availability.ts'
import { bulkOf, changes, type Command, isIrreversible, undoable } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { interruptionText } from '#kernel/interruption.ts'
import { overSeveral } from '#kernel/several.ts'
import { warningsOf } from '#kernel/undo-note.ts'
import { Refusal } from '#kernel/api-client.ts'
import { CommandForm } from '#portal/form/palette/command-form.tsx'
import type { Failure } from '#portal/form/session/failure.ts'
import { Line } from '#portal/form/line.tsx'
import { LoadingForm, NotLoaded, OneLine, PageHead } from '#portal/form/page-lines.tsx'
import { RecordForm } from '#portal/form/palette/record-form.tsx'
import { useQuery } from '#portal/records/use-query.ts'
import { useUnseen, useUnsent } from '#portal/form/palette/refusals.tsx'
import { type FormPreview, undoNote } from '#portal/form/preview/use-preview.tsx'
import type { Targets } from '#portal/platform/commands.ts'
import { type Page, paletteAtom } from '#portal/commands/palette-state.ts'
import { readRecords } from '#portal/records/load-record.ts'
import { refusedFirst, undoRefused } from '#portal/commands/run.ts'
import { idsUnderWay, runHere } from '#portal/commands/runs.ts'
import { areMany, runsOnServer } from '#portal/commands/runs-on-server.ts'
import { areOthers, dryRunOnServer, runOnServer } from '#portal/commands/server-runs.ts'
import { undoableFor } from '#portal/commands/run-views.ts'
import { interruptionBy, reportLater } from '#portal/commands/outbox/interruptions.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { myId } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import type { Values } from '#kernel/form-values.ts'
import { readable } from '#portal/form/session/values.ts'

type FormPageOf = Extract<Page, { kind: 'form' }>
interface BulkFormProps {
  command: Command
  page: FormPageOf
}

/** The form of a command on several records: a preview of the result, then the fields once for all of them. */
export function BulkForm(props: BulkFormProps) {
  const { command } = props
  return bulkOf(command)?.together ? <TogetherForm {...props} /> : <EachForm {...props} />
}

/** A command on several records together: why it is not available, else one form, with the records left out. */
function TogetherForm({ command, page }: BulkFormProps) {
  const { targets } = page
  const { on } = command
  // Evaluated once: later changes of the rows are shown in the form, and do not replace it while the user types.
  const loaded = useQuery(
    async (signal) => {
      const validate = (rows: readonly unknown[]) => overSeveral(command, targets, rows, store.get(commandContextAtom))
      const early = validate([])
      const { state, validated } = !on || 'sentence' in early.state ? early : validate(await readRecords(on, targets.ids, signal))
      if ('sentence' in state) return reasonOf(state)
      const leftOut = (validated?.blocked ?? []).map(({ row, sentence }) => `${on?.title(row)}: ${sentence}`)
      const above = leftOut.length > 0 && (
        <Line tone="wait" icon="info" alert detail={fewOf(leftOut)}>
          {pluralize(leftOut.length, on)} left out
        </Line>
      )
      return { rows: validated?.eligible ?? [], above }
    },
    [command, on, targets],
  )
  const value = loaded.state === 'there' ? loaded.value : null
  if (value !== null && typeof value !== 'string') return <RecordForm command={command} page={page} together={value} />
  return (
    <>
      <PageHead id="form-title" chip={chipOf(command, targets)} title={command.title} />
      {loaded.state === 'failed' ? (
        <NotLoaded what="The rows could not be loaded." again={loaded.again} />
      ) : value === null ? (
        <LoadingForm what="Checking each row" />
      ) : (
        <OneLine icon="info" alert>
          {value}
        </OneLine>
      )}
    </>
  )
}

/** The subject of a form on several records: '3 invoices', 'All invoices · Status is Overdue'. */
const chipOf = ({ on }: Command, { filter, ids, count, words }: Targets): string => {
  if (words !== undefined) return words
  const many = filter ? count : ids.length
  return `${many === null ? 'All' : wholeNumber(many)} ${on?.many ?? 'rows'}`
}

/** A command on each of several records. */
function EachForm({ command, page }: BulkFormProps) {
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
        <OneLine icon="info" alert>
          {why}
        </OneLine>
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

/** 'Pause 12 employees', 'Unlink 2 employees from user'; but 'Add employee note, 2 employees', where the noun is no object. */
const submitLabelOf = (command: Command, count: number): string => {
  const { on, title } = command
  const what = pluralize(count, on)
  const object = on && new RegExp(`\\b${on.one}(?=$| (?:as|by|for|from|in|of|on|to)\\b)`)
  return object?.test(title) ? title.replace(object, what) : `${title}, ${what}`
}

const noneEligible = 'None of them is eligible.'

/** For few rows this page counts what is possible, for the values typed so far. */
function HereForm({ command, page }: BulkFormProps) {
  const { on } = command
  const context = useAtomValue(commandContextAtom)
  const loaded = useQuery(
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
  if (loaded.state === 'failed') return <NotLoaded what="The rows could not be loaded." again={loaded.again} />
  if (loaded.state === 'loading') return <LoadingForm what="Checking each row" />
  const { rows, refused, kept } = loaded.value
  const validate = (params: Values) => foretell(command, rows, params, context, refused)
  const shown = (typed: Values): Summary => {
    const { eligible, blocked, amounts, reasons } = validate(typed)
    const why = eligible.flatMap((row) => kept.get(row) ?? [])
    const counted = { done: eligible.length, blocked: blocked.length, amounts, reasons, kept: countReasons(why) }
    return {
      above: <Counted {...counted} />,
      blocked: eligible.length ? null : noneEligible,
      warning: amountsSentence(command, typed, amounts) ?? warningsOf(command, eligible),
      go: submitLabelOf(command, eligible.length),
      word: String(eligible.length),
      note: noteOf(command, undoable(command), eligible.length, why.length),
    }
  }
  const submit = async (params: Values) => {
    const { eligible, blocked } = validate(params)
    const keptIds = on ? eligible.filter((row) => kept.has(row)).map(on.id) : []
    showRun(runHere(command, page.targets, eligible, params, { kept: keptIds, blocked }))
    return null
  }
  return <SummedForm command={command} page={page} shown={shown} submit={submit} />
}

/** For many rows the server does the counting: as soon as the form is valid, and again after each change. */
function ServerForm({ command, page }: BulkFormProps) {
  const typedNow = useRef('')
  const [validated, setValidated] = useState<{ params: string; typed: string; run: Run } | null>(null)
  const unseen = useUnseen()
  const submit = async (params: Values): Promise<Failure | null> => {
    const now = JSON.stringify(params)
    const person = myId()
    try {
      if (validated?.params !== now) {
        const typed = typedNow.current
        setValidated({ params: now, typed, run: await dryRunOnServer(command, page.targets, params) })
      } else showRun(await runOnServer(command, page.targets, params, validated.run))
      return null
    } catch (error) {
      const how = interruptionBy(error)
      if (how !== null) {
        reportLater(how, person, { command: command.id, target: null, watching: true })
        return interruptionText(how)
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
  const shown = (typed: Values): Summary => {
    typedNow.current = JSON.stringify(typed)
    // A count for other values than the current ones is hidden.
    const run = validated?.typed === typedNow.current ? validated.run : null
    const note = noteOf(command, serverUndoes(command), run?.waiting ?? 0, countOf(run?.undo_refused ?? []))
    if (!run)
      return {
        above: (
          <Line tone="plain" icon="info">
            Preview checks every row and changes nothing. The system then carries it out, also when this page is closed.
          </Line>
        ),
        blocked: null,
        warning: null,
        go: 'Preview',
        word: null,
        note,
      }
    const { waiting: done, blocked, amounts = null, problems, undo_refused: kept = [] } = run
    const reasons = countReasons(problems.flatMap((row) => row.message ?? []))
    return {
      above: <Counted {...{ done, blocked, amounts, reasons, kept }} />,
      blocked: done === 0 ? noneEligible : null,
      warning: amountsSentence(command, typed, amounts),
      go: submitLabelOf(command, done),
      word: String(done),
      note,
    }
  }
  return <SummedForm command={command} page={page} shown={shown} submit={submit} />
}

/** The server can undo a whole run if the intent defines an undo. */
const serverUndoes = (command: Command): boolean => changes(command) && command.does[0]?.undo !== undefined

/** What the form says about all rows, given the typed values. */
type Summary = Required<Pick<FormPreview, 'above' | 'blocked' | 'warning' | 'go' | 'word' | 'note'>>

interface SummedFormProps extends BulkFormProps {
  shown: (typed: Values) => Summary
  submit: (params: Values) => Promise<Failure | null>
}

/** The fields for all rows, with their summary. */
function SummedForm({ command, page, shown, submit }: SummedFormProps) {
  // Built without a record: the values of one row are no initial values for all.
  const [schema] = useState(() => formOf(command, store.get(commandContextAtom)))
  const [start] = useState(() => (command.form?.start?.(undefined, store.get(commandContextAtom)) ?? {}) as Values)
  const unsent = useUnsent(page)
  const confirms = isIrreversible(command) || areMany(page.targets)
  return (
    <CommandForm
      command={command}
      targets={page.targets}
      schema={schema}
      start={start}
      params={page.params}
      complete={page.complete}
      frozen={false}
      shown={(values) => {
        const summary = shown(readable(values))
        const above = (
          <>
            {unsent.line}
            {summary.above}
          </>
        )
        return { lines: null, below: null, ...summary, above, word: confirms ? summary.word : null }
      }}
      submit={(params) => {
        unsent.sent()
        return submit(params)
      }}
    />
  )
}

type Reasons = readonly { sentence: string; count: number }[]

/** How many rows can be done, how many cannot and why, and for how many of the former the undo would be refused. */
function Counted(props: { done: number; blocked: number; amounts: Amounts | null; reasons: Reasons; kept: Reasons }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-3 py-2" role="status">
      <p className="font-medium">
        {wholeNumber(props.done)} eligible{props.blocked ? `, ${wholeNumber(props.blocked)} blocked` : ''}
        {props.amounts && `, ${formatCents(props.amounts.moved)} in all`}
      </p>
      <List reasons={props.reasons} of={props.blocked} />
      {props.kept.length > 0 && <p className="mt-1.5">{wholeNumber(countOf(props.kept))} could not be undone afterwards</p>}
      <List reasons={props.kept} of={countOf(props.kept)} />
    </div>
  )
}

/** The five most frequent reasons with their counts, and how many of all rows have others: the server lists a part of them. */
function List({ reasons, of }: { reasons: Reasons; of: number }) {
  const most = reasons.slice(0, 5)
  const others = of - countOf(most)
  if (!most.length) return null
  return (
    <ul className="mt-1 text-muted">
      {[...most, ...(others > 0 ? [{ sentence: 'Others', count: others }] : [])].map(({ sentence, count }) => (
        <li key={sentence} className="flex justify-between gap-3">
          <span className="truncate">{sentence}</span>
          <span className="tabular-nums">{wholeNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The text about the amounts beside their sum. */
const amountsSentence = (command: Command, params: Values, amounts: Amounts | null): string | null =>
  (amounts && bulkOf(command)?.summary?.(params, amounts)) || null

/** What the form says about undo: for how many of the available rows a run can be undone. */
function noteOf(command: Command, can: boolean, of: number, kept: number): string {
  if (!can || kept === 0 || lacksForUndo(command, store.get(commandContextAtom).held).length) return undoNote(command, can)
  return kept < of ? undoableFor(of - kept, of) : undoNote(command, false)
}
