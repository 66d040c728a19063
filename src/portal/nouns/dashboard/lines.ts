import { type DashboardLine, dashboardLines, type Summary } from '#contract/dashboard.ts'
import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import { may } from '#domain/permissions.ts'
import { rememberAttention } from '#portal/list/attention.ts'

/** A visible line. */
export interface DrawnLine extends DashboardLine {
  /** The formatted count: '1,204'. */
  counted: string
  /** The formatted amount; null for lines with only a count. */
  cents: string | null
  address: string
}

/** The lines that a user with these rights may see. */
export const linesFor = (held: ReadonlySet<number>): DashboardLine[] =>
  dashboardLines.filter(({ needs }) => may(held, needs) === 'yes')

/** The lines that need the user's attention, most urgent first; empty lines are left out. */
export const linesOf = ({ lines }: Summary, held: ReadonlySet<number>): DrawnLine[] =>
  linesFor(held).flatMap((line) => {
    const { count = 0, amount = null } = lines[line.id] ?? {}
    if (count === 0) return []
    return [
      {
        ...line,
        counted: wholeNumber(count),
        cents: amount === null ? null : formatCents(amount),
        address: `${line.reads.path}?${line.search}`,
      },
    ]
  })

/** Remembers the lines that need attention, with their counts, for the empty palette. */
export const rememberLines = (summary: Summary, held: ReadonlySet<number>): void =>
  rememberAttention(
    linesOf(summary, held).map(({ address, title, reads, cents, amount, needs, id }) => ({
      ...{ address, title, needs, path: reads.path, count: summary.lines[id]?.count ?? 0 },
      amount: cents === null || !amount ? null : `${cents} ${amount.toLowerCase()}`,
    })),
  )
