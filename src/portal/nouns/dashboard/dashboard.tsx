import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { getSummary, plotNeeds, type Summary } from '#contract/dashboard.ts'
import { may } from '#domain/permissions.ts'
import { detailOf } from '#kernel/api-client.ts'
import { shortDate } from '#portal/format/dates.ts'
import { ageOf } from '#portal/nouns/dashboard/age.ts'
import { reader } from '#portal/keyboard/fixed-keys.ts'
import { dashboardKeys } from '#portal/nouns/dashboard/keys.ts'
import { linesFor, linesOf, rememberLines } from '#portal/nouns/dashboard/lines.ts'
import { actOnLines, Lines } from '#portal/nouns/dashboard/lines-box.tsx'
import type { PlotsProps } from '#portal/nouns/dashboard/plots.tsx'
import { heldAtom } from '#portal/api/session.ts'
import { refreshedAtom } from '#portal/list/lists.ts'
import { store } from '#portal/platform/store.ts'
import { useAnswer } from '#portal/records/use-query.ts'
import { focusArrived } from '#portal/ui/focus-arrived.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { onKeys } from '#portal/ui/on-keys.ts'
import { later, Part } from '#portal/ui/later.tsx'
import '#portal/nouns/dashboard/dashboard.css'

const plots = later<PlotsProps>(async () => (await import('#portal/nouns/dashboard/plots.tsx')).Plots)

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

/** 'Saturday, 21 Nov 2026' */
const dayWords = (date: string): string => `${weekday.format(new Date(`${date}T00:00:00Z`))}, ${shortDate(date)}`

/** Milliseconds between two updates of the age. */
const tick = 5_000
/** Milliseconds until figures that were never computed are requested again. */
const soon = 2_000

/** The age of the figures. */
function Age({ countedAt }: { countedAt: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tick)
    return () => clearInterval(timer)
  }, [])
  const { words, late } = ageOf(countedAt, now)
  return (
    <span className="today-age">
      {late && <Icon name="warning" size={14} className="text-wait" />}
      {words}
    </span>
  )
}

/** Placeholder boxes with the height of the content being loaded. */
function Coming({ lines, plots }: { lines: number; plots: number }) {
  const many = (count: number) => Array.from({ length: count }, (_, at) => at)
  return (
    <>
      {lines > 0 && (
        <div className="today-box" aria-hidden="true">
          <h2>Needs attention</h2>
          {many(lines).map((at) => (
            <i key={at} className="today-line" />
          ))}
        </div>
      )}
      {plots > 0 && (
        <div className="today-plots" aria-hidden="true">
          {many(plots).map((at) => (
            <div key={at} className="today-box plot-box" />
          ))}
        </div>
      )}
    </>
  )
}

interface FiguresProps {
  summary: Summary
  held: ReadonlySet<number>
}

function Figures({ summary, held }: FiguresProps) {
  useEffect(() => rememberLines(summary, held), [summary, held])
  const drawn = plotsFor(held).filter((plot) => summary.plots[plot] !== null)
  return (
    <>
      <Lines lines={linesOf(summary, held)} />
      {drawn.length > 0 && <Part of={plots} props={{ summary, drawn }} waiting={<Coming lines={0} plots={drawn.length} />} />}
    </>
  )
}

type PlotName = keyof Summary['plots']
const plotsFor = (held: ReadonlySet<number>): PlotName[] =>
  (Object.keys(plotNeeds) as PlotName[]).filter((plot) => may(held, plotNeeds[plot]) === 'yes')

const dashboardKey = reader(dashboardKeys)

/** What needs the user's attention today, each line a link to its list with a key; beside it the plots. */
export function Dashboard() {
  const version = useAtomValue(refreshedAtom, { store })
  const { value: summary, error, again } = useAnswer(getSummary, {}, { version, fresh: true })
  const held = useAtomValue(heldAtom)
  const page = useRef<HTMLElement>(null)
  useEffect(() => focusArrived(page.current), [])
  const keys = onKeys(dashboardKey, (action, { currentTarget, key }) => actOnLines(currentTarget, action, key))
  const counted = summary?.counted_at ?? null
  const uncounted = summary !== undefined && counted === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer schedules the next request
  useEffect(() => {
    if (!uncounted) return
    const timer = setTimeout(again, soon)
    return () => clearTimeout(timer)
  }, [uncounted, summary])
  return (
    <section
      ref={page}
      data-region="screen"
      tabIndex={-1}
      onKeyDown={keys}
      aria-label="Dashboard"
      aria-busy={!summary && !error}
      className="today"
    >
      <title>Dashboard - Admin Portal</title>
      <header className="today-head">
        <h1>Today</h1>
        {summary && <span className="text-muted">{dayWords(summary.business_date)}</span>}
        {counted && <Age key={counted} countedAt={counted} />}
        {uncounted && <span className="today-age">Counted for the first time now</span>}
      </header>
      {error !== undefined && (
        <div className="today-failed" role="alert">
          <Icon name="alert" className="text-bad" />
          <span>
            {summary ? 'The figures could not be refreshed.' : 'Unable to load the dashboard.'}
            {detailOf(error) && <small>{detailOf(error)}</small>}
          </span>
          <button type="button" className="btn" onClick={again}>
            Try again <Kbd chord="r" />
          </button>
        </div>
      )}
      {(summary || !error) && (
        <div className="today-grid">
          {summary && counted ? (
            <Figures summary={summary} held={held} />
          ) : (
            <Coming lines={Math.min(8, linesFor(held).length)} plots={plotsFor(held).length} />
          )}
        </div>
      )}
    </section>
  )
}
