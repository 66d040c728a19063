/** Summary of a measured series. */
export interface Figures {
  n: number
  p50: number
  p95: number
  p99: number
  max: number
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Quantiles of a series by nearest rank, rounded to hundredths. */
export function figuresOf(series: readonly number[]): Figures {
  const sorted = [...series].sort((a, b) => a - b)
  const at = (part: number) => round(sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN)
  return { n: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}

/** Runs a function `times` times in sequence and returns the milliseconds of each run. */
export async function timed(times: number, run: (round: number) => Promise<unknown>): Promise<number[]> {
  const series: number[] = []
  for (let index = 0; index < times; index++) {
    const from = performance.now()
    await run(index)
    series.push(performance.now() - from)
  }
  return series
}

/** One row of the table: what was measured, the result and its budget. */
export interface Measure {
  what: string
  value: number
  unit: 'ms' | 'kB' | 'times' | 'rows' | 'frames' | 'per second' | 'blocks'
  /** Maximum value; null where the measure has no budget. */
  budget: number | null
  /** Further figures for the file. */
  detail?: unknown
}

/** Combines several runs of the same measures: the median of each, or the worst where the budget is 0. */
export const merged = (runs: readonly Measure[][]): Measure[] =>
  (runs[0] ?? []).map((first, at) => {
    const values = runs.map((run) => run[at]?.value ?? Number.NaN).sort((a, b) => a - b)
    const value = values[first.budget === 0 ? values.length - 1 : Math.floor(values.length / 2)] ?? Number.NaN
    return { ...first, value, detail: values }
  })

/** The measures as a table in plain text. */
export function tableOf(measures: readonly Measure[]): string {
  const rows = measures.map(({ what, value, unit, budget }) => [
    what,
    `${Number.isFinite(value) ? round(value) : '-'} ${unit}`,
    budget === null ? '' : `<= ${budget} ${unit}`,
    budget === null ? '' : value <= budget ? 'kept' : 'MISSED',
  ])
  const head = ['What', 'Measured', 'Budget', '']
  const widths = head.map((word, column) => Math.max(word.length, ...rows.map((row) => (row[column] as string).length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
