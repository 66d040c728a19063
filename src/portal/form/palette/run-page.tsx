import { pluralize } from '#kernel/pluralize.ts'
import { undoneSentence } from '#kernel/undo-note.ts'
import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { runOutOfReach } from '#domain/undo.ts'
import type { RowResult } from '#kernel/bulk.ts'
import { characterOf } from '#kernel/keys.ts'
import { Line } from '#portal/form/line.tsx'
import { Loading, OneLine, PageHead } from '#portal/form/page-lines.tsx'
import { RowLines } from '#portal/form/palette/row-lines.tsx'
import { historyAtom } from '#portal/commands/history.ts'
import { undoIfOffered } from '#portal/commands/run.ts'
import { leaveRun, type Page } from '#portal/commands/palette-state.ts'
import { markSeen, type RunView, runsAtom, titleOf, undoableFor } from '#portal/commands/run-views.ts'
import { loadRun } from '#portal/commands/server-runs.ts'
import { startCommand } from '#portal/commands/start.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { wholeNumber } from '#domain/text.ts'

/** Runs a command about this run, and keeps its page open. */
const doIt = (command: string, params: Record<string, string>) => startCommand(command, { params, stays: true })

/** Progress of a run over several rows, then its result, one line per row. Closing the page does not stop the run. */
export function RunPage({ page }: { page: Extract<Page, { kind: 'run' }> }) {
  const run = useAtomValue(runsAtom).get(page.run)
  const known = run !== undefined && (run.where === 'here' || run.rows.length > 0 || run.total === run.done + run.waiting)
  const [missing, setMissing] = useState(false)
  useEffect(() => {
    // A run started before the page was reloaded, or listed by the API without its rows.
    if (!known) void loadRun(page.run).then((found) => setMissing(!found))
  }, [known, page.run])
  if (run) return <Shown run={run} />
  if (!missing) return <Loading what="Loading the run" />
  return (
    <>
      <PageHead chip={null} title="Run" />
      <OneLine icon="info">This run is no longer known here. The history of each row says what was done.</OneLine>
    </>
  )
}

function Shown({ run }: { run: RunView }) {
  const first = useRef<HTMLButtonElement>(null)
  const running = run.state === 'running'
  const again = run.beyond ? 0 : run.failed + run.stopped
  // Read again when the history changes, since an undo from elsewhere removes the offer.
  const entry = useAtomValue(historyAtom).find(({ id }) => id === run.entry)
  const byServer = !run.beyond && run.undoUntil !== null && Date.now() < run.undoUntil
  const undo = (entry !== undefined && !running && undoIfOffered(entry.id) !== null) || byServer
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves whenever the next action changes
  useEffect(() => {
    first.current?.focus()
    if (!running) markSeen(run.id)
  }, [running, undo])
  const undoIt = () => doIt('session.undo', { run: run.id })
  const keys = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    // For a run in this page the key also says why nothing can be undone any more, or that the run has to be stopped first.
    const answers = undo || running || (entry !== undefined && run.where === 'here')
    const undoes = answers && (event.ctrlKey || event.metaKey) && !event.shiftKey && characterOf(event) === 'z'
    if (event.key !== 'Escape' && !undoes) return
    event.preventDefault()
    event.stopPropagation()
    if (undoes) undoIt()
    else leaveRun()
  }
  const ended = run.total - run.waiting
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from the focused element
    <div onKeyDown={keys}>
      <PageHead
        chip={pluralize(run.total, run.command.on)}
        title={titleOf(run)}
        aside={run.where === 'server' ? 'by the system' : ''}
      />
      <div className="grid gap-3 px-[18px] pt-4">
        <div
          role="progressbar"
          aria-label="Progress"
          aria-valuemin={0}
          aria-valuemax={run.total}
          aria-valuenow={ended}
          aria-valuetext={`${wholeNumber(ended)} of ${wholeNumber(run.total)}`}
          className="h-1.5 overflow-hidden rounded-full bg-sunken"
        >
          <div className="h-full bg-accent" style={{ width: `${run.total ? (100 * ended) / run.total : 100}%` }} />
        </div>
        <p role="status" className="tabular-nums">
          {wholeNumber(run.done)} done, {wholeNumber(run.failed)} failed, {wholeNumber(run.blocked)} refused
          {run.stopped ? `, ${wholeNumber(run.stopped)} not started` : ''}
          {running ? `, ${wholeNumber(run.waiting)} to go` : ''}
        </p>
        {run.says && !run.undone?.length && <p>{run.says}</p>}
        {run.note && (
          <Line tone="bad" icon="alert" alert>
            {run.note}
          </Line>
        )}
        <Rows rows={run.rows} undone={run.undone} />
        {run.where === 'server' && run.failed + run.blocked > run.rows.length && (
          <p className="text-muted">The first {wholeNumber(run.rows.length)} that did not work are listed.</p>
        )}
      </div>
      <div className="flex items-center gap-2 px-[18px] pt-3 pb-3.5">
        <span className="mr-auto text-[12.5px] text-muted">{footOf(run, undo)}</span>
        {running ? (
          <button type="button" className="btn" onClick={() => doIt('run.stop', { run: run.id })}>
            Stop
          </button>
        ) : (
          <>
            {undo && (
              <button type="button" className="btn" onClick={undoIt}>
                Undo {wholeNumber(entry?.rows?.length ?? run.done)} <Kbd chord="Mod+Z" />
              </button>
            )}
            {again > 0 && (
              <button type="button" className="btn" onClick={() => doIt('run.retry', { run: run.id })}>
                Retry the {wholeNumber(again)} {notDone(run)}
              </button>
            )}
          </>
        )}
        <button ref={first} type="button" className="btn btn-go" onClick={leaveRun}>
          {running ? 'Leave' : 'Close'} <Kbd chord="Escape" />
        </button>
      </div>
    </div>
  )
}

/** The rows that a retry would run. */
const notDone = ({ failed, stopped }: RunView): string =>
  failed && stopped ? 'not done' : stopped ? 'that were not started' : 'that failed'

/** The sentence about undo: for how long and how many rows it is possible, or that it was done. */
function footOf(run: RunView, undo: boolean): string {
  if (run.state === 'running') return 'Leaving does not stop it.'
  if (run.undone?.length) return `${undoneSentence(run.command, run.undone.length)}.`
  if (run.beyond && run.done) return runOutOfReach
  if (!undo) return ''
  return run.kept ? undoableFor(Math.max(0, run.done - run.kept), run.done) : 'Can be undone for 10 minutes.'
}

const words: Record<RowResult['state'], string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  blocked: 'Refused',
  failed: 'Failed',
  stopped: 'Not started',
}
const marks: Record<RowResult['state'], string> = {
  waiting: 'idle',
  running: 'busy',
  done: 'good',
  blocked: 'wait',
  failed: 'bad',
  stopped: 'idle',
}

/** One line per row. */
const Rows = ({ rows, undone = [] }: { rows: readonly RowResult[]; undone: RunView['undone'] }) => (
  <RowLines label="Results by row" rows={rows} keyOf={(row) => row.id}>
    {({ id, state, title, sentence }) => {
      const over = undone.includes(id)
      // 'Paused Sadia Barnes' would only repeat her name.
      const message = over || (state === 'done' && sentence?.endsWith(title)) ? null : sentence
      return (
        <>
          <span className={`status w-24 shrink-0 status-${over ? 'idle' : marks[state]}`}>{over ? 'Undone' : words[state]}</span>
          <span className="shrink-0 font-medium">{title}</span>
          <span className="truncate text-muted">{message}</span>
        </>
      )
    }}
  </RowLines>
)
