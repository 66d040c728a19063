import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { type CSSProperties, type ReactNode, useLayoutEffect, useState } from 'react'
import type { Summary } from '#contract/dashboard.ts'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import { addDays } from '#domain/calendar.ts'
import { advanceDays, importDays, invoiceAgeNames, invoiceAges, recoveryRate } from '#domain/dashboard.ts'
import { shortDate } from '#portal/format/dates.ts'

/** One value of a plot. */
interface Point {
  label: string
  /** The numeric value on the axis. */
  value: number
  /** Cells of its row in the table. */
  cells: readonly string[]
}

interface PlotProps {
  title: string
  total: string
  /** Headers of the table. */
  heads: readonly string[]
  points: readonly Point[]
  /** Formats a value on the axis. */
  tick: (value: number) => string
  bars?: boolean
  /** The end of the axis, if fixed. */
  max?: number
  none: string
}

const height = 132
const left = 52
const foot = 18
const top = 10

/** The width of an element, tracked as it changes; the element may be mounted later. */
function useWidth() {
  const [element, ref] = useState<HTMLDivElement | null>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    setWidth(element.clientWidth)
    return () => watch.disconnect()
  }, [element])
  return { ref, width }
}

/** As many labels as fit below the axis. */
const labelsAt = (points: readonly Point[], width: number): number[] => {
  const every = Math.max(1, Math.ceil((points.length * 76) / Math.max(1, width - left)))
  return points.map((_, at) => at).filter((at) => at % every === 0)
}

function Drawing({ points, tick, bars = false, max, width }: PlotProps & { width: number }) {
  const end = max ?? Math.max(1, ...points.map(({ value }) => value))
  const y = scaleLinear([0, end], [height - foot, top]).nice(3)
  const ticks = y.ticks(3)
  const names = points.map((_, at) => String(at))
  const band = scaleBand(names, [left, width - 4]).padding(0.3)
  const place = scalePoint(names, [left + 4, width - 12])
  const middle = (at: number) => (bars ? (band(String(at)) ?? 0) + band.bandwidth() / 2 : (place(String(at)) ?? 0))
  const path = line<Point>(
    (_, at) => middle(at),
    ({ value }) => y(value),
  )
  return (
    <svg width={width} height={height} aria-hidden="true" className="plot">
      {ticks.map((value) => (
        <g key={value}>
          <line x1={left} x2={width - 4} y1={y(value)} y2={y(value)} className="plot-grid" />
          <text x={left - 6} y={y(value) + 4} textAnchor="end">
            {tick(value)}
          </text>
        </g>
      ))}
      {bars ? (
        points.map(({ value, label }, at) => (
          <rect
            key={label}
            x={band(String(at))}
            width={band.bandwidth()}
            y={y(value)}
            height={Math.max(value > 0 ? 2 : 0, height - foot - y(value))}
            rx={2}
            className="plot-bar"
            style={{ '--share': `${Math.round(55 + (45 * at) / Math.max(1, points.length - 1))}%` } as CSSProperties}
          />
        ))
      ) : (
        <path d={path([...points]) ?? ''} className="plot-line" />
      )}
      {labelsAt(points, width).map((at) => (
        <text key={at} x={middle(at)} y={height - 4} textAnchor={!bars && at === 0 ? 'start' : 'middle'}>
          {points[at]?.label}
        </text>
      ))}
    </svg>
  )
}

