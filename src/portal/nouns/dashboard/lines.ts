import { type DashboardLine, dashboardLines, type Summary } from '#contract/dashboard.ts'
import { formatCents } from '#domain/money.ts'
import { may } from '#domain/permissions.ts'

/** A line that is drawn. */
export interface DrawnLine extends DashboardLine {
  /** How many there are: '1,204'. */
  counted: string
  /** What they come to, written; null where they are only counted. */
  cents: string | null
  address: string
}

const whole = new Intl.NumberFormat('en-US')

/** The lines that a user with these rights may see. */
export const linesFor = (held: ReadonlySet<number>): DashboardLine[] =>
  dashboardLines.filter(({ needs }) => may(held, needs) === 'yes')

/** What waits for the person, the most urgent first; lines with nothing in them are left out. */
export const linesOf = ({ lines }: Summary, held: ReadonlySet<number>): DrawnLine[] =>
  linesFor(held).flatMap((line) => {
    const { count = 0, amount = null } = lines[line.id] ?? {}
    if (count === 0) return []
    return [
      {
        ...line,
        counted: whole.format(count),
        cents: amount === null ? null : formatCents(amount),
        address: `${line.reads.path}?${line.search}`,
      },
    ]
  })
