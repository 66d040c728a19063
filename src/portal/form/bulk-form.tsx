import { counted } from '#kernel/counted.ts'
import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import { countReasons } from '#domain/reasons.ts'
import { formatCents } from '#domain/money.ts'
import type { Run } from '#contract/runs.ts'
import { bulkable, type DryRun, dryRun, localLimit, mostJudged } from '#kernel/dry-run.ts'
import { lacksForUndo } from '#kernel/availability.ts'
import { changes, type Command, undoable } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { overWords } from '#kernel/run.ts'
import { Refusal } from '#kernel/wire.ts'
import { chipOf } from '#portal/form/chip-of.ts'
import { CommandForm } from '#portal/form/command-form.tsx'
import type { Failure } from '#portal/form/failure.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { Line } from '#portal/form/line.tsx'
import { PageHead } from '#portal/form/page-head.tsx'
import { Loading, NotLoaded, PageLines } from '#portal/form/page-lines.tsx'
import { TogetherForm } from '#portal/form/together-form.tsx'
import { useLoaded } from '#portal/form/use-loaded.ts'
import { useUnseen } from '#portal/form/use-unseen.ts'
import { undoNote, warningsOf } from '#portal/form/use-preview.tsx'
import { type Page, paletteAtom } from '#portal/palette/state.ts'
import { readThings } from '#portal/commands/run-targets.ts'
import { refusedFirst, undoRefused } from '#portal/commands/run.ts'
import { areMany, runHere, runsOnServer } from '#portal/commands/runs.ts'
import { areOthers, dryRunOnServer, runOnServer } from '#portal/commands/server-runs.ts'
import { undoableFor } from '#portal/commands/run-views.ts'
import { overOf, tellOver } from '#portal/commands/unsent.ts'
import { situationAtom } from '#portal/commands/context.ts'
import { myId } from '#portal/session/session.ts'
import { useUnsent } from '#portal/form/unsent-line.tsx'
import { store } from '#portal/app/store.ts'
import { wholeNumber } from '#domain/text.ts'

type FormPageOf = Extract<Page, { kind: 'form' }>
interface Props {
  command: Command
  page: FormPageOf
}

/** The form of a command on several things: what would happen first, then the form once. */
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
      : !server && targets.ids.length > mostJudged
        ? `This is done to at most ${mostJudged} ${on?.many ?? 'rows'} at a time.`
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

/** Takes the place of the form on top. */
const showRun = (run: string): void =>
  store.set(paletteAtom, (now) => ({ ...now, open: true, pages: [...now.pages.slice(0, -1), { kind: 'run', run }], typed: '' }))

/** 'Pause 12 employees'. */
const goOf = (command: Command, count: number): string => {
  const { on } = command
  const what = counted(count, on)
  return on && command.title.includes(on.one) ? command.title.replace(on.one, what) : `${command.title}, ${what}`
}

function HereForm({ command, page }: Props) {
  const { on } = command
  const situation = useAtomValue(situationAtom)
  const loaded = useLoaded(
    async (signal) => {
      const rows = on ? await readThings(on, page.targets.ids, signal) : []
      const { eligible } = dryRun(command, rows, store.get(situationAtom))
      const refused = await refusedFirst(command, eligible, signal)
      const done = eligible.filter((row) => !refused.has(row))
      return { rows, refused, kept: await undoRefused(command, done, signal) }
    },
    [on, page.targets],
  )
  const judged = useMemo(
    () => (loaded.state === 'there' ? dryRun(command, loaded.value.rows, situation, loaded.value.refused) : null),
    [command, loaded, situation],
  )
  if (loaded.state === 'failed') return <NotLoaded what="The rows could not be loaded." again={loaded.again} />
  if (!judged) return <Loading what="Checking each row" />
  const { eligible } = judged
  const why = loaded.state === 'there' ? eligible.flatMap((row) => loaded.value.kept.get(row) ?? []) : []
  return (
    <Fields
      command={command}
      page={page}
      sample={eligible[0]}
      above={<Judged judged={judged} kept={countReasons(why)} />}
      blocked={eligible.length ? null : 'None of them is eligible.'}
      warning={warningsOf(command, eligible)}
      go={goOf(command, eligible.length)}
      word={String(eligible.length)}
      undo={noteOf(command, undoable(command), eligible.length, why.length)}
      submit={async (params) => {
        showRun(runHere(command, page.targets, eligible, params, why.length))
        return null
      }}
    />
  )
}