/** A small plot with a table of its values. */
function Plot(props: PlotProps) {
  const { title, total, heads, points, none } = props
  const { ref, width } = useWidth()
  return (
    <figure className="today-box plot-box">
      <figcaption>
        <h2>
          {title} <span>{total}</span>
        </h2>
      </figcaption>
      {points.length === 0 ? (
        <p className="p-4 text-muted">{none}</p>
      ) : (
        <div className="px-3.5 pt-2 pb-2.5">
          <div ref={ref} className="plot-room">
            {width > 0 && <Drawing {...props} width={width} />}
          </div>
          <details>
            <summary>As a table</summary>
            <table className="plot-table" aria-label={title}>
              <thead>
                <tr>
                  {heads.map((head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {points.map(({ label, cells }) => (
                  <tr key={label}>
                    <th scope="row">{label}</th>
                    {cells.map((cell, at) => (
                      <td key={heads[at + 1]}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </div>
      )}
    </figure>
  )
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const dollars = (cents: number): string => `$${compact.format(cents / 100)}`
const percent = (points: number): string => `${(points / 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}%`
/** `23 Nov`: the year is shown on the page. */
const shortDay = (date: string): string => shortDate(date).replace(/ \d{4}$/, '')

type PlotsOf = Summary['plots']

function Ages({ ages }: { ages: NonNullable<PlotsOf['ages']> }) {
  const points = invoiceAgeNames.map((age) => {
    const { count, amount } = ages[age]
    return { label: invoiceAges[age].title, value: amount, cells: [wholeNumber(count), formatCents(amount)] }
  })
  const total = points.reduce((sum, { value }) => sum + value, 0)
  return (
    <Plot
      title="Outstanding by age"
      total={formatCents(total)}
      heads={['Overdue', 'Invoices', 'Outstanding']}
      points={total > 0 ? points : []}
      tick={dollars}
      bars
      none="Nothing is outstanding."
    />
  )
}

/** One point per day for `shown` days up to today; a day without an entry counts as 0. */
function days<Day extends { date: string; count: number }>(
  of: readonly Day[],
  { today, shown, cell }: { today: string; shown: number; cell: (day: Day | undefined) => string },
): { points: Point[]; all: number } {
  const by = new Map(of.map((each) => [each.date, each]))
  const points = Array.from({ length: shown }, (_, at) => {
    const date = addDays(today, at - shown + 1)
    const day = by.get(date)
    const value = day?.count ?? 0
    return { label: shortDay(date), value, cells: [wholeNumber(value), cell(day)] }
  })
  return { points, all: points.reduce((sum, { value }) => sum + value, 0) }
}

function Advances({ advances, today }: { advances: NonNullable<PlotsOf['advances']>; today: string }) {
  const { points, all } = days(advances, { today, shown: advanceDays, cell: (day) => formatCents(day?.amount ?? 0) })
  return (
    <Plot
      title={`Advances per day, last ${advanceDays} days`}
      total={`${wholeNumber(points.at(-1)?.value ?? 0)} today`}
      heads={['Day', 'Advances', 'Amount']}
      points={all > 0 ? points : []}
      tick={(value) => compact.format(value)}
      none="Nobody took an advance in this time."
    />
  )
}

function Imports({ imports, today }: { imports: NonNullable<PlotsOf['imports']>; today: string }) {
  const { points, all } = days(imports, { today, shown: importDays, cell: (day) => wholeNumber(day?.failed ?? 0) })
  return (
    <Plot
      title={`Imports a day, ${importDays} days`}
      total={`${wholeNumber(points.at(-1)?.value ?? 0)} today`}
      heads={['Day', 'Files', 'Failed']}
      points={all > 0 ? points : []}
      tick={(value) => compact.format(value)}
      none="No file arrived in this time."
    />
  )
}

function Recovery({ recovery }: { recovery: NonNullable<PlotsOf['recovery']> }) {
  const points = recovery.flatMap(({ week, billed_amount, recovered_amount }) => {
    const rate = recoveryRate(billed_amount, recovered_amount)
    if (rate === null) return []
    return [
      { label: shortDay(week), value: rate, cells: [formatCents(billed_amount), formatCents(recovered_amount), percent(rate)] },
    ]
  })
  const sum = (of: (each: (typeof recovery)[number]) => number) => recovery.reduce((all, each) => all + of(each), 0)
  const all = recoveryRate(
    sum((each) => each.billed_amount),
    sum((each) => each.recovered_amount),
  )
  return (
    <Plot
      title="Recovery rate by week"
      total={all === null ? '' : percent(all)}
      heads={['Week from', 'Billed', 'Recovered', 'Rate']}
      points={points}
      tick={percent}
      max={10_000}
      none="Nothing fell due in this time."
    />
  )
}

export interface PlotsProps {
  summary: Summary
  /** The plots that the user may see. */
  drawn: readonly (keyof PlotsOf)[]
}

/** The plots that the user may see. */
export function Plots({ summary: { plots, business_date }, drawn }: PlotsProps): ReactNode {
  const { ages, advances, recovery, imports } = plots
  const may = (plot: keyof PlotsOf) => drawn.includes(plot)
  return (
    <div className="today-plots">
      {ages && may('ages') && <Ages ages={ages} />}
      {advances && may('advances') && <Advances advances={advances} today={business_date} />}
      {recovery && may('recovery') && <Recovery recovery={recovery} />}
      {imports && may('imports') && <Imports imports={imports} today={business_date} />}
    </div>
  )
}