/** Over many rows the server counts: as soon as the form is filled in, and again when it was changed. */
function ServerForm({ command, page }: Props) {
  const [judged, setJudged] = useState<{ params: string; run: Run } | null>(null)
  const unseen = useUnseen()
  const submit = async (params: Values): Promise<Failure | null> => {
    const now = JSON.stringify(params)
    const person = myId()
    try {
      if (judged?.params !== now) setJudged({ params: now, run: await dryRunOnServer(command, page.targets, params) })
      else showRun(await runOnServer(command, page.targets, params, judged.run))
      return null
    } catch (error) {
      const over = overOf(error)
      if (over !== null) {
        tellOver(over, person, { command: command.id, target: null, watching: true })
        return overWords[over]
      }
      // Other rows can be done by now: they are counted again before anything is sent.
      if (error instanceof Refusal && areOthers(error)) setJudged(null)
      const why: Failure =
        error instanceof Refusal
          ? { sentence: error.message, detail: null, ...(error.problem.errors ? { errors: error.problem.errors } : {}) }
          : { sentence: 'The server did not answer. Nothing was changed by this.', detail: 'Try again.' }
      unseen.refused(why)
      unseen.drawn()
      return why
    }
  }
  const run = judged?.run
  return (
    <Fields
      command={command}
      page={page}
      sample={undefined}
      above={
        run ? (
          <Counted done={run.waiting} blocked={run.blocked} total={null} reasons={reasonsOf(run)} kept={run.undo_refused ?? []} />
        ) : (
          <Line tone="plain" icon="info">
            The server looks at every row first and says what would happen. It then carries it out, also when this page is closed.
          </Line>
        )
      }
      blocked={run && run.waiting === 0 ? 'None of them is eligible.' : null}
      warning={null}
      go={run ? goOf(command, run.waiting) : 'Preview'}
      word={run ? String(run.waiting) : null}
      undo={noteOf(command, serverUndoes(command), run?.waiting ?? 0, countOf(run?.undo_refused ?? []))}
      submit={submit}
    />
  )
}

/** The server undoes a run in one go where the intent says how. */
const serverUndoes = (command: Command): boolean => changes(command) && command.does[0]?.undo !== undefined

const reasonsOf = (run: Run) => countReasons(run.problems.flatMap((row) => row.message ?? []))

interface FieldsProps {
  command: Command
  page: FormPageOf
  sample: unknown
  above: React.ReactNode
  blocked: string | null
  warning: string | null
  go: string
  word: string | null
  undo: string
  submit: (params: Values) => Promise<Failure | null>
}

function Fields({ command, page, sample, above, blocked, warning, go, word, undo, submit }: FieldsProps) {
  const [schema] = useState(() => formOf(command, store.get(situationAtom), sample))
  const [start] = useState(() => (command.start?.(sample, store.get(situationAtom)) ?? {}) as Values)
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

const Judged = ({ judged, kept }: { judged: DryRun; kept: Reasons }) => (
  <Counted
    done={judged.eligible.length}
    blocked={judged.blocked.length}
    total={judged.total}
    reasons={judged.reasons}
    kept={kept}
  />
)

type Reasons = readonly { sentence: string; count: number }[]

const countOf = (reasons: Reasons): number => reasons.reduce((sum, { count }) => sum + count, 0)

/** What can be said of taking a run back: of how many of those that it can be done to. */
function noteOf(command: Command, can: boolean, of: number, kept: number): string {
  if (!can || kept === 0 || lacksForUndo(command, store.get(situationAtom).held).length) return undoNote(command, can)
  return kept < of ? undoableFor(of - kept, of) : undoNote(command, false)
}

/** How many can be done, how many cannot and why, and for how many of those done the undo would be refused. */
function Counted(props: { done: number; blocked: number; total: number | null; reasons: Reasons; kept: Reasons }) {
  return (
    <div className="rounded-lg border border-line bg-canvas px-3 py-2" role="status">
      <p className="font-medium">
        {wholeNumber(props.done)} eligible{props.blocked ? `, ${wholeNumber(props.blocked)} blocked` : ''}
        {props.total === null ? '' : `, ${formatCents(props.total)} in all`}
      </p>
      <List reasons={props.reasons} />
      {props.kept.length > 0 && <p className="mt-1.5">{wholeNumber(countOf(props.kept))} could not be undone afterwards</p>}
      <List reasons={props.kept} />
    </div>
  )
}

/** Why, with how often, the five most frequent. */
const List = ({ reasons }: { reasons: Reasons }) =>
  reasons.length > 0 && (
    <ul className="mt-1 text-muted">
      {reasons.slice(0, 5).map(({ sentence, count }) => (
        <li key={sentence} className="flex justify-between gap-3">
          <span className="truncate">{sentence}</span>
          <span className="tabular-nums">{wholeNumber(count)}</span>
        </li>
      ))}
    </ul>
  )
